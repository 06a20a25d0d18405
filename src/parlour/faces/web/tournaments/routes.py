"""The tournaments page: choose bots, let them meet, and watch the table fill."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.arena import Standings, format_points
from parlour.core import BadText, ParlourError, options_of, quote, registry, title
from parlour.faces.web.errors import NotThere, NotYours
from parlour.faces.web.house import House, Live
from parlour.faces.web.identity import Visitor
from parlour.faces.web.lobby import ordered
from parlour.faces.web.requests import MAKING, Fields, Form, house_of, page, posted, visitor_of
from parlour.faces.web.table import bots_for, person_name, read_bot
from parlour.faces.web.tournaments import service as tournaments
from parlour.faces.web.tournaments.service import Standing
from parlour.store import Pairing, Tournament

router = APIRouter()

MOST_SHOWN = 30
MOST_GAMES = 60  # links to games on one page
PAUSE = 0.5  # seconds between two changes of the page, however quickly they play


def fetch(house: House, name: str) -> Standing | None:
    """Fetch a tournament with its games."""
    return tournaments.standing(house, name)


def render(house: House, found: Standing, visitor: Visitor, view: str) -> str:
    """Render the inside of its page."""
    return house.render("tournament_main.html", **_shown(found, visitor, view))


def role(found: Standing, visitor: Visitor) -> bool:
    """Say whether the visitor may stop it; all others see the same page."""
    return visitor.owns(found.tournament.owner)


LIVE = Live(fetch, role, render, pause=PAUSE)


def _shown(found: Standing, visitor: Visitor, view: str) -> dict[str, Any]:
    tournament = found.tournament
    pair = _pair(tournament, view)
    ended = [each for each in found.pairings if each.state in ("done", "failed")]
    rows = sorted(found.standings.rows, key=lambda row: -row.elo)
    listed = [each for each in ended if not pair or set(each.seats) == set(pair)]
    newest = sorted(listed, key=lambda each: -each.changed)[:MOST_GAMES]
    return {
        "tournament": tournament,
        "title": _title(tournament),
        "mine": visitor.owns(tournament.owner),
        "done": len(ended),
        "total": len(found.pairings),
        "rows": rows,
        "cells": _cross_table(found.standings),
        "totals": {row.entry: format_points(row.points) for row in rows},
        "least": min((row.low for row in rows), default=0),
        "most": max((row.high for row in rows), default=0),
        "view": view,
        "pair": [tournament.bots[each] for each in pair],
        "games": [_game(found, each) for each in newest],
        "all_games": len(listed),
    }


def _pair(tournament: Tournament, view: str) -> tuple[int, ...]:
    """Return the two bots whose games a view like `0-1` shows; empty for all games."""
    if not view:
        return ()
    one, _, other = view.partition("-")
    known = [str(number) for number in range(len(tournament.bots))]
    if one not in known or other not in known or one == other:
        raise BadText(f"{quote(view)} names no two bots of this tournament")
    return int(one), int(other)


def _title(tournament: Tournament) -> str:
    """Return the title of the game; its bare name if the game is gone."""
    game = tournament.games[0]
    try:
        return title(registry.game(game["game"], **game["options"]))
    except ParlourError:
        return str(game["game"])


def _game(found: Standing, pairing: Pairing) -> dict[str, Any]:
    first, second = (found.tournament.bots[each] for each in pairing.seats)
    return {
        "number": pairing.number + 1,
        "first": first,
        "second": second,
        "table": pairing.table,
        "points": [format_points(each) for each in pairing.points],
        "trouble": pairing.note,
    }


def _cross_table(standings: Standings) -> dict[tuple[int, int], str]:
    """Return `2½ of 4` for every two bots that have met, by their numbers."""
    return {
        (row.entry, other.entry): f"{format_points(score.points)} of {score.games}"
        for row in standings.rows
        for other, score in zip(standings.rows, row.against, strict=True)
        if score is not None
    }


@router.get("/tournaments")
async def all_tournaments(request: Request, game: str = "nim") -> Response:
    """Those that were or are played, and the form for another."""
    return await _all(request, game)


async def _all(
    request: Request, name: str, notice: str = "", status: int = 200, typed: Fields | None = None
) -> Response:
    house = house_of(request)
    found = registry.find("games", name)
    game = registry.game(str(getattr(found, "name", name)))
    bots = await bots_for(house, game.name, game)
    recent = await house.run(lambda: house.store.tournaments.find(limit=MOST_SHOWN))
    return await house.run(
        lambda: page(
            request,
            "tournaments.html",
            code=status,
            notice=notice,
            back=f"/tournaments?game={game.name}",
            game=game.name,
            games={each: title(registry.game(each)) for each in ordered()},
            options=[each for each in options_of(type(game)).values() if each.name != "seats"],
            bots=bots,
            recent=recent,
            typed=typed or {},
            chosen=typed.all("bot") if typed else [],
            options_typed=typed is not None and any(typed.get(n) for n in options_of(type(game))),
        )
    )


@router.post("/tournaments", dependencies=MAKING)
async def create(request: Request, form: Form) -> Response:
    """Begin a tournament."""
    house, visitor = house_of(request), visitor_of(request)
    name = form.get("game", "")
    usual = registry.game(name)
    able = await bots_for(house, usual.name, usual)

    def do() -> str:
        options = _options(name, form)
        game = registry.game(name, **options)
        if not visitor.owner:
            raise NotYours("your browser keeps no cookies; allow them for this page")
        bots = [read_bot(able, *bot.split(" ", 1)) for bot in form.all("bot")]
        bots += [read_bot(able, *line.split(" ", 1)) for line in _lines(form.get("more", ""))]
        unlike = list(dict.fromkeys(bots))
        called = person_name(form.get("name", "") or f"{title(game)} tournament"[:40])
        rounds = form.number("rounds") or 1
        made = tournaments.create(house, visitor.owner, called, name, options, unlike, rounds)
        return f"/tournaments/{made.id}"

    refused: list[tuple[str, int]] = []

    def note(notice: str, status: int) -> Response:
        refused.append((notice, status))
        return Response()

    answer = await house.run(posted, request, do, note)
    return await _all(request, name, *refused[0], form) if refused else answer


def _options(name: str, form: Fields) -> dict[str, Any]:
    """The options typed; a field left empty is as usual."""
    known = options_of(registry.find("games", name))
    return {
        option: known[option].read(text)
        for option, text in form.items()
        if option in known and option != "seats" and text.strip()
    }


def _lines(text: str) -> list[str]:
    lines = [line.strip() for line in text[:2000].splitlines() if line.strip()]
    if len(lines) > tournaments.MOST_BOTS:
        raise BadText(f"{quote(len(lines))} lines are too many; one bot a line, a few of them")
    return lines


@router.get("/tournaments/{name}")
def one(request: Request, name: str, pair: str = "") -> Response:
    """One tournament, live, with all its games or those of two bots."""
    return _one(request, name, pair=pair)


def _one(
    request: Request, name: str, notice: str = "", status: int = 200, pair: str = ""
) -> Response:
    house, visitor = house_of(request), visitor_of(request)
    found = _found(house, name)
    return page(
        request,
        "tournament.html",
        code=status,
        notice=notice,
        live=f"tournament:{name}",
        version=found.version,
        back=f"/tournaments/{name}" + (f"?pair={pair}" if pair else ""),
        waiting=found.tournament.state == "on",
        **_shown(found, visitor, pair),
    )


def _found(house: House, name: str) -> Standing:
    found = fetch(house, name)
    if found is None:
        raise NotThere(f"there is no tournament {quote(name)}")
    return found


@router.post("/tournaments/{name}/{wish}")
def change(request: Request, name: str, wish: str) -> Response:
    """Stop it, or let it go on."""
    house, visitor = house_of(request), visitor_of(request)

    def do() -> str:
        found = _found(house, name)
        if not visitor.owns(found.tournament.owner):
            raise NotYours("somebody else runs this tournament; you may watch")
        if wish not in ("stop", "go-on"):
            raise NotThere(f"nobody can {quote(wish)} a tournament")
        tournaments.set_state(house, found.tournament, "on" if wish == "go-on" else "paused")
        return f"/tournaments/{name}"

    return posted(request, do, lambda notice, status: _one(request, name, notice, status))
