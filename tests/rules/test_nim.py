"""Nim and the Game of Sticks: who wins by which ending, any number of seats, piles of 10^9."""

import random

import pytest

import parlour
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.sticks import Sticks


def played(game, *moves):
    state = game.start()
    for text in moves:
        state = game.play(state, game.read_move(state, text))
    return state


def test_the_last_taker_wins_or_loses():
    moves = ("3 from 1", "4 from 2", "5 from 3")
    assert Nim().result(played(Nim(), *moves)) == (1, -1)
    assert Nim(misere=True).result(played(Nim(misere=True), *moves)) == (-1, 1)


def test_an_extra_ending_ends_in_any_order_of_piles():
    for misere, result in ((False, (1, -1)), (True, (-1, 1))):
        game = Nim(piles=(3, 4, 2), misere=misere, endings=((1, 2, 3),))
        assert game.result(played(game, "3 from 2")) == result


def test_zeros_duplicates_and_the_empty_ending_add_nothing():
    game = Nim(endings=((2, 0, 1), (1, 2), (0,), ()))
    assert game.endings == ((1, 2),)


def test_moves_are_piles_in_place_and_amounts_ascending():
    game = Nim(piles=(2, 0, 3), take=2)
    assert list(game.moves(game.start())) == [(0, 1), (0, 2), (2, 1), (2, 2)]


def test_a_start_that_is_an_ending():
    start = {"piles": (2, 2, 2), "endings": CLASS_ENDINGS}
    for options, result in [
        ({}, (1, -1)),
        ({"misere": True}, (-1, 1)),
        ({"seats": 3}, (1, -1, -1)),
        ({"misere": True, "seats": 3}, (-1, -1, 1)),
    ]:
        game = Nim(**start, **options)
        assert game.result(game.start()) == result
        assert len(game.moves(game.start())) == 0


def test_a_position_read_from_text_counts_as_reached_by_a_move():
    normal = Nim(endings=CLASS_ENDINGS)
    assert normal.result(normal.read("2,2,2:1")) == (-1, 1)
    assert normal.result(normal.read("2,2,2:2")) == (1, -1)
    misere = Nim(endings=CLASS_ENDINGS, misere=True)
    assert misere.result(misere.read("2,2,2:1")) == (1, -1)


def test_misere_for_three_eliminates_and_starts_afresh():
    game = Nim(piles=(2, 1), misere=True, seats=3)
    # Seat 1 and 2 leave one object; seat 3 must take it and is out.
    state = played(game, "1 from 1", "1 from 2", "1 from 1")
    assert game.write(state) == "2,1:1 of 1,2"
    # The first remaining seat starts; now it has to take the last.
    state = game.play(state, game.read_move(state, "2 from 1"))
    state = game.play(state, game.read_move(state, "1 from 2"))
    assert game.result(state) == (1, -1, -1)


def test_the_first_remaining_seat_starts_the_fresh_round():
    game = Nim(piles=(1, 1), misere=True, seats=4)
    assert game.write(played(game, "1 from 1", "1 from 2")) == "1,1:1 of 1,3,4"


def test_a_seat_that_is_out_is_passed_over_in_play_and_in_reading():
    game = Nim(piles=(3, 3), misere=True, seats=4)
    state = game.read("1,3:2 of 2,4")
    assert game.write(game.play(state, (0, 1))) == "0,3:4 of 2,4"
    # Before seat 4 came seat 1, for 3 and 2 are out: it has just taken the last, so 4 has won.
    assert game.result(game.read("0,0:4 of 1,4")) == (-1, -1, -1, 1)
    # Before seat 1 came seat 3.
    assert game.write(game.read("0,0:1 of 1,2,3")) == "3,3:1 of 1,2"


def test_a_round_that_would_start_on_an_ending_is_over_before_it_begins():
    """Seat 1 is out by its move, then 2 and 3 by beginning; what is written reads back."""
    game = Nim(piles=(2, 2), endings=((2, 2),), misere=True, seats=4)
    assert game.result(game.start()) == (-1, -1, -1, 1)
    state = game.read("0,0:2")
    assert game.result(state) == (-1, -1, -1, 1)
    assert game.read(game.write(state)) == state
    state = game.read("0,0:4 of 1,2,3,4")
    assert game.result(state) == (-1, -1, -1, 1)  # 3 took the last, then 1 and 2 began


def test_one_seat_alone_wins_at_once_even_where_the_start_is_a_misere_ending():
    for game in (Nim(seats=1), Nim(piles=(2, 2), endings=((2, 2),), misere=True, seats=1)):
        assert game.result(game.start()) == (1,)


def test_the_drawing_names_the_players_still_in():
    game = Nim(piles=(1, 1), misere=True, seats=4)
    assert "still in" not in game.draw(game.start())
    drawn = game.draw(game.read("1,1:1 of 1,3,4"))
    assert drawn.endswith("\nstill in: players 1, 3, 4\nout: player 2")
    assert "still in" not in game.draw(game.read("1,1:1 of 3"))


def test_the_loser_of_a_round_is_out_but_not_in_normal_play():
    game = Nim(piles=(1, 1), misere=True, seats=3)
    after = game.play(game.play(game.start(), (0, 1)), (1, 1))
    assert (game.out(game.start()), game.out(after)) == ((), (1,))
    plain = Nim(piles=(1,), seats=3)
    assert plain.out(plain.play(plain.start(), (0, 1))) == ()


