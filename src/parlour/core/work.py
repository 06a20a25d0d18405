"""Work: three cells that long work and whoever waits for it share.

The waiting side may set `stop`; the working side counts up `done` towards `total`. The cells are
plain memory, so a compiled kernel reads and writes the same ones. That serves Ctrl-C, deadlines,
"answer now" and the progress bar alike.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

STOP, DONE, TOTAL = 0, 1, 2
UNSTARTED = 100  # looks after which a thread that has not begun never will
GLANCE = 0.005  # seconds between two looks at the work, half of what Ctrl-C may take


class Work:
    """The cells, and a way to run something with them that Ctrl-C can end."""

    def __init__(self) -> None:
        self.cells = array("q", (0, 0, 0))

    def stop(self) -> None:
        """Ask the work to end soon; from any thread."""
        self.cells[STOP] = 1

    @property
    def stopped(self) -> bool:
        """Whether it was asked to end."""
        return self.cells[STOP] != 0

    @property
    def done(self) -> int:
        """How much is done."""
        return self.cells[DONE]

    @property
    def total(self) -> int:
        """How much there is to do, 0 while unknown."""
        return self.cells[TOTAL]

    def run(self, call: Callable[[], T], *, watch: Callable[[Work], None] | None = None) -> T:
        """What `call()` returns, worked out in a thread of its own.

        `watch` is called now and then while it runs. Ctrl-C, or an error in `watch`, stops the work
        and waits for it before it goes on up.
        """
        answers: list[T] = []
        troubles: list[BaseException] = []
        finished = threading.Event()  # an interrupted join may believe a thread ended that has not

        def body() -> None:
            try:
                answers.append(call())
            except BaseException as trouble:  # handed to the waiting thread, whatever it is
                troubles.append(trouble)
            finally:
                finished.set()

        worker = threading.Thread(target=body, name="parlour-work")
        try:
            worker.start()
            while not finished.wait(GLANCE):
                if watch is not None:
                    watch(self)
        except BaseException:
            self.stop()
            looks = 0
            while not finished.wait(GLANCE) and (worker.ident is not None or looks < UNSTARTED):
                looks += 1  # Ctrl-C may come while the thread is only just being started
            raise
        finally:
            if worker.ident is not None:
                worker.join()
        if troubles:
            raise troubles[0]
        return answers[0]


def run_within(seconds: float, work: Work, call: Callable[[Work], T]) -> T:
    """What a call comes to with a work of its own, stopped after so many seconds or by `work`."""
    own = Work()
    ends = time.monotonic() + seconds

    def watch(own: Work) -> None:
        work.cells[DONE], work.cells[TOTAL] = own.done, own.total
        if work.stopped or time.monotonic() > ends:
            own.stop()

    return own.run(lambda: call(own), watch=watch)
