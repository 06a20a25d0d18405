"""Bot accounts by the API: made, known by their token, challenged, sent events, deleted."""

import hashlib
import json
import time
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.faces.web.accounts import challenges
from parlour.faces.web.accounts import service as accounts
from parlour.faces.web.accounts.challenges import ChallengeService
from parlour.faces.web.accounts.service import AccountService
from parlour.faces.web.clients import RateLimit
from tests.faces.web.house import Guest, lift_limits

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(autouse=True)
def in_haste(monkeypatch):
    """Tests make more accounts in a second than an address may in a day."""
    monkeypatch.setattr(RateLimit, "take", lambda *_, **__: True)
    monkeypatch.setattr(accounts, "MAX_BY_ADDRESS", 10_000)


def create(house, name, **more):
    made = house.nobody().call("/accounts", {"name": name, **more})
    assert made.status == 201, made.text
    return Guest(house.port, token=made.json["token"])


@pytest.fixture
def pair(house, request):
    """Two accounts of one test."""
    tag = hashlib.sha256(request.node.name.encode()).hexdigest()[:8]
    return create(house, f"Rex-{tag}"), create(house, f"Ada-{tag}")


def name_of(guest):
    return guest.call("/account").json["name"]


def challenge(guest, opponent, game="tictactoe", **more):
    sent = guest.call("/challenges", {"game": game, "opponent": opponent, **more})
    assert sent.status == 201, sent.text
    return sent.json["id"]


def read_events(text):
    """The messages of a stream of events."""
    found = []
    for block in text.split("\n\n"):
        lines = [line.partition(": ") for line in block.splitlines() if line[:1] != ":"]
        fields = {name: value for name, _, value in lines}
        if "data" in fields:
            message = json.loads(fields["data"])
            assert (fields["event"], int(fields["id"])) == (message["type"], message["id"])
            found.append(message)
    return found


def events(guest, since=None):
    """All events of an account so far, or those since one of them."""
    headers = {} if since is None else {"Last-Event-ID": str(since)}
    answer = guest.call("/account/events?seconds=0", **headers)
    assert answer.status == 200, answer.said
    return read_events(answer.text)


def receive(line):
    return json.loads(line.recv(timeout=60))


# Accounts


def test_an_account_is_known_by_its_token_of_which_only_the_hash_is_stored(house):
    made = house.nobody().call("/accounts", {"name": "Hal9", "games": ["nim"], "description": "Hi"})
    token = made.json["token"]
    hal = Guest(house.port, token=token)
    assert hal.call("/account").json == made.json["account"]
    assert made.json["account"] == {
        "name": "Hal9",
        "games": ["nim"],
        "description": "Hi",
        "here": False,
        "created": pytest.approx(time.time(), abs=60),
    }
    changed = hal.call("/account", {"description": "Hello", "games": []}, method="PATCH").json
    assert (changed["description"], changed["games"]) == ("Hello", [])
    stored = house.store.accounts.find(handle="hal9")[0]
    assert token not in str(vars(stored))
    assert stored.token == hashlib.sha256(token.encode()).hexdigest()
    assert house.nobody().call("/accounts/HAL9").json["name"] == "Hal9"
    assert "127.0.0.1" not in str(vars(stored))


def test_a_name_belongs_to_one_account_and_none_of_the_house(house, pair):
    rex, _ = pair
    for name in (name_of(rex), name_of(rex).upper(), "Benedict", "perfect"):
        assert house.nobody().call("/accounts", {"name": name}).status == 409, name
    for name in ("x", "9lives", "a b", "a" * 25, "ä" * 4, "a/b", "<b>"):
        assert house.nobody().call("/accounts", {"name": name}).status == 422, name
    assert house.nobody().call("/accounts", {"name": "Fred", "games": ["chess"]}).status == 404


def test_a_wrong_token_is_refused(house, pair):
    rex, _ = pair
    wrong = rex.token[:-1] + ("a" if rex.token[-1] != "a" else "b")
    for token in (wrong, "parlour_", "parlour_x_y"):
        for path in ("/account", "/games"):
            refused = Guest(house.port, token=token).call(path)
            assert refused.status == 401
            assert refused.headers["www-authenticate"].startswith("Bearer")
    for guest in (Guest(house.port, "", "other"), house.nobody(), house.browser()):
        assert guest.call("/account").status == 401


