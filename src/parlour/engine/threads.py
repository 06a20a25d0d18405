"""Threads that run ahead of a search to the end, so that it finds much of its work done.

The search itself goes its way as if alone. Meanwhile the others answer questions that it will come
to, as far as that can be foreseen: along the expected line, whether each other move is refuted.
They write into the same hash table. What they find is proven, so it can make the search faster but
not change what it finds, whoever comes first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeAlias

from parlour.core import Work

if TYPE_CHECKING:
    from parlour.engine.searcher import UsualSeeker

Question: TypeAlias = tuple[int, int, int]  # own, other: is the mover's lead above so many discs?

LINE = 8  # moves of the expected line whose alternatives are looked at
LEAST_EMPTIES = 16  # below that a question is answered too fast to be worth it


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
