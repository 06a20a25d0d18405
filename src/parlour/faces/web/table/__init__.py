"""A table: its set-up, its page, the moves made there, and the bots that play at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.table import routes, setup
    from parlour.faces.web.table.bots import BotCatalogue, BotDriver, PlayerSource, read_bot
    from parlour.faces.web.table.chart import Point, mark_of, value_chart
    from parlour.faces.web.table.routes import TablesDep, ValuationsDep, table_topic
    from parlour.faces.web.table.service import TableService
    from parlour.faces.web.table.setup import BotsDep, change_setup
    from parlour.faces.web.table.state import (
        MAX_NAME,
        clean_name,
        game_of,
        is_between_people,
        is_full,
        player_name,
        seats_of,
        title_of,
    )
    from parlour.faces.web.table.tasks import TASKS, teach_hats
    from parlour.faces.web.table.values import Valuations
    from parlour.faces.web.table.view import TableView, table_to_dict, use_board_names
else:
    __getattr__ = export(__name__)
