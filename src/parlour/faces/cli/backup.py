"""`parlour backup FILE`: write all that a web site has stored to one file, while it runs."""

from __future__ import annotations

from collections.abc import Callable

from parlour.core import count, say_number
from parlour.faces.cli.command import Parser, need_extra
from parlour.faces.progress import ProgressLine


def run(parser: Parser, arguments: list[str]) -> int:
    """Write a backup, and say what it holds."""
    parser.add_flags("backup")
    parser.add_flags("shared/database")
    given = parser.parse(arguments)
    with need_extra("web", "backups need"):
        from parlour.store import write_backup

    found = write_backup(given.database or None, given.file, show_progress("written"))
    size = given.file.stat().st_size / 1e6
    tables = count(found.tables, "table")
    print(f"{given.file}: {count_rows(found.rows)}, including {tables}, in {size:.1f} MB")
    return 0


def count_rows(rows: int) -> str:
    """`1 row`, `1,200 rows`"""
    return say_number(rows, "1 row", "{number:,} rows")


def show_progress(done: str) -> Callable[[int, int], None]:
    """Return a call that says at a terminal how far it is."""
    line = ProgressLine()

    def show(rows: int, total: int) -> None:
        if rows < total:
            line.show(f"{100 * rows // total} %: {rows:,} of {total:,} rows {done}")
        else:
            line.clear()

    return show
