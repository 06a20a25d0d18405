"""Review a game: paste a record or a position, or set one up, and see every mistake.

Everything is in the address: a line of play is a link to share, and only the values of positions
are cached. A wrong paste comes back as it was typed, with one sentence about it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour import boards, core
from parlour.core import BadText, Game, ParlourError, join, registry, say, sentence, title
from parlour.faces.web import requests as web
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import NotYours, TooBig, status_of
from parlour.faces.web.forms import describe_variant, list_cards
from parlour.faces.web.review import address, view
from parlour.faces.web.review.service import Analysis, Analyst
from parlour.faces.web.services import Services, services_of
from parlour.faces.web.table import (
    TablesDep,
    TableService,
    Valuations,
    is_without_help,
    player_name,
    seats_of,
)
from parlour.faces.web.texts import _
from parlour.faces.web.workers import Answer
from parlour.store import Store

router = APIRouter(include_in_schema=False)

PAGE = 50  # games of a file on one page
MAX_MOVE_TEXT = 100  # characters
EXPLAINING = 10.0  # seconds
STUDYING = 10.0  # seconds until a study is made of what is known by then


def _end(line: address.Line) -> str:
    """Return the address of a line's last position."""
    return line.address(at=len(line.moves))


# The first page


@router.get("/analyse")
def show_start(request: Request, tables: TablesDep, table: str = "") -> Response:
    """Choose what to review; with a table, review its game."""
    if not table:
        return _show_first(request)
    web.show_refusal_on(request, partial(_show_first, request))
    return web.redirect(request, _end(_line_of_table(tables, table, web.visitor_of(request))))


def _show_first(
    request: Request, text: str = "", wrong: str = "", status: int | None = None
) -> Response:
    games = list_cards(address.setup_address)
    return web.page(request, "review.html", code=status, text=text, wrong=wrong, games=games)


def _line_of_table(tables: TableService, table_id: str, visitor: Visitor) -> address.Line:
    """Return the line of a table with the names it shows, unless two people are playing there."""
    table = tables.read(table_id)
    if is_without_help(table) and table.counts_for:
        raise NotYours(say("this game counts; you can review it when it is over"))
    if is_without_help(table):
        raise NotYours(
            say("two people are still playing this game; you can review it when it is over")
        )
    names = tuple(player_name(table, seat) for seat in range(len(table.seats)))
    mine = seats_of(table, visitor)
    unnamed = [seat for seat in mine if player_name(table, seat, mine) != names[seat]]
    reader = address.mark_seat(unnamed[0], visitor.owner) if unnamed else ""
    over = table.id if table.over else ""
    return replace(address.line_of(table.record()), players=names, reader=reader, table=over)


@router.post("/analyse")
async def paste(request: Request, form: web.UploadForm) -> Response:
    """Review a game that was pasted or uploaded, or choose from several."""
    text = form.get("record", "")
    shown = text if len(text) <= address.MAX_PASTE else ""
    web.show_again(request, partial(_show_first, request, shown))
    return await asyncio.to_thread(_open, request, form)


def _open(request: Request, form: web.Upload) -> Response:
    """Review the only game, or list a page of them."""
    data = form.file or form.get("record", "").encode()
    if len(data) > address.MAX_PASTE and not form.file:
        most = address.MAX_PASTE // 1024
        raise TooBig("this is too large; at most {most:,} kB fit", most=most)
    if form.get("held"):
        data = address.unpack(form["held"])
    found = address.read_collection(data)
    if found.number == 1:
        return web.redirect(request, _end(found.read(0)))
    last = (found.number - 1) // PAGE
    asked = form.number("page")
    number = min((form.number("go") if asked is None else asked) or 0, last)
    places = range(PAGE * number, min(found.number, PAGE * (number + 1)))
    response = web.page(
        request,
        "review_records.html",
        rows=[_row(found, place) for place in places],
        first=places.start + 1,
        total=found.number,
        number=number,
        last=last,
        held=address.pack(data) if last else "",
    )
    response.headers["cache-control"] = "private"  # so that Back from a game leads here again
    return response


def _row(found: address.Collection, place: int) -> dict[str, Any]:
    """Describe one of several games, or say what is wrong with it."""
    try:
        line = found.read(place)
    except ParlourError as error:
        return {"wrong": sentence(error.text)}
    result = line.game.result(line.states[-1])
    winners = [line.name(seat) for seat, payoff in enumerate(result or ()) if payoff > 0]
    if line.ended:
        how: str = line.ended
    elif result is None:
        how = say("unfinished")
    else:
        how = say("{winners} won", winners=winners[0]) if winners else say("a draw")
    return {
        "title": title(line.game),
        "players": join(_(" against "), map(line.name, range(line.game.seats))),
        "how": say("{moves}, {how}", moves=core.count(len(line.moves), "move"), how=how),
        "href": _end(line),
    }


# Setting up a line


@router.get("/analyse/{name}")
def set_up(request: Request, name: str) -> Response:
    """Choose the rules, and type moves or a position, or set one up."""
    return _show_set_up(request, name)


