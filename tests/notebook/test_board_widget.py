"""A board in a cell, as a browser deals with it: messages in, markup and words out."""

import asyncio
import json
import random
import sys
import threading
from pathlib import Path

import pytest

import parlour
from tests.boards.reading import parsed, sent


def receive(widget, content):
    """Let a widget have a message as Jupyter does."""
    widget._handle_custom_msg(content, [])


def send(widget, **content):
    """Send a message of the script."""
    receive(widget, content)


def presses(widget):
    """Everything that can be pressed on the board now."""
    root = parsed(widget.board)
    return [each for form in root.iter("form") for each in sent(form)]


def play_out(widget, seed=0, most=200):
    """Press at random until the game is over."""
    source = random.Random(seed)
    for _ in range(most):
        if widget.record.result is not None:
            return
        send(widget, press=source.choice(presses(widget)))
    raise AssertionError("it does not end")


GAMES = (
    *("nim", "sticks", "chopsticks", "tictactoe", "othello columns=4 rows=4", "nim seats=3"),
    Path("examples/hexapawn.py"),
)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end_by_pressing(name):
    for seat in (0, 1):
        widget = parlour.widget(name, "random seed=1", seat=seat)
        play_out(widget)
        record = widget.record
        match = parlour.Match.from_record(widget.game, record)
        assert match.result == record.result
        assert record.players[seat] == "human"
        assert record.players.count("human") == 1
        assert widget.moves == list(record.moves)
        assert not presses(widget)
        wins = record.result[seat] > 0
        assert ("You win" in widget.status) == (wins and sum(p > 0 for p in record.result) == 1)
        assert "turn" not in widget.status


def test_the_state_of_a_widget_is_plain_data_with_its_style():
    widget = parlour.widget("nim")
    state = {name: widget.get_state(name)[name] for name in ("title", "board", "status", "moves")}
    assert json.loads(json.dumps(state)) == state
    script = widget.get_state("_esm")["_esm"]
    assert "export default" in script
    assert ".board-nim" in script
    assert "http" not in script.replace("http://www.w3.org/2000/svg", "")


def test_people_share_a_board_where_no_bot_is_named():
    widget = parlour.widget("tictactoe", None)
    for move in ("a1", "b1", "a2", "b2", "a3"):
        assert ("X" in widget.status.split(". ")[-1]) == (len(widget.moves) % 2 == 0)
        send(widget, press={"move": move, "at": str(len(widget.moves))})
    assert widget.record.result == (1, -1)
    assert "(X) wins." in widget.status


def test_a_move_that_cannot_be_made_is_explained_and_nothing_changes():
    widget = parlour.widget("nim", None)
    send(widget, press={"amount": "9", "pile": "1"})
    assert "Pile 1 has only 3" in widget.notice
    assert not widget.moves
    send(widget, press={"amount": "2", "pile": "1"})
    assert widget.notice == ""
    assert widget.moves == ["2 from 1"]


def test_a_second_press_of_the_same_board_is_no_second_move():
    widget = parlour.widget("sticks", "perfect")
    press = presses(widget)[0]
    send(widget, press=press)
    moves = widget.moves
    send(widget, press=press)
    assert widget.moves == moves


def test_undo_takes_back_one_s_own_move_and_what_followed():
    widget = parlour.widget("tictactoe", "perfect", seat=1)
    assert len(widget.moves) == 1
    assert not widget.can_undo
    send(widget, do="undo")
    assert len(widget.moves) == 1
    first = widget.moves[:]
    send(widget, press=presses(widget)[0])
    assert len(widget.moves) == 3
    assert widget.can_undo
    send(widget, do="undo")
    assert widget.moves == first
    assert widget.record.result is None


def test_undo_opens_a_finished_game_again():
    widget = parlour.widget("nim piles=1,1", None)
    for pile in "12":
        send(widget, press={"amount": "1", "pile": pile})
    assert widget.record.result == (-1, 1)
    send(widget, do="undo")
    assert widget.record.result is None
    assert widget.moves == ["1 from 1"]


def test_a_new_game_begins_with_the_same_players():
    widget = parlour.widget("nim", "random seed=1", seat=1)
    play_out(widget)
    send(widget, do="new")
    assert widget.record.result is None
    assert len(widget.moves) == 1
    assert widget.record.players == ("random seed=1", "human")


