"""The pool of those who think, with real processes and thoughts that misbehave in every way.

The thoughts are those of this file: the processes of the pool import it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from parlour.core.errors import BadOption, IllegalMove, ParlourError, UnknownName
from parlour.core.value import Unsolved
from parlour.core.work import DONE, TOTAL, Work
from parlour.faces.web.workers import pool as thinking
from parlour.faces.web.workers.pool import GRACE, Thinkers, ThoughtFailed, TookTooLong, TooMany

PATIENCE = 30  # seconds, on a machine that is busy
SOON = 5  # seconds that even such a machine needs for nothing at all
FOREVER = 3600

# Thoughts


class OddRefusal(ParlourError):
    """A refusal that nobody else knows."""


REFUSALS: dict[str, ParlourError] = {
    "illegal": IllegalMove("that pile is empty"),
    "option": BadOption("piles", [0], "they must be at least 1"),
    "unsolved": Unsolved("nobody knows"),
    "odd": OddRefusal("an odd sentence"),
}


def refuse(payload: dict[str, Any], work: Work) -> None:
    raise REFUSALS[payload["kind"]]


def leave(payload: dict[str, Any], work: Work) -> None:
    sys.exit("away")


def die(payload: dict[str, Any], work: Work) -> None:
    os.kill(os.getpid(), payload.get("signal", signal.SIGSEGV))
    time.sleep(FOREVER)


def touched(payload: dict[str, Any]) -> None:
    if path := payload.get("touch"):
        Path(path).touch()


def sleep(payload: dict[str, Any], work: Work) -> int:
    touched(payload)
    time.sleep(payload.get("seconds", FOREVER))
    return os.getpid()


def hold_everything(payload: dict[str, Any], work: Work) -> None:
    """Backtracks for years without letting any other thread run."""
    touched(payload)
    re.match(r"(a+)+$", "a" * 60 + "b")


def best_so_far(payload: dict[str, Any], work: Work) -> int:
    touched(payload)
    best = 0
    while not work.stopped:
        best += 1
        time.sleep(0.01)
    return best


def give_in(payload: dict[str, Any], work: Work) -> None:
    while not work.stopped:
        time.sleep(0.01)
    raise Unsolved("stopped before the end")


def count_up(payload: dict[str, Any], work: Work) -> str:
    work.cells[TOTAL] = 4
    for done in range(1, 5):
        work.cells[DONE] = done
        time.sleep(0.25)
    return "counted"


THOUGHTS: dict[str, Callable[[dict[str, Any], Work], Any]] = {
    "best so far": best_so_far,
    "count up": count_up,
    "die": die,
    "divide": lambda payload, work: 1 // payload["by"],
    "echo": lambda payload, work: payload,
    "give in": give_in,
    "hog": lambda payload, work: len(bytearray(payload["bytes"])),
    "hold everything": hold_everything,
    "leave": leave,
    "process": lambda payload, work: os.getpid(),
    "quit": lambda payload, work: os._exit(3),
    "refuse": refuse,
    "sleep": sleep,
    "unspeakable": lambda payload, work: {1, 2, 3},
}


def ready() -> None:
    """Nothing is needed."""


# The pool


@contextlib.asynccontextmanager
async def pool(most: int = 4) -> AsyncIterator[Thinkers]:
    thinkers = Thinkers(most, thoughts=__name__)
    await thinkers.start()
    try:
        yield thinkers
    finally:
        await thinkers.close()


Run = Callable[[Callable[[Thinkers], Awaitable[Any]]], Any]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Something asked of one pool that many tests share, so that each misbehaves for all."""
    thinkers = Thinkers(4, thoughts=__name__)
    with asyncio.Runner() as runner:
        runner.run(thinkers.start())

        def within(call: Callable[[Thinkers], Awaitable[Any]]) -> Any:
            return runner.run(asyncio.wait_for(call(thinkers), PATIENCE))

        yield within
        runner.run(thinkers.close())


