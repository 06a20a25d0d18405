"""The pages of the explorer: choose a game, then go from position to position.

Where one has come to is the address, so that it can be shared and everything works without scripts.
Games are counted at once; what the moves are worth may come a moment later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.datastructures import QueryParams

from parlour import boards
from parlour.core import (
    BadText,
    Game,
    Move,
    capital,
    registry,
    say,
    seat_name,
    sentence,
    title,
    values,
)
from parlour.faces.web import texts
from parlour.faces.web.explorer.service import ExplorerService
from parlour.faces.web.forms import Variant, list_cards, list_changes, list_presets, read_variant
from parlour.faces.web.position import Walk, read_walk, walk_address
from parlour.faces.web.prefix import url
from parlour.faces.web.requests import (
    Form,
    Section,
    ask,
    page,
    redirect,
    service,
    show_again,
)
from parlour.faces.web.services import Services
from parlour.faces.web.table import TablesDep, game_of, mark_of
from parlour.faces.web.workers import Answer
from parlour.lessons import ArchiveGame, OutcomeTally, Survey, Trap, add_up, survey_position
from parlour.players import Assessment
from parlour.store import Table

router = APIRouter(include_in_schema=False)

ExplorerDep = Annotated[ExplorerService, service(ExplorerService)]

SOLVING = 30.0  # seconds for a worker to value the moves
MAX_MOVE_TEXT = 100  # characters
MAX_LISTED = 60  # moves in the table

address = partial(walk_address, "explorer")


def start_section(services: Services) -> None:
    """Open the archive, if the owner of the site has given one."""
    services.add(ExplorerService(services.store, services.archive))


SECTION = Section((router,), ("/explorer", say("Explorer")), start_section)


@router.get("/explorer")
async def choose(
    request: Request, explorer: ExplorerDep, tables: TablesDep, table: str = ""
) -> Response:
    """Choose a game; with a finished one, go to where it left what others have played."""
    show = partial(_choose, request, explorer)
    if not table:
        return await asyncio.to_thread(show)
    show_again(request, show)
    played = await asyncio.to_thread(tables.read, table)
    if not played.over:
        raise BadText(say("games are explored when they are over"))
    return redirect(request, await _where_it_left(explorer, played))


async def _where_it_left(explorer: ExplorerService, table: Table) -> str:
    """Return the address of the last position of a game to which another game has come too."""
    game = game_of(table)
    walk = await asyncio.to_thread(read_walk, "explorer", game, "", table.moves)
    for number, state in enumerate(walk.states[1:], start=1):
        counted = await explorer.find(game, state)
        if sum(add_up(game, state, each).games for each in counted) <= 1:
            return walk.address(number - 1)
    return walk.address(max(0, len(walk.moves) - 1))


def _choose(
    request: Request, explorer: ExplorerService, notice: str = "", status: int = 200
) -> Response:
    games = explorer.archive.games if explorer.archive else 0
    return page(
        request,
        "explorer.html",
        code=status,
        notice=notice,
        games=list_cards(address),
        archive=games,
    )


async def _read(name: str, query: QueryParams) -> tuple[Variant, Walk]:
    """Read the variant of an address and where the walk has come to."""

    def read() -> tuple[Variant, Walk]:
        found = read_variant(name, query)
        game = found.require_game()
        walk = read_walk("explorer", game, query.get("position", ""), query.getlist("move"))
        return found, walk

    return await asyncio.to_thread(read)


@router.get("/explorer/{name}")
async def show(request: Request, name: str, explorer: ExplorerDep) -> Response:
    """Show a position: the games that came there, and what each move is worth."""
    return await _show(request, name, explorer)


async def _show(
    request: Request, name: str, explorer: ExplorerService, notice: str = "", status: int = 200
) -> Response:
    found, walk = await _read(name, request.query_params)
    if walk.wrong or walk.illegal:
        notice, status = notice or sentence(walk.illegal), 422
    game = walk.game
    at = {} if walk.is_start else {"position": game.write(walk.state)}
    payload = {"game": game.name, "options": values(game), **at}
    (archive, house), study = await asyncio.gather(
        explorer.find(game, walk.state), ask(request, "study", payload, SOLVING)
    )

    def render() -> Response:
        return page(
            request,
            "explorer_position.html",
            code=status,
            notice=notice,
            waiting=study.pending,
            name=name,
            presets=_presets(found),
            options=list(list_changes(game).items()),
            listed=[_show_game(each) for each in explorer.list_games(game, walk.state)],
            **_describe(walk, study, archive, house),
        )

    return await asyncio.to_thread(render)


def _presets(found: Variant) -> list[tuple[str, str, bool]]:
    """List the variants with a name, and misère where there is that."""
    links: list[tuple[str, Game]] = list(list_presets(found))
    if hasattr(found.cls, "misere"):
        links.append((capital(say("misère")), registry.build("games", found.cls, {"misere": True})))
    return [(label, address(other), other == found.game) for label, other in links]


def _describe(
    walk: Walk,
    study: Answer,
    archive: Mapping[Move, OutcomeTally],
    house: Mapping[Move, OutcomeTally],
) -> dict[str, Any]:
    """Return the values of the page."""
    game, state = walk.game, walk.state
    assessed = Assessment.from_dict(study.found) if study.found else Assessment()
    known = survey_position(game, walk.states, archive=archive, house=house, assessed=assessed)
    error = study.error.text if study.error is not None else assessed.why_not
    return {
        "walk": walk,
        "title": title(game),
        "mover": capital(seat_name(game, game.turn(state))),
        "over": not game.moves(state),
        "known": known,
        "assessed": assessed,
        "pending": study.pending,
        "error": sentence(error) if error else "",
        "rows": [_row(walk, known, row) for row in known.rows[:MAX_LISTED]],
        "unlisted": len(known.rows) - MAX_LISTED,
        "counts": _count(known),
        "trap": _say_trap(known.trap, walk) if known.trap else "",
        "board": boards.board(
            game,
            state,
            last=walk.moves[-1] if walk.moves else "",
            before=walk.states[-2] if walk.moves else None,
            playable=True,
            at=len(walk.moves),
            action=url(walk.address(page="move")),
            marks={each.move: mark_of(each) for each in assessed.moves},
        ),
    }


def _row(walk: Walk, known: Survey, row: Any) -> dict[str, Any]:
    return {
        "move": row.move,
        "also": row.also,
        "href": walk.on(row.move),
        "mark": mark_of(row.value) if row.value else None,
        "opening": row.opening,
        "archive": _bar(row.archive, known.archive),
        "house": _bar(row.house, known.house),
        "people": row.house.people,
        "is_trap": known.trap is not None and known.trap.move in (row.move, *row.also),
    }


def _bar(tally: OutcomeTally, total: OutcomeTally) -> dict[str, Any]:
    """Return how many games there are, and how they ended in hundredths of the bar."""
    return {
        "games": tally.games,
        "share": _percent(tally.games, total.games),
        "win": (win := _percent(tally.wins, tally.games)),
        "draw": (draw := _percent(tally.wins + tally.draws, tally.games) - win),
        "loss": 100 - win - draw,
    }


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole) if whole else 0


def _count(known: Survey) -> list[str]:
    """Say how many games came here."""
    lines = []
    if known.archive.games:
        lines.append(
            texts.ngettext(
                "%(games)s game in the archive reached this position.",
                "%(games)s games in the archive reached this position.",
                known.archive.games,
            )
            % {"games": texts.number(known.archive.games)}
        )
    if known.house.games:
        lines.append(
            texts.ngettext(
                "%(games)s game on this site reached this position.",
                "%(games)s games on this site reached this position.",
                known.house.games,
            )
            % {"games": texts.number(known.house.games)}
        )
    return lines or [texts.gettext("No game has reached this position yet.")]


def _say_trap(trap: Trap, walk: Walk) -> str:
    """Say which wrong move people choose most, and what it costs."""
    says = {
        ("win", "loss"): texts.gettext("The trap here: %(move)s turns a win into a loss."),
        ("win", "draw"): texts.gettext("The trap here: %(move)s turns a win into a draw."),
        ("draw", "loss"): texts.gettext("The trap here: %(move)s turns a draw into a loss."),
    }[trap.kept, trap.left]
    chosen = texts.ngettext(
        "%(people)s of %(total)s person chose it.",
        "%(people)s of %(total)s people chose it.",
        trap.out_of,
    ) % {"people": trap.people, "total": trap.out_of}
    move = texts.translate(boards.name_move(trap.move, walk.game, walk.state))
    return f"{says % {'move': move}} {chosen}"


def _show_game(game: ArchiveGame) -> dict[str, Any]:
    """Return the year or file a game comes from, its result, and where it is reviewed."""
    return {
        "source": game.source.rpartition(".")[0] or game.source,
        "lead": game.lead,
        "href": f"/analyse/othello/walk?{urlencode({'moves': game.moves})}",
    }


@router.post("/explorer/{name}/move")
async def play_move(request: Request, name: str, form: Form, explorer: ExplorerDep) -> Response:
    """Go on with a move from the board, or one that was typed."""
    _, walk = await _read(name, request.query_params)
    show_again(request, partial(_show, request, name, explorer))
    move = walk.game.read_move(walk.state, boards.move_text(form)[:MAX_MOVE_TEXT])
    return redirect(request, f"{walk.on(walk.game.write_move(move))}#explore")
