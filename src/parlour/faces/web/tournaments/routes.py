"""The tournaments page: choose bots, let them meet, and watch the table fill."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour import core
from parlour.arena import format_points
from parlour.core import BadText, Game, options_of, quote, registry, say, title
from parlour.faces.web import requests as web
from parlour.faces.web import table
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import NotYours, not_there
from parlour.faces.web.forms import order_games
from parlour.faces.web.live import Topic
from parlour.faces.web.services import Services
from parlour.faces.web.table import BotCatalogue, BotsDep, OwnPlayer, Sources
from parlour.faces.web.tournaments.service import (
    MAX_BOTS,
    Runner,
    StoredTournament,
    names_of,
    plan_of,
)
from parlour.store import Seat, Store, Tournament

router = APIRouter(include_in_schema=False)

PlayersDep = Annotated[Sources, web.service(Sources)]
RunnerDep = Annotated[Runner, web.service(Runner)]

MAX_SHOWN = 30
MAX_TEXT = 2_000  # characters of bots with options
MAX_GAMES = 60  # links to games on one page
MAX_OWN = 12  # players of the site, such as classes, offered beside the bots
CLASS = "class:"  # owns the tournaments of a class, which are for those who are in it
PAUSE = 0.5  # seconds between two changes of the page, however quickly they play


def start_section(services: Services) -> None:
    """Make the runner of tournaments, and keep open pages up to date."""
    store = services.store
    runner = services.add(Runner(services))
    services.resumers.append(runner.resume)
    template = web.TEMPLATES.get_template("tournament_main.html")

    def role(found: StoredTournament, visitor: Visitor) -> tuple[bool, bool]:
        mine = visitor.owns(found.tournament.owner)  # who may stop it
        return mine, may_see(store, found.tournament, visitor)

    def render(found: StoredTournament, visitor: Visitor, view: str) -> str:
        if not may_see(store, found.tournament, visitor):
            return ""
        return template.render(**_context(found, visitor, view))

    services.hub.topics["tournament"] = Topic(
        partial(StoredTournament.load, store), role, render, pause=PAUSE
    )


SECTION = web.Section((router,), ("/tournaments", say("Tournaments")), start_section)


def _context(found: StoredTournament, visitor: Visitor, view: str) -> dict[str, Any]:
    """Return what the templates of a tournament show."""
    tournament = found.tournament
    pair = _read_pair(tournament, view)
    ended = [each for each in found.pairings if each.state in ("done", "failed")]
    standings = found.standings.rows
    listed = [each for each in ended if not pair or set(each.seats) == set(pair)]
    newest = sorted(listed, key=lambda each: -each.changed)[:MAX_GAMES]
    return {
        "tournament": tournament,
        "title": table.title_of(plan_of(tournament)),
        "mine": visitor.owns(tournament.owner),
        "done": len(ended),
        "total": len(found.pairings),
        "rows": sorted(standings, key=lambda row: -row.elo),
        "scores": {
            (row.entry, other.entry): score
            for row in standings
            for other, score in zip(standings, row.against, strict=True)
        },
        "points": format_points,
        "view": view,
        "names": names_of(tournament),
        "pair": [names_of(tournament)[each] for each in pair],
        "games": newest,
        "all_games": len(listed),
    }


def _read_pair(tournament: Tournament, view: str) -> tuple[int, ...]:
    """Return the two bots whose games a view like `0-1` shows; empty for all games."""
    if not view:
        return ()
    one, _, other = view.partition("-")
    known = [str(number) for number in range(len(tournament.bots))]
    if one not in known or other not in known or one == other:
        raise not_there(view)
    return int(one), int(other)


@router.get("/tournaments")
async def show_all(
    request: Request,
    store: web.StoreDep,
    bots: BotsDep,
    sources: PlayersDep,
    game: str = "nim",
    enter: str = "",
) -> Response:
    """Show recent tournaments, and the form for another; `enter` is a player of the site."""
    typed = None
    if enter:
        player = await asyncio.to_thread(_find_own, sources, enter)
        game, typed = player.game.name, _fill_in(player)
    return await _render_list(request, store, bots, sources, game, typed=typed)


def _find_own(sources: Sources, bot: str) -> OwnPlayer:
    """Return a player of a section of the site."""
    source = table.source_of(sources, Seat("bot", bot=bot))
    if source is None:
        raise not_there(bot)
    return source.find_player(bot)


def _fill_in(player: OwnPlayer) -> web.Fields:
    """Return the form filled in for a player: itself, and the rules that it has learned."""
    known = options_of(type(player.game))
    rules = [
        (name, known[name].write(value))
        for name, value in core.values(player.game).items()
        if name != "seats" and value != known[name].default
    ]
    return web.Fields([("own", player.bot), *rules])


async def _render_list(
    request: Request,
    store: Store,
    catalogue: BotCatalogue,
    sources: Sources,
    name: str,
    typed: web.Fields | None = None,
) -> Response:
    game, visitor = registry.build("games", name), web.visitor_of(request)
    bots = await catalogue.find(game, visitor.client)
    typed = typed or web.Fields([])

    def show() -> Response:
        latest = store.tournaments.find(limit=2 * MAX_SHOWN)
        options = [each for each in options_of(type(game)).values() if each.name != "seats"]
        return web.page(
            request,
            "tournaments.html",
            back=f"/tournaments?game={game.name}",
            game=game.name,
            games={each: title(registry.build("games", each)) for each in order_games()},
            options=options,
            bots=bots,
            own=_list_own(sources, game.name, visitor.owner, typed.getlist("own")),
            recent=[each for each in latest if not each.owner.startswith(CLASS)][:MAX_SHOWN],
            typed=typed,
            options_typed=any(typed.get(each.name) for each in options),
        )

    return await asyncio.to_thread(show)


def _list_own(sources: Sources, game: str, owner: str, entered: Sequence[str]) -> list[OwnPlayer]:
    """List players of the site: those entered, then this owner's, then others."""
    chosen = [_find_own(sources, bot) for bot in entered[:MAX_BOTS]]
    found = [*chosen, *(each for s in sources.values() for each in s.list_players(game, owner))]
    distinct = {each.bot: each for each in found if each.game.name == game}
    return list(distinct.values())[: max(MAX_OWN, len(chosen))]


