"""The command line: options as flags, errors in one sentence, records that replay."""

import json
import re
import shlex
from pathlib import Path

import pytest

from parlour.core.record import load
from parlour.faces.cli import main
from parlour.faces.cli.dispatch import COMMANDS
from parlour.rules.chopsticks import Chopsticks


def test_games_are_listed_with_their_option_schema(run):
    names = ["chopsticks", "nim", "othello", "sticks", "tictactoe"]
    code, out, _ = run("games")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[:5]] == names
    code, out, _ = run("games", "--json")
    listed = {game["name"]: game for game in json.loads(out)["games"]}
    assert code == 0
    assert listed["nim"]["options"]["properties"]["misere"]["type"] == "boolean"
    assert all(game["about"] for game in listed.values())


def test_two_people_play_a_whole_game(run):
    code, out, _ = run(
        *("play", "nim", "--piles", "1", "2", "--seat", "human Ann", "--seat", "human Bob"),
        typed="1 from 2\nnonsense\n5 from 1\n1 from 1\nmoves\n1 from 2\n",
    )
    assert code == 0
    assert "Ann, your move: 1 from 2" in out
    assert "'nonsense' is not a move" in out
    assert "Pile 1 has only 1 coin; take 1." in out
    assert "Ann, your move (only 1 from 2 is possible): moves\n1 from 2\n" in out
    assert "Ann wins." in out


def test_the_rules_can_be_read_at_the_table(run):
    seats = ["--seat", "human", "--seat", "random seed=1"]
    _, out, _ = run(
        "play", "chopsticks", "--rules", "feathers", *seats, typed="rules\nmoves\nA-C\n"
    )
    assert Chopsticks(rules="feathers").rules_box() in out
    assert "\nA-C, A-D, A-B, B-C, B-D, B-A\n" in out
    assert re.search(r"\nPlayer 2, random seed=1, plays (?:[CD]-[A-D]|\d-\d)\.\n", out)
    _, out, _ = run("play", "nim", *seats, typed="rules\n")
    assert "\nWhoever takes the last coin wins.\n" in out


def test_the_ending_that_stopped_a_game_is_named(run, tmp_path):
    path = str(tmp_path / "game.jsonl")
    people = ["--seat", "human Ann", "--seat", "human Bob"]
    nim = ["play", "nim", "--piles", "2", "2", "--endings", "1,2", *people, "--record", path]
    assert "\nAnn wins (the extra ending 1,2).\n" in run(*nim, typed="1 from 1\n")[1]
    assert "(the extra ending 1,2)" in run("replay", path)[1]


def test_who_is_out_is_named(run):
    people = ["--seat", "human Ann", "--seat", "human Bob", "--seat", "human Cy"]
    nim = ["play", "nim", "--piles", "1", "--misere", *people]
    _, out, _ = run(*nim, typed="1 from 1\n1 from 1\n")
    assert "\nAnn is out.\n" in out
    assert "\nout: player 1\n" in out
    assert out.index("\nBob is out.\n") < out.index("\nCy wins.\n")


FLAGS = [
    ("--misere", {"misere": True}),
    ("--endings 2,2 --endings '1 2 3'", {"endings": [[2, 2], [1, 2, 3]]}),
    ("--class-endings", {"endings": [[2, 2, 2], [1, 2, 3], [1, 1, 2, 2]]}),
    ("--endings 2,2 (1,2,3)", {"endings": [[2, 2], [1, 2, 3]]}),
    ("--seat random --seat random", {"seats": 3}),
]


def test_options_are_flags_of_the_same_name(run, tmp_path):
    path = tmp_path / "game.jsonl"
    for flags, options in FLAGS:
        seats = ["--seat", "random seed=1"] * (1 if "--seat" in flags else 2)
        code, _, err = run("play", "nim", *shlex.split(flags), *seats, "--record", str(path))
        assert (code, err) == (0, ""), flags
        record = load(path)[-1]
        assert {name: record.options[name] for name in options} == options


ERRORS = [
    (["pley"], "there is no command 'pley'; did you mean 'play'?"),
    (["nim"], "there is no command 'nim'; did you mean 'parlour play nim'?"),
    (["play", "--misere", "nim"], "name a game first"),
    (["play", "nimm"], "there is no game 'nimm'; did you mean 'nim'?"),
    (["play", "nim", "--pile", "3"], "unknown flag '--pile'; did you mean '--piles'?"),
    (["play", "nim", "--piles", "3", "x"], "piles cannot be '3 x'; it must be whole numbers"),
    (["play", "nim", "--seats", "99"], "seats cannot be '99'; it must be a whole number from"),
    (["play", "sticks", *["--seat", "random"] * 3], "sticks has 2 seats here, not 3"),
    (["play", "nim", "--seat", "nobody"], "there is no bot 'nobody'"),
    (["play", "nim", "--record", "/nowhere/x"], "cannot write /nowhere/x"),
    (["replay", "/nowhere/x"], "cannot read /nowhere/x"),
    (
        ["replay", "pyproject.toml"],
        "line 1 of pyproject.toml: a record is a JSON object, not '[build",
    ),
]


