"""Has children that wake each other for ever, and resigns if they got anywhere in the meantime."""

import mmap
import os
import signal
import struct
import time

from parlour.core.player import Resigns

CHILDREN = 8
counted = mmap.mmap(-1, 4096)
last = []


def count(number):
    while True:
        os.kill(-1, signal.SIGCONT)
        (known,) = struct.unpack_from("Q", counted, 8 * number)
        struct.pack_into("Q", counted, 8 * number, known + 1)


def choose(game, state):
    if not last:
        for number in range(CHILDREN):
            if not os.fork():
                count(number)
        time.sleep(0.1)
    total = sum(struct.unpack_from(f"{CHILDREN}Q", counted))
    if last and total - last[-1] > 100_000:
        raise Resigns(f"counted to {total - last[-1]} in the meantime")
    last.append(sum(struct.unpack_from(f"{CHILDREN}Q", counted)))
    return game.moves(state)[0]
