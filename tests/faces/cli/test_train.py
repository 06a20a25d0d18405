"""The commands train and hats: what a class types, and what goes wrong."""

import html
import json
import re
import signal

import pytest
from PIL import Image

from parlour.learn import storage
from tests.terminal import open_terminal
from tests.test_documents import ROOT

__all__ = ["open_terminal"]


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def test_training_is_kept_and_reported(run):
    code, out, _ = run("train", "sticks", "--seed", "1")
    assert code == 0
    assert "15 of 15" in out
    assert storage.load_hats("sticks").games == 100_000
    answer = json.loads(run("hats", "sticks", "--json")[1])
    assert answer["games"] == 100_000
    assert [point["games"] for point in answer["curves"][0]][-1] == 100_000
    assert answer["players"][0]["right"] == 15
    assert len(answer["players"][1]["boxes"]) == 20
    assert answer["players"][0]["strategy"]
    box = json.loads(run("hats", "sticks", "--json", "--box", "7:1")[1])["box"]
    assert box in answer["players"][0]["boxes"]
    assert (box["value"], box["right"]) == ("win", ["2"])
    assert max(box["balls"], key=box["balls"].get) == "2"


def test_the_same_seed_gives_the_same_hats_and_no_seed_others(run):
    for name, seed in (("a", ["--seed", "5"]), ("b", ["--seed", "5"]), ("c", []), ("d", [])):
        assert run("train", "nim", "--games", "2000", "--name", name, *seed)[0] == 0
    a, b, c, d = (storage.load_hats(name).balls for name in "abcd")
    assert a == b
    assert c != d


def test_kept_hats_are_not_overwritten_by_accident(run):
    run("train", "sticks", "--games", "10", "--seed", "1")
    code, _, err = run("train", "sticks", "--games", "10")
    assert code == 2
    assert "--continue" in err
    assert "--anew" in err
    assert run("train", "sticks", "--games", "20", "--anew")[0] == 0
    assert storage.load_hats("sticks").games == 20


def test_menace_reports_that_it_ran_out_of_balls(run):
    code, out, _ = run(
        *("train", "tictactoe", "--rule", "menace", "--against", "perfect"),
        *("--games", "500", "--seed", "1"),
    )
    assert code == 0
    assert "They ran out of balls: in game" in out
    assert "Of the last 50 games they won 0" in out


@pytest.mark.slow
def test_pictures_and_sheets_are_written(run, tmp_path):
    run("train", "tictactoe", "--games", "100", "--seed", "1", "--curve", "curve.svg")
    for player in "12":
        said = html.unescape((tmp_path / f"curve-{player}.svg").read_text())
        assert f"Player {player}'s hats" in said
    arguments = ("hats", "tictactoe", "--player", "2", "--curve", "second.svg")
    assert run(*arguments)[1] == "Written: second.svg\n"
    arguments = ("hats", "tictactoe", "--box", "X---O---- X", "--image", "box.png")
    assert run(*arguments)[1] == "Written: box.png\n"
    with Image.open(tmp_path / "box.png") as image:
        assert min(image.size) > 100
    assert run("hats", "tictactoe", "--curve", "c.png", "--sheet", "s.pdf")[0] == 0
    assert (tmp_path / "s.pdf").read_bytes().startswith(b"%PDF-")
    assert [(tmp_path / f"c-{player}.png").is_file() for player in (1, 2)] == [True, True]


def test_hats_travel_as_json(run):
    run("train", "sticks", "--games", "100", "--seed", "1")
    assert run("hats", "sticks", "--export", "them.json")[0] == 0
    assert run("hats", "copy", "--import", "them.json")[0] == 0
    assert storage.load_hats("copy") == storage.load_hats("sticks")
    code, _, err = run("hats", "copy", "--import", "them.json")
    assert code == 2
    assert "--anew" in err
    assert run("hats", "copy", "--import", "them.json", "--anew")[0] == 0
    assert run("hats", "copy", "--delete")[0] == 0
    assert storage.list_names() == ["sticks"]


def test_delete_and_import_are_refused_beside_other_flags(run):
    run("train", "sticks", "--games", "100", "--seed", "1")
    run("hats", "sticks", "--export", "them.json")
    for arguments in (
        ("--delete", "--export", "x.json"),
        ("--delete", "--box", "7"),
        ("--import=them.json", "--anew", "--sheet", "x.pdf"),
    ):
        code, out, err = run("hats", "sticks", *arguments)
        assert (code, out) == (2, "")
        assert "works alone" in err
        assert storage.load_hats("sticks").games == 100
    assert "--import" in run("hats", "sticks", "--anew")[2]


def test_the_suggested_seat_is_the_one_they_trained_at(run):
    how = ("--against", "random", "--starts", "first", "--games", "20", "--seed", "1")
    out = run("train", "tictactoe", *how)[1]
    assert out.endswith("parlour play tictactoe --seat 'hats kept=tictactoe' --seat human\n")
    out = run("train", "sticks", "--games", "20", "--sticks", "12", "--seed", "1")[1]
    assert out.endswith("parlour play sticks --sticks 12 --seat human --seat 'hats kept=sticks'\n")


def test_a_missing_box_is_refused(run):
    how = ("--games", "20", "--seed", "1", "--starts", "first")
    run("train", "tictactoe", "--against", "random", "--name", "one", *how)
    run("train", "tictactoe", "--name", "two", *how)
    code, out, err = run("hats", "one", "--box", "X-------- O")
    assert (code, out) == (2, "")
    assert "these hats have no box" in err
    assert run("hats", "two", "--box", "X-------- O")[1].startswith("Box 1: tictactoe, player 2")
    assert run("hats", "two", "--player", "1", "--box", "X-------- O")[0] == 2
    assert "Player 2's hats" in run("hats", "two", "--player", "2")[1]


