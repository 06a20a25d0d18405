"""The order of the work: which files of a solution are missing, and who makes them.

Tiers are solved from the last to the first, each after all that its moves lead to; within a tier
the blocks are independent, and every free worker takes the next. A game that cannot be numbered by
a formula is listed first, from the first tier to the last.

What is done is what lies in the folder undamaged. So a run that was stopped or killed goes on where
it was; a worker that dies loses one block; a damaged file is made again like a missing one.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent import futures
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import cloudpickle
import numpy as np

from parlour import core
from parlour.core import BadFile, Game, ParlourError, Unsolved, Work, executors, values
from parlour.truth.disk.blocks import CHUNK, ChunkFile, Damaged, is_sound, pack_ids
from parlour.truth.disk.numbering import Listed, Numbered, Solving, find_family
from parlour.truth.disk.storage import Folder, NoRoom
from parlour.truth.disk.tasks import (
    BLOCK,
    Task,
    Tier,
    file_name,
    forget,
    positions_name,
    read_file_name,
    run_task,
)

FORMAT = "parlour solution on disk 1"
MANIFEST = "manifest.json"
TRIES = 5  # times that a task may take its worker down with it
POLL = 0.1  # seconds between two looks at whether the work was stopped
MERGED = 2 * BLOCK  # successors, of which about half are met twice, for each block of a tier

Result = dict[str, Any]


@dataclass
class Manifest:
    """What a folder holds."""

    game: str
    options: dict[str, Any]
    family: str
    width: int = 0
    tiers: dict[int, Tier] = field(default_factory=dict)  # in the order of play
    listed: bool = False  # whether all tiers are known
    solved: dict[int, list[list[int]]] = field(default_factory=dict)  # of each block, see `Block`
    complete: bool = False

    @classmethod
    def read(cls, folder: Folder) -> Manifest | None:
        """Return the manifest of a folder; None where there is none, `BadFile` for another file."""
        data = folder.read(MANIFEST)
        if data is None:
            return None
        try:
            found = json.loads(data)
            if found.pop("format") != FORMAT or found.pop("numbers") != [BLOCK, CHUNK]:
                raise BadFile(f"{folder.url} was written by another version of Parlour")
            tiers = {int(tier): Tier(**each) for tier, each in found.pop("tiers").items()}
            solved = {int(tier): each for tier, each in found.pop("solved").items()}
            return cls(tiers=tiers, solved=solved, **found)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, BadFile):
                raise
            raise Damaged(MANIFEST, folder.url) from None

    def write(self, folder: Folder) -> None:
        """Write the manifest, all or nothing."""
        found = {"format": FORMAT, "numbers": [BLOCK, CHUNK], **asdict(self)}
        folder.write(MANIFEST, json.dumps(found).encode() + b"\n")

    def holds(self, game: Game) -> bool:
        """Return whether this is the solution of exactly this game."""
        return (self.game, self.options) == (game.name, values(game))

    @property
    def counts(self) -> dict[str, int]:
        """Return how many positions are won, lost and drawn for the mover, and how many ended."""
        blocks = [block for tier in self.solved.values() for block in tier]
        won, lost, drawn, ended = (sum(block[at] for block in blocks) for at in (2, 3, 4, 5))
        return {"win": won, "loss": lost, "draw": drawn, "end": ended}


def solve_on_disk(
    game: Any, folder: Folder, executor: executors.Executor | None = None, work: Work | None = None
) -> Manifest:
    """Make whatever is missing or damaged of a game's solution in a folder."""
    work = work or Work()
    manifest = open_manifest(game, folder)
    run = Run(game, folder, manifest, executor or executors.make_executor("local", 1), work)
    try:
        run.run()
    finally:
        forget()
    return manifest


def open_manifest(game: Any, folder: Folder) -> Manifest:
    """Return the manifest of a game's solution in a folder, or a new one; `BadFile` for others."""
    try:
        manifest = Manifest.read(folder)
    except Damaged:
        manifest = None  # the files say the rest
    if manifest is not None and not manifest.holds(game):
        raise BadFile(f"{folder.url} holds the solution of another game; name another folder")
    if manifest is None:
        manifest = Manifest(game.name, values(game), find_family(game).name)
    return manifest


