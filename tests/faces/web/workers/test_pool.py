"""The pool of those who think, with real processes and thoughts that misbehave in every way.

The thoughts are those of this file: the processes of the pool import it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
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
from parlour.faces.web.workers import Priority
from parlour.faces.web.workers import pool as pool_module
from parlour.faces.web.workers.pool import GRACE, QueueFull, TaskFailed, TaskTimeout, WorkerPool

pytestmark = pytest.mark.server  # its workers are processes

PATIENCE = 120  # seconds after which something has not happened, on however busy a machine
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


def wait_for(path: str) -> None:
    while not Path(path).exists():
        time.sleep(0.01)


def sleep(payload: dict[str, Any], work: Work) -> int:
    """Sleep for so long, or until there is a file."""
    touched(payload)
    if "until" in payload:
        wait_for(payload["until"])
    else:
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
    """Go on when a file says that the last number has been noted."""
    work.cells[TOTAL] = 4
    for done in range(1, 5):
        work.cells[DONE] = done
        wait_for(f"{payload['noted']}/{done}")
    return "counted"


def compile_first(payload: dict[str, Any], work: Work) -> str:
    """Log what a kernel logs that has to be compiled, and take until there is a file."""
    log = logging.getLogger("parlour.kernels")
    state = {"kernel": "othello.search.search_root_8x8", "seconds": 9.0}
    log.info("compiling", extra=state | {"finished": False})
    wait_for(payload["until"])
    log.info("compiled", extra=state | {"finished": True})
    return "compiled"


TASKS: dict[str, Callable[[dict[str, Any], Work], Any]] = {
    "best so far": best_so_far,
    "compile first": compile_first,
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
    "threads": lambda payload, work: work.threads,
    "unspeakable": lambda payload, work: {1, 2, 3},
}


def load() -> None:
    """Nothing is needed."""


# The pool


@contextlib.asynccontextmanager
async def pool(most: int = 4, processors: int | None = None) -> AsyncIterator[WorkerPool]:
    the_pool = WorkerPool(__name__, most, processors)
    await the_pool.start()
    try:
        yield the_pool
    finally:
        await the_pool.close()


Run = Callable[[Callable[[WorkerPool], Awaitable[Any]]], Any]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Something asked of one pool that many tests share, so that each misbehaves for all."""
    the_pool = WorkerPool(__name__, 4)
    with asyncio.Runner() as runner:
        runner.run(the_pool.start())

        def within(call: Callable[[WorkerPool], Awaitable[Any]]) -> Any:
            return runner.run(asyncio.wait_for(call(the_pool), PATIENCE))

        yield within
        runner.run(the_pool.close())


