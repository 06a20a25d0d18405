"""What the moves of an Othello cost: how many discs each gave away, against the best there was.

Near the end both are proven. Before that both are estimates, made by looking equally far ahead; and
where a move then seems better than the best, it cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from parlour.core import Unsolved, Work
from parlour.engine.deepening import Mind, Thought
from parlour.rules import OthelloState, Square


@dataclass(frozen=True)
class Cost:
    """One move of a game: what it led to, what it cost, and which was best."""

    seat: int
    move: Square
    score: float  # the lead it led to, for whoever made it; the empty squares are the winner's
    loss: float  # by how much the best move would have led to more
    best: Square  # the move itself if none was better
    forced: bool  # there was no other
    exact: bool  # proven
    depth: int  # plies looked ahead
    certainty: int  # in percent


class Losses:
    """Judges the moves of a game by a mind.

    It looks so many `plies` ahead, but solves positions with at most `exact` squares empty; or it
    goes as far as it comes in `seconds` for a move.
    """

    def __init__(
        self,
        mind: Mind,
        *,
        plies: int | None = None,
        exact: int | None = None,
        seconds: float | None = None,
    ) -> None:
        self.mind = mind
        self.game = mind.game
        self.plies = plies
        self.exact = exact
        self.seconds = None if seconds is None else seconds / 2  # for the best, and for the played
        self._proven: dict[OthelloState, Thought] = {}

    def thought(self, state: OthelloState, work: Work) -> Thought:
        """What is thought of a position that is not over."""
        found = self._proven.get(state)
        if found is None:
            found = self.mind.think(
                state, plies=self.plies, solves=self.exact, seconds=self.seconds, work=work
            )
        if work.stopped:
            raise Unsolved("stopped before this position was judged")
        if found.exact:
            self._proven[state] = found
        return found

    def cost(self, state: OthelloState, move: Square, work: Work) -> Cost:
        """What a move cost; `Unsolved` when the work is stopped before that is known."""
        best = self.thought(state, work)
        forced = len(self.game.moves(state)) == 1
        top, score, exact, depth = best.score, best.score, best.exact, best.depth
        if move != best.move:
            score, exact, plies = self._led(self.game.play(state, move), best, work)
            if plies + 1 < depth:  # for the move that was played there was less time
                depth = plies + 1
                top = self._seen(self.game.play(state, best.move), plies, top, work)
        better = top > score
        return Cost(
            seat=state[2],
            move=move,
            score=score,
            loss=top - score if better else 0.0,
            best=best.move if better else move,
            forced=forced,
            exact=exact,
            depth=depth,
            certainty=best.certainty,
        )

    def _led(self, after: OthelloState, best: Thought, work: Work) -> tuple[float, bool, int]:
        """What a move led to for whoever made it, whether its loss is proven, and from how far.

        It is looked at as the best was: to the end, or one ply less than from where it was made.
        """
        if not self.game.moves(after):
            lead = self.game.score(after)
            return float(lead if after[2] else -lead), best.exact, best.depth
        found = self._proven.get(after)
        if found is None:
            plies = None if best.exact else max(1, best.depth - 1)
            found = self.mind.think(after, plies=plies, seconds=self.seconds, work=work)
        if work.stopped:
            raise Unsolved("stopped before this move was judged")
        if found.exact:
            self._proven[after] = found
        plies = best.depth if found.exact else found.depth
        return 0.0 - found.score, best.exact and found.exact, plies

    def _seen(self, after: OthelloState, plies: int, score: float, work: Work) -> float:
        """What the best move leads to, seen no further than this."""
        if not self.game.moves(after):
            return score
        found = self.mind.think(after, plies=max(1, plies), work=work)
        if work.stopped:
            raise Unsolved("stopped before this move was judged")
        return 0.0 - found.score
