"""The Game of Sticks as a conversation: the assignment's transcripts, its hats, and any answer."""

import contextlib
import io
import re
import sys
from pathlib import Path
from unittest import mock

import pytest

from parlour.core.record import load
from parlour.faces.cli import main
from parlour.faces.terminal.sticks import SticksConversation
from parlour.learn import storage
from parlour.rules.sticks import Sticks
from tests.terminal import open_terminal

__all__ = ["open_terminal"]
ROOT = Path(__file__).parent.parent.parent.parent
HATS = "parlour.faces.terminal.sticks.hats"
HEAP = "How many sticks are there on the table initially (10-100)? "
TAKE = "How many sticks do you take (1-3)? "
AGAIN = "Play again (y/n)? "
TRAINING = "Training AI, please wait..."
MANY = 500_000_000  # games, some minutes of training


class Draws:
    """A source of chance that draws the balls of these numbers; what the hats held is kept."""

    def __init__(self, *numbers):
        self.numbers = list(numbers)
        self.held = []

    def choices(self, population, weights):
        self.held.append(list(weights))
        return [population[self.numbers.pop(0) - 1]]


class Lines(io.StringIO):
    """Typed lines, and how they end: by Ctrl-D, or by an error such as Ctrl-C."""

    def __init__(self, typed, error=None):
        super().__init__("".join(f"{line}\n" for line in typed))
        self.error = error

    def readline(self, *size):
        line = super().readline(*size)
        if not line and self.error is not None:
            raise self.error
        return line


def talk(typed, draws=(), error=None, **options):
    """The screen of a conversation, the hats it was held with, and the draws."""
    import parlour.learn.hat_set as real

    made = []

    def make_hats(*arguments, **how):
        made.append(real.hats(*arguments, **how))
        return made[-1]

    source = Draws(*draws) if draws else None
    screen = io.StringIO()
    with (
        mock.patch("sys.stdin", Lines(typed, error)),
        mock.patch(HATS, make_hats),
        contextlib.redirect_stdout(screen),
    ):
        assert SticksConversation(**options).hold(source) == 0
    return screen.getvalue(), made[0] if made else None, source


def contents(hats):
    """The balls in each hat of the computer, by the number of sticks: `{4: [1, 2, 3, 3], …}`"""
    return {
        state[2]: [n for n, balls in enumerate(hats.contents(0, box), 1) for _ in range(balls)]
        for box, state in enumerate(hats.boxes.states)
    }


FRESH = {number: [1, 2, 3] for number in range(1, 11)}


# The transcripts


def transcript(name):
    """A screen, the lines typed at its prompts, and the balls drawn."""
    text = (ROOT / "tests" / "transcripts" / f"sticks_{name}.txt").read_text(encoding="utf-8")
    return text, re.findall(r"\)\? (.+)", text), [int(n) for n in re.findall(r"selects (.)", text)]


@pytest.mark.parametrize(
    ("name", "stage"), [("friends", 1), ("computer", 2), ("trained", 3)], ids=str
)
def test_the_transcripts_of_the_assignment_are_replayed_to_the_character(name, stage):
    text, typed, draws = transcript(name)
    screen, _, source = talk(typed, draws, stage=stage, games=100)
    assert screen == text
    assert source is None or source.numbers == []


def test_the_transcript_with_mistakes_is_replayed_up_to_its_dots_and_from_them():
    text, typed, _ = transcript("friends_mistakes")
    before, after = text.split("...\n")
    screen, _, _ = talk(typed[:-1], stage=1)
    assert screen.startswith(before)
    rest = screen.removeprefix(before)
    assert rest == f"\nThere are 41 sticks on the board.\nPlayer 2: {TAKE}\n\nGoodbye.\n"
    elided = ["3"] * 10 + ["2"] * 5  # 40 sticks, and it is the first player's turn again
    screen, _, _ = talk([*typed[:-1], *elided, typed[-1]], stage=1)
    assert screen.startswith(before)
    assert screen.endswith(after)


def test_the_command_shows_the_transcript_too(monkeypatch, capsys):
    text, typed, _ = transcript("friends")
    lines = "\r\n".join(typed) + "\r\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert main(["sticks", "--stage", "1"]) == 0
    assert capsys.readouterr() == (text, "")


