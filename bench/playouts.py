"""Random playouts against OpenSpiel (PyPI `open_spiel`), the same games in the same run.

Two ways: through the verbs in a Python loop with `random.choice` on both sides, and compiled,
against `pyspiel.evaluate_bots` with its uniform random bots. Each is timed in turns and the best of
several is kept, so that a busy machine disturbs both sides alike.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial

import pyspiel

import parlour

ROUNDS = 7
GAMES = {
    # ours, theirs, games for the verbs, games compiled, the ratios to reach
    "tictactoe": ("tictactoe", {}, "tic_tac_toe", 8000, 0, 1.0, None),
    "nim 3,4,5": ("nim", {}, "nim(pile_sizes=3;4;5,is_misere=false)", 8000, 200_000, 0.7, 40),
    "othello": ("othello", {}, "othello", 200, 4_000, 2.0, 40),
}


def by_verbs(game: parlour.Game, games: int) -> None:
    choice = random.choice
    for _ in range(games):
        state = game.start()
        while moves := game.moves(state):
            state = game.play(state, choice(moves))
        game.result(state)


def by_spiel(game: pyspiel.Game, games: int) -> None:
    choice = random.choice
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
        state.returns()


def by_spiel_bots(game: pyspiel.Game, games: int) -> None:
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in (0, 1)]
    for seed in range(games):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)


def race(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """The best seconds of each, run in turns."""
    best = [float("inf")] * 2
    ours(), theirs()  # load and warm both
    for _ in range(ROUNDS):
        for side, run in enumerate((ours, theirs)):
            began = time.perf_counter()
            run()
            best[side] = min(best[side], time.perf_counter() - began)
    return best[0], best[1]


def show(name: str, way: str, ours: float, theirs: float, bar: float) -> None:
    print(
        f"{name:12} {way:10} {ours * 1e6:9.3f} {theirs * 1e6:9.3f} {theirs / ours:8.2f} {bar:6.1f}"
    )


def main() -> None:
    print(f"{'game':12} {'way':10} {'ours µs':>9} {'peer µs':>9} {'ratio':>8} {'bar':>6}")
    for name, (mine, options, spiel, verbs, compiled, verbs_bar, compiled_bar) in GAMES.items():
        game, peer = parlour.game(mine, **options), pyspiel.load_game(spiel)
        ours, theirs = race(partial(by_verbs, game, verbs), partial(by_spiel, peer, verbs))
        show(name, "verbs", ours / verbs, theirs / verbs, verbs_bar)
        if compiled_bar is not None:
            ours, theirs = race(
                partial(parlour.playouts, game, compiled, seed=1),
                partial(by_spiel_bots, peer, verbs),
            )
            show(name, "compiled", ours / compiled, theirs / verbs, compiled_bar)


if __name__ == "__main__":
    main()
