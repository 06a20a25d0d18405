"""A game in play, and the driver that plays it out.

A `Match` is passive: it takes moves, checks them, keeps the record and knows when the game is over,
by the rules, by repetition or by a stop. It never waits, asks or reads a clock. `drive` asks the
players in turn, and callers who want to watch loop over it; a `Timer` keeps the players' time.
"""

from __future__ import annotations

import copy
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from parlour.core import protocol, registry
from parlour.core.errors import BadOption, BadText, IllegalMove, ParlourError, text_of
from parlour.core.options import check_argument, check_type, describe, values
from parlour.core.protocol import Game, Move, Player, Resigns, Result, State, seat_name, seats_out
from parlour.core.record import Record, find_stopped, read_move
from parlour.core.sentences import Text, count, join, quote, say

MAX_MOVES = 10_000  # a cap for games that need not end by themselves
SEATED = "it must be a list with a player for every seat"
STOPPED = {  # what is said of the seat that lost
    "time": say("ran out of time"),
    "resigned": say("resigned"),
    "left": say("left the game"),
    "away": say("stayed away too long"),
    "fault": say("could not go on"),
}
DRAWN = {
    "agreement": say("a draw by agreement"),
    "repetition": say("the same position for the third time"),
}


class Match:
    """One game in progress, or over."""

    def __init__(self, game: Game, players: Sequence[str], *, most_moves: int = MAX_MOVES) -> None:
        game = registry.game(game)
        most_moves = check_argument("most_moves", most_moves, int, low=0)
        players = tuple(check_type("players", players, Iterable, SEATED))
        if len(players) != game.seats:
            raise ParlourError(_describe_seats(game, len(players)))
        self.game = game
        self.players = tuple(name if isinstance(name, str) else describe(name) for name in players)
        self.most_moves = most_moves
        self.state: State = game.start()
        self.states: list[State] = [self.state]  # before each move, and now
        self.moves: list[str] = []
        self.movers: list[int] = []  # the seat that made each of them
        self.seconds: list[float] = []
        self.opening = 0  # how many of the first moves were not the players'
        self.result: Result | None = game.result(self.state)
        self.reason = ""  # why it ended, where it was not by the rules
        self.end = ""  # how: one of `ENDS`
        self._seen: Counter[Hashable] | None = Counter() if protocol.can_repeat(game) else None
        self._check_draw()

    @classmethod
    def from_record(cls, game: Game, record: Record, *, most_moves: int = MAX_MOVES) -> Match:
        """Return the match as a record left it; `BadText` if the record is impossible."""
        match = cls(game, record.players, most_moves=most_moves)
        for number, text in enumerate(record.moves, start=1):
            if match.over:
                raise BadText(
                    "move {number} of this record comes after the end: {reason}",
                    number=number,
                    reason=match.reason or say("the game is over"),
                )
            move = read_move(game, match.state, number, text)
            match.play(move, record.seconds[number - 1] if record.seconds else None)
        match.opening = record.opening
        if record.result is None or record.result == match.result:
            return match
        if len(record.result) != game.seats:
            raise BadText(_describe_seats(game, len(record.result)))
        if match.over:
            raise BadText(
                "this record says the result is {result}, but its moves lead to {other}",
                result=str(record.result),
                other=str(match.result),
            )
        if not record.reason:
            raise BadText(say("this record has a result, but its moves do not end the game"))
        match.result, match.reason, match.end = record.result, record.reason, record.end
        match.reason = find_reason(game, record.reason, record.end, match.loser, most_moves)
        return match

    def copy(self) -> Match:
        """Return an independent copy of the match."""
        twin = copy.copy(self)
        twin.states, twin.moves, twin.movers = self.states[:], self.moves[:], self.movers[:]
        twin.seconds = self.seconds[:]
        twin._seen = None if self._seen is None else Counter(self._seen)
        return twin

    @property
    def over(self) -> bool:
        """Whether there is nothing left to play."""
        return self.result is not None

    @property
    def turn(self) -> int:
        """The seat to move."""
        return self.game.turn(self.state)

    @property
    def newly_out(self) -> list[int]:
        """The seats that the last move put out of a game that others go on with."""
        before = seats_out(self.game, self.states[-2]) if self.moves else ()
        return [seat for seat in seats_out(self.game, self.state) if seat not in before]

    @property
    def loser(self) -> int | None:
        """The seat that lost because it was stopped; None where it ended otherwise."""
        return find_stopped(self.end, self.result)

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
            end=self.end,
            opening=self.opening,
        )

    def play(self, move: Move, seconds: float | None = None) -> None:
        """Make the move of the seat to move; `IllegalMove` when it may not be made."""
        if self.result is not None:
            raise IllegalMove(say("the game is over"))
        mover = self.turn
        move = protocol.check_move(self.game, self.state, move)
        self.state = self.game.play(self.state, move)
        self.states.append(self.state)
        self.movers.append(mover)
        self.moves.append(self.game.write_move(move))
        if seconds is not None:
            self.seconds.append(round(seconds, 3))
        self.result = self.game.result(self.state)
        self._check_draw()

    def stop(self, seat: int, reason: str = "", *, end: str = "fault") -> None:
        """End the game against a seat that resigns, runs out of time or cannot go on.

        The reason goes on after the name of the seat, "crashed"; without one, `end` says it all.
        """
        check_argument("seat", seat, int, low=0, high=self.game.seats - 1)
        if self.result is None:
            self.result = tuple(-1 if s == seat else 1 for s in range(self.game.seats))
            self.end, self.reason = end, _tell_stop(self.game, seat, reason or STOPPED[end])

    def agree_draw(self) -> None:
        """End the game as a draw, which all players want."""
        if self.result is None:
            self._draw("agreement")

    def resign(self, seat: int, why: object = "") -> None:
        """End the game against a seat that gives up, with its reason if it has one."""
        reason = join(": ", (STOPPED["resigned"], text_of(why))) if str(why) else ""
        self.stop(seat, reason, end="resigned")

    def who(self, seat: int) -> Text:
        """A seat and the player in it: `player 2 (O), random seed=3`"""
        name = seat_name(self.game, seat)
        return say("{name}, {player}", name=name, player=self.players[seat])

    def _check_draw(self) -> None:
        """Draw the game by repetition (a position for the third time) or by the move limit."""
        if self.result is not None:
            return
        if self._seen is not None:
            situation = (self.game.turn(self.state), protocol.key(self.game, self.state))
            self._seen[situation] += 1
            if self._seen[situation] == 3:
                self._draw("repetition")
                return
        if len(self.moves) >= self.most_moves:
            self._draw("length")

    def _draw(self, end: str) -> None:
        self.result, self.end = (0,) * self.game.seats, end
        self.reason = _tell_draw(end, self.most_moves)


