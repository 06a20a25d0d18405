"""Inside the sandbox: how a process isolates a bot, with Linux namespaces and nothing else.

There are three processes. The supervisor stays outside and reports how the bot ended. The init
process is process 1 of a PID namespace: it builds the file system, drops all privileges, and
enforces the limits of memory, processes and time. The bot is its child. When the init process ends,
the kernel ends whatever else is in the namespace, and its files are gone because they were only in
memory. This is also started in front of every bot that is a program, so it needs only the standard
library, and little of that.
"""

# pathlib would take longer to load than all of this
# ruff: noqa: PTH101, PTH102, PTH103, PTH106, PTH109, PTH110, PTH112, PTH116, PTH120, PTH123, PTH208
# ruff: noqa: PTH211
# ruff: noqa: S103, S108 - /tmp is the bot's own here, on a root that nobody else sees
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

assert sys.platform != "win32"  # nothing here is used there

from parlour.arena.sandbox import syscalls as kernel

# What the supervisor exits with when the bot did not end by itself. A bot that exits with one of
# the first four is reported as OTHER_CODE instead; with the last it says that it cannot start.
RAN_WHILE_PAUSED, OUT_OF_MEMORY, TOO_MANY_PROCESSES, NO_SANDBOX, NOT_STARTED = range(249, 254)
OTHER_CODE = 248
PAUSE, RESUME = signal.SIGUSR1, signal.SIGUSR2  # to the supervisor; PAUSE is taken first
FAILURE = "no sandbox can be built: "
AWAITED = {signal.SIGCHLD, signal.SIGTERM, PAUSE, RESUME}

POLL = 0.05  # seconds between two looks at what is used
SETTLE_POLLS = 20  # a millisecond apart, until all processes have stopped
MAX_PAUSED_CPU = 0.5  # seconds of processor that a bot may use in all while it is paused
MIB = 1 << 20
MAX_OPEN_FILES = 256
MAX_CPU = 3600  # seconds for any one process, should all else fail
SCRATCH = 16  # MiB that the bot may write, in its own /tmp and wherever else it can
MAX_FILES = 4096  # all of them together
NEW_NAMESPACES = (
    *(kernel.CLONE_NEWNS, kernel.CLONE_NEWNET, kernel.CLONE_NEWIPC),
    *(kernel.CLONE_NEWUTS, kernel.CLONE_NEWCGROUP),
)


class Spec(TypedDict):
    """What a sandbox is like, in plain JSON."""

    parent: int  # without that process it ends
    strong: bool
    show: list[str]  # files and folders the bot may read; missing ones are left out
    memory: int  # MiB, all processes together
    processes: int  # including threads
    env: dict[str, str]


Body = Callable[[], object]  # what the bot does


# The supervisor


def run(spec: Spec, body: Body) -> int:
    """Supervise a bot that does this; return its exit code once nothing of it is left."""
    signal.pthread_sigmask(signal.SIG_BLOCK, AWAITED)  # all are waited for, so none is missed
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    kernel.die_with_parent()
    if os.getppid() != spec["parent"]:
        return NOT_STARTED
    try:
        return _run_strong(spec, body) if spec["strong"] else _run_weak(spec, body)
    except OSError as error:
        return _report_failure(error)


def _report_failure(error: OSError) -> int:
    where = f": {error.filename}" if error.filename else ""
    _write_error(f"{FAILURE}{error.strerror}{where}")
    return NO_SANDBOX


def _run_strong(spec: Spec, body: Body) -> int:
    root = os.geteuid() == 0
    # An ordinary user needs a user namespace for all this. Root does not, and inside one could not
    # show the bot what only root can read.
    kernel.unshare(kernel.CLONE_NEWPID | (0 if root else kernel.CLONE_NEWUSER))
    # Nobody else has this number, so the kernel counts the processes of this bot alone.
    user = 2**30 + os.getpid() if root else None
    orders, sender = os.pipe()  # not open in the bot; open as long as the supervisor lives
    init = os.fork()
    if not init:
        os.close(sender)
        _be_init(spec, body, user, orders)
    os.close(orders)

    def forward(number: int) -> None:
        if number in (PAUSE, RESUME):
            with contextlib.suppress(BrokenPipeError):
                os.write(sender, bytes([number]))
        os.kill(init, number)  # wakes it; the bot could do that too, so the order is in the pipe

    return _wait_for(init, forward)


