"""The command train: hats play themselves good, and are kept by name.

Ctrl-C keeps what was learned so far, and `--continue` goes on from there.
"""

from __future__ import annotations

import contextlib
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.core import (
    TOTAL,
    Game,
    ParlourError,
    Work,
    as_flags,
    check_writable,
    declared,
    describe,
    registry,
)
from parlour.faces.cli.flags import (
    Parser,
    add_options,
    name_of,
    named_game,
    read_number,
    read_options,
    show_json,
)
from parlour.faces.cli.progress import wait

if TYPE_CHECKING:
    from parlour.learn import Hats, Tally

USUAL_GAMES = 100_000


def train(parser: Parser, arguments: list[str]) -> int:
    """`parlour train GAME [--games N] …`"""
    parser.add_argument(
        "--games",
        metavar="N",
        default=str(USUAL_GAMES),
        help=f"how many games they play (usually {USUAL_GAMES:,})",
    )
    parser.add_argument("--name", help="what to keep them as (usually the name of the game)")
    add_lessons(parser)
    parser.add_argument("--continue", dest="go_on", action="store_true", help="train kept ones on")
    parser.add_argument("--anew", action="store_true", help="replace kept ones of the same name")
    parser.add_argument("--curve", metavar="FILE", type=Path, help="draw it: .svg, .png or .pdf")
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    typed, others = parser.name_first(arguments)
    cls, rest = named_game(parser, [*typed, *others])
    known = declared(cls)
    add_options(parser, known)
    given = parser.parse(rest)
    game: Game = registry.made(cls, name_of(cls), read_options(known, vars(given)))
    return _course(game, typed[0], given)


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
    parser.add_argument("--seed", metavar="N", help="a number that gives the same balls again")


def lessons(given: Any) -> dict[str, Any]:
    """What those flags say, without what was left open."""
    from parlour.learn import check_seed

    if given.shared and given.against is not None:
        raise ParlourError("two who share their hats play each other: leave --against out")
    against = "itself" if given.shared else given.against
    said = {"rule": given.rule, "against": against, "starts": given.starts}
    if given.seed is not None:
        said["seed"] = read_number("--seed", given.seed)
        check_seed(said["seed"])
    return {name: value for name, value in said.items() if value is not None}


def _course(game: Game, typed: str, given: Any) -> int:
    """All lessons, from the first look at what is kept to the last line."""
    from parlour.learn import check_games, storage, to_dict

    name = game.name if given.name is None else given.name
    games = read_number("--games", given.games)
    if given.curve is not None:
        from parlour.drawing import check_picture

        check_picture(given.curve)
        check_writable(given.curve)
    storage.check_savable(name)
    before = storage.fingerprint(name)
    hats = _hats(game, name, given)
    check_games(hats, games)
    work = Work()
    with _ctrl_c_stops(work):
        last = _trained(hats, games, work)
        stopped = work.stopped
        kept_as = storage.save_if_unchanged(hats, name, before)
        wrote = [] if given.curve is None else _drawn(hats, given.curve)
        if given.json:
            points = [curve[-1] if curve else None for curve in hats.curves]
            show_json({**to_dict(hats, kept_as, points), "written": [str(path) for path in wrote]})
        else:
            _say(hats, None if stopped else last)
            for path in wrote:
                print(f"Written: {path}")
            if stopped:
                print(f"Stopped after {hats.games:,} games; nothing is lost, --continue goes on.")
            if kept_as != name:
                print(f"Somebody else has changed the hats named {name} meanwhile.")
            _say_how_on(hats, kept_as, typed)
        sys.stdout.flush()  # another Ctrl-C may come before the exit would do it
    return 130 if stopped else 0


def _hats(game: Game, name: str, given: Any) -> Hats:
    """New hats, or the kept ones that are to go on."""
    import secrets

    from parlour.learn import hats, storage

    how = lessons(given)
    doing = f"listing the situations of {describe(game)}"
    if given.go_on:
        if how or given.anew:
            raise ParlourError(
                "kept hats go on as they began; say --continue without how they learn"
            )
        return wait(lambda work: storage.load_hats(name, game, work=work), doing=doing)
    if storage.exists(name) and not given.anew:
        raise ParlourError(
            f"there are hats named {name!r} already; --continue trains them on, --anew replaces "
            "them, --name keeps these as something else"
        )
    seeded = {"seed": secrets.randbelow(2**32), **how}
    return wait(lambda work: hats(game, work=work, **seeded), doing=doing)


@contextlib.contextmanager
def _ctrl_c_stops(work: Work) -> Iterator[None]:
    """Ctrl-C ends the work and nothing else, however often it comes.

    So what was learned is kept and told to the end. Who has other plans for Ctrl-C is left alone.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    try:
        signal.signal(signal.SIGINT, lambda *_: work.stop())
    except ValueError:  # not in the main thread, where it never comes
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _trained(hats: Hats, games: int, work: Work) -> Tally:
    """Play them all; what happened in the last tenth of the games is returned."""
    from parlour.learn import train as play

    tenth = games // 10 or games

    def call(work: Work) -> Tally:
        work.cells[TOTAL] = games
        play(hats, games - tenth, work=work)
        return play(hats, tenth, work=work)

    return wait(call, doing=f"training hats for {describe(hats.game)}", work=work)


def _drawn(hats: Hats, path: Path) -> list[Path]:
    """The curves in files; only who was never measured has none."""
    from parlour.drawing import write_picture
    from parlour.learn import draw_chart

    return write_picture([draw_chart(hats, row) for row in range(len(hats.balls))], path)


def _say(hats: Hats, last: Tally | None) -> None:
    from parlour.learn import (
        describe_dry,
        describe_last_games,
        describe_learning,
        describe_schooling,
        plot_text,
        wrap_text,
    )

    print(wrap_text(f"Hats for {describe(hats.game)}: {describe_schooling(hats)}."))
    for row in range(len(hats.curves)):
        said = describe_learning(hats, row)
        print(wrap_text(said[:1].upper() + said[1:]))
    for row in range(len(hats.curves)):
        print(f"\n{plot_text(hats, row)}")
    print()
    if last is not None and hats.against in ("random", "perfect") and sum(last.wins) + last.draws:
        print(describe_last_games(last))
    for line in describe_dry(hats):
        print(wrap_text(line))


def _say_how_on(hats: Hats, name: str, game: str) -> None:
    """Where the hats are now, and how to play them at a seat at which they have trained."""
    look = ["parlour", "hats", name, *(["--game", game] if game.endswith(".py") else [])]
    seats = ["human", "human"]
    seats[hats.seats(0)[-1]] = f"hats kept={name}"
    play = ["parlour", "play", game, *as_flags(hats.game), "--seat", seats[0], "--seat", seats[1]]
    print(f"Kept as {name}: {shlex.join(look)}")
    print(f"Play them: {shlex.join(play)}")
