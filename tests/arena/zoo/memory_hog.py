"""Wants all memory for itself."""


def choose(game, state):
    held = []
    while True:
        held.append(bytearray(1 << 20))
