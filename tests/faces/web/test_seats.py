"""A seat is moved by the browser or the token that took it, and by no other client."""

import json
import threading

import pytest

from parlour.faces.web.clients import token_owner
from parlour.faces.web.signing import Signer
from tests.faces.web.house import Guest, lift_limits, wait_until


@pytest.fixture
def scene(house):
    """A table where Ann, a browser, is to move against Bob, a program."""
    table = house.table("tictactoe")
    return table, house.sitting(table, 0, "Ann"), house.player(table, 1, "Bob")


def forged(house, ann, bob, table):
    """Guests who are not Ann, by the cookie or token that they send."""
    name, _, signature = ann.cookie.partition(".")
    other = house.browser()
    own, _, own_signature = other.cookie.partition(".")
    elsewhere = house.player(house.table("tictactoe"), 0)
    other_key = Signer(b"another key, of 32 bytes exactly")
    cookies = {
        "another browser": other.cookie,
        "no signature": name,
        "an empty signature": f"{name}.",
        "her name with another's signature": f"{name}.{own_signature}",
        "another's name with her signature": f"{own}.{signature}",
        "her name signed with another key": other_key.sign(name),
        "a shortened signature": f"{name}.{signature[:-1]}",
        "a signature in capitals": f"{name}.{signature.upper()}",
        "her name in capitals": f"{name.upper()}.{signature}",
        "an empty name": other_key.sign(""),
        "a name with a NUL": f"{name}%00.{signature}",
        "an endless cookie": ann.cookie + "x" * 4000,
        "her seat as it is stored": f"browser:{name}",
    }
    tokens = {
        "the token of another table": elsewhere.token,
        "the table's name as token": table,
        "her cookie as token": ann.cookie,
        "her name as token": name,
        "her seat as it is stored, as token": f"browser:{name}",
        "Bob's seat as it is stored, as token": token_owner(bob.token),
        "part of Bob's token": bob.token[:-1],
    }
    found = {who: Guest(house.port, cookie=cookie) for who, cookie in cookies.items()}
    found |= {who: Guest(house.port, token=token) for who, token in tokens.items()}
    found["a stranger"] = house.nobody()
    found["a cookie of hers among tokens"] = Guest(house.port, ann.cookie, elsewhere.token)
    return found


WRONG = "of no seat"
VERBS = ("resign", "undo", "rematch", "decline")


def refusals(guest, table, move, at):
    """The statuses of all attempts to do something at a table."""
    origin = {"Origin": guest.origin}
    found = [
        guest.post(f"/tables/{table}/move", {"move": move, "at": at}).status,
        guest.send(f"/tables/{table}/move", {"move": move, "at": at}).status,
        guest.post(f"/tables/{table}/move", {"move": move}).status,
        guest.call(f"/tables/{table}/moves", {"move": move, "at": at}, **origin).status,
        guest.call(f"/tables/{table}/moves", {"move": move}, **origin).status,
        guest.post(f"/tables/{table}/ok", {"at": at}).status,
        guest.call(f"/tables/{table}/ok", method="POST", **origin).status,
    ]
    for verb in VERBS:
        found.append(guest.post(f"/tables/{table}/{verb}").status)
        found.append(guest.call(f"/tables/{table}/{verb}", method="POST", **origin).status)
    with guest.stream(table, **origin) as stream:
        stream.recv(timeout=60)
        for message in ({"move": move, "at": at}, {"move": move}):
            stream.send(json.dumps(message))
            found.append(json.loads(stream.recv(timeout=60))["status"])
    return set(found)


def test_no_other_cookie_or_token_moves_a_seat(house, scene, monkeypatch):
    lift_limits(monkeypatch)
    table, ann, bob = scene
    before = house.read(table)
    for who, guest in forged(house, ann, bob, table).items():
        assert refusals(guest, table, "b2", 0) <= {401, 403}, who
        assert house.read(table) == before, who
    assert ann.post(f"/tables/{table}/move", {"move": "b2", "at": 0}).status == 303
    before = house.read(table)
    for who, guest in forged(house, ann, bob, table).items():
        refused = guest.call(f"/tables/{table}/moves", {"move": "a1", "at": 1}, Origin=guest.origin)
        assert refused.status in (401, 403), who
    assert house.read(table) == before
    assert bob.call(f"/tables/{table}/moves", {"move": "a1", "at": 1}).status == 200


