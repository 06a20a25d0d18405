"""The same games come out wherever they are played, and whichever process dies on the way."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from concurrent.futures import Future
from dataclasses import replace

import pytest

from parlour.arena import runner
from parlour.arena.plan import HOUSE, Entry, Fixture, Plan, game_id, random_openings
from parlour.arena.results import GameResult, Results, ResultsLog
from parlour.arena.runner import run
from parlour.arena.schedule import max_games, scored_games, struck_out
from parlour.arena.standings import compute_standings
from parlour.core import Record, executors, registry
from parlour.core.errors import ParlourError
from parlour.core.executors import make_executor

BOTS = ("random", "minimax depth=2", "minimax depth=1", "perfect level=5")


def make_plan(name="tictactoe", bots=BOTS, **more) -> Plan:
    """Games with random openings and random moves."""
    game = registry.game(name)
    settings = {"games": 4, "openings": random_openings(game, 2, 2, 7), "seed": 7, **more}
    return Plan(name, tuple(Entry(bot, HOUSE, bot) for bot in bots), **settings)


def outcome(plan: Plan, done) -> list[tuple]:
    """The games without the times."""
    games = scored_games(plan, done)
    assert len(games) == len({game.id for _, game in games}) == max_games(plan)
    return [(fixture, game.record.moves, game.record.result) for fixture, game in games]


@pytest.fixture(scope="module")
def alone() -> list[tuple]:
    """The games as one process plays them."""
    return outcome(make_plan(), run(make_plan(), Results(), make_executor("local", 1)))


# In this process


class Dying(executors.Executor):
    """Plays in this process, but calls are lost whenever a made-up worker dies."""

    def __init__(self, deaths: set[int], *, recovers: bool) -> None:
        self.calls, self.deaths, self.recovers = 0, deaths, recovers

    @property
    def workers(self) -> int:
        return 2

    def submit(self, call, *arguments, label="") -> Future:
        future: Future = Future()
        self.calls += 1
        if self.calls in self.deaths:
            future.set_exception(RuntimeError("the worker died"))
        else:
            future.set_result(call(*arguments))
        return future

    def recover(self) -> bool:
        return self.recovers


@pytest.mark.parametrize("recovers", [True, False])
def test_no_game_is_lost_or_doubled_when_workers_die(alone, recovers):
    results = Results()
    executor = Dying({1, 2, 4, 9}, recovers=recovers)
    assert outcome(make_plan(), run(make_plan(), results, executor)) == alone


def test_a_game_that_kills_three_workers_ends_the_tournament_and_says_which():
    words = "the process that played .* against .* ended 3 times .*the worker died.*are kept"
    with pytest.raises(ParlourError, match=words):
        run(make_plan(), Results(), Dying(set(range(1, 100)), recovers=False))


def test_an_interrupted_tournament_plays_only_what_is_missing(alone, tmp_path):
    plan, path = make_plan(), tmp_path / "played.jsonl"

    def interrupt(progress) -> None:
        if progress.done >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(plan, ResultsLog(tmp_path), make_executor("local", 1), watch=interrupt)
    kept = len(ResultsLog(tmp_path).games)
    assert 5 <= kept < max_games(plan)
    path.write_bytes(path.read_bytes()[:-100])
    again, seen = ResultsLog(tmp_path), []
    assert len(again.games) == kept - 1
    done = run(plan, again, make_executor("local", 1), watch=seen.append)
    assert outcome(plan, done) == alone
    assert (seen[-1].done, seen[-1].total) == (max_games(plan), max_games(plan))
    assert seen[-1].new == max_games(plan) - kept + 1
    assert len(ResultsLog(tmp_path).games) == max_games(plan)


def test_a_bot_that_hangs_costs_few_games(monkeypatch):
    plan = make_plan(games=20, strikes=3)

    def hang(line, fixtures, seconds, strong) -> list[str]:
        """Play one game, which the first bot loses on time if it takes part."""
        fixture = Fixture(*fixtures[0])
        record = Record("tictactoe", {}, ("a", "b"), result=(0, 0))
        game = GameResult(game_id(plan, fixture), record)
        if 0 in fixture.pair:
            seat = (fixture.first, fixture.second).index(0)
            lost = replace(record, result=((-1, 1), (1, -1))[seat], reason="took too long")
            game = replace(game, record=lost, fault="time", faulty_seat=seat)
        return [game.to_json()]

    monkeypatch.setattr(runner, "play_games", hang)
    done = run(plan, Results(), make_executor("local", 1))
    # Three, and those that were given out already: two for the only worker.
    assert 3 <= sum(0 in fixture.pair for fixture in done) <= 5
    assert sum(0 not in fixture.pair for fixture in done) == 3 * 20
    found = compute_standings(plan, scored_games(plan, done), struck=struck_out(plan, done))
    assert [each.name for each in found.struck] == ["random"]
    assert len(found.rows) == 3


def test_a_cluster_that_is_not_there_is_said_to_be_missing(monkeypatch):
    monkeypatch.setattr(executors, "CONNECT_TIMEOUT", 0.1)
    with pytest.raises(ParlourError, match="no Dask cluster answers"):
        make_executor("dask", None, "tcp://127.0.0.1:9")


def test_an_address_without_a_cluster_is_refused():
    with pytest.raises(ParlourError, match="--engine"):
        make_executor("local", 2, "127.0.0.1:8786")


# In several processes


@pytest.mark.server
def test_a_dask_worker_that_dies_loses_no_game_and_doubles_none(tmp_path):
    distributed = pytest.importorskip("distributed")
    # Games that last long enough for a worker to be killed half-way.
    plan = make_plan("othello", (*BOTS[:3], "benedict plies=1"))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        workers = make_executor("dask", None, cluster.scheduler_address)
        try:
            with distributed.Client(cluster, set_as_default=False) as client:
                pids = list(client.run(os.getpid).values())
            assert len(set(pids)) == 2

            def kill_one_half_way(progress) -> None:
                if progress.new >= 4 and len(pids) == 2:
                    os.kill(pids.pop(), signal.SIGKILL)

            done = run(plan, ResultsLog(tmp_path), workers, watch=kill_one_half_way)
            assert len(pids) == 1
        finally:
            workers.close()
    assert outcome(plan, done) == outcome(plan, run(plan, Results(), make_executor("local", 1)))
    lines = (tmp_path / "played.jsonl").read_text().splitlines()
    assert set(Counter(json.loads(line)["id"] for line in lines).values()) == {1}


@pytest.mark.server
@pytest.mark.long
@pytest.mark.parametrize("engine", ["local", "ray"])
def test_two_local_processes_and_ray_play_the_same_games(alone, engine):
    if engine == "ray":
        pytest.importorskip("ray")
    workers = make_executor(engine, 2)
    try:
        done = run(make_plan(), Results(), workers)
    finally:
        workers.close()
    assert outcome(make_plan(), done) == alone
