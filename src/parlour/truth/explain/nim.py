"""The reasons of Nim and of sticks: nim-sums in columns, the misère switch, and the mod rule.

Who wins without extra endings is a theorem (see `nim_sum` and `is_lost`), so the reason is the
theorem applied to these piles. How extra endings bend it is told in `reasons_endings`.
"""

from __future__ import annotations

from parlour.core import count
from parlour.rules import Nim, NimMove, NimState, Sticks
from parlour.truth.explain.facts import Data, Fact, Teller, listed, opening
from parlour.truth.nim import NimClosed, counted, is_lost, nim_sum


def phase(game: Nim, piles: tuple[int, ...]) -> str:
    """What decides: the `sum`; in misère with one large pile its `switch`, with none the `ones`."""
    large = sum(count > 1 for count in counted(piles, game.take))
    return "sum" if not game.misere or large > 1 else "switch" if large else "ones"


def nim_facts(game: Nim, state: NimState) -> list[Fact]:
    """Why a position without extra endings is won or lost."""
    piles = state[2:]
    counts = counted(piles, game.take)
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
    """The piles in binary, one row each, and their sum below."""
    counts = counted(piles, game.take)
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
    """The one large pile, and what to leave of it: an odd number of ones in all."""
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
    """Every move that leaves the opponent lost, with the pile it mends."""
    piles = state[2:]
    if is_lost(piles, misere=game.misere, take=game.take):
        return None
    total = nim_sum(piles, game.take)
    counts = counted(piles, game.take)
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
                "then": counted(left, game.take)[place],
            }
        )
    by_sum = phase(game, piles) == "sum"
    # The top 1 of the sum stands in a column with an odd number of ones; only a pile that has one
    # there gets smaller by the mending.
    column = 1 << total.bit_length() - 1 if by_sum and game.take is None else None
    return {"nim_sum": total if by_sum else None, "column": column, "moves": moves}


def nim_after(game: Nim, state: NimState, move: NimMove) -> list[Fact]:
    """What a move left behind, in terms of the theorem."""
    following = game.play(state, move)
    piles = following[2:]
    if not game.moves(following):
        return []
    counts = counted(piles, game.take)
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


def sticks_facts(game: Sticks, state: NimState) -> list[Fact]:
    """The mod rule at this number of sticks."""
    return [Fact("mod", _mod(game, state[2]))]


def _mod(game: Sticks, sticks: int) -> Data:
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


def sticks_after(game: Sticks, state: NimState, move: NimMove) -> list[Fact]:
    """What a move left behind, by the mod rule."""
    left = game.play(state, move)[2]
    return [Fact("mod-leaves", _mod(game, left))] if left else []


def how_nim_ended(game: Nim | Sticks, state: NimState) -> list[Fact]:
    """Into which ending the last move went, for two."""
    nim = game.nim if isinstance(game, Sticks) else game
    if nim.seats != 2:
        return []
    ending = [pile for pile in state[2:] if pile]
    thing = "stick" if isinstance(game, Sticks) else "object"
    if state == nim.start():
        return [Fact("start-ended", {"ending": ending, "misere": nim.misere})]
    who = {"mover": f"player {2 - state[0]}", "misere": nim.misere}
    return [Fact("last-move", {**who, "ending": ending, "thing": thing})]


# Sentences


def _tell_remainders(data: Data) -> str:
    pairs = [
        f"{pile} counts {left}" for pile, left in zip(data["piles"], data["counts"], strict=True)
    ]
    return (
        f"At most {data['take']} a move, so a pile counts only its remainder by {data['whole']}: "
        f"{listed(pairs)}. Whatever is taken from a full {data['whole']}, the answer takes the "
        "rest of it."
    )


def _tell_columns(data: Data) -> str:
    rows = [
        (f"pile {row['pile']}", str(row["size"]), str(row["counts"]), row["binary"])
        for row in data["rows"]
    ]
    rows.append(("nim-sum", "", str(data["nim_sum"]), data["binary"]))
    name, wide, narrow = (max(len(row[i]) for row in rows) for i in range(3))
    shown = [
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
    return "\n".join([f"Nim-sum {data['nim_sum']}. {reason}{misere}", *shown])


def _tell_ones(data: Data) -> str:
    odd = "odd" if data["odd"] else "even"
    last = (
        "the last of them falls to whoever is to move"
        if data["odd"]
        else "the opponent can be left an odd number, and with it the last"
    )
    return (
        f"{count(data['ones'], 'one')}: no pile counts for more than one, so only their number "
        f"matters. It is {odd}, and {last}, which in misère loses."
    )


def _tell_switch(data: Data) -> str:
    counts = "" if data["counts"] == data["size"] else f", which counts {data['counts']}"
    return (
        f"{count(data['remain'], 'one')} must remain: an odd number, so that the last falls to the "
        f"opponent. This is the misère switch: pile {data['pile']} with {data['size']}{counts} is "
        f"the only one that counts for more than one, beside {count(data['ones'], 'one')}, so "
        f"whoever moves now chooses. Take {data['take']} from it, and it counts {data['leave']}."
    )


def _tell_mend(data: Data) -> str:
    ways = listed(
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


def _tell_leaves(data: Data) -> str:
    match data["phase"], data["lost"]:
        case "sum", True:
            return "It leaves nim-sum 0, every column even: whatever comes now can be mended again."
        case "sum", False:
            return (
                f"It leaves nim-sum {data['nim_sum']}; {listed(data['mends'])} makes it even again."
            )
        case "switch", _:
            return (
                f"It leaves exactly one pile that counts for more than one, beside "
                f"{count(data['ones'], 'one')}: the opponent now makes the switch and chooses how "
                f"many ones remain, by {listed(data['mends'])}."
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


def _tell_mod(data: Data) -> str:
    sticks = count(data["sticks"], "stick")
    if data["lost"]:
        return (
            f"{sticks}, one more than a multiple of {data['whole']}: that is lost for whoever must "
            f"take. The rule is: {_rule(data)}."
        )
    return (
        f"Take {data['amount']} of the {sticks}, and {data['leaves']} "
        f"{'is' if data['leaves'] == 1 else 'are'} left. The rule is: {_rule(data)}."
    )


def _tell_mod_leaves(data: Data) -> str:
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


def _tell_start_ended(data: Data) -> str:
    first = "out" if data["misere"] else "the winner"
    ending = ", ".join(map(str, data["ending"]))
    return f"The start, {ending}, is itself an ending, so that the first player is {first} at once."


def _tell_last_move(data: Data) -> str:
    fate = "loses" if data["misere"] else "wins"
    if data["ending"]:
        where = ", ".join(map(str, data["ending"]))
        return opening(f"{data['mover']} moved into the ending {where}, and who does so {fate}.")
    return opening(f"{data['mover']} took the last {data['thing']}, and who does so {fate}.")


NIM_TELLERS: dict[str, Teller] = {
    "remainders": _tell_remainders,
    "nim-sum": _tell_columns,
    "ones": _tell_ones,
    "switch": _tell_switch,
    "mend": _tell_mend,
    "leaves": _tell_leaves,
    "mod": _tell_mod,
    "mod-leaves": _tell_mod_leaves,
    "last-move": _tell_last_move,
    "start-ended": _tell_start_ended,
}
