"""Hats in files: whole or not at all, and nothing is taken for hats that is not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import parlour
from parlour.core.errors import BadFile, BadText, ParlourError, UnknownName
from parlour.learn import keeping
from parlour.learn.hats import hats
from parlour.learn.training import train
from tests.test_documents import ROOT


def some(game="sticks", games=300, **how):
    held = hats(parlour.game(game), seed=4, **how)
    train(held, games)
    return held


@pytest.mark.parametrize("game", ["sticks", "tictactoe", "nim", "chopsticks"])
@pytest.mark.parametrize(
    "how",
    [{}, {"against": "itself"}, {"rule": "menace", "against": "random", "starts": "first"}],
    ids=str,
)
def test_what_was_kept_comes_back_and_goes_on_as_it_would_have(game, how):
    held = some(game, **how)
    keeping.keep(held, "them")
    again = keeping.fetch("them")
    assert again == held
    train(again, 200)
    train(held, 200)
    assert again == held


def test_kept_hats_are_listed_and_thrown_away():
    assert keeping.kept() == []
    keeping.keep(some(), "one")
    keeping.keep(some(games=0), "another-1")
    assert keeping.kept() == ["another-1", "one"]
    assert keeping.label("one").games == 300
    keeping.delete("one")
    assert keeping.kept() == ["another-1"]
    with pytest.raises(UnknownName, match=r"'one'.*another-1"):
        keeping.fetch("one")


@pytest.mark.parametrize("name", ["", "../x", "a b", "Å", "x" * 41, "-x", ".hidden", "a/b", "A"])
def test_names_that_could_lead_elsewhere_are_refused(name):
    with pytest.raises(BadText, match="cannot name hats"):
        keeping.keep(some(games=0), name)


def changed(change, *, signed=True):
    """A file of hats after somebody's change, with the sum made right again if signed."""
    data = json.loads(keeping.write(some()))
    data.pop("sha256")
    change(data)
    if signed:
        data["sha256"] = keeping._sum(data)
    return json.dumps(data)


def hat(data, number="7"):
    position = next(p for p in data["players"][0] if p.startswith(f"{number}:"))
    return data["players"][0][position]


WRONG = {
    "nothing": ("", "not JSON"),
    "half a file": (keeping.write(some())[:2000], "not JSON"),
    "bytes": ("\x00\x01\x02", "not JSON"),
    "deep": ("[" * 100_000, "not JSON"),
    "a list": ("[1, 2]", "no file of hats"),
    "a record": ((ROOT / "examples" / "marvin_and_hal.jsonl").read_text(), "no file of hats"),
    "one ball changed": (
        keeping.write(some()).replace('"games": 300', '"games": 301'),
        "sum is not right",
    ),
    "a field missing": (changed(lambda d: d.pop("rule")), "does not say the rule"),
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
    "a curve of nonsense": (changed(lambda d: d.update(curves=[[{}], []])), "curve"),
    "a curve too few": (changed(lambda d: d.update(curves=[[]])), "one curve for each"),
    "a tally of nonsense": (changed(lambda d: d.update(tally={"luck": 3})), "tally"),
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
        keeping.load(path)


def test_somebodys_own_file_may_do_without_a_sum(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(changed(lambda d: hat(d).update({"2": 500}), signed=False), encoding="utf-8")
    held = keeping.load(path)
    assert held.contents(0, held.boxes.find(held.game.read("7:1")))[1] == 500


def test_hats_for_another_variant_are_refused_by_name():
    keeping.keep(some(), "them")
    with pytest.raises(BadFile, match=r"for sticks, not for sticks sticks=12"):
        keeping.fetch("them", parlour.game("sticks", sticks=12))


KEEPS = """
import parlour
from parlour.learn import keeping
from parlour.learn.hats import hats
from parlour.learn.training import train
held = hats(parlour.game("tictactoe"), seed=1)
train(held, 100, curve=False)
keeping.keep(held, "them")
print("kept", flush=True)
while True:
    train(held, 100, curve=False)
    keeping.keep(held, "them")
"""


def test_killing_it_while_it_trains_and_saves_leaves_whole_hats():
    games = []
    for attempt in range(12):
        process = subprocess.Popen([sys.executable, "-c", KEEPS], stdout=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == b"kept\n"
        time.sleep(0.02 + 0.013 * attempt)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        held = keeping.fetch("them")
        assert held.games % 100 == 0
        games.append(held.games)
    assert len(set(games)) > 1, "it was always killed at the same place"


def test_a_full_disk_leaves_the_old_hats(monkeypatch):
    held = some()
    keeping.keep(held, "them")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(BadFile, match="No space left"):
        keeping.keep(some(games=10), "them")
    monkeypatch.undo()
    assert keeping.fetch("them") == held
    assert [path.name for path in keeping.folder().iterdir()] == ["them.json"]
