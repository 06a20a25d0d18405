"""Inside the sandbox: how a process shuts a bot in, by Linux namespaces and nothing else.

Three processes stand in a row. The warder stays outside and answers for the rest; the keeper is
process 1 of a world of its own, which it builds, locks and watches; the bot is the keeper's child.
When the keeper ends, the kernel ends whatever else lives in that world, and its files are gone with
it, for they were only in memory. Only the standard library is needed here, and little of it: this
is also started in front of every bot that is a program.
"""

# ruff: noqa: PTH109, PTH123, PTH208 - pathlib would take longer to load than all of this
from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable
from typing import NoReturn, TypedDict

from parlour.arena.sandbox import filesystem as world
from parlour.arena.sandbox import syscalls as kernel

# What the warder ends with when the bot did not end by itself. A bot that ends with one of the
# first four has made it up, and is told of as OWN; by the last it only says that it cannot start.
RESTLESS, MEMORY, PROCESSES, UNBUILT, UNSTARTED = 249, 250, 251, 252, 253
OWN = 248
STOP, GO = signal.SIGUSR1, signal.SIGUSR2  # to the warder; when both wait, STOP is taken first
UNBUILT_SAYS = "no sandbox can be built: "
EARS = {signal.SIGCHLD, signal.SIGTERM, STOP, GO}

GLANCE = 0.05  # seconds between two looks at what is used
SETTLE = 20  # looks, a thousandth of a second apart, until all stand still
UNREST = 0.5  # seconds of processor that a bot may use in all while it should stand still
MIB = 1 << 20
MOST_OPEN = 256  # files at once
HOUR = 3600  # seconds of processor for any one process, should all else fail


class Spec(TypedDict):
    """What a sandbox is to be like, in plain JSON."""

    parent: int  # whoever wants it: without that process it ends
    strong: bool
    show: list[str]  # files and folders the bot may read; where they are not, they are left out
    kernels: list[str]  # folders of compiled kernels, among what is shown
    memory: int  # MiB, all processes together
    processes: int  # threads counted too
    env: dict[str, str]


Body = Callable[[], object]  # what the bot does


def run(spec: Spec, body: Body) -> int:
    """Be the warder of a bot that does this; how it ended, once nothing of it is left."""
    signal.pthread_sigmask(signal.SIG_BLOCK, EARS)  # all are waited for, so none is missed
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    kernel.die_with_parent()
    if os.getppid() != spec["parent"]:
        return UNSTARTED
    try:
        return _run_strong(spec, body) if spec["strong"] else _run_weak(spec, body)
    except OSError as trouble:
        return _unbuilt(trouble)


def _unbuilt(trouble: OSError) -> int:
    where = f": {trouble.filename}" if trouble.filename else ""
    _tell(f"{UNBUILT_SAYS}{trouble.strerror}{where}")
    return UNBUILT


def _run_strong(spec: Spec, body: Body) -> int:
    root = os.geteuid() == 0
    # An ordinary user may do all this only in a user namespace of his own. Root needs none, and in
    # one he could not show the bot what he alone can reach.
    kernel.unshare(kernel.CLONE_NEWPID | (0 if root else kernel.CLONE_NEWUSER))
    # Nobody else has this number, so the kernel counts the processes of this bot alone.
    stranger = 2**30 + os.getpid() if root else None
    orders, held = os.pipe()  # which the bot has not; open as long as the warder lives
    keeper = os.fork()
    if not keeper:
        os.close(held)
        _keep(spec, body, stranger, orders)
    os.close(orders)

    def pass_on(number: int) -> None:
        if number in (STOP, GO):
            with contextlib.suppress(BrokenPipeError):
                os.write(held, bytes([number]))
        os.kill(keeper, number)  # which wakes him; the bot could do that too

    return _ward(keeper, pass_on)


def _ward(child: int, pass_on: Callable[[int], object]) -> int:
    """Wait for the child, and pass on what we are told; how it ended."""
    _let_go_of((0, 1))  # so that the bot alone holds the other ends
    while True:
        heard = signal.sigwait(EARS)
        if heard == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return _code(status)  # by the keeper, who has looked at it
        else:
            with contextlib.suppress(ProcessLookupError):
                pass_on(signal.SIGKILL if heard == signal.SIGTERM else heard)


# The keeper


