"""Bots on the web: what a stranger may set on one, and what belongs to the owner of the machine."""

from __future__ import annotations

from tests.faces.web.house import wait_until

KEPT = "Saved hats cannot play here; leave out kept, or start a class in the school."
LEARNS = "Bots do not learn here; leave out learning, or start a class in the school."
REFUSED = (
    ("sticks", "hats", "kept=mine", KEPT),
    ("sticks", "hats", "kept=mine learning=yes", KEPT),
    ("sticks", "hats", "learning=yes", LEARNS),
    ("sticks", "hats", "games=1000001", "Games can be at most 1,000,000 here, not 1,000,001."),
    ("othello", "engine", "threads=2", "Threads can be at most 1 here, not 2."),
    ("othello", "engine", "hash=257", "Hash can be at most 256 here, not 257."),
)


def create_table(house, game, bot, options):
    seats = [{"kind": "open"}, {"kind": "bot", "bot": bot, "options": options}]
    return house.nobody().call("/tables", {"game": game, "seats": seats})


def test_options_that_are_the_owners_or_take_the_whole_machine_are_refused(house):
    for game, bot, options, reason in REFUSED:
        by_api = create_table(house, game, bot, options)
        form = {"do": "bot", "bot": bot, "name": "Rex", "options": options}
        by_form = house.browser().post(f"/new/{game}/seats", form)
        assert (by_api.status, by_api.said) == (422, reason)
        assert (by_form.status, by_form.said) == (422, reason)


def test_the_strongest_are_offered_first(house):
    for game, first in (("othello", "engine"), ("tictactoe", "perfect")):
        bots = house.nobody().call("/bots", {"game": game})
        assert bots.json[0]["name"] == first


def test_other_options_can_be_set(house):
    for options in ("games=1000000 seed=3", "rule=menace likeliest=yes", "learning=no", ""):
        made = create_table(house, "sticks", "hats", options)
        assert made.status == 201, made.text


def test_a_bot_with_a_seed_makes_the_same_moves_at_every_table(house):
    played = []
    for bot, options in (("random", "seed=5"), ("random", "seed=5"), ("hats", "games=200")):
        seats = [{"kind": "open"}, {"kind": "bot", "bot": bot, "options": options}]
        table = house.table("sticks", seats, clock=[600, 0])
        ann = house.player(table, 0)
        for at in (0, 2):
            ann.call(f"/tables/{table}/moves", {"move": "1", "at": at})
            wait_until(lambda table=table, at=at: len(house.read(table).moves) == at + 2)
        played.append(house.read(table).moves)
    assert played[0] == played[1]
    assert not house.read(table).over, "the hats have learned, and play"
