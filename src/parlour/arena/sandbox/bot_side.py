"""The far side of a bot in a Python file: it sits between the file and the line protocol.

Python, the game and its compiled rules take much longer to load than most games to be played. So
one process, the stable, has them loaded and waits. It runs no bot's code, though to find the game
it may look through the files that the user has dropped in, which are the user's own: for every game
it makes a fork of itself that goes into a sandbox, opens the bot's file there, and is gone with the
game.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import json
import os
import random
import shlex
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

from parlour.arena.sandbox import namespaces as cell
from parlour.core import BadFile, Game, ParlourError, Resigns, describe, named, quote, registry

LONGEST_LOG = 4_000  # characters
Answer = dict[str, Any]


# The stable


def main() -> None:
    """`SOCKET GAME OPTIONS`: wait there for orders to let a bot out, each for one game."""
    number, name, options = sys.argv[1:]
    orders = socket.socket(fileno=int(number))
    try:
        game: Game = registry.made(registry.typed("games", name), name, json.loads(options))
        _warm(game)
    except ParlourError as trouble:
        sys.exit(str(trouble))
    gc.freeze()  # what is here now stays, and is shared by all that follow
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # they are reaped by themselves
    here = os.getpid()
    while True:
        order, streams = b"", list[int]()
        while not order.endswith(b"\n"):
            part, passed, _, _ = socket.recv_fds(orders, 1 << 20, 4)
            if not part:
                return  # nobody is left who could ask
            order += part
            streams += passed
        with contextlib.suppress(BlockingIOError):  # then its streams close, which tells enough
            if not os.fork():
                try:
                    orders.close()
                    _let_out(json.loads(order), streams, here, game)
                finally:
                    os._exit(1)
        for stream in streams:
            os.close(stream)


def _warm(game: Game) -> None:
    """Have what every bot will need loaded, and compiled where it was not."""
    state = game.start()
    for move in game.moves(state)[:1]:
        game.read_move(state, game.write_move(move))
        game.result(game.play(state, move))
    game.read(game.write(state))


def _let_out(order: dict[str, Any], streams: list[int], stable: int, game: Game) -> None:
    """One bot for one game; its warder tells by the reins who he is, and then how it ended."""
    os.setsid()
    *three, last = streams
    for place, stream in enumerate(three):
        os.dup2(stream, place)
        os.close(stream)
    reins = socket.socket(fileno=last)
    me = os.getpid()
    handles = [os.pidfd_open(me)] if hasattr(os, "pidfd_open") else []  # Linux alone has them
    socket.send_fds(reins, [me.to_bytes(4)], handles)
    code = cell.run(order["spec"] | {"parent": stable}, lambda: sit(order["bot"], game))
    with contextlib.suppress(BrokenPipeError):  # nobody wants to know
        reins.send(bytes([code]))


# The sitter


def sit(what: str, game: Game) -> None:
    """Answer for the bot in this file until there are no more questions."""
    ears = os.fdopen(os.dup(0), encoding="utf-8")
    mouth = os.fdopen(os.dup(1), "w", 1, encoding="utf-8")
    # What the bot prints is not for the referee, and what it asks for nobody answers.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = os.fdopen(1, "w", 1, encoding="utf-8")
    sys.dont_write_bytecode = True  # not beside the bot's file
    me, path = os.getpid(), Path(shlex.split(what)[0])
    bot: Any = None
    for line in ears:
        question = json.loads(line)
        try:
            if bot is None:
                bot = _seated(what, game, question["seed"])
                answer: Answer = {"type": "ready"}
            else:
                answer = _asked(bot, game, question)
        except BaseException as trouble:  # whatever it is, it is the bot's
            answer = _told(trouble, path)
        if os.getpid() != me:
            os._exit(0)  # a fork that the bot made is not the bot
        mouth.write(json.dumps(answer) + "\n")


def _seated(what: str, game: Game, seed: int) -> Any:
    random.seed(seed)
    bot = registry.read_bot(what, files=True)
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed(seed % 2**32)
    if not bot.plays(game):
        raise BadFile(f"{bot.name} does not play {describe(game)}")
    return bot


def _asked(bot: Any, game: Game, question: dict[str, Any]) -> Answer:
    state = game.read(question["position"])
    if question["seconds"] is not None and hasattr(bot, "clock"):
        bot.clock(question["seconds"])
    try:
        move = bot.choose(game, state)
    except Resigns as why:
        return {"type": "resign", "why": str(why)}
    try:
        game.play(state, move)
        return {"type": "move", "move": game.write_move(move)}
    except Exception as refusal:  # a move may be anything
        why_not = str(refusal) if isinstance(refusal, ParlourError) else named(refusal)
        reason = f"chose {quote(move)}, which is no move here: {why_not}"
        return {"type": "error", "fault": "illegal", "why": reason}


def _told(trouble: BaseException, path: Path) -> Answer:
    """What went wrong: in a sentence, and for the author with all his own lines that led there."""
    if isinstance(trouble, BadFile) and _line(trouble.__context__, path):
        trouble = trouble.__context__ or trouble  # what kept the file from being loaded
    line = _line(trouble, path)
    if isinstance(trouble, ParlourError) and not line:
        return {"type": "error", "why": str(trouble).replace(str(path), path.name)}
    own = trouble.__traceback__
    while own and own.tb_frame.f_code.co_filename != str(path):
        own = own.tb_next
    log = "".join(traceback.format_exception(type(trouble), trouble, own))
    place = f" (line {line} of {path.name})" if line else ""
    said = f"SyntaxError: {trouble.msg}" if isinstance(trouble, SyntaxError) else named(trouble)
    answer = {"type": "error", "why": said + place, "log": log[-LONGEST_LOG:]}
    return answer | ({"fault": fault} if (fault := _fault(trouble)) else {})


def _line(trouble: BaseException | None, path: Path) -> int:
    """The last line of the file that had to do with it; 0 when none had."""
    if isinstance(trouble, SyntaxError) and trouble.filename == str(path):
        return trouble.lineno or 0
    frames = traceback.walk_tb(trouble.__traceback__ if trouble else None)
    lines = [line for frame, line in frames if frame.f_code.co_filename == str(path)]
    return lines[-1] if lines else 0


def _fault(trouble: BaseException) -> str:
    """What it had used up, if that was it."""
    if isinstance(trouble, MemoryError):
        return "memory"
    full = isinstance(trouble, OSError) and trouble.errno == errno.EAGAIN
    return "processes" if full or "can't start new thread" in str(trouble) else ""


if __name__ == "__main__":
    main()
