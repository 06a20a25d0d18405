"""The notebooks of the book run from the top, and what they claim of the figures is so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HOUSE = Path(__file__).parent.parent
NOTEBOOKS = sorted((HOUSE / "docs" / "notebooks").glob("*.ipynb"))

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def run(notebook: Path, folder: Path) -> dict[str, Any]:
    script = HOUSE / "tools" / "run_notebooks.py"
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


LONGEST = ("class_league", "othello_heuristic", "train_and_judge")  # they play thousands of games


@pytest.mark.parametrize(
    "notebook",
    [pytest.param(each, marks=[pytest.mark.long] * (each.stem in LONGEST)) for each in NOTEBOOKS],
    ids=lambda path: path.stem,
)
def test_a_notebook_runs_from_the_top_and_shows_what_it_did(notebook: Path, tmp_path: Path):
    ran, kept = run(notebook, tmp_path), json.loads(notebook.read_text())
    for now, before in zip(ran["cells"], kept["cells"], strict=True):
        assert now["source"] == before["source"]
        assert kinds_of_output(now) == kinds_of_output(before)


def test_there_are_four_notebooks():
    assert [path.stem for path in NOTEBOOKS] == [
        "class_league",
        "othello_heuristic",
        "train_and_judge",
        "variants",
    ]
