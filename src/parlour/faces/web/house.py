"""The house: what every page and verb is handed, made once when the server starts.

It knows the store, those who think, and the pages that are open; whatever changes is announced
through it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import jinja2

from parlour.core import sentence
from parlour.faces.web.batching import Clerk
from parlour.faces.web.identity import Visitor
from parlour.faces.web.live import Hub
from parlour.faces.web.rate_limit import Limit
from parlour.faces.web.review import Analyst
from parlour.faces.web.school import School
from parlour.faces.web.table import Driver
from parlour.faces.web.tournaments import Runner
from parlour.faces.web.workers import Answers, Thinkers, Valuer
from parlour.store import EVERYTHING, Store, Table, Unavailable

T = TypeVar("T")


@dataclass(frozen=True)
class Live:
    """How a kind of topic is shown on open pages."""

    fetch: Callable[[House, str], Any]  # the thing of this name as it is stored; None for none
    role: Callable[[Any, Visitor], Any]  # visitors of one role are shown the same
    render: Callable[[House, Any, Visitor, str], str]  # the inside of <main>, for a view
    aside: bool = True  # whether it is written in a thread; who plays does not wait for that
    pause: float = 0.0  # seconds between two of these at least


class House:
    """One running server."""

    def __init__(self, store: Store, thinkers: Thinkers, live: Mapping[str, Live]) -> None:
        self.store = store
        self.thinkers = thinkers
        self.live = live
        self.loop = asyncio.get_running_loop()
        self.hub = Hub(self._fetch)
        self.clerk = Clerk(store)
        self.driver = Driver(self)
        self.making = Limit(rate=2, burst=60)  # new things of one browser
        self.making_by_address = Limit(rate=20, burst=600)  # a whole class may share one
        self.bots: dict[str, list[dict[str, Any]]] = {}  # who plays a variant, once asked
        self.valuer = Valuer(self)
        self.analyst = Analyst(self)
        self.answers = Answers(thinkers, most=500)  # of a few kB each
        self.atlases = Answers(thinkers, most=12)  # of a MB each
        self.runner = Runner(self)
        self.school = School(self)
        self.templates = jinja2.Environment(
            loader=jinja2.PackageLoader("parlour.faces.web"),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self.templates.filters["sentence"] = sentence

    async def _fetch(self, topic: str) -> Any:
        kind, _, name = topic.partition(":")
        return await self.run(self.live[kind].fetch, self, name) if kind in self.live else None

    async def run(self, call: Callable[..., T], *values: Any) -> T:
        """What a call that may wait for the store returns; others go on meanwhile."""
        return await asyncio.to_thread(call, *values)

    def looked_at(self, table: Table) -> None:
        """Somebody looks at a table: its bots go on if they wait for that; from any thread."""
        self.hub.look(f"table:{table.id}")
        self.driver.wake(table)

    def changed(self, table: Table) -> None:
        """A table was stored anew: open pages are told, and its bots woken; from any thread."""
        self.hub.announce(f"table:{table.id}", table)
        if table.listed and (not table.moves or table.result is not None):
            self.hub.announce("lobby:")
            with contextlib.suppress(Unavailable):  # what was stored is stored
                self.store.notify("lobby:")
        self.driver.wake(table)

    def wake_all(self) -> None:
        """Go on with whatever was left by a server that is gone."""
        self.driver.wake_all()
        self.school.wake_all()
        self.runner.wake_all()

    def heard(self, topic: str) -> None:
        """Another server has changed something, or, after a silence, perhaps anything."""
        if topic == EVERYTHING:
            self.hub.announce_all()
            with contextlib.suppress(Unavailable):  # then this is heard again
                self.wake_all()
        else:
            self.hub.announce(topic, newer=True)

    def render(self, template: str, **values: Any) -> str:
        """A template filled in."""
        return self.templates.get_template(template).render(**values)
