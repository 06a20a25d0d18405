"""The pieces of markup that all boards are made of.

The markup is well-formed XML as well as HTML, and has neither style nor script in it.
"""

from __future__ import annotations

from html import escape


def told(words: object) -> str:
    """The words with what markup would misread escaped, and what it forbids left out."""
    text = str(words)
    if text.isprintable():
        return escape(text)
    return escape("".join(c for c in text if c.isprintable() or c in "\n\t "))


def drawing(kind: str, box: str, title: str, inside: str, role: str = "img") -> str:
    """An SVG with its title; `box` is its view box, and a group has labelled parts."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="{box}" role="{role}">'
        f"<title>{told(title)}</title>{inside}</svg>"
    )


def felt(wide: int, high: int) -> str:
    """A table to draw on."""
    return f'<rect class="felt" x="2" y="2" width="{wide - 4}" height="{high - 4}" rx="12"/>'
