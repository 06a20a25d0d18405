"""Everything public can be pickled and copied, before and after it was used."""

import copy
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import parlour

KAYLES = Path("examples/kayles.py")
WAYS = [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy]  # noqa: S301


class Counting(parlour.Game):
    """The player who counts to five wins."""

    def start(self):
        return (0, 0)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        return tuple((step,) for step in (1, 2) if state[1] + step <= 5)

    def play(self, state, move):
        return (1 - state[0], state[1] + move[0])

    def result(self, state):
        return None if state[1] < 5 else ((-1, 1), (1, -1))[state[0]]


class First:
    def choose(self, game, state):
        return game.moves(state)[0]


def choose_last(game, state):
    return game.moves(state)[-1]


def use_match(match):
    for _ in parlour.drive(match, ["random seed=1"] * 2):
        pass
    return match


def use_solution(solution):
    for state, _ in list(solution)[:20]:
        solution.best(state)
    return solution


def use_bot(bot, game="tictactoe"):
    parlour.match(game, [bot, "random seed=1"])
    return bot


def train(rule="hats"):
    hats = parlour.hats("sticks", rule, seed=1)
    parlour.train(hats, 50)
    return hats


EXAMPLES = {  # values of every class, fresh and used
    "AnswerVerdict": lambda: [
        parlour.judge_answer(each, each.right[0]) for each in parlour.find_puzzles("nim", 2)
    ],
    "Atlas": lambda: [parlour.atlas("sticks", {"sticks": (10, 11)})],
    "BadFile": lambda: [parlour.BadFile("x")],
    "BadOption": lambda: [parlour.BadOption("piles", 3, "it must be a list")],
    "BadText": lambda: [parlour.BadText("x")],
    "Bot": lambda: (
        [
            use(parlour.bot(name, **options))
            for name, options in (
                ("random", {"seed": 1}),
                ("minimax", {"depth": 1}),
                ("perfect", {"level": 3}),
                ("hats", {"games": 10}),
            )
            for use in (lambda bot: bot, use_bot)
        ]
        + [
            parlour.bot("gtp", command="gtp-rhino"),
            parlour.bot("engine", level=1),
            use_bot(parlour.bot("engine", level=1), "othello columns=4 rows=4"),
            use_bot(parlour.bot("despacito", level=1), "othello columns=4 rows=4"),
        ]
    ),
    "Clock": lambda: [parlour.Clock(each=1.0)],
    "Comparison": lambda: [parlour.judge("nim", "random").compare(parlour.judge("nim", First))],
    "Explanation": lambda: [parlour.explain("nim"), parlour.explain("nim", None, "1 from 1")],
    "Extras": lambda: [parlour.Extras(board="parlour.boards.nim", place=3)],
    "Game": lambda: [
        game
        for make in (
            *(lambda name=name: parlour.game(name) for name in parlour.games()),
            Counting,
            lambda: parlour.game(KAYLES, pins=5),
        )
        for game in (make(), use_match(parlour.Match(make(), "ab")).game)
    ],
    "Hats": lambda: [parlour.hats("sticks"), train(), train("menace")],
    "IllegalMove": lambda: [parlour.IllegalMove("x")],
    "Judgement": lambda: [parlour.judge("nim", each) for each in ("random", choose_last)],
    "LearningCurve": lambda: [parlour.judge("sticks", {"first": "random", "last": choose_last})],
    "Match": lambda: [
        match
        for game in ("nim", "tictactoe", "othello columns=4 rows=4", KAYLES, Counting)
        for match in (parlour.Match(game, "ab"), use_match(parlour.Match(game, "ab")))
    ],
    "NameTaken": lambda: [parlour.NameTaken("x")],
    "ParlourError": lambda: [parlour.ParlourError("x")],
    "Picture": lambda: [parlour.show("nim"), parlour.show("tictactoe", "X-------- O", last="a1")],
    "Player": lambda: [First(), parlour.bot(Path("examples/my_bot.py")), train().player(seed=1)],
    "Progress": lambda: [parlour.Progress(1, 2, 1, 0.5)],
    "Puzzle": lambda: parlour.find_puzzles("nim", 2),
    "Record": lambda: [parlour.match("nim", [First, choose_last])],
    "Refuted": lambda: [parlour.Refuted("x")],
    "Resigns": lambda: [parlour.Resigns("x")],
    "Solution": lambda: (
        [
            solution
            for game in (
                *("nim", "nim piles=4,5 endings=1,1", "sticks", "chopsticks", "tictactoe"),
                *(KAYLES, Counting),
            )
            for solution in (parlour.solve(game), use_solution(parlour.solve(game)))
        ]
        + [parlour.solve("nim piles=1000000,5"), parlour.solve("chopsticks dies_at=3 loops=barred")]
    ),
    "Standings": lambda: [parlour.tournament("nim", [First, "perfect"])],
    "Study": lambda: [parlour.Study("nim"), parlour.read_study("f5d6c3")],
    "StudyNode": lambda: [parlour.StudyNode(0, "f5", "Good.")],
    "Tally": lambda: [parlour.playouts("tictactoe", 3)],
    "Timer": lambda: [parlour.Timer(2, parlour.Clock(total=60.0))],
    "TooLarge": lambda: [parlour.TooLarge("x")],
    "TrainingTally": lambda: [parlour.train(parlour.hats("sticks"), 5)],
    "UnknownName": lambda: [parlour.UnknownName("x")],
    "Unsolved": lambda: [parlour.Unsolved("x")],
    "Value": lambda: [parlour.Value("win", 3)],
    "Work": lambda: [parlour.Work()],
}


