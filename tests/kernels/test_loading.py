"""Nothing heavy is loaded before it is needed."""

import subprocess
import sys

import pytest

HEAVY = ("numba", "numpy", "rich", "prompt_toolkit")


LIGHT = """
main(["--help"])
import parlour; parlour.games(); [parlour.game(name) for name in parlour.games()]
parlour.game("othello").start()
g = parlour.game("tictactoe"); g.play(g.start(), g.moves(g.start())[0])
g = parlour.game("othello", columns=10, rows=10); g.moves(g.start())
main(["games"])
main("play nim --seat random --seat random".split())
"""
PROGRAM = """
import sys
from parlour.faces.cli import main
for line in LIGHT.strip().splitlines():
    try:
        exec(line)
    except SystemExit:
        pass
    print(f"LOADED {line}:", *(name for name in HEAVY if name in sys.modules), sep="|")
"""


def run(code):
    """The lines that a fresh process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_nothing_heavy_is_loaded_before_it_is_needed():
    """To look for games, `--help` alone would need the list of all installed packages."""
    heavy = (*HEAVY, "importlib.metadata")
    lines = [
        line.split("|")
        for line in run(f"HEAVY = {heavy}; LIGHT = {LIGHT!r}\n{PROGRAM}")
        if line.startswith("LOADED ")
    ]
    assert len(lines) == len(LIGHT.strip().splitlines())
    assert lines[0][1:] == []
    wrong = [code for code, *loaded in lines if set(loaded) & set(HEAVY)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_the_first_moves_of_othello_load_the_kernel():
    code = "import parlour, sys; g = parlour.game('othello'); g.moves(g.start())\n"
    assert run(f"{code}print([name for name in {HEAVY} if name in sys.modules])") == [
        "['numba', 'numpy']"
    ]
