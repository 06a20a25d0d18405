"""`parlour restore FILE`: put a backup into a database, all of it or nothing."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

from parlour.core import count
from parlour.faces.cli.backup import count_rows, show_progress
from parlour.faces.cli.command import Parser, need_extra


def run(parser: Parser, arguments: list[str]) -> int:
    """Restore a backup, and say what it held."""
    parser.epilog = (
        "What people have deleted since stays deleted: the database that is replaced knows of it. "
        "Where that one is lost, name with --deletions the newest backup there is, or another "
        "database. Servers may run meanwhile; their pages show the restored games."
    )
    parser.add_argument("file", metavar="FILE", help="a file that `parlour backup` has written")
    parser.add_database()
    parser.add_switch("--replace", "replace what the database holds")
    about = "a later backup or the URL of a database, whose deletions are applied too"
    parser.add_flag("--deletions", "FILE|URL", about)
    given = parser.parse(arguments)
    with need_extra("web", "backups need"):
        from parlour.store import find_server, list_deletions, restore_backup

    restored = restore_backup(
        given.database or None,
        Path(given.file),
        replace=given.replace,
        deletions=list_deletions(given.deletions) if given.deletions else (),
        progress=show_progress("restored"),
    )
    found = restored.contents
    made = time.strftime("%Y-%m-%d %H:%M", time.localtime(found.made))
    tables = count(found.tables, "table")
    print(f"Restored as of {made}: {count_rows(found.rows)}, including {tables}")
    if restored.deleted:
        people = "person" if restored.deleted == 1 else "people"
        print(f"Deleted again what {restored.deleted} {people} had deleted since")
    server = find_server(given.database or None)
    if server is not None and hasattr(signal, "SIGUSR1"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(server, signal.SIGUSR1)  # it reads everything again
    if not restored.same_house:
        print("Restart the servers, so that they recognise the browsers of that site")
    return 0
