"""`parlour nboard`: let the Othello engine speak the NBoard protocol on standard input."""

from __future__ import annotations

from parlour.core import options_of, registry
from parlour.faces import nboard
from parlour.faces.cli.command import Parser, add_options, read_options
from parlour.players import Engine

OPTIONS = ("threads", "hash")  # the board sets the depth and the time


def run(parser: Parser, arguments: list[str]) -> int:
    """Answer until `quit`."""
    known = {name: opt for name, opt in options_of(Engine).items() if name in OPTIONS}
    add_options(parser, known, heading="options of the engine")
    given = vars(parser.parse(arguments))
    engine: Engine = registry.build("bots", Engine, read_options(known, given))
    return nboard.serve(engine.engine)
