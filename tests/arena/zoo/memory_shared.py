"""Wants all memory in a form that belongs to no process alone."""

import mmap
import time


def choose(game, state):
    held = mmap.mmap(-1, 512 << 20)
    for place in range(0, len(held), mmap.PAGESIZE):
        held[place] = 1
    time.sleep(60)
