"""The historic Othello bot Despacito, for any board, and what it shares with Benedict.

It evaluates a board by a table of squares, scales the sum by mobility, corners, borders and parity,
and searches a few plies in compiled code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, ClassVar

from parlour import kernels
from parlour.core import BadOption, Bot, Game, Move, ParlourError, Work, count, option, say, settle
from parlour.engine import board_table
from parlour.rules import COMPILED_SQUARES, PASS, Othello, OthelloState, Square

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Despacito's table for 9 columns and 7 rows, its home board, as its authors wrote it: it is not
# symmetrical, because the first four discs are not in the middle there.
HOME = (9, 7)
HOME_TABLE: tuple[int, ...] = (
    20, -4,  4,  3,  2,  3,  4, -4, 20,
    -4, -5, -1, -1, -1, -1, -1, -5, -4,
     4, -1,  1,  0,  0,  1,  2, -1,  4,
     2, -1,  0,  1,  1, -1,  2, -1,  2,
     4, -1,  0,  1,  1, -1,  2, -1,  4,
    -4, -5, -1, -1, -1, -1, -1, -5, -4,
    20, -4,  4,  3,  2,  3,  4, -4, 20,
)  # fmt: skip

INFINITY = 2**40  # beyond every value


def require_othello(bot: Bot, game: Game) -> Othello:
    """Return the game if it is Othello, the one game that the bot plays; else refuse it."""
    if not isinstance(game, Othello):
        name, games = game.name, (Othello.name,)
        raise ParlourError(
            "{bot} plays {games:and}, not {name}", bot=bot.name, games=games, name=name
        )
    if game.misere:
        raise ParlourError(
            "{bot} plays for most discs, and here the fewest win; ask minimax, or perfect on a "
            "small board",
            bot=bot.name,
        )
    return game


def check_table(bot: Bot, game: Othello, table: tuple[int, ...]) -> None:
    """Refuse a table that has not a value for each square of the board."""
    values, squares = len(table), len(game.board.bits)
    if values != squares:
        raise ParlourError(
            "{bot}'s table has {values} values, and the board has {squares} squares; give it a "
            "table that fits",
            bot=bot.name,
            values=values,
            squares=squares,
        )


@lru_cache(maxsize=256)
def byte_sums(table: tuple[int, ...]) -> NDArray[np.int64]:
    """Return a table of squares in the form that the compiled searches sum quickly."""
    import numpy as np

    sums: NDArray[np.int64] = kernels.othello.historic.byte_sums(np.array(table, np.int64))
    return sums


# Despacito


@dataclass
class Despacito:
    """Despacito'thello: minimax over a table of squares, scaled by four ratios of the board."""

    name: ClassVar[str] = "despacito"
    tunes: ClassVar[tuple[str, ...]] = ("table", "weights", "late_weights")  # not the depth

    level: int = option(5, "how many plies it looks ahead", low=1, high=12)
    table: tuple[int, ...] | None = option(
        None,
        "the value of a disc on each square, row by row, in place of its own table",
        low=-1000,
        high=1000,
        longest=256,
    )
    weights: tuple[int, ...] = option(
        (100, 100, 20, 1),
        "how much mobility, corners, borders and parity count in most of the game",
        low=0,
        high=1000,
        longest=4,
    )
    late_weights: tuple[int, ...] = option(
        (10, 0, 0, 100), "the same when few squares are empty", low=0, high=1000, longest=4
    )

    def __post_init__(self) -> None:
        settle(self)
        for name in ("weights", "late_weights"):
            given = getattr(self, name)
            if len(given) != 4:
                raise BadOption(name, given, say("it must be four whole numbers"))
        self._work = Work()

    def plays(self, game: Game) -> str:
        if not isinstance(game, Othello) or game.misere:
            return ""
        if len(self._table(game)) != len(game.board.bits):
            return ""
        moves = count(self.level, "move")
        if (game.columns, game.rows) == HOME:
            return say("by rules of thumb, {moves} ahead, on its home board", moves=moves)
        if len(game.board.bits) > COMPILED_SQUARES:
            return say("by rules of thumb, {moves} ahead, slowly", moves=moves)
        return say("by rules of thumb, {moves} ahead", moves=moves)

    def choose(self, game: Game, state: OthelloState) -> Move:
        """Return the best move; of equals the one with most mobility, then the first by columns."""
        othello = self._check(game)
        moves = sorted(othello.moves(state))
        if PASS in moves:
            return PASS  # a search would look past it and find the opponent's move
        self._work = work = Work()
        best, choice = (-INFINITY, 0.0), moves[0]
        for move in moves:
            after = othello.play(state, move)
            # The window includes the best value so far, so that ties come back exact.
            value = self._search(othello, after, best[0] - 1, work)
            key = (value, mobility_ratio(othello, after))
            if work.stopped:
                break
            if key > best:
                best, choice = key, move
        return choice

    def stop(self) -> None:
        """Make the choice under way at once, among the moves searched so far; from any thread."""
        self._work.stop()

    def values(
        self, game: Game, state: OthelloState, *, work: Work | None = None
    ) -> dict[Square, int]:
        """Return the value of each of its moves; meaningless once stopped."""
        othello, work = self._check(game), work or Work()
        moves = othello.moves(state)
        return {m: self._search(othello, othello.play(state, m), -INFINITY, work) for m in moves}

    def _search(self, game: Othello, state: OthelloState, alpha: int, work: Work) -> int:
        """Return the value of the state after its move; exact if above alpha."""
        import numpy as np

        other, own, _ = state
        rest, table = self.level - 1, self._table(game)
        weights = np.array(self.weights + self.late_weights, np.int64)
        cells = np.frombuffer(work.cells, np.int64)
        value: int
        if len(table) <= COMPILED_SQUARES:
            value = kernels.othello.historic.despacito_search(
                other, own, False, rest, -INFINITY, -alpha,
                byte_sums(table), weights, cells, board_table(game.columns, game.rows).ctypes.data,
            )  # fmt: skip
        else:
            boards = np.full(
                (self.level, game.rows + 2, game.columns + 2),
                kernels.othello.historic.BORDER,
                np.int8,
            )
            boards[rest, 1:-1, 1:-1] = _cells(game, own) - _cells(game, other)
            framed = np.zeros(boards[rest].shape, np.int64)
            framed[1:-1, 1:-1] = np.reshape(table, (game.rows, game.columns))
            order = np.argsort(-framed.ravel(), kind="stable")
            value = kernels.othello.historic.large_search(
                boards.reshape(self.level, -1), game.columns + 2, -1, rest, -INFINITY, -alpha,
                order, framed.ravel(), weights, cells,
            )  # fmt: skip
        return -value

    def _table(self, game: Othello) -> tuple[int, ...]:
        return default_table(game.columns, game.rows) if self.table is None else self.table

    def _check(self, game: Game) -> Othello:
        """Return the game, if it is one that Despacito plays."""
        othello = require_othello(self, game)
        check_table(self, othello, self._table(othello))
        return othello


