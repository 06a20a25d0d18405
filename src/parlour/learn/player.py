"""Hats at the table: a player that draws its moves, and learns from the game if it is let."""

from __future__ import annotations

import shlex
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from parlour.core import (
    DONE,
    MOST_MOVES,
    Game,
    Move,
    ParlourError,
    Record,
    Resigns,
    State,
    Work,
    as_flags,
    option,
    registry,
    settle,
    values,
)
from parlour.learn import storage as keeping
from parlour.learn.balls import format_box
from parlour.learn.boxes import check_boxes, is_listed_soon
from parlour.learn.hat_set import MOST_GAMES, MOST_SEED, Hats, hats, random_source
from parlour.learn.training import train
from parlour.learn.updates import RULES


@dataclass(frozen=True)
class Draw:
    """A hand in a box, and the kind of ball that came out; None from an empty one."""

    game: Game
    state: State
    kind: int | None


@dataclass
class HatsPlayer:
    """Draws balls from hats that games have filled, its own or those kept by a name."""

    name: ClassVar[str] = "hats"

    kept: str = option("", "the name of kept hats; without, new ones are trained for the game")
    games: int = option(100_000, "how many games train new hats", low=0, high=MOST_GAMES)
    rule: str = option("hats", "how new hats learn", choices=tuple(RULES))
    learning: bool = option(False, "whether they go on learning from each game")
    likeliest: bool = option(False, "play the likeliest ball instead of drawing one")
    seed: int | None = option(
        None, "a number that makes it draw the same balls again", low=0, high=MOST_SEED
    )

    def __post_init__(self) -> None:
        settle(self)
        self._lots = random_source(self.seed)
        self._hats: dict[Game, Hats] = {}
        self._drawn: deque[Draw] = deque(maxlen=MOST_MOVES)  # since the last lesson, in order

    def plays(self, game: Game) -> str:
        """As well as it has learned; new hats only where all boxes can surely be listed."""
        if self.why_not(game):
            return ""
        if self.kept:
            return f"as {keeping.find_label(self.kept).games:,} games taught it"
        return f"as {self.games:,} games teach it"

    def why_not(self, game: Game) -> str:
        """Why it does not play a game, or nothing."""
        if self.kept:
            return keeping.find_label(self.kept).unlike(game)
        try:
            check_boxes(game)
        except ParlourError as refusal:
            return str(refusal)
        if is_listed_soon(game):
            return ""
        named = registry.file_of(type(game)) or game.name
        command = shlex.join(["parlour", "train", named, *as_flags(game)])
        return (
            f"it may have too many situations to learn while you wait; train them first: {command}"
        )

    def prepare(self, game: Game, work: Work) -> None:
        """Get the hats for a game ready, which takes as long as their training."""
        if game in self._hats:
            return
        if self.kept:
            found = keeping.load_hats(self.kept, game, work=work)
        else:
            found = hats(game, self.rule, seed=self.seed or 0, work=work)
            work.cells[DONE] = 0  # from here on games are counted
            train(found, self.games, work=work, curve=False)
        if not work.stopped:
            self._hats[game] = found

    def hats(self, game: Game) -> Hats:
        """The hats it plays this game with."""
        if game not in self._hats:
            work = Work()
            work.run(lambda: self.prepare(game, work))  # so that Ctrl-C ends it
        return self._hats[game]

    def choose(self, game: Game, state: State) -> Move:
        """The move on a ball; `Resigns` when the box is empty."""
        held, seat = self.hats(game), game.turn(state)
        box = held.boxes.find(state)
        if self.likeliest:
            most = held.likeliest(held.row(seat), box)
            kind = self._lots.choices(most, [1] * len(most))[0] if most else None
        else:
            kind = held.draw(seat, state, self._lots)
        self._drawn.append(Draw(game, state, kind))
        if kind is None:
            raise Resigns("its box for this position is empty")
        return held.boxes.moves(state, kind)[0]

    def learn(self, record: Record) -> None:
        """Put the balls back by how the game ended, and keep the hats if they have a name."""
        drawn_here = list(self._drawn)
        self._drawn.clear()
        if not self.learning or record.result is None:
            return
        for game, held in self._hats.items():
            if (game.name, values(game)) == (record.game, record.options):
                drawn_in_it = [draw for draw in drawn_here if draw.game == game]
                self._learn(game, held, record, match_draws(held, record, drawn_in_it))

    def _learn(self, game: Game, held: Hats, record: Record, draws: Sequence[Draw]) -> None:
        """Those who learn at the same time by the same name each add to what the others did."""
        balls: dict[int, list[tuple[State, int]]] = {}
        gave_up = None
        for draw in draws:
            seat = game.turn(draw.state)
            balls.setdefault(seat, [])
            if draw.kind is None:
                gave_up = seat
            else:
                balls[seat].append((draw.state, draw.kind))

        def lesson(hats: Hats) -> None:
            hats.learn(balls, record.result or (), gave_up)

        if self.kept and balls:
            self._hats[game] = keeping.update_hats(self.kept, game, lesson)
        else:
            lesson(held)

    def inside(self, game: Game, state: State) -> str:
        """The box of this position with its balls, as text.

        Where the hats never move in it, it is the box that they drew from last.
        """
        held = self.hats(game)
        row, box = held.row(game.turn(state)), held.boxes.find(state)
        mine = [draw.state for draw in self._drawn if draw.game == game]
        if held.boxes.boxed[box] and box not in held.owned(row) and mine:
            return self.inside(game, mine[-1])
        return format_box(held, row, held.own(row, state))


def match_draws(held: Hats, record: Record, draws: Sequence[Draw]) -> list[Draw]:
    """The draws behind the moves of a record, in order; none where others made the moves.

    A seat was theirs if every move of it was drawn, in order, up to the very last draw. What was
    drawn in between and not played, because it was taken back, is passed over; and what is left
    from a game that nobody finished does not fit, for it comes before the draws of this one.
    """
    game = held.game
    steps = [(game.turn(state), state, move) for state, move in record.replay(game)]
    if draws and draws[-1].kind is not None:
        steps.pop()  # the end, at which a move is missing only if they found their box empty
    one = record.players[0] == record.players[1]  # whoever sits at both seats has one name
    for seats in ((0, 1),) * one + ((0,), (1,)):
        wanted = [(state, move) for seat, state, move in steps if seat in seats]
        if found := _match_seat(held, wanted, draws):
            return found
    return []


def _match_seat(
    held: Hats, steps: Sequence[tuple[State, Move | None]], draws: Sequence[Draw]
) -> list[Draw]:
    """For every step its draw, or nothing unless all have one and the last is the last."""
    found: list[Draw] = []
    left = list(draws)
    for state, move in reversed(steps):
        while left and not _fits(held, left[-1], state, move):
            if not found:
                return []
            left.pop()
        if not left:
            return []
        found.append(left.pop())
    return found[::-1]


def _fits(held: Hats, draw: Draw, state: State, move: Move | None) -> bool:
    if draw.state != state or (draw.kind is None) != (move is None):
        return False
    return draw.kind is None or move in held.boxes.moves(state, draw.kind)
