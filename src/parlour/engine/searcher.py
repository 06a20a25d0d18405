"""The compiled searches as seen from Python: one search of one Othello position at a time.

A `Searcher` owns the memory that the searches of one board use. It searches a position to a depth,
or to the end of the game, at a selectivity that says how far ProbCut is trusted; at the selectivity
`EXACT` it is not, and then a value found at the end is proven.

Helper threads run ahead of an exact search to the end. The search itself proceeds as if alone;
meanwhile the helpers answer null-window questions it is likely to reach: along the expected line,
whether each other move is refuted. They share the transposition table. What they store is proven,
so it can make the search faster but cannot change its value, whichever thread comes first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from threading import Thread
from typing import Any, TypeAlias, TypeGuard

from parlour.core import Game, ParlourError, Unsolved, Work
from parlour.rules import COMPILED_SQUARES, Othello

Query: TypeAlias = tuple[int, int, int]  # own, other, alpha: is the mover's lead above alpha?

EXACT = 3
CERTAINTY = {1: 73, 2: 95, EXACT: 100}  # percent of errors within the margin of ProbCut
NO_MOVE = 64
FULL_WINDOW = (-65, 65)
ASPIRATION = 3  # discs on either side of the expected value
HELPED_MOVES = 8  # moves of the expected line whose alternatives the helpers search
HELPED_EMPTIES = 16  # with fewer empty squares a query is answered too fast to be worth it


def is_ready(game: Othello) -> bool:
    """Return whether the search of a board can begin without being compiled first."""
    return all(kernel.is_kept for kernel in _kernels_of(game))


def prepare(game: Othello) -> None:
    """Load the search of a board, or compile it, before any clock runs."""
    for kernel in _kernels_of(game):
        kernel.prepare()


def _kernels_of(game: Othello) -> list[Any]:
    from parlour.kernels import othello

    search: Any = othello.search
    root = search.search_root_8x8 if game.columns == game.rows == 8 else search.search_root_on
    return [root, search.hash_move]


@dataclass(frozen=True)
class SearchResult:
    """The mover's lead in discs and the best square, or the best so far if it was stopped."""

    value: int
    square: int | None
    complete: bool = True


def can_search(game: Game) -> TypeGuard[Othello]:
    """Return whether the engine can search a game: Othello on at most 64 squares."""
    return isinstance(game, Othello) and game.is_compiled


@cache
def board_table(columns: int, rows: int) -> Any:
    """Return the table by which the compiled searches know a board, made once."""
    from parlour.kernels import othello

    kernels: Any = othello
    return kernels.board_table(columns, rows)


