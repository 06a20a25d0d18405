"""The command train: hats play themselves good, and are kept by name.

Ctrl-C keeps what was learned so far, and `--continue` goes on from there.
"""

from __future__ import annotations

import shlex
import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.core import registry
from parlour.core.errors import ParlourError
from parlour.core.files import check_writable
from parlour.core.game import Game
from parlour.core.options import declared, describe
from parlour.core.work import TOTAL, Work
from parlour.faces.flags import Parser, add_options, name_of, named_game, read_options, show_json
from parlour.faces.waiting import wait

if TYPE_CHECKING:
    from parlour.learn.hats import Hats, Tally

USUAL_GAMES = 100_000


def train(parser: Parser, arguments: list[str]) -> int:
    """`parlour train GAME [--games N] …`"""
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        default=USUAL_GAMES,
        help=f"how many games they play (usually {USUAL_GAMES:,})",
    )
    parser.add_argument("--name", help="what to keep them as (usually the name of the game)")
    add_lessons(parser)
    parser.add_argument("--continue", dest="go_on", action="store_true", help="train kept ones on")
    parser.add_argument("--anew", action="store_true", help="replace kept ones of the same name")
    parser.add_argument("--curve", metavar="FILE", type=Path, help="draw it: .svg, .png or .pdf")
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    cls, rest = named_game(parser, arguments)
    known = declared(cls)
    add_options(parser, known)
    given = parser.parse(rest)
    game: Game = registry.made(cls, name_of(cls), read_options(known, vars(given)))
    name = given.name or game.name
    if given.curve is not None:
        from parlour.faces.printing import check_picture

        check_picture(given.curve)
        check_writable(given.curve)
    hats = _hats(game, name, given)
    stopped, last = _trained(hats, given.games)
    _keep(hats, name)
    if given.curve is not None:
        from parlour.faces.printing import write_picture
        from parlour.learn.chart import chart

        write_picture(chart(hats, 0), given.curve)
    if given.json:
        show_json(told(hats, name))
    else:
        _say(hats, name, arguments[0], last, stopped=stopped)
    return 130 if stopped else 0


def add_lessons(parser: Parser) -> None:
    """The flags that say how hats learn."""
    parser.add_argument("--rule", choices=("hats", "menace"), help="how they learn (usually hats)")
    parser.add_argument(
        "--against",
        choices=("another", "random", "perfect"),
        help="whom they play: another who learns too, or a player who does not (usually another)",
    )
    parser.add_argument("--shared", action="store_true", help="both players draw from one set")
    parser.add_argument(
        "--starts",
        choices=("alternate", "first"),
        help="who begins: each in turn, or always the first player (usually alternate)",
    )
    parser.add_argument(
        "--seed", type=int, metavar="N", help="a number that gives the same balls again"
    )


def lessons(given: Any) -> dict[str, Any]:
    """What those flags say, without what was left open."""
    if given.shared and given.against is not None:
        raise ParlourError("two who share their hats play each other: leave --against out")
    if given.seed is not None and not 0 <= given.seed < 2**63:
        raise ParlourError("the seed must be a whole number from 0 on, below 2^63")
    against = "itself" if given.shared else given.against
    said = {"rule": given.rule, "against": against, "starts": given.starts, "seed": given.seed}
    return {name: value for name, value in said.items() if value is not None}


def _hats(game: Game, name: str, given: Any) -> Hats:
    """New hats, or the kept ones that are to go on."""
    import secrets

    from parlour.learn import keeping
    from parlour.learn.hats import hats

    if given.games < 0:
        raise ParlourError(f"they cannot play {given.games} games; say 0 or more")
    keeping.check_keepable(name)
    how = lessons(given)
    if given.go_on:
        if how or given.anew:
            raise ParlourError(
                "kept hats go on as they began; say --continue without how they learn"
            )
        return keeping.fetch(name, game)
    if keeping.is_kept(name) and not given.anew:
        raise ParlourError(
            f"there are hats named {name!r} already; --continue trains them on, --anew replaces "
            "them, --name keeps these as something else"
        )
    seeded = {"seed": secrets.randbelow(2**32), **how}
    return wait(
        lambda work: hats(game, work=work, **seeded),
        doing=f"listing the situations of {describe(game)}",
    )