def test_errors_are_one_sentence_on_standard_error(check_refusals):
    check_refusals(ERRORS)


def test_leaving_ends_cleanly_and_keeps_the_moves_so_far(run, tmp_path):
    path = tmp_path / "games.jsonl"
    for typed in ("", "quit\n", "LEAVE\n", "help\nboard\nquit\n", "x" * 100_000):
        code, out, _ = run("play", "othello", "--record", str(path), typed="d3\n" + typed)
        assert code == 0
        assert "You left the table" in out
        record = load(path)[-1]
        assert record.moves[0] == "d3"
        assert record.result is None
    assert run("replay", str(path))[0] == 0


def test_resigning_loses(run, tmp_path):
    path = tmp_path / "games.jsonl"
    code, out, _ = run("play", "nim", "--record", str(path), typed="resign\n")
    assert code == 0
    assert "Player 2 wins (player 1 resigned)." in out
    assert load(path)[0].result == (-1, 1)


def test_ctrl_c_ends_cleanly(run, monkeypatch):
    def interrupt(prompt):
        raise KeyboardInterrupt

    for module in ("console", "table"):
        monkeypatch.setattr(f"parlour.faces.terminal.{module}.ask", interrupt)
    code, out, _ = run("play", "nim")
    assert code == 0
    assert "You left the table" in out
    assert run("play")[0] == 0


MISBEHAVING = {
    "cheat": ("return (99, 99)", "player 2, cheat, chose (99, 99): there is no pile 100"),
    "crash": ("return 1 / 0", "player 2, crash, could not choose a move: ZeroDivisionError"),
}


def test_a_misbehaving_bot_is_named_and_the_game_is_kept(run, tmp_path):
    path = tmp_path / "games.jsonl"
    for name, (body, why) in MISBEHAVING.items():
        bot = tmp_path / f"{name}.py"
        bot.write_text(f"def choose(game, state):\n    {body}\n", encoding="utf-8")
        seats = ["--seat", "human", "--seat", str(bot)]
        code, _, err = run("play", "nim", *seats, "--record", str(path), typed="1 from 1\n")
        assert (code, err.count("\n")) == (2, 1)
        assert err.startswith(f"parlour: {why}")
        record = load(path)[-1]
        assert (record.moves, record.result) == (("1 from 1",), None)
        assert record.players == ("human", name)


@pytest.mark.parametrize(
    ("answer", "why"),
    [("''", "odd does not play this game; choose from "), ("1 / 0", "whether it plays this: Zero")],
)
def test_a_bot_that_does_not_play_the_game_is_refused(run, tmp_path, answer, why):
    bot = tmp_path / "odd.py"
    methods = f"def choose(self, game, state): ...\n    def plays(self, game): return {answer}\n"
    bot.write_text(f"class Odd:\n    name = 'odd'\n    {methods}")
    code, out, err = run("play", "nim", "--seat", str(bot))
    assert (code, out, why in err) == (2, "", True)


def test_people_are_called_by_their_names_in_any_case_of_the_word(run):
    seats = ["--seat", "HUMAN  Ann Lee", "--seat", "Human"]
    code, out, _ = run("play", "TICTACTOE", *seats, typed="a1\nb1\na2\nb2\na3\n")
    assert code == 0
    assert out.startswith("tictactoe: human Ann Lee against human\n")
    assert "Player 2 (O), your move: b1" in out
    assert out.endswith("\nAnn Lee (X) wins.\n")


def test_equivalent_moves_are_no_choice(run):
    """Two equal hands: both hits are listed, and lead to the same situation."""
    rules = ["--revive", "no", "--hit-self", "no", "--split-least", "1", "--dies-at", "2"]
    _, out, _ = run("play", "chopsticks", *rules, typed="quit\n")
    assert "your move (all moves come to the same thing, like hit left left): " in out
    _, out, _ = run("play", "nim", "--piles", "1", "2", typed="quit\n")
    assert "your move: " in out


def test_a_new_record_never_joins_a_line_that_breaks_off(run, tmp_path):
    path = tmp_path / "games.jsonl"
    for _ in range(2):
        run("play", "nim", "--seat", "random", "--seat", "random", "--record", str(path))
        path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    assert len(load(path)) == 2


def test_a_record_never_names_code_to_run(run, tmp_path):
    evil, path = tmp_path / "evil.py", tmp_path / "games.jsonl"
    evil.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    path.write_text(json.dumps({"game": str(evil), "options": {}, "players": ["a", "b"]}))
    code, _, err = run("replay", str(path))
    assert code == 2
    assert "there is no game" in err
    assert not (tmp_path / "ran").exists()


def test_a_record_can_be_stepped_through(run, tmp_path):
    path = tmp_path / "games.jsonl"
    for seed in (1, 2):
        seats = ["--seat", f"random seed={seed}"] * 2
        run("play", "tictactoe", *seats, "--record", str(path))
    first, second = load(path)
    code, out, _ = run("replay", str(path))
    assert code == 0
    assert f"tictactoe: random seed=2 against random seed=2, {len(second.moves)} moves" in out
    for number, move in enumerate(second.moves, start=1):
        seat = "player 1 (X)" if number % 2 else "player 2 (O)"
        assert f"Move {number}: {seat} plays {move}." in out
    assert run("replay", str(path), "--number", "1")[1].count("Move ") == len(first.moves)
    assert "there is no number 3" in run("replay", str(path), "--number", "3")[2]


