"""`parlour mcp [FILE …]`: let language models play, by the Model Context Protocol."""

from __future__ import annotations

import sys

from parlour.core import files, registry
from parlour.faces.cli.command import Parser, listen, need_extra

FILE = "mcp.jsonl"  # of records, in the user's data folder


def run(parser: Parser, arguments: list[str]) -> int:
    """Serve one client on standard input and output, or those of this machine over HTTP."""
    parser.add_flags("shared/files")
    parser.add_flags("mcp")
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
