"""Random playouts: what becomes of a game when everybody draws lots.

Any game is played through its verbs; Nim with up to a million moves to choose from, and Othello on
up to 64 squares, by compiled code, which draws as evenly as makes no difference (see `below`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import singledispatch

from parlour.core import DONE, TOTAL, Game, ParlourError, Work
from parlour.rules import COMPILED_SQUARES, LARGEST_PILE, Nim, Othello

MOST_WAYS = 1 << 20  # beyond so many moves, `below` would be uneven by more than 1 in 4,096


@dataclass(frozen=True)
class Tally:
    """How many games each seat won, how many nobody did, and how many moves were made in all."""

    wins: tuple[int, ...]
    draws: int
    plies: int


def playouts(game: Game, games: int, *, seed: int = 0, work: Work | None = None) -> Tally:
    """Play so many random games from the start; the same seed gives the same games.

    A `work` that is stopped ends it early, with the games played so far.
    """
    if games < 0:
        raise ParlourError(f"one cannot play {games} games; say 0 or more")
    over = game.result(game.start())
    if over is not None:
        won = tuple(games if payoff > 0 else 0 for payoff in over)
        return Tally(won, games - sum(won), 0)
    return _play(game, games, seed % 2**63, work or Work())


@singledispatch
def _play(game: Game, games: int, seed: int, work: Work) -> Tally:
    choice = random.Random(seed).choice
    start, moves_of, play = game.start(), game.moves, game.play
    wins, draws, plies = [0] * game.seats, 0, 0
    work.cells[TOTAL] = games
    for _ in range(games):
        if work.stopped:
            break
        state = start
        while moves := moves_of(state):
            state = play(state, choice(moves))
            plies += 1
        result = game.result(state) or ()
        if 1 in result:
            wins[result.index(1)] += 1
        else:
            draws += 1
        work.cells[DONE] += 1
    return Tally(tuple(wins), draws, plies)


@_play.register
def _play_nim(game: Nim, games: int, seed: int, work: Work) -> Tally:
    most = game.take or LARGEST_PILE
    if sum(min(pile, most) for pile in game.piles) > MOST_WAYS:
        return _play.dispatch(object)(game, games, seed, work)
    import numpy as np

    from parlour.kernels import nim as kernels

    places = len(game.piles)
    endings = [(0,) * (places - len(e)) + e for e in game.endings if len(e) <= places]
    tally = np.zeros(game.seats + 1, np.int64)
    kernels.playouts(
        np.array(game.piles, np.int64),
        np.array(endings, np.int64).reshape(len(endings), places),
        most,
        game.misere,
        game.seats,
        games,
        seed,
        tally,
        _cells(work, games),
    )
    *wins, plies = map(int, tally)
    return Tally(tuple(wins), 0, plies)


@_play.register
def _play_othello(game: Othello, games: int, seed: int, work: Work) -> Tally:
    if len(game.board.bits) > COMPILED_SQUARES:
        return _play.dispatch(object)(game, games, seed, work)
    import numpy as np

    from parlour.kernels.othello import board as kernels

    own, other, _ = game.start()
    tally = np.zeros(4, np.int64)
    kernels.playouts(
        game.board.full, *game.geometry, own, other, games, seed, tally, _cells(work, games)
    )
    first, second, draws, plies = map(int, tally)
    return Tally((first, second), draws, plies)


def _cells(work: Work, total: int) -> object:
    import numpy as np

    work.cells[TOTAL] = total
    return np.frombuffer(work.cells, np.int64)
