"""Tic-tac-toe on any board: a line of a given length wins, or loses in misère play.

A state is `(own, other, turn, over)`: the squares of the seat to move and of the other as bits, the
turn, and 1 once a line stands. A move is a square `(column, row)`. X is the first seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeAlias

from parlour import core
from parlour.core import BadText, Extras, IllegalMove, join, option, quote, say
from parlour.rules.board import BoardGame, Memo, Square, by_seat, find_sentences

TicTacToeState: TypeAlias = tuple[int, int, int, int]  # (own, other, turn, over)

SENTENCES = find_sentences("tictactoe")
MAX_SIDE = 20


@dataclass(frozen=True)
class TicTacToe(BoardGame):
    """Noughts and crosses, with any board and any length of line."""

    name: ClassVar[str] = "tictactoe"
    extras: ClassVar[Extras] = Extras(
        method="parlour.truth.graph:TicTacToeMethod",
        numbering="parlour.truth.disk.numbering:Boards",
        explainer="parlour.truth.explain.tictactoe:TicTacToeExplainer",
        choices={"columns": (3, 4), "rows": (3, 4), "line": (3, 4), "misere": (False, True)},
        skin="parlour.players.skins:TicTacToeSkin",
        batch="parlour.rl.batches:TicTacToeBatch",
        board="parlour.boards.tictactoe",
        spoken_name="tic-tac-toe",
        reader="parlour.host.understand.squares:read_tictactoe",
        reader_words="squares",
        wish_reader="parlour.host.understand.wishes:read_line",
        facts="parlour.host.table.knowledge:describe_squares",
        place=4,
        about=say("Three in a row, or a draw."),
        quick_bot="perfect",
        easier_bot="perfect level=2",
        puzzle_variants=({}, {"misere": True}, {"columns": 4, "rows": 4, "line": 4}),
        solved_options={"columns": 3, "rows": 3, "line": 3},
    )

    columns: int = option(3, say("the columns of the board"), low=1, high=MAX_SIDE)
    rows: int = option(3, say("the rows of the board"), low=1, high=MAX_SIDE)
    line: int = option(3, say("the marks in a line that decide the game"), low=1, high=MAX_SIDE)
    misere: bool = option(False, say("whoever completes a line loses instead of winning"))

    def __post_init__(self) -> None:
        core.settle(self)
        columns, rows, most = self.columns, self.rows, max(self.columns, self.rows)
        if self.line > most:
            why = say(
                "no line on a board of {columns} columns and {rows} rows is longer than {most}",
                columns=columns,
                rows=rows,
                most=most,
            )
            raise core.BadOption("line", self.line, why, columns=columns, rows=rows, most=most)

    @cached_property
    def _through(self) -> dict[Square, tuple[int, list[int]]]:
        """For each square, its bit and the lines through it."""
        through: dict[Square, list[int]] = {square: [] for square in self.board.bits}
        for line in self.all_lines():
            mask = sum(self.board.bits[square] for square in line)
            for square in line:
                through[square].append(mask)
        return {square: (self.board.bits[square], lines) for square, lines in through.items()}

    @cached_property
    def _moves(self) -> Memo[TicTacToeState, tuple[Square, ...]]:
        squares, full = self.board.squares, self.board.full
        return Memo(lambda state: () if state[3] else squares(full & ~(state[0] | state[1])))

    def all_lines(self) -> Iterator[list[Square]]:
        """Yield the squares of every line that decides the game."""
        ways = ((1, 0), (0, 1), (1, 1), (1, -1)) if self.line > 1 else ((1, 0),)
        for column, row in self.board.bits:
            for right, down in ways:
                line = [(column + right * i, row + down * i) for i in range(self.line)]
                if line[-1] in self.board.bits:
                    yield line

    # The verbs

    def start(self) -> TicTacToeState:
        return (0, 0, 0, 0)

    def moves(self, state: TicTacToeState) -> Sequence[Square]:
        """The empty squares, row by row."""
        return self._moves[state]

    def play(self, state: TicTacToeState, move: Square) -> TicTacToeState:
        own, other, turn, over = state
        try:
            bit, lines = self._through[move]
        except (KeyError, TypeError):
            raise IllegalMove("{move} is not a square of this board", move=quote(move)) from None
        if over or (own | other) & bit:
            raise IllegalMove(self._why_not(state, move))
        own |= bit
        for line in lines:
            if own & line == line:
                return (other, own, 1 - turn, 1)
        return (other, own, 1 - turn, 0)

    def result(self, state: TicTacToeState) -> tuple[int, ...] | None:
        own, other, turn, over = state
        if over:  # the seat before this turn completed the line
            return (-1, 1) if (turn == 0) != self.misere else (1, -1)
        return (0, 0) if own | other == self.board.full else None

    def all_moves(self) -> Sequence[Square]:
        """The squares row by row."""
        return self.board.squares(self.board.full)

    def max_plies(self) -> int:
        return self.columns * self.rows

    def tier(self, state: TicTacToeState) -> int:
        """The marks on the board."""
        return (state[0] | state[1]).bit_count()

    # Notation

    def write_move(self, move: Square) -> str:
        return self.board.write_square(move)

    def read_move(self, state: TicTacToeState, text: str) -> Square:
        """`b2`"""
        move = self.board.read_square(text)
        self.play(state, move)
        return move

    def _why_not(self, state: TicTacToeState, move: Square) -> str:
        if self.result(state) is not None:
            return say("the game is over")
        reason = say("the square {square} is taken", square=self.write_move(move))
        return join("; ", (reason, core.protocol.list_moves(self, state)))

    def read(self, text: str) -> TicTacToeState:
        first, second, turn = self.board.read(text)
        if first.bit_count() - second.bit_count() != turn:
            raise BadText(
                "with {first} X and {second} O it cannot be {mark} to move; X begins, and they "
                "take turns",
                first=first.bit_count(),
                second=second.bit_count(),
                mark=self.marks[turn],
            )
        own, other = by_seat(first, second, turn)
        if self._has_line(own):
            raise BadText("{mark} has a line already and cannot be to move", mark=self.marks[turn])
        return (own, other, turn, int(self._has_line(other)))

    def _has_line(self, mask: int) -> bool:
        return any(mask & line == line for _, lines in self._through.values() for line in lines)

    def squares(self, move: Square) -> tuple[Square, ...]:
        return (move,)

    # In words

    def title(self, full: bool = False) -> str:
        name = SENTENCES("name", misere=self.misere)
        if full or (self.columns, self.rows) != (3, 3):
            name = SENTENCES("on", name=name, columns=self.columns, rows=self.rows)
        if self.columns == self.rows == self.line == 3:
            return name
        return SENTENCES("long", name=name, line=self.line)

    def rules_text(self, general: bool = False) -> tuple[str, ...]:
        across, down = self.columns >= self.line, self.rows >= self.line
        ways = {"across": across, "down": down, "diagonally": across and down}
        listed = [SENTENCES(way) for way, possible in ways.items() if possible]
        several = self.line > 1
        line = SENTENCES("line", several=several, line=self.line, ways=listed)
        return (
            self.describe_board(general),
            SENTENCES("turns"),
            SENTENCES("ends", misere=self.misere, line=line),
            *([SENTENCES("draw")] if several else []),
        )
