"""The command tournament: bots meet, and what came of it is told, kept and drawn.

Everything is kept in a folder as it is played, so Ctrl-C loses nothing that is finished, and the
same command goes on from there.
"""

from __future__ import annotations

import hashlib
import shlex
from pathlib import Path
from typing import Any

from parlour.arena import ENGINES, KINDS, Plan, make_plan
from parlour.core import Game, ParlourError, count, data_folder, declared, describe, quote, registry
from parlour.faces.cli.flags import (
    Parser,
    add_options,
    name_of,
    named_game,
    read_number,
    read_options,
)
from parlour.faces.cli.tournaments import Wishes, hold

USUAL_ELO = 50.0


def tournament(parser: Parser, arguments: list[str]) -> int:
    """`parlour tournament GAME --bots A B C …`"""
    parser.add_argument(
        "--bots",
        nargs="+",
        action="extend",
        metavar="BOT",
        default=[],
        help="who takes part: a bot with its options, as in 'minimax depth=3'; a .py file; a "
        "program that speaks the line protocol, as in ./my_bot.pl; or 'gtp: COMMAND' for Othello",
    )
    parser.add_argument(
        "--kind",
        choices=KINDS,
        default=KINDS[0],
        help="everybody meets everybody, the first bot meets all others, or those with like points "
        f"meet round by round (usually {KINDS[0]})",
    )
    parser.add_argument(
        "--games", metavar="N", default="2", help="of any two who meet, an even number (usually 2)"
    )
    parser.add_argument("--rounds", metavar="N", help="of a swiss (usually enough for one winner)")
    parser.add_argument(
        "--openings",
        metavar="PLIES",
        default="0",
        help="begin with so many random moves, each opening played in both seatings; or a file "
        "with openings, one a line (usually 0)",
    )
    add_conditions(parser)
    parser.add_argument(
        "--decide",
        metavar="ELO",
        nargs="?",
        const=f"{USUAL_ELO:g}",
        help="two stop early, once it is clear which is stronger by so much (usually "
        f"{USUAL_ELO:g}); --games is the most they play",
    )
    parser.add_argument("--folder", metavar="FOLDER", type=Path, help="where everything is kept")
    add_crew(parser)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="the table as JSON, for programs")
    forms.add_argument("--csv", action="store_true", help="the table as CSV")
    cls, rest = named_game(parser, arguments)
    known = declared(cls)
    add_options(parser, known)
    given = parser.parse(rest)
    game: Game = registry.made(cls, name_of(cls), read_options(known, vars(given)))
    plan = _plan(game, given)
    folder = given.folder or data_folder() / "tournaments" / _called(plan)
    again = shlex.join(["parlour", "tournament", *arguments])
    title = f"{describe(game)}: {plan.kind.replace('-', ' ')} of {len(plan.entries)}"
    return hold(plan, folder, wishes(given), title=title, again=again)


def add_conditions(parser: Parser) -> None:
    """The flags that say under which conditions games are played."""
    parser.add_argument(
        "--time",
        metavar="TIME",
        default="none",
        help="how long a player may think: 1/move for a second a move, 60 for a minute a game, "
        "60+1 to add a second a move (usually no clock)",
    )
    parser.add_argument(
        "--seed", metavar="N", default="0", help="a number; the same one gives the same games"
    )


def add_crew(parser: Parser) -> None:
    """The flags that say who does the work."""
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        default=ENGINES[0],
        help="where games are played: processes here, or a cluster (usually local)",
    )
    parser.add_argument("--workers", metavar="N", help="how many processes (usually one a core)")
    parser.add_argument("--address", metavar="HOST:PORT", help="where the cluster is")
    parser.add_argument(
        "--trust",
        action="store_true",
        help="run bots that are files although this machine cannot lock them in",
    )


def wishes(given: Any) -> Wishes:
    """How the work is to be done, and what is to be told of it."""
    workers = None if given.workers is None else read_number("--workers", given.workers)
    if workers is not None and not 0 < workers <= 1000:
        raise ParlourError(f"--workers must be 1 to 1000, not {workers}")
    form = "json" if given.json else "csv" if getattr(given, "csv", False) else "text"
    return Wishes(given.engine, workers, given.address, given.trust, form)


def _plan(game: Game, given: Any) -> Plan:
    if len(given.bots) < 2:
        able = ", ".join(registry.bots(game))
        raise ParlourError(f"name two bots at least, as in --bots random minimax; there is {able}")
    return make_plan(
        game,
        given.bots,
        kind=given.kind,
        games=read_number("--games", given.games),
        rounds=0 if given.rounds is None else read_number("--rounds", given.rounds),
        openings=given.openings,
        time=given.time,
        decide=None if given.decide is None else _elo(given.decide),
        seed=read_number("--seed", given.seed),
    )


def _elo(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParlourError(f"--decide must be a number of Elo points, not {quote(text)}") from None


def _called(plan: Plan) -> str:
    """A name for the folder that the same command finds again."""
    stamp = hashlib.sha256(plan.to_json().encode()).hexdigest()[:8]
    many = count(len(plan.entries), "bot").replace(" ", "-")
    return f"{Path(plan.game).stem}-{many}-{stamp}"
