"""Minimax: the bot of the feather write-up in chopsticks, and a plain search everywhere else."""

import random

import pytest

import parlour
from parlour.players.minimax import Minimax
from parlour.rules.chopsticks import OWN, SPLIT, Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from tests.players.stopping import choose_and_stop
from tests.variants import VARIANTS, label

# The write-up's bot, from the specification's words: no pruning, nothing remembered


def hit(game, hand, target):
    fingers = hand + target
    if fingers < game.dies_at:
        return fingers
    return 0 if game.overflow == "dies" else fingers - game.dies_at


def replies(game, mine, theirs):
    """Both players' hands after each move, hits before splits."""
    for own in (0, 1):
        for target in (0, 1):
            if mine[own] and theirs[target]:
                struck = list(theirs)
                struck[target] = hit(game, mine[own], theirs[target])
                yield mine, tuple(struck)
        if game.hit_self and all(mine):
            struck = list(mine)
            struck[1 - own] = hit(game, mine[own], mine[1 - own])
            yield tuple(struck), theirs
    if game.revive or all(mine):
        for left in range(game.dies_at):
            right = sum(mine) - left
            if game.split_least <= min(left, right) and right < game.dies_at:
                split = (left, right)
                if game.split_same or sorted(split) != sorted(mine):
                    yield split, theirs


def feather_value(game, mine, theirs, my_turn, depth):
    """What the bot, whose hands are `mine`, expects."""
    if not any(theirs):
        return 1000
    if not any(mine):
        return -1000
    if depth == 0:
        return sum(mine) - sum(theirs)
    if my_turn:
        return max(
            feather_value(game, *after, False, depth - 1) for after in replies(game, mine, theirs)
        )
    return min(
        feather_value(game, *after[::-1], True, depth - 1) for after in replies(game, theirs, mine)
    )


def feather_values(game, state, depth):
    """The value of each move that is not barred."""
    turn, a, b, c, d = state[:5]
    mine, theirs = ((a, b), (c, d)) if turn == 0 else ((c, d), (a, b))
    values = []
    for kind, one, two in game.moves(state):
        own, other = list(mine), list(theirs)
        if kind == SPLIT:
            own = [one, two]
        elif two == OWN:
            own[1 - one] = hit(game, own[one], own[1 - one])
        else:
            other[two] = hit(game, own[one], other[two])
        values.append(feather_value(game, tuple(own), tuple(other), False, depth))
    return values


def met(game, chance, number):
    """Positions met in random play, with all that they bar."""
    found = []
    while len(found) < number:
        state = game.start()
        while moves := game.moves(state):
            found.append(state)
            state = game.play(state, chance.choice(moves))
            if chance.random() < 0.02:
                break
    return chance.sample(found, number)


WRITTEN = [Chopsticks(rules=rules) for rules in ("benedict", "feathers", "feathers-revive")]
OTHERS = [
    Chopsticks(overflow="wraps", hit_self=True, split_same=True),
    Chopsticks(dies_at=20, fingers=19, loops="barred"),
]


@pytest.mark.parametrize("game", [*WRITTEN, *OTHERS], ids=label)
@pytest.mark.parametrize(("depth", "number"), [(0, 100), (1, 50), (2, 30), (3, 10)])
def test_chopsticks_is_played_as_in_the_write_up(game, depth, number):
    bot = Minimax(depth=depth)
    for state in met(game, random.Random(depth), number if game in WRITTEN else number // 10):
        values = feather_values(game, state, depth)
        best = game.moves(state)[values.index(max(values))]
        assert bot.choose(game, state) == best, game.write(state)


def test_barred_situations_are_looked_at_by_the_root_alone():
    """The same hands, and another move where the best one is barred; also where all moves lose."""
    game = Chopsticks(rules="feathers-revive")
    free = Chopsticks(rules="feathers-revive", loops="allowed")
    bot, barred, hopeless = Minimax(depth=2), 0, 0
    for state in met(game, random.Random(8), 200):
        move = bot.choose(game, state)
        assert move in game.moves(state)
        liked = bot.choose(free, state[:5])
        if liked in game.moves(state):
            assert move == liked
        else:
            barred += 1
        hopeless += max(feather_values(game, state, 2)) == -1000
    assert barred
    assert hopeless


@pytest.mark.parametrize(
    ("rules", "depth", "winner"),
    [
        ("feathers", None, 0),
        ("feathers-revive", None, 0),
        ("feathers", 3, 1),
        ("feathers-revive", 4, 1),
    ],
)
def test_who_wins_when_it_plays_itself(rules, depth, winner):
    bot = Minimax() if depth is None else Minimax(depth=depth)
    record = parlour.match(Chopsticks(rules=rules), [bot, bot])
    assert record.result == ((1, -1), (-1, 1))[winner]


# Any other game


def plain_value(game, state, seat, depth):
    """Unpruned: (result, haste, score), compared in that order."""
    payoffs = game.result(state)
    if payoffs is not None:
        return (payoffs[seat], payoffs[seat] * depth, 0)
    if depth == 0:
        score = game.score(state) if hasattr(game, "score") else 0
        return (0, 0, score if seat == 0 else -score)
    values = [
        plain_value(game, game.play(state, move), seat, depth - 1) for move in game.moves(state)
    ]
    return max(values) if game.turn(state) == seat else min(values)


@pytest.mark.parametrize(
    "game",
    [
        Nim(piles=(2, 3, 2)),
        Nim(piles=(1, 2, 3, 2), misere=True, endings=CLASS_ENDINGS),
        Sticks(sticks=14),
        TicTacToe(),
        TicTacToe(misere=True),
        Othello(columns=4, rows=4),
        Othello(opening="despacito"),
    ],
    ids=label,
)
def test_it_chooses_the_first_best_move_of_any_game(game):
    for state in met(game, random.Random(2), 20):
        for depth in (0, 1, 2):
            values = [
                plain_value(game, game.play(state, move), game.turn(state), depth)
                for move in game.moves(state)
            ]
            best = game.moves(state)[values.index(max(values))]
            assert Minimax(depth=depth).choose(game, state) == best, game.write(state)


def test_it_names_the_games_it_plays():
    for game in VARIANTS:
        assert bool(Minimax().plays(game)) == (
            game.seats == 2 and len(game.moves(game.start())) < 60
        )
    for game in (Nim(piles=(10**9,)), TicTacToe(columns=20, rows=20)):
        with pytest.raises(parlour.ParlourError, match="smaller depth"):
            Minimax().choose(game, game.start())
    with pytest.raises(parlour.ParlourError, match="games for two"):
        Minimax().choose(Nim(seats=3), Nim(seats=3).start())
    with pytest.raises(parlour.BadOption, match="depth"):
        Minimax(depth=-1)


def test_it_answers_when_it_is_stopped():
    game = Othello()
    assert choose_and_stop(Minimax(depth=15), game, game.start()) in game.moves(game.start())
