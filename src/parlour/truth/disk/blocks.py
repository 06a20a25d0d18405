"""The file of a block: chunks that are compressed one by one, each with its checksum.

Any chunk can be read alone. The file begins with a line that says what it is, a header in JSON, and
a table with a row for each chunk; a checksum covers all of that, and one in the table covers each
chunk. So one changed bit anywhere is noticed.

A value takes one byte or two: 0 where there is no position, 1 + d for a loss in d plies, the top
less d for a win in d plies, and the middle for a draw. Inside a program it always has two.
"""

from __future__ import annotations

import json
import threading
import zlib
from typing import Any

import numpy as np

from parlour.core import OUTCOMES, BadFile, ParlourError, TooLarge, Value
from parlour.truth.disk.storage import Folder

MAGIC = b"parlour block 1\n"
CHUNK = 1 << 12  # numbers in a chunk, as the kernels know
ID_BITS = 63
ROW = [("size", "<u4"), ("count", "<u4"), ("first", "<u8"), ("check", "<u4")]
LEVEL = 3  # of the compression: more takes longer and saves little

DRAW, TOP = 32768, 65535  # in two bytes
NARROW_DRAW, NARROW_TOP = 128, 255
MAX_PLIES = {1: NARROW_DRAW - 2, 2: DRAW - 2}  # by width
WIDE = np.arange(256, dtype=np.uint16)  # what each value of one byte is in two
WIDE[NARROW_DRAW] = DRAW
WIDE[NARROW_DRAW + 1 :] += TOP - NARROW_TOP


class Damaged(BadFile):
    """A file of a solution that does not hold what was written."""

    def __init__(self, name: str, url: str) -> None:
        super().__init__(name, url)
        self.name, self.url = name, url

    def __str__(self) -> str:
        return (
            f"{self.url}/{self.name} is damaged; solve the game in that folder again, and only "
            "what is damaged is made again"
        )


# Values


def decode(number: int, width: int) -> Value:
    """Return the value that a number of one byte or two stands for."""
    draw, top = (NARROW_DRAW, NARROW_TOP) if width == 1 else (DRAW, TOP)
    if number == draw:
        return Value("draw")
    return Value(OUTCOMES[0], number - 1) if number < draw else Value(OUTCOMES[2], top - number)


def widen(values: Any) -> Any:
    """Return values of one byte as values of two."""
    return WIDE[values] if values.dtype == np.uint8 else values


def narrow(values: Any, width: int) -> Any:
    """Return values of two bytes in this width; `TooLarge` where a game is too long for it."""
    if width == 2:
        return values
    far = ((values > NARROW_DRAW - 1) & (values < DRAW)) | (
        (values > DRAW) & (values < TOP - MAX_PLIES[1])
    )
    if far.any():
        raise TooLarge("a game lasts longer than max_plies() says; let it say more, and start anew")
    low = np.where(values == DRAW, NARROW_DRAW, values & 0xFF)
    return low.astype(np.uint8)


# Files


def _compression() -> Any:
    try:
        import zstandard
    except ImportError:
        raise ParlourError(
            "solutions on disk need zstandard; pip install 'parlour[disk]'"
        ) from None
    return zstandard


_local = threading.local()


def compress(content: bytes) -> bytes:
    """Return bytes compressed, the same on every machine with the same library."""
    if not hasattr(_local, "compressor"):
        _local.compressor = _compression().ZstdCompressor(level=LEVEL, write_content_size=True)
    packed: bytes = _local.compressor.compress(content)
    return packed


def decompress(packed: bytes) -> bytes:
    """Return what was compressed."""
    if not hasattr(_local, "decompressor"):
        _local.decompressor = _compression().ZstdDecompressor()
    content: bytes = _local.decompressor.decompress(packed)
    return content