@pytest.mark.parametrize("misere", [False, True])
def test_the_ending_that_stopped_a_game_is_named(misere):
    game = Nim(piles=(2, 3), endings=((1, 3),), misere=misere)
    assert game.ended_by(game.start()) == ""
    assert game.ended_by(game.play(game.start(), (0, 1))) == "the extra ending 1,3"
    last = Nim(piles=(1,), endings=((1, 3),), misere=misere)
    assert last.ended_by(last.play(last.start(), (0, 1))) == ""


def test_reading_a_position_forgives_case_and_spaces():
    game = Nim(piles=(2, 1), misere=True, seats=3)
    for text in ("2,1:1 OF 1,2", " 2, 1 : 1 of 1, 2 ", "2 1 : 1 Of 1 2"):
        assert game.write(game.read(text)) == "2,1:1 of 1,2"


def test_a_position_holds_no_more_than_a_game_may():
    assert Nim().read("1000000000:1")[2:] == (10**9,)
    assert len(Nim().read(",".join(["1"] * 64))) == 66
    for text in ("1000000001:1", ",".join(["1"] * 65)):
        with pytest.raises(parlour.BadText, match="at most 64 piles of at most 1000000000"):
            Nim().read(text)


def test_normal_play_for_three_is_won_by_the_last_taker():
    game = Nim(piles=(3,), seats=3)
    assert game.result(played(game, "1 from 1", "2 from 1")) == (-1, 1, -1)


def test_all_notations_are_read():
    game = Nim()
    for text in ("2 from 3", "take 2 from pile 3", "3:2", "3 2", " TAKE 2  from 3"):
        assert game.read_move(game.start(), text) == (2, 2), text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4 from 1", "pile 1 has only 3 coins; take 1, 2 or 3"),
        ("0 from 1", "nobody can take 0; take 1, 2 or 3"),
        ("1 from 0", "there is no pile 0; choose pile 1, 2 or 3"),
        ("1 from 4", "there is no pile 4"),
        (f"{'9' * 5000} from 1", "only 3 coins"),
    ],
)
def test_refusals_name_the_legal_choices(text, why):
    with pytest.raises(parlour.IllegalMove, match=why):
        Nim().read_move(Nim().start(), text)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"piles": ()}, "piles"),
        ({"piles": (0, 0)}, "piles"),
        ({"piles": (3, -1)}, "piles"),
        ({"piles": (1,) * 65}, "piles"),
        ({"piles": (10**9 + 1,)}, "piles"),
        ({"piles": "345"}, "piles"),
        ({"piles": (True, 2)}, "piles"),
        ({"seats": 0}, "seats"),
        ({"seats": 11}, "seats"),
        ({"take": 0}, "take"),
        ({"misere": 1}, "misere"),
        ({"endings": (1, 2)}, "endings"),
    ],
)
def test_bad_options_are_refused_by_name(options, name):
    with pytest.raises(parlour.BadOption, match=f"^{name} cannot be"):
        parlour.game("nim", **options)


def test_a_billion_objects_play_like_twelve():
    """The lazy view of moves behaves as the tuple does, and a random game is soon over."""
    game = Nim(piles=(10**9,) * 64)
    moves = game.moves(game.start())
    assert len(moves) == 64 * 10**9
    assert moves[10**9] == (1, 1)
    assert moves[-1] == (63, 10**9)
    assert moves.index((1, 1)) == 10**9
    assert (3, 10**9) in moves
    assert (3, 10**9 + 1) not in moves
    chance = random.Random(1)
    state, plies = game.start(), 0
    while moves := game.moves(state):
        state = game.play(state, chance.choice(moves))
        plies += 1
    assert game.result(state) is not None
    assert plies < 5000


def test_the_lazy_view_is_the_list():
    large = Nim(piles=(60, 50), take=30)
    moves = large.moves(large.start())
    expected = [(0, n) for n in range(1, 31)] + [(1, n) for n in range(1, 31)]
    assert list(moves) == expected
    many = Nim(piles=(60, 70))
    moves = many.moves(many.start())
    listed = [(pile, n) for pile, size in enumerate((60, 70)) for n in range(1, size + 1)]
    assert not isinstance(moves, tuple)
    assert list(moves) == listed
    assert moves[58:62] == tuple(listed[58:62])
    assert all(moves.index(move) == place for place, move in enumerate(listed))


def test_sticks_is_misere_nim_on_one_limited_pile():
    sticks, nim = Sticks(sticks=10), Nim(piles=(10,), misere=True, take=3)
    state = sticks.start()
    assert state == nim.start()
    while moves := sticks.moves(state):
        assert list(moves) == list(nim.moves(state))
        state = sticks.play(state, moves[-1])
    assert sticks.result(state) == nim.result(state)


def test_the_game_of_marvin_and_hal():
    game = Sticks()
    state = game.start()
    left = []
    for take in (3, 2, 1, 3, 2, 2, 3, 1, 2):
        state = game.play(state, game.read_move(state, str(take)))
        left.append(state[2])
    assert left == [17, 15, 14, 11, 9, 7, 4, 3, 1]
    with pytest.raises(parlour.IllegalMove, match="there is only 1 stick; take 1"):
        game.read_move(state, "2")
    state = game.play(state, game.read_move(state, "1 stick"))
    assert game.result(state) == (1, -1)  # Marvin, who began, has won


def test_sticks_lie_10_to_100_on_the_table():
    assert (Sticks(sticks=10).sticks, Sticks(sticks=100).sticks) == (10, 100)
    for sticks in (9, 101):
        with pytest.raises(parlour.BadOption, match="a whole number from 10 to 100"):
            Sticks(sticks=sticks)


def test_sticks_refuses_impossible_positions():
    for text in ("", "x", "101", "3,4", "5:3", "5:1 of 1"):
        with pytest.raises(parlour.BadText):
            Sticks().read(text)
