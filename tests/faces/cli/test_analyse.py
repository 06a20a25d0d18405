"""`parlour analyse othello`: each move's loss, from every kind of record."""

import _thread
import json
import random
import threading

import pytest

import parlour
from parlour.faces.cli import analyse, main
from tests.rules.test_formats import squares, wthor

GAME = parlour.game("othello")
QUICK = ["--level", "3", "--exact", "10", "--hash", "8"]


def analyse_moves(run, *arguments, typed=b""):
    code, out, err = run("analyse", "othello", *arguments, *QUICK, "--json", typed=typed)
    assert (code, err) == (0, "")
    return json.loads(out)


def random_game(game=GAME, seed=1):
    """The moves of a game played at random, as text, and by how many discs black won."""
    chance, state, words = random.Random(seed), game.start(), []
    while moves := game.moves(state):
        move = chance.choice(moves)
        words.append(game.write_move(move))
        state = game.play(state, move)
    return words, game.score(state)


def as_ggf(words):
    moves = "".join(
        f"{'BW'[n % 2]}[{'PA' if word == 'pass' else word}//1.5]" for n, word in enumerate(words)
    )
    board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
    return f"(;GM[Othello]PB[Ann]PW[Bob]TY[8]BO[{board}]{moves};)".encode()


def as_wthor(*games):
    return wthor(*((squares(*words), (64 + lead) // 2) for words, lead in games))


def as_record(words):
    record = parlour.Record(
        game="othello",
        options={"columns": 8, "rows": 8, "opening": "standard"},
        players=("random", "human Eve"),
        moves=tuple(words),
    )
    return f"{record.to_json()}\n".encode()


@pytest.mark.slow
def test_every_kind_of_record_gives_the_same_analysis(run, tmp_path):
    words, lead = random_game()
    known = analyse_moves(run, " ".join(words))
    assert [move["move"] for move in known["moves"]] == words
    assert known["end"] == {
        "position": known["end"]["position"],
        "over": True,
        "lead": lead,
        "exact": True,
    }
    plain = "".join(word for word in words if word != "pass")
    for name, data in {
        "game.wtb": as_wthor((words, lead)),
        "game.ggf": as_ggf(words),
        "game.jsonl": as_record(words),
        "game.txt": plain.upper().encode(),
        "game": "\n".join(f"{n}. {word}" for n, word in enumerate(words, start=1)).encode(),
    }.items():
        file = tmp_path / name
        file.write_bytes(data)
        found = analyse_moves(run, str(file))
        assert (found["moves"], found["end"]) == (known["moves"], known["end"]), name
    assert analyse_moves(run, "-", typed=plain.encode())["moves"] == known["moves"]
    assert analyse_moves(run, str(tmp_path / "game.ggf"))["players"] == ["Ann", "Bob"]


def test_losses_are_summed_for_each_side(run):
    words, _ = random_game(seed=2)
    found = analyse_moves(run, "".join(words))
    moves = found["moves"]
    assert all(move["loss"] >= 0 for move in moves)
    assert all((move["best"] == move["move"]) == (move["loss"] == 0) for move in moves)
    for kind, exact in (("exact", True), ("estimated", False)):
        for turn in (0, 1):
            own = [m["loss"] for m in moves if (m["turn"], m["exact"]) == (turn, exact)]
            assert found["lost"][turn][kind] == sum(own)


def test_the_table_fits_on_a_screen_and_says_what_it_means(run, tmp_path):
    words, lead = random_game(seed=3)
    file = tmp_path / "a.ggf"
    file.write_bytes(as_ggf(words))
    code, out, err = run("analyse", "othello", str(file), *QUICK)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "Black (X): Ann, white (O): Bob" in lines
    rows = [line for line in lines if line[4:6] == "  " and line[6:8] in ("X ", "O ")]
    assert [row.split()[2 if row[3] != " " else 1] for row in rows] == words
    assert any("≈" in row and "3 plies" in row for row in rows)
    assert any("exact" in row and "≈" not in row for row in rows)
    winner = "Black" if lead > 0 else "White"
    discs = f"{(64 + lead) // 2} to {(64 - lead) // 2}"
    assert lines[-1] == (
        f"{winner} wins by {abs(lead)} discs, {discs}." if lead else f"It is a draw, {discs}."
    )


def test_one_game_of_several_is_chosen(run, tmp_path):
    file = tmp_path / "archive.wtb"
    games = [random_game(seed=seed) for seed in (4, 5, 6)]
    file.write_bytes(as_wthor(*games))
    code, out, err = run("analyse", "othello", str(file))
    assert (code, out) == (2, "")
    assert f"{file} holds 3 games; choose 1 to 3, as in " in err
    assert f"`parlour analyse othello {file} --game 1`" in err
    found = analyse_moves(run, str(file), "--game", "2")
    assert [move["move"] for move in found["moves"]] == games[1][0]
    assert found["stated"] == games[1][1]
    for number in ("0", "4"):
        assert (
            f"--game cannot be {number}: {file} holds 3 games"
            in run("analyse", "othello", str(file), "--game", number)[2]
        )


def test_a_game_that_stops_is_valued_where_it_stops(run, tmp_path):
    """4x4 is lost by 10 for who begins; and the result that a file states is printed too."""
    small = ["--columns", "4", "--rows", "4"]
    code, out, _ = run("analyse", "othello", *small, "b1")
    assert code == 0
    assert "The record stops with 11 squares empty and white to move." in out
    assert out.endswith("With best play, white wins by 10 discs.\n")
    file = tmp_path / "short.wtb"
    file.write_bytes(as_wthor((["f5", "d6"], 12)))
    out = run("analyse", "othello", str(file), *QUICK)[1]
    assert "The record stops with 58 squares empty and black to move.\nBy estimate, " in out
    assert out.endswith("The file says black wins by 12 discs.\n")


def test_other_boards_are_analysed_too(run):
    game = parlour.game("othello", opening="despacito")
    words, lead = random_game(game)
    found = analyse_moves(run, "--opening", "despacito", " ".join(words))
    assert found["options"] == {"columns": 9, "rows": 7, "opening": "despacito", "misere": False}
    assert found["end"]["lead"] == lead


@pytest.mark.slow
def test_time_may_be_the_limit(run):
    code, out, err = run("analyse", "othello", "f5 d6 c3", "--time", "0.3", "--json", "--hash", "8")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [move["move"] for move in found["moves"]] == ["f5", "d6", "c3"]
    assert all(move["depth"] > 1 for move in found["moves"])


def test_ctrl_c_leaves_what_was_judged(capsys, monkeypatch):
    words, _ = random_game(seed=7)
    value_move = analyse.Analysis._value_move

    def value_or_interrupt(analysis, state, move, work):
        if len(analysis.costs) == 3:
            _thread.interrupt_main()
            while not work.stopped:
                threading.Event().wait(0.001)
        return value_move(analysis, state, move, work)

    monkeypatch.setattr(analyse.Analysis, "_value_move", value_or_interrupt)
    for flags in ([], ["--json"]):
        assert main(["analyse", "othello", *words, *QUICK, *flags]) == 130
        out, err = capsys.readouterr()
        assert err == ""
        if flags:
            found = json.loads(out)
            assert found["end"] is None
            assert [move["move"] for move in found["moves"]] == words[: len(found["moves"])]
            assert 0 < len(found["moves"]) < len(words)
        else:
            assert f"of {len(words)} moves judged." in out
            assert "discs lost" in out


ERRORS = [
    ([], "name a game first"),
    (["nim", "x"], "only othello is analysed move by move, not nim"),
    (["othello"], "name a record: a file, or a list of moves"),
    (["othello", "hello"], "'hello' is neither a file nor a list of moves like f5d6c3"),
    (["othello", "no.wtb"], "cannot read no.wtb: there is no such file"),
    (["othello", "--columns", "10", "--rows", "10", "e4"], "64 squares, and 10x10 has 100"),
    (["othello", "f5", "--game", "2"], "--game cannot be 2: f5 holds 1 game"),
    (["othello", "f5", "--level", "1"], "--level must be 2 to 60, not 1"),
    (["othello", "f5", "--exact", "99"], "--exact must be 0 to 60, not 99"),
    (["othello", "f5", "--time", "0"], "--time must be a number of seconds above 0, not '0'"),
    (["othello", "f5", "--time", "1", "--level", "5"], "give --level or --time, not both"),
    (["othello", "f5", "--time", "1", "--exact", "20"], "give --exact or --time, not both"),
]


def test_errors_are_one_sentence_on_standard_error(check_refusals):
    check_refusals(ERRORS, "analyse")


def test_a_file_that_holds_something_else_is_refused_by_name(run, tmp_path):
    file = tmp_path / "other.txt"
    for data, why in [
        (b"", "has no move in it"),
        (as_wthor(), "holds no game"),
        (b'{"game": "nim", "options": {}, "players": []}', "a game of 'nim', not of Othello"),
    ]:
        file.write_bytes(data)
        code, out, err = run("analyse", "othello", str(file))
        assert (code, out) == (2, "")
        assert err.startswith(f"parlour: {file}")
        assert why in err
