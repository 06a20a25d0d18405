"""Being paired with another program, and what is kept of whoever holds a token."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import Depends, Request
from pydantic import Field

from parlour.core import registry
from parlour.faces.web.accounts import AccountsDep
from parlour.faces.web.api.description import ANYBODY_OR_KNOWN, PLAYER, Endpoints
from parlour.faces.web.api.schemas import Schema, SeatRequest, TableInfo, Variant
from parlour.faces.web.api.tables import table_info
from parlour.faces.web.clients import Visitor, new_token, token_owner
from parlour.faces.web.errors import Changed, NotSignedIn
from parlour.faces.web.requests import LIMIT_CREATION, NOT_BARRED, StoreDep, VisitorDep
from parlour.faces.web.services import services_of
from parlour.faces.web.table import PairingDep, TablesDep, clean_name, seats_of
from parlour.store import Table

router = Endpoints("people")


class PairingRequest(Variant, SeatRequest):
    """What to play, with whoever wants to play the same."""


class PairingInfo(Schema):
    """Whether a partner was found."""

    state: Literal["waiting", "paired", "idle"]
    """`waiting` until somebody comes, `paired` when there is a table, else `idle`."""
    token: str
    """The secret token of the player, sent only by `requestPairing`; nothing where there is one."""
    seat: int | None
    """The number of your seat, counted from 0, once you are paired."""
    table: TableInfo | None
    """The table where you play, once you are paired."""


class PersonalData(Schema):
    """All that is kept of the holder of a token, or of a browser."""

    id: str
    """Who it is, as it is stored: for a token its hash."""
    settings: dict[str, Any]
    """The name and whether games may be rated."""
    tables: list[dict[str, Any]]
    """All tables with a seat of yours; `your_seats` says which."""
    rated_games: list[dict[str, Any]]
    """Your rated games, each with your points."""
    kept_for_days: dict[str, float | None] = Field(default_factory=dict)
    """How many days each kind is kept after its last change; nothing for until it is deleted."""


def _known(visitor: VisitorDep, store: StoreDep) -> str:
    """Return who it is; anybody can invent a token, so one without a seat belongs to nobody."""
    owner = visitor.owner
    if visitor.browser or visitor.account:
        return owner
    if not owner or not (store.waiting.get(owner) or store.tables.find_of(owner, limit=1)):
        raise NotSignedIn("send the token of a seat or an account: Authorization: Bearer TOKEN")
    return owner


KnownDep = Annotated[str, Depends(_known)]


@router.endpoint(
    "POST /pairing",
    ANYBODY_OR_KNOWN,
    (404, 409),
    answer="Paired, or waiting.",
    dependencies=[*LIMIT_CREATION, *NOT_BARRED],
)
async def request_pairing(
    wanted: PairingRequest, visitor: VisitorDep, pairing: PairingDep, accounts: AccountsDep
) -> PairingInfo:
    """Be paired with a program that wants to play the same by the same rules, or wait for one.

    Ask again with `readPairing` at least every 10 seconds: who is silent for 15 waits no longer.
    Programs are paired with programs, and people, who press a button, with people.
    """
    game = await asyncio.to_thread(registry.build, "games", wanted.game, wanted.options)

    def ask() -> PairingInfo:
        token, name = "", clean_name(wanted.name) if wanted.name.strip() else ""
        who = visitor
        if visitor.account:
            name = accounts.read(visitor.account).name
        elif not visitor.owner:
            token = new_token()
            who = Visitor(token_owner(token), address=visitor.address)
        table = pairing.ask(who.owner, game, name, program=not visitor.browser)
        return _pairing_info(table, who, token)

    return await asyncio.to_thread(ask)


def _pairing_info(table: Table | None, visitor: Visitor, token: str = "") -> PairingInfo:
    """Return where somebody plays; without a table, that they wait."""
    if table is None:
        return PairingInfo(state="waiting", token=token, seat=None, table=None)
    seat = next(iter(seats_of(table, visitor)), None)
    return PairingInfo(state="paired", token=token, seat=seat, table=table_info(table))


@router.endpoint("GET /pairing", PLAYER, answer="Waiting, paired, or neither.")
def read_pairing(
    owner: KnownDep, visitor: VisitorDep, pairing: PairingDep, tables: TablesDep
) -> PairingInfo:
    """Return whether you are paired by now; asking keeps you waiting."""
    waiter = pairing.find(owner).waiter
    if waiter is None:
        return PairingInfo(state="idle", token="", seat=None, table=None)
    pairing.see(owner)
    return _pairing_info(tables.read(waiter.table) if waiter.table else None, visitor)


@router.endpoint("DELETE /pairing", PLAYER, (403,), status=204, answer="You are not waiting.")
def cancel_pairing(owner: KnownDep, pairing: PairingDep) -> None:
    """Wait no longer, or forget where you were paired; the table stays."""
    pairing.cancel(owner)


@router.endpoint("GET /me", PLAYER, answer="All that is kept.")
def read_personal_data(owner: KnownDep, request: Request, visitor: VisitorDep) -> PersonalData:
    """Return all that is kept of the holder of the token."""
    return PersonalData(**services_of(request).export_person(visitor))


@router.endpoint("DELETE /me", PLAYER, (403, 409), status=204, answer="Everything is deleted.")
def delete_personal_data(owner: KnownDep, request: Request, visitor: VisitorDep) -> None:
    """Delete all that is kept of the holder of the token: seats, names, results.

    Games with others stay theirs, without your name; those in progress are lost. A bot account is
    deleted by `deleteAccount`.
    """
    if visitor.account:
        raise Changed("this is the token of a bot account; delete the account: DELETE /api/account")
    services_of(request).delete_person(owner)
