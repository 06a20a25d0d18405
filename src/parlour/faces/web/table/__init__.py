"""A table: its set-up, its page, the moves made there, and the bots that sit at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.table import routes, service, setup
    from parlour.faces.web.table.bots import bots_for, read_bot
    from parlour.faces.web.table.chart import Point, mark_of, value_chart
    from parlour.faces.web.table.driver import Driver
    from parlour.faces.web.table.state import (
        LONGEST_NAME,
        called,
        game_of,
        is_between_people,
        is_full,
        person_name,
        plainly,
        seats_of,
        titled,
        whose,
    )
    from parlour.faces.web.table.view import as_seen
else:
    __getattr__ = export(__name__)
