"""Why a Nim or sticks position is won or lost: nim-sums, the misère switch, and the mod rule.

Who wins without extra endings is a theorem (see `nim_sum` and `is_lost`), so the reason is the
theorem applied to these piles. Each extra ending may change the positions above it; whether it does
is found by solving the same position without that ending.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from parlour import core
from parlour.core import Solution, Text, Value, Work, conjugate, count, join, say
from parlour.rules import Nim, NimMove, NimState, Sticks, TakeAwayGame, multiset
from parlour.truth import impartial
from parlour.truth.explain.explainer import Explainer, Fact, fact
from parlour.truth.explain.phrases import Phrases
from parlour.truth.explain.sentences import ANY_GAME, Data, Sentences, Wording, list_some
from parlour.truth.impartial import NimClosed, Numbers, is_lost, nim_sum, reduce_piles, solve_nim

PHRASES = Phrases("nim.txt")
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


def describe_nim_sum(game: Nim, state: NimState) -> tuple[str, ...]:
    """Show the nim-sum of a position in binary, with what decides there if the sum does not.

    Extra endings are not looked at.
    """
    usual, piles = replace(game, endings=()), state[2:]
    facts = _explain_sum(usual, state)
    if phase(usual, piles) != "sum":
        facts.insert(len(facts) - 1, _write_columns(replace(usual, misere=False), piles))
    return tuple(NimExplainer().phrase(each, Wording()) for each in facts)


def _draw_columns(data: Data) -> str:
    """Draw the piles in binary below each other, with their sum."""
    rows = [
        (f"pile {row['pile']}", str(row["size"]), str(row["counts"]), row["binary"])
        for row in data["rows"]
    ]
    rows.append(("nim-sum", "", str(data["nim_sum"]), data["binary"]))
    name, wide, narrow = (max(len(row[i]) for row in rows) for i in range(3))
    return "\n".join(
        f"  {row[0]:{name}}  "
        + (f"{row[1]:>{wide}}  " if data["limited"] else "")
        + f"{row[2]:>{narrow}}  {row[3]}"
        for row in rows
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
                "move": game.describe_move(state, (place, amount)),
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
        move=game.describe_move(state, move),
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


def _explain_ending(nim: TakeAwayGame, state: NimState, thing: str) -> list[Fact]:
    """Return the ending that the last move went into, for two seats."""
    if nim.seats != 2:
        return []
    ending = [pile for pile in state[2:] if pile]
    if state == nim.start():
        return [fact("start-ended", ending=ending, misere=nim.misere)]
    mover = core.seat_name(nim, 1 - state[0])
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
            {"move": game.describe_move(state, move), "ending": _find_ending(game, state, move)}
            for move in misled
        ],
        unseen=[game.describe_move(state, move) for move in unseen],
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
        {"move": game.describe_move(state, move), "ending": ending}
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
    tried = impartial.count_positions(piles) * len(near) <= MAX_COMPARED

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


def _list_phrases(about: str, things: Iterable[Data]) -> Text:
    return list_some([PHRASES(about, **each) for each in things])


def say_remainders(_: Wording, *, piles: list[int], counts: list[int], **data: Any) -> Text:
    """Say what a pile counts as where not all of it may be taken at once."""
    pairs = [{"size": size, "counts": left} for size, left in zip(piles, counts, strict=True)]
    return PHRASES("remainders", piles=_list_phrases("remainder", pairs), **data)


def say_nim_sum(_: Wording, *, misere: bool, **data: Any) -> Text:
    """Say what the nim-sum is and what follows, with the piles drawn in binary below."""
    texts = [PHRASES("nim-sum", **data)]
    if misere:
        texts.append(PHRASES("several-large"))
    return join(" ", texts) + "\n" + _draw_columns(data)


def say_ones(wording: Wording, *, ones: int, odd: bool) -> Text:
    """Say that the number of ones decides."""
    return PHRASES("ones", number=ones, ones=ones, odd=odd, opponent=wording.opponent)


def say_switch(wording: Wording, *, ones: int, remain: int, **data: Any) -> Text:
    """Say what to leave of the one large pile."""
    return PHRASES(
        "switch",
        number=remain,
        opponent=wording.address(wording.opponent),
        large=PHRASES("large", limited=data["counts"] != data["size"], **data),
        ones=count(ones, "one"),
        **data,
    )


def say_mend(_: Wording, *, moves: list[Data], **data: Any) -> Text:
    """Say which moves win, and why only these."""
    ways = [{**move, "before": move["from"], "after": move["to"]} for move in moves]
    return PHRASES("mend", moves=_list_phrases("taking", ways), **data)


def say_leaves(wording: Wording, *, ones: int, mends: list[str], **data: Any) -> Text:
    """Say what a move leaves."""
    return PHRASES(
        "leaves",
        ones=count(ones, "one"),
        mends=list_some(mends),
        makes=conjugate("make", wording.opponent),
        chooses=conjugate("choose", wording.opponent),
        **_name_both(wording),
        **data,
    )


def _name_both(wording: Wording) -> Data:
    """Return the mover and the opponent, each with the verb that the mod rule needs."""
    return {
        "opponent": wording.opponent,
        "takes": conjugate("take", wording.opponent),
        "loser": wording.address(wording.opponent),
        "you": wording.you,
        "complete": conjugate("complete", wording.you),
    }


def say_mod(
    wording: Wording, *, sticks: int, leaves: int, targets: list[int], more: bool, **data: Any
) -> Text:
    """Say what the mod rule says here."""
    here = PHRASES("mod", sticks=count(sticks, "stick"), number=leaves, **data)
    listed = [*targets, "…"] if more else targets
    rule = PHRASES("rule", targets=listed, **_name_both(wording), **data)
    return join(" ", [here, rule])


def say_mod_leaves(wording: Wording, *, sticks: int, leaves: int, **data: Any) -> Text:
    """Say what a move leaves by the mod rule."""
    return PHRASES(
        "mod-leaves",
        last=sticks == 1,
        sticks=count(sticks, "stick"),
        rest=leaves,
        leaves=conjugate("leave", wording.opponent),
        has=conjugate("have", wording.opponent),
        **_name_both(wording),
        **data,
    )


def say_last_move(wording: Wording, *, mover: str, thing: str, **data: Any) -> Text:
    """Say who made the last move."""
    return PHRASES("last-move", mover=wording.call(mover), thing=PHRASES(thing), **data)


def _write_piles(piles: list[int]) -> Text:
    """Return `(1, 3, 5)`."""
    return say("({piles})", piles=piles)


def _write_advice(move: str, ending: list[int] | None) -> str:
    """Return a move, with the extra ending that it goes into."""
    return PHRASES("advice", move=move, ending=_write_piles(ending)) if ending else move


def say_theory(
    _: Wording, *, closed: str, exact: str, misled: list[Data], unseen: list[str]
) -> Text:
    """Say what the theory without extra endings says here."""
    advised = [_write_advice(each["move"], each["ending"]) for each in misled]
    return PHRASES(
        "theory",
        differs=closed != exact,
        closed=core.sentences.OUTCOME_NAMES[closed],
        exact=core.sentences.OUTCOME_NAMES[exact],
        misled=advised and list_some(advised),
        unseen=unseen and list_some(unseen),
    )


def say_out_of_reach(_: Wording, *, piles: list[int]) -> Text:
    """Say that no extra ending matters."""
    return PHRASES("out-of-reach", piles=_write_piles(piles))


def say_bends(
    _: Wording,
    *,
    piles: list[int],
    closed: str,
    exact: str,
    alone: bool,
    endings: list[list[int]],
    **data: Any,
) -> Text:
    """Say which endings change what the theory says."""
    return PHRASES(
        "bends",
        piles=_write_piles(piles),
        closed=core.sentences.OUTCOME_NAMES[closed],
        exact=core.sentences.OUTCOME_NAMES[exact],
        single=alone and len(endings) == 1,
        alone=alone,
        endings=list_some([_write_piles(ending) for ending in endings]),
        **data,
    )


def say_at_hand(_: Wording, *, moves: list[Data], misere: bool) -> Text:
    """Say which moves go into an extra ending."""
    ways = [{**move, "ending": _write_piles(move["ending"])} for move in moves]
    return PHRASES("at-hand", moves=_list_phrases("near", ways), misere=misere)


class NimExplainer(Explainer):
    """Adds the nim-sum, the misère rule, and what extra endings change."""

    sentences: ClassVar[Sentences] = {
        **ANY_GAME,
        "remainders": say_remainders,
        "nim-sum": say_nim_sum,
        "ones": say_ones,
        "switch": say_switch,
        "mend": say_mend,
        "leaves": say_leaves,
        "last-move": say_last_move,
        **PHRASES.plain("start-ended"),
        "theory": say_theory,
        "out-of-reach": say_out_of_reach,
        "bends": say_bends,
        "at-hand": say_at_hand,
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
        return _explain_ending(game, state, "coin")


class SticksExplainer(Explainer):
    """Adds the mod rule."""

    sentences: ClassVar[Sentences] = {
        **ANY_GAME,
        "mod": say_mod,
        "mod-leaves": say_mod_leaves,
        "last-move": say_last_move,
        **PHRASES.plain("start-ended"),
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
        return _explain_ending(game, state, "stick")