def alone(
    call: Callable[[WorkerPool], Awaitable[Any]], most: int = 4, processors: int | None = None
) -> Any:
    """Something asked of a pool of its own."""

    async def body() -> Any:
        async with pool(most, processors) as the_pool:
            return await asyncio.wait_for(call(the_pool), PATIENCE)

    return asyncio.run(body())


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that is bound to happen."""
    ends = time.monotonic() + PATIENCE
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
    assert run(lambda the_pool: the_pool.run("echo", payload)) == payload
    assert run(lambda the_pool: the_pool.run("process", {})) != os.getpid()


def test_long_texts_come_through_whole_both_ways(run: Run) -> None:
    payload = {"text": "long\n" * 1_000_000}
    assert run(lambda the_pool: the_pool.run("echo", payload)) == payload


@pytest.mark.parametrize("kind", ["illegal", "option", "unsolved"])
def test_a_refusal_comes_back_as_what_it_was(run: Run, kind: str) -> None:
    with pytest.raises(type(REFUSALS[kind])) as refusal:
        run(lambda the_pool: the_pool.run("refuse", {"kind": kind}))
    assert str(refusal.value) == str(REFUSALS[kind])


def test_a_refusal_of_a_strangers_kind_keeps_its_sentence(run: Run) -> None:
    with pytest.raises(ParlourError, match=r"^an odd sentence$") as refusal:
        run(lambda the_pool: the_pool.run("refuse", {"kind": "odd"}))
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
    with pytest.raises(TaskFailed) as failure:
        run(lambda the_pool: the_pool.run(thought, payload))
    assert str(failure.value) == f"it failed: {sentence}"


def test_a_thought_that_nobody_knows_is_refused(run: Run) -> None:
    with pytest.raises(UnknownName, match="there is no task 'ecko'; did you mean 'echo'"):
        run(lambda the_pool: the_pool.run("ecko", {}))


# Threads


@pytest.mark.parametrize(("processors", "threads"), [(1, 1), (2, 1), (4, 2), (6, 3), (64, 4)])
def test_one_task_never_takes_more_than_half_of_the_processors_and_in_the_background_one(
    processors: int, threads: int
) -> None:
    async def ask(the_pool: WorkerPool) -> Any:
        priorities = (Priority.QUESTION, Priority.BACKGROUND)
        return [await the_pool.run("threads", {}, priority=each) for each in priorities]

    assert alone(ask, processors=processors) == [threads, 1]


def test_the_more_tasks_there_are_the_fewer_threads_each_may_use(tmp_path: Path) -> None:
    async def ask(the_pool: WorkerPool) -> list[int]:
        found, sleepers = [], []
        for number in range(5):
            found.append(await the_pool.run("threads", {}, client="asks"))
            start, end = str(tmp_path / str(number)), str(tmp_path / "end")
            nap = the_pool.run(
                "sleep", {"touch": start, "until": end}, PATIENCE, client=f"sleeps {number}"
            )
            sleepers.append(asyncio.create_task(nap))
            await until(Path(start).exists)
        (tmp_path / "end").touch()
        await asyncio.gather(*sleepers)
        return found

    assert alone(ask, most=8, processors=8) == [4, 4, 2, 2, 1]


# Processes that die


@pytest.mark.parametrize(
    ("thought", "payload"),
    [("die", {}), ("die", {"signal": signal.SIGKILL}), ("quit", {})],
)
def test_a_process_that_dies_fails_only_what_it_thought_about(
    run: Run, thought: str, payload: dict[str, Any]
) -> None:
    async def both(the_pool: WorkerPool) -> Any:
        other = asyncio.create_task(the_pool.run("sleep", {"seconds": 0.5}, client="another"))
        await asyncio.sleep(0.1)
        with pytest.raises(TaskFailed, match="died"):
            await the_pool.run(thought, payload)
        return await other, await the_pool.run("echo", {"after": True})

    other, after = run(both)
    assert other != os.getpid()
    assert after == {"after": True}


def test_memory_is_limited_and_given_back() -> None:
    async def hog(the_pool: WorkerPool) -> None:
        before = await the_pool.run("process", {})
        with pytest.raises(TaskFailed, match="more than 4 GiB of memory"):
            await the_pool.run("hog", {"bytes": 5 << 30})
        assert await the_pool.run("process", {}) != before

    alone(hog)


def test_what_waits_is_not_lost_with_a_process_that_has_used_all_its_memory() -> None:
    async def hog(the_pool: WorkerPool) -> Any:
        return await asyncio.gather(
            *(the_pool.run("hog", {"bytes": 5 << 30}, client=who) for who in "ab"),
            *(the_pool.run("echo", {}, client=who) for who in "cd"),
            return_exceptions=True,
        )

    *hogs, first, second = alone(hog, most=1)
    assert all("memory" in str(trouble) for trouble in hogs)
    assert (first, second) == ({}, {})


def test_the_pool_goes_on_when_its_fork_server_is_killed(tmp_path: Path) -> None:
    end = tmp_path / "end"

    async def survive(the_pool: WorkerPool) -> None:
        first = await the_pool.run("process", {})
        fork_server = the_pool._fork_server.process.pid
        os.kill(fork_server, signal.SIGKILL)
        await until(lambda: is_gone(fork_server))
        assert await the_pool.run("process", {}) == first  # the workers it had live on
        nap = {"until": str(end)}
        slow = asyncio.create_task(the_pool.run("sleep", nap, PATIENCE, client="slow"))
        await asyncio.sleep(0)
        assert await the_pool.run("process", {}) != first
        end.touch()
        assert await slow == first
        with pytest.raises(TaskTimeout):
            await the_pool.run("sleep", {}, seconds=0.1)

    alone(survive)


def test_workers_whose_fork_server_was_killed_end_with_the_pool() -> None:
    async def orphan(the_pool: WorkerPool) -> Any:
        worker = await the_pool.run("process", {})
        os.kill(the_pool._fork_server.process.pid, signal.SIGKILL)
        return worker

    worker = alone(orphan)
    wait_until(lambda: is_gone(worker))


def test_a_pool_that_cannot_start_says_so_and_does_not_hang(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def body() -> None:
        the_pool = WorkerPool("parlour.no_such_tasks")
        await the_pool.start()
        for _ in range(2):
            with pytest.raises(TaskFailed, match="no worker process could be started"):
                await asyncio.wait_for(the_pool.run("echo", {}), PATIENCE)
        await the_pool.close()

    asyncio.run(body())
    assert "no_such_tasks" in capfd.readouterr().err


# Time


def test_at_its_limit_a_thought_may_answer_with_the_best_so_far(run: Run) -> None:
    began = time.monotonic()
    assert run(lambda the_pool: the_pool.run("best so far", {}, seconds=0.3)) > 0
    assert time.monotonic() - began >= 0.3


@pytest.mark.parametrize("thought", ["sleep", "hold everything"])
def test_a_thought_that_does_not_end_is_killed(run: Run, tmp_path: Path, thought: str) -> None:
    began = time.monotonic()
    payload = {"touch": str(tmp_path / "begun")}
    with pytest.raises(TaskTimeout, match=r"^there was no answer within 0.3 seconds$"):
        run(lambda the_pool: the_pool.run(thought, payload, seconds=0.3))
    assert (tmp_path / "begun").exists()
    assert time.monotonic() - began >= 0.3 + GRACE


def test_a_thought_that_gives_in_when_it_is_stopped_took_too_long(run: Run) -> None:
    with pytest.raises(TaskTimeout):
        run(lambda the_pool: the_pool.run("give in", {}, seconds=0.1))


def test_whoever_took_too_long_is_replaced() -> None:
    async def body(the_pool: WorkerPool) -> None:
        before = await the_pool.run("process", {})
        with pytest.raises(TaskTimeout):
            await the_pool.run("hold everything", {}, seconds=0.1)
        await until(lambda: is_gone(before))
        await until(lambda: [worker.ready for worker in the_pool._workers] == [True])
        assert await the_pool.run("process", {}) != before

    alone(body, most=1)


def test_others_do_not_notice_a_thought_that_does_not_end(run: Run, tmp_path: Path) -> None:
    async def body(the_pool: WorkerPool) -> None:
        begun = tmp_path / "begun"
        held = the_pool.run("hold everything", {"touch": str(begun)}, FOREVER, client="stuck")
        stuck = asyncio.create_task(held)
        await until(begun.exists)
        for _ in range(20):
            await the_pool.run("echo", {}, client="other")
        assert not stuck.done()
        stuck.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stuck

    run(body)


def test_the_time_counts_from_the_beginning_of_a_thought() -> None:
    """Waiting for the pool to get ready, or for one's turn, is not pool_module."""

    async def body(the_pool: WorkerPool) -> Any:
        naps = [the_pool.run("sleep", {"seconds": 0.3}, seconds=1, client=str(n)) for n in range(5)]
        return await asyncio.gather(*naps)

    assert len(set(alone(body, most=1))) == 1


