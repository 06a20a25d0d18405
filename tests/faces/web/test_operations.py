"""What operators see: health, numbers that Prometheus can read, and one line for what fails."""

import json
import logging
import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from parlour.faces.web.operations import (
    JsonFormatter,
    PlainFormatter,
    configure_logs,
    may_see_metrics,
)
from parlour.faces.web.workers import TaskFailed
from parlour.store import Unavailable
from tests.faces.web.house import wait_until


def read_metrics(guest):
    """All numbers, by name and labels."""
    answer = guest.ask("GET", "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


# Numbers


def test_requests_are_counted_by_route_and_status_without_what_visitors_choose(house):
    guest = house.browser()
    table = house.table()
    before = read_metrics(guest)
    assert guest.get(f"/tables/{table}").status == 200
    assert guest.get("/tables/nothing").status == 404
    assert guest.get("/no/such/page").status == 404
    after = read_metrics(guest)
    routes = {key for key in after if key[0] == "parlour_requests_total"}
    assert not any(table in part or "nothing" in part for key in routes for part in key)
    (found,) = [key for key in routes if after[key] > before.get(key, 0) and "200" in key]
    assert re.fullmatch(r"/tables/\{\w+\}", found[1])
    missing = ("parlour_requests_total", "404", "GET", "none")
    assert after[missing] == before.get(missing, 0) + 1


def test_moves_sockets_tables_and_batches_are_counted(house):
    guest = house.browser()
    before = read_metrics(guest)
    table = house.table("sticks", [{"kind": "open"}, {"kind": "open"}])
    ann, bob = house.sitting(table, 0), house.sitting(table, 1)
    assert ann.post(f"/tables/{table}/move", {"move": "1", "at": 0}).status == 303
    assert bob.post(f"/tables/{table}/move", {"move": "1", "at": 1}).status == 303
    with guest.live(f"table:{table}") as page:
        page.recv(timeout=60)
        during = read_metrics(guest)
    moves = ("parlour_moves_total", "person")
    assert during[moves] == before.get(moves, 0) + 2
    sockets = ("parlour_sockets", "/live")
    assert during[sockets] == before.get(sockets, 0) + 1
    assert during[("parlour_tables_in_play",)] == before[("parlour_tables_in_play",)] + 1
    assert during[("parlour_write_batch_count",)] >= before[("parlour_write_batch_count",)] + 2
    wait_until(lambda: read_metrics(guest)[sockets] == before.get(sockets, 0))


def test_tasks_are_counted_by_kind_and_outcome(house):
    guest = house.nobody()
    done = ("parlour_tasks_total", "choose", "done")
    before = read_metrics(guest).get(done, 0.0)
    table = house.table("sticks", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    ann = house.player(table, 0)
    ann.call(f"/tables/{table}/moves", {"move": "1", "at": 0})
    wait_until(lambda: read_metrics(guest).get(done, 0.0) == before + 1)
    assert read_metrics(guest)[("parlour_tasks_waiting",)] == 0


def test_numbers_are_not_for_strangers(house, monkeypatch):
    for header in ("X-Forwarded-For", "X-Real-IP", "Forwarded"):
        answer = house.nobody().ask("GET", "/metrics", headers={header: "192.0.2.1"})
        assert answer.status == 403
        assert "parlour_requests" not in answer.text

    def visit(address, **headers):
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        return may_see_metrics({"type": "http", "client": (address, 1), "headers": pairs})

    assert visit("127.0.0.1")
    assert visit("::1")
    assert not visit("192.0.2.1")
    assert not visit("192.0.2.1", authorization="Bearer ")
    monkeypatch.setenv("PARLOUR_METRICS_TOKEN", "right")
    assert visit("192.0.2.1", authorization="Bearer right")
    assert not visit("192.0.2.1", authorization="Bearer wrong")
    assert not visit("192.0.2.1")


# Health


def test_a_server_is_alive_and_ready_whatever_the_probe_looks_like(house):
    for path, status in (("/healthz", "alive"), ("/readyz", "ready")):
        answer = house.nobody().ask("GET", path, headers={"Host": "10.1.2.3"})
        assert (answer.status, answer.json) == (200, {"status": status})
        assert answer.headers["set-cookie"] is None
        assert house.nobody().ask("POST", path).status == 405


def test_without_its_database_a_server_is_alive_but_not_ready(house, log, monkeypatch):
    def fail():
        raise Unavailable("the database cannot be used now: it is being restarted")

    guest = house.nobody()
    with monkeypatch.context() as patch:
        patch.setattr(house.store, "check", fail)
        patch.setattr(house.store.tables, "get", lambda *_: fail())
        assert guest.ask("GET", "/healthz").status == 200
        unready = guest.ask("GET", "/readyz")
        assert unready.status == 503
        assert unready.json["reason"].startswith("the database cannot be used now")
        assert guest.get("/tables/abcdefgh").status == 503
    assert guest.ask("GET", "/readyz").status == 200
    (refused,) = [line for line in log() if line.get("status") == 503 and line["route"] != "none"]
    assert (refused["status"], refused["level"]) == (503, "warning")
    assert refused["reason"].startswith("the database cannot be used now")


# The log


@pytest.fixture
def log(monkeypatch, capsys):
    """What this process logs as JSON."""
    root = logging.getLogger()
    kept, level = list(root.handlers), root.level
    configure_logs("json", "info")
    handler = root.handlers[0]
    lines = []
    monkeypatch.setattr(handler, "emit", lambda record: lines.append(handler.format(record)))
    yield lambda: [json.loads(line) for line in lines]
    root.handlers[:] = kept
    root.setLevel(level)
    for name in ("parlour", "uvicorn"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    logging.getLogger("parlour.kernels").propagate = True


def test_a_crash_is_logged_once_with_its_reason_and_the_id_that_the_visitor_sees(
    house, log, monkeypatch
):
    get = house.services.store.tables.get

    def crash(table_id):
        if table_id == "abcdefgh":  # bots of other tests may still be asking for their own
            raise ZeroDivisionError("never foreseen")
        return get(table_id)

    monkeypatch.setattr(house.services.store.tables, "get", crash)
    guest = house.browser()
    answer = guest.get("/tables/abcdefgh?secret=hush")
    assert answer.status == 500
    errors = [line for line in log() if line["level"] == "error"]
    assert len(errors) == 1, errors
    assert errors[0]["status"] == 500
    assert errors[0]["reason"] == "ZeroDivisionError"
    assert "never foreseen" in errors[0]["exception"]
    assert errors[0]["request"] == answer.headers["x-request-id"]
    assert "hush" not in json.dumps(log())
    assert guest.cookie not in json.dumps(log())


def test_a_line_says_route_status_time_and_request_and_keeps_what_a_proxy_called_it(house, log):
    answer = house.nobody().ask("GET", "/api/games", headers={"X-Request-ID": "proxy-12345678"})
    assert answer.headers["x-request-id"] == "proxy-12345678"
    (line,) = [line for line in log() if line["logger"] == "parlour.access"]
    assert line["message"].startswith("GET /api/games 200 in ")
    assert line["request"] == "proxy-12345678"
    assert line["address"] == "127.0.0.1"
    for wrong in ("short", "with space in it", 'quote"quote"', "x" * 65):
        headers = {"X-Request-ID": wrong}
        assert (
            house.nobody()
            .ask("GET", "/api/games", headers=headers)
            .headers["x-request-id"]
            .isalnum()
        )


def test_an_answer_of_500_is_a_warning_with_its_reason(house, log, monkeypatch):
    async def fail(*_, **__):
        raise TaskFailed("it failed: OSError")

    monkeypatch.setattr(house.services.workers, "run", fail)
    assert house.nobody().call("/solve", {"game": "nim"}).status == 500
    (line,) = [line for line in log() if line["logger"] == "parlour.access"]
    assert (line["level"], line["reason"]) == ("warning", "it failed: OSError")


def test_a_plain_line_is_one_line():
    record = logging.LogRecord("parlour", 30, "", 0, "two\nlines", (), None)
    assert PlainFormatter().format(record).endswith("WARNING two lines")
    assert json.loads(JsonFormatter().format(record))["message"] == "two\nlines"
