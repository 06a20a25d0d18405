"""The notebooks of the book run from the top, and their claims hold."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

SHORTEST = "variants"  # the others play thousands of games
pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def run(notebook: Path, folder: Path) -> dict[str, Any]:
    script = ROOT / "tools" / "run_notebooks.py"
    done = subprocess.run(
        [sys.executable, str(script), "--into", str(folder), str(notebook)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((folder / notebook.name).read_text())


def kinds_of_output(cell: dict[str, Any]) -> set[str]:
    """What a cell shows, by type; what it prints may come in one piece or in several."""
    return {kind for each in cell.get("outputs", ()) for kind in each.get("data", ["text"])}


@pytest.mark.parametrize(
    "notebook",
    [pytest.param(each, marks=[pytest.mark.long] * (each.stem != SHORTEST)) for each in NOTEBOOKS],
    ids=lambda path: path.stem,
)
def test_a_notebook_runs_from_the_top_and_shows_what_it_did(notebook: Path, tmp_path: Path):
    ran, kept = run(notebook, tmp_path), json.loads(notebook.read_text())
    for now, before in zip(ran["cells"], kept["cells"], strict=True):
        assert now["source"] == before["source"]
        assert kinds_of_output(now) == kinds_of_output(before)


def test_the_book_lists_every_notebook():
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    assert {path.stem for path in NOTEBOOKS} == set(re.findall(r"notebooks/(\w+)\.ipynb", page))
