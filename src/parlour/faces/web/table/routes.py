"""The pages and forms of a table."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import jinja2
from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from parlour.core import ParlourError, quote, sentence
from parlour.faces.web import boards
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import NotThere
from parlour.faces.web.live import Topic
from parlour.faces.web.requests import (
    Form,
    VisitorDep,
    WorkersDep,
    WritesDep,
    from_state,
    page,
    refusal,
    submit,
    submitted,
    visitor_of,
)
from parlour.faces.web.table.service import TableService
from parlour.faces.web.table.state import is_between_people, match_of
from parlour.faces.web.table.values import Valuations
from parlour.faces.web.table.view import TableView, role, use_board_names
from parlour.faces.web.workers import WorkerPool
from parlour.store import Table

router = APIRouter()

EXPLAINING = 10.0  # seconds

TablesDep = Annotated[TableService, from_state("tables")]
ViewDep = Annotated[TableView, from_state("table_view")]
ValuationsDep = Annotated[Valuations, from_state("valuations")]


def table_topic(
    tables: TableService, table_view: TableView, templates: jinja2.Environment
) -> Topic:
    """Return how open pages of a table are kept up to date."""
    template = templates.get_template("table_main.html")

    def fetch(table_id: str) -> Table | None:
        try:
            return tables.read(table_id)
        except NotThere:
            return None

    def render(table: Table, visitor: Visitor, view: str) -> str:
        return template.render(**table_view.context(table, visitor, view))

    return Topic(fetch, role, render, on_open=tables.wake, in_thread=False)


# Pages


@router.get("/tables/{table_id}")
async def show(
    request: Request,
    table_id: str,
    tables: TablesDep,
    table_view: ViewDep,
    valuations: ValuationsDep,
    workers: WorkersDep,
    view: str = "",
    why: str = "",
) -> Response:
    """Show a table, with the reasons for its value or for a move's if asked."""
    table = await asyncio.to_thread(tables.read, table_id)
    tables.note_view(table)
    reasons = []
    if why:
        visitor = visitor_of(request)
        reasons = await _explain(table, visitor, why[:100], valuations, workers)
    return await asyncio.to_thread(
        _page, request, table_view, table, view, why=why, reasons=reasons
    )


def _page(
    request: Request,
    table_view: TableView,
    table: Table,
    view: str,
    notice: str = "",
    status: int = 200,
    *,
    why: str = "",
    reasons: list[str] | None = None,
) -> Response:
    view = view if view == "values" else ""
    return page(
        request,
        "table.html",
        code=status,
        notice=notice,
        live=f"table:{table.id}",
        version=table.version,
        back=_address(table.id, view),
        why=why,
        reasons=reasons or [],
        address=str(request.url.replace(query="")),
        **table_view.context(table, visitor_of(request), view),
    )


def _address(table_id: str, view: str) -> str:
    return f"/tables/{table_id}" + (f"?view={view}" if view == "values" else "")


async def _explain(
    table: Table, visitor: Visitor, why: str, valuations: Valuations, workers: WorkerPool
) -> list[str]:
    """Explain the value of the position, or why a move is right or wrong."""
    if is_between_people(table) and table.result is None:
        return ["Explanations are hidden while two people play. Ask again after the game."]
    payload = {"game": table.game, "options": table.options, "moves": list(table.moves)}
    match = await asyncio.to_thread(match_of, table)
    known = valuations.get(table, match.game.write(match.state))
    if known and known.get("by"):  # an estimate: explain the numbers shown
        payload["known"] = known
    if why != "position":
        payload["move"] = why
    try:
        answer = await workers.run("explain", payload, EXPLAINING, client=visitor.client)
    except ParlourError as error:
        return [sentence(str(error))]
    return use_board_names(match.game, answer["lines"])


@router.get("/tables/{table_id}/record")
def download_record(table_id: str, tables: TablesDep) -> Response:
    """Return the record of the game as a file, one line of JSON."""
    table = tables.read(table_id)
    name = f'attachment; filename="{table.game}-{table.id}.jsonl"'
    line = table.record().to_json() + "\n"
    return PlainTextResponse(line, headers={"content-disposition": name})


# Forms


@router.post("/tables/{table_id}/move")
async def move(
    request: Request,
    table_id: str,
    form: Form,
    visitor: VisitorDep,
    tables: TablesDep,
    writes: WritesDep,
    table_view: ViewDep,
    view: str = "",
) -> Response:
    """Play a move; no page is rendered inside the transaction that stores it."""
    try:
        text, at = boards.move_text(form), form.number("at")
        await writes.run(partial(tables.move, table_id, visitor, text, at))
    except ParlourError as error:
        notice, status = refusal(request, error)
        return await asyncio.to_thread(
            _show_again, request, table_id, tables, table_view, view, notice, status
        )
    return submitted(request, _address(table_id, view))


def _show_again(
    request: Request,
    table_id: str,
    tables: TableService,
    table_view: TableView,
    view: str,
    notice: str,
    status: int,
) -> Response:
    """Show the table as it is now, with a notice."""
    return _page(request, table_view, tables.read(table_id), view, notice, status)


@router.post("/tables/{table_id}/sit")
def sit(
    request: Request,
    table_id: str,
    form: Form,
    tables: TablesDep,
    table_view: ViewDep,
    view: str = "",
) -> Response:
    """Take a free seat."""

    def take_seat() -> str:
        owner = visitor_of(request).owner
        tables.sit(table_id, form.number("seat") or 0, form.get("name", ""), owner)
        return _address(table_id, view)

    return submit(
        request, take_seat, partial(_show_again, request, table_id, tables, table_view, view)
    )


@router.post("/tables/{table_id}/{action}")
def act(
    request: Request,
    table_id: str,
    action: str,
    form: Form,
    tables: TablesDep,
    table_view: ViewDep,
    view: str = "",
) -> Response:
    """Say Ok, take back, resign, offer another game, decline an offer, or check the clock."""
    visitor = visitor_of(request)
    simple = {"resign": tables.resign, "undo": tables.undo, "decline": tables.decline}

    def do() -> str:
        if action == "ok":
            tables.ok(table_id, visitor, form.number("at"))
        elif action == "rematch":
            following = tables.rematch(table_id, visitor).next
            return _address(following or table_id, view)
        elif action == "flag":
            tables.check_clock(table_id)
        elif action in simple:
            simple[action](table_id, visitor)
        else:
            raise NotThere(f"a table has no action {quote(action)}")
        return _address(table_id, view)

    return submit(request, do, partial(_show_again, request, table_id, tables, table_view, view))
