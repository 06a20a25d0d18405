"""The board of each game: a whole board, a small picture, a form to set up a position.

A game's `extras` may name a module with the functions `board`, `draw`, `picture`, `build` and
`compose`; every built-in game has one. Any other game is shown as a board of squares if it
describes one, else as its own drawing in text.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from parlour import core
from parlour.boards import squares
from parlour.boards.parts import Building, Drawn, Mark, View, drawing, escape, legend
from parlour.core import BadText, Game, State, extra, protocol, say, sides, title

MAX_SQUARES = 20  # to a side: the styles know no larger boards
MAX_LINES, MAX_LETTERS = 12, 36  # of a small picture in text
MOST_LINES, MOST_LETTERS = 60, 120  # of a larger one
CELL, LINE = 12, 22  # the room of a letter and of a line
MAX_ON_PIECE = 3  # letters


def board(
    game: Game,
    state: State,
    *,
    last: str = "",
    before: State | None = None,
    playable: bool = False,
    at: int = 0,
    action: str = "",
    marks: Mapping[str, Mark] | None = None,
    viewer: int | None = None,
    names: Sequence[str] = (),
) -> Markup:
    """The board as markup.

    `last` is the last move and `before` the state it was made in. With `playable` the viewer may
    move now, by a form sent to `action` that carries `at`, the number of moves so far. `marks` are
    the values of moves, by the text of the move; `viewer` is the viewer's seat, and `names` are
    those of the players, where a board shows who sits where.
    """
    playable = playable and bool(game.moves(state))
    view = View(
        game, state, last, before, playable, at, action, marks or {}, viewer=viewer, names=names
    )
    make = _find(game, "board") or _draw_any_board
    return Markup(make(view))  # noqa: S704  # each board escapes what it shows


def picture(game: Game, state: State) -> Markup:
    """The position alone as one small SVG with a title."""
    make = _find(game, "picture") or _draw_any_picture
    return Markup(make(game, state))  # noqa: S704


def draw(view: View) -> Drawn:
    """A position as one drawing."""
    drawn: Drawn = (_find(view.game, "draw") or _draw_any)(view)
    return drawn


def build_position(game: Game, state: State, answers: Mapping[str, str]) -> Building | None:
    """The form to set up a position, filled with the answers so far; None if there is no form."""
    build = _find(game, "build")
    found: Building | None = build(game, state, answers) if build else None
    return found


def compose_position(game: Game, answers: Mapping[str, str]) -> str:
    """The position that the answers spell, for the game to read."""
    compose = _find(game, "compose")
    if compose is None:
        raise BadText("a position of {name} can only be pasted", name=game.name)
    return str(compose(game, answers))


def announce_move(game: Game, text: str) -> str:
    """Say what somebody does with a move: `plays b2`, `takes 2 from pile 1`."""
    announce = _find(game, "announce_move")
    return announce(text) if announce else say("plays {text}", text=text)


def _find(game: Game, name: str) -> Callable[..., Any] | None:
    """Return one of the functions of a game's own board, if it has that."""
    found: Callable[..., Any] | None = getattr(extra(game, "board"), name, None)
    return found


def name_move(text: str, game: Game, state: State) -> str:
    """Name a move in the words of the variant; what is no move stays as it is."""
    if not hasattr(game, "describe_move"):
        return text
    with contextlib.suppress(core.ParlourError):
        return core.protocol.describe_move(game, state, game.read_move(state, text))
    return text


def move_text(fields: Mapping[str, str]) -> str:
    """The move that the fields of a board's form mean, to be read by the game."""
    if "move" in fields or "amount" not in fields:
        return fields.get("move", "")
    return f"{fields['amount']} from {fields['pile']}" if "pile" in fields else fields["amount"]


# Any other game


def _draw_any_board(view: View) -> str:
    game, found = view.game, _grid(view.game, view.state)
    if own := _find(game, "draw"):
        return _lay_out("drawn", own(view).svg(), view)
    if found is None:
        text = escape(game.draw(view.state))
        inside = f'<pre class="text" role="group" aria-label="{escape(say("board"))}" tabindex="0">'
        return _lay_out("text", f"{inside}{text}</pre>", view)
    return squares.draw_board(
        view,
        _draw_any(view),
        [_content(game, mark) for row in found for mark in row],
        size=(len(found[0]), len(found)),
    )


