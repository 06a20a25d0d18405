"""The chart of values: what is drawn is what is known, and all of it is also said."""

import html
import re
from xml.etree import ElementTree

import pytest

from parlour.faces.web.table.values import BOTTOM, TOP, Point, value_chart
from parlour.players.move_values import Evaluation
from tests.faces.web.house import plain

SOLVED = [
    Point("", Evaluation("draw")),
    Point("a1", Evaluation("draw")),
    Point("b1", Evaluation("win", 5)),
    Point("a2", Evaluation("win", 4)),
    Point("<b>3", Evaluation("loss", 3)),
]
SCORED = [
    Point("", Evaluation("win", None, 6.4, exact=False)),
    Point("d3", Evaluation("loss", None, -2.0, exact=False)),
    Point("c3", Evaluation("loss", 11, -12)),
    Point("c4", Evaluation("win", 10, 16)),
]


def drawn(chart):
    """The picture of a chart as a tree; it must be well-formed."""
    picture = re.match(r"<svg.*?</svg>", chart, re.DOTALL)[0]
    return ElementTree.fromstring(picture)  # noqa: S314  # our own text


def text_of(chart):
    """All that is said: labels and paragraphs."""
    labels = html.unescape(" | ".join(re.findall('aria-label="([^"]*)"', chart)))
    return f"{labels} | {plain(chart)}"


@pytest.mark.parametrize("points", [SOLVED, SCORED, [], SOLVED[:1], SCORED[:1], [Point("", None)]])
def test_a_chart_needs_no_style_or_script(points):
    chart = value_chart(points)
    tree = drawn(chart)
    assert tree.get("role") == "img"
    assert tree.get("aria-label").startswith("Value for the first player")
    assert not re.search(r"<script|<style|\bstyle=|\bon\w+=|javascript:|href", chart)
    assert not tree.findall(".//text")  # words are outside, where they keep their size


def test_the_outcome_is_shown_by_shape_word_and_colour():
    chart = value_chart(SOLVED)
    tree = drawn(chart)
    assert len(tree.findall("rect")) == 3
    assert {band.get("fill") for band in tree.findall("rect")} == {"#0072B2", "#7A7A7A", "#D55E00"}
    for words in ("first player wins", "draw", "second player wins"):
        assert words in text_of(chart)
    circles = [each for each in tree.findall("circle") if each.get("class") != "here"]
    assert len(circles) == 1 + 2  # the band's own, and two drawn positions


def test_every_change_of_the_outcome_is_listed_in_order():
    said = text_of(value_chart(SOLVED))
    order = ["Start: draw", "Move 2, b1: win in 5 for the first player", "Move 4, <b>3: loss in 3"]
    assert [said.rindex(part) for part in order] == sorted(said.rindex(part) for part in order)
    assert "Move 1, a1: draw" not in said
    assert "<b>" not in value_chart(SOLVED)


def test_the_line_of_discs_goes_up_and_down_with_them():
    tree = drawn(value_chart(SCORED))
    exact, guessed = tree.findall("path[@class='course']")
    assert guessed.get("stroke-dasharray")
    assert not exact.get("stroke-dasharray")
    _, y1, _, y2 = map(float, re.findall(r"[\d.]+", exact.get("d")))
    middle = (TOP + BOTTOM) / 2
    assert y2 == TOP  # 16 discs is the edge of the field
    assert y1 == pytest.approx(middle + 12 / 16 * (BOTTOM - middle))
    said = text_of(value_chart(SCORED))
    assert "up to 16 discs" in said
    assert "an estimate (≈)" in said
    assert "an estimate" not in text_of(value_chart(SCORED[2:]))


def test_an_unknown_position_leaves_a_gap():
    points = [*SOLVED[:2], Point("b1", None), *SOLVED[3:]]
    course = drawn(value_chart(points)).find("path[@class='course']").get("d")
    assert course.count("M") == 2
    assert "not known" in text_of(value_chart(points, 2))


def test_the_current_position_is_ringed_and_described_first():
    last, third = value_chart(SOLVED), value_chart(SOLVED, 2)
    assert "Move 4, <b>3: loss in 3 for the first player." in text_of(last)
    assert "Move 2, b1: win in 5 for the first player." in text_of(third)
    at = [float(drawn(chart).find("circle[@class='here']").get("cx")) for chart in (third, last)]
    assert at[0] < at[1]


def test_a_finished_game_is_won_and_not_in_0_plies():
    lost = text_of(value_chart([Point("", Evaluation("loss", 0))]))
    assert "Start: second player wins." in lost
    assert "in 0" not in text_of(value_chart([Point("", Evaluation("win", 0))]))


def test_a_game_of_thousands_of_moves_is_one_line_without_marks():
    points = [Point(f"m{n}", Evaluation("win" if n % 2 else "loss", 5)) for n in range(3000)]
    chart = value_chart(points)
    assert len(drawn(chart)) < 12
    assert "and 2988 more changes" in text_of(chart)
