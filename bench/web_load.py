"""Many tables at once: `parlour web` beside boardgame.io, the same games, client and machine.

One client program plays the same games of tic-tac-toe at both servers, two connections a table. At
full speed 50 of 500 games go on at a time, each move made as soon as its player has seen the one
before; at an even pace 100 moves a second are made at 500 tables over 1,000 connections. Each is
the best of several rounds in turns. A move counts from being sent until the other side has seen it,
which with us is after it was stored, with the peer before. Then the same pace with pages instead of
API players: cookies, forms and the live WebSocket, as a browser has them. Server and client share
the machine.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from web_peer import Client, Server, install

TABLES = 500
AT_A_TIME = 50
PACE = 100  # moves a second
STARTS = 7
SIDES = {"peer": "peer", "ours": "api"}


@dataclass(frozen=True)
class Run:
    """What one client saw, and what it cost the server."""

    told: dict[str, Any]
    cpu: float  # milliseconds of the server's CPU time a move
    empty: float  # megabytes of the server with all tables, nobody connected
    held: float  # megabytes with everybody connected, the most before and after the games

    @property
    def each(self) -> float:
        """Kilobytes a connection."""
        return (self.held - self.empty) / (2 * TABLES) * 1000


def run(way: str, server: Server, scene: str, amount: int) -> Run:
    """One client at one server, from opening the tables to the last move."""
    with Client(way, server, scene, TABLES, amount) as client:
        client.told()
        time.sleep(1)
        empty = server.memory()
        client.go()
        time.sleep(1)
        held = server.memory()
        before = server.cpu()
        told = client.go()
        cpu = (server.cpu() - before) / told["moves"] * 1000
        return Run(told, cpu, empty, max(held, server.memory()))


def started() -> dict[str, float]:
    """Seconds from the command to the first page, everything having been set up before."""
    times: dict[str, list[float]] = {side: [] for side in SIDES}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(STARTS + 1):
            for side in SIDES:
                with Server(side, folder) as server:
                    if number:  # the first one sets up
                        times[side].append(server.started)
    return {side: statistics.median(taken) for side, taken in times.items()}


def row(what: str, peer: float, ours: float, bar: str = "", *, more: bool = False) -> None:
    """One line; the ratio says how many times better ours is."""
    ratio = ours / peer if more else peer / ours
    print(f"{what:44} {peer:9.4g} {ours:9.4g} {ratio:7.2f} {bar:>9}", flush=True)


def rounds(
    servers: dict[str, Server], scene: str, amount: int, times: int, cost: Callable[[Run], float]
) -> tuple[Run, Run]:
    """The best runs of the peer and of ours, in turns at servers that keep going."""
    runs: dict[str, list[Run]] = {side: [] for side in servers}
    for _ in range(times):
        for side, server in servers.items():
            runs[side].append(run(SIDES[side], server, scene, amount))
    peer, ours = (min(runs[side], key=cost) for side in SIDES)
    return peer, ours


def at_full_speed(servers: dict[str, Server]) -> None:
    peer, ours = rounds(servers, "full", AT_A_TIME, 3, lambda each: each.told["seconds"])
    assert peer.told["moves"] == ours.told["moves"]  # the same games
    row("full speed: moves/s", peer.told["rate"], ours.told["rate"], more=True)
    compared("full speed", peer, ours)


def at_a_pace(servers: dict[str, Server]) -> None:
    peer, ours = rounds(servers, "paced", PACE, 2, lambda each: each.told["p99"])
    compared(f"{PACE} moves/s", peer, ours)
    row(f"{PACE} moves/s: kB a connection", peer.each, ours.each)


def compared(name: str, peer: Run, ours: Run) -> None:
    for key, what in (("p50", "half seen within ms"), ("p99", "99 % seen within ms")):
        row(f"{name}: {what}", peer.told[key], ours.told[key])
    row(f"{name}: server CPU ms a move", peer.cpu, ours.cpu)
    row(f"{name}: cores the client took", peer.told["client"], ours.told["client"])


def with_pages(server: Server) -> None:
    fresh = server.memory()
    pages = run("pages", server, "paced", PACE)
    told = pages.told
    print(f"\n{f'{2 * TABLES} pages, {TABLES} tables, {PACE} moves/s':44} {'ours':>9} {'bar':>9}")
    for what, value, bar in (
        ("moves made", told["moves"], ""),
        ("moves a second", told["rate"], ""),
        ("half seen within ms", told["p50"], ""),
        ("99 % seen within ms", told["p99"], "100"),
        ("the slowest, ms", told["most"], ""),
        ("kB a connected page", pages.each, "100"),
        ("MB of the server: just started", fresh, ""),
        ("MB of the server: 1,000 pages open", pages.held, ""),
        ("server CPU ms a move", pages.cpu, ""),
        ("cores the client took", told["client"], ""),
    ):
        print(f"{what:44} {value:9.4g} {bar:>9}")


def main() -> None:
    install()
    print(f"{'tic-tac-toe at many tables':44} {'peer':>9} {'ours':>9} {'ratio':>7} {'bar':>9}")
    starts = started()
    row("seconds from the command to the first page", starts["peer"], starts["ours"], "1.5")
    for part in (at_full_speed, at_a_pace):
        with (
            tempfile.TemporaryDirectory() as folder,
            Server("peer", folder) as peer,
            Server("ours", folder) as ours,
        ):
            part({"peer": peer, "ours": ours})
    with tempfile.TemporaryDirectory() as folder, Server("ours", folder) as server:
        with_pages(server)
    print(f"\nload of the machine in the last minute: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
