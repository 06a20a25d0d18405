"""Counts while the other one thinks, and resigns if it got anywhere."""

import threading
import time

from parlour.core.protocol import Resigns

MOST = 0.6  # of the time that passes; a bot that is never stopped counts for nearly all of it
counted = [0, 0]
since = [0.0]


def count():
    while True:
        counted[0] += 1
        time.sleep(0.001)


threading.Thread(target=count, daemon=True).start()


def choose(game, state):
    gained = counted[0] - counted[1]
    if counted[1] and gained * 0.001 > MOST * (time.monotonic() - since[0]):
        raise Resigns(f"counted to {gained} in the meantime")
    time.sleep(0.05)
    counted[1], since[0] = counted[0], time.monotonic()
    return game.moves(state)[0]
