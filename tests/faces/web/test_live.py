"""Pages hear of every change, of the newest state last, and nobody has to wait for them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.faces.web.live import MAX_PAGES, Hub, Page
from parlour.store.database import Unavailable
from tests.faces.web.house import wait_until


def thing(version):
    return SimpleNamespace(version=version)


def scene(play):
    """Run a play with a hub and a way to open pages; each notes what it was sent."""

    async def run():
        stored = {}
        asked = []

        async def fetch(topic):
            asked.append(topic)
            await asyncio.sleep(0)
            if isinstance(stored.get(topic), Exception):
                raise stored[topic]
            return stored.get(topic)

        hub = Hub(fetch)

        def enter(topic="a", role="watches", take=None, render=None, owner=""):
            sent = []

            async def note(text):
                sent.append(text)

            shown = render or (lambda thing: f"{topic} {thing.version}")
            page = Page(take or note, topic, owner, lambda _: role, shown)
            hub.enter(page)
            return page, sent

        await play(SimpleNamespace(hub=hub, enter=enter, stored=stored, asked=asked))

    asyncio.run(asyncio.wait_for(run(), 60))


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


def test_every_page_of_a_topic_is_told_and_no_other():
    async def play(at):
        (_, one), (_, two), (_, other) = at.enter("a"), at.enter("a"), at.enter("b")
        at.hub.announce("a", thing(1))
        at.hub.announce("nobody", thing(1))
        await settle()
        assert (one, two, other) == (["a 1"], ["a 1"], [])
        assert at.asked == []

    scene(play)


def test_what_is_not_handed_over_is_looked_up_once():
    async def play(at):
        _, sent = at.enter("a")
        at.enter("a")
        at.stored["a"] = thing(4)
        at.hub.announce("a")
        at.hub.announce("a")
        await settle()
        assert (sent, at.asked) == (["a 4"], ["a"])

    scene(play)


def test_those_of_one_role_are_sent_the_same_text_written_once():
    async def play(at):
        written = []

        def render(found):
            written.append(found.version)
            return str(found.version)

        pages = [at.enter("a", role, render=render)[1] for role in ("x", "x", "y")]
        at.hub.announce("a", thing(1))
        await settle()
        assert pages == [["1"]] * 3
        assert written == [1, 1]

    scene(play)


def test_a_slow_page_gets_the_newest_state_and_others_do_not_wait():
    async def play(at):
        gate, sent = asyncio.Event(), []

        async def slow(text):
            await gate.wait()
            sent.append(text)

        at.enter("a", take=slow)
        _, quick = at.enter("a")
        for version in range(1, 6):
            at.hub.announce("a", thing(version))
            await settle()
        assert quick == [f"a {version}" for version in range(1, 6)]
        gate.set()
        await settle()
        assert sent == ["a 1", "a 5"]

    scene(play)


def test_of_two_states_that_wait_the_newer_is_told():
    async def play(at):
        _, sent = at.enter("a")
        at.hub.announce("a", thing(7))
        at.hub.announce("a", thing(6))  # from a thread that was late
        at.hub.announce("a")
        await settle()
        assert sent == ["a 7"]

    scene(play)


def test_a_thread_that_is_late_does_not_take_pages_back():
    async def play(at):
        _, sent = at.enter("a")
        for version in (1, 3, 2, 3, 4):
            at.hub.announce("a", thing(version))
            await settle()
        assert sent == ["a 1", "a 3", "a 3", "a 4"]

    scene(play)


def test_news_of_what_was_told_already_are_no_news():
    async def play(at):
        _, sent = at.enter("a")
        at.hub.announce("a", thing(1))
        await settle()
        at.stored["a"] = thing(1)
        at.hub.announce("a", newer=True)
        await settle()
        at.stored["a"] = thing(2)
        at.hub.announce_all()
        await settle()
        at.hub.announce("a")  # the same version looks different now
        await settle()
        assert sent == ["a 1", "a 2", "a 2"]

    scene(play)


@pytest.mark.parametrize("trouble", [Unavailable("gone"), ZeroDivisionError("oh")])
def test_what_goes_wrong_with_one_topic_does_not_silence_the_others(trouble, caplog):
    async def play(at):
        _, broken = at.enter("a")
        _, sent = at.enter("b")
        at.stored["a"] = trouble
        at.hub.announce("a")
        await settle()
        at.hub.announce("b", thing(1))
        await settle()
        assert sent == ["b 1"]
        at.hub.announce("a", thing(2))
        await settle()
        assert broken == ["a 2"]

    scene(play)


def test_a_page_that_cannot_be_drawn_does_not_silence_the_others():
    async def play(at):
        others = []
        for number in range(6):  # in whatever order they are told
            at.enter("a", f"bad {number}", render=lambda _: 1 // 0)
            others.append(at.enter("a", f"good {number}")[1])
        _, elsewhere = at.enter("b")
        at.hub.announce("a", thing(1))
        at.hub.announce("b", thing(1))
        await settle()
        assert others == [["a 1"]] * 6
        assert elsewhere == ["b 1"]

    scene(play)


def test_a_page_whose_connection_has_gone_disturbs_nobody():
    async def play(at):
        async def gone(text):
            raise RuntimeError("closed")

        broken, _ = at.enter("a", take=gone)
        _, sent = at.enter("a")
        for version in (1, 2):
            at.hub.announce("a", thing(version))
            await settle()
        assert sent == ["a 1", "a 2"]
        at.hub.leave(broken)

    scene(play)


def test_whoever_leaves_hears_nothing_more_and_leaves_nothing_behind():
    async def play(at):
        page, sent = at.enter("a", owner="ann")
        assert len(at.hub._pages.get("a", ())) == 1
        assert at.hub.has_room("ann", 2)
        assert not at.hub.has_room("ann", 1)
        at.hub.announce("a", thing(1))
        at.hub.leave(page)
        await settle()
        assert sent == []
        assert len(at.hub._pages.get("a", ())) == 0
        assert at.hub.has_room("ann", 1)
        kept = (at.hub._pages, at.hub._by_owner, at.hub._sent, at.hub._pending)
        assert not any(kept)

    scene(play)


def test_changes_are_announced_from_any_thread():
    async def play(at):
        _, sent = at.enter("a")
        threads = [
            threading.Thread(target=at.hub.announce, args=("a", thing(version)))
            for version in range(1, 30)
        ]
        for thread in threads:
            thread.start()
        await asyncio.to_thread(lambda: [thread.join() for thread in threads])
        await settle()
        assert sent[-1] == "a 29"

    scene(play)


# The pages themselves


def told(page, timeout=60):
    return json.loads(page.recv(timeout=timeout))


def told_of(page, move):
    """The first page with this move; one before it may tell that somebody has come."""
    while f"</span>{move}</li>" not in (html := told(page)["html"]):
        pass
    return html


def silent(page):
    with pytest.raises(TimeoutError):
        page.recv(timeout=0.2)


def test_a_page_is_told_what_it_has_missed_and_no_more(house):
    table = house.table("tictactoe")
    ann = house.sitting(table, 0)
    house.player(table, 1)
    version = house.read(table).version
    with ann.live(f"table:{table}", have=version) as page:
        silent(page)
        ann.send(f"/tables/{table}/move", {"move": "b2"})
        news = told(page)
        assert news["version"] == version + 1
        assert "b2" in news["html"]
    with ann.live(f"table:{table}", have=version) as page:
        assert told(page) == news
    with ann.live(f"table:{table}", have=version + 1) as page:
        silent(page)


def test_each_seat_is_shown_its_own_page(house):
    table = house.table("tictactoe")
    ann, bob, eve = house.sitting(table, 0), house.sitting(table, 1), house.browser()
    with (
        ann.live(f"table:{table}") as hers,
        bob.live(f"table:{table}") as his,
        eve.live(f"table:{table}") as watched,
    ):
        pages = [told(page)["html"] for page in (hers, his, watched)]
        action = f'action="/tables/{table}/move'
        assert [action in page for page in pages] == [True, False, False]
        ann.send(f"/tables/{table}/move", {"move": "b2"})
        pages = [told_of(page, "b2") for page in (hers, his, watched)]
        assert [action in page for page in pages] == [False, True, False]


def test_a_page_that_opens_during_a_move_ends_with_the_newest_state(house, monkeypatch):
    """It reads the table before the move and would draw it after the move was told."""
    table = house.table("tictactoe")
    ann = house.sitting(table, 0)
    house.player(table, 1)
    old = house.read(table)

    hub, topics = house.state.hub, house.state.topics

    def late(name):
        if len(hub._pages.get(f"table:{table}", ())):
            monkeypatch.undo()
            ann.send(f"/tables/{table}/move", {"move": "b2"})
            wait_until(lambda: hub._sent.get(f"table:{table}", 0) > old.version)
        return old

    topic = replace(topics["table"], fetch=late)
    monkeypatch.setitem(topics, "table", topic)
    with ann.live(f"table:{table}") as page:
        assert told(page)["version"] == old.version + 1
        silent(page)


def test_the_lobby_hears_of_tables_that_open_and_end(house):
    with house.browser().live("lobby:") as lobby:
        told(lobby)
        table = house.table("tictactoe")
        assert table in told(lobby)["html"]
        ann = house.sitting(table, 0, "Ann of the lobby")
        assert "Ann of the lobby" in told(lobby)["html"]
        house.player(table, 1)
        told(lobby)
        ann.send(f"/tables/{table}/move", {"move": "b2"})
        ann.send(f"/tables/{table}/resign")
        news = told(lobby)
        while table in news["html"]:
            news = told(lobby)
        secret = house.table("tictactoe", listed=False)
        silent(lobby)
        assert secret not in house.browser().get("/").text


def test_one_browser_opens_only_so_many_pages(house):
    ann, bob = house.browser(), house.browser()
    with contextlib.ExitStack() as pages:
        for _ in range(MAX_PAGES):
            told(pages.enter_context(ann.live("lobby:")))
        with ann.live("lobby:") as page, pytest.raises(ConnectionClosed):
            page.recv(timeout=60)
        with bob.live("lobby:") as page:
            told(page)
    owner = f"browser:{ann.cookie.partition('.')[0]}"
    wait_until(lambda: house.state.hub.has_room(owner, 1))
    with ann.live("lobby:") as page:
        told(page)


def test_a_page_may_come_again_when_the_database_cannot_be_asked(house, monkeypatch):
    def broken(name):
        raise Unavailable("it is being restarted")

    table = house.table("tictactoe")
    topics = house.state.topics
    topic = replace(topics["table"], fetch=broken)
    monkeypatch.setitem(topics, "table", topic)
    with house.browser().live(f"table:{table}") as page, pytest.raises(ConnectionClosed) as gone:
        page.recv(timeout=60)
    assert gone.value.rcvd.code == 1013
    wait_until(lambda: not len(house.state.hub._pages.get(f"table:{table}", ())))


def test_a_page_that_comes_back_wakes_a_bot_that_nobody_asked(house):
    """As after the death of another server on the same database."""
    table = house.table("tictactoe", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    ann = house.player(table, 0)
    held = house.read(table)
    house.store.tables.put(replace(held, moves=("b2",), seconds=(1.0,)))
    with ann.live(f"table:{table}"):
        wait_until(lambda: len(house.read(table).moves) == 2)
