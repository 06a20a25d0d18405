"""Drawings become well-formed SVG, and texts fit into their places."""

from xml.etree import ElementTree

import pytest

from parlour.drawing.shapes import (
    INK,
    WHITE,
    Drawing,
    Polygon,
    Polyline,
    Rect,
    TextLine,
    circle,
    fit_size,
    readable_on,
    svg,
    text_width,
    wrap,
)

SVG = "{http://www.w3.org/2000/svg}"
ALL = (
    Rect(1, 2, 3, 4, WHITE, INK, radius=2),
    circle(5, 6, 7, WHITE),
    Polygon(((0, 0), (1, 1), (2, 0)), INK),
    Polyline(((0, 0), (9.5, 9.25))),
    TextLine(10, 11, "fish & <chips>", 12, "middle", 600),
)


def read(drawing):
    return ElementTree.fromstring(svg(drawing))  # noqa: S314  # our own


def test_every_shape_is_an_element_and_later_ones_lie_over_earlier_ones():
    root = read(Drawing(30, 20, "A title", "What there is to see", ALL))
    names = [element.tag.removeprefix(SVG) for element in root]
    assert names == ["title", "desc", "rect", "rect", "ellipse", "polygon", "polyline", "text"]
    assert (root.get("role"), root.get("viewBox")) == ("img", "0 0 30 20")
    assert root[6].get("points") == "0,0 9.5,9.25"
    assert root[6].get("fill") == "none"


def test_names_with_marks_of_xml_are_escaped_wherever_they_stand():
    name = "R&D <b>\"x\" 'y'</b>"
    root = read(Drawing(9, 9, name, name, (TextLine(0, 0, name),)))
    assert [element.text for element in root if element.tag != f"{SVG}rect"] == [name] * 3


def test_letters_that_xml_forbids_are_left_out():
    root = read(Drawing(9, 9, "a\x00b\x1b", "", (TextLine(0, 0, "\x07bell"),)))
    assert root[0].text == "ab"
    assert root[-1].text == "bell"


def test_nothing_comes_from_outside():
    text = svg(Drawing(9, 9, "t", "a", ALL)).replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not any(word in text for word in ("http", "href", "url(", "@import"))


def test_text_is_as_wide_as_helvetica_sets_it():
    assert text_width("Hi", 1000) == 722 + 222  # from Adobe's table of widths
    assert text_width("Hi", 1000, 600) == 722 + 278
    assert text_width("1,000", 10) == pytest.approx(4 * 5.56 + 2.78)


def test_wrapped_lines_hold_all_words_and_none_is_too_wide():
    words = "one bead of each kind for every turn " * 5
    lines = wrap(words, 100, 10)
    assert " ".join(lines).split() == words.split()
    assert len(lines) > 1
    assert all(text_width(part, 10) <= 100 for part in lines)
    assert wrap("", 100) == []


def test_a_text_is_made_smaller_until_it_fits_but_never_larger():
    assert fit_size("a", 100, 10) == 10
    assert text_width("mmmmmmmm", fit_size("mmmmmmmm", 20, 10)) == pytest.approx(20)


def test_letters_on_a_colour_can_be_read():
    assert readable_on("#F0E442") == INK
    assert readable_on("#0072B2") == WHITE
    assert readable_on(INK) == WHITE
