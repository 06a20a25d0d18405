"""Programs are paired with each other, agree on draws, and delete what is kept of them."""

from __future__ import annotations

from tests.faces.web.house import Guest, lift_limits


def asking(house, **more):
    """A program that wants to be paired, and the answer."""
    guest = Guest(house.port)
    answer = guest.call("/pairing", {"game": "tictactoe", **more})
    assert answer.status == 200, answer.text
    guest.token = answer.json["token"]
    return guest, answer.json


def test_two_programs_are_paired_by_the_same_rules_and_play(house, monkeypatch):
    lift_limits(monkeypatch)
    one, answer = asking(house, name="One")
    assert (answer["state"], answer["table"]) == ("waiting", None)
    other_rules, answer = asking(house, name="Else", options={"misere": True})
    assert answer["state"] == "waiting"
    person = house.browser()
    assert person.post("/pair", {"game": "tictactoe"}).headers["location"] == "/waiting"
    person.post("/waiting/cancel")
    two, answer = asking(house, name="Two")
    assert answer["state"] == "paired"
    found = one.call("/pairing").json
    assert found["table"]["id"] == answer["table"]["id"]
    assert {found["seat"], answer["seat"]} == {0, 1}
    assert {seat["name"] for seat in found["table"]["seats"]} == {"One", "Two"}
    table = f"/tables/{answer['table']['id']}"
    assert one.call(f"{table}/draw", method="POST").json["offer"] == f"draw {found['seat']}"
    assert two.call(f"{table}/draw", method="POST").json["result"] == [0, 0]
    for guest in (one, two):
        guest.call(f"{table}/rematch", method="POST")
    assert one.call(table).json["next"]
    assert one.call("/pairing", method="DELETE").status == 204
    assert one.call("/pairing").json["state"] == "idle"
    assert other_rules.call("/pairing").json["state"] == "waiting"
    assert other_rules.call("/pairing", method="DELETE").status == 204
    account = house.nobody().call("/accounts", {"name": "Pairs-up"}).json
    bot = Guest(house.port, token=account["token"])
    assert bot.call("/pairing", {"game": "sticks"}).json["state"] == "waiting"
    assert bot.call("/pairing", method="DELETE").status == 204
    assert bot.call("/me", method="DELETE").status == 409, "an account is deleted at /account"


def test_a_program_sees_and_deletes_its_data_by_its_token(house):
    table = house.table("tictactoe", listed=False)
    ann, bob = house.player(table, 0, "Annabelle"), house.player(table, 1)
    held = ann.call("/me").json
    assert [each["your_seats"] for each in held["tables"]] == [[0]]
    assert Guest(house.port).call("/me").status == 401
    assert ann.call("/me", method="DELETE").status == 204
    assert "Annabelle" not in bob.call(f"/tables/{table}").text
    assert bob.call(f"/tables/{table}").json["result"] == [-1, 1]
    assert ann.call("/me").status == 401, "nobody is known by this token any more"
