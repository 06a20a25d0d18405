"""Kernels have one signature and are compiled once, and again after a change, in the cache."""

import ast
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from parlour.kernels.objects import builds_on, cache_folder
from tests.conftest import LONG

pytestmark = pytest.mark.slow

REPORT = """
import sys
from parlour.kernels.compiler import list_kernels
for kernel in list_kernels():
    if kernel.module in sys.argv[1:] or not sys.argv[1:]:
        kernel.prepare()
        misses = sum(kernel.stats.cache_misses.values())
        print(f"{kernel.module}.{kernel.name}", len(kernel.signatures), misses)
"""


def report(root, cache, *modules):
    """The number of signatures of every kernel in a fresh process, and of those it compiled."""
    run = subprocess.run(
        [sys.executable, "-c", REPORT, *modules],
        env={"PYTHONPATH": str(root), "PATH": "", "HOME": str(root), "PARLOUR_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return {row.split()[0]: tuple(map(int, row.split()[1:])) for row in run.stdout.splitlines()}


def copied(tmp_path):
    """A copy of the package, to compile and change at will."""
    root = tmp_path / "copy"
    shutil.copytree(
        Path(parlour.__file__).parent,
        root / "parlour",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return root


def files_in(folder):
    """Everything in a folder but what Python itself compiles."""
    return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}


def test_a_kernel_has_one_signature_and_is_compiled_once():
    """In the tree as it stands: what the first process compiles, the second only loads."""
    root = Path(parlour.__file__).parent.parent
    first = report(root, cache_folder())
    assert all(signatures == 1 for signatures, _ in first.values()), first
    second = report(root, cache_folder())
    assert second.keys() == first.keys()
    assert all(counts == (1, 0) for counts in second.values()), second


def test_a_kernel_is_compiled_again_after_any_change_and_nothing_lands_in_the_package(tmp_path):
    """numba alone would go on using code that was compiled with an old helper in another file."""
    root, cache = copied(tmp_path), tmp_path / "cache"
    before = files_in(root)
    # One in a folder of its own takes longest to compile.
    first = report(root, cache, "hats", *(["othello.board"] if LONG else []))
    assert first
    assert all(counts == (1, 1) for counts in first.values()), first
    assert files_in(root) == before
    helper = root / "parlour" / "kernels" / "rng.py"
    helper.write_text(helper.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    changed = report(root, cache, "hats")
    assert changed
    assert all(misses == 1 for _, misses in changed.values())
    for path in cache.rglob("*.kernel"):  # a damaged file is compiled again, and no more than that
        if path.name == "train.kernel":
            path.write_bytes(path.read_bytes()[:-1])
    damaged = report(root, cache, "hats")
    assert damaged == {name: (1, int(name == "hats.train")) for name in changed}


def test_a_kernel_file_names_every_other_that_it_builds_on():
    """Only so is a change to one noticed by those built on it."""
    root = Path(parlour.__file__).parent / "kernels"
    for path in root.rglob("[!_]*.py"):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                ours = [name.name for name in node.names if name.name.startswith("parlour")]
                assert not ours or module == "compiler"  # which lists all modules
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("parlour"):
                assert node.module.removeprefix("parlour.kernels.") in builds_on(module)
                assert not any((root / name.name).exists() for name in node.names)


MASKED_STORES = """
import re
from parlour.kernels.compiler import list_kernels
for kernel in list_kernels():
    kernel.prepare(own=True)
    for overload in kernel.overloads.values():
        for line in overload.library.get_asm_str().splitlines():
            if re.search(r"vmovdqu(8|16)\\s+%.mm\\d+,.*\\(.*\\{%k", line):
                print(f"{kernel.module}.{kernel.name}: {line.strip()}")
"""


@pytest.mark.long
@pytest.mark.skipif(platform.machine() != "x86_64", reason="AVX-512 is of x86-64")
def test_no_kernel_stores_bytes_under_a_mask(tmp_path):
    """Up to LLVM 22 such stores of eight bytes, for Intel's AVX-512, write sixteen."""
    run = subprocess.run(
        [sys.executable, "-c", MASKED_STORES],
        env={
            "PATH": "",
            "HOME": str(tmp_path),
            "PYTHONPATH": str(Path(parlour.__file__).parent.parent),
            "PARLOUR_CACHE": str(tmp_path),
            "NUMBA_CPU_NAME": "x86-64-v4",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == ""
