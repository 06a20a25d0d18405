"""The pool of workers, with tasks that misbehave in every way.

The tasks are those of this file. Workers that are threads show in which order tasks run; worker
processes, which import this file, show what happens when one dies, hangs or is stopped. The event
loop has a clock that is put forward, so no test waits for time to pass.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from parlour.core.errors import BadOption, IllegalMove, ParlourError, UnknownName
from parlour.core.value import Unsolved
from parlour.core.work import Work
from parlour.faces.web.workers import Priority
from parlour.faces.web.workers import pool as pool_module
from parlour.faces.web.workers.pool import GRACE, QueueFull, TaskFailed, TaskTimeout, WorkerPool

PATIENCE = 120  # seconds; ends a test that hangs
HOUR = 3600

# Tasks


class OddRefusal(ParlourError):
    """A refusal that the server does not know."""


REFUSALS: dict[str, ParlourError] = {
    "illegal": IllegalMove("that pile is empty"),
    "option": BadOption("piles", [0], "they must be at least 1"),
    "unsolved": Unsolved("the search was stopped"),
    "odd": OddRefusal("an odd sentence"),
}


def refuse(payload: dict[str, Any], work: Work) -> None:
    raise REFUSALS[payload["kind"]]


def leave(payload: dict[str, Any], work: Work) -> None:
    sys.exit("away")


def die(payload: dict[str, Any], work: Work) -> None:
    os.kill(os.getpid(), payload["signal"])
    time.sleep(HOUR)


def note_begin(payload: dict[str, Any]) -> None:
    if path := payload.get("touch"):
        Path(path).touch()


def wait_for(path: str) -> None:
    while not Path(path).exists():
        time.sleep(0.01)


def wait(payload: dict[str, Any], work: Work) -> str:
    """Wait until there is a file."""
    note_begin(payload)
    wait_for(payload["until"])
    return threading.current_thread().name


def hold_everything(payload: dict[str, Any], work: Work) -> None:
    """Backtracks for years without letting any other thread run."""
    note_begin(payload)
    re.match(r"(a+)+$", "a" * 60 + "b")


def best_so_far(payload: dict[str, Any], work: Work) -> str:
    note_begin(payload)
    while not work.stopped:
        time.sleep(0.01)
    return "the best so far"


def give_in(payload: dict[str, Any], work: Work) -> None:
    best_so_far(payload, work)
    raise Unsolved("stopped before the end")


def count_up(payload: dict[str, Any], work: Work) -> str:
    """Go on when a file says that the last number has been noted."""
    work.total = 4
    for done in range(1, 5):
        work.done = done
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
    "parent": lambda payload, work: os.getppid(),
    "process": lambda payload, work: os.getpid(),
    "refuse": refuse,
    "threads": lambda payload, work: work.threads,
    "unspeakable": lambda payload, work: {1, 2, 3},
    "wait": wait,
    "worker": lambda payload, work: threading.current_thread().name,
}


def load() -> None:
    """Nothing is needed."""


# Pools

Ask = Callable[[WorkerPool], Awaitable[Any]]


class ThreadPool(WorkerPool):
    """A pool whose workers are threads."""

    def start_fork_server(self) -> Any:
        from tests.faces.web.in_process import ThreadWorkers  # of no use to worker processes

        return ThreadWorkers(__name__)


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be put forward."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


async def skip(seconds: float) -> None:
    """Let so many seconds pass at once."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    loop.ahead += seconds
    for _ in range(3):  # what has become due is done
        await asyncio.sleep(0)


def ask(call: Ask, pool: WorkerPool) -> Any:
    """What is asked of a pool, which is closed then."""

    async def body() -> Any:
        await pool.start()
        try:
            return await call(pool)
        finally:
            await pool.close()

    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(body())


def ask_threads(call: Ask, size: int = 4, processors: int | None = None) -> Any:
    return ask(call, ThreadPool(__name__, size, processors))


def ask_processes(call: Ask, size: int = 4) -> Any:
    return ask(call, WorkerPool(__name__, size))


async def until(true: Callable[[], object]) -> None:
    """Wait for what is bound to happen; the clock of the loop may have been put forward."""
    ends = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < ends, "it has not happened"
        await asyncio.sleep(0.01)


