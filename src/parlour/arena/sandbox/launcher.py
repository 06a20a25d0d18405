"""The sandbox seen from outside: whether this machine has one, and how to start a bot in it.

A bot sees the programs of this machine, this Python and the files it was given; it sees no file of
the user's, no network and no other process. It may write a little into a `/tmp` of its own, which
is gone when it ends. `namespaces` is what happens inside.

A program is started by a command. A bot in a Python file is forked from a server that has Python
and the game loaded, which takes much longer than most games.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import IO

assert sys.platform != "win32"  # nothing here is used there

from parlour.arena.plan import Limits
from parlour.arena.results import ProcessLost
from parlour.arena.sandbox import namespaces
from parlour.core import ForkServer, ParlourError, registry
from parlour.kernels import cache_folder

PACKAGE = Path(__file__).parents[2]
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/games"
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"),
)
LAUNCH = (
    "import sys; sys.path[:0] = [sys.argv.pop(1)]; "
    "from parlour.arena.sandbox import namespaces; namespaces.main()"
)
TRIAL = "import os, parlour.core; os.fork() and os.wait()"  # as a bot may
SETTINGS = {  # that forbid namespaces to ordinary users, with the value that does
    "kernel.apparmor_restrict_unprivileged_userns": "1",
    "kernel.unprivileged_userns_clone": "0",
    "user.max_user_namespaces": "0",
}
LIBRARIES = {  # that take long to load, by the models they open
    ".onnx": ("onnxruntime",),
    ".zip": ("stable_baselines3", "sb3_contrib"),
}
IMPORTS_TORCH = re.compile(r"^[ \t]*(import|from)[ \t]+torch\b|\btorch_policy\b", re.MULTILINE)
BOT_SIDE = "parlour.arena.sandbox.bot_side:load_game"
EXIT_GRACE = 1.0  # seconds for a process to be gone that has closed its end
MAX_SERVERS = 4  # kept open, one for each game
PASSED_ON = (  # where kernels and the user's games are
    *("HOME", "PARLOUR_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME", registry.FILES),
)


@cache
def why_unavailable() -> str:
    """Try the sandbox, and return why this machine has none; the empty string when it works."""
    if sys.platform != "linux":
        return "bots can be isolated only on Linux"
    command = wrap_command([sys.executable, "-I", "-c", TRIAL], limits=Limits())
    trial = subprocess.run(  # noqa: S603 - our own program
        command, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    if trial.returncode == 0:
        return ""
    reason = (trial.stderr.strip().splitlines() or [f"Python ended with {trial.returncode}"])[-1]
    reason = reason.removeprefix(namespaces.FAILURE)
    for setting, value in SETTINGS.items():
        path = Path("/proc/sys", setting.replace(".", "/"))
        if path.exists() and path.read_text(encoding="ascii").strip() == value:
            return f"{reason}; the setting {setting}={value} forbids it to all but root"
    return reason


def wrap_command(
    command: Sequence[str], *, files: Iterable[str] = (), limits: Limits, strong: bool = True
) -> list[str]:
    """Return the command that runs this one in a sandbox in which these files can be read.

    It must be started by this process, and ends with the thread that starts it. Without the strong
    sandbox there are only limits and a scratch folder, for users who agreed to that.
    """
    program = shutil.which(command[0], path=PATH) or shutil.which(command[0]) or command[0]
    spec = make_spec([program, *files], limits, strong=strong)
    launch = [sys.executable, "-I", "-S", "-c", LAUNCH, str(PACKAGE.parent)]
    return [*launch, json.dumps(spec), program, *command[1:]]


def make_spec(files: Iterable[str], limits: Limits, *, strong: bool) -> namespaces.Spec:
    """Describe a sandbox that shows these files."""
    kernels = str(cache_folder().absolute())
    files = [str(Path(file).absolute()) for file in files]
    return {
        "parent": os.getpid(),
        "strong": strong,
        "show": [*_list_installed_paths(), kernels, *files],
        "memory": limits.memory,
        "processes": limits.processes,
        "env": make_environment() | {"PARLOUR_CACHE": kernels},
    }


def make_environment() -> dict[str, str]:
    """Return the environment of every bot: nothing of the user's, and one thread per library."""
    threads = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
    return {
        "PATH": PATH,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",  # so that a set has the same order in every game
        **{f"{library}_NUM_THREADS": "1" for library in threads},
    }


