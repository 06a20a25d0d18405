"""`parlour replay FILE`: step through a recorded game."""

from __future__ import annotations

from pathlib import Path

from parlour.faces.cli.flags import Parser
from parlour.faces.terminal import table


def run(parser: Parser, arguments: list[str]) -> int:
    """Show one record of a file, move by move."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a file of records, one a line")
    parser.add_argument(
        "--number", type=int, metavar="N", help="which record, from 1 (default: the last)"
    )
    parser.add_argument("--game", metavar="FILE.py", help="the file that defines the game")
    given = parser.parse(arguments)
    return table.replay(given.file, given.number, given.game)
