"""The explorer at the terminal: what was played in a position, what it is worth, and going on."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence

from parlour import boards
from parlour.core import Game, ParlourError, State, capital, count, say_number, seat_name, sentence
from parlour.faces.terminal.console import Leave, ask_beside, format_score, mark, say
from parlour.lessons import ArchiveGame, MoveRow, OutcomeTally, Survey, Trap
from parlour.players import MoveValue

MAX_ROWS = 25
GAMES = ("1 game", "{number:,} games")
HELP = """Type a move to go on, or one of:
  back     take the last move back
  start    go back to the first position
  games    list games of the archive that came here
  board    show the position again
  quit     stop here"""

Look = Callable[[Sequence[State]], Survey]  # from the first position to the one looked at
ListGames = Callable[[State], Sequence[ArchiveGame]]


def explore(game: Game, states: Iterable[State], look: Look, list_games: ListGames) -> int:
    """Show a position, then the one after each move that is typed, until the person stops."""
    walked = list(states)
    shown = {"games": lambda: _describe_games(list_games(walked[-1]))}
    _show(game, walked, look)
    try:
        while True:
            typed = ask_beside("Move, or 'help': ", HELP, shown)
            word = typed.casefold()
            if word in ("back", "undo") and len(walked) == 1:
                say("This is where it begins.")
                continue
            if word in ("back", "undo"):
                walked.pop()
            elif word == "start":
                del walked[1:]
            elif typed and word != "board":
                try:
                    move = game.read_move(walked[-1], typed)
                except ParlourError as error:
                    say(sentence(str(error)))
                    continue
                walked.append(game.play(walked[-1], move))
            if typed:
                _show(game, walked, look)
    except Leave:
        return 0
    except (EOFError, KeyboardInterrupt):
        say()
    return 0


def _show(game: Game, states: Sequence[State], look: Look) -> None:
    found = look(states)
    say(f"{game.draw(states[-1])}\n\n{describe_survey(game, states[-1], found)}\n")


def describe_survey(game: Game, state: State, found: Survey) -> str:
    """Write what is known of a position: its opening, the games, each move, and the trap."""
    lines = [f"Opening: {found.opening}"] if found.opening else []
    if not game.moves(state):
        return "\n".join([*lines, "The game is over."])
    mover = capital(seat_name(game, game.turn(state)))
    lines.append(f"{mover} to move. {_count_games(found)}")
    columns = zip(_HEAD, *map(_cells, found.rows[:MAX_ROWS]), strict=True)
    head, *rows = zip(*(each for each in columns if any(each[1:])), strict=True)
    table = boards.ResultTable(head, rows).to_text(left=range(len(head)))
    lines += ["", textwrap.indent(table, "  ")]
    if len(found.rows) > MAX_ROWS:
        lines.append(f"  and {count(len(found.rows) - MAX_ROWS, 'more move')}")
    if found.trap:
        lines += ["", describe_trap(found.trap)]
    return "\n".join(lines)


_HEAD = ("move", "value", "archive", "points", "house", "points", "by people", "")


def _cells(row: MoveRow) -> tuple[str, ...]:
    name = " = ".join((row.move, *row.also[:3])) + (" …" if len(row.also) > 3 else "")
    archive = (f"{row.archive.games:,}", _points(row.archive)) if row.archive.games else ("", "")
    house = (f"{row.house.games:,}", _points(row.house)) if row.house.games else ("", "")
    people = f"{row.house.people:,}" if row.house.people else ""
    return (name, _value(row.value), *archive, *house, people, row.opening)


def _points(tally: OutcomeTally) -> str:
    return f"{100 * tally.points:.0f} %"


def _value(value: MoveValue | None) -> str:
    if value is None:
        return ""
    shape = mark(value.outcome, exact=value.exact)
    if value.score is not None:
        return f"{shape} {format_score(value.score, exact=value.exact)}"
    return f"{shape} {value.outcome}" + (f" in {value.plies}" if value.plies else "")


def _count_games(found: Survey) -> str:
    parts = []
    if found.archive.games:
        parts.append(f"{say_number(found.archive.games, *GAMES)} of the archive came here")
    if found.house.games:
        came = "" if parts else " came here"
        parts.append(f"{say_number(found.house.games, *GAMES)} of the house{came}")
    return f"{' and '.join(parts)}." if parts else "No game here has come to this position."


def describe_trap(trap: Trap) -> str:
    """Say which wrong move people choose most."""
    kept = {"win": "wins", "draw": "holds the draw"}[trap.kept]
    left = {"loss": "loses", "draw": "only draws"}[trap.left]
    people = "person" if trap.out_of == 1 else "people"
    return (
        f"The trap here is {trap.move}, which {left} where another move {kept}: "
        f"{trap.people} of {trap.out_of} {people} chose it."
    )


def _describe_games(games: Sequence[ArchiveGame]) -> str:
    lines = []
    for each in games:
        result = f"black {each.lead:+d}" if each.lead else "draw"
        lines.append(f"  {each.source}  {result:10}  {each.moves}")
    return "\n".join(lines) or "No game of the archive came here."
