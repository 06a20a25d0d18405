"""Moves and positions that are asked about: played, supposed, compared, or named by their numbers.

It reads the record and changes nothing. A move is judged by its exact value before and after,
where the game is solved, and otherwise by the engine's estimate, which is said to be one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from parlour import core
from parlour.core import Match, Move, ParlourError, State, all_of, count, protocol
from parlour.host.language import Line, texts
from parlour.host.session import HostTable, Session
from parlour.host.table import knowledge
from parlour.host.table import state as tables
from parlour.host.table.state import Played
from parlour.host.understand import Illegal, MoveReading, read_supposed_move
from parlour.players import GLANCE, estimate_moves, is_estimated, is_valued_in_discs
from parlour.rules import Chopsticks, Othello, TicTacToe
from parlour.truth import solve_once
from parlour.truth.explain import count_plies

SHAPES = texts.read_expressions("understand/expressions/reviews.txt")
DETAILS = partial(texts.fill_lines, "table/lines/details.txt")
QUICK = 4  # plies for each move of a whole game
MARGIN = 1.0  # discs that an estimate must differ by to be called a cost
VERBS = ("", "hit ", "take ")  # which may be left out before a move that is compared
Lines = tuple[str, ...]


# What was played


def asks_for_review(line: Line) -> bool:
    """Say whether a line asks what a move was worth, or where a mistake was."""
    return bool(SHAPES["review"].search(line.plain) and not SHAPES["habit"].search(line.plain))


def review(session: Session, line: Line, match: Match | None) -> tuple[str, ...]:
    """Judge the person's last move, the one that is named, or the one that cost most."""
    if match is None or session.table is None:
        return knowledge.LINES("no game")
    return judge_played(session.table, line, match)


def judge_played(table: HostTable, line: Line, match: Match) -> Lines:
    """Judge the move that a line is about, of those that were played at a table."""
    own = _list_own(table, match)
    if not own and match.over:
        return (*knowledge.describe_whole_ending(table, match), *_judge_start(table, match))
    if not own:
        return DETAILS("nothing to review")
    plain = f" {line.plain} "
    named = [each for each in own if _is_named(match.game, each.move, plain)]
    first = own[:1] if SHAPES["first move"].search(plain) else []
    if named or first or SHAPES["last move"].search(plain):
        played = (named or first or own)[-1]
        return (*DETAILS("move reviewed", move=played.text), *_judge(match.game, played))
    return _find_mistake(match.game, own)


def _list_own(table: HostTable, match: Match) -> list[Played]:
    """Return the person's moves in order; a forced pass is not theirs."""
    return [
        each
        for each in tables.list_played(table, match)
        if tables.is_human(each.table, match.game.turn(each.state))
        and match.game.write_move(each.move) != "pass"
    ]


def _is_named(game: Any, move: Move, plain: str) -> bool:
    """Say whether a line names a move: `c4`, `2 from 3`, or `3` of those that were taken."""
    text = str(game.write_move(move))
    spoken = " ".join(re.findall("[a-z]+|[0-9]+", text))
    taken = text.partition(" ")[0]
    took = any(f" {verb} {taken} " in plain for verb in ("took", "taking", "taken"))
    return f" {spoken} " in plain or (taken.isdecimal() and took)


def _judge(game: Any, played: Played) -> tuple[str, ...]:
    """Say what a move was worth, and what would have been better."""
    lines = knowledge.explain_move(played.table, game, played.state, played.move)
    if not is_estimated(game, played.state):
        return tuple(lines) if game.seats == 2 else DETAILS("not judged")
    cost, best = _estimate_cost(game, played, GLANCE)
    if cost < MARGIN:
        return (*lines, *DETAILS("cost nothing"))
    return (*lines, *DETAILS("cost", discs=count(round(cost), "disc"), best=game.write_move(best)))


def _estimate_cost(game: Any, played: Played, plies: int) -> tuple[float, Move]:
    """Return how many discs a move cost by the engine's estimate, and its best move."""
    guess = estimate_moves(game, played.state, plies=plies, seconds=None)
    return guess.scores[guess.best] - guess.scores[cast(Any, played.move)], guess.best


def _find_mistake(game: Any, own: Sequence[Played]) -> tuple[str, ...]:
    """Name the move that cost most and judge it, or say that there was none, if that is sure."""
    costs = [_measure_cost(game, played) for played in own]
    known = [(cost, -at) for at, cost in enumerate(costs) if cost is not None]
    worst, at = max(known, default=((0, 0), 0))
    if worst > (0, 0):
        lines = DETAILS("worst move", number=1 - at, move=own[-at].text)
        return (*lines, *_judge(game, own[-at]))
    if len(known) < len(own):
        return DETAILS("not judged")
    if any(is_estimated(game, played.state) for played in own):
        return DETAILS("no mistake seen", moves=count(QUICK, "move"))
    value = tables.find_value(game, own[0].state)
    lost = value is not None and value.outcome == "loss"
    return DETAILS("lost from the start" if lost else "no mistake")


