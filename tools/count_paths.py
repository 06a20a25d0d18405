"""Count the calls on the paths of docs/architecture.md, by walking each path under a profiler.

The page says which calls are numbered. This checks that each of them is made, within the call that
its dots put it under, and that the heading has their number. Compiled code is taken on trust, since
a profiler sees nothing there.

    python -m tools.count_paths            the number of calls on each path, and what is wrong
    python -m tools.count_paths "A solve"  everything that is called on one path, to number it anew
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

import parlour
from parlour import host
from parlour.core import Work
from parlour.faces.cli import main as parlour_command
from parlour.host.session import HostTable

ROOT = Path(__file__).parent.parent
SOURCE = f"{Path(parlour.__file__).parent}/"
PAGE = ROOT / "docs" / "architecture.md"
COMPILED = "kernels/"
PATIENCE = 20.0  # seconds; ends a walk that hangs
Name: TypeAlias = str  # `core/referee.py:Match.play`, as on the page


@dataclass(frozen=True)
class Step:
    """A numbered call of a path."""

    number: int
    depth: int  # how many dots it has
    name: Name


@dataclass(frozen=True)
class Route:
    """A path as the page has it."""

    title: str
    calls: int  # by its heading
    steps: tuple[Step, ...]


@dataclass
class Calls:
    """The functions that were called, with those that called them; None for a new thread."""

    callers: dict[Name, set[Name | None]] = field(default_factory=dict)
    on: bool = False

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call, as a profiler."""
        name = name_frame(frame) if self.on and event == "call" else ""
        if name:
            caller = frame.f_back
            while caller is not None and not name_frame(caller):
                caller = caller.f_back
            self.callers.setdefault(name, set()).add(name_frame(caller) if caller else None)

    def is_within(self, name: Name, outer: Name) -> bool:
        """Whether a function was called within another, or on a thread of its own."""
        ahead, seen = [name], {name}
        for each in ahead:  # it grows
            for caller in self.callers.get(each, ()):
                if caller in (None, outer):
                    return True
                if caller not in seen:
                    seen.add(caller)
                    ahead.append(caller)
        return False


def name_frame(frame: FrameType) -> Name:
    """Return the name of a function of ours, or nothing for any other and for comprehensions."""
    code = frame.f_code
    inside = code.co_filename.startswith(SOURCE) and not code.co_name.startswith("<")
    name = code.co_qualname.replace(".<locals>", "") if inside else ""
    return f"{code.co_filename.removeprefix(SOURCE)}:{name}" if inside else ""


def read_routes() -> list[Route]:
    """Read the paths of the page."""
    found = []
    parts = re.split(r"^### (.*): (\d+) calls$", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    for title, calls, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        rows = re.findall(r"^\| (\d+) \| ((?:· )*)`([^`]+)`", text, re.MULTILINE)
        steps = [Step(int(number), dots.count("·"), name) for number, dots, name in rows]
        found.append(Route(title, int(calls), tuple(steps)))
    return found


def find_mistakes(route: Route, calls: Calls) -> Iterator[str]:
    """Yield what the page says of a path that is not so."""
    if [step.number for step in route.steps] != list(range(1, route.calls + 1)):
        yield f"the heading says {route.calls} calls, and the rows are {len(route.steps)}"
    within: list[Step] = []
    for step in route.steps:
        within = [*within[: step.depth], step]
        outer = within[-2] if step.depth else None
        if step.name.startswith(COMPILED):
            continue
        if step.name not in calls.callers:
            yield f"{step.number}: {step.name} is not called"
        elif outer and not calls.is_within(step.name, outer.name):
            yield f"{step.number}: {step.name} is not called within {outer.name}"


# Walking the paths


def type_command(*words: str) -> None:
    """Run a command, without what it prints."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        parlour_command(list(words))


def play_tournament() -> None:
    """Play a tournament into a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        bots = ("--bots", "random", "perfect", "--games", "2", "--workers", "1")
        type_command("tournament", "nim", *bots, "--folder", f"{folder}/games")


def talk() -> None:
    """Say a move to Benedict, in a game."""
    table = HostTable("nim", {"piles": [3, 4, 5]}, ("human", "perfect"))
    host.reply(host.Session(seed=1, table=table, mode="game"), "take two from the last pile")


def move_with_engine() -> None:
    """Let the engine choose without its book."""
    game = parlour.game("othello")
    parlour.bot("engine", level=6, book=False).choose(game, game.start())


def judge_agent() -> None:
    """Judge a bot that is given by name."""
    parlour.judge(parlour.game("sticks", sticks=13), "minimax depth=3", sample=3)


def click(start: Callable[[], None]) -> None:
    """Move on the web board, with a watcher."""
    from tests.faces.web.house import opened_in

    with tempfile.TemporaryDirectory() as folder, opened_in(Path(folder)) as house:
        table = house.table("sticks", seats=({}, {}))
        person, _ = house.sitting(table, 0), house.sitting(table, 1)
        with person.live(f"table:{table}") as page:
            page.recv(timeout=PATIENCE)
            start()
            person.post(f"/tables/{table}/move", {"move": "1"})
            page.recv(timeout=PATIENCE)


def answer_puzzle(start: Callable[[], None]) -> None:
    """Answer a puzzle on the web; what a worker does of that is done here as well, in Nim."""
    from tests.faces.web.house import opened_in

    from parlour.faces.web.puzzles.tasks import judge

    nim = {"game": "nim", "options": {"piles": [2, 3, 6]}, "position": "2,3,6:1"}
    with tempfile.TemporaryDirectory() as folder, opened_in(Path(folder)) as house:
        person = house.browser()
        address = person.get("/puzzles/next?game=sticks").headers["location"]
        start()
        person.post(f"{address}/answer", {"move": "1"})
        judge({**nim, "move": "5 from 3"}, Work())


WALKS: dict[str, Callable[[], None]] = {
    "A solve": lambda: type_command("solve", "nim", "--piles", "3,4,5"),
    "A line to Benedict": talk,
    "A tournament": play_tournament,
    "An engine move": move_with_engine,
    "A judged agent": judge_agent,
}
WEB_WALKS = {"A click": click, "An answered puzzle": answer_puzzle}  # these say when they begin


def walk(title: str) -> Calls:
    """Walk a path, and return what was called on it."""
    calls = Calls()

    def start() -> None:
        calls.on = True

    threading.setprofile(calls.note)
    sys.setprofile(calls.note)
    try:
        if title in WEB_WALKS:
            WEB_WALKS[title](start)
        else:
            start()
            WALKS[title]()
    finally:
        calls.on = False
        sys.setprofile(None)
        threading.setprofile(None)
    return calls


def main() -> int:
    """Count all paths, or list what is called on those that are named."""
    wanted, wrong = sys.argv[1:], False
    for route in read_routes():
        if wanted and route.title not in wanted:
            continue
        calls = walk(route.title)
        mistakes = list(find_mistakes(route, calls))
        wrong |= bool(mistakes)
        print(f"{route.title}: {len(route.steps)} calls")
        print("".join(f"  {each}\n" for each in mistakes), end="")
        for name in calls.callers if wanted else ():
            print(f"  {name}, from {', '.join(map(str, calls.callers[name]))}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
