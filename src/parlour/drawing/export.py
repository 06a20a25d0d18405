"""Pictures as files: SVG, PNG by resvg, and PDF written here, one page per picture.

A PDF needs little: numbered objects, a stream of drawing commands for every page, and a table that
says where each object begins. Its letters are Helvetica, which every reader has.
"""

from __future__ import annotations

import io
import re
import tempfile
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from parlour.core import BadFile, files
from parlour.drawing import shapes

BOLD = re.compile(r'font-size="([\d.]+)" font-weight="[6-9]00" fill="(#\w+)"')
SHARP = 2  # pixels of a PNG to a point, so that it stays sharp on fine screens and on paper
ROUND = 0.5523  # how far to reach along the tangents for a quarter of a circle
INSTEAD = {"×": "x", "●": "•", "•": "*", "–": "-", "—": "-", "−": "-", "≈": "~", "’": "'"}


def write_picture(pages: shapes.Drawing | Sequence[shapes.Drawing], path: Path) -> list[Path]:
    """Write one picture or several in the format of the path's ending; return the files written.

    Several pages are one PDF, or one SVG or PNG for each: `name-1.svg`, `name-2.svg`, and so on.
    """
    drawings = [pages] if isinstance(pages, shapes.Drawing) else list(pages)
    ending = check_picture(path)
    if ending == ".pdf":
        files.write_whole(path, pdf(drawings))
        return [path]
    data = (lambda drawing: shapes.svg(drawing).encode()) if ending == ".svg" else png
    if len(drawings) == 1:
        files.write_whole(path, data(drawings[0]))
        return [path]
    paths = [path.with_stem(f"{path.stem}-{n + 1}") for n in range(len(drawings))]
    for drawing, page in zip(drawings, paths, strict=True):
        files.write_whole(page, data(drawing))
    return paths


def check_picture(path: Path) -> str:
    """Return the ending of a picture's path in lower case; `BadFile` if it cannot be written."""
    ending = path.suffix.casefold()
    if ending not in (".svg", ".png", ".pdf"):
        raise BadFile(f"cannot tell the format of the picture {path}; name it .svg, .png or .pdf")
    files.check_writable(path)
    return ending


def _spell(words: str, known: Callable[[str], bool]) -> str:
    """Replace letters that the font lacks by the nearest that it has."""
    spelling = ""
    for letter in words:
        simple = _find_like(letter, known)
        if not known(simple):
            bare = unicodedata.normalize("NFKD", letter)
            simple = "".join(c for c in bare if c.isascii() and known(c)) or "?"
        spelling += simple
    return spelling


def _find_like(letter: str, known: Callable[[str], bool]) -> str:
    while not known(letter) and letter in INSTEAD:
        letter = INSTEAD[letter]
    return letter


# PNG


def png(drawing: shapes.Drawing) -> bytes:
    """Return the picture as a PNG."""
    from PIL import Image

    data, file = svg_to_png(shapes.svg(drawing), round(drawing.width * SHARP)), io.BytesIO()
    Image.open(io.BytesIO(data)).convert("RGB").save(file, "PNG", dpi=(72 * SHARP, 72 * SHARP))
    return file.getvalue()


def svg_to_png(svg: str, width: int) -> bytes:
    """Return an SVG as a PNG of this width, by resvg, in the font that Pillow brings.

    So it looks the same on every computer; only letters that the font lacks are left to others.
    """
    from resvg_py import svg_to_bytes

    svg = re.sub("<title>.*?</title>|<desc>.*?</desc>", "", svg, flags=re.DOTALL)  # need no font
    svg, complete = _spell_plainly(BOLD.sub(_embolden, svg))
    font = _font()
    family = str(font.getname()[0])
    with tempfile.TemporaryDirectory() as folder:  # resvg reads fonts only from files
        file = Path(folder, "font.ttf")
        file.write_bytes(font.font_bytes)
        return svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(file)],
            font_family=family,
            sans_serif_family=family,
            monospace_family=family,
            skip_system_fonts=complete,
        )


def _embolden(found: re.Match[str]) -> str:
    """Draw letters with an edge, since the font has no bold ones."""
    return f'{found[0]} stroke="{found[2]}" stroke-width="{float(found[1]) / 24:g}"'


@cache
def _font() -> Any:
    """Return Pillow's own font."""
    from PIL import ImageFont

    return ImageFont.load_default(20)


def _spell_plainly(words: str) -> tuple[str, bool]:
    """Replace signs that the font lacks by like ones; also tell whether it has all letters now."""
    words = "".join(_find_like(letter, _in_font) for letter in words)
    return words, all(letter.isspace() or _in_font(letter) for letter in set(words))


@cache
def _in_font(letter: str) -> bool:
    """Whether the font has this letter."""
    font = _font()
    missing = bytes(font.getmask("\ue000")), font.getlength("\ue000")
    return letter == " " or (bytes(font.getmask(letter)), font.getlength(letter)) != missing


