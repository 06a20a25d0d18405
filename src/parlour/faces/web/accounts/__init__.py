"""Bot accounts: who they are, challenges to a game, the events of each account, and feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.accounts.challenges import ChallengesDep, ChallengeService
    from parlour.faces.web.accounts.events import EventsDep, EventStream, Greeting
    from parlour.faces.web.accounts.feeds import FeedsDep, FeedService
    from parlour.faces.web.accounts.routes import SECTION, BotsHere, list_bots_here
    from parlour.faces.web.accounts.service import AccountsDep, AccountService, is_here
else:
    __getattr__ = export(__name__)