def test_hats_without_a_wrong_ball_say_so(run):
    for game in (
        "nim --piles 1",
        "nim --take 1",
        "tictactoe --columns 1 --rows 1 --line 1",
    ):
        name, *options = game.split()
        how = ("--games", "50", "--seed", "1", "--curve", "c.svg", "--anew")
        code, out, _ = run("train", name, *options, *how)
        assert code == 0
        assert "Player 2: no ball can be wrong here." in out, game
        code, out, _ = run("hats", name)
        assert code == 0
        assert "No ball can be wrong here." in out, game
        assert "0 of 0" not in out, game
        single = game in ("nim --piles 1", "tictactoe --columns 1 --rows 1 --line 1")
        assert ("never a choice" in out) == single, game


def test_the_results_of_the_last_games_are_printed_if_there_were_any(run):
    """Of ten games the last tenth, of fewer all."""
    for games, last in ((0, 0), (1, 1), (7, 7), (10, 1)):
        how = ("--against", "random", "--seed", "1", "--games", str(games), "--anew")
        out = run("train", "sticks", *how)[1]
        results = re.search(
            r"Of the last (\d+) games? they won (\d+), drew 0 and lost (\d+)\.", out
        )
        assert bool(results) == (games > 0)
        if results:
            assert int(results[1]) == int(results[2]) + int(results[3]) == last


def test_hats_changed_by_another_program_are_not_overwritten(run, monkeypatch):
    run("train", "sticks", "--games", "100", "--seed", "1")
    before = storage.load_hats("sticks")
    stamp = storage.fingerprint
    seen = iter(["as it was"])
    monkeypatch.setattr(storage, "fingerprint", lambda name: next(seen, None) or stamp(name))
    code, out, _ = run("train", "sticks", "--games", "7", "--continue")
    assert code == 0
    assert (
        "Another program has changed the hats named sticks in the meantime.\nStored as sticks-2:"
        in out
    )
    assert storage.load_hats("sticks").games == before.games
    assert storage.load_hats("sticks-2").games == before.games + 7


def test_the_rule_of_kept_hats_cannot_be_changed(run):
    run("train", "sticks", "--games", "10", "--seed", "1")
    for how in (("--seed", "2"), ("--rule", "menace"), ("--starts", "first"), ("--anew",)):
        code, _, err = run("train", "sticks", "--continue", *how)
        assert code == 2
        assert "go on learning as they began" in err


def test_a_damaged_file_does_not_hide_the_others(run):
    run("train", "sticks", "--games", "10", "--seed", "1")
    (storage.folder() / "broken.json").write_text("nonsense")
    code, out, err = run("hats")
    assert code == 0
    assert out.startswith("sticks  sticks  10 games")
    assert "left out: broken.json" in err


def test_hats_of_a_game_in_a_file(run):
    kayles = str(ROOT / "examples" / "kayles.py")
    assert run("train", kayles, "--games", "500", "--seed", "1")[0] == 0
    code, _, err = run("hats", "kayles")
    assert code == 2
    assert "no game 'kayles'" in err
    assert run("hats", "kayles", "--game", kayles)[0] == 0
    assert run("train", kayles, "--games", "500", "--continue")[0] == 0


REFUSED = [
    (["train", "sticks", "--games", "-1"], "can play 500,000,000 more, not -1"),
    (["train", "sticks", "--games", "9" * 21], "more, not 999,999,999,999,999,999,999"),
    (["train", "sticks", "--seed", str(2**63)], "from 0 to 9223372036854775807"),
    (["train", "sticks", "--name", "../../x"], "cannot name hats"),
    (["train", "sticks", "--shared", "--against", "random"], "leave out --against"),
    (["train", "sticks", "--continue"], "no hats named 'sticks'"),
    (["train", "othello"], "too many for a box each"),
    (["hats", "chess"], "no hats named 'chess'"),
    (["hats", "--take", "4", "nim"], "unknown flag '--take'"),
    (["hats", "--delete"], "name the hats"),
    (["hats", "sticks", "--image", "x.svg"], "name the box"),
    (["hats", "sticks", "--box", "99:1"], "no box"),
    (["hats", "sticks", "--shared", "--player", "2"], "only one set"),
    (["hats", "sticks", "--curve", "x.svg"], "no curve"),
    (["hats", "sticks", "--sheet", "no/such/place/x.pdf"], "cannot write"),
    (["hats", "x", "--import", "nowhere.json"], "cannot read nowhere.json"),
]


def test_impossible_requests_are_refused_in_one_sentence(check_refusals, tmp_path):
    (tmp_path / "no").write_text("a file, not a folder")
    check_refusals(REFUSED)
    assert storage.list_names() == []


@pytest.mark.slow
def test_ctrl_c_keeps_the_balls_learned_so_far(open_terminal):
    terminal = open_terminal("train", "sticks", "--games", "400000000")
    terminal.expect(" of 400,000,000")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.exit_code() == 130
    assert "Traceback" not in terminal.shown
    assert "Stopped after" in terminal.shown
    assert "Stored as sticks" in terminal.shown
    kept = storage.load_hats("sticks")
    assert 0 < kept.games < 400_000_000
    assert kept.games >= kept.curves[0][-1].games
