"""Every page of the book runs from the wheel: in a clean environment, in an empty folder.

The README does so every time, the others in a long run; `test_documents.py` runs the reference.

The environment holds the wheel, what it and four of its extras require, and nothing else: a
package that we use and do not declare is missed here, and a file that the wheel lacks cannot come
from the checkout.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.name != "reference.md"]
pytestmark = [pytest.mark.slow, pytest.mark.sandbox]  # for the bots in files


def list_required(wheel: Path, extras: tuple[str, ...]) -> set[str]:
    """The distributions that a wheel with these extras needs, each with those it needs itself."""
    info = next(each for each in zipfile.Path(wheel).iterdir() if each.name.endswith(".dist-info"))
    waiting = [(metadata.PathDistribution(info), extras)]
    found: set[tuple[str, tuple[str, ...]]] = set()
    while waiting:
        distribution, wanted = waiting.pop()
        for each in map(Requirement, distribution.requires or []):
            entry = each.name, tuple(sorted(each.extras))
            marker = each.marker
            needed = not marker or any(marker.evaluate({"extra": one}) for one in ("", *wanted))
            if needed and entry not in found:
                found.add(entry)
                waiting.append((metadata.distribution(each.name), entry[1]))
    return {name for name, _ in found}


def link_distribution(name: str, site: Path) -> None:
    """Put an installed distribution into another environment."""
    for file in metadata.files(name) or []:
        source, target = Path(str(file.locate())), site / file
        if ".." in file.parts or not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            try:
                os.link(source, target)
            except OSError:  # another disk
                target.write_bytes(source.read_bytes())


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """The Python of a clean environment with the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True)
    (wheel,) = folder.glob("*.whl")
    for name in sorted(list_required(wheel, ("disk", "notebook", "rl", "web"))):
        link_distribution(name, Path(site.stdout.strip()))
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps"]
    install += ["--no-index", "--quiet", str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    return python


@pytest.fixture(scope="module")
def pages(python) -> Iterator[subprocess.Popen[str]]:
    """The process that runs pages in that environment."""
    environment = {"PATH": "/usr/bin:/bin:/usr/games", "LANG": "C.UTF-8"}
    environment |= {"OPENBLAS_NUM_THREADS": "1"}  # threads do not survive a fork
    kept = ("HOME", "XDG_CACHE_HOME", "PARLOUR_CACHE")  # where compiled kernels may lie
    environment |= {name: os.environ[name] for name in kept if name in os.environ}
    with subprocess.Popen(
        [python, "-P", ROOT / "tests" / "pages.py"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield process


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(ROOT / "README.md"),
        *(
            pytest.param(page, marks=pytest.mark.long)
            for page in PAGES
            if re.search("^```(console|python)", page.read_text(encoding="utf-8"), re.M)
        ),
    ],
    ids=lambda page: page.stem,
)
def test_the_page_runs_from_the_wheel(page, pages, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    print(json.dumps([str(page), str(folder)]), file=pages.stdin, flush=True)
    assert json.loads(pages.stdout.readline()) is None
