"""Make the opening book from the WTHOR games: python -m tools.othello.book WTHOR [CACHE]

The book holds the positions of the first plies that many games reached. The engine searches each of
them; then scores are backed up from the last ply to the first: a position scores as its best move
does, one that leads to another position of the book or the one the search found. Search results are
kept in the folder CACHE.
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
GAMES = 50  # that reached a position, at least
DEPTH = 16  # plies searched ahead
GAME = Othello()

Position = tuple[int, int]


def frequent_positions(positions: Positions) -> list[Position]:
    """Return the positions of the book in canonical form, those with most discs first."""
    found = []
    for empties in range(MOST + 1 - PLIES, MOST + 1):
        own, other = positions.at(empties)
        boards, games = np.unique(np.stack([own, other], axis=1), axis=0, return_counts=True)
        alike: dict[Position, int] = {}
        for (mine, yours), count in zip(boards.tolist(), games.tolist(), strict=True):
            position, _ = canonical(mine, yours)
            alike[position] = alike.get(position, 0) + count
        found += sorted(position for position, count in alike.items() if count >= GAMES)
    return [*found, canonical(*GAME.start()[:2])[0]]


def search(position: Position, engine: OthelloEngine) -> tuple[int, int]:
    """Return the square of the best move that a search finds, and its lead."""
    found = engine.analyse((*position, 0), plies=DEPTH)
    return found.move[0] + 8 * found.move[1], round(found.score)


def back_up(best: dict[Position, tuple[int, int]]) -> dict[Position, Moves]:
    """Return the moves of every position, given the best move of each, most discs first."""
    book: dict[Position, Moves] = {}
    for position, (square, lead) in best.items():
        moves = {square: lead}
        for move in GAME.moves((*position, 0)):
            after, _ = canonical(*GAME.play((*position, 0), move)[:2])
            if after in book:
                moves[move[0] + 8 * move[1]] = -max(book[after].values())
        book[position] = moves
    return book


def reachable(book: dict[Position, Moves]) -> dict[Position, Moves]:
    """Return the positions that moves of the book lead to; a few are reached only otherwise."""
    found: dict[Position, Moves] = {}
    todo = [canonical(*GAME.start()[:2])[0]]
    while todo:
        position = todo.pop()
        if position in book and position not in found:
            found[position] = book[position]
            moves = ((square % 8, square // 8) for square in book[position])
            todo += [canonical(*GAME.play((*position, 0), move)[:2])[0] for move in moves]
    return found


def main(folder: str, cache: str = "build/othello") -> None:
    """Search, back up, and write the file."""
    Path(cache).mkdir(parents=True, exist_ok=True)
    kept = Path(cache) / f"book-{DEPTH}.txt"
    kept.touch()
    rows = [[int(number) for number in line.split()] for line in kept.read_text().splitlines()]
    known = {(own, other): (square, lead) for own, other, square, lead in rows}
    positions = frequent_positions(Positions.of_archive(read_games(Path(folder))))
    engine = OthelloEngine(GAME)
    began = time.monotonic()
    with kept.open("a") as notes:
        for number, position in enumerate(positions, start=1):
            if position not in known:
                known[position] = search(position, engine)
                print(*position, *known[position], file=notes, flush=True)
            if number % 100 == 0:
                print(f"{number} of {len(positions)}, {time.monotonic() - began:.0f} s", flush=True)
    book = reachable(back_up({position: known[position] for position in positions}))
    FILE.write_bytes(write_book(book))
    print(f"{FILE}: {len(book)} positions, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    if not 1 <= len(sys.argv) - 1 <= 2 or "--help" in sys.argv:
        sys.exit(__doc__)
    main(*sys.argv[1:])
