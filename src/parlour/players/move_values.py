"""The one evaluation of moves: proven where it can be, else estimated and marked as such.

`assess` values every move of a position, `review_move` judges a move by such an assessment, and
`explain` gives the reasons. A game that can be solved is solved once and remembered. The last
squares of an Othello are searched to the disc; before that its moves are estimated. Where nothing
is known, the assessment says why.

A move is judged by its value compared with the best available, both for its mover: by outcome and
distance, or in Othello by discs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from typing import Any, NoReturn, TypeVar, cast

from parlour import core
from parlour.core import OUTCOMES, Game, Move, Solution, State, TooLarge, Unsolved, Value, Work, say
from parlour.engine import EndSolution, empties
from parlour.players.engine import add_line, estimate_moves, is_estimated, is_valued_in_discs
from parlour.rules import Othello
from parlour.truth import BarredSolution, check_solvable, find_method, solve_at, solve_once
from parlour.truth.explain import (
    OUTCOME_NAMES,
    Estimate,
    Explainer,
    Explanation,
    Wording,
    count_plies,
    format_source,
    outcome_of,
    value_move,
)

T = TypeVar("T")

MAX_MOVES = 200  # valued in one position; of more, a sample that includes the best
MAX_UNPROVEN = 8  # games with barred loops that are searched position by position
MAX_BEYOND = 100  # games remembered as too large for the time allowed


@dataclass(frozen=True)
class Evaluation:
    """The value of a position or a move for one seat.

    `plies` is the distance to the end in a solution. `score` is for Othello only: the margin in
    discs when both play for discs, empty squares going to the winner.
    """

    outcome: str
    plies: int | None = None
    score: float | None = None
    exact: bool = True

    @property
    def rank(self) -> tuple[float, float]:
        """Larger is better: by discs where they count, else as a solution ranks values."""
        if self.score is not None:
            return (self.score, 0)
        return Value(self.outcome, self.plies).rank

    def flip(self) -> Evaluation:
        """Return the same value as the other seat sees it."""
        outcome = OUTCOMES[2 - OUTCOMES.index(self.outcome)]
        score = None if self.score is None else 0 - self.score
        return Evaluation(outcome, self.plies, score, self.exact)


@dataclass(frozen=True)
class MoveValue(Evaluation):
    """A move with its value for its mover."""

    move: str = ""
    best: bool = False


@dataclass(frozen=True)
class Assessment:
    """The moves in the game's order, the value for the mover, and why anything is missing.

    An estimate names its author in `by`, how many plies `ahead` they looked, and their certainty in
    percent. An estimate that reached the end of the game is exact nevertheless. What is proven
    keeps the `solution` that it was read from, for whoever asks further.
    """

    moves: tuple[MoveValue, ...] = ()
    value: Evaluation | None = None
    why_not: str = ""
    by: str = ""
    ahead: int = 0
    certainty: int = 0
    solution: Solution | None = field(default=None, repr=False, compare=False)

    @property
    def source(self) -> str:
        """`estimated by engine, 14 moves ahead, 73 % sure`; empty where all is proven."""
        proven = self.value is None or self.value.exact
        return "" if proven else format_source(self.by, self.ahead, self.certainty)

    def to_dict(self) -> dict[str, Any]:
        """Return the assessment as plain data, without its solution."""
        data = asdict(replace(self, solution=None))
        del data["solution"]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Assessment:
        """Rebuild an assessment from such data, which may hold more."""
        known = {field.name: data[field.name] for field in fields(cls) if field.name in data}
        known["moves"] = tuple(MoveValue(**move) for move in data["moves"])
        known["value"] = data["value"] and Evaluation(**data["value"])
        return cls(**known)


def assess(
    game: Game,
    state: State,
    *,
    played: Move | None = None,
    work: Work | None = None,
    seconds: float = 2.0,
) -> Assessment:
    """Return the value of each move for the mover.

    Of more than 200 moves some are left out, but neither the best nor the one `played`. A move that
    is not proven is left out too, and `why_not` says so. It takes about `seconds` at most, and ends
    sooner when its `work` is stopped.
    """
    work = work or Work()
    try:
        core.refuse_seats(game)
        if game.result(state) is not None:
            return Assessment(value=_value_end(game, state))
        if is_estimated(game, state):
            guess = estimate_moves(game, state, work=work, seconds=seconds)
            return _assess_estimate(game, state, guess)
        if is_valued_in_discs(game):
            return _read_solution(solve_at(game, state, work=work), state, game.moves(state))
        return _assess_solved(game, state, played, work, seconds)
    except (Unsolved, TooLarge) as reason:
        return Assessment(why_not=str(reason))


def _value_end(game: Game, state: State) -> Evaluation:
    """Return the value of an ended position for the seat whose turn it would be."""
    seat = game.turn(state)
    result = game.result(state) or (0, 0)
    score = None
    if is_valued_in_discs(game):
        score = game.score(state) if seat == 0 else -game.score(state)
    return Evaluation(OUTCOMES[1 + result[seat]], 0, score)


def _list_values(game: Game, found: Mapping[Move, Evaluation]) -> tuple[MoveValue, ...]:
    """Return the moves with their values; the best are those that no known move beats."""
    top = max((each.rank for each in found.values()), default=None)
    return tuple(
        MoveValue(**asdict(each), move=game.write_move(move), best=each.rank == top)
        for move, each in found.items()
    )


# Games that are solved


_beyond: dict[Game, float] = {}  # games that were not solved within these seconds
_unproven: dict[Game, BarredSolution] = {}  # searched position by position, not from the start


def _assess_solved(
    game: Game, state: State, played: Move | None, work: Work, seconds: float
) -> Assessment:
    check_solvable(game)
    for kernel in find_method(game).list_kernels():
        kernel.prepare()  # before the clock starts, because it is loaded or compiled only once
    if getattr(game, "loops", "") == "barred":
        return _assess_barred(game, state, work, time.monotonic() + seconds)
    solution = _solve_within(game, state, work, seconds)
    return _read_solution(solution, state, _select_moves(game, solution, state, played))


def _read_solution(solution: Solution, state: State, moves: Sequence[Move]) -> Assessment:
    """Return what a solution says of a position and its moves; in discs where they count."""
    end = solution if isinstance(solution, EndSolution) else None
    found = {}
    for move in moves:
        known = value_move(solution, state, move)
        if known is not None:
            score = end.margin_after(state, move) if end else None
            found[move] = Evaluation(known.outcome, known.plies, score)
    value, score = solution.value(state), end.margin(state) if end else None
    proven = Evaluation(value.outcome, value.plies, score)
    return Assessment(_list_values(solution.game, found), proven, solution=solution)


def _solve_within(game: Game, state: State, work: Work, seconds: float) -> Solution:
    """Return a solution that covers the position, if it is found in time."""

    def solve(own: Work) -> Solution:
        try:
            return solve_at(game, state, solve_once(game, own), work=own)
        except Unsolved:
            if work.stopped or not own.stopped:
                raise
            if len(_beyond) >= MAX_BEYOND:
                _beyond.clear()
            _beyond[game] = seconds
            _refuse_beyond(game)

    if _beyond.get(game, -1.0) >= seconds:
        _refuse_beyond(game)
    return work.run_within(seconds, solve)


def _refuse_beyond(game: Game) -> NoReturn:
    raise Unsolved(
        "{name} with these options was not solved within {seconds:g} s",
        name=game.name,
        seconds=_beyond[game],
    ) from None


def _select_moves(
    game: Game, solution: Solution, state: State, played: Move | None
) -> Sequence[Move]:
    """Return all moves, or a sample that includes the best and the one played."""
    moves = game.moves(state)
    if len(moves) <= MAX_MOVES:
        return moves
    wanted = {*solution.best(state)[: MAX_MOVES // 2], *(() if played is None else (played,))}
    step = 1 + len(moves) // (MAX_MOVES - len(wanted))
    wanted |= {moves[place] for place in range(0, len(moves), step)}
    return sorted(wanted, key=moves.index)


def _assess_barred(game: Any, state: State, work: Work, ends: float) -> Assessment:
    """Assess a position with barred loops: moves off the proof are searched, each in its share."""

    def ask(question: Callable[[], T], among: int) -> T:
        def answer(own: Work) -> T:
            solution.work = own
            return question()

        return work.run_within(max(0.0, ends - time.monotonic()) / among, answer)

    solution = _find_barred_solution(game, work, (ends - time.monotonic()) / 2)
    value = ask(partial(solution.value, state), 1)
    moves = game.moves(state)
    found: dict[Move, Evaluation] = {}
    for number, move in enumerate(moves):
        known: Value | None = Value("loss")
        if value.outcome != "loss":  # else every move loses
            known = ask(partial(value_move, solution, state, move), len(moves) - number)
        if known is not None:
            found[move] = Evaluation(known.outcome)
    why_not = ""
    if missing := len(moves) - len(found):
        why_not = say(
            "{missing} of the {moves} moves have no proof yet", missing=missing, moves=len(moves)
        )
    proven = Evaluation(value.outcome)
    return Assessment(_list_values(game, found), proven, why_not, solution=solution)


def _find_barred_solution(game: Any, work: Work, seconds: float) -> BarredSolution:
    """Return the proof of the whole game if it is found in time, else one that grows on demand."""
    if game not in _unproven:
        try:
            return cast(BarredSolution, work.run_within(seconds, partial(solve_once, game)))
        except Unsolved:
            if work.stopped:
                raise
        if len(_unproven) >= MAX_UNPROVEN:
            _unproven.clear()
        _unproven[game] = work.run_within(seconds, partial(BarredSolution, game))
    return _unproven[game]


# Othello far from its end


def _assess_estimate(game: Othello, state: State, guess: Estimate) -> Assessment:
    """Return what an estimate says of the moves."""
    empty = 0 if guess.exact else empties(game, state)
    found = {
        move: Evaluation(outcome_of(score, empty), None, score, guess.exact)
        for move, score in guess.scores.items()
    }
    moves = _list_values(game, found)
    return Assessment(moves, found[guess.best], "", guess.by, guess.plies, guess.certainty)


def recover_estimate(game: Game, state: State, found: Assessment) -> Estimate | None:
    """Return the estimate that an assessment of this position rests on, if any."""
    if not found.by:
        return None
    scores = {game.read_move(state, each.move): each.score or 0.0 for each in found.moves}
    proven = found.value is not None and found.value.exact
    return Estimate(found.by, found.ahead, scores, found.certainty, proven)


SLIGHT_LOSS = 4  # discs: giving away no more, and no proven outcome, is not a mistake


@dataclass(frozen=True)
class MoveReview:
    """The verdict on one move of a game.

    `verdict` is `best`, `good` (a win is kept, but later, or some discs are given away), `loses
    sooner` where every move lost, `mistake`, `only move` where there was no other, or `unknown`.
    `cost` is in discs for Othello, elsewhere in steps from win to draw to loss; `words` phrase it.
    """

    number: int  # from 1
    seat: int
    move: str
    before: Evaluation | None  # the best that the mover could have had
    after: Evaluation | None  # what the move left
    verdict: str
    cost: float = 0
    words: str = ""
    best: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Return whether the verdict is proven."""
        return all(each is not None and each.exact for each in (self.before, self.after))


