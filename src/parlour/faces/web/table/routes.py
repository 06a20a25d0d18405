"""The table: the board in the middle, who plays beside it, and what every move is worth.

What a page shows depends on the table, on which seats are the visitor's, and on the view they
chose; the live connection sends the same inside anew whenever the table changes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response

from parlour.core import Match, ParlourError, describe, rules_text, sentence, sides, title
from parlour.faces.web import boards
from parlour.faces.web.house import House, Live
from parlour.faces.web.identity import Visitor
from parlour.faces.web.requests import Form, house_of, page, posted, visitor_of
from parlour.faces.web.school import box_address
from parlour.faces.web.table import service as verbs
from parlour.faces.web.table.chart import value_chart
from parlour.faces.web.table.state import (
    called,
    is_between_people,
    is_full,
    match_of,
    seats_of,
    seconds_left,
    waits_for_ok,
)
from parlour.faces.web.table.view import announced, as_seen, clock_face, end_reason, ended, series
from parlour.players import Assessment
from parlour.store import Table

router = APIRouter()

EXPLAIN = 10.0  # seconds
JUST_NOW = 0.5  # seconds in which a move is shown moving


def fetch(house: House, name: str) -> Table | None:
    """The table as it is stored."""
    return house.store.tables.get(name)


def role(table: Table, visitor: Visitor) -> tuple[Any, ...]:
    """Those at the same seats see the same; so do all who watch."""
    return (*seats_of(table, visitor), _own_menu(table, visitor))


def _own_menu(table: Table, visitor: Visitor) -> bool:
    """Whether the table was laid from the visitor's menu."""
    return bool(table.setup) and visitor.browser == table.setup.partition(" ")[2]


def render(house: House, table: Table, visitor: Visitor, view: str) -> str:
    """The inside of the page."""
    return house.render("table_main.html", **shown(house, table, visitor, view))


LIVE = Live(fetch, role, render, aside=False)


def shown(house: House, table: Table, visitor: Visitor, view: str) -> dict[str, Any]:
    """All that the template tells."""
    match = match_of(table)
    game = match.game
    mine = seats_of(table, visitor)
    waits = waits_for_ok(table, match)
    playable = not match.over and is_full(table) and not waits and match.turn in mine
    past = _before(match)
    values = _values(house, table, match, view)
    return {
        "table": table,
        "game": game,
        "title": title(game),
        "variant": describe(game),
        "rules": as_seen(game, rules_text(game)),
        "position": game.write(match.state),
        "record": table.record().to_json(),
        "view": view,
        "mine": mine,
        "turn": None if match.over else match.turn,
        "over": match.over,
        "result": match.result,
        "full": is_full(table),
        "waits": waits,
        "announced": announced(table, match, mine) if table.moves else None,
        "ended": ended(table, match, mine),
        "end_reason": end_reason(table, match, mine),
        "seats": [_seat(table, match, at, mine) for at in range(len(table.seats))],
        "moves": _moves(table, match, mine),
        "offer": _offer(table, mine),
        "own_menu": _own_menu(table, visitor),
        "menu": f"/new/{table.setup.partition(' ')[0]}" if table.setup else "/",
        "among_people": is_between_people(table),
        "still": time.time() - table.turned > JUST_NOW,
        "waiting": _waiting(table, match, mine, waits) or bool(values["values_pending"]),
        "board": boards.board(
            game,
            match.state,
            last=match.moves[-1] if match.moves else "",
            before=past,
            playable=playable,
            at=len(match.moves),
            action=f"/tables/{table.id}/move",
            marks=values["marks"],
            viewer=mine[0] if mine else None,
        ),
        **values,
    }


def _waiting(table: Table, match: Match, mine: tuple[int, ...], waits: bool) -> bool:
    """Whether others are to do something next, and whoever looks has nothing to type meanwhile."""
    if match.over:
        return bool(mine) and is_between_people(table) and not table.next
    if not is_full(table):
        return bool(mine)
    return not mine or not (waits or match.turn in mine)


def _before(match: Match) -> Any:
    """The position before the last move."""
    game, state = match.game, match.game.start()
    if not match.moves:
        return None
    for text in match.moves[:-1]:
        state = game.play(state, game.read_move(state, text))
    return state


def _seat(table: Table, match: Match, at: int, mine: tuple[int, ...]) -> dict[str, Any]:
    seat = table.seats[at]
    marks = sides(match.game)
    left = seconds_left(table, match, at)
    return {
        "at": at,
        "name": called(table, at, mine),
        "kind": seat.kind,
        "bot": seat.bot,
        "hats": box_address(table, match, at),
        "mark": marks[at] if marks else "",
        "mine": at in mine,
        "turn": not match.over and match.turn == at,
        "left": left,
        "clock": None if left is None else clock_face(left),
        "running": not match.over and match.turn == at and is_full(table),
        "payoff": match.result[at] if match.result else None,
    }


def _moves(table: Table, match: Match, mine: tuple[int, ...]) -> list[dict[str, Any]]:
    return [
        {"number": number, "name": called(table, seat, mine), "seat": seat, "text": text}
        for number, (seat, text) in enumerate(zip(match.movers, match.moves, strict=True), start=1)
    ]


def _offer(table: Table, mine: tuple[int, ...]) -> dict[str, Any] | None:
    kind, _, by = table.offer.partition(" ")
    if not kind:
        return None
    seat = int(by)
    return {"kind": kind, "name": called(table, seat, mine), "mine": seat in mine}


