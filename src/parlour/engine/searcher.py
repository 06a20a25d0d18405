"""The compiled searches as seen from Python: one question about one Othello position at a time.

A `Seeker` owns the memory that the searches of one board work in. It is asked for the value of a
position so many plies ahead, or to the end of the game, at a level that says how far likely cuts
are trusted; at the level `SURE` not at all, and then a value found at the end is proven.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from threading import Thread
from typing import Any, TypeAlias

from parlour.core import ParlourError, Unsolved, Work
from parlour.rules import COMPILED_SQUARES, Othello

SURE = 3
CERTAINTY = {1: 73, 2: 95, SURE: 100}  # percent of usual errors that a trusted cut allows for
NO_SQUARE = 64
REACH = 3  # discs on either side of what is expected
Question: TypeAlias = tuple[int, int, int]  # own, other: is the mover's lead above so many discs?

LINE = 8  # moves of the expected line whose alternatives are looked at
LEAST_EMPTIES = 16  # below that a question is answered too fast to be worth it


@dataclass(frozen=True)
class Found:
    """The mover's lead in discs and his best square, or what was found before it was stopped."""

    value: int
    square: int | None
    complete: bool = True


class Seeker:
    """Searches positions of one board, given as the discs of the mover and of the other."""

    levels: tuple[int, ...] = (SURE,)  # at which a search to the end is worth trying, in this order
    likely_from = 99  # empty squares, with fewer only the last level is

    def __init__(self, game: Othello, megabytes: int, weights: Any = None) -> None:
        from parlour.kernels.othello import transposition as othello_hash

        self._full = game.board.full
        self._legal = game.legal
        memory: Any = othello_hash.Memory
        self.megabytes = megabytes
        try:
            self.memory = memory(megabytes, weights)
        except MemoryError:
            raise ParlourError(
                f"there is no room for {megabytes} megabytes of hash; give the engine less"
            ) from None
        self.begin(Work())

    def begin(self, work: Work) -> None:
        """Let this work stop what is searched from now on."""
        import numpy as np

        self._work = work
        self._cells = np.frombuffer(work.cells, np.int64)
        self.memory.begin(self._cells)

    def forget(self) -> None:
        """Recall nothing of what was found before."""
        self.memory.forget()

    @property
    def nodes(self) -> int:
        """How many positions were looked at since the beginning."""
        nodes: int = self.memory.nodes
        return nodes

    def empties(self, own: int, other: int) -> int:
        """How many squares are empty."""
        return (self._full & ~(own | other)).bit_count()

    def settled(self, own: int, other: int) -> int:
        """The mover's lead when the game is over; the winner has the empty squares."""
        ahead = own.bit_count() - other.bit_count()
        empties = self.empties(own, other)
        return ahead + (empties if ahead > 0 else -empties if ahead < 0 else 0)

    def search(
        self,
        own: int,
        other: int,
        depth: int,
        level: int = SURE,
        guess: int | None = None,
        first: int | None = None,
    ) -> Found:
        """The value so many plies ahead, passes not counted.

        A `guess` makes it faster when it is nearly right, and so does a good move to look at
        `first`; neither changes a proven value.
        """
        if not self._legal(own, other):
            if not self._legal(other, own):
                return Found(self.settled(own, other), None)
            answer = self.search(other, own, depth, level, None if guess is None else -guess)
            return Found(-answer.value, None, answer.complete)
        depth = min(depth, self.empties(own, other))
        if depth == 0:
            return Found(self._static(own, other), None)
        windows = self._windows(guess)
        low, high = next(windows)
        while True:
            value, square = self._root(own, other, low, high, depth, level, first)
            if self._work.stopped:
                return Found(value, square if value > low else first, complete=False)
            if low < value < high:
                return Found(value, square)
            if value >= high:
                first = square
            low, high = windows.send(value)

    @staticmethod
    def _windows(guess: int | None) -> Generator[tuple[int, int], int, None]:
        """Bounds about a guess; moved to where the value was outside them, and then wide open.

        Likely cuts may contradict each other, so that no narrow bounds ever hold a value.
        """
        if guess is not None:
            low, high = max(guess - REACH, -65), min(guess + REACH, 65)
            value = yield low, high
            reach = 2 * REACH
            yield (
                (max(value - reach, -65), low + 1)
                if value <= low
                else (
                    high - 1,
                    min(value + reach, 65),
                )
            )
        yield -65, 65

    def solve(self, own: int, other: int, work: Work | None = None) -> Found:
        """The proven value and a best square; raises when it is stopped."""
        self.begin(work or Work())
        empties = self.empties(own, other)
        if empties >= self.likely_from:
            self.forget()  # what was searched before must not choose among equally good moves
        found = self.search(own, other, min(empties, 2))  # which asks no hash
        for level in self.levels if empties >= self.likely_from else (SURE,):
            found = self.search(own, other, empties, level, found.value, found.square)
        if not found.complete:
            raise Unsolved("stopped before the position was solved")
        return found

    def outcome(self, own: int, other: int, work: Work | None = None) -> int:
        """Whether the mover wins, 1, draws, 0, or loses, -1: proven, sooner than by how much."""
        self.begin(work or Work())
        if not self._legal(own, other):
            over = not self._legal(other, own)
            lead = self.settled(own, other) if over else -self.outcome(other, own, work)
        else:
            lead, _ = self._root(own, other, -1, 1, self.empties(own, other), SURE, None)
        if self._work.stopped:
            raise Unsolved("stopped before the position was solved")
        return (lead > 0) - (lead < 0)

    def expected(self, own: int, other: int) -> int | None:
        """The square that earlier searches expect the mover to take."""
        raise NotImplementedError

    def _static(self, own: int, other: int) -> int:
        """What the evaluation says of a position as it stands."""
        raise NotImplementedError

    def _root(
        self, own: int, other: int, low: int, high: int, depth: int, level: int, first: int | None
    ) -> tuple[int, int | None]:
        """One search with these bounds: the value, and the best square as far as it came."""
        raise NotImplementedError


