"""A table: its set-up, its page, the moves made there, and the bots that sit at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.table import routes as routes, service as service, setup as setup
    from parlour.faces.web.table.bots import bots_for as bots_for, read_bot as read_bot
    from parlour.faces.web.table.chart import (
        Point as Point,
        mark_of as mark_of,
        value_chart as value_chart,
    )
    from parlour.faces.web.table.driver import Driver as Driver
    from parlour.faces.web.table.state import (
        LONGEST_NAME as LONGEST_NAME,
        called as called,
        game_of as game_of,
        is_between_people as is_between_people,
        is_full as is_full,
        person_name as person_name,
        plainly as plainly,
        seats_of as seats_of,
        titled as titled,
        whose as whose,
    )
    from parlour.faces.web.table.view import as_seen as as_seen
else:
    __getattr__ = export(
        __name__,
        {
            "bots": "bots_for read_bot",
            "chart": "Point mark_of value_chart",
            "driver": "Driver",
            "routes": "",
            "service": "",
            "setup": "",
            "state": (
                "LONGEST_NAME called game_of is_between_people is_full person_name plainly "
                "seats_of titled whose"
            ),
            "view": "as_seen",
        },
    )
