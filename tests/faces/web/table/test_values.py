"""Values are worked out for those who look, with scripts or without; brief failures pass."""

import pytest

from parlour.core.errors import ParlourError
from parlour.faces.web import live
from parlour.faces.web.table import values as valuing
from parlour.faces.web.table.values import Valuations
from parlour.faces.web.workers.pool import TaskFailed, TaskTimeout
from tests.faces.web.house import opened_in, wait_until

MOVES = ("b2", "a1", "c3", "a3", "a2")


@pytest.fixture
def house(tmp_path):
    """A house of the test's own, which knows no value yet."""
    with opened_in(tmp_path) as found:
        yield found


@pytest.fixture
def table(house):
    """A game that a browser plays on both sides, a few moves old."""
    ann = house.browser()
    for name in ("Ann", "Ben"):
        ann.post("/new/tictactoe/seats", {"do": "person", "name": name})
    path = ann.post("/new/tictactoe/play").headers["location"]
    for move in MOVES:
        assert ann.post(f"{path}/move", {"move": move}).status == 303
    return ann, path


def values_of(house, path):
    """What is known of the positions of a game, the current one last."""
    return house.services.get(Valuations).of_table(house.read(path.rpartition("/")[2]))


def test_the_chart_fills_for_a_page_without_scripts(house, table, monkeypatch):
    ann, path = table
    monkeypatch.setattr(live, "VIEWED", 0.0)
    wait_until(lambda: values_of(house, path)[-1])
    assert [bool(each) for each in values_of(house, path)] == [False] * len(MOVES) + [True]
    monkeypatch.setattr(live, "VIEWED", 3600.0)
    assert ann.get(f"{path}?view=values").status == 200
    wait_until(lambda: all(values_of(house, path)))


@pytest.mark.parametrize("failure", [TaskTimeout("too slow"), TaskFailed("it has died")])
def test_a_brief_failure_is_shown_and_the_value_soon_tried_again(
    house, table, monkeypatch, failure
):
    ann, path = table
    run, failures = house.services.workers.run, [failure]

    async def failing(name, payload, *values, **how):
        if name == "assess" and len(payload["moves"]) == len(MOVES) and failures:
            raise failures.pop()
        return await run(name, payload, *values, **how)

    monkeypatch.setattr(house.services.workers, "run", failing)
    monkeypatch.setattr(valuing, "RETRY_AFTER", 3600.0)

    def failed():
        found = values_of(house, path)[-1]
        return found and "t" in found.why_not and ann.get(f"{path}?view=values").text

    assert str(failure)[1:] in wait_until(failed)
    monkeypatch.setattr(valuing, "RETRY_AFTER", 0.0)  # an hour passes
    wait_until(lambda: (found := values_of(house, path)[-1]) and not found.why_not)
    assert str(failure)[1:] not in ann.get(f"{path}?view=values").text


def test_a_value_that_can_never_be_found_is_not_asked_for_again(house, table, monkeypatch):
    ann, path = table
    asked = []

    async def refusing(name, *values, **how):
        asked.append(name)
        raise ParlourError("this has no value")

    monkeypatch.setattr(valuing, "RETRY_AFTER", 0.0)
    monkeypatch.setattr(house.services.workers, "run", refusing)
    wait_until(lambda: "his has no value" in ann.get(f"{path}?view=values").text)
    wait_until(lambda: all(values_of(house, path)))
    assert all(values_of(house, path))
    assert asked == ["assess"] * (len(MOVES) + 1)
