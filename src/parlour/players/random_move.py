"""Random play: the bot "random", and playouts in which every seat moves at random.

Playouts go through the game's rules; Nim with up to a million moves to choose from, and Othello on
up to 64 squares, run in compiled code, whose choices are as good as uniform (see `below`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from parlour import boards, core, kernels
from parlour.core import Game, Move, State, Work, check_argument, option, say, settle, to_work
from parlour.kernels import othello
from parlour.rules import MAX_PILE, Nim, Othello


@dataclass
class Random:
    """Plays any legal move, all equally likely."""

    name: ClassVar[str] = "random"

    seed: int | None = option(None, "a number that makes its random choices repeatable", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._random = random.Random(self.seed)

    def plays(self, game: Game) -> str:
        return say("any game, at random")

    def choose(self, game: Game, state: State) -> Move:
        return self._random.choice(game.moves(state))

    def weights(self, game: Game, state: State) -> dict[Move, Fraction]:
        moves = game.moves(state)
        return dict.fromkeys(moves, Fraction(1, len(moves)))


MAX_CHOICES = 1 << 20  # with more moves, `below` would be uneven by more than 1 in 4,096


@dataclass(frozen=True)
class Tally:
    """How many games each seat won, how many were drawn, and how many moves were made in all."""

    wins: tuple[int, ...]
    draws: int
    plies: int

    def _repr_html_(self) -> str:
        games = sum(self.wins) + self.draws
        rows = [(f"Player {seat} wins", won) for seat, won in enumerate(self.wins, start=1)]
        shares = [
            (who, many, f"{many / games:.1%}" if games else None)
            for who, many in [*rows, ("Draws", self.draws)]
        ]
        each = f", {self.plies / games:.1f} moves each" if games else ""
        title = f"{games} random {'game' if games == 1 else 'games'}{each}"
        table = boards.ResultTable(("result", "games", "share"), shares)
        return boards.cell(title, table.to_html())


def playouts(game: Any, games: int, *, seed: int = 0, work: Work | None = None) -> Tally:
    """Play random games from the start; the same seed gives the same games.

    Stopping `work` ends it early, with the games played so far.
    """
    game = core.registry.game(game)
    games = check_argument("games", games, int, low=0)
    seed = check_argument("seed", seed, int)
    over = game.result(game.start())
    if over is not None:
        won = tuple(games if payoff > 0 else 0 for payoff in over)
        return Tally(won, games - sum(won), 0)
    play = core.extra(game, "playouts") or _play_any
    played: Tally = play(game, games, seed % 2**63, to_work(work))
    return played


def _play_any(game: Game, games: int, seed: int, work: Work) -> Tally:
    choice = random.Random(seed).choice
    start, moves_of, play = game.start(), game.moves, game.play
    wins, draws, plies = [0] * game.seats, 0, 0
    work.total = games
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
        work.done += 1
    return Tally(tuple(wins), draws, plies)


def play_nim(game: Nim, games: int, seed: int, work: Work) -> Tally:
    """Play random games of Nim in compiled code."""
    most = game.take or MAX_PILE
    if sum(min(pile, most) for pile in game.piles) > MAX_CHOICES:
        return _play_any(game, games, seed, work)
    import numpy as np

    places = len(game.piles)
    endings = [(0,) * (places - len(e)) + e for e in game.endings if len(e) <= places]
    tally = np.zeros(game.seats + 1, np.int64)
    kernels.nim.playouts(
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


def play_othello(game: Othello, games: int, seed: int, work: Work) -> Tally:
    """Play random games of Othello in compiled code."""
    if not game.is_compiled:
        return _play_any(game, games, seed, work)
    import numpy as np

    own, other, _ = game.start()
    tally = np.zeros(4, np.int64)
    othello.board.playouts(
        game.board.full, *game.geometry, own, other, games, seed, tally, _cells(work, games)
    )
    more, fewer, draws, plies = map(int, tally)
    return Tally((fewer, more) if game.misere else (more, fewer), draws, plies)


def _cells(work: Work, total: int) -> object:
    import numpy as np

    work.total = total
    return np.frombuffer(work.cells, np.int64)
