"""The first start on a computer: nothing is compiled yet, and a person sits at a terminal."""

import pytest

from tests.terminal import open_terminal

__all__ = ["open_terminal"]


@pytest.mark.slow
def test_bots_play_a_game_to_its_end(open_terminal, tmp_path):
    seats = ("--seat", "benedict", "--seat", "random")
    terminal = open_terminal("play", "othello", *seats, PARLOUR_CACHE=str(tmp_path))
    assert terminal.exit_code() == 0
    assert "[K" not in terminal.screen
    assert "Getting" not in terminal.screen


@pytest.mark.long
def test_a_first_game_of_othello_against_benedict(open_terminal, tmp_path):
    terminal = open_terminal(PARLOUR_CACHE=str(tmp_path))
    terminal.expect("> ")
    terminal.expect("Your move", "othello, I begin\r")
    terminal.expect("Your move", "f5\r")
    assert "ready for this computer" in terminal.shown
    assert "[K" not in terminal.screen
    assert "Getting" not in terminal.screen
    terminal.expect("Goodbye", again="\x04")
    assert terminal.exit_code() == 0


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_the_compiler(open_terminal, tmp_path):
    terminal = open_terminal(
        *("solve", "othello", "--columns", "4", "--rows", "4"), PARLOUR_CACHE=str(tmp_path)
    )
    terminal.expect("Getting")
    terminal.type("\x03")
    assert terminal.exit_code() == 130
    assert "Getting" not in terminal.screen
    assert not list(tmp_path.rglob("search*.kernel"))
