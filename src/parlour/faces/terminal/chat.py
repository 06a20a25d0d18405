"""The conversation with Benedict: `parlour` alone, or a script in a pipe.

Benedict decides what to say; here lines are read and replies shown. Every reply is worked out in a
thread, which Ctrl-C can interrupt. A terminal neither echoes nor swallows what is typed before the
prompt appears or while Benedict thinks, so no key is lost; Ctrl-C is a key like the others then,
except while he thinks. Everything shown is cleaned first, so that neither a typed line nor a reply
can move the cursor or ring the bell.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent import futures
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Generic, TypeVar

from parlour import host
from parlour.core import ParlourError, files, is_compiling
from parlour.faces.progress import compiling_shown_in
from parlour.faces.terminal.console import MARKS, ask, at_terminal, clean, say
from parlour.faces.terminal.memory import MemoryFile
from parlour.host import Memories, Reply, Session

if TYPE_CHECKING:
    from parlour.faces.terminal.model import Model
    from parlour.faces.terminal.prompt import Prompt

T = TypeVar("T")

PATIENCE = 0.3  # seconds before a spinner is shown
POLL = 0.02  # seconds between two looks at a task
SIGNALS = [
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    if hasattr(signal, name)
]
PROMPT = "> "
MAX_LINE = 2_000  # characters of a line; the rest is ignored
MAX_PASTED = 200  # lines at once
PASTE_CUT = f"That was a long paste; I read its first {MAX_PASTED} lines."
GRACE = 0.6  # seconds after a long wait in which Ctrl-C was still meant to end it

MAX_WIDTH = 96  # columns; longer lines are hard to read
SGR = {
    "win": ("34", "38;5;32"),  # with 8 and with 256 colours
    "draw": ("37", "38;5;245"),
    "loss": ("31", "38;5;166"),
    "quiet": ("2", "2"),
}

CUT = f"That was a long line; I read its first {MAX_LINE:,} characters."
INTERRUPTED = "I stopped thinking; everything is as it was before."


class Conversation:
    """One visit, from the greeting to the goodbye."""

    def __init__(self, seed: int, model: Model | None = None) -> None:
        self._screen = Screen()
        self._keyboard = Keyboard(self._screen, files.data_folder() / "benedict.history")
        self._memory_file = MemoryFile(files.data_folder() / "benedict.json")
        self._model = model
        self._abandoned: list[Task[Reply]] = []
        self._session, self._problem = self._memory_file.open(seed)

    def hold(self) -> int:
        """Talk until somebody leaves; the end of the input, or Ctrl-C at the prompt, is goodbye."""
        code = 0
        with raise_on_signals(self._keyboard.leave), self._keyboard.quiet_terminal():
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
            if len(text) >= MAX_LINE:
                self._screen.note(CUT)
            if (reply := self._work_out(text[:MAX_LINE])) is not None:
                if reply.session.memory == Memories() != self._session.memory:
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
        except (Exception, SystemExit) as error:  # a stranger's bot may do anything
            if os.environ.get("PARLOUR_TRACEBACK"):
                raise
            self._screen.show_error(error)
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


class Screen:
    """Where replies appear; `interactive` for a person at a terminal that can move its cursor."""

    def __init__(self) -> None:
        term = os.environ.get("TERM", "dumb")
        output = sys.stdout is not None and sys.stdout.isatty()
        self.interactive = at_terminal() and output and term != "dumb"
        self.coloured = self.interactive and not os.environ.get("NO_COLOR")
        self._has_256_colours = "256" in term or bool(os.environ.get("COLORTERM"))

    def show(self, reply: Reply) -> None:
        """Print the sentences of a reply, and the board under them."""
        for line in reply.lines:
            self._print_line(line)
        if reply.board:
            self._print_gap()
            say(clean(reply.board))
        self._print_gap()

    def note(self, text: str) -> None:
        """Print a sentence about the conversation itself."""
        say(self.colour(self._wrap(clean(text)), "quiet"))
        self._print_gap()

    def show_error(self, error: BaseException) -> None:
        """Say in one sentence what went wrong."""
        if isinstance(error, ParlourError):
            self.note(f"I could not do that: {error}.")
        else:
            self.note(
                "I lost my thread; everything is as it was (PARLOUR_TRACEBACK=1 shows where)."
            )

    def colour(self, text: str, what: str) -> str:
        """Colour a text, at terminals that show colours."""
        return f"\x1b[{SGR[what][self._has_256_colours]}m{text}\x1b[0m" if self.coloured else text

    def _print_line(self, line: str) -> None:
        for part in clean(line).split("\n"):
            text = self._wrap(part)
            for what, mark in MARKS.items():
                text = text.replace(mark, self.colour(mark, what))
            say(text)

    def _wrap(self, line: str) -> str:
        """Wrap a line to the terminal, between words; in a pipe it stays one line."""
        if not self.interactive:
            return line
        columns = os.get_terminal_size(sys.stdout.fileno()).columns or 80
        width = max(20, min(columns - 1, MAX_WIDTH))
        if len(line) <= width:
            return line
        import textwrap

        indent = line[: len(line) - len(line.lstrip())][: width // 2]
        return textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False)

    def _print_gap(self) -> None:
        if self.interactive:
            say()

    @contextmanager
    def spinner(self) -> Iterator[None]:
        """Show a spinner to a person who waits."""
        if not self.interactive:
            yield
            return
        from rich.console import Console

        text = "Benedict is thinking; Ctrl-C interrupts him"
        console = Console()
        spinner = "dots" if console.encoding.startswith("utf") else "line"
        with (
            console.status(text, spinner=spinner, spinner_style="green") as status,
            compiling_shown_in(lambda compiling: status.update(compiling or text)),
        ):
            yield


class Keyboard:
    """The source of lines."""

    def __init__(self, screen: Screen, history: Path) -> None:
        self._screen = screen
        self._history = history
        self._prompt: Prompt | None = None
        self._original: list[object] | None = None  # the terminal's settings
        self._waited_until = -GRACE

    @contextmanager
    def quiet_terminal(self) -> Iterator[None]:
        """Turn off echo, line editing and signals, and restore the terminal afterwards."""
        if not self._screen.interactive or sys.platform == "win32":
            yield
            return
        import termios

        original = termios.tcgetattr(sys.stdin)
        self._original = original
        try:
            self._configure(interrupts=False)
            yield
        finally:
            with contextlib.suppress(termios.error):  # the window may have been closed
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, original)

    def _configure(self, *, interrupts: bool) -> None:
        if self._original is None or sys.platform == "win32":
            return
        import termios

        iflag, oflag, cflag, lflag, ispeed, ospeed, cc = termios.tcgetattr(sys.stdin)
        iflag &= ~termios.ICRNL
        lflag &= ~(termios.ECHO | termios.ICANON | termios.ISIG)
        if interrupts:
            lflag |= termios.ISIG
        new = [iflag, oflag, cflag, lflag, ispeed, ospeed, cc]
        termios.tcsetattr(sys.stdin, termios.TCSANOW, new)  # keeps what was typed already

    @contextmanager
    def interrupts(self) -> Iterator[list[bool]]:
        """Let Ctrl-C fill the list instead of raising an exception."""
        pressed: list[bool] = []
        original = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(True))
        try:
            self._configure(interrupts=True)
            yield pressed
        finally:
            self._configure(interrupts=False)
            signal.signal(signal.SIGINT, original)

    def ignore_late_interrupt(self) -> None:
        """Ignore a Ctrl-C pressed right now: it was meant to interrupt, not to leave."""
        self._waited_until = time.monotonic()

    def ask(self, choices: Sequence[str], *, store: bool) -> str:
        """Return the next line, which is stored in the history file if it may be.

        `EOFError` when there are no more lines, `KeyboardInterrupt` to leave.
        """
        if not self._screen.interactive:
            try:
                return ask(PROMPT)
            except (EOFError, KeyboardInterrupt) as error:
                if at_terminal() or isinstance(error, KeyboardInterrupt):
                    say()
                raise
        if self._prompt is None:
            from parlour.faces.terminal.prompt import Prompt

            self._prompt = Prompt(
                self._history, MAX_LINE, MAX_PASTED, coloured=self._screen.coloured
            )
        until = self._waited_until + GRACE
        line = self._prompt.ask(PROMPT, choices, no_interrupt_until=until, store=store)
        if self._prompt.cut:
            self._screen.note(PASTE_CUT)
            self._prompt.cut = False
        return line

    def leave(self, error: BaseException) -> bool:
        """End a prompt that waits for a line with an error; return False if none does."""
        return self._prompt is not None and self._prompt.leave(error)

    def drop_pasted(self) -> None:
        """Drop pasted lines that were not answered yet."""
        if self._prompt is not None:
            self._prompt.drop_pasted()

    def forget(self) -> None:
        """Forget the lines typed so far, here and in the history file."""
        if self._prompt is not None:
            self._prompt.forget()
        self.delete_history()

    def delete_history(self) -> None:
        """Delete the history file."""
        with contextlib.suppress(OSError):
            self._history.unlink(missing_ok=True)


class Task(Generic[T]):
    """A call in a thread of its own, so that Ctrl-C can end it.

    The call takes a session and returns another, so abandoning it leaves nothing behind. It is
    interrupted as Ctrl-C would do it, but never while it imports or compiles something, which could
    not be tried again. A call that cannot be interrupted runs on, and its result is dropped.
    """

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._answer = Future[T]()
        self._thread = threading.Thread(target=self._run, name="benedict-reply", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._answer.set_result(self._call())
        except BaseException as error:  # raised again by `result`
            if not self._answer.done():
                self._answer.set_exception(error)

    def wait(self, seconds: float, pressed: Sequence[object] = ()) -> bool:
        """Wait until it is done, the time is up or something is pressed; return whether it is."""
        until = time.monotonic() + seconds
        while not futures.wait([self._answer], min(seconds, POLL)).done:
            if pressed or time.monotonic() >= until:
                break
        return self._answer.done()

    def result(self) -> T:
        """Return what the call returned, or raise what it raised."""
        return self._answer.result()

    @property
    def running(self) -> bool:
        """Whether the thread is still alive."""
        return self._thread.is_alive()

    def abandon(self) -> None:
        """Interrupt the call as soon as that is safe."""
        threading.Thread(target=self._interrupt, name="benedict-interrupt", daemon=True).start()

    def _interrupt(self) -> None:
        import ctypes

        while not self.wait(POLL):
            ident = self._thread.ident
            if ident is not None and not is_compiling(ident) and not self._answer.done():
                # SystemExit ends a thread silently. A thread that is done is left alone: another
                # may have its number by now, and would end before it began.
                end = ctypes.py_object(SystemExit)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), end)
                return


class Terminated(SystemExit):
    """Raised when a signal tells the program to end."""

    def __init__(self, number: int) -> None:
        self.status = 128 + number  # the exit code that shells report
        super().__init__(self.status)


@contextmanager
def raise_on_signals(leave: Callable[[Terminated], bool]) -> Iterator[None]:
    """Let the first SIGTERM or SIGHUP raise `Terminated`, and ignore more of them.

    By default they end a program before any `finally` runs. Where `leave` returns True, it sees to
    it that the exception is raised; it may be called anywhere in the main thread.
    """
    defaults = {each: signal.getsignal(each) for each in SIGNALS}
    handled = {each: old for each, old in defaults.items() if old is signal.SIG_DFL}  # not in nohup

    def terminate(number: int, frame: FrameType | None) -> None:
        for each in handled:
            signal.signal(each, signal.SIG_IGN)
        terminated = Terminated(number)
        if not leave(terminated):
            raise terminated

    try:
        for each in handled:
            signal.signal(each, terminate)
        yield
    finally:
        for each, old in handled.items():
            signal.signal(each, old)
