"""The pages of puzzles: choose a game, solve a puzzle, see why, and go on to the next.

Every page is an address: a puzzle with an answer shows why it is right or wrong, so that it can be
sent to somebody, and everything works without scripts.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour import boards
from parlour.core import BadText, capital, say, seat_name
from parlour.faces.web import requests as web
from parlour.faces.web.errors import NotYours, require
from parlour.faces.web.forms import list_cards, order_games
from parlour.faces.web.position import MAX_MOVE_TEXT, draw_line, name_line, read_move, walk_address
from parlour.faces.web.prefix import url
from parlour.faces.web.puzzles.service import PuzzleService, strength_of
from parlour.faces.web.services import Services
from parlour.faces.web.table import game_of, list_rules, seats_of, title_of
from parlour.faces.web.workers import Answer
from parlour.store import PuzzleCard, StoredPuzzle

router = APIRouter(include_in_schema=False)

PuzzlesDep = Annotated[PuzzleService, web.service(PuzzleService)]


def _find_puzzle(name: str, puzzles: PuzzlesDep) -> StoredPuzzle:
    return puzzles.read(name)


PuzzleDep = Annotated[StoredPuzzle, Depends(_find_puzzle)]  # the puzzle of an address

SECONDS = 20.0  # until a worker must have judged an answer
SHOW = "show"  # in place of an answer
DAY = 24 * 3600.0


def start_section(services: Services) -> None:
    """Make what finds puzzles and keeps answers."""
    services.add(PuzzleService(services.store, services.workers, services.archive))


SECTION = web.Section((router,), ("/puzzles", say("Puzzles")), start_section)


@router.get("/puzzles")
def show_puzzles(request: Request, puzzles: PuzzlesDep, kept: str = "") -> Response:
    """Show the games that have puzzles, and how one fares."""
    progress = puzzles.sum_up(web.visitor_of(request).owner, time.time())
    games = list_cards(lambda game: "")
    number = web.read_number(kept)
    return web.page(request, "puzzles.html", games=games, progress=progress, kept=number)


@router.get("/puzzles/next")
async def go_to_next(
    request: Request, visitor: web.VisitorDep, puzzles: PuzzlesDep, game: str = ""
) -> Response:
    """Go to the puzzle that is due, or to a new one."""
    web.show_refusal_on(request, partial(show_puzzles, request, puzzles))
    due = await asyncio.to_thread(puzzles.find_due, visitor.owner, game, time.time())
    if due is not None:
        return web.redirect(request, f"/puzzles/{due.puzzle}")
    chance = random.Random()
    name = game or chance.choice(order_games())
    found = await puzzles.find_new(visitor.owner, name, chance)
    return web.redirect(request, f"/puzzles/{found.id}")


@router.post("/puzzles/from-game/{table_id}", dependencies=web.LIMIT_CREATION)
async def keep_mistakes(
    request: Request,
    table_id: str,
    visitor: web.VisitorDep,
    store: web.StoreDep,
    puzzles: PuzzlesDep,
) -> Response:
    """Keep a puzzle for every move of one's own finished game that gave away value."""
    table = require(await asyncio.to_thread(store.tables.get, table_id))
    mine = seats_of(table, visitor)
    if not mine:
        raise NotYours(say("puzzles are made from your own games; this is somebody else's"))
    if not table.over:
        raise BadText(say("puzzles are made when the game is over"))
    kept = await puzzles.learn_from(visitor.owner, table, mine, game_of(table))
    first = f"/{kept[0].id}" if kept else ""
    return web.redirect(request, f"/puzzles{first}?kept={len(kept)}")


@router.get("/puzzles/{name}")
async def show_puzzle(
    request: Request, puzzle: PuzzleDep, puzzles: PuzzlesDep, answer: str = "", kept: str = ""
) -> Response:
    """Show a puzzle; with an answer, whether it is right and why."""
    card = await asyncio.to_thread(puzzles.find_card, web.visitor_of(request).owner, puzzle.id)
    return await puzzle_page(request, puzzle, answer, card, kept=web.read_number(kept))


