"""Divides by nothing, two calls deep."""


def choose(game, state):
    return best(game.moves(state))


def best(moves):
    return moves[1 // 0]
