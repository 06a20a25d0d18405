"""The example lines, and the conversations in which they are typed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from parlour.core import registry
from parlour.host import HostTable, Session
from parlour.host.session import Talk
from parlour.host.table import load_match
from parlour.host.understand import Scene

FOLDER = Path(__file__).with_name("examples")
KEPT_ASIDE = 10  # one line in so many is never trained on
POSITIONS = {  # the games of the examples: options, and the position of the person to move
    "nim": ({"piles": (3, 4, 5)}, "3,4,5:1"),
    "sticks": ({"sticks": 20}, "14:1"),
    "chopsticks": ({"rules": "benedict"}, "1,2:3,1:1"),
    "tictactoe": ({}, "O---X---- X"),
    "othello": ({}, ""),
}
SESSIONS = {
    "chat": Session(),
    "offer": Session(question="offer"),
    "piles": Session(mode="setup", wished={"game": "nim"}),
    "coins": Session(mode="setup", wished={"game": "nim", "count": 3, "sizes": []}),
    "side": Session(mode="setup", wished={"game": "othello"}),
}


@dataclass(frozen=True)
class Example:
    """A line, where it is typed, and what it means, as `tools/intents/README.md` says."""

    voice: str
    label: str
    state: str
    text: str

    @property
    def intent(self) -> str:
        """The intent without its slots."""
        return self.label.partition("=")[0].partition(":")[0]

    @property
    def is_aside(self) -> bool:
        """Whether it is kept aside to measure with."""
        row = f"{self.label}\t{self.state}\t{self.text}"
        return hashlib.sha256(row.encode()).digest()[0] % KEPT_ASIDE == 0


def read_examples(folder: Path = FOLDER) -> Iterator[Example]:
    """Read all example lines."""
    for path in sorted(folder.glob("*.tsv")):
        for row in path.read_text(encoding="utf-8").splitlines():
            yield Example(path.stem, *row.split("\t", 2))


@cache
def find_scene(state: str) -> tuple[Session, Scene]:
    """Return the conversation that a state stands for."""
    if state in POSITIONS:
        options, position = POSITIONS[state]
        game = registry.game(state, **options)
        return Session(mode="game"), Scene(
            "game", game, game.read(position) if position else game.start()
        )
    if state == "confirm":
        session, scene = find_scene("nim")
        return session.replace(question="confirm resign"), scene
    if state in ("talk", "consent"):
        asked = "keep.0" if state == "consent" else "seen"
        session = Session(mode="talk", talk=Talk(topic="whale", asked=asked))
        return session, Scene("talk", topic="whale")
    if state == "again":
        moves = ("1 from 1", "1 from 2")
        table = HostTable("nim", {"piles": (1, 1)}, ("human", "benedict"), moves, result=(-1, 1))
        match = load_match(table)
        session = Session(table=table, question="again")
        return session, Scene("after", match.game, match.state, match=match)
    return SESSIONS[state], Scene("chat")
