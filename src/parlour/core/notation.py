"""Moves and positions as text, for a game that has no notation of its own.

A move is written as the squares it touches, `b3-b2`, or as its numbers, `2-0`. A position is the
state itself, `0,3,5` or `1,XO--X----`: words stand without quotation marks, as in a shell. What was
typed is compared with what would be written, so reading and writing are inverses by themselves.

`read` has to tell positions from other text without knowing the game: it compares the shape of what
it reads with states of random play, and asks the game whether it can be played on from.
"""

from __future__ import annotations

import ast
import functools
import random
import re
from collections.abc import Sequence
from typing import Any

from parlour.core.errors import BadText, IllegalMove
from parlour.core.sentences import Text, join, quote, say

MAX_LISTED = 12  # moves in a refusal
MAX_TEXT = 10_000  # characters of a position
PLAYOUTS, PLIES = 20, 200  # whose states show what a position looks like
NUMBER = re.compile(r"-?[0-9]+")
BARE = re.compile(r"[^\s,(){}'\"\\]+")  # a word that needs no quotation marks
TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|" + BARE.pattern)
CONSTANTS = ("None", "True", "False")


# Moves


def write_move(game: Any, move: Any) -> str:
    """Return the squares that a move touches, or its numbers and words, joined by hyphens."""
    touched = game.squares(move) if hasattr(game, "squares") else ()
    if touched:
        return "-".join(map(name_square, touched))
    parts = move if isinstance(move, tuple) and move else (move,)
    return "-".join(map(_write_value, parts))


def name_square(square: tuple[int, int]) -> str:
    """Return `b3` for (1, 2): columns by letter from the left, rows by number from the top."""
    column, row = square
    return f"{name_column(column)}{row + 1}"


def name_column(column: int) -> str:
    """Return `a` to `z`, then `aa`."""
    return (name_column(column // 26 - 1) if column > 25 else "") + chr(ord("a") + column % 26)


def read_move(game: Any, state: Any, text: str) -> Any:
    """Return the legal move whose text this is, but for case, spaces and what joins its parts."""
    legal = game.moves(state)
    if not legal:
        raise IllegalMove(say("the game is over"))
    texts = [game.write_move(move) for move in legal]
    for fold in (str.strip, _without_case, _words):
        wanted = fold(text)
        found = [place for place, written in enumerate(texts) if fold(written) == wanted]
        if len(found) == 1:
            return legal[found[0]]
        if found:
            meant = join(" or ", (texts[place] for place in found))
            raise BadText("{text} may be {meant}", text=quote(text), meant=meant)
    choice = list_moves(game, state)
    if _shape(text) in map(_shape, texts):
        raise IllegalMove("{text} cannot be played here; {how}", text=quote(text), how=choice)
    raise BadText("{text} is not a move; {how}", text=quote(text), how=choice)


def list_moves(game: Any, state: Any) -> Text:
    """Return `you may play a1, b2`, with the first of many moves."""
    legal = game.moves(state)
    describe = getattr(game, "describe_move", lambda _, move: game.write_move(move))
    some = [describe(state, legal[place]) for place in range(min(len(legal), MAX_LISTED))]
    if len(legal) > MAX_LISTED:
        return say("you may play {some} and others", some=some)
    return say("you may play {some}", some=some)


def _without_case(text: str) -> str:
    return "".join(text.casefold().split())


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W\d_]+|[0-9]+", text.casefold()))


def _shape(text: str) -> str:
    """Return the text with one letter for each word and one digit for each number."""
    return re.sub("[^\\W\\d_]+", "a", re.sub("[0-9]+", "0", _words(text)))


# Positions


def write(state: Any) -> str:
    """Return a state as text: `0,3,5`."""
    if isinstance(state, tuple) and state:
        return ",".join(map(_write_value, state)) + "," * (len(state) == 1)
    return _write_value(state)


def _write_value(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({write(value)})" if value else "()"
    if isinstance(value, frozenset):
        return "{" + ",".join(sorted(map(_write_value, value))) + "}"
    if isinstance(value, str):
        plain = BARE.fullmatch(value) and not NUMBER.fullmatch(value) and value not in CONSTANTS
        return value if plain else repr(value)
    return repr(value)


def read(game: Any, text: str) -> Any:
    """Return the state that a text describes; `BadText` if none can be played on from."""
    try:
        state = _freeze(ast.literal_eval(TOKEN.sub(_quote_word, text[:MAX_TEXT].strip())))
        good = (
            _fits(state, _met(game))
            and game.turn(state) in range(game.seats)
            and (game.result(state) is None) == bool(game.moves(state))
        )
    except Exception:  # whatever the game makes of a position that is none
        good = False
    if not good:
        example = game.write(game.start())
        raise BadText(
            "{text} is not a position; write one like {example}", text=quote(text), example=example
        )
    return state


def _quote_word(found: re.Match[str]) -> str:
    word = found[0]
    is_value = word[0] in "'\"" or NUMBER.fullmatch(word) or word in CONSTANTS
    return word if is_value else repr(word)


def _freeze(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_freeze, value))
    return frozenset(map(_freeze, value)) if isinstance(value, set | dict) else value


@functools.lru_cache(maxsize=64)
def _met(game: Any) -> tuple[Any, ...]:
    """Return states of random play, which show what a position looks like."""
    chance, met = random.Random(0), dict[Any, None]()
    for _ in range(PLAYOUTS):
        state = game.start()
        met[state] = None
        for _ in range(PLIES):
            moves = game.moves(state)
            if not moves:
                break
            state = game.play(state, moves[chance.randrange(len(moves))])
            met[state] = None
    return tuple(met)


def _fits(value: Any, met: Sequence[Any]) -> bool:
    """Return whether a value looks like those met in its place, and is not far larger."""
    if not met:
        return True
    if isinstance(value, int):
        numbers = [each for each in met if isinstance(each, int)]
        bits = max((each.bit_length() for each in numbers), default=0)
        signed = value >= 0 or any(each < 0 for each in numbers)
        return signed and value.bit_length() <= max(20, 2 * bits)
    if isinstance(value, str):
        lengths = {len(each) for each in met if isinstance(each, str)}
        return len(value) in lengths or (len(lengths) > 1 and len(value) <= 2 * max(lengths))
    if not isinstance(value, tuple):
        return value is None or type(value) in map(type, met)
    rows = [each for each in met if isinstance(each, tuple)]
    sizes = {len(row) for row in rows}
    if len(sizes) == 1 and len(value) in sizes:
        return all(map(_fits, value, zip(*rows, strict=True)))
    anywhere = [item for row in rows for item in row]
    return (
        len(sizes) > 1 and len(value) <= 2 * max(sizes) and all(_fits(v, anywhere) for v in value)
    )


# The board


def draw_rows(rows: Sequence[Sequence[str]]) -> str:
    """Return a board of these rows with its columns and rows named."""
    wide = len(str(len(rows)))
    cells = [[" " * (wide + 1), *map(name_column, range(len(rows[0])))]]
    for number, row in enumerate(rows, start=1):
        cells.append([f"{number:{wide}} ", *(mark or "-" for mark in row)])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (" ".join(map(str.ljust, line, widths)) for line in cells)
    return "\n".join(line.rstrip() for line in lines)
