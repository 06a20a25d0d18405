"""The order in which tasks that wait are begun: fair between addresses, then between clients.

One visitor can come with many cookies, but not easily from many addresses. So the next task is that
of the address which has the fewest tasks running and was served longest ago; of its clients, the
one of whom the same is true. Bots that play people go before everything else, and what nobody waits
for comes last.

No address or client may have more than a share of the workers, and questions (solving, reviewing),
which may take long, leave some of them to the moves of bots.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, TypeVar

MAX_REMEMBERED = 10_000  # addresses and clients whose last turn is known


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


C = TypeVar("C", bound=Claim)


class FairQueue(Generic[C]):
    """The tasks that wait for a worker."""

    def __init__(self, size: int) -> None:
        """Share `size` workers."""
        half = max(1, size // 2)
        self.most = size - size // 4  # of one address
        self.most_of_client = half
        self.questions = size - size // 4  # of all together, background tasks included
        self.questions_of_address = self.questions - self.questions // 3
        self.questions_of_client = half - size // 8
        self.background = half
        self.background_of_client = max(1, size // 4)
        self._waiting: list[C] = []
        self._turns: OrderedDict[str, int] = OrderedDict()  # the last turn of each, latest last
        self._turn = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, task: object) -> bool:
        return task in self._waiting

    def __iter__(self) -> Iterator[C]:
        return iter(self._waiting)

    def append(self, task: C) -> None:
        """Let a task wait."""
        self._waiting.append(task)

    def remove(self, task: C) -> None:
        """Let a task wait no longer."""
        self._waiting.remove(task)

    def clear(self) -> list[C]:
        """Empty the queue and return what was in it."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def order(self, running: Iterable[C], most: int) -> list[C]:
        """Return up to `most` tasks that may begin beside those that run, the next one first."""
        load, turns, turn = _Load(running), dict[str, int](), self._turn
        waiting, chosen = list(self._waiting), list[C]()

        def rank(task: C) -> tuple[int, ...]:
            address, client = f"a {task.address}", f"c {task.client}"
            return (
                task.priority,
                load.by_address[task.address],
                turns.get(address) or self._turns.get(address, 0),
                load.by_client[task.client],
                turns.get(client) or self._turns.get(client, 0),
            )

        while len(chosen) < most:
            able = [task for task in waiting if self._has_room(load, task)]
            if not able:
                break
            task = min(able, key=rank)  # the first to come, of those that rank equal
            waiting.remove(task)
            chosen.append(task)
            load.add(task)
            turn += 1
            turns[f"a {task.address}"] = turns[f"c {task.client}"] = turn
        return chosen

    def note_turn(self, task: C) -> None:
        """Note that a task is begun; it waits no longer."""
        self._waiting.remove(task)
        self._turn += 1
        for name in (f"a {task.address}", f"c {task.client}"):
            self._turns.pop(name, None)
            self._turns[name] = self._turn
        while len(self._turns) > MAX_REMEMBERED:
            self._turns.popitem(last=False)

    def _has_room(self, load: _Load, task: C) -> bool:
        """Whether a task may begin beside those that run."""
        address, client = task.address, task.client
        if load.by_address[address] >= self.most or load.by_client[client] >= self.most_of_client:
            return False
        if task.priority is Priority.MOVE:
            return True
        if (
            load.questions.total() >= self.questions
            or load.questions[address] >= self.questions_of_address
            or load.questions_by_client[client] >= self.questions_of_client
        ):
            return False
        return task.priority is not Priority.BACKGROUND or (
            load.background.total() < self.background
            and load.background[client] < self.background_of_client
        )


class _Load:
    """How many tasks of each kind run."""

    def __init__(self, running: Iterable[Claim]) -> None:
        self.by_address: Counter[str] = Counter()
        self.by_client: Counter[str] = Counter()
        self.questions: Counter[str] = Counter()  # by address, background tasks included
        self.questions_by_client: Counter[str] = Counter()
        self.background: Counter[str] = Counter()  # by client
        for task in running:
            self.add(task)

    def add(self, task: Claim) -> None:
        self.by_address[task.address] += 1
        self.by_client[task.client] += 1
        self.questions[task.address] += task.priority is not Priority.MOVE
        self.questions_by_client[task.client] += task.priority is not Priority.MOVE
        self.background[task.client] += task.priority is Priority.BACKGROUND