def find_reason(
    game: Game, reason: str, end: str, loser: int | None, most_moves: int = MAX_MOVES
) -> str:
    """Return the text of a reason that was stored as a plain string, where it is a usual one."""
    if isinstance(reason, Text) or not end:
        return reason
    if loser is None:
        text = _tell_draw(end, most_moves)
    else:
        text = _tell_stop(game, loser, STOPPED.get(end, STOPPED["fault"]))
    return text if text == reason else reason


def _tell_stop(game: Game, seat: int, reason: str) -> Text:
    return say("{name} {reason}", name=seat_name(game, seat), reason=reason)


def _tell_draw(end: str, most_moves: int) -> Text:
    return DRAWN.get(end) or say("no end after {moves}", moves=count(most_moves, "move"))


def _describe_seats(game: Game, given: int) -> Text:
    seats = count(game.seats, "seat")
    return say("{name} has {seats} here, not {given}", name=game.name, seats=seats, given=given)


class OutOfTime(ParlourError):
    """A player took longer than its clock allows."""


class BadChoice(IllegalMove):
    """A player chose something that is not a legal move."""

    def __init__(self, who: str, choice: object, refusal: Exception) -> None:
        why = text_of(refusal)
        super().__init__(
            say("{who}, chose {choice}: {refusal}", who=who, choice=quote(choice), refusal=why)
        )
        self.choice = choice
        self.refusal = refusal


@dataclass(frozen=True)
class Clock:
    """The seconds a player may think: for each move, or for the whole game plus some per move."""

    each: float | None = None
    total: float | None = None
    added: float = 0.0

    @classmethod
    def read(cls, text: str) -> Clock | None:
        """`1/move`, `60`, `60+1`, or `none`."""
        words = re.sub(r"s(econds?)?(?=$|[+/])", "", re.sub(r"\s", "", text.casefold()))
        if words in ("", "none", "no"):
            return None
        number = r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
        if found := re.fullmatch(rf"{number}/(?:a?move)", words):
            clock = cls(each=float(found[1]))
        elif found := re.fullmatch(rf"{number}(?:\+{number})?", words):
            clock = cls(total=float(found[1]), added=float(found[2] or 0))
        else:
            clock = cls(each=0.0)
        if not 0 < (clock.each or clock.total or 0) <= 10**6 or clock.added > 10**6:
            raise BadText(
                "{text} is not a time control; write 1/move for a second per move, 60 for a "
                "minute per game, or 60+1 to add a second per move",
                text=quote(text),
            )
        return clock

    def __str__(self) -> str:
        if self.each is not None:
            return f"{self.each:g}/move"
        return f"{self.total:g}" + (f"+{self.added:g}" if self.added else "")


