"""A class of thirty on the web: how soon the teacher sees every answer, and what is left of it.

Two pupils use a browser, 28 are clients with a cookie and the live WebSocket of their page; the
teacher's page is open in a third browser. A position is put on every screen, everybody answers
within three seconds, and the time from the last acknowledged answer until the teacher's page counts
all thirty is taken in that page. Then the class is deleted, and every table, the bytes of an SQLite
file and the memory of the server are looked at. A first lesson only warms everything up.

    python bench/web_class.py [--workers N] [--postgresql] [--rounds N]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from selenium.webdriver import Chrome

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.faces.web.browser import Server, fill, press, see, start_chromium, until
from tests.faces.web.house import Guest

CLIENTS = 28
WITHIN = 3.0  # seconds in which all answer
BAR = 1.0  # seconds until the teacher's page shows all of it
MOVES = ("2 from 1", "1 from 3", "3 from 1", "4 from 2")
LEFT_BY_DESIGN = {"deletions"}  # a hash and a time, by which a restored backup deletes it again

# The time at which the page first counts all answers, in seconds since the epoch
WATCH = """
const [all] = arguments;
window.counted = 0;
const look = () => {
  const bar = document.getElementById("answered");
  if (!window.counted && bar && bar.value === all) window.counted = Date.now() / 1000;
};
new MutationObserver(look).observe(document.getElementById("main"),
  {subtree: true, childList: true, attributes: true, characterData: true});
"""


class Client:
    """A pupil with an open page: a cookie, and the WebSocket that keeps the page up to date."""

    def __init__(self, port: int, code: str, name: str) -> None:
        self.guest = Guest(port)
        self.guest.get("/docs")
        sent = self.guest.post("/classes/join", {"code": code, "name": name})
        assert sent.status == 303, sent.said
        self.place = sent.headers["location"]
        topic = re.search(r'data-live="([^"]+)"', self.guest.get(self.place).text)
        assert topic
        self.topic = topic[1]
        self.saw_question = threading.Event()
        self.answered = 0.0
        self.ready = threading.Event()

    def run(self, go: threading.Event) -> None:
        with self.guest.live(self.topic) as line:
            self.ready.set()
            while 'id="typed-move"' not in json.loads(line.recv(timeout=60))["html"]:
                pass
            self.saw_question.set()
            go.wait()
            time.sleep(random.uniform(0, WITHIN - 0.5))
            form = {"move": random.choice(MOVES), "at": 1}
            sent = self.guest.post(f"{self.place}/answer", form)
            assert sent.status == 303, sent.said
            self.answered = time.time()
            while 'id="truth"' not in json.loads(line.recv(timeout=60))["html"]:
                pass


def tree_memory(pid: int) -> float:
    """The private memory of a process and all below it, in MB."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    own = sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024
    return own + sum(tree_memory(int(each)) for each in children)


def count_rows(url: str) -> dict[str, int]:
    """How many rows every table holds."""
    return {name: len(rows) for name, rows in read_all(url).items()}


def read_all(url: str) -> dict[str, list[Any]]:
    """All rows of all tables."""
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    metadata = sa.MetaData()
    metadata.reflect(engine)
    with engine.connect() as connection:
        found = {
            name: [tuple(row) for row in connection.execute(sa.select(table))]
            for name, table in metadata.tables.items()
        }
    engine.dispose()
    return found


def search(server: Server, names: list[str]) -> list[str]:
    """Where any of these names is found: in which table, or in which file."""
    found = [
        table
        for table, rows in read_all(server.database).items()
        if any(name in repr(row) for row in rows for name in names)
    ]
    if server.database.startswith("sqlite"):
        file = Path(server.database.removeprefix("sqlite:///"))
        for each in file.parent.glob(f"{file.name}*"):
            held = each.read_bytes()
            found += [each.name] if any(name.encode() in held for name in names) else []
    return found


