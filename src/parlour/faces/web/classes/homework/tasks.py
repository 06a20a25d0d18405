"""The workers' tasks for homework: measure hats, check a bot that was handed in, let it play.

A bot is a stranger's program. It is written to a folder of its own and runs in the arena's sandbox
alone, with little memory and time; where there is no sandbox it does not run at all.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from parlour import arena, learn
from parlour.core import Clock, Game, ParlourError, Work, say
from parlour.faces.web.workers import Payload, TaskFunction, game_of

FILE = "bot.py"  # whatever the pupil called it
CLOCK = Clock(total=5.0)  # seconds for all moves of a game
LIMITS = arena.Limits(memory=256, start=10.0, think=5.0, processes=8)


def measure_hats(payload: Payload, work: Work) -> dict[str, int]:
    """Count the hats whose likeliest ball is right, for the player who has the larger share."""
    held = learn.storage.from_json(payload["hats"], name="these hats", work=work)
    points = [learn.measure(held, row, work) for row in range(len(held.balls))]
    best = max(points, key=lambda point: point.right / point.of if point.of else 1.0)
    return {"right": best.right, "of": best.of, "games": held.games}


def _why_not() -> str:
    """Return why no bot can be shut in here, or nothing."""
    if sys.platform == "win32":
        return say("bots can be isolated only on Linux")
    from parlour.arena.sandbox import launcher

    return launcher.why_unavailable()


@contextlib.contextmanager
def _shut_in(source: str) -> Iterator[arena.Entry]:
    """Write a bot to a folder of its own, to be run in the sandbox."""
    if why := _why_not():
        raise ParlourError("bots cannot be shut in on this server: {why}", why=why)
    with tempfile.TemporaryDirectory(prefix="parlour-") as folder:
        file = Path(folder, FILE)
        file.write_text(source, encoding="utf-8")
        file.chmod(0o444)
        Path(folder).chmod(0o755)
        yield arena.file_entry(shlex.quote(str(file)))


def check(payload: Payload, work: Work) -> dict[str, Any]:
    """Check a bot as `parlour check-bot` does, in one leg of four games."""
    game = game_of(payload)
    with _shut_in(payload["source"]) as entry:
        plan = arena.Plan.of(game, (), clock=CLOCK, limits=LIMITS)
        found = arena.botcheck.check_bot(entry, plan, game, strong=True, brief=True)
    return {"flaw": str(found.flaw) if found.flaw else "", "games": found.games}


def play(payload: Payload, work: Work) -> dict[str, Any]:
    """Let a bot play some games against a bot of ours, in both seats, and add up its points.

    A fault loses its game and all that would follow, and so does the end of the time.
    """
    game, number = game_of(payload), payload["games"]
    points, flaw = 0.0, ""
    with _shut_in(payload["source"]) as entry:
        other = arena.Entry(payload["opponent"], arena.HOUSE, payload["opponent"])
        plan = arena.Plan.of(game, (entry, other), clock=CLOCK, limits=LIMITS, seed=payload["seed"])
        for place in range(number):
            if work.stopped or flaw:
                break
            seat = place % 2
            won, flaw = _play_one(plan, game, seat, place // 2)
            points += won
    return {"points": points, "games": number, "flaw": flaw}


def _play_one(plan: arena.Plan, game: Game, seat: int, leg: int) -> tuple[float, str]:
    """Return the points of the plan's first entry in a seat, and its fault, if it had one."""
    fixture = arena.Fixture(seat, 1 - seat, leg)
    played = arena.play_game(replace(plan, games=2 * (leg + 1)), game, fixture, strong=True)
    at_fault = played.fault and played.faulty_seat == seat
    return float(played.points[seat]), played.record.reason if at_fault else ""


@contextlib.contextmanager
def sandboxed_player(source: str) -> Iterator[arena.SandboxPlayer]:
    """Return a player in the sandbox, for games of a tournament."""
    with _shut_in(source) as entry:
        yield arena.SandboxPlayer(
            entry.what, memory=LIMITS.memory, seconds=CLOCK.total or LIMITS.think
        )


TASKS: dict[str, TaskFunction] = {
    "homework-hats": measure_hats,
    "homework-sandbox": lambda payload, work: _why_not(),
    "homework-check": check,
    "homework-play": play,
}
