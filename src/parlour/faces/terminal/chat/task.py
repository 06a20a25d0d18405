"""A thought: a question that is answered in a thread of its own, so that Ctrl-C can end it.

A thought takes a session and gives another, so one that is given up leaves nothing behind. It is
asked to stop as Ctrl-C would stop it, but never while it loads or compiles something, which could
not be tried again. One that cannot be stopped runs on where nobody listens.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")

GLANCE = 0.02  # seconds between two looks
DELICATE = ("importlib", "numba", "llvmlite", "numpy")  # not to be stopped half-way


class Thought(Generic[T]):
    """What `call()` returns, when it is there."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._answers: list[T] = []
        self._trouble: BaseException | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._body, name="benedict-thinks", daemon=True)
        self._thread.start()

    def _body(self) -> None:
        try:
            self._answers.append(self._call())
        except BaseException as trouble:  # handed to whoever waits, whatever it is
            self._trouble = trouble
        finally:
            self._done.set()

    def wait(self, seconds: float, pressed: Sequence[object] = ()) -> bool:
        """Whether it has come to an end, after so many seconds or when something was pressed."""
        until = time.monotonic() + seconds
        while not self._done.wait(min(seconds, GLANCE)):
            if pressed or time.monotonic() >= until:
                break
        return self._done.is_set()

    def answer(self) -> T:
        """What it came to; what went wrong in it goes on up."""
        if self._trouble is not None:
            raise self._trouble
        return self._answers[0]

    @property
    def runs(self) -> bool:
        """Whether it is still there."""
        return self._thread.is_alive()

    def give_up(self) -> None:
        """Nobody wants to know any more; it is stopped at the next moment where that is safe."""
        threading.Thread(target=self._end, name="benedict-forgets", daemon=True).start()

    def _end(self) -> None:
        import ctypes

        while not self._done.wait(GLANCE):
            ident = self._thread.ident
            if ident is not None and not self._delicate(ident) and not self._done.is_set():
                # SystemExit is what ends a thread without a word. A thread that is done is left in
                # peace: another may have its number by now, and would end before it began.
                end = ctypes.py_object(SystemExit)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), end)
                return

    @staticmethod
    def _delicate(ident: int) -> bool:
        frame = sys._current_frames().get(ident)
        while frame is not None:
            room = str(frame.f_globals.get("__name__", "")).partition(".")[0].lstrip("_")
            if room in DELICATE or frame.f_code.co_filename.startswith("<frozen importlib"):
                return True
            frame = frame.f_back
        return False