# PDF


def pdf(drawings: Sequence[shapes.Drawing]) -> bytes:
    """Return the pictures as the pages of a PDF."""
    pages = [f"{5 + 2 * number} 0 R" for number in range(len(drawings))]
    fonts = "<< /R << {} /BaseFont /Helvetica >> /B << {} /BaseFont /Helvetica-Bold >> >>".format(
        *["/Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding"] * 2
    )
    title = drawings[0].title.encode("utf-16-be").hex() if drawings else ""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(pages)}] >>".encode(),
        f"<< /Font {fonts} >>".encode(),
        f"<< /Title <FEFF{title}> >>".encode(),
    ]
    for number, drawing in enumerate(drawings):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /Resources 3 0 R /Contents {6 + 2 * number} 0 R "
            f"/MediaBox [0 0 {drawing.width:g} {drawing.height:g}] >>".encode()
        )
        body = zlib.compress("\n".join(_page(drawing)).encode("latin-1"), 9)
        head = f"<< /Length {len(body)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + body + b"\nendstream")
    file = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, body in enumerate(objects):
        places.append(len(file))
        file += f"{number + 1} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    trailer = (
        f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {len(places) + 1} /Root 1 0 R /Info 4 0 R >>\n"
        f"startxref\n{len(file)}\n%%EOF\n"
    )
    return bytes(file) + trailer.encode()


def _page(drawing: shapes.Drawing) -> Iterator[str]:
    """Yield the commands that draw a page; the second turns y downwards."""
    yield "1 J 1 j"
    yield f"1 0 0 -1 0 {drawing.height:g} cm"
    yield from _outline(shapes.Rect(0, 0, drawing.width, drawing.height, drawing.paper))
    for shape in drawing.plain():
        yield from _write_text(shape) if isinstance(shape, shapes.TextLine) else _outline(shape)


def _rgb(colour: str) -> str:
    return " ".join(f"{value / 255:.3g}" for value in shapes.channels(colour))


def _write_text(text: shapes.TextLine) -> Iterator[str]:
    """Yield the command that writes a text upright, in an encoding of one byte per letter."""
    words = _spell(text.words, lambda c: bool(c.encode("cp1252", "ignore")) and c.isprintable())
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor]
    x = text.x - shift * shapes.text_width(words, text.size, text.weight)
    font = "B" if text.weight >= shapes.BOLD else "R"
    yield (
        f"BT {_rgb(text.colour)} rg /{font} {text.size:g} Tf 1 0 0 -1 {x:.2f} {text.y:.2f} Tm "
        f"<{words.encode('cp1252').hex()}> Tj ET"
    )


def _outline(shape: shapes.Shape) -> Iterator[str]:
    """Yield the commands for a figure's outline and how it is painted."""
    if isinstance(shape, shapes.TextLine):
        return
    fill = "" if isinstance(shape, shapes.Polyline) else shape.fill
    if fill:
        yield f"{_rgb(fill)} rg"
    if shape.edge:
        yield f"{_rgb(shape.edge)} RG {shape.thick:g} w"
    if isinstance(shape, shapes.Rect | shapes.Ellipse):
        yield _outline_frame(shape)
    else:
        yield " ".join(
            f"{x:.2f} {y:.2f} {'l' if number else 'm'}"
            for number, (x, y) in enumerate(shape.points)
        ) + ("" if isinstance(shape, shapes.Polyline) else " h")
    yield ("n", "S", "f", "B")[2 * bool(fill) + bool(shape.edge)]


def _outline_frame(shape: shapes.Rect | shapes.Ellipse) -> str:
    """A frame with corners rounded by Bézier curves; an ellipse is nothing but its corners."""
    if isinstance(shape, shapes.Ellipse):
        a, b = shape.across, shape.down
        x, y, wide, high = shape.x - a, shape.y - b, 2 * a, 2 * b
    else:
        x, y, wide, high = shape.x, shape.y, shape.width, shape.height
        a = b = min(shape.radius, wide / 2, high / 2)
    if not a:
        return f"{x:.2f} {y:.2f} {wide:.2f} {high:.2f} re"
    right, low = x + wide, y + high
    i, j = a * (1 - ROUND), b * (1 - ROUND)
    parts = [f"{x + a:.2f} {y:.2f} m"]
    for to, *curve in (
        ((right - a, y), (right - i, y), (right, y + j), (right, y + b)),
        ((right, low - b), (right, low - j), (right - i, low), (right - a, low)),
        ((x + a, low), (x + i, low), (x, low - j), (x, low - b)),
        ((x, y + b), (x, y + j), (x + i, y), (x + a, y)),
    ):
        parts.append(f"{to[0]:.2f} {to[1]:.2f} l")
        parts.append(" ".join(f"{px:.2f} {py:.2f}" for px, py in curve) + " c")
    return " ".join(parts) + " h"
