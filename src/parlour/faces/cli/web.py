"""`parlour web [FILE …]`: serve the web site and its API."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

from parlour.core import BadText, ParlourError, registry
from parlour.faces.cli.command import Parser, listen, need_extra
from parlour.faces.cli.explore import find_archive

MAX_PROCESSES = 64
MIN_PASSPHRASE = 8  # characters
OPENING = 60  # seconds for the server to answer before a browser is opened


def run(parser: Parser, arguments: list[str]) -> int:
    """Serve until Ctrl-C or SIGTERM."""
    parser.add_files()
    parser.add_flag("--host", "HOST", "the address to listen on", default="127.0.0.1")
    about = "the port to listen on, 0 for any free one"
    parser.add_number("--port", about, default=8000, low=0, high=2**16 - 1)
    parser.add_database()
    parser.add_flag(
        "--name",
        "NAME",
        "the name people reach it by, such as example.org; other names are refused (several, "
        "separated by commas)",
    )
    parser.add_switch(
        "--private",
        "only for those who know a passphrase, which is asked for, or taken from the environment "
        "variable PARLOUR_PASSPHRASE",
    )
    about = "the path it is below, such as /parlour, where a proxy has other sites beside it"
    parser.add_flag("--root-path", "PATH", about)
    about = "Othello games for the explorer, files or folders (WTHOR archives, GGF, records)"
    parser.add_flag("--games", "FILE", about, nargs="+", type=Path)
    about = "server processes at this port; with several, --database may be a file too"
    parser.add_number("--workers", about, default=1, low=1, high=MAX_PROCESSES)
    parser.add_flag("--log-format", ("plain", "json"), "how the log is written", default="plain")
    levels = ("debug", "info", "warning", "error")
    about = "what is logged: requests are at info, failures at warning and error"
    parser.add_flag("--log-level", levels, about, default="warning")
    parser.add_switch("--no-browser", "do not open a browser, where there is one")
    given = parser.parse(arguments)
    registry.add_files(given.files)
    with _metrics_folder() if given.workers > 1 else contextlib.nullcontext():
        return _serve(given)


def _serve(given: argparse.Namespace) -> int:
    web = import_web()
    from parlour.store import claim, open_store

    settings = web.Settings(
        names=_read_names(given.name or ""),
        passphrase=_read_passphrase() if given.private else "",
        processes=given.workers,
        prefix=web.read_prefix(given.root_path or ""),
        archive=str(find_archive(given.games)) if given.games else "",
    )
    web.configure_logs(given.log_format, given.log_level)
    listening = listen(given.host, given.port, "--port")
    if sys.platform != "win32":  # where the site is refused
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)  # until the server is ready for it
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # likewise; what is open is closed
    with claim(given.database or None), contextlib.ExitStack() as closing:
        store = open_store(given.database or None)  # a database that is refused is so at once
        closing.callback(store.close)
        host, port = listening.getsockname()[:2]
        address = f"http://{_where(host)}:{port}{settings.prefix}/"
        print(f"Parlour is open at {address} (Ctrl-C closes it)", flush=True)
        if given.workers > 1:
            store.close()
            open_again = partial(open_store, given.database or None)
            if web.Supervisor(open_again, [listening], settings).run() == signal.SIGINT:
                raise KeyboardInterrupt
            return 0
        if not given.no_browser and has_browser():
            _open_browser(host, port)
        web.serve(store, [listening], settings)
    return 0


@contextlib.contextmanager
def _metrics_folder() -> Iterator[None]:
    """Make the folder in which several processes add up their numbers; before they are loaded."""
    with tempfile.TemporaryDirectory(prefix="parlour-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


def _where(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def import_web() -> ModuleType:
    """Return the web site's package; an extra that is not installed is named in one sentence."""
    if sys.platform == "win32":  # its workers are forked
        raise ParlourError("the web site runs on Linux and macOS, and on Windows in WSL")
    with need_extra("web", "the web site needs"):
        import uvicorn  # noqa: F401  # the site needs it too

        from parlour.faces import web

        web.create_app  # noqa: B018  # loads it
    return web


def _read_names(text: str) -> tuple[str, ...]:
    """Return the names of the site, without scheme, port or path."""
    names = tuple(name.strip().casefold().rstrip(".") for name in text.split(",") if name.strip())
    for name in names:
        if any(c in name for c in "/ @") or (":" in name and not name.startswith("[")):
            raise BadText(f"--name {name}: give the bare name, such as example.org")
    return names


def _read_passphrase() -> str:
    """Return the passphrase of a private site; never an argument, which every program can read."""
    passphrase = os.environ.pop("PARLOUR_PASSPHRASE", "")  # no bot of ours is to see it
    if not passphrase and sys.stdin.isatty():
        passphrase = getpass.getpass("Passphrase for visitors: ")
    passphrase = passphrase.strip()
    if len(passphrase) < MIN_PASSPHRASE:
        raise BadText(
            f"--private needs a passphrase of at least {MIN_PASSPHRASE} characters, typed when it "
            "is asked for or in PARLOUR_PASSPHRASE"
        )
    return passphrase


# The browser


def has_browser() -> bool:
    """Whether somebody sits at this computer with a browser that opens a window."""
    import webbrowser

    if not sys.stdout.isatty() or "CI" in os.environ:
        return False
    if "SSH_CONNECTION" in os.environ or "SSH_TTY" in os.environ:
        return False  # its window would open on the wrong computer, or nowhere
    on_linux = sys.platform.startswith("linux")
    if on_linux and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return False
    return type(found) is not webbrowser.GenericBrowser  # one in text would take the terminal


def _open_browser(host: str, port: int) -> None:
    """Open the browser as soon as the server answers."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - not to listen on

    def wait_and_open() -> None:
        import http.client
        import webbrowser

        connection = http.client.HTTPConnection(here, port, timeout=OPENING)
        try:
            connection.request("GET", "/preparing")  # it waits in the queue of the socket
            connection.getresponse().read()
        except OSError:  # it did not start, and says so itself
            return
        finally:
            connection.close()
        webbrowser.open(f"http://{_where(here)}:{port}/")

    threading.Thread(target=wait_and_open, name="browser", daemon=True).start()