def review_move(game: Game, state: State, move: Move, number: int, found: Assessment) -> MoveReview:
    """Judge a move by an assessment of the position it was made in."""
    seat, text = game.turn(state), game.write_move(move)
    after = next((known for known in found.moves if known.move == text), None)
    best = tuple(known.move for known in found.moves if known.best)
    before = found.value
    verdict, cost, words = "unknown", 0.0, ""
    if len(game.moves(state)) == 1:
        verdict = "only move"
    elif before is not None and after is not None:
        verdict, cost, words = _judge(before, after)
    return MoveReview(number, seat, text, before, after, verdict, cost, words, best)


def _judge(before: Evaluation, after: Evaluation) -> tuple[str, float, str]:
    """Return the verdict on a move, its cost, and the cost in words."""
    steps = OUTCOMES.index(before.outcome) - OUTCOMES.index(after.outcome)
    dropped = ""
    if steps > 0:
        dropped = core.join(" → ", (OUTCOME_NAMES[each.outcome] for each in (before, after)))
    if before.score is None or after.score is None:
        if steps > 0:
            return "mistake", steps, dropped
        return _judge_distance(before, after)
    lost = round(before.score - after.score, 1)
    if lost <= 0:
        return "best", 0, ""
    proven = before.exact and after.exact
    number = 1 if lost == 1 else 2
    discs = core.say_number(number, "{discs:g} disc", "{discs:g} discs", discs=lost)
    words = core.join(", ", [dropped, discs]) if dropped and proven else discs
    return ("mistake" if lost > SLIGHT_LOSS or (dropped and proven) else "good"), lost, words


