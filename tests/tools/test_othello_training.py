"""How the engine was trained: games are read by the rules, leads are true, weights are found."""

import random

import numpy as np
import pytest
from tools.othello.fit import COLUMNS, ENTRIES, PHASE, features, fit, values
from tools.othello.labels import Labeller
from tools.othello.positions import Positions, read_games

from parlour.kernels.othello.evaluation import find_shared_entries, weights
from parlour.rules.othello import PASS, Othello
from tests.slow_othello import value_of

GAME = Othello()
THEORY = 40  # black's discs with best play, which nothing is learned from
GAMES = 12


def play_randomly(seed):
    """The states and moves of a random game, passes among them."""
    source, state, played = random.Random(seed), GAME.start(), []
    while moves := GAME.moves(state):
        move = source.choice(moves)
        played.append((state, move))
        state = GAME.play(state, move)
    return played


def wthor(games):
    """The bytes of a file with these games: passes are left out, a square is 10 row + column."""
    parts = [bytes([20, 26, 1, 1]), len(games).to_bytes(4, "little"), bytes(8)]
    for game in games:
        squares = [
            10 * (row + 1) + column + 1 for _, (column, row) in game if (column, row) != PASS
        ]
        parts += [bytes(6), bytes([32, THEORY]), bytes(squares).ljust(60, b"\0")]
    return b"".join(parts)


@pytest.fixture(scope="module")
def games():
    found = [play_randomly(seed) for seed in range(GAMES)]
    assert any(move == PASS for game in found for _, move in game)
    return found


@pytest.fixture(scope="module")
def positions(games, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wthor")
    (folder / "WTH_2.wtb").write_bytes(wthor(games[5:]))
    (folder / "WTH_1.wtb").write_bytes(wthor(games[:5]))
    return Positions.of_archive(read_games(folder))


def empties(state):
    return 64 - (state[0] | state[1]).bit_count()


@pytest.fixture(scope="module")
def labeller():
    return Labeller(weights())


@pytest.fixture(scope="module")
def work(labeller):
    """The address of the memory of a search."""
    return labeller.memory.address


def test_the_positions_are_those_of_the_games(games, positions):
    for number in range(60):
        there = [
            state[:2]
            for game in games
            for state, move in game
            if move != PASS and empties(state) == number
        ]
        rows = zip(*(part.tolist() for part in positions.at(number)), strict=True)
        assert list(rows) == there


def test_a_folder_without_games_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="No WTHOR file"):
        read_games(tmp_path)


@pytest.mark.long
def test_games_of_the_search_with_itself_are_games_by_the_rules(work):
    """Each position but the first follows from one with more empty squares."""
    played = Positions.of_play(20, 1, work)
    assert played.counts[59] == 20
    before = {GAME.start()[:2]}
    for number in range(59, 0, -1):
        after = {
            GAME.play((mine, yours, 0), move)[:2]
            for mine, yours in before
            for move in GAME.moves((mine, yours, 0))
        }
        after |= {(yours, mine) for mine, yours in after}  # whose opponent had to pass
        found = set(zip(*(part.tolist() for part in played.at(number)), strict=True))
        assert found <= after
        before = found


@pytest.mark.long
def test_leads_near_the_end_are_true(positions, labeller, work):
    own, other = positions.vary(8, 30, 2, work)
    leads = labeller.leads(own, other, 8, 8)
    for mine, yours, lead in zip(own.tolist(), other.tolist(), leads.tolist(), strict=True):
        assert value_of(GAME, mine, yours) == lead


@pytest.mark.long
def test_weights_that_made_the_leads_are_found_again_as_far_as_they_matter(positions, work):
    """Of any weights only the values of positions can be known, not each weight by itself."""
    shared = find_shared_entries()
    same = np.concatenate([shared, np.arange(shared.size, ENTRIES, dtype=np.int32)])
    own, other = positions.vary(30, 4000, 3, work)
    entries = np.zeros((len(own), COLUMNS), np.int32)
    features(own, other, same, entries)
    assert (entries[:, PHASE] == shared.size + 30).all()
    hidden = np.random.default_rng(4).normal(0, 1, ENTRIES).astype(np.float32)
    leads, guess = np.zeros(len(own), np.float32), np.zeros(len(own), np.float32)
    values(entries, hidden, leads)
    trust = np.ones(len(own), np.float32)
    found = fit(entries, leads, trust, np.zeros(ENTRIES, np.float32), ridge=0.01, rounds=60)
    values(entries, found, guess)
    assert np.sqrt(((guess - leads) ** 2).mean()) < 0.05 * leads.std()
