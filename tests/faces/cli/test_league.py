"""The commands league and check-bot, as a teacher and his students type them.

The bots play in threads of this process; `tests/arena` has those that need a real sandbox.
"""

import io
import json
import re
import shutil

import pytest

from parlour.arena.sandbox import launcher as sandbox
from parlour.faces.cli import tournament
from parlour.faces.progress import CLEAR_LINE
from tests.arena.conftest import unconfined
from tests.test_documents import ROOT

__all__ = ["unconfined"]

BROKEN = "def choose(game, state):\n    moves = game.moves(state)\n    return moves[len(moves)]\n"


@pytest.fixture(autouse=True)
def _copy_the_example(monkeypatch, tmp_path, unconfined):
    shutil.copytree(ROOT / "examples" / "league", tmp_path / "league")
    shutil.copy(ROOT / "examples" / "my_bot.py", tmp_path)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def league(run, tmp_path):
    """Run a league of few games; its answer as JSON."""
    path = tmp_path / "league" / "league.toml"
    path.write_text(path.read_text().replace("games = 20", "games = 2"))

    def call():
        code, out, _ = run("league", "league", "--workers", "1", "--json")
        assert code == 0
        return json.loads(out)

    return call


def rows(text):
    """The names and points in a table as it is printed."""
    return re.findall(r"^\d+  (\S.*?)  +(\d+½?) +\d+/\d+/\d+ ", text, re.MULTILINE)


@pytest.mark.long
def test_the_readme_shows_the_table_of_the_example(run):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    chapter = re.search(r"## A class league\n(.*?)\n## ", readme, re.DOTALL)[1]
    assert len(rows(chapter)) == 5
    assert rows(run("league", "league")[1]) == rows(chapter)


@pytest.mark.slow
def test_only_games_of_new_and_changed_bots_are_played(league, tmp_path):
    bots = tmp_path / "league" / "bots"
    first = league()
    assert first["played"] == first["table"]["games"] == 20  # five play ten pairings of two
    assert first["new"] == ["random", "minimax depth=2", "ann", "bob", "cleo"]
    assert league()["played"] == 0
    with (bots / "ann.py").open("a") as file:
        file.write("# a remark\n")
    changed = league()
    assert (changed["played"], changed["changed"]) == (8, ["ann"])
    shutil.copy(tmp_path / "my_bot.py", bots / "dora.py")
    joined = league()
    assert (joined["played"], joined["new"]) == (10, ["dora"])
    (bots / "bob.py").unlink()
    left = league()
    assert (left["played"], left["gone"]) == (0, ["bob"])
    assert {row["name"] for row in left["table"]["rows"]} == {
        *("random", "minimax depth=2", "ann", "cleo", "dora")
    }
    shutil.copy(ROOT / "examples" / "league" / "bots" / "bob.py", bots)
    assert league()["played"] == 0  # he is who he was, and his games are known


def test_history_has_a_line_for_each_run_that_brought_something(league, tmp_path):
    results = tmp_path / "league" / "results"
    for _ in range(2):
        league()
        assert "From run to run" not in (results / "report.html").read_text(encoding="utf-8")
    shutil.copy(tmp_path / "my_bot.py", tmp_path / "league" / "bots" / "dora.py")
    answer = league()
    lines = [json.loads(line) for line in (results / "history.jsonl").read_text().splitlines()]
    assert len(lines) == 2
    assert all(line["date"] and line["game"] == "nim" for line in lines)
    assert "dora" in lines[1]["bots"]
    assert "dora" not in lines[0]["bots"]
    assert lines[1]["bots"]["ann"] == lines[0]["bots"]["ann"]
    assert lines[1]["ratings"] == {
        row["name"]: [row["elo"], row["low"], row["high"]] for row in answer["table"]["rows"]
    }
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "From run to run" in page
    assert "Since last" in page


