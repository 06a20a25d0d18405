"""What every move of a position is worth: proven where it can be, else estimated and said to be so.

A game that can be solved is solved once and remembered. The last squares of an Othello are played
out to the disc; before that its moves are estimated, and the source of the estimate is told. Of
anything else nothing is said but why.

A move judged: what it made of the value, and what that cost.

A move is judged by what it was worth beside the best that could be had, both for whoever made it.
Games without discs are judged by outcome and distance; Othello by discs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, TypeVar, cast

from parlour.core import (
    OUTCOMES,
    Game,
    Move,
    Solution,
    State,
    TooLarge,
    Unsolved,
    Value,
    Work,
    refuse_seats,
    within,
)
from parlour.engine import EndSolution, empties
from parlour.players.estimate import estimated, is_estimated
from parlour.rules import Chopsticks, Othello
from parlour.truth import BarredSolution, check_solvable, solve_at, solve_once
from parlour.truth.explain import Estimate, format_source, outcome_of, value_move

T = TypeVar("T")

MOST_MOVES = 200  # of so many each is told, of more a spread with the best among them
MOST_UNPROVEN = 8  # games with barred loops that are searched position by position
MOST_BEYOND = 100  # games remembered as too large for the time there is


@dataclass(frozen=True)
class Worth:
    """What a position or a move is worth to one seat.

    `plies` is the distance to the end as a solution knows it. `score` is Othello's: by how many
    discs the seat wins when both play for discs, the squares left empty being the winner's.
    """

    outcome: str
    plies: int | None = None
    score: float | None = None
    exact: bool = True

    @property
    def rank(self) -> tuple[float, float]:
        """Larger is better: by discs where they are counted, else as a solution ranks values."""
        if self.score is not None:
            return (self.score, 0)
        return Value(self.outcome, self.plies).rank

    def turned(self) -> Worth:
        """The same as the other seat sees it."""
        outcome = OUTCOMES[2 - OUTCOMES.index(self.outcome)]
        score = None if self.score is None else 0 - self.score
        return Worth(outcome, self.plies, score, self.exact)


@dataclass(frozen=True)
class Assessed:
    """A move, and what it is worth to whoever makes it."""

    move: str
    outcome: str
    plies: int | None
    score: float | None
    exact: bool
    best: bool

    @property
    def worth(self) -> Worth:
        """What it is worth, without the move."""
        return Worth(self.outcome, self.plies, self.score, self.exact)


@dataclass(frozen=True)
class Assessment:
    """The moves in the game's order, the value for the seat to move, and what cannot be said.

    What rests on an estimate tells by whom, how many plies `ahead` they looked, and how sure that
    is in percent. It may have come to the end of the game, and then it is exact nevertheless.
    """

    moves: tuple[Assessed, ...] = ()
    value: Worth | None = None
    why_not: str = ""
    by: str = ""
    ahead: int = 0
    certainty: int = 0

    @property
    def source(self) -> str:
        """`estimated by engine, 14 moves ahead, 73 % sure`; nothing where all is proven."""
        proven = self.value is None or self.value.exact
        return "" if proven else format_source(self.by, self.ahead, self.certainty)

    def to_dict(self) -> dict[str, Any]:
        """The assessment as plain data."""
        return {
            "moves": [asdict(move) for move in self.moves],
            "value": None if self.value is None else asdict(self.value),
            "why_not": self.why_not,
            "by": self.by,
            "ahead": self.ahead,
            "certainty": self.certainty,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Assessment:
        """The assessment that such data describe."""
        value = None if data["value"] is None else Worth(**data["value"])
        moves = tuple(Assessed(**move) for move in data["moves"])
        founded = {name: data[name] for name in ("by", "ahead", "certainty") if name in data}
        return cls(moves, value, data["why_not"], **founded)


def assess(
    game: Game,
    state: State,
    *,
    played: Move | None = None,
    work: Work | None = None,
    seconds: float = 2.0,
) -> Assessment:
    """What each move here is worth to the seat to move.

    Of more than 200 moves some are left out, but neither the best nor the one that was `played`. A
    move of which nothing is proven is left out too, and `why_not` says so. It takes about so many
    seconds at most, and ends sooner when its `work` is stopped.
    """
    work = work or Work()
    try:
        refuse_seats(game)
        if game.result(state) is not None:
            return Assessment(value=_ended(game, state))
        if isinstance(game, Othello):
            return _othello(game, state, work, seconds)
        return _proven(game, state, played, work, seconds)
    except (Unsolved, TooLarge) as reason:
        return Assessment(why_not=str(reason))


def _ended(game: Game, state: State) -> Worth:
    """What an ended position is worth to the seat whose turn it would be."""
    seat = game.turn(state)
    result = game.result(state) or (0, 0)
    score = None
    if isinstance(game, Othello):
        score = game.score(state) if seat == 0 else -game.score(state)
    return Worth(OUTCOMES[1 + result[seat]], 0, score)


def _told(game: Game, found: Mapping[Move, Worth]) -> tuple[Assessed, ...]:
    """The moves as they are told; the best are all that nothing known is better than."""
    top = max(worth.rank for worth in found.values())
    return tuple(
        Assessed(game.write_move(move), best=worth.rank == top, **asdict(worth))
        for move, worth in found.items()
    )


# Games that are solved


_beyond: dict[Game, float] = {}  # games that were not solved in so many seconds
_unproven: dict[Game, BarredSolution] = {}  # searched where it is asked for, not from the start


def _proven(
    game: Game, state: State, played: Move | None, work: Work, seconds: float
) -> Assessment:
    # Compiled code is loaded before the clock starts: it would be loaded only once.
    from parlour.kernels import (
        geography,  # noqa: F401  # loaded, not used
    )
    from parlour.kernels import (
        graph as explore,  # noqa: F401  # loaded, not used
    )
    from parlour.kernels import (
        graph as families,  # noqa: F401  # loaded, not used
    )
    from parlour.kernels import (
        graph as retrograde,  # noqa: F401  # loaded, not used
    )
    from parlour.kernels import (
        nim as nim_table,  # noqa: F401  # loaded, not used
    )

    check_solvable(game)
    if isinstance(game, Chopsticks) and game.loops == "barred":
        return _searched(game, state, work, time.monotonic() + seconds)
    solution = _solution(game, state, work, seconds)
    value = solution.value(state)
    found = {}
    for move in _listed(game, solution, state, played):
        worth = value_move(solution, state, move)
        if worth is not None:
            found[move] = Worth(worth.outcome, worth.plies)
    return Assessment(_told(game, found), Worth(value.outcome, value.plies))


def _solution(game: Game, state: State, work: Work, seconds: float) -> Solution:
    """A solution that covers the position, found in the time there is."""
    if _beyond.get(game, -1.0) >= seconds:
        raise Unsolved(_too_long(game, _beyond[game]))

    def solve(own: Work) -> Solution:
        try:
            return solve_at(game, state, solve_once(game, own), work=own)
        except Unsolved:
            if work.stopped or not own.stopped:
                raise
            if len(_beyond) >= MOST_BEYOND:
                _beyond.clear()
            _beyond[game] = seconds
            raise Unsolved(_too_long(game, seconds)) from None

    return within(seconds, work, solve)


def _too_long(game: Game, seconds: float) -> str:
    return f"{game.name} as it is played here was not solved within {seconds:g} s"


def _listed(game: Game, solution: Solution, state: State, played: Move | None) -> Sequence[Move]:
    """The moves to tell of: all, or a spread with the best and the one played."""
    moves = game.moves(state)
    if len(moves) <= MOST_MOVES:
        return moves
    wanted = dict.fromkeys(solution.best(state)[: MOST_MOVES // 2])
    if played is not None:
        wanted[played] = None
    step = 1 + len(moves) // (MOST_MOVES - len(wanted))
    wanted |= dict.fromkeys(moves[place] for place in range(0, len(moves), step))
    return sorted(wanted, key=moves.index)


def _searched(game: Chopsticks, state: State, work: Work, ends: float) -> Assessment:
    """With barred loops: a move off the proof is searched, and has its share of the time."""

    def ask(question: Callable[[], T], among: int) -> T:
        def answer(own: Work) -> T:
            solution.work = own
            return question()

        return within(max(0.0, ends - time.monotonic()) / among, work, answer)

    solution = _barred(game, work, (ends - time.monotonic()) / 2)
    value = ask(partial(solution.value, state), 1)
    moves = game.moves(state)
    found: dict[Move, Worth] = {}
    for number, move in enumerate(moves):
        worth: Value | None = Value("loss")
        if value.outcome != "loss":  # else every move loses
            worth = ask(partial(value_move, solution, state, move), len(moves) - number)
        if worth is not None:
            found[move] = Worth(worth.outcome)
    missing = len(moves) - len(found)
    why_not = f"{missing} of the {len(moves)} moves have no proof yet" if missing else ""
    return Assessment(_told(game, found) if found else (), Worth(value.outcome), why_not)


def _barred(game: Chopsticks, work: Work, seconds: float) -> BarredSolution:
    """The proof of the whole game if it is soon found, else one that grows by what is asked."""
    if game in _unproven:
        return _unproven[game]
    try:
        return cast(BarredSolution, within(seconds, work, partial(solve_once, game)))
    except Unsolved:
        if work.stopped:
            raise
    if len(_unproven) >= MOST_UNPROVEN:
        _unproven.clear()
    _unproven[game] = within(seconds, work, partial(BarredSolution, game))
    return _unproven[game]


# Othello


def _othello(game: Othello, state: State, work: Work, seconds: float) -> Assessment:
    if is_estimated(game, state):
        return _guessed(game, state, estimated(game, state, work=work, seconds=seconds))
    solution = solve_at(game, state, work=work)
    end = solution if isinstance(solution, EndSolution) else None
    found = {}
    for move in game.moves(state):
        value = solution.after(state, move)
        score = end.margin_after(state, move) if end else None
        found[move] = Worth(value.outcome, value.plies, score)
    value = solution.value(state)
    score = end.margin(state) if end else None
    return Assessment(_told(game, found), Worth(value.outcome, value.plies, score))


def _guessed(game: Othello, state: State, guess: Estimate) -> Assessment:
    """What an estimate says of the moves."""
    empty = 0 if guess.exact else empties(game, state)
    found = {
        move: Worth(outcome_of(score, empty), None, score, guess.exact)
        for move, score in guess.scores.items()
    }
    told = _told(game, found)
    return Assessment(told, found[guess.best], "", guess.by, guess.plies, guess.certainty)


def estimate_of(game: Game, state: State, found: Assessment) -> Estimate | None:
    """The estimate an assessment of this position rests on, if it does."""
    if not found.by:
        return None
    scores = {game.read_move(state, each.move): each.score or 0.0 for each in found.moves}
    proven = found.value is not None and found.value.exact
    return Estimate(found.by, found.ahead, scores, found.certainty, proven)


SLIGHT = 4  # discs: who gives away no more, and no outcome that is proven, made no mistake


@dataclass(frozen=True)
class Reviewed:
    """One move of a game, judged.

    `verdict` is `best`, `good` (the outcome is kept, but later, or by fewer discs), `mistake`,
    `only move` where there was no other, or `unknown`. `cost` counts discs in Othello and
    elsewhere the steps from win to draw to loss; `words` say it.
    """

    number: int  # from 1
    seat: int
    move: str
    before: Worth | None  # what whoever moved could have had
    after: Worth | None  # and what was left
    verdict: str
    cost: float = 0
    words: str = ""
    best: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the verdict is proven."""
        worths = (self.before, self.after)
        return all(worth is not None and worth.exact for worth in worths)


