"""The JSON API: the same actions as the pages. Its OpenAPI is made from these declarations.

A player is recognised by a secret token, which is returned once, when a seat is taken, and sent in
the Authorization header as `Bearer TOKEN`. A refused request is answered with a problem document.
The changes of a table come as server-sent events, or over a WebSocket that also takes moves.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints
from starlette.websockets import WebSocket

from parlour import core
from parlour.core import BadText, Game, ParlourError, registry, schema, values
from parlour.faces.web.background import WriteQueue
from parlour.faces.web.clients import RateLimit, Visitor, new_token, token_owner
from parlour.faces.web.errors import NotThere, TooMany, document, status_of
from parlour.faces.web.live import GONE, Hub, Page, subscribe
from parlour.faces.web.requests import LIMIT_CREATION, HubDep, Section, VisitorDep, WorkersDep, page
from parlour.faces.web.table import (
    ACTIONS,
    BotsDep,
    TablesDep,
    TableService,
    clean_name,
    match_of,
    read_bot,
    seconds_left,
)
from parlour.store import Seat, Table

VERSION = "1.1"  # of the API: major for what may break a program, minor for what is added
SOLVING = 20.0  # seconds
MAX_TABLES = 100
MAX_LEGAL_MOVES = 100  # listed of a position
MAX_STREAMS = 200  # open at once with one token, or without one from one address
MAX_LENGTH = 2_000  # characters of a message
MAX_SECONDS = 60
HEARTBEAT = 10.0  # seconds between two comments that keep proxies from closing the connection

Name = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Text = Annotated[str, StringConstraints(max_length=2000)]
TableId = Annotated[str, Path(max_length=40, description="the id of a table")]
Options = Annotated[
    dict[str, Any], Field(default_factory=dict, description="as /api/games describes them")
]


class Strict(BaseModel):
    """Fields that are not declared are refused."""

    model_config = ConfigDict(extra="forbid")


class ProblemDocument(BaseModel):
    """What was wrong, and what would be right, in a sentence."""

    title: str
    status: int
    detail: str


REFUSAL: dict[str, Any] = {
    "description": "Refused, with the reason",
    "content": {"application/problem+json": {"schema": ProblemDocument.model_json_schema()}},
}


class GameInfo(BaseModel):
    """A game and its options as JSON schema."""

    name: str
    about: str
    options: dict[str, Any]


class BotInfo(BaseModel):
    """A bot, how well it plays the variant, and its options as JSON schema."""

    name: str
    about: str
    plays: str
    options: dict[str, Any]


class Variant(Strict):
    """A game with its options."""

    game: Name
    options: Options


class NewSeat(Strict):
    """A seat of a new table: a bot, or open to anyone."""

    kind: Literal["open", "bot"] = "open"
    name: Annotated[str, StringConstraints(max_length=40)] = ""
    bot: Annotated[str, StringConstraints(max_length=40)] = ""
    options: Annotated[
        str, StringConstraints(max_length=200), Field(description="of the bot: `depth=3`")
    ] = ""


class NewTable(Variant):
    """A table to create."""

    seats: Annotated[list[NewSeat], Field(default_factory=list, max_length=10)]
    clock: Annotated[
        tuple[
            Annotated[float, Field(ge=1, le=86400, strict=True)],
            Annotated[float, Field(ge=0, le=3600, strict=True)],
        ]
        | None,
        Field(description="seconds for the game, and added for each move"),
    ] = None
    listed: StrictBool = True


class SeatInfo(BaseModel):
    """A seat as everybody may see it."""

    kind: str
    name: str
    bot: str
    seconds_left: float | None


class TableInfo(BaseModel):
    """A table as everybody may see it."""

    id: str
    version: int
    game: str
    options: dict[str, Any]
    seats: list[SeatInfo]
    moves: list[str]
    position: str
    legal: list[str]
    turn: int | None
    result: list[int] | None
    reason: str
    ended_by: str  # the extra ending that ended it, if one did
    out: list[int]  # the seats that are out while the others go on
    offer: str
    next: str


class SeatRequest(Strict):
    """Who takes the seat."""

    name: Name


class SeatTaken(BaseModel):
    """The secret token of a seat, which is sent only once."""

    seat: int
    token: str
    table: TableInfo


class NewMove(Strict):
    """A move in the game's notation, and how many moves had been played when it was chosen."""

    move: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    at: Annotated[int, Field(ge=0, le=100_000, strict=True)] | None = None


class Question(Variant):
    """A position of a variant, as text or as the moves that lead there; else the start."""

    position: Text = ""
    moves: Annotated[
        list[Annotated[str, StringConstraints(max_length=100)]],
        Field(default_factory=list, max_length=2000),
    ]


class WhyQuestion(Question):
    """A position, and optionally a move in it."""

    move: Annotated[str, StringConstraints(max_length=100)] = ""


