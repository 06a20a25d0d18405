"""Any game at all: a board of squares if the game describes one, else its own drawing in text.

On a board of squares a click on an empty square places a piece, and a click on a piece offers the
squares it can go to. The pieces are radio buttons, and style alone shows their targets, so that it
works without scripts. All other moves have buttons; if there are too many to read, the first have
buttons and any can be typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from parlour.core import BadText, Game, Grid, Move, Square, State, grid, sides, squares
from parlour.core import title as title_of
from parlour.faces.web.boards.building import Answers
from parlour.faces.web.boards.parts import FEW_COLUMNS, View, badge, drawing, escape, icon, legend
from parlour.faces.web.boards.squares import (
    Place,
    describe_position,
    draw_field,
    draw_picture,
    edge,
    frame,
    places,
    sheet,
)

MOST_BUTTONS = 60
MOST_SQUARES = 20  # to a side: the styles know no larger boards
MOST_LINES, MOST_LETTERS = 12, 36  # of a picture in text
LETTERS_ON_PIECE = 3


def board(view: View) -> str:
    """The board and the moves."""
    found = _grid(view.game, view.state)
    return _draw_text_board(view) if found is None else _draw_square_board(view, found)


def picture(game: Game, state: State) -> str:
    """The position alone, on squares or as far as the text fits."""
    found = _grid(game, state)
    if found is not None:
        inside = _draw(game, found)
        return draw_picture(
            "squares", len(found[0]), len(found), describe_position(game, state), inside
        )
    text = game.draw(state).expandtabs().splitlines()[:MOST_LINES]
    text = [line[:MOST_LETTERS] for line in text]
    wide, high = 12 * max(map(len, text), default=1) + 24, 22 * len(text) + 24
    inside = f'<rect class="sheet" width="{wide}" height="{high}" rx="10"/>'
    for number, line in enumerate(text):
        inside += f'<text class="letters" x="12" y="{22 * number + 30}">{escape(line)}</text>'
    return drawing("picture picture-text", f"0 0 {wide} {high}", title_of(game), inside)


def compose(game: Game, answers: Answers) -> str:
    """Refuse: nothing is known about how this game writes its positions."""
    raise BadText(f"a position of {game.name} can only be pasted")


# In text


def _draw_text_board(view: View) -> str:
    text = escape(view.game.draw(view.state))
    sheet = f'<pre class="text" role="group" aria-label="board" tabindex="0">{text}</pre>'
    buttons = _buttons(view, view.game.moves(view.state))
    return f'<div class="board board-text">{sheet}{buttons}{legend(view.marks)}</div>'


def _buttons(view: View, moves: Iterable[Move]) -> str:
    """A form with a button for each move, and a field to type one if there are too many."""
    texts = [view.game.write_move(move) for move in islice(moves, MOST_BUTTONS + 1)]
    buttons = [
        view.button(text, text, f"move-{number}")
        for number, text in enumerate(texts[:MOST_BUTTONS], start=1)
    ]
    markup = view.form(f'<div class="moves">{"".join(buttons)}</div>', "play")
    if len(texts) > MOST_BUTTONS and view.playable:
        markup += view.form(
            '<label for="typed">Or type any move</label><input id="typed" name="move" '
            'required="" autocomplete="off"/><button class="move" id="play">Play</button>',
            "typed",
        )
    return markup


# On squares


def _grid(game: Game, state: State) -> Grid | None:
    """What stands on each square, if the board can be drawn."""
    found = grid(game, state)
    if not found or not found[0] or max(len(found), len(found[0])) > MOST_SQUARES:
        return None
    return found if all(len(row) == len(found[0]) for row in found) else None


@dataclass
class Clicks:
    """The moves by how they are clicked."""

    on: dict[Square, Move] = field(default_factory=dict)
    between: dict[Square, dict[Square, Move]] = field(default_factory=dict)
    others: list[Move] = field(default_factory=list)


def _sort_moves(game: Game, moves: Iterable[Move]) -> Clicks:
    """Sort moves into those on a square, those between two, and all others.

    Moves that share their squares are among the others, so that a click is never ambiguous.
    """
    by_squares: dict[tuple[Square, ...], list[Move]] = {}
    for move in moves:
        touched = squares(game, move)
        ends = tuple(dict.fromkeys((*touched[:1], *touched[-1:])))
        by_squares.setdefault(ends, []).append(move)
    clicks = Clicks()
    for ends, several in sorted(by_squares.items(), key=lambda item: len(item[0])):
        if len(several) > 1 or not ends or (len(ends) == 2 and ends[0] in clicks.on):
            clicks.others += several
        elif len(ends) == 1:
            clicks.on[ends[0]] = several[0]
        else:
            clicks.between.setdefault(ends[0], {})[ends[1]] = several[0]
    return clicks


def _draw_square_board(view: View, found: Grid) -> str:
    game, columns, rows = view.game, len(found[0]), len(found)
    clicks = _sort_moves(game, game.moves(view.state))
    where = {(place.column, place.row): place for place in places(columns, rows)}
    contents = {square: _content(game, found[square[1]][square[0]]) for square in where}
    buttons, badges = [], []
    for square, place in where.items():
        if view.playable and square in clicks.between:
            targets = [
                _target(view, where[to], contents[to], move, place.name)
                for to, move in clicks.between[square].items()
            ]
            buttons.append(_source(place, contents[square], targets))
        elif view.playable and square in clicks.on:
            buttons.append(_target(view, place, contents[square], clicks.on[square]))
        else:
            buttons.append(f'{place.still}, {escape(contents[square])}"></button>')
        if square in clicks.on and (mark := view.marks.get(game.write_move(clicks.on[square]))):
            badges.append(badge(mark, place.x, place.y, wordy=columns <= FEW_COLUMNS))
    last = squares(game, view.last_move) if view.last_move is not None else ()
    inside = f"{_draw(game, found, last)}{edge(columns, rows)}{''.join(badges)}"
    title = describe_position(game, view.state)
    whole = draw_field(columns, rows, title, inside, buttons, "squares is-placed")
    needs_buttons = clicks.others and (view.playable or view.marks)
    below = _buttons(view, clicks.others) if needs_buttons else ""
    return (
        f'<div class="board board-squares">{view.form(whole, "play")}{below}'
        f"{legend(view.marks)}</div>"
    )


def _source(place: Place, content: str, targets: Iterable[str]) -> str:
    """A piece to pick up, followed by the squares it can go to."""
    return (
        f'<div class="source"><input type="radio" name="piece" value="{place.name}" '
        f'id="sq-{place.name}" data-column="{place.column + 1}" data-row="{place.row + 1}" '
        f'aria-label="{place.name}, {escape(content)}: pick up"/>{"".join(targets)}</div>'
    )


def _target(view: View, place: Place, content: str, move: Move, source: str = "") -> str:
    """A square that a click plays on, with a piece from another square if there is a source."""
    text = view.game.write_move(move)
    mark = view.marks.get(text)
    value = f", {escape(mark.words)}" if mark else ""
    shape = icon(mark) if mark and source else ""
    which = f"{source}-{place.name}" if source else place.name
    action = f"move {source} here" if source else "play here"
    kind = ' class="target"' if source else ""
    return (
        f'<button{kind} name="move" value="{escape(text)}" id="sq-{which}" '
        f'data-column="{place.column + 1}" data-row="{place.row + 1}" '
        f'aria-label="{place.name}, {escape(content)}: {action}{value}">{shape}</button>'
    )


def _content(game: Game, mark: str) -> str:
    """What a square holds, in a word: the side, if the mark is a seat's."""
    marks = tuple(getattr(game, "marks", ()))
    return (sides(game)[marks.index(mark)] if mark in marks else mark) or "empty"


def _draw(game: Game, found: Grid, last: Iterable[Square] = ()) -> str:
    columns, rows = len(found[0]), len(found)
    touched = set(last)
    parts = [sheet(columns, rows)]
    for place in places(columns, rows):
        if (place.column, place.row) in touched:
            parts.append(frame(place))
        parts.append(_draw_piece(game, place, found[place.row][place.column]))
    return "".join(parts)


def _draw_piece(game: Game, place: Place, mark: str) -> str:
    """Draw a disc in the colour of its side with its mark on it, or letters for any other mark."""
    if not mark:
        return ""
    x, y = place.x + 50, place.y + 50
    letters = f'x="{x}" y="{y + 14}">{escape(mark[:LETTERS_ON_PIECE])}</text>'
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