def is_gone(process: int) -> bool:
    """Whether a process has ended, even if its parent has not noticed."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return True
    return stat.rpartition(")")[2].split()[0] == "Z"


def start(
    pool: WorkerPool, folder: Path, clients: str, seconds: float = HOUR, **more: Any
) -> list[asyncio.Task[Any]]:
    """Ask for a task for each client, which leaves a file when it begins and ends with another."""
    return [
        asyncio.create_task(
            pool.run(
                "wait",
                {"touch": str(folder / f"begun {number}"), "until": str(folder / "end")},
                seconds,
                client=client,
                **more,
            )
        )
        for number, client in enumerate(clients)
    ]


def count_begun(folder: Path) -> int:
    return len(list(folder.glob("begun *")))


# Answers and refusals


def test_texts_of_any_kind_and_length_come_through_whole_both_ways() -> None:
    async def call(pool: WorkerPool) -> None:
        for payload in (
            {"text": "é\n\ud800", "numbers": [1, 2.5, None, True]},
            {"text": "long\n" * 200_000},
        ):
            assert await pool.run("echo", payload) == payload

    ask_threads(call)


def test_a_refusal_comes_back_with_its_class_and_its_sentence() -> None:
    async def call(pool: WorkerPool) -> None:
        for kind, error in REFUSALS.items():
            with pytest.raises(ParlourError) as refusal:
                await pool.run("refuse", {"kind": kind})
            assert str(refusal.value) == str(error)
            assert type(refusal.value) is (ParlourError if kind == "odd" else type(error))
        with pytest.raises(UnknownName, match="there is no task 'ecko'; did you mean 'echo'"):
            await pool.run("ecko", {})

    ask_threads(call)


@pytest.mark.parametrize(
    ("task", "payload", "sentence"),
    [
        ("divide", {"by": 0}, "ZeroDivisionError: integer division or modulo by zero"),
        ("divide", {}, "KeyError: 'by'"),
        ("leave", {}, "SystemExit: away"),
        ("unspeakable", {}, "TypeError: Object of type set is not JSON serializable"),
    ],
)
def test_the_error_of_a_task_is_named(task: str, payload: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TaskFailed) as failure:
        ask_threads(lambda pool: pool.run(task, payload))
    assert str(failure.value) == f"it failed: {sentence}"


@pytest.mark.slow
def test_progress_is_reported_in_order(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        seen.append((done, total))
        (tmp_path / str(done)).touch()

    payload = {"noted": str(tmp_path)}
    answer = ask_threads(lambda pool: pool.run("count up", payload, HOUR, progress=note))
    assert answer == "counted"
    assert {total for _, total in seen if total} == {4}
    assert {done for done, _ in seen if done} == {1, 2, 3, 4}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


# Threads


@pytest.mark.parametrize(("processors", "threads"), [(1, 1), (2, 1), (4, 2), (6, 3), (64, 4)])
def test_a_task_uses_at_most_half_of_the_processors_and_one_in_the_background(
    processors: int, threads: int
) -> None:
    async def call(pool: WorkerPool) -> Any:
        priorities = (Priority.QUESTION, Priority.BACKGROUND)
        return [await pool.run("threads", {}, priority=each) for each in priorities]

    assert ask_threads(call, processors=processors) == [threads, 1]


def test_the_more_tasks_there_are_the_fewer_threads_each_may_use(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> list[int]:
        found, waiting = [], []
        for number in range(5):
            found.append(await pool.run("threads", {}, client="asks"))
            (tmp_path / str(number)).mkdir()
            waiting += start(pool, tmp_path / str(number), str(number))
            await until((tmp_path / str(number) / "begun 0").exists)
        for number in range(5):
            (tmp_path / str(number) / "end").touch()
        await asyncio.gather(*waiting)
        return found

    assert ask_threads(call, size=8, processors=8) == [4, 4, 2, 2, 1]


# Turns


def test_only_so_many_tasks_may_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one client, of the clients of one address, and of all together."""
    monkeypatch.setattr(pool_module, "MAX_QUEUED", 2)
    monkeypatch.setattr(pool_module, "MAX_QUEUED_BY_ADDRESS", 4)
    monkeypatch.setattr(pool_module, "MAX_QUEUED_IN_ALL", 6)

    async def call(pool: WorkerPool) -> None:
        pool.address_of = str.lower

        async def refusal(client: str, **more: Any) -> str:
            with pytest.raises(QueueFull) as refused:
                await pool.run("echo", {}, client=client, **more)
            return str(refused.value)

        waiting = start(pool, tmp_path, "a")
        await until((tmp_path / "begun 0").exists)
        waiting += start(pool, tmp_path, "aa")
        await asyncio.sleep(0)
        sentence = "too many requests; wait a moment and try again"
        assert await refusal("a") == sentence
        waiting += start(pool, tmp_path, "aa", priority=Priority.BACKGROUND)
        await asyncio.sleep(0)
        network = "too many requests of your network are waiting; try again in a moment"
        assert await refusal("A") == network
        waiting += start(pool, tmp_path, "bc")
        await asyncio.sleep(0)
        assert await refusal("d") == "the server is busy; try again in a moment"
        patient = asyncio.create_task(pool.run("echo", {}, client="d", patient=True))
        await asyncio.sleep(0)
        (tmp_path / "end").touch()
        await asyncio.gather(*waiting)
        await skip(pool_module.RETRY)
        assert await patient == {}
        assert await pool.run("echo", {}, client="a") == {}

    ask_threads(call, size=1)


