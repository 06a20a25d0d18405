"""Compiled functions on integers and arrays, each behind the one `kernel` decorator.

numba's own cache notices only changes in the file of the function itself: a helper or a constant
changed elsewhere would give stale results for ever. So the cache of our kernels lives in a folder
named by the hash of all kernel files, and any change to any of them starts a new one. A kernel has
exactly one signature and is loaded, not compiled, by every process after the first.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from numba import config, njit

HERE = Path(__file__).parent
KERNELS: dict[
    str, object
] = {}  # every kernel loaded so far, by name, for the tests that guard the two promises


def kernel(signature):
    """Compile a function for exactly this signature, once, and cache it for later processes."""

    def decorate(function):
        before = config.CACHE_DIR
        config.CACHE_DIR = str(cache_folder())
        try:
            compiled = njit(signature, cache=True, nogil=True)(function)
        finally:
            config.CACHE_DIR = before
        KERNELS[f"{function.__module__}.{function.__name__}"] = compiled
        return compiled

    return decorate


@cache
def cache_folder():
    """Where the compiled kernels of exactly these sources are kept.

    Beside the sources, as Python keeps its own; where that may not be written, in the user's cache.
    """
    sources = sorted(HERE.glob("*.py"))
    stamp = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    caches = HERE / "__pycache__"
    folder = caches / f"kernels-{stamp}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            _forget_others(folder)
            return folder
    except OSError:
        pass  # somebody else's, or a disk that cannot be written
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    shared = Path(home) / "parlour" / f"kernels-{stamp}"
    try:
        shared.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="parlour-kernels-"))
    return shared


def _forget_others(folder):
    """Remove what was compiled from other sources."""
    for old in folder.parent.glob("kernels-*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
