"""The world a bot lives in: a root of its own, with nothing on it but what it is shown.

It is made of mounts that only this process and its children have. What is shown is bound to where
it is outside, to be read and not to be written; all else is memory, and gone with the last of them.
"""

# pathlib would take longer to load than all of this
# ruff: noqa: PTH101, PTH102, PTH103, PTH106, PTH110, PTH112, PTH116, PTH120, PTH123, PTH211
# ruff: noqa: S103, S108 - /tmp is the bot's own here, on a root that nobody else sees
from __future__ import annotations

import os

from parlour.arena.sandbox import syscalls as kernel

SCRATCH = 16  # MiB the bot may write, all of it in its own /tmp
MOST_FILES = 4096  # there
NEW = (
    *(kernel.CLONE_NEWNS, kernel.CLONE_NEWNET, kernel.CLONE_NEWIPC),
    *(kernel.CLONE_NEWUTS, kernel.CLONE_NEWCGROUP),
)


def build(show: list[str], kernels: list[str]) -> None:
    """Make a new root for this process, in memory, where these files and folders can be read.

    Folders of compiled kernels are among what is shown; they look as if they could be written to.
    """
    real = {path: os.path.realpath(path) for path in (*show, *kernels)}
    os.umask(0o022)
    kernel.unshare(sum(NEW))
    kernel.set_host_name("sandbox")
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)  # we change nobody else's
    _memory_at("/sys", "mode=755")  # a folder that is everywhere, and is not shown
    os.mkdir("/sys/old")
    kernel.pivot_root("/sys", "/sys/old")
    os.chdir("/")
    # From here on every path is one of the new root, and no link can lead out of it.
    scratch = f"size={SCRATCH}m,nr_inodes={MOST_FILES},mode=777"
    os.mkdir("/tmp")
    _memory_at("/tmp", scratch)
    for path in show:
        _show(path, f"/old{real[path]}")
    for name in ("null", "zero", "random", "urandom"):
        _bind(f"/old/dev/{name}", f"/dev/{name}")
    os.symlink("/tmp", "/dev/shm")  # where semaphores are made
    os.mkdir("/proc")
    silent = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("proc", "/proc", "proc", silent)
    for number, path in enumerate(kernels):
        if os.path.isdir(f"/old{real[path]}"):  # else it was just compiled anew, elsewhere
            _bind(f"/old{real[path]}", f"/kernels/{number}", kernel.MS_RDONLY)
            os.makedirs(path, exist_ok=True)
            _memory_at(path, scratch)  # numba loads nothing from where it cannot write
            _link_all(f"/kernels/{number}", path)
    kernel.unmount("/old")
    os.rmdir("/old")
    kernel.restrict_mount("/", kernel.MS_RDONLY, all_below=False)
    os.chdir("/tmp")


def _memory_at(path: str, options: str) -> None:
    kernel.mount("tmpfs", path, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)


def _show(path: str, source: str) -> None:
    """Let it be read, if it is there, and is not inside something that is shown already."""
    if os.path.lexists(path) or not os.path.exists(source):
        return
    if path.count("/") == 1 and source != f"/old{path}":
        os.symlink(source[4:], path)  # /bin is a link to /usr/bin on most machines
    elif os.path.isdir(source) or os.stat(source).st_mode & 0o004:
        _bind(source, path, kernel.MS_RDONLY | kernel.MS_NODEV)
    else:  # a file that root may read, but not whoever the bot will be
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(source, "rb") as given, open(path, "wb") as copy:
            copy.write(given.read())
        os.chmod(path, 0o555)


def _bind(source: str, path: str, flags: int = 0) -> None:
    """Let a file or folder be seen at a path."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.isdir(source):
        os.mkdir(path)
    else:
        os.close(os.open(path, os.O_CREAT))
    kernel.mount(source, path, None, kernel.MS_BIND | kernel.MS_REC)
    kernel.restrict_mount(path, flags | kernel.MS_NOSUID, all_below=True)


def _link_all(source: str, path: str) -> None:
    """The same folders, with links to the files; everybody may write there."""
    for folder, _, files in os.walk(source):
        here = path + folder[len(source) :]
        os.makedirs(here, exist_ok=True)
        os.chmod(here, 0o777)
        for file in files:
            os.symlink(f"{folder}/{file}", f"{here}/{file}")
