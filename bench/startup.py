"""How soon it answers, beside a bare interpreter (the peer) in the same run.

`import parlour` may cost 30 ms above a bare interpreter, `parlour --help` 80 ms in all. At a
terminal Benedict's greeting is on the screen within 100 ms, and a line that is typed at once,
before there is a prompt, is answered within 250 ms. Each is the median of several fresh
processes, run in turns.
"""

from __future__ import annotations

import os
import pty
import re
import statistics
import subprocess
import sys
import tempfile
import time
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


def main() -> None:
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
