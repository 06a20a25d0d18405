"""A program that is spoken to line by line, as every foreign player is.

Nothing here waits for ever: whoever asks says how long, and a program that is silent, gone or
endless is told apart by name. What it writes to standard error is kept, the last of it, for whoever
has to mend it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import IO, Protocol

from parlour.core import ParlourError

LONGEST_LINE = 1 << 20  # bytes
KEPT = 8_000  # bytes of standard error
CHUNK = 1 << 16
GLANCE = 0.05  # seconds before it is tried again to write
FAREWELL = 0.2  # seconds for a program to end by itself when its input is closed
PATIENCE = 1.0  # seconds for one to be gone that has closed its output, or was told to end


class Trouble(ParlourError):
    """A program that does not answer; the text says how, as the end of a sentence about it."""


class Silent(Trouble):
    """It did not answer in time."""


class Gone(Trouble):
    """It has ended, with a code, or closed its output, with none."""

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text, code)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[0])


class Endless(Trouble):
    """It wrote a line that has no end."""


class Process(Protocol):
    """What a pipe needs of a process, by the names it has in `subprocess`."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def wait(self, timeout: float | None = None) -> int:
        """The code it ended with; `TimeoutExpired` when it has not."""

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is still there."""

    def kill(self) -> None:
        """End it, and what it started."""


class Program(subprocess.Popen[bytes]):
    """A command in a session of its own, so that Ctrl-C at the terminal is not for it."""

    def __init__(self, command: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        super().__init__(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
        )

    def kill(self) -> None:
        """End all that is still in the session's first group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


class Pipe:
    """A running program, or one that is started by its command."""

    def __init__(self, command: Sequence[str] | Process) -> None:
        if isinstance(command, Sequence):
            try:
                self.process: Process = Program(command)
            except OSError as trouble:
                raise Gone(f"cannot be started: {trouble.strerror}") from None
        else:
            self.process = command
        self._heard = bytearray()
        self._errors = bytearray()
        self._ears = selectors.DefaultSelector()
        for stream in (self._out, self._err):
            os.set_blocking(stream.fileno(), False)
            self._ears.register(stream, selectors.EVENT_READ)
        os.set_blocking(self._in.fileno(), False)

    @property
    def _in(self) -> IO[bytes]:
        assert self.process.stdin is not None  # noqa: S101 - all three are pipes
        return self.process.stdin

    @property
    def _out(self) -> IO[bytes]:
        assert self.process.stdout is not None  # noqa: S101
        return self.process.stdout

    @property
    def _err(self) -> IO[bytes]:
        assert self.process.stderr is not None  # noqa: S101
        return self.process.stderr

    @property
    def errors(self) -> str:
        """The last of what it wrote to standard error."""
        with contextlib.suppress(OSError, ValueError):
            self._drain(self._err, self._errors)
        return self._errors[-KEPT:].decode(errors="replace").strip()

    @property
    def unasked(self) -> str:
        """The beginning of what it has said that nobody has heard yet."""
        with contextlib.suppress(OSError, ValueError):
            self._drain(self._out, self._heard)
        return self._heard[:KEPT].decode(errors="replace")

    def say(self, line: str, seconds: float = 5.0) -> None:
        """Write it a line; `Silent` when it does not read, `Gone` when it no longer can."""
        rest = memoryview(line.encode() + b"\n")
        ends = time.monotonic() + seconds
        while rest:
            try:
                rest = rest[os.write(self._in.fileno(), rest) :]
            except BlockingIOError:
                if time.monotonic() > ends:
                    raise Silent("does not read what it is told") from None
                self._listen(GLANCE)
            except OSError:
                raise self._gone() from None

    def hear(self, seconds: float | None = None) -> str:
        """Its next line, without the end of the line; waits so long at most, or for ever."""
        ends = None if seconds is None else time.monotonic() + seconds
        while True:
            end = self._heard.find(b"\n")
            if end >= 0:
                line = bytes(self._heard[:end])
                del self._heard[: end + 1]
                return line.decode(errors="replace").rstrip("\r")
            if len(self._heard) > LONGEST_LINE:
                raise Endless(f"wrote more than {LONGEST_LINE:,} characters without a new line")
            left = None if ends is None else ends - time.monotonic()
            if left is not None and left <= 0:
                raise Silent("did not answer in time")
            if not self._listen(left):
                raise self._gone()

    def _listen(self, seconds: float | None) -> bool:
        """Take in whatever is there; False once its output is closed."""
        for ready, _ in self._ears.select(seconds):
            if ready.fileobj is self._out:
                if not self._drain(self._out, self._heard):
                    return False
            elif not self._drain(self._err, self._errors):
                self._ears.unregister(self._err)
        if len(self._errors) > 2 * KEPT:
            del self._errors[:-KEPT]
        return True

    def _drain(self, stream: IO[bytes], into: bytearray) -> bool:
        """Read what a stream holds; False at its end."""
        try:
            data = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return True
        into += data
        return bool(data)

    def _gone(self) -> Gone:
        """How it ended, in words."""
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return Gone("closed its output")
        with contextlib.suppress(ValueError):
            number = -code if code < 0 else code - 128  # as Python and as a shell tell it
            return Gone(f"was ended by {signal.Signals(number).name}", code)
        return Gone(f"ended with code {code}" if code else "ended before the game did", code)

    def close(self, farewell: float = FAREWELL) -> None:
        """End it, after so many seconds in which it may do so by itself; can be called twice."""
        if self._in.closed:
            return
        self._ears.close()
        with contextlib.suppress(OSError):
            self._in.close()  # most programs take this as goodbye
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(farewell)
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        self.process.kill()
        self.process.wait()
        for stream in (self._out, self._err):
            stream.close()
