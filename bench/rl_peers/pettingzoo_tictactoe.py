"""PettingZoo's `performance_benchmark` of its own tic-tac-toe, which needs pygame."""

from __future__ import annotations

import time
import warnings
from unittest import mock

from pettingzoo.test import performance_benchmark

warnings.simplefilter("ignore")  # of pygame, about the packages it uses

from pettingzoo.classic import tictactoe_v3  # noqa: E402

if __name__ == "__main__":
    with mock.patch("time.time", time.process_time):
        performance_benchmark(tictactoe_v3.env())
