"""Exact values: the truth tables of the games, against oracles that share nothing with ours."""

import itertools
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import parlour
from parlour.core import key, registry
from parlour.core.value import TooLarge, Unsolved, Value
from parlour.core.work import Work
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.graph import solve_graph
from parlour.truth.impartial import NimClosed
from parlour.truth.solver import find_method
from tests.countdown import Countdown
from tests.oracle import oracle
from tests.truth.disk.toys import Tracks

KAYLES_FILE = Path("examples/kayles.py")


@pytest.mark.parametrize(
    ("misere", "endings", "ended", "won", "lost"),
    [
        (True, (), 0, 280, 49),
        (True, CLASS_ENDINGS, 3, 279, 47),
        (False, (), 0, 280, 49),
        (False, CLASS_ENDINGS, 3, 280, 46),
    ],
)
def test_the_universe_of_nim(misere, endings, ended, won, lost):
    """The 329 multisets of 1 to 4 piles of 1 to 7 objects, and the empty one, which has ended."""
    game = Nim(piles=(7, 7, 7, 7), misere=misere, endings=endings)
    assert parlour.solve(game).counts() == {"win": won, "loss": lost, "draw": 0, "end": ended + 1}


NIMS = [
    Nim(piles=(4, 4, 3), misere=misere, endings=endings, take=take)
    for misere in (False, True)
    for endings in ((), CLASS_ENDINGS, ((1, 1), (4,)))
    for take in (None, 2)
]
OTHERS = [
    Nim(piles=(3,), take=1, endings=((2,),)),
    Nim(piles=(2, 2, 2), endings=CLASS_ENDINGS),
    Sticks(sticks=21),
    TicTacToe(),
    TicTacToe(misere=True),
    TicTacToe(columns=2, rows=3, line=2),
    Chopsticks(),
    Chopsticks(overflow="wraps"),
    Chopsticks(dies_at=4, hit_self=True, split_same=True),
    Chopsticks(dies_at=3, fingers=2, revive=False),
    registry.find("games", KAYLES_FILE)(pins=9),
    Countdown(),
    Tracks(),  # which has its rules compiled
]


@pytest.mark.slow
@pytest.mark.parametrize("game", [*NIMS, *OTHERS], ids=repr)
def test_every_position_has_its_value_and_is_counted_once(game):
    truth, solution = oracle(game), parlour.solve(game)
    for state, value in truth.values.items():
        assert solution.value(state) == Value(*value), game.write(state)
    kinds = {
        key(game, state): value[0] if game.moves(state) else "end"
        for state, value in truth.values.items()
    }
    counted = Counter(kinds.values())
    assert solution.counts() == {kind: counted[kind] for kind in ("win", "loss", "draw", "end")}


@pytest.mark.parametrize("game", [game for game in NIMS if not game.endings], ids=repr)
def test_the_closed_form_agrees_with_the_table(game):
    closed, table = NimClosed(game), parlour.solve(game)
    for piles in itertools.product(range(5), range(5), range(4)):
        state = game.read(",".join(map(str, piles)))
        assert closed.value(state).outcome == table.value(state).outcome
        if table.value(state).outcome == "win" and any(piles) and game.moves(state):
            wins = {m for m in game.moves(state) if table.after(state, m).outcome == "win"}
            assert set(closed.best(state)) == wins


def test_exact_distances_of_misere_nim():
    for piles, value in [
        ((3, 4, 5), Value("win", 10)),
        ((1, 3, 5, 7), Value("loss", 15)),
        ((5, 5, 5, 5), Value("loss", 19)),
    ]:
        game = Nim(piles=piles, misere=True)
        assert parlour.solve(game).value(game.start()) == value


def test_a_billion_is_answered_by_the_closed_form():
    game = Nim(piles=(10**9, 10**9 - 1, 5))
    solution = parlour.solve(game)
    assert solution.value(game.start()) == Value("win")
    for move in solution.best(game.start()):
        pile, amount = move
        left = list(game.piles)
        left[pile] -= amount
        assert left[0] ^ left[1] ^ left[2] == 0
    limited = Nim(piles=(10**9, 10**9 - 1), take=10**6)
    assert parlour.solve(limited).best(limited.start())


CHOPSTICKS = [
    ({}, (120, 61, 10), Value("loss", 26)),
    ({"split_least": 1}, (42, 18, 111), Value("draw")),
    ({"rules": "feathers", "loops": "allowed"}, (548, 180, 27), Value("draw")),
    (
        {"rules": "feathers", "loops": "allowed", "split_same": False},
        (542, 192, 0),
        Value("win", 15),
    ),
    ({"rules": "feathers-revive", "loops": "allowed"}, (296, 80, 379), Value("draw")),
    (
        {"rules": "feathers-revive", "loops": "allowed", "split_same": False},
        (303, 85, 346),
        Value("draw"),
    ),
]


@pytest.mark.parametrize(("options", "counts", "start"), CHOPSTICKS)
def test_chopsticks_with_loops_allowed(options, counts, start):
    game = Chopsticks(**options)
    for solution in (parlour.solve(game), solve_graph(game, Work())):
        found = solution.counts()
        assert (found["win"], found["loss"] + found["end"], found["draw"]) == counts
        assert solution.value(game.start()) == start


def test_the_first_moves_of_benedicts_chopsticks():
    game = Chopsticks()
    solution = parlour.solve(game)
    worth = {
        game.write_move(move): solution.after(game.start(), move)
        for move in game.moves(game.start())
    }
    assert worth["hit left left"] == Value("loss", 26)  # 25 more after the hit
    assert worth["split 2 0"] == Value("loss", 16)  # 15 more after the split


