"""Pictures of what hats hold: the charts, the boxes and the labels say what is so."""

import re
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import parlour
from parlour.core.errors import ParlourError
from parlour.drawing.shapes import Ellipse, Polyline, TextLine, svg, text_width
from parlour.learn import pictures
from parlour.learn.hat_set import HATS, MENACE, Hats, Odds, Point, list_boxes
from parlour.learn.pictures import (
    A4,
    COLOURS,
    count_beads,
    draw_box,
    format_box,
    format_percent,
    make_sheets,
    to_letters,
)
from parlour.learn.summary import BOTTOM, RIGHT, TOP, draw_chart, list_curves, plot_text


def fresh(name, rule=HATS, how=None, **options):
    return Hats(list_boxes(parlour.game(name, **options)), rule, **(how or {}))


@pytest.fixture(scope="module")
def menace():
    return fresh("tictactoe", MENACE, {"starts": "first"})


def fill(hats, row, box, held):
    first = hats.boxes.first[box]
    for place, balls in enumerate(held):
        hats.balls[row][first + place] = balls


def words(drawing):
    return [shape.words for shape in drawing.shapes if isinstance(shape, TextLine)]


def measured(point, seats=(0, 1), random=0.75, perfect=0.25):
    games, right, of, chance = point
    fortunes = [Odds("random", s, random, 0, 1 - random) for s in seats]
    fortunes += [Odds("perfect", s, 0, 2 * perfect, 1 - 2 * perfect) for s in seats]
    return Point(games, right, of, chance, tuple(fortunes))


# Charts


@pytest.fixture
def learned():
    hats = fresh("sticks")
    hats.curves[0] = [
        measured((0, 0, 15, 1 / 3)),
        measured((10, 3, 15, 0.4)),
        measured((1000, 12, 15, 0.8)),
    ]
    hats.games = 1000
    return hats


def test_the_chart_says_the_four_measures_at_their_ends(learned):
    said = words(draw_chart(learned, 0))
    assert said[0] == "Player 1's hats for sticks, at either seat"
    assert "1,000 games against another who learns too" in said[1]
    assert {
        "likeliest ball is right 80%",
        "chance of a right ball 80%",
        "score against random 75%",
        "score against perfect 25%",
    } <= set(said)
    assert {"0", "10", "100", "1,000", "0%", "100%"} <= set(said)


def test_the_title_names_the_player_of_the_hats():
    for how, row, title in (
        ({}, 1, "Player 2's hats for tictactoe, at either seat"),
        ({"starts": "first"}, 1, "Player 2's hats for tictactoe, as player 2 (O)"),
        ({"against": "itself"}, 0, "Hats for tictactoe, at either seat"),
        ({"against": "random", "starts": "first"}, 0, "Hats for tictactoe, as player 1 (X)"),
    ):
        hats = fresh("tictactoe", how=how)
        assert draw_chart(hats, row).title == title
        assert plot_text(hats, row).startswith(title)


@pytest.mark.parametrize(
    ("right", "random", "perfect"),
    [(12, 0.8, 0.4), (12, 0.81, 0.395), (0, 0, 0), (15, 1, 0.98)],
)
def test_labels_of_lines_that_end_together_do_not_overlap(learned, right, random, perfect):
    point = (1000, right, 15, right / 15)
    learned.curves[0][-1] = measured(point, random=random, perfect=perfect)
    picture = draw_chart(learned, 0)
    labels = [s for s in picture.shapes if isinstance(s, TextLine) and s.words.endswith("%")]
    labels = [s for s in labels if s.x > RIGHT]
    heights = sorted(label.y for label in labels)
    assert len(heights) == 4
    assert all(b - a >= 13 for a, b in pairwise(heights))
    assert heights[0] >= TOP
    assert heights[-1] <= BOTTOM + 6
    assert all(s.x + text_width(s.words, s.size) < picture.width - 8 for s in labels)


def test_a_score_is_the_average_over_the_seats():
    point = Point(5, 1, 2, 0.5, (Odds("random", 0, 1, 0, 0), Odds("random", 1, 0, 0.5, 0.5)))
    [*_, score] = list_curves([point])
    assert score.values == ((1 + 0.25) / 2,)
    found = list_curves([measured((0, 0, 0, 0.0))])  # where no ball can be wrong
    assert [c.words for c in found] == ["score against random", "score against perfect"]


def test_the_chart_in_the_terminal_keeps_its_width_and_shows_every_mark(learned):
    text = plot_text(learned, 0)
    assert max(map(len, text.splitlines())) <= 72
    rows = [row for row in text.splitlines() if row[5:6] == "|"]
    assert len(rows) == 11
    assert rows[0].startswith("100% |")
    assert rows[5].startswith(" 50% |")
    assert rows[8][-1] == rows[8][6] == "x"  # the perfect player leaves 25%, and 2 of 10 is nearest
    assert set("".join(row[6:] for row in rows)) == set("o#+x ")
    assert "in 12 of 15 situations" in text


