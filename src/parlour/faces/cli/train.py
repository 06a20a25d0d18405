"""`parlour train GAME`: hats learn a game by playing it, and are stored under a name.

Ctrl-C stores what was learned so far, and `--continue` resumes from there.
"""

from __future__ import annotations

import argparse
import contextlib
import secrets
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from parlour import learn
from parlour.core import Game, ParlourError, Work, as_flags, describe, sentence
from parlour.drawing import check_picture, write_picture
from parlour.faces.cli.command import Parser, parse_game, print_json
from parlour.faces.progress import wait


class Answer(learn.summary.TrainedData):
    """What `parlour train --json` prints: hats after training."""

    format: Literal["parlour train 1"]
    written: list[str]  # the files that were written


def run(parser: Parser, arguments: list[str]) -> int:
    """Train new hats, or stored ones further, and store them."""
    parser.add_number("--games", "the number of games to train for", default=100_000)
    parser.add_flag(
        "--name", "NAME", "the name to store the hats under (default: the name of the game)"
    )
    add_training_flags(parser)
    parser.add_switch("--continue", "train stored hats further", dest="resume")
    parser.add_switch("--anew", "replace stored hats that have this name")
    add_curve(parser)
    parser.add_json()
    typed, others = parser.split_name(arguments)
    given, game = parse_game(parser, [*typed, *others])
    return _train(game, typed[0], given)


def add_curve(parser: Parser) -> None:
    """Add the flag `--curve`."""
    parser.add_flag("--curve", "FILE", "draw the learning curve as .svg, .png or .pdf", type=Path)


def add_training_flags(parser: Parser) -> None:
    """Add the flags for how hats learn."""
    parser.add_flag("--rule", ("hats", "menace"), "the learning rule (default: hats)")
    about = "the opponent: another learner, random moves, or perfect play (default: another)"
    parser.add_flag("--against", ("another", "random", "perfect"), about)
    parser.add_switch("--shared", "let both players draw from one set of hats")
    about = "who begins: each player in turn, or always the first (default: alternate)"
    parser.add_flag("--starts", ("alternate", "first"), about)
    parser.add_number("--seed", "draw the same balls every time (default: random)")


def read_training(given: argparse.Namespace) -> dict[str, Any]:
    """Read the training flags that were given."""
    if given.shared and given.against is not None:
        raise ParlourError("players who share their hats play each other: leave out --against")
    against = "itself" if given.shared else given.against
    training = {"rule": given.rule, "against": against, "starts": given.starts, "seed": given.seed}
    if given.seed is not None:
        learn.check_seed(given.seed)
    return {name: value for name, value in training.items() if value is not None}


def _train(game: Game, typed: str, given: argparse.Namespace) -> int:
    """Train, store and print; return the exit code."""
    name = game.name if given.name is None else given.name
    if given.curve is not None:
        check_picture(given.curve)
    learn.storage.check_savable(name)
    before = learn.storage.fingerprint(name)
    hats = _make_hats(game, name, given)
    learn.check_games(hats, given.games)
    work = Work()
    with _ctrl_c_stops(work):
        last = _play_games(hats, given.games, work)
        stopped = work.stopped
        stored_as = learn.storage.save_if_unchanged(hats, name, before)
        charts = [learn.summary.draw_chart(hats, row) for row in range(len(hats.balls))]
        written = [] if given.curve is None else write_picture(charts, given.curve)
        if given.json:
            points = [curve[-1] if curve else None for curve in hats.curves]
            trained, paths = learn.summary.to_dict(hats, stored_as, points), list(map(str, written))
            print_json(Answer(format="parlour train 1", **trained, written=paths))
        else:
            _print_results(hats, None if stopped else last)
            for path in written:
                print(f"Written: {path}")
            if stopped:
                print(f"Stopped after {hats.games:,} games; nothing is lost, --continue resumes.")
            if stored_as != name:
                print(f"Another program has changed the hats named {name} in the meantime.")
            _print_next_commands(hats, stored_as, typed)
        sys.stdout.flush()  # another Ctrl-C may come before the exit would do it
    return 130 if stopped else 0


def _make_hats(game: Game, name: str, given: argparse.Namespace) -> learn.Hats:
    """Return new hats, or the stored ones that train further."""
    training = read_training(given)
    if given.resume:
        if training or given.anew:
            raise ParlourError(
                "stored hats go on learning as they began; give --continue without other training "
                "flags"
            )
        return wait(
            lambda work: learn.storage.load_hats(name, game, work=work),
            doing=f"listing the situations of {describe(game)}",
            things="situations",
        )
    if learn.storage.exists(name) and not given.anew:
        raise ParlourError(
            f"there are hats named {name!r} already; --continue trains them further, --anew "
            "replaces them, --name stores these under another name"
        )
    return new_hats(game, {"seed": secrets.randbelow(2**32), **training})


def new_hats(game: Game, training: dict[str, Any]) -> learn.Hats:
    """Return hats before training."""
    return wait(
        lambda work: learn.hats(game, work=work, **training),
        doing=f"listing the situations of {describe(game)}",
        things="situations",
    )


@contextlib.contextmanager
def _ctrl_c_stops(work: Work) -> Iterator[None]:
    """Let Ctrl-C stop the work and nothing else, however often it is pressed.

    So what was learned is stored and printed. A handler set by somebody else is left alone.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    try:
        signal.signal(signal.SIGINT, lambda *_: work.stop())
    except ValueError:  # not the main thread, which alone receives signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _play_games(hats: learn.Hats, games: int, work: Work) -> learn.TrainingTally:
    """Play all games, and return the results of the last tenth."""
    tenth = games // 10 or games

    def call(work: Work) -> learn.TrainingTally:
        work.total = games
        learn.train(hats, games - tenth, work=work)
        return learn.train(hats, tenth, work=work)

    return wait(call, doing=f"training hats for {describe(hats.game)}", things="games", work=work)


def _print_results(hats: learn.Hats, last: learn.TrainingTally | None) -> None:
    print(
        learn.summary.wrap_text(
            f"Hats for {describe(hats.game)}: {learn.summary.describe_training(hats)}."
        )
    )
    for row in range(len(hats.curves)):
        print(learn.summary.wrap_text(sentence(learn.summary.describe_learning(hats, row))))
    for row in range(len(hats.curves)):
        print(f"\n{learn.summary.plot_text(hats, row)}")
    print()
    if last is not None and hats.against in ("random", "perfect") and sum(last.wins) + last.draws:
        print(learn.summary.describe_last_games(last))
    for line in learn.summary.describe_running_out(hats):
        print(learn.summary.wrap_text(line))


def _print_next_commands(hats: learn.Hats, name: str, game: str) -> None:
    """Print the commands that inspect the hats, and that play them in a seat they trained for."""
    look = ["parlour", "hats", name, *(["--game", game] if game.endswith(".py") else [])]
    seats = ["human", "human"]
    seats[hats.seats(0)[-1]] = f"hats kept={name}"
    play = ["parlour", "play", game, *as_flags(hats.game), "--seat", seats[0], "--seat", seats[1]]
    print(f"Stored as {name}: {shlex.join(look)}")
    print(f"Play them: {shlex.join(play)}")
