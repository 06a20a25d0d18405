"""`parlour play GAME`: play a game at the terminal."""

from __future__ import annotations

from pathlib import Path

from parlour.core import options_of, registry
from parlour.faces.cli.command import Parser, add_options, read_options, split_game
from parlour.faces.terminal import table


def run(parser: Parser, arguments: list[str]) -> int:
    """Seat people and bots, and let them play one game."""
    if not arguments and parser.complete is None:
        chosen = table.choose_game(registry.games())
        if chosen is None:
            return 0
        arguments = [chosen]
    parser.add_flag(
        "--seat",
        "WHO",
        "who takes the next seat: human, 'human NAME', a bot with its options, as in 'random "
        "seed=3', a .py file that defines one, a model (.onnx, .zip) or the address of a bot; give "
        f"it once for each seat (default: you against {table.OPPONENT})",
        action="append",
    )
    parser.add_flag("--record", "FILE", "append a record of the game to this file", type=Path)
    cls, rest = split_game(parser, arguments)
    known = options_of(cls)
    add_options(parser, known)
    given = parser.parse(rest)
    options, seats = read_options(known, vars(given)), given.seat or []
    if "seats" in known and "seats" not in options and len(seats) > known["seats"].default:
        options["seats"] = len(seats)
    return table.play(registry.build("games", cls, options), seats, given.record)
