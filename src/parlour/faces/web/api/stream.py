"""The changes of a table for programs: server-sent events, or a WebSocket that takes moves."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from starlette.websockets import WebSocket

from parlour.core import BadText, ParlourError
from parlour.faces.web import errors
from parlour.faces.web.api.routes import TableId
from parlour.faces.web.background import WriteQueue
from parlour.faces.web.clients import RateLimit, Visitor, token_owner
from parlour.faces.web.live import GONE, Hub, Page, subscribe
from parlour.faces.web.requests import HubDep, VisitorDep
from parlour.faces.web.table import TablesDep, TableService, table_to_dict
from parlour.store import Table

MAX_STREAMS = 200  # open at once with one token, or without one from one address
MAX_LENGTH = 2_000  # characters of a message
MAX_SECONDS = 60
HEARTBEAT = 10.0  # seconds between two comments that keep proxies from closing the connection

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
    table_id: TableId,
    visitor: VisitorDep,
    tables: TablesDep,
    hub: HubDep,
    seconds: Annotated[int, Query(ge=0, le=MAX_SECONDS)] = 30,
) -> StreamingResponse:
    """A table as server-sent events: now, and at every change, for some seconds."""
    table = await asyncio.to_thread(tables.read, table_id)
    await asyncio.to_thread(_event, table)  # refused now, if the game is not known any more
    owner = visitor.owner or visitor.address
    if not hub.has_room(owner, MAX_STREAMS):
        raise errors.TooMany(f"you already have {MAX_STREAMS} open streams; close some")
    stream = _events(hub, tables, table, owner, seconds)
    return StreamingResponse(stream, media_type="text/event-stream")


async def _events(
    hub: Hub, tables: TableService, table: Table, owner: str, seconds: int
) -> AsyncIterator[str]:
    queue: asyncio.Queue[str] = asyncio.Queue(1)
    page = Page(queue.put, f"table:{table.id}", owner, lambda _: "events", _event)
    hub.enter(page)
    tables.wake(table)
    try:
        table = await asyncio.to_thread(tables.read, table.id)  # it may have changed meanwhile
        first = await asyncio.to_thread(_event, table)
        yield await queue.get() if page.was_sent else first
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                yield await asyncio.wait_for(queue.get(), min(left, HEARTBEAT))
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        hub.leave(page)


def _event(table: Any) -> str:
    return f"id: {table.version}\nevent: table\ndata: {_to_json(table)}\n\n"


async def stream(socket: WebSocket) -> None:
    """Send the table at once and at every change; take moves, and answer each.

    A browser cannot set headers here, so the token may also come as the first message,
    `{"token": …}`.
    """
    hub: Hub = socket.app.state.hub
    tables: TableService = socket.app.state.tables
    writes: WriteQueue = socket.app.state.writes
    visitor: Visitor = socket.state.visitor
    table_id = socket.path_params["table_id"]
    await socket.accept()
    owner = visitor.owner or visitor.address
    page = Page(socket.send_text, f"table:{table_id}", owner, lambda _: "stream", _to_json)
    if not hub.has_room(owner, MAX_STREAMS):
        await socket.close(4429)
        return
    rate = RateLimit(rate=20, burst=60)
    async with subscribe(hub, socket, page):
        try:
            table = await asyncio.to_thread(tables.read, table_id)
        except errors.NotThere:
            await socket.close(GONE)
            return
        tables.wake(table)
        if not page.was_sent:
            page.send(_to_json(table))
        while True:
            text = await socket.receive_text()
            try:
                if not rate.take(""):
                    raise errors.TooMany("too many requests; wait a moment")
                message = _read_message(text)
                if "token" in message:
                    visitor = Visitor(token_owner(message["token"]), address=visitor.address)
                    answer: dict[str, Any] = {"ok": True}
                else:
                    move = partial(tables.move, table_id, visitor, message["move"], message["at"])
                    moved = await writes.run(move)
                    answer = {"ok": True, "moves": len(moved.moves)}
            except ParlourError as error:
                answer = errors.document(errors.status_of(error), str(error))
            await socket.send_text(json.dumps(answer))


def _to_json(table: Any) -> str:
    return json.dumps(table_to_dict(table))


def _read_message(text: str) -> dict[str, Any]:
    """Return a token, or a move with the number of moves it was chosen after."""
    try:
        message = json.loads(text[:MAX_LENGTH])
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict):
        token, move, at = message.get("token"), message.get("move"), message.get("at")
        if isinstance(token, str) and token and token.isascii():
            return {"token": token}
        if token is None and isinstance(move, str) and (at is None or type(at) is int):
            return {"move": move, "at": at}
    raise BadText('send {"move": "b2", "at": 3} to move, or {"token": "…"} to say who you are')
