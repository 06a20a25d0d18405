"""Has children that wake each other for ever, and resigns if they got anywhere in the meantime."""

import mmap
import os
import signal
import struct
import time

from parlour.core.protocol import Resigns

CHILDREN = 8
MOST = 0.8  # seconds of processor: more than it takes to stop them
used = mmap.mmap(-1, 4096)
last = []


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
    if last and (gained := total() - last[-1]) > MOST:
        raise Resigns(f"worked for {gained:.1f} s in the meantime")
    last.append(total())
    return game.moves(state)[0]