def pack_file(header: dict[str, Any], chunks: list[tuple[bytes, int, int]]) -> bytes:
    """Return a file of chunks, each given by its content, how much it counts and its first id."""
    packed = [compress(content) for content, _, _ in chunks]
    table = np.zeros(len(chunks), ROW)
    table["size"] = [len(each) for each in packed]
    table["count"] = [count for _, count, _ in chunks]
    table["first"] = [first for _, _, first in chunks]
    table["check"] = [zlib.crc32(each) for each in packed]
    text = json.dumps({**header, "chunks": len(chunks)}, sort_keys=True).encode()
    head = MAGIC + len(text).to_bytes(4, "little") + text + table.tobytes()
    return b"".join([head, zlib.crc32(head).to_bytes(4, "little"), *packed])


class ChunkFile:
    """A file of chunks, open for reading."""

    def __init__(self, folder: Folder, name: str) -> None:
        self.name, self.folder = name, folder
        view = folder.open(name)
        if view is None:
            raise Damaged(name, folder.url)
        self.view = view
        lead = len(MAGIC) + 4
        try:
            start = bytes(view[0:lead])
            length = int.from_bytes(start[-4:], "little")
            text = bytes(view[lead : lead + length])
            self.header: dict[str, Any] = json.loads(text)
            rows = self.header["chunks"]
            table = bytes(view[lead + length : lead + length + rows * np.dtype(ROW).itemsize])
            end = lead + length + len(table)
            check = int.from_bytes(bytes(view[end : end + 4]), "little")
            if start[:-4] != MAGIC or zlib.crc32(start + text + table) != check:
                raise Damaged(name, folder.url)
            self.table = np.frombuffer(table, ROW, count=rows)
        except (ValueError, KeyError, TypeError, MemoryError, OverflowError):
            raise Damaged(name, folder.url) from None
        self.offsets = (
            np.concatenate([[0], np.cumsum(self.table["size"], dtype=np.int64)]) + end + 4
        )
        if int(self.offsets[-1]) != len(view):
            raise Damaged(name, folder.url)

    def __len__(self) -> int:
        return len(self.table)

    def packed(self, chunk: int) -> bytes:
        """Return a chunk as it is stored, if that is what was written."""
        data = bytes(self.view[int(self.offsets[chunk]) : int(self.offsets[chunk + 1])])
        if zlib.crc32(data) != int(self.table["check"][chunk]):
            raise Damaged(self.name, self.folder.url)
        return data

    def content(self, chunk: int) -> bytes:
        """Return the content of a chunk."""
        return decompress(self.packed(chunk))

    def check(self) -> None:
        """Raise `Damaged` where anything is not as it was written."""
        for chunk in range(len(self)):
            self.packed(chunk)


def is_sound(folder: Folder, name: str) -> bool:
    """Return whether a file is there and undamaged."""
    try:
        ChunkFile(folder, name).check()
    except Damaged:
        return False
    return True


# Blocks of values: those numbers that are positions, and where they are among the others


