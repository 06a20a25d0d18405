"""The host's page: a token opens it, every action works without scripts and is logged."""

import re
import time

import pytest

from parlour.faces.cli import main
from parlour.faces.web.admin.service import AdminService
from parlour.faces.web.clients import RateLimit
from parlour.store import Seat, StoredStudy, Table

TABLE = "hosted"


@pytest.fixture
def database(house):
    return house.database


def make_token(capsys, database, label):
    assert main(["admin-token", label, "--database", database]) == 0
    token, *lines = capsys.readouterr().out.splitlines()
    assert database.removeprefix("sqlite:///") in lines[-1], "a token of another site opens nothing"
    return token


@pytest.fixture
def host(house, capsys, database, request):
    """A browser that has signed in with a token of its own."""
    label = request.node.name[:40]
    token = make_token(capsys, database, label)
    guest = house.browser()
    answer = guest.post("/admin/sign-in", {"token": token})
    assert (answer.status, answer.headers["location"]) == (303, "/admin")
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/admin"} <= set(cookie.split("; "))
    guest.label = label
    guest.cookie += f"; {cookie.partition(';')[0]}"
    return guest


@pytest.fixture
def table(house):
    seats = (Seat("person", "Rude <b>", owner="browser:rude"), Seat("open"))
    found = Table(id=TABLE, game="sticks", seats=seats, listed=True, creator="browser:rude")
    house.store.addresses.note("browser:rude", "198.51.100.66")
    house.store.tables.add(found)
    yield TABLE
    house.store.tables.remove(TABLE)


def act(host, action, subject, **fields):
    """Ask, then do what the page asks for."""
    page = host.get(f"/admin/{action}?subject={subject}")
    assert page.status == 200
    assert f'action="/admin/{action}"' in page.text
    return host.post(f"/admin/{action}", {"subject": subject, **fields})


def logged(house):
    entry = house.store.admin_log.list(1)[0]
    return entry.label, entry.action, entry.subject


# Signing in


def test_nothing_is_shown_without_a_token(house, table):
    guest = house.browser()
    page = guest.get("/admin")
    assert 'name="token"' in page.text
    assert table not in page.text
    assert page.headers["x-robots-tag"] == "noindex"
    assert guest.get(f"/admin/delete?subject={table}").status == 401
    assert guest.post("/admin/delete", {"subject": table}).status == 401
    assert house.read(table).listed
    assert "/admin" not in guest.get("/").text


@pytest.mark.parametrize("token", ["", "wrong", "parlour-admin-" + "A" * 32])
def test_a_wrong_token_is_refused(house, token):
    refused = house.browser().post("/admin/sign-in", {"token": token})
    assert refused.status == 403
    assert "not valid" in refused.said
    assert "parlour-admin=" not in refused.headers.get("set-cookie", "")


def test_guessing_is_limited(house, monkeypatch):
    monkeypatch.setattr(
        house.services.get(AdminService), "_attempts", RateLimit(rate=0.01, burst=2)
    )
    statuses = [house.browser().post("/admin/sign-in", {"token": "x"}).status for _ in range(4)]
    assert statuses == [403, 403, 429, 429]


def test_a_forged_or_old_cookie_opens_nothing(house, host, monkeypatch):
    value = host.cookie.partition("parlour-admin=")[2]
    hashed, ends, signature = value.split(".")
    for forged in (
        f"{hashed}.{int(ends) + 1}.{signature}",
        f"{'0' * 64}.{ends}.{signature}",
        f"{hashed}.{ends}.",
        hashed,
        "..",
    ):
        assert house.services.get(AdminService).identify(forged) == ""
    assert house.services.get(AdminService).identify(value) == host.label
    later = time.time() + 9 * 3600
    monkeypatch.setattr(time, "time", lambda: later)
    assert house.services.get(AdminService).identify(value) == ""


def test_a_revoked_token_is_worth_nothing_at_once(house, host, database, capsys):
    assert host.label in host.get("/admin").text
    assert main(["admin-token", host.label, "--revoke", "--database", database]) == 0
    assert 'name="token"' in host.get("/admin").text
    assert main(["admin-token", "--list", "--database", database]) == 0
    assert re.search(rf"^{re.escape(host.label)} .*revoked$", capsys.readouterr().out, re.MULTILINE)