def test_a_broken_bot_is_left_out_with_a_message_and_back_when_mended(run, league, tmp_path):
    emil = tmp_path / "league" / "bots" / "emil.py"
    emil.write_text(BROKEN)
    answer = league()
    assert list(answer["left_out"]) == ["emil.py"]
    assert answer["played"] == 20  # without him
    assert "emil" not in {row["name"] for row in answer["table"]["rows"]}
    assert answer["table"]["errors"] == 0
    message = answer["left_out"]["emil.py"]
    assert message.startswith("line 3: ")
    assert "IndexError" in message
    page = (tmp_path / "league" / "results" / "report.html").read_text(encoding="utf-8")
    assert "emil.py, line 3: It crashed: IndexError" in page
    _, out, _ = run("league", "league", "--workers", "1")
    assert "Left out until they are fixed:\n  emil.py, line 3: It crashed: IndexError" in out
    assert "nothing has changed" in out
    emil.write_text(BROKEN.replace("len(moves)]", "0]"))
    mended = league()
    assert (mended["left_out"], mended["new"], mended["played"]) == ({}, ["emil"], 10)
    emil.write_text(BROKEN)
    assert league()["gone"] == []  # he is left out, not gone


def test_a_terminal_shows_how_many_bots_are_checked(run, league, monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", terminal)
    assert run("league", "league", "--workers", "1")[0] == 0
    assert "checking 3 bots, 2 done" in terminal.getvalue()
    removed = f"checking 3 bots, 3 done; Ctrl-C stops{CLEAR_LINE}"
    assert removed + CLEAR_LINE in terminal.getvalue()  # before the next line is written


def test_standard_error_of_a_program_stands_below_its_name(run, league, tmp_path):
    pearl = tmp_path / "league" / "bots" / "pearl.pl"
    pearl.write_text("#!/usr/bin/perl\nprint STDERR qq(no\\n  board\\n);\nexit 3;\n")
    pearl.chmod(0o755)
    assert league()["left_out"]["pearl.pl"].endswith("\nIt wrote:\nno\n  board")
    page = (tmp_path / "league" / "results" / "report.html").read_text(encoding="utf-8")
    assert "It wrote: no board" in page
    _, out, _ = run("league", "league", "--workers", "1")
    assert "  pearl.pl: It ended with code 3." in out
    assert "    It wrote:\n      no\n        board\n" in out
    _, out, _ = run("check-bot", str(pearl), "nim", "--json")
    assert json.loads(out)["games"][0]["flaw"]["wrote"] == ["no", "  board"]


def test_a_changed_game_begins_a_history_of_its_own(league, tmp_path):
    league()
    path = tmp_path / "league" / "league.toml"
    path.write_text(path.read_text().replace("misere = false", "misere = true"))
    answer = league()
    assert (answer["played"], len(answer["new"])) == (20, 5)
    page = (tmp_path / "league" / "results" / "report.html").read_text(encoding="utf-8")
    assert "Since last" not in page


def test_a_league_without_settings_or_bots_is_refused_in_a_sentence(run, tmp_path):
    code, _, err = run("league")
    assert code == 2
    assert "league.toml does not exist" in err
    for bot in (tmp_path / "league" / "bots").iterdir():
        bot.unlink()
    (tmp_path / "league" / "bots" / "emil.py").write_text("import nothing_of_the_kind\n")
    (tmp_path / "league" / "league.toml").write_text('game = "nim"\nhouse = ["random"]')
    code, _, err = run("league", "league")
    assert code == 2
    assert "emil.py" in err
    assert "at least two bots" in err


def test_ctrl_c_keeps_finished_games_and_says_how_to_resume(run, monkeypatch):
    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(tournament, "open_runner", interrupt)
    code, _, err = run("league", "league", "--workers", "1")
    assert code == 130
    assert "stored in league/results" in err
    assert "parlour league league --workers 1" in err


def test_without_a_sandbox_no_bot_is_run_unasked(run, league, monkeypatch):
    monkeypatch.setattr(sandbox, "why_unavailable", lambda: "there are no namespaces here")
    for command in (("league", "league"), ("check-bot", "my_bot.py", "nim")):
        code, out, err = run(*command)
        assert (code, out) == (2, "")
        assert "no namespaces here" in err
        assert "--trust" in err
    code, out, _ = run("check-bot", "my_bot.py", "nim", "--trust")
    assert (code, "is fine" in out) == (0, True)
    code, out, _ = run("league", "league", "--workers", "1", "--trust")
    assert code == 0
    assert len(rows(out)) == 5


def test_trust_is_asked_for_a_program_of_the_league_too(run, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "why_unavailable", lambda: "there are no namespaces here")
    path = tmp_path / "league" / "league.toml"
    shutil.rmtree(tmp_path / "league" / "bots")
    (tmp_path / "league" / "bots").mkdir()
    path.write_text('game = "nim"\nhouse = ["random"]\n[programs]\ncat = "/bin/cat"\n')
    code, out, err = run("league", "league", "--workers", "1")
    assert (code, out) == (2, "")
    assert "So cat could read and change your files" in err


# check-bot


def test_the_book_shows_the_message_for_emil(run, tmp_path):
    book = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    bot = re.search(r"```py\n(.*?)```", book, re.DOTALL)[1]
    shown = re.search(r"```text\n\$ parlour check-bot emil.py nim\n(.*?)```", book, re.DOTALL)[1]
    (tmp_path / "emil.py").write_text(bot)
    code, out, _ = run("check-bot", "emil.py", "nim")
    assert code == 1
    assert out == shown


def test_without_a_game_the_games_that_the_bot_plays_are_listed(run, tmp_path):
    code, out, _ = run("check-bot", "my_bot.py", "--time", "20/move")
    assert code == 0
    assert out.startswith("my_bot.py plays chopsticks, nim, othello, sticks, tictactoe.")
    (tmp_path / "emil.py").write_text("def choose(game, state):\n    return (0, 1)\n")
    code, out, _ = run("check-bot", "emil.py")
    assert "Not nim: It returned (0, 1), which is not a legal move: pile 1" in out
    (tmp_path / "emil.py").write_text("def choose(game, state)\n    return (0, 1)\n")
    code, out, _ = run("check-bot", "emil.py")
    assert code == 1
    assert out.startswith("emil.py, line 1: Python cannot read this: expected ':'.")
    assert out.count("line 1") == 1  # the same for every game, and told once


def test_file_and_game_may_be_exchanged_and_names_have_spaces(run, tmp_path):
    shutil.copy(tmp_path / "my_bot.py", tmp_path / "my bot.py")
    code, out, _ = run("check-bot", "nim", "my bot.py", "--json")
    answer = json.loads(out)
    assert (code, answer["file"], answer["fine"]) == (0, "my bot.py", True)


@pytest.mark.slow
def test_a_program_is_named_as_in_a_tournament(run, tmp_path):
    shutil.copy(ROOT / "examples" / "line_bot.pl", tmp_path)
    code, out, _ = run("check-bot", "perl line_bot.pl", "nim")
    assert code == 0
    assert out.startswith("perl line_bot.pl is fine: 20 games of nim")


MISTYPED = [
    ((), "check-bot my_bot.py nim"),
    (("perl nope.pl", "nim"), "the file 'nope.pl' is not found"),
    (("my_bto.py",), "did you mean 'my_bot.py'"),
    (("league",), "is a folder"),
    (("my_bot.py", "--piles", "3"), "after its name"),
    (("my_bot.py", "nim", "--seats", "3"), "games for two"),
    (("my_bot.py", "nim", "--time", "fast"), "1/move"),
    (("x" * 5000,), "there is no file"),
]


def test_mistyped_checks_are_answered_in_a_sentence(check_refusals):
    check_refusals(MISTYPED, "check-bot")
