"""The tournaments page: choose bots, let them meet, and watch the table fill."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import jinja2
from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.arena import Standings, format_points
from parlour.core import BadText, ParlourError, options_of, quote, registry, title
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import NotThere, NotYours
from parlour.faces.web.live import Topic
from parlour.faces.web.requests import (
    LIMIT_CREATION,
    Fields,
    Form,
    StoreDep,
    VisitorDep,
    from_state,
    page,
    refusal,
    submit,
    submitted,
    visitor_of,
)
from parlour.faces.web.table import BotCatalogue, BotsDep, clean_name, read_bot
from parlour.faces.web.tournaments import service as tournaments
from parlour.faces.web.tournaments.service import Runner, Standing
from parlour.faces.web.variants import order_games
from parlour.store import Pairing, Store, Tournament

router = APIRouter()

RunnerDep = Annotated[Runner, from_state("runner")]

MOST_SHOWN = 30
MOST_GAMES = 60  # links to games on one page
PAUSE = 0.5  # seconds between two changes of the page, however quickly they play


def tournament_topic(store: Store, templates: jinja2.Environment) -> Topic:
    """Return how open pages of a tournament are kept up to date."""
    template = templates.get_template("tournament_main.html")

    def role(found: Standing, visitor: Visitor) -> bool:
        return visitor.owns(found.tournament.owner)  # who may stop it

    def render(found: Standing, visitor: Visitor, view: str) -> str:
        return template.render(**_shown(found, visitor, view))

    return Topic(lambda name: tournaments.standing(store, name), role, render, pause=PAUSE)


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
        raise BadText(f"{quote(view)} does not name two bots of this tournament")
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
async def all_tournaments(
    request: Request, store: StoreDep, bots: BotsDep, game: str = "nim"
) -> Response:
    """Those that were or are played, and the form for another."""
    return await _all(request, store, bots, game)


async def _all(
    request: Request,
    store: Store,
    catalogue: BotCatalogue,
    name: str,
    notice: str = "",
    status: int = 200,
    typed: Fields | None = None,
) -> Response:
    found = registry.find("games", name)
    game = registry.game(str(getattr(found, "name", name)))
    bots = await catalogue.find(game)
    recent = await asyncio.to_thread(store.tournaments.find, limit=MOST_SHOWN)
    return await asyncio.to_thread(
        lambda: page(
            request,
            "tournaments.html",
            code=status,
            notice=notice,
            back=f"/tournaments?game={game.name}",
            game=game.name,
            games={each: title(registry.game(each)) for each in order_games()},
            options=[each for each in options_of(type(game)).values() if each.name != "seats"],
            bots=bots,
            recent=recent,
            typed=typed or {},
            chosen=typed.all("bot") if typed else [],
            options_typed=typed is not None and any(typed.get(n) for n in options_of(type(game))),
        )
    )


@router.post("/tournaments", dependencies=LIMIT_CREATION)
async def create(
    request: Request,
    form: Form,
    visitor: VisitorDep,
    store: StoreDep,
    catalogue: BotsDep,
    runner: RunnerDep,
) -> Response:
    """Begin a tournament."""
    name = form.get("game", "")
    usual = registry.game(name)
    able = await catalogue.find(usual)

    def do() -> str:
        options = _options(name, form)
        game = registry.game(name, **options)
        if not visitor.owner:
            raise NotYours("your browser does not accept cookies; allow them for this site")
        bots = [read_bot(able, *bot.split(" ", 1)) for bot in form.all("bot")]
        bots += [read_bot(able, *line.split(" ", 1)) for line in _lines(form.get("more", ""))]
        unlike = list(dict.fromkeys(bots))
        called = clean_name(form.get("name", "") or f"{title(game)} tournament"[:40])
        rounds = form.number("rounds") or 1
        made = runner.create(visitor.owner, called, name, options, unlike, rounds)
        return f"/tournaments/{made.id}"

    try:
        target = await asyncio.to_thread(do)
    except ParlourError as error:
        return await _all(request, store, catalogue, name, *refusal(request, error), form)
    return submitted(request, target)


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
        raise BadText(f"at most {tournaments.MOST_BOTS} bots can take part, not {len(lines)}")
    return lines


@router.get("/tournaments/{name}")
def one(request: Request, name: str, store: StoreDep, pair: str = "") -> Response:
    """One tournament, live, with all its games or those of two bots."""
    return _one(request, store, name, pair=pair)


def _one(
    request: Request, store: Store, name: str, notice: str = "", status: int = 200, pair: str = ""
) -> Response:
    found = _found(store, name)
    return page(
        request,
        "tournament.html",
        code=status,
        notice=notice,
        live=f"tournament:{name}",
        version=found.version,
        back=f"/tournaments/{name}" + (f"?pair={pair}" if pair else ""),
        waiting=found.tournament.state == "on",
        **_shown(found, visitor_of(request), pair),
    )


def _found(store: Store, name: str) -> Standing:
    found = tournaments.standing(store, name)
    if found is None:
        raise NotThere(f"there is no tournament {quote(name)}")
    return found


@router.post("/tournaments/{name}/{wish}")
def change(request: Request, name: str, wish: str, store: StoreDep, runner: RunnerDep) -> Response:
    """Stop it, or let it go on."""
    visitor = visitor_of(request)

    def do() -> str:
        found = _found(store, name)
        if not visitor.owns(found.tournament.owner):
            raise NotYours("this tournament belongs to somebody else; you can watch it")
        if wish not in ("stop", "go-on"):
            raise NotThere(f"a tournament has no action {quote(wish)}")
        runner.set_state(found.tournament, "on" if wish == "go-on" else "paused")
        return f"/tournaments/{name}"

    return submit(request, do, lambda notice, status: _one(request, store, name, notice, status))
