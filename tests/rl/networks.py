"""Tiny networks for tests, written by hand: what each plays is known without training.

`table_network` is exact: where observations are zeros and ones, one hidden unit for each of them is
1 at its own and at most 0 at all others, so the output is a table of whatever one likes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

import parlour
from parlour.rl import Encoding

Rows = NDArray[np.float32]


def list_states(game: Any) -> list[Any]:
    """All states in which there is something to choose."""
    ahead, met = [game.start()], {game.start()}
    for state in ahead:
        for move in game.moves(state):
            after = game.play(state, move)
            if after not in met:
                met.add(after)
                ahead.append(after)
    return [state for state in ahead if game.moves(state)]


def perfect_rows(game: Any) -> tuple[Rows, Rows]:
    """What is observed in every state, and beside it 1 for each best action."""
    encoding, solution = Encoding(game), parlour.solve(game)
    seen, best = {}, {}
    for state in list_states(game):
        row = encoding.observe(state, game.turn(state)).ravel()
        seen[row.tobytes()] = row
        mark = np.zeros(encoding.size, np.float32)
        mark[[encoding.index(move) for move in solution.best(state)]] = 1
        best[row.tobytes()] = mark
    return np.stack(list(seen.values())), np.stack([best[key] for key in seen])


def save(
    path: Path,
    nodes: list[Any],
    inputs: dict[str, tuple[int, list[Any]]],
    outputs: dict[str, tuple[int, list[Any]]],
    weights: dict[str, Any],
    *,
    domain: str = "",
    **how: Any,
) -> Path:
    """Write a network to a file."""

    def describe(named: dict[str, tuple[int, list[Any]]]) -> list[Any]:
        return [helper.make_tensor_value_info(name, *kind) for name, kind in named.items()]

    held = [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "net", describe(inputs), describe(outputs), held)
    versions = [helper.make_opsetid("", 17)]
    if domain:
        versions.append(helper.make_opsetid(domain, 1))
    onnx.save(helper.make_model(graph, opset_imports=versions, ir_version=10), path, **how)
    return path


def table_network(
    path: Path, seen: Rows, answers: Rows, *, output: str = "logits", **how: Any
) -> Path:
    """Write the network that answers each observation of zeros and ones with its own row."""
    n, size = seen.shape[1], answers.shape[1]
    weights = {
        "w1": (2 * seen - 1).T.astype(np.float32),
        "b1": (1 - seen.sum(axis=1)).astype(np.float32),
        "w2": answers.astype(np.float32),
    }
    nodes = [
        helper.make_node("Flatten", ["observation"], ["flat"]),
        helper.make_node("Gemm", ["flat", "w1", "b1"], ["near"]),
        helper.make_node("Relu", ["near"], ["same"]),
        helper.make_node("MatMul", ["same", "w2"], [output]),
    ]
    return save(
        path,
        nodes,
        {"observation": (TensorProto.FLOAT, ["batch", n])},
        {output: (TensorProto.FLOAT, ["batch", size])},
        weights,
        **how,
    )


def constant_network(
    path: Path,
    shape: list[Any],
    numbers: Rows,
    *,
    output: str = "logits",
    mask: Callable[[str], list[Any]] | None = None,
    **how: Any,
) -> Path:
    """Write the network that answers these numbers to everything."""
    nodes = [
        helper.make_node("Flatten", ["observation"], ["flat"]),
        helper.make_node("MatMul", ["flat", "zeros"], ["nothing"]),
        helper.make_node("Add", ["nothing", "numbers"], ["given" if mask else output]),
    ]
    inputs = {"observation": (TensorProto.FLOAT, shape)}
    length = int(np.prod([each for each in shape if isinstance(each, int)]))
    if mask:
        nodes += mask(output)
        inputs["action_mask"] = (TensorProto.FLOAT, ["batch", len(numbers)])
    return save(
        path,
        nodes,
        inputs,
        {output: (TensorProto.FLOAT, ["batch", len(numbers)])},
        {"zeros": np.zeros((length, len(numbers)), np.float32), "numbers": numbers[None]},
        **how,
    )
