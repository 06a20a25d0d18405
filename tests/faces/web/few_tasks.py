"""Tasks for servers that do not live long enough to load all of them: bots move at random."""

from __future__ import annotations

import random

from parlour.core import registry
from parlour.core.record import Record
from parlour.core.referee import Match


def choose(payload, work):
    game = registry.game(payload["game"], **payload["options"])
    players = ("one",) * game.seats
    match = Match.from_record(game, Record(game.name, {}, players, tuple(payload["moves"])))
    moves = game.moves(match.state)
    return {"move": game.write_move(moves[random.randrange(len(moves))])}


TASKS = {
    "choose": choose,
    "plays": lambda payload, work: [
        {"name": "random", "about": "", "plays": "by lots", "options": {}}
    ],
    "teach": lambda payload, work: {"taught": []},
}


def load():
    """There is nothing to load."""
