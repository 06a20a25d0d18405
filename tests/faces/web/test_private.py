"""A private site shows nothing without its passphrase."""

import pytest
from websockets.exceptions import InvalidStatus

from parlour.faces.cli import main
from parlour.faces.cli import web as command
from parlour.faces.web import private, signing
from parlour.faces.web.app import Settings
from parlour.faces.web.clients import RateLimit
from parlour.faces.web.private import Gate
from tests.faces.web.house import opened

PASSPHRASE = "seven green bottles é"  # noqa: S105


@pytest.fixture(scope="module")
def closed_house(tmp_path_factory):
    folder = tmp_path_factory.mktemp("private")
    settings = Settings(passphrase=PASSPHRASE)
    with opened(f"sqlite:///{folder}/private.sqlite", settings) as found:
        yield found


def enter(house, passphrase=PASSPHRASE, back="/"):
    guest = house.nobody()
    answer = guest.post("/enter", {"passphrase": passphrase, "back": back})
    given = [v for k, v in answer.headers.items() if k == "set-cookie"]
    for cookie in given:
        name, _, value = cookie.partition(";")[0].partition("=")
        if name == "parlour-guest":
            assert {"HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))
            guest.cookie += f"; parlour-guest={value}"
    return guest, answer


def test_every_page_leads_to_the_entrance(closed_house):
    for path in ("/", "/docs", "/lab", "/tables/x", "/tournaments?game=nim", "/admin", "/nowhere"):
        answer = closed_house.nobody().get(path)
        assert answer.status == 303, path
        assert answer.headers["location"].startswith("/enter?back=%2F"), path
    page = closed_house.nobody().get("/enter?back=%2Flab")
    assert page.status == 200
    assert 'name="passphrase"' in page.text
    assert 'value="/lab"' in page.text
    assert "/tournaments" not in page.text


def test_the_api_and_sockets_need_it_too(closed_house):
    stranger = closed_house.nobody()
    for path in ("/games", "/tables", "/openapi.json"):
        refused = stranger.call(path)
        assert (refused.status, refused.json["status"]) == (401, 401)
        assert refused.headers["WWW-Authenticate"].startswith("Parlour-Passphrase")
    assert stranger.call("/tables", {"game": "nim"}).status == 401
    with pytest.raises(InvalidStatus):
        stranger.live("lobby:")
    with pytest.raises(InvalidStatus):
        stranger.stream("x")
    assert stranger.call("/games", **{"Parlour-Passphrase": "wrong wrong"}).status == 401
    known = {"Parlour-Passphrase": PASSPHRASE.encode().decode("latin-1")}  # as bytes of UTF-8
    made = stranger.call("/tables", {"game": "nim"}, **known)
    assert made.status == 201
    with stranger.stream(made.json["id"], **known) as stream:
        assert stream.recv(timeout=60)


def test_a_visitor_with_the_passphrase_enters_and_stays(closed_house):
    guest, answer = enter(closed_house, back="/lab")
    assert (answer.status, answer.headers["location"]) == (303, "/lab")
    assert guest.get("/").status == 200
    assert guest.post("/quick", {"game": "sticks"}).status == 303
    with guest.live("lobby:"):
        pass


def test_the_entrance_leads_nowhere_else(closed_house):
    _, answer = enter(closed_house, back="//evil.example/")
    assert answer.headers["location"] == "/"


def test_a_wrong_passphrase_is_refused_with_a_sentence(closed_house):
    guest, answer = enter(closed_house, "eight green bottles")
    assert answer.status == 403
    assert "That is not the passphrase; ask whoever invited you." in answer.text
    assert guest.get("/").status == 303


def test_a_forged_or_old_cookie_is_refused(closed_house, monkeypatch):
    gate = closed_house.services.get(Gate)
    cookie = gate.cookie()
    name, ends, signature = cookie.split(".")
    assert gate.admits(cookie)
    later = f"{name}.{int(ends) + 1}.{signature}"
    for forged in ("", ".", later, f"{name}.{ends}.", f"{name}.{signature}", "x" * 500):
        assert not gate.admits(forged)
    other = private.Gate(closed_house.store, "another passphrase")  # it was changed
    assert not other.admits(cookie)
    monkeypatch.setattr(signing.time, "time", lambda: float(ends) + 1)
    assert not gate.admits(cookie)


def test_guessing_is_limited(closed_house, monkeypatch):
    monkeypatch.setattr(
        closed_house.services.get(Gate), "_by_address", RateLimit(rate=0.01, burst=2)
    )
    statuses = [enter(closed_house, "wrong guess")[1].status for _ in range(3)]
    assert statuses == [403, 403, 429]
    header = {"Parlour-Passphrase": "another guess"}
    assert closed_house.nobody().call("/games", **header).status == 429


def test_health_and_the_files_of_the_entrance_are_open(closed_house):
    assert closed_house.nobody().get("/healthz").status == 200
    assert closed_house.nobody().get("/static/parlour.css").status == 200


def test_a_public_site_has_no_entrance(house):
    answer = house.nobody().get("/enter")
    assert (answer.status, answer.headers["location"]) == (303, "/")


# The command


def test_the_passphrase_comes_from_the_environment_and_leaves_it(monkeypatch):
    monkeypatch.setenv("PARLOUR_PASSPHRASE", f" {PASSPHRASE} ")
    assert command._read_passphrase() == PASSPHRASE
    assert "PARLOUR_PASSPHRASE" not in command.os.environ


def test_a_private_site_needs_a_passphrase(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PARLOUR_PASSPHRASE", "short")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["web", "--private", "--port", "0"]) == 2
    assert "passphrase of at least 8 characters" in capsys.readouterr().err
