"""The referee: checks moves, keeps the record, and calls what the rules leave to it."""

import json

import pytest

import parlour
from parlour.core import protocol, seat_name, sentence, sentences
from parlour.core.record import Record, load
from parlour.core.referee import Match
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe
from tests.variants import VARIANTS, label


def test_a_game_is_kept_move_by_move():
    match = Match(Nim(), ["Ann", "Bob"])
    for text in ("3 from 1", "4 from 2"):
        match.play(match.game.read_move(match.state, text), seconds=1.23456)
    assert (match.turn, match.over) == (0, False)
    match.play((2, 5), seconds=0.5)
    assert match.record == Record(
        game="nim",
        options={"piles": [3, 4, 5], "misere": False, "endings": [], "seats": 2, "take": None},
        players=("Ann", "Bob"),
        moves=("3 from 1", "4 from 2", "5 from 3"),
        seconds=(1.235, 1.235, 0.5),
        result=(1, -1),
    )
    with pytest.raises(parlour.IllegalMove, match="over"):
        match.play((0, 1))


def test_an_illegal_move_changes_nothing():
    match = Match(Nim(), ["Ann", "Bob"])
    before = match.record
    with pytest.raises(parlour.IllegalMove):
        match.play((0, 9))
    assert match.record == before


def test_the_third_occurrence_is_a_draw_where_loops_are_allowed():
    """Both go round the same circle; hands count as unordered, so mirrored ones are the same."""
    game = Chopsticks(fingers=2, dies_at=5)
    match = Match(game, ["a", "b"])
    circle = ["split 3 1", "split 1 3", "split 2 2", "split 2 2"]
    played = 0
    while not match.over:
        match.play(game.read_move(match.state, circle[played % 4]))
        played += 1
    assert played == 8  # the start itself was the first occurrence
    assert match.result == (0, 0)
    assert match.end == "repetition"


def test_the_side_to_move_is_part_of_the_position_that_comes_back():
    """Both only pass the turn on; the same hands with the other to move are another position."""
    game = Chopsticks(split_same=True)
    match = Match(game, ["a", "b"])
    played = 0
    while not match.over:
        match.play(game.read_move(match.state, "split 1 1"))
        played += 1
    assert played == 4


def test_the_move_cap_is_a_draw():
    record = parlour.match(Othello(), [parlour.bot("random", seed=1)] * 2, most_moves=10)
    assert (len(record.moves), record.result, record.end) == (10, (0, 0), "length")
    assert record.reason == "no end after 10 moves"


def test_a_seat_that_resigns_or_runs_out_of_time_loses():
    match = Match(Nim(seats=3), ["a", "b", "c"])
    match.stop(1, end="time")
    assert match.result == (1, -1, 1)
    assert match.reason == "player 2 ran out of time"
    match.resign(0)
    assert (match.result, match.end, match.loser) == ((1, -1, 1), "time", 1)  # it stays over


@pytest.mark.parametrize("seat", [-1, 2, "1", None])
def test_only_a_seat_of_the_game_can_be_stopped(seat):
    match = Match(Nim(), ["a", "b"])
    with pytest.raises(parlour.ParlourError, match=r"seat cannot be .* from 0 to 1"):
        match.stop(seat, "resigned")
    assert not match.over


def test_an_illegal_move_of_a_bot_names_the_seat_and_the_bot():
    class Cheat:
        name = "cheat"

        def choose(self, game, state):
            return (0, 99)

    with pytest.raises(
        parlour.IllegalMove, match=r"player 1, cheat, chose \(0, 99\): pile 1 has only 3 coins"
    ):
        parlour.match(Nim(), [Cheat(), Cheat()])


def test_the_number_of_players_must_fit():
    with pytest.raises(parlour.ParlourError, match="nim has 2 seats here, not 3"):
        Match(Nim(), ["a", "b", "c"])


def test_a_start_that_is_over_needs_no_move():
    match = Match(Nim(piles=(2, 2, 2), endings=CLASS_ENDINGS), ["a", "b"])
    assert match.result == (1, -1)


@pytest.mark.parametrize("game", VARIANTS, ids=label)
def test_everything_replays_from_the_record(game):
    record = parlour.match(game, [parlour.bot("random", seed=3)] * game.seats)
    line = record.to_json()
    assert "\n" not in line
    again = Record.from_json(line)
    assert again == Record.from_json(again.to_json())
    remade = parlour.game(again.game, **again.options)
    assert remade == game
    match = Match.from_record(remade, again)
    assert match.record == again == record


def test_a_resigned_game_replays_as_resigned():
    match = Match(Nim(), ["a", "b"])
    match.play((0, 1))
    match.resign(1)
    again = Match.from_record(Nim(), Record.from_json(match.record.to_json()))
    assert (again.result, again.reason) == ((1, -1), "player 2 resigned")
    assert (again.end, again.loser) == ("resigned", 1)


def test_players_and_boards_have_names_of_their_own_for_seats():
    class OnBoard(sentences.Language):
        sides = True

    match = Match(Othello(), ["a", "b"])
    match.resign(0, "it is late")
    assert match.reason == "player 1 (X) resigned: it is late"
    assert protocol.name_seats(match.reason, ["Ann", "Bob"]) == "Ann resigned: it is late"
    assert OnBoard().say(sentence(match.reason)) == "Black resigned: it is late."
    assert OnBoard().say(seat_name(TicTacToe(), 0)) == "player 1 (X)"