def test_a_token_is_stored_as_a_hash_and_labels_are_distinct(house, database, capsys):
    token = make_token(capsys, database, "secretly")
    assert len(token) > 40
    stored = next(each for each in house.store.admin_tokens.list() if each.label == "secretly")
    assert token not in stored.hash
    assert main(["admin-token", "secretly", "--database", database]) == 2
    assert "already a token" in capsys.readouterr().err


# What a host can do


def test_the_page_shows_tables_names_and_addresses(house, host, table):
    page = host.get("/admin").text
    assert "Rude &lt;b&gt;" in page
    assert "198.51.100.66" in page
    assert f"/admin/delete?subject={table}" in page
    found = host.get("/admin?find=198.51.100.66").text
    assert f"/tables/{table}" in found
    assert f"/tables/{table}" not in host.get("/admin?find=nobody-has-this").text


def test_hiding_takes_a_table_from_the_lobby_and_showing_brings_it_back(house, host, table):
    assert f"/tables/{table}" in house.browser().get("/").text
    assert act(host, "hide", table).status == 303
    assert f"/tables/{table}" not in house.browser().get("/").text
    assert logged(house) == (host.label, "hide", f"table {table}")
    assert act(host, "show", table).status == 303
    assert f"/tables/{table}" in house.browser().get("/").text


def test_a_name_can_be_changed_to_a_name_only(house, host, table):
    assert act(host, "rename", table, seat=0, name="  ").status == 422
    assert act(host, "rename", table, seat=1, name="Ann").status == 404  # nobody sits there
    assert act(host, "rename", table, seat=0, name="Guest").status == 303
    seat = house.read(table).seats[0]
    assert (seat.name, seat.owner) == ("Guest", "browser:rude")
    assert "Guest" in host.get("/admin").text  # in the list and in the log


def test_a_table_can_be_deleted(house, host, table):
    assert act(host, "delete", table).status == 303
    assert house.store.tables.get(table) is None
    assert act(host, "delete", table).status == 404


def test_a_tournament_can_be_renamed_and_deleted(house, host):
    ann = house.browser()
    form = {"game": "sticks", "bot": ["perfect", "random"], "rounds": 1, "name": "Bad words"}
    name = ann.post("/tournaments", form).headers["location"].rpartition("/")[2]
    assert act(host, "rename-tournament", name, name="Friday").status == 303
    assert house.store.tournaments.get(name).name == "Friday"
    assert act(host, "delete-tournament", name).status == 303
    assert house.store.tournaments.get(name) is None
    assert house.store.pairings.find(tournament=name) == []
    assert ann.get(f"/tournaments/{name}").status == 404


def test_a_public_study_can_be_hidden_and_deleted(house, host):
    rude = StoredStudy(id="rude", owner="browser:rude", public=True, title="Rude <b>", game="nim")
    house.store.studies.add(rude)
    assert "Rude &lt;b&gt;" in host.get("/admin").text
    assert act(host, "hide-study", "rude").status == 303
    assert not house.store.studies.get("rude").public
    assert logged(house) == (host.label, "hide", "study rude")
    assert act(host, "delete-study", "rude").status == 303
    assert house.store.studies.get("rude") is None
    assert act(host, "delete-study", "rude").status == 404


def test_a_browser_is_barred_for_a_time_and_the_bar_can_be_lifted(house, host):
    ann = house.browser()
    owner = ann.owner
    assert act(host, "bar", owner, period="for ever").status == 422
    assert act(host, "bar", "hello", period="hour").status == 422, "that bars nobody"
    assert ann.post("/quick", {"game": "sticks"}).status == 303
    assert act(host, "bar", owner, period="hour").status == 303
    assert ann.post("/quick", {"game": "sticks"}).status == 403
    assert owner in host.get("/admin").text
    bar = house.store.bars.find(time.time())[0]
    assert (bar.subject, bar.label) == (owner, host.label)
    assert 3500 < bar.until - bar.since <= 3600
    assert act(host, "lift", owner).status == 303
    assert ann.post("/quick", {"game": "sticks"}).status == 303
    assert [entry.action for entry in house.store.admin_log.list(2)] == ["lift", "bar"]


def test_the_server_writes_down_what_was_done(house, host, table, caplog):
    act(host, "hide", table)
    assert f"the host ({host.label}): hide table {table}" in caplog.text
