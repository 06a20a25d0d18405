"""A position as a picture that needs nothing else: an SVG with its style in it, or a PNG.

The drawing is the one on the page, on a plate of paper, so that it reads on any ground. The values
of moves that the drawing has no place for are listed below it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from parlour.boards.by_game import draw
from parlour.boards.parts import SHAPES, Drawn, Mark, View, count_more, escape
from parlour.boards.style import DARK_NOTEBOOKS, SCOPE, style_drawing, tokens
from parlour.core import Game, Move, State, check_argument, join
from parlour.drawing import svg_to_png

PLATE = 12  # around the drawing
ROW, MAX_LISTED = 24, 12  # of the values listed below it
MAX_WIDTH = 10_000  # pixels of a picture
NIGHT = "@media (prefers-color-scheme:dark)"


@dataclass(frozen=True, repr=False)
class Picture:
    """A position that shows itself: as its drawing in a notebook, as text anywhere else.

    `last` is the move that led here, to be ringed; where it is text, `before` is the state it was
    made in, unless the drawing can do without. `marks` are the values of moves, by their text.
    """

    game: Game
    state: State
    last: Move | str | None = None
    before: State | None = None
    marks: Mapping[str, Mark] | None = None

    def to_svg(self) -> str:
        """The picture as an SVG that stands alone, by day or by night as its reader has it."""
        return self._compose(night=NIGHT)

    def to_png(self, width: int = 480) -> bytes:
        """The picture as a PNG, by day, this many pixels wide."""
        width = check_argument("width", width, int, low=1, high=MAX_WIDTH)
        svg = self._compose()
        for name, effect in re.findall(r"\.([\w-]+)\{filter:([^}]*)\}", svg):  # no style to resvg
            svg = svg.replace(f'class="{name}"', f'class="{name}" filter="{effect}"')
        return svg_to_png(svg, width)

    def __repr__(self) -> str:
        return self.game.draw(self.state)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return self._compose(night=",".join(DARK_NOTEBOOKS))

    def _compose(self, *, night: str = "") -> str:
        """The picture of a position to look at, without hints."""
        text, move = "", None
        if isinstance(self.last, str):
            text = self.last
        elif self.last is not None:
            text = self.game.write_move(self.last)
            move = self.last if self.before is None else None
        marks = self.marks or {}
        shown = (self.game, self.state, text, self.before)
        return _compose_svg(View(*shown, False, 0, "", marks, move=move), night)


def _compose_svg(view: View, night: str) -> str:
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