def _measure_cost(game: Any, played: Played) -> tuple[float, float] | None:
    """Return what a move gave away, in outcome or discs and then in plies; None if unknown."""
    state, move = played.state, played.move
    if is_estimated(game, state):
        cost, _ = _estimate_cost(game, played, QUICK)
        return (cost if cost >= MARGIN else 0, 0)
    solution = tables.find_solution(game, state) if game.seats == 2 else None
    if solution is None or not solution.is_proven(game.play(state, move)):
        return None
    before, after = solution.value(state), solution.after(state, move)
    given = before.rank[0] - after.rank[0]
    same = given or before.outcome == "draw"
    return (given, 0 if same else before.rank[1] - after.rank[1])


def _judge_start(table: HostTable, match: Match) -> Lines:
    """Say whether the person could have won from the start, where that is known."""
    start, seat = match.game.start(), tables.find_person(tables.restore_seats(table, 0))
    value = tables.find_value(match.game, start) if match.game.seats == 2 else None
    if value is None or seat is None:
        return ()
    wins = (value.outcome == "win") == (match.game.turn(start) == seat)
    return DETAILS(
        "start drawn" if value.outcome == "draw" else f"start {'won' if wins else 'lost'}"
    )


# Moves that are only named


def _read_named(game: Any, state: State, text: str) -> Any:
    """Return the move that some words name, or why they name none."""
    return read_supposed_move(game, state, Line(text, tuple(text.split())))


def compare_moves(game: Any, state: State, line: Line) -> Lines:
    """Say which of two moves that a line names is better, or that they come to the same."""
    plain = SHAPES["compares"].sub(" ", line.plain)
    parts = [part for part in SHAPES["between two"].split(plain) if part.strip()]
    read = ([_read_named(game, state, verb + part) for verb in VERBS] for part in parts)
    moves_read = ([each.move for each in some if isinstance(each, MoveReading)] for some in read)
    named = list(dict.fromkeys(some[0] for some in moves_read if some))
    if len(named) != 2:
        return ()
    moves = [game.read_move(state, text) for text in named]
    facts = dict(zip(("one", "other"), named, strict=True))
    if len({core.key(game, game.play(state, move)) for move in moves}) == 1:
        return DETAILS("alike", **facts)
    solution = tables.find_solution(game, state) if game.seats == 2 else None
    if solution is None and is_valued_in_discs(game):
        scores = estimate_moves(game, state, plies=GLANCE, seconds=None).scores
        ranks: list[Any] = [round(scores[move]) for move in moves]
        told = [DETAILS("estimated", discs=f"{rank:+d}".replace("+0", "0"))[0] for rank in ranks]
    elif solution is None:
        return ()
    else:
        values = [solution.after(state, move) for move in moves]
        ranks, told = [value.rank for value in values], [_tell(value) for value in values]
    lines = DETAILS("compared", told=told[0], other_told=told[1], **facts)
    if ranks[0] == ranks[1]:
        return (*lines, *DETAILS("neither better"))
    return (*lines, *DETAILS("better of two", move=named[0] if ranks[0] > ranks[1] else named[1]))


def _tell(value: core.Value) -> str:
    """Return what a move comes to, as part of a sentence."""
    section = {"win": "comes to a win", "loss": "comes to a loss"}.get(value.outcome)
    if section is None:
        return DETAILS("comes to a draw")[0]
    within = "" if value.plies is None else f" in {count_plies(value.plies)}"
    return DETAILS(section, within=within)[0]


def judge_legality(game: Any, state: State, line: Line) -> Lines:
    """Say whether a move that a line names is allowed, and if not, why."""
    text = SHAPES["may i"].sub(" ", line.plain)
    found = _read_named(game, state, text)
    if isinstance(found, Illegal):
        return DETAILS("not allowed", reason=found.reason.rstrip("."))
    if isinstance(found, MoveReading) and SHAPES["asks if legal"].search(line.plain):
        return DETAILS("allowed", move=found.move)
    return ()


def count_flips(game: Othello, state: State, line: Line) -> Lines:
    """Say how many discs a move would turn, or which would turn most."""
    named = re.findall(r"\b[a-z] ?\d+\b", line.plain)[:1]
    found = _read_named(game, state, " ".join(named)) if named else None
    moves = [game.read_move(state, found.move)] if isinstance(found, MoveReading) else []
    turned = {
        game.write_move(move): game.play(state, move)[1].bit_count() - state[0].bit_count() - 1
        for move in moves or ([] if named else game.moves(state))
    }
    most = max(turned.values(), default=0)
    best = all_of(move for move, discs in turned.items() if discs == most)
    return DETAILS("turns", move=best, discs=count(most, "disc")) if most > 0 else ()


