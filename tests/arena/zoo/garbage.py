"""Speaks to the referee itself, and has nothing to say."""

import contextlib
import os


def choose(game, state):
    for stream in range(3, 20):
        with contextlib.suppress(OSError):
            os.write(stream, b"\x00\xff hello \x1b[2J\n")
    return game.moves(state)[0]
