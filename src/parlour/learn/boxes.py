"""The boxes of a game: one for every situation a player can meet, and the balls that fit in it.

A ball is a kind of move: moves that lead to the same situation are one kind. All situations are
listed once through the game's verbs, as arrays that say where each ball leads; whoever learns then
walks on the list and needs the game no more.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from parlour.core import DONE, Game, Move, ParlourError, State, TooLarge, Work, count, describe, key
from parlour.rules import Sticks

MOST = 100_000  # situations: all can be listed in some seconds, and a class can look at them
SOON = 20_000  # situations that are listed while somebody waits for an answer
FAR = 500  # a bound may be so many times above what can arise, and is believed beyond
TOLD = 10**9  # situations: of more, nobody needs the number
KEPT = 8  # games remembered with their boxes
BOTH = -1  # the seat of a box that either may meet
WIN, DRAW, LOSS = -3, -2, -1  # where a ball leads when it ends the game, for whoever drew it


@dataclass(frozen=True)
class Ball:
    """A kind of move in one situation: its text, the moves it stands for, and where they lead."""

    text: str
    moves: tuple[Move, ...]
    ways: int  # how many legal moves it stands for: none for a ball that asks for too much
    leads: tuple[Hashable, bool]  # the next situation, and whether the same player moves in it


@singledispatch
def list_balls(game: Any, state: State) -> tuple[Ball, ...]:
    """The kinds of ball for a situation, in the order of the game's moves."""
    kinds: dict[tuple[Hashable, bool], list[Move]] = {}
    for move in game.moves(state):
        kinds.setdefault(_find_leads(game, state, move), []).append(move)
    return tuple(
        Ball(game.write_move(moves[0]), tuple(moves), len(moves), leads)
        for leads, moves in kinds.items()
    )


@list_balls.register
def _(game: Sticks, state: State) -> tuple[Ball, ...]:
    """Every hat holds every number; one that asks for too much takes all that is left."""
    left = state[2]
    numbers = range(1, game.take + 1) if left else ()
    return tuple(
        Ball(
            str(n),
            ((0, min(n, left)),),
            int(n <= left),
            _find_leads(game, state, (0, min(n, left))),
        )
        for n in numbers
    )


def _find_leads(game: Game, state: State, move: Move) -> tuple[Hashable, bool]:
    after = game.play(state, move)
    return key(game, after), game.turn(after) == game.turn(state)


@singledispatch
def _needs_box(game: Any, moves: Sequence[Move]) -> bool:
    """Where there is one move only, nothing is drawn."""
    return len(moves) > 1


@_needs_box.register
def _(game: Sticks, moves: Sequence[Move]) -> bool:
    return True  # the seed has a hat for a single stick too


