"""Where compiled kernels are kept: in the user's cache folder, and in some wheels.

A file holds the code of one kernel. Its folder is named by a hash of all that the code depends on:
the kernel files it is built from, the versions of Python, numba and llvmlite, and the processor. So
two installations share a file only where both would compile the same, and a change to any of these
starts a new folder. Nothing is written beside the sources.

A wheel for one platform may hold kernels for a level of processors, such as x86-64-v3. They are
used where the processor has that level and all versions agree; a file that is damaged or does not
fit is not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

try:
    import fcntl
except ImportError:  # without such locks two processes may compile the same
    fcntl = None  # type: ignore[assignment]  # mypy knows only the system it runs on

HERE = Path(__file__).parent
SHIPPED = HERE / "compiled"  # in wheels for one platform
SUFFIX = ".kernel"
DIGEST = 32  # bytes of a SHA-256, before the data
FORGOTTEN = 60 * 24 * 3600  # seconds after which a folder that nobody used is removed
USED = 24 * 3600  # seconds between two notes that a folder is in use

V3 = (
    *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf"),
    *("sse3", "sse4.1", "sse4.2", "ssse3", "xsave"),
)
V4 = (*V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
X86 = {"x86-64-v4": V4, "x86-64-v3": V3}
LEVELS = {  # of processors, by machine: the best first, with what each must be able to do
    "x86_64": X86,
    "AMD64": X86,  # Windows' name for it
    "aarch64": {"generic": ()},
    "arm64": {"generic": ()},  # Apple's name for it
}
SLOW_EXTRACT = ("znver1", "znver2")  # processors that have `bmi2` only in microcode


# What a kernel is made for


def host():
    """Return the processor's name and whatever else it can do, as LLVM names them."""
    import llvmlite.binding as llvm
    from numba import config

    name = config.CPU_NAME or llvm.get_host_cpu_name()
    features = config.CPU_FEATURES
    if features is None:
        features = "" if config.CPU_NAME else llvm.get_host_cpu_features().flatten()
    return f"{name} {features}"


def levels():
    """Return the levels that this processor has, the best first."""
    import llvmlite.binding as llvm

    known = LEVELS.get(platform.machine(), {})
    features = llvm.get_host_cpu_features()
    slow = llvm.get_host_cpu_name() in SLOW_EXTRACT
    return [
        name
        for name, needed in known.items()
        if all(features.get(feature) for feature in needed) and not (slow and "bmi2" in needed)
    ]


def features_of(level):
    """Return the features of a level as numba's setting `NUMBA_CPU_FEATURES` takes them."""
    return ",".join(f"+{feature}" for feature in LEVELS[platform.machine()][level])


def source(module):
    """Return the file of a kernel module, which is named as in `othello.search`."""
    path = HERE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def builds_on(module):
    """Return the kernel modules that one is built from, itself among them."""
    found = {module, "compiler", "objects"}
    text = source(module).read_text(encoding="utf-8")
    for name in re.findall(r"from parlour\.kernels\.([\w.]+) import", text):
        if name not in found:
            found |= builds_on(name)
    return frozenset(found)


@cache
def folder_name(module, target):
    """Return the name of the folder for the kernels of exactly this version of a module."""
    import llvmlite
    import numba

    versions = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__)
    system = (sys.platform, platform.machine())
    parts = [" ".join((*versions, *system, target)).encode()]
    parts += [source(name).read_bytes() for name in sorted(builds_on(module))]
    return f"{module}-{hashlib.sha256(b''.join(parts)).hexdigest()[:16]}"


# Folders


@cache
def cache_folder() -> Path:
    """Return the folder of all that was compiled here, or one that cannot be written to.

    It is `PARLOUR_CACHE`, or else in the user's cache folder. Where there is no home to write to it
    is a temporary folder, the same for all processes of a user.
    """
    if given := os.environ.get("PARLOUR_CACHE"):
        return Path(given)
    with contextlib.suppress(OSError, RuntimeError):  # a read-only disk, or nobody's home
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(home) / "parlour" / "kernels"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    return temporary_folder()


def temporary_folder() -> Path:
    """Return the user's folder among the temporary files.

    Code is loaded from it, so it must be nobody else's: one that is not ours alone is left, and
    this process then has a new one to itself.
    """
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    folder = Path(tempfile.gettempdir()) / f"parlour-kernels-{user}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        if _is_ours(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix="parlour-kernels-"))


def _is_ours(folder):
    """Return whether a folder is ours, not a link, and closed to everybody else."""
    if not hasattr(os, "getuid"):
        return True  # the folder for temporary files belongs to one user there
    found = folder.lstat()
    return (
        stat.S_ISDIR(found.st_mode)
        and found.st_uid == os.getuid()
        and not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    )


# Files


def read_object(module, name, *, own=False):
    """Return the code of a kernel, or None.

    It was made for this processor, or else, unless `own`, shipped for one of its levels.
    """
    folder = cache_folder() / folder_name(module, host())
    found = _read(folder / f"{name}{SUFFIX}")
    if found is not None:
        _note_use(folder)
    elif not own and SHIPPED.is_dir():
        paths = (SHIPPED / folder_name(module, level) / f"{name}{SUFFIX}" for level in levels())
        found = next((data for data in map(_read, paths) if data is not None), None)
    return found


def has_object(module, name, *, own=False):
    """Return whether the code of a kernel can be read."""
    return read_object(module, name, own=own) is not None


def write_object(module, name, data):
    """Keep the code of a kernel; where that is impossible, each process compiles for itself."""
    folder = cache_folder() / folder_name(module, host())
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / f"{name}{SUFFIX}", data)
        _remove_forgotten()


def write_file(path, data):
    """Write a file with its hash, all or nothing."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(hashlib.sha256(data).digest() + data)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _read(path):
    """Return what a file holds, or None where it is missing or damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data[DIGEST:] if hashlib.sha256(data[DIGEST:]).digest() == data[:DIGEST] else None


@contextlib.contextmanager
def hold(module, name):
    """Let one process at a time compile a kernel, while the others wait for the result."""
    file = None
    with contextlib.suppress(OSError):
        folder = cache_folder() / folder_name(module, host())
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / f".{name}.lock").open("ab")
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if file is not None:
            file.close()


def _note_use(folder):
    """Date a folder, so that it is not taken for a forgotten one."""
    with contextlib.suppress(OSError):
        if time.time() - folder.stat().st_mtime > USED:
            os.utime(folder)


def _remove_forgotten():
    """Remove what was compiled from versions that nobody has used for long."""
    for folder in cache_folder().iterdir():
        if time.time() - folder.stat().st_mtime > FORGOTTEN:
            shutil.rmtree(folder, ignore_errors=True)