def _show_set_up(
    request: Request,
    name: str,
    answers: Mapping[str, str] | None = None,
    wrong: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response:
    query = request.query_params
    found = address.variant_of(name, query)
    game: Game = found.game or registry.build("games", found.cls)
    answers = answers or query
    wrong = {"moves": "", "position": "", "built": "", **(wrong or {})}
    try:
        state = address.start_line(game, query.get("position", "")).states[0]
        built = boards.build_position(game, state, answers)
    except ParlourError as error:
        state = game.start()
        built = boards.build_position(game, state, {})
        wrong["position"], status = sentence(error.text), status_of(error)
    if found.wrong:
        status = 422
    return web.page(
        request,
        "review_setup.html",
        code=status,
        position=answers.get("position") or game.write(state),
        moves=answers.get("moves", ""),
        how=core.how_to_move(game),
        wrong=wrong,
        built=built,
        columns=getattr(game, "columns", 0),
        rows=getattr(game, "rows", 0),
        start=address.start_line(game).address(),
        this=address.setup_address(game),
        **describe_variant(found, address.setup_address),
    )


@router.post("/analyse/{name}")
def start(request: Request, name: str, form: web.Form) -> Response:
    """Start a line from moves, from a position, or from one that was set up."""
    way = form.get("do", "")
    web.show_again(
        request, lambda wrong, status: _show_set_up(request, name, form, {way: wrong}, status)
    )
    return web.redirect(
        request, _end(_start_line(address.game_of(name, request.query_params), way, form))
    )


def _start_line(game: Game, way: str, form: Mapping[str, str]) -> address.Line:
    if way == "moves":
        return address.with_moves(address.start_line(game), form.get("moves", ""))
    if way == "built":
        return address.start_line(game, boards.compose_position(game, form))
    if way != "position":
        raise BadText(say("send moves, a position, or one that was set up"))
    if not form.get("position", "").strip():
        raise BadText(say("paste a position here; Copy position at a table copies one"))
    return address.start_line(game, form["position"])


# Reviewing


def _read(request: Request, name: str) -> address.Line:
    web.show_refusal_on(request, partial(_show_first, request))
    query = request.query_params
    return address.read_line(name, query, query.getlist("by"), web.visitor_of(request).owner)


LineDep = Annotated[address.Line, Depends(_read)]


@router.get("/analyse/{name}/walk")
async def review(request: Request, line: LineDep) -> Response:
    """Review a line move by move."""
    return await _review(request, line, _at(line, request.query_params.get("at", "")))


def _at(line: address.Line, text: str) -> int:
    """Read the number of moves before the current position, by default all of them."""
    last, number = len(line.moves), web.read_number(text)
    return last if number is None else min(last, number)


async def _review(request: Request, line: address.Line, at: int) -> Response:
    visitor = web.visitor_of(request)
    analyst = services_of(request).get(Analyst)
    analysis = await analyst.look(line, at, f"analysis {visitor.owner or visitor.address}")
    why = request.query_params.get("why", "")[:MAX_MOVE_TEXT]
    reason = await _explain(request, analysis, at, why) if why else None
    own = await asyncio.to_thread(_is_own_game, services_of(request).store, line, visitor)

    def render() -> Response:
        values = view.show_review(analysis, line, at) | {"own_game": own}
        values["why"] = view.show_reason(line, at, why, reason) if reason else None
        values["waiting"] = values["pending"] or (reason is not None and reason.pending)
        return web.page(request, "review_line.html", **values)

    return await asyncio.to_thread(render)


def _is_own_game(store: Store, line: address.Line, visitor: Visitor) -> bool:
    """Whether the visitor played in the finished game that this line is."""
    table = store.tables.get(line.table) if line.table else None
    return table is not None and table.over and bool(seats_of(table, visitor))


async def _explain(request: Request, analysis: Analysis, at: int, why: str) -> Answer:
    """Ask why the position, a move in it, or the last move is worth what it is."""
    last = why == "last" and at > 0
    place = at - 1 if last else at
    found = analysis.found[place]
    payload = {
        "game": analysis.game,
        "options": analysis.options,
        "position": analysis.positions[place],
    }
    if found and found.by:  # an estimate: explain the numbers that are shown
        payload["known"] = found.to_dict()
    if why != "position":
        payload["move"] = analysis.line.moves[at - 1] if last else why
    return await web.ask(request, "explain", payload, EXPLAINING)


@router.post("/analyse/{name}/walk")
def play(request: Request, line: LineDep, form: web.Form) -> Response:
    """Play a move on the board, along the line or off it."""
    at = _at(line, form.get("at", ""))
    web.show_refusal_on(request, partial(_review, request, line, at))
    after = line.on(at, boards.move_text(form)[:MAX_MOVE_TEXT])
    return web.redirect(request, f"{after.address(at=at + 1)}#here")


@router.post("/analyse/{name}/study", dependencies=web.LIMIT_CREATION)
async def make_a_study(request: Request, line: LineDep) -> Response:
    """Make a study of a line with its mistakes, as far as they are known, and go to it."""
    visitor = web.visitor_of(request)
    web.show_refusal_on(request, partial(_review, request, line, 0))
    analyst = services_of(request).get(Analyst)
    client = f"analysis {visitor.owner or visitor.address}"
    analysis, ends = await analyst.look(line, 0, client), time.monotonic() + STUDYING
    while analysis.missing and time.monotonic() < ends:
        await analyst.look(line, analysis.missing[0], client)
    study = await asyncio.to_thread(view.make_study, analysis)
    stored = await asyncio.to_thread(services_of(request).create_study, visitor, study)
    return web.redirect(request, f"/studies/{stored.id}")


@router.get("/analyse/{name}/download/{kind}")
def download(request: Request, line: LineDep, kind: str) -> Response:
    """Return a line as a file: a record, GGF, a list of moves, or its position in OBF."""
    text, file = address.write_file(line, kind, _at(line, request.query_params.get("at", "")))
    return web.download(text, "text/plain", file)


def start_section(services: Services) -> None:
    """Make the analyst."""
    services.add(Analyst(services.workers, services.get(Valuations)))


SECTION = web.Section((router,), ("/analyse", say("Review")), start_section)
