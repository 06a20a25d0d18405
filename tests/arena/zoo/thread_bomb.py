"""Starts threads that wait for nothing."""

import threading
import time


def choose(game, state):
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
