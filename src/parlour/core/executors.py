"""Executors: this process, processes on this machine, or a cluster, behind one interface.

An executor takes calls and returns futures, for tournaments and for solving on disk alike. Local
processes are joblib's (loky), which notices when one of them dies; Dask and Ray bring their own
machines. What a call takes and returns is text.
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
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Future
from logging import ERROR
from typing import Any

from parlour.core.errors import ParlourError
from parlour.core.sentences import describe_error, one_of, quote

CONNECT_TIMEOUT = 10  # seconds in which a cluster must answer
ENGINES = ("local", "dask", "ray")
DIE_WITH_PARENT = 1  # what the kernel of Linux calls PR_SET_PDEATHSIG


class Executor(ABC):
    """Runs calls somewhere; by default with one worker that cannot be lost."""

    is_here = False  # whether calls run in this process, one after the other

    @property
    def workers(self) -> int:
        """The number of workers, which may change."""
        return 1

    @abstractmethod
    def submit(self, call: Callable[..., Any], *arguments: Any, label: str = "") -> Future[Any]:
        """Schedule a call; the label is what a cluster's own pages call it."""

    def recover(self) -> bool:
        """Continue after a worker died; say whether all other running calls are lost as well."""
        return False

    def close(self) -> None:  # noqa: B027 - some have no workers to end
        """End all workers, whatever they are doing."""


def make_executor(engine: str, workers: int | None, address: str | None = None) -> Executor:
    """Make an executor with a number of workers here, or with those at an address."""
    if engine == "dask":
        return _Dask(workers, address)
    if engine == "ray":
        return _Ray(workers, address)
    if engine != "local":
        raise ParlourError(f"{quote(engine)} is not an engine; choose {one_of(ENGINES)}")
    if address:
        raise ParlourError("an address is for a cluster; add --engine dask or --engine ray")
    number = workers or count_cores()
    return _InProcess() if number == 1 else _Processes(number)


def count_cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _InProcess(Executor):
    """Runs calls in this process."""

    is_here = True

    def submit(self, call: Callable[..., Any], *arguments: Any, label: str = "") -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(call(*arguments))
        except Exception as error:  # raised by the future, as in other executors
            future.set_exception(error)
        return future


class _Processes(Executor):
    """Processes on this machine."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._start()

    @property
    def workers(self) -> int:
        return self._workers

    def _start(self) -> futures.Executor:
        from joblib.externals.loky import ProcessPoolExecutor

        pool: futures.Executor = ProcessPoolExecutor(self._workers, initializer=_prepare_worker)
        return pool

    def submit(self, call: Callable[..., Any], *arguments: Any, label: str = "") -> Future[Any]:
        return self._pool.submit(call, *arguments)

    def recover(self) -> bool:
        self.close()
        self._pool = self._start()
        return True

    def close(self) -> None:
        pool: Any = self._pool
        pool.shutdown(wait=True, kill_workers=True)


def _prepare_worker() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)


def pin_to_one_core() -> None:
    """Keep a local worker, and the bots it starts, on one processor.

    Otherwise a bot that starts many processes would take time from the games of other workers.
    """
    name, _, number = multiprocessing.current_process().name.rpartition("-")
    if name == "LokyProcess" and sys.platform == "linux":
        mine = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {mine[int(number) % len(mine)]})


@contextlib.contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which is for this one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _import_library(module: str, name: str, extra: str) -> Any:
    """Import a library that only clusters need."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise ParlourError(
            f"{name} is not installed; pip install 'parlour[{extra}]', or leave out --engine"
        ) from None


def _no_answer(library: str, address: str | None, error: Exception) -> ParlourError:
    why = describe_error(error)
    return ParlourError(f"no {library} cluster answers at {quote(address)}: {why}")


class _Dask(Executor):
    """The workers of a Dask cluster, or of one made here."""

    def __init__(self, workers: int | None, address: str | None) -> None:
        distributed = _import_library("distributed", "Dask", "cluster")
        self._cluster: Any = None
        try:
            if address is None:
                with _ignoring_interrupts():
                    self._cluster = distributed.LocalCluster(
                        n_workers=workers or count_cores(),
                        threads_per_worker=1,
                        dashboard_address=None,
                    )
            self._client = distributed.Client(
                address or self._cluster, timeout=CONNECT_TIMEOUT, set_as_default=False
            )
        except (OSError, TimeoutError, ValueError) as error:
            raise _no_answer("Dask", address, error) from None
        self._pool = self._client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        """The number of workers now."""
        return max(1, sum(map(int, self._client.nthreads().values())))

    def submit(self, call: Callable[..., Any], *arguments: Any, label: str = "") -> Future[Any]:
        name = {"key": f"{label}-{uuid.uuid4().hex}"} if label else {}
        future: Future[Any] = self._pool.submit(call, *arguments, **name)
        return future

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


class _Ray(Executor):
    """The workers of a Ray cluster, or of one made here."""

    def __init__(self, workers: int | None, address: str | None) -> None:
        self._ray = _import_library("ray", "Ray", "ray")
        if address and (place := re.fullmatch(r"(?:ray://)?(.+):([0-9]+)", address)):
            try:  # Ray itself would go on trying for minutes
                socket.create_connection((place[1], int(place[2])), CONNECT_TIMEOUT).close()
            except (OSError, OverflowError) as error:
                raise _no_answer("Ray", address, error) from None
        # What Ray prints about its workers is not the output that a program waits for.
        self._redirect = contextlib.redirect_stdout(sys.stderr)
        self._redirect.__enter__()
        here = {} if address else {"num_cpus": workers or count_cores(), "include_dashboard": False}
        try:
            self._ray.init(address=address, log_to_driver=False, logging_level=ERROR, **here)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise _no_answer("Ray", address, error) from None

    @property
    def workers(self) -> int:
        """The number of workers now."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, call: Callable[..., Any], *arguments: Any, label: str = "") -> Future[Any]:
        future: Future[Any] = Future()

        def pass_on(ended: Future[Any]) -> None:
            error = ended.exception()
            if error is None:
                future.set_result(ended.result())
            else:  # Ray wraps the error in pages of its own
                future.set_exception(getattr(error, "cause", None) or error)

        named = {"name": label} if label else {}
        remote = self._ray.remote(call).options(max_retries=0, **named)  # we count lost workers
        remote.remote(*arguments).future().add_done_callback(pass_on)
        return future

    def close(self) -> None:
        self._ray.shutdown()
        self._redirect.__exit__(None, None, None)
