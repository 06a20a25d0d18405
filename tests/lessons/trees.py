"""Studies made by chance, for tests of what any study must keep."""

from __future__ import annotations

import random

from parlour.lessons import Study

GAMES = [
    "nim",
    "nim piles=2,2,2 misere=yes seats=3",
    "sticks",
    "chopsticks rules=feathers",
    "chopsticks loops=barred",
    "tictactoe columns=4 rows=3",
    "othello",
    "othello opening=benedict",
    "othello opening=despacito misere=yes",
    "othello columns=4 rows=6",
]
WORDS = [
    "Good.",
    "a]b",
    "back\\slash",
    "[x",
    "(;",
    "line\nbreak",
    " indented",
    "é ⊢ 好",
    "Proof: no",
    "| bar",
]


def grow(game: str, seed: int, size: int = 30) -> Study:
    """Return a study with about this many moves, some of them commented and asked for."""
    chance = random.Random(seed)
    study = Study(game, chance.choice(["", "A [title]", "Ünï\\"]))
    for _ in range(size):
        at = chance.choice([len(study.nodes) - 1, chance.randrange(len(study.nodes))])
        moves = study.game.moves(study.states[at])
        if not moves:
            continue
        move = moves[chance.randrange(len(moves))]
        study, at = study.add(at, study.game.write_move(move))
        if chance.random() < 0.3:
            said = "\n".join(chance.sample(WORDS[:7], chance.randrange(1, 4)))
            proof = tuple(
                chance.sample(["Win in 3.", "It is so:\n  1 2\n  3 4"], chance.randrange(3))
            )
            asks = chance.choice(["", "marked", "proven"])
            study = study.change(
                at, comment=said, proof=proof, asks=asks, right=chance.random() < 0.5
            )
    return study
