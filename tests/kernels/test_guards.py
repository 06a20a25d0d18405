"""The two promises of `kernel`: one signature each, and a second process compiles nothing."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from parlour.kernels.compiler import builds_on

pytestmark = pytest.mark.slow

REPORT = """
import importlib, sys
from parlour.kernels.__main__ import modules
from parlour.kernels.compiler import KERNELS, cache_folder
for name in sys.argv[1:] or modules():
    importlib.import_module(f"parlour.kernels.{name}")
assert KERNELS
for name, kernel in KERNELS.items():
    misses = sum(kernel.stats.cache_misses.values())
    print(name, len(kernel.signatures), len(kernel.overloads), misses)
print(cache_folder("hats"))
"""


def report(root, *modules):
    """What a fresh process says of every kernel: signatures, versions, compiled now."""
    run = subprocess.run(
        [sys.executable, "-c", REPORT, *modules],
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


def test_a_kernel_has_one_signature_and_is_compiled_once():
    """In the tree as it stands: what the first process compiles, the second only loads."""
    root = Path(parlour.__file__).parent.parent
    first, folder = report(root)
    assert all((signatures, versions) == (1, 1) for signatures, versions, _ in first.values()), (
        first
    )
    second, same_folder = report(root)
    assert second.keys() == first.keys()
    assert all(counts == (1, 1, 0) for counts in second.values()), second
    assert same_folder == folder


def test_a_kernel_is_compiled_again_after_any_change(tmp_path):
    """numba alone would go on using code that was compiled with an old helper in another file."""
    root = copied(tmp_path)
    first, folder = report(root, "hats", "graph")
    assert all(counts == (1, 1, 1) for counts in first.values()), first
    helper = root / "parlour" / "kernels" / "rng.py"
    helper.write_text(helper.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    changed, other_folder = report(root, "hats")
    assert changed
    assert all(misses == 1 for *_, misses in changed.values())
    assert other_folder != folder
    assert not folder.exists()  # what can never be used again is not kept
    untouched, _ = report(root, "graph")
    assert untouched
    assert all(misses == 0 for *_, misses in untouched.values())


def test_a_kernel_file_names_every_other_that_it_builds_on():
    """Only so is a change to one noticed by those built on it."""
    root = Path(parlour.__file__).parent / "kernels"
    for path in root.rglob("[!_]*.py"):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(name.name.startswith("parlour") for name in node.names)
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("parlour"):
                assert node.module.removeprefix("parlour.kernels.") in builds_on(module)
                assert not any((root / name.name).exists() for name in node.names)
