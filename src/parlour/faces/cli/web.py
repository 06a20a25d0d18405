"""`parlour web [FILE …]`: serve the web site and its API."""

from __future__ import annotations

import socket
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from parlour.core import ParlourError, registry
from parlour.faces.cli.command import Parser

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI


def run(parser: Parser, arguments: list[str]) -> int:
    """Serve until Ctrl-C."""
    parser.add_files()
    parser.add_flag("--host", "HOST", "the address to listen on", default="127.0.0.1")
    about = "the port to listen on, 0 for any free one"
    parser.add_number("--port", about, default=8000, low=0, high=2**16 - 1)
    parser.add_flag(
        "--database",
        "URL",
        "the database: sqlite:///FILE or postgresql://USER@HOST/NAME (default: a file in your "
        "data folder)",
    )
    given = parser.parse(arguments)
    registry.add_files(given.files)
    web = import_web()
    import uvicorn

    from parlour.store import open_store

    listening = _listen(given.host, given.port)
    store = open_store(given.database or None)
    host, port = listening.getsockname()[:2]
    address = f"[{host}]" if ":" in host else host
    print(f"Parlour is open at http://{address}:{port}/ (Ctrl-C closes it)", flush=True)
    uvicorn.Server(configure_server(web.create_app(store))).run(sockets=[listening])
    return 0


def import_web() -> ModuleType:
    """Return the web site's package; an extra that is not installed is named in one sentence."""
    if sys.platform == "win32":  # its workers are forked
        raise ParlourError("the web site runs on Linux and macOS, and on Windows in WSL")
    try:
        import uvicorn  # noqa: F401  # the site needs it too

        from parlour.faces import web

        web.create_app  # noqa: B018  # loads it
    except ModuleNotFoundError as missing:
        if str(missing.name).startswith("parlour"):  # a fault of ours, not a missing package
            raise
        raise ParlourError(
            f"the web site needs {missing.name}; install it with: pip install 'parlour[web]'"
        ) from None
    return web


def configure_server(app: FastAPI) -> uvicorn.Config:
    """Return the server's settings."""
    import uvicorn

    return uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_per_message_deflate=False,  # its buffers would triple a connection's memory
        ws_max_size=64 * 1024,
        timeout_graceful_shutdown=2,
        server_header=False,
    )


def _listen(host: str, port: int) -> socket.socket:
    """Open the socket here, so that a port in use is reported in one sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform.startswith("linux"):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 0)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        other = "--host" if isinstance(error, socket.gaierror) else "--port"
        raise ParlourError(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another {other}"
        ) from None
    return sock
