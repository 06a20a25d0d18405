"""The bot's side of a game: between a bot in a Python file and the line protocol.

This runs in a fork server that has Python, the game and its compiled rules loaded. The server runs
no bot's code, though to find the game it may look through the files in the user's own bots folder.
For every game it forks a child that enters a sandbox, opens the bot's file there, answers the
referee, and is gone with the game.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import json
import os
import random
import shlex
import socket
import sys
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

assert sys.platform != "win32"  # nothing here is used there

from parlour import core
from parlour.arena.sandbox import namespaces
from parlour.core import BadFile, Game, ParlourError, Resigns, Work, describe_error, quote, registry

MAX_LOG = 4_000  # characters
Answer = dict[str, Any]


def load_game(
    name: str, options: str, libraries: str
) -> Callable[[dict[str, Any], list[int]], None]:
    """Load a game, compiling what is not compiled yet, and return what plays one game of it."""
    game: Game = registry.build(
        "games", registry.find("games", name, files=True), json.loads(options)
    )
    state = game.start()
    for move in game.moves(state)[:1]:
        game.read_move(state, game.write_move(move))
        game.result(game.play(state, move))
    game.read(game.write(state))
    for needed in ("numpy.random", *libraries.split()):
        with contextlib.suppress(Exception):  # the bot will see what is missing
            importlib.import_module(
                needed
            )  # here once, and not in every game of a bot that uses it
    server = os.getpid()
    return lambda request, files: _run_bot(request, files, server, game)


def _run_bot(request: dict[str, Any], files: list[int], server: int, game: Game) -> None:
    """Run one bot for one game, and report who supervises it and how it ended."""
    os.setsid()
    *streams, last = files
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    control = socket.socket(fileno=last)
    me = os.getpid()
    handles = [os.pidfd_open(me)] if hasattr(os, "pidfd_open") else []  # Linux alone has them
    socket.send_fds(control, [me.to_bytes(4)], handles)
    spec = request["spec"] | {"parent": server}
    code = namespaces.run(spec, lambda: answer_for(request["bot"], game))
    with contextlib.suppress(BrokenPipeError):  # the referee is gone
        control.send(bytes([code]))


def answer_for(what: str, game: Game) -> None:
    """Answer the referee's questions for the bot in this file until there are no more."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", 1, encoding="utf-8")
    # What the bot prints is not for the referee, and nobody answers its input().
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8")
    sys.dont_write_bytecode = True  # not beside the bot's file
    answer_questions(what, game, questions, answers)


def answer_questions(what: str, game: Game, questions: Iterable[str], answers: TextIO) -> None:
    """Load the bot with the first question, and write its answer to each on a line."""
    me, path = os.getpid(), Path(shlex.split(what)[0])
    bot: Any = None
    for line in questions:
        question = json.loads(line)
        try:
            if bot is None:
                bot = _load_bot(what, game, question["seed"])
                answer: Answer = {"type": "ready"}
            else:
                answer = _choose(bot, game, question)
        except BaseException as error:  # whatever it is, it is the bot's
            answer = _report(error, path)
        if os.getpid() != me:
            os._exit(0)  # a fork that the bot made is not the bot
        answers.write(json.dumps(answer) + "\n")


def _load_bot(what: str, game: Game, seed: int) -> Any:
    _seed_generators(seed)
    words = shlex.split(what)
    if words[0].endswith(".zip"):  # it may run code when it is opened, as is safe in here
        options = shlex.join([f"model={words[0]}", "trust=yes", *words[1:]])
        what = f"stable-baselines3 {options}"
    bot: Any = registry.bot(what)
    if not bot.plays(game):
        why = bot.why_not(game) if hasattr(bot, "why_not") else ""
        raise BadFile(f"{bot.name} does not play {core.describe(game)}" + (why and f": {why}"))
    if words[0].endswith(registry.MODELS) and hasattr(bot, "prepare"):
        bot.prepare(game, Work())  # to open it takes longer than to play
    return bot


def _seed_generators(seed: int) -> None:
    """Make the bot's random choices those of its seed, whichever generator it uses.

    A generator of numpy that is given no seed asks `randbits` for one, as `default_rng()` does.
    """
    random.seed(seed)
    numpy_random = importlib.import_module("numpy.random")
    numpy_random.seed(seed % 2**32)
    numpy_random.bit_generator.randbits = random.Random(f"numpy {seed}").getrandbits


def _choose(bot: Any, game: Game, question: dict[str, Any]) -> Answer:
    state = game.read(question["position"])
    if question["seconds"] is not None and hasattr(bot, "clock"):
        bot.clock(question["seconds"])
    try:
        move = bot.choose(game, state)
    except Resigns as why:
        return {"type": "resign", "why": str(why)}
    try:
        move = core.protocol.check_move(game, state, move)
        return {"type": "move", "move": game.write_move(move)}
    except Exception as refusal:  # a move may be anything
        why_not = str(refusal) if isinstance(refusal, ParlourError) else describe_error(refusal)
        return {"type": "error", "fault": "illegal", "choice": quote(move), "why": why_not}


def _report(error: BaseException, path: Path) -> Answer:
    """Say what went wrong: a sentence, and for the author the traceback through the bot's file."""
    if isinstance(error, BadFile) and _line_of(error.__context__, path):
        error = error.__context__ or error  # what kept the file from being loaded
    line = _line_of(error, path)
    if isinstance(error, ParlourError) and not line:
        return {"type": "error", "why": str(error).replace(str(path), path.name)}
    own = error.__traceback__
    while own and own.tb_frame.f_code.co_filename != str(path):
        own = own.tb_next
    log = "".join(traceback.format_exception(type(error), error, own))
    place = f" (line {line} of {path.name})" if line else ""
    text = f"SyntaxError: {error.msg}" if isinstance(error, SyntaxError) else describe_error(error)
    answer = {"type": "error", "why": text + place, "log": log[-MAX_LOG:]}
    return answer | ({"fault": fault} if (fault := _fault_of(error)) else {})


def _line_of(error: BaseException | None, path: Path) -> int:
    """Return the innermost line of the file in a traceback; 0 when there is none."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno or 0
    frames = traceback.walk_tb(error.__traceback__ if error else None)
    lines = [line for frame, line in frames if frame.f_code.co_filename == str(path)]
    return lines[-1] if lines else 0


def _fault_of(error: BaseException) -> str:
    """Name the limit that was reached, if one was."""
    if isinstance(error, MemoryError):
        return "memory"
    full = isinstance(error, OSError) and error.errno == errno.EAGAIN
    return "processes" if full or "can't start new thread" in str(error) else ""
