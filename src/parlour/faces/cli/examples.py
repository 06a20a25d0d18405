"""`parlour examples [FOLDER]`: copy the examples that messages and documents speak of."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import parlour
from parlour.core import BadFile, files
from parlour.faces.cli.command import Parser

NAME = "examples"
LEFT = shutil.ignore_patterns("__pycache__", "results")  # what running them leaves behind


def run(parser: Parser, arguments: list[str]) -> int:
    """Copy the folder of examples, unless there is one already."""
    parser.epilog = (
        "They are games and bots in one file each, a bot in another language, a recorded game, "
        "and a league of three students."
    )
    about = f"the folder to make (default: {NAME}, in this one)"
    parser.add_argument("folder", metavar="FOLDER", nargs="?", default=NAME, type=Path, help=about)
    folder = parser.parse(arguments).folder
    if folder.exists():
        raise BadFile(f"{folder} is there already; name a new folder, as in: parlour examples mine")
    with files.explain_errors("write", folder):
        shutil.copytree(find_examples(), folder, ignore=LEFT)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            print(path)
    game, bot = (str(folder / name) for name in ("kayles.py", "my_bot.py"))
    begin = ["parlour", "play", game, "--seat", "human", "--seat", bot]
    print(f"\nTo begin: {shlex.join(begin)}")
    return 0


def find_examples() -> Path:
    """Return the folder of examples: in the installed package, or in the checkout around it."""
    package = Path(parlour.__file__).parent
    inside = package / NAME
    return inside if inside.is_dir() else package.parents[1] / NAME
