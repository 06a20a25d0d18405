"""The same games come out wherever they are played, and whoever dies on the way."""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from parlour.arena import runner
from parlour.arena.plan import HOUSE, Entry, Fixture, Plan, game_id, random_openings
from parlour.arena.playing import play_games
from parlour.arena.results import GameResult, Results, ResultsLog
from parlour.arena.runner import run
from parlour.arena.schedule import max_games, scored_games, struck_out
from parlour.arena.standings import compute_standings
from parlour.core import Record, executors, registry
from parlour.core.errors import ParlourError
from parlour.core.executors import count_cores, make_executor, pin_to_one_core

pytestmark = pytest.mark.server

BOTS = ("random", "minimax depth=2", "minimax depth=1", "benedict plies=1")


def plan(**more) -> Plan:
    """Games of some length: Othello, with lots to draw."""
    game = registry.game("othello")
    settings = {"games": 4, "openings": random_openings(game, 4, 2, 7), "seed": 7, **more}
    return Plan("othello", tuple(Entry(bot, HOUSE, bot) for bot in BOTS), **settings)


def outcome(event: Plan, done) -> list[tuple]:
    """All that is not time."""
    games = scored_games(event, done)
    assert len(games) == len({game.id for _, game in games})
    return [(fixture, game.record.moves, game.record.result) for fixture, game in games]


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> list[tuple]:
    """What one process makes of it."""
    event = plan()
    games = outcome(
        event, run(event, ResultsLog(tmp_path_factory.mktemp("alone")), make_executor("local", 1))
    )
    assert len(games) == max_games(event) == 24
    return games


def test_two_processes_play_the_same_games_as_one(alone, tmp_path):
    event, workers = plan(), make_executor("local", 2)
    try:
        done = run(event, ResultsLog(tmp_path), workers)
    finally:
        workers.close()
    assert outcome(event, done) == alone


def test_the_table_is_the_same_for_any_order_of_games(alone, tmp_path):
    event = plan()
    results = ResultsLog(tmp_path)
    done = run(event, results, make_executor("local", 1))
    backwards = dict(reversed(done.items()))
    one, other = (compute_standings(event, scored_games(event, each)) for each in (done, backwards))
    assert one == other


def test_what_is_kept_is_not_played_again(alone, tmp_path):
    """Broken off by Ctrl-C after some games, it goes on with the others only."""
    event = plan()

    def impatient(progress) -> None:
        if progress.done >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(event, ResultsLog(tmp_path), make_executor("local", 1), watch=impatient)
    again = ResultsLog(tmp_path)
    kept = len(again.games)
    assert 5 <= kept < max_games(event)
    seen = []
    done = run(event, again, make_executor("local", 1), watch=seen.append)
    assert outcome(event, done) == alone
    assert seen[-1].new == max_games(event) - kept
    lines = (tmp_path / "played.jsonl").read_text().splitlines()
    assert set(Counter(json.loads(line)["id"] for line in lines).values()) == {1}


def test_a_bot_that_hangs_costs_few_games(monkeypatch):
    event = plan(games=20, strikes=3)

    def hang(line, fixtures, seconds, strong) -> list[str]:
        """Play one game, which the first bot loses on time if it takes part."""
        fixture = Fixture(*fixtures[0])
        record = Record("othello", {}, ("a", "b"), result=(0, 0))
        game = GameResult(game_id(event, fixture), record)
        if 0 in fixture.pair:
            seat = (fixture.first, fixture.second).index(0)
            lost = replace(record, result=((-1, 1), (1, -1))[seat], reason="took too long")
            game = replace(game, record=lost, fault="time", faulty_seat=seat)
        return [game.to_json()]

    monkeypatch.setattr(runner, "play_games", hang)
    done = run(event, Results(), make_executor("local", 1))
    # Three, and those that were given out already: two for the only worker.
    assert 3 <= sum(0 in fixture.pair for fixture in done) <= 5
    assert sum(0 not in fixture.pair for fixture in done) == 3 * 20
    found = compute_standings(event, scored_games(event, done), struck=struck_out(event, done))
    assert [each.name for each in found.struck] == ["random"]
    assert len(found.rows) == 3


