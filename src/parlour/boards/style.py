"""The style of the page, read from its style sheets, for markup that leaves the page.

A picture or a cell of a notebook must bring its style with it. Here the rules that some markup
needs are picked from boards.css, their colours filled in from tokens.css, and every selector put
under one class, so that nothing else in the document changes its look. Written out, they are plain
enough for programs that know no variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

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

Declarations = dict[str, str]


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
    depth, begin, head = 0, 0, ""
    for place in re.finditer("[{}]", sheet):
        if place[0] == "{":
            if depth == 0:
                head, begin = sheet[begin : place.start()].strip(), place.end()
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                yield head, sheet[begin : place.start()]
                begin = place.end()


def _declarations(body: str) -> Declarations:
    pairs = (each.split(":", 1) for each in body.split(";") if ":" in each)
    return {name.strip(): value.strip() for name, value in pairs}


def _expand(head: str) -> Iterator[str]:
    """The single selectors of a list, with every `:is(a, b)` written out."""
    listed = re.search(r":is\(([^()]*)\)", head)
    if listed:
        parts = _split(head)
        if len(parts) > 1:
            for part in parts:
                yield from _expand(part)
            return
        for choice in listed[1].split(","):
            yield from _expand(head[: listed.start()] + choice.strip() + head[listed.end() :])
        return
    for part in head.split(","):
        yield " ".join(part.split())


def _split(head: str) -> list[str]:
    """Split a list of selectors at the commas that are not inside brackets."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", head)]


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
