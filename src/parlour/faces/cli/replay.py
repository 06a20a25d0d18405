"""`parlour replay FILE`: step through a recorded game."""

from __future__ import annotations

from pathlib import Path

from parlour.faces.cli.command import Parser
from parlour.faces.terminal import table


def run(parser: Parser, arguments: list[str]) -> int:
    """Show one record of a file, move by move."""
    parser.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help="a file of records, one per line, as `parlour play --record` writes it",
    )
    parser.add_number("--number", "which record, counted from 1 (default: the last)")
    parser.add_flag("--game", "FILE.py", "the file that defines the game, if it is not installed")
    given = parser.parse(arguments)
    return table.replay(given.file, given.number, given.game)
