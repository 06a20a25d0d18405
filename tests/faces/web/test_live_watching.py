"""Who is looking at a topic, and pages that are drawn aside so that nobody waits for them."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

from parlour.faces.web import live
from parlour.faces.web.live import Hub, Page

PATIENCE = 60  # seconds after which something has not happened


def scene(play):
    """Run a play with a hub and a way to open pages; each notes what it was sent."""

    async def run():
        stored = {}

        async def fetch(topic):
            return stored.get(topic)

        held = Hub(fetch)

        def enter(topic="a", render=None, **how):
            sent = []

            async def note(text):
                sent.append(text)

            shown = render or (lambda thing: f"{topic} {thing.version}")
            page = Page(note, topic, "", lambda _: "", shown, **how)
            held.enter(page)
            return page, sent

        await play(SimpleNamespace(hub=held, enter=enter, stored=stored))

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def thing(version):
    return SimpleNamespace(version=version)


async def until(true):
    while not true():
        await asyncio.sleep(0.005)


def test_what_is_drawn_aside_keeps_nobody_else_waiting():
    async def play(at):
        gate, loops = threading.Event(), []

        def slow(found):
            loops.append(threading.current_thread())
            gate.wait(PATIENCE)
            return f"slow {found.version}"

        _, aside = at.enter("slow", slow, in_thread=True)
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
        await until(lambda: not at.hub._senders._tasks)
        assert not at.hub._pending

    scene(play)


def test_a_topic_with_a_pause_is_told_at_once_and_then_not_too_often(monkeypatch):
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


def test_a_page_that_leaves_while_it_is_drawn_leaves_nothing_behind():
    async def play(at):
        gate, begun = threading.Event(), threading.Event()

        def slow(_):
            begun.set()
            gate.wait(PATIENCE)
            return "late"

        page, _ = at.enter("a", slow, in_thread=True)
        at.hub.announce("a", thing(1))
        await until(begun.is_set)
        at.hub.leave(page)
        gate.set()
        await until(lambda: not at.hub._senders._tasks)
        assert not any((at.hub._pages, at.hub._by_owner, at.hub._sent, at.hub._pending))

    scene(play)


def test_a_topic_is_watched_by_open_pages_and_for_a_while_by_those_who_looked(monkeypatch):
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
        assert "a" not in at.hub._pages
        assert not at.hub.is_watched("b")
        now += live.VIEWED - 0.1
        assert at.hub.is_watched("a")
        now += 0.2
        assert not at.hub.is_watched("a")

    scene(play)


def test_only_the_last_looks_are_remembered(monkeypatch):
    monkeypatch.setattr(live, "MAX_VIEWED", 3)

    async def play(at):
        for topic in "abcad":
            at.hub.note_view(topic)
        await until(lambda: "d" in at.hub._viewed)
        assert list(at.hub._viewed) == ["c", "a", "d"]

    scene(play)