class Boxes:
    """All situations of a game, in the order in which they are first met."""

    def __init__(self, game: Game, work: Work | None = None, most: int = MOST) -> None:
        check_boxes(game)
        self.game = game
        self.numbers: dict[Hashable, int] = {}
        self.states: list[State] = []  # one of each situation
        self.balls: list[tuple[Ball, ...]] = []
        self.boxed = array("b")  # 0 where one move alone is possible
        self.turns = array("i")  # the mover's first, second… turn, counted from 0, at the earliest
        self.seats = array("b")  # who can meet it: 0, 1, or BOTH
        self.first = array("q", [0])  # where the balls of each situation begin
        self.leads = array("i")  # twice the next situation, plus 1 if the mover stays; or an end
        self.truths: dict[str, Any] = {}  # what measuring has found out about them, by its name
        self._list(work or Work(), most)

    def _list(self, work: Work, most: int) -> None:
        """Every situation, nearest first, and the seats that can meet it."""
        game = self.game
        start = game.start()
        begins = self._number(key(game, start), start), game.turn(start)
        met = {begins: 0}  # a situation and the seat to move: plies so far
        ahead = [begins]
        for number, seat in ahead:  # it grows
            if work.stopped:
                raise TooLarge(f"stopped after {len(self.states):,} situations, before the last")
            if len(self.states) > most:
                raise TooLarge(_too_many(f"has more than {most:,} situations", game))
            work.cells[DONE] = len(self.states)
            if number == len(self.first) - 1:  # met for the first time
                state = self.states[number]
                self.balls.append(list_balls(game, state))
                self.boxed.append(_needs_box(game, game.moves(state)))
                self.turns.append(met[number, seat] // 2)
                self.leads.extend(self._where(state, ball) for ball in self.balls[number])
                self.first.append(len(self.leads))
            for leads in self.leads[self.first[number] : self.first[number + 1]]:
                following = leads >> 1, seat if leads & 1 else 1 - seat
                if leads >= 0 and following not in met:
                    met[following] = met[number, seat] + 1
                    ahead.append(following)
        apart = len(met) == len(self.states)
        self.seats.extend(seat if apart else BOTH for _, seat in sorted(met))
        del self.seats[len(self.states) :]

    def _number(self, name: Hashable, state: State) -> int:
        if name not in self.numbers:
            self.numbers[name] = len(self.states)
            self.states.append(state)
        return self.numbers[name]

    def _where(self, state: State, ball: Ball) -> int:
        after = self.game.play(state, ball.moves[0])
        result = self.game.result(after)
        if result is not None:
            return (LOSS, DRAW, WIN)[result[self.game.turn(state)] + 1]
        name, stays = ball.leads
        return 2 * self._number(name, after) + stays

    def __len__(self) -> int:
        """How many boxes there are; a situation with a single move needs none."""
        return sum(self.boxed)

    def all(self) -> list[int]:
        """All boxes, by number."""
        return [box for box, boxed in enumerate(self.boxed) if boxed]

    def of(self, seat: int) -> list[int]:
        """The boxes of a seat, where each has its own, else all of them."""
        return [box for box in self.all() if self.seats[box] in (seat, BOTH)]

    @property
    def apart(self) -> bool:
        """Whether each seat has boxes of its own, as in tic-tac-toe."""
        return BOTH not in self.seats

    def find(self, state: State) -> int:
        """The number of a situation that goes on; `ParlourError` when it cannot arise."""
        number = self.numbers.get(key(self.game, state))
        if number is None:
            over = self.game.result(state) is not None
            why = "the game is over there" if over else "it cannot arise from the start"
            raise ParlourError(f"there is no box for {self.game.write(state)!r}: {why}")
        return number

    def moves(self, state: State, kind: int) -> tuple[Move, ...]:
        """The moves in this very state that a kind of ball stands for."""
        leads = self.balls[self.find(state)][kind].leads
        here = {ball.leads: ball.moves for ball in list_balls(self.game, state)}
        return here[leads]

    def kind(self, state: State, move: Move) -> int:
        """The kind of ball that a move in this very state belongs to."""
        leads = _find_leads(self.game, state, move)
        return next(k for k, b in enumerate(self.balls[self.find(state)]) if b.leads == leads)


def check_boxes(game: Game) -> None:
    """Raise at once, with the reason, if there can be no boxes for a game."""
    if game.seats != 2:
        raise ParlourError(
            f"hats are for two players; this {game.name} has {count(game.seats, 'seat')}"
        )
    if not game.moves(game.start()):
        raise ParlourError(f"{describe(game)} is over before it begins; nothing can be learned")
    bound = game.size() if hasattr(game, "size") else 0
    if bound > FAR * MOST:
        many = f"up to {bound:,}" if bound <= TOLD else "more than 10^9"
        raise TooLarge(_too_many(f"may have {many} situations", game))


def is_listed_soon(game: Game) -> bool:
    """Whether all boxes surely are there within a moment; a game that cannot tell is tried."""
    if hasattr(game, "size"):
        return bool(game.size() <= MOST)
    try:
        list_boxes(game, most=SOON)
    except TooLarge:
        return False
    return True


def _too_many(what: str, game: Game) -> str:
    return f"{describe(game)} {what}, too many for a box each; choose a smaller variant"


def list_boxes(game: Game, work: Work | None = None, most: int = MOST) -> Boxes:
    """The boxes of a game, listed once as long as they are remembered."""
    if game not in _listed:
        _listed[game] = Boxes(game, work, most)
        while len(_listed) > KEPT:
            _listed.popitem(last=False)
    _listed.move_to_end(game)
    return _listed[game]


_listed: OrderedDict[Game, Boxes] = OrderedDict()
