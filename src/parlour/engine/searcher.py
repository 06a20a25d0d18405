"""The compiled searches as seen from Python: one search of one Othello position at a time.

A `Searcher` owns the memory that the searches of one board use. It searches a position to a depth,
or to the end of the game, at a selectivity that says how far ProbCut is trusted; at the selectivity
`EXACT` it is not, and then a value found at the end is proven. To a depth at the selectivity
`CONFIRMING` it also follows lines in which a side has few moves beyond that depth.

Helper threads search the same position at the same time. They share the transposition table, and
each leaves the moves for later that another is searching already (see `kernels.othello.sharing`).
A proven value cannot depend on which of them comes first. An estimate can, because ProbCut trusts
whatever the table holds, and so can the choice among equally good moves.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

from parlour import core
from parlour import kernels as compiled
from parlour.core import Game, ParlourError, Work
from parlour.rules import COMPILED_SQUARES, Othello

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

kernels: Any = compiled  # whose functions have no types
EXACT = 3
CONFIRMING = 2  # the selectivity at which a search to a depth extends lines with few moves
FEW = 4  # moves of a side in such a line
CERTAINTY = {1: 73, 2: 95, EXACT: 100}  # percent of errors within the margin of ProbCut
NO_MOVE = 64
FULL_WINDOW = (-65, 65)
ASPIRATION = 3  # discs on either side of the expected value
HELPED_DEPTH = 12  # nearer the leaves a search ends before a thread has started
HELPED_EMPTIES = 16  # the same in a search to the end
MAX_THREADS = 256
THREAD_NAME = "parlour-search"


def is_ready(game: Othello) -> bool:
    """Return whether the search of a board can begin without being compiled first."""
    return all(kernel.is_kept for kernel in _kernels_of(game))


def prepare(game: Othello) -> None:
    """Load the search of a board, or compile it, before any clock runs."""
    for kernel in _kernels_of(game):
        kernel.prepare()


def _kernels_of(game: Othello) -> list[Any]:
    search = kernels.othello.search
    root = search.search_root_8x8 if game.columns == game.rows == 8 else search.search_root_on
    return [root, search.hash_move]


@dataclass(frozen=True)
class SearchResult:
    """The mover's lead in discs and the best square, or the best so far if it was stopped."""

    value: int
    square: int | None
    complete: bool = True


def can_search(game: Game) -> TypeGuard[Othello]:
    """Return whether the engine can search a game: usual Othello on at most 64 squares."""
    return isinstance(game, Othello) and game.is_compiled and not game.misere


@cache
def board_table(columns: int, rows: int) -> Any:
    """Return the table by which the compiled searches know a board, made once."""
    return kernels.othello.board_table(columns, rows)


