"""Proofs as files: certificates, the claims they rest on, and an independent checker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.truth.proofs.certificates import certificate
    from parlour.truth.proofs.checker import check
    from parlour.truth.proofs.claims import Claims, Graph, History, Proof
else:
    __getattr__ = export(__name__)
