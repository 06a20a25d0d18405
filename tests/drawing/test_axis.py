"""Axes have round numbers, reach as far as the data, and put every value in its place."""

from itertools import pairwise

import pytest

from parlour.drawing import Axis, LogAxis, Polygon, Rect, TextLine, marker, spread


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (-37, 92, [-50, 0, 50, 100]),
        (0.012, 0.019, [0.012, 0.014, 0.016, 0.018, 0.02]),
        (3, 3, None),
    ],
)
def test_ticks_are_round_and_reach_around_the_data(low, high, ticks):
    axis = Axis(low, high, 0, 100)
    assert ticks is None or axis.ticks == ticks
    assert axis.ticks[0] <= low
    assert axis.ticks[-1] >= high
    assert (axis.at(axis.ticks[0]), axis.at(axis.ticks[-1])) == (0, 100)


def test_an_axis_may_run_upwards():
    axis = Axis(0, 1, 300, 100, step=0.25)
    assert axis.ticks == [0, 0.25, 0.5, 0.75, 1]
    assert axis.at(0.25) == 250
    labels = [
        s.words for s in axis.draw_vertical(50, 90, "{:.0%}".format) if isinstance(s, TextLine)
    ]
    assert labels == ["0%", "25%", "50%", "75%", "100%"]


def test_counts_go_by_powers_of_ten_and_nothing_stands_at_the_edge():
    axis = LogAxis([0, 30, 4000], 0, 1)
    assert axis.ticks == [0, 10, 100, 1000]
    assert axis.at(0) == 0
    assert 0 < axis.at(10) < axis.at(100) < axis.at(4000) == 1
    assert axis.at(100) - axis.at(10) == pytest.approx(axis.at(1000) - axis.at(100))
    assert LogAxis([]).ticks == [0, 10, 100]


def test_labels_keep_their_distance_and_stay_on_the_plot():
    heights = spread([50, 51, 52, 99], 0, 100, 10)
    assert heights == sorted(heights)
    assert min(b - a for a, b in pairwise(heights)) >= 10
    assert max(heights) <= 100


@pytest.mark.parametrize("number", range(4))
def test_a_marker_lies_around_its_point(number):
    shape = marker(number, 40, 100, "#000000")
    if isinstance(shape, Rect):
        centre = shape.x + shape.width / 2, shape.y + shape.height / 2
    elif isinstance(shape, Polygon):
        columns, rows = zip(*shape.points, strict=True)
        centre = sum(columns) / len(columns), sum(rows) / len(rows)
    else:
        centre = shape.x, shape.y
    assert centre == pytest.approx((40, 100), abs=1)
