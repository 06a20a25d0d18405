"""A solution in the user's folder is what the lab, the judge, hats and Benedict go by.

The folder of Othello on 4x4 holds the values of misère Othello, which are others: the second player
wins the usual game, and the first wins misère in 14 plies. An answer with the latter was read there
and not worked out.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from pathlib import Path

import pytest

import parlour
from parlour.arena.judging import situations
from parlour.core import Solution, Work, values
from parlour.faces.web.lab import tasks as lab
from parlour.host.table import say_who_wins
from parlour.learn import hat_set, hats
from parlour.learn.training import find_truths
from parlour.truth import default_folder, solver

GAME = parlour.game("othello", columns=4, rows=4)
MISERE = parlour.game("othello", columns=4, rows=4, misere=True)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder that holds the values of misère as those of the usual game."""
    made = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(made))
        place = default_folder(GAME)
    parlour.solve(MISERE, disk=place)
    manifest = json.loads((place / "manifest.json").read_bytes())
    assert manifest["options"] == values(MISERE)
    manifest["options"] = values(GAME)
    (place / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return made


@pytest.fixture
def folder(data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, as the folder of this user, who has solved nothing yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.setattr(solver, "_remembered", OrderedDict[parlour.Game, Solution]())
    return data


@pytest.fixture(scope="module")
def known() -> Solution:
    return parlour.solve(MISERE)


def test_without_a_folder_the_values_are_those_of_the_usual_game() -> None:
    assert parlour.solve(GAME).value(GAME.start()) == parlour.Value("loss", 12)
    assert "second player wins" in " ".join(say_who_wins(GAME))


def test_benedict_says_who_wins_by_it(folder: Path) -> None:
    answer = " ".join(say_who_wins(GAME))
    assert "first player wins" in answer
    assert "14 plies" in answer


def test_an_agent_is_judged_by_it(
    folder: Path, known: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(situations, "MAX_ALL", 100)  # it takes seconds to list all
    found, _ = situations.find_situations(GAME, sample=50, work=Work())
    assert len(found) == 50
    assert all(each.plies == known.value(each.state).plies for each in found)
    assert parlour.judge(GAME, "perfect", sample=50).right == 1  # who goes by it too


@pytest.mark.slow
def test_the_curves_of_hats_are_measured_by_it(
    folder: Path, known: Solution, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hat_set, "_listed", OrderedDict[parlour.Game, hat_set.Boxes]())
    listed = hats(GAME).boxes
    for state, truth in zip(listed.states, find_truths(listed), strict=True):
        assert truth.outcome == known.value(state).outcome


def test_the_lab_shows_it(folder: Path) -> None:
    payload = {"game": GAME.name, "options": values(GAME), "position": GAME.write(GAME.start())}
    page = lab.study(payload, Work())
    assert page["method"] == "tiers on disk"
    assert page["value"]["plies"] == 14
