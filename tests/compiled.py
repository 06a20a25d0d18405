"""Compiled functions around helpers of the kernels, which Python itself cannot call.

Every process that runs tests imports all of them, so these compile when they are first called.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def compiled(signature: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile a function for these types at its first call."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.cache
        def compile_it() -> Callable[..., Any]:
            from numba import njit

            made: Callable[..., Any] = njit(signature, **options)(function)
            return made

        @functools.wraps(function)
        def call(*arguments: Any) -> Any:
            return compile_it()(*arguments)

        return call

    return decorate
