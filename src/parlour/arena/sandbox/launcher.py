"""The sandbox seen from outside: whether there is one here, what it shows, and how to start in it.

A bot sees the programs of this machine and this Python, with the files it was given; no file of the
user, no network, no other process. It may write a little into a `/tmp` of its own that is gone when
it ends. What goes on inside is told in `cell`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from parlour.arena.plan import Limits
from parlour.arena.sandbox import namespaces as cell

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

# What keeps an ordinary user from it on some machines: a setting, and the value that does
SETTINGS = {
    "kernel.apparmor_restrict_unprivileged_userns": "1",
    "kernel.unprivileged_userns_clone": "0",
    "user.max_user_namespaces": "0",
}


@cache
def available() -> str:
    """Nothing if bots can be shut in on this machine, which is tried; else why not."""
    if sys.platform != "linux":
        return "bots can be shut in on Linux only"
    command = wrap([sys.executable, "-I", "-c", TRIAL], limits=Limits())
    tried = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if tried.returncode == 0:
        return ""
    said = (tried.stderr.strip().splitlines() or [f"Python ended with {tried.returncode}"])[-1]
    said = said.removeprefix(cell.UNBUILT_SAYS)
    for setting, value in SETTINGS.items():
        path = Path("/proc/sys", setting.replace(".", "/"))
        if path.exists() and path.read_text(encoding="ascii").strip() == value:
            return f"{said}; the setting {setting}={value} forbids it to all but root"
    return said


def wrap(
    command: Sequence[str], *, files: Iterable[str] = (), limits: Limits, strong: bool = True
) -> list[str]:
    """The command that runs this one in a sandbox, where these files can be read besides.

    It is to be started by the process that asks for it, and ends with the thread that does. Without
    the strong sandbox there are only limits and a scratch folder: for those who agreed to it.
    """
    program = shutil.which(command[0], path=PATH) or shutil.which(command[0]) or command[0]
    told = spec([program, *files], limits, strong=strong)
    launch = [sys.executable, "-I", "-S", "-c", LAUNCH, str(PACKAGE.parent)]
    return [*launch, json.dumps(told), program, *command[1:]]


def spec(files: Iterable[str], limits: Limits, *, strong: bool) -> cell.Spec:
    """All that a sandbox with these files is to be."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    beside = (PACKAGE / "kernels" / "__pycache__").glob("kernels-*")
    shared = list((caches / "parlour").glob("kernels-*"))
    return {
        "parent": os.getpid(),
        "strong": strong,
        "show": [*_installed(), *(str(Path(file).absolute()) for file in files)],
        "kernels": [str(folder) for folder in (*beside, *shared)],
        "memory": limits.memory,
        "processes": limits.processes,
        "env": environment() | ({"XDG_CACHE_HOME": str(caches)} if shared else {}),
    }


def environment() -> dict[str, str]:
    """Of every bot: nothing of the user's, and as many threads as it starts itself."""
    threads = ("OMP", "OPENBLAS", "MKL", "NUMBA")
    return {
        "PATH": PATH,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",  # so that a set has the same order in every game
        **{f"{library}_NUM_THREADS": "1" for library in threads},
    }


@cache
def _installed() -> tuple[str, ...]:
    """The programs of this machine, this Python with all that it has, and Parlour itself."""
    java = Path("/etc").glob("java*")  # where Debian keeps what its Java cannot do without
    python = [
        f"{prefix}/{part}"
        for prefix in dict.fromkeys((sys.prefix, sys.base_prefix))
        for part in ("bin", "lib", "lib64", "pyvenv.cfg")
    ]
    return (*SYSTEM, *map(str, java), *python, str(Path(sys.executable).resolve()), str(PACKAGE))
