"""The text files of the host: what anybody may edit is checked here."""

from __future__ import annotations

import ast
import re
import string
import sys
from collections import Counter
from pathlib import Path

import pytest

from parlour import host
from parlour.host.language import line as lines
from parlour.host.language.texts import (
    GAME_GAPS,
    HERE,
    read_expressions,
    read_pairs,
    read_sections,
    read_words,
)
from parlour.host.talk.draft import FILES, load_templates
from parlour.host.understand.grammar import load_questions

LICENCE = "LEXICON-LICENSE.txt"
ALL = sorted(path for path in HERE.rglob("*.txt") if path.name != LICENCE)
NAMES = [str(path.relative_to(HERE)) for path in ALL]
EXPRESSIONS = [name for name in NAMES if "/expressions/" in name]
PATTERNS = [name for name in NAMES if "/patterns/" in name]
LINES = [name for name in NAMES if "/lines/" in f"/{name}"]
PHRASES = ["understand/words/games.txt", "table/asked.txt"]
WORDS = [name for name in NAMES if name not in {*EXPRESSIONS, *PATTERNS, *LINES, *PHRASES}]


def headings(name):
    text = (HERE / name).read_text(encoding="utf-8")
    return re.findall(r"^\[(.+)\]$", text, re.MULTILINE)


def test_there_are_lines_patterns_expressions_and_words():
    assert min(map(len, (EXPRESSIONS, PATTERNS, LINES, WORDS))) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_every_file_says_what_it_is_and_no_section_is_empty_or_there_twice(name):
    text = (HERE / name).read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert not re.search(r"[ \t]$|\t", text, re.MULTILINE)
    assert [heading for heading, times in Counter(headings(name)).items() if times > 1] == []
    for section, rows in read_sections(name).items():
        assert rows, section


@pytest.mark.parametrize("name", [*PATTERNS, *LINES, *EXPRESSIONS, *PHRASES])
def test_no_line_stands_twice_in_a_section(name):
    for section, rows in read_sections(name, joint="").items():
        own = [row for row in rows if row[:2] not in ("y:", "n:", "w:", "t:")]
        assert [row for row, times in Counter(own).items() if times > 1] == [], section


@pytest.mark.parametrize("name", WORDS)
def test_no_word_stands_twice_in_a_section(name):
    for section, rows in read_sections(name).items():
        items = [item for row in rows for item in (row.split(",") if "," in row else row.split())]
        words = [item.partition("=")[0].strip() for item in items if item.strip()]
        assert [word for word, times in Counter(words).items() if times > 1] == [], section


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_every_expression_compiles_and_every_part_of_one_is_used(name):
    assert dict(read_expressions(name))
    text = (HERE / name).read_text(encoding="utf-8")
    parts = {heading for heading in headings(name) if heading.isupper()}
    assert parts == set(re.findall("<([A-Z_]+)>", text))


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_a_row_of_plain_words(name):
    for section, rows in read_sections(name).items():
        for row in rows:
            assert re.fullmatch(r"!?[\w|]+(?: [\w|]+)*", row), (section, row)
            assert all(all(part.split("|")) for part in row.lstrip("!").split()), (section, row)


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


@pytest.mark.parametrize("path", sorted(HERE.rglob("*.py")), ids=lambda path: path.stem)
def test_every_gap_of_a_line_that_the_code_says_is_filled(path):
    """`LINES("undone", moves=…)` fills each gap of the section [undone]."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    files = {
        "conversation": "lines/chat.txt",
        "pending_question": "lines/pending_question.txt",
        "puzzle": "lines/puzzle.txt",
        "guests": "table/lines/guests.txt",
    }
    name = files.get(path.stem, "table/lines/replies.txt")
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        named = isinstance(call.func, ast.Name) and call.func.id == "LINES" and call.args
        if named and isinstance(call.args[0], ast.Constant):
            rows = " ".join(read_sections(name)[call.args[0].value])
            assert find_gaps(rows) == {keyword.arg for keyword in call.keywords}, call.args[0].value


def test_an_answer_stands_below_its_line_and_once():
    for name in FILES:
        for section, rows in read_sections(f"talk/lines/{name}.txt").items():
            seen: set[str] = set()
            for row in rows:
                mark = row[:2] if row[:2] in ("y:", "n:", "w:", "t:") else ""
                assert mark not in seen or not mark, (section, row)
                seen = {*seen, mark} if mark else {"line"}
                assert seen - {mark}, (section, row)


def test_no_section_of_the_talk_is_in_two_files():
    named = [section for name in FILES for section in headings(f"talk/lines/{name}.txt")]
    assert len(named) == len(set(named)) == len(load_templates())


@pytest.mark.parametrize("path", sorted(HERE.rglob("*.py")), ids=lambda path: path.stem)
def test_every_section_that_the_code_names_is_there(path):
    """A file that is read under a name in capitals is asked only for sections it has."""
    source = path.read_text(encoding="utf-8")
    read = re.findall(r"^(\w+) = read_(\w+)\(\"(.+?)\"\)$", source, re.MULTILINE)
    for constant, kind, name in read:
        reader = {"words": read_words, "pairs": read_pairs, "expressions": read_expressions}
        if kind in reader:
            asked = set(re.findall(rf"\b{constant}\[\"([^\"{{]+)\"\]", source))
            assert asked <= set(reader[kind](name)), path
    for constant, name in re.findall(r"^(\w+) = partial\(fill_lines, \"(.+?)\"\)$", source, re.M):
        asked = set(re.findall(rf"\b{constant}\(\"([^\"{{]+)\"", source))
        assert asked <= set(read_sections(name)), path


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


# A line is normalised once


def count_calls(function, session, text):
    """How often a function is called while a line is answered."""
    calls = 0

    def watch(frame, event, _):
        nonlocal calls
        calls += event == "call" and frame.f_code is function.__code__

    sys.setprofile(watch)
    try:
        host.reply(session, text)
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("nim 3 4 5", "take two from the last pile"),
        ("nim 3 4 5", "tkae two from the lsat pile"),
        ("chopsticks", "who is winning?"),
        ("hello", "who wins nim with 3, 4 and 5?"),
        ("let's talk", "I am afraid of whales, they are so big"),
        ("whales", "what do you know about me?"),
        ("nim", "three piles, please"),
    ],
)
def test_a_line_is_normalised_once(before, text):
    session = host.reply(host.Session(seed=1), before).session
    host.reply(session, text)  # names of games and bots are read once and kept
    assert count_calls(lines.normalise, session, text) == 1


def test_the_files_are_part_of_the_package():
    root = Path(host.__file__).parent
    assert (root / "talk/lines/replies.txt").is_file()


@pytest.mark.parametrize("name", ["dictionary", "facts", "recall", "themes", "himself"])
def test_what_is_compiled_only_where_it_may_fit_finds_the_same(name):
    expressions = read_expressions(f"talk/expressions/{name}.txt")
    told = Path(__file__).with_name("facts.txt").read_text(encoding="utf-8").splitlines()
    asked = Path(__file__).with_name("word_questions.txt").read_text(encoding="utf-8").splitlines()
    for row in (*told[::9], *asked[::9]):
        text = lines.normalise(re.split(r"[|\t]", row)[0]).plain
        for section in expressions:
            here, lazily = expressions[section], expressions.search(section, text)
            assert bool(lazily) == bool(here.search(text)), (section, text)
            whole = expressions.match_line(section, text)
            assert bool(whole) == bool(here.fullmatch(text)), (section, text)