def _keep(spec: Spec, body: Body, stranger: int | None, orders: int) -> NoReturn:
    """Be process 1: build the world, lock it, start the bot, and watch it."""
    try:
        bot = _started(spec, body, stranger, orders)
    except OSError as trouble:
        os._exit(_unbuilt(trouble))
    except BaseException:
        os._exit(UNBUILT)
    try:
        _let_go_of((0, 1, 2))
        os._exit(_watch(bot, spec, orders))
    finally:
        os._exit(OWN)  # from here on whatever happens is the bot's doing


def _started(spec: Spec, body: Body, stranger: int | None, orders: int) -> int:
    """The number of the bot, in its world."""
    os.closerange(3, orders)
    os.closerange(orders + 1, 2**31 - 1)
    world.build(spec["show"], spec["kernels"])
    _lock(spec, stranger)
    kernel.die_with_parent()  # after the lock: to become another user undoes it
    hung_up = select.poll()
    hung_up.register(orders, 0)
    if hung_up.poll(0):
        os._exit(UNSTARTED)  # it has died already
    os.set_blocking(orders, False)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # our memory is not for the bot to write
    bot = os.fork()
    if not bot:
        os.close(orders)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # but it may be seen how much the bot's is
        _be_the_bot(spec, body)
    return bot


def _watch(bot: int, spec: Spec, orders: int) -> int:
    """Reap, count, and have the bot stand still or go on; what to end with."""
    looked, stands, before, unrest = time.monotonic(), False, 0.0, 0.0
    while True:
        signal.sigtimedwait(EARS, GLANCE)  # whoever sent it, what is to be done is seen here:
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == bot:
                    code = _own(_code(found[1]))
                    return (_too_much(spec) or code) if code else 0
        with contextlib.suppress(BlockingIOError):
            if told := os.read(orders, 1024):
                stands = told[-1] == STOP
                _signal_all_others(signal.SIGSTOP if stands else signal.SIGCONT)
                before = _settled() if stands else 0.0
        if time.monotonic() - looked >= GLANCE:
            if too_much := _too_much(spec):
                return too_much
            # Some miss it: the kernel passes over one that is just being forked, and they may wake
            # one another.
            _signal_all_others(signal.SIGSTOP if stands else signal.SIGCONT)
            if stands:
                now = _processor()
                unrest, before = unrest + max(0.0, now - before), now
                if unrest > UNREST:
                    return RESTLESS
            looked = time.monotonic()


def _settled() -> float:
    """Wait a little until all stand still; the seconds of processor they have used till then."""
    for _ in range(SETTLE):
        if not any(_moves(pid) for pid in _others()):
            break
        time.sleep(0.001)
        _signal_all_others(signal.SIGSTOP)
    return _processor()


def _moves(pid: str) -> bool:
    """Whether one of its threads runs, or only sleeps."""
    with contextlib.suppress(OSError, IndexError):
        tasks = os.listdir(f"/proc/{pid}/task")
        return any(_stat(f"{pid}/task/{task}")[0] in (b"R", b"S") for task in tasks)
    return False


