"""Openings that differ, and who is meant by what people type."""

from __future__ import annotations

import pytest

from parlour.arena.plan import random_openings, read_entries, read_entry, read_openings
from parlour.core import registry
from parlour.core.errors import ParlourError
from parlour.core.protocol import key

OTHELLO = registry.game("othello")


def test_no_two_openings_lead_to_one_position():
    found = random_openings(OTHELLO, 4, 30, 1)
    ends = set()
    for opening in found:
        state = OTHELLO.start()
        for text in opening:
            state = OTHELLO.play(state, OTHELLO.read_move(state, text))
        ends.add(key(OTHELLO, state))
    assert len(found) == len(ends) == 30


def test_there_are_no_more_openings_than_positions():
    """The four first moves of Othello are one by symmetry; of 20 sticks one may take 1, 2 or 3."""
    assert len(random_openings(OTHELLO, 1, 30, 1)) == 1
    assert len(random_openings(registry.game("sticks"), 1, 30, 1)) == 3


def test_the_same_seed_draws_the_same_openings_and_another_others():
    assert (
        random_openings(OTHELLO, 6, 5, 3)
        == random_openings(OTHELLO, 6, 5, 3)
        != random_openings(OTHELLO, 6, 5, 4)
    )


def test_an_opening_leaves_something_to_play():
    with pytest.raises(ParlourError, match="shorter"):
        random_openings(registry.game("nim", piles=(1, 1)), 2, 3, 0)


def test_openings_are_read_from_a_file(tmp_path):
    file = tmp_path / "openings.txt"
    standard = registry.game("othello")
    state, texts = standard.start(), []
    for _ in range(2):
        move = standard.moves(state)[0]
        texts.append(standard.write_move(move))
        state = standard.play(state, move)
    file.write_text(f"# one of them\n\n{', '.join(texts).upper()}\n")
    assert read_openings(standard, file) == (tuple(texts),)
    file.write_text("d3, z9\n")
    with pytest.raises(ParlourError, match=r"line 1 of openings\.txt"):
        read_openings(standard, file)
    file.write_text("\n")
    with pytest.raises(ParlourError, match="no openings"):
        read_openings(standard, file)


def test_two_of_one_name_are_told_apart():
    names = [each.name for each in read_entries(["random", "random", "minimax depth=2"], OTHELLO)]
    assert names == ["random", "random (2)", "minimax depth=2"]


def test_a_file_is_somebody_else_once_it_changes(tmp_path):
    file = tmp_path / "ann.py"
    file.write_text("def choose(game, state):\n    return game.moves(state)[0]\n")
    before = read_entry(str(file), OTHELLO)
    assert (before.kind, before.name, before.sandboxed) == ("python", "ann", True)
    file.write_text("def choose(game, state):\n    return game.moves(state)[-1]\n")
    assert read_entry(str(file), OTHELLO).digest != before.digest


def test_a_file_is_not_run_to_see_who_it_is(tmp_path):
    file = tmp_path / "bomb.py"
    file.write_text("raise SystemExit('opened')\n")
    assert read_entry(str(file), OTHELLO).name == "bomb"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nobody", "there is no bot"),
        ("standard", "does not play"),
        ("no_such.py", "cannot read"),
        ("./no_such_program", "not found"),
        ("gtp:", "name the program"),
        ("'open", "quotation mark"),
    ],
)
def test_who_cannot_play_is_refused_with_the_reason(text, said):
    with pytest.raises(ParlourError, match=said):
        read_entry(text, OTHELLO)


def test_gtp_is_for_othello():
    with pytest.raises(ParlourError, match="Othello"):
        read_entry("gtp: cat", registry.game("nim"))
