"""`parlour backup FILE`: write all that a web site has stored to one file, while it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from parlour.core import count, say_number
from parlour.faces.cli.command import Parser, need_extra
from parlour.faces.progress import ProgressLine


def run(parser: Parser, arguments: list[str]) -> int:
    """Write a backup, and say what it holds."""
    parser.epilog = (
        "Servers go on meanwhile. The file holds the rows of one moment, compressed and with a "
        "checksum; `parlour restore` puts them into a database of either kind. It holds the key "
        "that signs cookies too, so only its owner may read it."
    )
    parser.add_argument(
        "file", metavar="FILE", help="the file to write, in one piece or not at all"
    )
    parser.add_database()
    given = parser.parse(arguments)
    with need_extra("web", "backups need"):
        from parlour.store import write_backup

    path = Path(given.file)
    found = write_backup(given.database or None, path, show_progress("written"))
    size = path.stat().st_size / 1e6
    tables = count(found.tables, "table")
    print(f"{path}: {count_rows(found.rows)}, including {tables}, in {size:.1f} MB")
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