class SolveResult(BaseModel):
    """The value of a position for the seat to move."""

    outcome: str
    plies: int | None
    method: str
    counts: dict[str, int] | None
    best: list[str]
    sentence: str


class Explanation(BaseModel):
    """Why a position or a move is good or bad, in sentences."""

    lines: list[str]


def _state_version(response: Response) -> None:
    response.headers["Parlour-API-Version"] = VERSION


router = APIRouter(prefix="/api", tags=["parlour"], dependencies=[Depends(_state_version)])
pages = APIRouter(include_in_schema=False)


@router.get("/games")
def games() -> list[GameInfo]:
    """All games, each with its options."""
    found = {name: registry.find("games", name) for name in registry.games()}
    return [
        GameInfo(name=name, about=(cls.__doc__ or "").partition("\n")[0], options=schema(cls))
        for name, cls in found.items()
    ]


@router.post("/bots")
async def bots(variant: Variant, catalogue: BotsDep) -> list[BotInfo]:
    """The bots that play this variant, and how well."""
    game = await asyncio.to_thread(registry.game, variant.game, **variant.options)
    return [BotInfo(**bot) for bot in await catalogue.find(game)]


@router.get("/tables")
def tables(
    service: TablesDep, limit: Annotated[int, Query(ge=1, le=MAX_TABLES)] = 30
) -> list[TableInfo]:
    """The tables in the lobby, the newest first."""
    found = []
    for table in service.list_open(limit):
        with contextlib.suppress(NotThere):  # its game cannot be played here any more
            found.append(_info(table))
    return found


@router.post("/tables", status_code=201, dependencies=LIMIT_CREATION)
async def create(
    new: NewTable, visitor: VisitorDep, service: TablesDep, catalogue: BotsDep
) -> TableInfo:
    """Create a table; seats that are not given are open."""
    game = await asyncio.to_thread(_game, new)
    wants_bots = any(seat.kind == "bot" for seat in new.seats)
    able = await catalogue.find(game) if wants_bots else []

    def make() -> TableInfo:
        seats = [_seat(seat, able) for seat in new.seats]
        seats += [Seat("open")] * (game.seats - len(seats))
        table = service.create(
            game, seats, clock=new.clock, listed=new.listed, creator=visitor.client
        )
        return _info(table)

    return await asyncio.to_thread(make)


def _game(new: NewTable) -> Game:
    """Return the game of a new table; where any number may play, for as many as have seats."""
    game = registry.game(new.game, **new.options)
    if "seats" in values(game) and "seats" not in new.options and new.seats:
        game = registry.game(new.game, **new.options, seats=len(new.seats))
    return game


def _seat(new: NewSeat, able: list[dict[str, Any]]) -> Seat:
    if new.kind == "open":
        return Seat("open")
    bot = read_bot(able, new.bot, new.options)
    return Seat("bot", clean_name(new.name or new.bot), bot)


@router.get("/tables/{table_id}")
def read(table_id: TableId, service: TablesDep) -> TableInfo:
    """A table as it is now."""
    table = service.read(table_id)
    service.note_view(table)
    return _info(table)


@router.post("/tables/{table_id}/seats/{seat}", status_code=201)
def sit(
    table_id: TableId,
    seat: Annotated[int, Path(ge=0, le=9)],
    who: SeatRequest,
    service: TablesDep,
) -> SeatTaken:
    """Take a free seat. The token is the only key to it: anyone who has it may move."""
    token = new_token()
    table = service.sit(table_id, seat, who.name, token_owner(token))
    return SeatTaken(seat=seat, token=token, table=_info(table))


@router.post("/tables/{table_id}/moves")
def move(table_id: TableId, new: NewMove, visitor: VisitorDep, service: TablesDep) -> TableInfo:
    """Play a move for your seat."""
    return _info(service.move(table_id, visitor, new.move, new.at))


def _add_action(name: str) -> None:
    @router.post(f"/tables/{{table_id}}/{name}", name=name, description=ACTIONS[name].__doc__)
    def act(table_id: TableId, visitor: VisitorDep, service: TablesDep) -> TableInfo:
        return _info(service.act(table_id, name, visitor))


for _name in ACTIONS:
    _add_action(_name)


@router.post("/solve")
async def solve(question: Question, visitor: VisitorDep, workers: WorkersDep) -> SolveResult:
    """Who wins, in how many moves, and by which; exact or refused."""
    payload = _payload(question)
    return SolveResult(**await workers.run("solve", payload, SOLVING, client=visitor.client))


@router.post("/explain")
async def explain(question: WhyQuestion, visitor: VisitorDep, workers: WorkersDep) -> Explanation:
    """Why a position is won, lost or drawn; with a move, why that is right or wrong."""
    answer = await workers.run("explain", _payload(question), SOLVING, client=visitor.client)
    return Explanation(lines=answer["lines"])


