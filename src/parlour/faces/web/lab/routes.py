"""The lab: change a rule and see at once who wins, in how many moves, and why.

Everything is in the address: a variant is a link to share, and so is a position in it. Workers find
what takes long, and it is cached; until it is there the page says so, and asks again by itself.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from parlour.core import (
    Game,
    ParlourError,
    options_of,
    plain,
    registry,
    rules_text,
    sentence,
    title,
    values,
)
from parlour.faces.web import boards
from parlour.faces.web.errors import NotThere, status_of
from parlour.faces.web.lab import view
from parlour.faces.web.lab.view import Walk, address, read_walk
from parlour.faces.web.requests import (
    Form,
    StoreDep,
    VisitorDep,
    page,
    redirect,
    visitor_of,
    wants_json,
)
from parlour.faces.web.table import change_setup, use_board_names
from parlour.faces.web.variants import (
    Variant,
    list_cards,
    list_changes,
    list_presets,
    read_variant,
)
from parlour.faces.web.workers import Answer, AnswerCache

router = APIRouter()

PATIENCE = 1.5  # seconds a page waits for its main answer
GLANCE = 0.4  # seconds it waits for what may come later
SOLVING = 30.0  # seconds for a variant
NEIGHBOURS = 15.0  # seconds for all of them
EXPLAINING = 10.0
SWEEPING = 60.0
LONGEST_MOVE = 100  # characters
ROWS = 100  # of an atlas on one page
KINDS = {"csv": "text/csv", "json": "application/json", "svg": "image/svg+xml"}


async def _ask(
    request: Request, task: str, game: Game, seconds: float, patience: float, **more: Any
) -> Answer:
    visitor, state = visitor_of(request), request.app.state
    answers: AnswerCache = state.atlases if task == "atlas" else state.answers
    return await answers.ask(
        task,
        {"game": game.name, "options": values(game), **more},
        seconds=seconds,
        client=visitor.owner or visitor.address,
        patience=patience,
    )


# The games


@router.get("/lab")
def lab(request: Request) -> Response:
    """Choose a game."""
    return page(request, "lab.html", games=list_cards(address))


# A variant


@router.get("/lab/{name}")
async def variant(request: Request, name: str) -> Response:
    """Show who wins a variant, its neighbours, and what every move is worth."""
    return await _show_variant(request, name)


async def _show_variant(
    request: Request, name: str, notice: str = "", status: int = 200
) -> Response:
    query = request.query_params
    found = await asyncio.to_thread(read_variant, name, query)
    if found.game is None:
        return await asyncio.to_thread(_show_wrong, request, found)
    game = found.game
    walk = await asyncio.to_thread(
        read_walk, game, query.get("position", "").strip(), query.getlist("move")
    )
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
    return await asyncio.to_thread(_show_page, request, found, walk, answers, why, notice, status)


async def _why(request: Request, game: Game, study: Answer, **where: str) -> Answer:
    """Ask why a move is right or wrong, once the value of the position is known."""
    if study.pending:
        return study
    known = {"known": study.found} if study.found and study.found["by"] else {}
    return await _ask(request, "explain", game, EXPLAINING, PATIENCE, **where, **known)


def _show_page(
    request: Request,
    found: Variant,
    walk: Walk,
    answers: list[Answer],
    why: str,
    notice: str,
    status: int,
) -> Response:
    from parlour.truth.variants import DEFAULT_CHOICES

    whole, at, near, *reason = answers
    game = walk.game
    pending = any(each.pending for each in answers)
    return page(
        request,
        "lab_game.html",
        code=status,
        notice=notice,
        waiting=pending,
        pending=pending,
        answer=view.verdict(game, whole),
        at=view.show_position(walk, at),
        near=view.list_neighbours(game, near, view.winner(game, whole)),
        why=view.explain_move(game, why, reason[0]) if reason else None,
        link=address(game),
        atlas=address(game, page="atlas") if game.name in DEFAULT_CHOICES else "",
        play=address(game, page="play"),
        rules=use_board_names(game, rules_text(game)),
        options=list(list_changes(game).items()),
        **_frame(found, game),
    )


def _show_wrong(request: Request, found: Variant) -> Response:
    """Show the form as it was typed, with what is wrong beside each field."""
    default: Game = registry.build(found.cls, found.name, {})
    return page(request, "lab_game.html", code=422, answer=None, **_frame(found, default))


def _frame(found: Variant, game: Game) -> dict[str, Any]:
    """Return what every page of a variant has: the name, the form and its presets."""
    return {
        "name": found.name,
        "title": title(game),
        "fields": found.fields,
        "wrong": found.wrong,
        "presets": _presets(found, game),
    }


def _presets(found: Variant, game: Any) -> list[dict[str, Any]]:
    """List links that fill in the form: the default rules, a preset, or a bundle added."""
    links = list_presets(found)
    for name, option in options_of(found.cls).items():
        for bundle, items in option.bundles.items():
            present = getattr(game, name)
            if fresh := tuple(each for each in items if each not in present):
                other = replace(game, **{name: present + fresh})
                links.append((f"Add the {bundle.replace('-', ' ')}", other))
    return [
        {"label": label, "href": address(other), "here": other == found.game}
        for label, other in links
    ]


@router.post("/lab/{name}/move")
async def play_move(request: Request, name: str, form: Form) -> Response:
    """Try a move on the board and go to the position after it."""
    query = request.query_params
    game = (await asyncio.to_thread(read_variant, name, query)).require_game()
    walk = await asyncio.to_thread(
        read_walk, game, query.get("position", "").strip(), query.getlist("move")
    )
    try:
        move = game.read_move(walk.state, boards.move_text(form)[:LONGEST_MOVE])
    except ParlourError as refusal:
        if wants_json(request):
            raise
        return await _show_variant(request, name, sentence(str(refusal)), status_of(refusal))
    return redirect(request, f"{walk.on(game.write_move(move))}#explore")


@router.post("/lab/{name}/play")
def play(request: Request, name: str, visitor: VisitorDep, store: StoreDep) -> Response:
    """Play this variant: set it up in this browser's menu."""
    game = read_variant(name, request.query_params).require_game()
    options = {name: plain(getattr(game, name)) for name in list_changes(game) if name != "seats"}
    change_setup(store, visitor, game.name, lambda setup: replace(setup, options=options))
    return redirect(request, f"/new/{game.name}")


