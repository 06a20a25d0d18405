"""The WebSocket of pages: it sends the inside of a page anew whenever its topic has changed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from parlour.core import ParlourError
from parlour.faces.web.house import House
from parlour.faces.web.identity import Visitor
from parlour.faces.web.live.hub import Page
from parlour.store import Table, Unavailable

GONE = 4404  # the page need not come back
LATER = 1013  # it may try again
MOST_TOPIC = 100
MOST_PAGES = 40  # open at once in one browser


@contextlib.asynccontextmanager
async def held(house: House, socket: WebSocket, page: Page) -> AsyncIterator[None]:
    """The page hears of its topic meanwhile; what ends it says whether it should come back."""
    house.hub.enter(page)
    try:
        yield
    except (WebSocketDisconnect, KeyError, RuntimeError):
        pass
    except Unavailable:
        await socket.close(LATER)
    except ParlourError:  # nobody here knows that game any more, or that view of it
        await socket.close(GONE)
    finally:
        house.hub.leave(page)


async def live(socket: WebSocket) -> None:
    """Keep one page up to date for as long as it is open."""
    house: House = socket.app.state.house
    visitor: Visitor = socket.state.visitor
    topic = socket.query_params.get("topic", "")[:MOST_TOPIC]
    view = socket.query_params.get("view", "")[:MOST_TOPIC]
    kind, _, name = topic.partition(":")
    shown = house.live.get(kind)
    await socket.accept()
    whose = visitor.owner or visitor.address
    if shown is None:
        await socket.close(GONE)
        return
    if not house.hub.has_room(whose, MOST_PAGES):
        await socket.close(LATER)
        return

    def render(thing: Any) -> str:
        html = shown.render(house, thing, visitor, view)
        return json.dumps({"version": thing.version, "html": html})

    def role(thing: Any) -> Any:
        return shown.role(thing, visitor), view

    page = Page(socket.send_text, topic, whose, role, render, aside=shown.aside, pause=shown.pause)
    async with held(house, socket, page):
        thing = await house.run(shown.fetch, house, name)
        if thing is None:
            await socket.close(GONE)
            return
        if isinstance(thing, Table):
            house.driver.wake(thing)  # the server that asked its bot may be gone
        have = socket.query_params.get("have", "")
        if not page.told and (str(thing.version) != have or view):
            text = await page.drawn(thing)
            if not page.told:
                page.send(text)
        while True:
            await socket.receive_text()  # a page has nothing to say here; it only stays
