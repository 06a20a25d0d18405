"""`parlour explore GAME [POSITION]`: what was played in a position, and what each move is worth."""

from __future__ import annotations

import argparse
import contextlib
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from parlour import boards, core, lessons
from parlour.core import Game, ParlourError, State, answers
from parlour.faces.cli.command import Parser, parse_position, print_json, read_position
from parlour.faces.progress import describe_size, wait
from parlour.faces.terminal import console
from parlour.lessons import Archive, MoveRow, OutcomeTally, Survey
from parlour.players import MoveValue, assess
from parlour.rules import Othello
from parlour.rules.formats import add_passes, split_moves

if TYPE_CHECKING:
    from parlour.faces.house_games import HouseGames

MAX_ROWS = 25
GAMES = ("1 game", "{number:,} games")
HELP = """Type a move to go on, or one of:
  back     take the last move back
  start    go back to the first position
  games    list games of the archive that came here
  board    show the position again
  quit     stop here"""
HEAD = ("move", "value", "archive", "points", "house", "points", "by people", "")
LISTED = 10  # games of the archive
VALUE_FIELDS = ("outcome", "plies", "score", "exact")
SECONDS = 1.0  # for the engine's estimate of a position


class PlayCount(TypedDict):
    """How often a move was played, and how those games ended for its mover."""

    games: int  # how many games went on with it
    wins: int  # for the mover
    draws: int  # likewise
    losses: int  # likewise
    people: int  # in how many a person chose it; not known of an archive


class ExploredMove(TypedDict):
    """A move, what it is worth, and how often it was played."""

    move: str
    also: list[str]  # moves that come to the same by symmetry
    outcome: answers.Outcome | None  # for the mover; null where that is not known
    plies: int | None  # to the end with best play
    score: float | None  # the lead in discs at the end, where discs count
    exact: bool | None  # whether that is proven
    opening: str | None  # the name of the opening it leads to, where that changes
    archive: PlayCount
    house: PlayCount


class CommonTrap(TypedDict):
    """The wrong move that people choose most, where the values are proven."""

    move: str
    people: int  # who chose it
    out_of: int  # people who moved here


class Answer(answers.GameFields, answers.PositionFields):
    """What `parlour explore --json` prints: what was played in a position, and its values."""

    format: Literal["parlour explore 1"]
    opening: str | None  # the name of the opening
    archive: PlayCount  # games of the archive
    house: PlayCount  # finished games of the web site in which a person sat
    moves: list[ExploredMove]
    trap: CommonTrap | None


@dataclass
class View:
    """The line that leads to a position, and where games are found that came there."""

    game: Game
    walked: list[State]
    archive: Archive | None
    house: HouseGames | None

    @property
    def state(self) -> State:
        return self.walked[-1]

    def look(self) -> Survey:
        """Value the moves of the position, and count the games."""
        assessed = wait(
            lambda work: assess(self.game, self.state, work=work, seconds=SECONDS),
            doing=f"valuing the moves of {core.describe(self.game)}",
            things="situations",
            size=describe_size(self.game),
        )
        return lessons.survey_position(
            self.game,
            self.walked,
            archive=self.archive.find(self.game, self.state) if self.archive else {},
            house=self.house.find(self.game, self.state) if self.house else {},
            assessed=assessed,
        )


def run(parser: Parser, arguments: list[str]) -> int:
    """Show a position, and go on from there by moves that are typed."""
    parser.epilog = (
        "Games of an Othello archive are read once, into an index in your data folder; the next "
        "time it is there at once. The house's games are those of the web site: finished ones in "
        "which a person sat, counted without names."
    )
    about = "Othello: count these games too, files or folders of WTHOR archives, GGF or records"
    parser.add_flag("--games", "FILE", about, nargs="+", type=Path)
    parser.add_flag("--moves", "MOVE", "go there by these moves, as in f5 d6 c3", nargs="+")
    parser.add_database("the database of the site whose games count, as for parlour web")
    given, game = parse_position(parser, arguments)
    walked = _walk(game, read_position(game, given.position), given.moves or ())
    archive = Archive(find_archive(given.games)) if given.games else None
    with _open_house(given) as house:
        view = View(game, walked, archive, house)
        if given.json:
            print_json(_to_answer(game, view.state, view.look()))
            return 0
        try:
            _explore(view)
        except console.Leave:
            pass
        except (EOFError, KeyboardInterrupt):
            console.say()
    return 0


def _walk(game: Game, state: State, moves: Sequence[str]) -> list[State]:
    """Return the position and those after each of the moves; f5d6c3 is three of Othello."""
    states = [state]
    if isinstance(game, Othello) and moves:
        listed: Sequence[Any] = add_passes(game, state, split_moves(" ".join(moves), game))
        for move in listed:
            states.append(game.play(states[-1], move))
        return states
    for text in moves:
        states.append(game.play(states[-1], game.read_move(states[-1], text)))
    return states


