"""Training hats, compiled, against a plain Python loop of the same rule in the same run.

The peer walks over the very same list of situations with plain lists and `random.randrange`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import parlour
from parlour.learn.hat_set import Hats, hats
from parlour.learn.training import train

GAMES = 100_000
BARS = {"sticks": 0.04, "tictactoe": 1.0}  # seconds


def plain_walk(held: Hats, games: int) -> list[list[list[int]]]:
    """Two players' hats as counts of balls, taking turns to begin."""
    listed = held.boxes
    draw = random.Random(1).randrange
    first, leads = list(listed.first), list(listed.leads)
    ways = [
        [leads[place] for place in range(first[box], first[box + 1])]
        for box in range(len(listed.states))
    ]
    players = [[[1] * len(kinds) for kinds in ways] for _ in range(2)]
    for game in range(games):
        situation, who = 0, game % 2
        beside: list[tuple[int, list[int], int]] = []
        winner = None
        while True:
            hat = players[who][situation]
            left = draw(sum(hat))
            kind = 0
            while left >= hat[kind]:
                left -= hat[kind]
                kind += 1
            beside.append((who, hat, kind))
            following = ways[situation][kind]
            if following < 0:
                winner = who if following == -3 else 1 - who if following == -1 else None
                break
            situation = following >> 1
            who = 1 - who
        if winner is not None:
            for drawer, hat, kind in beside:
                if drawer == winner:
                    hat[kind] += 1
                elif hat[kind] > 1:
                    hat[kind] -= 1
    return players


def best(call: Callable[[], object], rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def main() -> None:
    print(
        f"{'100,000 games':14} {'ours s':>8} {'at most':>8} {'peer s':>8} {'ratio':>7} {'bar':>4}"
    )
    for name, bar in BARS.items():
        game = parlour.game(name)
        train(hats(game), 10)  # load the kernels and list the situations
        ours = best(lambda game=game: train(hats(game, seed=1), GAMES, curve=False), 7)
        held = hats(game)
        peer = best(lambda held=held: plain_walk(held, GAMES), 3)
        print(f"{name:14} {ours:8.4f} {bar:8.2f} {peer:8.3f} {peer / ours:7.1f} {10:4}")
        curve = best(lambda game=game: train(hats(game, seed=1), GAMES), 3)
        print(f"{'  with curve':14} {curve:8.4f}")


if __name__ == "__main__":
    main()