def _judge_distance(before: Evaluation, after: Evaluation) -> tuple[str, float, str]:
    """Return the verdict on a move that keeps the outcome, perhaps with a worse distance."""
    if None in (before.plies, after.plies) or before.plies == after.plies:
        return "best", 0, ""
    plies = count_plies(abs((after.plies or 0) - (before.plies or 0)))
    if after.outcome == "loss":
        return "loses sooner", 0, say("by {plies}", plies=plies)
    return "good", 0, say("{plies} later", plies=plies)


# Where a game was lost: the last move at which its loser could still have had more.
#
# After that move, or from the start if there was none, every move loses; then all that is left to
# say is how long the loser held out, compared with the best play of both.


@dataclass(frozen=True)
class Loss:
    """How a seat lost a game.

    `number` is the last move, counted from 1, that was made in a position not yet lost; it is 0 if
    there was none, and the number of the next move if the game was given up in such a position.
    """

    seat: int
    number: int
    could: str = ""  # what the position held before that move: "win" or "draw"
    best: tuple[str, ...] = ()  # the moves that kept it
    given_up: bool = False
    lasted: int | None = None  # moves from there to the end, if it was played to the end
    possible: int | None = None  # moves that were left with the best play of both, if counted
    exact: bool = True


def find_loss(
    game: Game,
    states: Sequence[State],
    found: Sequence[Assessment | None],
    loser: int,
    opening: int = 0,
) -> Loss | None:
    """Return where a seat lost, given every position and its assessment; None if not known.

    The players did not choose the first `opening` moves.
    """
    last = len(states) - 1
    over = game.result(states[last]) is not None
    if not over:
        end = _value_for(game, states[last], found[last], loser)
        if end is None:
            return None
        if end.outcome != "loss":
            best = _best(found[last]) if game.turn(states[last]) == loser else ()
            return Loss(loser, last + 1, end.outcome, best, True, exact=end.exact)
    exact, first = True, last
    for at in range(last - 1, opening - 1, -1):
        if game.turn(states[at]) != loser:
            continue
        assessment = found[at]
        if assessment is None or assessment.value is None:
            return None
        exact, first = exact and assessment.value.exact, at
        if assessment.value.outcome != "loss":
            lasted, possible = _count(game, states, found, loser, at + 1)
            could, best = assessment.value.outcome, _best(assessment)
            return Loss(loser, at + 1, could, best, False, lasted, possible, exact)
    if first == last and (over or game.turn(states[last]) != loser):  # who never had to move
        return None
    lasted, possible = _count(game, states, found, loser, first)
    return Loss(loser, 0, lasted=lasted, possible=possible, exact=exact)


