"""Running a command in this process, and checking how commands refuse what they cannot do."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence

import pytest

from parlour.faces.cli import main


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """Run a command with something on standard input; its exit code, output and errors."""

    def call(*arguments: object, typed: str | bytes = "") -> tuple[int, str, str]:
        data = typed.encode() if isinstance(typed, str) else typed
        stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
        monkeypatch.setattr("sys.stdin", stdin)
        code = main([*map(str, arguments)])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return call


@pytest.fixture
def check_refusals(run: Callable[..., tuple[int, str, str]]) -> Callable[..., None]:
    """Check that commands fail with one sentence on standard error, which contains a text."""

    def check(refusals: Iterable[tuple[Sequence[str], str]], *command: str) -> None:
        wrong = []
        for arguments, text in refusals:
            code, out, err = run(*command, *arguments)
            one_sentence = err.startswith("parlour: ") and err.count("\n") == 1
            if (code, out) != (2, "") or not one_sentence or text not in err:
                wrong.append(f"{[*command, *arguments]}: {code}, {out!r}, {err!r}, not {text!r}")
        assert not wrong, "\n".join(wrong)

    return check
