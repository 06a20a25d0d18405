"""Leaves a process behind that has nothing to do with it any more."""

import os
import time


def choose(game, state):
    if not os.fork():
        os.setsid()
        if not os.fork():
            time.sleep(60)
        os._exit(0)
    os.wait()
    return game.moves(state)[0]
