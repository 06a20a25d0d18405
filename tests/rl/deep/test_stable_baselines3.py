"""Models of Stable-Baselines3: they play as they predict, and are opened in the sandbox alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import QRDQN, MaskablePPO
from stable_baselines3 import A2C, DQN, PPO

import parlour
import parlour.rl
from parlour.core import ParlourError, registry
from parlour.faces.cli import main
from parlour.rl import Encoding, stable_baselines3
from tests.rl.malicious import model_zip
from tests.rl.networks import list_states

NIM = parlour.game("nim", piles=(1, 2))
ALGORITHMS: dict[str, Any] = {each.__name__: each for each in (MaskablePPO, PPO, A2C, DQN, QRDQN)}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Any, Path]]:
    """A model of each kind, as it begins, and its file."""
    folder = tmp_path_factory.mktemp("models")
    found = {}
    for name, algorithm in ALGORITHMS.items():
        env = parlour.rl.gymnasium(NIM)
        network = {"policy_kwargs": {"net_arch": [16]}}  # not the usual one
        model = algorithm("MlpPolicy", env, seed=3, device="cpu", **network)
        model.save(folder / f"{name}.zip")
        found[name] = model, folder / f"{name}.zip"
    return found


@pytest.mark.parametrize("name", ALGORITHMS)
def test_it_plays_as_it_predicts(name: str, models: dict[str, tuple[Any, Path]]) -> None:
    model, path = models[name]
    encoding = Encoding(NIM)
    held, opened = stable_baselines3(model), stable_baselines3(path, trust=True)
    compared = 0
    for state in list_states(NIM):
        seen = encoding.observe(state, NIM.turn(state))
        masks = {"action_masks": encoding.mask(state)} if name == "MaskablePPO" else {}
        action, _ = model.predict(seen, deterministic=True, **masks)
        move = encoding.move(int(action))
        if move in NIM.moves(state):  # only MaskablePPO knows what is legal
            assert held.choose(NIM, state) == move
            compared += 1
        assert held.choose(NIM, state) in NIM.moves(state)
        assert opened.choose(NIM, state) == held.choose(NIM, state)
    assert compared > 0


def test_its_chances_are_those_of_its_distribution(models: dict[str, tuple[Any, Path]]) -> None:
    model, path = models["MaskablePPO"]
    encoding, start = Encoding(NIM), NIM.start()
    seen, mask = encoding.observe(start, 0), encoding.mask(start)
    drawn = [
        int(model.predict(seen, deterministic=False, action_masks=mask)[0]) for _ in range(4000)
    ]
    chances = stable_baselines3(path, trust=True, sample=True).weights(NIM, start)
    for move, chance in chances.items():
        share = np.mean([each == encoding.index(move) for each in drawn])
        assert abs(share - chance) < 5 * np.sqrt(chance * (1 - chance) / 4000)


@pytest.mark.sandbox
def test_its_file_plays_in_the_sandbox_everywhere(
    models: dict[str, tuple[Any, Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    model, path = models["MaskablePPO"]
    expected = parlour.judge(NIM, stable_baselines3(model))
    found = parlour.judge(NIM, str(path))
    assert (found.right, found.faults) == (expected.right, {})
    assert parlour.match(NIM, [path, "random"]).result is not None
    table = parlour.tournament(NIM, [str(path), str(models["DQN"][1]), "random"], games=2)
    assert [row["faults"] for row in table.to_dict()["rows"]] == [()] * 3
    flags = ["--piles", "1", "2"]
    assert main(["check-bot", str(path), "nim", *flags]) == 0  # within the usual memory
    assert main(["play", "nim", *flags, "--seat", "random", "--seat", str(path)]) == 0
    capsys.readouterr()


def test_a_model_of_another_game_is_refused_before_it_is_opened(
    models: dict[str, tuple[Any, Path]],
) -> None:
    path = models["PPO"][1]
    with pytest.raises(ParlourError, match="it observes"):
        parlour.match("tictactoe", [path, "random"])


@pytest.mark.sandbox
def test_a_malicious_model_marks_nothing_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = tmp_path / "mark"
    path = model_zip(tmp_path / "model.zip", mark, shape=Encoding(NIM).shape)
    monkeypatch.setenv(registry.FILES, "")
    registry.add_files([path])
    assert "model" in registry.bots(NIM)
    parlour.tournament(NIM, [str(path), "random"], games=2)
    for play in (
        lambda: parlour.match(NIM, [path, "random"]),
        lambda: parlour.match(
            NIM, [registry.build("bots", "model"), "random"]
        ),  # as at a web table
        lambda: parlour.judge(NIM, str(path)),
        lambda: stable_baselines3(path),
    ):
        with pytest.raises(ParlourError):
            play()
    assert main(["check-bot", str(path), "nim", "--piles", "1", "2"]) == 1
    capsys.readouterr()
    assert not mark.exists()
    with pytest.raises(ParlourError):  # what comes out is no model
        stable_baselines3(path, trust=True)
    assert mark.exists()  # so it would have
