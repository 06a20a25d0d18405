"""Why a Nim or sticks position is won or lost: nim-sums, the misère switch, and the mod rule.

Who wins without extra endings is a theorem (see `nim_sum` and `is_lost`), so the reason is the
theorem applied to these piles. Each extra ending may change the positions above it; whether it does
is found by solving the same position without that ending.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from parlour import core
from parlour.core import Solution, Text, Value, Work, conjugate, count, join, say, say_number
from parlour.rules import Nim, NimMove, NimState, Sticks, TakeAwayGame, multiset
from parlour.truth import impartial
from parlour.truth.explain.explainer import Explainer, Fact, fact
from parlour.truth.explain.sentences import (
    ANY_GAME,
    OUTCOME_NAMES,
    Data,
    Sentences,
    Wording,
    list_some,
)
from parlour.truth.impartial import NimClosed, Numbers, is_lost, nim_sum, reduce_piles, solve_nim

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


def say_remainders(
    _: Wording, *, take: int, whole: int, piles: list[int], counts: list[int]
) -> Text:
    """Say what a pile counts as where not all of it may be taken at once."""
    pairs = [
        say("{size} counts as {counts}", size=size, counts=counts)
        for size, counts in zip(piles, counts, strict=True)
    ]
    rule = say(
        "At most {take} may be taken at once, so a pile counts only as its remainder "
        "when divided by {whole}: {piles}.",
        take=take,
        whole=whole,
        piles=list_some(pairs),
    )
    answer = say(
        "Whatever is taken from a full {whole}, the answer takes the rest of it.", whole=whole
    )
    return join(" ", [rule, answer])


def say_nim_sum(_: Wording, *, nim_sum: int, misere: bool, **data: Any) -> Text:
    """Say what the nim-sum is and what follows, with the piles drawn in binary below."""
    texts = [say("Nim-sum {nim_sum}.", nim_sum=nim_sum)]
    if nim_sum:
        texts.append(
            say("Some column has an odd number of ones, and a move can make all of them even.")
        )
    else:
        texts.append(
            say(
                "Every column has an even number of ones; a move changes one row, so some column "
                "turns odd, and the answer makes all of them even again."
            )
        )
    if misere:
        texts.append(
            say("Misère changes nothing yet, as more than one pile counts for more than one.")
        )
    return join(" ", texts) + "\n" + _draw_columns({"nim_sum": nim_sum, **data})


def say_ones(wording: Wording, *, ones: int, odd: bool) -> Text:
    """Say that the number of ones decides."""
    known = say_number(
        ones,
        "{number} one: no pile counts for more than one, so only their number matters.",
        "{number} ones: no pile counts for more than one, so only their number matters.",
    )
    if odd:
        decides = say(
            "It is odd, and the last of them falls to the player to move, which in misère loses."
        )
    else:
        decides = say(
            "It is even, and {opponent} can be left an odd number, and with it the last, "
            "which in misère loses.",
            opponent=wording.opponent,
        )
    return join(" ", [known, decides])


def say_switch(
    wording: Wording,
    *,
    pile: int,
    size: int,
    counts: int,
    ones: int,
    leave: int,
    take: int,
    remain: int,
) -> Text:
    """Say what to leave of the one large pile."""
    goal = say_number(
        remain,
        "{number} one must remain: an odd number, so that the last falls to {opponent}.",
        "{number} ones must remain: an odd number, so that the last falls to {opponent}.",
        opponent=wording.address(wording.opponent),
    )
    known = {"pile": pile, "size": size, "ones": count(ones, "one")}
    if counts == size:
        switch = say(
            "This is the misère switch: pile {pile} with {size} is the only one that counts for "
            "more than one, besides {ones}, so the player to move chooses.",
            **known,
        )
    else:
        switch = say(
            "This is the misère switch: pile {pile} with {size}, which counts as {counts} is "
            "the only one that counts for more than one, besides {ones}, "
            "so the player to move chooses.",
            counts=counts,
            **known,
        )
    move = say("Take {take} from it, and it counts as {leave}.", take=take, leave=leave)
    return join(" ", [goal, switch, move])


def say_mend(_: Wording, *, nim_sum: int | None, column: int | None, moves: list[Data]) -> Text:
    """Say which moves win, and why only these."""
    ways = list_some(
        [
            say(
                "take {take} from pile {pile}, so that {before} becomes {after}",
                take=move["take"],
                pile=move["pile"],
                before=move["from"],
                after=move["to"],
            )
            for move in moves
        ]
    )
    if nim_sum is None:
        return say("To leave an odd number: {moves}.", moves=ways)
    text = say("To make every column even: {moves}.", moves=ways)
    if column is None:
        return text
    highest = say(
        "The highest odd column is that of the {column}s, so only a pile with a one in it will do.",
        column=column,
    )
    return join(" ", [text, highest])


def say_leaves(
    wording: Wording,
    *,
    phase: str,
    nim_sum: int,
    ones: int,
    lost: bool,
    mends: list[str],
    **_rest: Any,
) -> Text:
    """Say what a move leaves."""
    if phase == "sum" and lost:
        return say("It leaves nim-sum 0, and whatever comes now, the answer makes it 0 again.")
    if phase == "sum":
        return say(
            "It leaves nim-sum {nim_sum}; {mends} makes every column even again.",
            nim_sum=nim_sum,
            mends=list_some(mends),
        )
    left = count(ones, "one")
    if phase == "switch":
        return say(
            "It leaves exactly one pile that counts for more than one, besides {ones}: "
            "{opponent} now {makes} the switch and {chooses} how many ones remain, by {mends}.",
            ones=left,
            opponent=wording.opponent,
            makes=conjugate("make", wording.opponent),
            chooses=conjugate("choose", wording.opponent),
            mends=list_some(mends),
        )
    opponent = wording.address(wording.opponent)
    if lost:
        return say(
            "It leaves {ones}, an odd number, so that the last falls to {opponent}.",
            ones=left,
            opponent=opponent,
        )
    return say(
        "It leaves {ones}, an even number, so that the last does not fall to {opponent}.",
        ones=left,
        opponent=opponent,
    )


def _name_both(wording: Wording) -> Data:
    """Return the mover and the opponent, each with the verb that the mod rule needs."""
    return {
        "opponent": wording.opponent,
        "takes": conjugate("take", wording.opponent),
        "you": wording.you,
        "complete": conjugate("complete", wording.you),
    }


def say_mod(
    wording: Wording,
    *,
    sticks: int,
    take: int,
    whole: int,
    lost: bool,
    amount: int,
    leaves: int,
    targets: list[int],
    more: bool,
) -> Text:
    """Say what the mod rule says here."""
    if lost:
        here = say(
            "{sticks}, one more than a multiple of {whole}: "
            "that is lost for the player who must take.",
            sticks=count(sticks, "stick"),
            whole=whole,
        )
    else:
        here = say_number(
            leaves,
            "Take {amount} of the {sticks}, and {number} is left.",
            "Take {amount} of the {sticks}, and {number} are left.",
            amount=amount,
            sticks=count(sticks, "stick"),
        )
    if more:
        rule = say(
            "The rule is: leave {targets} …, one more than a multiple of {whole}.",
            targets=targets,
            whole=whole,
        )
    else:
        rule = say(
            "The rule is: leave {targets}, one more than a multiple of {whole}.",
            targets=targets,
            whole=whole,
        )
    why = say(
        "Whatever {opponent} then {takes}, up to {take}, {you} {complete} it to {whole}, "
        "and the last stick falls to {loser}.",
        take=take,
        whole=whole,
        loser=wording.address(wording.opponent),
        **_name_both(wording),
    )
    return join(" ", [here, rule, why])


def say_mod_leaves(
    wording: Wording,
    *,
    sticks: int,
    take: int,
    whole: int,
    lost: bool,
    amount: int,
    leaves: int,
    **_rest: Any,
) -> Text:
    """Say what a move leaves by the mod rule."""
    if sticks == 1:
        return say(
            "It leaves 1 stick, the last one, and {opponent} {has} to take it.",
            opponent=wording.opponent,
            has=conjugate("have", wording.opponent),
        )
    left = {"sticks": count(sticks, "stick"), "whole": whole, **_name_both(wording)}
    if lost:
        return say(
            "It leaves {sticks}, one more than a multiple of {whole}: "
            "whatever {opponent} {takes}, up to {take}, {you} {complete} it to {whole}.",
            take=take,
            **left,
        )
    return say(
        "It leaves {sticks}, not one more than a multiple of {whole}: "
        "{opponent} {takes} {amount} and {leaves} {rest}.",
        amount=amount,
        leaves=conjugate("leave", wording.opponent),
        rest=leaves,
        **left,
    )


def say_start_ended(_: Wording, *, ending: list[int], misere: bool) -> Text:
    """Say that the game is over before it begins."""
    if misere:
        return say(
            "The start, {ending}, is itself an ending, so the first player is out at once.",
            ending=ending,
        )
    return say(
        "The start, {ending}, is itself an ending, so the first player is the winner at once.",
        ending=ending,
    )


def say_last_move(
    wording: Wording, *, mover: str, misere: bool, ending: list[int], thing: str
) -> Text:
    """Say who made the last move."""
    who = wording.call(mover)
    if ending and misere:
        return say("{mover} moved into the ending {ending}, which loses.", mover=who, ending=ending)
    if ending:
        return say("{mover} moved into the ending {ending}, which wins.", mover=who, ending=ending)
    last = say("coin") if thing == "coin" else say("stick")
    if misere:
        return say("{mover} took the last {thing}, which loses.", mover=who, thing=last)
    return say("{mover} took the last {thing}, which wins.", mover=who, thing=last)


def _write_piles(piles: list[int]) -> Text:
    """Return `(1, 3, 5)`."""
    return say("({piles})", piles=piles)


def _write_advice(move: str, ending: list[int] | None) -> str:
    """Return a move, with the extra ending that it goes into."""
    if not ending:
        return move
    return say("{move} (into the ending {ending})", move=move, ending=_write_piles(ending))


def say_theory(
    _: Wording, *, closed: str, exact: str, misled: list[Data], unseen: list[str]
) -> Text:
    """Say what the theory without extra endings says here."""
    if closed != exact:
        return say(
            "The usual theory, which ignores extra endings, says a {closed}; "
            "with them it is a {exact}.",
            closed=OUTCOME_NAMES[closed],
            exact=OUTCOME_NAMES[exact],
        )
    advised = list_some([_write_advice(each["move"], each["ending"]) for each in misled])
    if misled and unseen:
        return say(
            "The usual theory, which ignores extra endings, also says a win, "
            "but is wrong to advise {misled}; it does not see {unseen}.",
            misled=advised,
            unseen=list_some(unseen),
        )
    if misled:
        return say(
            "The usual theory, which ignores extra endings, also says a win, "
            "but is wrong to advise {misled}.",
            misled=advised,
        )
    if unseen:
        return say(
            "The usual theory, which ignores extra endings, also says a win, "
            "but does not see {unseen}.",
            unseen=list_some(unseen),
        )
    return say(
        "The usual theory, which ignores extra endings, says the same: a {exact}.",
        exact=OUTCOME_NAMES[exact],
    )


def say_out_of_reach(_: Wording, *, piles: list[int]) -> Text:
    """Say that no extra ending matters."""
    return say(
        "From {piles} no extra ending can be reached, so the usual theory holds.",
        piles=_write_piles(piles),
    )


def say_bends(
    _: Wording,
    *,
    piles: list[int],
    closed: str,
    exact: str,
    tried: bool,
    alone: bool,
    endings: list[list[int]],
) -> Text:
    """Say which endings change what the theory says."""
    values = {
        "endings": list_some([_write_piles(ending) for ending in endings]),
        "piles": _write_piles(piles),
        "exact": OUTCOME_NAMES[exact],
        "closed": OUTCOME_NAMES[closed],
    }
    if alone and len(endings) == 1:
        return say(
            "The ending {endings} overrides the theory: {piles} is a {exact} for the mover, "
            "but would be a {closed} without it.",
            **values,
        )
    if alone:
        return say(
            "Each of the endings {endings} overrides the theory: {piles} is a {exact} "
            "for the mover, but would be a {closed} without any of them.",
            **values,
        )
    if tried:
        return say(
            "The endings {endings} together, whichever one is left out, override the theory: "
            "{piles} is a {exact} for the mover, but would be a {closed} without them.",
            **values,
        )
    return say(
        "Some of the endings {endings} override the theory: {piles} is a {exact} for the mover, "
        "but would be a {closed} without them.",
        **values,
    )


def say_at_hand(_: Wording, *, moves: list[Data], misere: bool) -> Text:
    """Say which moves go into an extra ending."""
    ways = list_some(
        [
            say("{move} to {ending}", move=move["move"], ending=_write_piles(move["ending"]))
            for move in moves
        ]
    )
    if misere:
        return say(
            "An ending is one move away, and moving there loses at once: {moves}.", moves=ways
        )
    return say("An ending is one move away, and moving there wins at once: {moves}.", moves=ways)


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
        "start-ended": say_start_ended,
        "last-move": say_last_move,
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
        "start-ended": say_start_ended,
        "last-move": say_last_move,
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
