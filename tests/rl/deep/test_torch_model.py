"""PyTorch networks by a small file: what they play, and that their weights run nothing."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

import parlour
from parlour.core import BadFile, BadOption, ParlourError
from parlour.rl import Encoding, torch_policy
from tests.rl.malicious import weights_pt

NIM = parlour.game("nim", piles=(1, 2))
ENCODING = Encoding(NIM)
SEEN = ENCODING.shape[0]
AGENT = f"""
from pathlib import Path
import torch
import parlour.rl

net = torch.nn.Linear({SEEN}, 3)
choose = parlour.rl.torch_policy(net, Path(__file__).with_suffix(".pt")).choose
"""


def linear(bias: list[float]) -> nn.Module:
    module = nn.Linear(SEEN, 3)
    with torch.no_grad():
        module.weight.zero_()
        module.bias[:] = torch.tensor(bias)
    return module


def test_the_chances_are_those_of_the_network() -> None:
    player = torch_policy(linear([0.0, float(np.log(3)), 0.0]), sample=True)
    expected = {(0, 1): 0.2, (1, 1): 0.6, (1, 2): 0.2}
    assert player.weights(NIM, NIM.start()) == pytest.approx(expected, abs=1e-6)
    assert torch_policy(linear([3, 1, 2])).choose(NIM, NIM.start()) == (0, 1)


def test_the_mask_is_given_to_a_network_that_takes_it_and_of_two_results_the_first_counts() -> None:
    class Last(nn.Module):
        def forward(self, seen, mask):  # type: ignore[no-untyped-def]
            assert seen.shape == (1, SEEN)
            return mask * torch.tensor([1.0, 2.0, 3.0]), torch.tensor([[0.5]])

    assert torch_policy(Last()).choose(NIM, NIM.start()) == (1, 2)
    after = NIM.play(NIM.start(), (1, 2))
    assert torch_policy(Last()).choose(NIM, after) == (0, 1)


def test_versions_in_which_weights_can_run_code_load_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "w.pt"
    torch.save(linear([0, 0, 5]).state_dict(), path)
    monkeypatch.setattr(torch, "__version__", "2.5.1+cpu")
    with pytest.raises(ParlourError, match=r"2\.6 or newer"):
        torch_policy(nn.Linear(SEEN, 3), path)


def test_weights_are_loaded_from_their_file(tmp_path: Path) -> None:
    path = tmp_path / "w.pt"
    torch.save(linear([0, 0, 5]).state_dict(), path)
    assert torch_policy(nn.Linear(SEEN, 3), path).choose(NIM, NIM.start()) == (1, 2)
    copy = pickle.loads(pickle.dumps(torch_policy(linear([1, 0, 0]))))  # noqa: S301 - our own
    assert copy.choose(NIM, NIM.start()) == (0, 1)


def test_a_file_that_holds_more_than_weights_is_refused_and_never_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    path = weights_pt(tmp_path / "bad.pt", mark)
    with pytest.raises(BadFile, match="does not hold weights alone"):
        torch_policy(nn.Linear(SEEN, 3), path)
    assert not mark.exists()
    torch.load(path, weights_only=False)  # what others do
    assert mark.exists()
    torch.save(linear([0, 0, 5]), tmp_path / "whole.pt")
    (tmp_path / "text.pt").write_text("hello", encoding="utf-8")
    for name in ("whole.pt", "text.pt"):
        with pytest.raises(BadFile, match="does not hold weights alone"):
            torch_policy(nn.Linear(SEEN, 3), tmp_path / name)
    torch.save(nn.Linear(2, 2).state_dict(), tmp_path / "other.pt")
    with pytest.raises(BadFile, match="holds the weights of another network"):
        torch_policy(nn.Linear(SEEN, 3), tmp_path / "other.pt")
    with pytest.raises(BadFile, match="No such file"):
        torch_policy(nn.Linear(SEEN, 3), tmp_path / "none.pt")
    with pytest.raises(BadOption, match=r"torch\.nn\.Module"):
        torch_policy(lambda seen: seen)


@pytest.mark.sandbox
def test_a_small_file_plays_in_the_sandbox_with_its_weights(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(AGENT, encoding="utf-8")
    torch.save(linear([0, 5, 0]).state_dict(), agent.with_suffix(".pt"))
    table = parlour.tournament(NIM, [str(agent), "random"], games=4)
    assert [row["faults"] for row in table.to_dict()["rows"]] == [(), ()]
    found = parlour.judge(NIM, str(agent))
    same = parlour.judge(NIM, torch_policy(linear([0, 5, 0])))
    assert (found.right, found.faults) == (same.right, {})


@pytest.mark.sandbox
def test_whoever_opens_bad_weights_in_the_sandbox_marks_nothing_outside(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    agent = tmp_path / "agent.py"
    careless = "import torch\ntorch.load(__file__[:-3] + '.pt', weights_only=False)\n"
    agent.write_text(
        f"{careless}\ndef choose(game, state): return game.moves(state)[0]\n", encoding="utf-8"
    )
    weights_pt(agent.with_suffix(".pt"), mark)
    table = parlour.tournament(NIM, [str(agent), "random"], games=2)
    assert "PermissionError" in str(table.to_dict()) or table.to_dict()["errors"] == 2
    assert not mark.exists()
