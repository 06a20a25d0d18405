"""HTTP as its standard has it: who is unknown and who is refused, when to come back, and HEAD."""

from __future__ import annotations

import asyncio
import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.faces.web.clients import (
    AddressBook,
    ClientMiddleware,
    RateLimit,
    Visitor,
    network_of,
)
from parlour.faces.web.errors import TooMany
from parlour.faces.web.requests import CreationLimits
from parlour.faces.web.signing import Signer
from tests.faces.web.house import wait_until

# Unknown, or not allowed (RFC 9110, 15.5.2 and 15.5.4)


def test_an_unknown_program_is_asked_for_its_token(house):
    table = house.table("tictactoe")
    house.player(table, 0)
    bob = house.player(table, 1)
    stranger, browser = house.nobody(), house.browser()
    for guest in (stranger, browser):
        guest.token = "" if guest is stranger else "wrong"
        refused = guest.call(f"/tables/{table}/moves", {"move": "b2"})
        assert refused.status == 401
        assert refused.headers["WWW-Authenticate"].startswith("Bearer ")
        assert "Authorization: Bearer" in refused.said
    refused = bob.call(f"/tables/{table}/moves", {"move": "b2"})  # known, but it is not their turn
    assert (refused.status, refused.headers["WWW-Authenticate"]) == (403, None)
    refused = house.browser().post(f"/tables/{table}/move", {"move": "b2"})
    assert (refused.status, refused.headers["WWW-Authenticate"]) == (403, None)


# When to come back


def test_the_state_of_the_application_is_one_object(house):
    assert list(vars(house.app.state)["_state"]) == ["services"]


def test_a_refusal_says_when_to_come_back(house, monkeypatch):
    monkeypatch.setattr(
        house.services.get(CreationLimits), "by_browser", RateLimit(rate=0.1, burst=1)
    )
    ann = house.browser()
    assert ann.post("/quick", {"game": "sticks"}).status == 303
    for refused in (ann.post("/quick", {"game": "sticks"}), ann.send("/quick", {"game": "sticks"})):
        assert refused.status == 429
        assert 1 <= int(refused.headers["Retry-After"]) <= 10


@given(st.floats(0.01, 100), st.integers(1, 50), st.lists(st.floats(0, 30), max_size=80))
def test_a_client_that_waits_as_long_as_the_refusal_says_is_admitted(rate, burst, pauses):
    limit, now = RateLimit(rate, burst), 0.0
    for pause in pauses:
        now += pause
        if not limit.take("ann", now):
            assert limit.take("ann", now + limit.seconds_to_wait("ann", now) + 1e-6)
            break


def test_a_bucket_that_is_empty_raises_with_its_time():
    limit = RateLimit(rate=0.5, burst=1)
    limit.check("ann", "too many")
    with pytest.raises(TooMany) as refusal:
        limit.check("ann", "too many")
    assert refusal.value.retry_after == 2


# Addresses


@given(st.ip_addresses(v=6), st.integers(0, 2**64 - 1))
def test_a_household_has_one_network_however_many_addresses(address, host):
    if address.ipv4_mapped is not None:
        return
    neighbour = ipaddress.IPv6Address(int(address) >> 64 << 64 | host)
    if neighbour.ipv4_mapped is None:
        assert network_of(str(address)) == network_of(str(neighbour))
    elsewhere = ipaddress.IPv6Address((int(address) + 2**64) % 2**128)
    assert network_of(str(address)) != network_of(str(elsewhere))


def test_an_ipv4_address_is_the_same_however_it_is_written():
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7"
    assert network_of("192.0.2.7") != network_of("192.0.2.8")


def test_clients_are_found_where_they_came_from_last():
    book = AddressBook()
    book.note(Visitor("browser:a", "a", "192.0.2.1"))
    book.note(Visitor("browser:a", "a", "192.0.2.2"))
    assert book.find("browser:a") == "192.0.2.2"
    assert book.find("browser:b") == "browser:b"  # not known: alone
    assert book.find("2001:db8::1") == "2001:db8::/64"


# HEAD (RFC 9110, 9.3.2)

CHANGING = {"date", "set-cookie", "x-request-id"}  # from one request to the next


def headers_of(answer):
    return {(n.lower(), v) for n, v in answer.headers.items() if n.lower() not in CHANGING}


def test_head_is_answered_as_get_without_the_body(house):
    table = house.table("tictactoe")
    ann = house.browser()
    pages = ("/", "/docs", "/school", "/tournaments", "/lab", "/review", "/preparing", "/nowhere")
    files = ("/static/parlour.css", f"/tables/{table}", f"/tables/{table}/record")
    resources = ("/api/games", "/api/tables", f"/api/tables/{table}", "/api/openapi.json")

    def is_the_same(path: str) -> bool:
        get, head = ann.ask("GET", path), ann.ask("HEAD", path)
        assert (head.status, head.body) == (get.status, b""), path
        return headers_of(head) == headers_of(get)

    for path in (*pages, *files, *resources):
        wait_until(lambda path=path: is_the_same(path))  # a page may change between the two


def test_head_does_not_wait_for_a_stream_to_end(house):
    table = house.table("tictactoe")
    head = house.nobody().ask("HEAD", f"/api/tables/{table}/events?seconds=60")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-type"].startswith("text/event-stream")
    assert house.services.hub.has_room("127.0.0.1", 1)  # it has ended


def test_an_address_that_takes_get_says_that_it_takes_head(house):
    origin = {"Origin": house.url}
    for path, allowed in (("/api/games", "GET, HEAD"), ("/docs", "GET, HEAD"), ("/quick", "POST")):
        refused = house.browser().ask("DELETE", path, headers=origin)
        assert (refused.status, refused.headers["Allow"]) == (405, allowed)


# The name of the site, and its limits


def door(names=()):
    """The middleware of a site with these names, before an application that is always there."""

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})

    return ClientMiddleware(app, Signer(b"key"), AddressBook(), str, names)


def ask(middleware, path="/", address="192.0.2.1", **headers):
    """The status with which it answers a request."""

    async def receive():
        return {"type": "http.request"}

    answers = []

    async def send(message):
        answers.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": (address, 1),
    }
    asyncio.run(middleware(scope, receive, send))
    return answers[0]["status"]


def test_a_wrong_host_is_refused_where_one_is_set():
    site = door(("example.org", "www.example.org"))
    for host, status in (
        ("example.org", 200),
        ("EXAMPLE.org:8000", 200),
        ("example.org.", 200),
        ("www.example.org", 200),
        ("example.com", 421),
        ("example.org.evil.com", 421),
        ("evil.com:example.org", 421),
        ("127.0.0.1", 421),
        ("[::1]:8000", 421),
        ("", 421),
    ):
        assert ask(site, host=host) == status, host
        assert ask(door(), host=host) == 200, host
        assert ask(site, "/healthz", host=host) == 200, host  # asked by an address alone
    assert ask(site) == 421, "without one"


def test_one_address_has_a_limit_with_any_number_of_tokens():
    site = door()
    site.by_address = RateLimit(rate=0, burst=5)
    tokens = [f"Bearer {number}" for number in range(8)]
    statuses = [ask(site, "/api/games", authorization=token) for token in tokens[:7]]
    assert statuses == [200] * 5 + [429] * 2
    assert ask(site, "/api/games", "192.0.2.2", authorization=tokens[7]) == 200