def _wait_for(child: int, forward: Callable[[int], object]) -> int:
    """Forward signals to the child until it ends; return how it ended."""
    _close_streams((0, 1))  # so that the bot alone holds the other ends
    while True:
        received = signal.sigwait(AWAITED)
        if received == signal.SIGCHLD:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return _exit_code(status)
        else:
            with contextlib.suppress(ProcessLookupError):
                forward(signal.SIGKILL if received == signal.SIGTERM else received)


# Process 1 of the namespace


def _be_init(spec: Spec, body: Body, user: int | None, orders: int) -> NoReturn:
    """Build the sandbox, drop all privileges, start the bot, and watch it."""
    try:
        bot = _start_bot(spec, body, user, orders)
    except OSError as error:
        os._exit(_report_failure(error))
    except BaseException:
        os._exit(NO_SANDBOX)
    try:
        _close_streams((0, 1, 2))
        os._exit(_watch(bot, spec, orders))
    finally:
        os._exit(OTHER_CODE)  # from here on whatever happens is the bot's doing


def _start_bot(spec: Spec, body: Body, user: int | None, orders: int) -> int:
    """Return the process number of the bot inside the namespace."""
    os.closerange(3, orders)
    os.closerange(orders + 1, 2**31 - 1)
    _build_root(spec["show"])
    _drop_privileges(spec, user)
    kernel.die_with_parent()  # after that: to become another user undoes it
    hung_up = select.poll()
    hung_up.register(orders, 0)
    if hung_up.poll(0):
        os._exit(NOT_STARTED)  # the supervisor has died already
    os.set_blocking(orders, False)
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)  # the bot must not write to our memory
    bot = os.fork()
    if not bot:
        os.close(orders)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # but we may see how much it uses
        _be_bot(spec, body)
    return bot


def _watch(bot: int, spec: Spec, orders: int) -> int:
    """Reap processes, enforce the limits, pause and resume the bot; return the exit code."""
    if sys.platform != "linux":
        return NO_SANDBOX
    checked, paused, used, used_paused = time.monotonic(), False, 0.0, 0.0
    while True:
        signal.sigtimedwait(AWAITED, POLL)  # anybody may have sent it; what to do is seen below
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == bot:
                    code = _bot_code(_exit_code(ended[1]))
                    return (_check_limits(spec) or code) if code else 0
        with contextlib.suppress(BlockingIOError):
            if received := os.read(orders, 1024):
                paused = received[-1] == PAUSE
                _signal_others(signal.SIGSTOP if paused else signal.SIGCONT)
                used = _settle() if paused else 0.0
        if time.monotonic() - checked >= POLL:
            if exceeded := _check_limits(spec):
                return exceeded
            # Some miss the signal: the kernel passes over a process that is just being forked, and
            # processes may wake one another.
            _signal_others(signal.SIGSTOP if paused else signal.SIGCONT)
            if paused:
                now = _cpu_seconds()
                used_paused, used = used_paused + max(0.0, now - used), now
                if used_paused > MAX_PAUSED_CPU:
                    return RAN_WHILE_PAUSED
            checked = time.monotonic()


def _settle() -> float:
    """Wait briefly until every process has stopped; return the processor time used by then."""
    for _ in range(SETTLE_POLLS):
        if not any(_is_running(pid) for pid in _others()):
            break
        time.sleep(0.001)
        _signal_others(signal.SIGSTOP)
    return _cpu_seconds()


def _is_running(pid: str) -> bool:
    """Say whether one of its threads runs or sleeps, and has not been stopped."""
    with contextlib.suppress(OSError, IndexError):
        tasks = os.listdir(f"/proc/{pid}/task")
        return any(_stat(f"{pid}/task/{task}")[0] in (b"R", b"S") for task in tasks)
    return False


