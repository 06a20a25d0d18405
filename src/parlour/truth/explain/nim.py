"""Why a Nim or sticks position is won or lost: nim-sums, the misère switch, and the mod rule.

Who wins without extra endings is a theorem (see `nim_sum` and `is_lost`), so the reason is the
theorem applied to these piles. Each extra ending may change the positions above it; whether it does
is found by solving the same position without that ending.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from parlour.core import Move, Solution, State, Value, Work, capital, count
from parlour.rules import Nim, NimMove, NimState, Sticks, multiset
from parlour.truth.explain.explainer import (
    PHRASES,
    Data,
    Explainer,
    Fact,
    Phrase,
    join_texts,
)
from parlour.truth.impartial import (
    NimClosed,
    Numbers,
    count_positions,
    is_lost,
    nim_sum,
    reduce_piles,
    solve_nim,
)

MOST_COMPARED = 20_000_000  # positions, over all tables that leave one ending out


def phase(game: Nim, piles: tuple[int, ...]) -> str:
    """Return what decides: the `sum`; in misère, one large pile's `switch`, or else the `ones`."""
    large = sum(count > 1 for count in reduce_piles(piles, game.take))
    return "sum" if not game.misere or large > 1 else "switch" if large else "ones"


def nim_facts(game: Nim, state: NimState) -> list[Fact]:
    """Return why a position without extra endings is won or lost."""
    piles = state[2:]
    counts = reduce_piles(piles, game.take)
    facts = []
    if game.take is not None and max(piles) > game.take:
        whole = {"take": game.take, "whole": game.take + 1}
        facts.append(Fact("remainders", {**whole, "piles": list(piles), "counts": counts}))
    at = phase(game, piles)
    if at == "sum":
        facts.append(Fact("nim-sum", _columns(game, piles)))
    elif at == "ones":
        ones = sum(counts)
        facts.append(Fact("ones", {"ones": ones, "odd": ones % 2 == 1}))
    else:
        facts.append(Fact("switch", _switch(counts, piles)))
    mends = _mends(game, state)
    if mends and at != "switch":
        facts.append(Fact("mend", mends))
    return facts


def _columns(game: Nim, piles: tuple[int, ...]) -> Data:
    """Return the piles in binary, one row each, and their sum."""
    counts = reduce_piles(piles, game.take)
    total = nim_sum(piles, game.take)
    wide = max(*counts, 1).bit_length()
    rows = [
        {"pile": place, "size": size, "counts": left, "binary": f"{left:0{wide}b}"}
        for place, (size, left) in enumerate(zip(piles, counts, strict=True), start=1)
        if size
    ]
    return {
        "rows": rows,
        "nim_sum": total,
        "binary": f"{total:0{wide}b}",
        "limited": game.take is not None,
        "misere": game.misere,
    }


def _switch(counts: list[int], piles: tuple[int, ...]) -> Data:
    """Return the one large pile, and what to leave of it: an odd number of ones in all."""
    place = counts.index(max(counts))
    ones = sum(counts) - counts[place]
    leave = 1 - ones % 2
    return {
        "pile": place + 1,
        "size": piles[place],
        "counts": counts[place],
        "ones": ones,
        "leave": leave,
        "take": counts[place] - leave,
        "remain": ones + leave,
    }


def _mends(game: Nim, state: NimState) -> Data | None:
    """Return every move that leaves the opponent lost, with the pile it changes."""
    piles = state[2:]
    if is_lost(piles, misere=game.misere, take=game.take):
        return None
    total = nim_sum(piles, game.take)
    counts = reduce_piles(piles, game.take)
    moves = []
    for place, amount in NimClosed(game).best(state):
        left = (*piles[:place], piles[place] - amount, *piles[place + 1 :])
        moves.append(
            {
                "move": game.write_move((place, amount)),
                "pile": place + 1,
                "take": amount,
                "from": piles[place],
                "to": left[place],
                "counts": counts[place],
                "then": reduce_piles(left, game.take)[place],
            }
        )
    by_sum = phase(game, piles) == "sum"
    # The top 1 of the sum stands in a column with an odd number of ones; only a pile with a one in
    # that column can shrink to make the sum 0.
    column = 1 << total.bit_length() - 1 if by_sum and game.take is None else None
    return {"nim_sum": total if by_sum else None, "column": column, "moves": moves}


