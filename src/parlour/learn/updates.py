"""Two ways of learning from a game that is over: the hats', and Michie's for MENACE."""

from __future__ import annotations

from dataclasses import dataclass

from parlour.core import UnknownName, nearest, one_of, quote

MOST_BALLS = 2**31 - 1  # of a kind in a box: there it stays, however often it wins


@dataclass(frozen=True)
class Rule:
    """How many balls there are at first, and what becomes of those drawn in a game."""

    name: str
    about: str
    at_first: tuple[int, ...]  # balls of each kind at the first, second… turn; the last for later
    loss: int  # balls that a lost game adds of each kind drawn
    draw: int
    win: int
    fewest: int  # no kind ever has fewer; at 0 a box may run empty, and its owner gives up

    def balls(self, turn: int) -> int:
        """How many of each kind a box holds at first, for the turn at which it is met."""
        return self.at_first[min(turn, len(self.at_first) - 1)]

    def settled(self, balls: int, payoff: int) -> int:
        """How many there are after a game with this result, of a kind that was drawn."""
        gain = (self.draw, self.win, self.loss)[payoff]
        return min(max(balls + gain, self.fewest), MOST_BALLS)


HATS = Rule(
    "hats",
    "one ball of each kind at first; a win adds one, a loss takes one, but never the last",
    at_first=(1,),
    loss=-1,
    draw=0,
    win=1,
    fewest=1,
)
MENACE = Rule(
    "menace",
    "4, 3, 2, 1 beads of each kind by the turn; a win adds 3, a draw 1, a loss takes 1; "
    "an empty box gives up",
    at_first=(4, 3, 2, 1),
    loss=-1,
    draw=1,
    win=3,
    fewest=0,
)
RULES = {rule.name: rule for rule in (HATS, MENACE)}


def find_rule(name: str) -> Rule:
    """The rule of this name."""
    if name not in RULES:
        hint = nearest(name, RULES) or f"; there is {one_of(RULES)}"
        raise UnknownName(f"there is no rule of learning {quote(name)}{hint}")
    return RULES[name]