def test_the_trained_computer_is_offered_unless_another_stage_is_asked_for():
    assert "\nWhich option do you take (1-3)? " in talk(["10"])[0]
    assert "\n Play against the trained computer (3)\n" in talk(["10"])[0]
    assert "trained" not in talk(["10"], stage=2)[0]
    assert "Options" not in talk(["10"], stage=1)[0]


# The hats


def test_the_worked_example_of_hats_4_and_7():
    typed = ["10", "2", "3", "1", "1"]
    screen, hats, source = talk(typed, [2, 3], stage=2)
    assert screen.endswith(f"You lose.\n{AGAIN}\n\nGoodbye.\n")
    assert source.held == [[1, 1, 1], [1, 1, 1]]
    assert contents(hats) == FRESH | {4: [1, 2, 3, 3], 7: [1, 2, 2, 3]}


BESIDE = """\
hat     | 1     | 2     | 3     | 4     | 5     | 6     | 7     | 8     | 9     | 10
------- | ----- | ----- | ----- | ----- | ----- | ----- | ----- | ----- | ----- | -----
content | 1,2,3 | 1,2,3 | 1,2,3 | 1,2   | 1,2,3 | 1,2,3 | 1,3   | 1,2,3 | 1,2,3 | 1,2,3
beside  |       |       |       | 3     |       |       | 2     |       |       |
"""
PUT_BACK = """\
hat     | 1     | 2     | 3     | 4       | 5     | 6     | 7       | 8     | 9     | 10
------- | ----- | ----- | ----- | ------- | ----- | ----- | ------- | ----- | ----- | -----
content | 1,2,3 | 1,2,3 | 1,2,3 | 1,2,3,3 | 1,2,3 | 1,2,3 | 1,2,2,3 | 1,2,3 | 1,2,3 | 1,2,3
"""


def narrow(table):
    """A table without the spaces that line its columns up."""
    return re.sub(" +(?=\\|)|-{2,}", "-", table)


def test_the_hats_can_be_looked_at_during_a_game_and_after_it(monkeypatch):
    """These are the tables of the assignment's example."""
    monkeypatch.setenv("COLUMNS", "120")
    screen, _, _ = talk(["10", "2", "3", "1", "HATS", "1", "hats", "n"], [2, 3], stage=2)
    assert f"{TAKE}HATS\n{narrow(BESIDE)}Player 1: " in narrow(screen)
    assert f"{AGAIN}hats\n{narrow(PUT_BACK)}{AGAIN}n\n" in narrow(screen)


def test_hats_are_kept_by_a_name_and_used_again():
    game = ["3", "1", "1"]
    screen, _, _ = talk(["10", "2", *game, "keep class", "y", *game, "n"], [2, 3] * 2, stage=2)
    assert "The hats are kept as class: parlour hats class\n" in screen
    assert storage.load_hats("class").games == 2
    talk(["10", "2", *game, "n"], [2, 3], kept="class")
    again = storage.load_hats("class", Sticks(10))
    assert contents(again) == FRESH | {4: [1, 2, 3, 3, 3, 3], 7: [1, 2, 2, 2, 2, 3]}


def test_hats_kept_under_a_name_do_not_replace_others_and_trained_ones_serve_too(capsys):
    assert main(["train", "sticks", "--sticks", "10", "--games", "50", "--name", "class"]) == 0
    before = storage.load_hats("class")
    screen, _, _ = talk(["10", "2", "keep class", "keep my hats", "keep no/name", "keep"])
    assert screen.count("kept as class-2: ") == 2
    assert "'my hats' cannot name hats" in screen
    assert "'no/name' cannot name hats" in screen
    assert storage.load_hats("class").balls == before.balls
    talk(["10", "2", "3", "3", "n"], [2, 2], kept="class")
    assert storage.load_hats("class").games == 51


