"""Fills its scratch folder."""

from pathlib import Path


def choose(game, state):
    number = 0
    while True:
        Path(str(number)).write_bytes(bytes(1 << 20))
        number += 1
