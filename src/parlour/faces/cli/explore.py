"""`parlour explore GAME [POSITION]`: what was played in a position, and what each move is worth."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from parlour.core import Game, State, answers, describe
from parlour.faces.cli.command import Parser, parse_position, print_json, read_position
from parlour.faces.progress import describe_size, wait
from parlour.faces.terminal import explore
from parlour.lessons import Archive, Survey, build_archive, survey_position
from parlour.players import assess
from parlour.rules import Othello
from parlour.rules.formats import add_passes, split_moves

if TYPE_CHECKING:
    from parlour.faces.house_games import HouseGames

LISTED = 10  # games of the archive
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


def run(parser: Parser, arguments: list[str]) -> int:
    """Show a position, and go on from there by moves that are typed."""
    parser.add_flags("explore")
    given, game = parse_position(parser, arguments)
    states = _walk(game, read_position(game, given.position), given.moves or ())
    archive = Archive(find_archive(given.games)) if given.games else None
    with _open_house(given) as house:

        def look(walked: Sequence[State]) -> Survey:
            return _look(game, walked, archive, house)

        if given.json:
            print_json(_to_answer(game, states[-1], look(states)))
            return 0
        return explore(
            game,
            states,
            look,
            lambda state: archive.list_games(game, state, LISTED) if archive else (),
        )


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
    return wait(lambda work: build_archive(paths, work=work), doing=doing, things="files")


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


def _look(
    game: Game, states: Sequence[State], archive: Archive | None, house: HouseGames | None
) -> Survey:
    state = states[-1]
    assessed = wait(
        lambda work: assess(game, state, work=work, seconds=SECONDS),
        doing=f"valuing the moves of {describe(game)}",
        things="situations",
        size=describe_size(game),
    )
    return survey_position(
        game,
        states,
        archive=archive.find(game, state) if archive else {},
        house=house.find(game, state) if house else {},
        assessed=assessed,
    )


def _to_answer(game: Game, state: State, found: Survey) -> Answer:
    return {
        "format": "parlour explore 1",
        **answers.game_fields(game),
        **answers.position_fields(game, state),
        "opening": found.opening or None,
        "archive": answers.pick(PlayCount, found.archive),
        "house": answers.pick(PlayCount, found.house),
        "moves": [
            {
                "move": row.move,
                "also": list(row.also),
                "outcome": row.value.outcome if row.value else None,
                "plies": row.value.plies if row.value else None,
                "score": row.value.score if row.value else None,
                "exact": row.value.exact if row.value else None,
                "opening": row.opening or None,
                "archive": answers.pick(PlayCount, row.archive),
                "house": answers.pick(PlayCount, row.house),
            }
            for row in found.rows
        ],
        "trap": None if found.trap is None else answers.pick(CommonTrap, found.trap),
    }
