"""All tasks of the workers by name; each is a function of a payload and its `Work`.

A payload comes from a page or a program and is checked; a bad one raises `ParlourError`. To add a
task, write the function in its section's `tasks` module and enter it in that module's `TASKS`.
"""

from __future__ import annotations

import importlib
import pkgutil

from parlour.core import registry
from parlour.faces.progress import announce_compiling
from parlour.faces.web.chat import TASKS as CHAT
from parlour.faces.web.lab import TASKS as LAB
from parlour.faces.web.school import TASKS as SCHOOL
from parlour.faces.web.table import TASKS as TABLE
from parlour.faces.web.tournaments import TASKS as TOURNAMENTS
from parlour.faces.web.workers import TaskFunction

PACKAGES = ("kernels", "rules", "engine", "truth", "players", "learn", "host")

TASKS: dict[str, TaskFunction] = {**TABLE, **CHAT, **LAB, **SCHOOL, **TOURNAMENTS}


def load() -> None:
    """Import whatever a task may need, so that every worker has it when it is forked.

    No file of the user's folder runs here: it could do anything.
    """
    announce_compiling()
    for name in PACKAGES:
        package = importlib.import_module(f"parlour.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"parlour.{name}."):
            importlib.import_module(module.name)
    for kind in ("games", "bots"):
        registry.list_installed(kind)
    importlib.import_module("parlour.kernels.othello.evaluation").weights()
