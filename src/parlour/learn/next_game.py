"""The next game of training, ball by ball, before it is played.

Training is compiled and plays thousands of games a second; nobody can follow that. The seed fixes
every draw, so the same draws can be made here slowly, and training then plays that very game.
"""

from __future__ import annotations

from dataclasses import dataclass

from parlour.core import State, protocol
from parlour.learn.hat_set import DRAW, WIN, Hats
from parlour.learn.training import MAX_PLIES, opponent_balls

STEP = 0x9E3779B97F4A7C15  # as the compiled training steps and mixes its counter
MASK = 2**64 - 1
MAX_SCALED = 2**32  # balls in a box up to which a draw scales a random number instead of dividing


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
    result: protocol.Result  # by seat
    changes: tuple[BallChange, ...]  # in the order in which the balls were drawn


def foresee_game(hats: Hats) -> NextGame:
    """Return the game that training plays next; the hats stay as they are."""
    listed, counter = hats.boxes, hats.rng_state
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
            counter = (counter + STEP) & MASK
            kind = _draw(list(rows[row][begin:end]), _scramble(counter))
        turns.append(BallDrawn(seat, player, learns, situation, state, kind))
        if kind is None:
            winner = 1 - seat
            break
        state = hats.game.play(state, listed.moves(state, kind)[0])
        leads = listed.leads[begin + kind]
        if leads < 0:
            if leads != DRAW:
                winner = seat if leads == WIN else 1 - seat
            break
        situation = leads >> 1
        if not leads & 1:
            seat = 1 - seat
    result = (0, 0) if winner < 0 else tuple(1 if each == winner else -1 for each in (0, 1))
    return NextGame(hats.games + 1, tuple(turns), result, _list_changes(hats, turns, result))


def _list_changes(
    hats: Hats, turns: list[BallDrawn], result: protocol.Result
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


def _draw(held: list[int], number: int) -> int | None:
    """Return the kind of ball that a random number draws; None from an empty box."""
    total = sum(held)
    if not total:
        return None
    left = ((number >> 32) * total) >> 32 if total <= MAX_SCALED else number % total
    for kind, balls in enumerate(held):
        left -= balls
        if left < 0:
            return kind
    raise AssertionError("a number below the total falls on a ball")


def _scramble(counter: int) -> int:
    """Return the random number of a counter, by splitmix64."""
    z = counter
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)
