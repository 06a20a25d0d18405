"""The results of a sweep: a row for each variant, and what changing a single rule does.

Two variants that differ in one option alone show what that option is worth; all such pairs together
show which rules matter. The rows can be written as a table, as CSV and as JSON, and drawn.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import reduce
from itertools import groupby
from typing import Annotated, Any, NotRequired, TypeAlias, TypedDict

from parlour import boards, drawing
from parlour.core import Option, answers, count, join, one_of, plain, say
from parlour.drawing import LINE, PAPER, QUIET, Drawing, Group, Polygon, Rect, Shape, TextLine

MARKS = {  # the shape, colour and words of a result, everywhere the same
    "first": ("▲", drawing.BLUE, say("first wins")),
    "second": ("▼", drawing.VERMILION, say("second wins")),
    "draw": ("●", drawing.GREY, say("draw")),
    "undecided": ("?", drawing.GREY, say("undecided")),
    "refused": ("×", drawing.GREY, say("refused")),
}
DECIDED = ("first", "second", "draw")
MAX_NAMED = 8  # values of one option in a sentence
MAX_DRAWN = 200  # variants in the picture that a notebook shows


def _any_of(texts: Sequence[str]) -> str:
    """Return `1,2 or 3,4 or 5`, for texts that may have commas themselves."""
    return reduce(lambda one, other: say("{one} or {other}", one=one, other=other), texts)


@dataclass(frozen=True)
class VariantRow:
    """One variant: its options, and "first", "second", "draw", "undecided" or "refused"."""

    options: Mapping[str, Any]
    outcome: str
    plies: int | None = None
    positions: int | None = None
    reason: str = ""  # why it was refused or not decided
    stopped: bool = False  # whether it might be decided in more time

    @property
    def words(self) -> str:
        """`first wins in 15`"""
        words: str = MARKS[self.outcome][2]
        if self.plies is None:
            return words
        return say("{outcome} in {plies}", outcome=words, plies=self.plies)

    def to_dict(self) -> VariantData:
        """Return the row as plain JSON values."""
        data = answers.pick(VariantData, self, options=plain(dict(self.options)))
        if not self.reason:
            del data["reason"]
        return data


@dataclass(frozen=True)
class Influence:
    """How often changing one option alone turns the result, among all pairs that differ in it."""

    option: str
    pairs: answers.Natural
    turned: answers.Natural


# As plain data

Result = Annotated[str, ("enum", tuple(MARKS))]


class VariantData(TypedDict):
    """A variant and its result."""

    options: dict[str, Any]  # the value of every option
    outcome: Result
    plies: answers.Natural | None
    positions: answers.Natural | None
    reason: NotRequired[str]  # why it was refused or not decided


class ChangeData(TypedDict):
    """A single change that turns the result of the base."""

    option: str
    value: Any
    outcome: Result


class AtlasData(TypedDict):
    """The variants of a game."""

    game: str  # the name of the game
    fixed: dict[str, Any]  # the options that are the same everywhere
    varied: list[str]
    complete: bool  # false if it was stopped
    tally: dict[str, answers.Natural]
    rows: list[VariantData]
    # How often changing one option alone changes the result
    turns: list[Annotated[dict[str, Any], Influence]]
    base: VariantData
    changes: list[ChangeData]


@dataclass(frozen=True)
class Atlas:
    """Every variant asked for, in the order of its options."""

    game: str
    known: Mapping[str, Option]
    axes: tuple[str, ...]  # the options asked for that take more than one value
    rows: tuple[VariantRow, ...]
    base: VariantRow  # the variant that others are compared with
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
    def _rules(self) -> list[str]:
        """The options that vary, without those that only name others."""
        return [name for name in self.varied if not self.known[name].presets]

    @property
    def fixed(self) -> dict[str, Any]:
        """The options that are the same in every row."""
        varied = self.varied
        return {name: value for name, value in self.base.options.items() if name not in varied}

    def tally(self) -> dict[str, int]:
        """Return how many variants have each result."""
        seen = Counter(row.outcome for row in self.rows)
        return {outcome: seen[outcome] for outcome in MARKS if seen[outcome]}

    def influences(self) -> list[Influence]:
        """Return how often changing each option alone turns the result, most often first."""
        rules, found = self._rules, []
        for name in rules:
            alike: defaultdict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
            for row in self.rows:
                if row.outcome in DECIDED:
                    rest = tuple(row.options[other] for other in rules if other != name)
                    alike[rest][row.outcome] += 1
            pairs = sum(math.comb(group.total(), 2) for group in alike.values())
            same = sum(math.comb(many, 2) for group in alike.values() for many in group.values())
            if pairs:
                found.append(Influence(name, pairs, pairs - same))
        return sorted(found, key=lambda each: -each.turned / each.pairs)

    def changes(self) -> list[tuple[str, VariantRow]]:
        """Return the single changes to the base that turn its result: the option and the row."""
        if self.base.outcome not in DECIDED:
            return []
        rules, base, found = self._rules, self.base, []
        for row in self.rows:
            changed = [name for name in rules if row.options[name] != base.options[name]]
            if len(changed) == 1 and row.outcome in DECIDED and row.outcome != base.outcome:
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
        same = [
            join(" " if self.labels else "=", [self.label(name), self.write(name, value)])
            for name, value in self.fixed.items()
            if not self.known[name].presets
        ]
        variants = count(len(self.rows), "variant")
        of = say("{variants} of {game}", variants=variants, game=self.game)
        if same:
            of = say("{variants} of {game} ({same})", variants=variants, game=self.game, same=same)
        if not self.complete:
            of = say("the first {of}, of {variants:,} asked for", of=of, variants=self.variants)
        results = [join(" ", [MARKS[each][2], many]) for each, many in self.tally().items()]
        return say("{variants}: {results}.", variants=of, results=results)

    def describe_influences(self) -> str:
        """Return a line on how often each option turns the result."""
        shares = [
            say(
                "{label} {turned:.0%} of {pairs}",
                label=self.label(e.option),
                turned=e.turned / e.pairs,
                pairs=count(e.pairs, "pair"),
            )
            for e in self.influences()
        ]
        if not shares:
            return ""
        return say("Changing one rule alone changes the result: {list}.", list=shares)

    def describe_changes(self) -> str:
        """Return a line on which single changes turn the result of the base."""
        who = {"base_name": self.base_name, "words": self.base.words}
        if self.base.outcome not in DECIDED:
            return say(
                "The result of {base_name} ({words}) is not known, "
                "so no change can be compared with it.",
                **who,
            )
        grouped: dict[str, dict[str, list[Any]]] = {}
        for name, row in self.changes():
            grouped.setdefault(name, {}).setdefault(row.outcome, []).append(row.options[name])
        if not grouped:
            return say(
                "No single change among these changes the result of {base_name} ({words}).", **who
            )
        changes = []
        for name, groups in grouped.items():
            values = [
                say("{values} ({marks})", values=self._join_values(name, v), marks=MARKS[o][2])
                for o, v in groups.items()
            ]
            changes.append(say("{label} {values}", label=self.label(name), values=values))
        return say(
            "Single changes that alter the result of {base_name} ({words}): {list}.",
            list=join("; ", changes),
            **who,
        )

    def _join_values(self, name: str, values: Sequence[Any]) -> str:
        """Return `1 to 4`, or `dies or wraps`."""
        opt = self.known[name]
        if opt.kind is int and not opt.depth and len(values) > 2 and None not in values:
            ordered = sorted(values)
            if ordered == list(range(ordered[0], ordered[-1] + 1)):
                return say("{low} to {high}", low=ordered[0], high=ordered[-1])
        texts = [self.write(name, value) for value in values[:MAX_NAMED]]
        if len(values) > MAX_NAMED:
            most = _any_of(texts) if opt.depth else join(", ", texts)
            return say("{most} and {values} others", most=most, values=len(values) - MAX_NAMED)
        return _any_of(texts) if opt.depth else one_of(texts)

    def summary(self) -> list[str]:
        """Return the lines that sum up the table."""
        refusals = dict.fromkeys(row.reason for row in self.rows if row.outcome == "refused")
        refused = say("Refused: {reason}.", reason=next(iter(refusals))) if refusals else ""
        lines = (self.headline(), self.describe_influences(), self.describe_changes(), refused)
        return [line for line in lines if line]

    # As a table

    def table(self) -> str:
        """Return a line for each variant: the options that differ, result, plies and situations."""
        known = [self.known[name] for name in self.varied]
        words = {at for at, option in enumerate(known) if option.kind is not int or option.depth}
        return self._results.to_text(left={*words, len(known)})

    @property
    def _results(self) -> boards.ResultTable:
        varied = self.varied
        rows = [
            (
                *(self.write(name, row.options[name]) for name in varied),
                f"{MARKS[row.outcome][0]} {row.outcome}",
                row.plies,
                row.positions,
            )
            for row in self.rows
        ]
        return boards.ResultTable((*varied, "result", "plies", "situations"), rows)

    def to_csv(self) -> str:
        """Return every option of every variant with its result, as CSV."""
        return self._list_options(lambda option, value: option.write(value)).to_csv()

    def to_frame(self, library: str | None = None) -> Any:
        """Return every option of every variant with `outcome`, `plies` and `positions`.

        The DataFrame is of `library`, "pandas" or "polars", or else of the first of them that is
        installed; `ImportError` where there is none. Lists are written as text.
        """
        table = self._list_options(lambda opt, value: opt.write(value) if opt.depth else value)
        return table.to_frame(library)

    def _list_options(self, write: Callable[[Option, Any], Any]) -> boards.ResultTable:
        rows = [
            (
                *(write(option, row.options[name]) for name, option in self.known.items()),
                row.outcome,
                row.plies,
                row.positions,
            )
            for row in self.rows
        ]
        return boards.ResultTable((*self.known, "outcome", "plies", "positions"), rows)

    def _repr_html_(self) -> str:
        if len(self.rows) <= MAX_DRAWN:
            parts = [drawing.svg(draw_atlas(self))]  # the summary is in it
        else:
            parts = [boards.paragraph(line) for line in self.summary()]
            parts.append(self._results.to_html())
        return boards.cell(f"Variants of {self.game}", *parts)

    def to_dict(self) -> AtlasData:
        """Return everything as plain JSON values."""
        return answers.pick(
            AtlasData,
            self,
            fixed=plain(self.fixed),
            varied=list(self.varied),
            tally=self.tally(),
            rows=[row.to_dict() for row in self.rows],
            turns=[asdict(each) for each in self.influences()],
            base=self.base.to_dict(),
            changes=[
                answers.pick(ChangeData, row, option=name, value=plain(row.options[name]))
                for name, row in self.changes()
            ],
        )


# The picture: a grid of variants, each cell with a colour, a shape and a distance. Options with
# many values go down the side, the others across the top; long grids are folded into several
# panels. The marks are drawn as shapes, because few fonts have them.

HIGH, GAP, EDGE = 24, 6, 24  # a cell's height, the space between groups, the margin
LEAD = 18  # from one line of text to the next
MIN_CELL_WIDTH = 48  # the least width of a cell
SAMPLE = 30  # the width of a cell in the legend
ROOM = 1.18  # the widest common fonts compared with Helvetica
MAX_ROWS = 80  # before options go across the top, and before a grid is folded

Place: TypeAlias = tuple[Any, ...]  # the values of the options on one axis


def choose_axes(atlas: Atlas) -> tuple[list[str], list[str]]:
    """Return the options that go down the side, and those across the top."""
    sizes = {name: len({row.options[name] for row in atlas.rows}) for name in atlas.axes}
    many = sorted((name for name in sizes if sizes[name] > 2), key=lambda name: -sizes[name])
    down: list[str] = []
    for name in many:
        if not down or len(_places(atlas, [*down, name])) <= MAX_ROWS:
            down.append(name)
    if not down:
        down = list(atlas.axes)[: (len(sizes) + 1) // 2]
    across = [name for name in atlas.axes if name not in down]
    if not across and len(down) > 1:
        across = [min(down, key=sizes.__getitem__)]
    return [name for name in atlas.axes if name in down and name not in across], across


def _places(atlas: Atlas, names: Sequence[str]) -> list[Place]:
    return list(dict.fromkeys(tuple(row.options[name] for name in names) for row in atlas.rows))


def draw_atlas(atlas: Atlas) -> Drawing:
    """Draw the whole picture."""
    return Layout(atlas).draw()


class Layout:
    """The positions of everything in the picture."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self.down, self.across = choose_axes(atlas)
        order = {name: self._order(name) for name in (*self.down, *self.across)}

        def rank(names: Sequence[str], place: Place) -> list[int]:
            return [order[name].index(value) for name, value in zip(names, place, strict=True)]

        self.rows = sorted(_places(atlas, self.down), key=lambda place: rank(self.down, place))
        self.columns = sorted(
            _places(atlas, self.across), key=lambda place: rank(self.across, place)
        )
        self.cells: dict[tuple[Place, Place], VariantRow] = {}
        for row in atlas.rows:
            side = tuple(row.options[name] for name in self.down)
            top = tuple(row.options[name] for name in self.across)
            self.cells.setdefault((side, top), row)
        self.names = [self._width(name) for name in self.down]
        self.left = max(
            sum(self.names), _measure_widest([atlas.label(name) for name in self.across]) + 12
        )
        inner = [atlas.write(self.across[-1], place[-1]) for place in self.columns if place]
        plies = [str(row.plies) for row in atlas.rows if row.plies is not None]
        self.wide = max(
            MIN_CELL_WIDTH, _measure_widest(inner) + 10, _measure_widest(plies, weight=600) + 30
        )
        self.xs = _place_along(self.columns, self.wide)
        self.width = self.left + self.xs[-1] + self.wide
        folds = math.ceil(len(self.rows) / MAX_ROWS)
        size = math.ceil(len(self.rows) / folds)
        self.panels = [self.rows[at : at + size] for at in range(0, len(self.rows), size)]
        self.head = HIGH * (len(self.across) + 1)

    def _order(self, name: str) -> list[Any]:
        return list(dict.fromkeys(row.options[name] for row in self.atlas.rows))

    def _width(self, name: str) -> float:
        texts = [
            self.atlas.label(name),
            *(self.atlas.write(name, value) for value in self._order(name)),
        ]
        return _measure_widest(texts, weight=600) + 12

    def draw(self) -> Drawing:
        """Draw all parts, from the top down."""
        title = say("{game}: who wins which variant, and in how many plies", game=self.atlas.game)
        legend, end = self._legend()
        inner = max(
            len(self.panels) * (self.width + 2 * EDGE) - 2 * EDGE,
            end - EDGE,
            _measure_widest([title], 20, 600),
        )
        head, *lines = self.atlas.summary()
        heading = drawing.wrap(head, inner / ROOM)
        notes = [part for words in lines for part in drawing.wrap(words, inner / ROOM)]
        top = EDGE + 34 + LEAD * len(heading) + 40
        body = max(_place_along(panel, HIGH)[-1] for panel in self.panels) + HIGH + self.head
        shapes: list[Shape | Group] = [TextLine(EDGE, EDGE + 18, title, 20, weight=600)]
        for number, words in enumerate(heading):
            shapes.append(TextLine(EDGE, EDGE + 40 + LEAD * number, words, colour=QUIET))
        for x, mark, words in legend:
            y = top - 34
            shapes += _draw_cell(x, y, SAMPLE, mark, "") if mark else [_draw_ring(x, y, SAMPLE)]
            shapes.append(TextLine(x + SAMPLE + 8, y + 16, words))
        for number, panel in enumerate(self.panels):
            shapes += self._panel(EDGE + number * (self.width + 2 * EDGE), top, panel)
        for number, words in enumerate(notes):
            shapes.append(TextLine(EDGE, top + body + 30 + LEAD * number, words))
        return Drawing(
            math.ceil(inner + 2 * EDGE),
            math.ceil(top + body + 20 + LEAD * len(notes) + EDGE),
            title,
            join(" ", self.atlas.summary()),
            tuple(shapes),
        )

    def _legend(self) -> tuple[list[tuple[float, str, str]], float]:
        """Return the legend (place, result or empty for the ring, and words) and where it ends."""
        words = {mark: MARKS[mark][2] for mark in self.atlas.tally()}
        found: list[tuple[float, str, str]] = []
        x = float(EDGE)
        for mark, text in {**words, "": self.atlas.base_name}.items():
            found.append((x, mark, text))
            x += SAMPLE + 8 + _measure_widest([text]) + 18
        return found, x - 18

    def _panel(self, x: float, y: float, rows: list[Place]) -> Iterator[Shape | Group]:
        """Draw one grid with the names of its options and their values."""
        right = x + self.left
        for level, name in enumerate(self.across):
            above = y + level * HIGH
            label = self.atlas.label(name)
            yield TextLine(right - 10, above + 16, label, anchor="end", colour=QUIET)
            yield from self._headings(right, above, level)
        at = right - sum(self.names)
        for name, size in zip(self.down, self.names, strict=True):
            at += size
            label = self.atlas.label(name)
            yield TextLine(at - 10, y + self.head - 8, label, anchor="end", colour=QUIET)
        before: Place = ()
        for place, offset in zip(rows, _place_along(rows, HIGH), strict=True):
            top = y + self.head + offset
            yield from self._side(right - sum(self.names), top, place, before)
            before = place
            for column, shift in zip(self.columns, self.xs, strict=True):
                row = self.cells.get((place, column))
                if row is not None:
                    yield self._variant(right + shift, top, row)

    def _headings(self, x: float, y: float, level: int) -> Iterator[Shape]:
        """Draw the values of one option across the top, each over all its columns."""
        numbered = range(len(self.columns))
        for place, group in groupby(numbered, key=lambda n: self.columns[n][: level + 1]):
            several = list(group)
            start, end = x + self.xs[several[0]], x + self.xs[several[-1]] + self.wide
            text = self.atlas.write(self.across[level], place[level])
            yield TextLine((start + end) / 2, y + 16, text, anchor="middle")
            if len(several) > 1:
                yield drawing.line(start + 2, y + 22, end - 2, y + 22, LINE)

    def _side(self, x: float, y: float, place: Place, before: Place) -> Iterator[Shape]:
        """Draw the values down the side, each only where it changes from the row above."""
        for level, (name, size) in enumerate(zip(self.down, self.names, strict=True)):
            x += size
            if place[: level + 1] != before[: level + 1]:
                text = self.atlas.write(name, place[level])
                weight = 600 if level == 0 and len(self.down) > 1 else 400
                yield TextLine(x - 10, y + 16, text, anchor="end", weight=weight)

    def _variant(self, x: float, y: float, row: VariantRow) -> Group:
        """Draw a variant's cell with its description in words; the base has a ring."""
        options = [
            join(" ", [self.atlas.label(name), self.atlas.write(name, row.options[name])])
            for name in self.atlas.varied
        ]
        plies = "" if row.plies is None else str(row.plies)
        shapes = [*_draw_cell(x + 1, y + 1, self.wide - 2, row.outcome, plies)]
        if row is self.atlas.base:
            shapes.append(_draw_ring(x, y, self.wide))
        known = say("{options}: {words}", options=options, words=row.words)
        if row.positions is not None:
            known = say("{known}, {number:,} situations", known=known, number=row.positions)
        return Group(known, tuple(shapes))


