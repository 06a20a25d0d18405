"""A bot in one file: copy it, change `choose`, let it be checked, and play against it.

    parlour check-bot examples/my_bot.py nim
    parlour play nim --seat human --seat examples/my_bot.py

This one looks one move ahead: it wins at once if it can, else it takes the first move it finds that
does not let the opponent win at once. A bot is one file: in a league it sees no other file of its
folder.
"""


def choose(game, state):
    """A legal move for whoever is to move in this state."""
    me = game.turn(state)
    safe = []
    for move in game.moves(state):
        after = game.play(state, move)
        result = game.result(after)
        if result is not None and result[me] > 0:
            return move
        if result is None and not loses_next(game, after, me):
            safe.append(move)
    return safe[0] if safe else game.moves(state)[0]


def loses_next(game, state, me):
    """Whether the opponent has a move that ends the game against me."""
    for move in game.moves(state):
        result = game.result(game.play(state, move))
        if result is not None and result[me] < 0:
            return True
    return False