# Positions that are only named


def judge_heap(number: int, most: int, taken: int | None, *, misere: bool) -> Lines:
    """Judge a heap from which at most `most` are taken at a time, and a take if one is named.

    Misère, one more than a multiple of `most + 1` is lost, else the multiples: whatever is taken,
    the other makes it `most + 1` together, until that 1 or nothing is left to the mover.
    """
    whole, base = most + 1, int(misere)
    over = (number - base) % whole
    facts = {"number": number, "most": most, "whole": whole, "right": over, "left": number - over}
    rules = DETAILS("heap last loses" if misere else "heap last wins", **facts)
    if taken is None:
        lost = "heap lost" if number > 1 else "heap of 1 lost"
        return (*DETAILS("heap won" if over else lost, **facts), *rules)
    if taken > min(most, number):
        return DETAILS("heap too many", **facts)
    facts |= {"taken": taken, "left": number - taken, "best": number - over}
    kind = "right" if taken == over else "wrong" if over else "hopeless"
    reply = (over - taken) % whole
    told = DETAILS("heap reply", reply=reply) if 0 < reply <= number - taken else ()
    return (*DETAILS(f"heap {kind}", **facts), *told, *rules)


def count_left(number: int, taken: Sequence[int], most: int) -> Lines:
    """Say how many of a heap are left after some takes in turn."""
    left = number - sum(taken)
    legal = all(0 < take <= most for take in taken) and left >= 0
    return DETAILS("left after takes", left=left) if taken and legal else ()


def judge_opening(line: Line) -> Lines:
    """Say which replies to a first square of tic-tac-toe hold the draw, or whether one does."""
    kinds = {"corner": ("a1", "c1", "a3", "c3"), "centre": ("b2",)}
    kinds["side"] = ("b1", "a2", "c2", "b3")
    named = [
        next((kind for kind in kinds if found[kind]), found[0].replace(" ", ""))
        for found in SHAPES["square"].finditer(line.plain)
    ]
    if not named or len(named) > 2:
        return ()
    if SHAPES["after another"].search(line.plain):
        named.reverse()  # `the centre after a corner`
    game = TicTacToe()
    first = kinds.get(named[0], (named[0],))[0]
    state = game.play(game.start(), game.read_move(game.start(), first))
    solution = solve_once(game)
    held = [
        game.write_move(move)
        for move in game.moves(state)
        if solution.after(state, move).outcome == "draw"
    ]
    free = [game.write_move(move) for move in game.moves(state)]
    lost = all_of(square for square in free if square not in held)
    facts = {"first": first, "held": all_of(held), "lost": lost}
    lines = DETAILS("one reply" if len(held) == 1 else "some replies", **facts)
    if len(named) < 2:
        return lines
    replies = [square for square in kinds.get(named[1], (named[1],)) if square in free]
    holds = {square in held for square in replies}
    if len(holds) != 1:
        return lines
    which = "reply holds" if holds.pop() else "reply loses"
    return (*DETAILS(which, reply=f"the {named[1]}" if named[1] in kinds else named[1]), *lines)


def judge_hit(game: Chopsticks, struck: int, with_: int) -> Lines:
    """Say what becomes of a hand that is hit."""
    if not 0 < max(struck, with_) < game.dies_at or not min(struck, with_):
        return ()
    total = struck + with_
    after = total % game.dies_at if game.overflow == "wraps" else total
    dead = after in (0, *range(game.dies_at, 2 * game.dies_at))
    facts = {"struck": struck, "with_": with_, "sum": total, "after": after}
    kind = "hit kills" if dead else "hit leaves"
    return DETAILS(kind, hand=game.words[0], dies_at=game.dies_at, **facts)


def judge_hands(game: Any, own: tuple[int, int], others: tuple[int, int]) -> Lines:
    """Say who wins from these hands, the first pair to move."""
    try:
        state = game.read("{},{}:{},{}".format(*own, *others))
    except ParlourError:
        return ()
    value = tables.find_value(game, state) if game.result(state) is None else None
    solution = tables.find_solution(game, state)
    if value is None or solution is None:
        return ()
    hands = " and ".join(map(str, own)), " and ".join(map(str, others))
    best = protocol.describe_move(game, state, solution.best(state)[0])
    told = _tell(value)
    return DETAILS("hands", own=hands[0], others=hands[1], told=told, best=best)
