"""What a worker does: make one file of a solution from others that are there already.

A task is a folder, a game and a few numbers; what it writes depends on nothing else, so the same
bytes come out of whichever process, machine or cluster runs it. It can be run twice without harm.

Positions that are not numbered by a formula are listed first. The successors found in one block go
into a run for each tier they belong to; all runs for a tier are then merged into its blocks, each
of which has its share of the range of ids. Where moves stay in a tier its positions are found in
layers, and joined once no layer brings new ones. Its values are found in passes: each improves all
values by what the last pass found, until nothing changes.
"""

from __future__ import annotations

import functools
import pickle
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from parlour import kernels
from parlour.core import Unsolved, key
from parlour.truth.disk import blocks, numbering
from parlour.truth.disk.blocks import CHUNK, DRAW, ID_BITS, ChunkFile, IdFile, ValueFile
from parlour.truth.disk.numbering import NOTHING, Numbered, Piles, Pool, Solving, Successors
from parlour.truth.disk.storage import Cache, Folder

BLOCK = 1 << 20  # numbers in a block, about a million
MAX_HELD = 512 * 2**20  # bytes of later tiers that a worker holds at once
SUFFIXES = {  # of the files of a block, by their kind
    "values": "values",
    "merge": "layer",
    "join": "positions",
    "follow": "followed",
    "link": "links",
    "pass": "pass",
}
STEPPED = ("merge", "follow", "pass")  # kinds of which a block has a file for each step


@dataclass(frozen=True)
class Tier:
    """The size of a tier: its numbers, blocks, layers and positions."""

    numbers: int = 0  # where they are counted beforehand
    blocks: int = 0
    layers: int = 1  # in which its positions were found
    loops: bool = False  # whether moves stay in it
    positions: Sequence[int] = ()  # by block, where they were listed

    def range(self, block: int) -> tuple[int, int]:
        """Return the numbers of a block, where they are counted beforehand."""
        return block * BLOCK, min((block + 1) * BLOCK, self.numbers)

    def size(self, block: int) -> int:
        """Return how many numbers or positions a block has."""
        if not self.numbers:
            return self.positions[block]
        start, stop = self.range(block)
        return stop - start


@dataclass(frozen=True)
class Task:
    """One file to make."""

    kind: str
    tier: int
    block: int
    step: int = 0  # the layer or pass
    sources: tuple[str, ...] = ()  # the runs to merge
    width: int = 1
    tiers: dict[int, Tier] = field(default_factory=dict)

    @property
    def dtype(self) -> Any:
        """The type of values in the files."""
        return np.dtype(np.uint8 if self.width == 1 else np.uint16)

    @property
    def name(self) -> str:
        """The name of the file that the task makes last."""
        return file_name(self.kind, self.tier, self.block, self.step)


def file_name(kind: str, tier: int, block: int, step: int = 0) -> str:
    """Return the name of a file of a block."""
    return f"{tier}/{block:06}.{SUFFIXES[kind]}{step if kind in STEPPED else ''}"


def positions_name(tier: int, info: Tier, block: int) -> str:
    """Return the file that lists the positions of a block."""
    return file_name("merge" if info.layers == 1 else "join", tier, block)


def read_file_name(name: str) -> tuple[str, int, int, int] | None:
    """Return the kind, tier, block and step of a file; None for any other."""
    folder, _, rest = name.partition("/")
    number, _, suffix = rest.partition(".")
    word = suffix.rstrip("0123456789")
    kinds = [kind for kind, known in SUFFIXES.items() if known == word]
    try:
        return kinds[0], int(folder), int(number), int(suffix[len(word) :] or 0)
    except (IndexError, ValueError):
        return None


def id_range(bits: int, blocks: int, block: int) -> tuple[int, int]:
    """Return the ids that belong to a block."""
    return (block << bits) // blocks, (block + 1 << bits) // blocks


# In the worker


def forget() -> None:
    """Give back what tasks in this process hold in memory."""
    _open_worker.cache_clear()


def run_task(url: str, game: bytes, task: Task, cells: Any = None) -> dict[str, Any]:
    """Make the file of a task, and return what is known of it."""
    return _open_worker(url, game).run(task, cells)


@functools.lru_cache(maxsize=2)
def _open_worker(url: str, game: bytes) -> Worker:
    return Worker(Folder(url), pickle.loads(game))  # noqa: S301 - from the process that sent the task


