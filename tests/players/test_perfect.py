"""The perfect player: no error against independent checks, and errors that can be computed."""

from __future__ import annotations

import itertools
from functools import cache

import pytest

import parlour
from parlour.players.perfect import chance_to_err
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth import solve_once
from tests.oracle import oracle


@pytest.mark.parametrize(
    "game",
    [
        *(
            Nim(piles=(4, 5, 3), misere=misere, endings=endings, take=take)
            for misere in (False, True)
            for endings in ((), CLASS_ENDINGS)
            for take in (None, 3)
        ),
        TicTacToe(),
        TicTacToe(misere=True),
        pytest.param(Nim(piles=(7, 7, 7, 7), endings=CLASS_ENDINGS), marks=pytest.mark.long),
        pytest.param(TicTacToe(columns=4, rows=3), marks=pytest.mark.long),
        pytest.param(TicTacToe(columns=3, rows=4, misere=True), marks=pytest.mark.long),
    ],
    ids=repr,
)
def test_no_error_in_any_position(game):
    truth, bot, seen = oracle(game), parlour.bot("perfect"), set()
    for state, moves in truth.after.items():
        if moves and game.key(state) not in seen:
            seen.add(game.key(state))
            outcome, _ = truth.worth(state, game.play(state, bot.choose(game, state)))
            assert outcome == truth.values[state][0]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"split_least": 1},
        pytest.param({"rules": "feathers", "loops": "allowed"}, marks=pytest.mark.long),
        {"rules": "feathers", "loops": "allowed", "split_same": False},
        pytest.param({"rules": "feathers-revive", "loops": "allowed"}, marks=pytest.mark.long),
    ],
)
def test_no_error_in_any_row_of_chopsticks(options):
    """Following it, won positions are won in the plies it says, and drawn ones are never lost.

    The check plays against every reply, and knows nothing but the rules.
    """
    game, bot = Chopsticks(**options), parlour.bot("perfect")
    solution = solve_once(game)
    reply = cache(lambda state: bot.choose(game, state))
    longest = resistance(game, reply)
    seen, todo = set(), [game.start()]
    while todo:
        state = todo.pop()
        if state in seen or not game.moves(state):
            continue
        seen.add(state)
        value = solution.value(state)
        after = game.play(state, reply(state))
        if value.outcome == "win":
            assert 1 + longest(after) == value.plies
        elif value.outcome == "draw":
            assert all(
                solution.value(game.play(after, m)).outcome != "loss" for m in game.moves(after)
            )
        todo += [game.play(state, move) for move in game.moves(state)]


def resistance(game, reply):
    """The most plies the loser, who is to move, can hold out against these replies."""
    known = {}

    def longest(state):
        if state not in known:
            known[state] = None
            after = [game.play(state, move) for move in game.moves(state)]
            known[state] = max(
                (2 + longest(game.play(s, reply(s))) if game.moves(s) else 1 for s in after),
                default=0,
            )
        assert known[state] is not None, "the loser can go round and round"
        return known[state]

    return longest


def test_benedict_moving_second_wins_against_every_line_within_26_plies():
    game, bot = Chopsticks(), parlour.bot("benedict")
    reply = cache(lambda state: bot.choose(game, state))

    @cache
    def longest(state):
        if not game.moves(state):
            assert game.result(state) == (-1, 1)
            return 0
        plies = []
        for move in game.moves(state):
            after = game.play(state, move)
            assert game.moves(after), "the person never wins"
            plies.append(2 + longest(game.play(after, reply(after))))
        return max(plies)

    assert longest(game.start()) == 26


def test_benedict_splits_evenly_among_equally_short_wins():
    game, bot = Chopsticks(), parlour.bot("benedict")
    solution = solve_once(game)
    seen, todo = set(), [game.start()]
    while todo:
        state = todo.pop()
        if state in seen or not game.moves(state):
            continue
        seen.add(state)
        kind, left, right = bot.choose(game, state)
        best = solution.best(state)
        assert (kind, left, right) in best
        gaps = [abs(a - b) for k, a, b in best if k == 1]
        assert kind == 1 or not gaps
        if gaps:
            assert abs(left - right) == min(gaps)
        todo += [game.play(state, move) for move in game.moves(state)]


def test_benedict_says_which_games_he_cannot_play_well():
    bot = parlour.bot("benedict")
    assert "perfectly" in bot.plays(Chopsticks())
    assert bot.plays(Nim()) == "perfectly"
    assert "which this is not" in bot.plays(Nim(misere=True))
    assert bot.plays(Nim(seats=3)) == bot.plays(Sticks()) == bot.plays(Othello(columns=6)) == ""
    with pytest.raises(parlour.ParlourError, match="not tictactoe"):
        bot.choose(TicTacToe(), TicTacToe().start())