def _processor() -> float:
    """Seconds of processor that all others have used, those included that have ended."""
    ticks = sum(map(int, _stat("1")[13:15]))  # by those whom we have reaped
    for pid in _others():
        with contextlib.suppress(OSError, IndexError):
            ticks += sum(map(int, _stat(pid)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _others() -> list[str]:
    return [each for each in os.listdir("/proc") if each.isdigit() and each != "1"]


def _signal_all_others(number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, number)  # all but process 1


def _too_much(spec: Spec) -> int:
    """What to end with when all processes of the bot together use more than they may, or 0."""
    pids = _others()
    tasks = pages = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):  # it has just ended
            fields = _stat(pid)
            tasks += int(fields[17])
            pages += int(fields[21])
    if tasks > spec["processes"]:
        return PROCESSES
    most = spec["memory"] * MIB
    if pages * resource.getpagesize() <= most:
        return 0
    return MEMORY if sum(map(_share_of_memory, pids)) > most else 0


def _share_of_memory(pid: str) -> int:
    """Bytes in use, where what several processes share is divided among them."""
    try:
        for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    except PermissionError:  # it hides, so all of it is its own
        return int(_stat(pid)[21]) * resource.getpagesize()
    except OSError:
        pass  # it has just ended
    return 0


# The lock


def _lock(spec: Spec, stranger: int | None) -> None:
    """Give up every right there is, for good."""
    # Should memory run out, we go first; what root has written here nobody else can take back.
    kernel.write("/proc/self/oom_score_adj", "1000")
    if stranger is not None:
        os.setgroups([])
        os.setresgid(stranger, stranger, stranger)
        os.setresuid(stranger, stranger, stranger)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else /proc/self still belongs to root
        kernel.unshare(kernel.CLONE_NEWUSER)
    kernel.write("/proc/sys/user/max_user_namespaces", "0")  # in one more it would be root again
    _set_limits(spec)
    _limit(resource.RLIMIT_NPROC, spec["processes"] + 16)  # so that we see it before that
    kernel.drop_all_rights()
    kernel.refuse_calls()


def _set_limits(spec: Spec) -> None:
    """What the kernel counts for each process by itself."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, HOUR)
    _limit(resource.RLIMIT_FSIZE, world.SCRATCH * MIB)
    _limit(resource.RLIMIT_NOFILE, MOST_OPEN)
    # Not all that is asked for is used; what is used is counted by the keeper.
    _limit(resource.RLIMIT_DATA, 2 * spec["memory"] * MIB)


def _limit(what: int, most: int) -> None:
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


# The bot


def _be_the_bot(spec: Spec, body: Body) -> NoReturn:
    """Do what the bot does, in a session of its own: it shares no signal with those before it."""
    try:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        home = os.getcwd()
        os.environ.clear()
        os.environ.update(spec["env"], HOME=home, TMPDIR=home)
        body()
        os._exit(0)
    except BaseException as trouble:  # the end of this process, whatever it is
        _tell(f"{type(trouble).__name__}: {trouble}")
        os._exit(UNSTARTED)


def _execute(command: list[str]) -> None:
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # as programs expect; Python ignores them
    try:
        os.execvp(command[0], command)  # noqa: S606 - that is what we are for
    except OSError as trouble:
        _tell(f"cannot be started: {trouble.strerror}")
        os._exit(UNSTARTED)


# Without namespaces, for those who agreed to it


def _run_weak(spec: Spec, body: Body) -> int:
    """A session, limits and a scratch folder of its own; nothing keeps it from the user's files."""
    import shutil
    import tempfile

    scratch = tempfile.mkdtemp(prefix="parlour-bot-")
    if kernel.LINUX:
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)  # what it leaves behind becomes our child
    bot = os.fork()
    if not bot:
        try:
            kernel.die_with_parent()
            os.chdir(scratch)
            _set_limits(spec)
            _be_the_bot(spec, body)
        finally:
            os._exit(UNSTARTED)
    meant = {int(STOP): signal.SIGSTOP, int(GO): signal.SIGCONT}
    try:
        return _own(_ward(bot, lambda number: _signal_all(bot, meant.get(number, number))))
    finally:
        with contextlib.suppress(ChildProcessError):
            while True:
                _signal_all(bot, signal.SIGKILL)
                os.waitpid(-1, 0)
        shutil.rmtree(scratch, ignore_errors=True)


def _signal_all(bot: int, number: int) -> None:
    """To the bot, and where they can be found to all that come from it."""
    parents = {}
    with contextlib.suppress(FileNotFoundError):
        for each in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError, IndexError):
                parents[int(each)] = int(_stat(each)[1])
    family, found = {bot}, {os.getpid()}
    while found:
        found = {pid for pid, parent in parents.items() if parent in found}
        family |= found
    for pid in family:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


# Small change


def _let_go_of(streams: Iterable[int]) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in streams:
        os.dup2(nothing, stream)
    os.close(nothing)


def _code(status: int) -> int:
    """How a process ended, as a shell tells it."""
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _own(code: int) -> int:
    """A bot's own code, which must not be taken for one of ours."""
    return OWN if code in (RESTLESS, MEMORY, PROCESSES, UNBUILT) else code


def _stat(pid: str) -> list[bytes]:
    """What the kernel says of a process, after its number and name."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _tell(sentence: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"{sentence}\n".encode(errors="replace"))


def main() -> None:
    """`SPEC COMMAND…`: the command, in a sandbox."""
    sys.exit(run(json.loads(sys.argv[1]), lambda: _execute(sys.argv[2:])))
