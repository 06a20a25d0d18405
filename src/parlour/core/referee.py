"""The referee, and the plainest way to have a game played.

A `Match` is passive: it is told moves, checks them, keeps the record and knows when it is over. It
never waits, asks or reads a clock; whoever drives it does. `drive` is such a driver, and those who
want to watch loop over it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from parlour.core.errors import BadText, IllegalMove, ParlourError
from parlour.core.options import describe, values
from parlour.core.protocol import (
    Game,
    Move,
    Player,
    Resigns,
    Result,
    State,
    can_repeat,
    key,
    seat_name,
)
from parlour.core.record import Record
from parlour.core.text import count, quote, span

MOST_MOVES = 10_000  # a cap for games that need not end by themselves


class Match:
    """One game in progress, or over."""

    def __init__(self, game: Game, players: Sequence[str], *, most_moves: int = MOST_MOVES) -> None:
        if len(players) != game.seats:
            raise ParlourError(
                f"{game.name} has {count(game.seats, 'seat')} here, not {len(players)}"
            )
        self.game = game
        self.players = tuple(players)
        self.most_moves = most_moves
        self.state: State = game.start()
        self.moves: list[str] = []
        self.movers: list[int] = []  # the seat that made each of them
        self.seconds: list[float] = []
        self.opening = 0  # how many of the first moves were not the players'
        self.result: Result | None = game.result(self.state)
        self.reason = ""
        self._seen: Counter[Hashable] | None = Counter() if can_repeat(game) else None
        self._look()

    @classmethod
    def from_record(cls, game: Game, record: Record, *, most_moves: int = MOST_MOVES) -> Match:
        """The match as it stood when the record was written; `BadText` when it cannot have been."""
        match = cls(game, record.players, most_moves=most_moves)
        for number, (_, move) in enumerate(record.replay(game)):
            if move is None:
                break
            if match.over:
                why = match.reason or "the game is over"
                raise BadText(f"move {number + 1} of this record comes after the end: {why}")
            match.play(move, record.seconds[number] if record.seconds else None)
        match.opening = record.opening
        if record.result is None or record.result == match.result:
            return match
        if len(record.result) != game.seats:
            raise BadText(
                f"this record has a result for {count(len(record.result), 'seat')}, but "
                f"{game.name} has {game.seats} here"
            )
        if match.over:
            raise BadText(
                f"this record says the result is {record.result}, but its moves lead to "
                f"{match.result}"
            )
        if not record.reason:
            raise BadText("this record has a result, but its moves do not end the game")
        match.result, match.reason = record.result, record.reason
        return match

    @property
    def over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.result is not None

    @property
    def turn(self) -> int:
        """The seat to move."""
        return self.game.turn(self.state)

    @property
    def record(self) -> Record:
        """All that happened, so far."""
        return Record(
            game=self.game.name,
            options=values(self.game),
            players=self.players,
            moves=tuple(self.moves),
            seconds=tuple(self.seconds),
            result=self.result,
            reason=self.reason,
            opening=self.opening,
        )

    def play(self, move: Move, seconds: float | None = None) -> None:
        """Make the move of the seat to move; `IllegalMove` when it may not be made."""
        if self.result is not None:
            raise IllegalMove("the game is over")
        mover = self.turn
        self.state = self.game.play(self.state, move)
        self.movers.append(mover)
        self.moves.append(self.game.write_move(move))
        if seconds is not None:
            self.seconds.append(round(seconds, 3))
        self.result = self.game.result(self.state)
        self._look()

    def stop(self, seat: int, reason: str) -> None:
        """End the game against a seat that resigns, runs out of time or cannot go on."""
        if seat not in range(self.game.seats):
            raise ParlourError(
                f"there is no seat {quote(seat)} to stop; seats are {span(0, self.game.seats - 1)}"
            )
        if self.result is None:
            self.result = tuple(-1 if s == seat else 1 for s in range(self.game.seats))
            self.reason = f"{seat_name(self.game, seat)} {reason}"

    def who(self, seat: int) -> str:
        """A seat and who sits there: `player 2 (O), random seed=3`"""
        return f"{seat_name(self.game, seat)}, {self.players[seat]}"

    def _look(self) -> None:
        """Call the draws that are the referee's to call, not the rules'."""
        if self.result is not None:
            return
        if self._seen is not None:
            situation = (self.game.turn(self.state), key(self.game, self.state))
            self._seen[situation] += 1
            if self._seen[situation] == 3:
                self._draw("the same position for the third time")
                return
        if len(self.moves) >= self.most_moves:
            self._draw(f"no end after {count(self.most_moves, 'move')}")

    def _draw(self, reason: str) -> None:
        self.result = (0,) * self.game.seats
        self.reason = reason


def drive(match: Match, players: Sequence[Player]) -> Iterator[Match]:
    """Let the players play the match to its end; yields it after every move."""
    while not match.over:
        seat = match.turn
        try:
            move = players[seat].choose(match.game, match.state)
        except Resigns as why:
            match.stop(seat, f"resigned: {why}" if str(why) else "resigned")
            return
        try:
            match.play(move)
        except IllegalMove as refusal:
            raise IllegalMove(f"{match.who(seat)}, chose {quote(move)}: {refusal}") from refusal
        yield match


def match(game: Game, players: Sequence[Player], **limits: Any) -> Record:
    """Play one game to its end and return its record."""
    held = Match(game, [describe(player) for player in players], **limits)
    for _ in drive(held, players):
        pass
    teach(players, held.record)
    return held.record


def teach(players: Sequence[Player], record: Record) -> None:
    """Let those who learn learn from a game that is over; one at several seats learns once."""
    for player in {id(player): player for player in players}.values():
        if (learn := getattr(player, "learn", None)) is not None:
            learn(record)