class UsualSeeker(Seeker):
    """Eight by eight: patterns, likely cuts, and the fastest way to the end.

    Several threads work together only where the result is proven, for there it cannot depend on
    which of them was faster.
    """

    levels = (1, 2, SURE)
    likely_from = 18

    def __init__(self, game: Othello, megabytes: int, threads: int = 1) -> None:
        from parlour.kernels.othello import search as othello_search
        from parlour.kernels.othello import weights

        self._kernels = othello_search
        self._flips = game.flips
        self._crew: Crew | None = None
        super().__init__(game, megabytes, weights())
        if threads > 1:
            self._crew = Crew(self, threads - 1)

    def _static(self, own: int, other: int) -> int:
        value: int = self._kernels.evaluate(own, other, self.memory.address)
        return value

    def _root(
        self, own: int, other: int, low: int, high: int, depth: int, level: int, first: int | None
    ) -> tuple[int, int | None]:
        from parlour.kernels.othello import BEST

        block = self.memory.block
        block[BEST] = NO_SQUARE if first is None else first
        value = self._kernels.root(own, other, low, high, depth, level, self.memory.address)
        return value, int(block[BEST])

    def expected(self, own: int, other: int) -> int | None:
        square = self._kernels.expected(own, other, self.memory.address)
        return None if square == NO_SQUARE else square

    def search(
        self,
        own: int,
        other: int,
        depth: int,
        level: int = SURE,
        guess: int | None = None,
        first: int | None = None,
    ) -> Found:
        ahead: AbstractContextManager[None] = nullcontext()
        if self._crew and level == SURE and depth >= self.empties(own, other) and guess is not None:
            ahead = self._crew.ahead(own, other, guess)
        with ahead:
            return super().search(own, other, depth, level, guess, first)

    def begin(self, work: Work) -> None:
        super().begin(work)
        if self._crew:
            self._crew.begin()

    @property
    def nodes(self) -> int:
        return super().nodes + (self._crew.nodes if self._crew else 0)

    def ask(self, own: int, other: int, lead: int, memory: Any) -> None:
        """Find out whether the mover wins by more than a lead, and leave that in the hash."""
        if self._legal(own, other) or self._legal(other, own):
            depth = self.empties(own, other)
            self._kernels.ask(own, other, lead, depth, SURE, memory.address)

    def after(self, own: int, other: int) -> Iterator[tuple[int, int, int]]:
        """Every square the mover may take, with his discs and the other's after it."""
        moves = self._legal(own, other)
        while moves:
            bit = moves & -moves
            moves ^= bit
            turned = self._flips(own, other, bit)
            yield bit.bit_length() - 1, own | turned | bit, other ^ turned


