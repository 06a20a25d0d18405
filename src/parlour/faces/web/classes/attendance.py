"""Which pupils are there: those with a page of their class open, on any server.

The page of the teacher is shown again after each change. A pupil whose last page closed counts as
there for a moment more, as a phone does that changes its network.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Sequence

from parlour.faces.web.classes.service import PUPIL, TEACHING
from parlour.faces.web.live import Hub
from parlour.faces.web.presence import PAUSE, STALE, Presence
from parlour.store import Pupil, Sighting, Store, Unavailable

GRACE = 5.0  # seconds for which somebody who left is still there


def list_present(sightings: Iterable[Sighting], now: float) -> set[str]:
    """Return the ids of the pupils who are there."""
    return {
        each.page
        for each in sightings
        if (now - each.gone < GRACE if each.gone else now - each.seen < STALE)
    }


class Attendance(Presence):
    """The pupils with a page open on this server."""

    def __init__(self, store: Store, hub: Hub) -> None:
        super().__init__(store, hub, store.class_presence, PUPIL, TEACHING)

    def note_view(self, pupil: Pupil) -> None:
        """Note that a pupil has asked for their page, perhaps without scripts; from any thread."""
        self._note_view(pupil.id, pupil.owner, GRACE)

    async def _show(self, changed: Sequence[Sighting], noted: set[str]) -> None:
        """Show the teachers who came and went, and again when those have been gone for long."""
        left = max(each.gone for each in changed) + GRACE - time.time()
        for class_id in noted:
            self._hub.announce(f"{TEACHING}{class_id}")
            if left > 0:
                again = f"{TEACHING}{class_id}"
                self._loop.call_later(left + PAUSE, self._announce_everywhere, again)

    def _announce_everywhere(self, topic: str) -> None:
        """Show a teacher that somebody has been gone for long enough."""
        self._hub.announce(topic)

        def tell() -> None:
            with contextlib.suppress(Unavailable):
                self._store.notify(topic)

        self._loop.run_in_executor(None, tell)
