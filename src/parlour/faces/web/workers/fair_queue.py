"""The order in which tasks that wait are begun: fair between addresses, then between clients.

One visitor can come with many cookies, but not easily from many addresses. So the next task is that
of the address which has the fewest tasks running and was served longest ago; of its clients, the
one of whom the same is true. Bots that play people go before everything else, and what nobody waits
for comes last.

No address or client may have more than a share of the workers, and questions (solving, reviewing),
which may take long, leave some of them to the moves of bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from parlour.faces.web.clients import Recent

MAX_REMEMBERED = 10_000  # addresses and clients whose last turn is known

Share = tuple[str, str]  # what is shared, and whose share it is


class Priority(IntEnum):
    """How soon a task is wanted, the soonest first."""

    MOVE = 0  # a bot's move, or an answer of Benedict
    QUESTION = 1  # a value, a proof, a review: somebody looks at a page that will show it
    BACKGROUND = 2  # nobody waits for it


@dataclass(eq=False, kw_only=True)
class Claim:
    """Whose task it is, and how soon it is wanted."""

    address: str
    client: str
    priority: Priority

    @property
    def shares(self) -> tuple[Share, Share]:
        """The address and the client, as they take turns."""
        return ("address", self.address), ("client", self.client)


C = TypeVar("C", bound=Claim)


class FairQueue(list[C]):
    """The tasks that wait for a worker, as they came."""

    def __init__(self, size: int) -> None:
        """Share `size` workers."""
        super().__init__()
        self._size = size
        self._turns: Recent[Share, int] = Recent(MAX_REMEMBERED)  # the last turn of each
        self._turn = 0

    def order(self, running: Iterable[C], most: int) -> list[C]:
        """Return up to `most` tasks that may begin beside those that run, the next one first."""
        load = Counter(share for task in running for share in self._limits(task))
        turns, turn = dict[Share, int](), self._turn
        waiting, chosen = {task: self._limits(task) for task in self}, list[C]()

        def rank(task: C) -> tuple[int, ...]:
            address, client = task.shares
            return (
                task.priority,
                load[address],
                turns.get(address) or self._turns.get(address, 0),
                load[client],
                turns.get(client) or self._turns.get(client, 0),
            )

        while len(chosen) < most:
            able = [
                task
                for task, limits in waiting.items()
                if all(load[share] < limit for share, limit in limits.items())
            ]
            if not able:
                break
            task = min(able, key=rank)  # the first to come, of those that rank equal
            chosen.append(task)
            load.update(waiting.pop(task).keys())
            turn += 1
            turns |= dict.fromkeys(task.shares, turn)
        return chosen

    def note_turn(self, task: C) -> None:
        """Note that a task is begun; it waits no longer."""
        self.remove(task)
        self._turn += 1
        for share in task.shares:
            self._turns.keep(share, self._turn)

    def _limits(self, task: Claim) -> dict[Share, int]:
        """Return the shares of the workers that a task counts in, with the most of each."""
        size, half, most = self._size, max(1, self._size // 2), self._size - self._size // 4
        address, client = task.shares
        limits = {address: most, client: half}
        if task.priority is not Priority.MOVE:
            limits |= {
                ("questions", ""): most,
                ("questions of address", task.address): most - most // 3,
                ("questions of client", task.client): half - size // 8,
            }
        if task.priority is Priority.BACKGROUND:
            limits |= {
                ("background", ""): half,
                ("background of client", task.client): max(1, size // 4),
            }
        return limits
