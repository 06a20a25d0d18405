"""Forges the order to go on, as if it came from outside, and resigns if it got anywhere by that."""

import ctypes
import mmap
import os
import platform
import signal
import struct
import time

from parlour.core.protocol import Resigns

CHILDREN = 4
WHILE = 0.1  # seconds in which it sees how fast it counts
MANY = 4  # times as much is more than it takes to stop it

RT_SIGQUEUEINFO = {"x86_64": 129, "aarch64": 138}[platform.machine()]
SI_QUEUE = -1
counted = mmap.mmap(-1, 4096)
last, pace = [], []


def count(number):
    libc = ctypes.CDLL(None)
    order = struct.pack("iiiiii", signal.SIGUSR2, 0, SI_QUEUE, 0, 0, 0).ljust(128, b"\0")
    while True:
        libc.syscall(RT_SIGQUEUEINFO, 1, signal.SIGUSR2, order)
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
