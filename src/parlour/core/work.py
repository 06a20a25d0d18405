"""Work: three cells shared by a long computation and the code that waits for it.

The waiting side may set `stop`, and says how many threads may work; the working side counts up
`done` towards `total`. The cells are plain memory, so a compiled kernel reads and writes the same
ones. That serves Ctrl-C, deadlines, "answer now" and the progress bar alike.
"""

from __future__ import annotations

import sys
import threading
import time
from array import array
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from parlour.core.errors import BadOption
from parlour.core.sentences import say

T = TypeVar("T")

STOP, DONE, TOTAL = 0, 1, 2
UNSTARTED = 100  # polls after which a thread that has not started never will
POLL = 0.005  # seconds between two polls, half of what Ctrl-C may take
PATIENCE = 10  # polls after which a call that compiles something is left to itself
COMPILERS = ("importlib", "_frozen_importlib", "numba", "llvmlite")  # packages that see no stop


class Work:
    """The cells, and a way to run a function with them that Ctrl-C can stop."""

    def __init__(self, threads: int = 1) -> None:
        self.cells = array("q", (0, 0, 0))
        self.threads = threads  # that may work on it, where more than one can

    def stop(self) -> None:
        """Ask the work to stop soon; from any thread."""
        self.cells[STOP] = 1

    @property
    def stopped(self) -> bool:
        """Whether the work was asked to stop."""
        return self.cells[STOP] != 0

    def raise_if_stopped(self) -> None:
        """Raise `Unsolved` if the work was stopped, since what it has found may be wrong."""
        if self.stopped:
            from parlour.core.value import Unsolved  # most work needs none of it

            raise Unsolved(say("stopped before it was solved"))

    @property
    def done(self) -> int:
        """The amount of work done."""
        return self.cells[DONE]

    @done.setter
    def done(self, amount: int) -> None:
        self.cells[DONE] = amount

    @property
    def total(self) -> int:
        """The amount of work in all, 0 while unknown."""
        return self.cells[TOTAL]

    @total.setter
    def total(self, amount: int) -> None:
        self.cells[TOTAL] = amount

    def run(self, call: Callable[[], T], *, watch: Callable[[Work], None] | None = None) -> T:
        """Return what `call()` returns, computed in a thread of its own.

        `watch` is called at intervals meanwhile. Ctrl-C, or an error in `watch`, stops the work and
        waits for it before it propagates. A call that compiles or imports something is not waited
        for: it ends by itself, as soon as that is done.
        """
        answers: list[T] = []
        errors: list[BaseException] = []
        finished = threading.Event()  # an interrupted join may take the thread for an ended one

        def body() -> None:
            try:
                answers.append(call())
            except BaseException as error:  # raised again in the waiting thread
                errors.append(error)
            finally:
                finished.set()

        worker = threading.Thread(target=body, name="parlour-work")
        abandoned = False
        try:
            worker.start()
            while not finished.wait(POLL):
                if watch is not None:
                    watch(self)
        except BaseException:
            self.stop()
            polls = 0
            while not finished.wait(POLL) and (worker.ident is not None or polls < UNSTARTED):
                polls += 1  # Ctrl-C may come while the thread is being started
                if polls > PATIENCE and is_compiling():
                    abandoned = True
                    break
            raise
        finally:
            if worker.ident is not None and not abandoned:
                worker.join()
        if errors:
            raise errors[0]
        return answers[0]

    def run_within(self, seconds: float, call: Callable[[Work], T]) -> T:
        """Return what a call returns, with a `Work` that stops after a time or with this one."""
        own = Work(self.threads)
        ends = time.monotonic() + seconds

        def watch(own: Work) -> None:
            self.done, self.total = own.done, own.total
            if self.stopped or time.monotonic() > ends:
                own.stop()

        return own.run(lambda: call(own), watch=watch)


def is_compiling(ident: int | None = None) -> bool:
    """Return whether a thread, by default any other one, is compiling or importing something."""
    frames = sys._current_frames()
    frames.pop(threading.get_ident(), None)
    for frame in frames.values() if ident is None else filter(None, [frames.get(ident)]):
        caller: FrameType | None = frame
        while caller is not None:
            if str(caller.f_globals.get("__name__", "")).partition(".")[0] in COMPILERS:
                return True
            caller = caller.f_back
    return False


def to_work(work: Work | None) -> Work:
    """Return the work that an argument stands for, or else new one."""
    if work is None:
        return Work()
    if not isinstance(work, Work):
        raise BadOption("work", work, "it must be a parlour.Work()")
    return work
