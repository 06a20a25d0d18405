"""Proofs as files: certificates of solved positions, and an independent checker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.proofs.certificates import certificate
    from parlour.truth.proofs.checker import Refuted, check
else:
    __getattr__ = export(__name__)