@router.post("/tournaments", dependencies=web.LIMIT_CREATION)
async def create(
    request: Request,
    form: web.Form,
    visitor: web.VisitorDep,
    store: web.StoreDep,
    catalogue: BotsDep,
    runner: RunnerDep,
    sources: PlayersDep,
) -> Response:
    """Begin a tournament."""
    name = form.get("game", "")
    able = await catalogue.find(registry.build("games", name), visitor.client)

    def create() -> Tournament:
        options = _read_options(name, form)
        game = registry.build("games", name, options)
        texts = [*form.getlist("bot"), *form.get("more", "")[:MAX_TEXT].splitlines()]
        bots = [table.read_bot(able, *text.split(maxsplit=1)) for text in texts if text.strip()]
        entrants = _name_entrants(sources, game, bots, form.getlist("own"))
        called = table.read_name(form.get("name", ""), say("{game} tournament", game=title(game)))
        rounds = form.number("rounds") or 1
        return runner.create(visitor.owner, called, name, options, entrants, rounds)

    web.show_refusal_on(
        request, partial(_render_list, request, store, catalogue, sources, name, form)
    )
    made = await asyncio.to_thread(create)
    return web.respond_to_form(request, f"/tournaments/{made.id}")


def _name_entrants(
    sources: Sources, game: Game, bots: Sequence[str], own: Sequence[str]
) -> dict[str, str]:
    """Return all who take part by their names: bots by what they are, others by their own."""
    entrants = {bot: bot for bot in bots}
    for bot in dict.fromkeys(own[: MAX_BOTS + 1]):
        player = _find_own(sources, bot)
        if core.describe(player.game) != core.describe(game):
            raise BadText(
                "{name} has learned other rules: {describe}; choose those rules, or leave it out",
                name=quote(player.name),
                describe=core.describe(player.game),
            )
        name, number = player.name, 1
        while name in entrants or name == bot:
            number += 1
            name = f"{player.name} ({number})"
        entrants[name] = bot
    return entrants


def _read_options(name: str, form: web.Fields) -> dict[str, Any]:
    """Return the options that were typed; a field left empty keeps its default."""
    known = options_of(registry.find("games", name))
    return {
        option: known[option].read(text)
        for option, text in form.items()
        if option in known and option != "seats" and text.strip()
    }


@router.get("/tournaments/{name}")
def show(request: Request, name: str, store: web.StoreDep, pair: str = "") -> Response:
    """Show one tournament, live, with all its games or those of two bots."""
    visitor = web.visitor_of(request)
    found = _load(store, name, visitor)
    return web.page(
        request,
        "tournament.html",
        live=f"tournament:{name}",
        version=found.version,
        back=f"/tournaments/{name}" + (f"?pair={pair}" if pair else ""),
        waiting=found.tournament.state == "on",
        **_context(found, visitor, pair),
    )


def _load(store: Store, name: str, visitor: Visitor) -> StoredTournament:
    found = StoredTournament.load(store, name)
    if found is None or not may_see(store, found.tournament, visitor):
        raise not_there(name)
    return found


def may_see(store: Store, tournament: Tournament, visitor: Visitor) -> bool:
    """Whether somebody may see a tournament: that of a class, its teachers and pupils alone."""
    if not tournament.owner.startswith(CLASS):
        return True
    class_id = tournament.owner.removeprefix(CLASS)
    classroom = store.classes.get(class_id)
    if classroom is None or not visitor.owner:
        return False
    teaches = any(visitor.owns(each) for each in classroom.teachers)
    return teaches or bool(store.pupils.find(class_id=class_id, owner=visitor.owner, limit=1))


@router.post("/tournaments/{name}/{wish}")
def change(
    request: Request, name: str, wish: str, store: web.StoreDep, runner: RunnerDep
) -> Response:
    """Stop a tournament, or let it go on."""
    web.show_refusal_on(request, partial(show, request, name, store))
    visitor = web.visitor_of(request)
    found = _load(store, name, visitor)
    if not visitor.owns(found.tournament.owner):
        raise NotYours(say("this tournament belongs to somebody else; you can watch it"))
    if wish not in ("stop", "go-on"):
        raise not_there(wish)
    runner.set_state(found.tournament, "on" if wish == "go-on" else "paused")
    return web.respond_to_form(request, f"/tournaments/{name}")
