"""Players that are elsewhere, and a child process that is spoken to line by line.

Nothing here waits for ever: every read has a timeout, and a program that does not answer, has ended
or never ends its line raises an error of its own kind. The last of what it writes to standard error
is kept for debugging.
"""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import islice
from typing import IO, Any, Protocol, cast

from parlour.core import Game, ParlourError, State, reduce_to_options

MAX_LINE = 1 << 20  # bytes
MAX_ERRORS = 8_000  # bytes of standard error kept
CHUNK = 1 << 16
RETRY = 0.05  # seconds until a blocked write is tried again
GRACE = 0.2  # seconds for a program to end by itself when its input is closed
EXIT_TIMEOUT = 1.0  # seconds for one to end that has closed its output or been sent SIGTERM
MAX_LISTED = 1_000  # moves in one question


class External:
    """What players that ask somebody else share: they take the moves and the time, and pass it on.

    A copy starts or reaches what it asks by itself.
    """

    _moves: Sequence[str] = ()
    _left: float | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_to_options(self)

    def follow(self, game: Game, moves: Sequence[str]) -> None:
        """Take the moves from the start of the game to the position of the next choice."""
        self._moves = moves

    def clock(self, seconds_left: float) -> None:
        """Take the time that is left for the next choice."""
        self._left = seconds_left

    def _take_given(self) -> tuple[Sequence[str], float | None]:
        """Return the moves and the time that were given for this choice alone."""
        given = self._moves, self._left
        self._moves, self._left = (), None
        return given


def ask_for_move(
    game: Game, state: State, played: Sequence[str], seconds: float | None
) -> dict[str, Any]:
    """Return the question of our line protocol, see docs/protocol.md."""
    moves = game.moves(state)
    return {
        "type": "choose",
        "position": game.write(state),
        "moves": [game.write_move(move) for move in islice(moves, MAX_LISTED)],
        "count": len(moves),
        "played": list(played),
        "seconds": seconds,
    }


class ProcessError(ParlourError):
    """A program failed; the text is the end of a sentence about it."""


class ResponseTimeout(ProcessError):
    """The program did not answer in time."""


class ProcessEnded(ProcessError):
    """The program has ended, with a code, or closed its output, without one."""

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text)
        self.code = code


class LineTooLong(ProcessError):
    """The program wrote a line without an end."""


class Process(Protocol):
    """What a pipe needs of a process, named as in `subprocess`."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code; raise `TimeoutExpired` while it runs."""

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it is still running."""

    def kill(self) -> None:
        """Kill it, and what it started."""


class Program(subprocess.Popen[bytes]):
    """A command in a session of its own, so that Ctrl-C at the terminal does not reach it."""

    def __init__(self, command: Sequence[str]) -> None:
        if sys.platform == "win32":  # where a pipe cannot be waited for
            raise OSError(errno.ENOSYS, "other programs play on Linux and macOS only")
        pipe = subprocess.PIPE
        super().__init__(
            command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
        )

    def kill(self) -> None:
        """Kill everything in the session's first process group."""
        if sys.platform == "win32":
            super().kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


class Pipe:
    """Reads and writes the lines of a running program, or of one started by its command."""

    def __init__(self, command: Sequence[str] | Process) -> None:
        if isinstance(command, Sequence):
            try:
                self.process: Process = Program(command)
            except OSError as error:
                raise ProcessEnded(f"cannot be started: {error.strerror}") from None
        else:
            self.process = command
        streams = self.process.stdin, self.process.stdout, self.process.stderr
        assert None not in streams  # noqa: S101 - all three are pipes
        self._in, self._out, self._err = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", streams)
        self._output = bytearray()
        self._errors = bytearray()
        self._selector = selectors.DefaultSelector()
        for stream in (self._in, self._out, self._err):
            if sys.platform != "win32":
                os.set_blocking(stream.fileno(), False)
        for stream in (self._out, self._err):
            self._selector.register(stream, selectors.EVENT_READ)

    @property
    def errors(self) -> str:
        """The last of what the program wrote to standard error."""
        with contextlib.suppress(OSError, ValueError):
            self._drain(self._err, self._errors)
        return self._errors[-MAX_ERRORS:].decode(errors="replace").strip()

    @property
    def pending_output(self) -> str:
        """The beginning of the output that has not been read yet."""
        with contextlib.suppress(OSError, ValueError):
            self._drain(self._out, self._output)
        return self._output[:MAX_ERRORS].decode(errors="replace")

    def write_line(self, line: str, seconds: float = 5.0) -> None:
        """Write a line; raise `ResponseTimeout` when it is not read in time."""
        rest = memoryview(line.encode() + b"\n")
        ends = time.monotonic() + seconds
        while rest:
            try:
                rest = rest[os.write(self._in.fileno(), rest) :]
            except BlockingIOError:
                if time.monotonic() > ends:
                    raise ResponseTimeout("does not read its input") from None
                self._wait(RETRY)
            except OSError:
                raise self._exit_error() from None

    def read_line(self, seconds: float | None = None) -> str:
        """Return the next line, without its end; wait this long at most, or for ever."""
        ends = None if seconds is None else time.monotonic() + seconds
        while True:
            end = self._output.find(b"\n")
            if end >= 0:
                line = bytes(self._output[:end])
                del self._output[: end + 1]
                return line.decode(errors="replace").rstrip("\r")
            if len(self._output) > MAX_LINE:
                raise LineTooLong(f"wrote more than {MAX_LINE:,} characters without a new line")
            left = None if ends is None else ends - time.monotonic()
            if left is not None and left <= 0:
                raise ResponseTimeout("did not answer in time")
            if not self._wait(left):
                raise self._exit_error()

    def _wait(self, seconds: float | None) -> bool:
        """Read whatever is there; return False once the output is closed."""
        for ready, _ in self._selector.select(seconds):
            if ready.fileobj is self._out:
                if not self._drain(self._out, self._output):
                    return False
            elif not self._drain(self._err, self._errors):
                self._selector.unregister(self._err)
        if len(self._errors) > 2 * MAX_ERRORS:
            del self._errors[:-MAX_ERRORS]
        return True

    def _drain(self, stream: IO[bytes], into: bytearray) -> bool:
        """Read what a stream holds; return False at its end."""
        try:
            data = os.read(stream.fileno(), CHUNK)
        except BlockingIOError:
            return True
        into += data
        return bool(data)

    def _exit_error(self) -> ProcessEnded:
        """Return the error that says how it ended."""
        try:
            code = self.process.wait(EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            return ProcessEnded("closed its output")
        with contextlib.suppress(ValueError):
            number = -code if code < 0 else code - 128  # as Python and as a shell report it
            return ProcessEnded(f"was ended by {signal.Signals(number).name}", code)
        return ProcessEnded(
            f"ended with code {code}" if code else "ended before the game did", code
        )

    def close(self, grace: float = GRACE) -> None:
        """End the program, after a grace period to end by itself; can be called twice."""
        if self._in.closed:
            return
        self._selector.close()
        with contextlib.suppress(OSError):
            self._in.close()  # most programs end then
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(grace)
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(EXIT_TIMEOUT)
        self.process.kill()
        self.process.wait()
        for stream in (self._out, self._err):
            stream.close()
