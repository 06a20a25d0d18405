"""The API keeps what its OpenAPI promises, and is the same house as the pages."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from parlour.core import registry
from parlour.core.record import Record
from parlour.core.referee import Match
from parlour.faces.web.api import VERSION
from parlour.faces.web.app import describe_api
from tests.faces.web.api.conftest import check_answer
from tests.faces.web.house import Guest, lift_limits, opened_in

EXAMPLES = 200  # of each verb, beside those that cover its declaration
CONFIG = """
[checks.positive_data_acceptance]
# what has the right form may still be no move, nobody's table, or a plain request to a socket
expected-statuses = ["2xx", "401", "403", "404", "409", "422", "426"]
[warnings]
enabled = false
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A house of its own, which is left full of tables and accounts."""
    with opened_in(tmp_path_factory.mktemp("asked"), served=True) as found:
        yield found


@pytest.fixture
def without_limits(monkeypatch):
    """One program asks more in a minute than an address may in a day."""
    lift_limits(monkeypatch)


def run_schemathesis(house, folder):
    """Let it ask for everything; return what it printed."""
    (folder / "schemathesis.toml").write_text(CONFIG)
    made = [house.nobody().call("/accounts", {"name": f"Asks-{n}"}) for n in range(3)]
    known = [(each.json["account"]["name"], each.json["token"]) for each in made]
    rex, ada = (Guest(house.port, token=token) for _, token in known[:2])
    sent = [
        rex.call("/challenges", {"game": "nim", "opponent": known[1][0]}),
        ada.call("/challenges", {"game": "sticks"}),
    ]
    found = subprocess.run(
        [
            *(
                Path(sys.executable).with_name("schemathesis"),
                "run",
                f"{house.url}/api/openapi.json",
            ),
            *("--checks", "all", "--phases", "examples,coverage,fuzzing", "--no-color"),
            *("--max-examples", str(EXAMPLES), "--generation-deterministic"),
            *("--request-timeout", "30"),
        ],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "SCHEMATHESIS_HOOKS": "tests.faces.web.api_hooks",
            "ADDRESS": house.url,
            "TABLES": json.dumps(tables(house)),
            "ACCOUNTS": json.dumps(known),
            "CHALLENGES": json.dumps([each.json["id"] for each in sent]),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=1800,
    )
    assert found.returncode == 0, found.stdout[-8000:] + found.stderr[-2000:]
    return found.stdout


@pytest.mark.long
def test_schemathesis_finds_no_broken_promise(asked, tmp_path, without_limits):
    report = run_schemathesis(asked, tmp_path)
    operations = sum(map(len, describe_api()["paths"].values()))
    assert f"Tested: {operations}" in report


def tables(house):
    """Real tables in all states, and the token of a seat at each, or of nobody."""
    found = []
    for game in ("nim", "sticks", "chopsticks", "tictactoe", "othello"):
        table = house.table(game)
        ann, _ = house.player(table, 0), house.player(table, 1)
        other = house.table(game)
        found += [(table, ann.token), (other, "of nobody")]
    begun = house.table("tictactoe", [{"kind": "bot", "bot": "random"}], clock=[60, 1])
    over = house.table("sticks", [{"kind": "open"}, {"kind": "bot", "bot": "perfect"}])
    ann, bob = house.player(begun, 1), house.player(over, 0)
    assert bob.call(f"/tables/{over}/resign", method="POST").status == 200
    return [*found, (begun, ann.token), (over, bob.token)]


GARBAGE = (b"", b"{", b"[]", b"null", b'{"x": 1}', b'"\\u0000"', b"\xff" * 50, b"[" * 5000)


def test_every_operation_answers_garbage_as_it_declares(house, without_limits):
    """Each answer is held against its declaration by the fixture of all these tests."""
    table = house.table("tictactoe")
    ann = house.player(table, 0)
    names = {"table_id": (table, "nothing"), "name": ("x",), "challenge_id": ("nothing",)}
    json_type = {"Content-Type": "application/json"}
    for template, methods in describe_api()["paths"].items():
        if template.endswith(("/stream", "/events")):
            continue
        [field] = re.findall(r"\{(\w+)\}", template)[:1] or [""]
        for name in names.get(field, ("",)):
            path = re.sub(r"\{\w+\}", "1", template.replace(f"{{{field}}}", name))
            for method in methods:
                for guest in (house.nobody(), Guest(house.port, "", "parlour_x_y")):
                    for content in GARBAGE if method in ("post", "patch") else (None,):
                        answer = guest.ask(method.upper(), path, content, json_type)
                        check_answer(method.upper(), path.removeprefix("/api"), answer)
    for content in GARBAGE:
        answer = ann.ask("POST", f"/api/tables/{table}/moves", content, json_type)
        assert answer.status == 422
        check_answer("POST", f"/tables/{table}/moves", answer)


def test_a_whole_game_by_the_api_alone(house):
    assert house.nobody().get("/api/asyncapi.json").json["asyncapi"] == "3.0.0"
    made = house.nobody().call("/tables", {"game": "tictactoe", "listed": True})
    assert made.status == 201
    assert made.headers["Parlour-API-Version"] == VERSION
    table = made.json["id"]
    assert [seat["kind"] for seat in made.json["seats"]] == ["open", "open"]
    assert table in [each["id"] for each in house.nobody().call("/tables?limit=5").json]
    ann, bob = house.player(table, 0, "Ann"), house.player(table, 1, "Bob")
    for number, move in enumerate(["b2", "a1", "b1", "b3", "a3", "c1", "c3", "a2"]):
        guest = (ann, bob)[number % 2]
        before = guest.call(f"/tables/{table}").json
        assert before["turn"] == number % 2
        assert move in before["legal"]
        answer = guest.call(f"/tables/{table}/moves", {"move": move, "at": number})
        assert answer.status == 200
        assert len(answer.json["moves"]) == number + 1
    over = ann.call(f"/tables/{table}/moves", {"move": "c2", "at": 8}).json
    assert (over["result"], over["turn"], over["legal"]) == ([0, 0], None, [])
    assert table not in [each["id"] for each in house.nobody().call("/tables").json]
    record = Record.from_json(house.nobody().get(f"/tables/{table}/record").text)
    assert Match.from_record(registry.game("tictactoe"), record).result == (0, 0)


def test_every_listed_game_and_bot_can_be_asked_for(house):
    for game in house.nobody().call("/games").json:
        defaults = {
            name: option["default"]
            for name, option in game["options"]["properties"].items()
            if "default" in option
        }
        bots = house.nobody().call("/bots", {"game": game["name"], "options": defaults}).json
        assert {"random", "perfect"} & {bot["name"] for bot in bots}
        for bot in bots:
            seats = [{"kind": "open"}, {"kind": "bot", "bot": bot["name"]}]
            made = house.nobody().call("/tables", {"game": game["name"], "seats": seats})
            assert made.status == 201, bot


def test_solving_and_explaining_give_true_values(house):
    guest = house.nobody()
    solved = guest.call("/solve", {"game": "nim", "options": {"piles": [3, 4, 5]}}).json
    assert (solved["outcome"], solved["best"]) == ("win", ["2 from 1"])  # 3^4^5 = 2
    solved = guest.call("/solve", {"game": "nim", "position": "1 4 5"}).json
    assert solved["outcome"] == "loss"
    solved = guest.call("/solve", {"game": "tictactoe", "moves": ["a1"]}).json
    assert (solved["outcome"], solved["best"]) == ("draw", ["b2"])
    reason = guest.call("/explain", {"game": "nim", "position": "1 4 5", "move": "1 from 1"}).json
    assert reason["lines"]
    refused = guest.call("/solve", {"game": "othello"})
    assert refused.status == 422
    assert refused.said


def test_programs_of_one_address_share_its_place_among_the_workers(house, monkeypatch):
    """Otherwise a program with a new token for each question would have all workers."""
    clients = []

    async def run(*_, **how):
        clients.append(how["client"])
        return {"lines": []}

    monkeypatch.setattr(house.services.workers, "run", run)
    ann = house.browser()
    programs = [Guest(house.port, token=name) for name in ("one", "two", "")]
    for guest in (*programs, ann):
        assert guest.call("/explain", {"game": "nim"}, Origin=house.url).status == 200
    assert clients == ["127.0.0.1"] * 3 + [ann.owner]


def test_a_table_is_refused_with_a_sentence(house):
    bot = {"kind": "bot", "bot": "random"}
    for asked, status, sentence in (
        ({"game": "chess"}, 404, "There is no game 'chess'"),
        ({"game": "nim", "options": {"pile": [1]}}, 404, "did you mean 'piles'"),
        ({"game": "nim", "options": {"piles": [0]}}, 422, "Piles cannot be (0,)"),
        ({"game": "nim", "options": {"piles": "x"}}, 422, "Piles cannot be 'x'"),
        ({"game": "tictactoe", "seats": [bot] * 3}, 422, "has 2 seats here, not 3"),
        (
            {"game": "tictactoe", "seats": [{"kind": "bot", "bot": "standard"}]},
            422,
            "cannot play",
        ),
        ({"game": "tictactoe", "seats": [{"kind": "bot"}]}, 422, "cannot play this"),
        ({"game": "tictactoe", "seats": [{"kind": "king"}]}, 422, "Seats.0.kind"),
        ({"game": "tictactoe", "clock": [0, 0]}, 422, "Clock.0"),
        ({"game": "nim", "clock": [60, 0], "days": 2}, 422, "Choose seconds or days"),
        ({"game": "tictactoe", "x": 1}, 422, "X: extra inputs are not permitted."),
        ({}, 422, "Game: field required."),
    ):
        answer = house.nobody().call("/tables", asked)
        assert answer.status == status, asked
        assert sentence in answer.said
        assert answer.json.keys() == {"title", "status", "detail"}
        assert answer.json["status"] == status


def test_games_for_more_than_two_have_as_many_seats_as_are_asked_for(house):
    table = house.table("nim", [{"kind": "open"}] * 4)
    assert house.read(table).options["seats"] == 4
    assert len(house.read(table).seats) == 4
    for name in ("..", "a/b", "\0", "ä" * 40, "%", "a?b", "#", " ", "\u202e"):
        answer = house.nobody().call(f"/tables/{quote(name, safe='')}")
        assert answer.status in (404, 422), name
        assert answer.said


def test_events_have_the_table_now_and_at_every_change(house):
    table = house.table("tictactoe")
    ann, bob = house.player(table, 0), house.player(table, 1)
    with house.nobody().events(f"/api/tables/{table}/events?seconds=60") as event:
        first = event()
        assert (first["event"], json.loads(first["data"])["moves"]) == ("table", [])
        ann.call(f"/tables/{table}/moves", {"move": "b2"})
        assert json.loads(event()["data"])["moves"] == ["b2"]
        bob.call(f"/tables/{table}/moves", {"move": "a1"})
        second = event()
        assert json.loads(second["data"])["moves"] == ["b2", "a1"]
        assert int(second["id"]) > int(first["id"])
    assert not house.services.hub.is_open(f"table:{table}")


def test_events_begin_with_changes_made_while_they_were_asked_for(house, monkeypatch):
    """Here by another server, of which nothing is heard before one listens."""
    table = house.table("tictactoe")
    house.player(table, 0), house.player(table, 1)
    enter = house.services.hub.enter

    def late(page):
        house.store.tables.put(replace(house.read(table), moves=("b2",), seconds=(1.0,)))
        enter(page)

    monkeypatch.setattr(house.services.hub, "enter", late)
    answer = house.nobody().call(f"/tables/{table}/events?seconds=0")
    assert (answer.status, answer.text.count("event: table")) == (200, 1)
    assert '"moves":["b2"]' in answer.text
    assert not house.services.hub.is_open(f"table:{table}"), "and end when their time is over"
