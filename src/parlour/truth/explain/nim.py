"""Why a Nim or sticks position is won or lost: nim-sums, the misère switch, and the mod rule.

Who wins without extra endings is a theorem (see `nim_sum` and `is_lost`), so the reason is the
theorem applied to these piles. Each extra ending may change the positions above it; whether it does
is found by solving the same position without that ending.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from parlour.core import Solution, Value, Work, count
from parlour.rules import Nim, NimMove, NimState, Sticks, multiset
from parlour.truth.explain.explainer import Data, Explainer, Fact, Phrase, fact, join_texts
from parlour.truth.impartial import (
    NimClosed,
    Numbers,
    count_positions,
    is_lost,
    nim_sum,
    reduce_piles,
    solve_nim,
)

MAX_COMPARED = 20_000_000  # positions, over all tables that leave one ending out


def phase(game: Nim, piles: tuple[int, ...]) -> str:
    """Return what decides: the `sum`; in misère, one large pile's `switch`, or else the `ones`."""
    large = sum(count > 1 for count in reduce_piles(piles, game.take))
    return "sum" if not game.misere or large > 1 else "switch" if large else "ones"


def _explain_sum(game: Nim, state: NimState) -> list[Fact]:
    """Return why a position without extra endings is won or lost."""
    piles = state[2:]
    counts = reduce_piles(piles, game.take)
    facts = []
    if game.take is not None and max(piles) > game.take:
        whole = game.take + 1
        facts = [fact("remainders", take=game.take, whole=whole, piles=list(piles), counts=counts)]
    at = phase(game, piles)
    if at == "switch":
        return [*facts, _explain_switch(counts, piles)]
    if at == "sum":
        facts.append(_write_columns(game, piles))
    else:
        facts.append(fact("ones", ones=sum(counts), odd=sum(counts) % 2 == 1))
    if moves := _winning_moves(game, state):
        # The top 1 of the sum stands in a column with an odd number of ones; only a pile with a one
        # in that column can shrink to make the sum 0.
        total = nim_sum(counts) if at == "sum" else None
        column = 1 << total.bit_length() - 1 if total and game.take is None else None
        facts.append(fact("mend", nim_sum=total, column=column, moves=moves))
    return facts


def _write_columns(game: Nim, piles: tuple[int, ...]) -> Fact:
    """Return the piles in binary, one row each, and their sum."""
    counts = reduce_piles(piles, game.take)
    total = nim_sum(counts)
    wide = max(*counts, 1).bit_length()
    rows = [
        {"pile": place, "size": size, "counts": left, "binary": f"{left:0{wide}b}"}
        for place, (size, left) in enumerate(zip(piles, counts, strict=True), start=1)
        if size
    ]
    limited, binary = game.take is not None, f"{total:0{wide}b}"
    return fact(
        "nim-sum", rows=rows, nim_sum=total, binary=binary, limited=limited, misere=game.misere
    )


def _explain_switch(counts: list[int], piles: tuple[int, ...]) -> Fact:
    """Return the one large pile, and what to leave of it: an odd number of ones in all."""
    place = counts.index(max(counts))
    ones = sum(counts) - counts[place]
    leave = 1 - ones % 2
    return fact(
        "switch",
        pile=place + 1,
        size=piles[place],
        counts=counts[place],
        ones=ones,
        leave=leave,
        take=counts[place] - leave,
        remain=ones + leave,
    )


def _winning_moves(game: Nim, state: NimState) -> list[Data]:
    """Return every move that leaves the opponent lost, with the pile it changes."""
    piles = state[2:]
    if is_lost(piles, misere=game.misere, take=game.take):
        return []
    moves = []
    for place, amount in NimClosed(game).best(state):
        before, after = piles[place], piles[place] - amount
        counts, then = reduce_piles((before, after), game.take)
        moves.append(
            {
                "move": game.write_move((place, amount)),
                "pile": place + 1,
                "take": amount,
                "from": before,
                "to": after,
                "counts": counts,
                "then": then,
            }
        )
    return moves


def _explain_take(game: Nim, state: NimState, move: NimMove) -> list[Fact]:
    """Return what a move leaves, in terms of the theorem."""
    following = game.play(state, move)
    piles = following[2:]
    if not game.moves(following):
        return []
    counts = reduce_piles(piles, game.take)
    answers = _winning_moves(game, following)
    leaves = fact(
        "leaves",
        move=game.write_move(move),
        piles=list(piles),
        phase=phase(game, piles),
        nim_sum=nim_sum(counts),
        ones=counts.count(1),
        lost=not answers,
        mends=[answer["move"] for answer in answers],
    )
    return [leaves]


