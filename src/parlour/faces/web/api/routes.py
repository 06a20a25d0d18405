"""The API: the same verbs as the pages, as JSON. Its OpenAPI is made from these declarations.

A player is known by a secret token, which is given once, when a seat is taken; it goes into the
Authorization header as `Bearer TOKEN`. What is refused is answered with a problem document.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from parlour.core import Game, registry, schema, values
from parlour.faces.web.errors import NotThere
from parlour.faces.web.house import House
from parlour.faces.web.identity import Visitor, new_token, token_owner
from parlour.faces.web.requests import MAKING, house_of, visitor_of
from parlour.faces.web.table import bots_for, person_name, plainly, read_bot
from parlour.faces.web.table import service as verbs
from parlour.store import Seat, Table

SOLVE = 20.0  # seconds
MOST_LISTED = 100

Name = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Text = Annotated[str, StringConstraints(max_length=2000)]
TableId = Annotated[str, Path(max_length=40, description="the name of a table")]
Options = Annotated[
    dict[str, Any], Field(default_factory=dict, description="as /api/games describes them")
]


class Exact(BaseModel):
    """What is not declared is refused."""

    model_config = ConfigDict(extra="forbid")


class ProblemDocument(BaseModel):
    """What was wrong, and what would be right, in a sentence."""

    title: str
    status: int
    detail: str


REFUSAL: dict[str, Any] = {
    "description": "Refused, and why",
    "content": {"application/problem+json": {"schema": ProblemDocument.model_json_schema()}},
}


class GameTold(BaseModel):
    """A game and its options as JSON schema."""

    name: str
    about: str
    options: dict[str, Any]


class BotTold(BaseModel):
    """A bot, how well it plays the variant, and its options as JSON schema."""

    name: str
    about: str
    plays: str
    options: dict[str, Any]


class Variant(Exact):
    """A game with its options."""

    game: Name
    options: Options


class SeatWished(Exact):
    """Who shall sit there: a bot, or whoever takes the seat."""

    kind: Literal["open", "bot"] = "open"
    name: Annotated[str, StringConstraints(max_length=40)] = ""
    bot: Annotated[str, StringConstraints(max_length=40)] = ""
    options: Annotated[
        str, StringConstraints(max_length=200), Field(description="of the bot: `depth=3`")
    ] = ""


class TableWished(Variant):
    """A table to be made."""

    seats: Annotated[list[SeatWished], Field(default_factory=list, max_length=10)]
    clock: Annotated[
        tuple[
            Annotated[float, Field(ge=1, le=86400, strict=True)],
            Annotated[float, Field(ge=0, le=3600, strict=True)],
        ]
        | None,
        Field(description="seconds for the game, and added for each move"),
    ] = None
    listed: StrictBool = True


class SeatTold(BaseModel):
    """A seat as everybody may see it."""

    kind: str
    name: str
    bot: str
    seconds_left: float | None


class TableTold(BaseModel):
    """A table as everybody may see it."""

    id: str
    version: int
    game: str
    options: dict[str, Any]
    seats: list[SeatTold]
    moves: list[str]
    position: str
    legal: list[str]
    turn: int | None
    result: list[int] | None
    reason: str
    offer: str
    next: str


class Sitting(Exact):
    """Who takes the seat."""

    name: Name


class Seated(BaseModel):
    """The secret of a seat, told once."""

    seat: int
    token: str
    table: TableTold


class MoveMade(Exact):
    """A move in the game's notation, and how many moves were on the table when it was chosen."""

    move: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    at: Annotated[int, Field(ge=0, le=100_000, strict=True)] | None = None


class Question(Variant):
    """A position of a variant, as text or as the moves that lead there; else the start."""

    position: Text = ""
    moves: Annotated[
        list[Annotated[str, StringConstraints(max_length=100)]],
        Field(default_factory=list, max_length=2000),
    ]


class WhyAsked(Question):
    """And perhaps a move in it."""

    move: Annotated[str, StringConstraints(max_length=100)] = ""


class Solved(BaseModel):
    """What a position is worth to the seat to move."""

    outcome: str
    plies: int | None
    method: str
    counts: dict[str, int] | None
    best: list[str]
    sentence: str


class Explained(BaseModel):
    """Why."""

    lines: list[str]


router = APIRouter(prefix="/api", tags=["parlour"])


@router.get("/games")
def games() -> list[GameTold]:
    """All games, each with its options."""
    found = {name: registry.find("games", name) for name in registry.games()}
    return [
        GameTold(name=name, about=(cls.__doc__ or "").partition("\n")[0], options=schema(cls))
        for name, cls in found.items()
    ]