def test_a_half_written_line_costs_one_game(alone, tmp_path):
    event = plan()
    run(event, ResultsLog(tmp_path), make_executor("local", 1))
    path = tmp_path / "played.jsonl"
    path.write_bytes(path.read_bytes()[:-100])
    results = ResultsLog(tmp_path)
    assert len(results.games) == max_games(event) - 1
    assert outcome(event, run(event, results, make_executor("local", 1))) == alone
    assert len(ResultsLog(tmp_path).games) == max_games(event)


def killing(pids, after: int = 4):
    """Watch a tournament, and kill one of these processes half-way."""
    left = list(pids)

    def watch(progress) -> None:
        if progress.new >= after and left:
            os.kill(left.pop(), signal.SIGKILL)
            left.clear()

    watch.left = left
    return watch


def test_a_local_worker_that_dies_loses_no_game_and_doubles_none(alone, tmp_path):
    event, workers = plan(), make_executor("local", 2)
    try:
        pids = list({workers.submit(os.getpid).result() for _ in range(20)})
        watch = killing(pids)
        done = run(event, ResultsLog(tmp_path), workers, watch=watch)
        assert not watch.left
    finally:
        workers.close()
    assert outcome(event, done) == alone


@pytest.mark.long
def test_a_dask_worker_that_dies_loses_no_game_and_doubles_none(alone, tmp_path):
    distributed = pytest.importorskip("distributed")
    event = plan()
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        workers = make_executor("dask", None, cluster.scheduler_address)
        try:
            with distributed.Client(cluster, set_as_default=False) as client:
                pids = list(client.run(os.getpid).values())
            assert len(set(pids)) == 2
            watch = killing(pids)
            done = run(event, ResultsLog(tmp_path), workers, watch=watch)
            assert not watch.left
        finally:
            workers.close()
    assert outcome(event, done) == alone


@pytest.mark.long
def test_a_ray_worker_that_dies_loses_no_game_and_doubles_none(alone, tmp_path, monkeypatch):
    pytest.importorskip("ray")
    event, doomed, killed = plan(), tmp_path / "doomed", tmp_path / "killed"

    def play_or_wait(*asked) -> list[str]:
        """Play games; whoever is asked first waits to be killed."""
        try:
            with doomed.open("x") as file:
                file.write(f"{os.getpid()}\n")
        except FileExistsError:
            return play_games(*asked)
        while not killed.exists():
            time.sleep(0.01)
        return play_games(*asked)

    def watch(progress) -> None:
        named = doomed.read_text() if doomed.exists() else ""
        if progress.new >= 4 and named and not killed.exists():
            os.kill(int(named), signal.SIGKILL)
            killed.touch()

    monkeypatch.setattr(runner, "play_games", play_or_wait)
    workers = make_executor("ray", 2)
    try:
        done = run(event, ResultsLog(tmp_path), workers, watch=watch)
    finally:
        workers.close()
    assert killed.exists()
    assert outcome(event, done) == alone


def affinity(folder: Path) -> tuple[int, list[int]]:
    """Where a worker may run, told once there are two of them."""
    pin_to_one_core()
    (folder / f"{os.getpid()}").touch()
    while len(list(folder.iterdir())) < 2:
        time.sleep(0.01)
    return os.getpid(), sorted(os.sched_getaffinity(0))


@pytest.mark.skipif(count_cores() < 2, reason="there is only one processor")
def test_workers_that_seat_strangers_keep_to_a_processor_each(tmp_path):
    workers = make_executor("local", 2)
    try:
        calls = [workers.submit(affinity, tmp_path) for _ in range(8)]
        found = dict(call.result() for call in calls)
    finally:
        workers.close()
    assert sorted(map(len, found.values())) == [1, 1]
    assert len({core for [core] in found.values()}) == 2


def test_a_cluster_that_is_not_there_is_said_to_be_missing(monkeypatch):
    monkeypatch.setattr(executors, "CONNECT_TIMEOUT", 0.5)
    with pytest.raises(ParlourError, match="no Dask cluster answers"):
        make_executor("dask", None, "tcp://127.0.0.1:9")


def test_an_address_without_a_cluster_is_refused():
    with pytest.raises(ParlourError, match="--engine"):
        make_executor("local", 2, "127.0.0.1:8786")
