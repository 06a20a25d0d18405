"""`parlour gtp --bot BOT`: let a bot speak GTP on standard input and output."""

from __future__ import annotations

from typing import Any

from parlour.core import ParlourError, describe, one_of, options_of, registry
from parlour.faces import gtp
from parlour.faces.cli.command import Parser, add_options, read_options
from parlour.rules import Othello

DEPTHS = ("level", "plies", "depth")  # the options of bots that --level may set


def run(parser: Parser, arguments: list[str]) -> int:
    """Make the bot and the board, then answer until `quit`."""
    about = "a bot with its options, as in 'minimax depth=2', or a .py file that defines one"
    parser.add_flag("--bot", "BOT", about)
    first = Parser(prog=parser.prog, add_help=False)
    first.add_argument("--bot", nargs="?")
    name = first.parse_known_args(arguments)[0].bot
    bot = None if name is None else registry.bot(name)
    known = {} if bot is None else options_of(type(bot))
    depth = next((name for name in DEPTHS if name in known), "")
    if depth != "level":
        parser.add_number("--level", "how many plies the bot looks ahead, if it does at all")
    board = options_of(Othello)
    own = {name: opt for name, opt in known.items() if name not in board}
    add_options(parser, own, heading="options of this bot")
    add_options(parser, board)
    given = vars(parser.parse(arguments))
    game: Othello = registry.build("games", Othello, read_options(board, given))
    if bot is None:
        raise ParlourError(f"name the bot that plays: --bot {one_of(registry.bots(game))}")
    options: dict[str, Any] = {name: getattr(bot, name) for name in known}
    options |= read_options(known, given)
    if (level := given.get("level")) is not None:
        if not depth:
            raise ParlourError(f"{bot.name} has no level; leave out --level")
        options[depth] = known[depth].check(level)
    bot = registry.build("bots", type(bot), options)
    if not bot.plays(game):
        able = one_of(registry.bots(game))
        raise ParlourError(f"{describe(bot)} does not play {describe(game)}; choose {able}")
    return gtp.serve(bot, game)