def share_kept(game, level):
    """The expected share of won positions that this level keeps, over all situations, exactly."""
    bot, solution = parlour.bot("perfect", level=level), solve_once(game)
    seen, todo, kept, won = set(), [game.start()], 0.0, 0
    while todo:
        state = todo.pop()
        if game.key(state) in seen or not game.moves(state):
            continue
        seen.add(game.key(state))
        if solution.value(state).outcome == "win":
            won += 1
            weights = bot.weights(game, state)
            assert sum(weights.values()) == pytest.approx(1)
            kept += sum(
                weight
                for move, weight in weights.items()
                if solution.after(state, move).outcome == "win"
            )
        todo += [game.play(state, move) for move in game.moves(state)]
    return kept / won


@pytest.mark.parametrize(
    "game",
    [
        Nim(piles=(4, 5, 6), misere=True, endings=CLASS_ENDINGS),
        Sticks(),
        Chopsticks(),
        pytest.param(Nim(piles=(7, 7, 7, 7)), marks=pytest.mark.long),
        pytest.param(Chopsticks(rules="feathers", loops="allowed"), marks=pytest.mark.long),
        pytest.param(TicTacToe(), marks=pytest.mark.long),
        pytest.param(TicTacToe(misere=True), marks=pytest.mark.long),
    ],
    ids=repr,
)
def test_each_level_keeps_more_wins_than_the_one_below(game):
    shares = [share_kept(game, level) for level in range(1, 11)]
    assert all(low < high for low, high in itertools.pairwise(shares))
    assert shares[-1] == pytest.approx(1)
    assert shares[0] < 0.85


def test_deeper_traps_are_missed_more_often_and_level_ten_misses_none():
    for level in range(1, 10):
        chances = [chance_to_err(level, plies) for plies in range(1, 13)]
        assert all(low < high for low, high in itertools.pairwise(chances))
        assert 0 < chances[0] < chances[-1] < 1
        assert chance_to_err(level, None) == chances[-1]
        assert chance_to_err(level, 5) > chance_to_err(level + 1, 5)
    assert chance_to_err(10, None) == 0


def test_a_low_level_errs_as_often_as_it_says():
    game = Nim()
    bot = parlour.bot("perfect", level=1, seed=3)
    drawn = [bot.choose(game, game.start()) for _ in range(2000)]
    solution = solve_once(game)
    traps = [solution.after(game.start(), m).plies for m in game.moves(game.start()) if m != (0, 2)]
    expected = sum(chance_to_err(1, plies) for plies in traps) / len(traps)
    assert drawn.count((0, 2)) / 2000 == pytest.approx(1 - expected, abs=0.05)


def test_a_plain_block_is_missed_less_often_than_a_deep_trap():
    game = TicTacToe()
    block = game.read("X--XO---- O")  # all but a3 lose at once
    corner = game.play(game.start(), (0, 0))  # all but the centre lose later
    for level in range(1, 10):
        bot = parlour.bot("perfect", level=level)
        plain = 1 - bot.weights(game, block)[0, 2]
        deep = 1 - bot.weights(game, corner)[1, 1]
        assert 0 < plain < deep


def test_a_low_level_answers_on_a_billion_too():
    game = Nim(piles=(10**9, 5, 7))
    bot = parlour.bot("perfect", level=5, seed=1)
    assert all(bot.choose(game, game.start()) in game.moves(game.start()) for _ in range(5))


def test_it_does_not_claim_what_it_cannot_play():
    bot = parlour.bot("perfect")
    for game in (
        Othello(),
        Nim(seats=3),
        TicTacToe(columns=6, rows=6),
        Nim(piles=(10**9,), endings=((1,),)),
    ):
        assert bot.plays(game) == ""
    assert bot.plays(Nim(piles=(10**9,))) == "perfectly"


def test_a_drawn_position_sets_traps():
    """In a drawn position it prefers the move after which most replies lose."""
    game, solution, bot = TicTacToe(), solve_once(TicTacToe()), parlour.bot("perfect")

    def losing(after):
        return sum(solution.after(after, m).outcome == "loss" for m in game.moves(after)) / len(
            game.moves(after)
        )

    seen, todo, differing = set(), [game.start()], 0
    while todo:
        state = todo.pop()
        if game.key(state) in seen or not game.moves(state):
            continue
        seen.add(game.key(state))
        todo += [game.play(state, move) for move in game.moves(state)]
        best = solution.best(state)
        after = [game.play(state, move) for move in best]
        if solution.value(state).outcome == "draw" and all(map(game.moves, after)):
            chosen = losing(game.play(state, bot.choose(game, state)))
            assert chosen == max(map(losing, after))
            differing += chosen > losing(after[0])
    assert differing > 5  # where the first of the best moves would not have done
