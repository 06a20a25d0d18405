"""Servers for tests, forked from a process that has everything loaded.

Loading `parlour web` and what its workers need takes seconds and forking milliseconds, and the
tests begin a server some hundred times. From the fork on it is the command itself, with its own
session, signals, folder and log. Its fork server of workers comes ready from the same process.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour.core import ForkServer
from parlour.core.fork_server import serve
from parlour.faces.web import app
from parlour.faces.web.workers import pool

LOADED = (  # what a server imports when it begins, and its workers
    *("jinja2.ext", "psycopg", "sqlalchemy.dialects.sqlite"),
    *("sqlalchemy.dialects.postgresql.psycopg", "uvicorn.lifespan.on", "uvicorn.loops.uvloop"),
    *("uvicorn.protocols.http.httptools_impl", "parlour.faces.cli.web", "parlour.faces.web.tasks"),
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
THREADS = {"OPENBLAS_NUM_THREADS": "1"}  # as the pool has it
# Where installed games and bots are looked for.
PATH = tuple(sys.path), os.environ.get("PYTHONPATH")


def load() -> Callable[[dict[str, Any], list[int]], None]:
    """Load what servers and workers need; what is returned is called in each child."""
    for name in LOADED:
        importlib.import_module(name)
    importlib.import_module(app.TASKS).load()
    return _run


def _run(request: dict[str, Any], files: list[int]) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(request["environment"])
    if request["workers"]:
        serve(files[0], *request["arguments"])
        os._exit(0)
    log, told, workers = files
    for number in (1, 2):
        os.dup2(log, number)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # it is a plain file
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL)
    ReadyForkServer.ready = Ready(socket.socket(fileno=workers), request["environment"])
    pool.ForkServer = ReadyForkServer  # type: ignore[misc]
    os.write(told, b"%d\n" % os.getpid())
    from parlour.faces.cli import main

    code = main(request["arguments"])
    sys.stdout.flush()
    os.write(told, b"%d\n" % code)
    os._exit(code)


def has_usual_path(env: Mapping[str, str]) -> bool:
    """Whether a process finds there the packages that this run has found, and no others."""
    return (tuple(sys.path), env.get("PYTHONPATH")) == PATH


def start_server(
    arguments: Sequence[str], log: Path, env: Mapping[str, str]
) -> Forked | subprocess.Popen[bytes]:
    """Run the command with these arguments, forked if it needs nothing that is not loaded.

    The metrics of several processes must be told so before they are loaded.
    """
    if has_usual_path(env) and "--workers" not in arguments:
        return Forked(arguments, log, env)
    with log.open("ab") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "parlour", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            env={**env, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,  # so that its workers can be ended with it
        )


@functools.cache
def _origin() -> ForkServer:
    """The process that all servers of this run are forked from."""
    return ForkServer(f"{__name__}:load", env={**os.environ, **THREADS})


def _fork_workers(end: socket.socket, arguments: Sequence[str], env: Mapping[str, str]) -> None:
    request = {"workers": True, "arguments": list(arguments), "environment": dict(env)}
    _origin().fork(request, [end.fileno()])


@dataclass
class Ready:
    """A connection to a fork server that was made for a process, and the environment it has."""

    line: socket.socket
    environment: dict[str, str]


class ReadyForkServer(ForkServer):
    """The fork server of a pool of workers, forked itself if the tasks are those of the site."""

    ready: Ready | None = None  # in a server that was forked

    def _start(
        self,
        end: socket.socket,
        arguments: Sequence[str],
        env: Mapping[str, str] | None,
        stdout: int | None,
    ) -> Any:
        if arguments[1] != app.TASKS or not env or not has_usual_path(env):
            return super()._start(end, arguments, env, stdout)
        own, ReadyForkServer.ready = self.ready, None
        if own is None:
            _fork_workers(end, arguments, env)
        elif {**own.environment, **THREADS} == env:
            self._socket.close()
            self._socket = own.line
        else:  # the server has changed it meanwhile
            own.line.close()
            return super()._start(end, arguments, env, stdout)
        return _Process(self._socket)


class _Process:
    """The process at the other end of a socket, which lives as long as that is open."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line.dup()

    def poll(self) -> int | None:
        """Whether it has ended."""
        is_over = select.select([self._line], [], [], 0)[0]
        return 1 if is_over and not self._line.recv(1, socket.MSG_PEEK) else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, which comes when the socket is closed."""
        with self._line, contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)
            while self._line.recv(1):
                pass
        return 0


class Forked:
    """A server process, with as much of the interface of `subprocess.Popen` as tests use."""

    def __init__(self, arguments: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self.returncode: int | None = None
        reading, writing = os.pipe()
        ours, theirs = socket.socketpair()
        with theirs:
            _fork_workers(theirs, (pool.LOAD_TASKS, app.TASKS), environment)
        request = {"arguments": arguments, "environment": dict(environment), "workers": False}
        with ours, log.open("ab") as file:
            _origin().fork(request, [file.fileno(), writing, ours.fileno()])
        os.close(writing)
        self._told = os.fdopen(reading, "rb", buffering=0)
        self.pid = int(self._told.read(100))

    def poll(self) -> int | None:
        """Its exit code, if it has ended."""
        return self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("parlour web", timeout or 0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it without warning."""
        self.send_signal(signal.SIGKILL)

    def _look(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._told], [], [], seconds)[0]:
            said = b"".join(iter(lambda: self._told.read(100), b""))  # until nobody can say more
            self.returncode = int(said) if said else -signal.SIGKILL
            self._told.close()
        return self.returncode
