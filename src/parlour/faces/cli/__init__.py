"""The command line: one file per command, named as the command is.

Each exposes `run(parser, arguments)`, which returns the exit code; `dispatch` lists them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.cli.dispatch import main
else:
    __getattr__ = export(__name__)