def _measure_widest(texts: Sequence[str], size: float = 13, weight: int = 400) -> float:
    return ROOM * max((drawing.text_width(text, size, weight) for text in texts), default=0)


def _place_along(places: Sequence[Place], step: float) -> list[float]:
    """Return where each place begins, with a gap wherever an outer value changes."""
    found, at = [], 0.0
    for number, place in enumerate(places):
        if number and len(place) > 1 and place[0] != places[number - 1][0]:
            at += GAP
        found.append(at)
        at += step
    return found


def _draw_cell(x: float, y: float, wide: float, outcome: str, plies: str) -> Iterator[Shape]:
    """Draw a tinted box with the mark and the number of plies, or a dashed one if undecided."""
    mark, colour, _ = MARKS[outcome]
    high = HIGH - 2
    if outcome not in DECIDED:
        yield from _draw_dashes(x + 0.5, y + 0.5, wide - 1, high - 1, colour)
        yield TextLine(x + wide / 2, y + 15.5, mark, anchor="middle", weight=600, colour=QUIET)
        return
    yield Rect(x, y, wide, high, drawing.tint(PAPER, colour, 0.3), radius=3)
    yield _draw_mark(x + (13 if plies else wide / 2), y + high / 2, outcome, colour)
    if plies:
        yield TextLine(x + wide - 6, y + 15.5, plies, anchor="end", weight=600)


def _draw_mark(x: float, y: float, outcome: str, colour: str) -> Shape:
    """Draw a triangle up for the first player or down for the second, or a disc for a draw."""
    if outcome == "draw":
        return drawing.circle(x, y, 5, colour)
    tip = -5 if outcome == "first" else 5
    return Polygon(((x - 6, y - tip), (x + 6, y - tip), (x, y + tip)), colour)


def _draw_dashes(x: float, y: float, wide: float, high: float, colour: str) -> Iterator[Shape]:
    """Draw a dashed frame."""
    for start, end in _dashes(x, wide):
        yield from (drawing.line(start, at, end, at, colour) for at in (y, y + high))
    for start, end in _dashes(y, high):
        yield from (drawing.line(at, start, at, end, colour) for at in (x, x + wide))


def _dashes(start: float, length: float) -> Iterator[tuple[float, float]]:
    """Yield the start and end of each dash on one side: about 2 long, with gaps of 3."""
    many = round(length / 5)
    for number in range(many):
        yield start + (number + 0.3) * length / many, start + (number + 0.7) * length / many


def _draw_ring(x: float, y: float, wide: float) -> Shape:
    return Rect(x, y, wide, HIGH, edge=drawing.INK, thick=2, radius=4)
