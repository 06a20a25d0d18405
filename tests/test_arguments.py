"""Every public function takes games, players, positions and numbers in whatever form they come."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import parlour

KAYLES = Path("examples/kayles.py")
NIM = parlour.game("nim", piles=(1, 2))


class First:
    def choose(self, game, state):
        return game.moves(state)[0]


def first(game, state):
    return game.moves(state)[0]


@pytest.fixture
def bot_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def choose(game, state):\n    return game.moves(state)[0]\n", encoding="utf-8")
    return path


def test_any_kind_of_player_plays_a_match(bot_file):
    kinds = [
        First(),
        First,
        first,
        lambda game, state: game.moves(state)[0],
        str(bot_file),
        bot_file,
    ]
    for player in kinds:
        record = parlour.match(NIM, [player, "random seed=3"])
        assert record.moves[0] == "1 from 1"
    assert record.players == ("mine", "random seed=3")


@pytest.mark.parametrize("game", [NIM, "nim piles=1,2", type(NIM), KAYLES, str(KAYLES)])
def test_any_kind_of_game_is_taken_everywhere(game):
    solution = parlour.solve(game)
    assert parlour.match(game, [first, first]).game == solution.game.name
    assert parlour.playouts(game, 2).draws == 0
    assert parlour.grundy(game) >= 0
    assert "random" in parlour.bots(game)
    assert parlour.Match(game, ["a", "b"]).game == solution.game
    assert parlour.hats(game).game == solution.game
    assert parlour.check(parlour.certificate(solution), game)
    assert parlour.explain(game).sentences
    assert parlour.tournament(game, [first, "perfect"]).games == 2


def test_two_seats_given_by_one_name_have_a_player_each():
    class Own:
        made = 0

        def __init__(self):
            Own.made += 1

        def choose(self, game, state):
            return first(game, state)

    parlour.match(NIM, [Own, Own])
    assert Own.made == 2


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: parlour.solve(3), "game cannot be 3"),
        (lambda: parlour.solve(First()), "game cannot be"),
        (lambda: parlour.match(NIM, "ab"), "players cannot be 'ab'; it must be a list"),
        (lambda: parlour.match(NIM, [first, None]), "players cannot be None; a player is"),
        (lambda: parlour.match(NIM, [lambda game: 1, first]), "players cannot be .* and a state"),
        (lambda: parlour.match(NIM, [first, int]), "players cannot be"),
        (lambda: parlour.match(NIM, [first] * 2, most_moves="9"), "most_moves cannot be '9'"),
        (lambda: parlour.playouts(NIM, 2.5), "games cannot be 2.5"),
        (lambda: parlour.playouts(NIM, True), "games cannot be True"),
        (lambda: parlour.train(NIM, 5), "hats cannot be"),
        (lambda: parlour.train(parlour.hats("sticks"), "5"), "games cannot be '5'"),
        (lambda: parlour.train(parlour.hats("sticks"), 5, against=5), "against cannot be 5"),
        (lambda: parlour.hats(None), "game cannot be None"),
        (lambda: parlour.certificate(NIM), "solution cannot be"),
        (lambda: parlour.solve(NIM, work=3), "work cannot be 3"),
        (lambda: parlour.solve(NIM, file=3), "file cannot be 3"),
        (lambda: parlour.playouts(NIM, 1, work="w"), "work cannot be 'w'"),
        (lambda: parlour.explain(NIM, solution=NIM), "solution cannot be"),
        (lambda: parlour.hats(NIM, 3), "rule cannot be 3"),
        (lambda: parlour.hats(NIM, work=3), "work cannot be 3"),
        (lambda: parlour.is_sum_lost(3), "games cannot be 3"),
        (lambda: parlour.is_sum_lost([NIM]), "games cannot be"),
        (lambda: parlour.atlas("nim", 3), "choices cannot be 3"),
        (lambda: parlour.atlas("nim", limit_seconds="x"), "limit_seconds cannot be 'x'"),
        (lambda: parlour.Match(NIM, 3), "players cannot be 3"),
        (lambda: next(parlour.drive(3, [first])), "match cannot be 3"),
        (lambda: parlour.schema(NIM), "cls cannot be"),
        (lambda: parlour.game(3), "game cannot be 3"),
        (lambda: parlour.bots(None), "game cannot be None"),
        (lambda: parlour.atlas(3), "game cannot be 3"),
        (lambda: parlour.solve(NIM).to_frame("excel"), "library cannot be 'excel'"),
    ],
)
def test_a_wrong_argument_is_named(call, named):
    with pytest.raises(parlour.BadOption, match=named):
        call()


def test_a_game_that_lacks_something_is_refused_with_what_it_lacks():
    half = SimpleNamespace(name="half", seats=2, moves=first, start=first)
    with pytest.raises(parlour.BadOption, match="it lacks turn, play, result"):
        parlour.solve(half)


def test_numpy_numbers_are_options():
    game = parlour.game("nim", piles=np.array([3, 4]), misere=np.bool_(True), take=np.int8(2))
    assert game == parlour.game("nim", piles=(3, 4), misere=True, take=2)
    assert {type(each) for each in (*game.piles, game.take)} == {int}
    assert parlour.bot("engine", time=np.float32(0.5)).time == 0.5
    assert parlour.game("nim", piles=range(1, 4)).piles == (1, 2, 3)
    for wrong in (np.array([[1, 2]]), np.array([1.5]), np.float64(3)):
        with pytest.raises(parlour.BadOption, match="piles cannot be"):
            parlour.game("nim", piles=wrong)


@pytest.mark.parametrize(
    "name", ["nim", "nim piles=1000,1000", "sticks", "chopsticks", "tictactoe", "othello"]
)
def test_numpy_arrays_are_moves(name):
    plain, other = (parlour.Match(name, ["a", "b"]) for _ in range(2))
    while not plain.over and len(plain.moves) < 6:
        move = plain.game.moves(plain.state)[-1]
        plain.play(move)
        other.play([np.array(move), tuple(map(np.int64, move)), list(move)][len(plain.moves) % 3])
    assert other.record == plain.record
    assert all(type(part) is int for state in other.states for part in state)


def test_positions_and_moves_may_be_text():
    assert parlour.explain(NIM, "1,1:2").facts == parlour.explain(NIM, (1, 3, 1, 1)).facts
    one, other = parlour.explain(NIM, move="1 from 2"), parlour.explain(NIM, None, (1, 1))
    assert one == other
    assert parlour.grundy("nim", "1,2,3:1") == 0
    with pytest.raises(parlour.BadText):
        parlour.explain(NIM, "nonsense")


def test_a_solution_is_asked_by_text_and_arrays_too():
    for name in ("nim", "tictactoe", "chopsticks", KAYLES):
        solution = parlour.solve(name)
        game, state = solution.game, solution.game.start()
        move = game.moves(state)[0]
        for given in (game.write(state), np.array(state), list(state)):
            assert solution.value(given) == solution.value(state)
            assert solution.best(given) == solution.best(state)
            assert solution.after(given, game.write_move(move)) == solution.after(state, move)
        with pytest.raises(parlour.BadOption, match="state cannot be 3; it must be a state of"):
            solution.value(3)
        with pytest.raises(parlour.BadText):
            solution.value("nonsense")


# Solutions


@pytest.mark.parametrize(
    "game",
    ["nim", "nim piles=4,5 endings=1,1", "sticks", "chopsticks", "tictactoe misere=yes", KAYLES],
)
def test_a_solution_lists_as_many_situations_as_it_counts(game):
    solution = parlour.solve(game)
    listed = list(solution)
    assert len(listed) == len(solution) == sum(solution.counts().values())
    assert listed[0][0] == solution.game.start()
    assert len({parlour.core.key(solution.game, state) for state, _ in listed}) == len(listed)
    ended = [state for state, _ in listed if not solution.game.moves(state)]
    assert len(ended) == solution.counts()["end"]
    assert all(value == solution.value(state) for state, value in listed)


def test_a_solution_that_cannot_be_counted_says_so_and_is_still_true():
    solution = parlour.solve("nim piles=1000000,1000001")
    assert solution
    for ask in (len, list):
        with pytest.raises(parlour.Unsolved, match="too many to count"):
            ask(solution)


# Frames


class Frame(dict):
    """Stands for the DataFrame of a library that need not be installed here."""


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_become_frames(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, SimpleNamespace(DataFrame=Frame))
    frame = parlour.solve(NIM).to_frame(library)
    assert list(frame) == ["position", "turn", "outcome", "plies"]
    assert frame["position"][0] == "1,2:1"
    assert frame["outcome"].count("loss") == 2  # 1,1 and nothing
    table = parlour.tournament(NIM, ["perfect", "random"]).to_frame(library)
    assert table["name"] == ["perfect", "random"]
    assert sum(table["points"]) == 2.0
    atlas = parlour.atlas("nim", {"misere": [False, True]}, {"piles": (1, 2)}).to_frame(library)
    assert atlas["piles"] == ["1,2", "1,2"]
    assert atlas["outcome"] == ["first", "first"]


def test_without_a_library_for_frames_one_is_named(monkeypatch):
    for library in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        ImportError, match=r"needs pandas or polars; pip install 'parlour\[frames]'"
    ):
        parlour.solve(NIM).to_frame()