class Run:
    """One solution being made."""

    def __init__(
        self,
        game: Any,
        folder: Folder,
        manifest: Manifest,
        executor: executors.Executor,
        work: Work,
    ) -> None:
        self.folder, self.manifest, self.executor, self.work = folder, manifest, executor, work
        self.family: Any = find_family(game)
        self.packed = cloudpickle.dumps(game)
        self.losses: Counter[str] = Counter()

    def run(self) -> None:
        """Make all files that are missing."""
        self.folder.clean()
        self.manifest.complete = False
        for attempt in range(TRIES):
            try:
                self._run()
            except Damaged:  # a list of positions, if it is to be made again
                if self.manifest.listed or attempt == TRIES - 1:
                    raise
            else:
                return

    def _run(self) -> None:
        if self.manifest.listed and not self._is_listed():
            self.manifest.listed = False
        if not self.manifest.listed:
            if isinstance(self.family, Numbered):
                self._count()
            else:
                self._list()
            self.manifest.listed = True
            self.manifest.write(self.folder)
        sizes = {
            tier: info.numbers or sum(info.positions) for tier, info in self.manifest.tiers.items()
        }
        self.work.total, self.work.done = sum(sizes.values()), 0
        for tier in reversed(list(self.manifest.tiers)):
            self.manifest.solved[tier] = self._solve_tier(tier)
        self.manifest.complete = True
        self.manifest.write(self.folder)
        self._tidy()

    def _count(self) -> None:
        """Set the tiers of a family that is numbered by a formula."""
        family = self.family
        self.manifest.tiers = {
            tier: Tier(numbers=size, blocks=-(-size // BLOCK))
            for tier, size in family.sizes.items()
        }
        self.manifest.width = family.width(len(family.sizes), not isinstance(family, Solving))

    # Listing

    def _is_listed(self) -> bool:
        """Return whether all lists of positions are there, undamaged."""
        return not isinstance(self.family, Listed) or all(
            is_sound(self.folder, positions_name(tier, info, block))
            for tier, info in self.manifest.tiers.items()
            for block in range(info.blocks)
        )

    def _list(self) -> None:
        """List the positions of all tiers, from the first to the last."""
        tier, place, text = self.family.begin()
        start = f"{tier}/from_start.run"
        header = {"kind": "run", "tier": tier, "texts": text is not None}
        texts = None if text is None else [text]
        self.folder.write(start, pack_ids(header, np.array([place], np.uint64), texts))
        ahead: dict[int, dict[str, int]] = {tier: {start: 1}}  # tiers, runs and their sizes
        self.manifest.tiers = {}
        while ahead:
            tier = min(ahead)
            runs = ahead.pop(tier)
            for there, found in self._list_tier(tier, runs).items():
                ahead.setdefault(there, {}).update(found)
            for name in runs:
                self.folder.remove(name)
        tiers = self.manifest.tiers
        loops = any(info.loops for info in tiers.values())
        self.manifest.width = self.family.width(len(tiers), loops)

    def _list_tier(self, tier: int, runs: dict[str, int]) -> dict[int, dict[str, int]]:
        """List one tier, layer after layer; return the runs it has for later ones."""
        info = Tier(blocks=max(1, -(-sum(runs.values()) // MERGED)))
        self.manifest.tiers[tier] = info
        later: dict[int, dict[str, int]] = {}
        step, totals = 0, [0] * info.blocks
        inner: dict[str, int] = {}
        while True:
            merged = self._make("merge", tier, step=step, sources=tuple(sorted(runs)))
            found = [each["positions"] for each in merged]
            if step and not any(found):
                break
            totals = [one + other for one, other in zip(totals, found, strict=True)]
            inner = {}
            for block, each in enumerate(self._make("follow", tier, step=step)):
                for name, run in each["runs"].items():
                    there = int(name)
                    place = f"{there}/from_{tier}_{block:06}_{step}.run"
                    target = inner if there == tier else later.setdefault(there, {})
                    target[place] = run["positions"]
            self.work.done += sum(found)
            step += 1
            if not inner:
                break
            self.manifest.tiers[tier] = replace(info, loops=True)
            runs = inner
        loops = self.manifest.tiers[tier].loops
        info = Tier(blocks=info.blocks, layers=step, loops=loops, positions=tuple(totals))
        self.manifest.tiers[tier] = info
        if step > 1:
            self._make("join", tier)
        return later

    # Solving

    def _solve_tier(self, tier: int) -> list[list[int]]:
        """Make the values of a tier; return positions, bytes and counts of each block."""
        if self.manifest.tiers[tier].loops:
            made = self._solve_loops(tier)
        else:
            made = self._make("values", tier)
            if any("loops" in each for each in made):
                self.manifest.tiers[tier] = replace(self.manifest.tiers[tier], loops=True)
                self.manifest.write(self.folder)
                made = self._solve_loops(tier)
        return [[each["positions"], each["bytes"], *each["counts"]] for each in made]

    def _solve_loops(self, tier: int) -> list[Result]:
        blocks = range(self.manifest.tiers[tier].blocks)
        if all(is_sound(self.folder, file_name("values", tier, block)) for block in blocks):
            return self._make("values", tier)
        self._make("link", tier)
        step = self._find_pass(tier)
        while any(each["changed"] for each in self._make("pass", tier, step=step)):
            for block in blocks:
                self.folder.remove(file_name("pass", tier, block, step - 2))
            step += 1
        return self._make("values", tier, step=step)

    def _find_pass(self, tier: int) -> int:
        """Return the last pass of which every block is there; the first if there is none."""
        blocks = range(self.manifest.tiers[tier].blocks)
        found = map(read_file_name, self.folder.names(str(tier)))
        steps = {each[3] for each in found if each is not None and each[0] == "pass"}
        whole = (
            step
            for step in sorted(steps, reverse=True)
            if all(is_sound(self.folder, file_name("pass", tier, each, step)) for each in blocks)
        )
        return next(whole, 1)

    def _tidy(self) -> None:
        """Remove what only helped to get here."""
        needed = {MANIFEST}
        for tier, info in self.manifest.tiers.items():
            for block in range(info.blocks):
                needed.add(file_name("values", tier, block))
                if isinstance(self.family, Listed):
                    needed.add(positions_name(tier, info, block))
        for name in self.folder.names():
            if name not in needed:
                self.folder.remove(name)

    # Making files

    def _make(
        self, kind: str, tier: int, *, step: int = 0, sources: tuple[str, ...] = ()
    ) -> list[Result]:
        """Make the files of a kind for all blocks of a tier; return what is known of each."""
        blocks = self.manifest.tiers[tier].blocks
        tasks = [
            Task(kind, tier, block, step, sources, self.manifest.width, self.manifest.tiers)
            for block in range(blocks)
        ]
        results: dict[int, Result] = {}
        missing = []
        for task in tasks:
            found = self._describe(task)
            if found is None:
                missing.append(task)
            else:
                results[task.block] = found
                self._count_done(task)
        lean = {each.block: replace(each, tiers=self._needed(each)) for each in missing}
        for task, result in self._dispatch(list(lean.values())):
            results[task.block] = result
            self._count_done(task)
        return [results[task.block] for task in tasks]

    def _needed(self, task: Task) -> dict[int, Tier]:
        """Return the tiers that a task may read."""
        tiers = self.manifest.tiers
        if task.kind in ("values", "link", "ready") and isinstance(self.family, Solving):
            wanted = [task.tier, *self.family.later(task.tier)]
            return {tier: tiers[tier] for tier in wanted if tier in tiers}
        if task.kind in ("values", "link"):
            return {tier: info for tier, info in tiers.items() if tier >= task.tier}
        return {task.tier: tiers[task.tier]}

    def _count_done(self, task: Task) -> None:
        if task.kind == "values":
            self.work.done += self.manifest.tiers[task.tier].size(task.block)

    def _describe(self, task: Task) -> Result | None:
        """Return what is known of the file of a task; None where it is missing or damaged."""
        view = self.folder.open(task.name)
        if view is None:
            return None
        try:
            file = ChunkFile(self.folder, task.name)
            file.check()
        except Damaged:
            self.folder.remove(task.name)
            return None
        wanted = ("positions", "counts", "runs", "changed")
        known = {name: file.header[name] for name in wanted if name in file.header}
        return {**known, "bytes": len(view)}

    def _dispatch(self, tasks: Sequence[Task]) -> Iterable[tuple[Task, Result]]:
        """Give tasks to workers, and yield each with its result as they come back."""
        executor, work = self.executor, self.work
        shared = (work.cells,) if executor.is_here else ()

        def submit(task: Task) -> Future[Result]:
            label = f"parlour-{task.kind}-tier-{task.tier}"
            return executor.submit(
                run_task, self.folder.url, self.packed, task, *shared, label=label
            )

        ready = self._next(tasks)
        return dispatch(tasks, submit, executor, work, self._repair, self.losses, ready=ready)

    def _next(self, tasks: Sequence[Task]) -> Task | None:
        """Return what a worker can do for the next tier while others finish this one."""
        if self.executor.is_here or not isinstance(self.family, Solving) or len(tasks) < 2:
            return None  # one block is read in no time
        tiers = sorted(self.manifest.tiers)
        earlier = tiers[: tiers.index(tasks[0].tier)]
        if not earlier:
            return None
        task = Task("ready", earlier[-1], 0, width=self.manifest.width)
        return replace(task, tiers=self._needed(task))

    def _repair(self, name: str) -> None:
        """Make a damaged file again, with all that it takes."""
        self.folder.remove(name)
        found = read_file_name(name)
        if found is None:
            self._repair_run(name)
            return
        kind, tier, block, step = found
        if tier not in self.manifest.tiers:
            raise Damaged(name, self.folder.url)
        if kind in ("merge", "join") and self.manifest.listed:
            # Its runs are gone: list everything again, which finds what is there undamaged.
            self.manifest.listed = False
            self.manifest.write(self.folder)
            raise Damaged(name, self.folder.url)
        task = Task(kind, tier, block, step, (), self.manifest.width, self.manifest.tiers)
        task = replace(task, tiers=self._needed(task))
        for _ in self._dispatch([task]):
            pass

    def _repair_run(self, name: str) -> None:
        source = name.rpartition("/")[2].removesuffix(".run").removeprefix("from_")
        try:
            tier, block, step = map(int, source.split("_"))
        except ValueError:
            raise Damaged(name, self.folder.url) from None
        task = Task("follow", tier, block, step, (), 0, {tier: self.manifest.tiers[tier]})
        for _ in self._dispatch([task]):
            pass


def dispatch(
    tasks: Sequence[Task],
    submit: Callable[[Task], Future[Result]],
    executor: executors.Executor,
    work: Work,
    repair: Callable[[str], None],
    losses: Counter[str] | None = None,
    wait: Callable[..., Any] = futures.wait,
    ready: Task | None = None,
) -> Iterable[tuple[Task, Result]]:
    """Keep all workers busy with tasks, and yield each with its result as they come back.

    A worker that has nothing left to do is given `ready`, whose result nobody waits for.
    """
    losses = Counter() if losses is None else losses
    waiting = deque(tasks)
    running: dict[Future[Result], Task] = {}
    idle = 0  # workers that were given `ready`
    while waiting or running:
        if work.stopped:
            raise Unsolved("stopped; what is done is kept, and goes on when it is started again")
        slots = executor.workers * (1 if executor.is_here else 2)
        while waiting and len(running) < slots:
            task = waiting.popleft()
            running[submit(task)] = task
        while ready is not None and len(running) + idle < executor.workers:
            submit(ready)
            idle += 1
        done = wait(running, timeout=POLL, return_when=FIRST_COMPLETED).done
        for future in sorted(done, key=lambda each: each.cancelled() or bool(each.exception())):
            if future not in running:
                continue
            task = running.pop(future)
            try:
                result = future.result()
            except Damaged as error:
                repair(error.name)
                waiting.appendleft(task)
            except NoRoom:
                raise
            except ParlourError:
                if work.stopped:
                    continue
                raise
            except (Exception, CancelledError) as error:
                if executor.is_here:
                    raise  # nobody was lost
                losses[task.name] += 1
                if losses[task.name] >= TRIES:
                    raise ParlourError(
                        f"the worker that made {task.name} was lost {TRIES} times "
                        f"({core.describe_error(error)}); what is done is kept"
                    ) from None
                waiting.appendleft(task)
                if executor.recover():
                    waiting.extendleft(running.values())
                    running = {}
            else:
                yield task, result
