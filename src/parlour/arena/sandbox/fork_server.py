"""Where bots in Python files wait: one process a game that has everything loaded but the bots.

This is the near side of it; the far side is in `sitter`. A bot that was let out is led like any
other program: it has its three streams, can be sent signals, and ends with a code.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import weakref
from functools import lru_cache
from typing import IO

from parlour.arena.plan import Limits
from parlour.arena.sandbox import launcher as sandbox
from parlour.arena.sandbox.faults import Lost
from parlour.core import ParlourError

PATIENCE = 1.0  # seconds for a process to be gone that has closed its end
MOST_STABLES = 4  # kept open, for a game each
KEPT = ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")  # they lead to kernels and to the user's games


class Led:
    """A bot that was let out, under the names that `subprocess` has for such things."""

    def __init__(
        self, stable: Stable, streams: list[int], reins: socket.socket, pid: int, handles: list[int]
    ) -> None:
        self._stable = stable  # must stay open as long
        self.stdin: IO[bytes] | None = os.fdopen(streams[0], "wb", 0)
        self.stdout: IO[bytes] | None = os.fdopen(streams[1], "rb", 0)
        self.stderr: IO[bytes] | None = os.fdopen(streams[2], "rb", 0)
        self._reins = reins
        self._pid = pid
        self._handle = handles[0] if handles else None  # never another process, as a number may be
        self._code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The code it ended with; `TimeoutExpired` when it has not."""
        if self._code is None:
            ears = select.poll()  # a handle can be read when its process is no more
            ears.register(self._reins if self._handle is None else self._handle, select.POLLIN)
            if not ears.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired("the bot", timeout or 0)
            code = self._reins.recv(1)
            self._code = code[0] if code else -signal.SIGKILL
            self._reins.close()
            if self._handle is not None:
                os.close(self._handle)
        return self._code

    def send_signal(self, number: int) -> None:
        """Send its warder a signal, if he is still there."""
        with contextlib.suppress(ProcessLookupError):
            if self._code is None and self._handle is not None:
                signal.pidfd_send_signal(self._handle, number)
            elif self._code is None:
                os.kill(self._pid, number)

    def kill(self) -> None:
        """End it, and what it started."""
        self.send_signal(signal.SIGKILL)


class Stable:
    """The process that has this game loaded, and lets bots out."""

    def __init__(self, game: str, options: str) -> None:
        self.game = game
        self._one_at_a_time = threading.Lock()
        self._orders, far = socket.socketpair()
        command = [
            sys.executable,
            "-s",
            "-P",
            "-m",
            "parlour.arena.sandbox.bot_side",
            str(far.fileno()),
        ]
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [*command, game, options],
            env=sandbox.environment() | {n: os.environ[n] for n in KEPT if n in os.environ},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[far.fileno()],
            start_new_session=True,
        )
        far.close()
        self.close = weakref.finalize(self, _close, self._orders, self._process)

    @property
    def open(self) -> bool:
        """Whether bots can still be let out."""
        return self.close.alive and self._process.poll() is None

    def let_out(self, bot: str, file: str, limits: Limits, *, strong: bool) -> Led:
        """The bot, named by its file and its options, in a sandbox of its own."""
        order = {"bot": bot, "spec": sandbox.spec([file], limits, strong=strong)}
        far_in, near_in = os.pipe()
        near_out, far_out = os.pipe()
        near_err, far_err = os.pipe()
        reins, far_reins = socket.socketpair()
        passed = [far_in, far_out, far_err, far_reins.detach()]
        with self._one_at_a_time:
            with contextlib.suppress(BrokenPipeError):  # noticed when nobody answers
                socket.send_fds(self._orders, [json.dumps(order).encode() + b"\n"], passed)
            for each in passed:
                os.close(each)
            pid, handles, _, _ = socket.recv_fds(reins, 4, 1)
        near = [near_in, near_out, near_err]
        if pid:
            return Led(self, near, reins, int.from_bytes(pid), handles)
        reins.close()
        for each in near:
            os.close(each)
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self._process.wait(PATIENCE) >= 0:  # it ended by itself
                raise ParlourError(f"{self.game} cannot be loaded for bots; it was said why")
        raise Lost(f"the process that lets bots out for {self.game} was lost")


def _close(orders: socket.socket, process: subprocess.Popen[bytes]) -> None:
    orders.close()  # which it notices
    process.wait()


_kept = lru_cache(maxsize=MOST_STABLES)(Stable)


def stable(game: str, options: str) -> Stable:
    """The stable for a game, by its name or file, with these options as JSON."""
    if not _kept(game, options).open:
        _kept.cache_clear()
    return _kept(game, options)


def close_all() -> None:
    """Close the stables that no bot is out of."""
    _kept.cache_clear()
