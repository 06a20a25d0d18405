"""A league.toml is read, or its mistake is corrected; its folder holds the bots that take part."""

import os
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.rl.networks import constant_network
from tests.test_documents import ROOT

import parlour
from parlour.arena import league
from parlour.arena.plan import Limits, number_duplicates
from parlour.core import Clock
from parlour.core.errors import BadFile, ParlourError
from parlour.rl import Encoding

EXAMPLE = ROOT / "examples" / "league"


@pytest.fixture
def written(tmp_path):
    """Write a league.toml, and read it."""

    def call(text):
        (tmp_path / "league.toml").write_text(text, encoding="utf-8")
        return league.read_league(tmp_path / "league.toml")

    return call


def test_the_example_is_a_league_of_three_bots_and_two_yardsticks():
    found = league.read_league(EXAMPLE)
    game = found.plan.make_game()
    bots, wrong = league.find_bots(found, game)
    assert [each.name for each in found.plan.entries] == ["random", "minimax depth=2"]
    assert [each.name for each in bots] == ["ann", "bob", "cleo"]
    assert all(each.sandboxed for each in bots)
    assert not wrong
    assert found.plan.games == 20
    assert found.plan.clock == Clock(each=1.0)
    assert found.plan.limits == Limits(memory=512)
    assert len(found.plan.openings) == 10  # both seatings of each make the 20 games
    assert len(set(found.plan.openings)) == 10


def test_a_league_that_names_only_its_game_is_complete(written, tmp_path):
    found = written('game = "sticks"')
    assert found.plan.make_game().name == "sticks"
    assert (found.bots, found.results) == (tmp_path / "bots", tmp_path / "results")
    assert found.plan.clock is None
    assert found.title


def test_options_are_values_or_what_one_types_at_the_command_line(written):
    as_values = written('game = "nim"\n[options]\npiles = [1, 2]\nmisere = true')
    as_typed = written('game = "nim"\n[options]\npiles = "1 2"\nmisere = "yes"')
    assert as_values.plan == as_typed.plan
    assert as_values.plan.options["piles"] == [1, 2]


def test_files_are_looked_for_beside_the_league_wherever_one_is(written, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "engine.sh").write_text("#!/bin/sh\n")
    (tmp_path / "mine" / "engine.sh").chmod(0o755)
    (tmp_path / "begin.txt").write_text("1 from 1\n2 from 3, 1 from 1\n")
    monkeypatch.chdir("/")
    found = written(
        'game = "nim"\nopenings = "begin.txt"\nbots = "mine"\n'
        '[programs]\ntriangle = "mine/engine.sh --level 3"'
    )
    assert found.plan.openings == (("1 from 1",), ("2 from 3", "1 from 1"))
    (engine,) = found.plan.entries
    assert (engine.name, engine.kind) == ("triangle", "program")
    assert engine.what == f"{tmp_path / 'mine' / 'engine.sh'} --level 3"
    assert [each.name for each in league.find_bots(found, found.plan.make_game())[0]] == [
        "engine.sh"
    ]


def test_a_command_may_name_files_beside_the_league(written, tmp_path, monkeypatch):
    (tmp_path / "my bot.pl").write_text("print 1;\n")
    monkeypatch.chdir("/")
    command = "perl -w 'my bot.pl' other.txt"
    (pearl,) = written(f"game = 'nim'\n[programs]\npearl = \"{command}\"").plan.entries
    shell, *rest = shlex.split(pearl.what)
    assert Path(shell).name == "perl"
    assert rest == ["-w", str(tmp_path / "my bot.pl"), "other.txt"]
    assert pearl.digest  # another content is another player


MISTAKES = {
    "": 'write game = "nim"',
    "game = nim": "quotation marks",
    'game = "nim\n': "line 1",
    'game = "nim"\ngame = "sticks"': "twice",
    'game = "nimm"': "did you mean 'nim'",
    'gmae = "nim"': "did you mean 'game'",
    'game = "nim"\nmemory = 5': "[limits]",
    'game = "nim"\nmisere = true': "[options]",
    'game = "nim"\n[option]\nmisere = true': "did you mean 'options'",
    'game = "nim"\n[options]\npile = [3]': "did you mean 'piles'",
    'game = "nim"\n[options]\npiles = [3, -1]': "from 0 to 1000000000",
    'game = "nim"\n[options]\nseed = 3': "above the first line in brackets",
    'game = "nim"\n[options]\nseats = 3': "a game for two",
    'game = "nim"\n[limits]\nmemry = 3': "did you mean 'memory'",
    'game = "nim"\n[limits]\nmemory = "much"': "a number",
    'game = "nim"\ngames = 3': "even",
    'game = "nim"\ngames = "many"': "even",
    'game = "nim"\ntime = "fast"': "1/move",
    'game = "nim"\nkind = "cup"': "'swiss'",
    'game = "nim"\nkind = "gauntlet"': "house",
    'game = "nim"\nhouse = "random"': '["random"',
    'game = "nim"\nhouse = ["rnadom"]': "did you mean 'random'",
    'game = "nim"\nhouse = ["despacito"]': "does not play nim",
    'game = "nim"\nopenings = "none.txt"': "none.txt",
    'game = "nim"\n[programs]\nrhino = "gtp: gtp-rhino"': "Othello",
    'game = "othello"\n[programs]\nrhino = "gtp: no-such-program"': "not found",
    'game = "nim"\n[programs]\nrhino = 3': "a command",
    'game = "nim"\n[programs]\npearl = "sh nope.sh"': "'nope.sh' is not found",
    'game = "nim"\n[programs]\npearl = "sh \'nope.sh"': "quotation mark",
}


