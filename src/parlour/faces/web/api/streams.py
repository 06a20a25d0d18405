"""The changes of a table for programs: as server-sent events, or over a WebSocket that takes moves.

What a program sends over a WebSocket is answered one by one. Messages without a field `type` are
understood as they were before there was one.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Annotated

from fastapi import Query
from fastapi.responses import Response, StreamingResponse
from starlette.websockets import WebSocket

from parlour.core import BadText, ParlourError
from parlour.faces.web.accounts import AccountService
from parlour.faces.web.api import schemas
from parlour.faces.web.api.description import (
    ANYBODY,
    ANYBODY_OR_KNOWN,
    Endpoints,
    stream_events,
    stream_socket,
)
from parlour.faces.web.api.tables import TableId, fill_info
from parlour.faces.web.clients import TOO_MANY, RateLimit, Visitor, admit_account, identify_token
from parlour.faces.web.errors import NotThere, Problem, TooMany, document, status_of
from parlour.faces.web.live import GONE, Hub, Page, subscribe
from parlour.faces.web.requests import HubDep, VisitorDep
from parlour.faces.web.services import services_of
from parlour.faces.web.table import TablesDep, TableService
from parlour.store import Table

MAX_STREAMS = 200  # open at once with one token, or without one from one address
MAX_LENGTH = 2_000  # characters of a message
MAX_SECONDS = 3600
HEARTBEAT = 10.0  # seconds between two comments that keep proxies from closing the connection
STILL_HERE = ": still here\n\n"
Seconds = Annotated[
    int, Query(ge=0, le=MAX_SECONDS, description="After how many seconds the stream ends.")
]

router = Endpoints("streams")


class UpgradeRequired(Problem):
    """This address is a WebSocket, and was asked like a page."""

    status = 426
    headers = {"upgrade": "websocket", "connection": "Upgrade"}  # noqa: RUF012


def check_room(hub: Hub, visitor: Visitor) -> str:
    """Return the owner of a new stream, or refuse one too many."""
    owner = visitor.owner or visitor.address
    if not hub.has_room(owner, MAX_STREAMS):
        raise TooMany(f"you already have {MAX_STREAMS} open streams; close some")
    return owner


def send_event(message: schemas.Schema, number: int) -> str:
    """Return a message as a server-sent event."""
    kind = message.type  # type: ignore[attr-defined]
    return f"id: {number}\nevent: {kind}\ndata: {message.model_dump_json()}\n\n"


# Server-sent events


@router.endpoint(
    "GET /tables/{table_id}/events",
    ANYBODY_OR_KNOWN,
    (404,),
    answer=stream_events("TableStreamMessage", "The table now, and after every change."),
    response_class=StreamingResponse,
)
async def follow_table(
    table_id: TableId,
    visitor: VisitorDep,
    tables: TablesDep,
    hub: HubDep,
    seconds: Seconds = 30,
) -> StreamingResponse:
    """Send a table as server-sent events: now, and at every change, for some seconds.

    Every event is the whole table, so a stream that was interrupted is simply opened again.
    """
    table = await asyncio.to_thread(tables.read, table_id)
    await asyncio.to_thread(_event, table)  # refused now, if the game is not known any more
    stream = _events(hub, tables, table, check_room(hub, visitor), seconds)
    return StreamingResponse(stream, media_type="text/event-stream")


async def _events(
    hub: Hub, tables: TableService, table: Table, owner: str, seconds: int
) -> AsyncIterator[str]:
    queue: asyncio.Queue[str] = asyncio.Queue(1)

    def finish() -> None:
        if queue.empty():
            queue.put_nowait(STILL_HERE)

    topic = f"table:{table.id}"
    watcher = Page(queue.put, topic, owner, lambda _: "events", _event, end=finish)
    hub.enter(watcher)
    tables.wake(table)
    try:
        table = await asyncio.to_thread(tables.read, table.id)  # it may have changed meanwhile
        first = await asyncio.to_thread(_event, table)
        yield await queue.get() if watcher.was_sent else first
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not hub.closing:
            try:
                yield await asyncio.wait_for(queue.get(), min(left, HEARTBEAT))
            except TimeoutError:
                yield STILL_HERE
    finally:
        hub.leave(watcher)


def _event(table: Table) -> str:
    return send_event(fill_info(table, schemas.TableMessage), table.version)


# WebSockets


@router.endpoint(
    "GET /tables/{table_id}/stream",
    ANYBODY,
    (426,),
    status=101,
    answer=stream_socket("TableStreamMessage"),
    response_class=Response,
)
def open_table_stream(table_id: TableId) -> None:
    """Open a WebSocket that sends a table and takes moves: `TableStreamRequest`.

    The table is sent at once and after every change. Each request is answered by an
    `Acknowledgement` or a `ProblemMessage`. The close code 4404 says that there is no such table,
    4429 that too many streams are open. `/api/asyncapi.json` describes it for generators.
    """
    raise UpgradeRequired("open a WebSocket at this address, or read the events instead")


@router.websocket("/tables/{table_id}/stream")
async def table_stream(socket: WebSocket, table_id: str) -> None:
    """Send the table at once and at every change; take moves, and answer each."""
    services = services_of(socket)
    hub, tables = services.hub, services.get(TableService)
    visitor: Visitor = socket.state.visitor
    await socket.accept()
    topic, owner, network = f"table:{table_id}", visitor.owner or visitor.address, visitor.network
    if not hub.has_room(owner, MAX_STREAMS, network):
        await socket.close(4429)
        return
    watcher = Page(socket.send_text, topic, owner, lambda _: "stream", _to_json, network=network)
    async with subscribe(hub, socket, watcher):
        try:
            table = await asyncio.to_thread(tables.read, table_id)
        except NotThere:
            await socket.close(GONE)
            return
        tables.wake(table)
        if not watcher.was_sent:
            watcher.send(_to_json(table))
        await answer_requests(socket, visitor, table_id)


async def answer_requests(
    socket: WebSocket,
    visitor: Visitor,
    table_id: str = "",
    on_token: Callable[[Visitor], Awaitable[None]] | None = None,
) -> None:
    """Answer tokens and moves until the socket closes; without a table, each move names its own."""
    services = services_of(socket)
    tables, writes = services.get(TableService), services.writes
    find = services.get(AccountService).find_id
    rate = RateLimit(rate=20, burst=60)
    while True:
        text = await socket.receive_text()
        try:
            if not rate.take(""):
                raise TooMany(TOO_MANY)
            request = _read_request(
                text, schemas.MoveRequest if table_id else schemas.AccountMoveRequest
            )
            if isinstance(request, schemas.TokenRequest):
                claimed = identify_token(request.token, visitor.address)
                visitor = await asyncio.to_thread(admit_account, claimed, find)
                if on_token is not None:
                    await on_token(visitor)
                answer: schemas.Schema = schemas.Acknowledgement()
            else:
                named = request.table if isinstance(request, schemas.AccountMoveRequest) else ""
                move = partial(tables.move, named or table_id, visitor, request.move, request.at)
                answer = schemas.Acknowledgement(
                    table=named, moves=len((await writes.run(move)).moves)
                )
        except ParlourError as error:
            answer = schemas.ProblemMessage(**document(status_of(error), error.text))  # type: ignore[arg-type]
        await socket.send_text(answer.model_dump_json())


def _to_json(table: Table) -> str:
    return fill_info(table, schemas.TableMessage).model_dump_json()


def _read_request(
    text: str, kind: type[schemas.MoveRequest]
) -> schemas.MoveRequest | schemas.TokenRequest:
    """Return a token, or a move with the number of moves it was chosen after."""
    try:
        message = json.loads(text[:MAX_LENGTH])
        if "token" in message:
            return schemas.TokenRequest.model_validate({"type": "token", **message})
        return kind.model_validate({"type": "move", **message})
    except (ValueError, TypeError, RecursionError):
        where = '"table": "ab12", ' if kind is schemas.AccountMoveRequest else ""
        raise BadText(
            f'send {{"type": "move", {where}"move": "b2", "at": 3}} to move, or '
            '{"type": "token", "token": "…"} to say who you are'
        ) from None
