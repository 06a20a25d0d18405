"""The sets of positions that are measured, read from a folder that is not part of this project.

In the folder `ffo` are the positions of the Forum of the French Othello federation as OBF files, in
`hard` those that are hard to judge, and in `wthor` the archive of tournament games. OBF gives the
exact score of every move, for the mover.
"""

from __future__ import annotations

import random
import re
from argparse import ArgumentParser
from dataclasses import dataclass
from os import environ
from pathlib import Path

from parlour.core import ParlourError
from parlour.engine import empties
from parlour.rules.formats import Transcript, read_wthor
from parlour.rules.othello import PASS, Othello, OthelloState

VARIABLE = "PARLOUR_POSITIONS"
FILES = {  # and which of its lines, with the number of the first
    "ffo-1-19": ("ffo/fforum-1-19.obf", slice(None), 1),
    "ffo-20-39": ("ffo/fforum-20-39.obf", slice(None), 20),
    "ffo-40-49": ("ffo/fforum-40-59.obf", slice(10), 40),
    "ffo-50-59": ("ffo/fforum-40-59.obf", slice(10, None), 50),
    "ffo-60-79": ("ffo/fforum-60-79.obf", slice(None), 60),
    "hard-20": ("hard/hard-20.obf", slice(None), 1),
    "hard-25": ("hard/hard-25.obf", slice(None), 1),
}
ARCHIVE = "archive-24"
ARCHIVE_EMPTIES, ARCHIVE_NUMBER, ARCHIVE_SEED = 24, 10, 19
SETS = (*FILES, ARCHIVE)
GAMES = (  # that the engine once played with itself, from different openings
    "d3e3f5e6f6c5d6c6c4d7",
    "f5d6c3d3c5g6f3f4e3c4e6f6g4",
    "e6f6g6e3f5d6c6d7c7e7c8d8f4c5f3g5",
    "d3c5d6c7e6f6e7f5c6d7c4b6c8d8e8f4g5h6h4",
    "c4c3d3e3d2c5f3c2b6b5f4f5e6f6d6d7b3c6a6g3g4h3",
    "e6d6c7f5f4f3g5f6g4g6g3h5e3d3f7d2h6h7h4h3e2f1c4e7f2",
    "f5f4f3f6c4c5d6e3d3e7d7c3e6f7c6c8b6c7g6a6f8g5h6e8d8g4b8c2",
    "c4c5f6c3c6c7b3f5d6e6d7d3b4b5b6a3c2a5f3e3f4c8d8e7f8e8b8g4f2a4d2",
    "c4c5c6c3d3e3d2c2e2b4f2f3b5d1a3e1f1d6c1b6g4g3f5h5f4e6f6g2f7e7e8g6h1f8",
    "d3c5f6e3c6d6c3f4c4f3e6c2d2c1f5b3e2d7e7d1f1g6g3e1b1g2g5b4b5a5g4h5h1h4b2g1f2",
)
SCORE = re.compile(r"([A-Ha-h][1-8]|[Pp][AaSs]):([+-]?\d+)")


@dataclass(frozen=True)
class Problem:
    """A position, and the exact scores of its moves as far as they are known."""

    name: str
    text: str
    state: OthelloState
    scores: dict[str, int]

    @property
    def score(self) -> int | None:
        """The exact score, if it is known."""
        return max(self.scores.values(), default=None)


def add_folder(parser: ArgumentParser) -> None:
    """Add the argument that names the folder."""
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=environ.get(VARIABLE),
        help=f"that holds ffo, hard and wthor; else the variable {VARIABLE} names it",
    )


def why_missing(folder: Path | None, name: str) -> str:
    """Return why a set cannot be measured, or nothing if it can."""
    if folder is None:
        return f"give the folder of the positions as the argument or in {VARIABLE}"
    path = folder / (FILES[name][0] if name in FILES else "wthor")
    return "" if path.exists() else f"there is no {path}"


def read_set(folder: Path, name: str) -> list[Problem]:
    """Return the positions of a set."""
    game = Othello()
    if name == ARCHIVE:
        return archive_positions(game, folder / "wthor")
    file, chosen, first = FILES[name]
    lines = [line for line in (folder / file).read_text().splitlines() if line.strip()]
    problems = []
    for number, line in enumerate(lines[chosen], start=first):
        text = line.partition(";")[0]
        scores = {move.lower(): int(score) for move, score in SCORE.findall(line)}
        problems.append(Problem(str(number), text, game.read(text), scores))
    return problems


def archive_positions(game: Othello, folder: Path) -> list[Problem]:
    """Return positions of games drawn at random from the archive, always the same."""
    years = [read_wthor(path.read_bytes()) for path in sorted(folder.glob("*.wtb"))]
    places = [(year, place) for year, games in enumerate(years) for place in range(len(games))]
    random.Random(ARCHIVE_SEED).shuffle(places)
    problems: list[Problem] = []
    for year, place in places:
        if len(problems) == ARCHIVE_NUMBER:
            break
        try:
            state = late_position(years[year][place])
        except ParlourError:  # a few games of the archive are not played by the rules
            continue
        if state is not None:
            problems.append(Problem(str(len(problems) + 1), game.write(state), state, {}))
    return problems


def late_position(transcript: Transcript) -> OthelloState | None:
    """Return the position of a game with so many empty squares, if somebody can move there."""
    for state, _ in transcript.positions():
        if empties(transcript.game, state) == ARCHIVE_EMPTIES:
            moves = transcript.game.moves(state)
            return state if moves and moves[0] != PASS else None
    return None


# The middle of games


def moves_of(line: str) -> list[str]:
    """Return the moves of a line such as `f5d6c3`."""
    return [line[place : place + 2] for place in range(0, len(line), 2)]


def state_after(game: Othello, line: str) -> OthelloState:
    """Return the position after a line of moves."""
    state = game.start()
    for text in moves_of(line):
        state = game.play(state, game.read_move(state, text))
    return state
