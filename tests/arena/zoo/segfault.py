"""Reads where nothing is."""

import ctypes


def choose(game, state):
    return ctypes.string_at(0)
