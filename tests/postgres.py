"""A PostgreSQL server of our own for tests: made on first use, stopped when the tests end.

A conftest takes the fixture by `from tests.postgres import postgres_url`; all share one server, and
every test has an empty database of its own. The server ends with the process that started it,
however that ends: it lives as long as a pipe from there is open.
"""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.needs import need

USER, PASSWORD = "parlour", "secret"  # of a server that lives for a minute
PATIENCE = 60  # seconds for a server to start
SERVE = '"$@" & cat; kill -INT $!; wait $!'  # until the pipe that cat reads is closed


class Cluster:
    """The server and its folder."""

    def __init__(self, binaries: Path, *, fsync: str = "off") -> None:
        self._binaries = binaries
        self._fsync = fsync
        self._folder = Path(tempfile.mkdtemp(prefix="parlour-postgres-"))
        self._numbers = itertools.count(1)
        self._server: subprocess.Popen[bytes] | None = None
        self._who = _unprivileged()
        if "user" in self._who:
            os.chown(self._folder, self._who["user"], self._who["group"])
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        atexit.register(self.throw_away)
        self._make()
        self.start()

    def _make(self) -> None:
        password = self._folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        password.chmod(0o644)  # the folder is closed to others
        subprocess.run(
            [
                *(self._binaries / "initdb", "-D", self._folder / "data", "-U", USER, "--no-sync"),
                *("--auth=scram-sha-256", f"--pwfile={password}", "--locale=C", "--encoding=UTF8"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self._folder,
            **self._who,
        )

    def start(self) -> None:
        """Serve until stopped; returns as soon as it can be connected to."""
        import psycopg

        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": self._fsync,  # off: the machine is not switched off in a test
            "shared_buffers": "32MB",
            "log_min_messages": "fatal",
        }
        flags = itertools.chain(*(("-c", f"{name}={value}") for name, value in settings.items()))
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                ["sh", "-c", SERVE, "sh", self._binaries / "postgres", "-D", "data", *flags],  # noqa: S607
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,  # Ctrl-C is for the tests, which then close the pipe
                **self._who,
            )
        for _ in range(PATIENCE * 20):
            try:
                psycopg.connect(self.url("postgres"), connect_timeout=5).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        log_text = (self._folder / "log").read_text(encoding="utf-8", errors="replace")
        pytest.fail(f"PostgreSQL did not start: {log_text[-2000:]}", pytrace=False)

    def stop(self) -> None:
        """Close all connections and end the server."""
        if self._server is not None:
            self._server.stdin.close()
            self._server.wait()
            self._server = None

    def throw_away(self) -> None:
        """End the server and forget all databases."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def url(self, name: str) -> str:
        """The URL of a database."""
        return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{name}"

    def new_database(self) -> str:
        """The URL of a new empty database."""
        import psycopg

        name = f"test{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)


def _unprivileged() -> dict[str, object]:
    """As whom to run the server, which refuses to be run by root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    who = known.get("postgres") or known["nobody"]
    return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}


def _binaries() -> Path | None:
    """Where PostgreSQL's programs are: Debian's folders, the newest first, or the PATH."""
    folders = sorted(
        (path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()),
        key=lambda path: [int(part) for part in path.parent.name.split(".") if part.isdecimal()],
    )
    if folders:
        return folders[-1]
    found = shutil.which("initdb")
    return Path(found).resolve().parent if found else None


@functools.cache
def _cluster(binaries: Path, fsync: str) -> Cluster:
    return Cluster(binaries, fsync=fsync)


def cluster(fsync: str = "off") -> Cluster:
    """The one server of these tests; the test is skipped where PostgreSQL is not installed."""
    need(find_spec("psycopg"), "psycopg is not installed here (pip install 'parlour[postgresql]')")
    binaries = _binaries()
    need(binaries, "PostgreSQL is not installed here (Debian: apt install postgresql)")
    return _cluster(binaries, fsync)


def lasting_cluster() -> Cluster:
    """Another server, which writes as one does that is not a test's."""
    return cluster("on")


@pytest.fixture
def postgres_url() -> str:
    """The URL of an empty PostgreSQL database."""
    return cluster().new_database()
