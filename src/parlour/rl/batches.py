"""Many games of one variant at once, in arrays: Othello, Nim and tic-tac-toe by compiled code.

Every step makes one move in each game, whichever seat is to move there, and a game that ends is
begun again in the same step. Actions and observations are those of `Encoding`.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour import core, kernels
from parlour.core import IllegalMove, ParlourError, State, extra
from parlour.engine import board_table
from parlour.kernels import othello
from parlour.rl.encoding import Encoding
from parlour.rules import Nim, Othello, TicTacToe

Array = NDArray[Any]
Observations = NDArray[np.float32]
Rewards = NDArray[np.float32]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]

COUNTER = 0x9E3779B97F4A7C15  # by which the kernels step the counter of their random numbers
WORDS = 1 << 64
MAX_SIZE = 1_000_000  # games in a batch


def batch(game: Any, size: int, seed: int | None = None, **options: Any) -> Batch:
    """Return so many games to be played in step; the seed fixes what `sample` draws."""
    game = core.game(game, **options)
    size = core.check_argument("size", size, int, low=1, high=MAX_SIZE)
    if reason := why_no_batch(game):
        raise ParlourError(reason)
    made: Batch = extra(game, "batch")(Encoding(game), size, seed)
    return made


def why_no_batch(game: Any) -> str:
    """Return why a game cannot be played in batches, or nothing."""
    own: type[Batch] | None = extra(game, "batch")
    if own is None:
        return (
            f"there are batches of {core.all_of(NAMES)}, not of {game.name}; make a vector of the "
            "environments of parlour.rl.gymnasium() instead"
        )
    if reason := own.why_not(game):
        return reason
    over = game.result(game.start()) is not None
    return f"{core.protocol.full_title(game)} is over before it begins" if over else ""


class Batch:
    """Many games of one variant, played in step.

    `encoding` says what actions and observations mean. Whatever is returned is a new array, so that
    nothing of it changes with the next step.
    """

    @staticmethod
    def why_not(game: Any) -> str:
        """Return why this variant cannot be played in batches, or nothing."""
        return ""

    def __init__(self, encoding: Encoding, size: int, seed: int | None) -> None:
        self.encoding = encoding
        self.game: Any = encoding.game
        self.size = size
        self._first = self._begin()
        self._arrays = tuple(np.empty((size, *row.shape), row.dtype) for row in self._first)
        self._everywhere = np.ones(size, np.bool_)
        self.reset(secrets.randbits(63) if seed is None else seed)

    def __repr__(self) -> str:
        return f"<{self.size} games of {core.protocol.full_title(self.game)}>"

    @property
    def turn(self) -> Numbers:
        """The seat to move in each game."""
        return self._arrays[0].copy()

    def reset(self, seed: int | None = None) -> Observations:
        """Begin every game again, and return what the seats to move see; a seed is set anew."""
        if seed is not None:
            self._chance = core.check_argument("seed", seed, int) % WORDS
        self._restart(self._everywhere)
        return self._observe()

    def step(self, actions: Any) -> tuple[Observations, Rewards, Mask]:
        """Make a move in every game; `IllegalMove` names a game where it is illegal.

        Then nothing was played anywhere. Returned are what the seats to move see now; what every
        seat won by this move, by game and seat; and which games have ended. Those have begun again,
        so that what is seen of them is a new game.
        """
        rewards, ended = self._play(actions, self._everywhere)
        self._restart(ended)
        return self._observe(), rewards, ended

    def masks(self) -> Mask:
        """Return which actions are legal, by game and action."""
        masks = np.empty((self.size, self.encoding.size), np.bool_)
        self._run_mark_legal(masks)
        return masks

    def sample(self) -> Numbers:
        """Return a random legal action for each game, each as likely as the others."""
        actions = np.empty(self.size, np.int64)
        self._run_sample(self._chance, actions)
        self._chance = (self._chance + self.size * COUNTER) % WORDS
        return actions

    def states(self) -> list[State]:
        """Return the state of each game, as its rules know it."""
        return [self._state(number) for number in range(self.size)]

    # The parts of a step, for the environment of one seat as well

    def _play(self, actions: Any, playing: Mask) -> tuple[Rewards, Mask]:
        """Make a move in the games marked, and return the rewards and which games have ended."""
        actions = self._check(actions)
        rewards = np.zeros((self.size, self.game.seats), np.float32)
        ended = np.zeros(self.size, np.bool_)
        illegal = self._run_play(actions, playing, rewards, ended)
        if illegal >= 0:
            raise IllegalMove(f"in game {illegal} {self._why_not(illegal, int(actions[illegal]))}")
        return rewards, ended

    def _restart(self, ended: Mask) -> None:
        """Begin the games marked again."""
        places = ended.nonzero()[0]
        if places.size:
            for array, first in zip(self._arrays, self._first, strict=True):
                array[places] = first

    def _observe(self, which: Mask | None = None, seats: Numbers | None = None) -> Observations:
        """Return what these seats, or else those to move, see of the games marked, or of all."""
        arrays = self._arrays if which is None else tuple(each[which] for each in self._arrays)
        count = len(arrays[0])
        seen = np.empty((count, *self.encoding.shape), np.float32)
        self._run_observe(arrays, arrays[0] if seats is None else seats, seen)
        return seen

    def _check(self, actions: Any) -> Numbers:
        given = np.asarray(actions)
        if given.shape != (self.size,) or given.dtype.kind not in "iu":
            raise ParlourError(
                f"step() takes one whole number for each of the {self.size} games, and was given "
                f"{given.dtype} of the shape {given.shape}"
            )
        return np.array(given, np.int64)  # a copy, as a kernel takes no array that is read-only

    def _why_not(self, number: int, action: int) -> str:
        try:
            self.game.play(self._state(number), self.encoding.move(action))
        except ParlourError as problem:
            return str(problem)
        raise AssertionError(f"the rules allow action {action} in {self._state(number)}")

    # What each game does by its kernels; the first array is always that of the turns

    def _begin(self) -> tuple[Array, ...]:
        """Return the row of each array with which a game begins."""
        raise NotImplementedError

    def _run_play(self, actions: Numbers, playing: Mask, rewards: Rewards, ended: Mask) -> int:
        raise NotImplementedError

    def _run_observe(self, arrays: tuple[Array, ...], seats: Numbers, seen: Observations) -> None:
        raise NotImplementedError

    def _run_mark_legal(self, masks: Mask) -> None:
        raise NotImplementedError

    def _run_sample(self, chance: int, actions: Numbers) -> None:
        raise NotImplementedError

    def _state(self, number: int) -> State:
        raise NotImplementedError


class OthelloBatch(Batch):
    """Othello on boards of up to 64 squares."""

    @staticmethod
    def why_not(game: Othello) -> str:
        if game.is_compiled:
            return ""
        return (
            "there are batches of Othello on boards of up to 64 squares, and this one has "
            f"{game.columns * game.rows}; choose a smaller board"
        )

    def _begin(self) -> tuple[Array, ...]:
        game: Othello = self.game
        is_8x8 = game.columns == game.rows == 8
        self._board = 0 if is_8x8 else board_table(game.columns, game.rows).ctypes.data
        own, other, turn = game.start()
        boards = (own, other, game.legal(own, other))
        return (np.array(turn, np.int64), *(np.array(board, np.uint64) for board in boards))

    def _run_play(self, actions: Numbers, playing: Mask, rewards: Rewards, ended: Mask) -> int:
        turn, own, other, legal = self._arrays
        found: int = othello.batch.play(
            own, other, turn, legal, actions, playing, rewards, ended, self._board
        )
        if self.game.misere:
            np.negative(rewards, out=rewards)
        return found

    def _run_observe(self, arrays: tuple[Array, ...], seats: Numbers, seen: Observations) -> None:
        turn, own, other, _ = arrays
        othello.batch.observe(own, other, turn, seats, seen.reshape(len(turn), 3, -1))

    def _run_mark_legal(self, masks: Mask) -> None:
        othello.batch.mark_legal(self._arrays[3], masks)

    def _run_sample(self, chance: int, actions: Numbers) -> None:
        othello.batch.sample(self._arrays[3], self.encoding.size - 1, chance, actions)

    def _state(self, number: int) -> State:
        turn, own, other, _ = (int(array[number]) for array in self._arrays)
        return (own, other, turn)


class NimBatch(Batch):
    """Nim with any of its rules."""

    def _begin(self) -> tuple[Array, ...]:
        game: Nim = self.game
        turn, left, *piles = game.start()
        takes = [pile if game.take is None else min(pile, game.take) for pile in piles]
        self._takes = np.cumsum([0, *takes], dtype=np.int64)
        places = len(piles)
        endings = [(0,) * (places - len(each)) + each for each in game.endings]
        fitting = [each for each in endings if len(each) == places]
        self._endings = np.array(fitting, np.int64).reshape(len(fitting), places)
        self._digits = max(piles).bit_length()
        return (np.array(turn, np.int64), np.array(left, np.int64), np.array(piles, np.int64))

    def _run_play(self, actions: Numbers, playing: Mask, rewards: Rewards, ended: Mask) -> int:
        turn, left, piles = self._arrays
        rules = (self._takes, self._first[2], self._endings, self.game.misere, self.game.seats)
        found: int = kernels.nim.play(piles, turn, left, actions, playing, rewards, ended, *rules)
        return found

    def _run_observe(self, arrays: tuple[Array, ...], seats: Numbers, seen: Observations) -> None:
        turn, left, piles = arrays
        kernels.nim.observe(piles, turn, left, seats, self.game.seats, self._digits, seen)

    def _run_mark_legal(self, masks: Mask) -> None:
        kernels.nim.mark_legal(self._arrays[2], self._takes, masks)

    def _run_sample(self, chance: int, actions: Numbers) -> None:
        kernels.nim.sample(self._arrays[2], self._takes, chance, actions)

    def _state(self, number: int) -> State:
        turn, left, piles = self._arrays
        return (int(turn[number]), int(left[number]), *piles[number].tolist())


class TicTacToeBatch(Batch):
    """Tic-tac-toe on any board."""

    def _begin(self) -> tuple[Array, ...]:
        squares = self.encoding.size
        turn, free = np.array(0, np.int64), np.array(squares, np.int64)
        return (turn, free, np.zeros(squares, np.int8))

    def _run_play(self, actions: Numbers, playing: Mask, rewards: Rewards, ended: Mask) -> int:
        turn, free, cells = self._arrays
        rules = (self.game.columns, self.game.line, self.game.misere)
        found: int = kernels.tictactoe.play(
            cells, turn, free, actions, playing, rewards, ended, *rules
        )
        return found

    def _run_observe(self, arrays: tuple[Array, ...], seats: Numbers, seen: Observations) -> None:
        turn, _, cells = arrays
        kernels.tictactoe.observe(cells, turn, seats, seen.reshape(len(turn), 3, -1))

    def _run_mark_legal(self, masks: Mask) -> None:
        kernels.tictactoe.mark_legal(self._arrays[2], masks)

    def _run_sample(self, chance: int, actions: Numbers) -> None:
        _, free, cells = self._arrays
        kernels.tictactoe.sample(cells, free, chance, actions)

    def _state(self, number: int) -> State:
        turn, _, cells = self._arrays
        squares = "".join("-XO"[cell] for cell in cells[number])
        return self.game.read(f"{squares} {'XO'[turn[number]]}")


NAMES = (Othello.name, Nim.name, TicTacToe.name)