@pytest.mark.parametrize("points", [[], [measured((0, 0, 15, 1 / 3))], [measured((3, 0, 15, 0.5))]])
def test_hats_that_have_learned_little_can_be_charted(points):
    hats = fresh("sticks")
    hats.curves[0] = points
    ElementTree.fromstring(svg(draw_chart(hats, 0)))  # noqa: S314  # our own
    assert ("nothing is measured yet" in plot_text(hats, 0)) == (not points)


# Boxes


def test_a_hat_shows_its_balls_and_their_chances():
    hats = fresh("sticks")
    box = hats.boxes.find((0, 3, 7))
    fill(hats, 0, box, [4, 12, 5])  # 21 in all
    said = Counter(words(draw_box(hats, 0, box)))
    assert (said["1"], said["2"], said["3"]) == (4 + 1, 12 + 1, 5 + 1)  # and once in the list
    assert {"hat 7", "×4", "×12", "×5", "19%", "57%", "24%"} <= set(said)
    fill(hats, 0, box, [1, 4812, 2406])  # too many to draw: twelve and a number
    said = Counter(words(draw_box(hats, 0, box)))
    assert (said["1"], said["2"], said["3"]) == (1 + 1, 12 + 1, 6 + 1)
    assert {"×4,812", "×1", "<1%", "67%"} <= set(said)


def test_a_matchbox_shows_its_beads_in_the_drawer_and_on_their_squares(menace):
    box = menace.own_boxes(0)[0]
    fill(menace, 0, box, [2, 0, 5])
    said = Counter(words(draw_box(menace, 0, box)))
    assert (said["a1"], said["b1"], said["b2"]) == (2 + 2, 0 + 2, 5 + 2)  # board, drawer, list
    assert {"Box 1", "×2", "×0", "×5", "29%", "0%", "71%"} <= set(said)
    fill(menace, 0, box, [4, 4, 4])


def test_a_bead_has_the_colour_of_its_square_in_every_box(menace):
    colours = {}
    for row in (0, 1):
        for box in menace.own_boxes(row)[:60]:
            shapes = draw_box(menace, row, box).shapes
            for shape, text in pairwise(shapes):
                if isinstance(text, TextLine) and re.fullmatch("[abc][123]", text.words):
                    colours.setdefault(text.words, set()).add(shape.fill)
    assert all(len(fills) == 1 for fills in colours.values())
    assert len({*map(min, colours.values())}) == len(colours) == len({*COLOURS.values()}) == 9


def test_the_lid_shows_the_marks_of_the_position(menace):
    for box in (*menace.own_boxes(0)[:40], *menace.own_boxes(1)[:40]):
        row = menace.boxes.seats[box]
        text = menace.game.write(menace.boxes.states[box])[:9]
        shapes = draw_box(menace, row, box).shapes
        strokes = [s for s in shapes if isinstance(s, Polyline) and s.thick > 4]
        rings = [s for s in shapes if isinstance(s, Ellipse) and not s.fill]
        assert (len(strokes), len(rings)) == (2 * text.count("X"), text.count("O"))
        for one, other in zip(strokes[::2], strokes[1::2], strict=True):  # they cross
            ((left, top), (right, bottom)), (low, high) = one.points, other.points
            assert right - left == pytest.approx(bottom - top)
            assert (*low, *high) == pytest.approx((left, bottom, right, top))


def test_an_empty_box_says_that_its_player_gives_up(menace):
    box = menace.own_boxes(0)[3]
    before = menace.contents(0, box)
    fill(menace, 0, box, [0] * len(before))
    assert "empty" in words(draw_box(menace, 0, box))
    assert "gives up" in format_box(menace, 0, box)
    fill(menace, 0, box, before)


def test_other_games_name_their_moves():
    hats = fresh("nim")
    said = words(draw_box(hats, 0, 0))
    assert {"3,4,5:1", "1 from 1", "5 from 3", "A", "L"} <= set(said)
    assert len(hats.boxes.balls[0]) == 12


def test_a_box_in_plain_text_has_the_board_and_a_line_for_every_kind(menace):
    box = menace.own_boxes(0)[0]
    fill(menace, 0, box, [1, 3000, 1500])
    lines = format_box(menace, 0, box).splitlines()
    assert menace.game.draw(menace.game.start()) in "\n".join(lines)
    assert [line.split() for line in lines[-3:]] == [
        ["a1", "●", "1", "<1%"],
        ["b1", "●" * 30, "3,000", "67%"],
        ["b2", "●" * 15, "1,500", "33%"],
    ]
    assert len({*map(len, lines[-3:])}) == 1
    fill(menace, 0, box, [4, 4, 4])


