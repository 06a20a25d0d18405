"""Forges the order to go on, as if it came from outside, and resigns if it got anywhere by that."""

import ctypes
import mmap
import os
import platform
import signal
import struct
import time

from parlour.core.player import Resigns

RT_SIGQUEUEINFO = {"x86_64": 129, "aarch64": 138}[platform.machine()]
SI_QUEUE = -1
counted = mmap.mmap(-1, 4096)
last = []


def count():
    libc = ctypes.CDLL(None)
    order = struct.pack("iiiiii", signal.SIGUSR2, 0, SI_QUEUE, 0, 0, 0).ljust(128, b"\0")
    while True:
        libc.syscall(RT_SIGQUEUEINFO, 1, signal.SIGUSR2, order)
        struct.pack_into("Q", counted, 0, struct.unpack_from("Q", counted)[0] + 1)


def choose(game, state):
    if not last:
        for _ in range(4):
            if not os.fork():
                count()
        time.sleep(0.1)
    total = struct.unpack_from("Q", counted)[0]
    if last and total - last[-1] > 10_000:
        raise Resigns(f"counted to {total - last[-1]} in the meantime")
    last.append(struct.unpack_from("Q", counted)[0])
    return game.moves(state)[0]