def test_kept_hats_for_another_number_of_sticks_are_refused_with_the_reason(capsys):
    talk(["10", "2", "keep class"])
    screen, _, _ = talk(["20", "10"], kept="class")
    assert "The hats named class cannot be used: " in screen
    assert screen.count(HEAP) == 2
    assert main(["train", "tictactoe", "--games", "0"]) == 0
    assert main(["sticks", "--kept", "tictactoe"]) == 2
    assert "tictactoe cannot be used: " in capsys.readouterr().err


def test_two_friends_have_no_hats_to_look_at():
    screen, _, _ = talk(["10", "hats", "keep class"], stage=1)
    assert screen.count("Please enter a number between 1 and 3\n") == 2


def test_a_lost_game_throws_away_a_ball_that_is_not_the_last_of_its_number():
    won, lost = ["3", "1", "1"], ["3", "3"]
    screen, hats, _ = talk(["10", "2", *lost], [2, 2], stage=2)
    assert "\nAI loses.\n" in screen
    assert contents(hats) == FRESH
    _, hats, _ = talk(["10", "2", *won, "y", *lost], [2, 3, 2, 2], stage=2)
    assert contents(hats) == FRESH | {4: [1, 2, 3, 3]}


def test_nothing_is_learned_from_a_game_that_was_not_finished():
    _, hats, source = talk(["10", "2", "3"], [2], stage=2)
    assert source.held == [[1, 1, 1]]
    assert contents(hats) == FRESH
    assert hats.games == 0


def test_training_is_announced_once_and_learning_goes_on_after_it():
    """What was drawn in three games moves by one ball each, and by nothing else."""
    before = contents(talk(["10", "3"], games=1000, seed=5)[1])
    game = ["3", "1", "1"]
    typed = ["10", "3", *game, "y", *game, "y", *game, "n"]
    screen, hats, source = talk(typed, [2, 3] * 3, games=1000, seed=5)
    assert screen.count(TRAINING) == 1
    assert screen.count("\nYou lose.\n") == 3
    assert hats.games == 1003
    four, seven = (sorted(before[hat] + [ball] * 3) for hat, ball in ((4, 3), (7, 2)))
    assert contents(hats) == before | {4: four, 7: seven}
    assert [held[2] for held in source.held[1::2]] == [
        before[4].count(3) + more for more in range(3)
    ]


def test_the_trained_computer_knows_the_game():
    """After the usual training the likeliest ball is right in 14 or 15 of the 15 winnable hats."""
    _, hats, _ = talk(["20", "3"], seed=0)
    assert hats.games == 100_000
    right = 0
    for box, (_, _, left) in enumerate(hats.boxes.states):
        if left % 4 != 1:
            right += hats.likeliest(0, box) == [(left - 1) % 4 - 1]
    assert right >= 14


def test_a_seed_draws_the_same_balls_again():
    typed = ["30", "2", *["1"] * 40]
    first, other = (talk(typed, seed=seed)[0] for seed in (7, 8))
    assert talk(typed, seed=7)[0] == first != other


# More sticks than there are


def test_a_person_who_asks_for_too_many_takes_all_and_loses():
    screen, _, _ = talk(["10", "3", "3", "2", "3"], stage=1)
    assert screen.endswith(
        f"\nThere are 2 sticks on the board.\nPlayer 2: {TAKE}3\nPlayer 2, you lose.\n"
    )
    screen, _, _ = talk(["10", "3", "3", "3", "2"], stage=1)
    assert screen.endswith(
        f"\nThere is 1 stick on the board.\nPlayer 2: {TAKE}2\nPlayer 2, you lose.\n"
    )
    screen, _, _ = talk(["10", "2", "3", "3", "n"], [2, 3], stage=2)
    assert screen.endswith(
        f"\nThere are 2 sticks on the board.\nAI selects 3.\nAI loses.\n{AGAIN}n\n"
    )


def test_a_ball_for_the_last_stick_says_its_own_number_and_loses():
    for ball in (1, 2, 3):
        screen, hats, _ = talk(["10", "2", "3", "3", "n"], [3, ball], stage=2)
        assert screen.endswith(
            f"\nThere is 1 stick on the board.\nAI selects {ball}.\nAI loses.\n{AGAIN}n\n"
        )
        assert contents(hats) == FRESH


# Answers of every kind

