"""Models of Stable-Baselines3 as players.

The `.zip` file of a model holds pickles, and to open a pickle is to run whatever its author put
there. So a file is opened only in the sandbox, where `model.zip` as the name of a bot leads, or by
somebody who says that the file is their own. A model that was just trained is no file, and plays
where it is.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from parlour import core
from parlour.core import BadFile, Game, Move, ParlourError, State, Work, describe, option, settle

if TYPE_CHECKING:
    from parlour.rl.policies import Policy

NEEDED = "this needs Stable-Baselines3: pip install stable-baselines3 sb3-contrib"
UNTRUSTED = (
    "{} can run any code when it is opened; name it as a bot, {}, to have it play in the sandbox, "
    "or say trust={} if you made the file yourself"
)
ALGORITHMS = {  # by the module of the policy's class in the file
    "sb3_contrib.common.maskable": "sb3_contrib:MaskablePPO",
    "sb3_contrib.common.recurrent": "sb3_contrib:RecurrentPPO",
    "sb3_contrib.qrdqn": "sb3_contrib:QRDQN",
    "sb3_contrib.trpo": "sb3_contrib:TRPO",
    "stable_baselines3.dqn": "stable_baselines3:DQN",
}
MAX_DATA = 16 << 20  # bytes of the description in a file


def stable_baselines3(
    model: Any, *, trust: bool = False, sample: bool = False, seed: int | None = None
) -> Policy:
    """Return the player that follows a model of Stable-Baselines3, or the one in a file.

    PPO, A2C, DQN and others that choose among a number of actions will do, and MaskablePPO of
    sb3-contrib. Opening a file runs code that stands in it: that needs `trust`. What the network
    gives is masked, so that no illegal action is played; with `sample` moves are drawn.
    """
    from parlour.rl.policies import Policy

    name = "model"
    if isinstance(model, str | os.PathLike):
        path = Path(model)
        name = path.stem
        if not trust:
            raise ParlourError(UNTRUSTED.format(path, repr(str(path)), True))
        model = load_model(path)
    function = _ModelFunction(model)
    return Policy(function, output=function.output, sample=sample, seed=seed, name=name)


@dataclass
class StableBaselines3:
    """A model of Stable-Baselines3 in a .zip file, opened where it plays."""

    name: ClassVar[str] = "stable-baselines3"
    needs_trust: ClassVar[str] = "opens a file"  # so web pages and Benedict do not offer it

    model: str = option("", "the .zip file")
    trust: bool = option(False, "open it outside the sandbox, where it can run any code")
    sample: bool = option(False, "draw its moves by their probabilities instead of the best one")
    seed: int | None = option(None, "a number that makes its random draws repeatable", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._policy: Policy | None = None
        if self.model:
            read_description(Path(self.model))  # what is no model is refused at once

    def __reduce__(self) -> tuple[Any, ...]:
        return core.reduce_to_options(self)

    def plays(self, game: Game) -> str:
        """Say that it plays a game whose observations and actions fit the model."""
        return "" if self.why_not(game) else "as it was trained"

    def why_not(self, game: Game) -> str:
        """Return why the model cannot play a game, or nothing; the file is not opened for that."""
        if not self.model:
            return "it needs a file, like model=model.zip"
        if not self.trust:
            return UNTRUSTED.format(self.model, self.model, "yes")
        try:
            return explain_mismatch(Path(self.model), game)
        except ParlourError as error:
            return str(error)

    def prepare(self, game: Game, work: Work) -> None:
        """Open the file, which takes seconds."""
        self._open(game)

    def choose(self, game: Game, state: State) -> Move:
        return self._open(game).choose(game, state)

    def weights(self, game: Game, state: State) -> dict[Move, float]:
        return self._open(game).weights(game, state)

    def _open(self, game: Game) -> Policy:
        if self._policy is None:
            if why := self.why_not(game):
                raise ParlourError(f"{describe(self)} does not play {describe(game)}: {why}")
            self._policy = stable_baselines3(
                self.model, trust=self.trust, sample=self.sample, seed=self.seed
            )
        return self._policy


def read_description(path: Path) -> dict[str, Any]:
    """Return the description of a model in its file, without opening any pickle in it."""
    try:
        with core.files.explain_errors("read", path), zipfile.ZipFile(path) as archive:
            entry = archive.getinfo("data")
            if entry.file_size > MAX_DATA:
                raise BadFile(f"{path} describes itself at too great a length")
            found = json.loads(archive.read(entry))
    except (zipfile.BadZipFile, KeyError, ValueError, RecursionError, NotImplementedError) as error:
        if isinstance(error, BadFile):
            raise
        found = None
    if not isinstance(found, dict) or "policy_class" not in found:
        raise BadFile(f"{path} is not a model that Stable-Baselines3 saved")
    return found


def explain_mismatch(path: Path, game: Game) -> str:
    """Return why the model in a file does not fit a game, as far as its description says."""
    from parlour.rl.policies import encode

    found, encoding = read_description(path), encode(game)
    seen, chosen = found.get("observation_space", {}), found.get("action_space", {})
    shape = seen.get("_shape") if isinstance(seen, dict) else None
    size = chosen.get("n") if isinstance(chosen, dict) else None
    if isinstance(shape, list) and tuple(shape) != encoding.shape:
        return f"it observes {tuple(shape)}, and the game shows {encoding.shape}"
    if size is not None and str(size) != str(encoding.size):
        return f"it chooses among {size} actions, and the game has {encoding.size}"
    return ""


def load_model(path: Path) -> Any:
    """Return the model in a file; this runs whatever code stands in it."""
    found = read_description(path)
    home, _, name = _find_algorithm(found).partition(":")
    try:
        from stable_baselines3.common.save_util import load_from_zip_file

        library = importlib.import_module(home)
        data, _, _ = load_from_zip_file(path, device="cpu")
        network = {**(data or {}).get("policy_kwargs", {}), "optimizer_class": _NoOptimizer}
        custom = {"policy_kwargs": network}
        return getattr(library, name).load(path, device="cpu", custom_objects=custom)
    except ImportError:
        raise ParlourError(NEEDED) from None
    except Exception as error:  # a stranger wrote the file
        raise BadFile(f"{path} cannot be opened: {core.describe_error(error)}") from None


def _find_algorithm(description: dict[str, Any]) -> str:
    """Return the class that wrote a file, as `package:Class`."""
    policy = description["policy_class"]
    shown = policy.get("__module__", "") if isinstance(policy, dict) else ""
    home = str(shown) or re.sub(r"\W+", ".", str(policy))
    for module, algorithm in ALGORITHMS.items():
        if home.startswith(module):
            return algorithm
    return f"stable_baselines3:{'PPO' if 'n_epochs' in description else 'A2C'}"


class _NoOptimizer:
    """Stands for the optimizer of a model that only plays: PyTorch's own takes seconds to load."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.param_groups: list[Any] = []

    def load_state_dict(self, *_: Any, **__: Any) -> None:
        """Forget what the file says of it."""


class _ModelFunction:
    """A model as a function of an observation and a mask."""

    def __init__(self, model: Any) -> None:
        policy = getattr(model, "policy", None)
        if policy is None or not hasattr(getattr(model, "action_space", None), "n"):
            raise ParlourError(
                "this is not a model of Stable-Baselines3 that chooses among actions"
            )
        self.model = model
        self.is_dict = hasattr(model.observation_space, "spaces")
        self.masks = "Maskable" in type(policy).__name__
        networks = ("q_net", "quantile_net")
        self.network = next((getattr(policy, n) for n in networks if hasattr(policy, n)), None)
        self.output = "values" if self.network is not None else "logits"

    def __call__(self, observation: Any, mask: Any) -> Any:
        import torch

        policy, seen = self.model.policy, observation
        if self.is_dict:
            seen = {"observation": observation, "action_mask": mask}
        policy.set_training_mode(False)
        given, _ = policy.obs_to_tensor(seen)
        with torch.no_grad():
            if self.network is not None:
                found = self.network(given)
                found = found.mean(dim=1) if found.ndim == 3 else found  # quantiles
            else:
                masks = {"action_masks": mask[None]} if self.masks else {}
                found = policy.get_distribution(given, **masks).distribution.logits
        return found[0].numpy()
