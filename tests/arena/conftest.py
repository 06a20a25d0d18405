"""Bots in files that play without the sandbox, where something else is tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from io import TextIOWrapper
from typing import Any

import numpy as np
import pytest

from parlour.arena.sandbox import bot_side, launcher, namespaces, referee_side
from parlour.core import registry
from parlour.players.process import Program


class ThreadOfBot:
    """A bot in a thread of this process, with the interface of a `subprocess.Popen`."""

    def __init__(self, what: str, game: Any) -> None:
        questions, self.stdin = open_pipe()
        self.stdout, answers = open_pipe()
        self.stderr, self._log = open_pipe()

        def answer() -> None:
            asked, said = TextIOWrapper(questions), TextIOWrapper(answers, line_buffering=True)
            with suppress(OSError), asked, said:  # the referee may be gone
                bot_side.answer_questions(what, game, asked, said)

        self._thread = threading.Thread(target=answer, daemon=True)
        self._thread.start()

    def wait(self, timeout: float | None = None) -> int:
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise subprocess.TimeoutExpired("the bot", timeout or 0)
        self._log.close()
        return 0

    def send_signal(self, number: int) -> None:
        """Nothing stops it: it waits for questions by itself."""

    def kill(self) -> None:
        """It ends when its input is closed."""


def open_pipe():
    """Return the end to read from and the end to write to, both without a buffer."""
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb", 0), os.fdopen(writing, "wb", 0)


class ServerOfThreads:
    """What starts the bots for one game, with the interface of a fork server."""

    def __init__(self, game: str, options: str, libraries: str = "") -> None:
        cls = registry.find("games", game, files=True)
        self.game = registry.build("games", cls, json.loads(options))

    def start(self, bot: str, files: Any, limits: Any, *, strong: bool) -> ThreadOfBot:
        return ThreadOfBot(bot, self.game)


class Unconfined(Program):
    """A program that runs as it is, and is not paused between its moves."""

    def send_signal(self, number: int) -> None:
        if number not in (namespaces.PAUSE, namespaces.RESUME):
            super().send_signal(number)


def start_unconfined(words, **_):
    """Start a program, or one that reports as the sandbox does why that cannot be."""
    try:
        return Unconfined(words)
    except OSError as error:
        report = f"echo 'cannot be started: {error.strerror}' >&2; exit {namespaces.NOT_STARTED}"
        return Unconfined(["sh", "-c", report])


@pytest.fixture
def unconfined(monkeypatch):
    """Let bots in files play in threads of this process, and programs as they are."""
    monkeypatch.setattr(launcher, "why_unavailable", lambda: "")
    monkeypatch.setattr(referee_side, "bot_server", ServerOfThreads)
    monkeypatch.setattr(referee_side, "wrap_command", start_unconfined)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    # A bot in a process of its own seeds all generators there.
    monkeypatch.setattr(np.random.bit_generator, "randbits", np.random.bit_generator.randbits)
