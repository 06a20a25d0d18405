"""The lab: change a rule and see at once who wins, in how many plies, and why.

All of it is addresses: a variant is a link to share, and so is a position in it. What takes long is
worked out elsewhere and remembered; until it is there the page says so, and asks again by itself.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from parlour.core import (
    Game,
    ParlourError,
    declared,
    plain,
    registry,
    rules_text,
    sentence,
    title,
    values,
)
from parlour.faces.web import boards, forms
from parlour.faces.web.errors import NotThere, status_of
from parlour.faces.web.lab import view as lab_told
from parlour.faces.web.lobby import ORDER
from parlour.faces.web.requests import Form, house_of, page, visitor_of, wants_json
from parlour.faces.web.table import as_seen
from parlour.faces.web.table import setup as page_setup
from parlour.faces.web.variants import (
    Variant,
    Walk,
    address,
    asked,
    other_address,
    read_variant,
    told,
    walked,
)
from parlour.faces.web.workers import Answer

router = APIRouter()

PATIENCE = 1.5  # seconds a page waits for what it is about
GLANCE = 0.4  # seconds it waits for what may come later
SOLVING = 30.0  # seconds for a variant
NEIGHBOURS = 15.0  # seconds for all of them
EXPLAINING = 10.0
SWEEPING = 60.0
LONGEST_MOVE = 100  # characters
ROWS = 100  # of an atlas on one page
KINDS = {"csv": "text/csv", "json": "application/json", "svg": "image/svg+xml"}


async def _ask(
    request: Request, thought: str, game: Game, seconds: float, patience: float, **more: Any
) -> Answer:
    house, visitor = house_of(request), visitor_of(request)
    answers = house.atlases if thought == "atlas" else house.answers
    return await answers.ask(
        thought,
        {"game": game.name, "options": values(game), **more},
        seconds=seconds,
        whose=visitor.owner or visitor.address,
        patience=patience,
    )


def _gone(request: Request, go: str) -> Response:
    """Somewhere else, for a script or for a browser."""
    return JSONResponse({"go": go}) if wants_json(request) else RedirectResponse(go, 303)


def _made(found: Variant) -> Game:
    """The game of an address that has to tell one."""
    if found.game is None:
        option, why = next(iter(found.wrong.items()))
        raise ParlourError(f"{forms.label(option)}: {why}")
    return found.game


# The games


@router.get("/lab")
def lab(request: Request) -> Response:
    """Choose a game."""
    names = registry.games()
    ordered = [*(n for n in ORDER if n in names), *(n for n in names if n not in ORDER)]
    games = [registry.game(name) for name in ordered]
    cards = [
        {
            "href": address(game),
            "title": title(game),
            "options": [field.label.lower() for field in forms.fields(game)],
            "picture": boards.picture(game, game.start()),
        }
        for game in games
    ]
    return page(request, "lab.html", here="/lab", games=cards)


# A variant


@router.get("/lab/{name}")
async def variant(request: Request, name: str) -> Response:
    """Who wins a variant, what hangs on each of its rules, and what every move is worth."""
    return await _variant(request, name)


async def _variant(request: Request, name: str, notice: str = "", status: int = 200) -> Response:
    house, query = house_of(request), request.query_params
    found = await house.run(read_variant, name, query)
    if found.game is None:
        return await house.run(_wrong_page, request, found)
    game = found.game
    walk = await house.run(walked, game, query.get("position", "").strip(), query.getlist("move"))
    if walk.wrong or walk.illegal:
        notice, status = notice or sentence(walk.illegal), 422
    at = {} if walk.is_start else {"position": game.write(walk.state)}
    why = query.get("why", "")[:LONGEST_MOVE]
    asks = [
        _ask(request, "study", game, SOLVING, PATIENCE),
        _ask(request, "study", game, SOLVING, PATIENCE, **at),
        _ask(request, "neighbours", game, NEIGHBOURS, GLANCE),
    ]
    answers = await asyncio.gather(*asks)
    if why:
        answers.append(await _why(request, game, answers[1], **at, move=why))
    return await house.run(_page, request, found, walk, answers, why, notice, status)


async def _why(request: Request, game: Game, study: Answer, **asked: str) -> Answer:
    """Why a move is right or wrong, once it is known what the position is worth."""
    if study.pending:
        return study
    known = {"known": study.found} if study.found and study.found["by"] else {}
    return await _ask(request, "explain", game, EXPLAINING, PATIENCE, **asked, **known)


def _page(
    request: Request,
    found: Variant,
    walk: Walk,
    answers: list[Answer],
    why: str,
    notice: str,
    status: int,
) -> Response:
    from parlour.truth.variants import USUAL_CHOICES

    whole, at, near, *reason = answers
    game = walk.game
    pending = any(each.pending for each in answers)
    return page(
        request,
        "lab_game.html",
        code=status,
        notice=notice,
        here="/lab",
        waiting=pending,
        pending=pending,
        answer=lab_told.verdict(game, whole),
        at=lab_told.standing(walk, at),
        near=lab_told.nearby(game, near, lab_told.winner(game, whole)),
        why=lab_told.reason(game, why, reason[0]) if reason else None,
        link=address(game),
        atlas=other_address(game, "atlas") if game.name in USUAL_CHOICES else "",
        play=other_address(game, "play"),
        rules=as_seen(game, rules_text(game)),
        asked=asked(game),
        **_frame(found, game),
    )


def _wrong_page(request: Request, found: Variant) -> Response:
    """The form as it was typed, with what is wrong beside each field."""
    usual: Game = registry.made(found.cls, found.name, {})
    return page(
        request, "lab_game.html", code=422, here="/lab", answer=None, **_frame(found, usual)
    )


def _frame(found: Variant, game: Game) -> dict[str, Any]:
    """What is there whatever was asked: the name, the form, and ways to fill it."""
    return {
        "name": found.name,
        "title": title(game),
        "fields": found.fields,
        "wrong": found.wrong,
        "presets": _presets(found, game),
    }


def _presets(found: Variant, game: Any) -> list[dict[str, Any]]:
    """Links that fill the form: as usual, by a preset, or with a bundle added."""

    def made(**options: Any) -> Game:
        made: Game = registry.made(found.cls, found.name, options)
        return made

    links = [("As usual", made())]
    for name, option in declared(found.cls).items():
        for preset in option.presets or ():
            if preset != option.default:
                links.append((forms.preset_name(option, preset), made(**{name: preset})))
        for bundle, items in option.bundles.items():
            there = getattr(game, name)
            fresh = tuple(each for each in items if each not in there)
            if fresh:
                links.append(
                    (f"Add the {bundle.replace('-', ' ')}", replace(game, **{name: there + fresh}))
                )
    return [
        {"label": label, "href": address(other), "here": other == found.game}
        for label, other in links
    ]


@router.post("/lab/{name}/move")
async def move(request: Request, name: str, form: Form) -> Response:
    """Try a move on the board: on to the position after it."""
    house, query = house_of(request), request.query_params
    game = _made(await house.run(read_variant, name, query))
    walk = await house.run(walked, game, query.get("position", "").strip(), query.getlist("move"))
    try:
        made = game.read_move(walk.state, boards.move_text(form)[:LONGEST_MOVE])
    except ParlourError as refusal:
        if wants_json(request):
            raise
        return await _variant(request, name, sentence(str(refusal)), status_of(refusal))
    return _gone(request, f"{walk.on(game.write_move(made))}#explore")


@router.post("/lab/{name}/play")
def play(request: Request, name: str) -> Response:
    """Play this variant: it becomes what is set up in this browser's menu."""
    game = _made(read_variant(name, request.query_params))
    options = {option: plain(getattr(game, option)) for option in told(game) if option != "seats"}
    page_setup.change(
        house_of(request),
        visitor_of(request),
        game.name,
        lambda setup: replace(setup, options=options),
    )
    return _gone(request, f"/new/{game.name}")


