"""A solution that lies on disk: values are looked up in its files, of which few are in memory.

A look-up finds the chunk that has the position, and reads it if it is not among those read last.
All positions can be gone through tier by tier, or exported to Parquet for other programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from parlour.core import BadFile, Solution, State, Unsolved, Value, Work, files
from parlour.truth.disk.blocks import CHUNK, ChunkFile, IdFile, ValueFile, decode
from parlour.truth.disk.numbering import Listed, Numbered, Piles, find_family
from parlour.truth.disk.schedule import Manifest
from parlour.truth.disk.storage import Cache, Folder
from parlour.truth.disk.tasks import BLOCK, file_name, id_range, positions_name

MAX_CACHED = 16 * 2**20  # bytes that a process may hold of a solution
MAX_CHUNKS = MAX_CACHED * 2 // 3  # of them for chunks; some is lost between them
MAX_FILES = MAX_CACHED // 8  # and for the tables of open files
OVERHEAD = 500  # bytes that holding a chunk takes besides
FILE_OVERHEAD = 4500  # and an open file, its header among them


class DiskSolution(Solution):
    """Every situation that can arise, with its value, in a folder."""

    method = "tiers on disk"

    def __init__(self, game: Any, folder: Folder, manifest: Manifest) -> None:
        super().__init__(game)
        self.folder, self.manifest = folder, manifest
        self.family: Any = find_family(game)
        self._chunks = Cache(MAX_CHUNKS, _size_of_chunk)
        self._files = Cache(MAX_FILES, _size_of_file)

    def __reduce__(self) -> Any:
        return open_solution, (self.game, self.folder.url)

    def value(self, state: State) -> Value:
        return decode(self._look_up(state)[3], self.manifest.width)

    def rank(self, state: State) -> tuple[int, int]:
        """Return the tier of a position, and its number among the positions of that tier."""
        tier, block, chunk, _, inside = self._look_up(state)
        before = sum(each[0] for each in self.manifest.solved[tier][:block])
        file = self._open(file_name("values", tier, block), ValueFile)
        return tier, before + int(file.table["count"][:chunk].sum()) + inside

    def _look_up(self, state: State) -> tuple[int, int, int, int, int]:
        found = self._find(state)
        if found is None:
            raise Unsolved(
                f"{self.game.write(state)!r} cannot arise from the start of this game, so it was "
                "not solved with it"
            )
        return found

    def _find(self, state: State) -> tuple[int, int, int, int, int] | None:
        """Return the tier, block and chunk of a position, its value and its rank in the chunk."""
        tier, place = self.family.find(state)
        info = self.manifest.tiers.get(tier)
        if info is None:
            return None
        if isinstance(self.family, Listed):
            block = min(place * info.blocks >> self.family.bits, info.blocks - 1)
            if place >= id_range(self.family.bits, info.blocks, block)[1]:
                block += 1
            at = self._find_id(positions_name(tier, info, block), place)
            if at is None:
                return None
            chunk, inside = divmod(at, CHUNK)
        else:
            if not 0 <= place < info.numbers:
                return None
            block, rest = divmod(place, BLOCK)
            chunk, inside = divmod(rest, CHUNK)
        name = file_name("values", tier, block)
        file = self._open(name, ValueFile)
        content = self._chunks.get((name, chunk), lambda: file.content(chunk))
        found = file.find(content, chunk, inside)
        return None if found is None or not found[0] else (tier, block, chunk, *found)

    def _find_id(self, name: str, place: int) -> int | None:
        file = self._open(name, IdFile)
        wanted = np.uint64(place)
        chunk = int(np.searchsorted(file.table["first"], wanted, "right")) - 1
        if chunk < 0:
            return None
        ids = self._chunks.get((name, chunk), lambda: file.ids(chunk))
        at = int(np.searchsorted(ids, wanted))
        return chunk * CHUNK + at if at < ids.size and ids[at] == wanted else None

    def _open(self, name: str, kind: type[Any]) -> Any:
        return self._files.get(name, lambda: kind(self.folder, name))

    def counts(self) -> dict[str, int]:
        counts = dict(self.manifest.counts)
        if isinstance(self.family, Piles):
            for piles in self.family.unreachable():
                value = self.value((0, 3, *piles))
                ended = sum(piles) == 0 or piles in self.family.endings.get(sum(piles), ())
                counts["end" if ended else value.outcome] -= 1
        return counts

    @property
    def bytes(self) -> int:
        """How much room the solution takes."""
        names = self.folder.names()
        return sum(len(view) for name in names if (view := self.folder.open(name)) is not None)

    def __iter__(self) -> Iterator[tuple[State, Value]]:
        """Yield a state of every situation with its value, tier by tier."""
        for _, _, states, values in self._parts():
            for state, number in zip(states, values.tolist(), strict=True):
                yield state, decode(number, self.manifest.width)

    def _parts(self) -> Iterator[tuple[int, Any, list[State], Any]]:
        """Yield the situations of every chunk: their tier, their ranks there, states and values."""
        family = self.family
        cut = set(family.unreachable()) if isinstance(family, Piles) else set()
        for tier, info in self.manifest.tiers.items():
            rank = 0
            for block in range(info.blocks):
                file = ValueFile(self.folder, file_name("values", tier, block))
                for chunk in range(len(file)):
                    values = file.values(chunk)
                    present = np.flatnonzero(values)
                    start = block * BLOCK + chunk * CHUNK
                    if isinstance(family, Numbered):
                        all_states = family.states(tier, start, start + values.size)
                        states = [all_states[at] for at in present.tolist()]
                    else:
                        ids = IdFile(self.folder, positions_name(tier, info, block))
                        texts = ids.texts(chunk) if ids.header["texts"] else None
                        states = family.states(ids.ids(chunk), texts)
                    ranks, found = np.arange(rank, rank + present.size), values[present]
                    if cut:
                        piles = [family.arrange(state[2:]) for state in states]
                        kept = [at for at, each in enumerate(piles) if each not in cut]
                        states = [states[at] for at in kept]
                        ranks, found = ranks[kept], found[kept]
                    yield tier, ranks, states, found
                    rank += present.size

    def to_parquet(self, path: Path | str, work: Work | None = None) -> int:
        """Write all situations to a Parquet file; return how many.

        Its columns are `tier`, `number` (among the positions of the tier), `position`, `turn`,
        `outcome` and `plies`.
        """
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise ImportError(
                "exporting to Parquet needs pyarrow; pip install 'parlour[disk]'"
            ) from None
        path, work = Path(path), work or Work()
        names = pa.dictionary(pa.int8(), pa.string())
        columns = pa.schema(
            [
                *(("tier", pa.int32()), ("number", pa.int64()), ("position", pa.string())),
                *(("turn", pa.int8()), ("outcome", names), ("plies", pa.int16())),
            ]
        )
        partial = path.with_name(f".{path.name}.part")
        work.total, done = sum(self.manifest.counts.values()), 0
        try:
            with files.explain_errors("write", path), pq.ParquetWriter(partial, columns) as writer:
                for tier, ranks, states, values in self._parts():
                    if work.stopped:
                        raise Unsolved(f"stopped after {done:,} positions; nothing was written")
                    found = [decode(each, self.manifest.width) for each in values.tolist()]
                    size = len(states)
                    table = {
                        "tier": [tier] * size,
                        "number": ranks,
                        "position": list(map(self.game.write, states)),
                        "turn": list(map(self.game.turn, states)),
                        "outcome": pa.array([each.outcome for each in found]).cast(names),
                        "plies": [each.plies for each in found],
                    }
                    writer.write_table(pa.table(table, schema=columns))
                    done += size
                    work.done = done
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        return done


def open_solution(game: Any, url: str | Path) -> DiskSolution:
    """Return the solution of a game that lies in a folder; `BadFile` unless it is there whole."""
    folder = Folder(url)
    manifest = Manifest.read(folder)
    if manifest is None:
        raise BadFile(f"there is no solution in {folder.url}")
    if not manifest.holds(game):
        raise BadFile(f"{folder.url} holds the solution of another game")
    if not manifest.complete:
        raise BadFile(f"the solution in {folder.url} is not finished; solve the game there again")
    return DiskSolution(game, folder, manifest)


def _size_of_chunk(chunk: Any) -> int:
    return memoryview(chunk).nbytes + OVERHEAD


def _size_of_file(file: ChunkFile) -> int:
    return int(file.table.nbytes + file.offsets.nbytes) + FILE_OVERHEAD