@cache
def _list_installed_paths() -> tuple[str, ...]:
    """List the programs of this machine, this Python with its packages, and Parlour itself."""
    java = Path("/etc").glob("java*")  # where Debian keeps what its Java cannot do without
    python = [
        f"{prefix}/{part}"
        for prefix in dict.fromkeys((sys.prefix, sys.base_prefix))
        for part in ("bin", "lib", "lib64", "pyvenv.cfg")
    ]
    return (*SYSTEM, *map(str, java), *python, str(Path(sys.executable).resolve()), str(PACKAGE))


# Bots in Python files


class BotServer(ForkServer):
    """A fork server that has one game loaded, and forks a sandboxed process for each bot."""

    def __init__(self, game: str, options: str, libraries: str = "") -> None:
        self.game = game
        passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        environment = make_environment() | passed_on
        super().__init__(
            BOT_SIDE, game, options, libraries, env=environment, stdout=subprocess.DEVNULL
        )

    def start(self, bot: str, files: Iterable[str], limits: Limits, *, strong: bool) -> ForkedBot:
        """Start the bot named by its file and options in a sandbox that shows these files."""
        request = {"bot": bot, "spec": make_spec(files, limits, strong=strong)}
        far_in, near_in = os.pipe()
        near_out, far_out = os.pipe()
        near_err, far_err = os.pipe()
        control, far_control = socket.socketpair()
        passed = [far_in, far_out, far_err, far_control.detach()]
        with contextlib.suppress(OSError):  # noticed when nobody answers
            self.fork(request, passed)
        for each in passed:
            os.close(each)
        pid, handles, _, _ = socket.recv_fds(control, 4, 1)
        near = [near_in, near_out, near_err]
        if pid:
            return ForkedBot(self, near, control, int.from_bytes(pid), handles)
        control.close()
        for each in near:
            os.close(each)
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self.process.wait(EXIT_GRACE) >= 0:  # it ended by itself
                raise ParlourError(f"{self.game} cannot be loaded for bots; see the message above")
        raise ProcessLost(f"the process that starts bots for {self.game} was lost")


class ForkedBot:
    """A bot that runs in its sandbox, with the interface of a `subprocess.Popen`."""

    def __init__(
        self,
        server: BotServer,
        streams: list[int],
        control: socket.socket,
        pid: int,
        handles: list[int],
    ) -> None:
        self._server = server  # it must stay open as long
        self.stdin: IO[bytes] | None = os.fdopen(streams[0], "wb", 0)
        self.stdout: IO[bytes] | None = os.fdopen(streams[1], "rb", 0)
        self.stderr: IO[bytes] | None = os.fdopen(streams[2], "rb", 0)
        self._control = control
        self._pid = pid
        self._handle = handles[0] if handles else None  # a number may come to mean another process
        self._code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code of its supervisor; `TimeoutExpired` while it runs."""
        if self._code is None:
            ended = select.poll()  # a handle can be read once its process has ended
            ended.register(self._control if self._handle is None else self._handle, select.POLLIN)
            if not ended.poll(None if timeout is None else timeout * 1000):
                raise subprocess.TimeoutExpired("the bot", timeout or 0)
            code = self._control.recv(1)
            self._code = code[0] if code else -signal.SIGKILL
            self._control.close()
            if self._handle is not None:
                os.close(self._handle)
        return self._code

    def send_signal(self, number: int) -> None:
        """Send its supervisor a signal, if that still runs."""
        with contextlib.suppress(ProcessLookupError):
            if self._code is None and self._handle is not None and sys.platform == "linux":
                signal.pidfd_send_signal(self._handle, number)
            elif self._code is None:
                os.kill(self._pid, number)

    def kill(self) -> None:
        """End it, and all that it started."""
        self.send_signal(signal.SIGKILL)


open_servers = lru_cache(maxsize=MAX_SERVERS)(BotServer)  # closed when no bot uses them any more


def bot_server(game: str, options: str, libraries: str = "") -> BotServer:
    """Return the server for a game, by its name or file, with these options as JSON.

    It has these libraries loaded besides, which would take seconds in every game.
    """
    if not open_servers(game, options, libraries).is_open:
        open_servers.cache_clear()
    return open_servers(game, options, libraries)


def find_libraries(file: str) -> str:
    """Return the slow libraries that the bot in a file needs.

    A Python file is not run for that: its text says what it imports.
    """
    path = Path(file)
    needed = LIBRARIES.get(path.suffix, ())
    if path.suffix == ".py" and IMPORTS_TORCH.search(
        path.read_text(encoding="utf-8", errors="replace")
    ):
        needed = ("torch",)
    return " ".join(needed)
