"""Lines of play: moves are read in every spelling, an address holds a whole line, and a position
that is put together by hand is what the game itself would write.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from parlour.boards import build_position, compose_position
from parlour.core.errors import BadText, IllegalMove, ParlourError
from parlour.core.referee import Match
from parlour.faces.web.review.address import (
    MAX_ADDRESS,
    MAX_MOVES,
    Line,
    line_of,
    read_line,
    read_records,
    start_line,
    with_moves,
)
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe


def random_match(game: Any, seed: int, most: int = 200) -> Match:
    chance = random.Random(seed)
    match = Match(game, ["Ann", "Ben"])
    while not match.over and len(match.moves) < most:
        match.play(chance.choice(game.moves(match.state)))
    return match


def test_moves_are_read_however_they_are_written_down():
    for game, text, moves in (
        (Othello(), "f5 d6 c3", ["f5", "d6", "c3"]),
        (Othello(), "F5D6C3", ["f5", "d6", "c3"]),
        (Othello(), "1. f5 d6 2. c3", ["f5", "d6", "c3"]),
        (Othello(), "1.f5\n2.d6\r\n3.c3\n", ["f5", "d6", "c3"]),
        (Nim(), "2 from 3, 1 from 2", ["2 from 3", "1 from 2"]),
        (Nim(), "2 from 3 take 1 from pile 2 3:1", ["2 from 3", "1 from 2", "1 from 3"]),
        (Nim(), "3 2;2 1", ["2 from 3", "1 from 2"]),
        (Sticks(), "take 2 sticks 1 stick", ["2", "1"]),
        (Chopsticks(), "hit l r\nhit left left", ["hit left right", "hit left left"]),
        (TicTacToe(), " , ;\n ", []),
    ):
        line = with_moves(start_line(game), text)
        assert list(line.moves) == moves
        assert len(line.states) == len(line.moves) + 1


def test_a_wrong_move_is_named_with_what_would_be_right():
    for game, text, kind, reason in (
        (TicTacToe(), "a1 a1", IllegalMove, "move 2: the square a1 is taken; you may play b1"),
        (TicTacToe(), "a1 z9", BadText, "move 2: 'z9' is not a square here"),
        (Nim(), "2 from 3, 9 from 1", IllegalMove, "move 2: pile 1 has only 3 coins; take"),
        (Nim(), "2 from 3 9 from 1", IllegalMove, "move 2: pile 1 has only 3 coins; take"),
        (Sticks(), "1 4", IllegalMove, "move 2: there are 19 sticks; take 1, 2 or 3"),
        (Othello(), "f5 <script>", BadText, "move 2: '<script>' is not a square here"),
    ):
        with pytest.raises(kind) as refusal:
            with_moves(start_line(game), text)
        assert str(refusal.value).startswith(reason)


GAMES = (
    Nim(piles=(3, 4, 5), misere=True, endings=((2, 2, 2), (1, 2, 3))),
    Nim(piles=(5, 5), take=2),
    Sticks(sticks=31, take=4),
    Chopsticks(),
    Chopsticks(rules="feathers"),
    Chopsticks(dies_at=6, overflow="wraps"),
    TicTacToe(columns=4, rows=3, misere=True),
    Othello(),
    Othello(columns=6, rows=5, opening="benedict"),
)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_an_address_holds_the_whole_line(game):
    for seed in range(3):
        match = random_match(game, seed, 40)
        states = tuple(state for state, _ in match.record.replay(game))
        line = Line(game, states, tuple(match.moves), "", ("Ann & <b>", "Bén, ;=+"), "time = up")
        assert read_address(line.address(at=3)) == line
        opened = replace(line, opening=2)
        assert read_address(opened.address(at=3)) == opened
        assert opened.address() != line.address()
        assert read_address(line_of(match.record).address()).moves == line.moves
        here = game.write(states[len(states) // 2])
        there = with_moves(start_line(game, here), ",".join(match.moves[len(states) // 2 :]))
        assert read_address(there.address()) == there


def read_address(address: str) -> Line:
    parts = urlsplit(address)
    query = parse_qs(parts.query, keep_blank_values=True)
    last = {name: each[-1] for name, each in query.items()}
    return read_line(parts.path.split("/")[2], last, query.get("by", ()))


def test_a_move_with_a_comma_in_it_can_be_linked_to():
    line = Line(TicTacToe(), (), ("a,1", "b;2"))
    assert parse_qs(urlsplit(line.address()).query)["moves"] == ["a,1\nb;2\n"]


def test_what_is_too_long_for_a_link_is_refused_with_the_numbers():
    game = Nim(piles=(1000,))
    with pytest.raises(ParlourError, match=f"at most {MAX_MOVES} moves"):
        with_moves(start_line(game), "1 from 1\n" * (MAX_MOVES + 1))
    line = with_moves(start_line(game), "1 from 1\n" * MAX_MOVES)
    assert len(line.address()) <= MAX_ADDRESS
    many = Nim(endings=tuple((size, size + 1) for size in range(1, 1_200)))
    with pytest.raises(ParlourError, match=f"at most {MAX_ADDRESS:,} characters"):
        with_moves(start_line(many), "1 from 1")


def test_the_record_of_a_line_is_the_record_it_came_from():
    match = random_match(TicTacToe(), 5)
    record = line_of(match.record).record()
    assert record is not None
    assert record == match.record
    assert with_moves(start_line(TicTacToe(), "X-------- O"), "b2").record() is None


def test_a_line_keeps_the_opening_of_its_record():
    game = Othello(columns=6, rows=5, opening="benedict")  # which is another thing
    record = replace(random_match(game, 5).record, opening=2)
    line = line_of(record)
    assert read_address(line.address()) == line
    assert line.record() == record


def test_no_opening_is_longer_than_its_line():
    lengths = {"": 0, "-1": 0, "x": 0, "²": 0, "0": 0, "1": 1, "9": 2}
    for text, length in lengths.items():
        line = read_line("tictactoe", {"moves": "a1,b2", "opened": text})
        assert line.opening == length, text


def test_a_move_off_the_opening_is_no_longer_of_it():
    line = read_line("tictactoe", {"moves": "a1,b1,c1,a2", "opened": "3"})
    assert line.on(1, "b1").opening == 3
    assert line.on(1, "b2").opening == 1
    assert line.on(4, "b2").opening == 3


def test_a_line_that_is_no_record_is_named():
    line = random_match(Nim(), 3).record.to_json()
    assert len(read_records(f"{line}\n\n{line}\n")) == 2
    with pytest.raises(BadText, match="line 3: paste what Copy record copied, not 'nonsense'"):
        read_records(f"{line}\n\nnonsense")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_position_put_together_is_written_as_the_game_writes_it(game):
    for seed in range(5):
        for state, _ in random_match(game, seed, 25).record.replay(game):
            if isinstance(game, Nim | Sticks) and game.result(state) is not None:
                continue  # an ended round tells who is left, which no form asks for
            built = build_position(game, state, {})
            assert built is not None
            answers = {field.name: field.value for field in built.fields}
            text = compose_position(game, {**answers, "turn": built.turn, "cells": built.cells})
            assert game.write(game.read(text)) == game.write(state).partition(" seen")[0]
