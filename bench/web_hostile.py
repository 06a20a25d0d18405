"""A hostile day: `parlour web` beset from many addresses, while one visitor plays and looks around.

Addresses of the loopback network stand for visitors from elsewhere, so that everything runs on one
machine. One attack follows the other: 20 cookies of one address and 20 addresses that solve all the
time, requests that are sent by halves, huge bodies, a flood of WebSockets, 10,000 tables. Meanwhile
a visitor at an address of their own plays against bots, move after move, and opens the lobby. Each
line says how long the bots took to answer and how long the page took. At the end the server's log
is shown, each kind of line once with its number.

    python bench/web_hostile.py [--short]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from urllib.parse import urlencode

HOST = "127.0.0.1"
VISITOR = "127.0.0.77"
GAMES = ("tictactoe", "sticks", "othello")
HARD = {"game": "tictactoe", "options": {"columns": 4, "rows": 4, "line": 4}}
Reply = tuple[int, dict[str, str], bytes]


class Guest:
    """Somebody at an address, with or without a cookie."""

    def __init__(self, port: int, address: str) -> None:
        self.port, self.address, self.cookie = port, address, ""

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect from the address."""
        return await asyncio.open_connection(HOST, self.port, local_addr=(self.address, 0))

    def head(self, method: str, path: str, **headers: str) -> bytes:
        """The head of a request, as a browser of the site would send it."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{self.port}"]
        lines += [f"Origin: http://{HOST}:{self.port}", "Connection: close"]
        lines += [f"Cookie: parlour={self.cookie}"] if self.cookie else []
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join((*lines, "", "")).encode()

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Reply:
        """Send a request and read the answer to its end."""
        reader, writer = await self.open()
        try:
            headers |= {"Content-Length": str(len(body))} if body else {}
            writer.write(self.head(method, path, **headers) + body)
            answer = await reader.read()
        finally:
            writer.close()
        top, _, rest = answer.partition(b"\r\n\r\n")
        first, *lines = top.decode("latin-1").split("\r\n")
        found = {n.lower(): v for n, _, v in (line.partition(": ") for line in lines)}
        if not self.cookie and (given := re.match(r"parlour=([^;]*)", found.get("set-cookie", ""))):
            self.cookie = given[1]
        return int(first.split()[1]) if first else 0, found, rest

    async def post(self, path: str, **form: object) -> Reply:
        """Send a form."""
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
        return await self.ask("POST", path, urlencode(form).encode(), **kind)

    async def call(self, path: str, told: object = None) -> Reply:
        """Ask the API."""
        if told is None:
            return await self.ask("GET", f"/api{path}")
        kind = {"Content-Type": "application/json"}
        return await self.ask("POST", f"/api{path}", json.dumps(told).encode(), **kind)


# The visitor


class Visit:
    """What a visitor sees: how long each answer of a bot took, and each page."""

    def __init__(self, port: int) -> None:
        self.guest = Guest(port, VISITOR)
        self.bots: list[float] = []
        self.pages: list[float] = []
        self.refused: Counter[int] = Counter()

    async def look(self) -> None:
        """Open the lobby ten times a second."""
        while True:
            began = time.perf_counter()
            status, *_ = await self.guest.ask("GET", "/", Accept="text/html")
            self.pages.append(time.perf_counter() - began)
            self.refused[status] += status != 200
            await asyncio.sleep(0.1)

    async def play(self, game: str) -> None:
        """Play one game after another in another browser, waiting for the bot after each move."""
        guest = Guest(self.guest.port, VISITOR)
        await guest.ask("GET", "/docs", Accept="text/html")
        while True:
            status, headers, _ = await guest.post("/quick", game=game)
            if status != 303:
                self.refused[status] += 1
                await asyncio.sleep(1)
                continue
            table = headers["location"].rpartition("/")[2]
            while await self._move(guest, table):
                await asyncio.sleep(0.3)

    async def _move(self, guest: Guest, table: str) -> bool:
        """Move, and wait for the bot; whether the game goes on."""
        now = json.loads((await guest.call(f"/tables/{table}"))[2])
        if now["result"] is not None or not now["legal"]:
            return False
        began = time.perf_counter()
        number = len(now["moves"])
        if now["turn"] == 0:
            await guest.call(f"/tables/{table}/moves", {"move": now["legal"][0]})
        while True:
            now = json.loads((await guest.call(f"/tables/{table}"))[2])
            if now["result"] is not None or (now["turn"] == 0 and len(now["moves"]) > number):
                self.bots.append(time.perf_counter() - began)
                return now["result"] is None
            await asyncio.sleep(0.1)


@contextlib.asynccontextmanager
async def visiting(port: int, what: str):
    """A visitor during something, and what they saw of it."""
    visit = Visit(port)
    await visit.guest.ask("GET", "/", Accept="text/html")
    jobs = [asyncio.create_task(visit.look())]
    jobs += [asyncio.create_task(visit.play(game)) for game in GAMES]
    try:
        yield visit
    finally:
        for job in jobs:
            job.cancel()
        results = await asyncio.gather(*jobs, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, asyncio.CancelledError):
                print(f"  the visitor was disturbed: {result!r}")
        pages = sorted(visit.pages) or [float("nan")]
        p50, p99 = pages[len(pages) // 2], pages[min(len(pages) - 1, len(pages) * 99 // 100)]
        worst, refused = max(visit.bots, default=0.0), dict(+visit.refused) or "none"
        print(
            f"{what:34} bots: {len(visit.bots):4} answers, worst {worst:5.2f} s   page: "
            f"{len(pages):4} times, p50 {p50 * 1e3:4.0f}, p99 {p99 * 1e3:4.0f}, "
            f"max {pages[-1] * 1e3:4.0f} ms   refused: {refused}",
            flush=True,
        )


# The attacks


async def solve_for_ever(guest: Guest, statuses: Counter[int]) -> None:
    """Ask for one proof after another."""
    while True:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            status, *_ = await guest.call("/solve", HARD)
            statuses[status] += 1
            await asyncio.sleep(0.2 if status < 400 else 1)


async def solving(port: int, seconds: float) -> None:
    """20 cookies of one address and 20 addresses, each with 12 proofs at a time."""
    cookies = [Guest(port, "127.0.1.1") for _ in range(20)]
    for guest in cookies:
        await guest.ask("GET", "/docs", Accept="text/html")
    addresses = [Guest(port, f"127.0.2.{number}") for number in range(1, 21)]
    statuses: Counter[int] = Counter()
    jobs = [
        asyncio.create_task(solve_for_ever(guest, statuses))
        for guest in (*cookies, *addresses)
        for _ in range(12)
    ]
    await asyncio.sleep(5)  # until everything is busy
    async with visiting(port, "40 attackers with 12 proofs each"):
        await asyncio.sleep(seconds)
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    print(f"  the attackers were answered: {dict(statuses)}", flush=True)


async def half_requests(port: int, number: int, seconds: float) -> None:
    """Requests that never end: half a head, or half a body."""
    lines = []
    for at in range(number):
        guest = Guest(port, f"127.0.3.{1 + at % 10}")
        reader, writer = await guest.open()
        head = guest.head("POST", "/quick", **{"Content-Length": "1000"})
        writer.write(head[:-4] if at % 2 else head + b"game=")
        lines.append((reader, writer))
    async with visiting(port, f"{number} requests sent by halves"):
        await asyncio.sleep(seconds)
    still = 0
    for reader, writer in lines:
        try:
            await asyncio.wait_for(reader.read(), 0.01)
        except (TimeoutError, OSError) as error:
            still += isinstance(error, TimeoutError)
        writer.close()
    print(f"  still open after {seconds + 0.01 * number:.0f} s: {still} of {number}", flush=True)


async def huge_bodies(port: int, number: int, seconds: float) -> None:
    """Bodies of any size, with and without a length that admits it."""

    async def send(guest: Guest, chunked: bool) -> None:
        piece = bytes(1 << 20)
        how = {"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(10**11)}
        while True:
            _, writer = await guest.open()
            with contextlib.suppress(OSError):
                writer.write(guest.head("POST", "/chat", **how))
                while True:
                    writer.write(b"100000\r\n" + piece + b"\r\n" if chunked else piece)
                    await writer.drain()
            writer.close()
            await asyncio.sleep(0.1)

    jobs = [
        asyncio.create_task(send(Guest(port, f"127.0.4.{1 + at}"), at % 2 == 0))
        for at in range(number)
    ]
    async with visiting(port, f"{number} senders of endless bodies"):
        await asyncio.sleep(seconds)
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)


async def socket_flood(port: int, number: int, seconds: float) -> None:
    """As many WebSockets of two addresses as can be had, all on the lobby."""
    key = {"Upgrade": "websocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
    lines, opened = [], 0
    for at in range(number):
        guest = Guest(port, f"127.0.5.{1 + at % 2}")
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await guest.open()
            head = guest.head("GET", "/live?topic=lobby:", **{"Sec-WebSocket-Version": "13"}, **key)
            writer.write(head.replace(b"Connection: close", b"Connection: Upgrade"))
            opened += b"101" in await reader.readuntil(b"\r\n")
            lines.append(writer)
    async with visiting(port, f"{number} WebSockets of two addresses"):
        await asyncio.sleep(seconds)
    print(f"  accepted: {opened} of {number}", flush=True)
    for writer in lines:
        writer.close()


async def many_tables(port: int, number: int, seconds: float) -> None:
    """Tables, as many of them in the lobby as are allowed."""
    statuses: Counter[int] = Counter()

    async def lay(address: str, many: int) -> None:
        guest = Guest(port, address)
        for at in range(many):
            told = {"game": "sticks", "listed": at < 60}
            status, headers, _ = await guest.call("/tables", told)
            statuses[status] += 1
            if status == 429 and at >= 60:
                await asyncio.sleep(int(headers.get("retry-after", "1")))

    each = number // 40
    began = time.perf_counter()
    await asyncio.gather(*(lay(f"127.0.6.{1 + at}", each) for at in range(40)))
    print(f"  {number} tables asked for in {time.perf_counter() - began:.0f} s: {dict(statuses)}")
    async with visiting(port, f"{statuses[201]} tables"):
        await asyncio.sleep(seconds)


# The day


async def spend_the_day(port: int, short: bool) -> None:
    seconds = 5.0 if short else 30.0
    part = 10 if short else 1
    async with visiting(port, "(warming up)"):
        await asyncio.sleep(10)
    async with visiting(port, "nobody else"):
        await asyncio.sleep(seconds)
    await solving(port, seconds)
    await half_requests(port, 800 // part, max(seconds, 35.0) if not short else 12.0)
    await huge_bodies(port, 20 // min(part, 4), seconds)
    await socket_flood(port, 3000 // part, seconds)
    await many_tables(port, 10_000 // part, seconds)


def show_log(path: Path) -> None:
    """Each kind of line once, with its number."""
    kinds: Counter[str] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        kinds[re.sub(r"[0-9a-z]*\d[0-9a-z.:]*", "#", line)] += 1
    print("The log:" if kinds else "The log is empty.")
    for line, number in kinds.most_common():
        print(f"  {number:6} × {line}")


def main() -> None:
    """Start a server of its own in a temporary folder, and beset it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a tenth of it, to see that it works")
    short = parser.parse_args().short
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = [sys.executable, "-m", "parlour", "web", "--port", "0", "--no-browser"]
        with (
            log.open("w", encoding="utf-8") as errors,
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "XDG_DATA_HOME": folder},
                text=True,
            ) as server,
        ):
            assert server.stdout is not None
            port = int(re.search(r":(\d+)/", server.stdout.readline())[1])  # type: ignore[index]
            try:
                asyncio.run(spend_the_day(port, short))
            finally:
                server.terminate()
                code = server.wait(60)
        print(f"The server ended with {code}.")
        show_log(log)


if __name__ == "__main__":
    main()