def test_every_public_class_is_listed_here():
    classes = {name for name in parlour.__all__ if isinstance(getattr(parlour, name), type)}
    assert classes == set(EXAMPLES)


def test_every_public_name_can_be_pickled_and_copied():
    for name in parlour.__all__:
        thing = getattr(parlour, name)
        for way in WAYS:
            assert way(thing) is thing, name


def look(thing):
    """What can be compared of an object that does not compare itself."""
    if isinstance(thing, Exception):
        return type(thing), str(thing), vars(thing)
    if isinstance(thing, parlour.Solution):
        start = thing.game.start()
        return type(thing), thing.game, thing.value(start), thing.best(start)
    if isinstance(thing, parlour.Match):
        return thing.game, thing.record, thing.states, thing.over
    if isinstance(thing, parlour.Hats):
        return thing.game, thing.balls, thing.games, thing.tally, thing.curves
    if isinstance(thing, parlour.Work):
        return list(thing.cells)
    if isinstance(thing, parlour.Timer):
        return thing.clock, thing.spent, thing.moves
    if hasattr(thing, "choose"):
        return parlour.core.describe(thing)
    return thing


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_values_of_every_public_class_can_be_pickled_and_copied(name):
    for thing in EXAMPLES[name]():
        assert isinstance(thing, getattr(parlour, name)) or name == "Bot"
        for way in WAYS:
            assert look(way(thing)) == look(thing)


def test_a_copied_player_plays_as_the_one_it_was_copied_from():
    game = parlour.game("tictactoe")
    for options in ({"name": "random"}, {"name": "perfect", "level": 2}):
        bot = use_bot(parlour.bot(**options, seed=7))
        for way in (WAYS[0], WAYS[2]):
            twin = way(bot)
            choices = [[each.choose(game, game.start()) for _ in range(5)] for each in (bot, twin)]
            assert choices[0] == choices[1]
            bot = way(bot)


def test_a_game_from_a_file_is_unpickled_in_a_process_that_never_saw_the_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(KAYLES.read_text(encoding="utf-8"), encoding="utf-8")
    game = parlour.game(path, pins=5)
    data = tmp_path / "data"
    data.write_bytes(pickle.dumps((game, parlour.solve(game))))
    code = (
        "import pickle, sys; game, solution = pickle.load(open(sys.argv[1], 'rb')); "
        "print(game.pins, solution.value(game.start()))"
    )
    call = [sys.executable, "-c", code, str(data)]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert done.stdout == f"5 {parlour.solve(game).value(game.start())}\n"
    path.write_text("name = 'other'\n", encoding="utf-8")
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert "has changed since this was pickled" in done.stderr


def test_a_player_that_holds_a_process_goes_as_its_name_and_options():
    """A process cannot be copied, and neither can the lock that stands for one here."""
    bot = parlour.bot("gtp", command="gtp-rhino -l 3", seconds=5.0)
    bot._engine = threading.Lock()
    for way in WAYS:
        twin = way(bot)
        assert twin == bot
        assert twin._engine is None
