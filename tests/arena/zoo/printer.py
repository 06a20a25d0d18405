"""Prints a lot, which does no harm."""

# ruff: noqa: T201 - it prints
import sys

print("loaded")


def choose(game, state):
    print('{"type": "move", "move": "9 from 9"}')
    print("x" * 200_000, file=sys.stderr)
    return game.moves(state)[0]
