"""A server of forked workers: a process that loads everything once and forks a child per request.

Loading Python, a game and its compiled rules takes longer than most of the work that is done with
them, and a fork takes milliseconds. The server runs none of that work itself; a child that crashes
or is killed takes nobody else with it. The server ends when the process that started it closes its
socket or dies, and kills its children then.

A request is one line of JSON with open files attached; a child handles it and exits.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlour.core.errors import ParlourError
from parlour.core.extras import load_code

GRACE = 0.5  # seconds for the server to end by itself; while it is still loading it cannot
MAX_CHUNK = 1 << 20  # bytes read at once
MAX_FILES = 16  # attached to one request
NO_FORK = "processes are forked here, which Windows cannot do"
MAIN = (  # it finds modules where we do, and nowhere else
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from parlour.core.fork_server import serve; serve(int(sys.argv[2]), *sys.argv[3:])"
)

_NUMBERS = itertools.count(1)  # of children, never used again, not even by another server
Handler = Callable[[dict[str, Any], list[int]], None]


class ForkServer:
    """The server as its client sees it.

    `target` names a function, as in `package.module:function`. The server calls it once with the
    arguments, to load what the children need; it returns the function that handles a request in a
    child.
    """

    def __init__(
        self,
        target: str,
        *arguments: str,
        env: Mapping[str, str] | None = None,
        stdout: int | None = None,
    ) -> None:
        self._socket, theirs = socket.socketpair()
        self._lock = threading.Lock()
        with theirs:
            path = json.dumps([folder for folder in sys.path if folder])
            command = [sys.executable, "-P", "-c", MAIN, path, str(theirs.fileno())]
            self.process = subprocess.Popen(  # noqa: S603 - our own program
                [*command, target, *arguments],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C at the terminal is not meant for it
            )
        self.close = weakref.finalize(self, _close, self._socket, self.process)

    @property
    def is_open(self) -> bool:
        """Whether it can still be asked to fork."""
        return self.close.alive and self.process.poll() is None

    def fork(self, request: Mapping[str, Any], files: Sequence[int]) -> int:
        """Have a child handle a request with these files, and return the child's number.

        `OSError` when the server has died. That no child could be made shows when the files close.
        """
        if sys.platform == "win32":
            raise ParlourError(NO_FORK)
        number = next(_NUMBERS)
        line = json.dumps({"fork": number, "files": len(files), "request": request})
        with self._lock:
            data = memoryview(line.encode() + b"\n")
            sent = socket.send_fds(self._socket, [data], files)
            self._socket.sendall(data[sent:])
        return number

    def kill(self, number: int) -> None:
        """Kill a child, if it still runs.

        Only the server knows that the process of that number is still the same.
        """
        with contextlib.suppress(OSError), self._lock:  # it is gone
            self._socket.sendall(json.dumps({"kill": number}).encode() + b"\n")


def _close(line: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """End the server and all its children, and wait for that."""
    line.close()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def serve(line: int, target: str, *arguments: str) -> None:
    """Be the server: load what is needed, then fork and kill children until nobody asks."""
    if sys.platform == "win32":
        raise ParlourError(NO_FORK)
    for number in (signal.SIGINT, signal.SIGTERM):  # the client decides when it is over
        signal.signal(number, signal.SIG_IGN)
    try:
        handle: Handler = load_code(target)(*arguments)
    except ParlourError as error:
        sys.exit(str(error))
    gc.collect()
    gc.freeze()  # what is loaded now stays shared with the children
    children: dict[int, int] = {}
    with socket.socket(fileno=line) as client:
        received, files = b"", list[int]()
        while True:
            part, passed, _, _ = socket.recv_fds(client, MAX_CHUNK, MAX_FILES)
            if not part:
                break
            *lines, received = (received + part).split(b"\n")
            files += passed
            for each in map(json.loads, lines):
                if "fork" in each:
                    own, files = files[: each["files"]], files[each["files"] :]
                    with contextlib.suppress(OSError):  # there is no room for another
                        children[each["fork"]] = _fork(client, handle, each["request"], own)
                    for file in own:
                        os.close(file)
                elif each["kill"] in children:
                    _kill(children.pop(each["kill"]))
            children = {n: pid for n, pid in children.items() if not os.waitpid(pid, os.WNOHANG)[0]}
    for pid in children.values():
        _kill(pid)


def _fork(client: socket.socket, handle: Handler, request: dict[str, Any], files: list[int]) -> int:
    if sys.platform == "win32":
        raise ParlourError(NO_FORK)
    pid = os.fork()
    if pid:
        return pid
    try:
        client.close()
        handle(request, files)
    finally:
        os._exit(1)


def _kill(pid: int) -> None:
    if sys.platform == "win32":
        raise ParlourError(NO_FORK)
    os.kill(pid, signal.SIGKILL)  # the number is not used again before the wait
    os.waitpid(pid, 0)
