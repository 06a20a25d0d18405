"""The schedule is FSRS's own, also after a clock went wrong or with two devices."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from fsrs import Card, Rating, Scheduler

from parlour.lessons import Answered, add_answer, due_at, merge_answers

DAY = 24 * 3600.0
BEGIN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC).timestamp()


def record_history(seed: int) -> list[Answered]:
    """The answers that a person might give over some months."""
    chance = random.Random(seed)
    at, found = BEGIN, []
    for _ in range(chance.randrange(1, 15)):
        at += chance.choice([600.0, DAY, 3 * DAY, 20 * DAY]) * chance.uniform(0.8, 1.5)
        found.append(Answered(at, chance.random() < 0.7))
    return found


def test_the_schedule_equals_fsrs_on_recorded_histories():
    for seed in range(60):
        history = record_history(seed)
        scheduler = Scheduler(enable_fuzzing=False)
        card = Card(due=datetime.fromtimestamp(history[0].time, UTC))
        for answer in history:
            rating = Rating.Good if answer.is_right else Rating.Again
            card, _ = scheduler.review_card(card, rating, datetime.fromtimestamp(answer.time, UTC))
        assert due_at(history) == card.due.timestamp()


def test_a_missed_puzzle_comes_back_sooner_than_a_solved_one():
    known = [Answered(BEGIN, True), Answered(BEGIN + DAY, True), Answered(BEGIN + 5 * DAY, True)]
    missed = [*known[:2], Answered(BEGIN + 5 * DAY, False)]
    assert BEGIN + 5 * DAY < due_at(missed) < due_at(known)
    assert due_at([]) == 0.0


def test_a_clock_that_went_back_is_not_believed():
    history = [Answered(BEGIN, True), Answered(BEGIN + 10 * DAY, True), Answered(BEGIN + DAY, True)]
    assert due_at(history) >= due_at(history[:2])
    later, counts = add_answer(history[:2], BEGIN - 50 * DAY, False)
    assert counts
    assert [each.is_right for each in later] == [True, True, False]
    assert [each.time for each in later] == sorted({each.time for each in later})


def test_two_devices_lose_and_double_nothing():
    for seed in range(20):
        history = record_history(seed)
        one, other = history[::2], history[1::2]
        assert merge_answers(one, other) == tuple(history)
        assert merge_answers(other, one, history) == tuple(history)
        assert due_at(merge_answers(other, one)) == due_at(history)


def test_a_second_try_at_once_does_not_count():
    history, counts = add_answer([], BEGIN, False)
    assert counts
    assert add_answer(history, BEGIN + 20, True) == (history, False)
    assert add_answer(history, BEGIN + DAY, True)[1]


def test_an_answer_by_a_clock_that_was_ahead_is_neither_lost_nor_in_the_way():
    year = 365 * DAY
    history, _ = add_answer((), 1000.0, False)
    history, _ = add_answer(history, 1000.0 + year, True)  # the clock was a year ahead
    now = 1000.0 + 2 * DAY
    assert due_at(history) > now + year / 2
    assert due_at(history, now) <= now  # it is asked again at once
    after, counted = add_answer(history, now, True)
    assert counted
    assert [each.is_right for each in after] == [False, True, True]
    assert [each.time for each in after] == sorted({each.time for each in after})
    assert after[-1].time == now
    assert due_at(after) < now + year / 2
