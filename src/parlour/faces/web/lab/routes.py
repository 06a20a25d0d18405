"""The lab: change a rule and see at once who wins, in how many moves, and why.

Everything is in the address: a variant is a link to share, and so is a position in it. Workers find
what takes long, and it is cached; until it is there the page says so, and asks again by itself.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import Game, answers, extra, options_of, plain, registry, say, title
from parlour.faces.web import requests as web
from parlour.faces.web.errors import require, status_of
from parlour.faces.web.forms import (
    Variant,
    describe_variant,
    list_cards,
    list_changes,
    read_variant,
)
from parlour.faces.web.lab import view
from parlour.faces.web.lab.view import address
from parlour.faces.web.position import MAX_MOVE_TEXT, read_address, read_move, read_walk
from parlour.faces.web.prefix import see_other
from parlour.faces.web.services import services_of
from parlour.faces.web.table import change_setup, list_rules
from parlour.faces.web.workers import Answer

router = APIRouter(include_in_schema=False)

GLANCE = 0.4  # seconds a page waits for what may come later
SOLVING = 30.0  # seconds for a variant
NEIGHBOURS = 15.0  # seconds for all of them
EXPLAINING = 10.0
SWEEPING = 60.0
ROWS = 100  # of an atlas on one page
KINDS = {"csv": "text/csv", "json": "application/json", "svg": "image/svg+xml"}


def _payload(game: Game, **more: Any) -> dict[str, Any]:
    return {**answers.game_fields(game), **more}


# The games


@router.get("/lab")
def lab(request: Request) -> Response:
    """Choose a game."""
    return web.page(request, "lab.html", games=list_cards(address))


# A variant


@router.get("/lab/{name}")
async def show_variant(request: Request, name: str) -> Response:
    """Show who wins a variant, its neighbours, and what every move is worth."""
    found, walk = await asyncio.to_thread(read_address, "lab", name, request.query_params)
    if walk is None:  # show the form as it was typed, with what is wrong beside each field
        default: Game = registry.build("games", found.cls)
        values = {"answer": None, **_frame(found, default)}
        return await asyncio.to_thread(web.page, request, "lab_game.html", code=422, **values)
    game = walk.game
    at = {} if walk.is_start else {"position": game.write(walk.state)}
    whole, here, near = await asyncio.gather(
        web.ask(request, "study", _payload(game), SOLVING),
        web.ask(request, "study", _payload(game, **at), SOLVING),
        web.ask(request, "neighbours", _payload(game), NEIGHBOURS, GLANCE),
    )
    move = request.query_params.get("why", "")[:MAX_MOVE_TEXT]
    reason = await _explain(request, game, here, move=move, **at) if move else None
    pending = any(each.pending for each in (whole, here, near, reason) if each is not None)

    def render() -> Response:
        return web.page(
            request,
            "lab_game.html",
            waiting=pending,
            answer=view.verdict(game, whole),
            at=view.show_position(walk, here),
            near=view.list_neighbours(game, near, view.winner(game, whole)),
            why=view.explain_move(game, move, reason) if reason else None,
            link=address(game),
            atlas=address(game, page="atlas") if has_atlas(game) else "",
            play=address(game, page="play"),
            rules=list_rules(game),
            **_frame(found, game),
            **walk.refused,
        )

    return await asyncio.to_thread(render)


async def _explain(request: Request, game: Game, study: Answer, **where: str) -> Answer:
    """Ask why a move is right or wrong, once the value of the position is known."""
    if study.pending:
        return study
    known = {"known": study.found} if study.found and study.found["by"] else {}
    return await web.ask(request, "explain", _payload(game, **where, **known), EXPLAINING)


def _frame(found: Variant, game: Game) -> dict[str, Any]:
    """Return what every page of a variant has: the name, the form and its presets."""
    shown = describe_variant(found, address)
    return {**shown, "presets": [*shown["presets"], *_list_bundles(found, game)]}


def _list_bundles(found: Variant, game: Any) -> Iterator[tuple[str, str, bool]]:
    """List links that fill in the form with a bundle added."""
    for name, option in options_of(found.cls).items():
        for bundle, items in option.bundles.items():
            present = getattr(game, name)
            if fresh := tuple(each for each in items if each not in present):
                other = replace(game, **{name: present + fresh})
                label = say("Add the {items}", items=say(bundle.replace("-", " ")))
                yield label, address(other), other == found.game


@router.post("/lab/{name}/move")
async def play_move(request: Request, name: str, form: web.Form) -> Response:
    """Try a move on the board and go to the position after it."""
    found, walk = await asyncio.to_thread(read_address, "lab", name, request.query_params)
    game = found.require_game()
    walk = walk or read_walk("lab", game, "", ())
    web.show_refusal_on(request, partial(show_variant, request, name))
    move = read_move(game, walk.state, form)
    return web.redirect(request, f"{walk.on(game.write_move(move))}#explore")


@router.post("/lab/{name}/play")
def play(request: Request, name: str, visitor: web.VisitorDep, store: web.StoreDep) -> Response:
    """Play this variant: set it up in this browser's menu."""
    game = read_variant(name, request.query_params).require_game()
    options = {name: plain(getattr(game, name)) for name in list_changes(game) if name != "seats"}
    change_setup(store, visitor, game.name, lambda setup: replace(setup, options=options))
    return web.redirect(request, f"/new/{game.name}")


# The atlas


def has_atlas(game: Game) -> bool:
    """Whether it is known which options of the game to vary."""
    return bool(extra(game, "choices"))


async def _read_atlas(request: Request, name: str) -> tuple[Game, Answer | None]:
    """Return the game of an address and its atlas; None for a game that has no atlas."""
    found = await asyncio.to_thread(read_variant, name, request.query_params)
    game = found.require_game()
    if not has_atlas(game):
        return game, None
    cache = services_of(request).atlases
    return game, await web.ask(request, "atlas", _payload(game), SWEEPING, cache=cache)


@router.get("/lab/{name}/atlas")
async def atlas(request: Request, name: str) -> Response:
    """Show the atlas of a game: the picture, its summary, and the variants in rows."""
    game, answer = await _read_atlas(request, name)
    data = answer.found["data"] if answer and answer.found else None
    number = web.read_number(request.query_params.get("page", "")) or 1
    error = answer.error if answer else None

    def render() -> Response:
        return web.page(
            request,
            "lab_atlas.html",
            code=200 if error is None else status_of(error),
            waiting=answer is not None and answer.pending,
            answer=answer,
            name=title(game),
            link=address(game),
            table=view.show_atlas(game, data, number, ROWS) if data else None,
            files={kind: address(game, page=f"atlas.{kind}") for kind in KINDS},
            pages=address(game, page="atlas"),
        )

    return await asyncio.to_thread(render)


@router.get("/lab/{name}/atlas.{kind}")
async def download_atlas(request: Request, name: str, kind: str) -> Response:
    """Download the atlas; until it is there, show the page that says how far it is."""
    media = require(KINDS.get(kind))
    game, answer = await _read_atlas(request, name)
    if answer is None or answer.found is None:
        return see_other(address(game, page="atlas"))
    content = json.dumps(answer.found["data"]) if kind == "json" else answer.found[kind]
    how = "inline" if kind == "svg" else "attachment"
    headers = {"content-disposition": f'{how}; filename="{game.name}-atlas.{kind}"'}
    return Response(content, media_type=media, headers=headers)


SECTION = web.Section((router,), ("/lab", say("Lab")))
