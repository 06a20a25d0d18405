"""Openings: moves made before the players take over, so that two bots do not play one game twice.

Every opening is played in both seatings, so it need not be even to be fair.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Hashable
from pathlib import Path

from parlour.arena.plan import Opening
from parlour.core import BadFile, BadText, Game, ParlourError, Record, State, count, key, quote

TRIES = 50  # for each opening that is to differ from those before
MOST_PLIES = 200


def openings(game: Game, said: int | str | Path, many: int, seed: int) -> tuple[Opening, ...]:
    """So many random plies, or those in a file."""
    if isinstance(said, Path):
        return listed(game, said)
    if isinstance(said, int) or re.fullmatch(r"-?[0-9]{1,9}", str(said).strip()):
        return drawn(game, int(str(said)), many, seed)
    if not os.path.isfile(said):  # noqa: PTH113 - a text of any length is no file, not an error
        raise ParlourError(
            f"openings are a number of random moves or a file with some, not {quote(str(said))}"
        )
    return listed(game, Path(said))


def drawn(game: Game, plies: int, many: int, seed: int) -> tuple[Opening, ...]:
    """Up to so many openings of so many random plies, no two of which lead to one position."""
    if not 0 <= plies <= MOST_PLIES:
        raise ParlourError(f"an opening has 0 to {MOST_PLIES} plies, not {plies}")
    if plies == 0:
        return ((),)
    lots = random.Random(f"openings {seed}")
    found: dict[Hashable, Opening] = {}
    for _ in range(TRIES * many):
        if len(found) == many:
            break
        made, state = _drawn(game, plies, lots)
        if made is not None:
            found.setdefault((game.turn(state), key(game, state)), made)
    if not found:
        raise ParlourError(
            f"{game.name} is often over within {count(plies, 'ply').replace('plys', 'plies')} of "
            "random moves here; choose shorter openings"
        )
    return tuple(found.values())


def _drawn(game: Game, plies: int, lots: random.Random) -> tuple[Opening | None, State]:
    state, made = game.start(), []
    for _ in range(plies):
        moves = game.moves(state)
        if not moves:
            return None, state
        move = moves[lots.randrange(len(moves))]
        made.append(game.write_move(move))
        state = game.play(state, move)
    return (tuple(made), state) if game.moves(state) else (None, state)


def listed(game: Game, path: Path) -> tuple[Opening, ...]:
    """The openings in a file, one a line: moves with commas between them, or records."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(_read(game, line.strip()))
            except ParlourError as trouble:
                raise BadText(f"line {number} of {path.name}: {trouble}") from None
    if not found:
        raise BadText(f"{path.name} holds no openings; write one a line, moves with commas between")
    return tuple(found)


def _read(game: Game, line: str) -> Opening:
    if line.startswith("{"):
        texts = list(Record.from_json(line).moves)
    else:
        texts = [text for text in re.split(r"\s*[,;]\s*", line) if text]
    state, made = game.start(), []
    for text in texts:
        move = game.read_move(state, text)
        made.append(game.write_move(move))
        state = game.play(state, move)
    if not game.moves(state):
        raise BadText(f"the game is over after {quote(line)}; leave something to play")
    return tuple(made)
