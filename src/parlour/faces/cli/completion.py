"""`parlour completion SHELL`: shell completion, by argcomplete.

On TAB the shell runs `parlour` with the line so far in the environment. The command is looked up as
for a real run and parses what is there, up to the point where its parser would be used; there
`Parser.parse` asks argcomplete what may follow. So games, bots and their options complete too.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from parlour.faces.cli.command import Parser

SHELLS = ("bash", "zsh", "fish")
FILES = ("FILE", "FOLDER", "RECORD")  # placeholders that stand for files, which argcomplete lists


def run(parser: Parser, arguments: list[str]) -> int:
    """Print the script that a shell reads at its start."""
    parser.epilog = (
        'To install it in bash, add this line to ~/.bashrc: eval "$(parlour completion bash)". In '
        "zsh, add the same with zsh to ~/.zshrc, after compinit. In fish, write the script to "
        "~/.config/fish/completions/parlour.fish."
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    shell = parser.parse(arguments).shell
    from argcomplete import shellcode

    sys.stdout.write(shellcode(["parlour"], shell=shell))
    return 0


def complete(run_command: Callable[[list[str]], int]) -> None:
    """Answer a press of TAB: run the command typed so far, whose parser says what may follow.

    Where the command cannot even be parsed so far, nothing is offered.
    """
    from argcomplete.lexers import split_line

    line, point = os.environ["COMP_LINE"], int(os.environ["COMP_POINT"])
    quotation, begun, _, words, _ = split_line(line, point)
    Parser.complete = _complete_after(quotation, begun)
    with contextlib.suppress(Exception, SystemExit):
        run_command(words[1:])


def _complete_after(quotation: str, begun: str) -> Callable[[Parser, list[str]], Any]:
    """Return a function that completes a word, begun like this, after what a parser has taken."""
    if not quotation:
        begun = re.sub(r"([\s\"'\\])", r"\\\1", begun)

    def complete(parser: Parser, words: list[str]) -> None:
        import argcomplete

        line = f"{shlex.join(['parlour', *words])} {quotation}{begun}"
        os.environ |= {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE": "1"}
        for action in parser._actions:
            kind = str(action.metavar)
            if not (action.choices or kind.startswith(FILES) or hasattr(action, "completer")):
                action.completer = partial(_list_values, kind)  # type: ignore[attr-defined]
        argcomplete.autocomplete(parser, always_complete_options="long")

    return complete


def _list_values(kind: str, prefix: str, **_: object) -> list[str]:
    """Return what may stand for a placeholder of the help, such as GAME or yes|no."""
    from parlour.core import registry

    if kind == "GAME":
        return [*registry.games(), *_list_files(prefix)]
    if kind in ("BOT", "WHO"):
        return [*["human"] * (kind == "WHO"), *registry.claims("bots"), *_list_files(prefix)]
    if kind == "HATS":
        from parlour.learn import storage

        return [*storage.list_names(), *registry.games()]
    if kind == "SCHEMA":
        from parlour.faces.cli.schema import API, find_answers

        return [*find_answers(), API]
    return kind.split("|") if "|" in kind else []


def _list_files(prefix: str) -> list[str]:
    """Return Python files that begin like this, if a path was begun."""
    from argcomplete.completers import FilesCompleter

    return list(FilesCompleter(("py",))(prefix)) if prefix else []
