"""`parlour check-bot FILE [GAME]`: find out what is wrong with a bot you wrote.

The bot plays some games as it would in a league, sandboxed and against the clock; the first thing
that goes wrong is shown with its line, its position and what to do about it.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

from parlour import arena, core
from parlour.core import BadFile, Clock, Game, ParlourError, count, quote, registry, suggest
from parlour.faces.cli.command import Parser, add_options, print_json, read_options
from parlour.faces.cli.tournament import ask_for_trust
from parlour.rules import Othello


class Answer(TypedDict):
    """What `parlour check-bot --json` prints: whether a bot is fine, and what is wrong with it."""

    format: Literal["parlour check-bot 1"]
    file: str
    fine: bool
    games: list[Annotated[dict[str, Any], arena.botcheck.CheckResult]]


def run(parser: Parser, arguments: list[str]) -> int:
    """Check a bot in one game, or in every game; the exit code is 1 if it is fine in none."""
    parser.add_flag("--time", "TIME", "the time control, as in a tournament", default="1/move")
    parser.add_switch("--trust", "run the bot even if this machine cannot sandbox it")
    parser.add_json()
    parser.usage = "parlour check-bot FILE [GAME] [options]"
    parser.epilog = (
        "FILE is a Python file, a model (.onnx, .zip), a program that speaks the line protocol, "
        "'gtp: COMMAND' or the address of a bot. With "
        "the name of a game the bot is checked in that game, else in every game."
    )
    file, rest = parser.split_name(arguments)
    game, rest = parser.split_name(rest)
    if not file or not game:
        parser.offer("GAME" if file else "FILE", rest)
    if not file and not {"-h", "--help"} & set(rest):
        raise ParlourError("name the file of your bot, as in parlour check-bot my_bot.py nim")
    if game and file[0] in registry.games() and game[0] not in registry.games():
        file, game = game, file
    if file and not game and file[0].casefold().startswith(arena.GTP_PREFIX):
        game = [Othello.name]
    cls = registry.find("games", game[0], files=True) if game else None
    known = core.options_of(cls) if cls else {}
    if cls is not None:
        add_options(parser, known)
    elif parser.parse_known_args(rest)[1]:
        raise ParlourError(
            "the options of a game come after its name, as in parlour check-bot my_bot.py nim "
            "--piles 3 4"
        )
    given = parser.parse(rest)
    clock = Clock.read(given.time)
    if cls is not None:
        games: list[Game] = [registry.build("games", cls, read_options(known, vars(given)))]
    else:
        games = [registry.build("games", name) for name in registry.games()]
    if games[0].seats != 2:
        raise ParlourError(f"bots are checked in games for two, not for {games[0].seats}")
    bot = _find_bot(file[0], games[0])
    sandboxed = ask_for_trust(arena.Plan("", (bot,)), trust=given.trust)
    is_loaded = bot.kind in (arena.PYTHON, arena.MODEL)
    found = []
    for each in games:
        plan = arena.Plan.of(each, (), clock=clock)
        found.append(arena.botcheck.check_bot(bot, plan, each, strong=sandboxed, brief=cls is None))
        flaw = found[-1].flaw
        if is_loaded and flaw and "was not ready" in flaw.text:
            break  # it would fail to start in every game
    fine = any(each.flaw is None for each in found)
    name = arena.botcheck.bot_file(bot).name if is_loaded or arena.is_file(file[0]) else file[0]
    if given.json:
        answer: Answer = {
            "format": "parlour check-bot 1",
            "file": name,
            "fine": fine,
            "games": [core.answers.to_plain(each) for each in found],
        }
        print_json(answer)
    elif len(found) == 1 or (not fine and len({str(each.flaw) for each in found}) == 1):
        print(_format_result(name, found[0]))
    else:
        print(_format_survey(file[0], name, found))
    return 0 if fine else 1


def _find_bot(text: str, game: Game) -> arena.Entry:
    """Return the bot in a file, or any other that a tournament accepts, except built-in ones."""
    if arena.is_file(text):
        return arena.read_entry(shlex.quote(str(Path(text).absolute())), game)
    if text.casefold().startswith(arena.GTP_PREFIX):
        return arena.read_entry(text, game)
    typed = registry.split_command(text) or [""]
    first = typed[0]
    if registry.is_address(first) or arena.needs_trust(typed):
        return arena.read_entry(text, game)
    if os.path.isdir(first):  # noqa: PTH112 - Path.is_dir raises on a very long text
        raise BadFile(f"{quote(text)} is a folder; name the file of a bot")
    command = shutil.which(first) and len(typed) > 1
    if not command and not arena.is_file(first):
        here = [path.name for path in Path(first).parent.glob("*.py")] if len(first) < 255 else []
        hint = suggest(Path(first).name, here)
        raise BadFile(f"there is no file {quote(text)}{hint}")
    return arena.read_entry(text, game)


def _format_result(name: str, checked: arena.botcheck.CheckResult) -> str:
    if checked.flaw is not None:
        return _format_flaw(name, checked.flaw)
    slowest = arena.format_seconds(checked.slowest) if checked.slowest else "under 1 ms"
    lines = [
        f"{name} is fine: {count(checked.games, 'game')} of {checked.game} in both seats, slowest "
        f"move {slowest}.",
        f"Against random moves it scored {arena.format_points(checked.points)} of "
        f"{checked.against} points.",
    ]
    accuracy = checked.accuracy
    if accuracy is not None and accuracy.won:
        lines.append(
            f"It kept the win in {accuracy.kept} of {count(accuracy.won, 'winning position')}, "
            f"{accuracy.kept / accuracy.won:.0%}."
        )
    return "\n".join(lines)


def _format_flaw(name: str, flaw: arena.botcheck.Flaw) -> str:
    where = f", line {flaw.line}" if flaw.line else ""
    lines = [f"{name}{where}: {arena.clean_line(flaw.text)}"]
    if flaw.source:
        lines.append(f"  {flaw.line} | {arena.clean_line(flaw.source)}")
    lines.append(flaw.advice)
    if flaw.wrote:
        lines += ["", "It wrote:", *(f"  {line}" for line in flaw.wrote)]
    if flaw.board:
        lines += ["", f"It was asked for a move in this position, {flaw.position}:", "", flaw.board]
        lines += ["", f"The legal moves are {', '.join(flaw.moves)}"]
    return "\n".join(lines)


def _format_survey(typed: str, name: str, found: Sequence[arena.botcheck.CheckResult]) -> str:
    """Say which games it plays, where none was named."""
    plays = [each.game for each in found if each.flaw is None]
    lines = [f"{name} plays {', '.join(plays) or 'none of the games'}."]
    for each in found:
        if each.flaw is not None:
            where = f"line {each.flaw.line}: " if each.flaw.line else ""
            lines.append(f"Not {each.game}: {arena.clean_line(where + each.flaw.text)}")
    which = plays[0] if plays else found[0].game
    lines.append(f"For details: {shlex.join(['parlour', 'check-bot', typed, which])}")
    return "\n".join(lines)
