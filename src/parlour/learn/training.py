"""Training hats, and measuring them against the exact values.

Hats train against each other, or against a player who does not learn; the games are played by
compiled code over the listed situations. Training can stop after any game and continue later: the
same seed gives the same hats as if it had never stopped.

A ball is right when it keeps the value of the situation. The odds against an opponent are computed
from the probabilities of all balls, not sampled.
"""

from __future__ import annotations

import random
import time
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from parlour import core, kernels
from parlour.core import (
    Game,
    Match,
    Move,
    ParlourError,
    Resigns,
    Solution,
    State,
    Unsolved,
    Work,
    say,
)
from parlour.learn import hat_set
from parlour.learn.hat_set import Boxes, Hats, Odds, Point, TrainingTally
from parlour.players import Perfect
from parlour.truth import solve_once

MAX_SWEEPS = 10_000  # a game that ends needs at most one for each of its plies
ACCURACY = 12  # digits of a probability, so that what is certain is exactly 0 or 1
OPPONENTS = {"random": "random", "perfect": "any perfect"}


@dataclass(frozen=True)
class Truth:
    """The value of a situation for its mover, and the balls that keep it."""

    outcome: str
    right: tuple[int, ...]  # kinds of ball; none where no ball can be wrong


def find_truths(listed: Boxes, work: Work | None = None) -> list[Truth]:
    """Return the truth about each situation; `Unsolved` if the work is stopped first."""
    work = work or Work()
    if "truths" not in listed.truths:
        solution = _solve_keeping_progress(listed.game, work)
        found = []
        for state, balls, boxed in zip(listed.states, listed.balls, listed.boxed, strict=True):
            _check_stopped(work)
            value = solution.value(state).outcome
            sure = value == "loss" or not boxed
            worth = [] if sure else [solution.after(state, ball.moves[0]) for ball in balls]
            kinds = tuple(kind for kind, after in enumerate(worth) if after.outcome == value)
            found.append(Truth(value, kinds if len(kinds) < len(balls) else ()))
        listed.truths["truths"] = found
    known: list[Truth] = listed.truths["truths"]
    return known


def _solve_keeping_progress(game: Game, work: Work) -> Solution:
    """Solve the game without disturbing the progress that training shows."""
    done, total = work.done, work.total
    solution = solve_once(game, work)
    work.done, work.total = done, total
    return solution


def _check_stopped(work: Work) -> None:
    if work.stopped:
        raise Unsolved(say("stopped before the hats were measured"))


def opponent_balls(listed: Boxes, name: str, work: Work | None = None) -> array[int]:
    """Return a player who does not learn, as balls: one for each move that it may make.

    Training is against the bot "perfect", which picks the hardest of its best moves. Measuring is
    against "any perfect" player: each best move is equally likely.
    """
    work = work or Work()
    if name not in listed.truths:
        perfect, solution = Perfect(), _solve_keeping_progress(listed.game, work)
        row = array("i")
        for state, balls in zip(listed.states, listed.balls, strict=True):
            _check_stopped(work)
            if name == "random":
                row.extend(ball.ways for ball in balls)
                continue
            one = name == "perfect"
            moves = [perfect.choose(listed.game, state)] if one else solution.best(state)
            row.extend(sum(move in ball.moves for move in moves) for ball in balls)
        listed.truths[name] = row
    known: array[int] = listed.truths[name]
    return known


def ball_probabilities(listed: Boxes, row: Sequence[int], *, likeliest: bool = False) -> Any:
    """Return how likely each ball is to be played."""
    import numpy as np

    held = np.array(row, np.float64)
    first = np.frombuffer(listed.first, np.int64)
    starts, widths = first[:-1], first[1:] - first[:-1]
    if likeliest:
        most = np.repeat(np.maximum.reduceat(held, starts), widths)
        held = ((held == most) & (held > 0)).astype(np.float64)
    total = np.repeat(np.add.reduceat(held, starts), widths)
    return np.divide(held, total, out=np.zeros_like(held), where=total > 0)


