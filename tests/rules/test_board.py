"""Boards: what is remembered of them is bounded."""

from parlour.rules.board import MAX_REMEMBERED, Memo


def test_it_is_worked_out_once():
    asked = []
    squares = Memo(lambda n: asked.append(n) or n * n)
    assert [squares[3], squares[3], squares[4]] == [9, 9, 16]
    assert asked == [3, 4]


def test_it_never_holds_more_than_it_may():
    squares = Memo(lambda n: n * n)
    largest = 0
    for n in range(3 * MAX_REMEMBERED):
        assert squares[n] == n * n
        largest = max(largest, len(squares))
    assert largest == MAX_REMEMBERED
