"""The only SQL: tables, set-ups, talks, trainings and tournaments in SQLite or PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.store.database import Unavailable as Unavailable
    from parlour.store.models import (
        Pairing as Pairing,
        Seat as Seat,
        Setup as Setup,
        Table as Table,
        Talk as Talk,
        Tournament as Tournament,
        Training as Training,
    )
    from parlour.store.notifications import EVERYTHING as EVERYTHING
    from parlour.store.store import Store as Store, open_store as open_store
else:
    __getattr__ = export(
        __name__,
        {
            "database": "Unavailable",
            "models": "Pairing Seat Setup Table Talk Tournament Training",
            "notifications": "EVERYTHING",
            "store": "Store open_store",
        },
    )
