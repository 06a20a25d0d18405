"""The command line, one file a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.cli.compiling import tell_compiling as tell_compiling
    from parlour.faces.cli.dispatch import main as main
    from parlour.faces.cli.flags import (
        Parser as Parser,
        add_options as add_options,
        read_number as read_number,
        read_options as read_options,
    )
    from parlour.faces.cli.progress import wait as wait
else:
    __getattr__ = export(
        __name__,
        {
            "compiling": "tell_compiling",
            "dispatch": "main",
            "flags": "Parser add_options read_number read_options",
            "progress": "wait",
        },
    )
