"""Hats as text: nothing is taken for hats that is not, and the reason is given."""

from __future__ import annotations

import json
import math
from functools import cache

import pytest

import parlour
from parlour.core import registry
from parlour.core.errors import ParlourError
from parlour.learn import storage
from parlour.learn.hat_set import MAX_BALLS, hats
from parlour.learn.training import train
from tests.test_documents import ROOT


def make_hats():
    held = hats(parlour.game("sticks"), seed=4)
    train(held, 300)
    return held


@cache
def text() -> str:
    """A file of hats."""
    return storage.to_json(make_hats())


def changed(change, *, signed=True):
    """The file after a change, with the checksum made right again if signed."""
    data = json.loads(text())
    data.pop("sha256")
    change(data)
    if signed:
        data["sha256"] = storage._checksum(data)
    return json.dumps(data)


def hat(data, number="7"):
    position = next(p for p in data["players"][0] if p.startswith(f"{number}:"))
    return data["players"][0][position]


def point(data):
    return data["curves"][0][-1]


def odds(data):
    return point(data)["fortunes"][0]


NO_CURVES, NO_TALLY = "its curves cannot be", "its tally cannot be"
OTHER_FILES = [
    ("", "not JSON"),
    ("\x00\x01\x02", "not JSON"),
    ("[" * 100_000, "not JSON"),
    ("[1, 2]", "not a file of hats"),
    ((ROOT / "examples" / "marvin_and_hal.jsonl").read_text(), "not a file of hats"),
]
CHANGES = [
    (lambda d: d.pop("rule"), "it has no rule"),
    (lambda d: d.update(rule="magic"), "rule cannot be 'magic'"),
    (lambda d: d.update(rule=["hats"]), "rule cannot be"),
    (lambda d: d.update(games=-1), "games cannot be -1"),
    (lambda d: d.update(seed=-1), "seed cannot be -1"),
    (lambda d: d.update(seed=2**63), "seed cannot be"),
    (lambda d: d.update(game="ludo"), "no game 'ludo'"),
    (lambda d: d["options"].update(sticks=3), "sticks cannot be 3"),
    (lambda d: d["options"].update(sticks=19), "no box"),
    (lambda d: hat(d).update({"2": 0}), "cannot hold 0 of the ball '2'"),
    (lambda d: hat(d).update({"2": 1.5}), "cannot hold 1.5"),
    (lambda d: hat(d).update({"2": True}), "cannot hold True"),
    (lambda d: hat(d).update({"2": 2**31}), "cannot hold"),
    (lambda d: hat(d).update({"4": 1}), "must hold the balls"),
    (lambda d: d["players"][0].update({"21:1": {"1": 1, "2": 1, "3": 1}}), "no box '21:1'"),
    (lambda d: d["players"][1].popitem(), "is missing"),
    (lambda d: d["players"].pop(), "2 sets, not 1"),
    (lambda d: d.update(tally={"luck": 3}), NO_TALLY),
    (lambda d: d["tally"].update(wins="xx"), NO_TALLY),
    (lambda d: d["tally"].update(wins=[1]), NO_TALLY),
    (lambda d: d["tally"].update(wins=[10**30, 0]), NO_TALLY),
    (lambda d: d["tally"].update(wins=[300, 1]), "more than its"),
    (lambda d: d["tally"].update(dry=0), NO_TALLY),
    (lambda d: d["tally"].update(dry=301), "more than its 300"),
    (lambda d: d.update(curves=[[{}], []]), NO_CURVES),
    (lambda d: d.update(curves=[[]]), "one curve for each"),
    (lambda d: d["curves"][0].reverse(), NO_CURVES),
    (lambda d: point(d).update(of=14), NO_CURVES),
    (lambda d: point(d).update(games=301), "curve goes on after"),
    (lambda d: point(d).update(games=299.5), NO_CURVES),
    (lambda d: point(d).update(right=16), NO_CURVES),
    (lambda d: point(d).update(right=1e300), NO_CURVES),
    (lambda d: point(d).update(chance=77), NO_CURVES),
    (lambda d: point(d).update(chance=math.nan), NO_CURVES),
    (lambda d: odds(d).update(seat=2), NO_CURVES),
    (lambda d: odds(d).update(opponent="luck"), NO_CURVES),
    (lambda d: odds(d).update(win="often"), NO_CURVES),
    (lambda d: odds(d).update(win=1, loss=1), NO_CURVES),
]


def test_a_damaged_or_foreign_file_is_refused_with_the_reason(tmp_path):
    path, wrong = tmp_path / "them.json", []
    damaged = [(text()[:2000], "not JSON")]
    damaged.append((text().replace('"games": 300', '"games": 301'), "checksum is wrong"))
    for content, reason in (*OTHER_FILES, *damaged, *((changed(c), r) for c, r in CHANGES)):
        path.write_text(content, encoding="utf-8")
        try:
            storage.load_file(path)
        except ParlourError as refusal:
            if reason not in str(refusal):
                wrong.append(f"{refusal} instead of {reason}")
        else:
            wrong.append(f"not refused: {reason}")
    assert not wrong, "\n".join(wrong)


def test_a_file_may_do_without_a_checksum(tmp_path):
    path = tmp_path / "mine.json"
    for number in (500, MAX_BALLS):
        change = changed(lambda d, n=number: hat(d).update({"2": n}), signed=False)
        path.write_text(change, encoding="utf-8")
        held = storage.load_file(path)
        assert held.contents(0, held.boxes.find(held.game.read("7:1")))[1] == number


def test_a_file_may_leave_out_default_options(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(changed(lambda d: d["options"].clear()), encoding="utf-8")
    assert storage.load_file(path) == make_hats()
    assert storage.load_file(path, parlour.game("sticks")) == make_hats()
    assert storage.read_label(path).explain_mismatch(parlour.game("sticks")) == ""


def test_hats_for_a_game_in_a_file_are_built_with_their_own_options(tmp_path):
    kayles = registry.find("games", ROOT / "examples" / "kayles.py")
    held = hats(kayles(pins=6), seed=1)
    path = tmp_path / "six.json"
    path.write_text(storage.to_json(held), encoding="utf-8")
    assert storage.load_file(path, cls=kayles) == held
    with pytest.raises(ParlourError, match="for kayles with pins=6, not with pins=7"):
        storage.load_file(path, kayles(pins=7))
    with pytest.raises(ParlourError, match="for 'kayles', and the game given is nim"):
        storage.load_file(path, cls=type(parlour.game("nim")))
