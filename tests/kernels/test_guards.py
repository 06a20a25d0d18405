"""The two promises of `kernel`: one signature each, and a second process compiles nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import parlour

REPORT = """
import importlib, pkgutil
import parlour.kernels as room
for module in pkgutil.iter_modules(room.__path__):
    importlib.import_module(f"parlour.kernels.{module.name}")
assert room.KERNELS
for name, kernel in room.KERNELS.items():
    misses = sum(kernel.stats.cache_misses.values())
    print(name, len(kernel.signatures), len(kernel.overloads), misses)
print(room.cache_folder())
"""


def report(root):
    """What a fresh process says of every kernel there is: signatures, versions, compiled now."""
    run = subprocess.run(
        [sys.executable, "-c", REPORT],
        env={"PYTHONPATH": str(root), "PATH": "", "HOME": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    *rows, folder = run.stdout.splitlines()
    return {row.split()[0]: tuple(map(int, row.split()[1:])) for row in rows}, Path(folder)


def copied(tmp_path):
    """A copy of the package, to compile and change at will."""
    root = tmp_path / "copy"
    shutil.copytree(
        Path(parlour.__file__).parent,
        root / "parlour",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return root


def test_a_kernel_has_one_signature_and_a_second_process_compiles_none(tmp_path):
    root = copied(tmp_path)
    first, folder = report(root)
    assert all(counts == (1, 1, 1) for counts in first.values()), first
    second, same_folder = report(root)
    assert second.keys() == first.keys()
    assert all(counts == (1, 1, 0) for counts in second.values()), second
    assert same_folder == folder


def test_a_change_in_a_helper_elsewhere_is_noticed(tmp_path):
    """numba alone would go on using the code compiled with the old helper."""
    root = copied(tmp_path)
    _, folder = report(root)
    helper = root / "parlour" / "kernels" / "chance.py"
    helper.write_text(helper.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    changed, other_folder = report(root)
    assert all(misses == 1 for *_, misses in changed.values())
    assert other_folder != folder
    assert not folder.exists()  # what can never be used again is not kept
