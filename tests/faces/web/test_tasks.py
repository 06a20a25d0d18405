"""The tasks of the workers: moves of bots, values of positions, and replies of Benedict."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.arena import HOUSE, Entry, Plan
from parlour.arena.results import GameResult
from parlour.core.errors import BadFile, BadOption, BadText, IllegalMove, ParlourError, UnknownName
from parlour.core.record import Record
from parlour.core.registry import folder
from parlour.core.work import Work
from parlour.faces.web.tasks import TASKS
from parlour.host import Session
from parlour.host.session import HostTable
from parlour.learn import storage
from parlour.learn.hat_set import Hats, hats
from parlour.learn.training import train
from parlour.rules.sticks import Sticks

PATIENCE = 120  # seconds; ends a test that hangs

NIM = {"game": "nim", "options": {"piles": [3, 4, 5]}}


def run(task: str, payload: dict[str, Any], work: Work | None = None) -> Any:
    """The answer to a task, as it comes through JSON."""
    return json.loads(json.dumps(TASKS[task](payload, work or Work())))


def chosen(bot: str, **more: Any) -> dict[str, str]:
    answer: dict[str, str] = run("choose", {**NIM, "moves": [], "bot": bot, **more})
    return answer


# Bots that misbehave

BOTS = {
    "dividing": """
        def choose(game, state):
            return 1 // 0
        """,
    "cheating": """
        def choose(game, state):
            return (0, 1_000_000)
        """,
    "mumbling": """
        def choose(game, state):
            return None
        """,
    "resigning": """
        from parlour.core import Resigns
        class Resigning:
            name = "resigning"
            def choose(self, game, state):
                raise Resigns("it looks bad")
        """,
    "pondering": """
        import threading
        from parlour.core.files import data_folder
        class Pondering:
            name = "pondering"
            def choose(self, game, state):
                self.asked = threading.Event()
                (data_folder() / "pondering").touch()
                self.asked.wait()
                return game.moves(state)[-1]
            def stop(self):
                self.asked.set()
        """,
    "watching": """
        class Watching:
            name = "watching"
            def __init__(self):
                self.times = 0
            def clock(self, seconds):
                self.left = seconds
            def choose(self, game, state):
                self.times += 1
                return game.moves(state)[int(self.left) + self.times - 1]
        """,
    "noting": """
        from parlour.core.files import data_folder
        class Noting:
            name = "noting"
            def choose(self, game, state):
                return game.moves(state)[0]
            def learn(self, record):
                (data_folder() / "noted").write_text(record.to_json())
        """,
    "loading": """
        from pathlib import Path
        Path(__file__).with_suffix(".ran").touch()
        def choose(game, state):
            return game.moves(state)[0]
        """,
}


def drop(*names: str) -> None:
    """Put bots into the user's folder."""
    folder().mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder() / f"{name}.py").write_text(textwrap.dedent(BOTS[name]), encoding="utf-8")


@pytest.mark.slow
def test_a_server_that_starts_loads_nothing_that_computes() -> None:
    program = """
        import sys
        import parlour.faces.web.app, parlour.faces.web.serving
        print([n for n in sys.modules if n in ("numba", "numpy") or "parlour.kernels." in n])
        """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


# choose


def test_a_bot_moves_where_the_moves_have_led() -> None:
    """Nim-sums: 3^4^5 = 2, so 2 from the 3; after 5 from the 5 it is 3^4 = 7, so 1 from the 4."""
    assert chosen("standard") == {"move": "2 from 1"}
    assert chosen("standard", moves=["5 from 3"], seat=1) == {"move": "1 from 2"}


def test_a_bot_may_resign_but_not_move_against_the_rules() -> None:
    drop("resigning", "cheating", "mumbling")
    assert chosen("resigning") == {"resigns": "resigned: it looks bad"}
    with pytest.raises(IllegalMove, match=r"^it chose \(0, 1000000\): "):
        chosen("cheating")
    with pytest.raises(ParlourError, match=r"^it chose None"):
        chosen("mumbling")


def stop_when(work: Work, true: Callable[[], bool]) -> threading.Thread:
    """Stop the work in a thread, as soon as something is true."""

    def watch() -> None:
        ends = time.monotonic() + PATIENCE
        while not true() and time.monotonic() < ends:
            time.sleep(0.005)
        work.stop()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def test_a_bot_that_can_answers_when_its_time_is_over() -> None:
    drop("pondering")
    work = Work()
    stopper = stop_when(work, (folder().parent / "pondering").exists)
    payload = {**NIM, "moves": [], "bot": "pondering"}
    assert run("choose", payload, work) == {"move": "5 from 3"}
    stopper.join()


