"""The JSON API: the same actions as the pages. Its OpenAPI is made from these declarations.

A player is recognised by a secret token, which is returned once, when a seat is taken, and sent in
the Authorization header as `Bearer TOKEN`. A refused request is answered with a problem document.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from parlour.core import Game, registry, schema, values
from parlour.faces.web.clients import Visitor, new_token, token_owner
from parlour.faces.web.errors import NotThere
from parlour.faces.web.requests import LIMIT_CREATION, VisitorDep, WorkersDep
from parlour.faces.web.table import (
    BotsDep,
    TablesDep,
    TableService,
    clean_name,
    read_bot,
    table_to_dict,
)
from parlour.store import Seat, Table

SOLVING = 20.0  # seconds
MAX_TABLES = 100

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
    """A seat of a new table: a bot, or open to whoever takes it."""

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


router = APIRouter(prefix="/api", tags=["parlour"])


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
    """Take a free seat. The token is the only key to it: whoever has it may move."""
    token = new_token()
    table = service.sit(table_id, seat, who.name, token_owner(token))
    return SeatTaken(seat=seat, token=token, table=_info(table))


@router.post("/tables/{table_id}/moves")
def move(table_id: TableId, new: NewMove, visitor: VisitorDep, service: TablesDep) -> TableInfo:
    """Play a move for your seat."""
    return _info(service.move(table_id, visitor, new.move, new.at))


Action = Callable[[TableService, str, Visitor], Table]
ACTIONS: dict[str, tuple[Action, str]] = {
    "resign": (TableService.resign, "Resign the game."),
    "undo": (TableService.undo, "Take back your last move, or ask to, or accept a request to."),
    "decline": (TableService.decline, "Decline an offer, or withdraw your own."),
    "rematch": (TableService.rematch, "Offer or accept a rematch."),
    "ok": (TableService.ok, "Continue after a bot’s move."),
    "flag": (lambda service, table_id, _: service.check_clock(table_id), "Check the clock."),
}


def _add_action(name: str, action: Action, about: str) -> None:
    @router.post(f"/tables/{{table_id}}/{name}", name=name, description=about)
    def wish(table_id: TableId, visitor: VisitorDep, service: TablesDep) -> TableInfo:
        return _info(action(service, table_id, visitor))


for _name, (_action, _about) in ACTIONS.items():
    _add_action(_name, _action, _about)


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
    return TableInfo(**table_to_dict(table))
