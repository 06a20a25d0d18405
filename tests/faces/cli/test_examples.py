"""`parlour examples` copies what messages speak of, and it runs as it is."""

import re
import tomllib
from pathlib import Path

from parlour.faces.cli import main

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_examples_are_copied_once_and_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["examples"]) == 0
    out = capsys.readouterr().out
    copied = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert {Path(line) for line in out.split("\n\n")[0].splitlines()} == copied
    for name in ("my_bot.py", "kayles.py", "hexapawn.py", "line_bot.pl", "league/league.toml"):
        assert Path("examples", name) in copied
    assert not any("__pycache__" in path.parts for path in copied)
    game, bot = "examples/kayles.py", "examples/my_bot.py"
    assert main(["play", game, "--seat", bot, "--seat", "random"]) == 0
    capsys.readouterr()
    assert main(["examples"]) == 2
    assert capsys.readouterr().err.startswith("parlour: examples is there already")
    assert main(["examples", "mine"]) == 0
    assert (tmp_path / "mine" / "league" / "bots" / "ann.py").is_file()


def test_every_link_of_the_readme_is_absolute_on_pypi():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for each in hook["substitutions"]:
        text = re.sub(each["pattern"], each["replacement"], text)
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 10
    assert all(link.startswith("https://") for link in links)
    assert re.findall(r"!\[[^]]*\]\(https://raw\.githubusercontent\.com/[^)]+\.png\)", text)
