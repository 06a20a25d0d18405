"""A game with `parlour.Game` as its base gets names, a notation, checks and a drawing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.core import notation, protocol, registry


class TakeAway(parlour.Game):
    """Take one or two from 5 counters; who takes the last wins."""

    def start(self) -> Any:
        return (0, 5)

    def turn(self, state: Any) -> int:
        return int(state[0])

    def moves(self, state: Any) -> Any:
        return [number for number in (1, 2) if number <= state[1]]

    def play(self, state: Any, move: Any) -> Any:
        return (1 - state[0], state[1] - move)

    def result(self, state: Any) -> Any:
        return None if state[1] else ((-1, 1), (1, -1))[state[0]]


@dataclass(frozen=True)
class Longer(TakeAway):
    counters: int = parlour.option(9, "how many there are", low=1, high=20)

    def start(self) -> Any:
        return (0, self.counters)


class Pawns(TakeAway):
    """Moves named by squares, some of which look alike."""

    def grid(self, state: Any) -> Any:
        return ["W-", "-B", ". "]

    def squares(self, move: Any) -> Any:
        return [(0, 0), (1, move)]


def test_five_verbs_make_a_game() -> None:
    game = TakeAway()
    assert (game.name, game.seats) == ("take_away", 2)
    assert parlour.laws.check(game) == []
    assert parlour.solve(game).best((0, 5)) == (2,)  # multiples of 3 are lost
    assert game == TakeAway()
    assert len({game, TakeAway()}) == 1
    assert repr(game) == "TakeAway()"
    record = parlour.match(game, [parlour.bot("perfect"), parlour.bot("random", seed=1)])
    assert record.result == (1, -1)


def test_options_are_checked_without_code_of_the_author() -> None:
    assert Longer(counters=12).start() == (0, 12)
    assert Longer() != Longer(counters=12)
    with pytest.raises(parlour.BadOption):
        Longer(counters=21)
    assert parlour.laws.check(Longer()) == []


def test_an_option_cannot_take_the_name_of_a_method() -> None:
    with pytest.raises(TypeError, match="cannot have an option called size"):

        class Board(TakeAway):
            size: int = parlour.option(3, "squares along each side")


def test_a_game_without_one_of_the_five_cannot_be_made() -> None:
    class Unfinished(parlour.Game):
        def start(self) -> Any:
            return (0,)

    with pytest.raises(TypeError, match="moves"):
        Unfinished()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("    def start(self): return 0\n", "lacks turn, play, result"),
        ("    n: int = parlour.option(3, 'size')\n", "write @dataclass(frozen=True) above"),
    ],
)
def test_a_file_with_half_a_game_is_refused_with_the_missing_part(
    tmp_path: Path, body: str, error: str
) -> None:
    verbs = "".join(
        f"    def {verb}(self, *_): return 0\n"
        for verb in ("start", "turn", "moves", "play", "result")
    )
    whole = "    moves = None\n" + body if "lacks" in error else body + verbs
    path = tmp_path / "half.py"
    path.write_text(f"import parlour\nclass Half(parlour.Game):\n{whole}")
    with pytest.raises(parlour.BadFile, match=error.replace("(", r"\(").replace(")", r"\)")):
        registry.find("games", path)


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ((0, 3, 5), "0,3,5"),
        ((1, "XO--X"), "1,XO--X"),
        ((0, (1, (2,), ()), None), "0,(1,(2,),()),None"),
        ((0, "12", "None", "two words", "it's"), "0,'12','None','two words',\"it's\""),
        ((-1,), "-1,"),
        (7, "7"),
        (frozenset({2, 1}), "{1,2}"),
    ],
)
def test_a_position_is_its_state_with_words_as_in_a_shell(state: Any, text: str) -> None:
    assert notation.write(state) == text

    class Still(TakeAway):
        def start(self) -> Any:
            return state

        def turn(self, state: Any) -> int:
            return 0

        def moves(self, state: Any) -> Any:
            return []

        def result(self, state: Any) -> Any:
            return (0, 0)

    assert Still().read(f" {text} ") == state


@pytest.mark.parametrize(
    "text",
    ["", "5", "0,5,1", "2,5", "0,-1", "0,five", "x,5", "0," + "9" * 13, "[0,5]", "0,5)", "\0"],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    """Too few or many parts, no seat's turn, numbers below any or far above all that come up."""
    with pytest.raises(parlour.BadText, match="write one like 0,5"):
        TakeAway().read(text)


def test_a_move_is_read_in_any_case_and_with_any_sign_between_its_parts() -> None:
    pawns = Pawns()
    assert pawns.write_move(1) == "a1-b2"
    for text in ("a1-b2", " A1-B2", "a1 b2", "a1 : b2", "A1B2"):
        assert pawns.read_move((0, 5), text) == 1
    with pytest.raises(parlour.IllegalMove, match="you may play a1-b2, a1-b3"):
        pawns.read_move((0, 5), "a1-c2")
    with pytest.raises(parlour.BadText, match="is not a move"):
        pawns.read_move((0, 5), "castle")
    with pytest.raises(parlour.IllegalMove, match="the game is over"):
        pawns.read_move((0, 0), "a1-b2")


def test_a_text_that_may_be_two_moves_is_refused() -> None:
    class Signed(TakeAway):
        def moves(self, state: Any) -> Any:
            return ["1+", "1-"] if state[1] else []

    assert Signed().read_move((0, 5), "1-") == "1-"
    with pytest.raises(parlour.BadText, match=r"may be 1\+ or 1-"):
        Signed().read_move((0, 5), "1")


def test_a_board_is_drawn_with_its_columns_and_rows_named() -> None:
    assert Pawns().draw((0, 5)) == "   a b\n1  W -\n2  - B\n3  - -"
    assert TakeAway().draw((1, 3)) == "1,3"
    assert notation.name_square((27, 9)) == "ab10"


@pytest.mark.parametrize("move", [3, 0, -1, None, "1", (1,), object(), [1, 2]])
def test_the_referee_refuses_moves_that_play_would_take(move: Any) -> None:
    match = parlour.Match(TakeAway(), ["one", "two"])
    with pytest.raises(parlour.IllegalMove, match="cannot be played here; you may play 1, 2"):
        match.play(move)
    assert match.state == (0, 5)


def test_a_value_equal_to_a_legal_move_is_that_move() -> None:
    assert type(protocol.check_move(TakeAway(), (0, 5), True)) is int
    with pytest.raises(parlour.IllegalMove, match="the game is over"):
        protocol.check_move(TakeAway(), (0, 0), 1)


def test_the_reason_of_the_game_is_better_than_the_referees() -> None:
    class Strict(TakeAway):
        def play(self, state: Any, move: Any) -> Any:
            if move not in (1, 2):
                raise parlour.IllegalMove("take one or two")
            return super().play(state, move)

    with pytest.raises(parlour.IllegalMove, match="take one or two"):
        protocol.check_move(Strict(), (0, 5), 3)
