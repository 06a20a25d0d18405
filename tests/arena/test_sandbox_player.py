"""The bot `sandbox`: a file is as isolated at one's own table as in a tournament."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import parlour
from parlour import arena
from parlour.arena import sandbox
from parlour.arena.results import Fault
from parlour.arena.sandbox_player import SandboxPlayer
from parlour.core import BadFile, ParlourError, referee, registry

NIM = parlour.game("nim", piles=(1, 2))
SPY = """
from pathlib import Path

def choose(game, state):
    found = sorted(each.name for each in Path(__file__).parent.iterdir())
    assert found == ["spy.npz", "spy.py"], found
    try:
        (Path(__file__).parent / "mark").touch()
    except OSError:
        return game.moves(state)[0]
"""


def write(folder: Path, text: str, name: str = "spy.py") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.sandbox
@pytest.mark.long
def test_a_stranger_at_the_table_sees_its_own_file_and_its_weights(tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    path = write(folder, SPY)
    for name in ("spy.npz", "other.npz", "other.py", "spy.txt", "spy.more.npz"):
        write(folder, "secret", name)
    (folder / "spy.pt").symlink_to(tmp_path / "bots" / "other.npz")  # a link leads elsewhere
    player = SandboxPlayer(str(path))
    assert player.choose(NIM, NIM.start()) == (0, 1)
    assert parlour.match(NIM, [f"sandbox bot={path}", player]).result is not None
    assert parlour.tournament(NIM, [str(path), "random"], games=2).to_dict()["errors"] == 0
    player.close()
    assert not (folder / "mark").exists()


@pytest.mark.usefixtures("unconfined")
def test_it_remembers_between_two_moves_and_begins_anew_in_another_game(tmp_path: Path) -> None:
    text = "class Counter:\n name, count = 'counter', -1\n def choose(self, game, state):\n"
    path = write(tmp_path, f"{text}  self.count += 1\n  return game.moves(state)[self.count]\n")
    player = SandboxPlayer(str(path))
    assert [player.choose(NIM, NIM.start()) for _ in range(2)] == [(0, 1), (1, 1)]
    other = parlour.game("nim", piles=(2,))
    assert player.choose(other, other.start()) == (0, 1)
    player.close()
    assert player.choose(NIM, NIM.start()) == (0, 1)
    assert pickle.loads(pickle.dumps(player)) == player  # noqa: S301 - our own


@pytest.mark.usefixtures("unconfined")
def test_its_faults_are_errors_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for body, fault in (
        ("return 'x'", "not a legal move"),
        ("raise RuntimeError('no')", "crashed: RuntimeError: no"),
    ):
        path = write(tmp_path, f"def choose(game, state):\n {body}\n")
        with pytest.raises(ParlourError, match=fault):
            SandboxPlayer(str(path)).choose(NIM, NIM.start())

    def be_late(*_: object, **__: object) -> None:
        raise Fault("time", "took longer than 0.2 s for a move")

    monkeypatch.setattr(sandbox, "start_bot", be_late)
    with pytest.raises(referee.OutOfTime, match=r"longer than 0\.2 s"):
        SandboxPlayer(str(path), seconds=0.2).choose(NIM, NIM.start())


def test_weights_that_change_make_another_player(tmp_path: Path) -> None:
    path = write(tmp_path, "def choose(game, state): return game.moves(state)[0]\n", "a.py")
    plain = arena.read_entry(str(path), NIM)
    write(tmp_path, "1", "a.pt")
    with_weights = arena.read_entry(str(path), NIM)
    write(tmp_path, "2", "a.pt")
    assert len({plain.digest, with_weights.digest, arena.read_entry(str(path), NIM).digest}) == 3


def test_other_things_than_files_of_bots_are_refused() -> None:
    with pytest.raises(ParlourError, match="takes the file of a bot"):
        SandboxPlayer("random")
    with pytest.raises(ParlourError, match="takes the file of a bot"):
        SandboxPlayer("http://a.b/c.zip")
    with pytest.raises(BadFile, match="No such file"):
        SandboxPlayer("none.py")
    with pytest.raises(ParlourError, match="opens a file; name it at the command line"):
        registry.build("bots", "sandbox bot=x.py")
    assert "sandbox" not in registry.bots(NIM)