def test_a_chance_is_never_rounded_to_never_or_always():
    chances = {0: "0%", 0.001: "<1%", 0.08: "8%", 0.5: "50%", 0.999: ">99%", 1: "100%"}
    assert {chance: format_percent(chance) for chance in chances} == chances


def test_letters_go_on_after_z():
    assert [to_letters(n) for n in (0, 25, 26, 27, 52)] == ["A", "Z", "AA", "AB", "BA"]


# Labels


@pytest.mark.parametrize(("row", "boxes_of_it"), [(0, 304), (1, 289)])
def test_every_box_of_menace_has_one_label(menace, row, boxes_of_it):
    pages = make_sheets(menace, row)
    numbers = []
    for page in pages:
        assert (page.width, page.height) == A4
        said = words(page)
        numbers += [int(said[at + 1]) for at, word in enumerate(said) if word == "box"]
    # A board's words come before its box: every number stands right after the word.
    assert numbers == list(range(1, boxes_of_it + 1))
    turns = Counter(w for page in pages for w in words(page) if w.startswith("turn "))
    if row == 0:
        assert turns == {"turn 1": 1, "turn 2": 12, "turn 3": 108, "turn 4": 183}
    moves = {w for page in pages for w in words(page) if w.endswith(" moves")}
    assert moves == {"XO"[row] + " moves"}


def test_the_shopping_list_is_what_the_fresh_boxes_hold(menace):
    beads = count_beads(menace, menace.own_boxes(0))
    fills = sum(sum(menace.contents(0, box)) for box in menace.own_boxes(0))
    assert sum(beads.values()) == fills
    first = " ".join(words(make_sheets(menace, 0)[0]))
    assert f"304 small matchboxes, {fills:,} beads" in first
    for (_, colour), many in beads.items():
        assert f"{colour} ×{many}" in first


def test_the_lesson_is_that_of_the_rule(menace):
    michie = " ".join(words(make_sheets(menace, 0)[0]))
    for said in ("Won: put each bead back into its box, with 3 more", "with 1 more of its kind"):
        assert said in michie
    assert "Lost: keep each bead out. When a box is empty, give up" in michie
    seed = " ".join(words(make_sheets(fresh("sticks"), 0)[0]))
    assert "Lost: keep each ball out, unless it was the last of its kind in its hat." in seed
    assert "Drawn" not in seed
    assert "give up" not in seed


@pytest.mark.parametrize("sticks", [10, 20, 100])
def test_sticks_have_a_label_for_every_hat_and_balls_enough(sticks):
    hats = fresh("sticks", sticks=sticks)
    *pages, last = make_sheets(hats, 0)
    names = [s.words for p in pages for s in p.shapes if isinstance(s, TextLine) and s.size == 19]
    assert names == [str(n + 1) for n in range(sticks)]
    balls = Counter(w for w in words(last) if w in {"1", "2", "3"})
    printed = re.search(r"printed (\w+)", " ".join(words(pages[0])))[1]
    times = {"once": 1, "twice": 2}[printed]
    assert all(balls[number] * times >= sticks > balls[number] * (times - 1) for number in "123")


@pytest.mark.parametrize("take", [6, 7])
def test_up_to_six_balls_are_drawn_on_the_label_of_a_hat(take):
    texts = [word for page in make_sheets(fresh("sticks", take=take), 0) for word in words(page)]
    assert (f"1 each of 1 to {take}" in texts) == (take > 6)


def test_nothing_on_a_page_to_print_leaves_the_page(menace):
    for hats in (menace, fresh("sticks", take=17), fresh("nim"), fresh("chopsticks")):
        for page in make_sheets(hats, 0):
            ElementTree.fromstring(svg(page))  # noqa: S314  # our own
            for shape in page.shapes:
                if isinstance(shape, TextLine):
                    wide = text_width(shape.words, shape.size, shape.weight)
                    left = shape.x - wide * {"start": 0, "middle": 0.5, "end": 1}[shape.anchor]
                    assert 15 <= left <= left + wide <= A4[0] - 15, shape
                    assert 20 <= shape.y <= A4[1] - 20


def test_more_labels_than_a_class_will_glue_are_refused(monkeypatch):
    monkeypatch.setattr(pictures, "MAX_LABELS", 20)
    assert make_sheets(fresh("sticks", sticks=20), 0)
    with pytest.raises(ParlourError, match="21 boxes, too many to print"):
        make_sheets(fresh("sticks", sticks=21), 0)