def _best(found: Assessment | None) -> tuple[str, ...]:
    """Return the moves that keep the outcome, the best of them first."""
    if found is None or found.value is None:
        return ()
    kept = [each for each in found.moves if each.outcome == found.value.outcome]
    return tuple(each.move for each in sorted(kept, key=lambda each: not each.best))


def _value_for(game: Game, state: State, found: Assessment | None, seat: int) -> Evaluation | None:
    """Return the value of a position for a seat."""
    if found is None or found.value is None:
        return None
    return found.value if game.turn(state) == seat else found.value.flip()


def _count(
    game: Game,
    states: Sequence[State],
    found: Sequence[Assessment | None],
    loser: int,
    at: int,
) -> tuple[int | None, int | None]:
    """Return how many moves were played from a lost position, and how many were possible."""
    value = _value_for(game, states[at], found[at], loser)
    over = game.result(states[-1]) is not None
    if not over or value is None or value.plies is None or value.score is not None:
        return None, None
    return len(states) - 1 - at, value.plies


# Reasons

EXPLAINED_PLIES = 12


def explain(
    game: Any,
    state: State | None = None,
    move: Move | None = None,
    *,
    solution: Solution | None = None,
    estimate: Estimate | None = None,
    work: Work | None = None,
    plies: int = EXPLAINED_PLIES,
    wording: Wording | None = None,
) -> Explanation:
    """Explain why a position is won, lost or drawn; with a move, why it is right or wrong.

    Both may be given as text; without a state it is the start. A `solution` at hand saves solving
    the game again. An illegal move raises `IllegalMove`. Where loops are barred, a move off the
    proof is searched first, which `work` can stop. An Othello position that is not proven is
    estimated `plies` ahead, unless an `estimate` is at hand, and the explanation says so. The
    `wording` says what the sentences call the players.
    """
    game = core.registry.game(game)
    state = core.protocol.to_state(game, state)
    if solution is not None:
        core.check_type("solution", solution, Solution, "it must be what parlour.solve returns")
    if work is not None:
        core.to_work(work)
    if move is not None:
        move = core.protocol.to_move(game, state, move)
    if is_valued_in_discs(game) and is_estimated(game, state):
        estimate = estimate or estimate_moves(game, state, work=work, plies=plies, seconds=None)
        estimate = add_line(game, state, estimate, move, work=work)
    explainer: Explainer = (core.extra(game, "explainer") or Explainer)()
    return explainer.explain(
        game, state, move, solution=solution, estimate=estimate, work=work, wording=wording
    )