# The atlas


async def _ask_atlas(request: Request, game: Game) -> Answer:
    return await _ask(request, "atlas", game, SWEEPING, PATIENCE)


@router.get("/lab/{name}/atlas")
async def atlas(request: Request, name: str) -> Response:
    """Show the atlas of a game: the picture, its summary, and the variants in rows."""
    game = (await asyncio.to_thread(read_variant, name, request.query_params)).require_game()
    answer = await _ask_atlas(request, game)
    return await asyncio.to_thread(_show_atlas, request, game, answer)


def _show_atlas(request: Request, game: Game, answer: Answer) -> Response:
    text = request.query_params.get("page", "1")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
    return page(
        request,
        "lab_atlas.html",
        code=200 if answer.trouble is None else status_of(answer.trouble),
        waiting=answer.pending,
        answer=answer,
        name=game.name,
        link=address(game),
        table=view.show_atlas(game, answer.found["data"], number, ROWS) if answer.found else None,
        files={kind: address(game, page=f"atlas.{kind}") for kind in KINDS},
        pages=address(game, page="atlas"),
    )


@router.get("/lab/{name}/atlas.{kind}")
async def download_atlas(request: Request, name: str, kind: str) -> Response:
    """Download the atlas; until it is there, show the page that says how far it is."""
    if kind not in KINDS:
        raise NotThere(f"an atlas comes as {', '.join(KINDS)}")
    found = await asyncio.to_thread(read_variant, name, request.query_params)
    game = found.require_game()
    answer = await _ask_atlas(request, game)
    if answer.found is None:
        return RedirectResponse(address(game, page="atlas"), 303)
    content = json.dumps(answer.found["data"]) if kind == "json" else answer.found[kind]
    how = "inline" if kind == "svg" else "attachment"
    headers = {"content-disposition": f'{how}; filename="{game.name}-atlas.{kind}"'}
    return Response(content, media_type=KINDS[kind], headers=headers)
