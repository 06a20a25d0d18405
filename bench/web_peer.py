"""The two servers of `web_load.py` and the client that plays at both; run alone, what a kill loses.

The peer is boardgame.io (from npm) with its own FlatFile storage, tic-tac-toe, and node-persist
3.1.0, the version it names: it writes every state at once, where newer ones wait up to a second. It
sends a move to everybody before it writes it, and never waits for the disk. Here both servers are
killed in the middle of 200 games, started again on what they have stored, and asked for every move
that the other side had seen. Whoever falls over on a table is started again, and only the moves of
that table are counted as lost with it.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

HERE = Path(__file__).parent
SOURCE = HERE / "web_peer"
MADE = HERE.parent / "build" / "web_peer"
PATIENCE = 60  # seconds a server may take to start
PARLOUR = str(Path(sys.executable).with_name("parlour"))
NODE = shutil.which("node") or "node"

COMMANDS = {
    "peer": lambda port, folder: [NODE, "server.js", str(port), f"{folder}/matches"],
    "ours": lambda port, folder: [
        PARLOUR,
        *("web", "--host", "127.0.0.1", "--port", str(port)),
        *("--database", f"sqlite:///{folder}/parlour.db"),
    ],
}


def install() -> None:
    """The peer and the client's WebSocket, from npm, once for each lock."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # whoever is ended ends its servers
    mark = MADE / "made"
    lock = hashlib.sha256((SOURCE / "package-lock.json").read_bytes()).hexdigest()
    MADE.mkdir(parents=True, exist_ok=True)
    for file in SOURCE.iterdir():
        shutil.copy(file, MADE)
    if not mark.exists() or mark.read_text() != lock:
        quiet = ["--no-audit", "--no-fund", "--silent"]
        subprocess.run([shutil.which("npm") or "npm", "ci", *quiet], cwd=MADE, check=True)
        mark.write_text(lock)


class Server:
    """One of the two servers as a process of its own, until the block ends."""

    def __init__(self, side: str, folder: str, port: int = 0) -> None:
        self.side = side
        self.folder = folder
        self.port = port or _free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        began = time.perf_counter()
        said = Path(self.folder) / f"{self.side}.txt"
        with said.open("w") as complaints:
            self.process = subprocess.Popen(
                COMMANDS[self.side](self.port, self.folder),
                cwd=MADE,
                start_new_session=True,  # with its workers, so that all can be ended together
                stdout=subprocess.DEVNULL,
                stderr=complaints,
            )
        while not self._answers():
            if self.process.poll() is not None or time.perf_counter() - began > PATIENCE:
                self.__exit__(None, None, None)
                raise RuntimeError(f"{self.side} does not start: {said.read_text()[-500:]}")
            time.sleep(0.002)
        self.started = time.perf_counter() - began
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _answers(self) -> bool:
        """Whether the first page (of the peer: its list of games) is there."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            line.request("GET", "/games" if self.side == "peer" else "/")
            answer = line.getresponse()
            return bool(answer.read()) and answer.status == 200
        except OSError:
            return False
        finally:
            line.close()

    def ended(self) -> bool:
        """Whether it has fallen over, or does so just now."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
        return self.process.returncode is not None

    def memory(self) -> float:
        """Megabytes of the server and all its workers, what is shared counted once."""
        return sum(map(_pss, _family(self.process.pid))) / 1000

    def cpu(self) -> float:
        """Seconds of CPU time it has used."""
        return sum(map(_cpu, _family(self.process.pid)))


class Client:
    """A client at one server; it says what it has to say as JSON lines, and waits for `go`."""

    def __init__(self, side: str, server: Server, scene: str, *numbers: int) -> None:
        self.process = subprocess.Popen(
            [NODE, "client.js", side, server.url, scene, *map(str, numbers)],
            cwd=MADE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def told(self) -> dict[str, Any]:
        """The next thing it says."""
        assert self.process.stdout is not None
        told: dict[str, Any] = json.loads(self.process.stdout.readline() or '{"failed": "ended"}')
        if told.keys() & {"failed", "stuck"} or told.get("refused"):
            raise RuntimeError(f"the client could not play: {told}")
        return told

    def go(self) -> dict[str, Any]:
        """Let it go on, and wait for the next thing it says."""
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()
        return self.told()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _family(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in children.read_text().split():
                yield from _family(int(child))


def _pss(pid: int) -> int:
    """Kilobytes of a process; a page shared by n processes counts as a part of n."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024 // 1000
    return 0


def _cpu(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def killed(side: str, tables: int = 200, at_a_time: int = 50) -> dict[str, Any]:
    """What is left of the moves that were seen when a server is killed among them."""
    with tempfile.TemporaryDirectory() as folder, Server(side, folder) as server:
        pid = server.process.pid
        way = "api" if side == "ours" else side
        with Client(way, server, "kill", tables, at_a_time, pid) as client:
            client.told()
            client.go()
            client.go()
            server.process.wait()
            falls = 0
            while True:
                with Server(side, folder, server.port) as again:
                    told = client.go()
                    while "unanswered" in told and not again.ended():
                        told = client.go()
                if "seen" in told:
                    return {**told, "falls": falls}
                falls += 1


def main() -> None:
    install()
    heads = ("moves seen", "lost", "tables unreadable", "crashes on them")
    print(f"{'killed in the middle of games':30}", *(f"{head:>17}" for head in heads))
    for side in COMMANDS:
        left = killed(side)
        counts = (left[name] for name in ("seen", "lost", "unreadable", "falls"))
        print(f"{side:30}", *(f"{count:17}" for count in counts), flush=True)


if __name__ == "__main__":
    main()
