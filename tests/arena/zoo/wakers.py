"""Has children that wake each other for ever, and resigns if they got anywhere in the meantime."""

import mmap
import os
import signal
import struct
import time

from parlour.core.protocol import Resigns

CHILDREN = 8
ENOUGH = 0.2  # seconds of processor to see how fast they work
MOST = 0.4  # of the work for which there was time is more than it takes to stop them
used = mmap.mmap(-1, 4096)
last, pace = [], []


def work(number):
    while True:
        os.kill(-1, signal.SIGCONT)
        struct.pack_into("d", used, 8 * number, time.process_time())


def total():
    return sum(struct.unpack_from(f"{CHILDREN}d", used))


def choose(game, state):
    if not last:
        for number in range(CHILDREN):
            if not os.fork():
                work(number)
        while not all(struct.unpack_from(f"{CHILDREN}d", used)):
            time.sleep(0.01)  # until each has begun
        before, began = total(), time.monotonic()
        while total() - before < ENOUGH:
            time.sleep(0.01)
        pace.append((total() - before) / (time.monotonic() - began))
    else:
        gained, passed = total() - last[0], time.monotonic() - last[1]
        if gained > MOST * pace[0] * passed:
            raise Resigns(f"worked for {gained:.1f} s in the meantime")
    last[:] = total(), time.monotonic()
    return game.moves(state)[0]