def _trained(hats: Hats, games: int) -> tuple[bool, Tally | None]:
    """Whether Ctrl-C cut it short, and else what happened in the last tenth of the games."""
    from parlour.learn.training import MOST_GAMES
    from parlour.learn.training import train as play

    last: list[Tally] = []

    def call(work: Work) -> None:
        work.cells[TOTAL] = min(games, MOST_GAMES)
        play(hats, games - games // 10, work=work)
        last.append(play(hats, games // 10, work=work))

    try:
        wait(call, doing=f"training hats for {describe(hats.game)}")
    except KeyboardInterrupt:
        return True, None
    return False, last[0]


def _keep(hats: Hats, name: str) -> None:
    """Whole or not at all, and not cut short by another Ctrl-C."""
    from parlour.learn import keeping

    Work().run(lambda: keeping.keep(hats, name))


def told(hats: Hats, name: str) -> dict[str, Any]:
    """Hats for programs, without their balls: `--export` writes those."""
    from dataclasses import asdict

    from parlour.core.options import values
    from parlour.learn.measure import measure

    return {
        "name": name,
        "game": hats.game.name,
        "options": values(hats.game),
        "rule": hats.rule.name,
        "against": hats.against,
        "starts": hats.starts,
        "seed": hats.seed,
        "games": hats.games,
        "tally": asdict(hats.tally),
        "players": [asdict(measure(hats, row)) for row in range(len(hats.balls))],
        "curves": [[asdict(point) for point in curve] for curve in hats.curves],
    }


def schooling(hats: Hats) -> str:
    """How hats were trained, in a line."""
    whom = {
        "another": "against another who learns too",
        "itself": "against themselves",
        "random": "against a random player",
        "perfect": "against the perfect player",
    }[hats.against]
    begins = "taking turns to begin" if hats.starts == "alternate" else "always beginning"
    if hats.against in ("another", "itself") and hats.starts == "first":
        begins = "the first always beginning"
    return f"{hats.games:,} games {whom}, {begins}, by the rule {hats.rule.name}, seed {hats.seed}"


def filled(line: str, first: str = "", other: str = "") -> str:
    """A sentence on as many lines as the screen needs."""
    wide = min(100, shutil.get_terminal_size().columns)
    return textwrap.fill(line, wide, initial_indent=first, subsequent_indent=other)


def _say(hats: Hats, name: str, game: str, last: Tally | None, *, stopped: bool) -> None:
    from parlour.learn.chart import plotted

    print(filled(f"Hats for {describe(hats.game)}: {schooling(hats)}."))
    for row, curve in enumerate(hats.curves):
        point = curve[-1]
        whose = f"Player {row + 1}: the" if len(hats.curves) > 1 else "The"
        told = (
            f"{whose} likeliest ball is right in {point.right} of {point.of} boxes where one can "
            f"be wrong; a right ball is drawn with a chance of {point.chance:.2f} on average."
        )
        print(filled(told))
    print(f"\n{plotted(hats, 0)}\n")
    if last is not None and hats.against in ("random", "perfect"):
        won, lost = last.wins
        print(
            f"Of the last {won + lost + last.draws:,} games they won {won:,}, drew {last.draws:,} "
            f"and lost {lost:,}."
        )
    for line in dry(hats):
        print(filled(line))
    if stopped:
        print(f"Stopped after {hats.games:,} games; nothing is lost, and --continue goes on.")
    look = ["parlour", "hats", name, *(["--game", game] if game.endswith(".py") else [])]
    play = ["parlour", "play", game, *_flags(hats.game), "--seat", "human"]
    print(f"Kept as {name}: {shlex.join(look)}")
    print(f"Play them: {shlex.join([*play, '--seat', f'hats kept={name}'])}")


def _flags(game: Game) -> list[str]:
    """The options of a game that are not as usual, as one types them."""
    flags = []
    for option in shlex.split(describe(game))[1:]:
        name, _, value = option.partition("=")
        flags += [f"--{name.replace('_', '-')}", value]
    return flags


def dry(hats: Hats) -> list[str]:
    """That a player ran out of balls, if one did."""
    tally = hats.tally
    if tally.dry is None:
        return []
    given_up = sum(tally.resigned)
    return [
        f"They ran dry: in game {tally.dry:,} no ball was left for their first move. "
        f"For want of balls {given_up:,} games were given up."
    ]
