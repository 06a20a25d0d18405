"""A PyTorch network as a bot: built here, with its weights beside this file, in torch_agent.pt.

    parlour judge nim --piles 1 3 5 --misere --agent torch_agent.py

`misere_nim.py` writes such weights. They are read without running anything that may stand in the
file; and as any bot in a Python file, this one is shut in where it plays against others.
"""

from pathlib import Path

from torch import nn

import parlour

network = nn.Sequential(
    nn.Linear(10, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 9)
)
choose = parlour.rl.torch_policy(network, Path(__file__).with_suffix(".pt")).choose
