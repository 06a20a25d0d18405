"""What is solved on disk is what is solved in memory, position by position."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.truth import disk
from parlour.truth.disk import numbering
from tests.truth.disk.toys import Morris, Pawns, Tracks

KNOWN = Path(__file__).parents[4] / "shared" / "data" / "mnk.csv"  # beside a checkout, or not

VARIANTS = {
    "misère": parlour.game("tictactoe", misere=True),
    "narrow": parlour.game("tictactoe", columns=2, rows=4, line=2, misere=True),
    "nim": parlour.game("nim", piles=(3, 4, 5), endings=((1, 2, 3), (2, 2, 2))),
    "cut off": parlour.game(
        "nim", piles=(5, 5, 5), misere=True, endings=((1, 1), (4, 5, 5), (3, 5, 5), (5, 5))
    ),
    "limited": parlour.game("nim", piles=(9, 5, 0, 30), take=4, endings=((2, 2),)),
    "othello": parlour.game("othello", columns=4, rows=4),
    "rules": Pawns(),
    "loops": Morris(),
    "ranking": Tracks(),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_every_position_has_the_value_it_has_in_memory(name: str, tmp_path: Path) -> None:
    game = VARIANTS[name]
    known = parlour.solve(game)
    found: Any = parlour.solve(game, disk=tmp_path)
    assert isinstance(found, disk.DiskSolution)
    assert all(found.value(state) == value for state, value in known)
    if name != "ranking":  # it also has positions that no game comes to
        assert found.counts() == known.counts()
        listed = dict(found)
        assert len(listed) == len(known)
        assert all(known.value(state) == value for state, value in listed.items())


def test_positions_are_numbered_without_gaps(tmp_path: Path) -> None:
    game = parlour.game("tictactoe", columns=4, rows=3)
    found: Any = parlour.solve(game, disk=tmp_path)
    ranks: dict[int, set[int]] = {}
    for state, _ in found:
        tier, number = found.rank(state)
        ranks.setdefault(tier, set()).add(number)
    assert sum(map(len, ranks.values())) == len(found)
    assert all(numbers == set(range(len(numbers))) for numbers in ranks.values())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"columns": 5, "rows": 2, "line": 5},
    ],
)
def test_positions_are_counted_before_they_are_solved(options: Any) -> None:
    game = parlour.game("tictactoe", **options)
    assert disk.estimate(game).positions == len(parlour.solve(game))


def test_the_next_size_is_refused_with_the_room_it_needs() -> None:
    """168,720,724 is the number of its positions that the run in docs/results.md found."""
    game = parlour.game("tictactoe", columns=5, rows=4, line=4)
    with pytest.raises(parlour.TooLarge, match=r"168,720,724 situations.*--disk FOLDER.* MB"):
        parlour.solve(game)


@pytest.mark.long
@pytest.mark.skipif(not KNOWN.exists(), reason="the table of known values is not beside this tree")
def test_known_games_have_their_known_values(tmp_path: Path) -> None:
    with KNOWN.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 30
    for number, row in enumerate(rows):
        size = {name: int(row[name]) for name in ("columns", "rows", "line")}
        game = parlour.game("tictactoe", **size, misere=row["misere"] == "yes")
        value = parlour.solve(game, disk=tmp_path / str(number)).value(game.start())
        plies = int(row["plies"]) if row["plies"] else None
        assert (value.outcome, value.plies) == (row["outcome"], plies), row


@pytest.mark.slow
def test_blocks_that_cannot_hold_a_tier_read_parts_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [
        parlour.game("tictactoe", columns=4, rows=4),
        parlour.game("nim", piles=(12,) * 5, endings=((1, 2, 3),)),
    ]
    for number, game in enumerate(games):
        parlour.solve(game, disk=tmp_path / f"whole{number}")
        monkeypatch.setattr("parlour.truth.disk.tasks.MAX_HELD", 50_000)
        parlour.solve(game, disk=tmp_path / f"parts{number}")
        monkeypatch.undo()
        assert read_all(tmp_path / f"whole{number}") == read_all(tmp_path / f"parts{number}")


def read_all(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_game_without_tiers_is_refused_with_the_missing_method(tmp_path: Path) -> None:
    with pytest.raises(parlour.Unsolved, match=r"tier\(state\)"):
        parlour.solve(parlour.game("chopsticks"), disk=tmp_path)


def test_a_tier_that_falls_is_refused(tmp_path: Path) -> None:
    class Falling(Pawns):
        def tier(self, state: Any) -> int:
            return -super().tier(state)

    with pytest.raises(parlour.Unsolved, match="never fall"):
        parlour.solve(Falling(), disk=tmp_path)


def test_another_game_keeps_its_folder(tmp_path: Path) -> None:
    parlour.solve(parlour.game("tictactoe"), disk=tmp_path)
    with pytest.raises(parlour.BadFile, match="another game"):
        parlour.solve(parlour.game("tictactoe", misere=True), disk=tmp_path)


def test_two_keys_of_one_number_are_never_confused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbering, "_hash_key", lambda key: hash(key) % 5)
    with pytest.raises(parlour.Unsolved, match="same number by chance"):
        parlour.solve(Pawns(), disk=tmp_path)


@pytest.mark.parametrize(
    ("game", "positions"),
    [
        (parlour.game("tictactoe"), 765),
        (parlour.game("nim", piles=(2, 2), endings=((1, 2),)), 5),  # 1,1 lies behind the ending
    ],
    ids=str,
)
def test_the_export_holds_every_position(tmp_path: Path, game: Any, positions: int) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    solution: Any = parlour.solve(game, disk=tmp_path / "solved")
    assert solution.to_parquet(tmp_path / "all.parquet") == positions
    table = parquet.read_table(tmp_path / "all.parquet").to_pylist()
    known = parlour.solve(game)
    assert len({row["position"] for row in table}) == positions
    for row in table:
        value = known.value(row["position"])
        assert (row["outcome"], row["plies"]) == (value.outcome, value.plies)
        assert solution.rank(game.read(row["position"])) == (row["tier"], row["number"])


def test_every_face_uses_a_solution_in_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from parlour.truth import default_folder, is_solved_soon, solve_at, solve_once

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    game = parlour.game("othello", columns=4, rows=4)
    assert not is_solved_soon(game)
    parlour.solve(game, disk=True)
    assert default_folder(game).is_dir()
    assert is_solved_soon(game)
    for solution in (solve_once(game), solve_at(game, game.start()), parlour.solve(game)):
        assert isinstance(solution, disk.DiskSolution)
    assert "perfectly" in parlour.bot("perfect").plays(game)
    move = parlour.bot("perfect").choose(game, game.start())
    assert move in game.moves(game.start())
    assert "12" in str(parlour.explain(game))
