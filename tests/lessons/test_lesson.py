"""In a lesson every right answer is accepted, marked or proven, and the wrong ones are refuted."""

import pytest

import parlour
from parlour import Study
from parlour.lessons import (
    accepted_moves,
    check_questions,
    judge_study_move,
    prove_node,
    prove_study,
)


def ask(game, asks, marked=(), position=""):
    study = Study(game, position=position).change(0, asks=asks)
    for move in marked:
        study, at = study.add(0, move)
        study = study.change(at, right=True)
    return study


def test_by_the_proof_exactly_the_moves_to_nim_sum_zero_are_right():
    """Bouton's theorem: a position is lost for the mover when its nim-sum is 0."""
    study = ask("nim piles=3,5,6", "proven", position="3,5,7:1")
    piles = (3, 5, 7)
    for pile, size in enumerate(piles):
        for taken in range(1, size + 1):
            left = [n - taken * (at == pile) for at, n in enumerate(piles)]
            verdict = judge_study_move(study, 0, f"{taken} from {pile + 1}")
            assert verdict.is_right == (left[0] ^ left[1] ^ left[2] == 0)
            assert verdict.proof
            assert bool(verdict.reply) == (not verdict.is_right)
    assert len(accepted_moves(study, 0)) == 3


def test_the_author_may_accept_fewer_moves_and_equivalent_ones_are_accepted_too():
    study = ask("tictactoe", "marked", ["a1"])
    right = {
        text
        for text in map(study.game.write_move, study.game.moves(study.states[0]))
        if judge_study_move(study, 0, text).is_right
    }
    assert right == {"a1", "c1", "a3", "c3"}  # the four corners are one by symmetry
    assert accepted_moves(study, 0) == ["a1"]


def test_a_wrong_answer_gets_the_authors_comment_or_else_the_refutation():
    study = ask("nim", "marked", ["2 from 1"])
    study, at = study.add(0, "3 from 1")
    study = study.change(at, comment="Too greedy.")
    verdict = judge_study_move(study, 0, "3 from 1")
    assert (verdict.is_right, verdict.comment, verdict.proof) == (False, "Too greedy.", ())
    other = judge_study_move(study, 0, "1 from 3")
    game = study.game
    after = game.play(study.states[0], game.read_move(study.states[0], "1 from 3"))
    answered = game.play(after, game.read_move(after, other.reply))
    first, second, third = map(int, game.write(answered).partition(":")[0].split(","))
    assert first ^ second ^ third == 0  # by Bouton, the mover has lost
    assert not any("2 from 1" in each for each in other.proof)  # one may try again


def test_where_nothing_is_proven_only_marked_moves_can_be_asked_for():
    assert judge_study_move(ask("othello", "marked", ["f5"]), 0, "d3").is_right  # by symmetry
    with pytest.raises(parlour.Unsolved, match="60 squares are empty"):
        judge_study_move(ask("othello", "proven"), 0, "f5")
    with pytest.raises(parlour.Unsolved):
        prove_node(Study("othello"), 0)
    with pytest.raises(parlour.BadText, match="nothing is asked"):
        judge_study_move(Study("nim"), 0, "1 from 1")
    with pytest.raises(parlour.IllegalMove):
        judge_study_move(ask("nim", "proven"), 0, "9 from 1")


def test_with_discs_at_stake_every_move_that_ends_with_as_many_is_right():
    """The values of 4x4 are those that OpenSpiel and others publish: white wins by 10, from all."""
    study = ask("othello columns=4 rows=4", "proven")
    assert accepted_moves(study, 0) == ["b1", "a2", "d3", "c4"]


def test_the_proof_speaks_of_the_move_that_leads_to_a_node():
    study, at = Study("nim").add(0, "2 from 1")
    proved = prove_study(study)
    assert proved.nodes[0].proof[0].startswith("Player 1 is to move and wins within 11 plies")
    assert proved.nodes[at].proof[0].startswith("Right: 2 from 1")
    assert prove_study(Study("nim seats=3")).nodes[0].proof == ()


def test_an_end_has_nothing_more_to_prove_and_nothing_to_ask():
    study, at = Study("nim piles=1").add(0, "1 from 1")
    assert prove_node(study, at)
    (remark,) = check_questions(study.change(at, asks="marked"))
    assert "the game is over" in remark
    (remark,) = check_questions(Study("nim").change(0, asks="marked"))
    assert "no answer is marked as right" in remark
    (remark,) = check_questions(study.change(at, right=True))
    assert "nothing is asked before it" in remark
