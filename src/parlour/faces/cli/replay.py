"""`parlour replay FILE`: step through a recorded game."""

from __future__ import annotations

from parlour.faces.cli.command import Parser
from parlour.faces.terminal import table


def run(parser: Parser, arguments: list[str]) -> int:
    """Show one record of a file, move by move."""
    parser.add_flags("replay")
    given = parser.parse(arguments)
    return table.replay(given.file, given.number, given.game)