class Searcher:
    """Searches positions of one board of at most 64 squares, given as both sides' discs."""

    solve_near_end = 22  # from this many plies before the end only the proof is searched for
    moves_near_end = 6  # the same where every move is searched, which takes longer
    certainty: ClassVar = CERTAINTY  # by selectivity, where nothing is proven

    def __init__(self, game: Othello, megabytes: int, threads: int = 1) -> None:
        if game.misere:
            raise ParlourError("the engine plays for most discs, and in misère Othello they lose")
        if not game.is_compiled:
            raise ParlourError(
                "the engine plays on at most {compiled_squares} squares, and this board has {bits}",
                compiled_squares=COMPILED_SQUARES,
                bits=len(game.board.bits),
            )
        core.check_argument("threads", threads, int, low=1, high=MAX_THREADS)
        standard = (game.columns, game.rows) == (8, 8)
        self.selectivities = (1, 2, EXACT) if standard else (EXACT,)  # of a search to the end
        self.selective_empties = 18 if standard else 99  # with fewer only `EXACT` is worth trying
        self.threads = threads
        self._full = game.board.full
        self._legal = game.legal
        prepare(game)
        self._board = 0 if standard else board_table(game.columns, game.rows).ctypes.data
        try:
            weights = kernels.othello.weights() if standard else None
            self.memory = kernels.othello.Memory(megabytes, weights)
            self._helpers = Helpers(self.memory, megabytes, threads - 1)
        except MemoryError:
            raise ParlourError(
                "there is no room for {megabytes} megabytes of hash; give the engine less",
                megabytes=megabytes,
            ) from None
        self.begin(Work())

    def begin(self, work: Work) -> None:
        """Start counting nodes from 0, and let this work stop the searches from now on."""
        import numpy as np

        self._work = work
        self._cells = np.frombuffer(work.cells, np.int64)
        self.memory.begin(self._cells)
        self._helpers.begin()

    @contextmanager
    def working(self, work: Work) -> Iterator[None]:
        """Do a series of searches that this work can stop; afterwards no helper thread is left."""
        self.begin(work)
        try:
            yield
        finally:
            self._helpers.end()

    def forget(self) -> None:
        """Empty the transposition table."""
        self.memory.forget()

    @property
    def nodes(self) -> int:
        """The number of positions searched since `begin`."""
        nodes: int = self.memory.nodes
        return nodes + self._helpers.nodes

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
            return SearchResult(self.search_window(own, other, *FULL_WINDOW, 0)[0], None)
        windows = _aspiration_windows(guess)
        alpha, beta = next(windows)
        while True:
            value, square = self.search_window(own, other, alpha, beta, depth, selectivity, first)
            if self._work.stopped:
                return SearchResult(value, square if value > alpha else first, complete=False)
            if alpha < value < beta:
                return SearchResult(value, square)
            if value >= beta:
                first = square
            alpha, beta = windows.send(value)

    def search_window(
        self,
        own: int,
        other: int,
        alpha: int,
        beta: int,
        depth: int,
        selectivity: int = EXACT,
        first: int | None = None,
    ) -> tuple[int, int | None]:
        """Search with one window; return the value and the best square so far."""
        block = self.memory.block
        block[kernels.othello.BEST_MOVE] = NO_MOVE if first is None else first
        ahead = depth < self.empties(own, other)
        block[kernels.othello.FEW_MOVES] = FEW if ahead and selectivity == CONFIRMING else 0
        call = partial(
            kernels.othello.search.search_root,
            *(own, other, alpha, beta, depth, selectivity, self._board),
        )
        least = HELPED_DEPTH if ahead else HELPED_EMPTIES
        helped = self.threads > 1 and depth >= least
        with self._helpers.search(call) if helped else nullcontext():
            value = call(self.memory.address)
        return value, int(block[kernels.othello.BEST_MOVE])

    def solve(self, own: int, other: int, work: Work | None = None) -> SearchResult:
        """Return the proven value and a best square; raise `Unsolved` when stopped."""
        empties = self.empties(own, other)
        selective = empties >= self.selective_empties
        if selective:
            self.forget()  # earlier searches must not choose among equally good moves
        with self.working(work or Work()):
            result = self.search(own, other, min(empties, 2))  # too shallow to probe the table
            for selectivity in self.selectivities if selective else (EXACT,):
                result = self.search(own, other, empties, selectivity, result.value, result.square)
        if not result.complete:
            self._work.raise_if_stopped()
        return result

    def outcome(self, own: int, other: int, work: Work | None = None) -> int:
        """Prove whether the mover wins (1), draws (0) or loses (-1), faster than by how much."""
        if not self._legal(own, other):
            if self._legal(other, own):
                return -self.outcome(other, own, work)
            lead = self.final_score(own, other)
        else:
            with self.working(work or Work()):
                lead, _ = self.search_window(own, other, -1, 1, self.empties(own, other))
            self._work.raise_if_stopped()
        return (lead > 0) - (lead < 0)

    def hash_move(self, own: int, other: int) -> int | None:
        """Return the best square according to the transposition table, if it knows one."""
        empties = self.empties(own, other)
        square: int = kernels.othello.search.hash_move(own, other, empties, self.memory.address)
        return None if square == NO_MOVE else square


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

    def __init__(self, main: Any, megabytes: int, number: int) -> None:
        self._main = main
        self._memories = [type(main)(megabytes, main.weights, shared=main) for _ in range(number)]
        self._executors: list[ThreadPoolExecutor] = []

    def begin(self) -> None:
        """Start counting nodes from 0."""
        for memory in self._memories:
            memory.block[kernels.othello.NODES] = 0

    @property
    def nodes(self) -> int:
        """The number of positions searched since `begin`."""
        return sum(memory.nodes for memory in self._memories)

    @contextmanager
    def search(self, call: Callable[[int], int]) -> Iterator[None]:
        """Take part in a search, called with the address of a block, until it is done.

        Nobody waits for a helper, neither to begin nor to stop: it may have no processor just now.
        """
        from concurrent.futures import ThreadPoolExecutor  # not for those who search alone

        if not self._executors:
            self._executors = [ThreadPoolExecutor(1, THREAD_NAME) for _ in self._memories]
        first = self._main.block[kernels.othello.BEST_MOVE]
        work = Work()
        try:
            for executor, memory in zip(self._executors, self._memories, strict=True):
                executor.submit(self._take_part, call, memory, first, work)
            yield
        finally:
            work.stop()

    def _take_part(self, call: Callable[[int], int], memory: Any, first: int, work: Work) -> None:
        """Search until the work is stopped."""
        import numpy as np

        cells = np.frombuffer(work.cells, np.int64)
        memory.join(self._main, cells)
        memory.block[kernels.othello.BEST_MOVE] = first
        if not work.stopped:
            call(memory.address)

    def end(self) -> None:
        """Wait until every thread has ended; the next search starts new ones."""
        for executor in self._executors:
            executor.shutdown()
        self._executors = []
