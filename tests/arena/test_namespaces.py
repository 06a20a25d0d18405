"""What a program in the sandbox sees and can do, and that nothing of it stays behind.

Everything is tried twice where root runs the tests: as root, and as a user without any rights.
"""

# ruff: noqa: S108 - /tmp is the bot's own, inside
from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from tests.needs import need

from parlour.arena.plan import Limits
from parlour.arena.sandbox import launcher as sandbox
from parlour.arena.sandbox import namespaces, syscalls

pytestmark = [pytest.mark.sandbox, pytest.mark.long]

ANYBODY = 54321  # the number of no user
SMALL = Limits(memory=200, processes=12)
OTHER_PYTHON = "/usr/bin/python3"  # ours may lie where no other user can reach it
NEEDED = (  # to start in a sandbox
    *("__init__.py", "_lazy.py", "arena/__init__.py", "arena/sandbox/__init__.py"),
    *("arena/sandbox/namespaces.py", "arena/sandbox/syscalls.py"),
)


class Sandbox:
    """Runs programs in a sandbox, as this user or as one without rights."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder  # of a copy that anybody can read; None to be who we are
        self.python = OTHER_PYTHON if folder else sys.executable

    def wrap(self, *command: str) -> tuple[list[str], dict]:
        """Return the command that runs one in the sandbox, and who is to start it."""
        wrapped = sandbox.wrap_command(command, limits=SMALL)
        if not self.folder:
            return wrapped, {}
        wrapped[0] = self.python
        wrapped[wrapped.index(str(sandbox.PACKAGE.parent))] = str(self.folder)
        return wrapped, {"user": ANYBODY, "group": ANYBODY, "extra_groups": []}

    def start(self, *command: str) -> subprocess.Popen[str]:
        wrapped, who = self.wrap(*command)
        pipe = subprocess.PIPE
        return subprocess.Popen(wrapped, stdout=pipe, stderr=pipe, text=True, cwd="/", **who)

    def run(self, *command: str) -> str:
        """Return what it prints; all went well."""
        process = self.start(*command)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
        return out.strip()

    def code(self, *command: str) -> tuple[int, str]:
        """Return its exit code and its complaint."""
        process = self.start(*command)
        _, err = process.communicate(timeout=60)
        return process.returncode, err.strip()


@pytest.fixture(scope="module", params=["as we are", "as anybody"])
def shut(request):
    if request.param == "as we are":
        need(
            not sandbox.why_unavailable(),
            f"no bot can be shut in here: {sandbox.why_unavailable()}",
        )
        yield Sandbox(None)
        return
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    new = "import sys; sys.exit(sys.version_info < (3, 11))"
    usable = shutil.which(OTHER_PYTHON) and not subprocess.call([OTHER_PYTHON, "-c", new])
    need(usable, "there is no Python 3.11 here that everybody may use")
    with tempfile.TemporaryDirectory() as place:
        for name in NEEDED:
            file = Path(place, "parlour", name)
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(sandbox.PACKAGE / name, file)
        subprocess.run(["/bin/chmod", "-R", "a+rX", place], check=True)
        yield Sandbox(Path(place))


def python(shut, program):
    return shut.run(shut.python, "-I", "-S", "-c", program)


def test_there_is_nothing_to_see_but_what_is_installed(shut):
    seen = set(shut.run("ls", "-A", "/").split())
    installed = {Path(path).parts[1] for path in sandbox._list_installed_paths()}
    assert seen <= installed | {"dev", "etc", "kernels", "proc", "tmp"}
    if "tmp" not in installed:
        assert shut.run("ls", "-A", "/tmp") == ""
    assert shut.run("ls", "-A", "/dev").split() == ["null", "random", "shm", "urandom", "zero"]
    home = Path.home()
    assert shut.code("ls", str(home / ".ssh"))[0] == 2


def test_it_has_no_rights_and_gets_none(shut):
    status = dict(line.split(":\t") for line in shut.run("cat", "/proc/self/status").splitlines())
    for rights in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[rights], 16) == 0, rights
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    assert "0" not in status["Uid"].split()
    assert "0" not in status["Gid"].split()


def test_the_forbidden_system_calls_are_refused(shut):
    """The numbers are those of the machine's own headers, where it has them."""
    column = syscalls.MACHINES[os.uname().machine][2]
    numbers = {name: both[column] for name, both in syscalls.DENIED.items()}
    program = (
        "import ctypes, errno, json\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"for name, number in {numbers!r}.items():\n"
        "    libc.syscall(number, -1, -1, -1, -1, -1)\n"
        "    print(name, errno.errorcode[ctypes.get_errno()])\n"
    )
    assert python(shut, program).split() == [w for name in numbers for w in (name, "EPERM")]
    headers = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if column == 0 and headers.exists():
        words = [line.split() for line in headers.read_text(encoding="ascii").splitlines()]
        known = {line[1][5:]: int(line[2]) for line in words if line[1:] and "__NR_" in line[1]}
        assert numbers == {name: known[name] for name in numbers}


