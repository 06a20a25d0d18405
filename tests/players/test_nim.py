"""The historic bots of Nim: as good and as bad as they are known to be, with a move everywhere."""

import functools
import itertools
import operator
import random

import pytest

import parlour
from parlour.players.nim import (
    BruteForce,
    OneAtATime,
    ShortPrediction,
    Standard,
    benedict_move,
)
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.impartial import count_positions

UNIVERSE = [
    piles
    for number in range(1, 5)
    for piles in itertools.combinations_with_replacement(range(1, 8), number)
]
BOTS = [Standard(), OneAtATime(), ShortPrediction(), BruteForce()]


class Benedict:
    """His move as a bot, to be tested with the others."""

    def choose(self, game, state):
        return benedict_move(game, state)


# An oracle of our own: the rules' words, played out over the piles in ascending order


def taken(piles, place, amount):
    left = [*piles[:place], piles[place] - amount, *piles[place + 1 :]]
    return tuple(sorted(pile for pile in left if pile))


def takes(piles, take=None):
    """Piles in place, amounts descending."""
    return [
        (place, amount)
        for place, pile in enumerate(piles)
        for amount in range(min(pile, take or pile), 0, -1)
    ]


def ends(piles, endings):
    return not any(piles) or tuple(sorted(filter(None, piles))) in endings


@functools.cache
def mover_wins(piles, misere, endings, take=None):
    """Who faces an ending has lost in normal play, for the other moved into it; or has won."""
    if ends(piles, endings):
        return misere
    return any(
        not mover_wins(taken(piles, *move), misere, endings, take) for move in takes(piles, take)
    )


def given_away(bot, piles, misere, endings, take=None):
    """Whether the bot's move turns a win into a loss."""
    game = Nim(piles=piles, misere=misere, endings=endings, take=take)
    if ends(piles, endings) or not mover_wins(piles, misere, endings, take):
        return False
    after = taken(piles, *bot.choose(game, (0, 3, *piles)))
    return mover_wins(after, misere, endings, take)


@pytest.mark.parametrize(
    ("bot", "counts"),
    [
        (Standard(), (0, 89, 0, 6)),
        (ShortPrediction(), (0, 80, 24, 85)),
        (BruteForce(), (0, 0, 24, 112)),
        (OneAtATime(), (272, 261, 273, 274)),
    ],
    ids=["standard", "short-prediction", "brute-force", "one-at-a-time"],
)
def test_bots_give_away_as_many_wins_as_they_are_known_to(bot, counts):
    found = tuple(
        sum(given_away(bot, piles, misere, endings) for piles in UNIVERSE)
        for misere in (True, False)
        for endings in ((), CLASS_ENDINGS)
    )
    assert found == counts


def test_standard_moves_into_endings_of_which_it_does_not_know():
    game = Nim(misere=True, endings=CLASS_ENDINGS)
    lost = [piles for piles in UNIVERSE if given_away(Standard(), piles, True, CLASS_ENDINGS)]
    after = [taken(piles, *Standard().choose(game, (0, 3, *piles))) for piles in lost]
    assert sum(ends(piles, CLASS_ENDINGS) for piles in after) == 23


@pytest.mark.parametrize("take", [1, 3])
def test_with_a_limit_the_good_bots_give_nothing_away(take):
    """Standard without endings, and brute force in misère play with any."""
    wrong = []
    for bot, misere, endings in (
        (Standard(), False, ()),
        (Standard(), True, ()),
        (BruteForce(), True, ()),
        (BruteForce(), True, CLASS_ENDINGS),
        (BruteForce(), True, ((3,), (1, 4), (2, 5, 5))),
    ):
        wrong += [
            f"{bot.name} misere={misere} endings={endings}: {piles}"
            for piles in UNIVERSE
            if given_away(bot, piles, misere, endings, take)
        ]
    assert not wrong, "\n".join(wrong)


# What the bots do, move for move, by the specification's words


def by_brute_force(game, piles):
    moves = takes(piles, game.take)
    for move in moves:
        if not mover_wins(taken(piles, *move), True, game.endings, game.take):
            return move
    for move in moves:
        if not ends(taken(piles, *move), game.endings):
            return move
    return (moves[0][0], 1)


def counting(game, piles):
    """What each pile counts: with a limit, what is left of it by rounds of limit + 1."""
    return piles if game.take is None else [pile % (game.take + 1) for pile in piles]


def by_nim_sum(game, piles):
    """Standard, where the end of misère play is far."""
    counted = counting(game, piles)
    total = functools.reduce(operator.xor, counted)
    for place, pile in enumerate(counted):
        if pile ^ total < pile:
            return (place, pile - (pile ^ total))
    place = counted.index(max(counted))
    return (place, 1) if piles[place] else (next(p for p, pile in enumerate(piles) if pile), 1)


