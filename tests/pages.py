"""Runs the blocks of a page of the book in turn, as a reader would who follows it from the top.

Only the standard library and Parlour are needed, so that it also runs where nothing but the wheel
is installed: `python -P pages.py` reads the names of a page and of an empty folder from each line,
runs the page there in a process forked from this one, which has loaded what takes longest, and
prints a line of JSON: null, or what differs. The blocks, by what follows the fence:

`python`          an interactive session, or a program; all of a page are one
`console`         commands, with the screens shown for them or with none
`py`, `toml`      a file, if the first line is a comment with its name: `# chomp.py`
anything else     not run
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

BLOCKS = re.compile(r"^```([\w{}-]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"# ([\w./-]+\.\w+)\n")  # the first line of a file
LINES = re.compile(r"^> (.*)$", re.MULTILINE)  # typed to Benedict
ANSWERS = re.compile(r"(?:[Yy]our move[^:]*:|Move, or 'help':|\(\d+-\d+\)\?|\(y/n\)\?) (.*)")
COPY_EXAMPLES = "parlour examples"


def run(page: Path) -> None:
    """Run the blocks of a page in the current folder; `AssertionError` says what differs."""
    text = page.read_text(encoding="utf-8")
    session: dict[str, object] = {}
    if "examples/" in text and f"$ {COPY_EXAMPLES}" not in text:  # the reader has copied them
        run_command(COPY_EXAMPLES, "")
    for kind, block in BLOCKS.findall(text):
        if kind == "python":
            run_session(page, block, session)
        elif kind == "console":
            for command, screen in commands(block):
                run_command(command, screen)
        elif kind in ("py", "toml") and (name := NAME.match(block)):
            path = Path(name[1])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block, encoding="utf-8")


def run_in_fork(page: Path, folder: Path) -> str | None:
    """Run a page in a process of its own; return what differs, or how the process ended."""
    report = folder.parent / "report.txt"
    if not (child := os.fork()):
        code = 1
        try:
            with report.open("w", encoding="utf-8") as file:
                for number in (1, 2):
                    os.dup2(file.fileno(), number)
            os.environ["XDG_DATA_HOME"] = str(folder.parent / "data")
            os.chdir(folder)
            run(page)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return (report.read_text(encoding="utf-8") or f"status {status}") if status else None


def run_session(page: Path, block: str, session: dict[str, object]) -> None:
    """Run an interactive session, or a program, that goes on where the last one ended."""
    if ">>> " not in block:
        exec(compile(block, str(page), "exec"), session)  # noqa: S102 - it is ours
        return
    test = doctest.DocTestParser().get_doctest(block, session, page.name, str(page), 0)
    report = io.StringIO()
    results = doctest.DocTestRunner(verbose=False).run(test, out=report.write, clear_globs=False)
    session.update(test.globs)
    assert results.failed == 0, report.getvalue()
    assert results.attempted == block.count(">>> "), block


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Return the commands of a block with the screens shown for them."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, screen = part.partition("\n")
        yield command.partition("  #")[0].strip(), screen.rstrip()


def run_command(command: str, screen: str) -> None:
    """Run a command, typing what its screen shows as typed; compare the screen, if there is one."""
    from parlour.faces.cli import main

    program, *arguments = shlex.split(command)
    if program == "make":  # in a checkout, and seen to elsewhere
        return
    if program == "cp":
        subprocess.run([program, *arguments], check=True)
        return
    if program == "printf":  # into a file
        subprocess.run(command, shell=True, check=True)
        return
    assert program == "parlour", command
    to_benedict = not arguments or arguments[0] == "--seed"
    typed = (LINES if to_benedict else ANSWERS).findall(screen)
    stdin = io.StringIO("".join(line + "\n" for line in typed))
    shown, errors = io.StringIO(), io.StringIO()
    with (
        mock.patch("sys.stdin", stdin),
        contextlib.redirect_stdout(shown),
        contextlib.redirect_stderr(errors),
    ):
        code = main(arguments)
    assert code == 0, f"{command}: {errors.getvalue()}"
    assert not screen or shown.getvalue().rstrip() == screen, f"{command}\n{shown.getvalue()}"


if __name__ == "__main__":
    import numba  # noqa: F401 - so that no child has to load it

    import parlour

    home = Path(sys.prefix).resolve()
    assert home in Path(parlour.__file__).resolve().parents, f"{parlour.__file__} is not the wheel"
    sys.path.insert(0, "")  # as in an interactive session
    for line in sys.stdin:
        page, folder = json.loads(line)
        sys.stdout.write(json.dumps(run_in_fork(Path(page), Path(folder))) + "\n")
        sys.stdout.flush()
