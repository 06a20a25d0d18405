"""Solutions in files: saved whole, checked by their sum, and refused when anything is wrong.

A file is one line of JSON (what was solved, and the checksum of the rest) and then the arrays.
"""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

from parlour.core.errors import BadFile
from parlour.core.files import data_folder, write_whole
from parlour.core.game import Game
from parlour.core.options import values
from parlour.truth.values import Solution

FORMAT = "parlour solution 1"


def usual_file(game: Game) -> Path:
    """Where in the user's folder the solution of a game is kept."""
    what = json.dumps([FORMAT, game.name, values(game)], sort_keys=True)
    return data_folder() / "solutions" / hashlib.sha256(what.encode()).hexdigest()[:24]


def save(solution: Solution, path: Path) -> None:
    """Write a solution, all or nothing."""
    import numpy as np

    body = io.BytesIO()
    np.savez_compressed(body, **solution.parts())
    head = {
        "format": FORMAT,
        "game": solution.game.name,
        "options": values(solution.game),
        "sha256": hashlib.sha256(body.getvalue()).hexdigest(),
    }
    write_whole(path, json.dumps(head).encode() + b"\n" + body.getvalue())


def load(game: Game, path: Path) -> dict[str, Any]:
    """The parts of a saved solution of exactly this game; `BadFile` for anything else."""
    import numpy as np

    try:
        line, _, body = path.read_bytes().partition(b"\n")
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    try:
        head = json.loads(line)
        right = head["format"] == FORMAT
        same = (head["game"], head["options"]) == (game.name, values(game))
        whole = hashlib.sha256(body).hexdigest() == head["sha256"]
    except (ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise BadFile(f"{path} is no saved solution")
    if not same:
        raise BadFile(f"{path} holds the solution of another game")
    if not whole:
        raise BadFile(f"{path} is damaged")
    with np.load(io.BytesIO(body), allow_pickle=False) as parts:
        return dict(parts)
