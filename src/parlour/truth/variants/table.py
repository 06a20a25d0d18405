"""The atlas of a game: a row for each variant, and what changing a single rule does.

Two variants that differ in one option alone show what that option is worth; all such pairs together
show which rules matter. The rows can be written as a table, as CSV and as JSON.
"""

from __future__ import annotations

import csv
import io
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from parlour.core import Option, count, one_of, plain
from parlour.drawing import BLUE, GREY, VERMILION

MARKS = {  # the shape, colour and words of a result, everywhere the same
    "first": ("▲", BLUE, "first wins"),
    "second": ("▼", VERMILION, "second wins"),
    "draw": ("●", GREY, "draw"),
    "undecided": ("?", GREY, "undecided"),
    "refused": ("×", GREY, "refused"),
}
DECIDED = ("first", "second", "draw")
MOST_NAMED = 8  # values of one option in a sentence


@dataclass(frozen=True)
class Row:
    """One variant: its options, and "first", "second", "draw", "undecided" or "refused"."""

    options: Mapping[str, Any]
    outcome: str
    plies: int | None = None
    positions: int | None = None
    reason: str = ""  # why it was refused or not decided

    @property
    def words(self) -> str:
        """`first wins in 15`"""
        return MARKS[self.outcome][2] + ("" if self.plies is None else f" in {self.plies}")


@dataclass(frozen=True)
class Turn:
    """How often changing one option alone turns the result, among all pairs that differ in it."""

    option: str
    pairs: int
    turned: int


