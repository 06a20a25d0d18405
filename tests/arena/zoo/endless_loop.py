"""Thinks for ever."""


def choose(game, state):
    while True:
        game.moves(state)
