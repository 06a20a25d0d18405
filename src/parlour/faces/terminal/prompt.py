"""The interactive prompt: line editing, history, and completion by Tab.

Only this module imports prompt_toolkit, so that the greeting need not wait for it.
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

from parlour.faces.terminal.console import clean

MAX_LINES = 1_000  # read from the history file
NEWLINE = re.compile(r"\r\n|\r|\n")
STYLE = Style.from_dict({"prompt": "#5f875f bold"})


class Prompt:
    """Reads one line after another."""

    def __init__(self, history: Path, longest: int, most_pasted: int, *, coloured: bool) -> None:
        self._longest = longest
        self._most_pasted = most_pasted
        self._pasted: list[str] = []  # lines still to be answered, and the start of the next one
        self.cut = False  # whether more lines were pasted than that
        self._history = LineHistory(history)
        self._style = STYLE if coloured else None
        self._no_interrupt_until = 0.0
        self._error: BaseException | None = None  # what ends the prompt
        self._choices = Choices()
        output = create_output()
        if isinstance(output, Vt100_Output):
            output.enable_cpr = False  # only menus need the cursor position, and there are none
        self._session: PromptSession[str] = PromptSession(
            history=self._history,
            completer=self._choices,
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
            key_bindings=self._bind_keys(),
            style=self._style,
            color_depth=None if coloured else ColorDepth.DEPTH_1_BIT,
            include_default_pygments_style=False,
            enable_suspend=True,
            output=output,
        )
        self._read_keys = self._session.input.read_keys
        self._session.input.read_keys = self._read_fitting_keys  # type: ignore[method-assign]  # see there

    def ask(
        self, prompt: str, choices: Sequence[str], *, no_interrupt_until: float, store: bool
    ) -> str:
        """Return the line that is typed, or the next pasted one.

        Ctrl-C before the given time is ignored. Only with `store` is the line written to a file.
        """
        self._choices.current = choices
        self._no_interrupt_until = no_interrupt_until
        self._history.store = store
        line = self._pasted.pop(0) if self._pasted else ""
        if self._pasted:  # keys typed since then wait for a prompt of their own
            print_formatted_text(
                FormattedText([("class:prompt", prompt), ("", clean(line))]),
                style=self._style,
                color_depth=self._session.color_depth,
                output=self._session.output,
            )
            if line:
                self._history.append_string(line)
            return line
        line = self._session.prompt(prompt, default=line)
        if self._error is not None:
            raise self._error
        return line

    def leave(self, error: BaseException) -> bool:
        """Let `ask` raise an error as soon as it can; return False if it is not waiting.

        A signal handler must not raise it there: where a task of the event loop happens to run,
        such as the one that loads the history, only that would end, with a traceback.
        """
        app = self._session.app
        if app.loop is None:
            return False
        self._error = error
        app.loop.call_soon_threadsafe(self._end)
        return True

    def _end(self) -> None:
        app = self._session.app
        if app.future is not None and not app.future.done():
            app.exit(result="")

    def drop_pasted(self) -> None:
        """Drop the pasted lines that were not returned yet."""
        self._pasted.clear()

    def forget(self) -> None:
        """Forget the lines typed so far."""
        self._history = LineHistory(self._history.path)
        self._session.history = self._session.default_buffer.history = self._history

    def _bind_keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            """Clear the line; on an empty one, leave."""
            if event.current_buffer.text:
                event.current_buffer.reset()
            elif time.monotonic() > self._no_interrupt_until:
                event.app.exit(exception=KeyboardInterrupt)

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            """Enter the first pasted line now and the others after it, each cut to the limit."""
            buffer = event.current_buffer
            *complete, last = (" ".join(line.split()) for line in NEWLINE.split(event.data))
            if not complete:
                buffer.insert_text(last[: max(0, self._free())])
                return
            complete[0] = buffer.document.text_before_cursor + complete[0]
            lines = [line[: self._longest] for line in complete if line]
            self.cut = len(lines) > self._most_pasted
            rest = "" if self.cut else last + buffer.document.text_after_cursor
            first, *self._pasted = [*lines[: self._most_pasted], rest[: self._longest]]
            buffer.document = Document(first)
            if lines:
                buffer.validate_and_handle()

        @keys.add(Keys.Any, filter=Condition(lambda: self._free() <= 0))
        def _(event: KeyPressEvent) -> None:
            """Ignore keys beyond the longest line."""

        return keys

    def _free(self) -> int:
        return self._longest - len(self._session.default_buffer.text)

    def _read_fitting_keys(self) -> list[KeyPress]:
        """Return the keys pressed, without letters beyond the longest line.

        Of 100 kB typed at once, the key bindings would take ten seconds to ignore them.
        """
        keys = self._read_keys()
        return [key for key in keys if len(key.key) > 1] if self._free() <= 0 else keys


class Choices(Completer):
    """Completes the line, or its last word, to what may be typed now."""

    current: Sequence[str] = ()

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterable[Completion]:
        """Yield the choices that continue the line."""
        typed = document.text_before_cursor.lstrip()
        found = self._find(typed)
        if not found and " " in typed:
            typed = typed.rpartition(" ")[2]
            found = self._find(typed) if typed else []
        for choice in found:
            yield Completion(choice[len(typed) :], display=choice)

    def _find(self, typed: str) -> list[str]:
        return [clean(each) for each in self.current if each.lower().startswith(typed.lower())]


class LineHistory(History):
    """The lines typed so far; with `store`, also in a file that only its owner may read."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.store = False

    def load_history_strings(self) -> list[str]:
        """Return the last lines of the file, newest first."""
        if not self.store:
            return []
        try:
            lines = self.path.read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError:
            return []
        if len(lines) > 2 * MAX_LINES:
            self._write("\n".join(lines[-MAX_LINES:]), os.O_TRUNC)
        return [line for line in reversed(lines[-MAX_LINES:]) if line]

    def store_string(self, string: str) -> None:
        """Append a line to the file."""
        line = " ".join(clean(string).split())
        if line and self.store:
            self._write(f"{line}\n", os.O_APPEND)

    def _write(self, text: str, mode: int) -> None:
        with contextlib.suppress(OSError):  # a line that cannot be stored is no reason to stop
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.open(self.path, os.O_WRONLY | os.O_CREAT | mode, 0o600)
            try:
                self.path.chmod(0o600)  # it may have existed with other permissions
                os.write(file, text.encode("utf-8", errors="replace"))
            finally:
                os.close(file)
