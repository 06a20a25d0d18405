"""Marks against the truth as plain recursion finds it, and against what must add up."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import ClassVar

import pytest
from tests.learn.toys import Again, Toy
from tests.oracle import Oracle, oracle

import parlour
from parlour.arena.accuracy import measure_accuracy
from parlour.arena.results import Accuracy
from parlour.core.record import Record
from parlour.core.referee import Match

# Who wins from the start, as the first player sees it: from the specs and from the theory of each.
GAMES = {
    "nim": (("nim", {}), 1),  # 3 xor 4 xor 5 is not 0
    "misère nim": (("nim", {"piles": (1, 1, 1), "misere": True}), -1),
    "huge nim": (("nim", {"piles": (1000, 1000)}), -1),
    "nim with endings": (("nim", {"piles": (1, 2), "endings": ((1, 1),)}), 1),
    "sticks": (("sticks", {}), 1),  # lost with 1 more than a multiple of 4
    "tic-tac-toe": (("tictactoe", {}), 0),
    "chopsticks": (("chopsticks", {}), -1),
    "barred chopsticks": (("chopsticks", {"rules": "feathers"}), 1),
    "small othello": (("othello", {"columns": 4, "rows": 4}), -1),
}


def played(game: parlour.Game, seed: int, *, first: str = "random", second: str = "random"):
    seats = [parlour.bot(name, seed=seed + seat) for seat, name in enumerate((first, second))]
    return parlour.match(game, seats)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_points_given_away_add_up_to_the_result(name):
    """The value changes only by mistakes, from what it was at the start to the result."""
    (kind, options), worth = GAMES[name]
    game = parlour.game(kind, **options)
    for seed in range(8):
        record = played(game, seed)
        first, second = measure_accuracy(game, record)
        assert second.given - first.given == (record.result[0] - worth) / 2
        for each in (first, second):
            assert 0 <= each.won - each.kept <= each.judged
            assert (each.mistake is None) == (each.given == 0)
    for seed in range(2):
        perfect, _ = measure_accuracy(game, played(game, seed, first="perfect"))
        assert (perfect.given, perfect.mistake) == (0, None)
        assert perfect.kept == perfect.won


WORTH = {"win": 1, "draw": 0, "loss": -1}


def recounted(plain, record, first=0) -> tuple[Accuracy, ...]:
    """The marks of the moves from the first on, by the values of the oracle."""
    found, game = [Accuracy(), Accuracy()], plain.game
    for number, ((state, move), _) in enumerate(pairwise(record.replay(game)), start=1):
        if len(game.moves(state)) < 2 or number <= first:
            continue
        had, left = WORTH[plain.values[state][0]], WORTH[dict(plain.moves(state))[move][0]]
        was = found[game.turn(state)]
        found[game.turn(state)] = Accuracy(
            was.judged + 1,
            was.given + (had - left) / 2,
            was.won + (had == 1),
            was.kept + (had == left == 1),
            was.mistake or (number if had > left else None),
        )
    return tuple(found)


@pytest.mark.parametrize("name", ["nim", "nim with endings", "barred small", "tic-tac-toe"])
def test_every_mark_is_that_of_the_oracle(name):
    barred = ("chopsticks", {"dies_at": 3, "loops": "barred"})
    kind, options = barred if name == "barred small" else GAMES[name][0]
    game = parlour.game(kind, **options)
    for seed in range(20):
        record = played(game, seed)
        assert measure_accuracy(game, record) == recounted(oracle(game), record)


def test_the_last_squares_of_othello_are_judged_by_the_winner():
    game = parlour.game("othello")
    for seed in range(3):
        record = played(game, seed)
        states = [state for state, _ in record.replay(game)]
        first = next(n for n, s in enumerate(states) if (s[0] | s[1]).bit_count() >= 64 - 6)
        expected = recounted(Oracle(game, states[first]), record, first)
        assert measure_accuracy(game, replace(record, opening=first)) == expected


def test_othello_is_judged_where_at_most_sixteen_squares_are_empty():
    game = parlour.game("othello")
    record = played(game, 1)
    choices = [
        number
        for number, (state, move) in enumerate(record.replay(game), start=1)
        if move and (state[0] | state[1]).bit_count() >= 64 - 16 and len(game.moves(state)) > 1
    ]
    assert sum(each.judged for each in measure_accuracy(game, record)) == len(choices) > 0


def test_the_only_move_is_not_judged():
    game = parlour.game("nim", piles=(1, 1, 1))
    record = Record("nim", {}, ("a", "b"), ("1 from 1", "1 from 2", "1 from 3"))
    moves = [len(game.moves(state)) for state, move in record.replay(game) if move]
    assert moves == [3, 2, 1]
    assert [each.judged for each in measure_accuracy(game, record)] == [1, 1]


def test_the_opening_is_not_judged_and_moves_keep_their_numbers():
    game = parlour.game("nim", piles=(3, 4, 5))
    # 2,4,5 and 2,3,5 and 2,3,4: not one of these sums is 0, so each move gave a win away.
    record = Record("nim", {}, ("a", "b"), ("1 from 1", "1 from 2", "1 from 3"))
    assert measure_accuracy(game, record) == (Accuracy(2, 2.0, 2, 0, 1), Accuracy(1, 1.0, 1, 0, 2))
    assert measure_accuracy(game, replace(record, opening=2)) == (
        Accuracy(1, 1.0, 1, 0, 3),
        Accuracy(),
    )


class Patience(Toy):
    """Seat 0 wins at once by going; but either may wait, and then the other is asked."""

    name: ClassVar[str] = "patience"

    def start(self):
        return (0, 0)

    def moves(self, state):
        if state[1]:
            return ()
        return ("go", "wait") if state[0] == 0 else ("wait", "nod")

    def play(self, state, move):
        return (1 - state[0], int(move == "go"))

    def result(self, state):
        return (1, -1) if state[1] else None

    def read_move(self, state, text):
        return text


class Waits:
    def choose(self, game, state):
        return "wait"


def test_a_player_that_never_takes_its_win_gave_it_away_at_last():
    """Every move keeps the win, until the referee calls the third repetition a draw."""
    record = parlour.match(Patience(), [Waits(), Waits()])
    assert record.result == (0, 0)
    first, second = measure_accuracy(Patience(), record)
    last = max(n for n in range(1, len(record.moves) + 1) if n % 2)
    assert (first.won, first.kept, first.given, first.mistake) == (2, 1, 0.5, last)
    assert second.given == 0


class Seesaw(Patience):
    """At 2 seat 0 can win or go back to 1 or 5, where seat 1 can nod to 0 or slip to 2."""

    name: ClassVar[str] = "seesaw"
    slope: ClassVar = {"nod": 0, "slip": 2}
    ways: ClassVar = {
        0: {"on": 1, "round": 5},
        1: slope,
        2: {"win": 3, "back": 1, "round": 5},
        5: slope,
    }

    def turn(self, state):
        return state % 2

    def start(self):
        return 0

    def moves(self, state):
        return tuple(self.ways.get(state, ()))

    def play(self, state, move):
        return self.ways[state][move]

    def result(self, state):
        return (1, -1) if state == 3 else None


def test_a_slip_without_consequence_costs_nothing():
    """It is drawn unless seat 1 slips; but a slip into a third repetition is a draw too."""
    called_off = 0
    for seed in range(100):
        record = played(Seesaw(), seed)
        first, second = measure_accuracy(Seesaw(), record)
        assert second.given - first.given == record.result[0] / 2
        called_off += record.result == (0, 0) and record.moves[-1] == "slip"
    assert called_off


def test_a_player_that_moves_twice_running_is_judged_twice():
    game = Again()
    for seed in range(20):
        record = played(game, seed)
        assert measure_accuracy(game, record) == recounted(oracle(game), record)


class Endless(Patience):
    """Counts up for ever."""

    name: ClassVar[str] = "endless"

    def moves(self, state):
        return (1, 2)

    def play(self, state, move):
        return (1 - state[0], state[1] + move)

    def result(self, state):
        return None

    def read_move(self, state, text):
        return int(text)


class Broken(Endless):
    """Fails in positions after the first."""

    name: ClassVar[str] = "broken"

    def moves(self, state):
        return (1, 2 // (state[1] == 0))


class Wide(Endless):
    """A thousand million moves."""

    name: ClassVar[str] = "wide"

    def moves(self, state):
        return range(1, 10**9)


def test_a_strangers_game_that_cannot_be_judged_has_no_marks():
    for game, move in (
        (Endless(), "1"),
        (Endless(), "x"),
        (Wide(), "1"),
        (Broken(), "1"),
    ):
        assert measure_accuracy(game, Record(game.name, {}, ("a", "b"), (move,))) == ()


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("nim", {"seats": 3}),
        ("tictactoe", {"columns": 5, "rows": 5}),
        ("othello", {"columns": 10, "rows": 10}),
        ("chopsticks", {"rules": "feathers-revive"}),
    ],
)
def test_games_that_take_long_to_solve_have_no_marks(kind, options):
    game = parlour.game(kind, **options)
    chance = random.Random(1)
    match = Match(game, ["someone"] * game.seats)
    for _ in range(3):
        match.play(chance.choice(game.moves(match.state)))
    assert measure_accuracy(game, match.record) == ()
