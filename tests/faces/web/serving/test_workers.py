"""Several processes at one port are one server, on a file as on PostgreSQL."""

import contextlib
import json
import os
import signal
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.faces.web.browser import Server
from tests.faces.web.house import Guest, wait_until
from tests.faces.web.test_kill import begin, stored_moves
from tests.faces.web.workers.test_pool import is_gone
from tests.postgres import cluster

pytestmark = pytest.mark.server

MANY = 12  # connections: that all of them fall to the same of two processes is improbable
MOVES = ["1 from 1", "1 from 2"]


def children(pid):
    """The processes that a process has started."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(each) for each in found}


def descendants(pid):
    """These, and all that they have started."""
    return children(pid).union(*map(descendants, children(pid)))


def lines(server):
    """The lines of the log that are JSON."""
    return [json.loads(line) for line in server.log.splitlines() if line.startswith("{")]


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)]
)
def server(request, tmp_path_factory):
    database = cluster().new_database() if request.param == "postgresql" else ""
    folder = tmp_path_factory.mktemp("workers")
    found = Server(folder, database, "--workers", "2", "--log-format", "json", "--log-level=info")
    found.start()
    yield found
    found.close()


def ask(guest, path):
    with contextlib.suppress(OSError):
        return guest.call(path).json
    return None


def test_both_answer_and_each_counts_for_the_other(server):
    def count():
        page = Guest(server.port).ask("GET", "/metrics")
        wanted = {"route": "/api/games", "status": "200", "method": "GET"}
        return sum(
            sample.value
            for family in text_string_to_metric_families(page.text)
            for sample in family.samples
            if sample.labels == wanted
        )

    before = count()
    for _ in range(MANY):
        assert Guest(server.port).call("/games").status == 200
    wait_until(lambda: count() == before + MANY)  # it is counted after the answer
    by = {line["process"] for line in lines(server) if line.get("route") == "/api/games"}
    assert by == children(server.processes[-1].pid)


def test_a_move_made_at_one_is_seen_at_the_other(server):
    table, players = begin(server.port, "program", "program")
    with contextlib.ExitStack() as closing:
        pages = []
        for _ in range(MANY):
            watcher = Guest(server.port)
            watcher.get("/docs")
            pages.append(closing.enter_context(watcher.live(f"table:{table}")))
        for page in pages:
            page.recv(timeout=60)
        for number, move in enumerate(MOVES):
            path = f"/tables/{table}/moves"
            assert players[number % 2].call(path, {"move": move, "at": number}).status == 200
            for page in pages:
                while json.loads(page.recv(timeout=60))["version"] < number + 3:
                    pass


def test_one_that_dies_is_replaced_and_the_other_goes_on(server):
    main = server.processes[-1].pid
    table, players = begin(server.port, "program", "program")
    before = children(main)
    for number, victim in enumerate(sorted(before)):
        os.kill(victim, signal.SIGKILL)
        move = {"move": MOVES[number], "at": number}
        with contextlib.suppress(OSError):  # the connection may have been the victim's
            players[number].call(f"/tables/{table}/moves", move)
        wait_until(lambda: len(children(main)) == 2)
        wait_until(lambda victim=victim: victim not in children(main))
        found = wait_until(lambda: ask(players[0], f"/tables/{table}"))
        if len(found["moves"]) == number:  # it was not acknowledged either
            assert players[number].call(f"/tables/{table}/moves", move).status == 200
    assert not children(main) & before
    assert ask(players[0], f"/tables/{table}")["moves"] == MOVES
    warnings = [line["message"] for line in lines(server) if line["level"] == "warning"]
    assert sum("another one is started" in each for each in warnings) == 2


def test_all_stop_together_and_leave_the_database_whole(server):
    main = server.processes[-1].pid
    table, players = begin(server.port, "program", "program")
    assert players[0].call(f"/tables/{table}/moves", {"move": MOVES[0], "at": 0}).status == 200
    all_of_them = children(main)
    assert server.stop() == 0
    assert all(map(is_gone, all_of_them))
    if "sqlite" in server.database:
        assert [each.name for each in server.folder.glob("parlour.db*")] == ["parlour.db"]
        assert stored_moves(server.folder / "parlour.db")[table] == MOVES[:1]
    assert not [line for line in lines(server) if line["level"] == "error"]


@pytest.mark.long
def test_they_end_when_the_one_that_started_them_is_killed(server):
    if not server.runs:
        server.start()
    assert Guest(server.port).call("/solve", {"game": "nim"}).status == 200
    all_of_them = descendants(server.processes[-1].pid)
    assert len(all_of_them) >= 5  # two servers, a fork server of each, and a worker
    server.kill()
    wait_until(lambda: all(map(is_gone, all_of_them)))
    server.start()  # the file is free again
    assert server.stop() == 0
