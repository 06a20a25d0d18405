"""Make the opening book from the WTHOR games: python -m tools.othello.book WTHOR [CACHE]

In it are the positions of the first plies that were on the board in many games. The engine searches
each of them; then, from the last ply to the first, a position is worth what its best move is: one
that leads to another position of the book, or the one the search found. What was searched is kept
in the folder CACHE and not searched again.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from tools.othello.positions import MOST, Positions, read_games

from parlour.engine import OthelloEngine
from parlour.engine.opening_book import FILE, Moves, canonical, write_book
from parlour.rules.othello import Othello

PLIES = 20
GAMES = 50  # in so many a position was reached
DEPTH = 16  # plies searched ahead
GAME = Othello()

Position = tuple[int, int]


def often_played(positions: Positions) -> list[Position]:
    """The positions of the book, each as the book sees it, those with many discs first."""
    found = []
    for empties in range(MOST + 1 - PLIES, MOST + 1):
        own, other, _ = positions.played(empties)
        boards, games = np.unique(np.stack([own, other], axis=1), axis=0, return_counts=True)
        alike: dict[Position, int] = {}
        for (mine, yours), count in zip(boards.tolist(), games.tolist(), strict=True):
            position, _ = canonical(mine, yours)
            alike[position] = alike.get(position, 0) + count
        found += sorted(position for position, count in alike.items() if count >= GAMES)
    return [*found, canonical(*GAME.start()[:2])[0]]


def searched(position: Position, mind: OthelloEngine) -> tuple[int, int]:
    """The square of the best move that a search finds, and the lead it promises."""
    thought = mind.analyse((*position, 0), plies=DEPTH)
    return thought.move[0] + 8 * thought.move[1], round(thought.score)


def carried_back(best: dict[Position, tuple[int, int]]) -> dict[Position, Moves]:
    """What the moves of every position are worth, given the best move of each, many discs first."""
    pages: dict[Position, Moves] = {}
    for position, (square, lead) in best.items():
        moves = {square: lead}
        for move in GAME.moves((*position, 0)):
            after, _ = canonical(*GAME.play((*position, 0), move)[:2])
            if after in pages:
                moves[move[0] + 8 * move[1]] = -max(pages[after].values())
        pages[position] = moves
    return pages


def reached(pages: dict[Position, Moves]) -> dict[Position, Moves]:
    """The positions that moves of the book lead to; a few were only reached by way of others."""
    found: dict[Position, Moves] = {}
    todo = [canonical(*GAME.start()[:2])[0]]
    while todo:
        position = todo.pop()
        if position in pages and position not in found:
            found[position] = pages[position]
            moves = ((square % 8, square // 8) for square in pages[position])
            todo += [canonical(*GAME.play((*position, 0), move)[:2])[0] for move in moves]
    return found


def main(folder: str, cache: str = "build/othello") -> None:
    """Search, carry back, and put the file in its place."""
    Path(cache).mkdir(parents=True, exist_ok=True)
    kept = Path(cache) / f"book-{DEPTH}.txt"
    kept.touch()
    rows = [[int(number) for number in line.split()] for line in kept.read_text().splitlines()]
    known = {(own, other): (square, lead) for own, other, square, lead in rows}
    positions = often_played(Positions(read_games(Path(folder))))
    mind = OthelloEngine(GAME)
    began = time.monotonic()
    with kept.open("a") as notes:
        for number, position in enumerate(positions, start=1):
            if position not in known:
                known[position] = searched(position, mind)
                print(*position, *known[position], file=notes, flush=True)
            if number % 100 == 0:
                print(f"{number} of {len(positions)}, {time.monotonic() - began:.0f} s", flush=True)
    pages = reached(carried_back({position: known[position] for position in positions}))
    FILE.write_bytes(write_book(pages))
    print(f"{FILE}: {len(pages)} positions, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    if not 1 <= len(sys.argv) - 1 <= 2 or "--help" in sys.argv:
        sys.exit(__doc__)
    main(*sys.argv[1:])
