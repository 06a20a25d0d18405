"""Pictures as values: shapes and charts, and their export to SVG, PNG and PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.drawing.axis import Axis, LogAxis, label_line, marker, spread
    from parlour.drawing.export import check_picture, pdf, svg_to_png, write_picture
    from parlour.drawing.shapes import (
        BLUE,
        GREY,
        INK,
        LINE,
        PAPER,
        QUIET,
        VERMILION,
        WHITE,
        Drawing,
        Ellipse,
        Group,
        Polygon,
        Polyline,
        Rect,
        Shape,
        TextLine,
        circle,
        elements,
        fit_size,
        line,
        readable_on,
        svg,
        text_width,
        tint,
        wrap,
    )
else:
    __getattr__ = export(__name__)
