"""How often `--decide 50` is right, and after how many games, on simulated pairs of known strength.

The peer is the test that Parlour had before: Wald's between "stronger by 50" and "weaker by 50",
which has no third answer. Both see the same games.

    python bench/decide.py [RUNS]
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np

from parlour.arena.ratings import Decision, default_games, expected_lead, find_decision

ELO = 50.0
WORLDS = {  # the share of draws, and what the first seat adds to the score of a game
    "no draws": (0.0, 0.0),
    "40 % draws": (0.4, 0.0),
    "80 % draws": (0.8, 0.0),
    "no draws, strong first seat": (0.0, 0.2),
    "20 % draws, strong first seat": (0.2, 0.2),
}


def simulate(runs: int, true: float, draws: float, first: float) -> list[list[float]]:
    """Return the scores of the legs of so many pairs, in which one is stronger by `true`."""
    lots = np.random.default_rng([18, int(true)])
    score = 1 / (1 + 10 ** (-true / 400))
    points = np.zeros((runs, default_games(ELO) // 2))
    for chance in (score + first, score - first):
        drawn = min(draws, 2 * chance, 2 - 2 * chance)
        lot = lots.random(points.shape)
        points += (lot < chance - drawn / 2) / 2 + (lot < chance + drawn / 2) / 2
    rows: list[list[float]] = points.tolist()
    return rows


def decide_by_wald(scores: Sequence[float], elo: float) -> Decision | None:
    """Return the decision of the former test, of normal legs with the likeliest variance."""
    expected = expected_lead(elo)
    if_one = if_other = 1.0
    for legs, score in enumerate(scores, 1):
        if_one += (score - 1 - expected) ** 2
        if_other += (score - 1 + expected) ** 2
        ratio = (legs + 2) / 2 * math.log(if_other / if_one)
        if abs(ratio) >= math.log(19):
            return Decision(legs, 0 if ratio > 0 else 1)
    return None


def main() -> None:
    """Print a row for each strength and world."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print("| games | Elo | stronger | weaker | too close | limit | games | before: wrong | games |")
    print("|---|---|---|---|---|---|---|---|---|")
    for world, (draws, first) in WORLDS.items():
        for true in (0, 10, 25, 50, 200):
            rows = simulate(runs, true, draws, first)
            found = [find_decision(row, ELO) for row in rows]
            named = [each.winner if each else None for each in found]
            close = sum(each is not None and each.close for each in found)
            games = [2 * (each.after if each else len(rows[0])) for each in found]
            before = [decide_by_wald(row, ELO) for row in rows]
            wrong = sum(each is not None and (each.winner == 1 or not true) for each in before)
            used = [2 * (each.after if each else len(rows[0])) for each in before]
            shares = [named.count(0), named.count(1), close, found.count(None)]
            figures = [f"{100 * each / runs:.1f} %" for each in shares]
            figures += [f"{sum(games) / runs:.0f}", f"{100 * wrong / runs:.1f} %"]
            print(f"| {world} | {true} | {' | '.join(figures)} | {sum(used) / runs:.0f} |")


if __name__ == "__main__":
    main()