def by_the_least_take(game, piles):
    """One-at-a-time."""
    counted = counting(game, piles)
    total = functools.reduce(operator.xor, counted)
    mistaken = [place for place, pile in enumerate(counted) if pile < total ^ pile]
    first = mistaken[0] if mistaken else counted.index(max(counted))
    for place in [*range(first, len(piles)), *range(first)]:
        for amount in range(1, min(piles[place], game.take or piles[place]) + 1):
            if not ends(taken(piles, place, amount), game.endings):
                return (place, amount)
    return (next(p for p, pile in enumerate(piles) if pile), 1)


def by_short_prediction(game, piles):
    """Slowly: every take of both players is tried."""
    endings, modulus = game.endings, (game.take or 10**9) + 1

    def left_by(piles, place, amount):
        return (*piles[:place], piles[place] - amount, *piles[place + 1 :])

    def is_zero(piles):
        total = 0
        for pile in piles:
            total ^= pile % modulus
        return total == 0

    def counting_takes(piles):
        return [(p, a) for p, a in takes(piles) if a <= piles[p] % modulus]

    def step_one(piles):
        large = [place for place, pile in enumerate(piles) if pile % modulus > 1]
        if len(large) != 1:
            return None
        whole = piles[large[0]] % modulus
        for amount in (whole, whole - 1):
            if sum(p % modulus == 1 for p in left_by(piles, large[0], amount)) % 2:
                return (large[0], amount)
        raise AssertionError

    def is_trap(piles):
        if ends(piles, endings):
            return False
        if move := step_one(piles):
            return ends(left_by(piles, *move), endings)
        after = [left_by(piles, *move) for move in counting_takes(piles)]
        return not any(is_zero(left) and not ends(left, endings) for left in after)

    def by_size(moves):
        return sorted(moves, key=lambda move: (piles[move[0]], move[0], -move[1]))

    if (move := step_one(piles)) and not ends(left_by(piles, *move), endings):
        return move
    for move in by_size(counting_takes(piles)):
        left = left_by(piles, *move)
        if is_zero(left) and not ends(left, endings):
            replies = [left_by(left, *reply) for reply in counting_takes(left)]
            if not any(is_trap(reply) for reply in replies):
                return move
    for move in by_size(counting_takes(piles)):
        if is_trap(left_by(piles, *move)):
            return move
    every = by_size(takes(piles, game.take))
    harmless = [move for move in every if not ends(left_by(piles, *move), endings)]
    return max(harmless, key=lambda move: piles[move[0]] - move[1], default=every[0])


def positions(chance, number, largest=12):
    """Random piles, empty ones among them, with random endings near them and sometimes a limit."""
    for _ in range(number):
        piles = tuple(chance.randint(0, largest) for _ in range(chance.randint(1, 5)))
        endings = []
        for _ in range(chance.randint(0, 6)):
            ending = [
                chance.choice([pile, chance.randint(0, pile), chance.randint(0, 3)])
                for pile in piles
            ]
            endings.append(tuple(ending))
        take = chance.choice([None, None, 1, 2, 3, 5, 8])
        game = Nim(piles=(1,), misere=chance.random() < 0.5, endings=tuple(endings), take=take)
        if not ends(piles, game.endings):
            yield game, piles


@pytest.mark.parametrize(
    ("bot", "words", "number", "largest"),
    [
        (ShortPrediction(), by_short_prediction, 600, 12),
        (ShortPrediction(), by_short_prediction, 50, 40),
        (BruteForce(), by_brute_force, 300, 6),
        (Standard(), by_nim_sum, 600, 12),
        (OneAtATime(), by_the_least_take, 600, 5),
    ],
)
def test_bots_move_as_specified(bot, words, number, largest):
    for game, piles in positions(random.Random(largest), number, largest):
        if words == by_nim_sum and game.misere and sum(p > 1 for p in counting(game, piles)) < 2:
            continue
        assert bot.choose(game, (0, 3, *piles)) == words(game, piles), (game, piles)


# At home everywhere


@pytest.mark.slow
@pytest.mark.parametrize("bot", [*BOTS, Benedict()], ids=lambda bot: type(bot).__name__)
def test_every_move_is_legal_in_every_variant(bot):
    chance = random.Random(11)
    starts = [(1, 1, 1, 1), (1, 2, 2, 2), (0, 7, 0, 2), (6,), (2, 3, 3, 1, 2)]
    variants = itertools.product(
        starts, (False, True), (2, 3, 5), (None, 3), ((), CLASS_ENDINGS, ((1,), (1, 1), (2,)))
    )
    for piles, misere, seats, take, endings in variants:
        game = Nim(piles=piles, misere=misere, seats=seats, take=take, endings=endings)
        state = game.start()
        while moves := game.moves(state):
            move = bot.choose(game, state)
            assert move in moves, (game, state)
            state = game.play(state, chance.choice([move, chance.choice(moves)]))


