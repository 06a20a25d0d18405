"""The example lines as `tools/intents/README.md` describes them, and what he makes of them."""

import re
from collections import Counter
from functools import cache

from tools.intents.__main__ import ANSWERS, understand
from tools.intents.examples import FOLDER, find_scene, read_examples

from parlour.host.understand.vote import ACTS
from tests.conftest import LONG

README = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
ABOUT_STATES, _, ABOUT_INTENTS = README.partition("## States")[2].partition("## Intents")
STATES = set(re.findall(r"^- `(\w+)`:", ABOUT_STATES, re.MULTILINE))
INTENTS = set(re.findall(r"`([a-z-]+)[`=:]", ABOUT_INTENTS))
EXAMPLES = list(read_examples())


def test_the_files_have_three_columns_and_no_row_twice():
    for path in FOLDER.glob("*.tsv"):
        rows = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
        assert {row.count("\t") for row in rows} == {2}, path.name
        assert len(set(rows)) == len(rows), path.name
    assert len(EXAMPLES) >= 4000
    assert all(each.text.strip() for each in EXAMPLES if each.intent != "unknown")


def test_states_and_intents_are_those_of_the_list():
    assert {each.state for each in EXAMPLES} == STATES
    parts = {
        part.partition("=")[0]
        for each in EXAMPLES
        for part in each.label.removeprefix("two:").split("+")
    }
    assert parts <= INTENTS
    assert ACTS <= INTENTS


def test_a_voice_has_its_own_file_and_a_third_of_the_lines_must_not_act():
    assert len({each.voice for each in EXAMPLES}) >= 8
    acts = sum(each.intent in ACTS | {"two"} for each in EXAMPLES)
    assert 3 * acts <= 2 * len(EXAMPLES)


def test_moves_are_legal_where_they_are_typed():
    for each in EXAMPLES:
        kind, _, move = each.label.partition("=")
        if kind == "move":
            move = write_hit(move) if ">" in move else move
            assert move in legal_moves(each.state), (each.voice, each.label, each.state)


@cache
def legal_moves(state):
    """The moves of the position that a state stands for, as they are written."""
    _, scene = find_scene(state)
    return {scene.game.write_move(move) for move in scene.game.moves(scene.state)}


def write_hit(move):
    """`hit left right` for `L>R`."""
    names = {"L": "left", "R": "right"}
    return " ".join(["hit", *(names[hand] for hand in move.split(">"))])


def test_a_tenth_is_kept_aside_in_every_voice():
    aside = Counter(each.voice for each in EXAMPLES if each.is_aside)
    whole = Counter(each.voice for each in EXAMPLES)
    assert 0.09 < aside.total() / whole.total() < 0.11
    assert set(aside) == set(whole)


def test_of_the_lines_kept_aside_at_most_one_in_a_hundred_makes_him_do_what_was_not_asked():
    aside = [each for each in EXAMPLES if each.is_aside][:: 1 if LONG else 5]
    wrong = [each for each in aside if not may_act(each) and understand(each).intent in ACTS]
    assert len(wrong) <= 0.01 * len(aside), wrong


def may_act(each):
    """Whether a line may lead to an act: it asks for one, or answers his question."""
    return each.intent in {*ACTS, "two", *ANSWERS}
