"""The `kernel` decorator: it compiles a function once and caches it for later processes.

numba's own cache notices only changes in the file of the function itself: a helper or a constant
changed elsewhere would give stale results for ever. So the kernels of a file are cached in a folder
named by the hash of that file and of all kernel files it builds on, and a change to any of these
starts a new one. A kernel has exactly one signature and is loaded, not compiled, by every process
after the first.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm
import numba
from numba import config, njit

HERE = Path(__file__).parent
COMPILING = logging.getLogger("parlour.kernels")  # logs every kernel not yet in the cache
KERNELS: dict[str, object] = {}  # every kernel loaded so far, by its full name


def kernel(signature):
    """Compile a function for exactly this signature, once, and cache it for later processes."""

    def decorate(function):
        folder = cache_folder(function.__module__.removeprefix("parlour.kernels."))
        if not any(folder.glob(f"*/*.{function.__name__}-*.nbi")):
            COMPILING.info("compiling %s", function.__name__)
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            compiled = njit(signature, cache=True, nogil=True)(function)
        finally:
            config.CACHE_DIR = before
        KERNELS[f"{function.__module__}.{function.__name__}"] = compiled
        return compiled

    return decorate


def source(module):
    """Return the file of a kernel module, which is named as in `othello.search`."""
    path = HERE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def builds_on(module):
    """Return the kernel modules that one is built from, itself among them."""
    found = {module, "compiler"}
    text = source(module).read_text(encoding="utf-8")
    for name in re.findall(r"from parlour\.kernels\.([\w.]+) import", text):
        if name not in found:
            found |= builds_on(name)
    return frozenset(found)


@cache
def cache_folder(module):
    """Return the folder for the compiled kernels of exactly this version of a module.

    It lies beside the sources, as Python's own cache does, or in the user's cache where the
    sources cannot be written.
    """
    target = f"{numba.__version__} {config.CPU_NAME or llvm.get_host_cpu_name()}"
    parts = [target.encode(), *(source(name).read_bytes() for name in sorted(builds_on(module)))]
    stamp = hashlib.sha256(b"".join(parts)).hexdigest()[:16]
    name = f"kernels-{module}-{stamp}"
    folder = HERE / "__pycache__" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            _remove_others(folder, module)
            return folder
    except OSError:
        pass  # another user's, or a read-only disk
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    shared = Path(home) / "parlour" / name
    try:
        shared.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="parlour-kernels-"))
    return shared


def _remove_others(folder, module):
    """Remove what was compiled from earlier versions of the module."""
    for old in folder.parent.glob(f"kernels-{module}-{'?' * 16}"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
