"""`parlour play GAME`: play a game at the terminal."""

from __future__ import annotations

from pathlib import Path

from parlour.core import options_of, registry
from parlour.faces.cli.flags import Parser, add_options, make_game, read_options, split_game
from parlour.faces.terminal import table


def run(parser: Parser, arguments: list[str]) -> int:
    """Seat people and bots, and let them play one game."""
    if not arguments:
        chosen = table.choose_game(registry.games())
        if chosen is None:
            return 0
        arguments = [chosen]
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="WHO",
        help="who takes the next seat: human, 'human NAME', a bot, or a .py file that defines "
        "one; options follow its name, as in --seat 'random seed=3'",
    )
    parser.add_argument(
        "--record", metavar="FILE", type=Path, help="append a record of the game to this file"
    )
    cls, rest = split_game(parser, arguments)
    known = options_of(cls)
    add_options(parser, known)
    given = parser.parse(rest)
    options = read_options(known, vars(given))
    if "seats" in known and "seats" not in options and len(given.seat) > known["seats"].default:
        options["seats"] = len(given.seat)
    return table.play(make_game(cls, options), given.seat, given.record)
