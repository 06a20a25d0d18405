"""What things look like in a cell of a notebook: a heading, sentences, tables and pictures.

Everything is one piece of HTML that brings its style and loads nothing. Text and lines have the
colours of the notebook around them, so that they read by day and by night; only pictures have paper
of their own. Whatever is not markup already is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from parlour.boards.parts import SHAPES, Mark, escape
from parlour.boards.style import read_sheet, tokens

SCOPE = "parlour-cell"


def cell(title: str, *parts: str, beside: str = "", wide: int = 300) -> str:
    """A piece of HTML with a heading, the parts below it, and perhaps a picture beside them."""
    style = "".join(read_sheet("cell.css").partition("*/")[2].splitlines())
    style = style.replace("SERIF", tokens()["--serif"]).replace("WIDE", f"{wide}px")
    picture = f'<div class="picture">{beside}</div>' if beside else ""
    return (
        f'<div class="{SCOPE}"><style>{style}</style>{picture}'
        f'<div class="words"><h4>{escape(title)}</h4>{"".join(parts)}</div></div>'
    )


def paragraph(text: str, *, quiet: bool = False) -> str:
    """A sentence or two; lines below them stand one under the other, as in a table of letters."""
    kind = ' class="quiet"' if quiet else ""
    text, _, below = text.partition("\n")
    markup = f"<p{kind}>{to_markup(text)}</p>" if text else ""
    return f"{markup}<pre>{to_markup(below)}</pre>" if below else markup


def numbered(texts: Sequence[str], most: int = 120) -> str:
    """A list of moves, each with its number."""
    items = "".join(
        f'<li><span class="quiet">{number}.</span> {escape(text)}</li>'
        for number, text in enumerate(texts[:most], start=1)
    )
    more = f"<li>and {len(texts) - most:,} more</li>" if len(texts) > most else ""
    return f"<ol>{items}{more}</ol>" if texts else ""


def in_a_row(pictures: Iterable[str]) -> str:
    """Small pictures side by side."""
    return f'<div class="row">{"".join(f"<div>{each}</div>" for each in pictures)}</div>'


def worth(mark: Mark) -> Markup:
    """A value by shape, colour and words: `▲ win in 5`."""
    known = tokens()
    colour = known[f"--{mark.outcome}"]
    fill = colour if mark.exact else "none"
    shape = SHAPES[mark.outcome].format("")
    return Markup(  # noqa: S704  # the words are escaped
        f'<svg class="icon" viewBox="0 0 100 100" aria-hidden="true" fill="{fill}" '
        f'stroke="{colour}" stroke-width="{6 if mark.exact else 11}" stroke-linejoin="round">'
        f'<rect width="100" height="100" rx="18" fill="{known["--chip"]}" stroke="none"/>'
        f"{shape}</svg>{escape(mark.words)}"
    )


def to_markup(thing: object) -> str:
    """Return a cell of a table as markup."""
    if isinstance(thing, Markup):
        return str(thing)
    return escape(f"{thing:,}" if type(thing) is int else "–" if thing is None else thing)


def is_figure(thing: object) -> bool:
    """Return whether a cell of a table holds a figure, or nothing."""
    if isinstance(thing, Markup):
        return False
    text = str(thing).replace("–", "0").lstrip("+-−±≈~").rstrip("%s ")
    return thing is None or text.replace(",", "").replace(".", "").replace("/", "").isdigit()
