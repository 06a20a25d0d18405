"""`parlour tune GAME --bot BOT`: improve a bot's numbers by playing variants against each other.

As in a tournament everything is stored in a folder as it is played: Ctrl-C loses no finished game,
and the same command resumes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from parlour import arena
from parlour.arena import tuning
from parlour.core import Clock, Game, ParlourError, describe, files, one_of, registry
from parlour.faces.cli import tournament
from parlour.faces.cli.command import Parser, parse_game, print_json, write_json


class Answer(tuning.TuningData):
    """What `parlour tune --json` prints: the variants of a bot, and the best of them."""

    format: Literal["parlour tune 1"]


def run(parser: Parser, arguments: list[str]) -> int:
    """Tune to the end, or until Ctrl-C."""
    about = "the bot to start from, with its options, as in 'minimax depth=3'"
    parser.add_flag("--bot", "BOT", about)
    about = "which of the bot's options to vary (default: all that hold numbers)"
    parser.add_flag("--vary", "OPTION", about, nargs="+", action="extend")
    about = "the number of variants in each generation, the bot itself included"
    parser.add_number(
        "--variants", about, default=20, low=tuning.MIN_VARIANTS, high=tuning.MAX_VARIANTS
    )
    about = "the number of generations; after each, the best quarter survives and is varied"
    parser.add_number("--generations", about, default=1, low=1, high=1000)
    about = "start from openings of this many random moves, each played from both sides"
    parser.add_number("--openings", about, metavar="PLIES", default=0)
    tournament.add_game_flags(parser)
    tournament.add_worker_flags(parser)
    parser.add_json()
    given, game = parse_game(parser, arguments)
    task = _make_task(game, given)
    folder = given.folder or files.data_folder() / "tuning" / _name_folder(task)
    return _tune(task, folder, given, ["parlour", "tune", *arguments])


def _make_task(game: Game, given: argparse.Namespace) -> tuning.Task:
    if game.seats != 2:
        raise ParlourError(
            f"bots are tuned in games for two, and {describe(game)} has {game.seats} seats"
        )
    if given.bot is None:
        raise ParlourError(f"name the bot to start from: --bot {_list_tunable(game)}")
    bot = registry.bot(given.bot)
    if not bot.plays(game):
        raise ParlourError(
            f"{describe(bot)} does not play {describe(game)}; choose {_list_tunable(game)}"
        )
    games = given.games
    if games < 2 or games % 2 or games > 10**4:
        raise ParlourError(
            f"--games must be an even number, so that both bots begin equally often, not {games}"
        )
    return tuning.Task(
        game=game,
        bot=bot,
        vary=tuning.choose_varied(bot, [name.replace("-", "_") for name in given.vary or ()], game),
        variants=given.variants,
        generations=given.generations,
        games=games,
        plies=given.openings,
        clock=Clock.read(given.time),
        seed=given.seed,
    )


def _list_tunable(game: Game) -> str:
    return one_of(tuning.list_tunable(game) or registry.bots(game))


def _name_folder(task: tuning.Task) -> str:
    """Return a folder name that the same command finds again."""
    first = tuning.plan_generation(task, tuning.first_generation(task), 1)
    digest = tournament.digest(f"{task.generations} {first.identify()}")
    return f"{task.game.name}-{task.bot.name}-{digest}"


def _tune(task: tuning.Task, folder: Path, given: argparse.Namespace, command: list[str]) -> int:
    """Tune to the end, or until Ctrl-C; return the exit code."""
    first = tuning.plan_generation(task, tuning.first_generation(task), 1)
    sandboxed = tournament.ask_for_trust(first, trust=given.trust)
    results, stages = arena.ResultsLog(folder), itertools.count(1)

    def play_stage(plan: arena.Plan) -> dict[arena.Fixture, arena.GameResult]:
        if sys.stderr.isatty():
            print(_name_stage(task, next(stages)), file=sys.stderr)
        return play(plan)

    try:
        with tournament.open_runner(results, given, sandboxed=sandboxed) as play:
            tuned = tuning.tune(task, play_stage)
    except KeyboardInterrupt:
        tournament.print_stopped(results, folder, command)
        return 130
    _store(tuned, folder)
    if given.json:
        print_json(_to_answer(tuned))
        return 0
    print(tuning.format_summary(tuned))
    print(f"\nReport:   {folder / 'report.html'}")
    print(f"The best: {folder / 'best.json'}, with the command to play against it")
    return 0


def _name_stage(task: tuning.Task, number: int) -> str:
    """Return the heading above the progress of one of the plans."""
    if number > task.generations:
        return f"Fresh games of the best against {task.bot.name}"
    return f"Generation {number} of {task.generations}"


def _store(tuned: tuning.TuningResult, folder: Path) -> None:
    """Write the records, the best bot and the report into the folder."""
    stages = [*tuned.generations, *([tuned.match] if tuned.match else [])]
    stored = {
        "games.jsonl": "".join(tournament.write_records(each.games) for each in stages),
        "tuning.json": write_json(_to_answer(tuned)),
        "best.json": _write_json_lines(tuning.describe_best(tuned)),
        "report.html": tuning.render_report(tuned, date=tournament.now()),
    }
    tournament.write_files(folder, stored)


def _to_answer(tuned: tuning.TuningResult) -> Answer:
    return {"format": "parlour tune 1", **tuning.to_dict(tuned)}


def _write_json_lines(fields: Mapping[str, object]) -> str:
    """Write JSON with one line per field, however long a table it holds."""
    lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in fields.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
