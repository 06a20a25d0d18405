"""The conversation with Benedict: `parlour` alone, or a script in a pipe.

Benedict decides what to say; here lines are read and replies shown. The greeting appears before
anything heavy is loaded. Every reply is worked out in a thread, which Ctrl-C can interrupt, and a
program that a signal ends restores the terminal and saves first.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from parlour import host
from parlour.core import BadFile, BadText, data_folder, hold_lock, write_whole
from parlour.faces.terminal.console import LONGEST, Keyboard, Screen, at_terminal, say
from parlour.host import Memory, Reply, Session, Table

if TYPE_CHECKING:
    from parlour.faces.terminal.model import Model

T = TypeVar("T")

PATIENCE = 0.3  # seconds before a spinner is shown
POLL = 0.02  # seconds between two looks at a task
UNSAFE = ("importlib", "numba", "llvmlite", "numpy")  # packages that must not be interrupted
SIGNALS = [
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    if hasattr(signal, name)
]
CUT = f"That was a long line; I read its first {LONGEST:,} characters."
INTERRUPTED = "I stopped thinking; everything is as it was before."


class Conversation:
    """One visit, from the greeting to the goodbye."""

    def __init__(self, seed: int, model: Model | None = None) -> None:
        self._screen = Screen()
        self._keyboard = Keyboard(self._screen, data_folder() / "benedict.history")
        self._memory_file = MemoryFile(data_folder() / "benedict.json")
        self._model = model
        self._abandoned: list[Task[Reply]] = []
        self._session, self._problem = self._memory_file.open(seed)

    def hold(self) -> int:
        """Talk until somebody leaves; the end of the input, or Ctrl-C at the prompt, is goodbye."""
        code = 0
        with raise_on_signals(), self._keyboard.quiet_terminal():
            try:
                self._talk()
            except (EOFError, KeyboardInterrupt):
                say("Goodbye.")
            except Terminated as terminated:
                code = terminated.status
            finally:
                self._save(leaving=True)
        if any(task.running for task in self._abandoned):  # do not wait for them
            with contextlib.suppress(OSError):  # standard output may be closed
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
        return code

    def _talk(self) -> None:
        if self._problem:
            self._screen.note(self._problem)
        reply = host.greeting(self._session)
        while True:
            self._session = reply.session
            self._screen.show(reply)
            self._save()
            if reply.over:
                return
            reply = self._next_reply(reply)

    def _next_reply(self, last: Reply) -> Reply:
        """Read lines until one gets a reply, and return it."""
        while True:
            store = self._session.memory.agreed is True
            text = self._keyboard.ask(last.choices, store=store)
            self._save()  # another program may have changed the file in the meantime
            if len(text) >= LONGEST:
                self._screen.note(CUT)
            if (reply := self._work_out(text[:LONGEST])) is not None:
                if reply.session.memory == Memory() != self._session.memory:
                    self._keyboard.forget()
                return reply

    def _work_out(self, text: str) -> Reply | None:
        """Return the reply to a line; None if it was interrupted or failed."""
        before, began = self._session, time.monotonic()
        task = Task(lambda: self._reply(before, text))
        try:
            with self._keyboard.interrupts() as pressed:
                done = task.wait(PATIENCE, pressed)
                if not done and not pressed:
                    with self._screen.spinner():
                        done = task.wait(math.inf, pressed)
        except Terminated:
            self._abandoned.append(task)
            raise
        if pressed:
            self._keyboard.drop_pasted()
        if not done or time.monotonic() - began > PATIENCE:
            self._keyboard.ignore_late_interrupt()
        if not done:
            task.abandon()
            self._abandoned.append(task)
            if not at_terminal():  # there is nobody to ask again
                raise KeyboardInterrupt
            self._screen.note(INTERRUPTED)
            return None
        try:
            return task.result()
        except Terminated:
            raise
        except (Exception, SystemExit) as trouble:  # a stranger's bot may do anything
            if os.environ.get("PARLOUR_TRACEBACK"):
                raise
            self._screen.show_trouble(trouble)
            return None

    def _reply(self, before: Session, text: str) -> Reply:
        reply = host.reply(before, text)
        if self._model is not None:
            from parlour.faces.terminal.model import rephrase

            return rephrase(self._model, before, text, reply)
        return reply

    def _save(self, *, leaving: bool = False) -> None:
        self._session, problem = self._memory_file.save(self._session, leaving=leaving)
        if self._session.memory.agreed is not True:
            self._keyboard.delete_history()
        if problem:
            self._screen.note(problem)


class Contents(NamedTuple):
    """The two parts of the memory file as JSON, each empty if missing."""

    memory: str = ""
    saved: str = ""

    def __str__(self) -> str:
        parts = (f'"{name}": {part}' for name, part in self._asdict().items() if part)
        return "{" + ", ".join(parts) + "}"

    def to_session(self) -> Session:
        """Return a session that knows this and nothing else."""
        return Session.from_json(str(self))


def _write_memory(memory: Memory) -> str:
    return json.dumps(asdict(memory)) if memory.agreed is True else ""


def _write_table(table: Table | None) -> str:
    return "" if table is None else json.dumps(asdict(table))


class MemoryFile:
    """The file in which Benedict remembers: what he may know of a person, and a game put aside.

    It is JSON, readable only by its owner. Nothing about a person is written before they agree, and
    nothing stays after they withdraw that. Several programs may share the file: each distinguishes
    its own changes from those of others, and what is forgotten in one is forgotten in all.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._held = Contents()  # what the file holds, as far as we know
        self._ours = Contents()  # what this program last wanted it to hold
        self._memory = Memory()  # what he remembered then, stored or not
        self._unusable = False

    def open(self, seed: int) -> tuple[Session, str]:
        """Return a new session with what was stored, and a sentence if something is wrong."""
        fresh = Session(seed=seed)
        try:
            self._held = self._ours = self._read()
        except OSError as trouble:
            self._unusable = True
            return fresh, f"I cannot read what I kept in {self._path}: {trouble.strerror}."
        except BadText:
            return fresh, self._move_away()
        known = self._held.to_session()
        self._memory = known.memory
        return known.replace(seed=seed), ""

    def _read(self) -> Contents:
        try:
            with self._path.open("rb") as file:
                text = file.read(4 * host.LONGEST).decode("utf-8")
        except FileNotFoundError:
            return Contents()
        except UnicodeDecodeError:
            raise BadText("this is not text") from None
        known = Session.from_json(text)
        return Contents(_write_memory(known.memory), _write_table(known.saved))

    def _move_away(self) -> str:
        aside = self._path.with_name(f"{self._path.name}.damaged")
        try:
            self._path.replace(aside)
        except OSError as trouble:
            self._unusable = True
            return f"I cannot make sense of {self._path}, nor put it aside: {trouble.strerror}."
        return f"I could not make sense of what I kept, so I put it aside as {aside}."

    def save(self, session: Session, *, leaving: bool = False) -> tuple[Session, str]:
        """Write what may be stored; return the session with the changes of other programs.

        The text is a sentence if that failed. A game in progress stays in the file as it was put
        aside; when `leaving`, as it is now.
        """
        if self._unusable:
            return session, ""
        playing = session.mode == "game" and session.table is not None
        saved = _write_table(session.table if playing and leaving else session.saved)
        if playing:
            saved = saved or self._ours.saved
        ours = Contents(_write_memory(session.memory), saved)
        forgot = session.memory == Memory() != self._memory
        try:
            if forgot or ours != self._ours or self._read_now() != self._held:
                self._merge(ours, forgot=forgot)
        except (BadFile, OSError) as trouble:
            self._unusable = True
            return session, f"I shall not remember this the next time: {trouble}."
        unshared = not ours.memory and session.memory != Memory()  # may not be stored
        if self._held.memory != ours.memory and not unshared:
            session = session.replace(memory=self._held.to_session().memory)
        if self._held.saved != saved and not playing:
            session = session.replace(saved=self._held.to_session().saved)
            saved = self._held.saved
        self._ours = Contents(_write_memory(session.memory), saved)
        self._memory = session.memory
        return session, ""

    def _read_now(self) -> Contents:
        """Read the file again; damage is ignored, and overwritten at the next change."""
        try:
            return self._read()
        except BadText:
            return self._held

    def _merge(self, ours: Contents, *, forgot: bool) -> None:
        """Write what this program changed, and leave the rest as others wrote it."""
        if ours == Contents() and not self._path.exists():
            self._held = ours
            return
        with self._lock():
            theirs = self._read_now()
            memory, saved = theirs
            if forgot or ours.memory != self._ours.memory:
                gone = self._held.memory and not theirs.memory  # forgotten elsewhere
                memory = "" if forgot or gone else ours.memory
            if ours.saved != self._ours.saved:
                changed = theirs.saved != self._held.saved  # another unfinished game
                saved = ours.saved or (theirs.saved if changed else "")
            self._held = Contents(memory, saved)
            if self._held == Contents():
                self._path.unlink(missing_ok=True)
            elif self._held != theirs:
                write_whole(self._path, str(self._held).encode())

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Keep other programs from changing the file, and make it readable only by its owner."""
        mask = os.umask(0o077)
        try:
            with hold_lock(self._path.with_name(".benedict.lock")):
                yield
        finally:
            os.umask(mask)


class Task(Generic[T]):
    """A call in a thread of its own, so that Ctrl-C can end it.

    The call takes a session and returns another, so abandoning it leaves nothing behind. It is
    interrupted as Ctrl-C would do it, but never while it imports or compiles something, which could
    not be tried again. A call that cannot be interrupted runs on, and its result is dropped.
    """

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._results: list[T] = []
        self._trouble: BaseException | None = None
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="benedict-reply", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._results.append(self._call())
        except BaseException as trouble:  # raised again by `result`
            self._trouble = trouble
        finally:
            self._done.set()

    def wait(self, seconds: float, pressed: Sequence[object] = ()) -> bool:
        """Wait until it is done, the time is up or something is pressed; return whether it is."""
        until = time.monotonic() + seconds
        while not self._done.wait(min(seconds, POLL)):
            if pressed or time.monotonic() >= until:
                break
        return self._done.is_set()

    def result(self) -> T:
        """Return what the call returned, or raise what it raised."""
        if self._trouble is not None:
            raise self._trouble
        return self._results[0]

    @property
    def running(self) -> bool:
        """Whether the thread is still alive."""
        return self._thread.is_alive()

    def abandon(self) -> None:
        """Interrupt the call as soon as that is safe."""
        threading.Thread(target=self._interrupt, name="benedict-interrupt", daemon=True).start()

    def _interrupt(self) -> None:
        import ctypes

        while not self._done.wait(POLL):
            ident = self._thread.ident
            if ident is not None and not _is_unsafe(ident) and not self._done.is_set():
                # SystemExit ends a thread silently. A thread that is done is left alone: another
                # may have its number by now, and would end before it began.
                end = ctypes.py_object(SystemExit)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), end)
                return


def _is_unsafe(ident: int) -> bool:
    """Return whether a thread is importing or compiling something."""
    frame = sys._current_frames().get(ident)
    while frame is not None:
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0].lstrip("_")
        if package in UNSAFE or frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


class Terminated(SystemExit):
    """Raised when a signal tells the program to end."""

    def __init__(self, number: int) -> None:
        self.status = 128 + number  # the exit code that shells report
        super().__init__(self.status)


@contextmanager
def raise_on_signals() -> Iterator[None]:
    """Let the first SIGTERM or SIGHUP raise `Terminated`, and ignore more of them.

    By default they end a program before any `finally` runs.
    """
    defaults = {each: signal.getsignal(each) for each in SIGNALS}
    handled = {each: old for each, old in defaults.items() if old is signal.SIG_DFL}  # not in nohup

    def terminate(number: int, frame: FrameType | None) -> None:
        for each in handled:
            signal.signal(each, signal.SIG_IGN)
        raise Terminated(number)

    try:
        for each in handled:
            signal.signal(each, terminate)
        yield
    finally:
        for each, old in handled.items():
            signal.signal(each, old)