def pack_values(header: dict[str, Any], values: Any, width: int) -> bytes:
    """Return the file of a block of values, in one byte or two; 0 stands for no position."""
    present = values != 0
    bits = np.packbits(present, bitorder="little").tobytes()  # a chunk begins with a byte
    data = values[present].tobytes()
    chunks, done = [], 0
    for start in range(0, values.size, CHUNK):
        count = int(np.count_nonzero(present[start : start + CHUNK]))
        content = data[done * width : (done + count) * width]
        size = min(CHUNK, values.size - start)
        if count < size:
            content = bits[start // 8 : (start + size + 7) // 8] + content
        chunks.append((content, count, 0))
        done += count
    return pack_file(
        {**header, "numbers": int(values.size), "positions": done, "width": width}, chunks
    )


class ValueFile(ChunkFile):
    """A block of values, open for reading."""

    @property
    def kind(self) -> str:
        """The type of the values, by its name in numpy."""
        return f"<u{self.header['width']}"

    def _size(self, chunk: int) -> int:
        return min(CHUNK, int(self.header["numbers"]) - chunk * CHUNK)

    def values(self, chunk: int) -> Any:
        """Return the values of a chunk, with 0 for no position."""
        content, size = self.content(chunk), self._size(chunk)
        if int(self.table["count"][chunk]) == size:
            return np.frombuffer(content, self.kind)
        at = (size + 7) // 8
        bits = np.unpackbits(np.frombuffer(content, np.uint8, at), count=size, bitorder="little")
        found = np.zeros(size, self.kind)
        found[bits.view(bool)] = np.frombuffer(content, self.kind, offset=at)
        return found

    def all_values(self) -> Any:
        """Return the values of all chunks, with 0 for no position."""
        parts = [self.values(chunk) for chunk in range(len(self))]
        return np.concatenate([np.empty(0, self.kind), *parts])

    def find(self, content: bytes, chunk: int, place: int) -> tuple[int, int] | None:
        """Return the value at a place of a chunk's content and its rank there; None if none is."""
        size, width = self._size(chunk), self.header["width"]
        at, rank = 0, place
        if int(self.table["count"][chunk]) < size:
            at = (size + 7) // 8
            byte, bit = divmod(place, 8)
            if not content[byte] >> bit & 1:
                return None
            below = content[byte] & (1 << bit) - 1
            rank = int.from_bytes(content[:byte], "little").bit_count() + below.bit_count()
        start = at + rank * width
        return int.from_bytes(content[start : start + width], "little"), rank


# Blocks of positions: ascending ids and, for games known only by their rules, the positions as text


def pack_ids(header: dict[str, Any], ids: Any, texts: list[str] | None = None) -> bytes:
    """Return the file of a list of ascending ids."""
    chunks = []
    for start in range(0, ids.size, CHUNK):
        part = ids[start : start + CHUNK].astype(np.uint64)
        gaps = np.diff(part, prepend=part[:1])
        wide = max(1, (int(gaps.max()).bit_length() + 7) // 8)
        planes = gaps.astype("<u8").view(np.uint8).reshape(-1, 8)[:, :wide].T
        content = bytes([wide]) + planes.tobytes()
        if texts is not None:
            content += "\n".join(texts[start : start + CHUNK]).encode()
        chunks.append((content, int(part.size), int(part[0])))
    return pack_file({**header, "positions": int(ids.size)}, chunks)


class IdFile(ChunkFile):
    """A list of ascending ids, open for reading."""

    def ids(self, chunk: int, content: bytes | None = None) -> Any:
        """Return the ids of a chunk."""
        content = content or self.content(chunk)
        count, wide = int(self.table["count"][chunk]), content[0]
        planes = np.frombuffer(content, np.uint8, count * wide, 1).reshape(wide, count)
        gaps = np.zeros((count, 8), np.uint8)
        gaps[:, :wide] = planes.T
        return np.cumsum(gaps.view("<u8").ravel(), dtype=np.uint64) + self.table["first"][chunk]

    def texts(self, chunk: int) -> list[str]:
        """Return the positions of a chunk as text."""
        content = self.content(chunk)
        return content[1 + int(self.table["count"][chunk]) * content[0] :].decode().split("\n")

    def all_ids(self, low: int = 0, high: int = 1 << ID_BITS) -> Any:
        """Return all ids from `low` to below `high`."""
        parts = [self.ids(chunk) for chunk in self._between(low, high)]
        ids = np.concatenate([np.empty(0, np.uint64), *parts])
        start, stop = np.searchsorted(ids, np.array([low, high], np.uint64))
        return ids[start:stop]

    def all_texts(self, low: int = 0, high: int = 1 << ID_BITS) -> dict[int, str]:
        """Return all positions as text, by their ids from `low` to below `high`."""
        found: dict[int, str] = {}
        for chunk in self._between(low, high):
            found |= dict(zip(self.ids(chunk).tolist(), self.texts(chunk), strict=True))
        return {each: text for each, text in found.items() if low <= each < high}

    def _between(self, low: int, high: int) -> range:
        """Return the chunks that may have ids from `low` to below `high`."""
        after, stop = np.searchsorted(self.table["first"], np.array([low + 1, high], np.uint64))
        return range(max(0, int(after) - 1), int(stop))
