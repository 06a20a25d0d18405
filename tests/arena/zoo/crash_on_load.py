"""Has a misprint outside its function."""

LEVELS = rnage(3)  # noqa: F821 - the misprint


def choose(game, state):
    return game.moves(state)[0]
