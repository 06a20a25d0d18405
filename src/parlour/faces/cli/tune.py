"""The command tune: a bot's numbers are improved by playing them off against their neighbours.

As in a tournament everything is kept in a folder as it is played: Ctrl-C loses nothing that is
finished, and the same command goes on from there.
"""

from __future__ import annotations

import datetime
import hashlib
import itertools
import json
import shlex
import sys
from pathlib import Path
from typing import Any

from parlour.arena import Fixture, GameResult, Plan, ResultsLog, make_executor, run
from parlour.arena.tuning import (
    MAX_VARIANTS,
    MIN_VARIANTS,
    Task,
    TuningResult,
    describe_best,
    first_generation,
    format_summary,
    plan_generation,
    render_report,
    to_json,
)
from parlour.arena.tuning import (
    tune as tuned_by,
)
from parlour.core import (
    Clock,
    Game,
    ParlourError,
    count,
    data_folder,
    declared,
    describe,
    one_of,
    registry,
    write_whole,
)
from parlour.faces.cli.flags import (
    Parser,
    add_options,
    name_of,
    named_game,
    read_number,
    read_options,
)
from parlour.faces.cli.tournament import add_conditions, add_crew, wishes
from parlour.faces.cli.tournaments import Shown, Wishes, locked_in
from parlour.players import tunable, varied


def tune(parser: Parser, arguments: list[str]) -> int:
    """`parlour tune GAME --bot NAME …`"""
    parser.add_argument(
        "--bot",
        metavar="BOT",
        help="where to begin: a bot with its options, as in 'minimax depth=3'",
    )
    parser.add_argument(
        "--vary",
        nargs="+",
        action="extend",
        metavar="OPTION",
        default=[],
        help="which of the bot's options (usually those with numbers in them)",
    )
    parser.add_argument(
        "--variants",
        metavar="N",
        default="20",
        help="how many meet, the bot itself too (usually 20)",
    )
    parser.add_argument(
        "--generations",
        metavar="N",
        default="1",
        help="how often they meet; the best quarter stays, neighbours of it come (usually 1)",
    )
    parser.add_argument(
        "--games", metavar="N", default="2", help="of any two, an even number (usually 2)"
    )
    parser.add_argument(
        "--openings",
        metavar="PLIES",
        default="0",
        help="begin with so many random moves, each opening played in both seatings (usually 0)",
    )
    add_conditions(parser)
    parser.add_argument("--folder", metavar="FOLDER", type=Path, help="where everything is kept")
    add_crew(parser)
    parser.add_argument("--json", action="store_true", help="everything as JSON, for programs")
    cls, rest = named_game(parser, arguments)
    known = declared(cls)
    add_options(parser, known)
    given = parser.parse(rest)
    game: Game = registry.made(cls, name_of(cls), read_options(known, vars(given)))
    task = _task(game, given)
    folder = given.folder or data_folder() / "tuning" / _called(task)
    return _hold(task, folder, wishes(given), again=shlex.join(["parlour", "tune", *arguments]))


def _task(game: Game, given: Any) -> Task:
    if game.seats != 2:
        raise ParlourError(
            f"bots are tuned at games between two, and {describe(game)} has {game.seats} seats"
        )
    if given.bot is None:
        raise ParlourError(f"name the bot to begin with: --bot {_able(game)}")
    bot = registry.read_bot(given.bot, files=True)
    if not bot.plays(game):
        raise ParlourError(f"{describe(bot)} does not play {describe(game)}; choose {_able(game)}")
    games = read_number("--games", given.games)
    if games < 2 or games % 2 or games > 10**4:
        raise ParlourError(
            f"--games must be an even number, for both seatings equally often, not {games}"
        )
    return Task(
        game=game,
        bot=bot,
        vary=varied(bot, [name.replace("-", "_") for name in given.vary], game),
        variants=_between("--variants", given.variants, MIN_VARIANTS, MAX_VARIANTS),
        generations=_between("--generations", given.generations, 1, 1000),
        games=games,
        plies=read_number("--openings", given.openings),
        clock=Clock.read(given.time),
        seed=read_number("--seed", given.seed),
    )


def _able(game: Game) -> str:
    return one_of(tunable(game) or registry.bots(game))


def _between(flag: str, text: str, low: int, high: int) -> int:
    number = read_number(flag, text)
    if not low <= number <= high:
        raise ParlourError(f"{flag} must be {low} to {high}, not {number}")
    return number


def _called(task: Task) -> str:
    """A name for the folder that the same command finds again."""
    first = plan_generation(task, first_generation(task), 1)
    stamp = hashlib.sha256(f"{task.generations} {first.to_json()}".encode()).hexdigest()[:8]
    return f"{task.game.name}-{task.bot.name}-{stamp}"


def _hold(task: Task, folder: Path, wishes: Wishes, *, again: str) -> int:
    """Tune to the end, or until Ctrl-C; the exit code."""
    strong = locked_in(plan_generation(task, first_generation(task), 1), trust=wishes.trust)
    results = ResultsLog(folder)
    shown, stages = Shown(), itertools.count(1)
    workers = make_executor(wishes.engine, wishes.workers, wishes.address)

    def play(plan: Plan) -> dict[Fixture, GameResult]:
        if sys.stderr.isatty():
            shown.clear()
            print(_stage(task, next(stages)), file=sys.stderr)
        return run(plan, results, workers, strong=strong, watch=shown.watch)

    try:
        tuned = tuned_by(task, play)
    except KeyboardInterrupt:
        shown.clear()
        print(
            f"Stopped; {count(len(results.games), 'game')} kept in {folder}.\nTo go on: {again}",
            file=sys.stderr,
        )
        return 130
    finally:
        workers.close()
        shown.clear()
    _keep(tuned, folder)
    print(to_json(tuned) if wishes.form == "json" else format_summary(tuned))
    if wishes.form == "text":
        print(f"\nReport:   {folder / 'report.html'}")
        print(f"The best: {folder / 'best.json'}, with the command to play against it")
    return 0


def _stage(task: Task, number: int) -> str:
    """Which of the plans it is that is now played."""
    if number > task.generations:
        return f"Fresh games of the best against {task.bot.name}"
    return f"Generation {number} of {task.generations}"


def _keep(tuned: TuningResult, folder: Path) -> None:
    """Write the records, the best and the report into the folder."""
    stages = [*tuned.generations, *([tuned.match] if tuned.match else [])]
    records = "".join(f"{game.record.to_json()}\n" for each in stages for _, game in each.games)
    write_whole(folder / "games.jsonl", records.encode())
    write_whole(folder / "tuning.json", to_json(tuned).encode())
    write_whole(folder / "best.json", _line_by_line(describe_best(tuned)).encode())
    today = datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    write_whole(folder / "report.html", render_report(tuned, date=today).encode())


def _line_by_line(told: dict[str, Any]) -> str:
    """JSON with a line for each thing, however long a table it is."""
    lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in told.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