def judged(game: Game, state: State, move: Move, number: int, found: Assessment) -> Reviewed:
    """A move, judged by what was found about the position it was made in."""
    seat, text = game.turn(state), game.write_move(move)
    after = next((known.worth for known in found.moves if known.move == text), None)
    best = tuple(known.move for known in found.moves if known.best)
    before = found.value
    if len(game.moves(state)) == 1:
        return Reviewed(number, seat, text, before, after, "only move", best=best)
    if before is None or after is None:
        return Reviewed(number, seat, text, before, after, "unknown", best=best)
    verdict, cost, words = _verdict(before, after)
    return Reviewed(number, seat, text, before, after, verdict, cost, words, best)


def _verdict(before: Worth, after: Worth) -> tuple[str, float, str]:
    """What to call the move, what it cost, and that in words."""
    steps = OUTCOMES.index(before.outcome) - OUTCOMES.index(after.outcome)
    dropped = f"{before.outcome} → {after.outcome}" if steps > 0 else ""
    if before.score is None or after.score is None:
        if steps > 0:
            return "mistake", steps, dropped
        return _slower(before, after)
    lost = round(before.score - after.score, 1)
    if lost <= 0:
        return "best", 0, ""
    proven = before.exact and after.exact
    discs = f"{lost:g} {'disc' if lost == 1 else 'discs'}"
    words = f"{dropped}, {discs}" if dropped and proven else discs
    return ("mistake" if lost > SLIGHT or (dropped and proven) else "good"), lost, words


def _slower(before: Worth, after: Worth) -> tuple[str, float, str]:
    """The outcome is kept; but a win may come later than it need, and a loss sooner."""
    if None in (before.plies, after.plies) or before.plies == after.plies:
        return "best", 0, ""
    plies = abs((after.plies or 0) - (before.plies or 0))
    said = f"{plies} ply" if plies == 1 else f"{plies} plies"
    return "good", 0, f"{said} {'later' if after.outcome == 'win' else 'sooner'}"
