"""Hats full of balls: what a player that knows no theory knows.

There is one hat, or box, for every situation, and in it balls for the moves. A ball is drawn at
random and played; when the game is over, those drawn are rewarded or taken away by the rule of
learning. Nothing else is remembered.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from parlour.core import Game, ParlourError, Result, State, Work, one_of, quote, seat_name
from parlour.learn.boxes import Boxes, list_boxes
from parlour.learn.updates import HATS, Rule
from parlour.learn.updates import find_rule as rule_named

T = TypeVar("T")

MOST_GAMES = 500_000_000  # many minutes of training; long before, nothing is left to learn
MOST_SEED = 2**63 - 1
AGAINST = ("another", "itself", "random", "perfect")  # whom hats are trained against
STARTS = ("alternate", "first")  # who begins: each in turn, or always the first player


class RandomSource(Protocol):
    """What balls are drawn by; `random.Random` is one."""

    def choices(self, population: Sequence[T], weights: Sequence[float]) -> list[T]:
        """One of these, each as likely as its weight."""


@dataclass(frozen=True)
class Odds:
    """What becomes of a player against another: the chances to win, to draw and to lose."""

    opponent: str
    seat: int
    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        """A win counts 1 and a draw a half."""
        return self.win + self.draw / 2


@dataclass(frozen=True)
class Point:
    """How well one player's hats play after so many games, measured against the truth."""

    games: int
    right: int  # situations in which the likeliest ball is right
    of: int  # situations in which a ball could be wrong
    chance: float  # of a right ball, on average over them
    fortunes: tuple[Odds, ...]


@dataclass
class Tally:
    """What happened in training so far, by player."""

    wins: list[int] = field(default_factory=lambda: [0, 0])
    draws: int = 0
    resigned: list[int] = field(default_factory=lambda: [0, 0])  # for want of balls
    dry: int | None = None  # the first game in which a player had nothing to draw at all


@dataclass
class Hats:
    """The hats of one player, or of two who train each other."""

    boxes: Boxes
    rule: Rule = HATS
    against: str = "another"
    starts: str = "alternate"
    seed: int = 0
    chance: int = 0  # where the random numbers of training stand
    games: int = 0
    tally: Tally = field(default_factory=Tally)
    balls: list[array[int]] = field(default_factory=list)  # one row for each player
    curves: list[list[Point]] = field(default_factory=list)  # likewise

    def __post_init__(self) -> None:
        for what, value, known in (
            ("against", self.against, AGAINST),
            ("starts", self.starts, STARTS),
        ):
            if value not in known:
                raise ParlourError(f"{what} cannot be {quote(value)}; it is {one_of(known)}")
        check_seed(self.seed)
        if not self.balls:
            self.chance = self.seed
            rows = 2 if self.against == "another" else 1
            self.balls = [self._fresh() for _ in range(rows)]
        if not self.curves:
            self.curves = [[] for _ in self.balls]

    def _fresh(self) -> array[int]:
        row = array("i")
        for turn, boxed, balls in zip(
            self.boxes.turns, self.boxes.boxed, self.boxes.balls, strict=True
        ):
            row.extend([self.rule.balls(turn) if boxed else 1] * len(balls))
        return row

    @property
    def game(self) -> Game:
        """The game they are for."""
        return self.boxes.game

    def row(self, seat: int) -> int:
        """Whose hats play at a seat: two who never changed places each know only their own."""
        return seat if len(self.balls) == 2 and self.starts == "first" else 0

    def seats(self, row: int) -> tuple[int, ...]:
        """The seats at which a player has trained."""
        if self.starts == "alternate" or self.against == "itself":
            return (0, 1)
        return (row,)

    def owned(self, row: int) -> list[int]:
        """The boxes of a player."""
        seats = self.seats(row)
        return self.boxes.of(seats[0]) if len(seats) == 1 else self.boxes.all()

    def contents(self, row: int, box: int) -> list[int]:
        """How many balls of each kind a box holds."""
        return list(self.balls[row][self.boxes.first[box] : self.boxes.first[box + 1]])

    def likeliest(self, row: int, box: int) -> list[int]:
        """The kinds of which there are most; none in an empty box."""
        held = self.contents(row, box)
        return [kind for kind, balls in enumerate(held) if balls == max(held) > 0]

    def own(self, row: int, state: State) -> int:
        """The box of a player for a situation; `ParlourError` where the player has none."""
        box, game = self.boxes.find(state), self.game
        if not self.boxes.boxed[box]:
            raise ParlourError(f"{game.write(state)!r} needs no box: only one move is possible")
        if box not in self.owned(row):
            whose = f"player {row + 1}'s hats" if len(self.balls) == 2 else "these hats"
            mover, own = game.turn(state), self.seats(row)[0]
            raise ParlourError(
                f"{whose} have no box for {game.write(state)!r}: there {seat_name(game, mover)} "
                f"is to move, and they play as {seat_name(game, own)} only"
            )
        return box

    def draw(self, seat: int, state: State, lots: RandomSource) -> int | None:
        """The kind of a ball drawn for a situation; None when the box is empty."""
        held = self.contents(self.row(seat), self.boxes.find(state))
        return lots.choices(range(len(held)), held)[0] if any(held) else None

    def settle(self, seat: int, drawn: Iterable[tuple[State, int]], payoff: int) -> None:
        """Put the balls drawn in a game back, with more or fewer of their kinds."""
        row = self.balls[self.row(seat)]
        for state, kind in drawn:
            box = self.boxes.find(state)
            if self.boxes.boxed[box]:
                place = self.boxes.first[box] + kind
                row[place] = self.rule.settled(row[place], payoff)

    def learn(
        self,
        drawn: Mapping[int, Sequence[tuple[State, int]]],
        result: Result,
        gave_up: int | None = None,
    ) -> None:
        """Learn from a game with somebody else: the balls drawn at each seat these hats had.

        `gave_up` is the seat at which they found a box empty. Hats that have played as many games
        as there may be learn no more.
        """
        if self.games >= MOST_GAMES or not drawn:
            return
        for seat, balls in drawn.items():
            self.settle(seat, balls, result[seat])
        self.games += 1
        seat = min(drawn)
        player = seat if self.against == "itself" else self.row(seat)
        if result[seat] == 0:
            self.tally.draws += 1
        else:
            self.tally.wins[player if result[seat] > 0 else 1 - player] += 1
        if gave_up is not None:
            self.tally.resigned[player if gave_up == seat else 1 - player] += 1
            boxed = [self.boxes.boxed[self.boxes.find(state)] for state, _ in drawn[gave_up]]
            if not any(boxed) and self.tally.dry is None:
                self.tally.dry = self.games


def check_seed(seed: object) -> None:
    """Refuse what is no seed."""
    if type(seed) is not int or not 0 <= seed <= MOST_SEED:
        raise ParlourError(
            f"the seed cannot be {quote(seed)}; it must be a whole number from 0 on, below 2^63"
        )


def hats(game: Game, rule: str = "hats", *, work: Work | None = None, **how: Any) -> Hats:
    """Hats for a game before the first lesson, by the rule "hats" or "menace".

    `against` is "another" (two players with hats of their own), "itself", "random" or "perfect";
    `starts` is "alternate" or "first"; a `seed` makes training draw the same balls again.
    """
    return Hats(list_boxes(game, work), rule_named(rule), **how)


def random_source(seed: int | None) -> RandomSource:
    """What a player draws by; the same seed draws the same."""
    found: RandomSource = random.Random(seed)
    return found
