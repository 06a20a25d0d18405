"""How well the engine judges the middle of a game, and how far it sees in a fixed time, one thread.

It judges the sets hard-20 and hard-25, whose exact scores are known, without solving them: to a
fixed nominal depth, confirmed as the levels above 10 do, each position from an empty table.
`--set hard-20` measures that set alone.

How far it sees is measured on ten games it once played with itself from different openings. The
peer in this run is OpenSpiel's alpha-beta search, a Python loop over its C++ states that counts
discs, at the longest search it can bring to its end in the same time. Where the variable EDAX names
the program of an Edax, it thinks as long about the same positions.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from statistics import mean

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search
from othello.edax import Found, find_edax
from othello.engine import make_engine
from othello.machine import processor
from othello.positions import (
    GAMES,
    Problem,
    add_folder,
    moves_of,
    read_set,
    state_after,
    why_missing,
)

from parlour.engine import OthelloEngine
from parlour.players.engine import CONFIRMED
from parlour.rules.othello import OthelloState

JUDGED = ("hard-20", "hard-25")
PLIES = 15
SECONDS = (0.1, 1.0, 5.0)
EDAX_SECONDS = 1.0  # Edax takes no less
MEGABYTES = 256


@dataclass(frozen=True)
class Seen:
    """How deep somebody searched, and how many nodes a second."""

    depth: int
    rate: float


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


def depth_text(found: Found, empties: int) -> str:
    exact = found.depth == empties and found.certainty == 100
    return "exact" if exact else f"{found.depth}@{found.certainty}%"


def judge(engine: OthelloEngine, problems: list[Problem], plies: int) -> str:
    """Return how well some positions are judged: the columns of a row."""
    losses, errors, nodes, began = [], [], 0, time.process_time()
    for problem in problems:
        analysis = engine.analyse(problem.state, plies=plies, confirms=plies >= CONFIRMED)
        assert not analysis.exact
        best = max(problem.scores.values())
        losses.append(best - problem.scores[engine.game.write_move(analysis.move)])
        errors.append(abs(analysis.score - best))
        nodes += analysis.nodes
    seconds = time.process_time() - began
    return (
        f"{len(problems):9} {plies:5} {losses.count(0) / len(losses):10.1%} {mean(losses):9.3f} "
        f"{mean(errors):9.3f} {nodes / 1e6:8.1f} {seconds:6.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_folder(parser)
    parser.add_argument("--set", choices=JUDGED, help="the only one to be judged")
    parser.add_argument("--number", type=int, help="of positions, from the first on")
    parser.add_argument("--plies", type=int, default=PLIES, help="to judge at")
    given = parser.parse_args()
    engine = make_engine(MEGABYTES)
    print(processor())
    names = (given.set,) if given.set else JUDGED
    print(f"{'set':>8} {'positions':>9} {'plies':>5} {'best moves':>10} {'mean loss':>9}", end="")
    print(f" {'score off':>9} {'M nodes':>8} {'CPU s':>6}")
    for name in names:
        why = why_missing(given.folder, name)
        problems = [] if why else read_set(given.folder, name)[: given.number]
        judged = f"not measured: {why}" if why else judge(engine, problems, given.plies)
        print(f"{name:>8} {judged}", flush=True)
    if not given.set:
        look_ahead(engine)


def look_ahead(engine: OthelloEngine) -> None:
    """Print how far the engine and its peers see in a fixed time."""
    game = engine.game
    states = [state_after(game, line) for line in GAMES]
    edax = find_edax()
    for seconds in SECONDS:
        limit = ("-level", "60", "-move-time", f"0:{seconds:06.3f}")
        heard = edax and seconds >= EDAX_SECONDS
        edaxes = edax.search([game.write(state) for state in states], *limit)[0] if heard else []
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
