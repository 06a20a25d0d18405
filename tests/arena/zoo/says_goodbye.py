"""Ends as a script would."""

import sys


def choose(game, state):
    sys.exit("bye")
