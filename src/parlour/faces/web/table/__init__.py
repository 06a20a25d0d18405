"""A table: its set-up, its page, the moves made there, and the bots that play at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.table.bots import (
        BotCatalogue,
        BotDriver,
        OwnPlayer,
        PlayerSource,
        Sources,
        describe_bot,
        list_levels,
        read_bot,
        source_of,
    )
    from parlour.faces.web.table.pairing import PairingDep, PairingService, topic_of
    from parlour.faces.web.table.routes import SECTION
    from parlour.faces.web.table.service import (
        ACTIONS,
        MAX_NAME,
        TablesDep,
        TableService,
        clean_name,
        game_of,
        is_between_people,
        is_full,
        is_known,
        is_without_help,
        leave_game,
        match_of,
        player_name,
        read_name,
        seats_of,
        seconds_left,
        title_of,
    )
    from parlour.faces.web.table.setup import BotsDep, change_setup, list_clocks, read_clock
    from parlour.faces.web.table.tasks import give_hats
    from parlour.faces.web.table.values import Point, Valuations, mark_of, value_chart
    from parlour.faces.web.table.view import (
        list_rules,
        name_opening,
        say_reason,
        say_winners,
    )
else:
    __getattr__ = export(__name__)
