"""Files that run code when they are opened as their libraries do it: the code leaves a mark."""

from __future__ import annotations

import base64
import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any


class Touch:
    """Writes a file when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


def model_zip(path: Path, mark: Path, *, shape: tuple[int, ...] = (5,), actions: int = 3) -> Path:
    """Write what looks like a model of Stable-Baselines3, with a pickle wherever one can be."""
    bad = pickle.dumps(Touch(mark))

    def held(kind: str, **shown: Any) -> dict[str, Any]:
        return {":type:": kind, ":serialized:": base64.b64encode(bad).decode(), **shown}

    data = {
        "policy_class": held(
            "<class 'abc.ABCMeta'>", __module__="stable_baselines3.common.policies"
        ),
        "policy_kwargs": held("<class 'dict'>"),
        "observation_space": held("<class 'gymnasium.spaces.box.Box'>", _shape=list(shape)),
        "action_space": held("<class 'gymnasium.spaces.discrete.Discrete'>", n=str(actions)),
        "n_epochs": 10,
        "lr_schedule": held("<class 'function'>"),
    }
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", json.dumps(data))
        for name in ("policy.pth", "policy.optimizer.pth", "pytorch_variables.pth"):
            archive.writestr(name, bad)
        archive.writestr("_stable_baselines3_version", "2.9.2")
    return path


def weights_pt(path: Path, mark: Path) -> Path:
    """Write what looks like the weights of PyTorch, in the layout of its archives."""
    content = io.BytesIO()
    pickle.dump({"weight": Touch(mark)}, content, protocol=2)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", content.getvalue())
        archive.writestr("archive/version", "3\n")
        archive.writestr("archive/byteorder", "little")
    return path
