"""What is memo is worked out once, and never grows without bound."""

from __future__ import annotations

from parlour.rules.memo import MOST, Memo


def test_it_is_worked_out_once():
    asked = []
    squares = Memo(lambda n: asked.append(n) or n * n)
    assert [squares[3], squares[3], squares[4]] == [9, 9, 16]
    assert asked == [3, 4]


def test_it_never_holds_more_than_it_may():
    squares = Memo(lambda n: n * n)
    largest = 0
    for n in range(3 * MOST):
        assert squares[n] == n * n
        largest = max(largest, len(squares))
    assert largest == MOST
