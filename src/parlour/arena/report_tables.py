"""The tables of a report as HTML: the standings, who beat whom, the truth, and the time.

Every cell that is coloured says the same in figures. Names are strangers' words: whatever is not
ours goes through `told`, and comes out as nothing but text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from parlour.arena.table import halves, lasting, plainly, signed
from parlour.arena.table_rows import Row, Table

MOST_COMPARED = 12  # players for whom all likelihoods are shown
MANY = 16  # rows above which a table is set small, and each against each on a wide page
SHADES = 8  # from all lost to all won


def told(words: object) -> str:
    """Anybody's words, as text of a page and nothing else."""
    return escape(plainly(str(words)))


def section(name: str, title: str, *parts: str) -> str:
    """A part of the report under a heading."""
    body = "\n".join(part for part in parts if part)
    return f'<section id="{name}">\n<h2>{title}</h2>\n{body}\n</section>'


def paragraph(words: str, kind: str = "") -> str:
    """A sentence or two, told already."""
    return f'<p class="{kind}">{words}</p>' if kind else f"<p>{words}</p>"


def grid(
    caption: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], kind: str
) -> str:
    """A table that scrolls where it is too wide: heads, then rows of a row's head and its cells.

    A cell that begins with `<td` is taken as it is.
    """
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    lines = []
    for head, cells in rows:
        inside = "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in cells)
        lines.append(f'<tr><th scope="row">{head}</th>{inside}</tr>')
    size = "many" if len(rows) > MANY else "few"
    return "\n".join(
        [
            f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0">',
            f'<table class="{kind} {size}"><caption>{caption}</caption>',
            f"<thead><tr>{top}</tr></thead>",
            "<tbody>",
            *lines,
            "</tbody></table>",
            "</div>",
        ]
    )


def ranked(table: Table) -> Iterable[tuple[str, Row]]:
    """Every row under its place and name."""
    for place, row in enumerate(table.rows, start=1):
        name = f"<span>{told(row.name)}</span>"
        yield f'<span class="who"><span class="place">{place}</span> {name}</span>', row


def standings(table: Table, before: Mapping[str, tuple[float, float, float]] | None) -> str:
    """The points, and how strong that makes everybody; and what changed since the last run."""
    measured = any(row.margin is not None for row in table.rows)
    byes = any(row.bye for row in table.rows)
    heads = ["Player", "Points", "Elo", "95 % interval", *["Since last"] * (before is not None)]
    heads += ["Won / drawn / lost", "As first", "As second", *["Bye"] * byes]
    heads += ["Margin"] * measured + ["Faults"] * bool(table.errors)
    rows = []
    for head, row in ranked(table):
        cells = [f"<td><strong>{halves(row.points)}</strong>/{row.games + round(row.bye)}</td>"]
        cells.append(f"<td><strong>{signed(row.elo)}</strong></td>")
        cells.append(f"{signed(row.low)} to {signed(row.high)}")
        if before is not None:
            cells.append(_change(row, before))
        cells.append(f"{row.wins} / {row.draws} / {row.losses}")
        cells += [f"{halves(each.points)}/{each.games}" for each in (row.first, row.second)]
        cells += [halves(row.bye)] * byes
        if measured:
            cells.append("–" if row.margin is None else f"{row.margin:+.1f}".replace("-", "−"))
        if table.errors:
            cells.append(str(len(row.faults)))
        rows.append((head, cells))
    return grid("Standings", heads, rows, "standings")


def _change(row: Row, before: Mapping[str, tuple[float, float, float]]) -> str:
    if row.name not in before:
        return "new"
    by = round(row.elo - before[row.name][0])
    kind, mark = ("win", "▲") if by > 0 else ("loss", "▼") if by < 0 else ("draw", "●")
    return f'<span class="{kind}">{mark}</span> {signed(by)}'


def crossed(table: Table) -> str:
    """The points of each against each."""
    played = {cell.games for row in table.rows for cell in row.against if cell}
    rows = []
    for head, row in ranked(table):
        cells = []
        for other, cell in zip(table.rows, row.against, strict=True):
            if cell is None:
                cells.append('<td class="self">' + ("" if other is row else "–") + "</td>")
                continue
            games = f"/{cell.games}" if len(played) > 1 else ""
            shade = round(cell.share * SHADES)
            cells.append(f'<td class="h{shade}">{halves(cell.points)}{games}</td>')
        rows.append((head, [*cells, f'<td class="sum">{halves(row.points)}</td>']))
    heads = ["Player", *map(str, range(1, len(table.rows) + 1)), "Sum"]
    return grid("Points of each against each", heads, rows, "cross")


def compared(table: Table) -> str:
    """How likely each is stronger than each."""
    rows = []
    for head, row in ranked(table):
        cells = [
            '<td class="self"></td>' if chance is None else _likely(chance)
            for chance in row.superior
        ]
        rows.append((head, cells))
    heads = ["Player", *map(str, range(1, len(table.rows) + 1))]
    return grid("How likely each is the stronger", heads, rows, "cross")


def _likely(chance: float) -> str:
    shown = min(max(round(chance * 100), 1), 99)  # nothing is certain
    return f'<td class="h{round(chance * SHADES)}">{shown} %</td>'


def judged(table: Table) -> str:
    """The marks in figures."""
    heads = ["Player", "Moves judged", "Won positions", "Kept", "Given away", "A move"]
    heads += ["Games with a mistake", "First mistake"]
    rows = []
    for head, row in ranked(table):
        if (truths := row.truths) is None:
            rows.append((head, ["0", *["–"] * 6]))
            continue
        share = truths.share_kept
        first = truths.first_mistake
        cells = [f"{truths.judged:,}", f"{truths.won:,}", "–" if share is None else f"{share:.0%}"]
        cells += [f"{truths.given:g}", f"{truths.given_a_move:.3f}"]
        cells += [f"{truths.spoilt} of {truths.games}", "–" if first is None else f"move {first:g}"]
        rows.append((head, cells))
    return grid("Marks beside the truth", heads, rows, "figures")


def timed(table: Table) -> str:
    """How long everybody thought."""
    rows = []
    for head, row in ranked(table):
        times = row.times
        each = lasting(times.a_move) if times.moves else "–"
        slowest = lasting(times.slowest) if times.slowest else "–"
        rows.append((head, [f"{times.moves:,}", lasting(times.seconds), each, slowest]))
    return grid("Time used", ["Player", "Moves", "In all", "A move", "Slowest"], rows, "figures")
