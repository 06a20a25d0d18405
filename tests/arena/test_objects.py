"""Objects, classes and functions take part as they are, in games without a name too."""

import random
import subprocess
import sys
import threading

import numpy as np
import pytest

import parlour
from parlour.arena.objects import Objects, enter, make_player, seeded_random, unpack

CELL = """
import random
import numpy as np
import parlour

class Counting(parlour.Game):
    def start(self): return (0, 0)
    def turn(self, state): return state[0]
    def moves(self, state): return tuple((n,) for n in (1, 2, 3) if state[1] + n <= 21)
    def play(self, state, move): return (1 - state[0], state[1] + move[0])
    def result(self, state): return None if state[1] < 21 else ((-1, 1), (1, -1))[state[0]]

class Highest:
    def choose(self, game, state): return most(game.moves(state))

def most(moves): return max(moves)

def wise(game, state):
    return np.array([(21 - state[1]) % 4 or 1])

if __name__ == "__main__":
    bots = [Highest, wise, lambda game, state: random.choice(game.moves(state)), "perfect"]
    for workers in (1, 2):
        table = parlour.tournament(Counting(), bots, games=4, workers=workers)
        print([(row.name, row.points, row.wins) for row in table.rows])
"""


@pytest.mark.long
def test_a_game_and_bots_of_a_script_play_in_several_processes_as_in_one(tmp_path):
    """The script is `__main__`, as a notebook is: no other process can import it."""
    script = tmp_path / "cell.py"
    script.write_text(CELL, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    one, two = done.stdout.splitlines()
    assert one == two
    first, second = eval(one)[:2]  # noqa: S307  # we wrote it
    assert {first[0], second[0]} == {"perfect", "wise"}  # 21 is won by who moves to a multiple of 4


class Last:
    def choose(self, game, state):
        return game.moves(state)[-1]


class Held(Last):
    """A player with something that cannot be copied or pickled."""

    def __init__(self):
        self.lock = threading.Lock()


def first(game, state):
    return game.moves(state)[0]


def test_players_are_named_after_what_they_are():
    bots = [Last(), Last, first, lambda game, state: game.moves(state)[0], parlour.bot("random")]
    table = parlour.tournament("sticks", bots)
    assert {row.name for row in table.rows} == {"Last", "Last (2)", "first", "lambda", "random"}
    assert table.errors == 0


def test_an_installed_bot_counts_as_its_name_and_options():
    bots = [parlour.bot("minimax", depth=1), parlour.bot("random", seed=4)]
    given = parlour.tournament("nim", bots, games=4)
    named = parlour.tournament("nim", ["minimax depth=1", "random seed=4"], games=4)
    assert [(row.name, row.points) for row in given.rows] == [
        (row.name, row.points) for row in named.rows
    ]


def test_only_what_its_name_and_options_say_goes_by_name():
    hats = parlour.hats("sticks")
    learning = parlour.bot("hats", games=0, learning=True)
    bots = [parlour.bot("hats", games=0), hats, hats.player(games=0), learning]
    parlour.match(hats.game, [learning, first])
    entries, objects = enter(bots, hats.game)
    assert [entry.kind for entry in entries] == ["house", "object", "object", "object"]
    assert set(objects) == {entry.name for entry in entries[1:]}


def test_a_player_that_cannot_be_copied_plays_here_and_is_refused_elsewhere():
    assert parlour.tournament("sticks", [Held(), first]).errors == 0
    with pytest.raises(parlour.ParlourError, match="Held cannot be sent to another process"):
        parlour.tournament("sticks", [Held(), first], workers=2)


def test_a_game_of_the_same_name_is_another_game():
    class Nim(type(parlour.game("nim"))):
        def start(self):
            return (0, 3, 1)

    table = parlour.tournament(Nim(), [first, Last])
    # The first takes the only coin.
    assert [row.times.moves for row in table.rows] == [1, 1]


def test_objects_can_be_sent_to_another_process():
    packed = Objects(parlour.game("sticks"), {"a": Last(), "b": lambda game, state: 7}).pack()
    there = unpack(packed)
    assert there.game == parlour.game("sticks")
    assert there.players["b"](None, None) == 7


def test_each_game_has_its_own_random_numbers_and_leaves_ours_alone():
    class Draws:
        def __init__(self):
            self.own, self.other = random.Random(), np.random.default_rng()

        def draw(self):
            return self.own.random(), self.other.random()

    held = Draws()
    one, same, other = (make_player(held, seed).draw() for seed in (1, 1, 2))
    assert one == same != other
    random.seed(5)
    expected = random.random()
    random.seed(5)
    parlour.tournament("nim", [lambda game, state: random.choice(game.moves(state)), first])
    assert random.random() == expected


def test_global_random_numbers_depend_on_the_seed_alone():
    drawn = []
    for before, seed in ((1, 7), (2, 7), (2, 8)):
        random.seed(before)
        np.random.seed(before)
        with seeded_random(seed):
            drawn.append((random.random(), np.random.random()))
    assert drawn[0] == drawn[1]
    assert not {*drawn[1]} & {*drawn[2]}


def test_games_of_objects_are_kept_and_found_again(tmp_path):
    new = []
    bots = [Last(), first]
    for _ in range(2):
        parlour.tournament("nim", bots, folder=tmp_path, watch=lambda seen: new.append(seen.new))
    assert max(new) == 2
    assert len((tmp_path / "played.jsonl").read_text(encoding="utf-8").splitlines()) == 2


WRONG = [
    ({"game": 3}, "game cannot be 3"),
    ({"game": Last()}, "game cannot be"),
    ({"bots": "random"}, "bots cannot be 'random'; it must be a list"),
    ({"bots": [first, 3]}, "bots cannot be 3; a player is"),
    ({"bots": [first, int]}, "bots cannot be"),
    ({"games": 3}, "games cannot be 3"),
    ({"games": "4"}, "games cannot be '4'"),
    ({"games": 4.0}, "games cannot be 4.0"),
    ({"seed": "x"}, "seed cannot be 'x'"),
    ({"workers": 0}, "workers cannot be 0"),
    ({"strikes": None}, "strikes cannot be None"),
    ({"kind": "cup"}, "kind cannot be 'cup'"),
    ({"time": [5]}, r"time cannot be \[5\]"),
    ({"openings": 2.5}, "openings cannot be 2.5"),
    ({"folder": 3}, "folder cannot be 3"),
]


def test_a_wrong_argument_is_named():
    for arguments, sentence in WRONG:
        with pytest.raises(parlour.BadOption, match=sentence):
            parlour.tournament(**({"game": "nim", "bots": [first, Last]} | arguments))


def test_numbers_of_numpy_are_numbers():
    numbers = {"games": np.int64(4), "seed": np.int32(3), "openings": np.int8(1)}
    assert parlour.tournament("nim", [first, Last], **numbers).games == 4