@pytest.mark.parametrize("bot", [*BOTS[:3], Benedict()], ids=lambda bot: type(bot).__name__)
def test_large_piles_are_no_trouble(bot):
    size = 10**9
    endings = (*CLASS_ENDINGS, (size,), (size - 1, size), (5,), (1, 1, size // 2), (1, size - 2))
    starts = [(size,), (size, size), (1, 1, size), (2, 2, size), (size, 5, size // 3), (size,) * 64]
    for piles, misere, take in itertools.product(starts, (False, True), (None, 1, size // 2, size)):
        for ending in ((), endings):
            game = Nim(piles=piles, misere=misere, take=take, endings=ending)
            if moves := game.moves(game.start()):
                assert bot.choose(game, game.start()) in moves


def test_a_trap_is_found_among_a_billion_takes():
    """What a huge pile must be reduced to is what a pile of 255 must be reduced to."""
    bot, chance, found = ShortPrediction(), random.Random(3), set()
    for _ in range(60):
        rest = [chance.randint(0, 30) for _ in range(chance.randint(1, 3))]
        total = functools.reduce(operator.xor, rest)
        game = Nim(misere=True, endings=((*rest, total), (*rest, total + 1)))
        place, amount = by_short_prediction(game, (*rest, 255))
        if place == len(rest) and amount > 1:
            huge = bot.choose(game, (0, 3, *rest, 10**9))
            assert huge == (place, 10**9 - 255 + amount)
            found.add(255 - amount)
    assert len(found) > 10
    assert max(found) > 31


def test_benedict_moves_to_nim_sum_0_in_the_first_row_with_its_top_bit():
    assert benedict_move(Nim(), (0, 3, 3, 4, 5)) == (0, 2)  # the classic, and its only winning move
    assert benedict_move(Nim(), (0, 3, 0, 1, 1)) == (1, 1)
    assert benedict_move(Nim(), (0, 3, 0, 3, 5, 6)) == (
        1,
        1,
    )  # lost: 1 from the first that holds any
    for piles in UNIVERSE:
        assert not given_away(Benedict(), piles, False, ())


def test_in_sticks_the_standard_bot_takes_the_one_winning_take():
    for take in range(1, 8):
        game = Sticks(sticks=100, take=take)
        for sticks in range(1, 101):
            best = (sticks - 1) % (take + 1)
            for bot in (Standard(), BruteForce()):
                move = bot.choose(game, (0, 3, sticks))
                assert move == (0, best) if best else move in game.moves((0, 3, sticks))


def test_bots_name_the_games_they_play_and_how_well():
    for bot in BOTS:
        assert bot.plays(TicTacToe()) == ""
        assert bot.plays(Nim())
        assert bot.plays(Sticks())
        with pytest.raises(parlour.ParlourError, match="not tictactoe"):
            bot.choose(TicTacToe(), TicTacToe().start())
    perfect = {bot.name for bot in BOTS if bot.plays(Nim(misere=True)) == "perfectly"}
    assert perfect == {"standard", "short-prediction", "brute-force"}
    endings = Nim(misere=True, endings=CLASS_ENDINGS)
    assert [bot.name for bot in BOTS if bot.plays(endings) == "perfectly"] == ["brute-force"]
    assert [bot.name for bot in BOTS if bot.plays(Nim()) == "perfectly"] == ["standard"]


def test_brute_force_warns_before_it_is_slow_and_refuses_hopeless_sizes():
    bot = BruteForce()
    for piles in [(3, 4, 5), (20, 20, 20, 20), (1,) * 25, (5,) * 5]:
        assert bot.warning(Nim(piles=piles)) == ""
    assert "9,381,251 positions" in bot.warning(Nim(piles=(120,) * 4))
    assert bot.plays(Nim(piles=(120,) * 4))
    for piles in [(10**9,), (10**9,) * 64, (200,) * 4]:
        game = Nim(piles=piles)
        assert bot.plays(game) == ""
        assert "at most 20,000,000" in bot.warning(game)
        with pytest.raises(parlour.ParlourError, match="standard or perfect"):
            bot.choose(game, game.start())


def test_the_positions_are_counted():
    for piles in [(3,), (2, 5), (4, 4, 4), (1, 2, 3, 4, 5), (0, 2, 0), (1, 1, 1, 6)]:
        rows = itertools.product(*(range(pile + 1) for pile in piles))
        assert count_positions(piles) == len({tuple(sorted(row)) for row in rows})


def test_brute_force_forgets_values_of_other_games():
    """One bot for every game, in whatever order, as against a fresh one each time."""
    bot = BruteForce()
    for game, piles in positions(random.Random(5), 60, 6):
        state = (0, 3, *piles)
        assert bot.choose(game, state) == BruteForce().choose(game, state)
        for after in (game.play(state, move) for move in game.moves(state)):
            if game.moves(after):
                assert bot.choose(game, after) == BruteForce().choose(game, after)
