"""Untrusted bots, shut in by Linux namespaces and held to limits of memory, time and processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.arena.sandbox import launcher
    from parlour.arena.sandbox.faults import Fault, Lost
    from parlour.arena.sandbox.referee_side import seated
    from parlour.arena.sandbox.syscalls import die_with_parent
else:
    __getattr__ = export(__name__)
