"""The stream of a table for programs: every change as JSON; by WebSocket, also moves."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from starlette.websockets import WebSocket

from parlour.core import BadText, ParlourError
from parlour.faces.web import errors as problems
from parlour.faces.web.api.routes import TableId
from parlour.faces.web.house import House
from parlour.faces.web.identity import Visitor, token_owner
from parlour.faces.web.live import GONE, Page, held
from parlour.faces.web.rate_limit import Limit
from parlour.faces.web.requests import house_of, visitor_of
from parlour.faces.web.table import plainly
from parlour.faces.web.table import service as verbs
from parlour.store import Table

MOST_STREAMS = 200  # open at once with one token, or without one from one address
LONGEST = 2_000  # characters of a message
MOST_SECONDS = 60
BEAT = 10.0  # seconds between two signs of life, so that nobody between us closes the line

EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "the version of the table"},
        "event": {"const": "table"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
}

router = APIRouter(prefix="/api", tags=["parlour"])


@router.get(
    "/tables/{table_id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {"schema": EVENT}}}},
)
async def events(
    request: Request,
    table_id: TableId,
    seconds: Annotated[int, Query(ge=0, le=MOST_SECONDS)] = 30,
) -> StreamingResponse:
    """A table as server-sent events: now, and at every change, for so many seconds."""
    house, visitor = house_of(request), visitor_of(request)
    table = await house.run(verbs.read, house, table_id)
    await house.run(_event, table)  # refused now, if nobody here knows the game any more
    whose = visitor.owner or visitor.address
    if not house.hub.has_room(whose, MOST_STREAMS):
        raise problems.TooMany(f"{MOST_STREAMS} streams are open for you already; close some")
    events = _events(house, table, whose, seconds)
    return StreamingResponse(events, media_type="text/event-stream")


async def _events(house: House, table: Table, whose: str, seconds: int) -> AsyncIterator[str]:
    queue: asyncio.Queue[str] = asyncio.Queue(1)
    page = Page(queue.put, f"table:{table.id}", whose, lambda _: "events", _event)
    house.hub.enter(page)
    house.driver.wake(table)
    try:
        table = await house.run(verbs.read, house, table.id)  # it may have changed before we came
        first = await house.run(_event, table)
        yield await queue.get() if page.told else first
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                yield await asyncio.wait_for(queue.get(), min(left, BEAT))
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        house.hub.leave(page)


def _event(table: Any) -> str:
    return f"id: {table.version}\nevent: table\ndata: {_written(table)}\n\n"


async def stream(socket: WebSocket) -> None:
    """Send the table at once and at every change; take moves, and answer each.

    A browser cannot set headers here, so the token may also come as the first message,
    `{"token": …}`.
    """
    house: House = socket.app.state.house
    visitor: Visitor = socket.state.visitor
    name = socket.path_params["table_id"]
    await socket.accept()
    topic = f"table:{name}"
    whose = visitor.owner or visitor.address
    page = Page(socket.send_text, topic, whose, lambda table: "stream", _written)
    if not house.hub.has_room(whose, MOST_STREAMS):
        await socket.close(4429)
        return
    pace = Limit(rate=20, burst=60)
    async with held(house, socket, page):
        table = await house.run(house.store.tables.get, name)
        if table is None:
            await socket.close(GONE)
            return
        house.driver.wake(table)
        if not page.told:
            page.send(_written(table))
        while True:
            text = await socket.receive_text()
            try:
                if not pace.take(""):
                    raise problems.TooMany("that was too much at once; wait a moment")
                said = _read(text)
                if "token" in said:
                    visitor = Visitor(token_owner(said["token"]), address=visitor.address)
                    answer: dict[str, Any] = {"ok": True}
                else:
                    move = partial(verbs.move, house, name, visitor, said["move"], said["at"])
                    moved = await house.clerk.do(move)
                    answer = {"ok": True, "moves": len(moved.moves)}
            except ParlourError as refusal:
                answer = problems.document(problems.status_of(refusal), str(refusal))
            await socket.send_text(json.dumps(answer))


def _written(table: Any) -> str:
    return json.dumps(plainly(table))


def _read(text: str) -> dict[str, Any]:
    """A token, or a move with the number of moves it was chosen after."""
    try:
        said = json.loads(text[:LONGEST])
    except (ValueError, RecursionError):
        said = None
    if isinstance(said, dict):
        token, move, at = said.get("token"), said.get("move"), said.get("at")
        if isinstance(token, str) and token and token.isascii():
            return {"token": token}
        if token is None and isinstance(move, str) and (at is None or type(at) is int):
            return {"move": move, "at": at}
    raise BadText('send {"move": "b2", "at": 3} to move, or {"token": "…"} to say who you are')