async def puzzle_page(
    request: Request,
    puzzle: StoredPuzzle,
    answer: str,
    card: PuzzleCard | None = None,
    at: str = "",
    **values: Any,
) -> Response:
    """Return the page of a puzzle; `at` is its address, where that is not its own."""
    answer, at = answer[:MAX_MOVE_TEXT], at or f"/puzzles/{puzzle.id}"
    judged = await _judge(request, puzzle, answer if answer != SHOW else "")
    if answer and judged.error is not None:
        values |= {"notice": judged.error.text, "code": 422}
        answer = ""

    def render() -> Response:
        described = _describe(puzzle, card, answer, judged, at)
        return web.page(request, "puzzle.html", back=at, **described | values)

    return await asyncio.to_thread(render)


async def _judge(request: Request, puzzle: StoredPuzzle, move: str) -> Answer:
    """Have a worker judge a move; without one, say what is asked for."""
    payload = {
        "game": puzzle.game,
        "options": puzzle.options,
        "position": puzzle.position,
        "move": move,
    }
    return await web.ask(request, "puzzles-judge", payload, SECONDS, SECONDS)


async def read_answer(
    request: Request, puzzle: StoredPuzzle, form: Mapping[str, str]
) -> tuple[str, bool]:
    """Return the answer that was pressed or typed, and whether it is right."""
    game = game_of(puzzle)
    state = game.read(puzzle.position)
    move = game.write_move(read_move(game, state, form))
    found = (await _judge(request, puzzle, move)).require()
    return move, bool(found["is_right"])


def _describe(
    puzzle: StoredPuzzle, card: PuzzleCard | None, answer: str, judged: Answer, at: str
) -> dict[str, Any]:
    """Return the values of the page."""
    game = game_of(puzzle)
    state = game.read(puzzle.position)
    found: Mapping[str, Any] = judged.found or {}
    right = bool(found.get("is_right"))
    line = found.get("line", ())
    done = bool(answer)
    return {
        "at": at,
        "next": f"/puzzles/next?{urlencode({'game': puzzle.game})}",
        "set_by": None,
        "kept": None,
        "title": title_of(puzzle),
        "strength": strength_of(puzzle),
        "tried": len(puzzle.results),
        "solved": sum(bool(won) for _, won in puzzle.results),
        "mover": capital(seat_name(game, game.turn(state))),
        "goal": found.get("goal", ""),
        "rules": list_rules(game),
        "met": _recall(card, time.time()),
        "from_table": card.table if card else "",
        "explorer": walk_address("explorer", game, puzzle.position) if done else "",
        "answer": answer,
        "answer_name": boards.name_move(answer, game, state) if done and answer != SHOW else "",
        "is_right": right,
        "sentences": found.get("sentences", ()),
        "right": [boards.name_move(move, game, state) for move in found.get("right", ())],
        "tells_line": found.get("tells_line", False),
        "line": name_line(game, state, line),
        "board": draw_line(
            game,
            state,
            line[: 1 if right else 2],  # a wrong answer and what punishes it
            playable=not done,
            action="" if done else url(f"{at}/answer"),
        ),
    }


def _recall(card: PuzzleCard | None, now: float) -> tuple[str, int]:
    """Return how a puzzle was last met, and how many days ago; days are those of UTC."""
    at, right = card.answers[-1] if card and card.answers else (0.0, False)
    how = "solved" if right else "missed" if at else "new"
    if card is not None and card.missed > at:
        at, how = card.missed, "given away"
    return how, int(now // DAY) - int(at // DAY)


@router.post("/puzzles/{name}/answer")
async def answer_puzzle(
    request: Request, puzzle: PuzzleDep, form: web.Form, puzzles: PuzzlesDep
) -> Response:
    """Judge and store an answer, and show why it is right or wrong."""
    now = time.time()
    web.show_refusal_on(request, partial(show_puzzle, request, puzzle, puzzles))
    move, right = await read_answer(request, puzzle, form)
    return await _record(request, puzzle, puzzles, right, now, move)


@router.post("/puzzles/{name}/show")
async def show_answer(request: Request, puzzle: PuzzleDep, puzzles: PuzzlesDep) -> Response:
    """Tell the answer; the puzzle counts as missed."""
    return await _record(request, puzzle, puzzles, False, time.time(), SHOW)


async def _record(
    request: Request,
    puzzle: StoredPuzzle,
    puzzles: PuzzleService,
    right: bool,
    now: float,
    answer: str,
) -> Response:
    visitor = web.visitor_of(request)
    visitor.require_browser()
    await asyncio.to_thread(puzzles.record, visitor.owner, puzzle, right, now)
    return web.redirect(request, f"/puzzles/{puzzle.id}?{urlencode({'answer': answer})}")