def mobility_ratio(game: Othello, state: OthelloState) -> float:
    """Return the lead in mobility of the seat that has just moved, from -1 to 1.

    Different ratios of such small numbers differ as floats, and equal ones do not.
    """
    other, own, turn = state
    own_moves, other_moves = (
        sum(move != PASS for move in game.moves(side))
        for side in ((own, other, 1 - turn), (other, own, turn))
    )
    total = own_moves + other_moves
    return (own_moves - other_moves) / total if total else 0.0


@cache
def default_table(columns: int, rows: int) -> tuple[int, ...]:
    """Return Despacito's table for a board: its authors' for 9x7, else one by the same idea.

    Corners are worth most, the ring inside the edge is bad and worst beside a corner, and further
    in it hardly matters. Along an edge a square is worth 4 where a corner can no longer be lost by
    it, and less towards the middle, down to 2. For 8x8 this is the table of its authors.
    """
    if (columns, rows) == HOME:
        return HOME_TABLE
    return tuple(
        _square_value(min(c, columns - 1 - c), min(r, rows - 1 - r), columns, rows)
        for r in range(rows)
        for c in range(columns)
    )


def _square_value(across: int, down: int, columns: int, rows: int) -> int:
    """Return the value of a square at these distances from the nearest side and end."""
    ring, along = sorted((across, down))
    if ring == 0:
        if along < 2:
            return (20, -4)[along]
        middle = ((columns if down == 0 else rows) - 1) // 2
        return 4 - 2 * (along - 2) // max(middle - 2, 1)
    if ring == 1:
        return -5 if along == 1 else -1
    return 1 - (ring + along) % 2


def _cells(game: Othello, discs: int) -> NDArray[np.int8]:
    """Return the discs of one side as 1 on a board of 0."""
    import numpy as np

    size = game.columns * game.rows
    raw = np.frombuffer(discs.to_bytes((size + 7) // 8, "little"), np.uint8)
    bits = np.unpackbits(raw, count=size, bitorder="little")
    return bits.reshape(game.rows, game.columns).astype(np.int8)
