"""Othello on any board from 4x4 to 16x16: enclose a run of opposing discs and they are yours.

A state is `(own, other, turn)`: the discs of the seat to move and of the other as bits, and the
turn. A move is a square `(column, row)`, or `PASS`, which is legal exactly when it is forced. X is
the first seat, called black elsewhere. Boards of up to 64 squares are played by compiled code,
which is loaded with the first call of `moves`; larger ones by Python integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, TypeAlias

from parlour.core import BadText, Extras, IllegalMove, all_of, join, option, protocol, quote, say
from parlour.rules.board import Board, BoardGame, Square, by_seat, find_sentences

OthelloState: TypeAlias = tuple[int, int, int]  # (own, other, turn)

SENTENCES = find_sentences("othello")
PASS: Square = (-1, -1)
COMPILED_SQUARES = 64

# The first seat stands on one diagonal of the middle four squares, the second on the other.
OPENINGS = {
    "standard": {"columns": 8, "rows": 8},
    "benedict": {"columns": 8, "rows": 8},
    "despacito": {"columns": 9, "rows": 7},
}


@dataclass(frozen=True)
class Othello(BoardGame):
    """Othello, also called Reversi, on a board of any shape."""

    name: ClassVar[str] = "othello"
    sides: ClassVar[tuple[str, ...]] = (say("black"), say("white"))
    extras: ClassVar[Extras] = Extras(
        method="parlour.truth.graph:OthelloMethod",
        numbering="parlour.truth.disk.numbering:Discs",
        explainer="parlour.truth.explain.othello:OthelloExplainer",
        unusual_choices={
            "columns": (4, 5, 6, 7),
            "rows": (4, 5, 6, 7),
            "opening": ("standard", "benedict"),
        },
        playouts="parlour.players.random_move:play_othello",
        benedict="parlour.players.benedict:OTHELLO",
        skin="parlour.players.skins:OthelloSkin",
        evaluator="parlour.arena.accuracy:OTHELLO",
        batch="parlour.rl.batches:OthelloBatch",
        board="parlour.boards.othello",
        reader="parlour.host.understand.squares:read_othello",
        reader_words="squares",
        facts="parlour.host.table.knowledge:describe_discs",
        facts_now="parlour.host.table.knowledge:describe_discs_now",
        asks_for="begins",
        place=5,
        about=say("Surround your opponent’s discs to flip them."),
        quick_bot="benedict",
        easier_bot="engine level=1",
        solved_options={"columns": 4, "rows": 4},
    )

    columns: int = option(about=say("the columns of the board"), low=4, high=16)
    rows: int = option(about=say("the rows of the board"), low=4, high=16)
    opening: str = option(
        "standard", say("how the first four discs lie, and on which board"), presets=OPENINGS
    )
    misere: bool = option(False, say("whoever has fewer discs at the end wins"))

    @cached_property
    def is_compiled(self) -> bool:
        """Whether compiled code plays on this board; it has a bit for each of 64 squares."""
        return len(self.board.bits) <= COMPILED_SQUARES

    @cached_property
    def geometry(self) -> tuple[int, int, int]:
        """The board as the compiled code sees it: width, inner columns, steps to cross it."""
        inner = sum(
            bit for (column, _), bit in self.board.bits.items() if 0 < column < self.columns - 1
        )
        return (self.columns, inner, (max(self.columns, self.rows) - 3) // 2)

    @cached_property
    def legal(self) -> Callable[[int, int], int]:
        """The squares that the owner of the first discs may take."""
        if not self.is_compiled:
            return partial(moves_anysize, self.board)
        from parlour.kernels.othello import board as kernels

        if self.columns == self.rows == 8:
            moves: Callable[[int, int], int] = kernels.moves_8x8
            return moves
        return partial(kernels.moves, self.board.full, *self.geometry)

    @cached_property
    def flips(self) -> Callable[[int, int, int], int]:
        """The discs that a move turns; none when it is illegal."""
        if not self.is_compiled:
            return partial(flips_anysize, self.board)
        from parlour.kernels.othello import board as kernels

        if self.columns == self.rows == 8:
            flips: Callable[[int, int, int], int] = kernels.flips_8x8
            return flips
        return partial(kernels.flips, *self.geometry)

    def count_lines(self, state: OthelloState, depth: int, stop: int) -> int:
        """Count the lines of play by compiled code, until the flag at the address `stop` is set."""
        from parlour.kernels import othello

        kernels: Any = othello
        table = 0 if self.columns == self.rows == 8 else self._table.ctypes.data
        lines: int = kernels.perft(state[0], state[1], depth, table, stop)
        return lines

    @cached_property
    def _table(self) -> Any:
        from parlour.kernels import othello

        kernels: Any = othello
        return kernels.board_table(self.columns, self.rows)

    # The verbs

    def start(self) -> OthelloState:
        left, top = self.columns // 2 - 1, (self.rows - 1) // 2
        bits = self.board.bits
        falling = bits[left, top] | bits[left + 1, top + 1]
        rising = bits[left + 1, top] | bits[left, top + 1]
        return (falling, rising, 0) if self.opening == "benedict" else (rising, falling, 0)

    def moves(self, state: OthelloState) -> Sequence[Square]:
        """Squares row by row; only a pass when there is none but the game goes on."""
        own, other, _ = state
        if legal := self.legal(own, other):
            return self.board.squares(legal)
        return (PASS,) if self.legal(other, own) else ()

    def play(self, state: OthelloState, move: Square) -> OthelloState:
        own, other, turn = state
        try:
            bit = self.board.bits.get(move, 0)
        except TypeError:
            bit = 0
        turned = self.flips(own, other, bit)
        if turned:
            return (other ^ turned, own | turned | bit, 1 - turn)
        if move != PASS or self.legal(own, other) or not self.legal(other, own):
            raise IllegalMove(self._why_not(state, move))
        return (other, own, 1 - turn)

    def result(self, state: OthelloState) -> tuple[int, ...] | None:
        own, other, turn = state
        if self.legal(own, other) or self.legal(other, own):
            return None
        ahead = own.bit_count() - other.bit_count()
        sign = (ahead > 0) - (ahead < 0)
        return (sign, -sign) if (turn == 0) != self.misere else (-sign, sign)

    def score(self, state: OthelloState) -> int:
        """By how many discs the first seat leads; at the end whoever has more has the empties.

        In misère play it leads with fewer discs.
        """
        own, other, turn = state
        ahead = own.bit_count() - other.bit_count()
        if ahead and self.result(state) is not None:
            empties = len(self.board.bits) - (own | other).bit_count()
            ahead += empties if ahead > 0 else -empties
        return ahead if (turn == 0) != self.misere else -ahead

    def all_moves(self) -> Sequence[Square]:
        """The squares row by row, then the pass."""
        return (*self.board.bits, PASS)

    def max_plies(self) -> int:
        """Two for every empty square, as each pass is followed by a disc."""
        return 2 * (len(self.board.bits) - 4)

    def tier(self, state: OthelloState) -> int:
        """Twice the discs, and 1 more unless the mover has to pass, which changes no disc."""
        own, other, _ = state
        must_pass = not self.legal(own, other) and self.legal(other, own)
        return 2 * (own | other).bit_count() + (not must_pass)

    # Notation

    def describe_move(self, state: OthelloState, move: Square) -> str:
        """The move as it is written, to be translated."""
        return say("pass") if move == PASS else self.write_move(move)

    def write_move(self, move: Square) -> str:
        return "pass" if move == PASS else self.board.write_square(move)

    def read_move(self, state: OthelloState, text: str) -> Square:
        """`d3`, or `pass`"""
        passes = "".join(text.casefold().split()) in ("pass", "pa")
        move = PASS if passes else self.board.read_square(text)
        self.play(state, move)
        return move

    def _why_not(self, state: OthelloState, move: Square) -> str:
        possible = self.moves(state)
        if not possible:
            return say("the game is over")
        if possible[0] == PASS:
            return say("there is no square to take; the move is pass")
        if move == PASS:
            reason = say("you may pass only when there is no square to take")
        elif not isinstance(move, tuple) or move not in self.board.bits:
            reason = say("{move} is not a square of this board", move=quote(move))
        elif (state[0] | state[1]) & self.board.bits[move]:
            reason = say("the square {square} is taken", square=self.write_move(move))
        else:
            reason = say("the square {square} would turn no disc", square=self.write_move(move))
        return join("; ", (reason, protocol.list_moves(self, state)))

    def read(self, text: str) -> OthelloState:
        first, second, turn = self.board.read(text)
        if not first | second:
            raise BadText("{text} has no disc on it", text=quote(text))
        return (*by_seat(first, second, turn), turn)

    def draw(self, state: tuple[int, ...]) -> str:
        """The board with `*` on every square that may be taken."""
        return protocol.draw_rows(self.grid(state, self.legal(state[0], state[1])))

    def squares(self, move: Square) -> tuple[Square, ...]:
        return () if move == PASS else (move,)

    # In words

    def title(self, full: bool = False) -> str:
        size = full or self.opening == "despacito" or (self.columns, self.rows) != (8, 8)
        name = SENTENCES("name", misere=self.misere)
        if size:
            name = SENTENCES("on", name=name, columns=self.columns, rows=self.rows)
        if self.opening == "standard":
            return name
        benedict = self.opening == "benedict"
        return SENTENCES("opening", benedict=benedict, name=name, opening=self.opening)

    def rules_text(self, general: bool = False) -> tuple[str, ...]:
        own, other, _ = self.start()
        first, second = (
            all_of(map(self.board.write_square, self.board.squares(discs)))
            for discs in (own, other)
        )
        black, white = protocol.mark_name(self, 0), protocol.mark_name(self, 1)
        return (
            self.describe_board(general),
            SENTENCES("start", black=black, white=white, first=first, second=second),
            *map(SENTENCES, ("moves", "flips", "passes", "ends")),
            SENTENCES("wins", misere=self.misere, general=general),
        )


# Moves and flips on Python integers, line by line: for boards of more than 64 squares, and as
# the oracle for the compiled code.


def _directions(board: Board) -> Iterator[tuple[int, int]]:
    """For each of the 8 directions: how far a step moves a bit, and the bits that may take it."""
    width = board.columns
    rows = range(board.rows)
    not_last = sum((1 << width - 1) - 1 << width * row for row in rows)
    not_first = not_last << 1
    yield from ((width, board.full), (-width, board.full))
    for across, may in ((1, not_last), (-1, not_first)):
        yield from ((across, may), (across + width, may), (across - width, may))


def _step(mask: int, shift: int) -> int:
    """Shift a mask left, or right by a negative shift."""
    return mask << shift if shift > 0 else mask >> -shift


def moves_anysize(board: Board, own: int, other: int) -> int:
    """The squares the mover may take."""
    found = 0
    for shift, may in _directions(board):
        run = _step(own & may, shift) & other
        while run:
            run = _step(run & may, shift)
            found |= run & board.full & ~(own | other)
            run &= other
    return found


def flips_anysize(board: Board, own: int, other: int, move: int) -> int:
    """The discs that turn when the mover takes the square `move`; none when it is illegal."""
    turned = 0
    move &= ~(own | other)
    for shift, may in _directions(board):
        run = 0
        at = _step(move & may, shift)
        while at & other:
            run |= at
            at = _step(at & may, shift)
        if at & own:
            turned |= run
    return turned
