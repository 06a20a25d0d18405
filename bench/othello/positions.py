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
