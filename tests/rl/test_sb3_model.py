"""Model files that can run code: looked at from outside, and opened only where that is meant."""

from __future__ import annotations

import json
import pickle
import sys
import types
import zipfile
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import arena
from parlour.arena.sandbox_player import SandboxPlayer
from parlour.core import BadFile, ParlourError, registry
from parlour.faces.cli import main
from parlour.rl import Encoding, stable_baselines3
from tests.rl.malicious import model_zip

NIM = parlour.game("nim", piles=(1, 2))


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "mark"


@pytest.fixture
def model(tmp_path: Path, mark: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A malicious file, and a library that opens it as the real one would."""

    class Algorithm:
        @staticmethod
        def load(path: Path, **_: Any) -> Any:
            with zipfile.ZipFile(path) as archive:
                return pickle.loads(archive.read("policy.pth"))  # noqa: S301 - that is the test

    library = types.ModuleType("stable_baselines3")
    library.PPO = library.A2C = library.DQN = Algorithm  # type: ignore[attr-defined]
    common = types.ModuleType("stable_baselines3.common")
    saving = types.ModuleType("stable_baselines3.common.save_util")
    saving.load_from_zip_file = lambda path, **_: ({}, {}, {})  # type: ignore[attr-defined]
    for module in (library, common, saving):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return model_zip(tmp_path / "model.zip", mark, shape=Encoding(NIM).shape)


def test_opening_it_would_leave_the_mark(model: Path, mark: Path) -> None:
    with pytest.raises(ParlourError):  # what comes out is no model
        stable_baselines3(model, trust=True)
    assert mark.exists()


def test_without_trust_it_is_refused_unopened(model: Path, mark: Path) -> None:
    with pytest.raises(ParlourError, match="can run any code when it is opened"):
        stable_baselines3(model)
    bot = registry.bot(f"stable-baselines3 model={model}")
    assert "can run any code" in bot.why_not(NIM)  # type: ignore[attr-defined]
    with pytest.raises(ParlourError, match="can run any code"):
        bot.choose(NIM, NIM.start())
    with pytest.raises(ParlourError, match="can run any code"):
        parlour.tournament(NIM, [f"stable-baselines3 model={model}", "random"])
    assert not mark.exists()


def test_everything_short_of_a_game_leaves_it_unopened(
    model: Path, mark: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(registry.FILES, "")
    registry.add_files([model])
    assert "model" in registry.bots(NIM)
    assert "model" not in registry.bots(parlour.game("tictactoe"))
    entry = arena.read_entry(str(model), NIM)
    assert (entry.kind, entry.name, entry.sandboxed) == ("model", "model", True)
    named = parlour.bot(model)
    assert isinstance(named, SandboxPlayer)
    assert named.plays(NIM)
    assert "it observes" in named.why_not(parlour.game("tictactoe"))
    pickle.loads(pickle.dumps(named))  # noqa: S301 - our own
    assert arena.read_entry(f"sandbox bot={model}", NIM) == entry
    assert not mark.exists()


@pytest.mark.sandbox
@pytest.mark.long
def test_a_game_opens_it_in_the_sandbox_alone(
    model: Path, mark: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for play in (
        lambda: parlour.match(NIM, [str(model), "random"]),
        lambda: parlour.match(NIM, [model, "random"]),
        lambda: parlour.judge(NIM, str(model)),
    ):
        with pytest.raises(ParlourError, match="could not start"):  # there is no such library here
            play()
    table = parlour.tournament(NIM, [str(model), "random"], games=2)
    assert table.to_dict()["rows"][0]["name"] == "random"
    assert main(["check-bot", str(model), "nim", "--piles", "1", "2"]) == 1
    flags = ["--piles", "1", "2", "--seat", str(model), "--seat", "random"]
    assert main(["play", "nim", *flags]) == 2
    capsys.readouterr()
    assert not mark.exists()


def test_another_zip_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "other.zip"
    path.write_bytes(b"PK")
    for content in ({"a": "{}"}, {"data": "[]"}, {"data": "{}"}, {"data": "\xff"}, {}):
        with pytest.raises(BadFile, match="is not a model that Stable-Baselines3 saved"):
            registry.bot(str(path))
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in content.items():
                archive.writestr(name, text)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data", json.dumps({"policy_class": "x" * (17 << 20)}))
    with pytest.raises(BadFile, match="at too great a length"):
        registry.bot(str(path))
    with pytest.raises(BadFile, match="No such file"):
        registry.bot(str(tmp_path / "none.zip"))