def test_workers_come_when_they_are_needed_and_end_when_they_are_idle(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> None:
        first = await pool.run("worker", {})
        waiting = start(pool, tmp_path, "abcdef")
        await until(lambda: count_begun(tmp_path) == 3)
        (tmp_path / "end").touch()
        workers = set(await asyncio.gather(*waiting))
        assert len(workers) == 3
        assert first in workers

        def alive() -> set[str]:
            return workers & {thread.name for thread in threading.enumerate()}

        await skip(pool_module.IDLE + 1)
        await until(lambda: len(alive()) == 1)
        assert {await pool.run("worker", {})} == alive()

    ask_threads(call, size=3)


@pytest.mark.slow
def test_a_bot_that_has_thought_for_its_turn_makes_room_and_answers_all_the_same(
    tmp_path: Path,
) -> None:
    """Four bots think until a file is there; another gets a worker, and all of them answer."""

    async def call(pool: WorkerPool) -> None:
        waiting = start(pool, tmp_path, "abcd", priority=Priority.MOVE)
        await until(lambda: count_begun(tmp_path) == 4)
        another = asyncio.create_task(pool.run("echo", {}, client="e", priority=Priority.MOVE))
        await asyncio.sleep(0)
        await skip(pool_module.TURN)
        assert await another == {}
        assert not any(each.done() for each in waiting)
        (tmp_path / "end").touch()
        await asyncio.gather(*waiting)

    ask_threads(call)


# Time


def test_a_task_that_is_stopped_at_its_limit_may_answer_with_the_best_so_far(
    tmp_path: Path,
) -> None:
    async def call(pool: WorkerPool) -> Any:
        begun = tmp_path / "begun"
        task = asyncio.create_task(pool.run("best so far", {"touch": str(begun)}, HOUR))
        await until(begun.exists)
        await skip(HOUR - 1)
        assert not task.done()
        await skip(1)
        return await task

    assert ask_threads(call) == "the best so far"


@pytest.mark.slow
@pytest.mark.parametrize("task", ["give in", "wait"])
def test_a_task_without_an_answer_at_its_limit_timed_out(tmp_path: Path, task: str) -> None:
    async def call(pool: WorkerPool) -> Any:
        begun = tmp_path / "begun"
        payload = {"touch": str(begun), "until": str(tmp_path / "end")}
        asked = asyncio.create_task(pool.run(task, payload, 1.25))
        await until(begun.exists)
        await skip(1.25)
        if task == "wait":  # which does not notice that it should stop
            await skip(GRACE)
        await asked

    with pytest.raises(TaskTimeout, match=r"^there was no answer within 1.2 seconds$"):
        ask_threads(call)
    (tmp_path / "end").touch()


def test_time_that_a_task_waits_for_its_turn_does_not_count(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> None:
        first, second = start(pool, tmp_path, "a"), start(pool, tmp_path / "..", "b", seconds=60)
        await until((tmp_path / "begun 0").exists)
        await skip(HOUR / 2)
        assert not second[0].done()
        (tmp_path / "end").touch()
        (tmp_path.parent / "end").touch()
        assert await first[0] == await second[0]

    ask_threads(call, size=1)


# Tasks that are cancelled


def test_a_task_that_is_cancelled_before_its_turn_never_begins(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> None:
        first, second = start(pool, tmp_path, "aa")
        await until((tmp_path / "begun 0").exists)
        second.cancel()
        (tmp_path / "end").touch()
        await first
        with pytest.raises(asyncio.CancelledError):
            await second
        await pool.run("echo", {})

    ask_threads(call, size=1)
    assert not (tmp_path / "begun 1").exists()


def test_a_worker_whose_task_was_cancelled_goes_on_if_it_stops_in_time(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> None:
        before = await pool.run("worker", {})
        begun = tmp_path / "begun"
        task = asyncio.create_task(pool.run("best so far", {"touch": str(begun)}, HOUR))
        await until(begun.exists)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await pool.run("worker", {}) == before

    ask_threads(call, size=1)


def test_a_pool_can_be_closed_before_it_is_ready_and_runs_nothing_then() -> None:
    async def call() -> None:
        pool = ThreadPool(__name__)
        await pool.start()
        task = asyncio.create_task(pool.run("echo", {}))
        await asyncio.sleep(0)
        await pool.close()
        for each in (task, asyncio.create_task(pool.run("echo", {}))):
            with pytest.raises(asyncio.CancelledError):
                await each

    asyncio.run(call())


# Processes

needs_processes = pytest.mark.server


@needs_processes
def test_a_process_that_dies_fails_only_its_own_task(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> None:
        others = start(pool, tmp_path, "a")
        await until((tmp_path / "begun 0").exists)
        for number in (signal.SIGSEGV, signal.SIGKILL):
            with pytest.raises(TaskFailed, match="died"):
                await pool.run("die", {"signal": number})
        (tmp_path / "end").touch()
        await asyncio.gather(*others)
        worker = await pool.run("process", {})
        assert worker != os.getpid()
        for number in (signal.SIGTERM, signal.SIGINT):  # a service is stopped by one to them all
            os.kill(worker, number)
            assert await pool.run("process", {}) == worker

    ask_processes(call)


@needs_processes
def test_a_process_that_hangs_is_killed_and_replaced_and_others_go_on(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> None:
        begun, before = tmp_path / "begun", await pool.run("process", {})
        payload = {"touch": str(begun)}
        for timed_out in (False, True):
            hanging = asyncio.create_task(
                pool.run("hold everything", payload, HOUR, client="hangs")
            )
            await until(begun.exists)
            begun.unlink()
            for _ in range(3):
                assert await pool.run("echo", {}, client="other") == {}
            assert not hanging.done()
            if timed_out:
                await skip(HOUR)
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(asyncio.shield(hanging), 0)
            else:
                hanging.cancel()
                await asyncio.sleep(0)
            await skip(GRACE)
            with pytest.raises(TaskTimeout if timed_out else asyncio.CancelledError):
                await hanging
        await until(lambda: is_gone(before))
        assert await pool.run("process", {}) != before

    ask_processes(call, size=2)


@needs_processes
def test_memory_is_limited_and_given_back() -> None:
    async def call(pool: WorkerPool) -> None:
        before = await pool.run("process", {})
        hog, waits, after = await asyncio.gather(
            pool.run("hog", {"bytes": 5 << 30}, client="a"),
            pool.run("echo", {}, client="b"),
            pool.run("process", {}, client="c"),
            return_exceptions=True,
        )
        assert "it needs more than 4 GiB of memory" in str(hog)
        assert waits == {}
        assert after != before

    ask_processes(call, size=1)


@needs_processes
def test_the_pool_goes_on_when_its_fork_server_is_killed(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> list[int]:
        first, fork_server = await pool.run("process", {}), await pool.run("parent", {})
        os.kill(fork_server, signal.SIGKILL)
        await until(lambda: is_gone(fork_server))
        assert await pool.run("process", {}) == first  # the workers it had live on
        waiting = start(pool, tmp_path, "a")
        await until((tmp_path / "begun 0").exists)
        second = await pool.run("process", {})
        (tmp_path / "end").touch()
        await asyncio.gather(*waiting)
        return [first, second]

    first, second = ask_processes(call)
    assert first != second
    asyncio.run(until(lambda: is_gone(first)))  # though no fork server could kill it
    assert is_gone(second)


@needs_processes
def test_closing_cancels_all_tasks_and_leaves_no_process(tmp_path: Path) -> None:
    async def call(pool: WorkerPool) -> tuple[list[int], list[asyncio.Task[Any]]]:
        processes = [await pool.run("process", {}), await pool.run("parent", {})]
        begun = tmp_path / "begun"
        tasks = [
            asyncio.create_task(pool.run("hold everything", {"touch": str(begun)}, HOUR)),
            asyncio.create_task(pool.run("echo", {})),  # and its turn never comes
        ]
        await until(begun.exists)
        await pool.close()
        for task in tasks:
            with pytest.raises(asyncio.CancelledError):
                await task
        return processes

    assert all(map(is_gone, ask_processes(call, size=1)))


@needs_processes
def test_a_pool_that_cannot_start_says_so_and_does_not_hang(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def call(pool: WorkerPool) -> None:
        for _ in range(2):
            with pytest.raises(TaskFailed, match="no worker process could be started"):
                await pool.run("echo", {})

    ask(call, WorkerPool("parlour.no_such_tasks"))
    assert "no_such_tasks" in capfd.readouterr().err


@needs_processes
def test_no_time_counts_while_a_kernel_is_compiled_and_pages_say_so(tmp_path: Path) -> None:
    """It is compiled to the end even if its task is cancelled, since others need it too."""

    async def call(pool: WorkerPool) -> None:
        end = tmp_path / "end"
        for cancelled in (False, True):
            task = asyncio.create_task(pool.run("compile first", {"until": str(end)}, 1))
            await until(lambda: pool.compilations.describe(0))
            assert re.fullmatch(
                r"Getting the Othello engine ready .*: \d+ %", pool.compilations.describe(0)
            )
            if cancelled:
                task.cancel()
            await skip(HOUR)
            assert pool.compilations.describe(0)
            end.touch()
            await until(lambda: not pool.compilations.describe(0))
            if cancelled:
                assert task.cancelled()
            else:
                assert await task == "compiled"
            end.unlink()

    ask_processes(call)
