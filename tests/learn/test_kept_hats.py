"""Hats kept by name: whole or not at all, and no game is lost when two learn at once."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

import parlour
from parlour.core.errors import BadFile, BadText, NameTaken, UnknownName
from parlour.learn import storage
from parlour.learn.hat_set import hats
from parlour.learn.training import train


def some(game="sticks", games=300, **how):
    held = hats(parlour.game(game), seed=4, **how)
    train(held, games)
    return held


@pytest.mark.parametrize("game", ["sticks", "nim", "chopsticks"])
@pytest.mark.parametrize(
    "how",
    [{}, {"against": "itself"}, {"rule": "menace", "against": "random", "starts": "first"}],
    ids=str,
)
def test_kept_hats_come_back_and_go_on_as_they_would_have(game, how):
    held = some(game, **how)
    storage.save_hats(held, "them")
    again = storage.load_hats("them")
    assert again == held
    train(again, 200)
    train(held, 200)
    assert again == held


def test_kept_hats_are_listed_and_thrown_away():
    assert storage.list_names() == []
    storage.save_hats(some(), "one")
    storage.save_hats(some(games=0), "another-1")
    assert storage.list_names() == ["another-1", "one"]
    assert storage.find_label("one").games == 300
    storage.delete_hats("one")
    assert storage.list_names() == ["another-1"]
    with pytest.raises(UnknownName, match=r"'one'.*another-1"):
        storage.load_hats("one")


def test_names_that_could_lead_elsewhere_are_refused():
    for name in ("", "../x", "a b", "Å", "x" * 41, "-x", ".hidden", "a/b", "A"):
        with pytest.raises(BadText, match="cannot name hats"):
            storage.save_hats(some(games=0), name)


def test_hats_for_another_variant_are_refused_by_name():
    storage.save_hats(some(), "them")
    with pytest.raises(BadFile, match=r"for sticks with sticks=20, not with sticks=12"):
        storage.load_hats("them", parlour.game("sticks", sticks=12))


KEEPS = """
import parlour
from parlour.learn import storage
from parlour.learn.hat_set import hats
from parlour.learn.training import train
held = hats(parlour.game("tictactoe"), seed=1)
while True:
    train(held, 100, curve=False)
    storage.save_hats(held, "them")
    print(held.games, flush=True)
"""


@pytest.mark.long
def test_killing_it_while_it_trains_and_saves_leaves_whole_hats():
    chance = random.Random(1)
    for attempt in range(8):
        process = subprocess.Popen([sys.executable, "-c", KEEPS], stdout=subprocess.PIPE)
        assert process.stdout is not None
        printed = [int(process.stdout.readline()) for _ in range(1 + attempt)][-1]
        time.sleep(chance.random() / 50)
        os.kill(process.pid, signal.SIGKILL)
        rest = process.stdout.read().split()
        process.wait()
        process.stdout.close()
        printed = int(rest[-1]) if rest else printed
        held = storage.load_hats("them")
        assert held.games in (printed, printed + 100)  # the last may be kept and not printed


def test_a_full_disk_leaves_the_old_hats(monkeypatch):
    held = some()
    storage.save_hats(held, "them")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(BadFile, match="No space left"):
        storage.save_hats(some(games=10), "them")
    monkeypatch.undo()
    assert storage.load_hats("them") == held
    assert {path.name for path in storage.folder().iterdir()} == {".lock", "them.json"}


def test_other_files_in_the_folder_are_no_hats():
    storage.save_hats(some(games=0), "them")
    (storage.folder() / "dir.json").mkdir()
    (storage.folder() / "a b.json").write_text("{}")
    assert storage.list_names() == ["them"]


def test_hats_that_cannot_be_deleted_have_the_reason(monkeypatch):
    storage.save_hats(some(games=0), "them")

    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.unlink", refused)
    with pytest.raises(BadFile, match="Permission denied"):
        storage.delete_hats("them")


def test_new_names_are_created_once():
    storage.save_hats(some(games=0), "them", new=True)
    with pytest.raises(NameTaken, match="already"):
        storage.save_hats(some(games=0), "them", new=True)


def test_hats_that_changed_meanwhile_are_not_replaced():
    assert storage.fingerprint("them") == ""
    assert storage.save_if_unchanged(some(games=1), "them", "") == "them"
    before = storage.fingerprint("them")
    assert storage.save_if_unchanged(some(games=2), "them", before) == "them"
    assert storage.save_if_unchanged(some(games=3), "them", before) == "them-2"
    assert storage.save_if_unchanged(some(games=4), "them", "") == "them-3"
    assert [storage.load_hats(n).games for n in ("them", "them-2", "them-3")] == [2, 3, 4]
    long = "x" * 40
    storage.save_hats(some(games=0), long)
    assert storage.save_if_unchanged(some(games=5), long, "") == "x" * 38 + "-2"


LEARNS = """
import sys
import parlour
from parlour.learn.player import HatsPlayer
game = parlour.game("sticks", sticks=10)
bot = HatsPlayer(kept="share", learning=True, seed=int(sys.argv[1]))
other = parlour.bot("random", seed=1)
for _ in range(40):
    parlour.match(game, [bot, other])
"""


@pytest.mark.long
def test_of_two_who_learn_at_once_none_loses_a_game():
    storage.save_hats(hats(parlour.game("sticks", sticks=10)), "share")
    both = [subprocess.Popen([sys.executable, "-c", LEARNS, seed]) for seed in "12"]
    assert [process.wait() for process in both] == [0, 0]
    held = storage.load_hats("share")
    assert held.games == sum(held.tally.wins) == 80
