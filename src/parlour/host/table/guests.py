"""Questions about the games of others, of which he has no lines: all is derived from the game.

In `understand/expressions/guests.txt` the game stands as `_`, whatever it is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from parlour import core
from parlour.core import Game, Match, Option, ParlourError, capital, options_of, registry
from parlour.host.language import Line, fill_lines, read_expressions
from parlour.host.session import Session
from parlour.host.table.knowledge import explain_rules, say_who_wins
from parlour.host.table.state import find_solution
from parlour.host.understand import find_game, list_names, read_wish
from parlour.truth.explain import count_plies

EXPRESSIONS = read_expressions("understand/expressions/guests.txt")
LINES = partial(fill_lines, "table/lines/guests.txt")
AT_TABLE = ("options", "history", "length", "positions")  # answered without the game's name too
Lines = tuple[str, ...]


def answer_about_guest(session: Session, line: Line, match: Match | None) -> Lines | None:
    """Answer a question about a game of others, named or on the table; None if it asks nothing."""
    named = find_game(line.words)
    here = match.game if match else None
    text = _replace_name(line.plain, named) if named else f"{line.plain} _"
    topic = next((name for name, asks in EXPRESSIONS.items() if asks.search(text)), "")
    if not topic or not (named or topic in AT_TABLE):
        return None
    game = here if here is not None and named in ("", here.name) else registry.build("games", named)
    return ANSWERS[topic](_find_variant(game, line))


def _replace_name(text: str, game: str) -> str:
    names = sorted(list_names(game), key=len, reverse=True)
    return re.sub(rf"\b(?:{'|'.join(map(re.escape, names))})\b", "_", text)


def _find_variant(game: Game, line: Line) -> Game:
    """Return the variant that a line names, if it names one that can be."""
    options = read_wish(line.words, game.name).options
    try:
        found: Game = registry.build("games", type(game), core.values(game) | options)
    except ParlourError:
        return game
    return found


def say_kind(kind: str, game: Game) -> Lines:
    """Say who wins a game of others, how, or whether it can be drawn."""
    return ANSWERS.get(kind, _say_value)(game)


def _say(section: str, game: Game, **gaps: object) -> Lines:
    name = core.protocol.full_title(game)
    return LINES(section, game=name, Game=capital(name), **gaps)


def _say_about(game: Game) -> Lines:
    return explain_rules(game, general=True)[0]


def _say_value(game: Game) -> Lines:
    return say_who_wins(game)


def _say_win(game: Game) -> Lines:
    solved = find_solution(game, game.start()) is not None
    return (*say_who_wins(game), *(_say("win", game) if solved else ()))


def _list_options(game: Game) -> Lines:
    options = options_of(type(game)).values()
    if not options:
        return _say("no options", game)
    return (*_say("options", game), *(_describe_option(each) for each in options))


def _describe_option(option: Option) -> str:
    """Describe an option in a sentence: `Columns: from 2 to 6, and 3 if you say nothing.`"""
    if option.kind is bool:
        allowed = "yes or no"
    else:
        allowed = core.one_of(option.choices) or option.limits or "any number"
    usual = option.write(option.default) if option.has_default else "as the rules say"
    (line,) = LINES("option", allowed=allowed, usual=usual, about=option.about)
    return f"{capital(option.name.replace('_', ' '))}: {line}"


def _say_length(game: Game) -> Lines:
    longest = core.protocol.max_plies(game)
    if longest is not None:
        return _say("longest", game, plies=count_plies(longest))
    solution = find_solution(game, game.start())
    plies = solution.value(game.start()).plies if solution else None
    if plies is not None:
        return _say("length", game, plies=count_plies(plies))
    return _say("endless" if core.protocol.can_repeat(game) else "not known", game)


def _count_positions(game: Game) -> Lines:
    solution = find_solution(game, game.start())
    if solution is None:
        return _say("too many", game)
    counts = {name: f"{number:,}" for name, number in solution.counts().items()}
    return _say("positions", game, total=f"{sum(solution.counts().values()):,}", **counts)


ANSWERS: dict[str, Callable[[Game], Lines]] = {
    "play": partial(_say, "play"),
    "options": _list_options,
    "history": partial(_say, "history"),
    "positions": _count_positions,
    "length": _say_length,
    "begins": partial(_say, "begins"),
    "draw": _say_value,
    "value": _say_value,
    "win": _say_win,
    "about": _say_about,
}
