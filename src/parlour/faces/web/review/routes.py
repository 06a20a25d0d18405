"""Analyse: paste a record or a position, or build one, walk through it, and see every mistake.

All of it is addresses: a line of play is a link to share, and nothing is kept but what was found
out about positions. A wrong paste comes back as it was typed, with one sentence about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from parlour.core import (
    BadText,
    Game,
    ParlourError,
    count,
    declared,
    how_to_move,
    registry,
    sentence,
    title,
)
from parlour.faces.web import boards
from parlour.faces.web.errors import NotYours, status_of
from parlour.faces.web.forms import preset_name
from parlour.faces.web.house import House
from parlour.faces.web.lobby import ORDER
from parlour.faces.web.requests import Fields, Form, house_of, page, visitor_of, wants_json
from parlour.faces.web.review import view as analyse_told
from parlour.faces.web.review.lines import (
    OURS,
    Line,
    beginning,
    building_address,
    game_of,
    of_record,
    read_line,
    read_number,
    read_records,
    with_moves,
)
from parlour.faces.web.review.service import Analysis
from parlour.faces.web.table import called, is_between_people
from parlour.faces.web.table import service as verbs
from parlour.faces.web.variants import read_variant, told
from parlour.faces.web.workers import Answer

router = APIRouter()

MOST_RECORDS = 100  # in one paste that are listed
LONGEST_MOVE = 100  # characters
EXPLAINING = 10.0  # seconds
PATIENCE = 1.5  # seconds a page waits for a reason


def _gone(request: Request, go: str) -> Response:
    """Somewhere else, for a script or for a browser."""
    return JSONResponse({"go": go}) if wants_json(request) else RedirectResponse(go, 303)


def _end(line: Line) -> str:
    """The address of a line's last position."""
    return line.address(at=len(line.moves))


# The first page


@router.get("/analyse")
def analyse(request: Request, table: str = "") -> Response:
    """What shall be looked at? With a table, its game."""
    if not table:
        return _first(request)
    try:
        return _gone(request, _end(_of_table(house_of(request), table)))
    except ParlourError as refusal:
        return _first(request, sentence(str(refusal)), status_of(refusal))


def _first(request: Request, notice: str = "", status: int = 200, **more: Any) -> Response:
    names = registry.games()
    ordered = [*(n for n in ORDER if n in names), *(n for n in names if n not in ORDER)]
    games = [registry.game(name) for name in ordered]
    cards = [
        {
            "href": building_address(game),
            "title": title(game),
            "picture": boards.picture(game, game.start()),
        }
        for game in games
    ]
    told = {"text": "", "wrong": "", **more}
    return page(
        request, "analyse.html", code=status, notice=notice, here="/analyse", games=cards, **told
    )


def _of_table(house: House, table_id: str) -> Line:
    """The line of a table; not while two people are at it."""
    table = verbs.read(house, table_id)
    if table.result is None and is_between_people(table):
        raise NotYours("two people are still playing this; it can be looked through afterwards")
    names = tuple(called(table, seat) for seat in range(len(table.seats)))
    return replace(of_record(table.record()), players=names)


@router.post("/analyse")
def pasted(request: Request, form: Form) -> Response:
    """A record, or several to choose from."""
    text = form.get("record", "")
    try:
        records = read_records(text)
        if len(records) == 1:
            return _gone(request, _end(of_record(records[0])))
        rows = [_row(number, each) for number, each in enumerate(records[:MOST_RECORDS], start=1)]
    except ParlourError as refusal:
        wrong = sentence(str(refusal))
        return _first(request, status=status_of(refusal), text=text, wrong=wrong)
    more = len(records) - len(rows)
    return page(request, "analyse_records.html", here="/analyse", rows=rows, more=more)


def _row(number: int, record: Any) -> dict[str, Any]:
    """One of several records: where it is looked through, or what is wrong with it."""
    try:
        line = of_record(record)
    except ParlourError as refusal:
        return {"number": number, "title": f"Record {number}", "wrong": sentence(str(refusal))}
    result = line.game.result(line.states[-1])
    winners = [line.called(seat) for seat, payoff in enumerate(result or ()) if payoff > 0]
    how = "unfinished" if result is None else f"{winners[0]} won" if winners else "a draw"
    return {
        "number": number,
        "title": title(line.game),
        "players": " against ".join(line.called(seat) for seat in range(line.game.seats)),
        "how": f"{count(len(line.moves), 'move')}, {line.ended or how}",
        "href": _end(line),
        "wrong": "",
    }


# A line begun by hand


@router.get("/analyse/{name}")
def begin(request: Request, name: str) -> Response:
    """Choose the rules, and give moves or a position, or put one together."""
    return _begin(request, name)