STRANGE = ["", "three", "3.0", "+3", "-3", "٣", "３", "²", "0", "9" * 5000, "2 2", "\x00", "\x1b[A"]
STRANGE += ["\x0c3", "1e1", "0x2", "ten", "\ufeff3", "\ud800", "3" * 100_000]


def test_an_answer_that_is_no_number_gets_the_error_line_and_the_question_again():
    for strange in STRANGE:
        typed = [strange, "10", strange, "2", strange, "3", "3", strange, "n"]
        screen, _, _ = talk(typed, [2, 2])
        shown = screen.splitlines()
        name = ascii(strange[:9])
        assert shown.count("Please enter a number between 10 and 100.") == 1, name
        assert shown.count("Please enter a number between 1 and 3") == 2, name
        assert [screen.count(prompt) for prompt in (HEAP, "(1-3)? ", AGAIN)] == [2, 5, 2], name
        assert "Goodbye" not in screen, name
        assert "\x1b" not in screen, name


def test_a_wrong_choice_gets_the_range_of_the_menu():
    screen, _, _ = talk(["10", "3"], stage=2)
    assert "\nWhich option do you take (1-2)? 3\nPlease enter a number between 1 and 2\n" in screen
    screen, _, _ = talk(["10", "4"])
    assert "\nWhich option do you take (1-3)? 4\nPlease enter a number between 1 and 3\n" in screen


def test_yes_and_no_in_any_case():
    for word in ("y", "Y", "yes", "YES", " Yes ", "n", "N", "no", "NO", "No\t"):
        screen, _, _ = talk(["10", "2", "3", "3", "maybe", "yeſ", "", word], [2, 2])
        assert screen.count(AGAIN) == 4, word
        assert screen.endswith("Goodbye.\n") == ("y" in word.lower()), word


def test_bad_flags_are_refused_in_a_sentence(capsys):
    for arguments in ("--stage 4", "--games -1", "--seed x", f"--games {'9' * 30}", "x"):
        assert main(["sticks", *arguments.split()]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert re.fullmatch(r"parlour: .*\n", err)


# Leaving

PLACES = {
    "at the heap": ([], HEAP),
    "at the menu": (["10"], "take (1-3)? "),
    "at a take": (["10", "1"], f"Player 1: {TAKE}"),
    "after mistakes": (["x", "10", "9", "1", "3", "0"], f"Player 2: {TAKE}"),
    "against the computer": (["10", "2"], f"Player 1: {TAKE}"),
    "at the end": (["10", "2", *"333", "3"], AGAIN),
}


def test_the_end_of_the_input_and_ctrl_c_are_goodbyes_everywhere():
    for place, (typed, last) in PLACES.items():
        assert talk(typed, seed=1)[0].endswith(f"{last}\n\nGoodbye.\n"), place
        screen, _, _ = talk(typed, error=KeyboardInterrupt, seed=1)
        assert screen.endswith(f"{last}\nGoodbye.\n"), place


@pytest.mark.slow
def test_a_person_may_leave_during_the_training(open_terminal):
    terminal = open_terminal("sticks", "--games", str(MANY), "--seed", "1")
    terminal.expect("initially (10-100)? ")
    terminal.expect("take (1-3)? ", "10\n")
    terminal.expect(TRAINING, "3\n")
    terminal.expect("Ctrl-C stops")
    terminal.expect("\nGoodbye.", again="\x03")
    assert terminal.exit_code() == 0


# Marvin and Hal


def test_marvin_and_hal_play_as_in_the_assignment(monkeypatch, capsys):
    path = ROOT / "examples" / "marvin_and_hal.jsonl"
    (record,) = load(path)
    assert record.players == ("human Marvin", "human Hal")
    game = Sticks(**record.options)
    left = [state[2] for state, _ in record.replay(game)]
    assert left == [20, 17, 15, 14, 11, 9, 7, 4, 3, 1, 0]
    assert record.result == (1, -1)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["replay", str(path)]) == 0
    out = capsys.readouterr().out
    assert [int(n) for n in re.findall(r"^(\d+) sticks?\b", out, re.MULTILINE)] == left
    assert out.endswith("\nMarvin wins.\n")
