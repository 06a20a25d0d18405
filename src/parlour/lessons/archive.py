"""An archive of Othello games, in which every position is found in a millisecond.

Each move of each game is one entry: a number for the position and the move, and the game. The
entries lie in one file in the order of these numbers, which is mapped into memory: a look-up reads
the few pages it needs, and processes share them. Positions are turned and mirrored to one form
first, all games in step, so that 130,000 games take seconds. What was read of each source is kept
until the file is whole, so that whoever stops goes on from there.

The number has 57 bits of a hash, one for the colour to move, and six for the square. Two of the
eight million positions of such an archive share a hash with a chance of one in 4,000.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.core import BadFile, BadText, Move, ParlourError, State, Work, files, to_work
from parlour.lessons.tally import OutcomeTally
from parlour.rules import PASS, Othello
from parlour.rules.formats import Transcript, add_passes, is_wthor, read_games

MAGIC = b"parlour archive 1\n"
SUFFIXES = (".wtb", ".ggf", ".jsonl")  # of the files in a folder that are read
SIDE, SQUARES = 8, 64
MOST_MOVES = 60
NO_SQUARE = 27  # a pass, in place of a square in the middle, which is never taken
HEADER, ENTRY = 16, 68  # bytes of a WTHOR file's header and of one game
DISCS, MOVES = 6, 8  # offsets in a game: of black's discs, and of the moves
BLOCK = 8192  # games replayed in step, as many as stay in the cache
SQUARE_BITS, TURN_BIT = 6, 6
STANDARD = Othello(columns=SIDE, rows=SIDE)


class ArchiveGame(NamedTuple):
    """A game of the archive: where it comes from, its moves without passes, and black's lead."""

    source: str
    moves: str
    lead: int


class Batch(NamedTuple):
    """The games of one source: moves as squares from 1, then zeros, and black's lead."""

    moves: NDArray[Any]
    leads: NDArray[Any]


# Reading the sources


