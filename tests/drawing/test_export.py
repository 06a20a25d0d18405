"""Pictures in files: each kind can be opened again and holds the drawing."""

import io
import re
import zlib
from xml.etree import ElementTree

import pytest
from PIL import Image

from parlour.core.errors import BadFile
from parlour.drawing.export import SHARP, pdf, png, write_picture
from parlour.drawing.shapes import (
    INK,
    PAPER,
    VERMILION,
    Drawing,
    Polygon,
    Polyline,
    Rect,
    TextLine,
    circle,
)

PICTURE = Drawing(
    100,
    60,
    "Fish & <chips>",
    "about",
    (
        Rect(10, 10, 20, 20, VERMILION, radius=3),
        Rect(40, 10, 20, 20, VERMILION),
        circle(75, 20, 10, INK, VERMILION),
        Polygon(((0, 60), (10, 50), (20, 60)), INK, VERMILION),
        Polyline(((0, 45), (100, 45))),
        Polyline(((5, 5),)),
        TextLine(50, 55, "née × 12 ● ≈", 12, "middle", 600),
    ),
)


def objects(data):
    """The objects of a PDF, found by its own table of where they begin."""
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", data)[1])
    head, _, rest = data[start:].partition(b"\ntrailer\n")
    lines = head.split(b"\n")
    assert lines[0] == b"xref"
    assert lines[1].split() == [b"0", str(len(lines) - 2).encode()]
    assert all(len(line) == 19 for line in lines[2:])  # 20 bytes with the end of the line
    assert f"/Size {len(lines) - 2} ".encode() in rest
    found = {}
    for number, line in enumerate(lines[3:], 1):
        place = int(line.split()[0])
        assert data[place:].startswith(b"%d 0 obj\n" % number)
        found[number] = data[place : data.index(b"\nendobj\n", place)]
    return found


def commands(data):
    """What each page draws, uncompressed."""
    pages = []
    for body in objects(data).values():
        stream = re.search(rb"/Length (\d+) .*?stream\n(.*)\nendstream$", body, re.DOTALL)
        if stream:
            assert len(stream[2]) == int(stream[1])
            pages.append(zlib.decompress(stream[2]).decode())
    return pages


def test_every_object_of_a_pdf_is_where_its_table_says():
    found = objects(pdf([PICTURE] * 3))
    assert len(found) == 4 + 2 * 3
    assert b"/Count 3 " in found[2]
    assert re.findall(rb"(\d+) 0 R", found[2]) == [b"5", b"7", b"9"]
    assert all(b"/Type /Page " in found[number] for number in (5, 7, 9))
    assert all(b"/MediaBox [0 0 100 60]" in found[number] for number in (5, 7, 9))


def test_a_pdf_says_the_words_in_letters_that_helvetica_has():
    [page] = commands(pdf([PICTURE]))
    [words] = re.findall(r"<([0-9a-f]*)> Tj", page)
    assert bytes.fromhex(words).decode("cp1252") == "née × 12 • ~"
    assert page.count(" c ") == 4 + 4  # a circle and a round rectangle


def test_letters_that_no_font_has_become_question_marks():
    [page] = commands(pdf([Drawing(9, 9, "", "", (TextLine(0, 0, "中ő\n"),))]))
    assert bytes.fromhex(re.search(r"<([0-9a-f]*)> Tj", page)[1]) == b"?o?"


def test_a_text_that_ends_somewhere_begins_its_own_width_before():
    [page] = commands(pdf([Drawing(99, 9, "", "", (TextLine(50, 5, "00", 10, "end"),))]))
    assert "1 0 0 -1 38.88 5.00 Tm" in page  # a figure is 5.56 wide


def test_a_png_has_the_size_and_the_colours_of_the_drawing():
    image = Image.open(io.BytesIO(png(PICTURE)))
    assert image.size == (100 * SHARP, 60 * SHARP)

    def at(x, y):
        return "#{:02X}{:02X}{:02X}".format(*image.getpixel((x * SHARP, y * SHARP)))

    assert at(20, 20) == at(50, 20) == VERMILION
    assert at(75, 20) == at(10, 57) == INK
    assert at(98, 3) == PAPER
    assert at(50, 45) == INK
    words = image.crop((20 * SHARP, 46 * SHARP, 90 * SHARP, 60 * SHARP))
    assert len(words.getcolors(10_000)) > 2


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "SVG"])
def test_the_ending_decides_the_format(tmp_path, ending):
    path = tmp_path / f"it.{ending}"
    assert write_picture(PICTURE, path) == [path]
    begins = {"svg": b"<svg ", "png": b"\x89PNG", "pdf": b"%PDF-1.4"}[ending.lower()]
    assert path.read_bytes().startswith(begins)
    assert list(tmp_path.iterdir()) == [path]


def test_several_pages_are_one_pdf_but_several_svgs(tmp_path):
    assert write_picture([PICTURE] * 2, tmp_path / "it.pdf") == [tmp_path / "it.pdf"]
    written = write_picture([PICTURE] * 2, tmp_path / "it.svg")
    assert written == [tmp_path / "it-1.svg", tmp_path / "it-2.svg"]
    for path in written:
        assert ElementTree.parse(path).getroot()[0].text == PICTURE.title  # noqa: S314  # our own
    assert write_picture([PICTURE], tmp_path / "one.svg") == [tmp_path / "one.svg"]


@pytest.mark.parametrize("name", ["it.jpg", "it", ".svg"])
def test_other_endings_are_refused_in_a_sentence(tmp_path, name):
    with pytest.raises(BadFile, match=r"name it \.svg, \.png or \.pdf$"):
        write_picture(PICTURE, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_place_where_nothing_can_be_written_is_refused_with_the_reason(tmp_path):
    (tmp_path / "it.svg").mkdir()
    with pytest.raises(BadFile, match=r"it\.svg"):
        write_picture(PICTURE, tmp_path / "it.svg")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match=r"Not a directory|exists"):
        write_picture(PICTURE, tmp_path / "file" / "it.svg")


def test_a_drawing_that_fails_leaves_the_old_file(tmp_path):
    path = tmp_path / "it.pdf"
    write_picture(PICTURE, path)
    before = path.read_bytes()
    with pytest.raises(KeyError):
        write_picture(Drawing(9, 9, "", "", (TextLine(0, 0, "x", anchor="nowhere"),)), path)
    assert path.read_bytes() == before