GOOD = {"game": "nim", "options": {}, "players": ["a", "b"]}


def test_a_record_keeps_how_many_moves_were_the_opening():
    kept = Record.from_json(json.dumps(GOOD | {"moves": ["1 from 1", "1 from 2"], "opening": 1}))
    assert kept.opening == 1
    again = Match.from_record(Nim(), kept)
    again.play((2, 1))
    assert again.record.opening == 1
    assert Record.from_json(again.record.to_json()) == again.record


def test_a_record_without_an_opening_has_none():
    assert Record.from_json(json.dumps(GOOD | {"moves": ["1 from 1"]})).opening == 0
    assert parlour.match(Nim(), [parlour.bot("random", seed=1)] * 2).opening == 0


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "a JSON object"),
        ("{", "a JSON object"),
        ("[" * 100_000, "a JSON object"),
        ("3", "a JSON object"),
        ("{}", "has no game"),
        (json.dumps({"game": "nim", "options": {}}), "has no players"),
        (json.dumps(GOOD | {"colour": 1}), "no field 'colour'"),
        (json.dumps(GOOD | {"moves": "abc"}), "cannot be the moves"),
        (json.dumps(GOOD | {"moves": [1]}), "cannot be the moves"),
        (json.dumps(GOOD | {"result": [True]}), "cannot be the result"),
        (json.dumps(GOOD | {"options": []}), "cannot be the options"),
        (json.dumps(GOOD | {"result": [7, 9]}), "cannot be the result"),
        (
            json.dumps(GOOD | {"moves": ["1 from 1"] * 2, "seconds": [1]}),
            "1 time in its seconds for 2 moves",
        ),
        (json.dumps(GOOD | {"seconds": [1.5]}), "1 time in its seconds for 0 moves"),
        *(
            (json.dumps(GOOD | {"moves": ["1 from 1"], "seconds": [bad]}), "cannot be the seconds")
            for bad in (float("nan"), float("inf"), -1, "1", True, None)
        ),
        *(
            (json.dumps(GOOD | {"moves": ["1 from 1"], "opening": bad}), "cannot be the opening")
            for bad in (-1, 0.5, "1", True, None, [1])
        ),
        (
            json.dumps(GOOD | {"moves": ["1 from 1"], "opening": 2}),
            "an opening of 2 moves, but only 1 move in all",
        ),
    ],
)
def test_a_bad_record_is_refused_with_the_reason(line, why):
    with pytest.raises(parlour.BadText, match=why):
        Record.from_json(line)


def test_a_record_with_an_impossible_move_names_it():
    record = Record.from_json(json.dumps(GOOD | {"moves": ["1 from 1", "9 from 1"]}))
    with pytest.raises(parlour.BadText, match="move 2 of this record cannot be played: pile 1 has"):
        Match.from_record(Nim(), record)


def test_a_record_that_goes_on_after_the_end_is_refused():
    moves = ["3 from 1", "4 from 2", "5 from 3", "1 from 1"]
    record = Record.from_json(json.dumps(GOOD | {"moves": moves}))
    with pytest.raises(parlour.BadText, match="move 4 of this record"):
        Match.from_record(Nim(), record)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"result": [-1, -1, 1], "reason": "x"}, "nim has 2 seats here, not 3"),
        ({"result": [1], "reason": "x"}, "nim has 2 seats here, not 1"),
        ({"result": [1, -1]}, "its moves do not end the game"),
        (
            {"moves": ["3 from 1", "4 from 2", "5 from 3"], "result": [-1, 1]},
            r"the result is \(-1, 1\), but its moves lead to \(1, -1\)",
        ),
    ],
)
def test_a_result_that_contradicts_the_game_is_refused(fields, why):
    record = Record.from_json(json.dumps(GOOD | fields))
    with pytest.raises(parlour.BadText, match=why):
        Match.from_record(Nim(), record)


def test_a_record_that_goes_on_after_a_draw_by_repetition_names_the_move():
    moves = ["split 1 1"] * 5
    record = Record("chopsticks", {"split_same": True}, ("a", "b"), tuple(moves))
    with pytest.raises(
        parlour.BadText, match=r"move 5 of this record comes after the end: .*third"
    ):
        Match.from_record(Chopsticks(split_same=True), record)


@pytest.mark.parametrize("name", ["Ann\u2028Bob", "Ann\nBob", "Ann\x85", "\ud800", "Ωμέγα"])
def test_no_name_can_break_a_file_of_records(tmp_path, name):
    path = tmp_path / "games.jsonl"
    record = Match(Nim(), [name, "b"]).record
    path.write_text((record.to_json() + "\n") * 2, encoding="utf-8")
    assert load(path) == [record, record]


def test_a_record_that_others_wrote_need_not_be_ascii(tmp_path):
    path = tmp_path / "games.jsonl"
    line = json.dumps(GOOD | {"players": ["Ann\u2028Bob", "Ωμέγα"]}, ensure_ascii=False)
    path.write_text(line, encoding="utf-8")
    assert load(path)[0].players == ("Ann\u2028Bob", "Ωμέγα")


def test_a_file_of_records_names_the_line_that_is_none(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(GOOD) + "\n\n" + json.dumps(GOOD) + "\n", encoding="utf-8")
    assert len(load(path)) == 2
    path.write_text(json.dumps(GOOD) + "\nnot a record\n", encoding="utf-8")
    with pytest.raises(parlour.BadText, match=r"line 2 of games\.jsonl"):
        load(path)
