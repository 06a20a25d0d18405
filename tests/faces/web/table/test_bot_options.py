"""Bots on the web: what a stranger may set on one, and what belongs to the owner of the machine."""

from __future__ import annotations

import pytest

REFUSED = {
    "kept=mine": "Saved hats cannot play here; leave out kept, or start a class in the school.",
    "kept=mine learning=yes": (
        "Saved hats cannot play here; leave out kept, or start a class in the school."
    ),
    "learning=yes": "Bots do not learn here; leave out learning, or start a class in the school.",
    "games=500000000": "Games can be at most 1,000,000 here, not 500,000,000.",
    "games=1000001": "Games can be at most 1,000,000 here, not 1,000,001.",
}


@pytest.mark.parametrize(("options", "says"), REFUSED.items(), ids=REFUSED)
def test_what_is_the_owners_or_takes_for_ever_is_refused(house, options, says):
    seats = [{"kind": "open"}, {"kind": "bot", "bot": "hats", "options": options}]
    by_api = house.nobody().call("/tables", {"game": "sticks", "seats": seats})
    form = {"do": "bot", "bot": "hats", "name": "Rex", "options": options}
    by_form = house.browser().post("/new/sticks/seats", form)
    assert (by_api.status, by_api.said) == (422, says)
    assert (by_form.status, by_form.said) == (422, says)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("threads=2", "Threads can be at most 1 here, not 2."),
        ("hash=65536", "Hash can be at most 256 here, not 65,536."),
    ],
)
def test_one_engine_does_not_take_the_whole_machine(house, options, says):
    seats = [{"kind": "open"}, {"kind": "bot", "bot": "engine", "options": options}]
    made = house.nobody().call("/tables", {"game": "othello", "seats": seats})
    assert (made.status, made.said) == (422, says)


def test_the_strongest_are_offered_first(house):
    for game, first in (("othello", "engine"), ("tictactoe", "perfect")):
        bots = house.nobody().call("/bots", {"game": game})
        assert bots.json[0]["name"] == first


def test_what_else_can_be_set_is_set(house):
    for options in ("games=1000 seed=3", "rule=menace likeliest=yes", "learning=no", ""):
        seats = [{"kind": "open"}, {"kind": "bot", "bot": "hats", "options": options}]
        made = house.nobody().call("/tables", {"game": "sticks", "seats": seats})
        assert made.status == 201, made.text
