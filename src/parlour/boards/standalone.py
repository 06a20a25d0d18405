"""A position as a picture that needs nothing else: an SVG with its style in it, or a PNG.

The drawing is the one on the page, on a plate of paper, so that it reads on any ground. The values
of moves that the drawing has no place for are listed below it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from parlour.boards.by_game import draw
from parlour.boards.parts import SHAPES, Drawn, Mark, View, count_more, escape
from parlour.boards.style import SCOPE, style_drawing, tokens
from parlour.core import Game, Move, State, join, protocol
from parlour.drawing import svg_to_png

PLATE = 12  # around the drawing
ROW, MAX_LISTED = 24, 12  # of the values listed below it
NIGHT = "@media (prefers-color-scheme:dark)"


def to_svg(
    game: Game,
    state: State | None = None,
    *,
    last: Move | str | None = None,
    before: State | None = None,
    marks: Mapping[str, Mark] | None = None,
) -> str:
    """The position as an SVG that stands alone, by day or by night as its reader has it.

    `last` is the move that led here, to be ringed; where it is text, `before` is the state it was
    made in, unless the drawing can do without. `marks` are the values of moves, by their text.
    """
    return compose_svg(view_position(game, state, last, before, marks), night=NIGHT)


def to_png(
    game: Game,
    state: State | None = None,
    *,
    last: Move | str | None = None,
    before: State | None = None,
    marks: Mapping[str, Mark] | None = None,
    width: int = 480,
) -> bytes:
    """The same picture as a PNG, by day, this many pixels wide."""
    svg = compose_svg(view_position(game, state, last, before, marks))
    for name, effect in re.findall(r"\.([\w-]+)\{filter:([^}]*)\}", svg):  # no style to resvg
        svg = svg.replace(f'class="{name}"', f'class="{name}" filter="{effect}"')
    return svg_to_png(svg, width)


def view_position(
    game: Game,
    state: State | None,
    last: Move | str | None,
    before: State | None,
    marks: Mapping[str, Mark] | None,
) -> View:
    """A position as a picture shows it: to look at, and without hints."""
    state = protocol.to_state(game, state)
    before = None if before is None else protocol.to_state(game, before)
    move = None
    if last is None:
        text = ""
    elif isinstance(last, str):
        text = last
    else:
        text, move = game.write_move(last), None if before is not None else last
    return View(game, state, text, before, False, 0, "", marks or {}, move=move)


def compose_svg(view: View, *, night: str = "") -> str:
    """A plate with the drawing on it and the values that are not in the drawing below."""
    drawn = draw(view)
    scale = min(drawn.scale, drawn.largest / max(drawn.wide, drawn.high))
    wide, high = round(drawn.wide * scale), round(drawn.high * scale)
    values, below = _list_values(view, drawn, wide, high + 2 * PLATE)
    all_wide, all_high = wide + 2 * PLATE, high + 2 * PLATE + below
    inside = (
        f'<rect class="plate" width="{all_wide}" height="{all_high}" rx="12"/>'
        f'<g class="board board-{drawn.kind}"><svg x="{PLATE}" y="{PLATE}" width="{wide}" '
        f'height="{high}" viewBox="0 0 {drawn.wide} {drawn.high}">{drawn.inside}</svg></g>{values}'
    )
    fonts = f".{SCOPE}{{font-family:{tokens()['--sans']};max-width:100%;height:auto}}"
    style = fonts + style_drawing(inside, night=night)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{SCOPE}" role="img" '
        f'width="{all_wide}" height="{all_high}" viewBox="0 0 {all_wide} {all_high}">'
        f"<title>{escape(drawn.title)}</title><desc>{escape(view.game.draw(view.state))}</desc>"
        f"<style>{style}</style>{inside}</svg>"
    )


def _list_values(view: View, drawn: Drawn, wide: int, top: int) -> tuple[str, int]:
    """The values that the drawing has no place for, and how high their list is."""
    lines = []
    for text in drawn.listed[:MAX_LISTED]:
        mark = view.marks[text]
        icon = SHAPES.get(mark.outcome, SHAPES["draw"]).format("" if mark.exact else " is-guess")
        lines.append((icon, join(": ", (text, mark.words))))
    if len(drawn.listed) > MAX_LISTED:
        lines.append(("", count_more(len(drawn.listed) - MAX_LISTED)))
    rows = "".join(
        f'<g transform="translate({PLATE} {top + ROW * number})">'
        f'<g transform="scale(.18)">{icon}</g>'
        f'<text x="26" y="15">{escape(words)}</text></g>'
        for number, (icon, words) in enumerate(lines)
    )
    return (f'<g class="worth-list">{rows}</g>', ROW * len(lines) + PLATE // 2) if rows else ("", 0)
