"""Text is UTF-8 whatever the locale says, and shown in ASCII where an output has nothing else."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.faces.cli.dispatch import READABLE

ROOT = Path(__file__).parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PLAIN = {"LC_ALL": "C"}
STRICT = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}  # the locale reads ASCII
LATIN = {"PYTHONIOENCODING": "latin-1"}
EXACT = "▲▼●△▽○≈×±−½→…’“”–misère naïve Zoë"


def find_unstated(tree: ast.AST) -> Iterator[int]:
    """The lines of a module that leave an encoding to the locale."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        whose = getattr(getattr(function, "value", None), "id", "")
        place = 0 if isinstance(function, ast.Attribute) else 1  # of the mode
        given = [*call.args[place : place + 1], *filter(None, [named.get("mode")])]
        modes = [each.value for each in given if isinstance(each, ast.Constant)]
        opens = name in ("open", "fdopen") and whose != "os" and len(modes) == len(given)
        reads = name in ("read_text", "write_text") or (opens and "b" not in "".join(modes))
        texts = named.get("text") or named.get("universal_newlines")
        text = isinstance(texts, ast.Constant) and texts.value is True
        if (reads or text) and "encoding" not in named and None not in named:
            yield call.lineno


@pytest.mark.slow
def test_no_text_file_is_opened_in_the_encoding_of_the_locale() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in SOURCES
        if re.search(r"open\(|_text\(|text=|newlines=", source := path.read_text(encoding="utf-8"))
        for line in find_unstated(ast.parse(source))
    ]
    assert found == []


def test_a_call_that_leaves_the_encoding_open_is_found() -> None:
    opened = ["open(path)", "open(path, 'w')", "path.open()", "path.read_text()"]
    for line in (*opened, "subprocess.run(command, text=True)"):
        assert list(find_unstated(ast.parse(line))), line
    stated = ["open(path, 'rb')", "path.open('ab')", "path.read_text(encoding='utf-8')"]
    for line in (*stated, "os.open(path, flags)"):
        assert not list(find_unstated(ast.parse(line))), line


def test_marks_and_accents_have_forms_in_ascii() -> None:
    """None becomes a question mark, and what an encoding has is left alone."""
    shown = EXACT.encode("ascii", READABLE).decode()
    assert shown == '^vo^vo~x+--.5->...\'""-misere naive Zoe'
    assert "misère ½".encode("latin-1", READABLE).decode("latin-1") == "misère ½"
    assert "漢".encode("ascii", READABLE) == b"?"


def run(*command: str, env: dict[str, str], typed: str = "", home: Path) -> bytes:
    """What a command prints in such a locale."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LC_")}
    ended = subprocess.run(
        [sys.executable, "-m", "parlour", *command],
        env={**kept, "XDG_DATA_HOME": str(home), **env},
        input=typed.encode(),
        capture_output=True,
        check=False,
        cwd=home,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@pytest.mark.parametrize(
    ("env", "written"),
    [
        pytest.param(PLAIN, b"misere", marks=pytest.mark.long, id="C"),
        pytest.param(STRICT, b"misere", id="ASCII"),
        pytest.param(LATIN, b"mis\xe8re", id="Latin-1"),
    ],
)
def test_what_an_output_cannot_show_is_written_readably(
    tmp_path: Path, env: dict[str, str], written: bytes
) -> None:
    assert written in run("games", env=env, home=tmp_path)


@pytest.mark.slow
def test_benedict_is_read_and_reads_in_ascii(tmp_path: Path) -> None:
    typed = "play misère nim with 1 2, I start\nrules\nmy name is Zoë\nbye\n"
    said = run("chat", "--seed", "1", env=STRICT, typed=typed, home=tmp_path).decode("ascii")
    assert "Misere nim" in said
    assert "Zoe" in said


def test_json_is_exact_in_every_encoding(tmp_path: Path) -> None:
    exact = json.loads(run("games", "--json", env={}, home=tmp_path))
    assert "misère" in json.dumps(exact, ensure_ascii=False)
    assert json.loads(run("games", "--json", env=STRICT, home=tmp_path)) == exact
