"""Programs are paired with each other, agree on draws, and delete what is kept of them."""

from __future__ import annotations

import pytest

from tests.faces.web.house import Guest

pytestmark = pytest.mark.server


def asking(house, **more):
    """A program that wants to be paired, and what it was told."""
    guest = Guest(house.port)
    told = guest.call("/pairing", {"game": "tictactoe", **more})
    assert told.status == 200, told.text
    guest.token = told.json["token"]
    return guest, told.json


def test_two_programs_are_paired_by_the_same_rules_and_play(house):
    one, told = asking(house, name="One")
    assert (told["state"], told["table"]) == ("waiting", None)
    other_rules, told = asking(house, name="Else", options={"misere": True})
    assert told["state"] == "waiting"
    person = house.browser()
    assert person.post("/pair", {"game": "tictactoe"}).headers["location"] == "/waiting"
    person.post("/waiting/cancel")
    two, told = asking(house, name="Two")
    assert told["state"] == "paired"
    found = one.call("/pairing").json
    assert found["table"]["id"] == told["table"]["id"]
    assert {found["seat"], told["seat"]} == {0, 1}
    assert {seat["name"] for seat in found["table"]["seats"]} == {"One", "Two"}
    table = f"/tables/{told['table']['id']}"
    assert one.call(f"{table}/draw", method="POST").json["offer"] == f"draw {found['seat']}"
    assert two.call(f"{table}/draw", method="POST").json["result"] == [0, 0]
    for guest in (one, two):
        guest.call(f"{table}/rematch", method="POST")
    assert one.call(table).json["next"]
    assert one.call("/pairing", method="DELETE").status == 204
    assert one.call("/pairing").json["state"] == "idle"
    assert other_rules.call("/pairing", method="DELETE").status == 204


def test_whoever_holds_a_token_sees_and_deletes_what_is_kept(house):
    table = house.table("tictactoe", listed=False)
    ann, bob = house.player(table, 0, "Annabelle"), house.player(table, 1)
    held = ann.call("/me").json
    assert [each["your_seats"] for each in held["tables"]] == [[0]]
    assert Guest(house.port).call("/me").status == 401
    assert ann.call("/me", method="DELETE").status == 204
    assert "Annabelle" not in bob.call(f"/tables/{table}").text
    assert bob.call(f"/tables/{table}").json["result"] == [-1, 1]
    assert ann.call("/me").status == 401, "nobody is known by this token any more"