# The atlas


async def _atlas(request: Request, game: Game) -> Answer:
    return await _ask(request, "atlas", game, SWEEPING, PATIENCE)


@router.get("/lab/{name}/atlas")
async def atlas(request: Request, name: str) -> Response:
    """The usual sweep of a game: the picture, what it shows, and the variants in rows."""
    house = house_of(request)
    found = await house.run(read_variant, name, request.query_params)
    game = _made(found)
    answer = await _atlas(request, game)
    return await house.run(_atlas_page, request, game, answer)


def _atlas_page(request: Request, game: Game, answer: Answer) -> Response:
    text = request.query_params.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    return page(
        request,
        "lab_atlas.html",
        code=200 if answer.trouble is None else status_of(answer.trouble),
        here="/lab",
        waiting=answer.pending,
        answer=answer,
        name=game.name,
        link=address(game),
        table=lab_told.swept(game, answer.found["data"], number, ROWS) if answer.found else None,
        files={kind: other_address(game, f"atlas.{kind}") for kind in KINDS},
        pages=other_address(game, "atlas"),
    )


@router.get("/lab/{name}/atlas.{kind}")
async def atlas_file(request: Request, name: str, kind: str) -> Response:
    """The atlas to keep; until it is there, the page that says how far it is."""
    if kind not in KINDS:
        raise NotThere(f"an atlas can be had as {', '.join(KINDS)}")
    game = _made(await house_of(request).run(read_variant, name, request.query_params))
    answer = await _atlas(request, game)
    if answer.found is None:
        return RedirectResponse(other_address(game, "atlas"), 303)
    content = json.dumps(answer.found["data"]) if kind == "json" else answer.found[kind]
    shown = "inline" if kind == "svg" else "attachment"
    name = f'{shown}; filename="{game.name}-atlas.{kind}"'
    return Response(content, media_type=KINDS[kind], headers={"content-disposition": name})