def test_those_at_the_table_move_their_own_seats_only(house, scene):
    table, ann, bob = scene
    refused = bob.call(f"/tables/{table}/moves", {"move": "b2", "at": 0})
    assert (refused.status, refused.said) == (403, "It is Ann's turn.")
    ann.post(f"/tables/{table}/move", {"move": "b2", "at": 0})
    refused = ann.send(f"/tables/{table}/move", {"move": "a1", "at": 1})
    assert (refused.status, refused.said) == (403, "It is Bob's turn.")
    assert house.read(table).moves == ("b2",)


def test_without_scripts_a_refused_move_shows_the_table_again_with_the_reason(house, scene):
    table, ann, _ = scene
    refused = ann.post(f"/tables/{table}/move", {"move": "z9", "at": 0})
    assert refused.status == 422
    assert "not a square" in refused.said
    assert f'data-live="table:{table}"' in refused.text
    assert f'action="/tables/{table}/move' in refused.text
    ann.post(f"/tables/{table}/move", {"move": "b2", "at": 0})
    refused = ann.post(f"/tables/{table}/move", {"move": "a1", "at": 1})
    assert (refused.status, refused.said) == (403, "It is Bob's turn.")
    assert f'data-live="table:{table}"' in refused.text


def test_a_visitor_with_the_link_watches_and_learns_no_secret(house, scene):
    table, ann, _ = scene
    eve = house.nobody()
    page = eve.get(f"/tables/{table}")
    assert page.status == 200
    for secret in (ann.cookie, ann.cookie.partition(".")[0], house.read(table).seats[1].owner):
        assert secret not in page.text
        assert secret not in house.nobody().call(f"/tables/{table}").text
        assert secret not in eve.get(f"/tables/{table}/record").text
    with eve.live(f"table:{table}") as live, house.nobody().stream(table) as stream:
        shown = live.recv(timeout=60) + stream.recv(timeout=60)
        for secret in (ann.cookie.partition(".")[0], house.read(table).seats[1].owner):
            assert secret not in shown
    assert 'action="/tables/' + table + '/move"' not in page.text
    assert 'action="/tables/' + table + '/move"' in ann.get(f"/tables/{table}").text


def test_a_token_may_be_sent_on_the_stream_and_counts_from_then_on(house, scene):
    table, ann, bob = scene
    ann.post(f"/tables/{table}/move", {"move": "b2", "at": 0})
    with house.nobody().stream(table) as stream:
        stream.recv(timeout=60)

        def say(**message):
            stream.send(json.dumps(message))
            while "moves" in (answer := json.loads(stream.recv(timeout=60))) and "id" in answer:
                pass
            return answer

        assert say(move="a1", at=1)["status"] == 401
        assert say(token=WRONG)["ok"]
        assert say(move="a1", at=1)["status"] == 401
        assert say(token=bob.token)["ok"]
        assert say(move="a1", at=1)["ok"]
        assert say(token=WRONG)["ok"]
        assert say(move="a2", at=3)["status"] == 401
    assert house.read(table).moves == ("b2", "a1")


def test_a_request_that_is_sent_again_is_refused(house, scene):
    table, ann, bob = scene
    move = {"move": "b2", "at": 0}
    assert ann.send(f"/tables/{table}/move", move).status == 200
    for _ in range(2):
        assert ann.send(f"/tables/{table}/move", move).status == 409
    assert bob.call(f"/tables/{table}/moves", {"move": "a1", "at": 1}).status == 200
    assert bob.call(f"/tables/{table}/moves", {"move": "a1", "at": 1}).status == 409
    assert ann.send(f"/tables/{table}/move", move).status == 409
    for at in ("1", "3", "999999999999"):
        assert ann.send(f"/tables/{table}/move", {"move": "c3", "at": at}).status == 409
    for at in ("-2", "2.0", "two", "0x2", "²", "9" * 50):
        assert ann.send(f"/tables/{table}/move", {"move": "c3", "at": at}).status == 422
    assert house.read(table).moves == ("b2", "a1")
    assert ann.send(f"/tables/{table}/move", {"move": "c3", "at": " 2 "}).status == 200