# Turns


def naps(folder: Path, many: int) -> list[dict[str, str]]:
    """Payloads of thoughts that leave a file each when they begin, and end when told by a file."""
    return [
        {"touch": str(folder / f"begun {n}"), "until": str(folder / "end")} for n in range(many)
    ]


def count_begun(folder: Path) -> int:
    return len(list(folder.glob("begun *")))


def test_no_client_has_more_than_half_of_the_workers(run: Run, tmp_path: Path) -> None:
    async def body(the_pool: WorkerPool) -> list[int]:
        greedy = [
            asyncio.create_task(the_pool.run("sleep", nap, PATIENCE, client="greedy"))
            for nap in naps(tmp_path, 6)
        ]
        await until(lambda: count_begun(tmp_path) >= 2)
        for _ in range(3):
            await the_pool.run("echo", {}, client="modest")  # the other half is there for others
        assert count_begun(tmp_path) == 2  # two at a time
        (tmp_path / "end").touch()
        return await asyncio.gather(*greedy)

    assert len(set(run(body))) <= 2


def test_whoever_asks_first_is_answered_first() -> None:
    async def body(the_pool: WorkerPool) -> list[str]:
        order: list[str] = []

        async def asked(who: str) -> None:
            await the_pool.run("echo", {}, client=who)
            order.append(who)

        await asyncio.gather(*(asked(who) for who in "cabdab"))
        return order

    assert alone(body, most=1) == list("cabdab")