def compute_odds(
    hats: Hats, row: int, *, likeliest: bool = False, work: Work | None = None
) -> tuple[Odds, ...]:
    """Return a player's odds against a random and a perfect one, at each seat it trained at."""
    import numpy as np

    listed, work = hats.boxes, work or Work()
    own = ball_probabilities(listed, hats.balls[row], likeliest=likeliest)
    found = []
    for name, like in OPPONENTS.items():
        won, lost = np.zeros((2, len(listed.states))), np.zeros((2, len(listed.states)))
        kernels.hats.outcome_probabilities(
            np.frombuffer(listed.first, np.int64),
            np.frombuffer(listed.leads, np.int32),
            own,
            ball_probabilities(listed, opponent_balls(listed, like, work)),
            MAX_SWEEPS,
            won,
            lost,
            np.frombuffer(work.cells, np.int64),
        )
        _check_stopped(work)
        for seat in hats.seats(row):
            win, loss = (round(float(sums[seat, 0]), ACCURACY) for sums in (won, lost))
            found.append(Odds(name, seat, win, round(max(0.0, 1 - win - loss), ACCURACY), loss))
    return tuple(found)


def measure(hats: Hats, row: int, work: Work | None = None) -> Point:
    """Measure how well a player's hats play now; `Unsolved` if the work is stopped."""
    work = work or Work()
    listed, known = hats.boxes, find_truths(hats.boxes, work)
    likely = ball_probabilities(listed, hats.balls[row])
    correct, tested, probability = 0, 0, 0.0
    for box in hats.own_boxes(row):
        _check_stopped(work)
        right = known[box].right
        if right:
            favourites = hats.likeliest(row, box)
            correct += bool(favourites) and {*favourites} <= {*right}
            tested += 1
            probability += sum(float(likely[listed.first[box] + kind]) for kind in right)
    odds = compute_odds(hats, row, work=work)
    return Point(hats.games, correct, tested, probability / max(1, tested), odds)


GAMES_PER_SLICE = 5000  # between two looks at the clock
MAX_PLIES = 1000  # plies, after which a game that need not end is a draw
STEPS = (10, 15, 20, 30, 50, 70)  # the curve is measured after these times a power of ten games


def train(
    hats: Hats,
    games: int,
    *,
    against: Any = None,
    work: Work | None = None,
    curve: bool = True,
) -> TrainingTally:
    """Play this many more games, learn from each, and return their results.

    The opponent is the one that the hats were made for, in compiled code; or it is any player given
    as `against`: a bot, its class, name or file, or a function of a game and a state. Stopping
    `work` ends training after the current game. With `curve` the hats are measured from time to
    time, though not once the work is stopped.
    """
    core.check_type("hats", hats, Hats, "it must be hats, as parlour.hats(game) makes them")
    games = core.check_argument("games", games, int)
    check_games(hats, games)
    opponent = None if against is None else core.registry.bot(against, "against")
    work = core.to_work(work)
    work.total = max(work.total, work.done + games)
    before = TrainingTally([*hats.tally.wins], hats.tally.draws, [*hats.tally.resigned])
    end = hats.games + games
    try:
        _train_to(hats, end, work, opponent, curve=curve)
    except ParlourError:
        if not work.stopped:
            raise
    after = hats.tally
    return TrainingTally(
        [now - then for now, then in zip(after.wins, before.wins, strict=True)],
        after.draws - before.draws,
        [now - then for now, then in zip(after.resigned, before.resigned, strict=True)],
        after.ran_out_at,
    )


def train_for(hats: Hats, until: int, seconds: float, *, work: Work | None = None) -> None:
    """Train towards `until` games in all, up to the next point of the curve or `seconds`.

    Repeated calls give the same hats and curves as a single `train`.
    """
    check_games(hats, until - hats.games)
    work = work or Work()
    if not all(hats.curves):
        _measure_now(hats, work)
    mark, deadline = _next_mark(hats.games, until), time.monotonic() + seconds
    while hats.games < mark and not work.stopped:
        _play_games(hats, min(GAMES_PER_SLICE, mark - hats.games), work)
        if time.monotonic() > deadline:
            break
    if hats.games == mark:
        _measure_now(hats, work)


