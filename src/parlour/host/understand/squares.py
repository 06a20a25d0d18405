"""Squares in plain words: `bottom right`, `third row, column f`, `below my X`, `block that line`.

Words for places leave some squares of the board; what they relate to is found first and taken out
of the line. A sentence is a move when exactly one free square fits, or one square at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from parlour.core import State, one_of
from parlour.host.language import ORDINALS, texts
from parlour.host.understand.grammar import Unclear, rewrite
from parlour.rules import LETTERS, PASS, Board, Othello, Square, TicTacToe

EXPRESSIONS = texts.read_expressions("understand/expressions/squares.txt")
WORDS = texts.read_words("understand/words/squares.txt")
STEPS = {  # what leads from a square to others, and by which steps
    name: [tuple(map(int, step.split(","))) for step in name.split()[1:]]
    for name in EXPRESSIONS
    if name.startswith("step ")
}
FURTHEST = {  # what asks for the possible square that is furthest out, and in which direction
    name: tuple(map(int, name.split()[1].split(",")))
    for name in EXPRESSIONS
    if name.startswith("furthest ")
}
MAX_NAMED = 8  # squares that are named in a question
OFF_BOARD = "bcdefghjklmnpqrstvwz"  # letters that are not words, for squares that may not exist
COMPASS = {"nw": "north west", "ne": "north east", "sw": "south west", "se": "south east"}


def _simplify(words: Sequence[str]) -> str:
    """Remove words that only look like places, and write points of the compass apart."""
    line = rewrite(" ".join(COMPASS.get(word, word) for word in words), EXPRESSIONS)
    return EXPRESSIONS["idle"].sub(" ", re.sub(r"\b(north|south)(east|west)\b", r"\1 \2", line))


def find_square(board: Board, words: Sequence[str]) -> str:
    """Find a square by its letter and number, side by side or as column and row."""
    joined = [word for word in words if word not in WORDS["between"]]
    letters = LETTERS[: board.columns]
    for known in (letters, OFF_BOARD):
        for one, other, then in zip(joined, joined[1:], (*joined[2:], ""), strict=False):
            counts = other.isdecimal() and len(other) <= 2 and then not in ("x", "by", "times")
            if len(one) == 1 and one in known and counts:
                return f"{one}{other}"
    for one, other in pairwise(joined):
        if one.isdecimal() and len(other) == 1 and other in letters and other not in "ai":
            return f"{other}{one}"
    return ""


# Places


def _find_places(board: Board, line: str) -> list[Square]:
    """Find the squares that words for places leave: all of the top row for `top`."""
    terms = set(line.split())
    corner = bool({"corner", "corners"} & terms)
    line, rows = _find_rank(line, "row", board.rows)
    line, columns = _find_rank(line, "column", board.columns)
    for end, at in (("top", 0), ("bottom", board.rows - 1)):
        if not rows and EXPRESSIONS[end].search(line):
            rows = [at]
    for end, at in (("left", 0), ("right", board.columns - 1)):
        if not columns and EXPRESSIONS[end if rows or corner else f"{end} alone"].search(line):
            columns = [at]
    if bool(rows) != bool(columns):  # `the third square of the top row`
        rows = rows or _find_rank(line, "square of a column", board.rows)[1]
        columns = columns or _find_rank(line, "square of a row", board.columns)[1]
    if not rows and (corner or columns) and {"up", "down"} & terms and "halfway" not in terms:
        rows = [0] if "up" in terms else [board.rows - 1]
    if EXPRESSIONS["middle"].search(line):
        rows = rows or _middle(board.rows)
        columns = columns or _middle(board.columns)
    if not (rows or columns or corner):
        return []
    found = [(c, r) for r in rows or range(board.rows) for c in columns or range(board.columns)]
    ends = [each for each in found if each in _corners(board)]
    inner = [each for each in found if each not in ends]
    if corner:
        return ends
    return inner if {"edge", "side"} & terms and inner else found


def _find_rank(line: str, what: str, size: int) -> tuple[str, list[int]]:
    """Return the line without the row or column that it counts or names, and that row or column."""
    found = EXPRESSIONS[what].search(line)
    if not found and (by_letter := EXPRESSIONS.get(f"{what} by letter")):
        found = by_letter.search(line)
    if not found:
        return line, []
    word = next(filter(None, found.groups()))
    rest = f"{line[: found.start()]} {line[found.end() :]}"
    if EXPRESSIONS["a middle"].fullmatch(word):
        return rest, _middle(size)
    if word == "last":
        return rest, [size - 1]
    if word in ORDINALS:
        at = ORDINALS.index(word)
    else:
        at = int(word) - 1 if word.isdecimal() else LETTERS.index(word)
    backwards = found.groupdict().get("end") in ("bottom", "right")
    return rest, [size - 1 - at if backwards else at]


def _middle(size: int) -> list[int]:
    return list(range((size - 1) // 2, size // 2 + 1))


def _corners(board: Board) -> set[Square]:
    return {(c, r) for c in (0, board.columns - 1) for r in (0, board.rows - 1)}


# Relations


class _Marks:
    """The squares of a board that a line can speak of as mine, yours, X or O."""

    def __init__(self, board: Board, own: int, other: int, turn: int) -> None:
        self.board = board
        self.mine, self.yours = list(board.squares(own)), list(board.squares(other))
        self.by_mark = (self.mine, self.yours) if turn == 0 else (self.yours, self.mine)

    def find(self, line: str) -> list[list[Square]]:
        """Find what a line refers to, one list for each thing it names."""
        named = re.findall(r"\b([a-p]) (\d\d?)\b", line)
        if named:
            return [[(LETTERS.index(letter), int(number) - 1)] for letter, number in named]
        if owned := [self._find_owned(match) for match in EXPRESSIONS["owned"].finditer(line)]:
            return owned
        places = _find_places(self.board, line)
        return [places] if len(places) == 1 else []

    def _find_owned(self, match: re.Match[str]) -> list[Square]:
        whose = match["alone"] or match["whose"]
        if whose in ("my", "mine", "me"):
            return self.mine
        if whose in ("your", "yours", "you"):
            return self.yours
        return self.by_mark[match["mark"] in WORDS["noughts"]]

    def find_related(self, line: str) -> list[Square]:
        """Find the squares above, beside, between or opposite to what a line refers to."""
        if found := EXPRESSIONS["between"].search(line):
            things = self.find(found[1])
            sets = pairwise(things)
            pairs = [(one, two) for some, more in sets for one in some for two in more]
            if len(things) == 1:
                pairs = list(combinations(things[0], 2))
            return [each for one, two in pairs for each in _between(one, two)]
        if EXPRESSIONS["opposite"].search(line):
            return self._find_opposite(line)
        for name, steps in STEPS.items():
            if found := EXPRESSIONS[name].search(line):
                far, thing = int(found[1] or 1), next(iter(self.find(found[2])), [])
                near = [(c + far * x, r + far * y) for c, r in thing for x, y in steps]
                if near := [each for each in near if each in self.board.bits]:
                    return near
        return []

    def _find_opposite(self, line: str) -> list[Square]:
        things = [each for thing in self.find(line) for each in thing]
        corners = _corners(self.board)
        if "corner" in line:
            held = ([each for each in some if each in corners] for some in (self.mine, self.yours))
            things = [each for each in things if each in corners] or next(filter(None, held), [])
        return [(self.board.columns - 1 - c, self.board.rows - 1 - r) for c, r in things]


def _between(one: Square, two: Square) -> list[Square]:
    """List the squares strictly between two on a row, a column or a diagonal."""
    right, down = two[0] - one[0], two[1] - one[1]
    steps = max(abs(right), abs(down))
    if steps < 2 or right % steps or down % steps:
        return []
    return [(one[0] + right // steps * i, one[1] + down // steps * i) for i in range(1, steps)]


# Games


def _choose(board: Board, squares: Iterable[Square], free: Sequence[Square]) -> str:
    """Return the one square that is free, or the only one there is."""
    some = set(squares)
    fitting = [each for each in some if each in free] or list(some)
    return board.write_square(fitting[0]) if len(fitting) == 1 else ""


def _find_furthest(line: str, free: Sequence[Square]) -> list[Square]:
    """Find the possible squares that are furthest out where the line says."""
    for name, (x, y) in FURTHEST.items():
        if free and EXPRESSIONS[name].search(line):
            most = max(c * x + r * y for c, r in free)
            return [(c, r) for c, r in free if c * x + r * y == most]
    return []


def _find_anywhere(board: Board, marks: _Marks, line: str, free: Sequence[Square]) -> str | Unclear:
    """Find the square that a line names, relates to others, places, or calls the only one."""
    named = find_square(board, EXPRESSIONS["relates"].split(line, maxsplit=1)[0].split())
    related = marks.find_related(line)
    if named:
        return named
    if related:
        places = _find_places(board, EXPRESSIONS["related"].sub(" ", line))
        related = [each for each in related if each in places] or related
        return _choose(board, related, free) or _ask(board, line, related, free)
    furthest = _find_furthest(line, free)
    places = _find_places(board, line)
    if furthest and (EXPRESSIONS["possible"].search(line) or not set(places) & set(free)):
        places = furthest
    if found := find_square(board, line.split()) or _choose(board, places, free):
        return found
    only = EXPRESSIONS["only"].search(line)
    if only and len(free) == 1:
        return _choose(board, free, free)
    return _ask(board, line, places, free)


def _ask(
    board: Board, line: str, squares: Sequence[Square], free: Sequence[Square]
) -> str | Unclear:
    """Ask which square is meant, if the line leaves a choice, and name the possible ones."""
    if not EXPRESSIONS["a choice"].search(line):
        return ""
    fitting = [each for each in free if each in squares] or free
    few = len(fitting) <= MAX_NAMED
    named = one_of([board.write_square(each) for each in fitting[:MAX_NAMED]])
    return Unclear(f"say which square{':' if few else ', like'} {named}")


def read_tictactoe(game: TicTacToe, state: State, words: Sequence[str]) -> str | Unclear:
    """Return the square that a sentence names, or the only one that does what it wants."""
    free = list(game.moves(state))
    line = _simplify(words)
    squares = [] if find_square(game.board, words) else _find_line(game, state, line, free)
    if found := _choose(game.board, squares, free):
        return found
    own, other, turn, _ = state
    return _find_anywhere(game.board, _Marks(game.board, own, other, turn), line, free)


def _find_line(game: TicTacToe, state: State, line: str, free: Sequence[Square]) -> list[Square]:
    """Find the squares that complete or block a line, if the sentence asks for that."""
    own, other, turn, over = state
    terms = set(line.split())
    places = _find_places(game.board, line)
    about = bool(places or WORDS["line"] & terms)
    completes = WORDS["completes"] & terms and (about or {"it", "square"} & terms)
    if WORDS["blocks"] & terms and (about or {"you", "your", "that", "it", "block"} & terms):
        state = (other, own, 1 - turn, over)
    elif not completes and not EXPRESSIONS["wins"].search(line):
        return []
    ending = [move for move in free if game.play(state, move)[3]]
    if "diagonal" in terms:
        through = places if len(places) == 1 else _corners(game.board)
        return [(c, r) for c, r in ending if any(abs(c - x) == abs(r - y) for x, y in through)]
    return [each for each in ending if each in places] if places else ending


def read_othello(game: Othello, state: State, words: Sequence[str]) -> str | Unclear:
    """Return the square that a sentence names, a corner if there is only one, or a pass."""
    line = _simplify(words)
    moves = game.moves(state)
    passes = EXPRESSIONS["passes"].search(line) or (
        PASS in moves and EXPRESSIONS["stuck"].search(line)
    )
    if passes and not find_square(game.board, words):
        return "pass"
    marks = _Marks(game.board, *state)
    return _find_anywhere(game.board, marks, line, [move for move in moves if move != PASS])