def test_a_bot_knows_its_clock_and_an_added_one_is_made_anew_for_every_move() -> None:
    drop("watching")
    for _ in range(2):
        assert chosen("watching", left=2.5) == {"move": "3 from 1"}


@pytest.mark.parametrize("bot", ["random seed=5", "perfect level=2 seed=5"])
def test_a_seed_decides_the_moves_but_not_always_the_same_one(bot: str) -> None:
    def game() -> list[str]:
        moves: list[str] = []
        for seat in range(8):
            payload = {"game": "sticks", "options": {"sticks": 100}, "moves": moves, "bot": bot}
            moves.append(run("choose", {**payload, "seat": seat % 2})["move"])
        return moves

    first = game()
    assert first == game()
    assert len(set(first)) > 1


def test_hats_that_are_sent_along_are_played_with() -> None:
    """Trained long enough on 2 sticks above a loss, they take those 2."""
    game = Sticks(sticks=10)
    trained = hats(game, seed=1)
    train(trained, 30_000, curve=False)
    payload = {
        "game": "sticks",
        "options": {"sticks": 10},
        "moves": ["3"],
        "bot": "hats likeliest=yes",
    }
    text = storage.to_json(trained)
    assert run("choose", {**payload, "hats": text}) == {"move": "2"}
    with pytest.raises(BadFile, match="damaged"):
        run("choose", {**payload, "hats": text.replace("9", "8")})
    with pytest.raises(ParlourError, match="does not play with hats"):
        run("choose", {**payload, "bot": "perfect", "hats": text})


@pytest.mark.parametrize("bot", ["{file}", "'{file}'", "{stem}.'py'", "{file} seed=1"])
def test_no_name_opens_a_file(tmp_path: Path, bot: str) -> None:
    drop("loading")
    file = folder() / "loading.py"
    file.rename(tmp_path / "loading.py")
    text = bot.format(file=tmp_path / "loading.py", stem=tmp_path / "loading")
    with pytest.raises(UnknownName, match="there is no bot"):
        chosen(text)
    with pytest.raises(UnknownName, match="there is no bot"):
        met("random", text)
    for session in (
        Session(mode="game", table=HostTable("nim", {}, ("human", text))),
        Session(saved=HostTable("nim", {}, ("human", text))),
        Session(mode="setup", wished={"game": "nim", "against": text}),
    ):
        run("reply", {"session": session.to_json(), "text": "3 4 5"})
    with pytest.raises(UnknownName):
        run("plays", {"game": str(tmp_path / "loading.py")})
    assert not (tmp_path / "loading.ran").exists()


@pytest.mark.parametrize(
    ("payload", "kind", "sentence"),
    [
        ({"game": "nimm"}, UnknownName, "did you mean 'nim'"),
        ({"game": "nim", "options": {"pile": 3}}, UnknownName, "did you mean 'piles'"),
        ({"game": "nim", "options": {"name": "x"}}, UnknownName, "no option 'name'"),
        ({"game": "nim", "options": {"piles": [0]}}, ParlourError, "piles"),
        ({"game": "nim", "options": {"piles": "345"}}, BadOption, "piles cannot be '345'"),
        ({**NIM, "moves": ["9 from 1"]}, BadText, "move 1 of this record cannot be played"),
        ({**NIM, "moves": [], "bot": "nobody"}, UnknownName, "there is no bot 'nobody'"),
        ({**NIM, "moves": [], "bot": ""}, UnknownName, "there is no bot ''"),
        ({**NIM, "moves": [], "bot": "'"}, BadText, "quotation mark"),
        ({**NIM, "moves": [], "bot": "random seed"}, BadText, "like seed=3"),
        ({**NIM, "moves": [], "bot": "random seed=x"}, BadOption, "seed cannot be 'x'"),
        ({**NIM, "moves": [], "bot": "hats kept=../x"}, BadText, "cannot name hats"),
        (
            {"game": "nim", "options": {"piles": [1]}, "moves": ["1 from 1"], "bot": "random"},
            ParlourError,
            "the game is over",
        ),
    ],
)
def test_a_payload_that_is_wrong_is_refused_in_a_sentence(
    payload: dict[str, Any], kind: type[ParlourError], sentence: str
) -> None:
    with pytest.raises(kind) as refusal:
        run("choose", payload)
    assert sentence in str(refusal.value)


