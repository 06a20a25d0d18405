"""The clocks of a game as NBoard sends it."""

import pytest

from parlour.faces.nboard import MIN_TIME, read_clocks, time_for_move


@pytest.mark.parametrize(
    ("ggf", "left"),
    [
        ("(;TI[5:00]B[F5//2.5]W[D6/0.00]B[C5//1.25]W[F4/-1.00/0.5];)", [296.25, 299.5]),
        ("(;TI[1:00:00]B[F5/1/10]W[PA/1/20.];)", [3590.0, 3580.0]),
        ("(;TI[05:00//02:00];)", [300.0, 300.0]),
        ("(;TI[0:01]B[F5//3];)", [-2.0, 1.0]),
        ("(;PB[a/b/9]PW[c//8]TI[1:00]B[F5//3];)", [57.0, 60.0]),
        ("(;PB[B]PW[W]B[F5//3];)", None),
        ("(;TI[];)", None),
        ("(;TI[soon];)", None),
    ],
)
def test_a_side_has_what_it_began_with_less_what_its_moves_took(ggf, left):
    assert read_clocks(ggf) == left


def test_a_side_that_takes_its_share_every_time_keeps_within_its_time():
    for total in (1.0, 60.0, 300.0, 3600.0):
        left = total
        for empties in range(60, 0, -2):
            left -= min(time_for_move(left, empties), left)
        assert 0 <= left < 0.1 * total


def test_some_time_is_taken_even_when_none_is_left():
    assert time_for_move(-5.0, 30) == time_for_move(0.0, 1) == MIN_TIME > 0
