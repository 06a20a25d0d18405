"""Who does the work: this process, some on this machine, or a cluster; all asked in one way.

A crew takes calls and gives futures. Local processes are joblib's (loky), which notices when one of
them dies; Dask and Ray bring machines of their own. What a call takes and returns is text.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from logging import ERROR
from typing import Any, Protocol

from parlour.core import ParlourError, named, one_of, quote

PATIENCE = 10  # seconds in which a cluster must answer
ENGINES = ("local", "dask", "ray")


class Crew(Protocol):
    """Those who do the work."""

    @property
    def workers(self) -> int:
        """How many there are."""

    def submit(self, call: Callable[..., Any], *given: Any) -> Future[Any]:
        """Have a call made somewhere."""

    def renew(self) -> bool:
        """Go on after some of the crew were lost; whether all that they were at is lost too."""

    def close(self) -> None:
        """Send everybody home, whatever they are at."""


def crew(engine: str, workers: int | None, address: str | None = None) -> Crew:
    """The crew of this kind: so many workers here, or those found at an address."""
    if engine == "dask":
        return _Dask(workers, address)
    if engine == "ray":
        return _Ray(workers, address)
    if engine != "local":
        raise ParlourError(f"there is no engine {quote(engine)}; it must be {one_of(ENGINES)}")
    if address:
        raise ParlourError("an address is for a cluster; add --engine dask or --engine ray")
    many = workers or cores()
    return _Alone() if many == 1 else _Local(many)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Alone:
    """This process itself."""

    workers = 1

    def submit(self, call: Callable[..., Any], *given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call(*given))
        except Exception as trouble:  # handed to whoever asks, as other crews do
            future.set_exception(trouble)
        return future

    def renew(self) -> bool:
        """Nobody is ever lost."""
        return False

    def close(self) -> None:
        """Nobody is to be sent home."""


class _Local:
    """Processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = self._start()

    def _start(self) -> Executor:
        from joblib.externals.loky import ProcessPoolExecutor

        pool: Executor = ProcessPoolExecutor(self.workers, initializer=_leave_interrupts)
        return pool

    def submit(self, call: Callable[..., Any], *given: Any) -> Future[Any]:
        return self._pool.submit(call, *given)

    def renew(self) -> bool:
        self.close()
        self._pool = self._start()
        return True

    def close(self) -> None:
        pool: Any = self._pool
        pool.shutdown(wait=True, kill_workers=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for whoever gave the work; he sends the workers home, also by being killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        from parlour.arena.sandbox import die_with_parent

        die_with_parent()


def keep_to_one_core() -> None:
    """Have a local worker, and the bots it seats, use one processor and leave others theirs.

    Else a bot that starts many processes would take time from those who play somewhere else.
    """
    name, _, number = multiprocessing.current_process().name.rpartition("-")
    if name == "LokyProcess" and hasattr(os, "sched_setaffinity"):
        mine = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {mine[int(number) % len(mine)]})


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """What is started here never hears of Ctrl-C, which is for whoever gave the work."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _library(module: str, name: str, extra: str) -> Any:
    """A library that only clusters need."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ParlourError(
            f"{name} is not installed; pip install 'parlour[{extra}]', or leave out --engine"
        ) from None


class _Dask:
    """The workers of a Dask cluster, or of one made here."""

    def __init__(self, workers: int | None, address: str | None) -> None:
        distributed = _library("distributed", "Dask", "cluster")
        self._cluster: Any = None
        try:
            if address is None:
                with _deaf():
                    self._cluster = distributed.LocalCluster(
                        n_workers=workers or cores(), threads_per_worker=1, dashboard_address=None
                    )
            self._client = distributed.Client(
                address or self._cluster, timeout=PATIENCE, set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as trouble:
            raise ParlourError(
                f"no Dask cluster answers at {quote(address)}: {named(trouble)}"
            ) from None
        self._pool = self._client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        """How many there are now, which may change."""
        return max(1, sum(map(int, self._client.nthreads().values())))

    def submit(self, call: Callable[..., Any], *given: Any) -> Future[Any]:
        future: Future[Any] = self._pool.submit(call, *given)
        return future

    def renew(self) -> bool:
        """Dask does so by itself."""
        return False

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


class _Ray:
    """The workers of a Ray cluster, or of one made here."""

    def __init__(self, workers: int | None, address: str | None) -> None:
        self._ray = _library("ray", "Ray", "ray")
        if address and (place := re.fullmatch(r"(?:ray://)?(.+):([0-9]+)", address)):
            try:  # Ray itself would go on asking for minutes
                socket.create_connection((place[1], int(place[2])), PATIENCE).close()
            except (OSError, OverflowError) as trouble:
                raise ParlourError(
                    f"no Ray cluster answers at {quote(address)}: {named(trouble)}"
                ) from None
        # What Ray has to say of its workers is not the table that a program waits for.
        self._aside = contextlib.redirect_stdout(sys.stderr)
        self._aside.__enter__()
        here = {} if address else {"num_cpus": workers or cores(), "include_dashboard": False}
        try:
            self._ray.init(address=address, log_to_driver=False, logging_level=ERROR, **here)
        except (ConnectionError, RuntimeError, ValueError) as trouble:
            raise ParlourError(
                f"no Ray cluster answers at {quote(address)}: {named(trouble)}"
            ) from None

    @property
    def workers(self) -> int:
        """How many there are now, which may change."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, call: Callable[..., Any], *given: Any) -> Future[Any]:
        future: Future[Any] = Future()

        def hand_on(ended: Future[Any]) -> None:
            trouble = ended.exception()
            if trouble is None:
                future.set_result(ended.result())
            else:  # Ray wraps what went wrong in pages of its own
                future.set_exception(getattr(trouble, "cause", None) or trouble)

        far = self._ray.remote(call).options(max_retries=0)  # who falls is counted by us
        far.remote(*given).future().add_done_callback(hand_on)
        return future

    def renew(self) -> bool:
        """Ray does so by itself."""
        return False

    def close(self) -> None:
        self._ray.shutdown()
        self._aside.__exit__(None, None, None)