def _cpu_seconds() -> float:
    """Return the processor time that all others have used, including those that have ended."""
    ticks = sum(map(int, _stat("1")[13:15]))  # of the children reaped here
    for pid in _others():
        with contextlib.suppress(OSError, IndexError):
            ticks += sum(map(int, _stat(pid)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _others() -> list[str]:
    return [each for each in os.listdir("/proc") if each.isdigit() and each != "1"]


def _signal_others(number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, number)  # all but process 1


def _check_limits(spec: Spec) -> int:
    """Return the exit code for a limit that all processes of the bot together exceed, or 0."""
    pids = _others()
    tasks = pages = 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):  # it has just ended
            fields = _stat(pid)
            tasks += int(fields[17])
            pages += int(fields[21])
    if tasks > spec["processes"]:
        return TOO_MANY_PROCESSES
    most = spec["memory"] * MIB
    if pages * resource.getpagesize() <= most:
        return 0
    return OUT_OF_MEMORY if sum(map(_proportional_memory, pids)) > most else 0


def _proportional_memory(pid: str) -> int:
    """Return the bytes in use, with memory that processes share divided among them."""
    try:
        for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    except PermissionError:  # it hides, so all of it counts
        return int(_stat(pid)[21]) * resource.getpagesize()
    except OSError:
        pass  # it has just ended
    return 0


def _drop_privileges(spec: Spec, user: int | None) -> None:
    """Drop all privileges irrevocably, and set the kernel's own limits."""
    if sys.platform != "linux":
        raise OSError(0, "bots can be isolated only on Linux")
    # Should the machine run out of memory, we are killed first; the bot cannot undo what root
    # writes here.
    kernel.write("/proc/self/oom_score_adj", "1000")
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # else /proc/self still belongs to root
        kernel.unshare(kernel.CLONE_NEWUSER)
    kernel.write("/proc/sys/user/max_user_namespaces", "0")  # in another it would be root again
    _set_limits(spec)
    _limit(resource.RLIMIT_NPROC, spec["processes"] + 16)  # so that we see it before that
    kernel.drop_capabilities()
    kernel.install_seccomp_filter()


def _set_limits(spec: Spec) -> None:
    """Set the limits that the kernel enforces for each process by itself."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, MAX_CPU)
    _limit(resource.RLIMIT_FSIZE, SCRATCH * MIB)
    _limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    # Not all memory that is reserved is used; what is used is counted in `_check_limits`.
    _limit(resource.RLIMIT_DATA, 2 * spec["memory"] * MIB)


def _limit(what: int, most: int) -> None:
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


# The file system: a root in memory, with what the bot is shown bound to where it is outside


def _build_root(show: list[str]) -> None:
    """Make a new root for this process, in memory, where these files and folders can be read."""
    real = {path: os.path.realpath(path) for path in show}
    os.umask(0o022)
    kernel.unshare(sum(NEW_NAMESPACES))
    kernel.set_host_name("sandbox")
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)  # nobody else's mounts change
    _mount_tmpfs("/sys", "mode=755")  # a folder that exists everywhere and is not shown
    os.mkdir("/sys/old")
    kernel.pivot_root("/sys", "/sys/old")
    os.chdir("/")
    # From here on every path is one of the new root, and no link can lead out of it.
    os.mkdir("/.scratch")
    _mount_tmpfs("/.scratch", f"size={SCRATCH}m,nr_inodes={MAX_FILES},mode=755")
    _bind_scratch("tmp", "/tmp")
    for path in show:
        _show(path, f"/old{real[path]}")
    for name in ("null", "zero", "random", "urandom"):
        _bind(f"/old/dev/{name}", f"/dev/{name}")
    os.symlink("/tmp", "/dev/shm")  # where semaphores are made
    os.mkdir("/proc")
    kernel.mount("proc", "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    for path in ("/old", "/.scratch"):
        kernel.unmount(path)
        os.rmdir(path)
    kernel.restrict_mount("/", kernel.MS_RDONLY, recursive=False)
    os.chdir("/tmp")


def _mount_tmpfs(path: str, options: str) -> None:
    kernel.mount("tmpfs", path, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)


def _bind_scratch(name: str, path: str) -> None:
    """Make a folder writable; all such folders share the space and the number of files."""
    os.mkdir(f"/.scratch/{name}")
    os.chmod(f"/.scratch/{name}", 0o777)
    os.makedirs(path, exist_ok=True)
    kernel.mount(f"/.scratch/{name}", path, None, kernel.MS_BIND)


def _show(path: str, source: str) -> None:
    """Make it readable, if it exists and is not inside something that is shown already."""
    if os.path.lexists(path) or not os.path.exists(source):
        return
    if path.count("/") == 1 and source != f"/old{path}":
        os.symlink(source[4:], path)  # /bin is a link to /usr/bin on most machines
    elif os.path.isdir(source) or os.stat(source).st_mode & 0o004:
        _bind(source, path, kernel.MS_RDONLY | kernel.MS_NODEV)
    else:  # a file that root may read, but not the user the bot will be
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(source, "rb") as given, open(path, "wb") as copy:
            copy.write(given.read())
        os.chmod(path, 0o555)


def _bind(source: str, path: str, flags: int = 0) -> None:
    """Mount a file or folder at a path."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.isdir(source):
        os.mkdir(path)
    else:
        os.close(os.open(path, os.O_CREAT))
    kernel.mount(source, path, None, kernel.MS_BIND | kernel.MS_REC)
    kernel.restrict_mount(path, flags | kernel.MS_NOSUID, recursive=True)


# The bot


def _be_bot(spec: Spec, body: Body) -> NoReturn:
    """Do what the bot does, in a session of its own, so that it shares no signal with the rest."""
    try:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        home = os.getcwd()
        os.environ.clear()
        os.environ.update(spec["env"], HOME=home, TMPDIR=home)
        body()
        os._exit(0)
    except BaseException as error:  # the end of this process, whatever it is
        _write_error(f"{type(error).__name__}: {error}")
        os._exit(NOT_STARTED)


def _execute(command: list[str]) -> None:
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)  # as programs expect; Python ignores them
    try:
        os.execvp(command[0], command)  # noqa: S606 - that is what we are for
    except OSError as error:
        _write_error(f"cannot be started: {error.strerror}")
        os._exit(NOT_STARTED)


