"""Compiled functions on integers and arrays, each behind the one `kernel` decorator.

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
COMPILING = logging.getLogger(__name__)  # told of every kernel that is not yet in the cache
KERNELS: dict[
    str, object
] = {}  # every kernel loaded so far, by name, for the tests that guard the two promises


def kernel(signature):
    """Compile a function for exactly this signature, once, and cache it for later processes."""

    def decorate(function):
        folder = cache_folder(Path(function.__code__.co_filename).stem)
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


@cache
def builds_on(module):
    """The kernel modules that one is built from, itself among them."""
    source = (HERE / f"{module}.py").read_text()
    found = {module, "__init__"}
    for name in re.findall(r"from parlour\.kernels\.(\w+) import", source):
        found |= builds_on(name)
    return frozenset(found)


@cache
def cache_folder(module):
    """Where the compiled kernels of exactly this module are kept.

    Beside the sources, as Python keeps its own; where that may not be written, in the user's cache.
    """
    sources = (HERE / f"{name}.py" for name in sorted(builds_on(module)))
    target = f"{numba.__version__} {config.CPU_NAME or llvm.get_host_cpu_name()}"
    parts = [target.encode(), *(source.read_bytes() for source in sources)]
    stamp = hashlib.sha256(b"".join(parts)).hexdigest()[:16]
    name = f"kernels-{module}-{stamp}"
    folder = HERE / "__pycache__" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            _forget_others(folder, module)
            return folder
    except OSError:
        pass  # somebody else's, or a disk that cannot be written
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    shared = Path(home) / "parlour" / name
    try:
        shared.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="parlour-kernels-"))
    return shared


def _forget_others(folder, module):
    """Remove what was compiled from the module as it was."""
    for old in folder.parent.glob(f"kernels-{module}-{'?' * 16}"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