def test_a_client_may_have_only_so_much_waiting() -> None:
    async def body(the_pool: WorkerPool) -> None:
        asleep = [
            asyncio.create_task(the_pool.run("sleep", {"seconds": 0.2}, client="greedy"))
            for _ in range(pool_module.MAX_QUEUED)
        ]
        await asyncio.sleep(0)
        with pytest.raises(QueueFull, match="try again in a moment"):
            await the_pool.run("echo", {}, client="greedy")
        assert await the_pool.run("echo", {}, client="modest") == {}
        await asyncio.gather(*asleep)
        assert await the_pool.run("echo", {}, client="greedy") == {}

    alone(body, most=2)


def test_all_clients_together_may_have_only_so_much_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_module, "MAX_QUEUED_IN_ALL", 5)

    async def body(the_pool: WorkerPool) -> None:
        await the_pool.run("echo", {})
        asleep = [
            asyncio.create_task(the_pool.run("sleep", {"seconds": 0.2}, client=str(each)))
            for each in range(6)
        ]
        await asyncio.sleep(0)
        with pytest.raises(QueueFull, match="the server is busy"):
            await the_pool.run("echo", {}, client="another")
        await asyncio.gather(*asleep)
        assert await the_pool.run("echo", {}, client="another") == {}

    alone(body, most=1)


def test_where_nobody_waits_a_thought_lets_those_go_first_who_do() -> None:
    async def body(the_pool: WorkerPool) -> list[str]:
        order: list[str] = []

        async def asked(who: str) -> None:
            priority = Priority.BACKGROUND if who.islower() else Priority.QUESTION
            await the_pool.run("echo", {}, client=who, priority=priority)
            order.append(who)

        await asyncio.gather(*(asked(who) for who in "abCdE"))
        return order

    assert alone(body, most=1) == list("CEabd")


def test_those_who_are_patient_leave_half_of_the_workers_to_the_others(
    run: Run, tmp_path: Path
) -> None:
    async def body(the_pool: WorkerPool) -> list[int]:
        patient = [
            asyncio.create_task(
                the_pool.run(
                    "sleep", nap, PATIENCE, client=str(number % 3), priority=Priority.BACKGROUND
                )
            )
            for number, nap in enumerate(naps(tmp_path, 6))
        ]
        await until(lambda: count_begun(tmp_path) >= 2)
        for _ in range(3):  # also of somebody who lets bots play elsewhere
            await the_pool.run("echo", {}, client="0")
        assert count_begun(tmp_path) == 2  # two at a time
        (tmp_path / "end").touch()
        return await asyncio.gather(*patient)

    assert len(run(body)) == 6


def test_what_is_patient_does_not_keep_its_client_from_asking() -> None:
    async def body(the_pool: WorkerPool) -> None:
        asleep = [
            asyncio.create_task(
                the_pool.run("sleep", {"seconds": 0.1}, client="ann", priority=Priority.BACKGROUND)
            )
            for _ in range(pool_module.MAX_QUEUED)
        ]
        await asyncio.sleep(0)
        with pytest.raises(QueueFull):
            await the_pool.run("echo", {}, client="ann", priority=Priority.BACKGROUND)
        assert await the_pool.run("echo", {}, client="ann") == {}
        await asyncio.gather(*asleep)

    alone(body, most=2)


