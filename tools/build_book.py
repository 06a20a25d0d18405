"""Build the book, each version in a folder of its own.

    python tools/build_book.py [FOLDER]        # build/book, if none is given

`FOLDER/VERSION/` becomes the book of this checkout. Books of other versions that are there stay as
they are: to add one, check its tag out and build into the same folder. `versions.json` then lists
all of them, the newest first; `versions.js` says the same to the menu on each page, because a page
that is opened as a file may load a script and read no JSON; `index.html` leads to the newest.

A warning of Sphinx is an error, and so is a page that would load anything from another site.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from parlour import __version__

ROOT = Path(__file__).parent.parent
# What a browser loads by itself, as opposed to links that somebody may follow
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc=["']?(?:https?:)?//"""
    r"""|<link\b(?![^>]*\brel=["']?(?:canonical|next|prev|license))[^>]*\bhref=["']?(?:https?:)?//"""
    r"""|(?:url\(|@import )\s*["']?(?:https?:)?//""",
    re.IGNORECASE,
)
INDEX = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Parlour</title>
<meta http-equiv="refresh" content="0; url={newest}/index.html">
<p>The book of Parlour: {links}.
</html>
"""


def main() -> None:
    """Build this version, and list all versions."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build" / "book")
    book = folder / __version__
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    trees = ["--doctree-dir", str(ROOT / "build" / "doctrees")]
    built = subprocess.run([*sphinx, *trees, str(ROOT / "docs"), str(book)], check=False)
    if built.returncode:
        sys.exit(built.returncode)
    if foreign := find_foreign(book):
        sys.exit("These would load something from another site:\n" + "\n".join(foreign))
    write_versions(folder)
    print(f"The book is in {book / 'index.html'}")


def find_foreign(book: Path) -> list[str]:
    """Name every page, style and what it would load from elsewhere."""
    files = [path for kind in ("html", "css") for path in sorted(book.rglob(f"*.{kind}"))]
    return [
        f"{path.relative_to(book)}: {found[0]}"
        for path in files
        for found in LOADED.finditer(path.read_text(encoding="utf-8"))
    ]


def write_versions(folder: Path) -> None:
    """List the versions in this folder for programs, for the menus and for people."""
    books = [path.parent.name for path in folder.glob("*/index.html")]
    versions = sorted(books, key=lambda name: [int(n) for n in re.findall(r"\d+", name)])[::-1]
    listed = json.dumps(versions)
    (folder / "versions.json").write_text(listed + "\n", encoding="utf-8")
    (folder / "versions.js").write_text(f"window.parlourVersions = {listed};\n", encoding="utf-8")
    links = ", ".join(f'<a href="{name}/index.html">{name}</a>' for name in versions)
    page = INDEX.format(newest=versions[0], links=links)
    (folder / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
