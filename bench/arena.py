"""The arena: what the referee costs, what a second worker brings, and the 20 Benedicts.

The referee's cost is all of a game's time that is not the bots' own thinking, which both sides
measure in the same way; its peer is OpenSpiel's `evaluate_bots` in Python with bots of the same
kind. Two workers race one over the same games, start-up included.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from pathlib import Path

import numpy as np
import pyspiel
from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

import parlour
from parlour.arena import playing
from parlour.arena.plan import HOUSE, Entry, Fixture, Plan, random_openings
from parlour.arena.results import ResultsLog
from parlour.arena.runner import run
from parlour.arena.tuning import Task, first_generation, plan_generation
from parlour.core.executors import make_executor
from parlour.players.random_move import Random

ROUNDS = 5
REFEREED = {  # ours, theirs, games
    "tictactoe": ("tic_tac_toe", 400),
    "nim": ("nim(pile_sizes=3;4;5,is_misere=false)", 400),
    "othello": ("othello", 40),
}
WORK = 20  # seconds that one worker is to be busy


class Thinking:
    """A bot, and the time it spent."""

    seconds = 0.0

    def __init__(self, bot) -> None:
        self.bot = bot

    def choose(self, game, state):
        began = time.perf_counter()
        move = self.bot.choose(game, state)
        Thinking.seconds += time.perf_counter() - began
        return move


CHOOSE = Random.choose


def choose_timed(bot, game, state):
    """`Random.choose`, and the time it took."""
    began = time.perf_counter()
    move = CHOOSE(bot, game, state)
    Thinking.seconds += time.perf_counter() - began
    return move


class Drawing(pyspiel.Bot):
    """OpenSpiel's side: a bot in Python that draws any legal move, and the time it spent."""

    def __init__(self, lots: random.Random) -> None:
        super().__init__()
        self.lots = lots

    def restart_at(self, state) -> None:
        """Nothing is remembered."""

    def inform_action(self, state, player, action) -> None:
        """Nothing is remembered of it."""

    def step(self, state):
        began = time.perf_counter()
        action = self.lots.choice(state.legal_actions())
        Thinking.seconds += time.perf_counter() - began
        return action


def ours(name: str, games: int) -> tuple[float, int]:
    """Microseconds a move beside thinking, and moves."""
    game = parlour.game(name)
    bots = [Thinking(parlour.bot("random", seed=seat)) for seat in (0, 1)]
    Thinking.seconds, moves, began = 0.0, 0, time.perf_counter()
    for _ in range(games):
        match = parlour.Match(game, ("one", "other"))
        faults = playing.FaultRecorder(match, None)
        for _ in parlour.drive(match, bots, timer=faults.timer, fail=faults.blame):
            pass
        moves += len(match.moves)
    return (time.perf_counter() - began - Thinking.seconds) / moves * 1e6, moves


def theirs(name: str, games: int) -> tuple[float, int]:
    game = pyspiel.load_game(name)
    bots = [Drawing(random.Random(seat)) for seat in (0, 1)]
    rng = np.random.RandomState(1)
    Thinking.seconds, moves, began = 0.0, 0, time.perf_counter()
    for _ in range(games):
        state = game.new_initial_state()
        evaluate_bots(state, bots, rng)
        moves += state.move_number()
    return (time.perf_counter() - began - Thinking.seconds) / moves * 1e6, moves


def all_in(name: str, games: int) -> float:
    """Microseconds a move of whole games, thinking and nothing else subtracted.

    Bots are seated, the record is written, and where the truth is known every move is judged.
    """
    entries = tuple(Entry(bot, HOUSE, "random") for bot in ("one", "other"))
    line = Plan(name, entries, games=2 * games).to_json()
    Random.choose = choose_timed
    try:
        Thinking.seconds, began = 0.0, time.perf_counter()
        played = playing.play_games(line, [(0, 1, leg) for leg in range(games)], 1000, True)
        took = time.perf_counter() - began - Thinking.seconds
    finally:
        Random.choose = CHOOSE
    return took / sum(len(json.loads(each)["record"]["moves"]) for each in played) * 1e6


def held(plan: Plan, workers: int) -> float:
    """Seconds for a whole tournament, with the start of its workers."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        hands = make_executor("local", workers)
        try:
            run(plan, ResultsLog(Path(folder)), hands)
        finally:
            took = time.perf_counter() - began
            hands.close()
    return took


def some_minimax(games: int) -> Plan:
    """Two bots that think a while over every move."""
    game = parlour.game("othello")
    names = ("despacito level=4", "despacito level=3")
    return Plan(
        "othello",
        tuple(Entry(name, HOUSE, name) for name in names),
        games=games,
        openings=random_openings(game, 6, games // 2, 1),
    )


def benedicts() -> Plan:
    """The bot as it is and 19 with slightly other tables, both colours for every pair."""
    game, bot = parlour.game("othello"), parlour.bot("benedict")
    task = Task(game, bot, frozenset({"table", "mobility_table"}), variants=20)
    return plan_generation(task, first_generation(task), 1)


def main() -> None:
    print(f"{'µs a move':12} {'referee':>8} {'OpenSpiel':>10} {'ratio':>7} {'at most':>8}", end="")
    print(f" {'all in':>8}")
    for name, (spiel, games) in REFEREED.items():
        ours(name, 10), theirs(spiel, 10)
        rounds = [(ours(name, games)[0], theirs(spiel, games)[0]) for _ in range(ROUNDS)]
        best = [min(side) for side in zip(*rounds, strict=True)]
        whole = min(all_in(name, games) for _ in range(ROUNDS))
        print(f"{name:12} {best[0]:8.2f} {best[1]:10.2f} {best[1] / best[0]:7.2f} {10:8}", end="")
        print(f" {whole:8.2f}")
    plan = some_minimax(8)
    playing.play_game(plan, plan.make_game(), Fixture(0, 1, 0))
    games = 2 * round(WORK / held(plan, 1) * 4)
    plan = some_minimax(games)
    one, two = held(plan, 1), held(plan, 2)
    print(f"\n{games} games: 1 worker {one:.1f} s, 2 workers {two:.1f} s", end=": ")
    print(f"{one / two:.2f} times as fast (at least 1.7)")
    took = held(benedicts(), 2)
    print(f"20 benedicts, both colours, 380 games, 2 workers: {took:.2f} s (at most 8)")


if __name__ == "__main__":
    main()