def _apply_mod_rule(game: Sticks, sticks: int) -> Data:
    """Return the mod rule at this number of sticks."""
    whole = game.take + 1
    amount = (sticks - 1) % whole
    return {
        "sticks": sticks,
        "take": game.take,
        "whole": whole,
        "lost": amount == 0,
        "amount": amount,
        "leaves": sticks - amount,
        "targets": list(range(1, max(sticks, 2), whole))[:3],
        "more": sticks > 1 + 3 * whole,
    }


def _explain_ending(nim: Nim, state: NimState, thing: str) -> list[Fact]:
    """Return the ending that the last move went into, for two seats."""
    if nim.seats != 2:
        return []
    ending = [pile for pile in state[2:] if pile]
    if state == nim.start():
        return [fact("start-ended", ending=ending, misere=nim.misere)]
    mover = f"player {2 - state[0]}"
    return [fact("last-move", mover=mover, misere=nim.misere, ending=ending, thing=thing)]


# Extra endings


def _explain_endings(game: Nim, solution: Solution, state: NimState, value: Value) -> list[Fact]:
    """Return what the usual theory says here, whether it is right, and which endings change it."""
    usual = replace(game, endings=())
    piles = state[2:]
    if not _reachable(game, piles):
        out_of_reach = fact("out-of-reach", piles=list(multiset(piles)))
        return [out_of_reach, *_explain_sum(usual, state)]
    closed, exact = _apply_theory(game, piles), value.outcome
    misled, unseen = [], []
    if closed == exact == "win":
        promised = NimClosed(usual).best(state)
        wins = [move for move in game.moves(state) if solution.after(state, move).outcome == "win"]
        misled = [move for move in promised if move not in wins]
        unseen = [move for move in wins if move not in promised]
    theory = fact(
        "theory",
        closed=closed,
        exact=exact,
        misled=[
            {"move": game.write_move(move), "ending": _find_ending(game, state, move)}
            for move in misled
        ],
        unseen=[game.write_move(move) for move in unseen],
    )
    facts = [*_list_endings_at_hand(game, state), theory]
    if closed != exact:
        return [*facts, _compare_endings(game, piles, closed, exact)]
    overrides = (_explain_override(game, solution, state, move) for move in (*misled, *unseen))
    return facts + next(filter(None, overrides), [])


