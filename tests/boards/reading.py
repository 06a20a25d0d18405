"""A board read back as a browser would: what is on it, and what its forms can send."""

from __future__ import annotations

import random
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from parlour.boards import board

SVG = "{http://www.w3.org/2000/svg}"
MAX_PLIES = 300  # of a game that may go on for ever
MAX_AMOUNTS = 1000  # of a larger pile the first, some in between and the last are tried


def parsed(markup: str) -> Element:
    """The markup as a tree; it must be well-formed XML."""
    return ElementTree.fromstring(markup)  # noqa: S314  # our own


def shown(game, state, **more) -> Element:
    """A board as a tree."""
    return parsed(board(game, state, **more))


def classed(root: Element, name: str) -> list[Element]:
    """All elements of a class."""
    return [each for each in root.iter() if name in each.get("class", "").split()]


def positions(game, games: int = 2, seed: int = 0) -> Iterator[tuple]:
    """`(state before, last move, state)` along random games; nothing is before the start."""
    source = random.Random(seed)
    for _ in range(games):
        before, last, state, plies = None, "", game.start(), 0
        yield before, last, state
        while (moves := game.moves(state)) and plies < MAX_PLIES:
            move = moves[source.randrange(len(moves))]
            before, last, state = state, game.write_move(move), game.play(state, move)
            plies += 1
            yield before, last, state


def some(game, most: int = 12, seed: int = 0) -> list[tuple]:
    """A few of them, from the start to the end."""
    found = list(positions(game, seed=seed))
    step = max(1, len(found) // most)
    return [*found[::step], found[-1]]


def sent(form: Element, *, mouse: bool = False) -> Iterator[dict[str, str]]:
    """Everything a form can send: by keyboard, or by buttons that only a mouse reaches."""
    hidden, fields = {}, []
    for field in form.iter("input"):
        if field.get("type") == "hidden":
            hidden[field.get("name")] = field.get("value")
        elif field.get("disabled") is None and field.get("type") != "radio":
            fields.append(field)  # a radio button picks up a piece, which any of its moves implies
    for button in form.iter("button"):
        off = button.get("disabled") is not None or button.get("type") in ("button", "reset")
        off = off or button.get("formmethod") == "dialog"  # which sends nothing
        if off or (button.get("tabindex") == "-1") != mouse:
            continue
        own = {button.get("name"): button.get("value")} if button.get("name") else {}
        if not fields:
            yield {**hidden, **own}
        for field in fields:
            assert field.get("required") is not None
            for value in _values(field):
                yield {**hidden, **own, field.get("name"): value}


def _values(field: Element) -> Iterator[str]:
    if field.get("type") == "number":
        amounts = range(int(field.get("min")), int(field.get("max")) + 1)
        step = 1 if len(amounts) <= MAX_AMOUNTS else len(amounts) // 100
        yield from map(str, {*amounts[::step], amounts[-1]})