# Without namespaces, for users who agreed to it


def _run_weak(spec: Spec, body: Body) -> int:
    """Give it a session, limits and a scratch folder; nothing keeps it from the user's files."""
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
            _be_bot(spec, body)
        finally:
            os._exit(NOT_STARTED)
    meaning = {int(PAUSE): signal.SIGSTOP, int(RESUME): signal.SIGCONT}
    try:
        code = _wait_for(bot, lambda number: _signal_family(bot, meaning.get(number, number)))
        return _bot_code(code)
    finally:
        with contextlib.suppress(ChildProcessError):
            while True:
                _signal_family(bot, signal.SIGKILL)
                os.waitpid(-1, 0)
        shutil.rmtree(scratch, ignore_errors=True)


def _signal_family(bot: int, number: int) -> None:
    """Send a signal to the bot and, where they can be found, to all its descendants."""
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


# Small parts


def _close_streams(streams: Iterable[int]) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in streams:
        os.dup2(nothing, stream)
    os.close(nothing)


def _exit_code(status: int) -> int:
    """Return how a process ended, as a shell reports it."""
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _bot_code(code: int) -> int:
    """Return a bot's own exit code, which must not be mistaken for one of ours."""
    return OTHER_CODE if RAN_WHILE_PAUSED <= code <= NO_SANDBOX else code


def _stat(pid: str) -> list[bytes]:
    """Return the fields of /proc/PID/stat after the number and the name."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write_error(sentence: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"{sentence}\n".encode(errors="replace"))


def main() -> None:
    """Run `SPEC COMMAND…`: the command, in a sandbox."""
    sys.exit(run(json.loads(sys.argv[1]), lambda: _execute(sys.argv[2:])))
