"""A picture as a value: a size, a title, and plain shapes laid over one another.

The same drawing is written as SVG, here, or as PNG and PDF in `export`. Lengths are points of 1/72
inch on paper and pixels on a screen, from the top left corner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from typing import TypeAlias

from parlour.core import sentences

PAPER, INK, QUIET, LINE = "#FBF7EE", "#2B2620", "#6B6257", "#D8CFBE"
BLUE, GREY, VERMILION = "#0072B2", "#7A7A7A", "#D55E00"
WHITE = "#FFFFFF"
FONTS = "system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif"
BOLD = 600  # from this weight on
OTHER = 600, 600  # the width of a letter that is not in the file


@dataclass(frozen=True)
class Rect:
    """A rectangle, with round corners if it has a radius."""

    x: float
    y: float
    width: float
    height: float
    fill: str = ""  # no colour: not filled, or without an edge
    edge: str = ""
    thick: float = 1
    radius: float = 0


@dataclass(frozen=True)
class Ellipse:
    """An ellipse around a point; a circle when both radii are the same."""

    x: float
    y: float
    across: float  # the radius to the side
    down: float  # and the one up and down
    fill: str = ""
    edge: str = ""
    thick: float = 1


@dataclass(frozen=True)
class Polygon:
    """A closed figure with straight sides."""

    points: tuple[tuple[float, float], ...]
    fill: str = ""
    edge: str = ""
    thick: float = 1


@dataclass(frozen=True)
class Polyline:
    """Straight lines from point to point."""

    points: tuple[tuple[float, float], ...]
    edge: str = INK
    thick: float = 1


@dataclass(frozen=True)
class TextLine:
    """A line of text; x is where it starts, its middle or its end, y where the letters stand."""

    x: float
    y: float
    words: str
    size: float = 13
    anchor: str = "start"
    weight: int = 400
    colour: str = INK


Shape: TypeAlias = Rect | Ellipse | Polygon | Polyline | TextLine


@dataclass(frozen=True)
class Group:
    """Shapes that belong together, and what they show, as a tooltip."""

    about: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Drawing:
    """A picture: later shapes lie over earlier ones."""

    width: float
    height: float
    title: str
    about: str  # a description for those who cannot see it
    shapes: tuple[Shape | Group, ...]
    paper: str = PAPER

    def plain(self) -> Iterator[Shape]:
        """Yield the shapes in order, those of groups one by one."""
        for shape in self.shapes:
            yield from shape.shapes if isinstance(shape, Group) else (shape,)


def circle(
    x: float, y: float, radius: float, fill: str = "", edge: str = "", thick: float = 1
) -> Ellipse:
    """A circle around a point."""
    return Ellipse(x, y, radius, radius, fill, edge, thick)


def line(
    x1: float, y1: float, x2: float, y2: float, colour: str = INK, thick: float = 1
) -> Polyline:
    """A line from one point to another."""
    return Polyline(((x1, y1), (x2, y2)), colour, thick)


def text_width(words: str, size: float = 13, weight: int = 400) -> float:
    """The approximate width of a text."""
    widths = _read_widths()
    return sum(widths.get(letter, OTHER)[weight >= BOLD] for letter in words) * size / 1000


@cache
def _read_widths() -> dict[str, tuple[int, int]]:
    """Return how wide each letter is, regular and bold."""
    text = resources.files(__package__).joinpath("helvetica.txt").read_text(encoding="utf-8")
    rows = re.findall(r"^(.) (\d+) (\d+)$", text, re.MULTILINE)
    return {letter: (int(regular), int(bold)) for letter, regular, bold in rows}


def wrap(words: str, width: float, size: float = 13, weight: int = 400) -> list[str]:
    """Break a text between words into lines of at most this width."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def fit_size(words: str, width: float, size: float, weight: int = 400) -> float:
    """The size, at most the one given, at which a text is no wider than this."""
    wide = text_width(words, size, weight)
    return size if wide <= width else size * width / wide


def readable_on(colour: str) -> str:
    """Ink on light colours, white on dark ones."""
    red, green, blue = channels(colour)
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else WHITE


def tint(paper: str, colour: str, share: float) -> str:
    """Mix this share of a colour into the colour of the paper."""
    mixed = (
        round(share * ink + (1 - share) * bare)
        for ink, bare in zip(channels(colour), channels(paper), strict=True)
    )
    return "#" + "".join(f"{value:02X}" for value in mixed)


def channels(colour: str) -> tuple[int, int, int]:
    """The red, green and blue of a colour, each up to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def svg(drawing: Drawing) -> str:
    """Return the picture as SVG that needs nothing from outside."""
    wide, high = _number(drawing.width), _number(drawing.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}" role="img" font-family="{FONTS}">',
        _tag("title", drawing.title),
        _tag("desc", drawing.about),
        _tag("rect", width="100%", height="100%", fill=drawing.paper),
    ]
    return "\n".join([*lines, *map(_element, drawing.shapes), "</svg>\n"])


def elements(shapes: Iterable[Shape | Group]) -> str:
    """Return shapes as elements to put into an SVG of one's own."""
    return "".join(map(_element, shapes))


def _escape(words: str) -> str:
    """Escape text for XML, and leave out the characters that XML forbids."""
    said = sentences.current_language.get().say(words)
    return escape("".join(c for c in said if c.isprintable() or c.isspace()))


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _tag(name: str, text: str = "", /, **attributes: str | float) -> str:
    """Write an element; empty attributes are left out, and `_` in a name stands for `-`."""
    written = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else _number(value)}"'
        for key, value in attributes.items()
        if value != ""
    )
    return f"<{name}{written}>{_escape(text)}</{name}>" if text else f"<{name}{written}/>"


def _element(shape: Shape | Group) -> str:
    if isinstance(shape, Group):
        return "\n".join(["<g>" + _tag("title", shape.about), *map(_element, shape.shapes), "</g>"])
    if isinstance(shape, TextLine):
        anchor = "" if shape.anchor == "start" else shape.anchor
        style = {"font_weight": shape.weight} if shape.weight != 400 else {}
        place = {"x": shape.x, "y": shape.y, "font_size": shape.size, **style}
        return _tag("text", shape.words, **place, text_anchor=anchor, fill=shape.colour)
    paint: dict[str, str | float] = {"fill": getattr(shape, "fill", "") or "none"}
    if shape.edge:
        paint |= {"stroke": shape.edge, "stroke_width": shape.thick}
        paint |= {"stroke_linejoin": "round", "stroke_linecap": "round"}
    if isinstance(shape, Rect):
        place = {"x": shape.x, "y": shape.y, "width": shape.width, "height": shape.height}
        return _tag("rect", **place, rx=shape.radius or "", **paint)
    if isinstance(shape, Ellipse):
        place = {"cx": shape.x, "cy": shape.y, "rx": shape.across, "ry": shape.down}
        return _tag("ellipse", **place, **paint)
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
    return _tag(type(shape).__name__.lower(), points=points, **paint)
