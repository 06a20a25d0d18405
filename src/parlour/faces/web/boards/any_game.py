"""Any game at all: a board of squares where the game describes one, else its own drawing in text.

On a board of squares a click on an empty square places a piece, and a click on a piece offers the
squares it can go to. The pieces are radio buttons and their targets are shown by style alone, so
that it works without scripts. Every other move has a button; where there are more moves than
anybody would read, the first have buttons and any can be typed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from parlour.core import Game, Grid, Move, Square, State, grid, side_name, sides, squares
from parlour.core import title as title_of
from parlour.faces.web.boards.marks import FEW_COLUMNS, badge, icon, legend
from parlour.faces.web.boards.markup import drawing, told
from parlour.faces.web.boards.squares import RIM, Place, edge, lines, margin, places, small, surface
from parlour.faces.web.boards.view import View

MOST_BUTTONS = 60
MOST_SQUARES = 20  # to a side: the styles know no larger boards
PICTURED = (12, 36)  # lines, and letters in a line
FEW_LETTERS = 3  # on a piece


def board(view: View) -> str:
    """The board and the moves."""
    found = _grid(view.game, view.state)
    return _text_board(view) if found is None else _square_board(view, found)


def picture(game: Game, state: State) -> str:
    """The position alone, on squares or as far as the text fits."""
    found = _grid(game, state)
    if found is not None:
        inside = _draw(game, found)
        return small("squares", len(found[0]), len(found), _title(game, state), inside)
    most, longest = PICTURED
    text = [line[:longest] for line in game.draw(state).expandtabs().splitlines()[:most]]
    wide = 12 * max(map(len, text), default=1) + 24
    inside = f'<rect class="sheet" width="{wide}" height="{22 * len(text) + 24}" rx="10"/>'
    for number, line in enumerate(text):
        inside += f'<text class="letters" x="12" y="{22 * number + 30}">{told(line)}</text>'
    box = f"0 0 {wide} {22 * len(text) + 24}"
    return drawing("picture picture-text", box, title_of(game), inside)


def _title(game: Game, state: State) -> str:
    result = game.result(state)
    if result is None:
        return f"{title_of(game)}: {side_name(game, game.turn(state))} to move"
    if 1 not in result:
        return f"{title_of(game)}: a draw"
    return f"{title_of(game)}: {side_name(game, result.index(1))} has won"


# In text


def _text_board(view: View) -> str:
    text = told(view.game.draw(view.state))
    drawn = f'<pre class="text" role="group" aria-label="board" tabindex="0">{text}</pre>'
    buttons = _buttons(view, view.game.moves(view.state))
    return f'<div class="board board-text">{drawn}{buttons}{legend(view.marks)}</div>'


def _buttons(view: View, moves: Iterable[Move]) -> str:
    """A form with a button for each move, and one to type in where there are too many."""
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
    """What stands where, if it is a board that can be drawn."""
    found = grid(game, state)
    if not found or not found[0] or max(len(found), len(found[0])) > MOST_SQUARES:
        return None
    return found if all(len(row) == len(found[0]) for row in found) else None


def _square_board(view: View, found: Grid) -> str:
    game, columns, rows = view.game, len(found[0]), len(found)
    placing, going, others = _sorted(game, game.moves(view.state))
    where = {(place.column, place.row): place for place in places(columns, rows)}
    contents = {
        square: _content(game, found[place.row][place.column]) for square, place in where.items()
    }
    cells, badges = [], []
    for square, place in where.items():
        if view.playable and square in going:
            targets = [
                _target(view, where[to], contents[to], move, place.name)
                for to, move in going[square].items()
            ]
            cells.append(_source(place, contents[square], targets))
        elif view.playable and square in placing:
            cells.append(_target(view, place, contents[square], placing[square]))
        else:
            cells.append(f'{place.still}, {told(contents[square])}"></button>')
        if square in placing and (mark := view.marks.get(game.write_move(placing[square]))):
            badges.append(badge(mark, place.x, place.y, wordy=columns <= FEW_COLUMNS))
    around = margin(columns, rows) + RIM
    box = f"0 0 {around + 100 * columns} {around + 100 * rows}"
    inside = _draw(game, found, squares(game, view.last_move) if view.last_move else ())
    svg = drawing(
        "drawing", box, _title(game, view.state), f"{inside}{edge(columns, rows)}{''.join(badges)}"
    )
    field = (
        f'<div class="field columns-{columns} rows-{rows}">{svg}'
        f'<div class="squares is-placed">{"".join(cells)}</div></div>'
    )
    below = _buttons(view, others) if others and (view.playable or view.marks) else ""
    return (
        f'<div class="board board-squares">{view.form(field, "play")}{below}'
        f"{legend(view.marks)}</div>"
    )


def _sorted(
    game: Game, moves: Iterable[Move]
) -> tuple[dict[Square, Move], dict[Square, dict[Square, Move]], list[Move]]:
    """The moves that place on a square, those from square to square, and all that are neither.

    A move whose squares another move has too is among the last, so that a click is never in doubt.
    """
    ways: dict[tuple[Square, ...], list[Move]] = {}
    for move in moves:
        touched = squares(game, move)
        ways.setdefault(tuple(dict.fromkeys((*touched[:1], *touched[-1:]))), []).append(move)
    placing: dict[Square, Move] = {}
    going: dict[Square, dict[Square, Move]] = {}
    others: list[Move] = []
    for way, several in sorted(ways.items(), key=lambda item: len(item[0])):
        if len(several) > 1 or not way or (len(way) == 2 and way[0] in placing):
            others += several
        elif len(way) == 1:
            placing[way[0]] = several[0]
        else:
            going.setdefault(way[0], {})[way[1]] = several[0]
    return placing, going, others


def _source(place: Place, content: str, targets: Iterable[str]) -> str:
    """A piece that can be picked up, followed by the squares it can go to."""
    return (
        f'<div class="source"><input type="radio" name="piece" value="{place.name}" '
        f'id="sq-{place.name}" data-column="{place.column + 1}" data-row="{place.row + 1}" '
        f'aria-label="{place.name}, {told(content)}: move it"/>{"".join(targets)}</div>'
    )


def _target(view: View, place: Place, content: str, move: Move, source: str = "") -> str:
    """A square on which a click makes a move, of a piece from another square if there is one."""
    text = view.game.write_move(move)
    mark = view.marks.get(text)
    value = f", {told(mark.words)}" if mark else ""
    shape = icon(mark) if mark and source else ""
    which = f"{source}-{place.name}" if source else place.name
    action = f"move {source} here" if source else "play here"
    kind = ' class="target"' if source else ""
    return (
        f'<button{kind} name="move" value="{told(text)}" id="sq-{which}" '
        f'data-column="{place.column + 1}" data-row="{place.row + 1}" '
        f'aria-label="{place.name}, {told(content)}: {action}{value}">{shape}</button>'
    )


def _content(game: Game, mark: str) -> str:
    """What a square holds, in a word: the side, where the mark is a seat's."""
    marks = tuple(getattr(game, "marks", ()))
    return (sides(game)[marks.index(mark)] if mark in marks else mark) or "empty"


def _draw(game: Game, found: Grid, last: Iterable[Square] = ()) -> str:
    columns, rows = len(found[0]), len(found)
    touched = set(last)
    drawn = [
        f'<rect class="sheet" {surface(columns, rows)}/>',
        f'<path class="lines" d="{lines(columns, rows)}"/>',
    ]
    for place in places(columns, rows):
        if (place.column, place.row) in touched:
            drawn.append(
                f'<rect class="last" x="{place.x + 6}" y="{place.y + 6}" width="88" height="88" '
                'rx="10"/>'
            )
        drawn.append(_piece(game, place, found[place.row][place.column]))
    return "".join(drawn)


def _piece(game: Game, place: Place, mark: str) -> str:
    """A disc in the colour of its side with its mark on it; what is nobody's, as letters."""
    if not mark:
        return ""
    x, y = place.x + 50, place.y + 50
    letters = f'x="{x}" y="{y + 14}">{told(mark[:FEW_LETTERS])}</text>'
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
