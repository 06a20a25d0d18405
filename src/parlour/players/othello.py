"""The two historic Othello bots: Benedict's way to choose, and Despacito, for any board.

Both weigh the squares by a table and look a few plies ahead; they differ in what they add to the
table. Benedict counts against a board what it lets the opponent do; Despacito raises or lowers the
table's verdict by mobility, corners, borders and parity. The looking ahead is compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, ClassVar

from parlour.core import BadOption, Game, Move, ParlourError, Work, count, option, settle
from parlour.rules import COMPILED_SQUARES, PASS, Othello, OthelloState, Square

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

# What a disc is worth on each square to Benedict, row by row: corners cannot be taken back, edges
# hardly, and the squares beside a corner give it away.
TABLE: tuple[int, ...] = (
    50,  -3, 10, 5, 5, 10,  -3, 50,
    -3, -10,  0, 0, 0,  0, -10, -3,
    10,   0,  0, 0, 0,  0,   0, 10,
     5,   0,  0, 0, 0,  0,   0,  5,
     5,   0,  0, 0, 0,  0,   0,  5,
    10,   0,  0, 0, 0,  0,   0, 10,
    -3, -10,  0, 0, 0,  0, -10, -3,
    50,  -3, 10, 5, 5, 10,  -3, 50,
)  # fmt: skip

# What it costs him that the opponent may take a square. Beside a corner it is nothing, not a gain:
# the opponent need not go there while he has another choice.
MOBILITY_TABLE: tuple[int, ...] = (
    10, 0, 5, 3, 3, 5, 0, 10,
     0, 0, 1, 1, 1, 1, 0,  0,
     5, 1, 1, 1, 1, 1, 1,  5,
     3, 1, 1, 1, 1, 1, 1,  3,
     3, 1, 1, 1, 1, 1, 1,  3,
     5, 1, 1, 1, 1, 1, 1,  5,
     0, 0, 1, 1, 1, 1, 0,  0,
    10, 0, 5, 3, 3, 5, 0, 10,
)  # fmt: skip

# Despacito's table for 9 columns and 7 rows, its home board, as its authors wrote it: it is not
# symmetrical, because the first four discs do not lie in the middle there.
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

ENDLESS = 2**40  # beyond every value


# Benedict


def benedict_move(
    game: Othello,
    state: OthelloState,
    table: tuple[int, ...] = TABLE,
    mobility_table: tuple[int, ...] = MOBILITY_TABLE,
    plies: int = 3,
) -> Square:
    """The move of Benedict: max-min-max, and of equally good moves the last, row by row."""
    from parlour.kernels.othello import historic as kernels

    if plies < 1:
        raise ParlourError(f"Benedict cannot look {plies} plies ahead; say 1 or more")
    own, other, _ = state
    tables = _benedict_tables(game, table, mobility_table)
    square = kernels.benedict_best(game.board.full, *game.geometry, own, other, plies, *tables)
    return PASS if square < 0 else (square % game.columns, square // game.columns)


def benedict_values(
    game: Othello,
    state: OthelloState,
    table: tuple[int, ...] = TABLE,
    mobility_table: tuple[int, ...] = MOBILITY_TABLE,
    plies: int = 3,
) -> dict[Square, int]:
    """What Benedict, to move, expects of each of his moves."""
    seat = game.turn(state)
    return {
        move: benedict_value(
            game, game.play(state, move), seat, table, mobility_table, plies=plies - 1
        )
        for move in game.moves(state)
    }


def benedict_value(
    game: Othello,
    state: OthelloState,
    seat: int,
    table: tuple[int, ...] = TABLE,
    mobility_table: tuple[int, ...] = MOBILITY_TABLE,
    plies: int = 0,
) -> int:
    """What a board is worth to Benedict in this seat, as it stands or so many plies ahead."""
    from parlour.kernels.othello import historic as kernels

    own, other, turn = state
    tables = _benedict_tables(game, table, mobility_table)
    his = turn == seat
    value: int = kernels.benedict_search(
        game.board.full, *game.geometry, own, other, his, plies, -ENDLESS, ENDLESS, *tables
    )
    return value if his else -value


def _benedict_tables(
    game: Othello, table: tuple[int, ...], mobility_table: tuple[int, ...]
) -> tuple[Numbers, Numbers]:
    squares = len(game.board.bits)
    if squares > COMPILED_SQUARES or not len(table) == len(mobility_table) == squares:
        raise ParlourError(
            f"Benedict's two tables have {len(table)} and {len(mobility_table)} values, and the "
            f"board has {squares} squares; he plays where all three agree, on at most "
            f"{COMPILED_SQUARES} squares"
        )
    return _byte_sums(table), _byte_sums(mobility_table)


@lru_cache(maxsize=256)
def _byte_sums(table: tuple[int, ...]) -> Numbers:
    """The table in the form the compiled search adds up quickly."""
    import numpy as np

    from parlour.kernels.othello import historic as kernels

    sums: Numbers = kernels.byte_sums(np.array(table, np.int64))
    return sums


# Despacito


@dataclass
class Despacito:
    """Despacito'thello: minimax over a table of squares, boosted by four ratios of the board."""

    name: ClassVar[str] = "despacito"
    tunes: ClassVar[tuple[str, ...]] = ("table", "weights", "late_weights")  # depth would decide

    level: int = option(5, "how many plies it looks ahead", low=1, high=12)
    table: tuple[int, ...] | None = option(
        None,
        "what a disc is worth on each square, row by row; none for its usual table",
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
                raise BadOption(name, given, "it must be four whole numbers")
        self._work = Work()

    def plays(self, game: Game) -> str:
        if not isinstance(game, Othello) or len(self._table(game)) != len(game.board.bits):
            return ""
        ahead = f"by rules of thumb, {count(self.level, 'move')} ahead"
        if (game.columns, game.rows) == HOME:
            return f"{ahead}, on its home board"
        return f"{ahead}, slowly" if len(game.board.bits) > COMPILED_SQUARES else ahead

    def choose(self, game: Game, state: OthelloState) -> Move:
        """The best move; of equals the one that leaves it freest, then the first by columns."""
        othello = self._mine(game)
        moves = sorted(othello.moves(state))
        if PASS in moves:
            return PASS  # before any search, which would look past it and find the other's move
        self._work = work = Work()
        best, choice = (-ENDLESS, 0.0), moves[0]
        for move in moves:
            after = othello.play(state, move)
            # A move that is worth as much as the best so far must come back with its exact value.
            merit = (self._expects(othello, after, best[0] - 1, work), freedom(othello, after))
            if work.stopped:
                break
            if merit > best:
                best, choice = merit, move
        return choice

    def stop(self) -> None:
        """Make the choice under way at once, among the moves looked at so far; from any thread."""
        self._work.stop()

    def values(
        self, game: Game, state: OthelloState, *, work: Work | None = None
    ) -> dict[Square, int]:
        """What it, to move, expects of each of its moves; of no meaning once stopped."""
        othello, work = self._mine(game), work or Work()
        moves = othello.moves(state)
        return {m: self._expects(othello, othello.play(state, m), -ENDLESS, work) for m in moves}

    def _expects(self, game: Othello, state: OthelloState, floor: int, work: Work) -> int:
        """What it expects after its move to this state; exact if above the floor."""
        import numpy as np

        from parlour.kernels.othello import historic as kernels

        other, own, _ = state
        rest, table = self.level - 1, self._table(game)
        weights = np.array(self.weights + self.late_weights, np.int64)
        cells = np.frombuffer(work.cells, np.int64)
        value: int
        if len(table) <= COMPILED_SQUARES:
            value = kernels.despacito_search(
                game.board.full, *game.geometry, other, own, False, rest, -ENDLESS, -floor,
                _byte_sums(table), weights, cells,
            )  # fmt: skip
        else:
            boards = np.full((self.level, game.rows + 2, game.columns + 2), kernels.BORDER, np.int8)
            boards[rest, 1:-1, 1:-1] = _cells(game, own) - _cells(game, other)
            framed = np.zeros(boards[rest].shape, np.int64)
            framed[1:-1, 1:-1] = np.reshape(table, (game.rows, game.columns))
            order = np.argsort(-framed.ravel(), kind="stable")
            value = kernels.large_search(
                boards.reshape(self.level, -1), game.columns + 2, -1, rest, -ENDLESS, -floor,
                order, framed.ravel(), weights, cells,
            )  # fmt: skip
        return -value

    def _table(self, game: Othello) -> tuple[int, ...]:
        return usual_table(game.columns, game.rows) if self.table is None else self.table

    def _mine(self, game: Game) -> Othello:
        """The game, if it is one that Despacito plays."""
        if not isinstance(game, Othello):
            raise ParlourError(f"despacito plays othello, not {game.name}")
        if len(self._table(game)) != len(game.board.bits):
            raise ParlourError(
                f"despacito's table has {len(self._table(game))} values and the board "
                f"{len(game.board.bits)} squares; give it a table that fits, or none"
            )
        return game


def freedom(game: Othello, state: OthelloState) -> float:
    """The mobility ratio of the seat that has just moved: how many more moves it has, from -1 to 1.

    Different ratios of such small numbers differ as floats, and equal ones do not.
    """
    other, own, turn = state
    own_moves, other_moves = (
        sum(move != PASS for move in game.moves(view))
        for view in ((own, other, 1 - turn), (other, own, turn))
    )
    total = own_moves + other_moves
    return (own_moves - other_moves) / total if total else 0.0


@cache
def usual_table(columns: int, rows: int) -> tuple[int, ...]:
    """Despacito's table for a board: the one it was given for 9x7, else one by the same idea.

    In, out, in: corners are worth most, the ring inside the edge is bad and worst beside a corner,
    and further in it hardly matters. Along an edge a square is worth 4 where a corner can no longer
    be lost by it, and less towards the middle, down to 2. For 8x8 that is the table of its authors.
    """
    if (columns, rows) == HOME:
        return HOME_TABLE
    return tuple(
        _worth(min(c, columns - 1 - c), min(r, rows - 1 - r), columns, rows)
        for r in range(rows)
        for c in range(columns)
    )


def _worth(across: int, down: int, columns: int, rows: int) -> int:
    """The worth of a square so far from the nearest side and from the nearest end."""
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
    """The discs of one side as 1 on a board of 0."""
    import numpy as np

    size = game.columns * game.rows
    raw = np.frombuffer(discs.to_bytes((size + 7) // 8, "little"), np.uint8)
    bits = np.unpackbits(raw, count=size, bitorder="little")
    return bits.reshape(game.rows, game.columns).astype(np.int8)