@router.post("/bots")
async def bots(request: Request, variant: Variant) -> list[BotTold]:
    """The bots that play this variant, and how well."""
    house = house_of(request)
    game = await house.run(lambda: registry.game(variant.game, **variant.options))
    return [BotTold(**bot) for bot in await bots_for(house, game.name, game)]


@router.get("/tables")
def tables(
    request: Request, limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 30
) -> list[TableTold]:
    """The tables in the lobby, the newest first."""
    found = []
    for table in verbs.in_lobby(house_of(request), limit):
        with contextlib.suppress(NotThere):  # nobody here can play it on
            found.append(told(table))
    return found


@router.post("/tables", status_code=201, dependencies=MAKING)
async def create(request: Request, wished: TableWished) -> TableTold:
    """Make a table; seats that are not told are open."""
    house = house_of(request)
    game = await house.run(_game, wished)
    wants_bots = any(wish.kind == "bot" for wish in wished.seats)
    able = await bots_for(house, game.name, game) if wants_bots else []

    def make() -> TableTold:
        seats = [_seat(wish, able) for wish in wished.seats]
        seats += [Seat("open")] * (game.seats - len(seats))
        table = verbs.create(
            house,
            game,
            seats,
            clock=wished.clock,
            listed=wished.listed,
            creator=visitor_of(request).client,
        )
        return told(table)

    return await house.run(make)


def _game(wished: TableWished) -> Game:
    """The game that is wished for; where any number may play, for as many as are told."""
    game = registry.game(wished.game, **wished.options)
    if "seats" in values(game) and "seats" not in wished.options and wished.seats:
        game = registry.game(wished.game, **wished.options, seats=len(wished.seats))
    return game


def _seat(wish: SeatWished, able: list[dict[str, Any]]) -> Seat:
    if wish.kind == "open":
        return Seat("open")
    bot = read_bot(able, wish.bot, wish.options)
    return Seat("bot", person_name(wish.name or wish.bot), bot)


@router.get("/tables/{table_id}")
def read(request: Request, table_id: TableId) -> TableTold:
    """A table as it is now."""
    house = house_of(request)
    table = verbs.read(house, table_id)
    house.looked_at(table)
    return told(table)


@router.post("/tables/{table_id}/seats/{seat}", status_code=201)
def sit(
    request: Request, table_id: TableId, seat: Annotated[int, Path(ge=0, le=9)], who: Sitting
) -> Seated:
    """Take a free seat. The token is the only key to it: whoever has it may move."""
    token = new_token()
    table = verbs.sit(house_of(request), table_id, seat, who.name, token_owner(token))
    return Seated(seat=seat, token=token, table=told(table))


@router.post("/tables/{table_id}/moves")
def move(request: Request, table_id: TableId, made: MoveMade) -> TableTold:
    """Play a move for your seat."""
    house, visitor = house_of(request), visitor_of(request)
    return told(verbs.move(house, table_id, visitor, made.move, made.at))


WISHES: dict[str, tuple[Callable[[House, str, Visitor], Table], str]] = {
    "resign": (verbs.resign, "Give the game up."),
    "undo": (verbs.undo, "Take your last move back, or offer that, or agree to it."),
    "decline": (verbs.decline, "Say no to what is offered."),
    "rematch": (verbs.rematch, "Another game: offer it, or agree to it."),
    "ok": (lambda house, name, who: verbs.ok(house, name, who, None), "Let the game go on."),
    "flag": (lambda house, name, _: verbs.flag(house, name), "Have the clock looked at."),
}


def _offer(name: str, do: Callable[[House, str, Visitor], Table], about: str) -> None:
    @router.post(f"/tables/{{table_id}}/{name}", name=name, description=about)
    def wish(request: Request, table_id: TableId) -> TableTold:
        return told(do(house_of(request), table_id, visitor_of(request)))


for _name, (_do, _about) in WISHES.items():
    _offer(_name, _do, _about)


@router.post("/solve")
async def solve(request: Request, question: Question) -> Solved:
    """Who wins, in how many moves, and by which; exact or refused."""
    answer = await house_of(request).thinkers.ask(
        "solve", _told(question), seconds=SOLVE, whose=visitor_of(request).client
    )
    return Solved(**answer)


@router.post("/explain")
async def explain(request: Request, question: WhyAsked) -> Explained:
    """Why a position is won, lost or drawn; with a move, why that is right or wrong."""
    answer = await house_of(request).thinkers.ask(
        "explain", _told(question), seconds=SOLVE, whose=visitor_of(request).client
    )
    return Explained(lines=answer["lines"])


def _told(question: Question) -> dict[str, Any]:
    """What was told of a position, and nothing that was left open."""
    return {name: value for name, value in question.model_dump().items() if value}


def told(table: Table) -> TableTold:
    """A table as everybody may see it."""
    return TableTold(**plainly(table))
