"""Complains without end."""

import sys


def choose(game, state):
    while True:
        sys.stderr.write("woe " * 10_000)
