"""Closes everything, and stays."""

import os
import time


def choose(game, state):
    os.closerange(0, 100)
    time.sleep(60)