def _reachable(game: Nim, piles: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the extra endings that can still be reached."""
    numbers = Numbers(piles)
    return [ending for ending in game.endings if numbers.of(ending) is not None]


def _apply_theory(game: Nim, piles: tuple[int, ...]) -> str:
    return "loss" if is_lost(piles, misere=game.misere, take=game.take) else "win"


def _find_ending(game: Nim, state: NimState, move: NimMove) -> list[int] | None:
    """Return the extra ending that a move goes into, if any."""
    piles = multiset(game.play(state, move)[2:])
    return list(piles) if piles in game.endings else None


def _list_endings_at_hand(game: Nim, state: NimState) -> list[Fact]:
    """Return the moves into an extra ending, which end the game at once."""
    near = [
        {"move": game.write_move(move), "ending": ending}
        for move in game.moves(state)
        if (ending := _find_ending(game, state, move))
    ]
    return [fact("at-hand", moves=near, misere=game.misere)] if near else []


def _explain_override(game: Nim, solution: Solution, state: NimState, move: NimMove) -> list[Fact]:
    """Return which endings change what the usual theory says after a move, if any do."""
    following = game.play(state, move)
    piles = following[2:]
    if not game.moves(following):
        return []
    closed, exact = _apply_theory(game, piles), solution.value(following).outcome
    return [] if closed == exact else [_compare_endings(game, piles, closed, exact)]


def _compare_endings(game: Nim, piles: tuple[int, ...], closed: str, exact: str) -> Fact:
    """Return the endings whose removal alone turns this position; else all of them together."""
    near = _reachable(game, piles)
    tried = count_positions(piles) * len(near) <= MAX_COMPARED

    def turns(ending: tuple[int, ...]) -> bool:
        others = tuple(other for other in near if other != ending)
        without = replace(game, piles=piles, endings=others)
        return solve_nim(without, Work()).value((0, 3, *piles)).outcome != exact

    alone = list(filter(turns, near)) if tried else []
    return fact(
        "bends",
        piles=list(multiset(piles)),
        closed=closed,
        exact=exact,
        tried=tried,
        alone=bool(alone),
        endings=[list(ending) for ending in alone or near],
    )


# Sentences


def _phrase_remainders(data: Data) -> str:
    whole, pairs = data["whole"], zip(data["piles"], data["counts"], strict=True)
    return (
        f"At most {data['take']} may be taken at once, so a pile counts only as its remainder when "
        f"divided by {whole}: {join_texts([f'{pile} counts as {left}' for pile, left in pairs])}. "
        f"Whatever is taken from a full {whole}, the answer takes the rest of it."
    )


def _phrase_columns(data: Data) -> str:
    rows = [
        (f"pile {row['pile']}", str(row["size"]), str(row["counts"]), row["binary"])
        for row in data["rows"]
    ]
    rows.append(("nim-sum", "", str(data["nim_sum"]), data["binary"]))
    name, wide, narrow = (max(len(row[i]) for row in rows) for i in range(3))
    lines = [
        f"  {row[0]:{name}}  "
        + (f"{row[1]:>{wide}}  " if data["limited"] else "")
        + f"{row[2]:>{narrow}}  {row[3]}"
        for row in rows
    ]
    reason = (
        "Some column has an odd number of ones, and a move can make all of them even."
        if data["nim_sum"]
        else "Every column has an even number of ones; a move changes one row, so some column "
        "turns odd, and the answer makes all of them even again."
    )
    if data["misere"]:
        reason += " Misère changes nothing yet, as more than one pile counts for more than one."
    return "\n".join([f"Nim-sum {data['nim_sum']}. {reason}", *lines])


def _phrase_ones(data: Data) -> str:
    parity, last = "even", "the opponent can be left an odd number, and with it the last"
    if data["odd"]:
        parity, last = "odd", "the last of them falls to the player to move"
    return (
        f"{count(data['ones'], 'one')}: no pile counts for more than one, so only their number "
        f"matters. It is {parity}, and {last}, which in misère loses."
    )


def _phrase_switch(data: Data) -> str:
    counts = "" if data["counts"] == data["size"] else f", which counts as {data['counts']}"
    return (
        f"{count(data['remain'], 'one')} must remain: an odd number, so that the last falls to the "
        f"opponent. This is the misère switch: pile {data['pile']} with {data['size']}{counts} is "
        f"the only one that counts for more than one, besides {count(data['ones'], 'one')}, so the "
        f"player to move chooses. Take {data['take']} from it, and it counts as {data['leave']}."
    )


def _phrase_mend(data: Data) -> str:
    ways = [
        f"take {move['take']} from pile {move['pile']}, so that {move['from']} becomes {move['to']}"
        for move in data["moves"]
    ]
    if data["nim_sum"] is None:
        return f"To leave an odd number: {join_texts(ways)}."
    why = ""
    if data["column"]:
        why = (
            f" The highest odd column is that of the {data['column']}s, so only a pile with a one "
            "in it will do."
        )
    return f"To make every column even: {join_texts(ways)}.{why}"


def _phrase_leaves(data: Data) -> str:
    ones, answers = count(data["ones"], "one"), join_texts(data["mends"])
    match data["phase"], data["lost"]:
        case "sum", True:
            return "It leaves nim-sum 0, and whatever comes now, the answer makes it 0 again."
        case "sum", False:
            return f"It leaves nim-sum {data['nim_sum']}; {answers} makes every column even again."
        case "switch", _:
            return (
                f"It leaves exactly one pile that counts for more than one, besides {ones}: the "
                f"opponent now makes the switch and chooses how many ones remain, by {answers}."
            )
        case _, True:
            return f"It leaves {ones}, an odd number, so that the last falls to the opponent."
    return f"It leaves {ones}, an even number, so that the last does not fall to the opponent."


def _rule(data: Data) -> str:
    targets = ", ".join(map(str, data["targets"])) + (" …" if data["more"] else "")
    return (
        f"The rule is: leave {targets}, one more than a multiple of {data['whole']}. Whatever the "
        f"opponent then takes, up to {data['take']}, you complete it to {data['whole']}, and the "
        "last stick falls to the opponent."
    )


def _phrase_mod(data: Data) -> str:
    sticks = count(data["sticks"], "stick")
    if data["lost"]:
        lost = f"{sticks}, one more than a multiple of {data['whole']}: that is lost for the player"
        return f"{lost} who must take. {_rule(data)}"
    left = f"{data['leaves']} {'is' if data['leaves'] == 1 else 'are'} left"
    return f"Take {data['amount']} of the {sticks}, and {left}. {_rule(data)}"


def _phrase_mod_leaves(data: Data) -> str:
    left = count(data["sticks"], "stick")
    if data["sticks"] == 1:
        return "It leaves 1 stick, the last one, and the opponent has to take it."
    if data["lost"]:
        return (
            f"It leaves {left}, one more than a multiple of {data['whole']}: whatever the opponent "
            f"takes, up to {data['take']}, you complete it to {data['whole']}."
        )
    return (
        f"It leaves {left}, not one more than a multiple of {data['whole']}: the opponent takes "
        f"{data['amount']} and leaves {data['leaves']}."
    )


def _phrase_start_ended(data: Data) -> str:
    fate = "out" if data["misere"] else "the winner"
    ending = ", ".join(map(str, data["ending"]))
    return f"The start, {ending}, is itself an ending, so the first player is {fate} at once."


def _phrase_last_move(data: Data) -> str:
    did = f"took the last {data['thing']}"
    if data["ending"]:
        did = f"moved into the ending {', '.join(map(str, data['ending']))}"
    return f"{data['mover']} {did}, which {'loses' if data['misere'] else 'wins'}."


def _format_piles(piles: list[int]) -> str:
    return f"({', '.join(map(str, piles))})"


def _phrase_theory(data: Data) -> str:
    closed, exact = data["closed"], data["exact"]
    theory = "The usual theory, which ignores extra endings,"
    if closed != exact:
        return f"{theory} says a {closed}; with them it is a {exact}."
    if not data["misled"] and not data["unseen"]:
        return f"{theory} says the same: a {exact}."
    text = f"{theory} also says a win"
    if data["misled"]:
        advice = [
            wrong["move"]
            + (f" (into the ending {_format_piles(wrong['ending'])})" if wrong["ending"] else "")
            for wrong in data["misled"]
        ]
        text += f", but is wrong to advise {join_texts(advice)}"
    if data["unseen"]:
        text += f"{'; it' if data['misled'] else ', but'} does not see {join_texts(data['unseen'])}"
    return f"{text}."


def _phrase_bends(data: Data) -> str:
    endings = join_texts([_format_piles(ending) for ending in data["endings"]])
    if data["alone"] and len(data["endings"]) == 1:
        override, them = f"The ending {endings} overrides", "it"
    elif data["alone"]:
        override, them = f"Each of the endings {endings} overrides", "any of them"
    elif data["tried"]:
        together = f"The endings {endings} together, whichever one is left out,"
        override, them = f"{together} override", "them"
    else:
        override, them = f"Some of the endings {endings} override", "them"
    return (
        f"{override} the theory: {_format_piles(data['piles'])} is a {data['exact']} for the "
        f"mover, but would be a {data['closed']} without {them}."
    )


def _phrase_at_hand(data: Data) -> str:
    fate = "loses" if data["misere"] else "wins"
    ways = [f"{near['move']} to {_format_piles(near['ending'])}" for near in data["moves"]]
    return f"An ending is one move away, and moving there {fate} at once: {join_texts(ways)}."


def _phrase_out_of_reach(data: Data) -> str:
    piles = _format_piles(data["piles"])
    return f"From {piles} no extra ending can be reached, so the usual theory holds."


class NimExplainer(Explainer):
    """Adds the nim-sum, the misère rule, and what extra endings change."""

    phrases: ClassVar[Mapping[str, Phrase]] = {
        "remainders": _phrase_remainders,
        "nim-sum": _phrase_columns,
        "ones": _phrase_ones,
        "switch": _phrase_switch,
        "mend": _phrase_mend,
        "leaves": _phrase_leaves,
        "last-move": _phrase_last_move,
        "start-ended": _phrase_start_ended,
        "theory": _phrase_theory,
        "out-of-reach": _phrase_out_of_reach,
        "bends": _phrase_bends,
        "at-hand": _phrase_at_hand,
    }

    def reasons(self, game: Nim, solution: Solution, state: NimState, value: Value) -> list[Fact]:
        if game.endings:
            return _explain_endings(game, solution, state, value)
        return _explain_sum(game, state)

    def move_reasons(
        self, game: Nim, solution: Solution, state: NimState, move: NimMove
    ) -> list[Fact]:
        if game.endings:
            return _explain_override(game, solution, state, move)
        return _explain_take(game, state, move)

    def ending(self, game: Nim, state: NimState) -> list[Fact]:
        return _explain_ending(game, state, "object")


class SticksExplainer(Explainer):
    """Adds the mod rule."""

    phrases: ClassVar[Mapping[str, Phrase]] = {
        "mod": _phrase_mod,
        "mod-leaves": _phrase_mod_leaves,
        "last-move": _phrase_last_move,
    }

    def reasons(
        self, game: Sticks, solution: Solution, state: NimState, value: Value
    ) -> list[Fact]:
        return [Fact("mod", _apply_mod_rule(game, state[2]))]

    def move_reasons(
        self, game: Sticks, solution: Solution, state: NimState, move: NimMove
    ) -> list[Fact]:
        left = game.play(state, move)[2]
        return [Fact("mod-leaves", _apply_mod_rule(game, left))] if left else []

    def ending(self, game: Sticks, state: NimState) -> list[Fact]:
        return _explain_ending(game.nim, state, "stick")