def alone(call: Callable[[Thinkers], Awaitable[Any]], most: int = 4) -> Any:
    """Something asked of a pool of its own."""

    async def body() -> Any:
        async with pool(most) as thinkers:
            return await asyncio.wait_for(call(thinkers), PATIENCE)

    return asyncio.run(body())


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that is bound to happen."""
    ends = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < ends, "it has not happened"
        await asyncio.sleep(0.01)


def wait_until(true: Callable[[], bool]) -> None:
    asyncio.run(until(true))


def is_gone(process: int) -> bool:
    """Whether a process has ended; one that nobody has buried yet has."""
    try:
        told = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return True
    return told.rpartition(")")[2].split()[0] == "Z"


# Answers and refusals


def test_what_is_asked_is_answered_by_another_process(run: Run) -> None:
    payload = {"text": "é\n\ud800", "numbers": [1, 2.5, None, True]}
    assert run(lambda thinkers: thinkers.ask("echo", payload)) == payload
    assert run(lambda thinkers: thinkers.ask("process", {})) != os.getpid()


def test_long_texts_come_through_whole_both_ways(run: Run) -> None:
    payload = {"text": "long\n" * 1_000_000}
    assert run(lambda thinkers: thinkers.ask("echo", payload)) == payload


@pytest.mark.parametrize("kind", ["illegal", "option", "unsolved"])
def test_a_refusal_comes_back_as_what_it_was(run: Run, kind: str) -> None:
    with pytest.raises(type(REFUSALS[kind])) as refusal:
        run(lambda thinkers: thinkers.ask("refuse", {"kind": kind}))
    assert str(refusal.value) == str(REFUSALS[kind])


def test_a_refusal_of_a_strangers_kind_keeps_its_sentence(run: Run) -> None:
    with pytest.raises(ParlourError, match=r"^an odd sentence$") as refusal:
        run(lambda thinkers: thinkers.ask("refuse", {"kind": "odd"}))
    assert type(refusal.value) is ParlourError


@pytest.mark.parametrize(
    ("thought", "payload", "sentence"),
    [
        ("divide", {"by": 0}, "ZeroDivisionError: integer division or modulo by zero"),
        ("divide", {}, "KeyError: 'by'"),
        ("leave", {}, "SystemExit: away"),
        ("unspeakable", {}, "TypeError: Object of type set is not JSON serializable"),
    ],
)
def test_what_goes_wrong_in_a_thought_is_named(
    run: Run, thought: str, payload: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ThoughtFailed) as failure:
        run(lambda thinkers: thinkers.ask(thought, payload))
    assert str(failure.value) == f"it failed: {sentence}"


def test_a_thought_that_nobody_knows_is_refused(run: Run) -> None:
    with pytest.raises(UnknownName, match="nobody can think 'ecko'; did you mean 'echo'"):
        run(lambda thinkers: thinkers.ask("ecko", {}))


def test_a_payload_is_an_object(run: Run) -> None:
    payload: Any = [1, 2, 3]
    with pytest.raises(ParlourError, match="object"):
        run(lambda thinkers: thinkers.ask("echo", payload))


# Processes that die


@pytest.mark.parametrize(
    ("thought", "payload"),
    [("die", {}), ("die", {"signal": signal.SIGKILL}), ("quit", {})],
)
def test_a_process_that_dies_fails_only_what_it_thought_about(
    run: Run, thought: str, payload: dict[str, Any]
) -> None:
    async def both(thinkers: Thinkers) -> Any:
        other = asyncio.create_task(thinkers.ask("sleep", {"seconds": 0.5}, whose="another"))
        await asyncio.sleep(0.1)
        with pytest.raises(ThoughtFailed, match="died"):
            await thinkers.ask(thought, payload)
        return await other, await thinkers.ask("echo", {"after": True})

    other, after = run(both)
    assert other != os.getpid()
    assert after == {"after": True}


def test_memory_is_limited_and_given_back() -> None:
    async def hog(thinkers: Thinkers) -> None:
        before = await thinkers.ask("process", {})
        with pytest.raises(ThoughtFailed, match="more than 4 GiB of memory"):
            await thinkers.ask("hog", {"bytes": 5 << 30})
        assert await thinkers.ask("process", {}) != before

    alone(hog)


def test_what_waits_is_not_lost_with_a_process_that_has_used_all_its_memory() -> None:
    async def hog(thinkers: Thinkers) -> Any:
        return await asyncio.gather(
            *(thinkers.ask("hog", {"bytes": 5 << 30}, whose=who) for who in "ab"),
            *(thinkers.ask("echo", {}, whose=who) for who in "cd"),
            return_exceptions=True,
        )

    *hogs, first, second = alone(hog, most=1)
    assert all("memory" in str(trouble) for trouble in hogs)
    assert (first, second) == ({}, {})


def test_the_pool_goes_on_when_its_nursery_is_killed() -> None:
    async def survive(thinkers: Thinkers) -> None:
        first = await thinkers.ask("process", {})
        nursery = thinkers._nursery._process.pid
        os.kill(nursery, signal.SIGKILL)
        await until(lambda: is_gone(nursery))
        assert await thinkers.ask("process", {}) == first  # the workers it had live on
        slow = asyncio.create_task(thinkers.ask("sleep", {"seconds": 1}, whose="slow"))
        await asyncio.sleep(0)
        assert await thinkers.ask("process", {}) != first
        assert await slow == first
        with pytest.raises(TookTooLong):
            await thinkers.ask("sleep", {}, seconds=0.1)

    alone(survive)


def test_workers_whose_nursery_was_killed_end_with_the_pool() -> None:
    async def orphan(thinkers: Thinkers) -> Any:
        worker = await thinkers.ask("process", {})
        os.kill(thinkers._nursery._process.pid, signal.SIGKILL)
        return worker

    worker = alone(orphan)
    wait_until(lambda: is_gone(worker))


def test_a_pool_that_cannot_start_says_so_and_does_not_hang(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def body() -> None:
        thinkers = Thinkers(thoughts="parlour.no_such_thoughts")
        await thinkers.start()
        for _ in range(2):
            with pytest.raises(ThoughtFailed, match="nobody could be found"):
                await asyncio.wait_for(thinkers.ask("echo", {}), PATIENCE)
        await thinkers.close()

    asyncio.run(body())
    assert "no_such_thoughts" in capfd.readouterr().err


# Time


def test_at_its_limit_a_thought_may_answer_with_the_best_so_far(run: Run) -> None:
    began = time.monotonic()
    assert run(lambda thinkers: thinkers.ask("best so far", {}, seconds=0.3)) > 0
    assert 0.3 <= time.monotonic() - began < SOON


@pytest.mark.parametrize("thought", ["sleep", "hold everything"])
def test_a_thought_that_does_not_end_is_killed(run: Run, tmp_path: Path, thought: str) -> None:
    began = time.monotonic()
    payload = {"touch": str(tmp_path / "begun")}
    with pytest.raises(TookTooLong, match=r"^there was no answer within 0.3 seconds$"):
        run(lambda thinkers: thinkers.ask(thought, payload, seconds=0.3))
    assert (tmp_path / "begun").exists()
    assert 0.3 + GRACE <= time.monotonic() - began < SOON


def test_a_thought_that_gives_in_when_it_is_stopped_took_too_long(run: Run) -> None:
    with pytest.raises(TookTooLong):
        run(lambda thinkers: thinkers.ask("give in", {}, seconds=0.1))


def test_whoever_took_too_long_is_replaced() -> None:
    async def body(thinkers: Thinkers) -> None:
        before = await thinkers.ask("process", {})
        with pytest.raises(TookTooLong):
            await thinkers.ask("hold everything", {}, seconds=0.1)
        await until(lambda: is_gone(before))
        await until(lambda: [worker.ready for worker in thinkers._workers] == [True])
        assert await thinkers.ask("process", {}) != before

    alone(body, most=1)


def test_others_do_not_notice_a_thought_that_does_not_end(run: Run) -> None:
    async def body(thinkers: Thinkers) -> float:
        stuck = asyncio.create_task(thinkers.ask("hold everything", {}, seconds=1, whose="stuck"))
        await asyncio.sleep(0.1)
        began = time.monotonic()
        for _ in range(20):
            await thinkers.ask("echo", {}, whose="other")
        lasted = time.monotonic() - began
        with pytest.raises(TookTooLong):
            await stuck
        return lasted

    assert run(body) < 1


def test_the_time_counts_from_the_beginning_of_a_thought() -> None:
    """Waiting for the pool to get ready, or for one's turn, is not thinking."""

    async def body(thinkers: Thinkers) -> Any:
        naps = [thinkers.ask("sleep", {"seconds": 0.3}, seconds=1, whose=str(n)) for n in range(5)]
        return await asyncio.gather(*naps)

    assert len(set(alone(body, most=1))) == 1


