"""The text files in which the sentences of games stand, and how one of them is chosen."""

from pathlib import Path

import pytest

from parlour.core.sentences import Phrases, read_sections
from parlour.rules import nim
from parlour.truth.explain import sentences

FOLDERS = Path(sentences.__file__).parent, Path(nim.__file__).parent / "sentences"
FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*.txt"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_some_sentence_is_said_whatever_is_so(path):
    """The last of each kind has no condition, and none stands behind one that always fits."""
    for about, found in Phrases(path)._found.items():
        assert [each.conditions for each in found if not each.conditions] == [()], about
        assert not found[-1].conditions, about


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_section_has_a_sentence_for_one_and_at_most_another_for_other_numbers(path):
    for section, lines in read_sections(path).items():
        assert len(lines) in (1, 2), section


def test_the_first_sentence_that_fits_is_said():
    say = sentences.PHRASES
    assert say("ended", winners="both") == "the game is over: both won"
    assert say("ended", winners="", drawn=True) == "the game is over: a draw"
    assert say("ended", drawn=False) == "the game is over: nobody won"
    values = {"move": "2", "in_plies": "in 5", "plies": 3, "before": "win"}
    assert (
        say("swing", verdict="slower", **values) == "Slower: 2 still wins, but in 5 instead of 3."
    )
    assert say("swing", verdict="best", **values) == "Right: 2 keeps the win."


def test_a_sentence_keeps_only_the_values_that_it_says():
    text = sentences.PHRASES("reply", number=2, right="a and b", only=False, outcome="win")
    assert text.values == {"number": 2, "right": "a and b"}
    assert text.plural == "Replies that punish it: {right}."