def test_of_many_moves_in_the_same_moment_one_is_played(house, scene):
    table, ann, bob = scene
    statuses = []

    def move(text):
        statuses.append(ann.send(f"/tables/{table}/move", {"move": text, "at": 0}).status)

    squares = [column + row for column in "abc" for row in "123"]
    threads = [threading.Thread(target=move, args=(text,)) for text in squares * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [409] * 17
    assert len(house.read(table).moves) == 1
    free = "a1" if house.read(table).moves != ("a1",) else "a2"
    assert bob.call(f"/tables/{table}/moves", {"move": free}).status == 200


def test_a_browser_is_known_whatever_other_cookies_it_keeps(house, scene):
    """All programs on a machine share its cookies, whichever port they are at."""
    table, ann, _ = scene
    cookie, ann.cookie = f"parlour={ann.cookie}", ""
    for beside in (
        'theme={{"dark": true}}; {0}',
        "a[b]=1; {0}",
        "bare; {0}",
        'open="quote; {0}',
        "=; ;; {0};",
        "parlour=forged.0123; {0}",
        "{0}; parlour=forged.0123",
        "{0}; PARLOUR=x; xparlour=y",
    ):
        kept = {"Cookie": beside.format(cookie)}
        assert ann.send(f"/tables/{table}/move", {"move": "z9"}, **kept).status == 422, beside
    assert ann.send(f"/tables/{table}/move", {"move": "b2"}, **kept).status == 200


def test_a_menu_belongs_to_its_browser(house):
    ann, eve = house.browser(), house.browser()
    assert ann.post("/new/nim/seats", {"do": "person", "name": "Ann"}).status == 303
    name = ann.cookie.partition(".")[0]
    for guest in (eve, Guest(house.port, f"{name}.{eve.cookie.partition('.')[2]}"), house.nobody()):
        assert guest.post("/new/nim/seats", {"do": "remove", "at": 0}).status == 409
        assert guest.post("/new/nim/seats", {"do": "person", "name": "Eve"}).status == 303
        guest.post("/new/nim/settings", {"misere": "no"})
    kept = house.store.setups.get(f"nim {name}")
    assert [seat.name for seat in kept.seats] == ["Ann"]
    assert kept.options == {"misere": True}
    program = Guest(house.port, token=WRONG)
    assert program.post("/new/nim/seats", {"do": "person", "name": "x"}).status == 403


def test_the_way_back_to_the_menu_is_shown_to_the_owner_alone(house):
    ann, eve = house.browser(), house.browser()
    ann.post("/new/nim/settings", {"do": "save", "pace": "self"})
    ann.post("/new/nim/settings", {"do": "add", "option": "piles", "text": "1"})
    for at in range(3):
        ann.post("/new/nim/settings", {"do": "drop", "option": "piles", "at": 2 - at})
    for bot in ("standard", "random"):
        assert ann.post("/new/nim/seats", {"do": "bot", "bot": bot, "name": bot}).status == 303
    path = ann.post("/new/nim/play").headers["location"]
    table = path.rpartition("/")[2]
    with eve.live(f"table:{table}"):  # bots play alone only while they are watched
        wait_until(lambda: house.read(table).over)
    assert "back-to-menu" in ann.get(path).text
    assert "back-to-menu" not in eve.get(path).text


def test_a_browser_that_sits_down_first_of_all_owns_the_seat_by_the_cookie_it_gets(house):
    table, guest = house.table("tictactoe"), house.nobody()
    assert guest.post(f"/tables/{table}/sit", {"seat": 0, "name": "Eve"}).status == 303
    assert guest.cookie
    house.player(table, 1)
    assert guest.send(f"/tables/{table}/move", {"move": "b2"}).status == 200
