"""The perfect player: no error against independent checks, and errors that can be computed."""

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
    ],
    ids=repr,
)
def test_no_error_in_any_position(game):
    truth, bot = oracle(game), parlour.bot("perfect")
    for state in truth.playable:
        outcome, _ = truth.worth(state, game.play(state, bot.choose(game, state)))
        assert outcome == truth.values[state][0]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"split_least": 1},
        {"rules": "feathers", "loops": "allowed", "split_same": False},
    ],
)
def test_no_error_in_any_row_of_chopsticks(options):
    """Won positions are won as fast as can be against every reply, and drawn ones never lost."""
    game, bot = Chopsticks(**options), parlour.bot("perfect")
    truth, reply = oracle(game), cache(lambda state: bot.choose(game, state))
    longest = resistance(game, reply)
    for state in truth.playable:
        outcome, plies = truth.values[state]
        after = game.play(state, reply(state))
        if outcome == "win":
            assert 1 + longest(after) == plies
        elif outcome == "draw":
            assert all(truth.values[each][0] != "loss" for _, each in truth.after[after])


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        (Nim(piles=(3, 4, 5), misere=True), 10),
        (Nim(piles=(1, 3, 5, 7), misere=True), 15),
        (Chopsticks(), 26),
        (Chopsticks(rules="feathers", loops="allowed", split_same=False), 15),
    ],
)
def test_the_winner_hurries_and_the_loser_delays(game, plies):
    assert len(parlour.match(game, [parlour.bot("perfect")] * 2).moves) == plies


def test_where_no_distance_is_known_a_lost_position_loses_one_from_the_first_largest_pile():
    large = 10**9
    for options in ({}, {"misere": True}, {"take": 2}):
        game = Nim(piles=(5, large, large, 5), **options)
        assert parlour.solve(game).value(game.start()).plies is None
        assert parlour.bot("perfect").choose(game, game.start()) == (1, 1), options


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


def test_benedict_splits_evenly_among_equally_short_wins():
    game, bot = Chopsticks(), parlour.bot("benedict")
    truth = oracle(game)
    for state in truth.playable:
        kind, left, right = bot.choose(game, state)
        best = truth.best(state)
        assert (kind, left, right) in best
        gaps = [abs(a - b) for k, a, b in best if k == 1]
        assert kind == 1 or not gaps
        if gaps:
            assert abs(left - right) == min(gaps)


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
    bot, truth = parlour.bot("perfect", level=level), oracle(game)
    won = [state for state in truth.playable if truth.values[state][0] == "win"]
    kept = 0.0
    for state in won:
        weights = bot.weights(game, state)
        assert sum(weights.values()) == pytest.approx(1)
        winning = [move for move, (outcome, _) in truth.moves(state) if outcome == "win"]
        kept += sum(weights.get(move, 0) for move in winning)
    return kept / len(won)


@pytest.mark.parametrize(
    "game",
    [
        Nim(piles=(4, 5, 6), misere=True, endings=CLASS_ENDINGS),
        Sticks(),
        Chopsticks(),
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
    worths = oracle(game).moves(game.start())
    traps = [plies for move, (_, plies) in worths if move != (0, 2)]
    expected = sum(chance_to_err(1, plies) for plies in traps) / len(traps)
    assert drawn.count((0, 2)) / 2000 == pytest.approx(1 - expected, abs=0.05)


def test_a_low_level_answers_on_a_billion_too():
    game = Nim(piles=(10**9, 5, 7))
    bot = parlour.bot("perfect", level=5, seed=1)
    assert all(bot.choose(game, game.start()) in game.moves(game.start()) for _ in range(5))


def test_it_claims_no_game_that_it_cannot_play():
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
    game, bot, truth = TicTacToe(), parlour.bot("perfect"), oracle(TicTacToe())

    def losing(after):
        worths = [outcome for _, (outcome, _) in truth.moves(after)]
        return worths.count("loss") / len(worths)

    differing = 0
    for state in truth.playable:
        after = [game.play(state, move) for move in truth.best(state)]
        if truth.values[state][0] == "draw" and all(map(game.moves, after)):
            chosen = losing(game.play(state, bot.choose(game, state)))
            assert chosen == max(map(losing, after))
            differing += chosen > losing(after[0])
    assert differing > 5  # where the first of the best moves would not have done


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
