"""HTTP as its standard has it: who is unknown and who is refused, when to come back, and HEAD."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.faces.web.clients import AddressBook, RateLimit, Visitor, network_of
from parlour.faces.web.errors import TooMany

# Unknown, or not allowed (RFC 9110, 15.5.2 and 15.5.4)


def test_a_program_that_nobody_knows_is_asked_for_its_token(house):
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


def test_a_refusal_says_when_to_come_back(house, monkeypatch):
    monkeypatch.setattr(house.state.creation_limits, "by_browser", RateLimit(rate=0.1, burst=1))
    ann = house.browser()
    assert ann.post("/quick", {"game": "sticks"}).status == 303
    for refused in (ann.post("/quick", {"game": "sticks"}), ann.send("/quick", {"game": "sticks"})):
        assert refused.status == 429
        assert 1 <= int(refused.headers["Retry-After"]) <= 10


@given(st.floats(0.01, 100), st.integers(1, 50), st.lists(st.floats(0, 30), max_size=80))
def test_whoever_waits_as_long_as_told_is_admitted(rate, burst, pauses):
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
