"""Measure how strong the levels of bots are, for the sliders of the set-up page.

    python -m tools.levels [VARIANT …] [--games 100]

Each variant is a round robin of all levels, from openings of two random moves, each played from
both seats. Ratings are Elo points above `random`, by the arena's method. They are written into
`src/parlour/faces/web/table/ratings.json`; what is not measured again stays as it is. Those of
Othello are from the round robin that docs/engine.md describes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from parlour import arena
from parlour.core import Game, describe, options_of, registry

FILE = Path(__file__).parents[1] / "src/parlour/faces/web/table/ratings.json"
PERFECT = [f"perfect level={level}" for level in range(1, 11)]
MINIMAX = [f"minimax depth={depth}" for depth in range(7)]
BOTS = {
    "nim": [*PERFECT, "standard", "one-at-a-time", "brute-force", "short-prediction", "benedict"],
    "nim misere=yes": [*PERFECT, "standard", "one-at-a-time", "brute-force", "short-prediction"],
    "sticks": [*PERFECT, *MINIMAX],
    "chopsticks": [*PERFECT, *MINIMAX, "benedict"],
    "tictactoe": [*PERFECT, *MINIMAX],
}


def make(variant: str) -> Game:
    """Return the game of a name and options, `nim misere=yes`."""
    name, *options = variant.split()
    known = options_of(registry.find("games", name))
    pairs = (each.split("=") for each in options)
    return registry.game(name, **{key: known[key].read(text) for key, text in pairs})


def measure(variant: str, games: int) -> dict[str, list[int]]:
    """Return the rating of each bot above `random`, and half the width of its interval."""
    game = make(variant)
    bots = ["random", *BOTS[variant]]
    table = arena.tournament(game, bots, games=games, openings=2, workers=1, seed=1)
    elo = {row.name: row for row in table.rows}
    zero = elo["random"].elo
    return {
        name: [round(row.elo - zero), round((row.high - row.low) / 2)]
        for name, row in sorted(elo.items(), key=lambda item: item[1].elo)
    }


def main() -> None:
    """Measure the variants that are named, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("variants", nargs="*", default=list(BOTS), metavar="VARIANT")
    parser.add_argument("--games", type=int, default=100, help="of each pairing; default: 100")
    asked = parser.parse_args()
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for variant in asked.variants:
        known[describe(make(variant))] = found = measure(variant, asked.games)
        print(variant, found, flush=True)
        FILE.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