def find_archive(paths: Sequence[Path]) -> Path:
    """Return the file of the archive of these games, which is made once."""
    doing = "reading the games into an index"
    return wait(lambda work: lessons.build_archive(paths, work=work), doing=doing, things="files")


@contextlib.contextmanager
def _open_house(given: argparse.Namespace) -> Iterator[HouseGames | None]:
    """Open the house's games; by default those of this user's own site, if there is one."""
    try:
        from parlour.store import has_database, open_store
    except ModuleNotFoundError:  # without the web's extra there are none
        yield None
        return
    if not given.database and not has_database():
        yield None
        return
    from parlour.faces.house_games import HouseGames

    with contextlib.closing(open_store(given.database or None)) as store:
        house = HouseGames(store)
        while house.catch_up():
            pass
        yield house


def _to_answer(game: Game, state: State, found: Survey) -> Answer:
    return {
        "format": "parlour explore 1",
        **answers.game_fields(game),
        **answers.position_fields(game, state),
        "opening": found.opening or None,
        "archive": answers.pick(PlayCount, found.archive),
        "house": answers.pick(PlayCount, found.house),
        "moves": [_row_to_dict(row) for row in found.rows],
        "trap": None if found.trap is None else answers.pick(CommonTrap, found.trap),
    }


def _row_to_dict(row: MoveRow) -> ExploredMove:
    value = {name: getattr(row.value, name, None) for name in VALUE_FIELDS}
    return answers.pick(
        ExploredMove,
        row,
        **value,
        also=list(row.also),
        opening=row.opening or None,
        archive=answers.pick(PlayCount, row.archive),
        house=answers.pick(PlayCount, row.house),
    )


# The conversation


def _explore(view: View) -> None:
    """Show a position, then the one after each move that is typed, until the person stops."""
    shown = {"games": lambda: _describe_games(view)}
    _show(view)
    while True:
        typed = console.ask_beside("Move, or 'help': ", HELP, shown)
        word = typed.casefold()
        if word in ("back", "undo") and len(view.walked) == 1:
            console.say("This is where it begins.")
            continue
        if word in ("back", "undo"):
            view.walked.pop()
        elif word == "start":
            del view.walked[1:]
        elif typed and word != "board":
            try:
                move = view.game.read_move(view.state, typed)
            except ParlourError as error:
                console.say(core.sentence(str(error)))
                continue
            view.walked.append(view.game.play(view.state, move))
        if typed:
            _show(view)


def _show(view: View) -> None:
    console.say(
        f"{view.game.draw(view.state)}\n\n{_describe_survey(view.game, view.state, view.look())}\n"
    )


def _describe_survey(game: Game, state: State, found: Survey) -> str:
    """Write what is known of a position: its opening, the games, each move, and the trap."""
    lines = [f"Opening: {found.opening}"] if found.opening else []
    if not game.moves(state):
        return "\n".join([*lines, "The game is over."])
    mover = core.capital(core.seat_name(game, game.turn(state)))
    lines.append(f"{mover} to move. {_count_games(found)}")
    columns = zip(HEAD, *map(_cells, found.rows[:MAX_ROWS]), strict=True)
    head, *rows = zip(*(each for each in columns if any(each[1:])), strict=True)
    table = boards.ResultTable(head, rows).to_text(left=range(len(head)))
    lines += ["", textwrap.indent(table, "  ")]
    if len(found.rows) > MAX_ROWS:
        lines.append(f"  and {core.count(len(found.rows) - MAX_ROWS, 'more move')}")
    if found.trap:
        lines += ["", describe_trap(found.trap)]
    return "\n".join(lines)


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
    shape = console.mark(value.outcome, exact=value.exact)
    if value.score is not None:
        return f"{shape} {console.format_score(value.score, exact=value.exact)}"
    return f"{shape} {value.outcome}" + (f" in {value.plies}" if value.plies else "")


def _count_games(found: Survey) -> str:
    parts = []
    if found.archive.games:
        parts.append(f"{core.say_number(found.archive.games, *GAMES)} of the archive came here")
    if found.house.games:
        came = "" if parts else " came here"
        parts.append(f"{core.say_number(found.house.games, *GAMES)} of the house{came}")
    return f"{' and '.join(parts)}." if parts else "No game here has come to this position."


def describe_trap(trap: lessons.Trap) -> str:
    """Say which wrong move people choose most."""
    kept = {"win": "wins", "draw": "holds the draw"}[trap.kept]
    left = {"loss": "loses", "draw": "only draws"}[trap.left]
    people = "person" if trap.out_of == 1 else "people"
    return (
        f"The trap here is {trap.move}, which {left} where another move {kept}: "
        f"{trap.people} of {trap.out_of} {people} chose it."
    )


def _describe_games(view: View) -> str:
    lines = []
    for each in view.archive.list_games(view.game, view.state, LISTED) if view.archive else ():
        result = f"black {each.lead:+d}" if each.lead else "draw"
        lines.append(f"  {each.source}  {result:10}  {each.moves}")
    return "\n".join(lines) or "No game of the archive came here."
