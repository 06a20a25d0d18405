"""The prompt at a keyboard: editing, the lines of earlier days, and what is possible now by Tab.

Nothing else here loads prompt_toolkit, so that the greeting need not wait for it.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from parlour.faces.terminal.chat.screen import clean

MOST_LINES = 1_000  # of earlier days
NEWLINE = re.compile(r"\r\n|\r|\n")
STYLE = Style.from_dict({"prompt": "#5f875f bold"})


class Prompt:
    """Asks for one line after another."""

    def __init__(self, history: Path, longest: int, pasted: int, *, coloured: bool) -> None:
        self._longest = longest
        self._most_pasted = pasted
        self._pasted: list[str] = []  # lines to be answered, and what the next one begins with
        self.unheard = False  # whether more lines were pasted than that
        self._lines = Lines(history)
        self._style = STYLE if coloured else None
        self._deaf_until = 0.0
        self._choices = Choices()
        output = create_output()
        if isinstance(output, Vt100_Output):
            output.enable_cpr = False  # where the cursor is matters to menus, and there are none
        self._session: PromptSession[str] = PromptSession(
            history=self._lines,
            completer=self._choices,
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
            key_bindings=self._keys(),
            style=self._style,
            color_depth=None if coloured else ColorDepth.DEPTH_1_BIT,
            include_default_pygments_style=False,
            enable_suspend=True,
            output=output,
        )
        self._read_keys = self._session.input.read_keys
        self._session.input.read_keys = self._heard  # type: ignore[method-assign]  # see there

    def ask(self, prompt: str, choices: Sequence[str], *, deaf_until: float, kept: bool) -> str:
        """The line that is typed, or the next that was pasted.

        Ctrl-C before the given time is not heard. A line that may not be `kept` is in no file.
        """
        self._choices.now = choices
        self._deaf_until = deaf_until
        self._lines.kept = kept
        begun = self._pasted.pop(0) if self._pasted else ""
        if self._pasted:  # keys that were typed since wait for a prompt of their own
            print_formatted_text(
                FormattedText([("class:prompt", prompt), ("", clean(begun))]),
                style=self._style,
                color_depth=self._session.color_depth,
                output=self._session.output,
            )
            if begun:
                self._lines.append_string(begun)
            return begun
        return self._session.prompt(prompt, default=begun)

    def drop_pasted(self) -> None:
        """Nothing that was pasted is answered any more."""
        self._pasted.clear()

    def forget(self) -> None:
        """The lines so far do not come back."""
        self._lines = Lines(self._lines.path)
        self._session.history = self._session.default_buffer.history = self._lines

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            """Away with the line; with none there, away altogether."""
            if event.current_buffer.text:
                event.current_buffer.reset()
            elif time.monotonic() > self._deaf_until:
                event.app.exit(exception=KeyboardInterrupt)

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            """The first line now and the others after it, each no longer than fits."""
            buffer = event.current_buffer
            *whole, last = (" ".join(line.split()) for line in NEWLINE.split(event.data))
            if not whole:
                buffer.insert_text(last[: max(0, self._free())])
                return
            whole[0] = buffer.document.text_before_cursor + whole[0]
            lines = [line[: self._longest] for line in whole if line]
            self.unheard = len(lines) > self._most_pasted
            rest = "" if self.unheard else last + buffer.document.text_after_cursor
            first, *self._pasted = [*lines[: self._most_pasted], rest[: self._longest]]
            buffer.document = Document(first)
            if lines:
                buffer.validate_and_handle()

        @keys.add(Keys.Any, filter=Condition(lambda: self._free() <= 0))
        def _(event: KeyPressEvent) -> None:
            """More is not heard."""

        return keys

    def _free(self) -> int:
        return self._longest - len(self._session.default_buffer.text)

    def _heard(self) -> list[KeyPress]:
        """The keys that came; of 100 kB typed at once, letters beyond the longest line go here.

        Handled one by one they would take ten seconds.
        """
        came = self._read_keys()
        return [key for key in came if len(key.key) > 1] if self._free() <= 0 else came


class Choices(Completer):
    """What may be said now, from the beginning of the line or of its last word."""

    now: Sequence[str] = ()

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """The choices that go on where the line ends."""
        typed = document.text_before_cursor.lstrip()
        found = self._after(typed)
        if not found and " " in typed:
            typed = typed.rpartition(" ")[2]
            found = self._after(typed) if typed else []
        for choice in found:
            yield Completion(choice[len(typed) :], display=choice)

    def _after(self, typed: str) -> list[str]:
        return [clean(each) for each in self.now if each.lower().startswith(typed.lower())]


class Lines(History):
    """The lines typed so far; those that may be `kept` in a file that only its owner may read."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.kept = False

    def load_history_strings(self) -> list[str]:
        """The last ones, newest first."""
        if not self.kept:
            return []
        try:
            lines = self.path.read_text("utf-8", errors="replace").split("\n")
        except OSError:
            return []
        if len(lines) > 2 * MOST_LINES:
            self._write("\n".join(lines[-MOST_LINES:]), os.O_TRUNC)
        return [line for line in reversed(lines[-MOST_LINES:]) if line]

    def store_string(self, string: str) -> None:
        """Add one."""
        line = " ".join(clean(string).split())
        if line and self.kept:
            self._write(f"{line}\n", os.O_APPEND)

    def _write(self, text: str, how: int) -> None:
        with contextlib.suppress(OSError):  # a line that cannot be kept is no reason to stop
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | how, 0o600)
            try:
                self.path.chmod(0o600)  # it may have been there before
                os.write(file, text.encode("utf-8", errors="replace"))
            finally:
                os.close(file)
