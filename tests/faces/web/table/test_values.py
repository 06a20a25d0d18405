"""Values are worked out for whoever looks, with scripts or without; what passes is not kept."""

from __future__ import annotations

import time

import pytest

from parlour.core.errors import ParlourError
from parlour.faces.web.table import values as valuing
from parlour.faces.web.workers.pool import TaskFailed, TaskTimeout
from tests.faces.web.house import wait_until

MOVES = ("b2", "a1", "c3", "a3", "a2")


@pytest.fixture
def table(house):
    """A game that a browser plays on both sides, a few moves old; nothing is known of it."""
    wait_until(lambda: not house.state.valuations._tasks._tasks)
    house.state.valuations._known.clear()
    house.state.valuations._errors.clear()
    ann = house.browser()
    for name in ("Ann", "Ben"):
        ann.post("/new/tictactoe/seats", {"do": "person", "name": name})
    path = ann.post("/new/tictactoe/play").headers["location"]
    for move in MOVES:
        assert ann.post(f"{path}/move", {"move": move}).status == 303
    return ann, path


def known(house, path):
    """How many positions of the game have a value."""
    table = house.read(path.rpartition("/")[2])
    return sum(bool(each) for each in house.state.valuations.of_table(table)[1])


def test_the_chart_fills_for_a_page_without_scripts(house, table):
    ann, path = table

    def is_full():
        assert ann.get(f"{path}?view=values").status == 200
        return known(house, path) == len(MOVES) + 1

    wait_until(is_full)


def test_when_nobody_looks_any_more_only_what_is_on_the_table_is_valued(house, table):
    _, path = table
    house.state.hub._viewed.clear()
    known(house, path)  # asked for by nobody's page
    wait_until(lambda: known(house, path) == 1)
    time.sleep(0.3)
    assert known(house, path) == 1


@pytest.mark.parametrize(
    ("passing", "move"), [(TaskTimeout("too slow"), "c1"), (TaskFailed("it has died"), "b1")]
)
def test_what_went_wrong_by_the_way_is_told_and_soon_tried_again(
    house, table, monkeypatch, passing, move
):
    ann, path = table
    ann.post(f"{path}/move", {"move": move})  # to where no other test has been
    run, troubles = house.state.workers.run, [passing]

    async def failing(name, payload, *values, **how):
        if name == "assess" and payload["moves"][-1] == move and troubles:
            raise troubles.pop()
        return await run(name, payload, *values, **how)

    monkeypatch.setattr(house.state.workers, "run", failing)
    monkeypatch.setattr(valuing, "RETRY_AFTER", 3600.0)
    ann.get(f"{path}?view=values")
    wait_until(lambda: not troubles)
    held, values = house.read(path.rpartition("/")[2]), house.state.valuations
    wait_until(lambda: str(passing) == (values.of_table(held)[0] or {}).get("why_not"))
    assert str(passing)[1:] in ann.get(f"{path}?view=values").text
    monkeypatch.setattr(valuing, "RETRY_AFTER", 0.0)  # an hour passes
    wait_until(lambda: (values.of_table(held)[0] or {}).get("why_not") == "")
    assert str(passing)[1:] not in ann.get(f"{path}?view=values").text


def test_what_can_never_be_said_is_kept(house, table, monkeypatch):
    ann, path = table
    asked = []

    async def refusing(name, *values, **how):
        asked.append(name)
        raise ParlourError("nobody can value this")

    monkeypatch.setattr(valuing, "RETRY_AFTER", 0.0)
    monkeypatch.setattr(house.state.workers, "run", refusing)
    wait_until(lambda: "obody can value this" in ann.get(f"{path}?view=values").text)
    wait_until(lambda: len(asked) == len(MOVES) + 1)
    ann.get(f"{path}?view=values")
    time.sleep(0.1)
    assert len(asked) == len(MOVES) + 1