class Searcher:
    """Searches positions of one board of at most 64 squares, given as mover's and opponent's discs.

    On 8x8 helper threads may work on what is proven, since there the result cannot depend on their
    speed.
    """

    def __init__(self, game: Othello, megabytes: int, threads: int = 1) -> None:
        from parlour.kernels import othello

        if not game.is_compiled:
            raise ParlourError(
                f"the engine plays on at most {COMPILED_SQUARES} squares, "
                f"and this board has {len(game.board.bits)}"
            )
        kernels: Any = othello
        standard = (game.columns, game.rows) == (8, 8)
        self.selectivities = (1, 2, EXACT) if standard else (EXACT,)  # of a search to the end
        self.selective_empties = 18 if standard else 99  # with fewer only `EXACT` is worth trying
        self.threads = threads if standard else 1
        self._full = game.board.full
        self._legal = game.legal
        self._flips = game.flips
        self._kernels = kernels.search
        prepare(game)
        self._board = 0 if standard else board_table(game.columns, game.rows).ctypes.data
        try:
            self.memory = kernels.Memory(megabytes, kernels.weights() if standard else None)
            self._helpers = Helpers(self, megabytes) if self.threads > 1 else None
        except MemoryError:
            raise ParlourError(
                f"there is no room for {megabytes} megabytes of hash; give the engine less"
            ) from None
        self.begin(Work())

    def begin(self, work: Work) -> None:
        """Start counting nodes from 0, and let this work stop the searches from now on."""
        import numpy as np

        self._work = work
        self._cells = np.frombuffer(work.cells, np.int64)
        self.memory.begin(self._cells)
        if self._helpers:
            self._helpers.begin()

    def forget(self) -> None:
        """Empty the transposition table."""
        self.memory.forget()

    @property
    def nodes(self) -> int:
        """The number of positions searched since `begin`."""
        nodes: int = self.memory.nodes
        return nodes + (self._helpers.nodes if self._helpers else 0)

    def empties(self, own: int, other: int) -> int:
        """Return the number of empty squares."""
        return (self._full & ~(own | other)).bit_count()

    def final_score(self, own: int, other: int) -> int:
        """Return the mover's lead when the game is over; the winner gets the empty squares."""
        lead = own.bit_count() - other.bit_count()
        empties = self.empties(own, other)
        return lead + (empties if lead > 0 else -empties if lead < 0 else 0)

    def search(
        self,
        own: int,
        other: int,
        depth: int,
        selectivity: int = EXACT,
        guess: int | None = None,
        first: int | None = None,
    ) -> SearchResult:
        """Search to a depth in plies, passes not counted.

        A `guess` of the value that is nearly right makes it faster, and so does a good move to
        search `first`; neither changes a proven value.
        """
        if not self._legal(own, other):
            if not self._legal(other, own):
                return SearchResult(self.final_score(own, other), None)
            reply = self.search(other, own, depth, selectivity, None if guess is None else -guess)
            return SearchResult(-reply.value, None, reply.complete)
        depth = min(depth, self.empties(own, other))
        if depth == 0:
            return SearchResult(self._search_root(own, other, *FULL_WINDOW, 0)[0], None)
        exact = selectivity == EXACT and depth == self.empties(own, other)
        if self._helpers and exact and guess is not None:
            with self._helpers.run_ahead(own, other, guess):
                return self._search(own, other, depth, selectivity, guess, first)
        return self._search(own, other, depth, selectivity, guess, first)

    def _search(
        self,
        own: int,
        other: int,
        depth: int,
        selectivity: int,
        guess: int | None,
        first: int | None,
    ) -> SearchResult:
        """Search with one window after another, until one holds the value."""
        windows = _aspiration_windows(guess)
        alpha, beta = next(windows)
        while True:
            value, square = self._search_root(own, other, alpha, beta, depth, selectivity, first)
            if self._work.stopped:
                return SearchResult(value, square if value > alpha else first, complete=False)
            if alpha < value < beta:
                return SearchResult(value, square)
            if value >= beta:
                first = square
            alpha, beta = windows.send(value)

    def _search_root(
        self,
        own: int,
        other: int,
        alpha: int,
        beta: int,
        depth: int,
        selectivity: int = EXACT,
        first: int | None = None,
    ) -> tuple[int, int]:
        """Search with one window; return the value and the best square so far."""
        from parlour.kernels.othello import BEST_MOVE

        block = self.memory.block
        block[BEST_MOVE] = NO_MOVE if first is None else first
        value = self._kernels.search_root(
            own, other, alpha, beta, depth, selectivity, self._board, self.memory.address
        )
        return value, int(block[BEST_MOVE])

    def solve(self, own: int, other: int, work: Work | None = None) -> SearchResult:
        """Return the proven value and a best square; raise `Unsolved` when stopped."""
        self.begin(work or Work())
        empties = self.empties(own, other)
        selective = empties >= self.selective_empties
        if selective:
            self.forget()  # earlier searches must not choose among equally good moves
        result = self.search(own, other, min(empties, 2))  # too shallow to probe the table
        for selectivity in self.selectivities if selective else (EXACT,):
            result = self.search(own, other, empties, selectivity, result.value, result.square)
        if not result.complete:
            raise Unsolved("stopped before the position was solved")
        return result

    def outcome(self, own: int, other: int, work: Work | None = None) -> int:
        """Prove whether the mover wins (1), draws (0) or loses (-1), faster than by how much."""
        self.begin(work or Work())
        if not self._legal(own, other):
            over = not self._legal(other, own)
            lead = self.final_score(own, other) if over else -self.outcome(other, own, work)
        else:
            lead, _ = self._search_root(own, other, -1, 1, self.empties(own, other))
        if self._work.stopped:
            raise Unsolved("stopped before the position was solved")
        return (lead > 0) - (lead < 0)

    def hash_move(self, own: int, other: int) -> int | None:
        """Return the best square according to the transposition table, if it knows one."""
        empties = self.empties(own, other)
        square: int = self._kernels.hash_move(own, other, empties, self.memory.address)
        return None if square == NO_MOVE else square

    def answer(self, own: int, other: int, alpha: int, memory: Any) -> None:
        """Find out whether the mover's lead is above alpha, and store that in the table."""
        if self._legal(own, other) or self._legal(other, own):
            depth = self.empties(own, other)
            self._kernels.search_null_window(own, other, alpha, depth, EXACT, memory.address)

    def children(self, own: int, other: int) -> Iterator[tuple[int, int, int]]:
        """Yield every legal square, with the mover's and the opponent's discs after it."""
        moves = self._legal(own, other)
        while moves:
            bit = moves & -moves
            moves ^= bit
            flipped = self._flips(own, other, bit)
            yield bit.bit_length() - 1, own | flipped | bit, other ^ flipped