# Turns


def test_no_client_has_more_than_half_of_the_workers(run: Run) -> None:
    async def body(thinkers: Thinkers) -> list[int]:
        nap = {"seconds": 0.5}
        greedy = [asyncio.create_task(thinkers.ask("sleep", nap, whose="greedy")) for _ in range(6)]
        await asyncio.sleep(0.1)
        await thinkers.ask("echo", {}, whose="modest")
        assert not any(task.done() for task in greedy)  # the other half is there for others
        return await asyncio.gather(*greedy)

    began = time.monotonic()
    assert len(set(run(body))) <= 2
    assert time.monotonic() - began > 3 * 0.5  # two at a time


def test_whoever_asks_first_is_answered_first() -> None:
    async def body(thinkers: Thinkers) -> list[str]:
        order: list[str] = []

        async def asked(who: str) -> None:
            await thinkers.ask("echo", {}, whose=who)
            order.append(who)

        await asyncio.gather(*(asked(who) for who in "cabdab"))
        return order

    assert alone(body, most=1) == list("cabdab")


def test_a_client_may_have_only_so_much_waiting() -> None:
    async def body(thinkers: Thinkers) -> None:
        naps = [
            asyncio.create_task(thinkers.ask("sleep", {"seconds": 0.2}, whose="greedy"))
            for _ in range(thinking.MOST_WAITING)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="wait a little"):
            await thinkers.ask("echo", {}, whose="greedy")
        assert await thinkers.ask("echo", {}, whose="modest") == {}
        await asyncio.gather(*naps)
        assert await thinkers.ask("echo", {}, whose="greedy") == {}

    alone(body, most=2)


