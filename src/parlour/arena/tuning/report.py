"""The report of a tuning: one page with its pictures, that needs nothing from outside."""

from __future__ import annotations

from collections.abc import Iterable

from parlour.arena.plots import inline
from parlour.arena.report import PAGE, STYLE, grid, paragraph, section, told
from parlour.arena.tuning.plots import MOST_BARS, against, bars, board, progress
from parlour.arena.tuning.search import TuningResult
from parlour.arena.tuning.summary import (
    describe_best,
    describe_faults,
    format_option,
    games,
    interval,
    likely,
    numbers,
    shown_options,
    signed,
    title,
    verdict,
)
from parlour.core import count, declared
from parlour.drawing import Drawing

PAIRS = """
.verdict { font-size: 1.25rem; margin-top: 24px; }
.pair { display: flex; flex-wrap: wrap; gap: 8px 40px; align-items: flex-start; }
.pair figure { margin: 0; max-width: 100%; }
.pair figure svg { width: auto; min-width: 0; max-width: 100%; }
figcaption { font-weight: 600; }
"""


def render_report(tuned: TuningResult, *, date: str) -> str:
    """The page."""
    fresh = "" if tuned.match is None else f" and {count(len(tuned.match.games), 'fresh game')}"
    lead = [games(tuned) + fresh, date]
    lead.append(f"varied: {', '.join(sorted(tuned.task.vary))}")
    lead.append(f"seed {tuned.task.seed}")
    parts = [
        paragraph(told(verdict(tuned)), "verdict"),
        paragraph(told(describe_faults(tuned)), "remark") if describe_faults(tuned) else "",
        section("strength", "Who won, and how far that leads", *_strength(tuned)),
        section("changes", "What changed", *_changes(tuned)),
        section(
            "play", "To play against the best", f"<pre>{told(describe_best(tuned)['play'])}</pre>"
        ),
        section("standings", "Standings", _standings(tuned)),
    ]
    return PAGE.format(
        title=told(title(tuned)),
        style=STYLE.read_text(encoding="utf-8") + PAIRS,
        lead=" · ".join(map(told, lead)),
        parts="\n".join(part for part in parts if part),
    )


def _strength(tuned: TuningResult) -> Iterable[str]:
    last, base = tuned.generations[-1], told(tuned.task.bot.name)
    number = f" of generation {last.number}" if last.number > 1 else ""
    most = f", the first {MOST_BARS}" if len(last.variants) > MOST_BARS else ""
    yield '<div class="pair">'
    yield _figure(bars(last), f"Wins{number}{most}")
    yield _figure(progress(tuned), f"Elo points of the best above {base}")
    if name := _alone(tuned):
        yield _figure(against(last, name), f"Elo points above {base}, by {told(name)}")
    yield "</div>"
    yield paragraph(
        "The lines hold the truth 95 times of 100. Whoever comes first of many was lucky too, so "
        "the best of a generation looks better than it is."
        + (
            " The fresh games were played after it was chosen: they are the honest measure."
            if tuned.match
            else ""
        )
    )


def _alone(tuned: TuningResult) -> str:
    """The option that holds the only number that varies, if it is the only one."""
    names = shown_options(tuned)
    only = len(names) == 1 and len(numbers(tuned.task.bot, names[0])) == 1
    return names[0] if only else ""


def _changes(tuned: TuningResult) -> Iterable[str]:
    """Tables of squares as boards; everything else as before and after."""
    before, after, game = tuned.task.bot, tuned.best.variant.bot, tuned.task.game
    if tuned.match is None:
        yield paragraph("Nothing: the bot you began with is the best.")
        return
    columns, rows = (int(getattr(game, name, 0)) for name in ("columns", "rows"))
    boards, lines = [], []
    for name in sorted(tuned.task.vary, key=list(declared(type(before))).index):
        opt, old, new = declared(type(before))[name], getattr(before, name), getattr(after, name)
        if opt.depth == 1 and len(new) == columns * rows:
            boards.append(_figure(board(name, old, new, columns, rows), told(name)))
        else:
            lines.append((told(name), [told(opt.write(old)), told(opt.write(new))]))
    if boards:
        yield from ['<div class="pair">', *boards, "</div>"]
        yield paragraph(
            f"What each square is worth to {told(tuned.best.variant.name)}, and by how much that "
            f"is more or less than to {told(before.name)}."
        )
    if lines:
        heads = ["Option", told(before.name), told(tuned.best.variant.name)]
        yield grid("Options before and after", heads, lines, "figures")


def _standings(tuned: TuningResult) -> str:
    last, names = tuned.generations[-1], shown_options(tuned)
    rows = []
    for place, each in enumerate(last.standings, start=1):
        head = f'<span class="place">{place}</span> {told(each.variant.name)}'
        cells = [told(format_option(each.variant.bot, name)) for name in names]
        cells += [f"<td><strong>{each.wins}</strong></td>", f"{each.draws}", f"{each.losses}"]
        if each.lead is None:
            cells += ["0", "", "", ""]
        else:
            cells += [signed(each.lead.elo), interval(each.lead), likely(each.lead.likelihood)]
            cells.append(told(each.variant.parent))
        rows.append((head, cells))
    base = told(last.variants[0].name)
    heads = ["Bot", *map(told, names), "Won", "Drawn", "Lost", f"Elo above {base}", "95 % interval"]
    return grid("Standings", [*heads, "Likely stronger", "Neighbour of"], rows, "standings")


def _figure(drawing: Drawing, caption: str) -> str:
    return f"<figure>\n<figcaption>{caption}</figcaption>\n{inline(drawing)}</figure>"
