"""Games, bots and tables: the same actions as the pages have."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any, TypeVar

from fastapi import Path, Query

from parlour import core
from parlour.core import BadText, Game, registry, schema, values
from parlour.faces.web.accounts import AccountsDep
from parlour.faces.web.api import schemas
from parlour.faces.web.api.description import ANYBODY, ANYBODY_OR_KNOWN, PLAYER, Endpoints, link
from parlour.faces.web.clients import new_token, token_owner
from parlour.faces.web.errors import NotThere
from parlour.faces.web.requests import LIMIT_CREATION, NOT_BARRED, VisitorDep
from parlour.faces.web.table import (
    ACTIONS,
    BotsDep,
    TablesDep,
    clean_name,
    match_of,
    read_bot,
    seconds_left,
)
from parlour.store import Seat, Table

MAX_TABLES = 100
MAX_LEGAL_MOVES = 100  # listed of a position
OPEN_TO_ALL = frozenset({"flag", "ok"})  # actions that need no seat

TableId = Annotated[str, Path(max_length=40, description="The id of a table.")]
Info = TypeVar("Info", bound=schemas.TableInfo)

router = Endpoints("tables")

HERE = "$request.path.table_id"
NEW = "$response.body#/id"
FOLLOWING = (
    link("readTable", "The table as it is now.", table_id=HERE),
    link("playMove", "The next move.", table_id=HERE),
    link("resign", "Give the game up.", table_id=HERE),
)


@router.endpoint("GET /games", ANYBODY)
def list_games() -> list[schemas.GameInfo]:
    """List all games, each with its options."""
    found = {name: registry.find("games", name) for name in registry.games()}
    return [
        schemas.GameInfo(
            name=name, about=(cls.__doc__ or "").partition("\n")[0], options=schema(cls)
        )
        for name, cls in found.items()
    ]


@router.endpoint("POST /bots", ANYBODY, (404,))
async def list_bots(
    variant: schemas.Variant, visitor: VisitorDep, catalogue: BotsDep
) -> list[schemas.BotInfo]:
    """List the bots of the house that play a variant, and how well."""
    game = await asyncio.to_thread(registry.build, "games", variant.game, variant.options)
    return [schemas.BotInfo(**bot) for bot in await catalogue.find(game, visitor.client)]


@router.endpoint("GET /tables", ANYBODY)
def list_tables(
    service: TablesDep,
    limit: Annotated[
        int, Query(ge=1, le=MAX_TABLES, description="How many tables to list at most.")
    ] = 30,
) -> list[schemas.TableInfo]:
    """List the tables in the lobby, the newest first."""
    found: list[schemas.TableInfo] = []
    for table in service.list_open(limit):
        with contextlib.suppress(NotThere):  # its game cannot be played here any more
            found.append(table_info(table))
    return found


@router.endpoint(
    "POST /tables",
    ANYBODY_OR_KNOWN,
    (404,),
    status=201,
    answer="The new table.",
    links=[
        link("readTable", "The table as it is now.", table_id=NEW),
        link("takeSeat", "Take the first seat.", table_id=NEW, seat=0),
        link("followTable", "Every change.", table_id=NEW),
    ],
    dependencies=LIMIT_CREATION,
)
async def create_table(
    new: schemas.NewTable, visitor: VisitorDep, service: TablesDep, catalogue: BotsDep
) -> schemas.TableInfo:
    """Create a table; seats that are not given are open."""
    if new.clock is not None and new.days is not None:
        raise BadText("choose seconds or days for the clock, not both")
    game = await asyncio.to_thread(_game, new)
    wants_bots = any(seat.kind == "bot" for seat in new.seats)
    able = await catalogue.find(game, visitor.client) if wants_bots else []

    def make() -> schemas.TableInfo:
        seats = [_seat(seat, able) for seat in new.seats]
        seats += [Seat("open")] * (game.seats - len(seats))
        table = service.create(
            game,
            seats,
            clock=new.clock,
            days=new.days or 0,
            listed=new.listed,
            creator=visitor.client,
        )
        return table_info(table)

    return await asyncio.to_thread(make)


def _game(new: schemas.NewTable) -> Game:
    """Return the game of a new table; where any number may play, for as many as have seats."""
    game: Game = registry.build("games", new.game, new.options)
    if "seats" in values(game) and "seats" not in new.options and new.seats:
        game = registry.build("games", new.game, {**new.options, "seats": len(new.seats)})
    return game


def _seat(new: schemas.NewSeat, able: list[dict[str, Any]]) -> Seat:
    if new.kind == "open":
        return Seat("open")
    bot = read_bot(able, new.bot, new.options)
    return Seat("bot", clean_name(new.name or new.bot), bot)


@router.endpoint("GET /tables/{table_id}", ANYBODY, (404,), links=FOLLOWING)
def read_table(table_id: TableId, service: TablesDep) -> schemas.TableInfo:
    """Return a table as it is now."""
    table = service.read(table_id)
    service.note_view(table)
    return table_info(table)


@router.endpoint(
    "POST /tables/{table_id}/seats/{seat}",
    ANYBODY_OR_KNOWN,
    (404, 409),
    status=201,
    answer="The seat is yours.",
    links=FOLLOWING,
    dependencies=NOT_BARRED,
)
def take_seat(
    table_id: TableId,
    seat: Annotated[int, Path(ge=0, le=9, description="The seat, counted from 0.")],
    who: schemas.SeatRequest,
    visitor: VisitorDep,
    service: TablesDep,
    accounts: AccountsDep,
) -> schemas.SeatTaken:
    """Take a free seat.

    With the token of a bot account the seat belongs to the account. Without one, the answer holds a
    token that is the only key to the seat: anyone who has it may move.
    """
    if visitor.account:
        account = accounts.read(visitor.account)
        table = service.sit(table_id, seat, account.name, visitor.owner, account.name)
        return schemas.SeatTaken(seat=seat, token="", table=table_info(table))
    token = new_token()
    table = service.sit(table_id, seat, who.name, token_owner(token))
    return schemas.SeatTaken(seat=seat, token=token, table=table_info(table))


@router.endpoint(
    "POST /tables/{table_id}/moves",
    PLAYER,
    (403, 404, 409),
    answer="The move is stored.",
    links=FOLLOWING,
)
def play_move(
    table_id: TableId, new: schemas.NewMove, visitor: VisitorDep, service: TablesDep
) -> schemas.TableInfo:
    """Play a move for your seat. It is acknowledged when it is stored."""
    return table_info(service.move(table_id, visitor, new.move, new.at))


def _add_action(name: str) -> None:
    def act(table_id: TableId, visitor: VisitorDep, service: TablesDep) -> schemas.TableInfo:
        return table_info(service.act(table_id, name, visitor))

    act.__doc__ = ACTIONS[name].__doc__
    who = ANYBODY_OR_KNOWN if name in OPEN_TO_ALL else PLAYER
    path, answer = f"/tables/{{table_id}}/{name}", "The table after it."
    router.endpoint(
        f"POST {path}", who, (403, 404, 409), answer=answer, links=FOLLOWING, name=name
    )(act)


for _name in ACTIONS:
    _add_action(_name)


def table_info(table: Table) -> schemas.TableInfo:
    """Return a table as everybody may see it, without the owners of seats."""
    return fill_info(table, schemas.TableInfo)


def fill_info(table: Table, kind: type[Info]) -> Info:
    """Return a table as everybody may see it, as a message of this kind."""
    match = match_of(table)
    game, moves = match.game, match.game.moves(match.state)
    legal = range(0 if match.over else min(len(moves), MAX_LEGAL_MOVES))
    shown = {
        "seats": [
            schemas.SeatInfo(**vars(seat), seconds_left=seconds_left(table, match, at))
            for at, seat in enumerate(table.seats)
        ],
        "days": table.days or None,
        "position": game.write(match.state),
        "legal": [game.write_move(moves[at]) for at in legal],
        "turn": None if match.over else match.turn,
        "result": match.result,
        "reason": match.reason,
        "ended_by": core.protocol.ended_by(game, match.state),
        "out": core.protocol.seats_out(game, match.state),
    }
    return kind(**vars(table) | shown)