def test_a_new_token_keeps_the_games_and_ends_the_old_one(house, pair):
    rex, _ = pair
    table = house.table("tictactoe", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    taken = rex.call(f"/tables/{table}/seats/0", {})
    assert (taken.status, taken.json["token"]) == (201, "")
    with rex.open("/api/account/stream") as line:
        assert receive(line)["type"] == "hello"
        new = Guest(house.port, token=rex.call("/account/token", {}).json["token"])
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(timeout=60)
        assert closed.value.rcvd.code == 4401
    assert rex.call("/account").status == 401
    assert new.call(f"/tables/{table}/moves", {"move": "b2"}).status == 200


def test_accounts_cannot_be_made_in_numbers(house, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(accounts, "MAX_BY_ADDRESS", 10_000)
    limited = house.services.get(AccountService)
    monkeypatch.setattr(limited, "creations", RateLimit(rate=1 / 120, burst=3))
    statuses = []
    for number in range(5):
        made = house.nobody().call("/accounts", {"name": f"mass-{number}"})
        statuses.append(made.status)
    assert statuses == [201, 201, 201, 429, 429]
    assert int(made.headers["retry-after"]) > 30
    monkeypatch.setattr(accounts, "MAX_BY_ADDRESS", 1)
    monkeypatch.setattr(RateLimit, "take", lambda *_, **__: True)
    assert house.nobody().call("/accounts", {"name": "one-more"}).status == 429


def test_a_deleted_account_leaves_nothing_and_loses_its_games(house, pair):
    rex, ada = pair
    name = name_of(rex)
    on = ada.call(f"/challenges/{challenge(rex, name_of(ada), seat=0)}/accept", {}).json["table"]
    done = ada.call(f"/challenges/{challenge(rex, name_of(ada))}/accept", {}).json["table"]
    assert ada.call(f"/tables/{done}/resign", method="POST").status == 200
    challenge(rex, name_of(ada))
    feed = rex.call("/account/feed").json["json_feed"].removeprefix(house.url)
    account = house.store.accounts.find(handle=name.lower())[0]
    assert rex.call("/account", method="DELETE").status == 204
    assert rex.call("/account").status == 401
    assert house.read(on).result is not None
    for table in (on, done):
        assert name not in str(vars(house.read(table)))
        assert account.id not in str(vars(house.read(table)))
    assert house.store.accounts.get(account.id) is None
    assert house.store.challenges.find(challenger=f"account:{account.id}") == []
    assert house.store.events.since(f"account:{account.id}", 0, 10) == []
    assert house.nobody().get(feed).status == 404
    create(house, name)  # the name is free again, without the games
    assert [each["id"] for each in ada.call("/account/games").json] == []


def test_a_bot_account_is_marked_as_a_bot_at_the_table(house, pair):
    rex, _ = pair
    table = house.table("tictactoe")
    rex.call(f"/tables/{table}/seats/0", {"name": "Not my name"})
    seat = house.nobody().call(f"/tables/{table}").json["seats"][0]
    assert (seat["name"], seat["account"], seat["kind"]) == (name_of(rex),) * 2 + ("person",)
    assert f"{name_of(rex)} bot" in house.browser().get(f"/tables/{table}").text


# Challenges


def test_a_challenge_is_accepted_and_the_game_played_to_its_end(house, pair):
    rex, ada = pair
    found = challenge(rex, name_of(ada), seat=1, days=3, options={"misere": True})
    waiting = ada.call("/challenges?whose=mine").json
    assert [each["id"] for each in waiting] == [found]
    assert waiting[0]["challenger"] == {"name": name_of(rex), "account": name_of(rex)}
    accepted = ada.call(f"/challenges/{found}/accept", {}).json
    assert accepted["state"] == "accepted"
    table = house.nobody().call(f"/tables/{accepted['table']}").json
    assert [seat["account"] for seat in table["seats"]] == [name_of(ada), name_of(rex)]
    assert (table["days"], table["options"]["misere"]) == (3, True)
    assert ada.call("/challenges?whose=mine").json == []
    while table["result"] is None:
        mover = (ada, rex)[table["turn"]]
        table = mover.call(f"/tables/{table['id']}/moves", {"move": table["legal"][0]}).json
    assert sum(table["result"]) == 0


def test_only_whom_it_concerns_answers_a_challenge_and_only_once(house, pair):
    rex, ada = pair
    other = create(house, f"Zed-{name_of(rex)[4:]}")
    found = challenge(rex, name_of(ada))
    accept, decline, cancel = (
        f"/challenges/{found}/{each}" for each in ("accept", "decline", "cancel")
    )
    for guest, path, status in (
        (house.nobody(), accept, 401),
        (other, accept, 403),
        (rex, accept, 403),
        (rex, decline, 403),
        (ada, cancel, 403),
    ):
        assert guest.call(path, {}).status == status, path
    assert ada.call(decline, {"reason": "No time\n now"}).json["reason"] == "No time now"
    for guest, path in ((ada, accept), (ada, decline), (rex, cancel)):
        assert guest.call(path, {}).status == 409
    gone = challenge(rex, name_of(ada))
    assert rex.call(f"/challenges/{gone}/cancel", {}).json["state"] == "cancelled"
    assert ada.call(f"/challenges/{gone}/accept", {}).status == 409
    assert ada.call("/challenges/nothing/accept", {}).status == 404


def test_challenges_that_make_no_sense_are_refused(house, pair):
    rex, _ = pair
    nims = create(house, f"Nims-{name_of(rex)[4:]}", games=["nim"])
    for asked, status in (
        ({"opponent": name_of(rex)}, 422),
        ({"opponent": "nobody-at-all"}, 404),
        ({"opponent": name_of(nims)}, 422),
        ({"game": "nim", "options": {"seats": 3}, "opponent": name_of(nims)}, 422),
        ({"clock": [60, 0], "days": 2}, 422),
        ({"days": 15}, 422),
        ({"seat": 2}, 422),
        ({"game": "chess"}, 404),
    ):
        assert rex.call("/challenges", {"game": "tictactoe", **asked}).status == status, asked
    assert Guest(house.port, "", "seat").call("/challenges", {"game": "nim"}).status == 401


def test_anybody_may_accept_an_open_challenge_and_the_first_one_does(house, pair):
    rex, ada = pair
    found = challenge(rex, "", seat=0)
    assert found in [each["id"] for each in house.nobody().call("/challenges").json]
    ann = house.browser()
    accepted = ann.call(f"/challenges/{found}/accept", {"name": "Ann"}, Origin=house.url).json
    assert [seat.name for seat in house.read(accepted["table"]).seats] == [name_of(rex), "Ann"]
    assert ada.call(f"/challenges/{found}/accept", {}).status == 409
    assert found not in [each["id"] for each in house.nobody().call("/challenges").json]


def test_a_challenge_expires_with_an_event(house, pair):
    rex, ada = pair
    found = challenge(rex, name_of(ada))
    held = house.store.challenges.get(found)
    house.store.challenges.put(replace(held, expires=time.time() - 1))
    assert ada.call(f"/challenges/{found}/accept", {}).status == 409
    house.services.get(ChallengeService).expire()
    for guest in pair:
        last = events(guest, since=0)[-1]
        assert (last["type"], last["challenge"]["state"]) == ("challenge", "expired")
    assert rex.call(f"/challenges/{found}").json["state"] == "expired"


def test_only_so_many_challenges_may_wait_for_one_answer(house, pair, monkeypatch):
    rex, ada = pair
    asked = {"game": "nim", "opponent": name_of(ada)}
    for limit, advice in (("MAX_SENT", "cancel some"), ("MAX_RECEIVED", "try again later")):
        with monkeypatch.context() as patch:
            patch.setattr(challenges, limit, 1)
            challenge(rex, name_of(ada))
            refused = rex.call("/challenges", asked)
            assert (refused.status, advice in refused.said) == (429, True), refused.said
            for each in rex.call("/challenges?whose=mine").json:
                rex.call(f"/challenges/{each['id']}/cancel", {})


# Events


def play(guests, table, moves):
    for number, move in enumerate(moves):
        answer = guests[number % 2].call(f"/tables/{table}/moves", {"move": move, "at": number})
        assert answer.status == 200


def test_an_account_has_an_event_for_everything_in_order(house, pair):
    rex, ada = pair
    (hello,) = events(rex)
    assert (hello["type"], hello["challenges"], hello["turns"]) == ("hello", [], [])
    found = challenge(rex, name_of(ada), seat=0)
    hello, sent = events(ada, since=0)
    assert [each["id"] for each in hello["challenges"]] == [found]
    assert (sent["type"], sent["challenge"]["id"]) == ("challenge", found)
    table = ada.call(f"/challenges/{found}/accept", {}).json["table"]
    play((rex, ada), table, ["b2", "a1", "b1"])
    later = events(ada, since=sent["id"])
    assert later[0]["turns"] == [{"table": table, "game": "tictactoe", "seat": 1, "moves": 3}]
    assert ada.call(f"/tables/{table}/undo", method="POST").status == 200
    assert rex.call(f"/tables/{table}/decline", method="POST").status == 200
    assert ada.call(f"/tables/{table}/resign", method="POST").status == 200
    at_rex, at_ada = events(rex, since=0), events(ada, since=sent["id"])
    kinds = ["challenge", "challenge", "game_start", "turn", "turn", "offer", "game_end"]
    assert [each["type"] for each in at_rex] == ["hello", *kinds]
    assert [each["moves"] for each in at_rex if each["type"] == "turn"] == [0, 2]
    assert at_rex[-1]["result"] == [1, -1]
    assert (at_rex[-2]["offer"], at_rex[-2]["by"]) == ("undo", 1)
    kinds = ["hello", "challenge", "game_start", "turn", "turn", "game_end"]
    assert [each["type"] for each in at_ada] == kinds
    assert {each["table"] for each in at_rex[3:]} == {table}
    numbers = [each["id"] for each in at_rex[1:]]
    assert numbers == sorted(set(numbers))
    assert [each["type"] for each in events(ada, since=at_ada[-1]["id"])] == ["hello"]
    assert rex.call("/account/events?seconds=0", **{"Last-Event-ID": "x"}).status == 422


def test_a_stream_of_events_sends_each_as_it_happens(house, pair):
    rex, ada = pair
    with rex.events("/api/account/events?seconds=60") as following:
        assert following()["event"] == "hello"
        found = challenge(ada, name_of(rex))
        assert json.loads(following()["data"])["challenge"]["id"] == found


def test_the_events_of_an_account_are_its_own(house, pair):
    rex, ada = pair
    challenge(rex, "")
    assert [each["type"] for each in events(ada, since=0)] == ["hello"]


def test_a_whole_game_over_the_socket_of_an_account(house, pair):
    rex, ada = pair
    found = challenge(rex, name_of(ada), "sticks", seat=0)
    with rex.open("/api/account/stream") as one, house.nobody().open("/api/account/stream") as two:
        two.send(json.dumps({"type": "token", "token": ada.token}))
        lines, unread = (one, two), {one: [], two: []}

        def wait_for(line, kind):
            """The next message of this kind; an `ok` and an event may come in either order."""
            while not (found := [each for each in unread[line] if each["type"] == kind]):
                unread[line].append(receive(line))
            unread[line].remove(found[0])
            return found[0]

        wait_for(two, "ok")
        for line in lines:
            wait_for(line, "hello")
        table = ada.call(f"/challenges/{found}/accept", {}).json["table"]
        for number in range(20):
            line = lines[number % 2]
            turn = wait_for(line, "turn")
            assert (turn["table"], turn["moves"]) == (table, number)
            move = {"type": "move", "table": table, "move": "1", "at": number}
            line.send(json.dumps(move))
            assert wait_for(line, "ok")["moves"] == number + 1 == len(house.read(table).moves)
        for line in lines:
            wait_for(line, "game_end")


def test_the_socket_of_an_account_refuses_bad_messages_and_unknown_tokens(house, pair):
    rex, _ = pair
    with rex.open("/api/account/stream") as line:
        assert receive(line)["type"] == "hello"
        assert rex.call("/account").json["here"]
        for text in (
            "{",
            "[]",
            '{"type": "move", "move": "1"}',
            '{"type": "jump", "move": "1", "table": "x"}',
        ):
            line.send(text)
            refused = receive(line)
            assert (refused["type"], refused["status"]) == ("problem", 422)
        line.send('{"type": "move", "table": "nothing", "move": "1"}')
        assert receive(line)["status"] == 404
    with house.nobody().open("/api/account/stream") as line:
        line.send('{"type": "token", "token": "parlour_a_b"}')
        assert receive(line)["status"] == 401
    for path in ("/account/stream", "/tables/x/stream"):
        refused = house.nobody().call(path)
        assert (refused.status, refused.headers["upgrade"]) == (426, "websocket")
        assert "WebSocket" in refused.said


# Feeds


def test_a_feed_says_whose_turn_it_is_as_json_and_as_atom(house, pair):
    rex, ada = pair
    found = challenge(ada, name_of(rex), seat=1, days=2)
    addresses = rex.call("/account/feed").json
    assert rex.call("/account/feed").json == addresses

    def read():
        path = addresses["json_feed"].removeprefix(house.url)
        answer = house.nobody().get(path)
        assert answer.headers["content-type"].startswith("application/feed+json")
        return answer.json

    feed = read()
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert f"{name_of(ada)} challenges you" in feed["items"][0]["title"]
    table = rex.call(f"/challenges/{found}/accept", {}).json["table"]
    assert [item["url"] for item in read()["items"]] == [f"{house.url}/tables/{table}"]
    assert read()["items"][0]["title"].startswith("Your turn: ")
    assert "UTC" in read()["items"][0]["content_text"]
    atom = house.nobody().get(addresses["atom"].removeprefix(house.url))
    root = ET.fromstring(atom.text)  # noqa: S314  # our own server wrote it
    assert atom.headers["content-type"].startswith("application/atom+xml")
    for required in ("id", "title", "updated"):
        assert root.find(f"{ATOM}{required}").text
        assert root.find(f"{ATOM}entry/{ATOM}{required}").text
    play((rex, ada), table, ["b2"])
    assert read()["items"] == []
    assert ada.call(f"/tables/{table}/resign", method="POST").status == 200
    assert read()["items"][0]["title"].startswith("Won: ")
    new = rex.call("/account/feed", {}).json
    assert new != addresses
    assert house.nobody().get(addresses["atom"].removeprefix(house.url)).status == 404


# Pairing, and what is kept of a program


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
    bot = create(house, "Pairs-up")
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
