"""Networks in ONNX files take a seat, and opening one reads nothing and runs nothing else."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import parlour
from parlour.core import BadFile, ParlourError, registry
from parlour.faces.cli import main
from parlour.rl import Encoding, Onnx, onnx_model
from tests.arena.conftest import unconfined  # noqa: F401 - a fixture
from tests.rl.networks import constant_network, perfect_rows, save, table_network

NIM = parlour.game("nim", piles=(1, 2))
TICTACTOE = parlour.game("tictactoe")


def multiply(output: str) -> list[Any]:
    return [helper.make_node("Mul", ["given", "action_mask"], [output])]


@pytest.fixture
def net(tmp_path: Path) -> Path:
    return constant_network(
        tmp_path / "net.onnx", ["batch", *observed(NIM)], np.float32([0.1, 0.6, 0.3])
    )


def observed(game: Any) -> tuple[int, ...]:
    return Encoding(game).shape


@pytest.mark.parametrize(
    "game", ["nim piles=1,3 misere=yes", "sticks sticks=10", "tictactoe columns=3 rows=2"]
)
def test_a_network_that_holds_the_solution_is_judged_perfect(game: str, tmp_path: Path) -> None:
    made = registry.game(game)
    path = table_network(tmp_path / "perfect.onnx", *perfect_rows(made))
    found = parlour.judge(made, parlour.bot("onnx", model=str(path))).to_dict()
    assert (found["right"], found["regret"], found["faults"]) == (1.0, 0.0, {})
    assert found["critical"] > 0


def test_its_numbers_are_read_as_they_are_named(tmp_path: Path) -> None:
    numbers = np.float32([0.1, 0.6, 0.3])
    given = dict(zip([(0, 1), (1, 1), (1, 2)], numbers.tolist(), strict=True))
    powers = {move: np.exp(number) for move, number in given.items()}
    softmax = {move: each / sum(powers.values()) for move, each in powers.items()}
    expected = {"probs": given, "values": {(1, 1): 1.0}, "q_values": {(1, 1): 1.0}, "out": softmax}
    for output, chances in expected.items():
        path = constant_network(
            tmp_path / f"{output}.onnx", ["batch", *observed(NIM)], numbers, output=output
        )
        player = Onnx(str(path), sample=True)
        assert player.weights(NIM, NIM.start()) == pytest.approx(chances), output
    player = Onnx(str(path), sample=True, output="probabilities")  # said outright
    assert player.weights(NIM, NIM.start()) == pytest.approx(given)


@pytest.mark.parametrize("shape", [["n", 3, 3, 3], [3, 3, 3], [None, 27], [27]])
def test_planes_are_given_in_the_shape_the_network_takes(shape: list[Any], tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Reshape", ["observation", "one"], ["flat"]),
        helper.make_node("MatMul", ["flat", "w"], ["logits"]),
    ]
    centre = np.zeros((27, 9), np.float32)
    size = Encoding(TICTACTOE).size
    centre[:, 4] = 1.0  # wherever there is anything to see
    path = save(
        tmp_path / "planes.onnx",
        nodes,
        {"observation": (TensorProto.FLOAT, shape)},
        {"logits": (TensorProto.FLOAT, [1, size])},
        {"one": np.array([1, 27]), "w": centre},
    )
    move = Onnx(str(path)).choose(TICTACTOE, TICTACTOE.start())
    assert Encoding(TICTACTOE).index(move) == 4


def test_a_mask_is_given_to_a_network_that_takes_one(tmp_path: Path) -> None:
    path = constant_network(
        tmp_path / "masked.onnx",
        ["batch", *observed(NIM)],
        np.float32([-1, -1, -1]),
        mask=multiply,  # so that what is masked is 0, better than what is not
    )
    network = onnx_model.load_network(str(path)).fit(Encoding(NIM))
    after = NIM.play(NIM.start(), (1, 1))
    encoding = Encoding(NIM)
    found = network(encoding.observe(after, 1), encoding.mask(after))
    assert found[0].tolist() == [-1, -1, 0]
    assert Onnx(str(path)).choose(NIM, after) in NIM.moves(after)


def test_an_action_may_be_the_output(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("MatMul", ["observation", "w"], ["logits"]),
        helper.make_node("ArgMax", ["logits"], ["action"], axis=1, keepdims=0),
    ]
    path = save(
        tmp_path / "action.onnx",
        nodes,
        {"observation": (TensorProto.FLOAT, [1, *observed(NIM)])},
        {"action": (TensorProto.INT64, [1])},
        {"w": np.zeros((*observed(NIM), 3), np.float32)},
    )
    assert Onnx(str(path)).choose(NIM, NIM.start()) == (0, 1)


def test_a_network_that_does_not_fit_a_game_is_refused_with_the_reason(
    net: Path, tmp_path: Path
) -> None:
    player = Onnx(str(net))
    assert player.plays(NIM)
    assert not player.plays(TICTACTOE)
    assert "in tictactoe it is 3x3x3" in player.why_not(TICTACTOE)
    with pytest.raises(ParlourError, match="3x3x3"):
        player.choose(TICTACTOE, TICTACTOE.start())
    other = constant_network(tmp_path / "o.onnx", [1, *observed(NIM)], np.float32([1, 2, 3, 4]))
    assert "gives 1x4, and nim piles=1,2 has 3 actions" in Onnx(str(other)).why_not(NIM)
    assert "needs a file" in Onnx().why_not(NIM)
    assert "onnx" not in registry.bots(NIM)  # no bot is offered without its file


def test_a_file_that_is_no_network_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "text.onnx").write_text("hello", encoding="utf-8")
    with pytest.raises(BadFile, match=r"text\.onnx is not an ONNX network"):
        Onnx(str(tmp_path / "text.onnx"))
    with pytest.raises(BadFile, match="No such file"):
        Onnx(str(tmp_path / "none.onnx"))


def test_a_file_that_is_too_large_is_not_opened(net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    onnx_model._load_network.cache_clear()
    monkeypatch.setattr(onnx_model, "MAX_BYTES", net.stat().st_size - 1)
    with pytest.raises(BadFile, match="the most that is opened"):
        Onnx(str(net))


def test_operations_from_elsewhere_are_not_loaded(tmp_path: Path) -> None:
    path = save(
        tmp_path / "custom.onnx",
        [helper.make_node("Run", ["observation"], ["logits"], domain="evil.example")],
        {"observation": (TensorProto.FLOAT, [1, *observed(NIM)])},
        {"logits": (TensorProto.FLOAT, [1, 3])},
        {},
        domain="evil.example",
    )
    with pytest.raises(BadFile, match="is not an ONNX network"):
        Onnx(str(path))


@pytest.fixture
def keeper(tmp_path: Path) -> Path:
    """A network whose weights lie in another file."""
    folder = tmp_path / "models"
    folder.mkdir()
    seen, best = perfect_rows(NIM)
    return table_network(
        folder / "big.onnx",
        seen,
        best,
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location="big.onnx.data",
        size_threshold=0,
    )


def test_weights_beside_the_file_are_read(keeper: Path) -> None:
    assert keeper.with_name("big.onnx.data").is_file()
    assert parlour.judge(NIM, Onnx(str(keeper))).to_dict()["right"] == 1.0


@pytest.mark.parametrize("way", ["../secret", "/absolute", "link"])
def test_weights_elsewhere_are_not(keeper: Path, way: str, tmp_path: Path) -> None:
    data = keeper.with_name("big.onnx.data")
    secret = tmp_path / "secret"
    data.rename(secret)
    location = {"../secret": "../secret", "/absolute": str(secret), "link": data.name}[way]
    if way == "link":
        data.symlink_to(secret)
    model = onnx.load(keeper, load_external_data=False)
    for tensor in model.graph.initializer:
        for each in tensor.external_data:
            if each.key == "location":
                each.value = location
    onnx.save(model, keeper)
    with pytest.raises(BadFile):
        Onnx(str(keeper))


def test_it_is_a_value(net: Path) -> None:
    player = Onnx(str(net), seed=3)
    copy = pickle.loads(pickle.dumps(player))  # noqa: S301 - our own
    assert copy == player
    assert copy.choose(NIM, NIM.start()) == player.choose(NIM, NIM.start())


def test_a_changed_file_is_opened_again(net: Path) -> None:
    assert Onnx(str(net)).choose(NIM, NIM.start()) == (1, 1)
    constant_network(net, ["batch", *observed(NIM)], np.float32([0.1, 0.2, 0.3]))
    assert Onnx(str(net)).choose(NIM, NIM.start()) == (1, 2)


def test_it_is_named_by_its_file(
    net: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(net.parent)
    flags = ["--piles", "1", "2"]
    for spelling in ("net.onnx", "onnx model=net.onnx", str(net), "net.onnx sample=yes seed=1"):
        assert main(["play", "nim", *flags, "--seat", "random", "--seat", spelling]) == 0
    for thing in (net, "net.onnx", "onnx model=net.onnx", parlour.bot(net)):
        record = parlour.match(NIM, [thing, "perfect"])
        assert record.moves[0] == "1 from 2"
    capsys.readouterr()
    assert main(["judge", "nim", *flags, "--agent", "onnx model=net.onnx"]) == 0
    assert "onnx model=net.onnx in nim piles=1,2" in capsys.readouterr().out
    table = parlour.tournament(NIM, ["onnx model=net.onnx", parlour.bot(net), "random"], games=2)
    names = {row["name"] for row in table.to_dict()["rows"]}
    assert names == {"onnx model=net.onnx", "onnx model=net.onnx (2)", "random"}


@pytest.mark.usefixtures("unconfined")
def test_its_file_takes_part_as_a_bot(net: Path, keeper: Path) -> None:
    table = parlour.tournament(NIM, [str(net), str(keeper), "random"], games=2)
    assert [row["faults"] for row in table.to_dict()["rows"]] == [()] * 3
    assert parlour.judge(NIM, str(keeper)).to_dict()["right"] == 1.0


@pytest.mark.sandbox
@pytest.mark.long
def test_its_file_plays_in_the_sandbox_of_tournaments(
    net: Path, keeper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--piles", "1", "2"]
    assert main(["check-bot", str(keeper), "nim", *flags]) == 0
    assert "big.onnx is fine" in capsys.readouterr().out
    table = parlour.tournament(NIM, [str(net), str(keeper), "random"], games=2)
    assert [row["faults"] for row in table.to_dict()["rows"]] == [()] * 3
    assert parlour.judge(NIM, str(keeper)).to_dict()["right"] == 1.0
