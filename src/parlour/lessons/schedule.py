"""When a puzzle comes back: FSRS, replayed from what somebody answered and when.

Only the answers are stored. The schedule follows from them, so that answers given on two devices
are merged by their times, and a change of the scheduler needs no migration. A clock that went back
is not believed: an answer is never earlier than the one before. Nor is one that went ahead: an
answer that lies in the future was given now, so the puzzle is asked again and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

SAME_SITTING = 300.0  # seconds within which another answer to the same puzzle is a second try


class Answered(NamedTuple):
    """An answer to a puzzle: when, in seconds since the epoch, and whether it was right."""

    time: float
    is_right: bool


def merge_answers(*histories: Iterable[Answered]) -> tuple[Answered, ...]:
    """Return the answers of several devices as one history, in order, each once."""
    return tuple(sorted({each for history in histories for each in history}))


def add_answer(
    history: Sequence[Answered], now: float, is_right: bool
) -> tuple[tuple[Answered, ...], bool]:
    """Return the history with an answer, and whether it counted: a second try at once does not."""
    last = history[-1].time if history else None
    if last is not None and abs(now - last) < SAME_SITTING:
        return tuple(history), False
    known = [
        each._replace(time=min(each.time, now - len(history) + number))  # still in order
        for number, each in enumerate(history)
    ]
    return (*known, Answered(now, is_right)), True


def due_at(history: Sequence[Answered], now: float | None = None) -> float:
    """Return when a puzzle with this history should come back, in seconds since the epoch.

    It should at once if it was answered after `now`, by a clock that was wrong.
    """
    from fsrs import Card, Rating, Scheduler

    if not history:
        return 0.0
    if now is not None and history[-1].time >= now + SAME_SITTING:
        return now
    scheduler, before = Scheduler(enable_fuzzing=False), history[0].time
    card = Card(card_id=1, due=_moment(before))
    for answer in history:
        before = max(before, answer.time)
        rating = Rating.Good if answer.is_right else Rating.Again
        card, _ = scheduler.review_card(card, rating, _moment(before))
    return card.due.timestamp()


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
