"""A PyTorch network as a player, by a small file of one's own.

The file builds the network and names its weights, which are read without running any code that may
stand in them. Being Python, such a file plays in the sandbox wherever any `.py` bot does; there it
may read the weights beside it, `agent.pt` for `agent.py`.
"""

from __future__ import annotations

import inspect
import os
import re
from pathlib import Path
from typing import Any

from parlour.core import BadFile, BadOption, ParlourError, describe_error, files
from parlour.rl.policies import Policy

NEEDED = "this needs PyTorch; install torch first"
SAFE_VERSION = (2, 6)  # before, a file could run code even where only weights are loaded


def torch_policy(
    module: Any,
    weights: str | os.PathLike[str] | None = None,
    *,
    output: str = "logits",
    sample: bool = False,
    seed: int | None = None,
    name: str = "",
) -> Policy:
    """Return the player that follows a PyTorch module, with the weights in a file if one is named.

    The module is called with a batch of one observation, and with the mask too if it takes two
    arguments; of several results the first counts. The file holds a `state_dict()`.
    """
    try:
        import torch
    except ImportError:
        raise ParlourError(NEEDED) from None
    if not isinstance(module, torch.nn.Module):
        raise BadOption("module", module, "it must be a torch.nn.Module")
    if weights is not None:
        _set_weights(module, load_weights(weights), weights)
    module.eval()
    return Policy(
        _TorchFunction(module),
        output=output,
        sample=sample,
        seed=seed,
        name=name or type(module).__name__.casefold(),
    )


def load_weights(path: str | os.PathLike[str]) -> Any:
    """Return the weights in a file; one that holds anything else is refused, and never run."""
    import torch

    version = tuple(map(int, re.findall(r"\d+", str(torch.__version__))[:2]))
    if version < SAFE_VERSION:
        raise ParlourError(
            f"PyTorch {torch.__version__} may run code that stands among weights; "
            "install 2.6 or newer"
        )
    file = Path(path)
    with files.explain_errors("read", file):
        file.stat()
    try:
        return torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:  # garbage fails in any way
        raise BadFile(
            f"{file} does not hold weights alone; write it by torch.save(module.state_dict(), …) "
            f"({describe_error(error)[:120]})"
        ) from None


def _set_weights(module: Any, found: Any, path: object) -> None:
    try:
        module.load_state_dict(found)
    except (RuntimeError, TypeError, AttributeError) as error:
        reason = " ".join(describe_error(error).split())[:200]
        raise BadFile(f"{path} holds the weights of another network: {reason}") from None


class _TorchFunction:
    """A module as a function of an observation and a mask; it pickles with its weights."""

    def __init__(self, module: Any) -> None:
        self.module = module
        taken = inspect.signature(module.forward).parameters.values()
        needed = [each for each in taken if each.default is each.empty]
        self.takes_mask = len(needed) > 1

    def __call__(self, observation: Any, mask: Any) -> Any:
        import torch

        with torch.inference_mode():
            given = [torch.from_numpy(observation)[None]]
            if self.takes_mask:
                given.append(torch.from_numpy(mask)[None])
            found = self.module(*given)
            found = found[0] if isinstance(found, tuple | list) else found
            return found[0].numpy()
