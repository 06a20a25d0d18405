"""What people type is understood: a list that was written before the grammar."""

import re

import pytest

import parlour
from parlour.core.options import options_of
from parlour.core.registry import find
from parlour.host.language.line import normalise
from parlour.host.session import Session, Talk
from parlour.host.understand import understand
from parlour.host.understand.grammar import Meaning, Scene
from parlour.host.understand.wishes import find_counts, read_wish
from tests.host.talking import read_rows

ROWS = read_rows("phrases.txt")


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


def read_meaning(text):
    """The intent and the slots that the last column names."""
    intent, _, rest = text.partition(" ")
    slots = re.split(r"\s+(?=[a-z_-]+=)", rest) if rest else []
    return intent, dict(slot.split("=", 1) for slot in slots)


def write_slot(name, value, game):
    known = options_of(find("games", game)) if game else {}
    return known[name].write(value) if name in known else str(value)


def is_understood(where, typed, wanted):
    session, scene = scene_of(where)
    meaning = understand(session, scene, normalise(typed))
    meaning = meaning.slots.get("otherwise", meaning)
    if meaning.intent == "ask back":  # he has understood, and makes sure
        meaning = Meaning(meaning.slots["intent"], meaning.slots["slots"])
    intent, slots = read_meaning(wanted)
    game = meaning.slots.get("game")
    found = {n: write_slot(n, v, game) for n, v in meaning.slots.items() if n != "reason"}
    right = meaning.intent == intent and slots.items() <= found.items()
    return right and (intent != "play" or found.keys() == slots.keys())


@pytest.mark.slow
def test_every_phrase_is_understood_but_those_marked_as_not_yet():
    rows = [row for row in ROWS if not row[0].startswith("~")]
    wrong = [" | ".join(row) for row in rows if not is_understood(*row)]
    assert not wrong, "\n".join(wrong)


def test_at_least_95_percent_of_the_phrases_are_understood():
    marked = [row for row in ROWS if row[0].startswith("~")]
    assert len(marked) <= 0.05 * len(ROWS)
    assert len({typed for _, typed, _ in ROWS}) >= 500
    assert len({read_meaning(wanted)[0] for _, _, wanted in ROWS}) >= 35


def write_value(value):
    """A value that was heard, possible or not, as the list of wishes writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        nested = value and isinstance(value[0], tuple)
        return (";" if nested else ",").join(map(write_value, value))
    return str(value)


def read_heard(typed):
    """What is heard in a wish, by the names of the list, and the options among it."""
    words = normalise(typed).words
    wish = read_wish(words)
    options = {name: write_value(value) for name, value in wish.options.items()}
    counts = ",".join(map(str, find_counts(words))) or "none"
    others = {"game": wish.game, "level": str(wish.level).lower(), "against": wish.against}
    return others | options | {"begins": wish.begins or "no", "counts": counts}, wish


def is_heard(typed, wanted):
    found, wish = read_heard(typed)
    slots = dict(part.split("=") for part in wanted.removesuffix(" refused").split())
    others = slots.keys() & {"game", "level", "against", "begins", "counts"}
    slots.pop("options", None)
    if not slots.items() <= found.items() or (not others and wish.options.keys() != slots.keys()):
        return False
    if others:
        return True
    try:
        parlour.game(wish.game, **wish.options)
    except parlour.BadOption:
        return wanted.endswith("refused")
    return not wanted.endswith("refused")


def test_every_wish_is_heard_as_it_was_said_and_what_cannot_be_is_refused():
    wrong = [
        f"{typed} | {wanted}: {read_heard(typed)[0]}"
        for typed, wanted in read_rows("wishes.txt")
        if not is_heard(typed, wanted)
    ]
    assert not wrong, "\n".join(wrong)
