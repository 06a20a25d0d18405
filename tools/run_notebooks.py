"""Run the notebooks of the book from the top and keep what they show.

    python tools/run_notebooks.py [--into FOLDER] [NOTEBOOK …]

Each runs in an empty folder with a data folder of its own, so that it cannot depend on what lies
around. Look at what has changed before you keep it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
LIMIT = 600  # seconds for a cell, to end one that hangs


def execute(path: Path) -> nbformat.NotebookNode:
    """Run a notebook and return it with what it shows; the first error ends it."""
    book = nbformat.read(path, nbformat.NO_CONVERT)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as data:
        os.environ["XDG_DATA_HOME"] = data
        client = NotebookClient(
            book,
            timeout=LIMIT,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
        if folder in nbformat.writes(book):
            raise RuntimeError(f"{path.name} shows the folder it ran in; leave the path out")
    for cell in book.cells:
        cell.metadata.pop("execution", None)
    return book


def main() -> None:
    """Run all notebooks, or those that are named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("notebooks", metavar="NOTEBOOK", nargs="*", type=Path)
    parser.add_argument("--into", metavar="FOLDER", type=Path, help="where to write them instead")
    given = parser.parse_args()
    for path in given.notebooks or sorted(FOLDER.glob("*.ipynb")):
        book = execute(path)
        nbformat.write(book, given.into / path.name if given.into else path)
        print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in book.cells)} cells")


if __name__ == "__main__":
    sys.exit(main())
