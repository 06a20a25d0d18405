"""Wants all memory, a little for each of its processes."""

import os
import time


def choose(game, state):
    for _ in range(8):
        if not os.fork():
            held = bytearray(b"x") * (48 << 20)
            time.sleep(60)
            return held
    time.sleep(60)
    return None
