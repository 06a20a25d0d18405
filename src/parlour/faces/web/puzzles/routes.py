"""The pages of puzzles: choose a game, solve a puzzle, see why, and go on to the next.

Every page is an address: a puzzle with an answer shows why it is right or wrong, so that it can be
sent to somebody, and everything works without scripts.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour import boards
from parlour.core import BadText, Game, ParlourError, capital, registry, say, seat_name, title
from parlour.faces.web import texts
from parlour.faces.web.errors import NotThere, NotYours
from parlour.faces.web.forms import order_games
from parlour.faces.web.position import walk_address
from parlour.faces.web.prefix import url
from parlour.faces.web.puzzles.service import PuzzleService, strength_of
from parlour.faces.web.requests import (
    LIMIT_CREATION,
    Form,
    Section,
    StoreDep,
    VisitorDep,
    ask,
    page,
    read_number,
    redirect,
    service,
    show_again,
    visitor_of,
)
from parlour.faces.web.services import Services
from parlour.faces.web.table import (
    game_of,
    list_rules,
    seats_of,
    title_of,
)
from parlour.faces.web.workers import Answer
from parlour.store import PuzzleCard, StoredPuzzle

router = APIRouter(include_in_schema=False)

PuzzlesDep = Annotated[PuzzleService, service(PuzzleService)]

SECONDS = 20.0  # until a worker must have judged an answer
MAX_MOVE_TEXT = 60
SHOW = "show"  # in place of an answer
DAY = 24 * 3600.0
WEEK = 7 * DAY


def start_section(services: Services) -> None:
    """Make what finds puzzles and keeps answers."""
    services.add(PuzzleService(services.store, services.workers, services.archive))


SECTION = Section((router,), ("/puzzles", say("Puzzles")), start_section)


@router.get("/puzzles")
def show_puzzles(request: Request, puzzles: PuzzlesDep, kept: str = "") -> Response:
    """Show the games that have puzzles, and how one fares."""
    return _list_page(request, puzzles, _say_kept(read_number(kept)))


def _say_kept(number: int | None) -> str:
    """Say how many puzzles a game has given."""
    if number is None:
        return ""
    if not number:
        return texts.gettext("No move of yours gave anything away, so there is nothing to repeat.")
    return texts.ngettext(
        "%(num)s puzzle was made from your game. It will come back until you know it.",
        "%(num)s puzzles were made from your game. They will come back until you know them.",
        number,
    ) % {"num": number}


def _list_page(
    request: Request, puzzles: PuzzleService, notice: str = "", status: int = 200
) -> Response:
    progress = puzzles.sum_up(visitor_of(request).owner, time.time())
    games = [
        {
            "name": name,
            "title": title(game := registry.build("games", name)),
            "picture": boards.picture(game, game.start()),
            "due": progress.due.get(name, 0),
            "known": progress.known.get(name, 0),
        }
        for name in order_games()
    ]
    return page(request, "puzzles.html", code=status, notice=notice, games=games, progress=progress)


@router.get("/puzzles/next")
async def go_to_next(
    request: Request, visitor: VisitorDep, puzzles: PuzzlesDep, game: str = ""
) -> Response:
    """Go to the puzzle that is due, or to a new one."""

    def show(notice: str, status: int) -> Response:
        return _list_page(request, puzzles, notice, status)

    show_again(request, show)
    due = await asyncio.to_thread(puzzles.find_due, visitor.owner, game, time.time())
    if due is not None:
        return redirect(request, f"/puzzles/{due.puzzle}")
    chance = random.Random()
    name = game or chance.choice(order_games())
    if name not in order_games():
        raise NotThere(say("there is no such game; choose one from the list"))
    found = await puzzles.find_new(visitor.owner, name, chance)
    return redirect(request, f"/puzzles/{found.id}")


@router.post("/puzzles/from-game/{table_id}", dependencies=LIMIT_CREATION)
async def keep_mistakes(
    request: Request, table_id: str, store: StoreDep, puzzles: PuzzlesDep
) -> Response:
    """Keep a puzzle for every move of one's own finished game that gave away value."""
    visitor = visitor_of(request)
    table = await asyncio.to_thread(store.tables.get, table_id)
    if table is None:
        raise NotThere(say("this game no longer exists"))
    mine = seats_of(table, visitor)
    if not mine:
        raise NotYours(say("puzzles are made from your own games; this is somebody else's"))
    if not table.over:
        raise BadText(say("puzzles are made when the game is over"))
    kept = await puzzles.learn_from(visitor.owner, table, mine, game_of(table))
    first = f"/{kept[0].id}" if kept else ""
    return redirect(request, f"/puzzles{first}?kept={len(kept)}")


@router.get("/puzzles/{name}")
async def show_puzzle(
    request: Request, name: str, puzzles: PuzzlesDep, answer: str = "", kept: str = ""
) -> Response:
    """Show a puzzle; with an answer, whether it is right and why."""
    puzzle = await asyncio.to_thread(puzzles.read, name)
    notice = _say_kept(read_number(kept))
    return await _puzzle_page(request, puzzles, puzzle, answer[:MAX_MOVE_TEXT], notice)


async def _puzzle_page(
    request: Request,
    puzzles: PuzzleService,
    puzzle: StoredPuzzle,
    answer: str = "",
    notice: str = "",
    status: int = 200,
) -> Response:
    judged = await judge_move(request, puzzle, answer if answer != SHOW else "")
    card = await asyncio.to_thread(puzzles.find_card, visitor_of(request).owner, puzzle.id)
    if answer and judged.error is not None:
        notice, status, answer = judged.error.text, 422, ""
    return await asyncio.to_thread(
        lambda: page(
            request,
            "puzzle.html",
            code=status,
            notice=notice,
            back=f"/puzzles/{puzzle.id}",
            **describe_puzzle(puzzle, card, answer, judged),
        )
    )


