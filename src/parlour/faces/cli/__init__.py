"""The command line, one file a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.cli.compiling import tell_compiling
    from parlour.faces.cli.dispatch import main
    from parlour.faces.cli.flags import Parser, add_options, read_number, read_options
    from parlour.faces.cli.progress import wait
else:
    __getattr__ = export(__name__)