def _lay_out(kind: str, drawn: str, view: View) -> str:
    """A drawing with a button for every move under it."""
    buttons = view.buttons(view.game.moves(view.state))
    return f'<div class="board board-{kind}">{drawn}{buttons}{legend(view.marks)}</div>'


def _draw_any(view: View) -> Drawn:
    """The position on squares, or as far as the text fits."""
    game, found = view.game, _grid(view.game, view.state)
    if found is None:
        inside, wide, high = _draw_text(game.draw(view.state), MOST_LINES, MOST_LETTERS)
        title, listed = squares.describe_position(game, view.state), tuple(view.marks)
        return Drawn("text", title, wide, high, inside, listed, largest=960)
    last = protocol.squares(game, view.last_move) if view.last_move is not None else ()
    inside = _draw_squares(game, found, last)
    size = (len(found[0]), len(found))
    return squares.draw_squares(
        view, "squares", squares.describe_position(game, view.state), inside, size
    )


def _draw_any_picture(game: Game, state: State) -> str:
    """The position alone: as the game draws it, on squares, or as far as the text fits."""
    if _find(game, "draw") or _grid(game, state):
        return draw(View(game, state)).picture()
    inside, wide, high = _draw_text(game.draw(state), MAX_LINES, MAX_LETTERS)
    return drawing("picture picture-text", f"0 0 {wide} {high}", title(game), inside)


def _draw_text(text: str, most_lines: int, most_letters: int) -> tuple[str, int, int]:
    """Text on a sheet, as wide and high as it needs.

    Every letter has a place of its own, so that columns stay columns in any font.
    """
    lines = [line.rstrip()[:most_letters] for line in text.expandtabs().splitlines()[:most_lines]]
    wide, high = CELL * max(map(len, lines), default=1) + 24, LINE * len(lines) + 24
    inside = f'<rect class="sheet" width="{wide}" height="{high}" rx="10"/>'
    for number, line in enumerate(lines):
        letters = [(n, each) for n, each in enumerate(line) if each.isprintable() and each != " "]
        if letters:
            xs = " ".join(str(12 + CELL * n + CELL // 2) for n, _ in letters)
            words = escape("".join(each for _, each in letters))
            inside += f'<text class="letters" x="{xs}" y="{LINE * number + 30}">{words}</text>'
    return inside, wide, high


def _grid(game: Game, state: State) -> protocol.Grid | None:
    """What stands on each square, if the board can be drawn."""
    found = protocol.grid(game, state)
    if not found or not found[0] or max(len(found), len(found[0])) > MAX_SQUARES:
        return None
    return found if all(len(row) == len(found[0]) for row in found) else None


def _content(game: Game, mark: str) -> str:
    """What a square holds, in a word: the side, if the mark is a seat's."""
    marks = tuple(getattr(game, "marks", ()))
    return (sides(game)[marks.index(mark)] if mark in marks else mark) or say("empty")


def _draw_squares(game: Game, found: protocol.Grid, touched: Sequence[protocol.Square]) -> str:
    columns, rows = len(found[0]), len(found)
    parts = [squares.sheet(columns, rows)]
    for place in squares.places(columns, rows):
        if (place.column, place.row) in touched:
            parts.append(squares.frame(place))
        parts.append(_draw_piece(game, place, found[place.row][place.column]))
    return "".join(parts)


def _draw_piece(game: Game, place: squares.Place, mark: str) -> str:
    """Draw a disc in the colour of its side with its mark on it, or letters for any other mark."""
    if not mark:
        return ""
    x, y = place.x + 50, place.y + 50
    letters = f'x="{x}" y="{y + 14}">{escape(mark[:MAX_ON_PIECE])}</text>'
    marks = tuple(getattr(game, "marks", ()))
    if mark not in marks:
        return f'<text class="letters" {letters}'
    seat = marks.index(mark)
    side = sides(game)[seat]
    colour = side if side in ("black", "white") else ("black", "white")[seat % 2]
    return (
        f'<circle class="disc {colour}" cx="{x}" cy="{y}" r="38"/>'
        f'<text class="on-{colour}" {letters}'
    )