def test_there_are_sockets_of_few_families(shut):
    """Of all numbers that a family may have; the kernel may lack some of those allowed."""
    program = (
        "import errno, socket\n"
        "for family in (*range(1, 50), 2**20 + 40):\n"
        "    try: socket.socket(family, socket.SOCK_DGRAM).close(); print(family)\n"
        "    except OSError as why: assert why.errno == errno.EAFNOSUPPORT, (family, why)\n"
    )
    assert set(python(shut, program).split()) <= {"1", "2", "10", "16"}
    assert python(shut, "import socket; socket.socketpair(); socket.socket(); print(1)") == "1"


def test_it_is_alone(shut):
    shown = python(
        shut, "import os; print(sorted(int(p) for p in os.listdir('/proc') if p.isdigit()))"
    )
    assert json.loads(shown) == [1, 2]
    assert shut.run("cat", "/proc/net/dev").count(":") == 1  # lo, which is down
    assert shut.run("uname", "-n") == "sandbox"


def test_its_environment_is_not_ours(shut, monkeypatch):
    monkeypatch.setenv("PARLOUR_SECRET", "marks")
    environment = dict(line.split("=", 1) for line in shut.run("env").splitlines())
    assert environment.items() >= {"HOME": "/tmp", "TMPDIR": "/tmp", "PYTHONHASHSEED": "0"}.items()
    assert environment["OPENBLAS_NUM_THREADS"] == "1"
    assert "PARLOUR_SECRET" not in environment


def test_it_writes_16_mebibytes_in_its_scratch_folders_and_nothing_elsewhere(shut):
    program = (
        "import os\n"
        "places, written = [], 0\n"
        "for folder, folders, _ in os.walk('/'):\n"
        "    folders[:] = [each for each in folders if each not in ('proc', 'usr', 'lib')]\n"
        "    if os.access(folder, os.W_OK): places.append(folder)\n"
        "    for number in range(20):\n"
        "        try:\n"
        "            with open(f'{folder}/{number}', 'wb') as file:\n"
        "                for _ in range(16):\n"
        "                    written += file.write(bytes(1 << 16))\n"
        "                    file.flush()\n"
        "        except OSError:\n"
        "            break\n"
        "print(written / (1 << 20), *places)"
    )
    written, *places = python(shut, program).split()
    assert 15 <= float(written) <= 16.1  # the last write may have failed half-way
    assert "/tmp" in places
    assert all(place.startswith(("/tmp", "/dev/shm")) for place in places), places


def test_more_memory_than_allowed_in_all_its_processes_ends_it(shut):
    program = (
        "import os, time; [os.fork() for _ in range(2)]; held = bytearray(b'x') * (60 << 20)\n"
        "time.sleep(60)"
    )
    assert shut.code(shut.python, "-I", "-S", "-c", program)[0] == namespaces.OUT_OF_MEMORY


def test_more_processes_than_allowed_end_it(shut):
    many = "while true; do sleep 60 & done"
    assert shut.code("sh", "-c", many)[0] == namespaces.TOO_MANY_PROCESSES
    few = "for n in 1 2 3 4 5 6 7 8; do sleep 0.2 & done; wait"
    assert shut.code("sh", "-c", few)[0] == 0