class Timer:
    """The seconds each seat has spent, and how many its clock leaves it for the next move."""

    STOP_AT = 0.9  # of the time limit: then a player that can be stopped is asked to answer

    def __init__(
        self, seats: int, clock: Clock | None = None, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self.clock = clock
        self.now = now
        self.spent = [0.0] * seats
        self.moves = [0] * seats

    def allowed(self, seat: int) -> float | None:
        """The seconds the seat may take for its next move; None without a clock."""
        clock = self.clock
        if clock is None:
            return None
        if clock.each is not None:
            return clock.each
        return (clock.total or 0) + clock.added * self.moves[seat] - self.spent[seat]

    def ask(self, player: Any, match: Match) -> tuple[Move, float]:
        """The player's choice and the seconds it took; `OutOfTime` when those were too many."""
        if hasattr(player, "follow"):
            player.follow(match.game, match.moves)
        return self.choose(player, match.game, match.state)

    def choose(self, player: Any, game: Game, state: State) -> tuple[Move, float]:
        """The same for a single position, whatever was played before."""
        seat = game.turn(state)
        allowed = self.allowed(seat)
        began = self.now()
        try:
            move = _choose(player, game, state, allowed)
        finally:
            seconds = self.now() - began
            self.spent[seat] += seconds
        self.moves[seat] += 1
        if self.clock is not None and allowed is not None and seconds > allowed:
            raise OutOfTime(say_late(self.clock.each))
        return move, seconds


def say_late(each: float | None) -> Text:
    """Say that a player took more than the time for each move, or than that for the whole game."""
    if each is None:
        return STOPPED["time"]
    return say("took longer than {seconds:g} s for a move", seconds=each)


def _choose(player: Any, game: Game, state: State, allowed: float | None) -> Move:
    """Ask a player for a move, pass it the time left, and stop it in time if it can be."""
    if allowed is not None and hasattr(player, "clock"):
        player.clock(allowed)
    if allowed is None or not hasattr(player, "stop"):
        return player.choose(game, state)
    alarm = threading.Timer(allowed * Timer.STOP_AT, player.stop)
    alarm.start()
    try:
        return player.choose(game, state)
    finally:
        alarm.cancel()


def drive(
    match: Match,
    players: Sequence[Player],
    *,
    timer: Timer | None = None,
    fail: Callable[[int, BaseException], None] | None = None,
) -> Iterator[Match]:
    """Let the players play the match to its end; yields it after every move.

    With a `timer` the players keep to its clock and the record has the seconds of every move.
    Whatever goes wrong with a player is raised, or passed with its seat to `fail`, which ends the
    game by `match.stop`.
    """
    check_type("match", match, Match, "it must be a parlour.Match")
    held, players = timer or Timer(match.game.seats), to_players(players)
    while not match.over:
        seat = match.turn
        try:
            move, seconds = held.ask(players[seat], match)
            _play(match, move, seconds if timer else None)
        except Resigns as why:
            match.resign(seat, why)
            return
        except (Exception, SystemExit) as error:
            if fail is None:
                raise
            fail(seat, error)
            return
        yield match


def _play(match: Match, move: Move, seconds: float | None) -> None:
    try:
        match.play(move, seconds)
    except (ParlourError, TypeError, ValueError, AttributeError) as error:
        raise BadChoice(match.who(match.turn), move, error) from error


def match(game: Any, players: Sequence[Any], *, most_moves: int = MAX_MOVES) -> Record:
    """Play one game to its end and return its record.

    The game may also be given by its class, name or file, and each player by its class, name or
    file or as a function of the game and the state. A game that goes on after `most_moves` is a
    draw.
    """
    game, seated = registry.game(game), to_players(players)
    held = Match(game, [describe(player) for player in seated], most_moves=most_moves)
    for _ in drive(held, seated):
        pass
    teach(seated, held.record)
    return held.record


def to_players(players: Sequence[Any]) -> list[Player]:
    """Return the players that a list of them, their names, classes or functions stands for."""
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise BadOption("players", players, SEATED)
    return [registry.bot(each, "players") for each in players]


def teach(players: Sequence[Player], record: Record) -> None:
    """Let the players that learn learn from a finished game; one at several seats learns once."""
    for player in {id(player): player for player in players}.values():
        if (learn := getattr(player, "learn", None)) is not None:
            learn(record)
