"""How soon it answers, beside a bare interpreter (the peer) in the same run.

`import parlour` may cost 30 ms above a bare interpreter, `parlour --help` 80 ms in all. At a
terminal Benedict's greeting is on the screen within 100 ms, and a line that is typed at once,
before there is a prompt, is answered within 250 ms. Each is the median of several fresh
processes, run in turns.

With wheels as arguments it measures the first use of each instead: a new environment with nothing
but the wheel, a new home for every question. The first page of Nim may take 5 s and the first move
of the Othello engine 15 s, in the terminal and on the web.
"""

from __future__ import annotations

import json
import os
import pty
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Callable
from pathlib import Path

from parlour import host

ROUNDS = 21
PARLOUR = str(Path(sys.executable).with_name("parlour"))
BARE = [sys.executable, "-c", "pass"]
IMPORT = [sys.executable, "-c", "import parlour"]
HELP = [PARLOUR, "--help"]
CHAT = [PARLOUR, "--seed", "1"]
LINE = "hello"


def ended(command: list[str]) -> float:
    """Milliseconds until a command has ended."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - began) * 1000


def seen(typed: str, awaited: re.Pattern[bytes]) -> float:
    """Milliseconds until something is on the screen of a terminal, with a line typed at once."""
    keyboard, screen = pty.openpty()
    began = time.perf_counter()
    process = subprocess.Popen(
        CHAT,
        preexec_fn=lambda: os.login_tty(screen),  # noqa: PLW1509  # its own terminal
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(screen)
    os.write(keyboard, typed.encode())
    shown = b""
    while not awaited.search(shown):
        shown += os.read(keyboard, 65536)
    took = (time.perf_counter() - began) * 1000
    process.kill()
    process.wait()
    os.close(keyboard)
    return took


# The first use of a wheel


def measure_first_use(wheel: str) -> None:
    """Print the wall and processor seconds from the start of the program to each first answer."""
    print(f"{Path(wheel).name}, {Path(wheel).stat().st_size / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [f"{folder}/bin/pip", "install", "--quiet", f"{wheel}[web]"]
        subprocess.run(pip, check=True)
        before = list_files(folder)
        subprocess.run([f"{folder}/bin/parlour", "--help"], check=True, stdout=subprocess.DEVNULL)
        for what, bar, ask in (
            ("solve nim, in the terminal", 5, solve_nim),
            ("the first page of Nim, with values", 5, open_nim),
            ("the engine's first move, in the terminal", 15, play_in_terminal),
            ("the engine's first search, in the terminal", 15, search_in_terminal),
            ("the engine's first move, on the web", 15, play_on_web),
        ):
            with tempfile.TemporaryDirectory() as home:
                env = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm"}
                cpu, began = children_seconds(), time.perf_counter()
                took = ask(f"{folder}/bin/parlour", env)
                elapsed = took - began
                print(f"{what:44} {elapsed:6.1f} s {children_seconds() - cpu:6.1f} CPU s {bar:4}")
        left = {path for path in list_files(folder) - before if "__pycache__" not in path}
        print("written beside the package:", *sorted(left) or ["nothing"])


def list_files(folder: str) -> set[str]:
    return {str(path) for path in Path(folder).rglob("*")}


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def solve_nim(parlour: str, env: dict[str, str]) -> float:
    subprocess.run([parlour, "solve", "nim"], env=env, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter()


def play_in_terminal(parlour: str, env: dict[str, str]) -> float:
    return _play(parlour, env, "engine")


def search_in_terminal(parlour: str, env: dict[str, str]) -> float:
    return _play(parlour, env, "engine book=no")


def _play(parlour: str, env: dict[str, str], bot: str) -> float:
    """Wait until the engine, which has the second seat, has answered one move."""
    command = [parlour, "play", "othello", "--seat", "human", "--seat", bot]
    with subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"f5\n")
        process.stdin.flush()
        shown = b""
        while not re.search(rb"(?s)Player 2.*plays [a-h][1-8]", shown):
            part = os.read(process.stdout.fileno(), 65536)
            assert part, shown.decode()
            shown += part
        answered = time.perf_counter()
        process.terminate()
    return answered


def open_nim(parlour: str, env: dict[str, str]) -> float:
    def visit(address: str) -> float:
        made = send(f"{address}/api/tables", {"game": "nim"})
        page = f"{address}/tables/{made['id']}?view=values"
        while b"Working it out" in read(page):
            time.sleep(0.1)
        return time.perf_counter()

    return _serve(parlour, env, visit)


def play_on_web(parlour: str, env: dict[str, str]) -> float:
    def visit(address: str) -> float:
        seats = [{"kind": "open"}, {"kind": "bot", "bot": "engine"}]
        made = send(f"{address}/api/tables", {"game": "othello", "seats": seats})
        table = f"{address}/api/tables/{made['id']}"
        token = send(f"{table}/seats/0", {"name": "Ann"})["token"]
        send(f"{table}/moves", {"move": "f5"}, token)
        while len(json.loads(read(table))["moves"]) < 2:
            time.sleep(0.1)
        return time.perf_counter()

    return _serve(parlour, env, visit)


def _serve(parlour: str, env: dict[str, str], visit: Callable[[str], float]) -> float:
    """Start a server, and visit it as soon as it answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [parlour, "web", "--port", str(port)], env=env, stdout=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                read(address)
                break
            except urllib.error.URLError:
                time.sleep(0.05)
        return visit(address)
    finally:
        server.terminate()
        server.wait()


def read(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:  # noqa: S310 - our own server
        body: bytes = answer.read()
        return body


def send(address: str, body: dict[str, object], token: str = "") -> dict[str, str]:
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(  # noqa: S310 - our own server
        address, json.dumps(body).encode(), headers
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        found: dict[str, str] = json.load(answer)
        return found


def main() -> None:
    if wheels := sys.argv[1:]:
        for wheel in wheels:
            measure_first_use(wheel)
        return
    welcome = host.greeting(host.Session(seed=1))
    answer = host.reply(welcome.session, LINE)
    greeted = re.compile(re.escape(welcome.lines[0][:15].encode()))
    answered = re.compile(
        rb">.*" + LINE.encode() + rb".*\n.*" + re.escape(answer.lines[0][:15].encode()), re.DOTALL
    )
    measured = {
        "bare": lambda: ended(BARE),
        "import": lambda: ended(IMPORT),
        "help": lambda: ended(HELP),
        "greeting": lambda: seen("", greeted),
        "keys": lambda: seen(f"{LINE}\r", answered),
    }
    times: dict[str, list[float]] = {name: [] for name in measured}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder  # a stranger, whom he knows nothing of
        for _ in range(ROUNDS):
            for name, measure in measured.items():
                times[name].append(measure())
    bare, imported, helped, greeting, keys = (statistics.median(ms) for ms in times.values())
    print(f"{'what':28} {'ms':>7} {'bar':>7}")
    print(f"{'a bare interpreter':28} {bare:7.1f}")
    print(f"{'import parlour, above that':28} {imported - bare:7.1f} {30:7.1f}")
    print(f"{'parlour --help, in all':28} {helped:7.1f} {80:7.1f}")
    print(f"{'the greeting on the screen':28} {greeting:7.1f} {100:7.1f}")
    print(f"{'a line typed at once':28} {keys:7.1f} {250:7.1f}")


if __name__ == "__main__":
    main()
