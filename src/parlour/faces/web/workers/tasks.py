"""What workers can be asked, by name: each thought is a function of a payload and its `Work`.

A payload comes from a page or a stranger's program and is checked; what is wrong with it is a
`ParlourError`. To add a thought, write the function and enter it here.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from parlour import host
from parlour.core import Work, registry
from parlour.faces.progress import announce_compiling
from parlour.faces.web.lab import TASKS as OF_THE_LAB
from parlour.faces.web.school import TASKS as OF_THE_SCHOOL
from parlour.faces.web.workers.payload import Payload, field
from parlour.faces.web.workers.play import choose, plays, teach, tournament_games
from parlour.faces.web.workers.server import Thought
from parlour.faces.web.workers.truth import explain, solve
from parlour.faces.web.workers.values import THOUGHTS as OF_VALUES

ROOMS = ("kernels", "rules", "engine", "truth", "players", "learn", "host")


def reply(payload: Payload, work: Work) -> dict[str, Any]:
    """What Benedict answers to a line, and the session as it is then."""
    session = host.Session.from_json(field(payload, "session", str))
    answer = host.reply(session, field(payload, "text", str))
    return {
        "session": answer.session.to_json(),
        "lines": list(answer.lines),
        "board": answer.board,
        "choices": list(answer.choices),
        "over": answer.over,
    }


THOUGHTS: dict[str, Thought] = {
    "choose": choose,
    "explain": explain,
    "plays": plays,
    "reply": reply,
    "solve": solve,
    "teach": teach,
    "tournament-games": tournament_games,
    **OF_THE_LAB,
    **OF_THE_SCHOOL,
    **OF_VALUES,
}


def ready() -> None:
    """Load whatever a thought may need, so that every worker has it from the first moment.

    No file of the user's folder is run for that: it could do anything.
    """
    announce_compiling()
    for room in ROOMS:
        package = importlib.import_module(f"parlour.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"parlour.{room}."):
            importlib.import_module(module.name)
    for kind in ("games", "bots"):
        registry.list_installed(kind)
    importlib.import_module("parlour.kernels.othello.evaluation").weights()