def test_a_game_and_a_bot_in_files_are_played_at_once(run, tmp_path):
    path = tmp_path / "Ann's games.jsonl"
    seats = ["--seat", "examples/my_bot.py", "--seat", "random seed=1"]
    code, out, err = run("play", "examples/kayles.py", "--pins", "6", *seats, "--record", str(path))
    assert (code, err) == (0, "")
    assert " wins." in out
    assert "there is no game 'kayles'" in run("replay", str(path))[2]
    assert run("replay", str(path), "--game", "examples/kayles.py")[0] == 0
    program, *again = shlex.split(out.rpartition("to see it again: ")[2])
    assert program == "parlour"
    assert run(*again)[1].startswith("kayles pins=6: my_bot against random seed=1, ")


def test_a_record_is_not_replayed_by_another_game(run, tmp_path):
    path = tmp_path / "games.jsonl"
    run("play", "nim", "--seat", "random", "--seat", "random", "--record", str(path))
    code, _, err = run("replay", str(path), "--game", "examples/kayles.py")
    assert code == 2
    assert "a record of 'nim', but examples/kayles.py defines kayles" in err


def test_without_a_game_it_asks_for_one(run):
    code, out, _ = run("play", typed="chess\n99\n2\nquit\n")
    assert code == 0
    assert "There is no game 'chess'" in out
    assert "nim: human against random" in out
    assert run("play", typed="othello\nquit\n")[0] == 0
    assert "Goodbye" in run("play", typed="")[1]


def test_help_is_a_flag_and_a_command(run, capsys):
    shown = []
    for arguments in ("play nim --help", "help play nim", "--help", "help", "games -h"):
        with pytest.raises(SystemExit) as leave:
            main(arguments.split())
        assert leave.value.code == 0
        shown.append(capsys.readouterr().out)
    assert "--class-endings" in shown[0]
    assert "whoever makes the last move loses" in shown[0]
    assert shown[0] == shown[1]
    assert shown[2] == shown[3]
    assert all(f"\n  {command} " in shown[2] for command in COMMANDS)
    assert "did you mean 'play'?" in run("help", "pley")[2]
    assert run("--version")[1].startswith("parlour ")


SHORTENED = [
    ("solve nim --cert x", "'--certificate'? (flags are written in full)"),
    ("play chopsticks --split 1", "'--split-least' or '--split-same'? (flags are written in full)"),
    ("tournament nim --bot random", "'--bots'? (flags are written in full)"),
    ("tournament nim --kind round", "'round-robin'?\n"),
    ("tour", "'tournament'?"),
]


def test_a_shortened_word_is_refused_and_the_whole_one_named(run):
    for typed, meant in SHORTENED:
        code, out, err = run(*typed.split())
        assert (code, out) == (2, "")
        assert f"; did you mean {meant}" in err, err
    err = run("tournament", "nim", "--kind", "cup")[2]
    assert err == "parlour: --kind cannot be 'cup'; choose round-robin, gauntlet or swiss\n"


def test_the_default_opponent_is_the_same_however_a_game_is_begun(run):
    for seats, players in [
        (["human Ann"], "human Ann against random"),
        (["perfect"], "perfect against human"),
        (["human", "human"], "human against human"),
    ]:
        flags = [word for seat in seats for word in ("--seat", seat)]
        assert run("play", "nim", *flags)[1].startswith(f"nim: {players}\n")
    out = run("play", "nim", "--seats", "3", "--seat", "human")[1]
    assert out.startswith("nim seats=3: human against random against random\n")


def test_an_error_in_a_game_of_a_file_is_one_sentence(run, tmp_path, monkeypatch):
    path = tmp_path / "faulty.py"
    text = Path("examples/kayles.py").read_text(encoding="utf-8")
    path.write_text(text.replace("def draw(self, state):", "def draw(self):"))
    code, _, err = run("play", str(path), "--seat", "random", "--seat", "random")
    assert code == 1
    assert err.startswith("parlour: something went wrong inside, TypeError")
    assert err.count("\n") == 1
    monkeypatch.setenv("PARLOUR_TRACEBACK", "1")
    with pytest.raises(TypeError):
        main(["play", str(path), "--seat", "random", "--seat", "random"])


def test_a_bot_that_will_be_slow_says_so_first(run):
    piles = ["--piles", "100", "100", "100", "100"]
    _, out, _ = run("play", "nim", *piles, "--seat", "human", "--seat", "standard", typed="quit\n")
    assert "slow" not in out
    larger = ["--piles", "110", "110", "110", "110"]
    _, out, _ = run("play", "nim", *larger, "--seat", "human", "--seat", "brute-force", typed="")
    assert "Brute-force will be slow here: it looks at " in out
