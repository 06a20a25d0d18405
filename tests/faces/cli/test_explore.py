"""The explorer at the terminal: the values of a position, and where each typed line leads."""

from __future__ import annotations

import contextlib
import io

import pytest

from parlour.faces.cli import main
from parlour.faces.cli.explore import describe_trap
from parlour.lessons import Archive, Trap, build_archive
from parlour.store import Seat, Table, open_store
from tests.rules.test_formats import squares, wthor

PROMPT = "Move, or 'help': "


@pytest.fixture
def database(tmp_path):
    return f"sqlite:///{tmp_path}/house.sqlite"


@pytest.fixture
def explore(monkeypatch, capsys, database):
    """Type lines into `parlour explore`; what is printed before the first and after each."""

    def call(*arguments, typed=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        assert main(["explore", *arguments, "--database", database]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out.split(PROMPT)

    return call


def test_a_trap_is_described_by_the_value_it_gives_away():
    for kept, left, people, text in [
        ("win", "loss", (2, 3), "loses where another move wins: 2 of 3 people chose it."),
        ("win", "draw", (1, 1), "only draws where another move wins: 1 of 1 person chose it."),
        ("draw", "loss", (1, 9), "loses where another move holds the draw: 1 of 9 people chose it"),
    ]:
        trap = describe_trap(Trap("a1", *people, kept, left))
        assert trap.startswith("The trap here is a1, which ")
        assert text in trap


def test_moves_lead_on_and_back_and_a_wrong_line_nowhere(explore):
    """From 10 sticks the winning move is 1, which leaves 9; whoever takes the last one loses."""
    first, moved, refused, back, begins, twice, start, helped, after = explore(
        "sticks",
        "--sticks",
        "10",
        typed=("1", "17", "back", "BACK", "1", "start", "?", "quit"),
    )
    assert "Player 1 to move" in first
    assert "Player 2 to move" in moved
    assert "Player" not in refused
    assert "17" in refused
    assert board_of(back) == board_of(first) != board_of(moved)
    assert begins.splitlines()[1:] == ["This is where it begins."]
    assert board_of(twice) == board_of(moved)
    assert board_of(start) == board_of(first)
    assert "take the last move back" in helped
    assert after == "quit\n"


def board_of(text: str) -> list[str]:
    """What is shown of a position, without the line that was typed."""
    return text[text.index("Player") :].splitlines()


def test_the_values_and_the_trap_are_those_of_the_game(explore, database):
    """Somebody took 2 of 10 sticks, left 8, and lost: 1 leaves 9, with which the other loses."""
    with contextlib.closing(open_store(database)) as store:
        played = Table(
            id="played",
            game="sticks",
            options={"sticks": 10, "take": 3},
            seats=(Seat("person", "Ann", owner="browser:ann"), Seat("bot", bot="perfect")),
            moves=("2", "3", "1", "3", "1"),
            result=(-1, 1),
        )
        store.tables.add(played)
    [first, *_] = explore("sticks", "--sticks", "10", typed=("quit",))
    rows = {line.split()[0]: line for line in first.splitlines() if line.startswith("  ")}
    assert "▲ win" in rows["1"]
    assert "▼ loss" in rows["2"]
    assert "▼ loss" in rows["3"]
    trap = "The trap here is 2, which loses where another move wins: 1 of 1 person chose it."
    assert trap in first


def test_games_of_the_archive_are_listed_where_they_came(explore, tmp_path, monkeypatch):
    monkeypatch.setattr("parlour.faces.cli.explore.SECONDS", 0.01)  # for the values, not seen here
    source = tmp_path / "WTH_2001.wtb"
    source.write_bytes(wthor((squares("f5", "d6", "c3"), 40), (squares("f5", "f6", "e6"), 32)))
    assert Archive(build_archive([source], folder=tmp_path)).games == 2
    first, some, _, both, _, none, end = explore(
        *("othello", "--games", str(source)),
        typed=("games", "f5", "games", "f4", "games"),
    )
    assert "2 games of the archive came here." in first
    listed = ["  WTH_2001.wtb  draw        f5f6e6", "  WTH_2001.wtb  black +16   f5d6c3"]
    assert some.splitlines()[1:] == both.splitlines()[1:] == listed
    assert none.splitlines()[1:] == ["No game of the archive came here."]
    assert end == "\n\n"