GARBAGE = (
    *({}, {"press": None}, {"press": []}, {"press": {"move": 3}}, {"press": {"pile": "1"}}),
    *({"press": {"move": "x" * 10**6}}, {"press": {"amount": "1", "pile": "99"}}),
    *({"press": {"at": "-1", "move": "1 from 1"}}, {"do": "dance"}, {"do": ["undo"]}, [{}]),
)


def test_garbage_changes_nothing():
    widget = parlour.widget("nim")
    before = widget.record
    for content in GARBAGE:
        receive(widget, content)
        assert widget.record == before, content
        assert len(widget.notice) < 500
        assert presses(widget)


class Broken:
    name = "broken"

    def choose(self, game, state):
        raise ZeroDivisionError("oh <dear>")


class Cheat:
    name = "cheat"

    def choose(self, game, state):
        return (7, 7)


class GivesUp:
    name = "gives up"

    def choose(self, game, state):
        raise parlour.Resigns("I am tired")


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (Broken, "failed: ZeroDivisionError: oh <dear>"),
        (Cheat, "chose (7, 7)"),
        (GivesUp, "resigned: I am tired"),
    ],
)
def test_a_bot_that_fails_has_lost_and_says_why(bot, words):
    widget = parlour.widget("nim", bot)
    send(widget, press={"amount": "1", "pile": "1"})
    assert widget.record.result == (1, -1)
    assert widget.status.startswith("You win.")
    assert words in widget.status
    assert "<dear>" not in widget.board
    send(widget, do="new")
    assert widget.record.result is None


def test_bots_that_learn_learn_from_the_game():
    hats = parlour.hats("sticks", against="itself")
    widget = parlour.widget("sticks", hats.player(learning=True))
    play_out(widget)
    assert hats.games == 1


class Waits:
    """A bot that moves when it may go."""

    name = "waits"

    def __init__(self):
        self.asked, self.go = threading.Semaphore(0), threading.Semaphore(0)

    def choose(self, game, state):
        self.asked.release()
        assert self.go.acquire(timeout=60)
        return game.moves(state)[0]


async def answered(widget):
    """Wait until no bot is thinking."""
    rest = asyncio.Event()
    widget.observe(lambda change: change.new or rest.set(), "thinking")
    if widget.thinking:
        await rest.wait()


def test_a_thinking_bot_leaves_the_notebook_free():
    bot = Waits()

    async def cell():
        widget = parlour.widget("nim", bot)
        send(widget, press={"amount": "1", "pile": "1"})
        assert widget.thinking
        assert "waits is thinking" in widget.status.casefold()
        assert not presses(widget)
        await asyncio.to_thread(bot.asked.acquire)
        assert widget.moves == ["1 from 1"]  # and this very line could run
        bot.go.release()
        await answered(widget)
        assert len(widget.moves) == 2
        assert presses(widget)

    asyncio.run(cell())


def test_an_answer_to_a_position_that_was_taken_back_is_dropped():
    bot = Waits()

    async def cell():
        widget = parlour.widget("nim", bot)
        send(widget, press={"amount": "1", "pile": "1"})
        await asyncio.to_thread(bot.asked.acquire)
        send(widget, do="undo")
        assert widget.moves == []
        assert not widget.thinking
        send(widget, press={"amount": "2", "pile": "2"})
        bot.go.release()  # for the first question, whose answer is not wanted any more
        await asyncio.to_thread(bot.asked.acquire)
        assert widget.moves == ["2 from 2"]
        bot.go.release()
        await answered(widget)
        assert widget.moves[0] == "2 from 2"
        assert len(widget.moves) == 2

    asyncio.run(cell())


def test_seats_and_opponents_that_make_no_sense_are_refused():
    with pytest.raises(
        parlour.BadOption, match="seat cannot be 2; it must be a whole number from 0 to 1"
    ):
        parlour.widget("nim", seat=2)
    with pytest.raises(parlour.BadOption, match="one for each other seat"):
        parlour.widget("nim", ["random", "random"])
    with pytest.raises(parlour.UnknownName, match="there is no bot 'none-such'"):
        parlour.widget("nim", "none-such")
    widget = parlour.widget("nim seats=3", ["random seed=1", None], seat=1)
    assert widget.record.players == ("random seed=1", "human", "human")


def test_without_anywidget_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r"needs anywidget; pip install 'parlour\[notebook\]'"):
        parlour.widget("nim")