def _aspiration_windows(guess: int | None) -> Generator[tuple[int, int], int, None]:
    """Yield a window about the guess, one moved to where the value fell, and the full window.

    ProbCut may be inconsistent, so that no narrow window ever holds the value.
    """
    if guess is not None:
        alpha, beta = max(guess - ASPIRATION, -65), min(guess + ASPIRATION, 65)
        value = yield alpha, beta
        if value <= alpha:
            yield max(value - 2 * ASPIRATION, -65), alpha + 1
        else:
            yield beta - 1, min(value + 2 * ASPIRATION, 65)
    yield FULL_WINDOW


class Helpers:
    """Threads besides the one that searches, each with a block of memory of its own."""

    def __init__(self, searcher: Searcher, megabytes: int) -> None:
        main = searcher.memory
        self._searcher = searcher
        self._memories = [
            type(main)(megabytes, main.weights, shared=main) for _ in range(searcher.threads - 1)
        ]

    def begin(self) -> None:
        """Start counting nodes from 0."""
        from parlour.kernels.othello import NODES

        for memory in self._memories:
            memory.block[NODES] = 0

    @property
    def nodes(self) -> int:
        """The number of positions searched since `begin`."""
        return sum(memory.nodes for memory in self._memories)

    @contextmanager
    def run_ahead(self, own: int, other: int, value: int) -> Iterator[None]:
        """Answer queries ahead of the search of a position with this expected value."""
        import numpy as np

        queries = deque(self._queries(own, other, value))
        work = Work()
        cells = np.frombuffer(work.cells, np.int64)

        def answer_all(memory: Any) -> None:
            while not work.stopped:
                try:
                    query = queries.popleft()
                except IndexError:  # all are taken
                    return
                self._searcher.answer(*query, memory)

        threads = []
        for memory in self._memories:
            memory.join(self._searcher.memory, cells)
            threads.append(Thread(target=answer_all, args=(memory,), name="parlour-search"))
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            work.stop()
            for thread in threads:
                thread.join()

    def _queries(self, own: int, other: int, value: int) -> Iterator[Query]:
        """Yield what the search will ask, if the line and the value are as expected."""
        searcher = self._searcher
        for _ in range(HELPED_MOVES):
            if searcher.empties(own, other) < HELPED_EMPTIES:
                return
            best = searcher.hash_move(own, other)
            if best is None:
                return
            for square, mine, yours in searcher.children(own, other):
                if square != best:
                    yield from self._refutations(yours, mine, -value - 1)
            own, other = next((y, m) for s, m, y in searcher.children(own, other) if s == best)
            value = -value

    def _refutations(self, own: int, other: int, alpha: int) -> Iterator[Query]:
        """Yield what shows a value to be above alpha: one move, against every reply."""
        searcher = self._searcher
        best = searcher.hash_move(own, other)
        for square, mine, yours in searcher.children(own, other):
            if square == best:
                yield from ((o, m, alpha) for _, m, o in searcher.children(yours, mine))
                return
        yield own, other, alpha
