"""What is counted and measured while the site runs, in the format that Prometheus reads.

Names follow its conventions: `_total` for what only grows, base units in the name. No label holds
anything that visitors choose. With several server processes each writes its numbers to files that
all of them can read, so that any one of them answers for the whole server.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial

import prometheus_client as prometheus
from prometheus_client import multiprocess
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from parlour.store import Store

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # where the processes of one server keep their numbers
CONTENT_TYPE = prometheus.CONTENT_TYPE_LATEST
IN_PLAY = 24 * 3600.0  # seconds; a table with a later change is in play
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

# Of this process; nothing else in it is of interest to an operator
OWN = prometheus.CollectorRegistry()

counter = partial(prometheus.Counter, registry=OWN)
gauge = partial(prometheus.Gauge, registry=OWN, multiprocess_mode="livesum")
histogram = partial(prometheus.Histogram, registry=OWN)

REQUESTS = counter("parlour_requests", "Requests answered.", ("method", "route", "status"))
REQUEST_SECONDS = histogram(
    "parlour_request_seconds",
    "Time from a request to the end of its answer.",
    ("route",),
    buckets=SECONDS,
)
SOCKETS = gauge("parlour_sockets", "Open WebSockets.", ("route",))
MOVES = counter("parlour_moves", "Moves stored, by whom they were made.", ("by",))
TASKS = counter("parlour_tasks", "Tasks of worker processes that have ended.", ("task", "outcome"))
TASK_WAIT_SECONDS = histogram(
    "parlour_task_wait_seconds", "Time that tasks wait for a worker process.", buckets=SECONDS
)
TASKS_WAITING = gauge("parlour_tasks_waiting", "Tasks that wait for a worker process.")
DATABASE_ERRORS = counter("parlour_database_errors", "Errors of the database.")
WRITE_BATCH = histogram(
    "parlour_write_batch", "Writes stored by one commit.", buckets=(1, 2, 4, 8, 16, 32, 64)
)


def write_metrics(store: Store) -> bytes:
    """Return all numbers of this server, those of its other processes included."""
    numbers, counted = OWN, prometheus.CollectorRegistry()
    if os.environ.get(FOLDER):
        numbers = prometheus.CollectorRegistry()
        multiprocess.MultiProcessCollector(numbers)  # type: ignore[no-untyped-call]
    counted.register(_TablesInPlay(store))
    return prometheus.generate_latest(numbers) + prometheus.generate_latest(counted)


class _TablesInPlay(Collector):
    """Tables whose games are not over, counted in the database, which all processes share."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def collect(self) -> Iterator[GaugeMetricFamily]:
        number = self._store.tables.count(over=False, changed_since=time.time() - IN_PLAY)
        about = "Tables whose games are not over and that changed within a day."
        yield GaugeMetricFamily("parlour_tables_in_play", about, value=number)
