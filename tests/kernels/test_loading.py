"""Nothing heavy is loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numba", "numpy", "rich", "prompt_toolkit")


def loaded_after(code):
    """The heavy packages that a fresh process has loaded after some code."""
    check = f"\nimport sys\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code + check], capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(
    "code",
    [
        "import parlour",
        "import parlour; parlour.games(); [parlour.game(name) for name in parlour.games()]",
        "import parlour; parlour.game('othello').start()",
        "import parlour; g = parlour.game('tictactoe'); g.play(g.start(), g.moves(g.start())[0])",
        "import parlour; g = parlour.game('othello', columns=10, rows=10); g.moves(g.start())",
        "from parlour.faces.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit: pass",
        "from parlour.faces.cli import main; main(['games'])",
        "from parlour.faces.cli import main; main('play nim --seat random --seat random'.split())",
    ],
)
def test_no_kernel_is_loaded(code):
    assert loaded_after(code) == []


@pytest.mark.slow
def test_the_first_moves_of_othello_load_the_kernel():
    code = "import parlour; g = parlour.game('othello'); g.moves(g.start())"
    assert loaded_after(code) == ["numba", "numpy"]


def test_help_does_not_look_for_games():
    """Looking through the installed packages takes longer than all the rest."""
    code = (
        "import sys\nfrom parlour.faces.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit: pass\n"
        "print('importlib.metadata' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "False"
