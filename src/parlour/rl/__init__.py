"""Environments for training agents on any game, and players made from what was trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.rl.adapters import gymnasium, openspiel, pettingzoo, register
    from parlour.rl.batched_seat import BatchedSeat, vector
    from parlour.rl.batches import Batch, batch
    from parlour.rl.encoding import MAX_ACTIONS, Encoding
    from parlour.rl.onnx_model import Onnx
    from parlour.rl.policies import Policy, policy
    from parlour.rl.sb3_model import StableBaselines3, stable_baselines3
    from parlour.rl.spiel_players import openspiel_player
    from parlour.rl.torch_model import torch_policy
else:
    __getattr__ = export(__name__)