def test_workers_come_when_they_are_wanted_and_go_when_they_are_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pool_module, "IDLE", 0.3)

    async def body(the_pool: WorkerPool) -> None:
        first = await the_pool.run("process", {})
        asleep = [
            asyncio.create_task(the_pool.run("sleep", nap, PATIENCE, client=str(number)))
            for number, nap in enumerate(naps(tmp_path, 6))
        ]
        await until(lambda: count_begun(tmp_path) >= 3)
        (tmp_path / "end").touch()
        workers = set(await asyncio.gather(*asleep))
        assert len(workers) == 3
        assert first in workers
        await until(lambda: sum(not is_gone(worker) for worker in workers) == 1)
        await asyncio.sleep(2 * pool_module.IDLE)
        assert sum(not is_gone(worker) for worker in workers) == 1
        assert await the_pool.run("process", {}) in workers

    alone(body, most=3)


def test_a_bot_moves_beside_any_number_of_questions(tmp_path: Path) -> None:
    async def body(the_pool: WorkerPool) -> None:
        asleep = [
            asyncio.create_task(the_pool.run("sleep", nap, PATIENCE, client=str(number)))
            for number, nap in enumerate(naps(tmp_path, 8))
        ]
        await until(lambda: count_begun(tmp_path) == 3)
        assert await the_pool.run("echo", {}, client="a", priority=Priority.MOVE) == {}
        assert count_begun(tmp_path) == 3
        (tmp_path / "end").touch()
        await asyncio.gather(*asleep)

    alone(body)


def test_a_bot_that_has_thought_for_its_turn_makes_room_and_answers_all_the_same(
    tmp_path: Path,
) -> None:
    """Four bots think until a file is there; another gets a worker, and all of them answer."""

    async def body(the_pool: WorkerPool) -> None:
        asleep = [
            asyncio.create_task(
                the_pool.run("sleep", nap, PATIENCE, client=str(number), priority=Priority.MOVE)
            )
            for number, nap in enumerate(naps(tmp_path, 4))
        ]
        await until(lambda: count_begun(tmp_path) == 4)
        assert await the_pool.run("echo", {}, client="a", priority=Priority.MOVE) == {}
        assert not any(each.done() for each in asleep)
        (tmp_path / "end").touch()
        await asyncio.gather(*asleep)

    alone(body)


def test_clients_of_one_address_may_have_only_so_much_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool_module, "MAX_QUEUED_BY_ADDRESS", 5)

    async def body(the_pool: WorkerPool) -> None:
        the_pool.address_of = lambda client: client[:1]
        await the_pool.run("echo", {})
        asleep = [
            asyncio.create_task(the_pool.run("sleep", {"seconds": 0.2}, client=f"a{each}"))
            for each in range(6)
        ]
        await asyncio.sleep(0)
        with pytest.raises(QueueFull, match="of your network are waiting"):
            await the_pool.run("echo", {}, client="a9")
        assert await the_pool.run("echo", {}, client="b") == {}
        await asyncio.gather(*asleep)

    alone(body, most=1)


# Whoever no longer waits


def test_what_is_cancelled_before_its_turn_is_never_begun(tmp_path: Path) -> None:
    async def body(the_pool: WorkerPool) -> None:
        first, second = (
            asyncio.create_task(the_pool.run("sleep", nap, PATIENCE)) for nap in naps(tmp_path, 2)
        )
        await until((tmp_path / "begun 0").exists)
        second.cancel()
        (tmp_path / "end").touch()
        await first
        with pytest.raises(asyncio.CancelledError):
            await second
        await the_pool.run("echo", {})

    alone(body, most=1)
    assert not (tmp_path / "begun 1").exists()