def stat(pid: int | str) -> list[str]:
    """The fields of a process: its state, its parent and so on; none of a dead one."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return []
    return [] if fields[0] in "ZX" else fields


def descendants(pid: int) -> set[int]:
    known = {int(each.name): stat(each.name) for each in Path("/proc").glob("[0-9]*")}
    parents = {each: int(fields[1]) for each, fields in known.items() if fields}
    found, new = set(), {pid}
    while new:
        new = {each for each, parent in parents.items() if parent in new}
        found |= new
    return found


def gone(pids: set[int]) -> bool:
    """Whether all of them are, within a while."""
    deadline = time.monotonic() + 60
    while any(map(stat, pids)):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


LEAVER = "(setsid sleep 60 &) ; echo ready; exec sleep 60"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_when_its_supervisor_is_ended_nothing_of_it_is_left(shut, number):
    process = shut.start("sh", "-c", LEAVER)
    assert process.stdout.readline() == "ready\n"
    family = descendants(process.pid)
    assert len(family) == 3  # init, bot, and what it left behind
    process.send_signal(number)
    process.communicate(timeout=60)
    assert gone(family)


def test_when_its_parent_dies_nothing_of_it_is_left(shut):
    """A referee that is killed cannot tidy up, so the kernel does."""
    referee = (
        "import json, os, subprocess, sys, time\n"
        "command, who = json.loads(sys.argv[1])\n"
        "spec = command.index(next(word for word in command if word.startswith('{')))\n"
        "command[spec] = json.dumps(json.loads(command[spec]) | {'parent': os.getpid()})\n"
        "process = subprocess.Popen(command, start_new_session=True, cwd='/', **who)\n"
        "time.sleep(60)\n"
    )
    command = [sys.executable, "-c", referee, json.dumps(shut.wrap("sh", "-c", LEAVER))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        family = descendants(process.pid)
        assert len(family) == 4  # supervisor, init, bot, and what it left behind
        process.kill()
    assert gone(family)


def test_a_paused_program_stands_still_until_it_is_resumed(shut):
    ticking = "import os, time\nos.fork()\nwhile True: os.write(1, b'tick\\n'); time.sleep(0.01)"
    process = shut.start(shut.python, "-I", "-S", "-c", ticking)
    assert process.stdout.readline() == "tick\n"
    process.send_signal(namespaces.PAUSE)
    init, *bots = sorted(descendants(process.pid))
    assert len(bots) == 2
    deadline = time.monotonic() + 60
    while {stat(pid)[0] for pid in bots} != {"T"}:
        assert time.monotonic() < deadline, "they do not stand still"
        time.sleep(0.01)
    time.sleep(0.2)
    assert {stat(pid)[0] for pid in bots} == {"T"}
    assert stat(init)[0] in ("S", "R")  # it goes on watching, asleep between two looks
    process.send_signal(namespaces.RESUME)
    for _ in range(50):
        assert process.stdout.readline() == "tick\n"
    process.terminate()
    process.communicate(timeout=60)


def test_compiled_kernels_are_loaded_and_not_compiled_again():
    need(not sandbox.why_unavailable(), f"no bot can be shut in here: {sandbox.why_unavailable()}")
    program = (
        "import parlour.kernels.compiler as compiler, parlour.kernels.othello.board\n"
        "print(sum(sum(k.stats.cache_misses.values()) for k in compiler.KERNELS.values()))\n"
        "print(len(compiler.KERNELS))\n"
    )
    outside = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    number = int(outside.stdout.split()[1])
    wrapped = sandbox.wrap_command([sys.executable, "-c", program], limits=Limits())
    inside = subprocess.run(wrapped, check=True, capture_output=True)
    assert inside.stdout.split() == [b"0", str(number).encode()]


# The weak one


def where(process: Path) -> str:
    """The folder a process is in."""
    try:
        return str((process / "cwd").readlink())
    except OSError:
        return ""


def test_the_weak_sandbox_leaves_nothing_behind_either():
    script = "pwd; echo x > left_behind; (setsid sleep 60 &); (sleep 60 &); echo $HOME; ulimit -c"
    wrapped = sandbox.wrap_command(["sh", "-c", script], limits=SMALL, strong=False)
    process = subprocess.Popen(wrapped, stdout=subprocess.PIPE, text=True)
    out, _ = process.communicate(timeout=60)
    scratch, home, core = out.split()
    assert Path(scratch).name.startswith("parlour-bot-")
    assert (home, core) == (scratch, "0")
    assert not Path(scratch).exists()
    assert process.returncode == 0
    assert not [each for each in Path("/proc").glob("[0-9]*") if scratch in where(each)]
