"""Results in rows and columns, as text for a terminal, CSV, HTML for a notebook and a data frame.

Names in a table may be the words of strangers, so only their printable characters reach a terminal
or a spreadsheet, and no spreadsheet takes one for a formula.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from parlour.boards.parts import escape
from parlour.core import make_frame

MAX_ROWS = 50  # in a notebook; nobody scrolls through more
WIDTH = 80  # columns of a terminal
MIN_CUT = 12  # columns that are left of what is cut to fit
TAIL = 5  # letters at the end of a text that are always shown
FORMULA = ("=", "+", "-", "@")  # begin what a spreadsheet would compute


@dataclass(frozen=True)
class ResultTable:
    """Rows under headings; a cell is a text, a number, a yes or no, or None for nothing."""

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, columns: Mapping[str, Sequence[Any]]) -> ResultTable:
        """Make a table of columns by their headings."""
        return cls(tuple(columns), list(zip(*columns.values(), strict=True)))

    def to_text(self, *, left: Container[int] = (0,), cut: int | None = None) -> str:
        """Write columns side by side, those in `left` to the left and figures to the right.

        The texts of the column `cut` are shortened so that a row fits a terminal.
        """
        lines = [self.head, *([_write(cell) for cell in row] for row in self.rows)]
        widths = [max(map(_measure, column)) for column in zip(*lines, strict=True)]
        if cut is not None:
            rest = sum(widths) - widths[cut] + 2 * (len(widths) - 1)
            widths[cut] = min(widths[cut], max(MIN_CUT, WIDTH - rest))
        return "\n".join(
            "  ".join(
                _pad(cell, size, left=place in left)
                for place, (cell, size) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        )

    def to_csv(self) -> str:
        """Write the table as CSV."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(_quote, self.head))
        writer.writerows([_quote(cell) for cell in row] for row in self.rows)
        return out.getvalue()

    def to_html(self) -> str:
        """Write at most `MAX_ROWS` rows as HTML, and how many are missing."""
        shown = self.rows[:MAX_ROWS]
        columns = [[row[place] for row in shown] for place in range(len(self.head))]
        figures = [bool(shown) and all(map(_is_figure, column)) for column in columns]
        kinds = [' class="figure"' if figure else "" for figure in figures]
        heads = "".join(
            f'<th scope="col"{kind}>{_to_markup(each)}</th>'
            for each, kind in zip(self.head, kinds, strict=True)
        )
        body = ""
        for row in shown:
            cells = zip(row, kinds, strict=True)
            tds = (f"<td{kind}>{_to_markup(each)}</td>" for each, kind in cells)
            body += f"<tr>{''.join(tds)}</tr>"
        missing = len(self.rows) - len(shown)
        more = f'<p class="quiet">and {missing:,} more</p>' if missing else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}"

    def to_frame(self, library: str | None = None) -> Any:
        """Return a DataFrame of `library`, "pandas" or "polars", or of the first installed."""
        names = [each.replace(" ", "_") for each in self.head]
        return make_frame(
            {name: [row[place] for row in self.rows] for place, name in enumerate(names)}, library
        )


def clean_line(words: str) -> str:
    """Put a stranger's words on one line, without control characters."""
    return "".join(c for c in " ".join(words.split()) if c.isprintable())


def shorten(words: str, width: float, measure: Callable[[str], float]) -> str:
    """Shorten a text to a width, keeping both ends because names differ at either."""
    head, tail = words[:-TAIL], words[-TAIL:]
    while head and measure(words) > width:
        head = head[:-1]
        words = f"{head}…{tail}"
    return words


def _write(cell: Any) -> str:
    if cell is None:
        return "-"
    return f"{cell:,}" if type(cell) is int else str(cell)


def _pad(cell: str, size: int, *, left: bool) -> str:
    cell = shorten(cell, size, _measure)
    space = " " * (size - _measure(cell))
    return cell + space if left else space + cell


def _measure(words: str) -> int:
    """Return the columns a text takes: two for a wide letter, none for a combining one."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in words
    )


def _quote(cell: Any) -> Any:
    """Return a cell for a spreadsheet, a whole number without decimals."""
    if isinstance(cell, float):
        return str(cell).removesuffix(".0")
    if not isinstance(cell, str):
        return cell
    words = clean_line(cell)
    return f"'{words}" if words.startswith(FORMULA) else words


def _to_markup(thing: object) -> str:
    """Return a cell of a table as markup."""
    if isinstance(thing, Markup):
        return str(thing)
    return escape(f"{thing:,}" if type(thing) is int else "–" if thing is None else thing)


def _is_figure(thing: object) -> bool:
    """Return whether a cell of a table holds a figure, or nothing."""
    if isinstance(thing, Markup):
        return False
    text = str(thing).replace("–", "0").lstrip("+-−±≈~").rstrip("%s ")
    return thing is None or text.replace(",", "").replace(".", "").replace("/", "").isdigit()
