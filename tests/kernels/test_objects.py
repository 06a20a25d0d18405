"""Compiled kernels on disk: no folder of another user is trusted, and no damaged file is read."""

import os
import tempfile
from pathlib import Path

import pytest

from parlour.kernels import objects

needs_owners = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")


@pytest.fixture
def without_home(monkeypatch, tmp_path):
    """No cache folder can be made; temporary files are in a folder of their own."""
    file = tmp_path / "file"
    file.write_text("a file is no home", encoding="ascii")
    monkeypatch.delenv("PARLOUR_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(file))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    objects.cache_folder.cache_clear()


def ask():
    """The folder, as a new process would find it."""
    objects.cache_folder.cache_clear()
    return objects.cache_folder()


@needs_owners
def test_without_a_home_all_processes_of_a_user_share_one_closed_folder(without_home):
    first = ask()
    assert ask() == first
    assert first.parent == without_home
    assert first.stat().st_mode & 0o777 == 0o700


@needs_owners
@pytest.mark.parametrize("trap", ["open", "link"])
def test_a_folder_that_others_could_write_to_is_not_trusted(without_home, trap):
    laid = without_home / f"parlour-kernels-{os.getuid()}"
    if trap == "open":
        laid.mkdir()
        laid.chmod(0o777)
    else:
        (without_home / "elsewhere").mkdir(mode=0o700)
        laid.symlink_to(without_home / "elsewhere")
    assert ask() != laid
    assert ask().stat().st_mode & 0o777 == 0o700


def test_a_file_is_read_whole_or_not_at_all(monkeypatch, tmp_path):
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path))
    objects.cache_folder.cache_clear()
    objects.write_object("rng", "code", b"compiled")
    assert objects.read_object("rng", "code", own=True) == b"compiled"
    (path,) = tmp_path.rglob("*.kernel")
    data = path.read_bytes()
    for wrong in (b"", data[:-1], data + b"x", data[:-1] + b"?"):
        path.write_bytes(wrong)
        assert objects.read_object("rng", "code", own=True) is None
    objects.cache_folder.cache_clear()


def test_shipped_code_serves_its_level_and_only_where_everything_agrees(monkeypatch, tmp_path):
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path / "cache"))
    objects.cache_folder.cache_clear()
    shipped = tmp_path / "shipped"
    monkeypatch.setattr(objects, "SHIPPED", shipped)
    monkeypatch.setattr(objects, "levels", lambda: ["better", "plain"])
    path = shipped / objects.folder_name("rng", "plain") / "code.kernel"
    path.parent.mkdir(parents=True)
    objects.write_file(path, b"for all")
    assert objects.read_object("rng", "code") == b"for all"
    assert objects.read_object("rng", "code", own=True) is None
    monkeypatch.setattr(objects, "levels", lambda: ["better"])  # an older processor
    assert objects.read_object("rng", "code") is None
    monkeypatch.setattr(objects, "levels", lambda: ["plain"])
    path.write_bytes(path.read_bytes()[:-1])
    assert objects.read_object("rng", "code") is None
    monkeypatch.setattr("numba.__version__", "0.1")
    objects.folder_name.cache_clear()
    assert path.parent.name != objects.folder_name("rng", "plain")
    objects.folder_name.cache_clear()
    objects.cache_folder.cache_clear()


def test_a_level_needs_everything_that_it_names(monkeypatch):
    import llvmlite.binding as llvm

    monkeypatch.setattr(objects.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: "skylake")
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: dict.fromkeys(objects.V3, True))
    assert objects.levels() == ["x86-64-v3"]
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: "znver2")  # packs bits slowly
    assert objects.levels() == []
    monkeypatch.setattr(llvm, "get_host_cpu_name", lambda: "skylake-avx512")
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: dict.fromkeys(objects.V4, True))
    assert objects.levels() == ["x86-64-v4", "x86-64-v3"]
    without = dict.fromkeys(objects.V4, True) | {"popcnt": False}
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: without)
    assert objects.levels() == []


def test_kernels_unused_for_long_are_removed(monkeypatch, tmp_path):
    monkeypatch.setenv("PARLOUR_CACHE", str(tmp_path))
    objects.cache_folder.cache_clear()
    old = tmp_path / "nim-0000000000000000"
    old.mkdir()
    os.utime(old, (0, 0))
    objects.write_object("rng", "code", b"compiled")
    assert not old.exists()
    assert Path(objects.cache_folder()) == tmp_path
    objects.cache_folder.cache_clear()
