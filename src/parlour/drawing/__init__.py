"""Pictures as values: shapes and charts, and their export to SVG, PNG and PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.drawing.export import (
        check_picture as check_picture,
        write_picture as write_picture,
    )
    from parlour.drawing.shapes import (
        BLUE as BLUE,
        GREY as GREY,
        INK as INK,
        LINE as LINE,
        PAPER as PAPER,
        QUIET as QUIET,
        VERMILION as VERMILION,
        WHITE as WHITE,
        Drawing as Drawing,
        Ellipse as Ellipse,
        Group as Group,
        Polygon as Polygon,
        Polyline as Polyline,
        Rect as Rect,
        Shape as Shape,
        Text as Text,
        circle as circle,
        fitting as fitting,
        line as line,
        readable_on as readable_on,
        svg as svg,
        text_width as text_width,
        tinted as tinted,
        wrapped as wrapped,
    )
else:
    __getattr__ = export(
        __name__,
        {
            "export": "check_picture write_picture",
            "shapes": (
                "BLUE Drawing Ellipse GREY Group INK LINE PAPER Polygon Polyline QUIET Rect Shape "
                "Text VERMILION WHITE circle fitting line readable_on svg text_width tinted "
                "wrapped"
            ),
        },
    )
