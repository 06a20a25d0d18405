"""Becomes two, and both return a move."""

import os


def choose(game, state):
    os.fork()
    return game.moves(state)[0]