@pytest.mark.parametrize(("thought", "survives"), [("best so far", True), ("sleep", False)])
def test_cancelling_ends_a_thought(tmp_path: Path, thought: str, survives: bool) -> None:
    async def body(the_pool: WorkerPool) -> None:
        before = await the_pool.run("process", {})
        begun = tmp_path / "begun"
        task = asyncio.create_task(the_pool.run(thought, {"touch": str(begun)}, seconds=FOREVER))
        await until(begun.exists)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await the_pool.run("process", {}) == before) == survives
        if not survives:
            await until(lambda: is_gone(before))

    alone(body, most=1)


def test_progress_is_told_while_somebody_wants_to_know(run: Run, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        seen.append((done, total))
        (tmp_path / str(done)).touch()

    asked = {"noted": str(tmp_path)}
    told = run(lambda the_pool: the_pool.run("count up", asked, PATIENCE, progress=note))
    assert told == "counted"
    assert {total for _, total in seen if total} == {4}
    assert {done for done, _ in seen if done} == {1, 2, 3, 4}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


# The end


def test_closing_cancels_whoever_waits_and_leaves_no_process(tmp_path: Path) -> None:
    async def body() -> None:
        async with pool(2) as the_pool:
            workers = [await the_pool.run("process", {}), the_pool._fork_server.process.pid]
            begun = tmp_path / "begun"
            asks = [
                asyncio.create_task(the_pool.run("hold everything", {"touch": str(begun)})),
                asyncio.create_task(the_pool.run("echo", {})),  # and its turn never comes
            ]
            await until(begun.exists)
        assert all(is_gone(worker) for worker in workers)
        for ask in asks:
            with pytest.raises(asyncio.CancelledError):
                await ask
        with pytest.raises(asyncio.CancelledError):
            await the_pool.run("echo", {})

    asyncio.run(body())


def test_a_pool_can_be_closed_before_it_is_ready() -> None:
    async def body() -> None:
        async with pool() as the_pool:
            asked = asyncio.create_task(the_pool.run("echo", {}))
            await asyncio.sleep(0)
            assert not any(worker.ready for worker in the_pool._workers)
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(asyncio.wait_for(body(), PATIENCE))


SERVER = """
import asyncio, sys
from parlour.faces.web.workers.pool import WorkerPool

async def main():
    the_pool = WorkerPool(sys.argv[1], 4)
    await the_pool.start()
    print("started", flush=True)
    for _ in range(2):
        await asyncio.sleep(0)
        asyncio.create_task(the_pool.run("hold everything", {"touch": sys.argv[2]}, 3600))
    try:
        await asyncio.sleep(3600)
    finally:
        await the_pool.close()

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
            wait_until(lambda: len(processes()) == 4)  # itself, the fork server and two workers
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
        wait_until(lambda: len(processes()) == 4)
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
            wait_until(lambda: len(processes()) == 4)
        program.kill()
        wait_until(lambda: not processes())


# Compiling, which happens once on a computer


def test_no_time_counts_while_a_kernel_is_compiled_and_everybody_is_told(
    run: Run, tmp_path: Path
) -> None:
    async def call(the_pool: WorkerPool) -> tuple[str, str, str]:
        end = tmp_path / "end"
        asked = asyncio.create_task(the_pool.run("compile first", {"until": str(end)}, seconds=0.2))
        much_more = 0.2 + 2 * GRACE
        await until(lambda: bool(the_pool.compilations.describe(much_more)))
        told = the_pool.compilations.describe(much_more)
        end.touch()
        return told, await asked, the_pool.compilations.describe(0)

    told, answer, afterwards = run(call)
    assert re.fullmatch(r"Getting the Othello engine ready .*: \d+ %", told)
    assert (answer, afterwards) == ("compiled", "")


def test_a_kernel_that_nobody_waits_for_any_more_is_compiled_all_the_same(
    run: Run, tmp_path: Path
) -> None:
    async def call(the_pool: WorkerPool) -> None:
        end = tmp_path / "end"
        asked = asyncio.create_task(the_pool.run("compile first", {"until": str(end)}))
        await until(lambda: bool(the_pool.compilations.describe(0)))
        asked.cancel()
        await asyncio.sleep(2 * GRACE)
        assert the_pool.compilations.describe(0)
        end.touch()
        await until(lambda: not the_pool.compilations.describe(0))

    run(call)