def check_games(hats: Hats, games: int) -> None:
    """Raise `ParlourError`, before any game, if these hats cannot play this many more."""
    left = hat_set.MAX_GAMES - hats.games
    if not 0 <= games <= left:
        raise ParlourError(
            "hats play up to {most:,} games in all; these can play {left:,} more, not {games:,}",
            most=hat_set.MAX_GAMES,
            left=left,
            games=games,
        )


def _next_mark(games: int, end: int) -> int:
    power = 1
    while True:
        for step in STEPS:
            if step * power > games:
                return min(step * power, end)
        power *= 10


def _train_to(hats: Hats, end: int, work: Work, opponent: Any, *, curve: bool) -> None:
    """Play and measure in turn, until `end` games are played or the work is stopped."""
    if curve:
        _measure_now(hats, work)
    while hats.games < end and not work.stopped:
        games = (_next_mark(hats.games, end) if curve else end) - hats.games
        if opponent is None:
            _play_games(hats, games, work)
        else:
            _play_against(hats, opponent, games, work)
        if curve:
            _measure_now(hats, work)


def _play_against(hats: Hats, opponent: Any, games: int, work: Work) -> None:
    """Play games through the rules, against a player who chooses its own moves."""
    seats = hats.seats(0)
    for _ in range(games):
        if work.stopped:
            return
        _play_one(hats, seats[hats.games % len(seats)], opponent)
        work.done += 1


def _play_one(hats: Hats, seat: int, opponent: Any) -> None:
    """Play a game and learn from it."""
    rng = random.Random(f"{hats.seed} {hats.games}")
    drawn: list[tuple[State, int]] = []

    def choose(game: Game, state: State) -> Move:
        kind = hats.draw(seat, state, rng)
        if kind is None:
            raise Resigns
        drawn.append((state, kind))
        return hats.boxes.moves(state, kind)[0]

    match = Match(hats.game, ("hats", "opponent"), most_moves=MAX_PLIES)
    players: list[Any] = [choose, opponent] if seat == 0 else [opponent, choose]
    for _ in core.drive(match, players):
        pass
    hats.learn({seat: drawn}, match.result or (), seat if match.loser == seat else None)


def _measure_now(hats: Hats, work: Work) -> None:
    """Add a point to every player's curve, replacing one measured after the same games.

    If the work is stopped meanwhile, the curve lacks this point.
    """
    measured = [measure(hats, row, work) for row in range(len(hats.balls))]
    for points, point in zip(hats.curves, measured, strict=True):
        points[:] = [*(each for each in points if each.games < hats.games), point]


def _play_games(hats: Hats, games: int, work: Work) -> None:
    """Play the games in compiled code."""
    import numpy as np

    listed, rule, before = hats.boxes, hats.rule, hats.tally
    rows = [np.frombuffer(row, np.int32) for row in hats.balls]
    learns = [1] * len(rows)
    if hats.against not in ("another", "itself"):
        rows.append(np.frombuffer(opponent_balls(listed, hats.against, work), np.int32))
        learns.append(0)
    balls = np.stack(rows)
    rng_state = np.array([hats.rng_state], np.uint64)
    ran_out = -1 if before.ran_out_at is None else before.ran_out_at
    tally = np.array([*before.wins, before.draws, *before.resigned, ran_out, hats.games], np.int64)
    kernels.hats.train(
        np.frombuffer(listed.first, np.int64),
        np.frombuffer(listed.leads, np.int32),
        np.frombuffer(listed.boxed, np.int8),
        balls,
        np.array(learns, np.int8),
        hats.starts == "alternate",
        np.array([rule.loss, rule.draw, rule.win], np.int64),
        rule.fewest,
        games,
        MAX_PLIES,
        rng_state,
        tally,
        np.frombuffer(work.cells, np.int64),
    )
    first, second, draws, gave_up, other_gave_up, ran_out, played = map(int, tally)
    for row, learned in zip(hats.balls, balls, strict=False):
        np.frombuffer(row, np.int32)[:] = learned
    hats.rng_state, hats.games = int(rng_state[0]), played
    resigned = [gave_up, other_gave_up]
    hats.tally = TrainingTally([first, second], draws, resigned, None if ran_out < 0 else ran_out)


