"""One game: a player that fails loses it, with the reason on record."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

from parlour.arena.plan import HOUSE, Entry, Fixture, Plan, make_house_bot
from parlour.arena.playing import FaultRecorder, play_game
from parlour.arena.results import GameResult
from parlour.core import Clock, IllegalMove, ParlourError, referee, registry
from parlour.core.options import values
from parlour.core.protocol import Resigns
from parlour.core.referee import Match, Timer, drive

NIM = registry.game("nim")


class First:
    """Takes the first legal move."""

    def choose(self, game, state):
        return game.moves(state)[0]


class Failing(First):
    """Raises an error, or returns something else than a move."""

    def __init__(self, answer):
        self.answer = answer

    def choose(self, game, state):
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class Slow(First):
    """Takes 0.12 s for every move, by a clock of its own."""

    seconds = 0.0

    def choose(self, game, state):
        self.seconds += 0.12
        return super().choose(game, state)


def driven(second, clock: Clock | None = None) -> FaultRecorder:
    now = (lambda: second.seconds) if isinstance(second, Slow) else time.perf_counter
    faults = FaultRecorder(Match(NIM, ("good", "bad")))
    faults.timer = Timer(NIM.seats, clock, now)
    for _ in drive(faults.match, [First(), second], timer=faults.timer, fail=faults.blame):
        pass
    return faults


def test_a_player_that_fails_loses_with_the_reason():
    for answer, fault, reason in (
        (ZeroDivisionError(), "crash", "crashed: ZeroDivisionError"),
        (SystemExit(3), "crash", "crashed: SystemExit: 3"),
        ((9, 9), "illegal", "chose (9, 9), which is not a legal move"),
        ("the middle one", "illegal", "chose 'the middle one'"),
        (IllegalMove("it is gone"), "illegal", "named no legal move: it is gone"),
        (ParlourError("no line"), "crash", "could not go on: no line"),
        (referee.OutOfTime("was late"), "time", "was late"),
    ):
        game = driven(Failing(answer))
        assert game.match.result == (1, -1)
        assert game.match.reason.startswith(f"player 2 {reason}")
        assert (game.fault.fault, game.seat) == (fault, 1)


def test_to_resign_is_no_fault():
    game = driven(Failing(Resigns("it is late")))
    assert game.match.result == (1, -1)
    assert (game.fault, game.match.reason) == (None, "player 2 resigned: it is late")


def test_a_player_that_thinks_too_long_loses():
    game = driven(Slow(), Clock(each=0.06))
    assert (game.match.result, game.fault.fault) == ((1, -1), "time")
    assert game.match.reason == "player 2 took longer than 0.06 s for a move"


def test_a_clock_for_the_game_runs_over_all_moves():
    game = driven(Slow(), Clock(total=0.2))
    assert game.match.reason == "player 2 ran out of time"
    assert len(game.match.moves) > 2  # the first answer was in time


def test_time_is_added_for_every_move():
    assert driven(Slow(), Clock(total=1.0, added=0.5)).fault is None


def test_a_bot_that_can_be_stopped_answers_in_time(monkeypatch):
    class Thinking(Slow):
        def __init__(self) -> None:
            self.enough = threading.Event()

        def stop(self) -> None:
            self.enough.set()

        def choose(self, game, state):
            self.enough.wait(60)
            return First.choose(self, game, state)

    bot = Thinking()

    def alarm(seconds, stop):
        def ring() -> None:
            if not bot.enough.is_set():
                bot.seconds += seconds  # have passed by the bot's clock
            stop()

        return threading.Timer(0.0, ring)

    monkeypatch.setattr(referee, "threading", SimpleNamespace(Timer=alarm))
    game = driven(bot, Clock(each=1.0))
    assert game.fault is None
    assert 0.5 < game.timer.spent[1] < 1.0


def play_from(*opening):
    """A game of two perfect players from here."""
    entries = Entry("one", HOUSE, "perfect"), Entry("other", HOUSE, "perfect")
    plan = Plan("tictactoe", entries, openings=(opening,))
    return play_game(plan, plan.make_game(), Fixture(0, 1, 0))


def test_openings_are_on_record_and_not_the_players():
    game = play_from("a1", "b2")
    assert game.record.moves[:2] == ("a1", "b2")
    assert game.record.opening == 2
    assert game.record.seconds[:2] == (0.0, 0.0)
    assert GameResult.from_json(game.to_json()) == game
    assert game.record.result == (0, 0)
    assert game.record.players == ("one", "other")
    assert Match.from_record(registry.game("tictactoe"), game.record).over


def test_a_blunder_of_the_opening_is_not_marked():
    """An edge against a corner loses; whom the opening gave the win keeps it to the end."""
    game = play_from("a1", "b1")
    assert game.record.result == (1, -1)
    assert [(each.given, each.mistake) for each in game.accuracy] == [(0, None), (0, None)]


def test_a_random_player_has_a_new_seed_in_every_game_unless_it_is_given_one():
    assert values(make_house_bot(Entry("r", HOUSE, "random"), 5))["seed"] == 5
    assert values(make_house_bot(Entry("r", HOUSE, "random seed=3"), 5))["seed"] == 3
