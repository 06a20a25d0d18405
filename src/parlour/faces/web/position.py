"""A position of a game as an address: a variant, a position to begin with, and moves from there.

The lab and the explorer show where a walk has come to. Everything is in the address, so that a
position can be shared and nothing has to be stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from starlette.datastructures import QueryParams

from parlour import boards
from parlour.core import BadText, Game, ParlourError, State, capital, seat_name, sentence
from parlour.faces.web.forms import Variant, list_changes, read_variant
from parlour.faces.web.prefix import url
from parlour.faces.web.table import mark_of
from parlour.faces.web.workers import Answer
from parlour.players import Assessment

MAX_MOVES = 150  # in an address
MAX_POSITION = 20_000  # characters; with barred loops it lists all positions visited


def walk_address(
    section: str,
    game: Game,
    position: str = "",
    moves: Iterable[str] = (),
    *,
    page: str = "",
    **more: str,
) -> str:
    """Return the address of a variant in a section, a position of it and moves from there.

    `page` is another page about the same, "atlas" or "move".
    """
    path = f"/{section}/{quote(game.name)}" + (f"/{page}" if page else "")
    query = [*list_changes(game).items(), *([("position", position)] if position else [])]
    query += [*(("move", move) for move in moves), *more.items()]
    return f"{path}?{urlencode(query, safe=',:', quote_via=quote)}" if query else path


@dataclass(frozen=True)
class Walk:
    """The position looked at: from the start or a typed position, by moves that were tried."""

    section: str
    game: Game
    position: str
    moves: tuple[str, ...]
    states: tuple[State, ...]  # before each move, and after the last
    wrong: str = ""  # about the position
    illegal: str = ""  # about a move, which ends the walk

    @property
    def state(self) -> State:
        """The position looked at."""
        return self.states[-1]

    @property
    def is_start(self) -> bool:
        """Whether this is the start of the game."""
        return not self.moves and (not self.position or bool(self.wrong))

    @property
    def refused(self) -> dict[str, Any]:
        """The status and the notice of its page, if something in the address is wrong."""
        if self.illegal:
            return {"code": 422, "notice": sentence(self.illegal)}
        return {"code": 422} if self.wrong else {}

    def address(self, moves: int | None = None, **more: str) -> str:
        """Return the address of this position, or of the one after the first few moves."""
        return walk_address(self.section, self.game, self.position, self.moves[:moves], **more)

    def on(self, move: str) -> str:
        """Return the address after a move; a walk that is too long starts again there."""
        if len(self.moves) < MAX_MOVES:
            return walk_address(self.section, self.game, self.position, (*self.moves, move))
        game = self.game
        after = game.play(self.state, game.read_move(self.state, move))
        return walk_address(self.section, game, game.write(after))


def read_walk(section: str, game: Game, position: str, moves: Sequence[str]) -> Walk:
    """Read a position, if there is one, and moves from there as far as they are legal."""
    wrong = illegal = ""
    state = game.start()
    position = position.strip()
    if position:
        try:
            if len(position) > MAX_POSITION:
                raise BadText(
                    "a position can have at most {max_position:,} characters",
                    max_position=MAX_POSITION,
                )
            state = game.read(position)
        except ParlourError as error:
            wrong, moves = error.text, ()
    played: list[str] = []
    states = [state]
    for text in moves[:MAX_MOVES]:
        try:
            move = game.read_move(states[-1], text)
        except ParlourError as error:
            illegal = error.text
            break
        played.append(game.write_move(move))
        states.append(game.play(states[-1], move))
    return Walk(section, game, position, tuple(played), tuple(states), wrong, illegal)


def read_address(section: str, name: str, query: QueryParams) -> tuple[Variant, Walk | None]:
    """Read the variant of an address and where a walk has come to, unless an option is wrong."""
    found = read_variant(name, query)
    if found.game is None:
        return found, None
    position, moves = query.get("position", ""), query.getlist("move")
    return found, read_walk(section, found.game, position, moves)


def show_walk(walk: Walk, study: Answer) -> dict[str, Any]:
    """Return what a page shows where a walk has come to: the board, and what moves are worth."""
    game, state = walk.game, walk.state
    assessed = Assessment.from_dict(study.found) if study.found else Assessment()
    return {
        "walk": walk,
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
        "pending": study.pending,
        "over": not game.moves(state),
        "mover": capital(seat_name(game, game.turn(state))),
        "assessed": assessed,
    }


def name_line(game: Game, state: State, line: Iterable[str]) -> list[str]:
    """Return the names of moves that follow one another."""
    names = []
    for text in line:
        names.append(boards.name_move(text, game, state))
        state = game.play(state, game.read_move(state, text))
    return names
