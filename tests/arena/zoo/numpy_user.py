"""Says what it draws by lot, in every way, and resigns."""

import os
import random

import numpy as np

from parlour.core import Resigns

LOADED = np.random.random(), np.random.default_rng().random()
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMBA")


def choose(game, state):
    drawn = [
        *LOADED,
        np.random.random(),
        np.random.default_rng().random(),
        np.random.RandomState().random(),
        np.random.Generator(np.random.PCG64()).random(),
        random.random(),
        [*{"a", "b", "c", "d", "e"}],
        [os.environ[f"{each}_NUM_THREADS"] for each in LIBRARIES],
    ]
    raise Resigns(" ".join(map(str, drawn)))
