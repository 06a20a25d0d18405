"""The text files of the host: what anybody may edit is checked here."""

import itertools
import re
import string
from collections import Counter

import pytest

from parlour.host.language import line as lines
from parlour.host.language.texts import (
    GAME_GAPS,
    HERE,
    read_expressions,
    read_pairs,
    read_sections,
    read_words,
)
from parlour.host.understand.grammar import load_questions
from tests.host.talking import read_rows

LICENCE = "LEXICON-LICENSE.txt"
ALL = sorted(path for path in HERE.rglob("*.txt") if path.name != LICENCE)
NAMES = [str(path.relative_to(HERE)) for path in ALL]
EXPRESSIONS = [name for name in NAMES if "/expressions/" in name]
PATTERNS = [name for name in NAMES if "/patterns/" in name]
LINES = [name for name in NAMES if "/lines/" in f"/{name}"]
PHRASES = ["understand/words/games.txt", "table/asked.txt"]


def headings(name):
    text = (HERE / name).read_text(encoding="utf-8")
    return re.findall(r"^\[(.+)\]$", text, re.MULTILINE)


def find_repeated(rows):
    return [row for row, times in Counter(rows).items() if times > 1]


def test_every_file_says_what_it_is_and_no_section_is_empty_or_there_twice():
    for name in NAMES:
        text = (HERE / name).read_text(encoding="utf-8")
        assert text.startswith("# "), name
        assert not re.search(r"[ \t]$|\t", text, re.MULTILINE), name
        assert find_repeated(headings(name)) == [], name
        for section, rows in read_sections(name).items():
            assert rows, (name, section)


def test_no_line_stands_twice_in_a_section():
    for name in (*PATTERNS, *LINES, *EXPRESSIONS, *PHRASES):
        for section, rows in read_sections(name, joint="").items():
            own = [row for row in rows if row[:2] not in ("y:", "n:", "w:", "t:")]
            assert find_repeated(own) == [], (name, section)


def test_every_expression_compiles_and_every_part_of_one_is_used():
    for name in EXPRESSIONS:
        assert dict(read_expressions(name)), name
        text = (HERE / name).read_text(encoding="utf-8")
        parts = {heading for heading in headings(name) if heading.isupper()}
        assert parts == set(re.findall("<([A-Z_]+)>", text)), name


def test_a_pattern_is_a_row_of_plain_words():
    for name in PATTERNS:
        for row in itertools.chain.from_iterable(read_sections(name).values()):
            assert re.fullmatch(r"!?[\w|]+(?: [\w|]+)*", row), (name, row)
            assert all(all(part.split("|")) for part in row.lstrip("!").split()), (name, row)


def test_every_topic_that_can_be_asked_about_has_an_answer_and_no_other():
    assert set(load_questions()) == set(read_sections("table/lines/answers.txt"))


LIMITS = {"low", "high", "most", "rules", "dies_at", "columns", "rows", "option", "things"}


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("table/lines/answers.txt", {"number", "bots"}),
        ("table/lines/limits.txt", LIMITS),
    ],
)
def test_every_gap_at_the_table_can_be_filled(name, known):
    for rows in read_sections(name).values():
        for row in rows:
            assert find_gaps(row) <= known, row


def find_gaps(text):
    """The gaps of a text, but for those of the games he knows, which are always filled."""
    return {gap for _, gap, _, _ in string.Formatter().parse(text) if gap} - set(GAME_GAPS)


def test_a_wrong_file_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr("parlour.host.language.texts.HERE", tmp_path)
    (tmp_path / "bad.txt").write_text("# Bad\n\n[one]\n(\n\n[two]\n<NOTHING>\n", encoding="utf-8")
    with pytest.raises((re.error, KeyError)):
        dict(read_expressions("bad.txt"))
    (tmp_path / "good.txt").write_text("# G\n[A]\nb|\n    c\n\n[x y]\na<A>\nd\n", encoding="utf-8")
    assert read_expressions("good.txt")["x y"].pattern == "ab|c|d"
    (tmp_path / "pairs.txt").write_text("[p]\na = b c, d = e\n", encoding="utf-8")
    assert read_pairs("pairs.txt") == {"p": {"a": "b c", "d": "e"}}
    (tmp_path / "words.txt").write_text("[w]\na b\nice cream, sea\n", encoding="utf-8")
    assert read_words("words.txt")["w"] == {"a", "b", "ice cream", "sea"}


def test_an_expression_that_is_compiled_only_where_it_may_fit_finds_the_same():
    rows = [*read_rows("facts.txt")[::9], *read_rows("word_questions.txt")[::9]]
    texts = [lines.normalise(part).plain for row in rows for part in row[:2]]
    for name in ("dictionary", "facts", "recall", "themes", "himself"):
        expressions = read_expressions(f"talk/expressions/{name}.txt")
        for section, text in itertools.product(expressions, texts):
            here, lazily = expressions[section], expressions.search(section, text)
            assert bool(lazily) == bool(here.search(text)), (section, text)
            whole = expressions.match_line(section, text)
            assert bool(whole) == bool(here.fullmatch(text)), (section, text)
