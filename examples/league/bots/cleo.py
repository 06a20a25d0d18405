"""Cleo knows the secret of Nim: leave piles whose nim-sum is 0."""


def choose(game, state):
    """A move that leaves nim-sum 0, else the smallest move there is."""
    for move in game.moves(state):
        if nim_sum(game.play(state, move)) == 0:
            return move
    return game.moves(state)[0]


def nim_sum(state):
    """All piles added in binary without carrying; a state is (turn, who is left, *piles)."""
    total = 0
    for pile in state[2:]:
        total ^= pile
    return total
