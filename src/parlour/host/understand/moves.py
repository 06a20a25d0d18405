"""A sentence as a move: whether it asks for one, which, and what it says besides.

A line is cut into clauses. A clause that asks, refuses, supposes, remembers or quotes is no move,
whatever it names. The move is read from the clauses that consist of words of moves alone; a remark
beside them, and a reason, are let pass. If a move is only found together with other words, these
are left over, and whoever plays the move has to ask first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from parlour.core import BadText, IllegalMove, ParlourError, State, extra
from parlour.host import language
from parlour.host.language import Line, find_entries, look_up, texts
from parlour.host.understand.grammar import Illegal, Unclear, rewrite

EXPRESSIONS = texts.read_expressions("understand/expressions/moves.txt")
WORDS = texts.read_words("understand/words/moves.txt")
KINDS = ("piles", "hands", "squares")
LETTERS = frozenset("bcdefghjklmnopqrsuvwxyz")  # that are no words, and may name squares or hands
SPELLINGS = {kind: texts.read_expressions(f"understand/expressions/{kind}.txt") for kind in KINDS}
KNOWN = {
    kind: WORDS[kind].union(
        WORDS["verbs"], *texts.read_words(f"understand/words/{kind}.txt").values()
    )
    for kind in KINDS
}
KNOWN |= {kind: KNOWN[kind] | LETTERS for kind in ("hands", "squares")}
BEFORE_VERBS = WORDS["before verbs"]
AGAINST = ("refuses", "supposes", "past", "others", "anew")  # what is no move, by expression
MAX_WORDS, MAX_MOVE_WORDS = 60, 5  # words of a sentence, and of a move in it
MAX_LEFT = 4  # words left over beyond which a sentence is about something else


@dataclass(frozen=True)
class _Reader:
    """How sentences about a game are read: what finds the move, and the words that tell of one."""

    find: Callable[[Any, State, Sequence[str]], str | Unclear]
    words: frozenset[str]
    spellings: Mapping[str, re.Pattern[str]]


@dataclass(frozen=True)
class MoveReading:
    """The move that a sentence asks for, as the game writes it, and the words left over."""

    move: str
    leftover: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Clause:
    text: str
    kind: str  # `own`, `filler`, `remark`, `question`, `against` or `command`
    telling: int = 0  # words of moves in it
    unknown: tuple[str, ...] = ()
    asked: bool = False  # it ends with a question mark
    did: bool = False  # it says that it has been done


def read_move_sentence(
    game: Any, state: State, line: Line, last: str = ""
) -> MoveReading | Unclear | None:
    """Return the move that a sentence asks for; nothing if it asks for none.

    What asks for a move and leaves something open is `Unclear`, what asks for one that the rules
    do not allow is `Illegal`. Words left over mean that the move is likely, but not certain.
    `last` is what the same person played before, for `the same again`.
    """
    if again := _repeat(game, state, line, last):
        return again
    reader = _find_reader(game)
    if reader is None:
        return _find_move(game, state, line)
    clauses = list(_find_clauses(line, reader))
    if _tells_otherwise(line, clauses):
        return None
    if move := _read_remaining(reader, game, state, clauses):
        return move
    own = [each.text for each in clauses if each.kind in ("own", "filler")]
    reading = _read(reader, game, state, own)
    if isinstance(reading, MoveReading | Illegal):
        return replace(reading, leftover=tuple(_find_leftover(clauses)))
    if any(each.kind == "question" for each in clauses):
        return None  # `this one or that one, what do you think?`
    unknown = [word for each in clauses for word in each.unknown]
    if not unknown or len(unknown) > min(MAX_LEFT, sum(each.telling for each in clauses)):
        return reading
    likely = [each.text for each in clauses if each.kind in ("own", "filler", "remark")]
    whole = _read(reader, game, state, likely)
    return replace(whole, leftover=tuple(unknown)) if whole else reading


def _tells_otherwise(line: Line, clauses: Sequence[_Clause]) -> bool:
    """Say whether a line as a whole wants a new game, tells a tale, or asks about a move."""
    asks = any(each.kind == "question" for each in clauses)
    about = asks and "?" in line.text and EXPRESSIONS["about"].search(line.plain)
    did = [each for each in clauses if each.did]
    tale = did and any(not each.did and each.kind != "filler" for each in clauses)
    supposes = EXPRESSIONS["if first"].match(EXPRESSIONS["idle"].sub("", line.plain).strip())
    supposes = supposes or EXPRESSIONS["then what"].search(line.plain)
    return bool(EXPRESSIONS["anew"].search(line.plain) or tale or about or supposes)


def _find_leftover(clauses: Sequence[_Clause]) -> list[str]:
    """List what a move does not explain; remarks before it or after it need no explanation."""
    telling = [each for each in clauses if each.kind in ("own", "remark", "against", "command")]
    ends = {each.kind for each in (*telling[:1], *telling[-1:])}
    kinds = ("command",) if "own" in ends else ("command", "remark")
    left = [word for each in telling if each.kind in kinds for word in each.unknown]
    if "own" not in ends:
        left += [word for each in telling if each.kind == "against" for word in each.text.split()]
    asked = all(each.asked for each in (*telling, clauses[-1]))
    return [*left, "?"] if asked else left


def read_supposed_move(game: Any, state: State, line: Line) -> MoveReading | Unclear | None:
    """Return the move that a line only supposes or asks about: `what if I took two`."""
    reader = _find_reader(game)
    if reader is None:
        return _find_move(game, state, line)
    readings: list[MoveReading | Unclear | None] = []
    for words in (*(words for words, _ in line.clauses), line.words):
        said = rewrite(EXPRESSIONS["idle"].sub(" ", " ".join(words)), EXPRESSIONS)
        for text in (EXPRESSIONS["supposing"].sub(" ", said), said):
            present = (_to_present(word, reader) for word in text.split())
            readings.append(_read(reader, game, state, [" ".join(present)]))
    moves = (each for each in readings if isinstance(each, MoveReading))
    return next(moves, None) or next((each for each in readings if each), None)


def _to_present(word: str, reader: _Reader) -> str:
    """Return `clear` for `cleared`, unless the word is known as it stands."""
    known = _is_telling(word, reader) or word in WORDS["any"]
    return word if known else next((entry.word for entry in find_entries(word, "verb")), word)


def _find_reader(game: Any) -> _Reader | None:
    find, words = extra(game, "reader"), extra(game, "reader_words")
    if find is None:
        return None
    if isinstance(words, str):
        return _Reader(find, KNOWN[words], SPELLINGS[words])
    return _Reader(find, WORDS["verbs"].union(words, LETTERS), {})


def _repeat(game: Any, state: State, line: Line, last: str) -> MoveReading | Unclear | None:
    """Read `the same again`, or `one less than last time`."""
    said = EXPRESSIONS["same again"].fullmatch(line.plain) if last else None
    if said is None:
        return None
    number, _, rest = last.partition(" ")
    if said["by"] and number.isdecimal():
        by = 1 if said["by"] == "one" else int(said["by"])
        number = str(max(0, int(number) + (by if said["way"] == "more" else -by)))
    return _check(game, state, f"{number} {rest}".strip())


def _read_remaining(
    reader: _Reader, game: Any, state: State, clauses: Sequence[_Clause]
) -> MoveReading | None:
    """Read `not d3, not c4, not f5, the other one`: the only move that is not refused."""
    text = " ".join(each.text for each in clauses)
    refused = re.split(r"\bnot\b", text)[1:]
    if not refused or not EXPRESSIONS["other one"].search(text):
        return None
    refused[-1] = EXPRESSIONS["other one"].split(refused[-1])[0]
    named = (_read(reader, game, state, [each]) for each in refused)
    moves = {each.move for each in named if isinstance(each, MoveReading)}
    legal = game.moves(state)
    if not moves or len(legal) > len(moves) + 1:  # there may be billions
        return None
    rest = [move for each in legal if (move := game.write_move(each)) not in moves]
    return MoveReading(rest[0]) if len(rest) == 1 else None


# Clauses


def _find_clauses(line: Line, reader: _Reader) -> Iterable[_Clause]:
    """Cut a line at its marks and joining words, and say of each clause what it is."""
    quoted = False
    for words, mark in line.clauses:
        text = rewrite(EXPRESSIONS["idle"].sub(" ", " ".join(words)), EXPRESSIONS)
        text = rewrite(text, reader.spellings)
        orders = EXPRESSIONS["about"].search(line.plain) or EXPRESSIONS["orders"].search(text)
        kept = ""  # the kind of the clause before, for `and` and `or` to go on with
        for part in filter(None, EXPRESSIONS["joins"].split(" ".join(text.split()))):
            goes_on = kept in ("against", "question") and EXPRESSIONS["goes on with"].match(part)
            found = _Clause(part, "against") if quoted or goes_on else _classify(part, reader)
            kept = found.kind
            yield replace(found, asked="?" in mark and not orders)
        quoted ^= '"' in mark


def _classify(text: str, reader: _Reader) -> _Clause:
    unwanted = any(EXPRESSIONS[name].search(text) for name in ("refuses", "supposes"))
    if EXPRESSIONS["commands"].search(text) and not unwanted:
        return _Clause(text, "command", unknown=tuple(text.split()))
    did = EXPRESSIONS["i did"].search(text)
    said = EXPRESSIONS["i did"].sub("i", text)
    if any(EXPRESSIONS[name].search(said) for name in AGAINST):
        return _Clause(text, "against")
    if EXPRESSIONS["asks"].search(text):
        return _Clause(text, "question")
    found = _find_words(text, reader)
    return replace(found, did=True) if did else found


def _find_words(text: str, reader: _Reader) -> _Clause:
    """Say what the words of a clause explain."""
    words = text.split()
    telling = [word for word in words if _is_telling(word, reader)]
    unknown = set(words) - WORDS["any"].union(telling)
    did = False
    for before, word in pairwise(("and", *words)):
        if telling and word in unknown and _may_be_verb(before, word, len(telling)):
            unknown.remove(word)
            did = did or (before == "i" and not _is_base(word))
    qualities = unknown & _find_qualities(words)
    words = [word for word in words if word not in qualities]
    unknown = {word for word in unknown - qualities if not word.endswith("ly")}
    while telling and words[-1] in unknown and not look_up(words[-1]):
        unknown.discard(words.pop())  # a name, or a noise
    if unknown:
        found = tuple(word for word in words if word in unknown)
        return _Clause(" ".join(words), "remark", len(telling), found)
    if words[-1:] == ["no"]:
        words.pop()  # it would number what comes next
    return _Clause(" ".join(words), "own" if telling else "filler", len(telling), did=did)


def _find_qualities(words: Sequence[str]) -> set[str]:
    """Find what stands before a thing, or as `whopping` in `a whopping six`."""
    rows = zip(words, words[1:], words[2:], strict=False)
    odd = {
        word
        for before, word, after in rows
        if before in ("a", "an") and after != "1" and _is_number(after)
    }
    return odd | {word for word, after in pairwise(words[1:]) if after in WORDS["nouns"]}


def _may_be_verb(before: str, word: str, telling: int) -> bool:
    """Say whether a word may be what is done in a move: a verb, or one that he does not know."""
    if word in WORDS["idle verbs"] or before not in BEFORE_VERBS | {"be"}:
        return False
    found = find_entries(word)
    form = before == "i" or _is_base(word) != (before == "be")
    return (form and "verb" in {entry.kind for entry in found}) or (not found and telling > 1)


def _is_base(word: str) -> bool:
    """Say whether a word may be a verb as it stands in a dictionary."""
    found = find_entries(word)
    return not found or any(entry.kind == "verb" and entry.word == word for entry in found)


def _is_telling(word: str, reader: _Reader) -> bool:
    return word in reader.words or _is_number(word)


def _is_number(word: str) -> bool:
    return bool(language.NUMBER.fullmatch(word))


# Reading


def _read(
    reader: _Reader, game: Any, state: State, clauses: Sequence[str]
) -> MoveReading | Unclear | None:
    """Read clauses together; a correction comes instead of what it corrects, or of a number."""
    whole = EXPRESSIONS["less"].sub(r"\1 minus ", " ".join(clauses))
    *before, final = map(str.strip, EXPRESSIONS["corrects"].split(whole))
    if EXPRESSIONS["either"].search(final):
        return Unclear("say one of the two")
    number = re.search(r"\d+", final)
    ways = [final, whole]
    if before and number:  # `two from the last, no wait, three`
        ways.insert(1, re.sub(r"\d+(?=\D*$)", number[0], before[-1]))
    readings = [_read_text(reader, game, state, text) for text in dict.fromkeys(ways)]
    moves = (each for each in readings[:-1] if isinstance(each, MoveReading))
    return next(moves, None) or next((each for each in readings if each), None)


def _read_text(reader: _Reader, game: Any, state: State, text: str) -> MoveReading | Unclear | None:
    words = text.split()
    odd = [word for word in words if _is_number(word) and not word.isdecimal()]
    found = reader.find(game, state, ["1" if word in odd else word for word in words])
    if odd and found:
        return Illegal(f"{odd[0]} is not a number for a move; say a whole one, from 1 up")
    found = found or _explain_pass(game, state, words)
    if isinstance(found, Unclear):
        return found
    return _check(game, state, found) if found else None


def _check(game: Any, state: State, text: str) -> MoveReading | Unclear:
    try:
        return MoveReading(game.write_move(game.read_move(state, text)))
    except ParlourError as error:
        return Illegal(str(error))


def _explain_pass(game: Any, state: State, words: Sequence[str]) -> str | Unclear:
    """Refuse `I pass` in a game that has no such move; elsewhere its reader has found it."""
    if not EXPRESSIONS["passes"].fullmatch(" ".join(words)):
        return ""
    try:
        game.read_move(state, "pass")
    except BadText:
        return Illegal("you cannot pass in this game; you have to make a move")
    except IllegalMove:
        pass
    return ""


def _find_move(game: Any, state: State, line: Line) -> MoveReading | Unclear | None:
    """Find a move as it is written, in a game whose sentences are not known."""
    plain = EXPRESSIONS["idle"].sub(" ", line.plain)
    if any(EXPRESSIONS[name].search(plain) for name in (*AGAINST, "asks", "commands")):
        return None
    words = re.findall(r"\S+", line.text)[:MAX_WORDS]
    refusal = ""
    for size in range(min(len(words), MAX_MOVE_WORDS), 0, -1):
        for at in range(len(words) - size + 1):
            try:
                move = game.read_move(state, " ".join(words[at : at + size]).strip(".,;:!?"))
                rest = language.normalise(" ".join(words[:at] + words[at + size :])).words
                left = tuple(word for word in rest if word not in WORDS["any"])
                return MoveReading(str(game.write_move(move)), left)
            except IllegalMove as error:
                refusal = refusal or str(error)
            except Exception:  # noqa: S112  # others' games may fail on any word
                continue
    return Illegal(refusal) if refusal else None