def test_all_clients_together_may_have_only_so_much_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thinking, "MOST_IN_ALL", 5)

    async def body(thinkers: Thinkers) -> None:
        await thinkers.ask("echo", {})
        naps = [
            asyncio.create_task(thinkers.ask("sleep", {"seconds": 0.2}, whose=str(each)))
            for each in range(6)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooMany, match="here already; wait a little"):
            await thinkers.ask("echo", {}, whose="another")
        await asyncio.gather(*naps)
        assert await thinkers.ask("echo", {}, whose="another") == {}

    alone(body, most=1)


def test_where_nobody_waits_a_thought_lets_those_go_first_who_do() -> None:
    async def body(thinkers: Thinkers) -> list[str]:
        order: list[str] = []

        async def asked(who: str) -> None:
            await thinkers.ask("echo", {}, whose=who, patient=who.islower())
            order.append(who)

        await asyncio.gather(*(asked(who) for who in "abCdE"))
        return order

    assert alone(body, most=1) == list("CEabd")


def test_those_who_are_patient_leave_half_of_the_workers_to_the_others(run: Run) -> None:
    async def body(thinkers: Thinkers) -> None:
        nap = {"seconds": 0.5}
        naps = [
            asyncio.create_task(thinkers.ask("sleep", nap, whose=str(each % 3), patient=True))
            for each in range(6)
        ]
        await asyncio.sleep(0.1)
        await thinkers.ask("echo", {}, whose="0")  # also of somebody who lets bots play elsewhere
        assert not any(task.done() for task in naps)
        await asyncio.gather(*naps)

    began = time.monotonic()
    run(body)
    assert time.monotonic() - began > 3 * 0.5  # two at a time


def test_what_is_patient_does_not_keep_its_client_from_asking() -> None:
    async def body(thinkers: Thinkers) -> None:
        naps = [
            asyncio.create_task(thinkers.ask("sleep", {"seconds": 0.1}, whose="ann", patient=True))
            for _ in range(thinking.MOST_WAITING)
        ]
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await thinkers.ask("echo", {}, whose="ann", patient=True)
        assert await thinkers.ask("echo", {}, whose="ann") == {}
        await asyncio.gather(*naps)

    alone(body, most=2)


def test_workers_come_when_they_are_wanted_and_go_when_they_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thinking, "IDLE", 0.3)

    async def body(thinkers: Thinkers) -> None:
        first = await thinkers.ask("process", {})
        naps = [thinkers.ask("sleep", {"seconds": 0.5}, whose=str(n)) for n in range(6)]
        workers = set(await asyncio.gather(*naps))
        assert len(workers) == 3
        assert first in workers
        await until(lambda: sum(not is_gone(worker) for worker in workers) == 1)
        await asyncio.sleep(2 * thinking.IDLE)
        assert sum(not is_gone(worker) for worker in workers) == 1
        assert await thinkers.ask("process", {}) in workers

    alone(body, most=3)


# Whoever no longer waits


def test_what_is_cancelled_before_its_turn_is_never_begun(tmp_path: Path) -> None:
    async def body(thinkers: Thinkers) -> None:
        first = asyncio.create_task(thinkers.ask("sleep", {"seconds": 0.3}))
        second = asyncio.create_task(
            thinkers.ask("sleep", {"seconds": 0, "touch": str(tmp_path / "begun")})
        )
        await asyncio.sleep(0.1)
        second.cancel()
        await first
        with pytest.raises(asyncio.CancelledError):
            await second
        await thinkers.ask("echo", {})

    alone(body, most=1)
    assert not (tmp_path / "begun").exists()


@pytest.mark.parametrize(("thought", "survives"), [("best so far", True), ("sleep", False)])
def test_cancelling_ends_a_thought(tmp_path: Path, thought: str, survives: bool) -> None:
    async def body(thinkers: Thinkers) -> None:
        before = await thinkers.ask("process", {})
        begun = tmp_path / "begun"
        task = asyncio.create_task(thinkers.ask(thought, {"touch": str(begun)}, seconds=FOREVER))
        await until(begun.exists)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await thinkers.ask("process", {}) == before) == survives
        if not survives:
            await until(lambda: is_gone(before))

    alone(body, most=1)


