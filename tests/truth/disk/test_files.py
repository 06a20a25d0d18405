"""A solution survives any damage to its files: they are made again."""

from __future__ import annotations

import errno
import os
import random
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.truth.disk import Damaged, Folder, NoRoom, blocks
from tests.conftest import LONG
from tests.truth.disk.test_solutions import read_all
from tests.truth.disk.toys import Morris

GAME = parlour.game("tictactoe", columns=4, rows=3)


def test_any_flipped_bit_is_noticed(tmp_path: Path) -> None:
    parlour.solve(GAME, disk=tmp_path)
    path = tmp_path / "7" / "000000.values"
    data = path.read_bytes()
    assert blocks.is_sound(Folder(tmp_path), "7/000000.values")
    chance = random.Random(0)
    for place in range(0, len(data), 1 if LONG else 5):
        changed = bytearray(data)
        changed[place] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        assert not blocks.is_sound(Folder(tmp_path), "7/000000.values"), place
    for size in (0, 1, 10, len(data) - 1):
        path.write_bytes(data[:size])
        assert not blocks.is_sound(Folder(tmp_path), "7/000000.values"), size


@pytest.mark.slow
def test_a_damaged_block_is_named_when_it_is_read_and_made_again(tmp_path: Path) -> None:
    solution: Any = parlour.solve(GAME, disk=tmp_path)
    before = read_all(tmp_path)
    for name in ("7/000000.values", "11/000000.values", "manifest.json"):
        path = tmp_path / name
        data = bytearray(path.read_bytes())
        data[-3] ^= 4
        path.write_bytes(data)
    with pytest.raises(Damaged, match=r"7/000000\.values is damaged; solve the game"):
        list(solution)
    parlour.solve(GAME, disk=tmp_path)
    assert read_all(tmp_path) == before


@pytest.mark.slow
def test_damaged_lists_of_positions_are_made_again(tmp_path: Path) -> None:
    game = Morris()
    parlour.solve(game, disk=tmp_path)
    before = read_all(tmp_path)
    for name in ("4/000000.layer0", "6/000000.positions"):
        path = tmp_path / name
        data = bytearray(path.read_bytes())
        data[-3] ^= 4
        path.write_bytes(data)
        parlour.solve(game, disk=tmp_path)
        assert read_all(tmp_path) == before, name


def test_a_full_disk_stops_with_a_sentence_and_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parlour.solve(GAME, disk=tmp_path / "whole")
    writes = 0
    sync = os.fsync

    def fill_up(file: int) -> None:
        nonlocal writes
        writes += 1
        if writes % 6 == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(file)

    monkeypatch.setattr(os, "fsync", fill_up)
    stops = 0
    while True:
        try:
            parlour.solve(GAME, disk=tmp_path / "tight")
        except NoRoom as error:
            stops += 1
            assert "make some and start it again" in str(error)
        else:
            break
    assert stops >= 2
    assert read_all(tmp_path / "tight") == read_all(tmp_path / "whole")


def test_work_that_is_stopped_goes_on(tmp_path: Path) -> None:
    work = parlour.Work()
    work.stop()
    with pytest.raises(parlour.Unsolved, match="what is done is kept"):
        parlour.solve(GAME, disk=tmp_path, work=work)
    assert parlour.solve(GAME, disk=tmp_path).value(GAME.start()).plies == 7


def test_a_folder_may_be_elsewhere(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    parlour.solve(GAME, disk=tmp_path)
    solution: Any = parlour.solve(GAME, disk="memory://solved/oblong")
    assert solution.value(GAME.start()).plies == 7
    there = fsspec.filesystem("memory")
    files = {
        name.partition("/solved/oblong/")[2]: there.cat_file(name)
        for name in there.find("/solved/oblong")
    }
    assert files == read_all(tmp_path)
