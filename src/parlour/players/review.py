"""A game looked through again: what each move made of the value, and every mistake with its cost.

A move is judged by what it was worth beside the best that could be had, both for whoever made it.
Games without discs are judged by outcome and distance; Othello by discs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from parlour.core.game import Game, Move, State
from parlour.core.record import Record
from parlour.core.work import Work
from parlour.players.assess import Assessment, Worth, assess
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

    def to_dict(self) -> dict[str, Any]:
        """The judged move as plain data."""
        return {**asdict(self), "best": list(self.best), "exact": self.exact}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reviewed:
        """The judged move that such data describe."""
        before, after = (data[name] and Worth(**data[name]) for name in ("before", "after"))
        rest = {name: data[name] for name in ("number", "seat", "move", "verdict", "cost", "words")}
        return cls(**rest, before=before, after=after, best=tuple(data["best"]))


def review(
    game: Game, record: Record, *, work: Work | None = None, seconds: float = 0.5
) -> Iterator[Reviewed]:
    """Each move of a record, judged one after another, with about so many seconds for each.

    A game that can be solved is solved once. Stopping the `work` ends it after the move at hand.
    """
    work = work or Work()
    for number, (state, move) in enumerate(record.replay(game), start=1):
        if move is None or work.stopped:
            return
        found = assess(game, state, played=move, work=work, seconds=seconds)
        if work.stopped:
            return
        yield judged(game, state, move, number, found)


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


def series(reviewed: Iterable[Reviewed]) -> list[Worth | None]:
    """The value for the first seat of every position, also of the one after the last move.

    One that is not known is None. Where values are estimates, what a move seemed to leave may
    differ from what the next position turned out to be, which was seen from nearer.
    """
    told = list(reviewed)
    values = [_for_first(move.before, move.seat) for move in told]
    if told:
        last = _for_first(told[-1].after, told[-1].seat)
        if last is not None and last.plies is not None:
            last = replace(last, plies=last.plies - 1)  # the move itself has been made
        values.append(last)
    return values


def _for_first(worth: Worth | None, seat: int) -> Worth | None:
    return worth if worth is None or seat == 0 else worth.turned()