def _values(house: House, table: Table, match: Match, view: str) -> dict[str, Any]:
    """What the moves are worth, for those who asked; not while two people are at it."""
    allowed = match.over or not is_between_people(table)
    told: dict[str, Any] = {
        "values": view == "values" and allowed,
        "values_allowed": allowed,
        "values_pending": False,
        "values_note": "",
        "values_source": "",
        "value": None,
        "value_figure": None,
        "valued": [],
        "marks": {},
        "chart": "",
    }
    if not told["values"]:
        return told
    now, past = house.valuer.of_table(table)
    told["chart"] = value_chart(series(match, past))
    if now is None:
        return {**told, "values_pending": True}
    marks = {
        each["move"]: boards.Mark(each["outcome"], each["plies"], each["score"], each["exact"])
        for each in now["moves"]
    }
    return {
        **told,
        "values_note": now["why_not"],
        "values_source": Assessment.from_dict(now).source,
        "value": now["value"],
        "valued": [{**each, "figure": _figure(each)} for each in now["moves"]],
        "value_figure": _figure(now["value"]) if now["value"] else None,
        "marks": marks,
    }


def _figure(worth: dict[str, Any]) -> str | None:
    """The discs ahead or behind, where they are counted."""
    score = worth["score"]
    if score is None:
        return None
    return f"{score:+g}".replace("-", "−") if score else "0"


# Looking


@router.get("/tables/{table_id}")
async def table(request: Request, table_id: str, view: str = "", why: str = "") -> Response:
    """The page of a table."""
    house = house_of(request)
    found = await house.run(verbs.read, house, table_id)
    house.looked_at(found)
    reasons = await _why(house, found, visitor_of(request), why[:100]) if why else []
    return await house.run(_page, request, found, view, "", 200, why, reasons)


def _page(
    request: Request,
    table: Table,
    view: str,
    notice: str = "",
    status: int = 200,
    why: str = "",
    reasons: list[str] | None = None,
) -> Response:
    house, visitor = house_of(request), visitor_of(request)
    view = view if view == "values" else ""
    return page(
        request,
        "table.html",
        code=status,
        notice=notice,
        live=f"table:{table.id}",
        version=table.version,
        back=_here(table.id, view),
        why=why,
        reasons=reasons or [],
        address=str(request.url.replace(query="")),
        **shown(house, table, visitor, view),
    )


async def _why(house: House, table: Table, visitor: Visitor, why: str) -> list[str]:
    """Why the position is what it is, or a move of it right or wrong."""
    if is_between_people(table) and table.result is None:
        return ["I say nothing while two people are playing; ask me again after the game."]
    payload = {"game": table.game, "options": table.options, "moves": list(table.moves)}
    match = await house.run(match_of, table)
    known = house.valuer.known(table, match.game.write(match.state))
    if known and known.get("by"):  # an estimate: the reasons are those of the numbers shown
        payload["known"] = known
    if why != "position":
        payload["move"] = why
    try:
        told = await house.thinkers.ask("explain", payload, seconds=EXPLAIN, whose=visitor.client)
    except ParlourError as trouble:
        return [sentence(str(trouble))]
    return as_seen(match.game, told["lines"])


@router.get("/tables/{table_id}/record")
def record(request: Request, table_id: str) -> Response:
    """The record of the game, one line of JSON, to keep."""
    table = verbs.read(house_of(request), table_id)
    name = f'attachment; filename="{table.game}-{table.id}.jsonl"'
    line = table.record().to_json() + "\n"
    return PlainTextResponse(line, headers={"content-disposition": name})


# Doing


def _posted(
    request: Request, table_id: str, view: str, do: Callable[[House, Visitor], str]
) -> Response:
    house, visitor = house_of(request), visitor_of(request)

    def show(notice: str, status: int) -> Response:
        return _page(request, verbs.read(house, table_id), view, notice, status)

    return posted(request, lambda: do(house, visitor), show)


def _here(table_id: str, view: str) -> str:
    return f"/tables/{table_id}" + (f"?view={view}" if view == "values" else "")


@router.post("/tables/{table_id}/move")
async def move(request: Request, table_id: str, form: Form, view: str = "") -> Response:
    """Play a move: whoever stores it stores nothing but that, and draws no page meanwhile."""
    house, visitor = house_of(request), visitor_of(request)
    try:
        text, at = boards.move_text(form), form.number("at")
        await house.clerk.do(partial(verbs.move, house, table_id, visitor, text, at))
    except ParlourError as trouble:
        refusal = trouble
    else:
        return _posted(request, table_id, view, lambda *_: _here(table_id, view))

    def refuse(*_: object) -> str:
        raise refusal

    return await house.run(_posted, request, table_id, view, refuse)


@router.post("/tables/{table_id}/sit")
def sit(request: Request, table_id: str, form: Form, view: str = "") -> Response:
    """Take a free seat."""

    def do(house: House, visitor: Visitor) -> str:
        verbs.sit(house, table_id, form.number("seat") or 0, form.get("name", ""), visitor.owner)
        return _here(table_id, view)

    return _posted(request, table_id, view, do)


@router.post("/tables/{table_id}/{wish}")
def other(request: Request, table_id: str, wish: str, form: Form, view: str = "") -> Response:
    """Say Ok, take back, resign, offer another game, decline an offer, or look at the clock."""

    def do(house: House, visitor: Visitor) -> str:
        if wish == "ok":
            verbs.ok(house, table_id, visitor, form.number("at"))
        elif wish == "rematch":
            following = verbs.rematch(house, table_id, visitor).next
            return _here(following or table_id, view)
        elif wish == "flag":
            verbs.flag(house, table_id)
        else:
            verbs.simple(wish)(house, table_id, visitor)
        return _here(table_id, view)

    return _posted(request, table_id, view, do)
