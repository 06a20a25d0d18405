"""Open pages are sent every change, the newest state last, and none waits for another."""

import asyncio
import json
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.faces.web import live
from parlour.faces.web.live import Hub, Page, Topic
from parlour.store.database import Unavailable
from tests.faces.web.house import wait_until

PATIENCE = 60  # seconds; ends a test that hangs


def thing(version):
    return SimpleNamespace(version=version)


def scene(play, *, threads=False):
    """Run a play with a hub and a way to open pages; each notes what it was sent."""

    async def run():
        stored, asked = {}, []

        def fetch(topic):
            asked.append(topic)
            if isinstance(stored.get(topic), Exception):
                raise stored[topic]
            return stored.get(topic)

        hub = Hub()
        for name in ("a", "b", "slow"):
            hub.topics[name] = Topic(lambda _, name=name: fetch(name), role=None, render=None)

        def enter(topic="a", role="watches", *, take=None, render=None, owner="", **how):
            sent = []

            async def note(text):
                sent.append(text)

            shown = render or (lambda thing: f"{topic} {thing.version}")
            page = Page(take or note, topic, owner, lambda _: role, shown, **how)
            hub.enter(page)
            return page, sent

        await play(SimpleNamespace(hub=hub, enter=enter, stored=stored, asked=asked))

    with pytest.MonkeyPatch.context() as patch:
        if not threads:
            patch.setattr(asyncio, "to_thread", call_at_once)
        asyncio.run(asyncio.wait_for(run(), PATIENCE))


async def call_at_once(call, *values):
    """Call in no other thread, so that all is done when every task has had a turn."""
    return call(*values)


async def until(true):
    while not true():
        await asyncio.sleep(0.005)


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


def test_every_page_of_a_topic_is_sent_its_change_and_no_other():
    async def play(at):
        (_, one), (_, two), (_, other) = at.enter("a"), at.enter("a"), at.enter("b")
        at.hub.announce("a", thing(1))
        at.hub.announce("without pages", thing(1))
        await settle()
        assert (one, two, other) == (["a 1"], ["a 1"], [])
        assert at.asked == []

    scene(play)


def test_a_subject_that_is_not_passed_is_fetched_once():
    async def play(at):
        _, sent = at.enter("a")
        at.enter("a")
        at.stored["a"] = thing(4)
        at.hub.announce("a")
        at.hub.announce("a")
        await settle()
        assert (sent, at.asked) == (["a 4"], ["a"])

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


def test_of_two_states_that_wait_the_newer_is_sent():
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


def test_a_version_that_was_sent_is_not_sent_again():
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
def test_an_error_of_one_topic_does_not_silence_the_others(trouble, caplog):
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


def test_a_page_that_cannot_be_rendered_does_not_silence_the_others():
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


def test_a_page_whose_connection_has_gone_disturbs_no_other():
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


def test_a_page_that_has_left_is_sent_nothing_and_counts_no_more():
    async def play(at):
        page, sent = at.enter("a", owner="ann")
        assert at.hub.is_open("a")
        assert at.hub.has_room("ann", 2)
        assert not at.hub.has_room("ann", 1)
        at.hub.announce("a", thing(1))
        at.hub.leave(page)
        await settle()
        assert sent == []
        assert not at.hub.is_open("a")
        assert at.hub.has_room("ann", 1)
        assert not at.hub.owners()

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


def test_a_page_that_is_rendered_in_a_thread_keeps_no_other_waiting():
    async def play(at):
        gate, loops = threading.Event(), []

        def slow(found):
            loops.append(threading.current_thread())
            gate.wait(PATIENCE)
            return f"slow {found.version}"

        _, aside = at.enter("slow", render=slow, in_thread=True)
        _, sent = at.enter("a")
        at.hub.announce("slow", thing(1))
        await until(lambda: loops)
        for version in range(1, 4):
            at.hub.announce("a", thing(version))
            await until(lambda version=version: f"a {version}" in sent)
        at.hub.announce("slow", thing(2))
        at.hub.announce("slow", thing(3))
        assert aside == []
        gate.set()
        await until(lambda: aside[-1:] == ["slow 3"])
        assert "slow 2" not in aside
        assert threading.current_thread() not in loops

    scene(play, threads=True)


