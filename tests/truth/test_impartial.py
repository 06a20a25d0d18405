"""Grundy values: known ones, sums of different games, and honest refusals."""

import functools
import itertools
from pathlib import Path

import pytest

import parlour
from parlour.core import registry
from parlour.core.value import Unsolved
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.sticks import Sticks
from parlour.truth.impartial import grundy, is_sum_lost

KAYLES_FILE = Path("examples/kayles.py")
# Kayles rows of 0 to 12 pins, as in Winning Ways
KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]


def test_the_grundy_values_of_kayles():
    kayles = registry.find("games", KAYLES_FILE)
    for pins in range(1, 13):
        assert grundy(kayles(pins=pins)) == KAYLES[pins]


def test_piles_add_up_by_exclusive_or():
    assert grundy(Nim(piles=(3, 4, 5))) == 3 ^ 4 ^ 5
    assert grundy(Nim(piles=(10, 7), take=3)) == (10 % 4) ^ (7 % 4)
    assert grundy(Nim(piles=(10**9, 1))) == 10**9 ^ 1


def plainly_lost(games):
    """Whether the mover loses a sum, by trying every move in every part."""

    @functools.cache
    def look(states):
        for place, ((game, _), state) in enumerate(zip(games, states, strict=True)):
            for move in game.moves(state):
                if look((*states[:place], game.play(state, move), *states[place + 1 :])):
                    return False
        return True

    return look(tuple(state for _, state in games))


def test_a_nim_and_a_limited_heap_side_by_side():
    kayles = registry.find("games", KAYLES_FILE)
    for a, b, c in itertools.product(range(4), range(6), range(1, 4)):
        parts = [Nim(piles=(a + 1, 2)), Nim(piles=(b + 1,), take=2), kayles(pins=c)]
        games = [(game, game.start()) for game in parts]
        assert is_sum_lost(games) == plainly_lost(games)


def test_extra_endings_have_grundy_values_too():
    game = Nim(piles=(3, 3), endings=((1, 1), (2,)))
    heap = Nim(piles=(4,), take=2)
    for a, b, h in itertools.product(range(4), range(4), range(5)):
        games = [(game, game.read(f"{a},{b}")), (heap, heap.read(str(h)))]
        assert is_sum_lost(games) == plainly_lost(games)


def test_misere_sums_of_nims_follow_the_misere_rule():
    for a, b, c in itertools.product(range(5), repeat=3):
        whole = Nim(piles=(4, 4, 4), misere=True)
        state = whole.read(f"{a},{b},{c}")
        if whole.result(state):
            continue
        parts = Nim(piles=(4, 4), misere=True), Nim(piles=(4,), misere=True)
        games = [(parts[0], parts[0].read(f"{a},{b}")), (parts[1], parts[1].read(str(c)))]
        lost = parlour.solve(whole).value(state).outcome == "loss"
        assert is_sum_lost(games) == lost


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Nim(misere=True), "misère"),
        (Sticks(), "does not say that it is impartial"),
        (parlour.game("tictactoe"), "does not say that it is impartial"),
        (parlour.game("chopsticks"), "does not say that it is impartial"),
        (Nim(seats=3), "3 seats"),
    ],
)
def test_games_without_grundy_values_are_refused(game, why):
    with pytest.raises(Unsolved, match=why):
        grundy(game)


def test_misere_sums_of_other_games_are_refused():
    kayles = registry.find("games", KAYLES_FILE)()
    misere = Nim(misere=True)
    with pytest.raises(Unsolved, match="no theory"):
        is_sum_lost([(misere, misere.start()), (kayles, kayles.start())])
    ending = Nim(misere=True, endings=CLASS_ENDINGS)
    with pytest.raises(Unsolved, match="no theory"):
        is_sum_lost([(misere, misere.start()), (ending, ending.start())])


def test_a_game_with_too_many_positions_or_moves_is_refused(monkeypatch):
    monkeypatch.setattr("parlour.truth.impartial.MAX_MOVES", 1000)
    for game in (Nim(piles=(10**9,), endings=((1,),)), Nim(piles=(30, 30), endings=((1,),))):
        with pytest.raises(parlour.TooLarge, match="too many"):
            grundy(game)