def _payload(question: Question) -> dict[str, Any]:
    """Return the fields of a question that were given."""
    return {name: value for name, value in question.model_dump().items() if value}


def _info(table: Table) -> TableInfo:
    """Return a table as everybody may see it, without the owners of seats."""
    match = match_of(table)
    game, moves = match.game, match.game.moves(match.state)
    legal = range(0 if match.over else min(len(moves), MAX_LEGAL_MOVES))
    return TableInfo(
        id=table.id,
        version=table.version,
        game=table.game,
        options=dict(table.options),
        seats=[
            SeatInfo(
                kind=seat.kind,
                name=seat.name,
                bot=seat.bot,
                seconds_left=seconds_left(table, match, at),
            )
            for at, seat in enumerate(table.seats)
        ],
        moves=list(table.moves),
        position=game.write(match.state),
        legal=[game.write_move(moves[at]) for at in legal],
        turn=None if match.over else match.turn,
        result=None if match.result is None else list(match.result),
        reason=match.reason,
        ended_by=core.ended_by(game, match.state),
        out=list(core.seats_out(game, match.state)),
        offer=table.offer,
        next=table.next,
    )


# Changes of a table

EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "the version of the table"},
        "event": {"const": "table"},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
}


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
        raise TooMany(f"you already have {MAX_STREAMS} open streams; close some")
    stream = _events(hub, tables, table, owner, seconds)
    return StreamingResponse(stream, media_type="text/event-stream")


async def _events(
    hub: Hub, tables: TableService, table: Table, owner: str, seconds: int
) -> AsyncIterator[str]:
    queue: asyncio.Queue[str] = asyncio.Queue(1)
    watcher = Page(queue.put, f"table:{table.id}", owner, lambda _: "events", _event)
    hub.enter(watcher)
    tables.wake(table)
    try:
        table = await asyncio.to_thread(tables.read, table.id)  # it may have changed meanwhile
        first = await asyncio.to_thread(_event, table)
        yield await queue.get() if watcher.was_sent else first
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                yield await asyncio.wait_for(queue.get(), min(left, HEARTBEAT))
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        hub.leave(watcher)


def _event(table: Table) -> str:
    return f"id: {table.version}\nevent: table\ndata: {_to_json(table)}\n\n"


@router.websocket("/tables/{table_id}/stream")
async def stream(socket: WebSocket, table_id: str) -> None:
    """Send the table at once and at every change; take moves, and answer each.

    A browser cannot set headers here, so the token may also come as the first message,
    `{"token": …}`.
    """
    hub: Hub = socket.app.state.hub
    tables: TableService = socket.app.state.tables
    writes: WriteQueue = socket.app.state.writes
    visitor: Visitor = socket.state.visitor
    await socket.accept()
    owner = visitor.owner or visitor.address
    watcher = Page(socket.send_text, f"table:{table_id}", owner, lambda _: "stream", _to_json)
    if not hub.has_room(owner, MAX_STREAMS):
        await socket.close(4429)
        return
    rate = RateLimit(rate=20, burst=60)
    async with subscribe(hub, socket, watcher):
        try:
            table = await asyncio.to_thread(tables.read, table_id)
        except NotThere:
            await socket.close(GONE)
            return
        tables.wake(table)
        if not watcher.was_sent:
            watcher.send(_to_json(table))
        while True:
            text = await socket.receive_text()
            try:
                if not rate.take(""):
                    raise TooMany("too many requests; wait a moment")
                message = _read_message(text)
                if "token" in message:
                    visitor = Visitor(token_owner(message["token"]), address=visitor.address)
                    answer: dict[str, Any] = {"ok": True}
                else:
                    move = partial(tables.move, table_id, visitor, message["move"], message["at"])
                    moved = await writes.run(move)
                    answer = {"ok": True, "moves": len(moved.moves)}
            except ParlourError as error:
                answer = document(status_of(error), str(error))
            await socket.send_text(json.dumps(answer))


def _to_json(table: Table) -> str:
    return _info(table).model_dump_json()


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


# The documentation


@pages.get("/docs")
def docs(request: Request) -> Response:
    """Show what programs can ask for, and how; the page loads nothing from outside."""
    return page(request, "docs.html", api=request.app.openapi(), kind=_kind)


def _kind(schema: dict[str, Any]) -> str:
    """Describe a schema in a few words: `list of TableInfo`, `text`, `whole number or nothing`."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " or ".join(map(repr, schema.get("enum", [schema.get("const")])))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if "items" in schema else "list"
    words = {"string": "text", "integer": "whole number", "null": "nothing", "object": "object"}
    kind = str(schema.get("type", "anything"))
    return words.get(kind, kind)


SECTION = Section((router, pages))
