"""The pages and forms of a table."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour import boards
from parlour.core import ParlourError, sentence
from parlour.faces.web import requests as web
from parlour.faces.web.clients import Visitor
from parlour.faces.web.live import BEAT, Topic
from parlour.faces.web.services import Services, services_of
from parlour.faces.web.table import service, setup
from parlour.faces.web.table.bots import SWEEP, BotCatalogue, BotDriver, Sources
from parlour.faces.web.table.pairing import NOTE, PairingService
from parlour.faces.web.table.presence import TablePresence
from parlour.faces.web.table.values import Valuations
from parlour.faces.web.table.view import role, table_context, why_no_help
from parlour.store import Table

router = APIRouter(include_in_schema=False)

EXPLAINING = 10.0  # seconds


def start_section(services: Services) -> None:
    """Make the tables, their values, their bots, and their live pages."""
    store, hub, workers = services.store, services.hub, services.workers
    services.add(Sources())
    tables = services.add(service.TableService(store, hub))
    services.add(Valuations(store, hub, workers))
    presence = services.add(TablePresence(store, hub))
    services.repeat(BEAT, presence.beat)
    services.receivers["presence"] = presence.receive
    tables.claimable_in = presence.claimable_in
    services.add(BotCatalogue(workers))
    driver = services.add(BotDriver(services))
    tables.listeners.append(driver.on_change)
    services.resumers.append(driver.resume)
    services.repeat(SWEEP, driver.check_slow_clocks)
    pairing = services.add(PairingService(store, tables, hub))
    services.repeat(NOTE, pairing.beat)
    tables.listeners.append(presence.on_change)
    # Matches hold the names of players
    services.forgetters += [lambda owner: service.matches.clear(), presence.forget]
    template = web.TEMPLATES.get_template("table_main.html")

    def render(table: Table, visitor: Visitor, shown: str) -> str:
        return template.render(**table_context(services, table, visitor, shown))

    hub.topics["table"] = Topic(
        store.tables.get, role, render, read=store.tables.read, on_open=tables.wake, in_thread=False
    )


SECTION = web.Section((router, setup.router), start=start_section)


@dataclass(frozen=True)
class TablePage:
    """The page of a table that a request is about."""

    request: Request
    table_id: str
    tables: service.TableService
    view: str  # "values", or nothing

    def address(self, table_id: str = "") -> str:
        """Return the address of this page, or of the same view of another table."""
        view = f"?view={self.view}" if self.view else ""
        return f"/tables/{table_id or self.table_id}{view}"

    def show(self, table: Table | None = None, **values: Any) -> Response:
        """Show the table as it is now."""
        table = table or self.tables.read(self.table_id)
        services, visitor = services_of(self.request), web.visitor_of(self.request)
        context = table_context(services, table, visitor, self.view)
        return web.page(
            self.request,
            "table.html",
            live=f"table:{table.id}",
            version=table.version,
            back=self.address(),
            **context,
            **values,
        )


async def _table_page(
    request: Request, table_id: str, tables: service.TablesDep, view: str = ""
) -> TablePage:
    found = TablePage(request, table_id, tables, view if view == "values" else "")
    if request.method == "POST":
        web.show_refusal_on(request, found.show)
    return found


TablePageDep = Annotated[TablePage, Depends(_table_page)]


# Pages


@router.get("/tables/{table_id}")
async def show(table_page: TablePageDep, why: str = "") -> Response:
    """Show a table, with the reasons for its value or for a move's if asked."""
    services, visitor = services_of(table_page.request), web.visitor_of(table_page.request)
    table = await asyncio.to_thread(table_page.tables.read, table_page.table_id)
    table_page.tables.note_view(table)
    if service.is_for_two_people(table):
        presence = services.get(TablePresence)
        presence.note_view(table, visitor.owner)
        await asyncio.to_thread(presence.load, table.id)
    reasons = await _explain(services, table, visitor, why[:100]) if why else []
    return await asyncio.to_thread(table_page.show, table=table, why=why, reasons=reasons)


async def _explain(services: Services, table: Table, visitor: Visitor, why: str) -> list[str]:
    """Explain the value of the position, or why a move is right or wrong."""
    if reason := why_no_help(table):
        return [reason]
    payload = {"game": table.game, "options": table.options, "moves": list(table.moves)}
    match = await asyncio.to_thread(service.match_of, table)
    known = services.get(Valuations).get(table, match.game.write(match.state))
    if known and known.by:  # an estimate: explain the numbers shown
        payload["known"] = known.to_dict()
    if why != "position":
        payload["move"] = why
    try:
        answer = await services.workers.run("explain", payload, EXPLAINING, client=visitor.client)
    except ParlourError as error:
        return [sentence(error.text)]
    return list(answer["lines"])


@router.get("/tables/{table_id}/record")
def download_record(table_id: str, tables: service.TablesDep) -> Response:
    """Return the record of the game as a file, one line of JSON."""
    table = tables.read(table_id)
    line = table.record().to_json() + "\n"
    return web.download(line, "text/plain", f"{table.game}-{table.id}.jsonl")


# Forms


@router.post("/tables/{table_id}/move")
async def move(table_page: TablePageDep, form: web.Form, writes: web.WritesDep) -> Response:
    """Play a move; no page is rendered inside the transaction that stores it."""
    tables, visitor = table_page.tables, web.visitor_of(table_page.request)
    text, at = boards.move_text(form), form.number("at")
    await writes.run(partial(tables.move, table_page.table_id, visitor, text, at))
    return web.respond_to_form(table_page.request, table_page.address())


@router.post("/tables/{table_id}/sit", dependencies=web.NOT_BARRED)
def sit(table_page: TablePageDep, form: web.Form) -> Response:
    """Take a free seat."""
    owner = web.visitor_of(table_page.request).owner
    seat, name = form.number("seat") or 0, form.get("name", "").strip()
    table_page.tables.sit(table_page.table_id, seat, name, owner)
    return web.respond_to_form(table_page.request, table_page.address())


@router.post("/tables/{table_id}/{action}")
def act(table_page: TablePageDep, action: str, form: web.Form) -> Response:
    """Carry out an action of the players: resign, offer a draw, claim the game and so on."""
    visitor = web.visitor_of(table_page.request)
    table = table_page.tables.act(table_page.table_id, action, visitor, form.number("at"))
    following = table.next if action == "rematch" else ""
    return web.respond_to_form(table_page.request, table_page.address(following))
