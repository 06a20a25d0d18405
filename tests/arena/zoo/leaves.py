"""Ends without a word."""

import os


def choose(game, state):
    os._exit(3)