def _begin(
    request: Request,
    name: str,
    answers: Mapping[str, str] | None = None,
    wrong: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response:
    query = request.query_params
    found = read_variant(name, {key: text for key, text in query.items() if key not in OURS})
    game: Game = found.game or registry.made(found.cls, found.name, {})
    answers = answers or query
    wrong = {"moves": "", "position": "", "built": "", **(wrong or {})}
    try:
        state = beginning(game, query.get("position", "")).states[0]
        built = boards.build_position(game, state, answers)
    except ParlourError as refusal:
        state = game.start()
        built = boards.build_position(game, state, {})
        wrong["position"], status = sentence(str(refusal)), status_of(refusal)
    if found.wrong:
        status = 422
    return page(
        request,
        "analyse_begin.html",
        code=status,
        here="/analyse",
        name=found.name,
        title=title(game),
        position=answers.get("position") or game.write(state),
        moves=answers.get("moves", ""),
        how=how_to_move(game),
        wrong=wrong,
        built=built,
        columns=getattr(game, "columns", 0),
        rows=getattr(game, "rows", 0),
        options=list(told(game).items()),
        start=beginning(game).address(),
        this=building_address(game),
        fields=found.fields,
        wrong_rules={option: sentence(text) for option, text in found.wrong.items()},
        presets=_presets(found.cls, found.name),
    )


def _presets(cls: type, name: str) -> list[tuple[str, str]]:
    """The usual rules and others that have a name, each with its address."""
    named: list[tuple[str, Game]] = [("As usual", registry.made(cls, name, {}))]
    for key, option in declared(cls).items():
        named += [
            (preset_name(option, preset), registry.made(cls, name, {key: preset}))
            for preset in option.presets or ()
            if preset != option.default
        ]
    return [(label, building_address(game)) for label, game in named]


@router.post("/analyse/{name}")
def begun(request: Request, name: str, form: Form) -> Response:
    """A line from moves, from a position, or from one that was put together."""
    ways: dict[str, Callable[[Game, Fields], Line]] = {
        "moves": lambda game, form: with_moves(beginning(game), form.get("moves", "")),
        "position": lambda game, form: _pasted_position(game, form.get("position", "")),
        "built": lambda game, form: beginning(game, boards.compose_position(game, form)),
    }
    way = form.get("do", "")
    try:
        game = game_of(name, request.query_params)
        if way not in ways:
            raise BadText("send moves, a position, or one that was put together")
        return _gone(request, _end(ways[way](game, form)))
    except ParlourError as refusal:
        return _begin(request, name, form, {way: sentence(str(refusal))}, status_of(refusal))


def _pasted_position(game: Game, text: str) -> Line:
    if not text.strip():
        raise BadText("there is nothing here yet; paste a position, as Copy position gives it")
    return beginning(game, text)


# Walking


def _read(request: Request, name: str) -> Line:
    return read_line(name, request.query_params, request.query_params.getlist("by"))


@router.get("/analyse/{name}/walk")
async def walk(request: Request, name: str) -> Response:
    """A line, looked through move by move."""
    try:
        line = await house_of(request).run(_read, request, name)
    except ParlourError as refusal:
        text = sentence(str(refusal))
        return await house_of(request).run(_first, request, text, status_of(refusal))
    return await _walk(request, line, _at(line, request.query_params.get("at", "")))


def _at(line: Line, text: str) -> int:
    """After how many moves somebody looks; after all of them, where that is not told."""
    last, told = len(line.moves), read_number(text)
    return last if told is None else min(last, told)


async def _walk(
    request: Request, line: Line, at: int, notice: str = "", status: int = 200
) -> Response:
    house, visitor = house_of(request), visitor_of(request)
    whose = visitor.owner or visitor.address
    analysis = await house.analyst.look(line, at, f"analysis {whose}")
    why = request.query_params.get("why", "")[:LONGEST_MOVE]
    reason = await _why(request, analysis, at, why) if why else None
    return await house.run(_walk_page, request, analysis, at, why, reason, notice, status)


async def _why(request: Request, analysis: Analysis, at: int, why: str) -> Answer:
    """Why the position is what it is, or a move in it, or the last one, right or wrong."""
    house, visitor = house_of(request), visitor_of(request)
    last = why == "last" and at > 0
    place = at - 1 if last else at
    found = analysis.found[place]
    payload = {
        "game": analysis.game,
        "options": analysis.options,
        "position": analysis.positions[place],
    }
    if found and found.by:  # an estimate: the reasons are those of the numbers shown
        payload["known"] = found.to_dict()
    if why != "position":
        payload["move"] = analysis.line.moves[at - 1] if last else why
    return await house.answers.ask(
        "explain",
        payload,
        seconds=EXPLAINING,
        whose=visitor.owner or visitor.address,
        patience=PATIENCE,
    )


def _walk_page(
    request: Request,
    analysis: Analysis,
    at: int,
    why: str,
    reason: Answer | None,
    notice: str,
    status: int,
) -> Response:
    told = analyse_told.walk(analysis, at)
    told["why"] = analyse_told.reason(analysis.line, at, why, reason) if reason else None
    waiting = told["pending"] or (reason is not None and reason.pending)
    return page(
        request,
        "analyse_walk.html",
        code=status,
        notice=notice,
        here="/analyse",
        waiting=waiting,
        **told,
    )


@router.post("/analyse/{name}/walk")
async def play(request: Request, name: str, form: Form) -> Response:
    """Try a move on the board: on along the line, or off it."""
    house = house_of(request)
    line = await house.run(_read, request, name)
    at = _at(line, form.get("at", ""))
    try:
        after = await house.run(line.on, at, boards.move_text(form)[:LONGEST_MOVE])
    except ParlourError as refusal:
        if wants_json(request):
            raise
        return await _walk(request, line, at, sentence(str(refusal)), status_of(refusal))
    return _gone(request, f"{after.address(at=at + 1)}#here")
