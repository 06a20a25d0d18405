"""The games of a language model: played to the end, recorded, judged, and never in the way."""

import json
import threading

import pytest

import parlour
from parlour.core import ParlourError, files, load, referee
from parlour.faces.mcp import Room, room
from parlour.truth import solve_once


@pytest.fixture
def here(tmp_path):
    return Room(tmp_path / "records.jsonl")


def play_out(here, started, choose):
    """Play a game to its end; `choose` picks a move from the data of a position."""
    data = started.data
    while not data["over"]:
        reply = here.play(data["game_id"], choose(data))
        data = reply.data
    return reply


def perfect(data):
    """The move of a perfect player, by solving the game."""
    game = parlour.game(data["game"], **data["options"])
    state = game.read(data["position"])
    return game.write_move(solve_once(game).best(state)[0])


def last(data):
    return data["legal_moves"][-1]


def test_a_perfect_player_made_no_mistake(here):
    started = here.start_game("othello", "columns=4 rows=4", opponent="random seed=5")
    reply = play_out(here, started, perfect)
    review = reply.data["review"]
    assert review["right"] == review["judged"] > 0
    assert review["mistakes"] == []
    assert review["exact"]


def test_the_move_that_lost_is_named():
    """From 3, 4, 5 only 2 from 1 wins; a perfect opponent never gives the win back."""
    here = Room()
    started = here.start_game("nim", opponent="perfect")
    reply = here.play(started.data["game_id"], "1 from 3")
    reply = play_out(here, reply, last)
    assert reply.data["result"] == [-1, 1]
    assert reply.data["review"]["lost_at"] == 1
    assert reply.data["review"]["mistakes"][0]["best"] == ["2 from 1"]
    assert "The game was lost here: move 1, 1 from 3 (win → loss)" in reply.text


def test_values_are_shown_only_when_the_game_is_over():
    here = Room()
    started = here.start_game("nim", opponent="perfect")
    game_id = started.data["game_id"]
    for call in (here.hint, here.explain, here.review_game):
        with pytest.raises(ParlourError, match=r"allows no hints|judged when it is over"):
            call(game_id)
    here.resign(game_id)
    assert "nothing to judge, as you made no move" in here.review_game(game_id).text


