"""What nobody comes back to is thrown away: when the server starts, and every day after.

Games that were played to their end are kept. Of several servers each may sweep; what one has thrown
away the others do not find.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from parlour.store import Store

if TYPE_CHECKING:
    from parlour.faces.web.house import House

LOG = logging.getLogger("parlour")

DAY = 24 * 3600.0  # seconds
UNBEGUN = 2 * DAY  # tables where nobody has moved
UNFINISHED = 30 * DAY  # other tables whose game is not over
FORGOTTEN = 180 * DAY  # menus and talks


def sweep(store: Store, now: float) -> int:
    """Throw away what is too old; how many things that were."""
    return (
        store.tables.prune(now - UNBEGUN, over=False, played=False)
        + store.tables.prune(now - UNFINISHED, over=False)
        + store.setups.prune(now - FORGOTTEN)
        + store.talks.prune(now - FORGOTTEN)
    )


async def sweep_daily(house: House) -> None:
    """Sweep now, and every day."""
    while True:
        try:
            await house.run(sweep, house.store, time.time())
        except Exception:  # there is another day tomorrow
            LOG.exception("what is old could not be thrown away")
        await asyncio.sleep(DAY)
