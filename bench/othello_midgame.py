"""How far the engine sees in the middle of a game in a fixed time, one thread, and how surely.

The positions come from ten games it once played with itself from different openings. The peer in
this run is OpenSpiel's alpha-beta search, a Python loop over its C++ states that counts discs, at
the longest search it can bring to its end in the same time. Where the variable EDAX names the
program of an Edax, it thinks as long about the same positions.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search
from othello_end import EdaxFound, edax, make_engine

import parlour
from parlour.engine import OthelloEngine
from parlour.rules.othello import OthelloState

SECONDS = (0.1, 1.0, 5.0)
MEGABYTES = 256
GAMES = (
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


@dataclass(frozen=True)
class Seen:
    """How deep somebody searched, and how many nodes a second."""

    depth: int
    rate: float


def moves_of(line: str) -> list[str]:
    return [line[place : place + 2] for place in range(0, len(line), 2)]


def ours(engine: OthelloEngine, state: OthelloState, seconds: float) -> tuple[Seen, str]:
    """Return how deep the engine searches, as numbers and as text."""
    engine._searcher.forget()
    found = engine.analyse(state, seconds=seconds)
    text = "exact" if found.exact else f"{found.depth}@{found.certainty}%"
    return Seen(found.depth, found.nodes / found.seconds), text


def theirs(line: str, seconds: float) -> Seen:
    """Return how deep OpenSpiel searches, one ply deeper each time; it counts leaves only."""
    game = pyspiel.load_game("othello")
    state = game.new_initial_state()
    for move in moves_of(line):
        state.apply_action(state.string_to_action(state.current_player(), move))
    player = state.current_player()
    mark = "xo"[player]
    valued, depth, began = 0, 0, time.perf_counter()

    def value(leaf: pyspiel.State) -> int:
        nonlocal valued
        valued += 1
        if time.perf_counter() - began > seconds:
            raise TimeoutError
        board = leaf.observation_string(0)
        return 2 * board.count(mark) - board.count("x") - board.count("o")

    try:
        while True:
            alpha_beta_search(
                game, state, value, maximum_depth=depth + 1, maximizing_player_id=player
            )
            depth += 1
    except TimeoutError:
        return Seen(depth, valued / (time.perf_counter() - began))


def depth_text(found: EdaxFound, empties: int) -> str:
    exact = found.depth == empties and found.certainty == 100
    return "exact" if exact else f"{found.depth}@{found.certainty}%"


def main() -> None:
    game = parlour.game("othello")
    states = []
    for line in GAMES:
        state = game.start()
        for text in moves_of(line):
            state = game.play(state, game.read_move(state, text))
        states.append(state)
    engine = make_engine(MEGABYTES)
    for seconds in SECONDS:
        limit = ("-level", "60", "-move-time", f"0:{seconds:06.3f}")
        edaxes = edax([game.write(state) for state in states], *limit)
        print(f"{f'{seconds:g} s':>6} {'empties':>7} {'ours':>7} {'M nodes/s':>9}", end="")
        print(f" {'OpenSpiel':>9} {'k/s':>5} {'ratio':>6}" + (f" {'Edax':>7}" if edaxes else ""))
        for place, (line, state) in enumerate(zip(GAMES, states, strict=True)):
            empties = 64 - (state[0] | state[1]).bit_count()
            mine, text = ours(engine, state, seconds)
            peer = theirs(line, seconds)
            print(f"{'':6} {empties:7} {text:>7} {mine.rate / 1e6:9.2f} {peer.depth:9}", end="")
            print(f" {peer.rate / 1e3:5.1f} {mine.rate / peer.rate:6.0f}", end="")
            print(f" {depth_text(edaxes[place], empties):>7}" if edaxes else "", flush=True)


if __name__ == "__main__":
    main()
