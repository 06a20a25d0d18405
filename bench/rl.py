"""Environments for training: many games of Othello at once, and PettingZoo's own measure.

Everybody steps random legal moves and has the observation, the legal actions, rewards and ends of
every game after each: our batch; a Python loop over OpenSpiel's C++ states (PyPI `open_spiel`); and
pgx, compiled by JAX. All are on one core, in turns, in processor seconds; pgx also has all cores,
by the clock. PettingZoo's `performance_benchmark` is given the processor's clock. The variable
RL_PEERS names the Python of an environment with `pgx`, `pettingzoo` and `pygame`; without it pgx
and PettingZoo's tic-tac-toe are left out.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pyspiel
from othello.machine import processor
from pettingzoo.test import performance_benchmark

from parlour import rl

ROUNDS = 5
BENCHMARK_ROUNDS = 2  # of PettingZoo's, which takes five seconds
SIZES = (64, 256, 1024, 4096)
MOVES = 2_000_000  # in a round of ours
SPIEL_MOVES = 6_000
OPENSPIEL_BAR, PGX_BAR = 20, 1
PEERS = Path(__file__).parent / "rl_peers"

Rate = Callable[[], float]  # moves a second


def our_rate(size: int) -> Rate:
    games = rl.batch("othello", size, seed=1)

    def rate() -> float:
        steps = max(1, MOVES // size)
        began = time.process_time()
        ended = 0
        for _ in range(steps):
            _, _, over = games.step(games.sample())
            games.masks()
            ended += int(over.sum())
        seconds = time.process_time() - began
        assert ended > size / 2  # plies in a random game are about 60
        return steps * size / seconds

    rate()  # load the kernels
    return rate


def spiel_rate() -> float:
    """Moves a second of a Python loop over OpenSpiel's states."""
    game, choice = pyspiel.load_game("othello"), random.choice
    state = game.new_initial_state()
    began = time.process_time()
    for _ in range(SPIEL_MOVES):
        state.apply_action(choice(state.legal_actions()))
        state.rewards()
        if state.is_terminal():
            state = game.new_initial_state()
        state.observation_tensor(state.current_player())
        state.legal_actions_mask()
    return SPIEL_MOVES / (time.process_time() - began)


class Pgx:
    """pgx in a process of its own, on these cores."""

    def __init__(self, python: str, size: int, cores: set[int]) -> None:
        self.on_one = len(cores) == 1
        self.process = subprocess.Popen(
            [python, str(PEERS / "pgx_othello.py"), str(size)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: os.sched_setaffinity(0, cores),  # noqa: PLW1509 - one thread here
        )
        self.version = self.process.stdout.readline().strip()
        if not self.version:
            raise SystemExit(f"{python} has no pgx; pip install pgx jax in that environment")

    def rate(self) -> float:
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        moves, used, passed = map(float, self.process.stdout.readline().split())
        return moves / (used if self.on_one else passed)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def best_rates(rates: dict[str, Rate], rounds: int = ROUNDS) -> dict[str, float]:
    """The best of several rounds in turns."""
    best = dict.fromkeys(rates, 0.0)
    for _ in range(rounds):
        for name, rate in rates.items():
            best[name] = max(best[name], rate())
    return best


def compare_othello(python: str | None) -> None:
    cores = os.sched_getaffinity(0)
    one = {max(cores)}
    os.sched_setaffinity(0, one)
    peers = {}
    if python:
        peers |= {f"pgx, {size} games": Pgx(python, size, one) for size in SIZES}
        peers |= {f"pgx, {size} games, all cores": Pgx(python, size, cores) for size in SIZES[-2:]}
        print(next(iter(peers.values())).version)
    found = best_rates(
        {f"ours, {size} games": our_rate(size) for size in SIZES}
        | {"OpenSpiel, Python loop": spiel_rate}
        | {name: peer.rate for name, peer in peers.items()}
    )
    for peer in peers.values():
        peer.close()
    os.sched_setaffinity(0, cores)
    spiel = found["OpenSpiel, Python loop"]
    ours = max(rate for name, rate in found.items() if name.startswith("ours"))
    print(f"{'othello 8x8':32} {'moves/s':>12} {'OpenSpiel':>10}")
    for name, rate in found.items():
        print(f"{name:32} {rate:12,.0f} {rate / spiel:10.1f}")
    print(f"ours beside OpenSpiel: {ours / spiel:.0f} times, to reach {OPENSPIEL_BAR}")
    if peers:
        pgx = max(rate for name, rate in found.items() if name.startswith("pgx"))
        print(f"ours beside pgx at its best: {ours / pgx:.1f} times, to reach {PGX_BAR}")
    else:
        print("pgx is left out: RL_PEERS names no Python that has it")


def read_turns(printed: str) -> float:
    """The turns a second that `performance_benchmark` printed."""
    line = next(each for each in printed.splitlines() if each.endswith("turns per second"))
    return float(line.split()[0])


def our_turns() -> float:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), mock.patch("time.time", time.process_time):
        performance_benchmark(rl.pettingzoo("tictactoe"))
    return read_turns(printed.getvalue())


def their_turns(python: str) -> float:
    command = [python, str(PEERS / "pettingzoo_tictactoe.py")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return read_turns(run.stdout)


def compare_pettingzoo(python: str | None) -> None:
    rates = {"ours": our_turns}
    if python:
        rates["PettingZoo's own"] = lambda: their_turns(python)
    found = best_rates(rates, BENCHMARK_ROUNDS)
    print(f"{'performance_benchmark':32} {'turns/s':>12}")
    for name, rate in found.items():
        print(f"{f'tic-tac-toe, {name}':32} {rate:12,.0f}")
    if not python:
        print("PettingZoo's own is left out: RL_PEERS names no Python that has pygame")


def main() -> None:
    python = os.environ.get("RL_PEERS")
    print(processor())
    compare_othello(python)
    compare_pettingzoo(python)


if __name__ == "__main__":
    main()
