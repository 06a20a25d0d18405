"""The list of games in a report: what was the players' and what was not."""

from __future__ import annotations

import pytest

from parlour.arena.plan import HOUSE, Entry, Fixture, Plan
from parlour.arena.report import render_report
from parlour.arena.results import GameResult
from parlour.arena.standings import compute_standings
from parlour.core.record import Record

PLAN = Plan("nim", (Entry("a", HOUSE, "random"), Entry("b", HOUSE, "random")))
MOVES = ("1 from 1", "2 from 2", "3 from 3")


@pytest.mark.parametrize(
    ("opening", "told"),
    [
        (0, ">1 from 1, 2 from 2, 3 from 3<"),
        (2, ">opening: 1 from 1, 2 from 2; then 3 from 3<"),
        (3, ">opening: 1 from 1, 2 from 2, 3 from 3<"),
    ],
)
def test_moves_of_the_opening_are_told_apart(opening, told):
    record = Record("nim", {}, ("a", "b"), MOVES, opening=opening)
    games = [(Fixture(0, 1, 0), GameResult("one", record))]
    assert told in render_report(PLAN, compute_standings(PLAN, games), games, title="Opening")
