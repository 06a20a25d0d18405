"""The page of a judgement: one HTML file that needs nothing from outside, to read or to print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlour import boards
from parlour.arena.judging.results import (
    FIGURES,
    Comparison,
    Finding,
    Judgement,
    LearningCurve,
    chart_course,
    chart_kinds,
    describe_asking,
    format_chosen,
    format_number,
    format_share,
    format_value,
    list_figures,
)
from parlour.arena.judging.situations import DISCS
from parlour.arena.report import render_page
from parlour.core import BadOption, capital, protocol

PICTURES = 12  # positions that are drawn
MAX_LISTED = 200  # positions in the table


def render_judgement(
    found: Judgement | Comparison | LearningCurve, *, date: str = "", site: str = ""
) -> str:
    """Return the page of a judgement, of a comparison, or of a learning curve.

    `site` is the address of a web site, such as `http://127.0.0.1:8000`, on which the positions are
    opened.
    """
    if isinstance(found, Judgement):
        judgements = [found]
    elif isinstance(found, Comparison):
        judgements = [found.first, found.second]
    elif isinstance(found, LearningCurve):
        judgements = list(found.judgements.values())
    else:
        raise BadOption("found", found, "it must be what parlour.judge or compare() returns")
    curve = found if isinstance(found, LearningCurve) else None
    detailed = judgements[-1:] if curve else judgements
    first = detailed[0]
    title = " and ".join(each.agent for each in detailed)
    if curve:
        title = f"{len(curve)} checkpoints"
    return render_page(
        "judgement.html",
        title=f"{title} judged",
        lead=[capital(protocol.full_title(first.game)), *([date] if date else [])],
        judgements=judgements,
        detailed=detailed,
        first=first,
        comparison=found if isinstance(found, Comparison) else None,
        curve=curve,
        scope=first.describe_scope(),
        asking=[(each.agent, describe_asking(each)) for each in detailed],
        discs=first.scope.unit == DISCS,
        heads=_leave_out_plies([capital(name) for name in FIGURES], first),
        rows=[_leave_out_plies(list_figures(each), first) for each in judgements],
        curve_charts=[curve.chart(), curve.chart_regret()] if curve else [],
        kinds_chart=chart_kinds(detailed) if first.by_kind else None,
        courses=_draw_courses(detailed),
        mistakes=[(each, _list_mistakes(each, site)) for each in detailed],
        pictures=PICTURES,
        share=format_share,
        number=format_number,
    )


def _leave_out_plies(row: Sequence[str], found: Judgement) -> list[str]:
    """Return a row under `FIGURES`, without plies where nothing is measured in them."""
    return [*row[:4], *row[6:]] if found.scope.unit == DISCS else list(row)


def _draw_courses(judgements: Sequence[Judgement]) -> list[Any]:
    return [
        chart_course(judgements, by)
        for by, groups in (("depth", judgements[0].by_depth), ("plies", judgements[0].by_distance))
        if any(figures.critical for figures in groups.values())
    ]


def _list_mistakes(found: Judgement, site: str) -> list[dict[str, Any]]:
    rows = []
    for place, finding in enumerate(found.mistakes[:MAX_LISTED]):
        row = found.describe_finding(finding)
        more = {
            "value": format_value(row),
            "choice": format_chosen(row),
            "picture": _draw_position(found, finding) if place < PICTURES else "",
            "link": site.rstrip("/") + row["address"] if site else "",
        }
        rows.append({**row, **more})
    return rows


def _draw_position(found: Judgement, finding: Finding) -> Any:
    import markupsafe

    drawn = boards.Picture(found.game, finding.situation.state).to_svg()
    return markupsafe.Markup(drawn)  # noqa: S704 - our own SVG, escaped