def test_without_split_same_only_a_hit_on_the_opponent_wins():
    game = Chopsticks(rules="feathers", loops="allowed", split_same=False)
    solution = parlour.solve(game)
    best = {game.write_move(move) for move in solution.best(game.start())}
    assert best == {
        f"hit {own} {other}" for own in ("left", "right") for other in ("left", "right")
    }


def test_there_are_255168_games_of_tictactoe():
    """As many as ways through the graph of its positions."""
    after = oracle(TicTacToe()).after

    @cache
    def games(state):
        return sum(games(following) for _, following in after[state]) or 1

    assert games(TicTacToe().start()) == 255168


def test_the_counts_of_tictactoe():
    counts = parlour.solve(TicTacToe()).counts()
    assert counts == {"win": 390, "loss": 89, "draw": 148, "end": 138}
    generic = solve_graph(TicTacToe(), Work()).counts()
    assert generic == counts


def test_compiled_rules_that_differ_from_the_others_are_refused():
    """Here only the ended positions differ."""

    class Wrong(Tracks):
        length = 8

        def result(self, state):
            return None if state[1] % 1000 else (0, 0)

    with pytest.raises(Unsolved, match=r"compiled\(\) and the rules of tracks disagree"):
        parlour.solve(Wrong())


@pytest.mark.parametrize(
    ("game", "error", "why"),
    [
        (
            Nim(piles=(10**9,), endings=((1,),)),
            TooLarge,
            "about 10.9 situations, .* without endings",
        ),
        (
            TicTacToe(columns=5, rows=5, line=5),
            TooLarge,
            "up to 20,378,188,636 situations, .*--disk FOLDER",
        ),
        (TicTacToe(columns=20, rows=20, line=5), TooLarge, "20x20"),
        (
            Othello(columns=6, rows=6),
            Unsolved,
            "6x6 has up to about .*, too many to list",
        ),
        (Nim(seats=3), Unsolved, "nim with 3 seats has no exact values"),
        (Nim(seats=1), Unsolved, "one seat"),
    ],
)
def test_what_cannot_be_had_is_refused_at_once_with_the_numbers(game, error, why):
    with pytest.raises(error, match=why):
        parlour.solve(game)


def test_a_state_that_cannot_arise_is_not_answered():
    solution = parlour.solve(Nim(piles=(2, 2), endings=((1, 1),)))
    with pytest.raises(Unsolved, match="9,9 cannot arise from 2,2"):
        solution.value(solution.game.read("9,9"))
    chopsticks = parlour.solve(Chopsticks(split_least=1))
    with pytest.raises(Unsolved, match="cannot arise"):
        chopsticks.value(chopsticks.game.read("4,4:4,4:1"))


def test_stopped_work_is_not_taken_for_a_solution():
    for game in (
        Nim(piles=(60,) * 4, endings=CLASS_ENDINGS),
        Chopsticks(dies_at=20),
        TicTacToe(columns=4),
        registry.find("games", KAYLES_FILE)(),
    ):
        work = Work()
        work.stop()
        with pytest.raises(Unsolved, match="stopped"):
            parlour.solve(game, work=work)


SAVED = [
    Nim(misere=True, endings=CLASS_ENDINGS),
    Nim(piles=(10**9, 3)),
    Sticks(),
    Chopsticks(),
    Chopsticks(rules="feathers"),
    TicTacToe(),
    registry.find("games", KAYLES_FILE)(pins=7),
]


@pytest.mark.parametrize("game", SAVED, ids=repr)
def test_solutions_are_saved_and_loaded(game, tmp_path, monkeypatch):
    path = tmp_path / "deep" / "solution"
    first = parlour.solve(game, file=path)
    monkeypatch.setattr(type(find_method(game)), "solve", None)  # it must not be solved again
    again = parlour.solve(game, file=path)
    state = game.start()
    while moves := game.moves(state):
        assert again.value(state) == first.value(state)
        assert again.best(state) == first.best(state)
        state = game.play(state, first.best(state)[0] if first.best(state) else moves[0])


def test_a_place_where_nothing_can_be_written_is_refused_before_the_work(tmp_path):
    with pytest.raises(parlour.BadFile, match="cannot write"):
        parlour.solve(Nim(), file=tmp_path)
    with pytest.raises(parlour.BadFile, match="cannot write"):
        parlour.solve(Nim(), file="/dev/null/x")


def test_too_many_situations_are_refused_while_they_are_listed(monkeypatch):
    monkeypatch.setattr("parlour.truth.graph.available", lambda: 50_000)
    with pytest.raises(TooLarge, match="too many to list"):
        solve_graph(Nim(piles=(30, 30, 30)), Work())


def test_a_damaged_file_is_refused_and_rebuilt(tmp_path):
    game, path = Nim(misere=True), tmp_path / "solution"
    value = parlour.solve(game, file=path).value(game.start())
    good = path.read_bytes()
    for bad in (
        b"",
        b"{}",
        good[:-10],
        good[:-1] + bytes([good[-1] ^ 1]),
        good.replace(b"3", b"4", 1),
    ):
        path.write_bytes(bad)
        assert parlour.solve(game, file=path).value(game.start()) == value
        assert path.read_bytes() == good
    other = replace(game, misere=False)
    assert parlour.solve(other, file=path).value(game.start()) == Value("win", 11)
    assert list(tmp_path.iterdir()) == [path]
