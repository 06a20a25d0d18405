"""Solving, against OpenSpiel's and easyAI's solvers (from PyPI), the same games in the same run.

CPU seconds throughout. Where no peer can do the work, the bar is a stated time.
"""

from __future__ import annotations

import functools
import itertools
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pyspiel
from easyAI import TwoPlayerGame
from easyAI.AI.solving import solve_with_depth_first_search
from easyAI.AI.TranspositionTable import TranspositionTable
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

import parlour
from parlour.core import registry
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


class PeerState(pyspiel.State):
    """A game of our protocol as OpenSpiel's own Python games are written."""

    rules: ClassVar[Any]
    numbers: ClassVar[dict[Any, int]]
    moves_made = 0

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.here = self.rules.start()

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.rules.turn(self.here)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.numbers[move] for move in self.rules.moves(self.here))

    def _apply_action(self, action: int) -> None:
        PeerState.moves_made += 1
        move = next(m for m in self.rules.moves(self.here) if self.numbers[m] == action)
        self.here = self.rules.play(self.here, move)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(action)

    def is_terminal(self) -> bool:
        return self.rules.result(self.here) is not None

    def returns(self) -> list[int]:
        return list(self.rules.result(self.here) or (0, 0))

    def __str__(self) -> str:
        return str(self.here)


def register_peer(rules: Any, moves: list[Any]) -> str:
    """Register a game of our protocol with OpenSpiel; its name there."""
    kind = pyspiel.GameType
    described = kind(
        short_name=f"python_{rules.name}",
        long_name=rules.name,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    size = pyspiel.GameInfo(
        num_distinct_actions=len(moves),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=100,
    )
    numbers = {move: number for number, move in enumerate(moves)}
    state = type("State", (PeerState,), {"rules": rules, "numbers": numbers})

    class PeerGame(pyspiel.Game):
        def __init__(self, params: Any = None) -> None:
            super().__init__(described, size, params or {})

        def new_initial_state(self) -> Any:
            return state(self)

    pyspiel.register_game(described, PeerGame)
    return described.short_name


class PeerRules(TwoPlayerGame):
    """A game of our protocol as easyAI's are written, with its moves made and taken back."""

    moves_made = 0

    def __init__(self, rules: Any) -> None:
        self.players = [None, None]
        self.rules = rules
        self.states = [rules.start()]
        self.current_player = 1

    def possible_moves(self) -> list[Any]:
        return list(self.rules.moves(self.states[-1]))

    def make_move(self, move: Any) -> None:
        PeerRules.moves_made += 1
        self.states.append(self.rules.play(self.states[-1], move))

    def unmake_move(self, move: Any) -> None:
        self.states.pop()

    def is_over(self) -> bool:
        return self.rules.result(self.states[-1]) is not None

    def scoring(self) -> int:
        result = self.rules.result(self.states[-1])
        return 100 * result[self.current_player - 1] if result else 0

    def ttentry(self) -> Any:
        return self.states[-1]

    def show(self) -> None:
        pass


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


def games_in_files() -> None:
    """Games as people write them, in Python alone, beside the peers on the very same functions."""
    short = Path(__file__).parent.parent / "examples" / "short"
    head = ("a game in a file", "who", "moves", "s", "k moves/s", "ratio")
    print("\n{:20} {:>14} {:>8} {:>8} {:>10} {:>6}".format(*head))
    native = "connect_four(rows=4,columns=4,x_in_row=3)"
    for label, file, options in (
        ("connect-3, 4x4", "connect_three", {}),
        ("hexapawn, 4x4", "hexapawn", {"n": 4}),
        ("wythoff 200,200", "wythoff", {"first": 200, "second": 200}),
    ):
        game: Any = registry.find("games", short / f"{file}.py")(**options)
        parlour.solve(game)
        ours = seconds(functools.partial(parlour.solve, game))
        states = solve_graph(game, Work()).index.states
        moves = sum(len(game.moves(state)) for state in states)
        every = sorted({move for state in states for move in game.moves(state)})
        alone = seconds(functools.partial(follow, game, states))
        rows = [("ours", moves, ours), ("the rules alone", moves, alone)]
        if moves < 10**6:  # the peers would take minutes
            PeerState.moves_made = PeerRules.moves_made = 0
            name = register_peer(game, every)
            spent = seconds(lambda name=name: MinimaxSolver(name).solve(), 1)
            rows.append(("OpenSpiel", PeerState.moves_made, spent))
            tree = functools.partial(solve_with_depth_first_search, PeerRules(game), 90, 50)
            spent = seconds(lambda tree=tree: tree(tt=TranspositionTable()), 1)
            rows.append(("easyAI", PeerRules.moves_made, spent))
        if file == "connect_three":
            spent = seconds(lambda: MinimaxSolver(native).solve(), 2)
            rows.append(("OpenSpiel, C++", moves, spent))
        for who, made, spent in rows:
            rate = made / spent / 1000
            ratio = moves / ours / 1000 / rate
            print(f"{label:20} {who:>14} {made:8} {spent:8.3f} {rate:10.0f} {ratio:6.1f}")


def follow(game: Any, states: list[Any]) -> None:
    """Call the rules as a solver must and do nothing else: nobody is faster with these rules."""
    for state in states:
        game.turn(state)
        for move in game.moves(state):
            game.play(state, move)


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
    games_in_files()
    sweep()
    bots()
