"""The only SQL: tables, people, talks, classes, tournaments, accounts in SQLite or PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.store.backup import list_deletions, restore_backup, write_backup
    from parlour.store.choices import Counted
    from parlour.store.classes import PupilAnswer
    from parlour.store.database import EVERYTHING, Peers, Unavailable
    from parlour.store.events import Event
    from parlour.store.hosting import Bar
    from parlour.store.models import (
        Account,
        Challenge,
        Classroom,
        Feed,
        Homework,
        Pairing,
        Person,
        Pupil,
        PupilWork,
        PuzzleCard,
        Question,
        Seat,
        Setup,
        StoredPuzzle,
        StoredStudy,
        Table,
        Talk,
        Tournament,
        Training,
    )
    from parlour.store.people import Deletion, hash_owner
    from parlour.store.presence import Sighting, Sightings, Waiter
    from parlour.store.repository import Conflict
    from parlour.store.server_lock import claim, find_server
    from parlour.store.store import Store, has_database, open_store
    from parlour.store.tables import Result
else:
    __getattr__ = export(__name__)
