"""Ignores every signal to end."""

import signal
import time

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)


def choose(game, state):
    while True:
        time.sleep(0.01)