# plays


def test_those_who_play_a_game_are_listed_with_what_they_are() -> None:
    drop("resigning", "dividing")
    listed = {bot["name"]: bot for bot in run("plays", NIM)}
    assert {"benedict", "perfect", "standard", "random", "resigning", "dividing"} <= set(listed)
    assert "despacito" not in listed  # it plays Othello only
    assert listed["perfect"]["plays"] == "perfectly"
    assert listed["random"]["about"] == "Plays any legal move, all equally likely."
    assert list(listed["random"]["options"]["properties"]) == ["seed"]


# tournament-games


def planned(*bots: str, seed: int = 0) -> str:
    """A plan for these bots, as it is sent to a worker."""
    entries = [Entry(bot, HOUSE, bot) for bot in bots]
    return Plan.of(parlour.game("nim", piles=(3, 4, 5)), entries, seed=seed).to_json()


def met(*bots: str, seed: int = 0, work: Work | None = None) -> str:
    """The record of one game between bots."""
    payload = {"plan": planned(*bots, seed=seed), "fixtures": [[0, 1, 0]]}
    (line,) = TASKS["tournament-games"](payload, work or Work())
    return GameResult.from_json(line).record.to_json()


def test_bots_play_a_whole_game_that_the_seed_decides() -> None:
    line = met("random", "perfect", seed=3)
    record = Record.from_json(line)
    assert record.players == ("random", "perfect")
    assert record.result in ((1, -1), (-1, 1))
    moves = [Record.from_json(met("random", "perfect", seed=seed)).moves for seed in (3, *range(9))]
    assert moves[0] == record.moves == moves[4]
    assert len(set(moves)) > 1


def test_quick_games_are_played_several_at_once_and_one_at_least() -> None:
    asked = {"plan": planned("random", "perfect"), "fixtures": [[0, 1, leg] for leg in range(5)]}
    ids = [json.loads(line)["id"] for line in run("tournament-games", {**asked, "within": 30})]
    assert len(set(ids)) == 5
    (first,) = run("tournament-games", {**asked, "within": 0})
    assert json.loads(first)["id"] == ids[0]
    assert run("tournament-games", {**asked, "fixtures": []}) == []


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("dividing", "player 2 crashed: ZeroDivisionError: "),
        ("cheating", "player 2 chose (0, 1000000), which is not a legal move"),
        ("mumbling", "player 2 chose None, which is not a legal move"),
        ("resigning", "player 2 resigned: it looks bad"),
        ("hats kept=nothing", "player 2 could not go on: there are no hats named 'nothing'"),
    ],
)
def test_a_bot_that_fails_loses_and_the_record_has_the_reason(bot: str, reason: str) -> None:
    drop("dividing", "cheating", "mumbling", "resigning")
    record = Record.from_json(met("perfect", bot))
    assert record.result == (1, -1)
    assert record.reason.startswith(reason)


@pytest.mark.parametrize("bot", ["pondering", "hats games=100000000"])
def test_a_bot_that_is_thinking_when_time_is_up_loses(bot: str) -> None:
    drop("pondering")
    work = Work()
    stop_when(work, lambda: (work.done, work.total) == (0, 2))
    record = Record.from_json(met("random", bot, work=work))
    assert record.result == (1, -1)
    assert record.reason == "player 2 did not answer in time"


def test_progress_says_which_game_is_played_and_whose_turn_it_is() -> None:
    drop("pondering")
    plan = planned("random", "perfect", "pondering")
    asked = {"plan": plan, "fixtures": [[0, 1, 0], [0, 2, 0]], "within": 30}
    work = Work()
    stopper = stop_when(work, lambda: (work.done, work.total) == (1, 2))
    lines = TASKS["tournament-games"](asked, work)
    stopper.join(PATIENCE)
    assert (work.stopped, len(lines)) == (True, 2)


# solve and explain