def teach(server: Server, browsers: list[Chrome], number: int) -> dict[str, float]:
    """One lesson, from opening the class to deleting it."""
    teacher, *pupils = browsers
    names = [f"Quokka{number}x{each}" for each in range(CLIENTS + len(pupils))]
    teacher.get(f"{server.url}/classes")
    fill(teacher, "#f-name", f"Class {number}")
    press(teacher, "#open")
    code = see(teacher, "#code").text
    place = teacher.current_url.removesuffix("/teach")
    for driver, name in zip(pupils, names, strict=False):
        driver.get(f"{server.url}/classes/join?code={code}")
        fill(driver, "#f-name", name)
        press(driver, "#join")
        see(driver, "#wait")
    clients = [Client(server.port, code, name) for name in names[len(pupils) :]]
    go = threading.Event()
    threads = [threading.Thread(target=each.run, args=(go,)) for each in clients]
    for thread in threads:
        thread.start()
    for each in clients:
        assert each.ready.wait(60)
    see(teacher, "#present", f"{len(names)} of {len(names)}")
    teacher.get(f"{place}/position/nim")
    press(teacher, "#ask")
    see(teacher, "#answered")
    asked = time.time()
    for each in clients:
        assert each.saw_question.wait(60)
    for driver in pupils:
        see(driver, "#typed-move")
    shown = time.time() - asked
    teacher.execute_script(WATCH, len(names))
    go.set()
    begun = time.time()
    last = 0.0
    for driver in pupils:
        fill(driver, "#typed-move", "2 from 1")
        press(driver, "form.add button")
        see(driver, "#step", "You answered")
        last = time.time()
    counted = until(
        teacher, "the count of all", lambda: teacher.execute_script("return window.counted")
    )
    seen = float(counted)
    last = max(last, *(each.answered for each in clients))
    press(teacher, "#show-truth")
    see(teacher, "#truth")
    for thread in threads:
        thread.join()
    held = search(server, names)
    teacher.get(f"{place}/settings")
    press(teacher, "label:has(#f-sure)")
    press(teacher, "#delete")
    see(teacher, "#open")
    for driver in browsers:
        driver.get("about:blank")
    return {
        "shown": shown,
        "answering": last - begun,
        "seen": seen - last,
        "held before": len(held),
        "held after": len(search(server, names)),
    }


@contextlib.contextmanager
def open_browsers(folder: Path, number: int) -> Iterator[list[Chrome]]:
    """So many browsers, each with a profile of its own."""
    opened: list[Chrome] = []
    try:
        for each in range(number):
            opened.append(start_chromium(folder / f"browser{each}"))
        yield opened
    finally:
        for driver in opened:
            driver.quit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    database = ""
    if asked.postgresql:
        from tests.postgres import lasting_cluster

        database = lasting_cluster().new_database()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "server"
        folder.mkdir()
        server = Server(folder, database, "--workers", str(asked.workers))
        server.start()
        try:
            with open_browsers(Path(name), 3) as browsers:
                teach(server, browsers, 0)
                time.sleep(2)
                pid = server.processes[-1].pid
                memory, rows = tree_memory(pid), count_rows(server.database)
                told = [teach(server, browsers, each + 1) for each in range(asked.rounds)]
                time.sleep(2)
                after, left = tree_memory(pid), count_rows(server.database)
        finally:
            server.close()
    kind = "PostgreSQL" if asked.postgresql else "SQLite"
    print(f"30 pupils, {kind}, {asked.workers} server process(es), {asked.rounds} lessons")
    for key, what, bar in (
        ("shown", "s until the position is on 30 screens", ""),
        ("answering", "s in which all answered", f"{WITHIN:g}"),
        ("seen", "s from the last answer to the teacher's page", f"{BAR:g}"),
        ("held before", "tables and files with a name in the lesson", ""),
        ("held after", "the same once the class is deleted", "0"),
    ):
        print(f"{what:50} {max(each[key] for each in told):8.3g} {bar:>5}")
    print(f"{'MB of the server before and after':50} {memory:8.1f} {after:8.1f}")
    changed = {
        table: left[table] - rows[table]
        for table in rows
        if left[table] != rows[table] and table not in LEFT_BY_DESIGN
    }
    print(f"tables with more or fewer rows than before: {changed or 'none'}")
    print(f"load of the machine in the last minute: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
