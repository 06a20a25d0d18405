"""When it is clear who of two is stronger, so that they need not play on.

This is Wald's sequential probability ratio test (Annals of Mathematical Statistics 16, 1945): after
every meeting one asks how much likelier its results are if one is the stronger by so many Elo
points than if the other is, and stops when that is (1 - error) / error to one. Results that name
the wrong one are that many times rarer than they would be if it were the right one, and so the
wrong one is named with a probability of `error` at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parlour.arena.ratings import SCALE

BELIEF = 2  # meetings of coin tosses, of a variance of ½, before the first: two wins prove little


@dataclass(frozen=True)
class Decision:
    """After how many meetings it was clear, and who is the stronger: 0 for `one`, 1 for `other`."""

    after: int
    winner: int


def decision(scores: Sequence[float], elo: float, error: float = 0.05) -> Decision | None:
    """The first point at which it is clear who is stronger, from what `one` scored in meetings.

    A meeting is two games with the seats exchanged, 0 to 2 points. It depends on nothing but the
    meetings before that point, in their order: whoever plays more of them decides the same.
    """
    enough = math.log((1 - error) / error)
    for after, ratio in enumerate(_ratios(scores, elo), 1):
        if abs(ratio) >= enough:
            return Decision(after, 0 if ratio > 0 else 1)
    return None


def likelihood_ratio(scores: Sequence[float], elo: float) -> float:
    """The logarithm of how much likelier it is that `one` is stronger by so much than `other`."""
    ratio = 0.0
    for each in _ratios(scores, elo):
        ratio = each
    return ratio


def _ratios(scores: Sequence[float], elo: float) -> Iterator[float]:
    """The logarithm of the likelihood ratio after each meeting.

    What one scores beyond half a meeting's points is taken as normal, with a mean of plus or minus
    what the Elo points promise, and with the variance that suits either hypothesis best: draws and
    the two games of one opening make it anything, and it need not be known. The normal's maximal
    likelihood is its variance to the power of -n/2, and so the ratio is that of the variances.
    """
    promised = math.tanh(elo / SCALE / 2)  # two games at the expected score, less one point
    if_one = if_other = BELIEF / 2
    for meetings, score in enumerate(scores, 1):
        if_one += (score - 1 - promised) ** 2
        if_other += (score - 1 + promised) ** 2
        yield (meetings + BELIEF) / 2 * math.log(if_other / if_one)
