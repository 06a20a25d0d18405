"""Training: hats play against each other, or against a player who does not learn, and learn.

The games are played by compiled code on the list of situations. Training can be stopped at any game
and go on later: the same seed then gives the same hats as if it had never stopped.
"""

from __future__ import annotations

import time

from parlour.core import TOTAL, ParlourError, Work
from parlour.learn.hat_set import MOST_GAMES, Hats, Tally
from parlour.learn.measure import measure, opponent_balls

SLICE = 5000  # games between two looks at the clock
LONGEST = 1000  # plies, after which a game that need not end is a draw
STEPS = (10, 15, 20, 30, 50, 70)  # when the curve is measured: at these times a power of ten


def train(hats: Hats, games: int, *, work: Work | None = None, curve: bool = True) -> Tally:
    """Play so many more games and learn from each; what happened in them is returned.

    A `work` that is stopped ends it after the game at hand. With `curve` the hats are measured now
    and then as the games go by, though not once the work is stopped.
    """
    check_games(hats, games)
    work = work or Work()
    work.cells[TOTAL] = max(work.total, work.done + games)
    before = Tally([*hats.tally.wins], hats.tally.draws, [*hats.tally.resigned])
    end = hats.games + games
    try:
        _train_to(hats, end, work, curve=curve)
    except ParlourError:
        if not work.stopped:
            raise
    after = hats.tally
    return Tally(
        [now - then for now, then in zip(after.wins, before.wins, strict=True)],
        after.draws - before.draws,
        [now - then for now, then in zip(after.resigned, before.resigned, strict=True)],
        after.dry,
    )


def train_for(hats: Hats, until: int, seconds: float, *, work: Work | None = None) -> None:
    """Play towards so many games in all, up to the next point of the curve or so many seconds.

    However often it goes on like this, the hats and their curves become those of one `train`.
    """
    check_games(hats, until - hats.games)
    work = work or Work()
    if not all(hats.curves):
        _measure_now(hats, work)
    mark, deadline = _next_mark(hats.games, until), time.monotonic() + seconds
    while hats.games < mark and not work.stopped:
        _play_games(hats, min(SLICE, mark - hats.games), work)
        if time.monotonic() > deadline:
            break
    if hats.games == mark:
        _measure_now(hats, work)


def check_games(hats: Hats, games: int) -> None:
    """Refuse, before any game, a number of games that these hats cannot play."""
    if games < 0:
        raise ParlourError(f"they cannot play {games:,} games; say 0 or more")
    if games > MOST_GAMES - hats.games:
        raise ParlourError(
            f"hats play up to {MOST_GAMES:,} games in all, and these have played "
            f"{hats.games:,}; they cannot play {games:,} more"
        )


def _next_mark(games: int, end: int) -> int:
    power = 1
    while True:
        for step in STEPS:
            if step * power > games:
                return min(step * power, end)
        power *= 10


def _train_to(hats: Hats, end: int, work: Work, *, curve: bool) -> None:
    """Games and measures in turn, until so many are played or the work is stopped."""
    if curve:
        _measure_now(hats, work)
    while hats.games < end and not work.stopped:
        _play_games(hats, (_next_mark(hats.games, end) if curve else end) - hats.games, work)
        if curve:
            _measure_now(hats, work)


def _measure_now(hats: Hats, work: Work) -> None:
    """Measure every player; a second measure after the same games replaces the first.

    Whoever stops the work does not wait for it: the curve then lacks this point.
    """
    measured = [measure(hats, row, work) for row in range(len(hats.balls))]
    for points, point in zip(hats.curves, measured, strict=True):
        while points and points[-1].games >= hats.games:
            points.pop()
        points.append(point)


def _play_games(hats: Hats, games: int, work: Work) -> None:
    """The games themselves, compiled."""
    import numpy as np

    from parlour.kernels import hats as kernels

    listed, rule, told = hats.boxes, hats.rule, hats.tally
    rows = [np.frombuffer(row, np.int32) for row in hats.balls]
    learns = [1] * len(rows)
    if hats.against not in ("another", "itself"):
        rows.append(np.frombuffer(opponent_balls(listed, hats.against, work), np.int32))
        learns.append(0)
    balls = np.stack(rows)
    chance = np.array([hats.chance], np.uint64)
    dry = -1 if told.dry is None else told.dry
    tally = np.array([*told.wins, told.draws, *told.resigned, dry, hats.games], np.int64)
    kernels.train(
        np.frombuffer(listed.first, np.int64),
        np.frombuffer(listed.leads, np.int32),
        np.frombuffer(listed.boxed, np.int8),
        balls,
        np.array(learns, np.int8),
        hats.starts == "alternate",
        np.array([rule.loss, rule.draw, rule.win], np.int64),
        rule.fewest,
        games,
        LONGEST,
        chance,
        tally,
        np.frombuffer(work.cells, np.int64),
    )
    first, second, draws, gave_up, other_gave_up, dry, played = map(int, tally)
    for row, learned in zip(hats.balls, balls, strict=False):
        np.frombuffer(row, np.int32)[:] = learned
    hats.chance, hats.games = int(chance[0]), played
    hats.tally = Tally([first, second], draws, [gave_up, other_gave_up], None if dry < 0 else dry)
