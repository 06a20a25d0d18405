"""`parlour mcp [FILE …]`: let language models play, by the Model Context Protocol."""

from __future__ import annotations

import sys
from pathlib import Path

from parlour.core import files, registry
from parlour.faces.cli.command import Parser, listen, need_extra

FILE = "mcp.jsonl"  # of records, in the user's data folder


def run(parser: Parser, arguments: list[str]) -> int:
    """Serve one client on standard input and output, or those of this machine over HTTP."""
    parser.add_files()
    parser.add_switch("--hints", "let models ask for hints and explanations while they play")
    parser.add_flag(
        "--records",
        "FILE",
        "append the records of all games to this file (default: mcp.jsonl in your data folder)",
        type=Path,
    )
    parser.add_number(
        "--http",
        "serve clients of this machine over HTTP, on this port, 0 for any free one",
        metavar="PORT",
        low=0,
        high=2**16 - 1,
    )
    given = parser.parse(arguments)
    registry.add_files(given.files)
    with need_extra("mcp", "parlour mcp needs"):
        from parlour.faces import mcp

        mcp.create_server  # noqa: B018  # loads it
    records = given.records or files.data_folder() / FILE
    files.check_writable(records)
    room = mcp.Room(records, hints=given.hints)
    if given.http is None:
        if sys.stdin.isatty():
            print(
                "parlour: waiting for a program that speaks the Model Context Protocol on standard "
                "input; Ctrl-C ends it",
                file=sys.stderr,
            )
        return int(mcp.serve_stdio(room))

    listening = listen("127.0.0.1", given.http, "--http")
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    print(f"Parlour plays at {address} (Ctrl-C closes it)", flush=True)
    return int(mcp.serve_http(room, listening))
