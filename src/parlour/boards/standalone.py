"""A position as a picture that needs nothing else: an SVG with its style in it, or a PNG.

The drawing is the one on the page, on a plate of paper, so that it reads on any ground. The values
of moves that the drawing has no place for are listed below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from parlour.boards.by_game import draw
from parlour.boards.parts import Drawn, Mark, View, count_more, escape, shape
from parlour.core import Game, Move, State, check_argument, join
from parlour.drawing import svg_to_png

SCOPE = "parlour-board"
# Notebooks that are dark say so on an element around the cell: Jupyter, VS Code, marimo, Colab.
DARK_NOTEBOOKS = (
    '[data-jp-theme-light="false"]',
    ".vscode-dark",
    ".vscode-high-contrast:not(.vscode-high-contrast-light)",
    ".dark",
    '[data-theme="dark"]',
    '[theme="dark"]',
)
PAINT = frozenset(
    "fill stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray opacity rx filter "
    "font-family font-size font-weight font-variant-numeric text-anchor".split()
)
COLOURS = ("fill", "stroke")
BLOCK = re.compile(r"([^{}]+)\{((?:[^{}]|\{[^{}]*\})*)\}")  # what stands before, and what is in it

Declarations = dict[str, str]

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
        view = View(self.game, self.state, text, self.before, marks=self.marks or {}, move=move)
        return _compose_svg(view, night)


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
        f'height="{high}" viewBox="0 0 {drawn.wide} {drawn.high}">{drawn.inside}{drawn.edge}</svg>'
        f"</g>{values}"
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
        lines.append((shape(mark), join(": ", (text, mark.words))))
    if len(drawn.listed) > MAX_LISTED:
        lines.append(("", count_more(len(drawn.listed) - MAX_LISTED)))
    rows = "".join(
        f'<g transform="translate({PLATE} {top + ROW * number})">'
        f'<g transform="scale(.18)">{icon}</g>'
        f'<text x="26" y="15">{escape(words)}</text></g>'
        for number, (icon, words) in enumerate(lines)
    )
    return (f'<g class="worth-list">{rows}</g>', ROW * len(lines) + PLATE // 2) if rows else ("", 0)


# The style of the page, from its style sheets
#
# A picture brings its style with it: the rules that its markup needs are picked from boards.css,
# their colours filled in from tokens.css, and every selector put under one class, so that nothing
# else in the document changes its look. Written out, they are plain enough for programs that know
# no variables.


@cache
def read_sheet(name: str) -> str:
    """A style sheet of this package."""
    return resources.files(__package__).joinpath("static", name).read_text(encoding="utf-8")


@cache
def tokens(night: bool = False) -> Mapping[str, str]:
    """The colours and fonts by name, by day or by lamp light."""
    found: Declarations = {}
    for head, body in _blocks(read_sheet("tokens.css")):
        if head == ":root":
            found |= _declarations(body)
        elif night and "dark" in head:
            for _, inner in _blocks(body):
                found |= _declarations(inner)
    return found


def style_drawing(markup: str, *, night: str = "") -> str:
    """The rules that some drawings need; `night` is where those by lamp light hold.

    That is a list of selectors, one of which is around the drawing, or a media query.
    """
    rules = list(_needed(markup))
    sheet = "".join(
        _write(f".{SCOPE} {selector}", _fill(rule, night=False)) for selector, rule in rules
    )
    if not night:
        return sheet
    around = f".{SCOPE}" if night.startswith("@") else f":where({night}) .{SCOPE}"
    dark = ""
    for selector, rule in rules:  # all that have a colour, so that they keep their order
        colours = {name: value for name, value in rule.items() if name in COLOURS}
        if colours:
            dark += _write(f"{around} {selector}", _fill(colours, night=True))
    return f"{sheet}{night}{{{dark}}}" if night.startswith("@") else sheet + dark


def _needed(markup: str) -> Iterator[tuple[str, Declarations]]:
    """The selectors, one by one, that can mean something in the markup, and what they declare."""
    classes = {each for some in re.findall(r'class="([^"]*)"', markup) for each in some.split()}
    tags = set(re.findall(r"<(\w+)", markup))
    for selector, rule in _paint_rules():
        plain = selector.replace(":first-child", "")
        named = set(re.findall(r"\.([\w-]+)", plain))
        types = set(re.findall(r"(?<![\w.-])[a-z]\w*", plain))
        if named <= classes and types <= tags:
            yield selector, rule


@cache
def _paint_rules() -> tuple[tuple[str, Declarations], ...]:
    """What boards.css says of drawings, as selectors without lists in them."""
    found: dict[str, Declarations] = {}
    for head, body in _blocks(read_sheet("boards.css")):
        rule = {name: value for name, value in _declarations(body).items() if name in PAINT}
        rule = {name: value for name, value in rule.items() if value != "inherit"}
        if head.startswith("@") or not rule:
            continue
        for selector in _expand(head):
            if not re.search(r"[:\[](?!first-child)", selector):
                found[selector] = found.get(selector, {}) | rule
    return tuple(found.items())


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """The blocks of a style sheet: what stands before the brace, and what is in it."""
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    for block in BLOCK.finditer(sheet):
        yield block[1].strip(), block[2]


def _declarations(body: str) -> Declarations:
    pairs = (each.split(":", 1) for each in body.split(";") if ":" in each)
    return {name.strip(): value.strip() for name, value in pairs}


def _expand(head: str) -> Iterator[str]:
    """The single selectors of a list, with every `:is(a, b)` written out."""
    for part in re.split(r",(?![^()]*\))", head):  # at the commas that are not inside brackets
        listed = re.search(r":is\(([^()]*)\)", part)
        if listed is None:
            yield " ".join(part.split())
            continue
        for choice in listed[1].split(","):
            yield from _expand(part[: listed.start()] + choice.strip() + part[listed.end() :])


def _fill(rule: Declarations, *, night: bool) -> Declarations:
    """Fill in the values of variables, in the notation that every program knows."""
    known = tokens(night)
    filled = {}
    for name, value in rule.items():
        plain = re.sub(r"var\((--[\w-]+)\)", lambda found: known[found[1]], value)
        plain = re.sub(r"rgb\((\d+) (\d+) (\d+) / ([\d.]+)\)", r"rgba(\1,\2,\3,\4)", plain)
        filled[name] = plain
    return filled


def _write(selector: str, rule: Declarations) -> str:
    return f"{selector}{{{';'.join(f'{name}:{value}' for name, value in rule.items())}}}"
