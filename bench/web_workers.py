"""Several server processes on PostgreSQL: what a move costs them, and how soon it is seen.

The client of `web_load.py` keeps two pages open at each of many tables, with cookies, forms and the
live WebSocket, and makes moves at an even pace. One process serves them, then two, in turns. The
cost of a move is the CPU time of all processes of the server, the database not included; of several
rounds the cheapest counts. Server, database and client share the machine.

    python bench/web_workers.py [TABLES [MOVES-A-SECOND [ROUNDS]]]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from web_peer import COMMANDS, PARLOUR, Client, Server, install

TABLES, PACE, ROUNDS = (*map(int, sys.argv[1:]), *(500, 100, 3)[len(sys.argv) - 1 :])
BARS = {"cpu": 1.15, "p99": 60.0}


def add_command(name: str, workers: int, database: str) -> None:
    """Let a server of this name be started with so many processes."""
    COMMANDS[name] = lambda port, folder: [
        PARLOUR,
        *("web", "--port", str(port), "--no-browser", "--workers", str(workers)),
        *("--database", database),
    ]


def children_cpu(server: Server) -> list[float]:
    """Seconds of CPU time of each process below the first one."""
    from web_peer import _cpu

    pid = server.process.pid
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [_cpu(int(each)) for each in found]


def play(server: Server) -> dict[str, Any]:
    """Open the tables, play, and return what the client saw and what it cost."""
    with Client("pages", server, "paced", TABLES, PACE) as client:
        client.told()
        client.go()
        time.sleep(1)
        before, each_before = server.cpu(), children_cpu(server)
        told = client.go()
        each = [b - a for a, b in zip(each_before, children_cpu(server), strict=False)]
        return {**told, "cpu": (server.cpu() - before) / told["moves"] * 1000, "each": each}


def main() -> None:
    install()
    from tests.postgres import lasting_cluster

    runs: dict[int, list[dict[str, Any]]] = {1: [], 2: []}
    for number in range(ROUNDS):
        for workers in (1, 2) if number % 2 == 0 else (2, 1):
            add_command(f"{workers}", workers, lasting_cluster().new_database())
            with tempfile.TemporaryDirectory() as folder, Server(f"{workers}", folder) as server:
                runs[workers].append(play(server))
    print(
        f"{2 * TABLES:,} pages, {PACE} moves/s, PostgreSQL {'':14} {'one':>9} {'two':>9} {'bar':>7}"
    )
    one, two = (min(runs[workers], key=lambda run: run["cpu"]) for workers in (1, 2))
    for key, what in (("moves", "moves made"), ("rate", "moves a second")):
        print(f"{what:50} {one[key]:9.4g} {two[key]:9.4g}")
    soon = [min(runs[workers], key=lambda run: run["p99"]) for workers in (1, 2)]
    for key, what in (("p50", "half seen within ms"), ("p99", "99 % seen within ms")):
        bar = f"{BARS['p99']:g}" if key == "p99" else ""
        print(f"{what:50} {soon[0][key]:9.4g} {soon[1][key]:9.4g} {bar:>7}")
    print(f"{'servers CPU ms a move':50} {one['cpu']:9.4g} {two['cpu']:9.4g}")
    print(f"{'ratio':50} {'':9} {two['cpu'] / one['cpu']:9.3f} {BARS['cpu']:7}")
    shares = ", ".join(f"{each:.1f} s" for each in sorted(two["each"], reverse=True)[:2])
    print(f"{'CPU of the two processes':50} {shares:>19}")
    print(f"load of the machine in the last minute: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
