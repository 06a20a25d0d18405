"""How soon it answers, beside a bare interpreter (the peer) in the same run.

`import parlour` may cost 30 ms above a bare interpreter, `parlour --help` 80 ms in all. Each
is the median of several fresh processes, run in turns.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 21
BARE = [sys.executable, "-c", "pass"]
IMPORT = [sys.executable, "-c", "import parlour"]
HELP = [str(Path(sys.executable).with_name("parlour")), "--help"]


def main() -> None:
    times: dict[str, list[float]] = {"bare": [], "import": [], "help": []}
    for _ in range(ROUNDS):
        for name, command in zip(times, (BARE, IMPORT, HELP), strict=True):
            began = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times[name].append((time.perf_counter() - began) * 1000)
    bare, imported, helped = (statistics.median(ms) for ms in times.values())
    print(f"{'what':28} {'ms':>7} {'bar':>7}")
    print(f"{'a bare interpreter':28} {bare:7.1f}")
    print(f"{'import parlour, above that':28} {imported - bare:7.1f} {30:7.1f}")
    print(f"{'parlour --help, in all':28} {helped:7.1f} {80:7.1f}")


if __name__ == "__main__":
    main()
