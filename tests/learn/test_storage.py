"""Hats as text: nothing is taken for hats that is not, and the reason is given."""

from __future__ import annotations

import json
import math

import pytest

import parlour
from parlour.core.errors import ParlourError
from parlour.core.registry import from_file
from parlour.learn import storage
from parlour.learn.hat_set import MAX_BALLS, hats
from parlour.learn.training import train
from tests.test_documents import ROOT


def some(game="sticks", games=300, **how):
    held = hats(parlour.game(game), seed=4, **how)
    train(held, games)
    return held


def changed(change, *, signed=True):
    """A file of hats after somebody's change, with the sum made right again if signed."""
    data = json.loads(storage.to_json(some()))
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


def fortune(data):
    return point(data)["fortunes"][0]


WRONG = {
    "nothing": ("", "not JSON"),
    "half a file": (storage.to_json(some())[:2000], "not JSON"),
    "bytes": ("\x00\x01\x02", "not JSON"),
    "deep": ("[" * 100_000, "not JSON"),
    "a list": ("[1, 2]", "not a file of hats"),
    "a record": ((ROOT / "examples" / "marvin_and_hal.jsonl").read_text(), "not a file of hats"),
    "one ball changed": (
        storage.to_json(some()).replace('"games": 300', '"games": 301'),
        "checksum is wrong",
    ),
    "a field missing": (changed(lambda d: d.pop("rule")), "it has no rule"),
    "a rule nobody knows": (changed(lambda d: d.update(rule="magic")), "rule cannot be 'magic'"),
    "games below none": (changed(lambda d: d.update(games=-1)), "games cannot be -1"),
    "a hat that lacks a number": (
        changed(lambda d: hat(d).update({"2": 0})),
        "cannot hold 0 of the ball '2'",
    ),
    "half a ball": (changed(lambda d: hat(d).update({"2": 1.5})), "cannot hold 1.5"),
    "a true ball": (changed(lambda d: hat(d).update({"2": True})), "cannot hold True"),
    "too many balls": (changed(lambda d: hat(d).update({"2": 2**31})), "cannot hold"),
    "a ball of another game": (changed(lambda d: hat(d).update({"4": 1})), "must hold the balls"),
    "a box too many": (
        changed(lambda d: d["players"][0].update({"21:1": {"1": 1, "2": 1, "3": 1}})),
        "no box '21:1'",
    ),
    "a box missing": (changed(lambda d: d["players"][1].popitem()), "is missing"),
    "a player missing": (changed(lambda d: d["players"].pop()), "2 sets, not 1"),
    "a curve of nonsense": (changed(lambda d: d.update(curves=[[{}], []])), "its curves cannot be"),
    "a curve too few": (changed(lambda d: d.update(curves=[[]])), "one curve for each"),
    "a tally of nonsense": (changed(lambda d: d.update(tally={"luck": 3})), "its tally cannot be"),
    "a list of rules": (changed(lambda d: d.update(rule=["hats"])), "rule cannot be"),
    "a seed below none": (changed(lambda d: d.update(seed=-1)), "seed cannot be -1"),
    "a seed too large": (changed(lambda d: d.update(seed=2**63)), "seed cannot be"),
    "wins in letters": (changed(lambda d: d["tally"].update(wins="xx")), "tally cannot be"),
    "wins of one": (changed(lambda d: d["tally"].update(wins=[1])), "tally cannot be"),
    "wins without end": (changed(lambda d: d["tally"].update(wins=[10**30, 0])), "tally cannot be"),
    "more wins than games": (changed(lambda d: d["tally"].update(wins=[300, 1])), "more than its"),
    "dry before the first game": (changed(lambda d: d["tally"].update(dry=0)), "tally cannot be"),
    "dry after the last": (changed(lambda d: d["tally"].update(dry=301)), "more than its 300"),
    "a curve that runs back": (changed(lambda d: d["curves"][0].reverse()), "curves cannot be"),
    "a curve over other boxes": (changed(lambda d: point(d).update(of=14)), "curves cannot be"),
    "a curve that goes on": (changed(lambda d: point(d).update(games=301)), "curve goes on after"),
    "half a game": (changed(lambda d: point(d).update(games=299.5)), "curves cannot be"),
    "more right than there are": (changed(lambda d: point(d).update(right=16)), "curves cannot be"),
    "right beyond count": (changed(lambda d: point(d).update(right=1e300)), "curves cannot be"),
    "more than sure": (changed(lambda d: point(d).update(chance=77)), "curves cannot be"),
    "no number at all": (changed(lambda d: point(d).update(chance=math.nan)), "curves cannot be"),
    "fortune at seat 3": (changed(lambda d: fortune(d).update(seat=2)), "curves cannot be"),
    "fortune against luck": (
        changed(lambda d: fortune(d).update(opponent="luck")),
        "curves cannot",
    ),
    "fortune in words": (changed(lambda d: fortune(d).update(win="often")), "curves cannot be"),
    "fortunes beyond 1": (changed(lambda d: fortune(d).update(win=1, loss=1)), "curves cannot be"),
    "a game nobody has": (changed(lambda d: d.update(game="ludo")), "no game 'ludo'"),
    "options that cannot be": (
        changed(lambda d: d["options"].update(sticks=3)),
        "sticks cannot be 3",
    ),
    "options of another variant": (changed(lambda d: d["options"].update(sticks=19)), "no box"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_damaged_or_foreign_file_is_refused_with_the_reason(case, tmp_path):
    text, reason = WRONG[case]
    path = tmp_path / "them.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParlourError, match=reason):
        storage.load_file(path)


def test_somebodys_own_file_may_do_without_a_sum(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(changed(lambda d: hat(d).update({"2": 500}), signed=False), encoding="utf-8")
    held = storage.load_file(path)
    assert held.contents(0, held.boxes.find(held.game.read("7:1")))[1] == 500


def test_a_file_may_leave_out_what_is_as_usual(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(changed(lambda d: d["options"].clear()), encoding="utf-8")
    assert storage.load_file(path) == some()
    assert storage.load_file(path, parlour.game("sticks")) == some()
    assert storage.read_label(path).explain_mismatch(parlour.game("sticks")) == ""


def test_hats_for_a_game_in_a_file_are_built_with_their_own_options(tmp_path):
    kayles = from_file("games", ROOT / "examples" / "kayles.py")
    held = hats(kayles(pins=6), seed=1)
    path = tmp_path / "six.json"
    path.write_text(storage.to_json(held), encoding="utf-8")
    assert storage.load_file(path, cls=kayles) == held
    with pytest.raises(ParlourError, match="for kayles with pins=6, not with pins=7"):
        storage.load_file(path, kayles(pins=7))
    with pytest.raises(ParlourError, match="for 'kayles', and the game given is nim"):
        storage.load_file(path, cls=type(parlour.game("nim")))


def test_the_fullest_hat_can_be_read_and_runs_over_by_no_win(tmp_path):
    path = tmp_path / "full.json"
    full = dict.fromkeys("123", MAX_BALLS)
    path.write_text(changed(lambda d: hat(d, 20).update(full)), encoding="utf-8")
    held = storage.load_file(path)
    box = held.boxes.find(held.game.start())
    held.learn({0: [(held.game.start(), 0)]}, (1, -1))
    train(held, 1000, curve=False)
    assert max(held.contents(0, box)) == MAX_BALLS
    assert min(held.contents(0, box)) > MAX_BALLS - 1000
