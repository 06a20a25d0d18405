"""The explorer at the terminal: what was played in a position, what it is worth, and going on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from parlour.core import Game, ParlourError, State, capital, count, seat_name, sentence
from parlour.faces.terminal.console import ask, say
from parlour.lessons import ArchiveGame, MoveRow, OutcomeTally, Survey, Trap
from parlour.players import MoveValue

MARKS = {"win": "▲", "draw": "●", "loss": "▼"}
OUTLINED = {"win": "△", "draw": "○", "loss": "▽"}
MAX_ROWS = 25
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
    _show(game, walked, look)
    try:
        while True:
            typed = ask("Move, or 'help': ").strip()
            word = typed.casefold()
            if word in ("quit", "exit", "stop"):
                break
            if word in ("help", "?", "h"):
                say(HELP)
            elif word in ("back", "undo"):
                if len(walked) == 1:
                    say("This is where it begins.")
                else:
                    walked.pop()
                    _show(game, walked, look)
            elif word == "start":
                del walked[1:]
                _show(game, walked, look)
            elif word == "games":
                _list_games(list_games(walked[-1]))
            elif word == "board":
                _show(game, walked, look)
            elif typed:
                try:
                    move = game.read_move(walked[-1], typed)
                except ParlourError as error:
                    say(sentence(str(error)))
                    continue
                walked.append(game.play(walked[-1], move))
                _show(game, walked, look)
    except (EOFError, KeyboardInterrupt):
        say()
    return 0


def _show(game: Game, states: Sequence[State], look: Look) -> None:
    found = look(states)
    say(game.draw(states[-1]))
    say()
    say(describe_survey(game, states[-1], found))
    say()


def describe_survey(game: Game, state: State, found: Survey) -> str:
    """Write what is known of a position: its opening, the games, each move, and the trap."""
    lines = [f"Opening: {found.opening}"] if found.opening else []
    if not game.moves(state):
        return "\n".join([*lines, "The game is over."])
    mover = capital(seat_name(game, game.turn(state)))
    lines.append(f"{mover} to move. {_count_games(found)}")
    rows = [_HEAD, *(_cells(row) for row in found.rows[:MAX_ROWS])]
    used = [at for at in range(len(_HEAD)) if any(row[at] for row in rows[1:])]
    widths = [max(len(row[at]) for row in rows) for at in used]
    lines.append("")
    for row in rows:
        cells = [row[at].ljust(width) for at, width in zip(used, widths, strict=True)]
        lines.append(("  " + "  ".join(cells)).rstrip())
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
    mark = (MARKS if value.exact else OUTLINED)[value.outcome]
    if value.score is not None:
        return f"{mark} {'' if value.exact else '≈ '}{_signed(value.score)}"
    return f"{mark} {value.outcome}" + (f" in {value.plies}" if value.plies else "")


def _number(games: int) -> str:
    return f"{games:,} {'game' if games == 1 else 'games'}"


def _signed(score: float) -> str:
    return f"{score:+g}" if round(score, 6) else "0"


def _count_games(found: Survey) -> str:
    parts = []
    if found.archive.games:
        parts.append(f"{_number(found.archive.games)} of the archive came here")
    if found.house.games:
        came = "" if parts else " came here"
        parts.append(f"{_number(found.house.games)} of the house{came}")
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


def _list_games(games: Sequence[ArchiveGame]) -> None:
    if not games:
        say("No game of the archive came here.")
    for each in games:
        result = f"black {each.lead:+d}" if each.lead else "draw"
        say(f"  {each.source}  {result:10}  {each.moves}")
