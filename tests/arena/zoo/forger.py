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
ENOUGH = 0.2  # seconds of processor to see how fast they work
MOST = 0.4  # of the work for which there was time is more than it takes to stop it

RT_SIGQUEUEINFO = {"x86_64": 129, "aarch64": 138}[platform.machine()]
SI_QUEUE = -1
used = mmap.mmap(-1, 4096)
last, pace = [], []


def work(number):
    libc = ctypes.CDLL(None)
    order = struct.pack("iiiiii", signal.SIGUSR2, 0, SI_QUEUE, 0, 0, 0).ljust(128, b"\0")
    while True:
        libc.syscall(RT_SIGQUEUEINFO, 1, signal.SIGUSR2, order)
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
