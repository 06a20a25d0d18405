"""Has children that wake each other for ever, and resigns if they got anywhere in the meantime."""

import mmap
import os
import signal
import struct
import time

from parlour.core.protocol import Resigns

CHILDREN = 8
WHILE = 0.1  # seconds in which it sees how fast they count
MANY = 4  # times as much is more than it takes to stop them
counted = mmap.mmap(-1, 4096)
last, pace = [], []


def count(number):
    while True:
        os.kill(-1, signal.SIGCONT)
        (known,) = struct.unpack_from("Q", counted, 8 * number)
        struct.pack_into("Q", counted, 8 * number, known + 1)


def total():
    return sum(struct.unpack_from(f"{CHILDREN}Q", counted))


def choose(game, state):
    if not last:
        for number in range(CHILDREN):
            if not os.fork():
                count(number)
        time.sleep(WHILE)
        pace.append(total())
    if last and (gained := total() - last[-1]) > MANY * pace[0]:
        raise Resigns(f"counted to {gained} in the meantime")
    last.append(total())
    return game.moves(state)[0]
