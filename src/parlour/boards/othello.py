"""Othello on green felt: black and white discs, and a small ring on every legal square.

The first seat, X in the game's own notation, has the black discs.
"""

from __future__ import annotations

from collections.abc import Iterator

from parlour.boards import squares
from parlour.boards.parts import Answers, Building, Drawn, View, escape
from parlour.boards.squares import build_squares, compose_squares
from parlour.core import Text, capital, count, join, protocol, say
from parlour.rules import PASS, Othello, OthelloState, by_seat

WIDEST_WITHOUT_DOTS = 6  # larger boards have four dots to count squares by


def board(view: View) -> str:
    """The board with a button on every square, the count of discs, and a button to pass."""
    game, state = view.game, view.state
    first, second = by_seat(*state)
    turned, placed = _find_changes(view, first, second)
    legal = game.moves(state)
    contents = [
        _content(place.bit, first, second, placed, turned)
        for place in squares.places(game.columns, game.rows)
    ]
    black, white = first.bit_count(), second.bit_count()
    below = (
        f'<div class="below"><p class="count"><span class="dot black"></span>'
        f'{escape(capital(game.sides[0]))} <b>{black}</b> <span class="dot white"></span>'
        f"{escape(capital(game.sides[1]))} <b>{white}</b></p>"
    )
    if game.misere:
        below += f'<p class="why">{escape(say("Misère: fewer discs win"))}</p>'
    if legal and legal[0] == PASS and (view.playable or view.marks):
        button = view.button("pass", say("Pass"), "move-pass")
        below += f'<p class="why">{escape(say("No legal square"))}</p>{button}'
    return squares.draw_board(view, draw(view), contents, f"{below}</div>")


def draw(view: View) -> Drawn:
    """The board with its edge, and the values of moves on their squares."""
    return _draw(view, _title(view.game, view.state))


def picture(game: Othello, state: OthelloState) -> str:
    """The board alone; whose turn it is takes compiled rules, too slow to load for a lobby."""
    return _draw(View(game, state), _count(game, state)).picture()


def _draw(view: View, title: Text) -> Drawn:
    game, state = view.game, view.state
    first, second = by_seat(*state)
    turned, placed = _find_changes(view, first, second)
    legal = game.moves(state) if view.playable else ()
    free = set(map(game.write_move, legal)) - view.marks.keys()
    discs = _discs(game, (first, second), (placed, turned), moved=view.before is not None)
    inside = "".join((*_felt(game), *discs, *_rings(game, free)))
    return squares.draw_squares(view, "othello", title, inside)


def build(game: Othello, state: OthelloState, answers: Answers) -> Building:
    """A board to press squares on."""
    return build_squares(game, state, answers, lambda *position: picture(game, position))


compose = compose_squares


def _title(game: Othello, state: OthelloState) -> Text:
    counted = _count(game, state)
    if game.result(state) is not None:
        return counted
    return join(", ", (counted, say("{side} to move", side=game.sides[state[2]])))


def _count(game: Othello, state: OthelloState) -> Text:
    first, second = by_seat(*state)
    return say(
        "{title}: {black}, {white} white",
        title=capital(protocol.full_title(game)),
        black=count(first.bit_count(), "black disc"),
        white=second.bit_count(),
    )


def _find_changes(view: View, first: int, second: int) -> tuple[int, int]:
    """The discs that the last move turned, and the one it placed."""
    if view.before is None:
        names = squares.places(view.game.columns, view.game.rows)
        placed = next((place.bit for place in names if place.name == view.last), 0)
        return 0, placed & (first | second)
    was_first, was_second = by_seat(*view.before)
    return first & was_second | second & was_first, (first | second) & ~(was_first | was_second)


def _content(bit: int, first: int, second: int, placed: int, turned: int) -> str:
    if not (first | second) & bit:
        return say("empty")
    disc = say("black disc") if first & bit else say("white disc")
    if placed & bit:
        return join(", ", (disc, say("just placed")))
    return join(", ", (disc, say("just turned"))) if turned & bit else disc


def _felt(game: Othello) -> Iterator[str]:
    columns, rows = game.columns, game.rows
    yield f'<rect class="felt" {squares.surface(columns, rows)} rx="6"/>'
    yield squares.lines(columns, rows)
    if min(columns, rows) > WIDEST_WITHOUT_DOTS:
        edge = squares.margin(columns, rows)
        for column in (2, columns - 2):
            for row in (2, rows - 2):
                x, y = edge + 100 * column, edge + 100 * row
                yield f'<circle class="star" cx="{x}" cy="{y}" r="7"/>'


def _discs(
    game: Othello, sides: tuple[int, int], changed: tuple[int, int] = (0, 0), *, moved: bool = False
) -> Iterator[str]:
    """The discs, in motion where the last move placed or turned them, and a ring on the new one."""
    (first, second), (placed, turned) = sides, changed
    yield '<g class="discs">'
    for place in squares.places(game.columns, game.rows):
        if (first | second) & place.bit:
            kind = "black" if first & place.bit else "white"
            if moved and placed & place.bit:
                kind += " is-new"
            elif turned & place.bit:
                kind += " is-flipped"
            yield f'<circle class="disc {kind}" cx="{place.x + 50}" cy="{place.y + 50}" r="41"/>'
    yield "</g>"
    for place in squares.places(game.columns, game.rows):
        if placed & place.bit:
            on = "black" if first & place.bit else "white"
            yield f'<circle class="last on-{on}" cx="{place.x + 50}" cy="{place.y + 50}" r="17"/>'


def _rings(game: Othello, names: set[str]) -> Iterator[str]:
    for place in squares.places(game.columns, game.rows):
        if place.name in names:
            yield f'<circle class="hint" cx="{place.x + 50}" cy="{place.y + 50}" r="13"/>'
