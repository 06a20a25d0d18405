"""What is shown to whom, and the controls by which they move.

Whoever may not move sees the same controls, but they are dead and there is no form around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from parlour.core import ParlourError, count
from parlour.faces.web.boards.marks import Mark, icon
from parlour.faces.web.boards.markup import told

MOST_RUNS = 12  # values in a list, before the rest is only counted


@dataclass(frozen=True)
class View:
    """A state of a game as somebody sees it; the meaning of each field is told by `board`."""

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
        """The last move as the game knows it, or None where that cannot be told."""
        if self.before is None or not self.last:
            return None
        try:
            return self.game.read_move(self.before, self.last)
        except ParlourError:
            return None

    def form(self, inside: str, kind: str) -> str:
        """A form around some controls; whoever may not move gets them without one."""
        if not self.playable:
            return f'<div class="{kind}">{inside}</div>'
        return (
            f'<form class="{kind}" method="post" action="{told(self.action)}" data-send="">'
            f'<input type="hidden" name="at" value="{self.at}"/>{inside}</form>'
        )

    def button(self, move: str, shown: str, where: str) -> str:
        """A button that makes a move, with the value of the move on it."""
        mark = self.marks.get(move)
        value = f' <span class="value">{icon(mark)}{told(mark.words)}</span>' if mark else ""
        off = "" if self.playable else ' disabled=""'
        return (
            f'<button class="move" name="move" value="{told(move)}" id="{told(where)}"{off}>'
            f"<span>{told(shown)}</span>{value}</button>"
        )

    def amount(self, most: int, button: str, number: int = 1) -> str:
        """A field for an amount from 1 to the most that may be taken, and the button beside it."""
        off = "" if self.playable else ' disabled=""'
        return (
            f'<label class="unseen" for="amount-{number}">how many, 1 to {most}</label>'
            f'<input id="amount-{number}" type="number" name="amount" min="1" max="{most}" '
            f'step="1" value="1" required="" inputmode="numeric" autocomplete="off"{off}/>'
            f'<button class="move" id="take-{number}" aria-label="{button}"{off}>Take</button>'
        )


def listed(values: Iterable[tuple[int, Mark]]) -> str:
    """The values of amounts as a list, neighbours that are alike told together."""
    runs: list[tuple[int, int, Mark]] = []
    for amount, mark in values:
        if runs and runs[-1][1] == amount - 1 and runs[-1][2] == mark:
            runs[-1] = (runs[-1][0], amount, mark)
        else:
            runs.append((amount, amount, mark))
    if not runs:
        return ""
    items = [
        f"<li>{low if low == high else f'{low}–{high}'} {icon(mark)}{told(mark.words)}</li>"
        for low, high, mark in islice(runs, MOST_RUNS)
    ]
    if len(runs) > MOST_RUNS:
        items.append(f"<li>and {count(len(runs) - MOST_RUNS, 'more value')}</li>")
    return f'<ul class="values">{"".join(items)}</ul>'
