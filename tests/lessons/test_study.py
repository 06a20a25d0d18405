"""A study is a legal tree: whatever is done to it, every line in it can be played."""

import random

import pytest

import parlour
from parlour import Study, StudyNode
from parlour.lessons import MAX_NODES, follow_moves, study_to_text
from tests.lessons.trees import GAMES, grow


def line_of(study, at):
    return [study.nodes[each].move for each in study.path(at)[1:]]


def lines(study):
    """All lines from the first position to an end, as a set."""
    return {tuple(line_of(study, at)) for at in range(len(study.nodes)) if not study.children(at)}


def said(study):
    return {
        (tuple(line_of(study, at)), node.comment, node.proof, node.asks, node.right)
        for at, node in enumerate(study.nodes)
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_position_is_reached_by_the_moves_before_it(game):
    study = grow(game, 1)
    for at in range(len(study.nodes)):
        state = study.game.start()
        for text in line_of(study, at):
            state = study.game.play(state, study.game.read_move(state, text))
        assert state == study.states[at]


def test_a_promoted_line_is_the_main_line_and_nothing_else_changes():
    for seed in range(8):
        study = grow("tictactoe", seed)
        at = random.Random(seed).randrange(len(study.nodes))
        promoted, place = study.promote(at)
        assert line_of(promoted, place) == line_of(study, at)
        assert place in promoted.main_line
        assert said(promoted) == said(study)


def test_a_branch_is_deleted_with_all_that_follows_and_nothing_else():
    for seed in range(8):
        study = grow("tictactoe", seed)
        at = random.Random(seed).randrange(1, len(study.nodes))
        gone = tuple(line_of(study, at))
        left = {each for each in said(study) if each[0][: len(gone)] != gone}
        assert said(study.remove(at)) == left
    with pytest.raises(parlour.BadText, match="delete the whole study"):
        study.remove(0)


def test_a_move_that_is_there_is_not_added_again():
    study, first = Study("othello").add(0, "F5")
    again, same = study.add(0, " f5 ")
    assert (again, same) == (study, first)
    assert [study.nodes[1].move, study.main_line] == ["f5", (0, 1)]


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        (
            [(0, "f5"), (1, "a1")],
            "the move 'a1' after f5 cannot be played: the square a1 would turn",
        ),
        ([(0, "f5"), (0, "F5")], "the first move 'F5' is in this study twice"),
        ([(1, "f5")], "node 1 of this study follows node 1"),
        ([(0, "f5"), (0, "d3"), (1, "d6")], "node 3 of this study follows node 1"),
        ([(-1, "f5")], "node 1 of this study follows node -1"),
    ],
)
def test_a_tree_with_an_illegal_move_is_refused_in_a_sentence(nodes, why):
    with pytest.raises(parlour.BadText, match=why.replace("(", r"\(")) as refused:
        Study("othello", nodes=(StudyNode(), *(StudyNode(*each) for each in nodes)))
    assert "\n" not in str(refused.value)


def test_a_line_of_any_length_is_no_deeper_than_the_list_it_is_in():
    nim = parlour.game("nim", piles=(1_000_000,))
    long = follow_moves(nim, ["1 from 1"] * (MAX_NODES - 1))
    assert len(long.path(MAX_NODES - 1)) == MAX_NODES
    assert study_to_text(long)
    assert parlour.read_study(parlour.write_study(long)) == long
    with pytest.raises(parlour.BadText, match="2,000 moves fit"):
        follow_moves(nim, ["1 from 1"] * MAX_NODES)


def test_texts_keep_their_lines_and_lose_invisible_characters():
    study = Study("nim", " A\0 title\n", nodes=(StudyNode(comment="one \r\n\ttwo\0\n\n"),))
    assert (study.title, study.nodes[0].comment) == ("A title", "one\n two")
    with pytest.raises(parlour.BadText, match="at most 4,000 characters"):
        study.change(0, comment="x" * 4_001)
    with pytest.raises(parlour.BadOption, match="it must be marked or proven"):
        study.change(0, asks="nicely")


def test_the_text_shows_every_move_and_every_word():
    study = grow("othello columns=4 rows=4", 3)
    text = study_to_text(study)
    for node in study.nodes:
        assert all(line.strip() in text for line in node.comment.split("\n"))
        assert node.move in text
    assert text.count("Question: ") == sum(bool(n.asks) for n in study.nodes) - sum(
        bool(n.asks) and not study.game.moves(s)
        for n, s in zip(study.nodes, study.states, strict=True)
    )