def test_progress_is_told_while_somebody_wants_to_know(run: Run) -> None:
    seen: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        seen.append((done, total))

    assert run(lambda thinkers: thinkers.ask("count up", {}, progress=note)) == "counted"
    assert len(seen) >= 3
    assert {total for _, total in seen} == {4}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


# The end


def test_closing_cancels_whoever_waits_and_leaves_no_process(tmp_path: Path) -> None:
    async def body() -> None:
        async with pool(2) as thinkers:
            workers = [await thinkers.ask("process", {}), thinkers._nursery._process.pid]
            begun = tmp_path / "begun"
            asks = [
                asyncio.create_task(thinkers.ask("hold everything", {"touch": str(begun)})),
                asyncio.create_task(thinkers.ask("echo", {})),  # and its turn never comes
            ]
            await until(begun.exists)
        assert all(is_gone(worker) for worker in workers)
        for ask in asks:
            with pytest.raises(asyncio.CancelledError):
                await ask
        with pytest.raises(asyncio.CancelledError):
            await thinkers.ask("echo", {})

    asyncio.run(body())


def test_a_pool_can_be_closed_before_it_is_ready() -> None:
    async def body() -> float:
        began = time.monotonic()
        async with pool() as thinkers:
            asyncio.create_task(thinkers.ask("echo", {}))  # noqa: RUF006  # cancelled at once
            await asyncio.sleep(0)
        return time.monotonic() - began

    assert asyncio.run(body()) < SOON


SERVER = """
import asyncio, sys
from parlour.faces.web.thinking import Thinkers

async def main():
    thinkers = Thinkers(4, thoughts=sys.argv[1])
    await thinkers.start()
    print("started", flush=True)
    for _ in range(2):
        await asyncio.sleep(0)
        asyncio.create_task(thinkers.ask("hold everything", {"touch": sys.argv[2]}, 3600))
    try:
        await asyncio.sleep(3600)
    finally:
        await thinkers.close()

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@contextlib.contextmanager
def server(begun: Path) -> Iterator[tuple[subprocess.Popen[str], Callable[[], list[int]]]]:
    """A program with a pool, and the processes that are there because of it."""
    mark = f"PARLOUR_TEST={uuid.uuid4()}"

    def processes() -> list[int]:
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):
                if mark.encode() in path.read_bytes().split(b"\0"):
                    found.append(int(path.parent.name))
        return [process for process in found if not is_gone(process)]

    name, _, value = mark.partition("=")
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, __name__, str(begun)],
        env={**os.environ, name: value, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as program:
        try:
            yield program, processes
        finally:
            for process in processes():
                os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("moment", ["getting ready", "thinking"])
def test_ctrl_c_ends_everything_without_a_word_from_the_workers(
    tmp_path: Path, moment: str
) -> None:
    with server(tmp_path / "begun") as (program, processes):
        assert program.stdout
        assert program.stderr
        assert program.stdout.readline() == "started\n"
        if moment == "thinking":
            wait_until((tmp_path / "begun").exists)
            assert len(processes()) == 4  # the program, the nursery and two workers
        assert [process for process in processes() if os.getpgid(process) == program.pid] == [
            program.pid
        ]
        os.killpg(program.pid, signal.SIGINT)  # as a terminal does
        assert program.stdout.readline() == "interrupted\n"
        program.wait(PATIENCE)
        assert program.stderr.read() == ""
        wait_until(lambda: not processes())


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_thoughts_end_when_the_server_says_so_and_not_before(tmp_path: Path, told: int) -> None:
    """A service is told to end by a signal to all its processes at once."""
    with server(tmp_path / "begun") as (program, processes):
        wait_until((tmp_path / "begun").exists)
        workers = [process for process in processes() if process != program.pid]
        for process in workers:
            os.kill(process, told)
        time.sleep(0.2)
        assert not any(is_gone(process) for process in workers)
        os.kill(program.pid, signal.SIGTERM)
        wait_until(lambda: not processes())


@pytest.mark.parametrize("moment", ["getting ready", "thinking"])
def test_nothing_stays_behind_when_the_server_is_killed(tmp_path: Path, moment: str) -> None:
    with server(tmp_path / "begun") as (program, processes):
        assert program.stdout
        assert program.stdout.readline() == "started\n"
        if moment == "thinking":
            wait_until((tmp_path / "begun").exists)
            assert len(processes()) == 4
        program.kill()
        wait_until(lambda: not processes())