def nim_after(game: Nim, state: NimState, move: NimMove) -> list[Fact]:
    """Return what a move leaves, in terms of the theorem."""
    following = game.play(state, move)
    piles = following[2:]
    if not game.moves(following):
        return []
    counts = reduce_piles(piles, game.take)
    mends = _mends(game, following)
    return [
        Fact(
            "leaves",
            {
                "move": game.write_move(move),
                "piles": list(piles),
                "phase": phase(game, piles),
                "nim_sum": nim_sum(piles, game.take),
                "ones": sum(count == 1 for count in counts),
                "lost": mends is None,
                "mends": [mend["move"] for mend in mends["moves"]] if mends else [],
            },
        )
    ]


def _mod(game: Sticks, sticks: int) -> Data:
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


def describe_end(nim: Nim, state: NimState, thing: str) -> list[Fact]:
    """Return the ending that the last move went into, for two seats."""
    if nim.seats != 2:
        return []
    ending = [pile for pile in state[2:] if pile]
    if state == nim.start():
        return [Fact("start-ended", {"ending": ending, "misere": nim.misere})]
    who = {"mover": f"player {2 - state[0]}", "misere": nim.misere}
    return [Fact("last-move", {**who, "ending": ending, "thing": thing})]


# Extra endings


def endings_facts(game: Nim, solution: Solution, state: NimState, value: Value) -> list[Fact]:
    """Return what the usual theory says here, whether it is right, and which endings change it."""
    usual = replace(game, endings=())
    piles = state[2:]
    if not _reachable(game, piles):
        return [Fact("out-of-reach", {"piles": list(multiset(piles))}), *nim_facts(usual, state)]
    closed = _apply_theory(game, piles)
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
    """Return whether and why a move leaves something else than the usual theory says."""
    if not game.moves(game.play(state, move)):
        return []
    return _bent_after(game, solution, state, move)


