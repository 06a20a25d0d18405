"""`parlour web`: serve the pages and the API."""

from __future__ import annotations

import argparse
import socket
import sys
from typing import TYPE_CHECKING

from parlour.core import ParlourError, quote
from parlour.faces.cli.flags import Parser

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

PORT = 8000


def web(parser: Parser, arguments: list[str]) -> int:
    """Serve until Ctrl-C."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    parser.add_argument(
        "--port", type=_port, default=PORT, metavar="N", help="the port; 0 takes a free one"
    )
    parser.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME; usually a file in your data folder",
    )
    given = parser.parse(arguments)
    try:
        import uvicorn

        from parlour.faces.web import create_app
        from parlour.store import open_store
    except ModuleNotFoundError as missing:
        if str(missing.name).startswith("parlour"):  # that is our own fault
            raise
        raise ParlourError(
            f"the web needs {missing.name}; install it with: pip install 'parlour[web]'"
        ) from None
    listening = _listening(given.host, given.port)
    store = open_store(given.database or None)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"Parlour is open at http://{shown}:{port}/ (Ctrl-C closes it)", flush=True)
    uvicorn.Server(configured(create_app(store))).run(sockets=[listening])
    return 0


def configured(app: FastAPI) -> uvicorn.Config:
    """How the application is served."""
    import uvicorn

    return uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_per_message_deflate=False,  # its buffers are three times as large as the rest of a page
        ws_max_size=64 * 1024,
        timeout_graceful_shutdown=2,
        server_header=False,
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text[:6]) < 2**16):
        raise argparse.ArgumentTypeError(f"{quote(text)} is no port; say 0 to 65535")
    return int(text)


def _listening(host: str, port: int) -> socket.socket:
    """The socket, opened here so that a port in use is one sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform.startswith("linux"):
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 0)
    try:
        found.bind((host, port))
    except OSError as trouble:
        found.close()
        other = "--host" if isinstance(trouble, socket.gaierror) else "--port"
        raise ParlourError(
            f"cannot listen on {host} port {port}: {trouble.strerror}; choose another {other}"
        ) from None
    return found
