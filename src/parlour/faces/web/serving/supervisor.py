"""Several server processes at one port: started, replaced when they die, and stopped together.

The supervisor opens the socket and forks; the kernel gives each connection to a process that waits
for one. It loads everything first, so that a fork takes milliseconds and shares its memory, but it
starts no thread and holds no connection to the database. Its own work is to pass on what the
processes tell each other, and to restart those that die.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType

assert sys.platform != "win32"  # nothing here is used there

from prometheus_client import multiprocess

from parlour.faces.web.app import Settings
from parlour.faces.web.metrics import FOLDER
from parlour.faces.web.serving.server import serve
from parlour.store import EVERYTHING, Peers, Store

LOG = logging.getLogger("parlour")
MAX_PENDING = 1 << 20  # bytes kept for a process that does not read; then it is told everything
CHUNK = 1 << 16  # bytes read at once
MIN_PAUSE, MAX_PAUSE = 0.1, 10.0  # seconds before a process that died soon is started again
SOON = 5.0  # seconds

OpenStore = Callable[[], Store]


@dataclass(eq=False)
class Process:
    """A server process as the supervisor sees it."""

    pid: int
    connection: socket.socket
    listens: bool  # to other servers, for all processes of this one
    began: float = field(default_factory=time.monotonic)
    partial: bytes = b""  # of a line it has begun to send
    pending: bytearray = field(default_factory=bytearray)  # what it has yet to be sent

    def add(self, lines: bytes) -> None:
        """Send it whole lines, as far as it reads; the rest later."""
        if len(self.pending) + len(lines) > MAX_PENDING:
            begun = self.pending.partition(b"\n")[0]
            self.pending[:] = begun + f"\ntopic {EVERYTHING}\n".encode()
        else:
            self.pending += lines
        self.flush()

    def flush(self) -> None:
        """Send what is pending, as far as it reads."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            while self.pending:
                del self.pending[: self.connection.send(self.pending)]


class Supervisor:
    """The processes of one server."""

    def __init__(
        self, open_store: OpenStore, sockets: Sequence[socket.socket], settings: Settings
    ) -> None:
        self._open_store = open_store
        self._sockets = sockets
        self._settings = settings
        self._processes: list[Process] = []
        self._name = secrets.token_hex(8)
        self._selector = selectors.DefaultSelector()
        self._starts: list[float] = []  # when a process that died is to be replaced
        self._pause = MIN_PAUSE
        self._signals: list[int] = []
        self._changed = False  # whether everything is to be read again

    def run(self) -> int:
        """Serve until a signal comes; return that signal."""
        reading, writing = socket.socketpair()
        reading.setblocking(False)
        writing.setblocking(False)
        self._selector.register(reading, selectors.EVENT_READ)
        signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        for each in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD, signal.SIGUSR1):
            signal.signal(each, self._note_signal)
        for _ in range(self._settings.processes):
            self._start()
        told = 0  # the signals that were passed on
        while self._processes or not self._signals:
            self._wait(reading)
            self._reap()
            if self._changed:
                self._changed = False
                for process in self._processes:
                    process.add(f"topic {EVERYTHING}\n".encode())
            if len(self._signals) > told:
                told = len(self._signals)
                for listening in self._sockets:  # nobody is to wait for a server that ends
                    listening.close()
                for process in self._processes:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(process.pid, signal.SIGTERM)
            if not self._signals:
                self._restart()
        signal.set_wakeup_fd(-1)
        with reading, writing:
            self._open_store().close()  # which leaves an SQLite database as one whole file
        return self._signals[0]

    def _note_signal(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGUSR1:  # a backup was restored
            self._changed = True
        elif number != signal.SIGCHLD:
            self._signals.append(number)

    def _wait(self, waking: socket.socket) -> None:
        """Wait for messages, a signal or the time to start a process, and pass messages on."""
        due = min(self._starts, default=None)
        timeout = None if due is None else max(0.0, due - time.monotonic())
        for key, _ in self._selector.select(timeout):
            if key.fileobj is waking:
                with contextlib.suppress(BlockingIOError):
                    waking.recv(CHUNK)
            else:
                process: Process = key.data
                process.flush()
                self._pass_on(process)
        for process in self._processes:
            waits = selectors.EVENT_WRITE if process.pending else 0
            self._selector.modify(process.connection, selectors.EVENT_READ | waits, process)

    def _pass_on(self, sender: Process) -> None:
        try:
            data = sender.connection.recv(CHUNK)
        except (BlockingIOError, ConnectionResetError):
            return
        whole, newline, sender.partial = (sender.partial + data).rpartition(b"\n")
        if newline:
            for process in self._processes:
                if process is not sender:
                    process.add(whole + newline)

    # The life of a process

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        listens = not any(process.listens for process in self._processes)
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                ours.close()
                self._serve(theirs, listens)
                code = 0
            except Exception:
                LOG.exception("a server process failed")
            finally:
                os._exit(code)
        theirs.close()
        ours.setblocking(False)
        process = Process(pid, ours, listens)
        self._processes.append(process)
        self._selector.register(ours, selectors.EVENT_READ, process)

    def _serve(self, connection: socket.socket, listens: bool) -> None:
        """Serve, in a process of its own, for as long as the supervisor lives."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # until the server is ready for it
        if self._signals:  # it came before that
            sys.exit(0)
        self._selector.close()
        for other in self._processes:
            other.connection.close()
        store, peers = self._open_store(), Peers(connection, self._name, listens=listens)
        store.join(peers)

        def listen() -> None:
            peers.listen()
            os.kill(os.getpid(), signal.SIGTERM)  # the supervisor is gone

        threading.Thread(target=listen, name="parlour-peers", daemon=True).start()
        serve(store, self._sockets, self._settings)

    def _reap(self) -> None:
        """Note which processes have ended; one that was not asked to is replaced."""
        for process in tuple(self._processes):
            pid, status = os.waitpid(process.pid, os.WNOHANG)
            if not pid:
                continue
            self._processes.remove(process)
            self._selector.unregister(process.connection)
            process.connection.close()
            if os.environ.get(FOLDER):
                multiprocess.mark_process_dead(pid)  # type: ignore[no-untyped-call]
            if self._signals:
                continue
            code = os.waitstatus_to_exitcode(status)
            LOG.warning("server process %d ended with %d; another one is started", pid, code)
            lived = time.monotonic() - process.began
            self._pause = MIN_PAUSE if lived > SOON else min(2 * self._pause, MAX_PAUSE)
            self._starts.append(time.monotonic() + (0 if lived > SOON else self._pause))

    def _restart(self) -> None:
        now = time.monotonic()
        due = [each for each in self._starts if each <= now]
        self._starts = [each for each in self._starts if each > now]
        for _ in due:
            self._start()
