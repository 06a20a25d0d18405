"""The bot "hats": a player that draws its moves from hats, and may learn from every game."""

from __future__ import annotations

import random
import shlex
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from parlour import core
from parlour.core import Game, Move, ParlourError, Record, Resigns, State, Work, option, say, values
from parlour.learn import hat_set, storage
from parlour.learn.hat_set import Hats
from parlour.learn.pictures import format_box
from parlour.learn.training import train


@dataclass(frozen=True)
class Draw:
    """A draw from a box, and the kind of ball that came out; None from an empty box."""

    game: Game
    state: State
    kind: int | None


@dataclass
class HatsPlayer:
    """Draws balls from trained hats, its own or those kept under a name."""

    name: ClassVar[str] = "hats"

    kept: str = option("", "the name of kept hats; without one, new hats are trained for the game")
    games: int = option(100_000, "how many games train new hats", low=0, high=hat_set.MAX_GAMES)
    rule: str = option("hats", "how new hats learn", choices=tuple(hat_set.RULES))
    learning: bool = option(False, "whether they go on learning from each game")
    likeliest: bool = option(False, "play the likeliest ball instead of drawing one")
    seed: int | None = option(
        None, "a number that makes its random draws repeatable", low=0, high=hat_set.MAX_SEED
    )

    def __post_init__(self) -> None:
        core.settle(self)
        self._random = random.Random(self.seed)
        self._hats: dict[Game, Hats] = {}
        self.described = True  # whether its options say all about it
        # Since the last lesson, in order
        self._draws: deque[Draw] = deque(maxlen=core.referee.MAX_MOVES)

    def plays(self, game: Game) -> str:
        """Say how many games it was trained on; new hats need boxes that are listed quickly."""
        games = storage.find_label(self.kept).games if self.kept else self.games
        return "" if self.why_not(game) else say("trained on {games:,} games", games=games)

    def why_not(self, game: Game) -> str:
        if self.kept:
            return storage.find_label(self.kept).explain_mismatch(game)
        try:
            hat_set.check_boxes(game)
        except ParlourError as error:
            return error.text
        if hat_set.can_list_boxes(game):
            return ""
        name = core.registry.file_of(type(game)) or game.name
        command = shlex.join(["parlour", "train", name, *core.as_flags(game)])
        return say(
            "it may have too many positions to learn while you wait; train hats first: {command}",
            command=command,
        )

    def prepare(self, game: Game, work: Work) -> None:
        """Load or train the hats for a game."""
        if game in self._hats:
            return
        if self.kept:
            found = storage.load_hats(self.kept, game, work=work)
        else:
            found = hat_set.hats(game, self.rule, seed=self.seed or 0, work=work)
            work.done = 0  # from here on it counts games
            train(found, self.games, work=work, curve=False)
        if not work.stopped:
            self._hats[game] = found

    def use_hats(self, held: Hats) -> None:
        """Play the game of these hats with them."""
        self._hats[held.game] = held
        self.described = False

    def hats(self, game: Game) -> Hats:
        """Return the hats it plays this game with."""
        if game not in self._hats:
            work = Work()
            work.run(lambda: self.prepare(game, work))  # so that Ctrl-C stops it
        return self._hats[game]

    def choose(self, game: Game, state: State) -> Move:
        """Draw a ball and return its move; raise `Resigns` if the box is empty."""
        balls = self._list_balls(game, state)
        kinds = self._random.choices(range(len(balls)), balls) if any(balls) else [None]
        self._draws.append(Draw(game, state, kinds[0]))
        if kinds[0] is None:
            raise Resigns(say("its box for this position is empty"))
        return self.hats(game).boxes.moves(state, kinds[0])[0]

    def weights(self, game: Game, state: State) -> dict[Move, Fraction]:
        """Return how likely each move is; none where the box is empty, and it would resign."""
        balls = self._list_balls(game, state)
        found: dict[Move, Fraction] = {}
        for kind, number in enumerate(balls):
            if number:  # kinds may share a move, where asking for too much takes all that is left
                move = self.hats(game).boxes.moves(state, kind)[0]
                found[move] = found.get(move, Fraction(0)) + Fraction(number, sum(balls))
        return found

    def _list_balls(self, game: Game, state: State) -> list[int]:
        """Return how many balls of each kind it draws from; one of each of the likeliest."""
        held = self.hats(game)
        row, box = held.row(game.turn(state)), held.boxes.find(state)
        balls = held.contents(row, box)
        return [int(number == max(balls) > 0) for number in balls] if self.likeliest else balls

    def learn(self, record: Record) -> None:
        """Put the balls back according to the result, and save the hats if they have a name."""
        draws = list(self._draws)
        self._draws.clear()
        if not self.learning or record.result is None:
            return
        self.described = bool(self.kept)
        for game, held in self._hats.items():
            if (game.name, values(game)) == (record.game, record.options):
                own = [draw for draw in draws if draw.game == game]
                self._learn(game, held, record, match_draws(held, record, own))

    def _learn(self, game: Game, held: Hats, record: Record, draws: Sequence[Draw]) -> None:
        """Apply the lesson; players that share a name each add to what the others learned."""
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
            self._hats[game] = storage.update_hats(self.kept, game, lesson)
        else:
            lesson(held)

    def inside(self, game: Game, state: State) -> str:
        """Return the box of this position with its balls, as text.

        Where these hats never move in it, return the box they drew from last.
        """
        held = self.hats(game)
        row, box = held.row(game.turn(state)), held.boxes.find(state)
        mine = [draw.state for draw in self._draws if draw.game == game]
        if held.boxes.boxed[box] and box not in held.own_boxes(row) and mine:
            return self.inside(game, mine[-1])
        return format_box(held, row, held.find_box(row, state))


def match_draws(held: Hats, record: Record, draws: Sequence[Draw]) -> list[Draw]:
    """Return the draws behind the moves of a record, in order; none where others made the moves.

    A seat was the hats' own if all its moves were drawn, in order, up to the very last draw. Draws
    that were taken back are skipped. Draws left over from an unfinished game come earlier and do
    not fit.
    """
    game = held.game
    steps = [(game.turn(state), state, move) for state, move in record.replay(game)]
    if draws and draws[-1].kind is not None:
        steps.pop()  # the end; it lacks a move only if the hats found their box empty
    one = record.players[0] == record.players[1]  # the same player may sit at both seats
    for seats in ((0, 1),) * one + ((0,), (1,)):
        wanted = [(state, move) for seat, state, move in steps if seat in seats]
        if found := _match_seat(held, wanted, draws):
            return found
    return []


def _match_seat(
    held: Hats, steps: Sequence[tuple[State, Move | None]], draws: Sequence[Draw]
) -> list[Draw]:
    """Return the draw of every step, or nothing unless all have one and the last ones match."""
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