class Worker:
    """Makes files of one solution, and holds what it has read for the next ones."""

    def __init__(self, folder: Folder, game: Any) -> None:
        self.folder = folder
        self.family: Any = numbering.find_family(game)
        self._forget()

    def _forget(self) -> None:
        """Give up what was read before."""
        self._held = Cache(MAX_HELD, lambda values: int(values.nbytes))
        self._pool: tuple[tuple[int, ...], Pool] | None = None
        self._room: Any = None  # where the values of a pool lie, one after the other
        self._read: tuple[int, set[int]] = (-1, set())  # the tier that lies there alone, its blocks
        self._open_values.cache_clear()

    def run(self, task: Task, cells: Any = None) -> dict[str, Any]:
        """Make the file of a task, and return what is known of it."""
        work = np.zeros(3, np.int64) if cells is None else np.frombuffer(cells, np.int64)
        make = {
            "values": self._make_values,
            "merge": self._merge,
            "join": self._join,
            "follow": self._follow,
            "link": self._link,
            "pass": self._improve,
            "ready": self._read_ahead,
        }[task.kind]
        try:
            return make(task, work)
        except blocks.Damaged:
            self._forget()
            raise

    def _write(self, name: str, data: bytes) -> int:
        self.folder.write(name, data)
        return len(data)

    # Values

    def _make_values(self, task: Task, work: Any) -> dict[str, Any]:
        family, info = self.family, task.tiers[task.tier]
        if info.loops:
            return self._finish_passes(task)
        if isinstance(family, Solving):
            values, counts = self._solve(task, *info.range(task.block), work)
            if work[0]:
                raise Unsolved("stopped")
        else:
            found = self._find_successors(task)
            if (found.tiers == task.tier).any():
                return {"loops": True}  # nothing is written: it takes passes
            after = self._look_up(task, found)
            values = np.zeros(found.ended.size, np.uint16)
            kernels.tiers.value_positions(found.first, after, found.again, found.ended, values)
            counts = count_values(values, found.ended)
        return self._write_values(task, values, counts)

    def _write_values(self, task: Task, values: Any, counts: Any) -> dict[str, Any]:
        if values.dtype == np.uint16:
            values = blocks.narrow(values, task.width)
        counted = [int(each) for each in counts]
        header = {"kind": "values", "tier": task.tier, "block": task.block, "counts": counted}
        size = self._write(task.name, blocks.pack_values(header, values, task.width))
        if isinstance(self.family, Numbered) and task.tiers[task.tier].blocks == 1:
            self._held.get(("values", task.tier), lambda: values)  # earlier tiers will read it
        return {"positions": sum(counted), "bytes": size, "counts": counted}

    def _solve(self, task: Task, start: int, stop: int, work: Any) -> tuple[Any, Any]:
        """Solve numbers by the family's own pass, in smaller parts where too much must be read."""
        family: Solving = self.family
        later = [tier for tier in family.later(task.tier) if tier in task.tiers]
        size = sum(task.tiers[tier].numbers for tier in later) * task.width
        if size <= MAX_HELD:
            return family.solve(task.tier, start, stop, self._whole_pool(task, later), work)
        pool = self._empty_pool(task, later)
        family.solve(task.tier, start, stop, pool, work, marking=True)
        wanted = np.flatnonzero(pool.places == 0)
        if wanted.size * CHUNK * task.width > MAX_HELD and stop - start > CHUNK:
            middle = (start + stop) // 2
            (one, ones), (two, twos) = (
                self._solve(task, *each, work) for each in ((start, middle), (middle, stop))
            )
            return np.concatenate([one, two]), ones + twos
        filled = self._fill_pool(task, pool, wanted)
        return family.solve(task.tier, start, stop, filled, work)

    def _empty_pool(self, task: Task, later: Sequence[int]) -> Pool:
        bases, chunks = dict[int, int](), 0
        for tier in later:
            bases[tier] = chunks * CHUNK
            chunks += numbering.chunks_of(task.tiers[tier].numbers)
        return Pool(np.zeros(1, np.uint8), np.full(max(chunks, 1), -1, np.int64), bases)

    def _whole_pool(self, task: Task, later: Sequence[int]) -> Pool:
        """Return all values of some tiers, kept for the next task of this tier."""
        if self._pool is not None and self._pool[0] == (task.tier, *later):
            return self._pool[1]
        pool = self._empty_pool(task, later)
        values = self._make_room(task, pool.places.size * CHUNK)
        if len(later) == 1:  # which no other tier reads
            self._read_tier(task, later[0], values)
        else:
            self._read = (-1, set())
            for tier in later:
                array = self._tier_values(task, tier)
                base = pool.bases[tier]
                values[base : base + array.size] = array
        pool.places[:] = np.arange(pool.places.size) * CHUNK
        if isinstance(self.family, Piles):
            values = blocks.widen(values)
        whole = Pool(values, pool.places, pool.bases)
        self._pool = ((task.tier, *later), whole)
        return whole

    def _make_room(self, task: Task, size: int) -> Any:
        """Return the place for the values of a pool, where the last one lay if that is enough."""
        self._pool = None
        if self._room is None or self._room.size < size or self._room.dtype != task.dtype:
            self._room, self._read = None, (-1, set())  # before the next is there
            self._room = np.zeros(size, task.dtype)
        return self._room[:size]

    def _read_tier(self, task: Task, tier: int, values: Any, missing: bool = False) -> None:
        """Read what was not read ahead of a tier; blocks may be `missing` that are being made."""
        if self._read[0] != tier:
            self._read = (tier, set())
        info, done = task.tiers[tier], self._read[1]
        for block in range(info.blocks):
            if block in done:
                continue
            try:
                self._read_block(info, tier, block, values)
            except blocks.Damaged:
                if not missing:
                    raise
            else:
                done.add(block)

    def _read_block(self, info: Tier, tier: int, block: int, values: Any) -> None:
        start, stop = info.range(block)
        file = ValueFile(self.folder, file_name("values", tier, block))
        values[start:stop] = file.all_values()

    def _read_ahead(self, task: Task, work: Any) -> dict[str, Any]:
        """Read what is there already of the only tier that this one needs."""
        later = [tier for tier in self.family.later(task.tier) if tier in task.tiers]
        size = sum(numbering.chunks_of(task.tiers[tier].numbers) for tier in later) * CHUNK
        if len(later) == 1 and size * task.width <= MAX_HELD:
            self._read_tier(task, later[0], self._make_room(task, size), missing=True)
        return {}

    def _fill_pool(self, task: Task, pool: Pool, wanted: Any) -> Pool:
        """Return a pool with the values of the chunks that are wanted."""
        part = np.zeros(max(wanted.size, 1) * CHUNK, task.dtype)
        tiers = sorted(pool.bases, key=lambda tier: pool.bases[tier])
        starts = np.array([pool.bases[tier] // CHUNK for tier in tiers])
        for place, chunk in enumerate(wanted.tolist()):
            at = int(np.searchsorted(starts, chunk, "right")) - 1
            inside = chunk - int(starts[at])
            block, chunk_there = divmod(inside, BLOCK // CHUNK)
            file = self._open_values(tiers[at], block)
            found = file.values(chunk_there)
            part[place * CHUNK : place * CHUNK + found.size] = found
            pool.places[chunk] = place * CHUNK
        return Pool(part, pool.places, pool.bases)

    @functools.lru_cache(maxsize=256)  # noqa: B019 - a worker lives as long as its process
    def _open_values(self, tier: int, block: int) -> ValueFile:
        return ValueFile(self.folder, file_name("values", tier, block))

    def _tier_values(self, task: Task, tier: int) -> Any:
        """Return all values of a tier that is numbered by a formula."""
        info = task.tiers[tier]

        def load() -> Any:
            values = np.zeros(info.numbers, task.dtype)
            for block in range(info.blocks):
                self._read_block(info, tier, block, values)
            return values

        return self._held.get(("values", tier), load)

    # Successors, and their values

    def _find_successors(self, task: Task) -> Successors:
        info = task.tiers[task.tier]
        if isinstance(self.family, Numbered):
            places, texts = np.arange(*info.range(task.block)), None
        else:
            file = IdFile(self.folder, positions_name(task.tier, info, task.block))
            places, texts = self._read_positions(file)
        if not len(places):
            empty = np.zeros(0, np.int64)
            return Successors(np.zeros(1, np.int64), empty, empty, *np.zeros((2, 0), np.uint8))
        found: Successors = self.family.follow(places, texts, task.tier)
        return found

    def _read_positions(self, file: IdFile) -> tuple[Any, list[str] | None]:
        if not file.header["texts"]:
            return file.all_ids(), None
        texts = [text for chunk in range(len(file)) for text in file.texts(chunk)]
        return file.all_ids(), texts

    def _look_up(self, task: Task, found: Successors) -> Any:
        """Return the values of all successors in later tiers; a draw for those in the same."""
        after = np.full(found.places.size, DRAW, np.uint16)
        for tier in np.unique(found.tiers).tolist():
            if tier == task.tier:
                continue
            which = np.flatnonzero(found.tiers == tier)
            if isinstance(self.family, Numbered):
                after[which] = blocks.widen(self._tier_values(task, tier)[found.places[which]])
                continue
            for block, part, places in self._by_block(task.tiers[tier], found.places[which]):
                at = self._locate(task, tier, block, places)
                after[which[part]] = blocks.widen(self._block_values(tier, block)[at])
        return after

    def _by_block(self, info: Tier, places: Any) -> Iterable[tuple[int, Any, Any]]:
        """Yield the blocks of a tier with the ids that belong to each, ascending, and whose."""
        places = places.astype(np.uint64)
        order = np.argsort(places)
        ascending = places[order]
        for block in range(info.blocks):
            low, high = id_range(self.family.bits, info.blocks, block)
            start, stop = np.searchsorted(ascending, np.array([low, high], np.uint64))
            if stop > start:
                yield block, order[start:stop], ascending[start:stop]

    def _locate(self, task: Task, tier: int, block: int, places: Any) -> Any:
        """Return where some positions stand among those of a block."""
        name = positions_name(tier, task.tiers[tier], block)
        ids = self._held.get(("ids", tier, block), lambda: IdFile(self.folder, name).all_ids())
        at = np.searchsorted(ids, places)
        if not ids.size or (at >= ids.size).any() or (ids[at] != places).any():
            raise blocks.Damaged(file_name("merge", tier, block), self.folder.url)
        return at

    def _block_values(self, tier: int, block: int) -> Any:
        file = file_name("values", tier, block)
        return self._held.get(
            ("values", tier, block), lambda: ValueFile(self.folder, file).all_values()
        )

    # Listing positions

    def _merge(self, task: Task, work: Any) -> dict[str, Any]:
        """Make a block of the positions of a layer from the runs, without those known already."""
        info = task.tiers[task.tier]
        low, high = id_range(self.family.bits, info.blocks, task.block)
        known = [file_name("merge", task.tier, task.block, step) for step in range(task.step)]
        ids, texts = self._unite(task.sources, known, low, high)
        return self._write_positions(task, ids, texts)

    def _write_positions(self, task: Task, ids: Any, texts: list[str] | None) -> dict[str, Any]:
        header = {"kind": "positions", "tier": task.tier, "block": task.block}
        header["texts"] = texts is not None
        size = self._write(task.name, blocks.pack_ids(header, ids, texts))
        return {"positions": int(ids.size), "bytes": size}

    def _unite(
        self, sources: Sequence[str], known: Sequence[str], low: int = 0, high: int = 1 << ID_BITS
    ) -> tuple[Any, list[str] | None]:
        """Return the positions in some files that are not in those `known`, ascending."""
        files = [IdFile(self.folder, name) for name in sources]
        old = [IdFile(self.folder, name) for name in known]
        if files and files[0].header["texts"]:
            texts: dict[int, str] = {}
            for file in files:
                for each, text in file.all_texts(low, high).items():
                    self._keep_text(texts, each, text)
            for file in old:
                for each in file.all_ids(low, high).tolist():
                    texts.pop(each, None)
            ids = np.array(sorted(texts), np.uint64)
            return ids, [texts[each] for each in ids.tolist()]
        parts = [file.all_ids(low, high) for file in files]
        ids = np.unique(np.concatenate([np.empty(0, np.uint64), *parts]))
        for file in old:
            ids = np.setdiff1d(ids, file.all_ids(low, high), assume_unique=True)
        return ids, None

    def _keep_text(self, texts: dict[int, str], place: int, text: str) -> None:
        """Keep the least of the texts of one position; two positions of one id are refused."""
        before = texts.get(place)
        if before == text:
            return
        if before is not None:
            game = self.family.game
            if key(game, game.read(before)) != key(game, game.read(text)):
                raise Unsolved(
                    f"{before!r} and {text!r} have the same number by chance; give the game a "
                    "ranking() or other keys"
                )
            text = min(before, text)
        texts[place] = text

    def _join(self, task: Task, work: Any) -> dict[str, Any]:
        """Make a block of positions of all its layers."""
        info = task.tiers[task.tier]
        names = [file_name("merge", task.tier, task.block, step) for step in range(info.layers)]
        return self._write_positions(task, *self._unite(names, ()))

    def _follow(self, task: Task, work: Any) -> dict[str, Any]:
        """Write the successors of a block of a layer as a run for each tier they belong to."""
        file = IdFile(self.folder, file_name("merge", task.tier, task.block, task.step))
        places, texts = self._read_positions(file)
        runs: dict[str, dict[str, int]] = {}
        if len(places):
            found = self.family.follow(places, texts, task.tier)
            for tier in np.unique(found.tiers).tolist():
                which = np.flatnonzero(found.tiers == tier)
                ids = np.unique(found.places[which].astype(np.uint64))
                written = None
                if found.texts is not None:
                    kept: dict[int, str] = {}
                    for at in which.tolist():
                        self._keep_text(kept, int(found.places[at]), found.texts[at])
                    written = [kept[each] for each in ids.tolist()]
                name = f"{tier}/from_{task.tier}_{task.block:06}_{task.step}.run"
                header = {"kind": "run", "tier": tier, "texts": written is not None}
                size = self._write(name, blocks.pack_ids(header, ids, written))
                runs[str(tier)] = {"positions": int(ids.size), "bytes": size}
        # That everything was followed is itself a file, written last.
        size = self._write(task.name, blocks.pack_file({"kind": "followed", "runs": runs}, []))
        return {"positions": len(places), "bytes": size, "runs": runs}

    # Tiers in which moves stay

    def _link(self, task: Task, work: Any) -> dict[str, Any]:
        """Write where moves of a block lead to in the same tier, and what the others are worth."""
        found = self._find_successors(task)
        after = self._look_up(task, found)
        inside = np.full(found.places.size, -1, np.int64)
        which = np.flatnonzero(found.tiers == task.tier)
        info = task.tiers[task.tier]
        if isinstance(self.family, Numbered):
            inside[which] = found.places[which]
        else:
            starts = np.concatenate([[0], np.cumsum(info.positions)])
            for block, part, places in self._by_block(info, found.places[which]):
                at = self._locate(task, task.tier, block, places)
                inside[which[part]] = starts[block] + at
        arrays = {
            "first": found.first.astype("<i8"),
            "after": after.astype("<u2"),
            "inside": inside.astype("<i8"),
            "again": found.again,
            "ended": found.ended.astype("<u2"),
        }
        header = {
            "kind": "links",
            "arrays": [[name, each.dtype.str] for name, each in arrays.items()],
        }
        chunks = [(each.tobytes(), each.size, 0) for each in arrays.values()]
        size = self._write(task.name, blocks.pack_file(header, chunks))
        return {"positions": int(found.ended.size), "bytes": size}

    def _read_links(self, task: Task) -> dict[str, Any]:
        file = ChunkFile(self.folder, file_name("link", task.tier, task.block))
        return {
            name: np.frombuffer(file.content(chunk), kind).copy()  # the kernels may write
            for chunk, (name, kind) in enumerate(file.header["arrays"])
        }

    def _read_pass(self, task: Task, block: int, step: int) -> Any:
        """Return the values of a block after a pass; before the first, all seem drawn."""
        if step == 0:
            return np.full(task.tiers[task.tier].size(block), DRAW, np.uint16)
        file = ValueFile(self.folder, file_name("pass", task.tier, block, step))
        return file.all_values()

    def _improve(self, task: Task, work: Any) -> dict[str, Any]:
        """Improve the values of a block with those of the whole tier after the last pass."""
        links = self._read_links(task)
        info = task.tiers[task.tier]
        before = self._held.get(
            ("pass", task.tier, task.step - 1),
            lambda: np.concatenate(
                [self._read_pass(task, block, task.step - 1) for block in range(info.blocks)]
            ),
        )
        after = links["after"].astype(np.uint16)
        inner = links["inside"] >= 0
        after[inner] = before[links["inside"][inner]]
        values = self._read_pass(task, task.block, task.step - 1).copy()
        changed = kernels.tiers.value_positions(
            links["first"], after, links["again"], links["ended"], values
        )
        header = {"kind": "pass", "tier": task.tier, "block": task.block, "changed": int(changed)}
        size = self._write(task.name, blocks.pack_values(header, values, 2))
        return {"positions": int(values.size), "bytes": size, "changed": int(changed)}

    def _finish_passes(self, task: Task) -> dict[str, Any]:
        values = self._read_pass(task, task.block, task.step)
        return self._write_values(
            task, values, count_values(values, self._read_links(task)["ended"])
        )


def count_values(values: Any, ended: Any) -> list[int]:
    """Return how many positions are won, lost and drawn for the mover, and how many have ended."""
    going_on = values[(ended == 0) & (values != 0)]
    ends = int(np.count_nonzero((ended != 0) & (ended != NOTHING)))
    won = int(np.count_nonzero(going_on > DRAW))
    lost = int(np.count_nonzero(going_on < DRAW))
    return [won, lost, int(going_on.size) - won - lost, ends]