def _judge_payload(puzzle: StoredPuzzle, move: str) -> dict[str, Any]:
    return {
        "game": puzzle.game,
        "options": puzzle.options,
        "position": puzzle.position,
        "move": move,
    }


async def judge_move(request: Request, puzzle: StoredPuzzle, move: str) -> Answer:
    """Have a worker judge a move; without one, say what is asked for."""
    return await ask(request, "puzzles-judge", _judge_payload(puzzle, move), SECONDS, SECONDS)


def describe_puzzle(
    puzzle: StoredPuzzle, card: PuzzleCard | None, answer: str, judged: Answer, at: str = ""
) -> dict[str, Any]:
    """Return the values of the page; `at` is its address, where that is another."""
    at = at or f"/puzzles/{puzzle.id}"
    game = game_of(puzzle)
    state = game.read(puzzle.position)
    found: Mapping[str, Any] = judged.found or {}
    right = bool(found.get("is_right"))
    shown, last, before = state, "", None
    if answer and answer != SHOW and "line" in found:
        for text in found["line"][: 1 if right else 2]:  # a wrong answer and what punishes it
            last, before = text, shown
            shown = game.play(shown, game.read_move(shown, text))
    done = bool(answer)
    return {
        "puzzle": puzzle,
        "at": at,
        "next": f"/puzzles/next?{urlencode({'game': puzzle.game})}",
        "set_by": None,
        "title": title_of(puzzle),
        "strength": strength_of(puzzle),
        "tried": len(puzzle.results),
        "solved": sum(bool(won) for _, won in puzzle.results),
        "mover": capital(seat_name(game, game.turn(state))),
        "goal": found.get("goal", ""),
        "rules": list_rules(game),
        "why_here": _why_here(card, time.time()),
        "from_table": card.table if card else "",
        "explorer": walk_address("explorer", game, puzzle.position) if done else "",
        "answer": answer,
        "answer_name": boards.name_move(answer, game, state) if done and answer != SHOW else "",
        "is_right": right,
        "sentences": found.get("sentences", ()),
        "right": [boards.name_move(move, game, state) for move in found.get("right", ())],
        "tells_line": found.get("tells_line", False),
        "line": _name_line(game, state, found.get("line", ())),
        "board": boards.board(
            game,
            shown,
            last=last,
            before=before,
            playable=not done,
            action="" if done else url(f"{at}/answer"),
        ),
    }


def _name_line(game: Game, state: Any, line: Any) -> list[str]:
    named = []
    for text in line:
        named.append(boards.name_move(text, game, state))
        state = game.play(state, game.read_move(state, text))
    return named


def _why_here(card: PuzzleCard | None, now: float) -> str:
    """Say why a puzzle is here: new, missed, or solved long ago."""
    at, right = card.answers[-1] if card and card.answers else (0.0, False)
    if card is not None and card.missed > at:
        when = _name_day(card.missed, now)
        return texts.gettext("You missed it in your own game, %(when)s.") % {"when": when}
    if not at:
        return texts.gettext("New to you.")
    when = _name_day(float(at), now)
    if not right:
        return texts.gettext("You missed it %(when)s.") % {"when": when}
    return texts.gettext("You solved it %(when)s. Do you still know it?") % {"when": when}


def _name_day(at: float, now: float) -> str:
    """Name a day as people do: today, on Tuesday, or by its date; days are those of UTC."""
    days = int(now // DAY) - int(at // DAY)
    if days <= 0:
        return texts.gettext("today")
    if days == 1:
        return texts.gettext("yesterday")
    if days * DAY < WEEK:
        names = (
            texts.gettext("on Monday"),
            texts.gettext("on Tuesday"),
            texts.gettext("on Wednesday"),
            texts.gettext("on Thursday"),
            texts.gettext("on Friday"),
            texts.gettext("on Saturday"),
            texts.gettext("on Sunday"),
        )
        return names[time.gmtime(at).tm_wday]
    date = time.strftime("%Y-%m-%d", time.gmtime(at))
    return texts.gettext("on %(date)s") % {"date": date}


@router.post("/puzzles/{name}/answer")
async def answer_puzzle(request: Request, name: str, form: Form, puzzles: PuzzlesDep) -> Response:
    """Judge and store an answer, and show why it is right or wrong."""
    now = time.time()
    puzzle = await asyncio.to_thread(puzzles.read, name)

    async def show(notice: str, status: int) -> Response:
        return await _puzzle_page(request, puzzles, puzzle, "", notice, status)

    show_again(request, show)
    game = game_of(puzzle)
    state = game.read(puzzle.position)
    move = game.write_move(game.read_move(state, boards.move_text(form)[:MAX_MOVE_TEXT]))
    judged = await judge_move(request, puzzle, move)
    if judged.error is not None:
        raise judged.error
    if judged.found is None:
        raise ParlourError(say("this takes longer than usual; try again in a moment"))
    owner = visitor_of(request).require_browser() and visitor_of(request).owner
    right = bool(judged.found["is_right"])
    await asyncio.to_thread(puzzles.record, owner, puzzle, right, now)
    return redirect(request, f"/puzzles/{name}?{urlencode({'answer': move})}")


@router.post("/puzzles/{name}/show")
async def show_answer(request: Request, name: str, puzzles: PuzzlesDep) -> Response:
    """Tell the answer; the puzzle counts as missed."""
    now = time.time()
    puzzle = await asyncio.to_thread(puzzles.read, name)
    visitor = visitor_of(request)
    visitor.require_browser()
    await asyncio.to_thread(puzzles.record, visitor.owner, puzzle, False, now)
    return redirect(request, f"/puzzles/{name}?answer={SHOW}")
