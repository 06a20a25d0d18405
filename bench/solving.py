"""Solving, against OpenSpiel's and easyAI's solvers (from PyPI), the same games in the same run.

CPU seconds throughout. Where no peer can do the work, the bar is a stated time.
"""

from __future__ import annotations

import itertools
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from easyAI import TwoPlayerGame
from easyAI.AI.solving import solve_with_depth_first_search
from easyAI.AI.TranspositionTable import TranspositionTable
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

import parlour
from parlour.core.work import Work
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.graph import solve_graph

ROUNDS = 5


class PeerNim(TwoPlayerGame):
    """Nim as easyAI's own example plays it: who takes the last object wins."""

    def __init__(self, piles: tuple[int, ...]) -> None:
        self.players = [None, None]
        self.piles = list(piles)
        self.current_player = 1

    def possible_moves(self) -> list[str]:
        return [f"{p},{n}" for p, size in enumerate(self.piles) for n in range(1, size + 1)]

    def make_move(self, move: str) -> None:
        pile, amount = map(int, move.split(","))
        self.piles[pile] -= amount

    def unmake_move(self, move: str) -> None:
        pile, amount = map(int, move.split(","))
        self.piles[pile] += amount

    def is_over(self) -> bool:
        return not any(self.piles)

    def win(self) -> bool:
        return False  # who is to move with nothing left has lost

    def scoring(self) -> int:
        return -100 if self.is_over() else 0

    def ttentry(self) -> tuple[int, ...]:
        return tuple(self.piles)

    def show(self) -> None:
        pass


@dataclass(frozen=True)
class Heaps:
    """A stranger's game, written without a thought for speed: Nim with three heaps."""

    name: ClassVar[str] = "heaps"
    seats: ClassVar[int] = 2

    size: ClassVar[Callable[..., int]] = lambda self: 10**6

    def start(self) -> tuple[int, ...]:
        return (0, 40, 40, 40)

    def turn(self, state: tuple[int, ...]) -> int:
        return state[0]

    def moves(self, state: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(h, n) for h in (1, 2, 3) for n in range(1, state[h] + 1)]

    def play(self, state: tuple[int, ...], move: tuple[int, int]) -> tuple[int, ...]:
        heap, amount = move
        after = list(state)
        after[0] = 1 - after[0]
        after[heap] -= amount
        return tuple(after)

    def result(self, state: tuple[int, ...]) -> tuple[int, int] | None:
        return None if any(state[1:]) else ((-1, 1) if state[0] == 0 else (1, -1))

    def key(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return state[1:]


def seconds(call: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """The best CPU time of several runs."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        call()
        best = min(best, time.process_time() - began)
    return best


def against_peers() -> None:
    print(f"{'solving every position':30} {'ours s':>10} {'peer s':>9} {'ratio':>9} {'bar':>6}")
    for name, ours, theirs, peer, bar in [
        (
            "nim 15,15,15",
            Nim(piles=(15, 15, 15)),
            lambda: MinimaxSolver("nim(pile_sizes=15;15;15,is_misere=false)").solve(),
            "OpenSpiel",
            1000,
        ),
        ("tictactoe", TicTacToe(), lambda: MinimaxSolver("tic_tac_toe").solve(), "OpenSpiel", 1),
        (
            "nim 5,9,12",
            Nim(piles=(5, 9, 12)),
            lambda: solve_with_depth_first_search(
                PeerNim((5, 9, 12)), 90, 50, tt=TranspositionTable()
            ),
            "easyAI",
            1,
        ),
    ]:
        parlour.solve(ours)
        mine = seconds(lambda ours=ours: [parlour.solve(ours) for _ in range(100)]) / 100
        peers = seconds(theirs, 2)
        print(
            f"{name + ' (' + peer + ')':30} {mine:10.6f} {peers:9.3f} {peers / mine:9.0f} {bar:6}"
        )


def against_the_clock() -> None:
    print(f"\n{'what':56} {'measured':>12} {'bar':>10}")

    def show(what: str, measured: str, bar: str) -> None:
        print(f"{what:56} {measured:>12} {bar:>10}")

    large = Nim(piles=(100,) * 4, endings=CLASS_ENDINGS, misere=True)
    show(
        "nim, 4 piles of 100 with endings",
        f"{seconds(lambda: parlour.solve(large)):.3f} s",
        "0.5 s",
    )
    tracemalloc.start()
    parlour.solve(large)
    show("  memory", f"{tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB", "100 MB")
    tracemalloc.stop()
    rules = (("dies", "wraps"), (False, True), (0, 1, 2), (False, True), (False, True))
    slowest = 0.0
    for overflow, hit_self, least, revive, same in itertools.product(*rules):
        game = Chopsticks(
            dies_at=10, overflow=overflow, hit_self=hit_self, split_least=least, revive=revive,
            split_same=same,
        )  # fmt: skip
        slowest = max(slowest, seconds(lambda game=game: parlour.solve(game)))
    show("chopsticks, slowest variant with dies_at 10", f"{slowest * 1000:.2f} ms", "2 ms")
    huge = Chopsticks(dies_at=20, overflow="wraps", hit_self=True, split_same=True)
    solution = parlour.solve(huge)
    edges = sum(len(huge.moves(_state(huge, code))) for code in solution.index.codes.tolist())
    rate = edges / seconds(lambda: parlour.solve(huge)) / 1e6
    show("compiled family, chopsticks dies_at 20, moves a second", f"{rate:.0f} M", "20 M")
    heaps = Heaps()
    listed = solve_graph(heaps, Work()).index.states
    moves = sum(len(heaps.moves(state)) for state in listed)
    rate = moves / seconds(lambda: parlour.solve(heaps), 3) / 1000
    show("a stranger's game, moves a second", f"{rate:.0f} k", "400 k")
    for options, bar in (({"rules": "feathers"}, "5 s"), ({"rules": "feathers-revive"}, "30 s")):
        game = Chopsticks(**options)
        show(
            f"{options['rules']}, barred loops, proven",
            f"{seconds(lambda game=game: parlour.solve(game), 1):.2f} s",
            bar,
        )


def sweep() -> None:
    """The atlas of chopsticks: every combination with loops allowed and dies_at 3 to 10."""
    from parlour.truth.variants.sweep import atlas

    began = time.process_time()
    found = atlas("chopsticks", {}, {})
    spent = time.process_time() - began
    print(f"\natlas of chopsticks: {len(found.rows)} variants in {spent:.2f} s (bar 10 s)")


def _state(game: Chopsticks, code: int) -> tuple[int, ...]:
    return (0, code >> 15, code >> 10 & 31, code >> 5 & 31, code & 31)


def bots() -> None:
    print(f"\n{'bot':24} {'moves':>6} {'mean ms':>8} {'most ms':>8} {'bar':>6}")
    for name, game in [
        ("benedict", Othello()),
        ("despacito", Othello()),
        ("despacito", Othello(opening="despacito")),
    ]:
        bot, other = parlour.bot(name), parlour.bot("random", seed=1)
        bot.choose(game, game.start())
        times = []
        for _ in range(5):
            state = game.start()
            while game.moves(state):
                if game.turn(state) == 0:
                    began = time.perf_counter()
                    move = bot.choose(game, state)
                    times.append((time.perf_counter() - began) * 1000)
                else:
                    move = other.choose(game, state)
                state = game.play(state, move)
        board = f"{name} {game.columns}x{game.rows}"
        print(f"{board:24} {len(times):6} {sum(times) / len(times):8.2f} {max(times):8.2f} {50:6}")


if __name__ == "__main__":
    against_peers()
    against_the_clock()
    sweep()
    bots()
