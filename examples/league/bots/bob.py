"""Bob looks one move ahead: he wins at once if he can, and draws lots if he cannot."""

import random


def choose(game, state):
    """A move that wins now, else any move."""
    me = game.turn(state)
    for move in game.moves(state):
        after = game.play(state, move)  # the state after the move; nothing is changed by asking
        result = game.result(after)  # None while the game goes on, else 1 for the winner
        if result is not None and result[me] == 1:
            return move
    return random.choice(game.moves(state))
