"""A client that a program made from our OpenAPI plays whole games of every kind: whoever writes in
another language can do the same. The program is openapi-python-client; its warnings are errors.
"""

import contextlib
import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.core import registry
from parlour.core.referee import Match
from tests.faces.web.house import lift_limits, wait_until

CONFIG = "post_hooks: []\npackage_name_override: generated\n"


@pytest.fixture(scope="module")
def house(served_house):
    """A house at a real port, for clients of other makers."""
    return served_house


@pytest.fixture(scope="module")
def generated(house, tmp_path_factory):
    """The package that is generated, and removed again."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_text(json.dumps(house.app.openapi()))
    (folder / "config.yml").write_text(CONFIG)
    subprocess.run(
        [
            *(Path(sys.executable).with_name("openapi-python-client"), "generate"),
            *("--path", "openapi.json", "--config", "config.yml", "--meta", "none"),
            *("--output-path", "generated", "--fail-on-warning"),
        ],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=300,
    )
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("generated")
    finally:
        sys.path.remove(str(folder))
        for name in [each for each in sys.modules if each.partition(".")[0] == "generated"]:
            del sys.modules[name]


@pytest.fixture(autouse=True)
def in_haste(monkeypatch):
    lift_limits(monkeypatch)


@pytest.fixture
def visit(house, generated):
    """A function that returns a client, of nobody or with a token; all are closed again."""
    with contextlib.ExitStack() as clients:

        def make(token=""):
            client = (
                generated.AuthenticatedClient(base_url=house.url, token=token)
                if token
                else generated.Client(base_url=house.url)
            )
            return clients.enter_context(client)

        yield make


def call(name, **how):
    """What an operation answers, as its own model."""
    return importlib.import_module(f"generated.api.{name}").sync(**how)


def model(name):
    return getattr(importlib.import_module("generated.models"), name)


def test_it_plays_a_whole_game_against_a_bot(house, visit):
    nobody = visit()
    seats = [model("NewSeat")(), model("NewSeat")(kind=model("NewSeatKind").BOT, bot="random")]
    options = model("NewTableOptions").from_dict({"sticks": 10})
    new = model("NewTable")(game="sticks", options=options, seats=seats, listed=False)
    table = call("tables.create_table", client=nobody, body=new)
    taken = call(
        "tables.take_seat",
        client=nobody,
        table_id=table.id,
        seat=0,
        body=model("SeatRequest")(name="Ann"),
    )
    ann = visit(taken.token)

    def step():
        now = call("tables.read_table", client=ann, table_id=table.id)
        if now.turn == 0:
            body = model("NewMove")(move=now.legal[0], at=len(now.moves))
            now = call("tables.play_move", client=ann, table_id=table.id, body=body)
            assert isinstance(now, model("TableInfo"))
        return now.result

    result = wait_until(step)
    stored = house.read(table.id)
    match = Match.from_record(registry.game(stored.game, **stored.options), stored.record())
    assert list(match.result) == result
    assert "could not" not in match.reason


def test_a_refusal_comes_as_the_problem_that_was_declared(visit):
    nobody = visit()
    found = call("tables.read_table", client=nobody, table_id="nothing")
    assert isinstance(found, model("ProblemDocument"))
    assert (found.status, found.title) == (404, "Not found")
