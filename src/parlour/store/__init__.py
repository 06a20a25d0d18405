"""The only SQL: tables, talks, trainings, tournaments and accounts in SQLite or PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.store.database import EVERYTHING, Unavailable
    from parlour.store.events import Event
    from parlour.store.models import (
        Account,
        Challenge,
        Feed,
        Pairing,
        Seat,
        Setup,
        Table,
        Talk,
        Tournament,
        Training,
    )
    from parlour.store.server_lock import claim
    from parlour.store.store import Store, open_store
else:
    __getattr__ = export(__name__)