# The next game, ball by ball, before it is played. Compiled training plays thousands of games a
# second; nobody can follow that. The seed fixes every draw, so that training then plays this game.


@dataclass(frozen=True)
class BallDrawn:
    """One turn: the box that is opened, and the ball that comes out."""

    seat: int
    player: int  # 0 or 1, as the tally counts them
    row: int | None  # whose hats, or None for an opponent who does not learn
    box: int
    state: State
    kind: int | None  # of ball; None from an empty box, whose owner resigns


@dataclass(frozen=True)
class BallChange:
    """What becomes of one kind of ball after the game."""

    row: int
    box: int
    kind: int
    before: int
    after: int


@dataclass(frozen=True)
class NextGame:
    """A game that training is about to play."""

    number: int  # counted from 1
    turns: tuple[BallDrawn, ...]
    result: core.protocol.Result  # by seat
    changes: tuple[BallChange, ...]  # in the order in which the balls were drawn


def foresee_game(hats: Hats) -> NextGame:
    """Return the game that training plays next; the hats stay as they are."""
    import numpy as np

    listed, rng_state = hats.boxes, np.array([hats.rng_state], np.uint64)
    rows = list(hats.balls)
    if hats.against not in ("another", "itself"):
        rows.append(opponent_balls(listed, hats.against))
    begins = hats.games & 1 if hats.starts == "alternate" else 0
    state = hats.game.start()
    situation, seat, winner = 0, 0, -1
    turns: list[BallDrawn] = []
    while len(turns) < MAX_PLIES:
        player = (seat + begins) & 1
        row = player if len(rows) == 2 else 0
        learns = row if row < len(hats.balls) else None
        begin, end = listed.first[situation], listed.first[situation + 1]
        kind: int | None = 0
        if listed.boxed[situation]:
            held = np.frombuffer(rows[row], np.int32)
            place = kernels.hats.draw_next(held, begin, end, rng_state)
            kind = place - begin if place >= 0 else None
        turns.append(BallDrawn(seat, player, learns, situation, state, kind))
        if kind is None:
            winner = 1 - seat
            break
        state = hats.game.play(state, listed.moves(state, kind)[0])
        leads = listed.leads[begin + kind]
        if leads < 0:
            if leads != hat_set.DRAW:
                winner = seat if leads == hat_set.WIN else 1 - seat
            break
        situation = leads >> 1
        if not leads & 1:
            seat = 1 - seat
    result = (0, 0) if winner < 0 else tuple(1 if each == winner else -1 for each in (0, 1))
    return NextGame(hats.games + 1, tuple(turns), result, _list_changes(hats, turns, result))


def _list_changes(
    hats: Hats, turns: list[BallDrawn], result: core.protocol.Result
) -> tuple[BallChange, ...]:
    """List what the rule does to each ball that was drawn, one after the other."""
    found: list[BallChange] = []
    now: dict[tuple[int, int], int] = {}
    for turn in turns:
        if turn.row is None or turn.kind is None or not hats.boxes.boxed[turn.box]:
            continue
        place = turn.row, hats.boxes.first[turn.box] + turn.kind
        before = now.get(place, hats.balls[turn.row][place[1]])
        now[place] = hats.rule.update(before, result[turn.seat])
        found.append(BallChange(turn.row, turn.box, turn.kind, before, now[place]))
    return tuple(found)
