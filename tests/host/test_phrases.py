"""What people type is understood: a list that was written before the grammar."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import parlour
from parlour.core.options import options_of
from parlour.core.registry import find
from parlour.host.language.line import normalise
from parlour.host.session import Session, Talk
from parlour.host.understand import understand
from parlour.host.understand.grammar import Meaning, Scene, load_patterns

HERE = Path(__file__).parent


def lines_of(name):
    text = (HERE / name).read_text(encoding="utf-8")
    return [
        tuple(part.strip() for part in line.split("|"))
        for line in text.splitlines()
        if line.strip() and not line.startswith("#")
    ]


LINES = lines_of("phrases.txt")
MORE = lines_of("phrases_more.txt")


def scene_of(where):
    """The session and the scene that the first column names."""
    kind, *rest = where.split()
    if kind == "chat":
        return Session(), Scene("chat")
    if kind == "talk":
        return Session(mode="talk", talk=Talk(topic=rest[0])), Scene("talk", topic=rest[0])
    known = options_of(find("games", kind))
    options = {}
    while rest and "=" in rest[0]:
        name, _, value = rest.pop(0).partition("=")
        options[name] = known[name].read(value)
    game = parlour.game(kind, **options)
    position = " ".join(rest)
    state = game.start() if position == "START" else game.read(position)
    return Session(mode="game"), Scene("game", game, state)


def meant(text):
    """The intent and the slots that the last column names."""
    intent, _, rest = text.partition(" ")
    slots = re.split(r"\s+(?=[a-z_-]+=)", rest) if rest else []
    return intent, dict(slot.split("=", 1) for slot in slots)


def written(name, value, game):
    known = options_of(find("games", game)) if game else {}
    return known[name].write(value) if name in known else str(value)


def is_understood(where, said, wanted):
    session, scene = scene_of(where)
    meaning = understand(session, scene, normalise(said))
    meaning = meaning.slots.get("otherwise", meaning)
    if meaning.intent == "ask back":  # he has understood, and makes sure
        meaning = Meaning(meaning.slots["intent"], meaning.slots["slots"])
    intent, slots = meant(wanted)
    game = meaning.slots.get("game")
    found = {n: written(n, v, game) for n, v in meaning.slots.items() if n != "reason"}
    right = meaning.intent == intent and slots.items() <= found.items()
    return right and (intent != "play" or found.keys() == slots.keys())


def test_the_list_is_long_and_varied():
    assert len(LINES) >= 200
    assert len({said for _, said, _ in LINES}) == len(LINES)
    assert len({meant(wanted)[0] for _, _, wanted in LINES}) >= 35


@pytest.mark.parametrize("some", [LINES, MORE], ids=["before the grammar", "more"])
def test_95_percent_of_what_people_type_is_understood(some):
    wrong = [line for line in some if not is_understood(*line)]
    assert len(wrong) <= 0.05 * len(some), "\n".join(" | ".join(line) for line in wrong)


@pytest.mark.parametrize("mode", ["chat", "game", "talk"])
def test_no_pattern_is_a_whole_sentence(mode):
    """A pattern names the telling words of many sentences; none is made for one of the list."""
    sentences = {normalise(said).words for _, said, _ in LINES if len(normalise(said).words) > 4}
    for some in load_patterns(mode).values():
        for pattern in some:
            assert len(pattern.split()) <= 8, pattern
            assert tuple(pattern.split()) not in sentences, pattern
