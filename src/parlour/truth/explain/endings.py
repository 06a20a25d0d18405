"""Nim with extra endings: where the usual theory still holds, and which ending bends it where not.

The nim-sum knows only the empty ending. Each extra one may turn the positions above it, and whether
it does is found by solving the same position without that ending.
"""

from __future__ import annotations

from dataclasses import replace

from parlour.core import Solution, Value, Work
from parlour.rules import Nim, NimMove, NimState, multiset
from parlour.truth.explain.facts import Data, Fact, Teller, listed
from parlour.truth.explain.nim import nim_facts
from parlour.truth.nim import NimClosed, Numbers, is_lost, positions, solve_nim

MOST_COMPARED = 20_000_000  # positions, over all tables that leave one ending out


def endings_facts(game: Nim, solution: Solution, state: NimState, value: Value) -> list[Fact]:
    """What the usual theory says here, whether it is right, and what bends it."""
    usual = replace(game, endings=())
    piles = state[2:]
    if not _near(game, piles):
        return [Fact("out-of-reach", {"piles": list(multiset(piles))}), *nim_facts(usual, state)]
    closed = _closed(game, piles)
    misled, unseen = [], []
    if closed == value.outcome == "win":
        promised = NimClosed(usual).best(state)
        wins = [move for move in game.moves(state) if solution.after(state, move).outcome == "win"]
        misled = [move for move in promised if move not in wins]
        unseen = [move for move in wins if move not in promised]
    theory: Data = {
        "closed": closed,
        "exact": value.outcome,
        "misled": [
            {"move": game.write_move(move), "ending": _ending(game, state, move)} for move in misled
        ],
        "unseen": [game.write_move(move) for move in unseen],
    }
    facts = [*_at_hand(game, state), Fact("theory", theory)]
    if closed != value.outcome:
        return [*facts, _bend(game, piles, closed, value.outcome)]
    bent = (_bent_after(game, solution, state, move) for move in (*misled, *unseen))
    return facts + next(filter(None, bent), [])


def endings_after(game: Nim, solution: Solution, state: NimState, move: NimMove) -> list[Fact]:
    """Whether and why a move leaves something else than the usual theory says."""
    if not game.moves(game.play(state, move)):
        return []
    return _bent_after(game, solution, state, move)


def _near(game: Nim, piles: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The extra endings that can still be reached."""
    numbers = Numbers(piles)
    return [ending for ending in game.endings if numbers.of(ending) is not None]


def _closed(game: Nim, piles: tuple[int, ...]) -> str:
    return "loss" if is_lost(piles, misere=game.misere, take=game.take) else "win"


def _ending(game: Nim, state: NimState, move: NimMove) -> list[int] | None:
    """The extra ending that a move goes into, if it does."""
    piles = multiset(game.play(state, move)[2:])
    return list(piles) if piles in game.endings else None


def _at_hand(game: Nim, state: NimState) -> list[Fact]:
    """The moves into an extra ending, which end the game at once."""
    near = []
    for move in game.moves(state):
        ending = _ending(game, state, move)
        if ending:
            near.append({"move": game.write_move(move), "ending": ending})
    return [Fact("at-hand", {"moves": near, "misere": game.misere})] if near else []


def _bent_after(game: Nim, solution: Solution, state: NimState, move: NimMove) -> list[Fact]:
    """What bends the theory in the position that a move leads to, where something does."""
    following = game.play(state, move)
    piles = following[2:]
    closed, exact = _closed(game, piles), solution.value(following).outcome
    if closed == exact or not game.moves(following):
        return []
    return [_bend(game, piles, closed, exact)]


def _bend(game: Nim, piles: tuple[int, ...], closed: str, exact: str) -> Fact:
    """The endings whose removal alone turns this position; else all of them together do."""
    near = _near(game, piles)
    here = replace(game, piles=piles)
    tried = positions(piles) * len(near) <= MOST_COMPARED
    alone = [
        ending
        for ending in near
        if tried
        and solve_nim(
            replace(here, endings=tuple(other for other in near if other != ending)), Work()
        )
        .value((0, 3, *piles))
        .outcome
        != exact
    ]
    return Fact(
        "bends",
        {
            "piles": list(multiset(piles)),
            "closed": closed,
            "exact": exact,
            "tried": tried,
            "alone": bool(alone),
            "endings": [list(ending) for ending in alone or near],
        },
    )


# Sentences


def _written(ending: list[int]) -> str:
    return f"({', '.join(map(str, ending))})"


def _tell_theory(data: Data) -> str:
    if data["closed"] != data["exact"]:
        said = {"win": "a win", "loss": "a loss"}
        return (
            f"The usual theory, which knows no extra endings, says {said[data['closed']]}; with "
            f"them it is {said[data['exact']]}."
        )
    if not data["misled"] and not data["unseen"]:
        return f"The usual theory, which knows no extra endings, says the same: a {data['exact']}."
    told = "The usual theory, which knows no extra endings, also says a win"
    if data["misled"]:
        advice = [
            wrong["move"]
            + (f" (into the ending {_written(wrong['ending'])})" if wrong["ending"] else "")
            for wrong in data["misled"]
        ]
        told += f", but is wrong to advise {listed(advice)}"
    if data["unseen"]:
        told += f"{'; it' if data['misled'] else ', but'} does not see {listed(data['unseen'])}"
    return f"{told}."


def _tell_out_of_reach(data: Data) -> str:
    return (
        f"From {_written(data['piles'])} no extra ending can be reached, so the usual theory holds."
    )


def _tell_bends(data: Data) -> str:
    endings = listed([_written(ending) for ending in data["endings"]])
    piles, exact, closed = _written(data["piles"]), data["exact"], data["closed"]
    if data["alone"] and len(data["endings"]) == 1:
        bends, without = f"The ending {endings} bends", "it"
    elif data["alone"]:
        bends, without = f"Each of the endings {endings} bends", "any of them"
    elif data["tried"]:
        bends, without = f"The endings {endings} together, whichever one is left out, bend", "them"
    else:
        bends, without = f"Some of the endings {endings} bend", "them"
    return (
        f"{bends} the theory: {piles} is a {exact} for whoever moves there, and without {without} "
        f"it would be a {closed}."
    )


def _tell_at_hand(data: Data) -> str:
    fate = "loses" if data["misere"] else "wins"
    ways = [f"{near['move']} to {_written(near['ending'])}" for near in data["moves"]]
    return f"An ending is one move away, and to move there {fate} at once: {listed(ways)}."


ENDINGS_TELLERS: dict[str, Teller] = {
    "theory": _tell_theory,
    "out-of-reach": _tell_out_of_reach,
    "bends": _tell_bends,
    "at-hand": _tell_at_hand,
}