def _reachable(game: Nim, piles: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the extra endings that can still be reached."""
    numbers = Numbers(piles)
    return [ending for ending in game.endings if numbers.of(ending) is not None]


def _apply_theory(game: Nim, piles: tuple[int, ...]) -> str:
    return "loss" if is_lost(piles, misere=game.misere, take=game.take) else "win"


def _ending(game: Nim, state: NimState, move: NimMove) -> list[int] | None:
    """Return the extra ending that a move goes into, if any."""
    piles = multiset(game.play(state, move)[2:])
    return list(piles) if piles in game.endings else None


def _at_hand(game: Nim, state: NimState) -> list[Fact]:
    """Return the moves into an extra ending, which end the game at once."""
    near = []
    for move in game.moves(state):
        ending = _ending(game, state, move)
        if ending:
            near.append({"move": game.write_move(move), "ending": ending})
    return [Fact("at-hand", {"moves": near, "misere": game.misere})] if near else []


def _bent_after(game: Nim, solution: Solution, state: NimState, move: NimMove) -> list[Fact]:
    """Return which endings change the theory after a move, if any do."""
    following = game.play(state, move)
    piles = following[2:]
    closed, exact = _apply_theory(game, piles), solution.value(following).outcome
    if closed == exact or not game.moves(following):
        return []
    return [_bend(game, piles, closed, exact)]


def _bend(game: Nim, piles: tuple[int, ...], closed: str, exact: str) -> Fact:
    """Return the endings whose removal alone turns this position; else all of them together."""
    near = _reachable(game, piles)
    here = replace(game, piles=piles)
    tried = count_positions(piles) * len(near) <= MOST_COMPARED
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


def _phrase_remainders(data: Data) -> str:
    pairs = [
        f"{pile} counts {left}" for pile, left in zip(data["piles"], data["counts"], strict=True)
    ]
    return (
        f"At most {data['take']} a move, so a pile counts only its remainder by {data['whole']}: "
        f"{join_texts(pairs)}. Whatever is taken from a full {data['whole']}, the answer takes the "
        "rest of it."
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
    if data["nim_sum"]:
        reason = "Some column has an odd number of ones, and a move can make all of them even."
    else:
        reason = (
            "Every column has an even number of ones; a move changes one row, so some column turns "
            "odd, and the answer makes all of them even again."
        )
    misere = (
        " Misère changes nothing yet, as more than one pile counts for more than one."
        if data["misere"]
        else ""
    )
    return "\n".join([f"Nim-sum {data['nim_sum']}. {reason}{misere}", *lines])


def _phrase_ones(data: Data) -> str:
    odd = "odd" if data["odd"] else "even"
    last = (
        "the last of them falls to the player to move"
        if data["odd"]
        else "the opponent can be left an odd number, and with it the last"
    )
    return (
        f"{count(data['ones'], 'one')}: no pile counts for more than one, so only their number "
        f"matters. It is {odd}, and {last}, which in misère loses."
    )


def _phrase_switch(data: Data) -> str:
    counts = "" if data["counts"] == data["size"] else f", which counts {data['counts']}"
    return (
        f"{count(data['remain'], 'one')} must remain: an odd number, so that the last falls to the "
        f"opponent. This is the misère switch: pile {data['pile']} with {data['size']}{counts} is "
        f"the only one that counts for more than one, beside {count(data['ones'], 'one')}, so "
        f"whoever moves now chooses. Take {data['take']} from it, and it counts {data['leave']}."
    )


def _phrase_mend(data: Data) -> str:
    ways = join_texts(
        [
            f"take {mend['take']} from pile {mend['pile']}, so that {mend['from']} becomes "
            f"{mend['to']}"
            for mend in data["moves"]
        ]
    )
    if data["nim_sum"] is None:
        return f"To leave an odd number: {ways}."
    where = (
        f" The highest odd column is that of the {data['column']}s, and only a pile with a one in "
        "it can shrink to mend it."
        if data["column"]
        else ""
    )
    return f"To mend it: {ways}.{where}"


def _phrase_leaves(data: Data) -> str:
    match data["phase"], data["lost"]:
        case "sum", True:
            return "It leaves nim-sum 0, every column even: whatever comes now can be mended again."
        case "sum", False:
            mends = join_texts(data["mends"])
            return f"It leaves nim-sum {data['nim_sum']}; {mends} makes it even again."
        case "switch", _:
            return (
                f"It leaves exactly one pile that counts for more than one, beside "
                f"{count(data['ones'], 'one')}: the opponent now makes the switch and chooses how "
                f"many ones remain, by {join_texts(data['mends'])}."
            )
    ones = count(data["ones"], "one")
    if data["lost"]:
        return f"It leaves {ones}, an odd number, so that the last falls to the opponent."
    return f"It leaves {ones}, an even number, so that the last does not fall to the opponent."


def _rule(data: Data) -> str:
    targets = ", ".join(map(str, data["targets"])) + (" …" if data["more"] else "")
    return (
        f"leave {targets}, one more than a multiple of {data['whole']}. Whatever the opponent then "
        f"takes, up to {data['take']}, you complete it to {data['whole']}, and the last stick "
        "falls to the opponent"
    )


def _phrase_mod(data: Data) -> str:
    sticks = count(data["sticks"], "stick")
    if data["lost"]:
        return (
            f"{sticks}, one more than a multiple of {data['whole']}: that is lost for the "
            f"player who must take. The rule is: {_rule(data)}."
        )
    return (
        f"Take {data['amount']} of the {sticks}, and {data['leaves']} "
        f"{'is' if data['leaves'] == 1 else 'are'} left. The rule is: {_rule(data)}."
    )


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
    first = "out" if data["misere"] else "the winner"
    ending = ", ".join(map(str, data["ending"]))
    return f"The start, {ending}, is itself an ending, so that the first player is {first} at once."


def _phrase_last_move(data: Data) -> str:
    fate = "loses" if data["misere"] else "wins"
    if data["ending"]:
        where = ", ".join(map(str, data["ending"]))
        return capital(f"{data['mover']} moved into the ending {where}, and who does so {fate}.")
    return capital(f"{data['mover']} took the last {data['thing']}, and who does so {fate}.")


def _format_piles(ending: list[int]) -> str:
    return f"({', '.join(map(str, ending))})"


def _phrase_theory(data: Data) -> str:
    if data["closed"] != data["exact"]:
        return (
            f"The usual theory, which knows no extra endings, says a {data['closed']}; with "
            f"them it is a {data['exact']}."
        )
    if not data["misled"] and not data["unseen"]:
        return f"The usual theory, which knows no extra endings, says the same: a {data['exact']}."
    text = "The usual theory, which knows no extra endings, also says a win"
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


def _phrase_out_of_reach(data: Data) -> str:
    piles = _format_piles(data["piles"])
    return f"From {piles} no extra ending can be reached, so the usual theory holds."


def _phrase_bends(data: Data) -> str:
    endings = join_texts([_format_piles(ending) for ending in data["endings"]])
    piles, exact, closed = _format_piles(data["piles"]), data["exact"], data["closed"]
    if data["alone"] and len(data["endings"]) == 1:
        bends, without = f"The ending {endings} bends", "it"
    elif data["alone"]:
        bends, without = f"Each of the endings {endings} bends", "any of them"
    elif data["tried"]:
        bends, without = f"The endings {endings} together, whichever one is left out, bend", "them"
    else:
        bends, without = f"Some of the endings {endings} bend", "them"
    return (
        f"{bends} the theory: {piles} is a {exact} for the mover, and without {without} "
        f"it would be a {closed}."
    )


def _phrase_at_hand(data: Data) -> str:
    fate = "loses" if data["misere"] else "wins"
    ways = [f"{near['move']} to {_format_piles(near['ending'])}" for near in data["moves"]]
    return f"An ending is one move away, and to move there {fate} at once: {join_texts(ways)}."


OWN_PHRASES: dict[str, Phrase] = {
    "remainders": _phrase_remainders,
    "nim-sum": _phrase_columns,
    "ones": _phrase_ones,
    "switch": _phrase_switch,
    "mend": _phrase_mend,
    "leaves": _phrase_leaves,
    "mod": _phrase_mod,
    "mod-leaves": _phrase_mod_leaves,
    "last-move": _phrase_last_move,
    "start-ended": _phrase_start_ended,
    "theory": _phrase_theory,
    "out-of-reach": _phrase_out_of_reach,
    "bends": _phrase_bends,
    "at-hand": _phrase_at_hand,
}


class NimExplainer(Explainer):
    """Adds the nim-sum, the misère rule, and what extra endings change."""

    phrases: ClassVar[Mapping[str, Phrase]] = {**PHRASES, **OWN_PHRASES}

    def reasons(self, game: Nim, solution: Solution, state: State, value: Value) -> list[Fact]:
        if game.endings:
            return endings_facts(game, solution, state, value)
        return nim_facts(game, state)

    def move_reasons(self, game: Nim, solution: Solution, state: State, move: Move) -> list[Fact]:
        if game.endings:
            return endings_after(game, solution, state, move)
        return nim_after(game, state, move)

    def ending(self, game: Nim, state: State) -> list[Fact]:
        return describe_end(game, state, "object")


class SticksExplainer(Explainer):
    """Adds the mod rule."""

    phrases: ClassVar[Mapping[str, Phrase]] = {**PHRASES, **OWN_PHRASES}

    def reasons(self, game: Sticks, solution: Solution, state: State, value: Value) -> list[Fact]:
        return [Fact("mod", _mod(game, state[2]))]

    def move_reasons(
        self, game: Sticks, solution: Solution, state: State, move: Move
    ) -> list[Fact]:
        left = game.play(state, move)[2]
        return [Fact("mod-leaves", _mod(game, left))] if left else []

    def ending(self, game: Sticks, state: State) -> list[Fact]:
        return describe_end(game.nim, state, "stick")
