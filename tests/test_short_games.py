"""Four games of under 25 lines get every face: five verbs are enough, and the rest is derived."""

from __future__ import annotations

import io
import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.core.protocol import title
from parlour.faces.cli import main
from parlour.host import Reply, Session, reply
from parlour.truth.proofs import check
from tests.faces.web.house import OpenHouse, opened_in, wait_until

SHORT = Path(__file__).parent.parent / "examples" / "short"
NAMES = ("wythoff", "connect_three", "three_mens_morris", "hexapawn")
LARGE = [pytest.param(name, marks=pytest.mark.long) for name in NAMES[1:3]]
BEST = {  # a best first move
    "wythoff": "0-5",
    "connect_three": "b",
    "three_mens_morris": "b2",
    "hexapawn": "b3-b2",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's data folder with the four files in it."""
    found = tmp_path_factory.mktemp("short")
    shutil.copytree(SHORT, found / "parlour" / "bots")
    return found


@pytest.fixture(autouse=True)
def _games_in_folder(_own_folder: None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[OpenHouse]:
    with opened_in(folder) as found:
        yield found


def test_each_file_has_fewer_than_25_lines() -> None:
    for name in NAMES:
        assert len((SHORT / f"{name}.py").read_text().splitlines()) < 25, name


def test_wythoffs_lost_positions_are_those_of_the_golden_ratio() -> None:
    game: Any = parlour.game("wythoff", first=30, second=50)
    solution = parlour.solve(game)
    golden = (1 + math.sqrt(5)) / 2
    cold = {(math.floor(k * golden), math.floor(k * golden) + k) for k in range(31)}
    for first in range(31):
        for second in range(first, 51):
            lost = solution.value((1, first, second)).outcome == "loss"
            assert lost == ((first, second) in cold)


def test_the_winners_of_the_others_are_known() -> None:
    """Gardner's hexapawn is lost, and the centre wins Three Men's Morris and Connect Three."""
    outcomes = {}
    for name in NAMES[1:]:
        game = parlour.game(name)
        outcomes[name] = parlour.solve(game).value(game.start()).outcome
    assert outcomes == {"connect_three": "win", "three_mens_morris": "win", "hexapawn": "loss"}
    morris = parlour.game("three_mens_morris")
    assert tuple(parlour.solve(morris).best(morris.start())) == ((4,),)


@pytest.mark.parametrize("name", ["wythoff", "hexapawn", *LARGE])
def test_python_takes_it(name: str) -> None:
    game = parlour.game(name)
    assert parlour.laws.check(game) == []
    solution = parlour.solve(game)
    best = solution.best(game.start())[0]
    assert BEST[name] in map(game.write_move, solution.best(game.start()))
    assert game.write_move(best) in " ".join(parlour.explain(game, game.start()).sentences)
    record = parlour.match(game, [parlour.bot("perfect"), parlour.bot("random", seed=1)])
    assert list(record.replay(game))[-1][1] is None
    proof = parlour.certificate(solution, record_middle(game, record))
    assert check(json.loads(json.dumps(proof)))
    hats = parlour.hats(game, seed=1)
    parlour.train(hats, 20)
    assert hats.games == 20
    table = parlour.tournament(game, ["perfect", "random seed=1"], games=2, seed=1)
    assert "perfect" in str(table)


def record_middle(game: Any, record: Any) -> Any:
    """A position in the middle of a game, whose certificate is short."""
    states = [state for state, _ in record.replay(game)]
    return states[len(states) // 2]


@pytest.mark.parametrize("name", ["wythoff", "hexapawn", *LARGE])
def test_the_terminal_plays_it(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"nonsense\n{BEST[name]}\n"))
    assert main(["play", str(SHORT / f"{name}.py"), "--seat", "human", "--seat", "perfect"]) == 0
    said = capsys.readouterr().out
    assert "you may play" in said
    assert "plays" in said


@pytest.mark.parametrize("name", ["wythoff", "hexapawn", *LARGE])
def test_benedict_plays_it(name: str) -> None:
    game = parlour.game(name)
    begun = reply(Session(seed=1), f"play {title(game)} against perfect, I start")
    assert begun.board == game.draw(game.start())
    moved: Reply = reply(begun.session, BEST[name])
    assert moved.session.table is not None
    assert moved.session.table.moves[0] == BEST[name]
    assert len(moved.session.table.moves) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["hexapawn", pytest.param("wythoff", marks=pytest.mark.long), *LARGE]
)
def test_the_web_plays_it(house: OpenHouse, name: str) -> None:
    table = house.table(name, [{"kind": "open"}, {"kind": "bot", "bot": "perfect"}])
    guest = house.sitting(table, 0)
    assert f'value="{BEST[name]}"' in guest.get(f"/tables/{table}").text
    assert guest.post(f"/tables/{table}/move", {"move": BEST[name], "at": 0}).status == 303
    wait_until(lambda: len(house.read(table).moves) == 2, 60)
    assert house.browser().get(f"/lab/{name}").status == 200