def test_a_topic_with_a_pause_is_sent_at_once_and_then_not_too_often(monkeypatch):
    async def play(at):
        pauses, over = [], asyncio.Event()

        async def pause(seconds):
            pauses.append(seconds)
            await over.wait()

        monkeypatch.setattr(live, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": pause}))
        _, sent = at.enter("a", in_thread=True, pause=0.2)
        at.hub.announce("a", thing(0))
        await until(lambda: sent == ["a 0"])
        await until(lambda: pauses == [0.2])
        for version in range(1, 30):
            at.hub.announce("a", thing(version))
            await asyncio.sleep(0.001)
        assert (sent, pauses) == (["a 0"], [0.2])
        over.set()
        await until(lambda: sent == ["a 0", "a 29"])
        await until(lambda: pauses[:2] == [0.2, 0.2])
        assert sent == ["a 0", "a 29"]

    scene(play)


def test_a_page_that_leaves_while_it_is_rendered_disturbs_no_later_one():
    async def play(at):
        gate, begun = threading.Event(), threading.Event()

        def slow(found):
            begun.set()
            gate.wait(PATIENCE)
            return f"late {found.version}"

        page, _ = at.enter("a", render=slow, in_thread=True)
        at.hub.announce("a", thing(1))
        await until(begun.is_set)
        at.hub.leave(page)
        assert not at.hub.is_open("a")
        gate.set()
        _, later = at.enter("a", render=slow, in_thread=True)
        at.hub.announce("a", thing(2))
        await until(lambda: later == ["late 2"])

    scene(play, threads=True)


def test_a_topic_is_watched_by_open_pages_and_for_a_while_by_pages_without_scripts(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(live, "time", SimpleNamespace(monotonic=lambda: now))

    async def play(at):
        nonlocal now
        assert not at.hub.is_watched("a")
        page, _ = at.enter("a")
        assert at.hub.is_watched("a")
        at.hub.leave(page)
        assert not at.hub.is_watched("a")
        await asyncio.to_thread(at.hub.note_view, "a")
        await until(lambda: at.hub.is_watched("a"))
        assert not at.hub.is_open("a")
        assert not at.hub.is_watched("b")
        now += live.VIEWED - 0.1
        assert at.hub.is_watched("a")
        now += 0.2
        assert not at.hub.is_watched("a")

    scene(play)


def test_only_the_last_views_are_remembered(monkeypatch):
    monkeypatch.setattr(live, "MAX_VIEWED", 3)

    async def play(at):
        for topic in "abcad":
            at.hub.note_view(topic)
        await until(lambda: at.hub.is_watched("d"))
        assert [topic for topic in "abcd" if at.hub.is_watched(topic)] == ["a", "c", "d"]

    scene(play)


# The pages themselves


def news(page):
    return json.loads(page.recv(timeout=PATIENCE))


def news_of(page, move):
    """The first page with this move; one before it may show that another has come."""
    while f"</span>{move}</li>" not in (html := news(page)["html"]):
        pass
    return html


def test_a_page_is_sent_what_it_has_missed_and_no_more(house):
    table = house.table("tictactoe")
    ann = house.sitting(table, 0)
    house.player(table, 1)
    version = house.read(table).version
    with ann.live(f"table:{table}", have=version) as page:
        ann.send(f"/tables/{table}/move", {"move": "b2"})
        first = news(page)  # so nothing was sent before the move
        assert first["version"] == version + 1
        assert "b2" in first["html"]
    with ann.live(f"table:{table}", have=version) as page:
        assert news(page) == first


def test_each_seat_is_shown_its_own_page(house):
    table = house.table("tictactoe")
    ann, bob, eve = house.sitting(table, 0), house.sitting(table, 1), house.browser()
    with (
        ann.live(f"table:{table}") as hers,
        bob.live(f"table:{table}") as his,
        eve.live(f"table:{table}") as watched,
    ):
        pages = [news(page)["html"] for page in (hers, his, watched)]
        action = f'action="/tables/{table}/move'
        assert [action in page for page in pages] == [True, False, False]
        ann.send(f"/tables/{table}/move", {"move": "b2"})
        pages = [news_of(page, "b2") for page in (hers, his, watched)]
        assert [action in page for page in pages] == [False, True, False]


def test_a_page_that_opens_during_a_move_ends_with_the_newest_state(house, monkeypatch):
    """It reads the table before the move and would show it after the move was sent."""
    table = house.table("tictactoe")
    ann, eve = house.sitting(table, 0), house.browser()
    house.player(table, 1)
    old, topics = house.read(table), house.services.hub.topics
    with eve.live(f"table:{table}", have=old.version) as other:

        def late(name):
            monkeypatch.undo()
            ann.send(f"/tables/{table}/move", {"move": "b2"})
            assert news(other)["version"] == old.version + 1
            return old

        monkeypatch.setitem(topics, "table", replace(topics["table"], fetch=late))
        with ann.live(f"table:{table}") as page:
            assert news(page)["version"] == old.version + 1
            ann.send(f"/tables/{table}/resign")
            assert news(page)["version"] == old.version + 2  # and nothing older between


def test_the_lobby_shows_tables_that_open_and_end(house):
    with house.browser().live("lobby:") as lobby:
        news(lobby)
        table = house.table("tictactoe")
        assert table in news(lobby)["html"]
        ann = house.sitting(table, 0, "Ann of the lobby")
        assert "Ann of the lobby" in news(lobby)["html"]
        house.player(table, 1)
        secret = house.table("tictactoe", listed=False)
        ann.send(f"/tables/{table}/move", {"move": "b2"})
        ann.send(f"/tables/{table}/resign")
        while table in (html := news(lobby)["html"]):
            assert secret not in html
        assert secret not in html
        assert secret not in house.browser().get("/").text


def test_a_page_may_come_again_when_the_database_cannot_be_asked(house, monkeypatch):
    def broken(name):
        raise Unavailable("it is being restarted")

    table = house.table("tictactoe")
    topics = house.services.hub.topics
    topic = replace(topics["table"], fetch=broken)
    monkeypatch.setitem(topics, "table", topic)
    with house.browser().live(f"table:{table}") as page, pytest.raises(ConnectionClosed) as gone:
        page.recv(timeout=60)
    assert gone.value.rcvd.code == 1013
    assert not house.services.hub.is_open(f"table:{table}")


def test_a_page_that_comes_back_wakes_the_bot_whose_turn_it_is(house):
    """As after the death of another server on the same database."""
    table = house.table("tictactoe", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    ann = house.player(table, 0)
    held = house.read(table)
    house.store.tables.put(replace(held, moves=("b2",), seconds=(1.0,)))
    with ann.live(f"table:{table}"):
        wait_until(lambda: len(house.read(table).moves) == 2)