def list_game_files(paths: Iterable[Path | str]) -> list[Path]:
    """Return the files that are named, and those with games in the folders that are."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            held = [p for p in path.rglob("*") if p.suffix.casefold() in SUFFIXES and p.is_file()]
            if not held:
                raise BadFile(f"{path} holds no games; their names end with {', '.join(SUFFIXES)}")
            found += sorted(held)
        else:
            found.append(path)
    return found


def read_source(data: bytes) -> Batch:
    """Return the games of a file of any format; those of other rules or starts are left out."""
    if is_wthor(data):
        number = len(read_games(data))  # which checks the header
        rows = np.frombuffer(data, np.uint8, ENTRY * number, HEADER).reshape(number, ENTRY)
        typed = rows[:, MOVES:].astype(np.int16)
        squares = (typed // 10 - 1) * SIDE + typed % 10  # from 1
        fits = (typed // 10 <= SIDE) & (typed % 10 <= SIDE) & (typed % 10 >= 1)
        squares = np.where(typed == 0, 0, np.where(fits, squares, NO_SQUARE + 1))
        return Batch(
            squares.astype(np.uint8),
            (2 * rows[:, DISCS].astype(np.int16) - SQUARES).astype(np.int8),
        )
    moves, leads = [], []
    games = read_games(data)
    for transcript in (games[number] for number in range(len(games))):
        if transcript.game == STANDARD and transcript.start == STANDARD.start():
            played = [1 + c + SIDE * r for c, r in transcript.moves if (c, r) != PASS]
            moves.append(played + [0] * (MOST_MOVES - len(played)))
            leads.append(_lead_of(transcript))
    return Batch(
        np.array(moves, np.uint8).reshape(len(moves), MOST_MOVES), np.array(leads, np.int8)
    )


def _lead_of(transcript: Transcript) -> int:
    if transcript.lead is not None:
        return int(transcript.lead)
    *_, (last, _) = transcript.positions()
    return transcript.game.score(last)


# Entries


def _transforms(masks: NDArray[Any]) -> list[NDArray[Any]]:
    """Return masks under the eight symmetries of the board."""
    u = np.uint64

    def mirror(x: NDArray[Any]) -> NDArray[Any]:
        x = ((x >> u(1)) & u(0x5555555555555555)) | ((x & u(0x5555555555555555)) << u(1))
        x = ((x >> u(2)) & u(0x3333333333333333)) | ((x & u(0x3333333333333333)) << u(2))
        return ((x >> u(4)) & u(0x0F0F0F0F0F0F0F0F)) | ((x & u(0x0F0F0F0F0F0F0F0F)) << u(4))

    def transpose(x: NDArray[Any]) -> NDArray[Any]:
        for shift, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0xF0F0F0F0)):
            t = (x ^ (x >> u(shift))) & u(mask)
            x = x ^ t ^ (t << u(shift))
        return x

    found = []
    for each in (masks, transpose(masks)):
        for way in (each, mirror(each)):
            found += [way, way.byteswap()]
    return found


def _transform_squares(squares: NDArray[Any]) -> list[NDArray[Any]]:
    """Return squares under the same symmetries, in the same order."""
    found = []
    for each in (squares, squares >> 3 | (squares & 7) << 3):
        for way in (each, each ^ 7):
            found += [way, way ^ 56]
    return found


def _scramble(x: NDArray[Any]) -> NDArray[Any]:
    u = np.uint64
    x = (x ^ (x >> u(30))) * u(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> u(27))) * u(0x94D049BB133111EB)
    scrambled: NDArray[Any] = x ^ (x >> u(31))
    return scrambled


def number_entries(
    own: NDArray[Any], other: NDArray[Any], turn: NDArray[Any], squares: NDArray[Any]
) -> NDArray[Any]:
    """Return the numbers of positions with a move each; a square of 64 or more is a pass.

    Of all symmetric forms the smallest is taken, by the mover's discs, the other's, and the square.
    """
    u = np.uint64
    first, second = own.copy(), other.copy()
    third = squares.astype(np.int64)
    ways = zip(
        _transforms(own),
        _transforms(other),
        _transform_squares(squares.astype(np.int64)),
        strict=True,
    )
    for mine, yours, square in ways:
        same = mine == first
        less = (mine < first) | (same & ((yours < second) | ((yours == second) & (square < third))))
        np.copyto(first, mine, where=less)
        np.copyto(second, yours, where=less)
        np.copyto(third, square, where=less)
    third[squares >= SQUARES] = NO_SQUARE
    hashed = _scramble(first + u(0x9E3779B97F4A7C15) * _scramble(second + u(0x632BE59BD9B4E019)))
    low = third.astype(u) | turn.astype(u) << u(TURN_BIT)
    return hashed & ~u(127) | low


def list_entries(batch: Batch) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Replay games in step; return the entries' numbers, their games, and which games are legal."""
    keys, games, legal = [], [], np.zeros(len(batch.leads), bool)
    for first in range(0, len(batch.leads), BLOCK):
        moves = batch.moves[first : first + BLOCK]
        numbers, owners, good = _replay(moves)
        keys.append(numbers)
        games.append((owners + first).astype(np.uint32))
        legal[first : first + len(moves)] = good
    if not keys:
        return np.zeros(0, np.uint64), np.zeros(0, np.uint32), legal
    return np.concatenate(keys), np.concatenate(games), legal