def test_a_game_that_cannot_be_judged_is_recorded_too(here, tmp_path, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("no")

    monkeypatch.setattr(room, "judge_game", fail)
    started = here.start_game("nim", opponent="random seed=1")
    assert "could not be judged" in here.resign(started.data["game_id"]).text
    assert len((tmp_path / "records.jsonl").read_text().splitlines()) == 1


def test_a_host_may_allow_hints():
    here = Room(hints=True)
    game_id = here.start_game("nim", opponent="none").data["game_id"]
    assert here.hint(game_id).data["best"] == ["2 from 1"]
    assert here.hint(game_id).data["outcome"] == "win"
    assert "win" in here.explain(game_id).text
    assert "Wrong" in here.explain(game_id, "1 from 1").text


def test_every_game_is_recorded_once_and_can_be_replayed(here, tmp_path):
    started = here.start_game("nim", {"misere": True}, seat=2, opponent="random", client="a\nb")
    play_out(here, started, last)
    here.review_game(started.data["game_id"])
    resigned = here.start_game("tictactoe", opponent="random")
    here.resign(resigned.data["game_id"])
    unfinished = here.start_game("sticks", opponent="none")
    here.play(unfinished.data["game_id"], "2")
    here.start_game("sticks", opponent="none")  # nothing happens in it
    here.close()
    here.close()
    records = load(tmp_path / "records.jsonl")
    assert [record.game for record in records] == ["nim", "tictactoe", "sticks"]
    assert records[0].players == ("random", "mcp a b")
    assert records[0].options["misere"] is True
    assert records[1].reason == "player 1 (X) resigned"
    assert (records[2].moves, records[2].result) == (("2",), None)
    for record in records:
        game = parlour.game(record.game, **record.options)
        assert parlour.Match.from_record(game, record).record == record


def test_a_line_that_was_cut_short_does_not_spoil_the_next(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text('{"game": "ni')
    files.append_line(path, "whole")
    assert path.read_text().splitlines() == ['{"game": "ni', "whole"]


def test_several_rooms_write_into_one_file(tmp_path):
    path = tmp_path / "records.jsonl"
    line = json.dumps("x" * 5_000)
    threads = [
        threading.Thread(target=lambda: [files.append_line(path, line) for _ in range(10)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() == f"{line}\n" * 40


def test_options_are_taken_as_json_or_as_text():
    for options, piles in [
        ({"piles": [1, 2]}, (1, 2)),
        ({"piles": "1,2"}, (1, 2)),
        ("piles=1,2", (1, 2)),
        (None, (3, 4, 5)),
    ]:
        data = Room().start_game("nim", options, opponent="none").data
        assert tuple(data["options"]["piles"]) == piles


REFUSED = [
    ({"game": "chess"}, "there is no game 'chess'"),
    ({"game": "examples/kayles.py"}, "there is no game"),
    ({"options": {"pile": [1]}}, "did you mean 'piles'"),
    ({"options": {"piles": [[1]]}}, "piles cannot be"),
    ({"seat": 3}, "it must be from 1 to 2"),
    ({"opponent": "./bot.py"}, "there is no bot"),
    ({"opponent": "gtp command=ls"}, "starts a program"),
    ({"opponent": "language-model url=http://h/v1"}, "asks a server"),
    ({"opponent": "hats kept=mine"}, "kept cannot be set"),
    ({"opponent": "hats games=400000000"}, "at most 200,000"),
    ({"opponent": "engine"}, "does not play this"),
]


def test_impossible_games_are_refused_in_a_sentence():
    here = Room()
    for arguments, reason in REFUSED:
        with pytest.raises(ParlourError, match=reason) as refusal:
            here.start_game(**{"game": "nim", **arguments})
        assert len(str(refusal.value)) < 500
    with pytest.raises(ParlourError, match="there is no game 'nim-0'"):
        here.play("nim-0", "1 from 1")
    with pytest.raises(ParlourError, match="there is no game 'go'"):
        here.describe_game("go")


def test_wrong_moves_change_nothing():
    here = Room()
    started = here.start_game("nim", opponent="random seed=1")
    game_id = started.data["game_id"]
    for text in ("9 from 1", "", "e4", "x" * 400, "1 from 1; 1 from 2"):
        with pytest.raises(ParlourError):
            here.play(game_id, text)
    assert here.get_position(game_id).data["position"] == started.data["position"]


def test_a_game_that_is_over_is_not_played_on():
    here = Room()
    game_id = here.start_game("nim", {"piles": [1]}, opponent="none").data["game_id"]
    here.play(game_id, "1 from 1")
    for call in (lambda: here.play(game_id, "1 from 1"), lambda: here.resign(game_id)):
        with pytest.raises(ParlourError, match="the game is over"):
            call()


def test_the_number_of_unfinished_games_is_limited():
    here = Room()
    first = here.start_game("nim", {"piles": [1]}, opponent="none").data["game_id"]
    here.play(first, "1 from 1")
    for _ in range(room.MAX_GAMES):
        here.start_game("nim", opponent="none")  # the one that is over makes room
    with pytest.raises(ParlourError, match="there is no game"):
        here.get_position(first)
    with pytest.raises(ParlourError, match="finish or resign one"):
        here.start_game("nim", opponent="none")
    assert len(here.list_my_games().data["games"]) == room.MAX_GAMES


def test_several_seats_have_one_bot():
    here = Room()
    started = here.start_game("nim", {"seats": 3}, seat=2, opponent="random seed=2")
    assert started.data["your_seats"] == [2]
    assert len(started.data["moves"]) == 1
    play_out(here, started, last)


# Long thoughts


class Sleeper:
    """A bot that thinks until the test is over."""

    name = "sleeper"
    over = threading.Event()

    def choose(self, game, state):
        self.over.wait()
        return game.moves(state)[0]


def test_a_bot_that_does_not_answer_in_time_loses(monkeypatch):
    monkeypatch.setattr(room, "THINKING", 0.05)
    monkeypatch.setattr(room, "GRACE", 0.05)
    here = Room()
    game_id = here.start_game("nim", opponent="random").data["game_id"]
    here._games[game_id].bot = Sleeper()
    try:
        data = here.play(game_id, "1 from 1").data
        assert data["result"] == [1, -1]
        assert "could not go on: did not answer within" in data["reason"]
        assert not here.start_game("nim", opponent="none").data["over"]
    finally:
        Sleeper.over.set()


def test_no_more_threads_are_started_beside_many_that_do_not_end():
    threads, over = room.Threads(), threading.Event()
    waiting = []

    def wait(work):
        waiting.append(threading.current_thread())
        over.wait()

    try:
        for _ in range(room.MAX_LOST):
            with pytest.raises(referee.OutOfTime):
                threads.run(wait, 0.01)
        with pytest.raises(ParlourError, match="too much is still being thought"):
            threads.run(lambda _: 1, 10)
    finally:
        over.set()
    for thread in waiting:
        thread.join()
    assert threads.run(lambda _: 1, 10) == 1


def test_a_call_is_asked_to_stop_first():
    threads = room.Threads()

    def wait(work):
        while not work.stopped:
            pass
        return "stopped"

    assert threads.run(wait, 60, 0.01) == "stopped"


def test_a_game_whose_bot_thinks_asks_for_patience(monkeypatch):
    monkeypatch.setattr(room, "GRACE", 0.01)
    here = Room()
    game_id = here.start_game("nim", opponent="none").data["game_id"]
    with here._games[game_id].lock, pytest.raises(ParlourError, match="still thinking"):
        here.get_position(game_id)


def test_millions_of_moves_are_listed_in_part():
    data = Room().start_game("nim", {"piles": [10**9]}, opponent="none").data
    assert data["number_of_legal_moves"] == 10**9
    assert len(data["legal_moves"]) == room.MAX_LISTED
