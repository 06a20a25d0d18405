"""The conversation with Benedict at the terminal: `parlour` alone, or a script in a pipe.

He decides what to say; here it is asked, shown and kept. The greeting is shown before anything
heavy is loaded, and every answer is thought of in a thread, which Ctrl-C can interrupt.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import sys
import time
from typing import TYPE_CHECKING

from parlour import host
from parlour.core import data_folder
from parlour.faces.cli import Parser, read_number
from parlour.faces.terminal.chat.keyboard import LONGEST, Keys
from parlour.faces.terminal.chat.memory import Keeping
from parlour.faces.terminal.chat.screen import Screen
from parlour.faces.terminal.chat.signals import Ended, told_to_end
from parlour.faces.terminal.chat.task import Thought
from parlour.faces.terminal.console import at_terminal, say
from parlour.host import Memory, Reply, Session

if TYPE_CHECKING:
    from parlour.faces.terminal.chat.model import Model

PATIENCE = 0.3  # seconds of thought before a spinner is shown
CUT = f"That was a long line; I read its first {LONGEST:,} characters."
INTERRUPTED = "I stopped thinking; everything is as it was before."


def chat(parser: Parser, arguments: list[str]) -> int:
    """`parlour [chat] [--seed N] [--model URL [--model-name NAME]]`"""
    parser.add_argument(
        "--model",
        metavar="URL",
        help="an OpenAI-compatible chat endpoint that may speak the small talk (usually none)",
    )
    parser.add_argument("--model-name", metavar="NAME", default="default", help="which model there")
    parser.add_argument(
        "--seed", metavar="N", help="a number that makes him choose the same words again"
    )
    given = parser.parse(arguments)
    model = None
    if given.model is not None:
        from parlour.faces.terminal.chat.model import Model

        model = Model(given.model, given.model_name)
    chosen = given.seed is not None
    seed = read_number("--seed", given.seed) if chosen else random.getrandbits(32)
    return Conversation(seed, model).hold()


class Conversation:
    """One visit, from the greeting to the goodbye."""

    def __init__(self, seed: int, model: Model | None = None) -> None:
        self._screen = Screen()
        self._keys = Keys(self._screen, data_folder() / "benedict.history")
        self._keeping = Keeping(data_folder() / "benedict.json")
        self._model = model
        self._given_up: list[Thought[Reply]] = []
        self._session, self._wrong = self._keeping.opened(seed)

    def hold(self) -> int:
        """Talk until somebody parts; the end of the input, or Ctrl-C at the prompt, is goodbye."""
        code = 0
        with told_to_end(), self._keys.kept_quiet():
            try:
                self._talk()
            except (EOFError, KeyboardInterrupt):
                say("Goodbye.")
            except Ended as ended:
                code = ended.status
            finally:
                self._keep(parting=True)
        if any(thought.runs for thought in self._given_up):  # nobody waits for what was given up
            with contextlib.suppress(OSError):  # nor may anybody read any more
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
        return code

    def _talk(self) -> None:
        if self._wrong:
            self._screen.note(self._wrong)
        reply = host.greeting(self._session)
        while True:
            self._session = reply.session
            self._screen.show(reply)
            self._keep()
            if reply.over:
                return
            reply = self._next(reply)

    def _next(self, last: Reply) -> Reply:
        """His reply to the next line that he has an answer to."""
        while True:
            text = self._keys.ask(last.choices, kept=self._session.memory.agreed is True)
            self._keep()  # another program may have been told something meanwhile
            if len(text) >= LONGEST:
                self._screen.note(CUT)
            if (reply := self._thought(text[:LONGEST])) is not None:
                if reply.session.memory == Memory() != self._session.memory:
                    self._keys.forget()
                return reply

    def _thought(self, text: str) -> Reply | None:
        """What he answers; None when he was interrupted, or could not."""
        before, began = self._session, time.monotonic()
        thought = Thought(lambda: self._answer(before, text))
        try:
            with self._keys.interrupting() as pressed:
                done = thought.wait(PATIENCE, pressed)
                if not done and not pressed:
                    with self._screen.thinking():
                        done = thought.wait(math.inf, pressed)
        except Ended:
            self._given_up.append(thought)
            raise
        if pressed:
            self._keys.drop_pasted()
        if not done or time.monotonic() - began > PATIENCE:
            self._keys.thought_was_long()
        if not done:
            thought.give_up()
            self._given_up.append(thought)
            if not at_terminal():  # nobody is there to be asked again
                raise KeyboardInterrupt
            self._screen.note(INTERRUPTED)
            return None
        try:
            return thought.answer()
        except Ended:
            raise
        except (Exception, SystemExit) as trouble:  # a stranger's bot may do anything
            if os.environ.get("PARLOUR_TRACEBACK"):
                raise
            self._screen.trouble(trouble)
            return None

    def _answer(self, before: Session, text: str) -> Reply:
        reply = host.reply(before, text)
        if self._model is not None:
            from parlour.faces.terminal.chat.model import said_by

            return said_by(self._model, before, text, reply)
        return reply

    def _keep(self, *, parting: bool = False) -> None:
        self._session, wrong = self._keeping.keep(self._session, parting=parting)
        if self._session.memory.agreed is not True:
            self._keys.remove_lines()
        if wrong:
            self._screen.note(wrong)