def _replay(moves: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the entries of some games, and which of the games are legal; others have none."""
    from parlour.kernels.othello import batch

    size = len(moves)
    start = STANDARD.start()
    own, other = np.full(size, start[0], np.uint64), np.full(size, start[1], np.uint64)
    turn = np.zeros(size, np.int64)
    free = np.full(size, STANDARD.legal(start[0], start[1]), np.uint64)
    good, playing = np.ones(size, bool), np.ones(size, bool)
    at = np.zeros(size, np.int64)
    padded = np.concatenate([moves, np.zeros((size, 1), np.uint8)], axis=1).astype(np.int64)
    numbers, owners = [], []
    while playing.any():
        passes = free == 0
        squares = padded[np.arange(size), at] - 1
        playing &= squares >= 0  # a pass too is only counted where a move follows
        actions = np.where(passes, SQUARES, squares)
        fits = passes | ((free >> np.maximum(squares, 0).astype(np.uint64)) & np.uint64(1) == 1)
        good &= fits | ~playing
        playing &= fits
        here = np.flatnonzero(playing)
        numbers.append(number_entries(own[here], other[here], turn[here], actions[here]))
        owners.append(here)
        ended = np.zeros(size, bool)
        batch.play(own, other, turn, free, actions, playing, np.zeros((size, 2), "f4"), ended, 0)
        at += playing & ~passes
        good &= ~(ended & (padded[np.arange(size), at] > 0))  # moves after the end
        playing &= ~ended
    made, by = np.concatenate(numbers), np.concatenate(owners)
    kept = good[by]
    return made[kept], by[kept], good


# The file


def build_archive(
    paths: Iterable[Path | str], *, folder: Path | str | None = None, work: Work | None = None
) -> Path:
    """Make the archive of all games in these files and folders, once, and return its file.

    It is kept in a folder of the user's data unless another is named. An archive of the same games
    is not made again; one that was interrupted goes on with the source it had come to.
    """
    work = to_work(work)
    sources: dict[str, tuple[str, bytes]] = {}
    for path in list_game_files(paths):
        with files.explain_errors("read", path):
            data = path.read_bytes()
        sources.setdefault(hashlib.sha256(data).hexdigest()[:20], (path.name, data))
    if not sources:
        raise ParlourError("name a file or a folder with games of Othello")
    home = Path(folder) if folder is not None else files.data_folder() / "explorer"
    whole = hashlib.sha256(" ".join(sorted(sources)).encode()).hexdigest()[:20]
    path = home / f"{whole}.games"
    if path.exists():
        return path
    files.check_writable(path)
    work.done, work.total = 0, len(sources) + 1
    parts = []
    for digest, (name, data) in sources.items():
        part = home / f"{digest}.part.npz"
        if not part.exists():
            _write_part(part, name, data)
        parts.append((name, part))
        work.done += 1
        if work.stopped:
            raise ParlourError("stopped; what was read is kept, and the next time it goes on")
    _write_archive(path, parts)
    for _, part in parts:
        part.unlink(missing_ok=True)
    work.done += 1
    return path


def _write_part(path: Path, name: str, data: bytes) -> None:
    """Write the entries of one source, whole or not at all."""
    try:
        batch = read_source(data)
    except BadText as error:
        raise BadText(f"{name}: {error}") from None
    keys, games, legal = list_entries(batch)
    order = np.argsort(keys, kind="stable")
    packed = io.BytesIO()
    np.savez(
        packed,
        keys=keys[order],
        games=games[order],
        moves=batch.moves,
        leads=batch.leads,
        legal=legal,
    )
    files.write_whole(path, packed.getvalue())


def _write_archive(path: Path, parts: Sequence[tuple[str, Path]]) -> None:
    """Merge the parts to one file, whole or not at all."""
    held = []
    for _, part in parts:
        with np.load(part) as data:
            held.append({name: data[name] for name in data.files})
    firsts = np.cumsum([0, *(len(each["leads"]) for each in held)])
    keys = np.concatenate([each["keys"] for each in held])
    games = np.concatenate([each["games"] + np.uint32(n) for each, n in zip(held, firsts)])  # noqa: B905 - the last is the end
    order = np.argsort(keys, kind="stable")  # quick, as each part is in order
    arrays = {
        "keys": keys[order],
        "games": games[order],
        "moves": np.concatenate([each["moves"] for each in held]),
        "leads": np.concatenate([each["leads"] for each in held]),
    }
    header = {
        "sources": [name for name, _ in parts],
        "firsts": firsts.tolist(),
        "games": int(sum(each["legal"].sum() for each in held)),
        "arrays": {name: [str(each.dtype), each.shape] for name, each in arrays.items()},
    }
    text = MAGIC + json.dumps(header).encode()
    written = [text + b" " * (-(len(text) + 1) % 64) + b"\n"]
    written += [each.tobytes() + b"\0" * (-each.nbytes % 64) for each in arrays.values()]
    files.write_whole(path, b"".join(written))


class Archive:
    """The games of such a file, found by position."""

    def __init__(self, path: Path | str) -> None:
        path = Path(path)
        with files.explain_errors("read", path), path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise BadFile(f"{path} is not an archive of games that Parlour has made")
            line = file.readline()
            at = file.tell()
        header = json.loads(line)
        self.sources: list[str] = header["sources"]
        self.games: int = header["games"]  # that could be replayed
        self._firsts: list[int] = header["firsts"]
        self._arrays: dict[str, Any] = {}
        for name, (kind, shape) in header["arrays"].items():
            size = int(np.prod(shape)) * np.dtype(kind).itemsize
            self._arrays[name] = (
                np.memmap(path, kind, "r", at, tuple(shape)) if size else np.zeros(shape, kind)
            )
            at += size + -size % 64

    def covers(self, game: Any) -> bool:
        """Whether the archive has games by these rules; a start that is mirrored is the same."""
        return isinstance(game, Othello) and game.columns == game.rows == SIDE and not game.misere

    def find(self, game: Any, state: State) -> dict[Move, OutcomeTally]:
        """Return what was played in a position, by each move that was."""
        found: dict[Move, OutcomeTally] = {}
        if not self.covers(game) or not game.moves(state):
            return found
        lowest, highest = self._range(state)
        counted = self._count(lowest, highest)
        for move, square in self._squares(game, state).items():
            if square in counted:
                found[move] = counted[square]
        return found

    def list_games(
        self, game: Any, state: State, limit: int, move: Move | None = None
    ) -> list[ArchiveGame]:
        """List games that went through a position, and on with a move; the latest first."""
        if not self.covers(game) or not game.moves(state):
            return []
        lowest, highest = self._range(state)
        games = self._arrays["games"][lowest:highest]
        if move is not None:
            square = self._squares(game, state).get(move, -1)
            games = games[(self._arrays["keys"][lowest:highest] & np.uint64(63)) == square]
        latest = np.unique(games)[::-1][:limit]
        return [self._game(int(number)) for number in latest]

    def draw_lines(self, chance: random.Random) -> Iterator[list[State]]:
        """Yield the positions of one game after another, drawn by chance, without end."""
        while len(self._arrays["leads"]):
            moves = self._arrays["moves"][chance.randrange(len(self._arrays["leads"]))]
            squares = [((int(each) - 1) % SIDE, (int(each) - 1) // SIDE) for each in moves if each]
            try:
                played = add_passes(STANDARD, STANDARD.start(), squares)
            except BadText:  # one of the few that were left out
                continue
            yield [state for state, _ in Transcript(STANDARD, STANDARD.start(), played).positions()]

    def _game(self, number: int) -> ArchiveGame:
        squares = [int(each) - 1 for each in self._arrays["moves"][number] if each]
        moves = "".join(f"{'abcdefgh'[each % SIDE]}{each // SIDE + 1}" for each in squares)
        source = self.sources[bisect_right(self._firsts, number) - 1]
        return ArchiveGame(source, moves, int(self._arrays["leads"][number]))

    def _range(self, state: State) -> tuple[int, int]:
        """Return where the entries of a position begin and end, for both colours to move."""
        own, other = (np.array([each], np.uint64) for each in state[:2])
        turn = squares = np.zeros(1, np.int64)
        first = number_entries(own, other, turn, squares)[0] & ~np.uint64(127)
        keys = self._arrays["keys"]
        lowest = int(np.searchsorted(keys, first, "left"))
        return lowest, int(np.searchsorted(keys, first | np.uint64(127), "right"))

    def _count(self, lowest: int, highest: int) -> Mapping[int, OutcomeTally]:
        low = (self._arrays["keys"][lowest:highest] & np.uint64(127)).astype(np.int64)
        leads = np.asarray(self._arrays["leads"])[self._arrays["games"][lowest:highest]]
        sign = np.sign(leads).astype(np.int64) * (1 - 2 * (low >> TURN_BIT))
        table = np.bincount((low & 63) * 3 + 1 - sign, minlength=3 * SQUARES).reshape(SQUARES, 3)
        return {
            int(square): OutcomeTally(*map(int, table[square]))
            for square in np.flatnonzero(table.sum(axis=1))
        }

    def _squares(self, game: Othello, state: State) -> dict[Move, int]:
        """Return the number of each move's square in the form of the position that is stored."""
        moves = game.moves(state)
        size = len(moves)
        places = [SQUARES if m == PASS else m[0] + SIDE * m[1] for m in moves]
        own, other = (np.full(size, each, np.uint64) for each in state[:2])
        numbers = number_entries(own, other, np.zeros(size, np.int64), np.array(places))
        return {move: int(n & np.uint64(63)) for move, n in zip(moves, numbers, strict=True)}