@dataclass(frozen=True)
class Atlas:
    """Every variant asked for, in the order of its options."""

    game: str
    known: Mapping[str, Option]
    axes: tuple[str, ...]  # the options asked for that take more than one value
    rows: tuple[Row, ...]
    base: Row  # the variant that others are compared with
    base_name: str
    variants: int  # how many were asked for; more than the rows if the sweep was stopped
    labels: Mapping[str, str] = field(default_factory=dict)  # other names for options
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # and for their values

    @property
    def complete(self) -> bool:
        """Whether every variant is here."""
        return len(self.rows) == self.variants

    @property
    def varied(self) -> tuple[str, ...]:
        """The options in which the rows differ."""
        return tuple(
            name
            for name in self.known
            if any(row.options[name] != self.base.options[name] for row in self.rows)
        )

    @property
    def fixed(self) -> dict[str, Any]:
        """The options that are the same in every row."""
        varied = self.varied
        return {name: value for name, value in self.base.options.items() if name not in varied}

    def tally(self) -> dict[str, int]:
        """Return how many variants have each result."""
        seen = Counter(row.outcome for row in self.rows)
        return {outcome: seen[outcome] for outcome in MARKS if seen[outcome]}

    def turns(self) -> list[Turn]:
        """Return how often changing each option alone turns the result, most often first."""
        rules = [name for name in self.varied if not self.known[name].presets]
        found = []
        for name in rules:
            alike: defaultdict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
            for row in self.rows:
                if row.outcome in DECIDED:
                    rest = tuple(row.options[other] for other in rules if other != name)
                    alike[rest][row.outcome] += 1
            pairs = sum(math.comb(group.total(), 2) for group in alike.values())
            same = sum(math.comb(many, 2) for group in alike.values() for many in group.values())
            if pairs:
                found.append(Turn(name, pairs, pairs - same))
        return sorted(found, key=lambda turn: -turn.turned / turn.pairs)

    def changes(self) -> list[tuple[str, Row]]:
        """Return the single changes to the base that turn its result: the option and the row."""
        if self.base.outcome not in DECIDED:
            return []
        rules = [name for name in self.varied if not self.known[name].presets]
        found = []
        for row in self.rows:
            changed = [name for name in rules if row.options[name] != self.base.options[name]]
            if len(changed) == 1 and row.outcome in DECIDED and row.outcome != self.base.outcome:
                found.append((changed[0], row))
        return sorted(found, key=lambda change: rules.index(change[0]))

    # In words

    def label(self, name: str) -> str:
        """Return the name of an option."""
        return self.labels.get(name, name)

    def write(self, name: str, value: Any) -> str:
        """Return the value of an option as text."""
        text = self.known[name].write(value)
        return self.words.get(name, {}).get(text, text)

    def headline(self) -> str:
        """Return how many variants there are, and how many each side wins."""
        same = ", ".join(
            f"{self.label(name)}{' ' if self.labels else '='}{self.write(name, value)}"
            for name, value in self.fixed.items()
            if not self.known[name].presets
        )
        of = f"{count(len(self.rows), 'variant')} of {self.game}{f' ({same})' if same else ''}"
        if not self.complete:
            of = f"the first {of}, of {self.variants:,} asked for"
        words = {
            "first": "the first player wins {}",
            "second": "the second player wins {}",
            "draw": "{} drawn",
            "undecided": "{} undecided within the time",
            "refused": "{} refused",
        }
        return f"{of}: {', '.join(words[o].format(n) for o, n in self.tally().items())}."

    def turning(self) -> str:
        """Return a line on how often each option turns the result."""
        shares = [
            f"{self.label(t.option)} {t.turned / t.pairs:.0%} of {count(t.pairs, 'pair')}"
            for t in self.turns()
        ]
        return f"Changing one rule alone turns the result: {', '.join(shares)}." if shares else ""

    def turning_base(self) -> str:
        """Return a line on which single changes turn the result of the base."""
        who = f"{self.base_name} ({self.base.words})"
        if self.base.outcome not in DECIDED:
            return f"The result of {who} is not known, so nothing can be said to turn it."
        grouped: dict[str, dict[str, list[Any]]] = {}
        for name, row in self.changes():
            grouped.setdefault(name, {}).setdefault(row.outcome, []).append(row.options[name])
        if not grouped:
            return f"No single change among these turns the result of {who}."
        changes = [
            f"{self.label(name)} "
            + ", ".join(
                f"{self._join_values(name, values)} ({MARKS[outcome][2]})"
                for outcome, values in groups.items()
            )
            for name, groups in grouped.items()
        ]
        return f"One change turns the result of {who}: {'; '.join(changes)}."

    def _join_values(self, name: str, values: Sequence[Any]) -> str:
        """Return `1 to 4`, or `dies or wraps`."""
        opt = self.known[name]
        if opt.kind is int and not opt.depth and len(values) > 2 and None not in values:
            ordered = sorted(values)
            if ordered == list(range(ordered[0], ordered[-1] + 1)):
                return f"{ordered[0]} to {ordered[-1]}"
        texts = [self.write(name, value) for value in values[:MOST_NAMED]]
        if len(values) > MOST_NAMED:
            most = (" or " if opt.depth else ", ").join(texts)
            return f"{most} and {len(values) - MOST_NAMED} others"
        return " or ".join(texts) if opt.depth else one_of(texts)

    def summary(self) -> list[str]:
        """Return the lines that sum up the table."""
        refusals = dict.fromkeys(row.reason for row in self.rows if row.outcome == "refused")
        refused = f"Refused: {next(iter(refusals))}." if refusals else ""
        lines = (self.headline(), self.turning(), self.turning_base(), refused)
        return [line for line in lines if line]

    # As a table

    def table(self) -> str:
        """Return a line for each variant: the options that differ, result, plies and situations."""
        varied = self.varied
        lines = [[*varied, "result", "plies", "situations"]]
        for row in self.rows:
            lines.append(
                [
                    *(self.write(name, row.options[name]) for name in varied),
                    f"{MARKS[row.outcome][0]} {row.outcome}",
                    "-" if row.plies is None else str(row.plies),
                    "-" if row.positions is None else f"{row.positions:,}",
                ]
            )
        wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
        right = [*(self.known[n].kind is int and not self.known[n].depth for n in varied)]
        right += [False, True, True]
        return "\n".join(
            "  ".join(
                text.rjust(size) if to_right else text.ljust(size)
                for text, size, to_right in zip(line, wide, right, strict=True)
            ).rstrip()
            for line in lines
        )

    def to_csv(self) -> str:
        """Return every option of every variant with its result, as CSV."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*self.known, "outcome", "plies", "positions"])
        for row in self.rows:
            options = [opt.write(row.options[name]) for name, opt in self.known.items()]
            writer.writerow([*options, row.outcome, row.plies, row.positions])
        return out.getvalue()

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "game": self.game,
            "fixed": plain(self.fixed),
            "varied": list(self.varied),
            "complete": self.complete,
            "tally": self.tally(),
            "rows": [_row_json(row) for row in self.rows],
            "turns": [
                {"option": turn.option, "pairs": turn.pairs, "turned": turn.turned}
                for turn in self.turns()
            ],
            "base": _row_json(self.base),
            "changes": [
                {"option": name, "value": plain(row.options[name]), "outcome": row.outcome}
                for name, row in self.changes()
            ],
        }


def _row_json(row: Row) -> dict[str, Any]:
    data = {
        "options": plain(dict(row.options)),
        "outcome": row.outcome,
        "plies": row.plies,
        "positions": row.positions,
    }
    return data | ({"reason": row.reason} if row.reason else {})
