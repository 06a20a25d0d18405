"""What an application is made of: its store, its workers, and the services of its sections.

A section adds its services when it starts; who needs one asks for it by its class.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.requests import HTTPConnection

from parlour.faces.web.background import WriteQueue, every
from parlour.faces.web.clients import Visitor, Visitors
from parlour.faces.web.live import Hub
from parlour.faces.web.workers import AnswerCache, WorkerPool
from parlour.lessons import Study
from parlour.store import Store, StoredStudy, Talk

T = TypeVar("T")

FORGET = "forget:"  # announced to the other servers with an owner who deleted their data


@dataclass(eq=False, repr=False)
class Services:
    """The parts of one running application; it is `app.state.services`."""

    store: Store
    workers: WorkerPool
    hub: Hub
    writes: WriteQueue
    visitors: Visitors
    answers: AnswerCache
    atlases: AnswerCache
    archive: str  # the file of an archive of Othello games, or nothing
    # What sections that must not import each other ask of one another
    find_talk: Callable[[str], Talk | None] = field(init=False)  # of a browser
    export_person: Callable[[Visitor], dict[str, Any]] = field(init=False)
    delete_person: Callable[[str], None] = field(init=False)  # by their owner
    create_study: Callable[[Visitor, Study], StoredStudy] = field(init=False)
    # Called with topics of their kind that other servers announce
    receivers: dict[str, Callable[[str], None]] = field(default_factory=dict)
    # Called with the owner when somebody deletes their data
    forgetters: list[Callable[[str], None]] = field(default_factory=list)
    # Called to go on with what an earlier server left
    resumers: list[Callable[[], None]] = field(default_factory=list)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    draining: bool = False  # whether the server is about to stop
    _by_class: dict[type, Any] = field(default_factory=dict)

    def add(self, service: T) -> T:
        """Add a service, which others get by its class."""
        self._by_class[type(service)] = service
        return service

    def get(self, kind: type[T]) -> T:
        """Return the service of a class."""
        found: T = self._by_class[kind]
        return found

    def find(self, kind: type[T]) -> T | None:
        """Return the service of a class, or None if this application has none."""
        return self._by_class.get(kind)

    def repeat(self, seconds: float, call: Callable[[], Any], *, at_once: bool = False) -> None:
        """Call a function every so often for as long as the application runs."""
        self.tasks.append(asyncio.create_task(every(seconds, call, at_once=at_once)))

    def forget(self, owner: str) -> None:
        """Let every part of this server forget what it knows of somebody; from any thread."""
        for each in self.forgetters:
            each(owner)


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the application that a request or a WebSocket came to."""
    services: Services = connection.app.state.services
    return services