def test_a_wrong_line_is_answered_with_a_right_one(written):
    wrong = []
    for text, words in MISTAKES.items():
        with pytest.raises(ParlourError) as refusal:
            written(text)
        sentence = str(refusal.value)
        if not sentence.startswith("league.toml") or words not in sentence or "\n" in sentence:
            wrong.append(f"{text!r}: {sentence!r}")
    assert not wrong, "\n".join(wrong)


def test_a_league_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(BadFile, match="parlour examples"):
        league.read_league(tmp_path)
    (tmp_path / "league.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="UTF-8"):
        league.read_league(tmp_path)
    (tmp_path / "league.toml").write_bytes(b'\xef\xbb\xbfgame = "nim"\r\ngames = 4\r\n')
    found = league.read_league(tmp_path)  # as an editor on Windows saves it
    assert found.plan.games == 4
    with pytest.raises(BadFile, match="bots"):  # there is no such folder
        league.find_bots(found, found.plan.make_game())


def test_other_files_are_passed_over_and_those_meant_as_bots_are_named(written, tmp_path):
    folder = tmp_path / "bots"
    shutil.copytree(EXAMPLE / "bots", folder)
    for name, text in {
        "_shared.py": "x = 1\n",
        ".hidden.py": "x = 1\n",
        "README.txt": "These are our bots.\n",
        "notes.md": "Ann is ill.\n",
        "table.json": "{}\n",
        "hugo.txt": "def choose(game, state): ...\n",
        "dora.pl": "#!/usr/bin/perl\n",
        "emil.pl": "#!/usr/bin/perl\n",
        "my bot.py": "def choose(game, state): ...\n",
        "fred.py.txt": "def choose(game, state): ...\n",
    }.items():
        (folder / name).write_text(text)
    (folder / "emil.pl").chmod(0o755)
    (folder / "__pycache__").mkdir()
    (folder / "gina").mkdir()
    (folder / "gina" / "bot.py").write_text("def choose(game, state): ...\n")
    (folder / "pictures").mkdir()
    found = written('game = "nim"')
    bots, wrong = league.find_bots(found, found.plan.make_game())
    assert [each.name for each in bots] == ["ann", "bob", "cleo", "my bot", "emil.pl"]
    assert list(wrong) == ["dora.pl", "fred.py.txt", "gina", "hugo.txt"]
    assert "chmod +x" in wrong["dora.pl"]
    assert "rename it to fred.py" in wrong["fred.py.txt"]
    assert "folder" in wrong["gina"]
    assert "neither a .py file nor executable" in wrong["hugo.txt"]


def test_models_are_bots_and_weights_belong_to_theirs(written, tmp_path):
    folder = tmp_path / "bots"
    folder.mkdir()
    for name in ("ann.py", "ann.pt", "ann.onnx", "bob.onnx", "bob.onnx.data", "cleo.zip", "d.pt"):
        (folder / name).write_text("def choose(game, state): ...\n")
    found = written('game = "nim"')
    bots, wrong = league.find_bots(found, found.plan.make_game())
    assert [(each.name, each.kind) for each in bots] == [
        ("ann", "python"),
        ("bob", "model"),
        ("cleo", "model"),
    ]
    assert all(each.sandboxed for each in bots)
    assert list(wrong) == ["d.pt"]


def test_the_house_may_bring_a_model_beside_the_league_and_a_server(written, tmp_path):
    seen = [1, *Encoding(parlour.game("nim")).shape]
    constant_network(tmp_path / "net.onnx", seen, np.zeros(12, np.float32))
    found = written(
        'game = "nim"\nhouse = ["random", "net.onnx", "onnx model=net.onnx", "http://127.0.0.1:9"]'
    )
    assert [(each.name, each.kind) for each in found.plan.entries] == [
        ("random", "house"),
        ("net", "model"),
        ("onnx model=net.onnx", "trusted"),
        ("http://127.0.0.1:9", "trusted"),
    ]


def test_no_bot_is_renamed_by_a_file_that_comes_later(written, tmp_path):
    folder = tmp_path / "bots"
    shutil.copytree(EXAMPLE / "bots", folder)
    found = written('game = "nim"')
    game = found.plan.make_game()
    before = {each.name: each for each in league.find_bots(found, game)[0]}
    for file in ("ann", "ann.pl", "ann.js"):
        (folder / file).write_bytes((folder / "ann.py").read_bytes())
        (folder / file).chmod(0o755)
        bots = number_duplicates(league.find_bots(found, game)[0])
        assert before.items() <= {each.name: each for each in bots}.items()
    assert {"ann.pl", "ann.js"} < {each.name for each in bots}


def test_a_link_has_its_own_name_and_may_not_lead_out_of_the_folder(written, tmp_path):
    folder = tmp_path / "bots"
    shutil.copytree(EXAMPLE / "bots", folder)
    (tmp_path / "secret").write_text("a password\n")
    for name, leads_to in {
        "link.py": "cleo.py",
        "passwd.py": "/etc/passwd",
        "secret.py": "../secret",
        "shell.sh": "/bin/sh",
        "lost.py": "nobody.py",
        "round.py": "round.py",
    }.items():
        (folder / name).symlink_to(leads_to)
    os.mkfifo(folder / "pipe.py")
    found = written('game = "nim"')
    bots, wrong = league.find_bots(found, found.plan.make_game())
    assert [each.name for each in bots] == ["ann", "bob", "cleo", "link"]
    assert list(wrong) == ["lost.py", "passwd.py", "pipe.py", "round.py", "secret.py", "shell.sh"]
    for name in ("passwd.py", "secret.py", "shell.sh"):
        assert "outside the folder" in wrong[name]
    for name in ("lost.py", "round.py"):
        assert "leads nowhere" in wrong[name]


# From run to run


def a_run(**ratings):
    """A run of bots named by letters, each with the number of its content."""
    bots = {name[:-1]: name[-1] for name in ratings}
    around = {name[:-1]: (elo, elo - 50.0, elo + 50.0) for name, elo in ratings.items()}
    return league.Run("2026-01-01 12:00", "nim", bots, around)


def elo(run):
    return {name: rating[0] for name, rating in run.ratings.items()}


def test_when_a_weak_bot_joins_no_other_has_risen():
    before, after = a_run(ann1=100.0, bob1=-100.0), a_run(ann1=200.0, bob1=0.0, cleo1=-200.0)
    moved, last = league.align_ratings([before, after])
    assert last == after
    assert elo(moved) == {"ann": 200.0, "bob": 0.0}
    assert moved.ratings["bob"] == (0.0, -50.0, 50.0)


def test_a_bot_that_changed_is_measured_against_those_that_did_not():
    before, after = a_run(ann1=0.0, bob1=0.0), a_run(ann2=100.0, bob1=-100.0)
    assert elo(league.align_ratings([before, after])[0]) == {"ann": -100.0, "bob": -100.0}
    found = league.find_changes(before, after)
    assert (found.new, found.changed, found.gone) == ((), ("ann",), ())


def test_a_bot_is_gone_when_its_file_is_but_not_while_it_is_left_out():
    before, after = a_run(**{"ann1": 0.0, "bob1": 0.0, "cleo.pl1": 0.0}), a_run(bob1=0.0)
    assert league.find_changes(before, after).gone == ("ann", "cleo.pl")
    assert league.find_changes(before, after, ["ann.py"]).gone == ("cleo.pl",)
    assert league.find_changes(before, after, ["ann.pl", "cleo.pl"]).gone == ("ann",)
    assert league.find_changes(None, after).new == ("bob",)


def test_runs_are_moved_one_after_another_up_to_the_last():
    runs = [a_run(ann1=0.0), a_run(ann1=10.0, bob1=5.0), a_run(bob1=25.0, cleo1=0.0)]
    assert [elo(run) for run in league.align_ratings(runs)] == [
        {"ann": 30.0},
        {"ann": 30.0, "bob": 25.0},
        {"bob": 25.0, "cleo": 0.0},
    ]
    assert league.align_ratings([]) == []
    strangers = [a_run(ann1=0.0), a_run(ann2=7.0)]
    assert league.align_ratings(strangers) == strangers


def test_history_is_read_as_it_was_written_and_survives_a_damaged_line(written, tmp_path):
    found = written('game = "nim"')
    assert league.read_history(found) == []
    runs = [a_run(ann1=1.5), a_run(ann2=2.5, bob1=-2.5)]
    league.write_history(found, runs)
    assert league.read_history(found) == runs
    path = tmp_path / "results" / "history.jsonl"
    whole = path.read_bytes()
    for damaged in (
        b"\xff\x00",
        b"[1]",
        b"{}",
        b'{"date": "", "game": "", "bots": {}, "ratings": 3}',
        whole[: len(whole) // 3],
    ):
        path.write_bytes(whole + damaged)
        assert league.read_history(found) == runs
    later = league.Run("2027-01-01 12:00", "nim", runs[1].bots, runs[1].ratings)
    assert later.is_like(runs[1])
    assert not later.is_like(runs[0])