def test_a_game_is_solved() -> None:
    """Chopsticks as Benedict plays it is lost for the first player in 26 plies."""
    answer = run("solve", {"game": "chopsticks"})
    assert (answer["outcome"], answer["plies"]) == ("loss", 26)
    assert answer["sentence"] == (
        "Player 1 is to move, and player 2 wins within 26 plies, whatever player 1 does."
    )
    assert sum(answer["counts"].values()) == 191
    assert run("solve", {"game": "tictactoe"})["outcome"] == "draw"


def test_a_position_is_solved_where_it_stands() -> None:
    answer = run("solve", {**NIM, "position": "3,4,5:1"})
    assert (answer["outcome"], answer["best"]) == ("win", ["2 from 1"])
    after = run("solve", {**NIM, "moves": ["2 from 1"]})
    assert after["outcome"] == "loss"


@pytest.mark.parametrize(
    ("payload", "sentence"),
    [
        ({"game": "nim", "options": {"seats": 3}}, "solve it with 2 seats"),
        ({"game": "othello"}, "empty"),
        ({**NIM, "position": "nonsense"}, "nonsense"),
        ({**NIM, "position": "x", "moves": []}, "not both"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_a_sentence(
    payload: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ParlourError) as refusal:
        run("solve", payload)
    assert sentence in str(refusal.value)


def test_reasons_are_given_for_positions_and_moves() -> None:
    why = run("explain", NIM)
    assert why["lines"][0].startswith("Player 1 is to move and wins within ")
    assert why["facts"][0]["kind"] == "value"
    wrong = run("explain", {**NIM, "moves": [], "move": "1 from 1"})
    assert wrong["lines"][0].startswith("Wrong: 1 from 1.")
    assert wrong["facts"][0]["data"]["verdict"] == "mistake"
    over = run("explain", {"game": "nim", "options": {"piles": [1]}, "moves": ["1 from 1"]})
    assert "player 1" in over["lines"][0].casefold()
    large = run("explain", {"game": "othello"})
    assert large["lines"]
    with pytest.raises(ParlourError):
        run("explain", {**NIM, "move": "9 from 1"})


# reply


def test_benedict_answers_and_his_session_goes_on() -> None:
    answer = run("reply", {"session": Session().to_json(), "text": "let's play nim with 3 4 5"})
    session = Session.from_json(answer["session"])
    assert session.table is not None
    assert session.table.game == "nim"
    assert answer["board"]
    assert answer["choices"]
    assert not answer["over"]
    assert run("reply", {"session": answer["session"], "text": "goodbye"})["lines"]


@pytest.mark.parametrize("session", ["", "[]", '{"seed": "x"}'])
def test_what_is_no_session_is_refused(session: str) -> None:
    with pytest.raises(ParlourError):
        run("reply", {"session": session, "text": "hello"})


# teach


GAME = Sticks(sticks=10)


def taught(record: Record, *bots: str) -> Any:
    return run("teach", {"record": record.to_json(), "bots": list(bots)})


def learned(held: Hats, record: Record, seats: list[int]) -> Hats:
    """The hats of a class after it has learned from a game."""
    payload = {"record": record.to_json(), "seats": seats, "views": []}
    answer = run("school-learn", {**payload, "hats": storage.to_json(held)})
    return storage.from_json(answer["hats"], GAME, name="it", work=Work())


def test_a_bot_learns_once_from_a_game_and_one_that_does_not_learn_is_left_alone() -> None:
    drop("noting")
    won = Record("nim", {"piles": [1]}, ("noting", "random"), ("1 from 1",), (), (1, -1))
    assert taught(won, "noting", "noting", "random") == {"taught": ["noting"]}
    assert Record.from_json((folder().parent / "noted").read_text(encoding="utf-8")) == won
    assert taught(won, "random") == {"taught": []}
    with pytest.raises(BadText):
        run("teach", {"record": "nonsense", "bots": []})


def test_a_class_learns_from_the_moves_of_its_seats() -> None:
    """A ball that won is put back with another of its kind; of those that lost the last stays.

    From 10 to 7, 5, 4, 1 and 0: the first player takes the last stick and loses.
    """
    moves = ("3", "2", "1", "3", "1")
    record = Record("sticks", {"sticks": 10}, ("Ann", "school x"), moves, (), (-1, 1))
    held = learned(hats(GAME, against="itself"), record, [1])
    assert held.games == 1
    for box in held.boxes.all():
        left = held.boxes.states[box][2]
        more = {7: [1, 2, 1], 4: [1, 1, 2]}
        assert held.contents(0, box) == more.get(left, [1, 1, 1])
