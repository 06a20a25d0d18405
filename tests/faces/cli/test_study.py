"""`parlour study`: a study is printed, checked, proven and converted at the terminal."""

from pathlib import Path

import pytest

import parlour

KAYLES = Path(__file__).parents[3] / "examples" / "kayles.py"
TREE = "(;GM[2]SZ[4];B[b1]C[Why this one?](;W[a1])(;W[c1];B[d1]))"


@pytest.fixture(autouse=True)
def _study_in_a_folder(tmp_path, monkeypatch):
    (tmp_path / "tree.sgf").write_text(TREE)
    monkeypatch.chdir(tmp_path)


def test_a_study_is_printed_with_diagrams_and_comments(run):
    code, out, err = run("study", "tree.sgf")
    assert (code, err) == (0, "")
    assert "Why this one?" in out
    assert out.count("a b c d") == 4  # at first, at the comment, and at both ends
    assert out.index("2. player 2 (O): a1") < out.index("or 2. player 2 (O): c1")


def test_it_is_converted_there_and_back_without_loss(run):
    _, ours, _ = run("study", "tree.sgf", "--to", "parlour")
    _, again, _ = run("study", "-", "--to", "sgf", typed=ours)
    assert parlour.read_study(again) == parlour.read_study(TREE)
    code, _, err = run("study", "tree.sgf", "--to", "ggf")
    assert (code, err) == (2, "parlour: GGF is written here for boards of 8x8 only\n")


def test_proofs_come_from_the_values_and_not_from_the_file(run):
    forged = TREE.replace("Why this one?", "Proof: Black wins by 60.")
    code, out, err = run("study", "-", typed=forged)
    assert "Black wins by 60" in out
    assert "was read from the file" in err
    code, out, err = run("study", "-", "--prove", typed=forged)
    assert (code, err) == (0, "")
    assert "Black wins by 60" not in out
    assert "−10 for player 1" in out  # white wins 4x4 by 10


def test_an_illegal_move_is_named_in_one_sentence(run):
    code, out, err = run("study", "-", typed="(;GM[2];B[f5];W[a1])")
    assert (code, out) == (2, "")
    assert err.startswith("parlour: standard input: the move a1 after f5 cannot be played: ")
    assert err.count("\n") == 1


def test_a_question_without_an_answer_is_pointed_out(run):
    code, _, err = run("study", "-", typed="(;GM[2]ASK[marked])")
    assert (code, "no answer is marked as right" in err) == (0, True)
    code, _, err = run("study", "nowhere.sgf")
    assert (code, err) == (2, "parlour: cannot read nowhere.sgf: there is no such file\n")


def test_a_study_of_a_game_in_a_file_needs_that_file(run):
    text = parlour.write_study(parlour.Study(KAYLES))
    code, _, err = run("study", "-", typed=text)
    assert (code, "'kayles'" in err) == (2, True)
    code, out, _ = run("study", "-", "--game", str(KAYLES), typed=text)
    assert (code, "kayles" in out) == (0, True)
