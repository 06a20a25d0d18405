"""`parlour backup FILE`: write all that a web site has stored to one file, while it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from parlour.core import ParlourError, count
from parlour.faces.cli.command import Parser

DATABASE = (
    "the database: sqlite:///FILE or postgresql://USER@HOST/NAME (default: what the environment "
    "variable PARLOUR_DATABASE says, or a file in your data folder)"
)


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
    parser.add_flag("--database", "URL", DATABASE)
    given = parser.parse(arguments)
    check_extra()
    from parlour.store import write_backup

    path = Path(given.file)
    found = write_backup(given.database or None, path, show_progress("written"))
    size = path.stat().st_size / 1e6
    tables = count(found.tables, "table")
    rows = "row" if found.rows == 1 else "rows"
    print(f"{path}: {found.rows:,} {rows}, including {tables}, in {size:.1f} MB")
    return 0


def check_extra() -> None:
    """Name the extra in one sentence, if it is not installed."""
    try:
        import sqlalchemy  # noqa: F401
    except ModuleNotFoundError as missing:
        raise ParlourError(
            f"backups need {missing.name}; install it with: pip install 'parlour[web]'"
        ) from None


def show_progress(done: str) -> Callable[[int, int], None]:
    """Return a call that says at a terminal how far it is."""

    def show(rows: int, total: int) -> None:
        if sys.stderr.isatty() and total:
            end = "\n" if rows == total else ""
            line = f"\r{100 * rows // total:3} %: {rows:,} of {total:,} rows {done}"
            print(line, end=end, file=sys.stderr, flush=True)

    return show
