"""A move judged: what it made of the value, and what that cost.

A move is judged by what it was worth beside the best that could be had, both for whoever made it.
Games without discs are judged by outcome and distance; Othello by discs.
"""

from __future__ import annotations

from dataclasses import dataclass

from parlour.core.game import Game, Move, State
from parlour.players.assess import Assessment, Worth
from parlour.truth.values import OUTCOMES

SLIGHT = 4  # discs: who gives away no more, and no outcome that is proven, made no mistake


@dataclass(frozen=True)
class Reviewed:
    """One move of a game, judged.

    `verdict` is `best`, `good` (the outcome is kept, but later, or by fewer discs), `mistake`,
    `only move` where there was no other, or `unknown`. `cost` counts discs in Othello and
    elsewhere the steps from win to draw to loss; `words` say it.
    """

    number: int  # from 1
    seat: int
    move: str
    before: Worth | None  # what whoever moved could have had
    after: Worth | None  # and what was left
    verdict: str
    cost: float = 0
    words: str = ""
    best: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the verdict is proven."""
        worths = (self.before, self.after)
        return all(worth is not None and worth.exact for worth in worths)


def judged(game: Game, state: State, move: Move, number: int, found: Assessment) -> Reviewed:
    """A move, judged by what was found about the position it was made in."""
    seat, text = game.turn(state), game.write_move(move)
    after = next((known.worth for known in found.moves if known.move == text), None)
    best = tuple(known.move for known in found.moves if known.best)
    before = found.value
    if len(game.moves(state)) == 1:
        return Reviewed(number, seat, text, before, after, "only move", best=best)
    if before is None or after is None:
        return Reviewed(number, seat, text, before, after, "unknown", best=best)
    verdict, cost, words = _verdict(before, after)
    return Reviewed(number, seat, text, before, after, verdict, cost, words, best)


def _verdict(before: Worth, after: Worth) -> tuple[str, float, str]:
    """What to call the move, what it cost, and that in words."""
    steps = OUTCOMES.index(before.outcome) - OUTCOMES.index(after.outcome)
    dropped = f"{before.outcome} → {after.outcome}" if steps > 0 else ""
    if before.score is None or after.score is None:
        if steps > 0:
            return "mistake", steps, dropped
        return _slower(before, after)
    lost = round(before.score - after.score, 1)
    if lost <= 0:
        return "best", 0, ""
    proven = before.exact and after.exact
    discs = f"{lost:g} {'disc' if lost == 1 else 'discs'}"
    words = f"{dropped}, {discs}" if dropped and proven else discs
    return ("mistake" if lost > SLIGHT or (dropped and proven) else "good"), lost, words


def _slower(before: Worth, after: Worth) -> tuple[str, float, str]:
    """The outcome is kept; but a win may come later than it need, and a loss sooner."""
    if None in (before.plies, after.plies) or before.plies == after.plies:
        return "best", 0, ""
    plies = abs((after.plies or 0) - (before.plies or 0))
    said = f"{plies} ply" if plies == 1 else f"{plies} plies"
    return "good", 0, f"{said} {'later' if after.outcome == 'win' else 'sooner'}"
