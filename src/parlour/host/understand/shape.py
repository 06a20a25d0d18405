"""The shape of a line: what speaks for an act or against it, where it splits, what answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from parlour.host.language import MAX_LENGTH, NUMBER, Line, normalise, read_expressions
from parlour.host.understand.grammar import FILLER, WORDS
from parlour.host.understand.intent import asks_in_passing, is_question

EXPRESSIONS = read_expressions("understand/expressions/shape.txt")
OF_TEXT = ("quotation", "joint")  # signs in the text as it was typed
NO_SIGNS = (*OF_TEXT, "opens", "requests", "weighs", "of the move before", "of its result")
MAX_JOINTS = 6  # places at which a line is split to see


def find_signs(line: Line) -> frozenset[str]:
    """Return what a line has that speaks for an act or against it."""
    plain = line.plain.partition(" because ")[0]  # a reason explains itself
    signs = {
        name for name, sign in EXPRESSIONS.items() if name not in NO_SIGNS and sign.search(plain)
    }
    if EXPRESSIONS["quotation"].search(line.text):
        signs.add("quotation")
    if is_question(line):
        signs.add("question")
    elif asks_in_passing(line):
        signs.add("doubt")
    return frozenset(signs)


def split_line(text: str) -> Iterator[tuple[str, str]]:
    """List how a line falls into two: at the end of a sentence, at `then`, `and`, or a comma."""
    for joint in islice(EXPRESSIONS["joint"].finditer(text[:MAX_LENGTH]), MAX_JOINTS):
        first, second = text[: joint.start()].strip(), text[joint.end() :].strip()
        if first and second:
            yield first, second


def split_at_question(text: str) -> Iterator[tuple[Line, Line, bool]]:
    """List how a line falls into a statement and a question, and whether a sentence ends there.

    Where sentences end comes first.
    """
    text = text[:MAX_LENGTH]
    joints = list(islice(EXPRESSIONS["joint"].finditer(text), MAX_JOINTS))
    for joint in sorted(joints, key=lambda joint: not _ends_sentence(joint[0])):
        if "?" in text[: joint.end()]:
            continue
        first, second = normalise(text[: joint.start()]), normalise(text[joint.end() :])
        if first.words and EXPRESSIONS["opens"].match(second.plain):
            after = "then" in joint[0] and EXPRESSIONS["requests"].match(second.plain)
            yield first, second, bool(after) or _ends_sentence(joint[0])


def _ends_sentence(joint: str) -> bool:
    return bool(set(".;!") & set(joint))


def leaves_supposed(move: Line, question: Line, ended: bool = True) -> bool:
    """Say whether a move before a question is only weighed: `d3. Is that good?`, `d3, do I win?`"""
    names = ("of the move before",) if ended else ("of the move before", "of its result")
    depends = any(EXPRESSIONS[name].search(question.plain) for name in names)
    return depends or bool(EXPRESSIONS["weighs"].search(move.plain))


def is_answer(line: Line) -> bool:
    """Say whether a clause of a line answers a question and does nothing else.

    A reason after it is let pass: `5, because we are five`.
    """
    return any(_answers(clause) for clause, _ in line.clauses)


def _answers(words: Sequence[str]) -> bool:
    said = [*words[:1], *takewhile(lambda word: word not in WORDS["reasons"], words[1:])]
    numbers = [word for word in said if NUMBER.fullmatch(word)]
    telling = {word for word in said if word not in FILLER} - set(numbers)
    return bool(numbers or telling) and telling <= WORDS["answering"]
