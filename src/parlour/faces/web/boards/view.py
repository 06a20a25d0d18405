"""What somebody sees of a position, and the controls to move with.

Those who may not move see the same controls, disabled and without a form around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from parlour.core import ParlourError, count
from parlour.faces.web.boards.markup import Mark, escape, icon

MOST_RUNS = 12  # values in a list, before the rest is only counted


@dataclass(frozen=True)
class View:
    """A position as somebody sees it; `board` in by_game.py explains the fields."""

    game: Any
    state: Any
    last: str
    before: Any
    playable: bool
    at: int
    action: str
    marks: Mapping[str, Mark]
    hints: bool = False
    viewer: int | None = None

    @cached_property
    def last_move(self) -> Any:
        """The last move as the game knows it, or None if it cannot be read."""
        if self.before is None or not self.last:
            return None
        try:
            return self.game.read_move(self.before, self.last)
        except ParlourError:
            return None

    def form(self, inside: str, kind: str) -> str:
        """A form around some controls, or only the controls for those who may not move."""
        if not self.playable:
            return f'<div class="{kind}">{inside}</div>'
        return (
            f'<form class="{kind}" method="post" action="{escape(self.action)}" data-send="">'
            f'<input type="hidden" name="at" value="{self.at}"/>{inside}</form>'
        )

    def button(self, move: str, label: str, name: str) -> str:
        """A button that makes a move, with the value of the move on it."""
        mark = self.marks.get(move)
        value = f' <span class="value">{icon(mark)}{escape(mark.words)}</span>' if mark else ""
        off = "" if self.playable else ' disabled=""'
        return (
            f'<button class="move" name="move" value="{escape(move)}" id="{escape(name)}"{off}>'
            f"<span>{escape(label)}</span>{value}</button>"
        )

    def amount(self, most: int, label: str, number: int = 1) -> str:
        """A field for an amount from 1 to the most that may be taken, and the button beside it."""
        off = "" if self.playable else ' disabled=""'
        return (
            f'<label class="unseen" for="amount-{number}">how many, 1 to {most}</label>'
            f'<input id="amount-{number}" type="number" name="amount" min="1" max="{most}" '
            f'step="1" value="1" required="" inputmode="numeric" autocomplete="off"{off}/>'
            f'<button class="move" id="take-{number}" aria-label="{label}"{off}>Take</button>'
        )


def list_values(values: Iterable[tuple[int, Mark]]) -> str:
    """List the values of amounts, with neighbours of the same value as one item."""
    runs: list[tuple[int, int, Mark]] = []
    for amount, mark in values:
        if runs and runs[-1][1] == amount - 1 and runs[-1][2] == mark:
            runs[-1] = (runs[-1][0], amount, mark)
        else:
            runs.append((amount, amount, mark))
    if not runs:
        return ""
    items = [
        f"<li>{low if low == high else f'{low}–{high}'} {icon(mark)}{escape(mark.words)}</li>"
        for low, high, mark in islice(runs, MOST_RUNS)
    ]
    if len(runs) > MOST_RUNS:
        items.append(f"<li>and {count(len(runs) - MOST_RUNS, 'more value')}</li>")
    return f'<ul class="values">{"".join(items)}</ul>'