class Crew:
    """So many threads beside the one that searches, each with a block of memory of its own."""

    def __init__(self, seeker: UsualSeeker, threads: int) -> None:
        from parlour.kernels.othello import transposition as othello_hash

        memory: Any = othello_hash.Memory
        lead = seeker.memory
        self._seeker = seeker
        self._memories = [
            memory(seeker.megabytes, lead.weights, shared=lead) for _ in range(threads)
        ]

    def begin(self) -> None:
        """Count nodes from nothing."""
        from parlour.kernels.othello import NODES

        for memory in self._memories:
            memory.block[NODES] = 0

    @property
    def nodes(self) -> int:
        """How many positions they looked at since the beginning."""
        return sum(memory.nodes for memory in self._memories)

    @contextmanager
    def ahead(self, own: int, other: int, value: int) -> Iterator[None]:
        """While this lasts, look ahead of the search of a position that is expected to be worth so
        many discs to its mover.
        """
        import numpy as np

        questions = deque(self._questions(own, other, value))
        work = Work()
        cells = np.frombuffer(work.cells, np.int64)

        def answer(memory: Any) -> None:
            while not work.stopped:
                try:
                    question = questions.popleft()
                except IndexError:  # all are taken
                    return
                self._seeker.ask(*question, memory)

        threads = []
        for memory in self._memories:
            memory.join(self._seeker.memory, cells)
            threads.append(Thread(target=answer, args=(memory,), name="parlour-crew"))
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            work.stop()
            for thread in threads:
                thread.join()

    def _questions(self, own: int, other: int, value: int) -> Iterator[Question]:
        """What the search will ask, the last first, if the line and the value are as expected."""
        seeker = self._seeker
        for _ in range(LINE):
            if seeker.empties(own, other) < LEAST_EMPTIES:
                return
            best = seeker.expected(own, other)
            if best is None:
                return
            for square, mine, yours in seeker.after(own, other):
                if square != best:
                    yield from self._refutations(yours, mine, -value - 1)
            own, other = next((y, m) for s, m, y in seeker.after(own, other) if s == best)
            value = -value

    def _refutations(self, own: int, other: int, lead: int) -> Iterator[Question]:
        """How a position is shown to be worth more: by one move, against every reply."""
        seeker = self._seeker
        best = seeker.expected(own, other)
        for square, mine, yours in seeker.after(own, other):
            if square == best:
                replies = [(o, m) for _, m, o in seeker.after(yours, mine)]
                yield from ((o, m, lead) for o, m in replies)
                return
        yield own, other, lead


class AnySeeker(Seeker):
    """Any other board of up to 64 squares: a plain evaluation, and the same way to the end."""

    def __init__(self, game: Othello, megabytes: int) -> None:
        from parlour.kernels.othello.anysize import board_table
        from parlour.kernels.othello.anysize import search as othello_any

        self._kernels = othello_any
        table: Any = board_table
        self._board = table(game.columns, game.rows)
        super().__init__(game, megabytes)

    def _static(self, own: int, other: int) -> int:
        return self._root(own, other, -65, 65, 0, SURE, None)[0]

    def _root(
        self, own: int, other: int, low: int, high: int, depth: int, level: int, first: int | None
    ) -> tuple[int, int | None]:
        from parlour.kernels.othello import BEST

        block = self.memory.block
        block[BEST] = NO_SQUARE if first is None else first
        value = self._kernels.search(
            own, other, low, high, depth, self._board.ctypes.data, self.memory.address
        )
        return value, int(block[BEST])

    def expected(self, own: int, other: int) -> int | None:
        square = self._kernels.expected(own, other, self._board.ctypes.data, self.memory.address)
        return None if square == NO_SQUARE else square


def seeker_for(game: Othello, megabytes: int, threads: int = 1) -> Seeker:
    """The seeker for a board of at most 64 squares."""
    squares = len(game.board.bits)
    if squares > COMPILED_SQUARES:
        raise ParlourError(
            f"the engine plays on at most {COMPILED_SQUARES} squares, and this board has {squares}"
        )
    usual = (game.columns, game.rows) == (8, 8)
    return UsualSeeker(game, megabytes, threads) if usual else AnySeeker(game, megabytes)
