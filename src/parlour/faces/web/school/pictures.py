"""Hats for the browser: a small picture of each of many boxes, and the curve of their training.

Small pictures are seen side by side, so a dozen balls stand for all that a box holds, in
proportion; each is drawn once, in `beads`, and then only put in its places. The curve is as wide as
its place, with letters that stay as large as any others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from parlour.core import State
from parlour.drawing import INK, LINE, PAPER, QUIET, LogAxis, fitting, readable_on
from parlour.faces.web import boards
from parlour.learn import (
    COLOURS,
    Curve,
    Hats,
    Kind,
    are_hats,
    chart_subtitle,
    games_axis,
    list_curves,
    list_kinds,
    mark_balls,
)
from parlour.rules import TicTacToe, by_seat

PLACES = 12  # balls that a small picture has room for
RADIUS = 9
HEAP = (5, 4, 3)  # balls in each layer of a hat, from below
TRAY = 6  # beads in a row of a matchbox
HIGH = 200  # of the curve, in pixels
NEAR = 0.045  # of its width: marks that are nearer to each other are left out
BESIDE = (  # how numbers stand at their places: the first two are near each other
    'text-anchor="end" dx="4"',
    'text-anchor="start" dx="-6"',
    'text-anchor="middle"',
)
SHAPES = (  # the marks of the four measures
    '<circle r="4"/>',
    '<path d="M-3.5-3.5h7v7h-7z"/>',
    '<path d="M0-5 4.8 3.6H-4.8z"/>',
    '<path d="M0-5.2 5.2 0 0 5.2-5.2 0z"/>',
)


# Balls


def beads(hats: Hats, boxes: Iterable[int]) -> str:
    """Every kind of ball in some boxes, drawn once, for `small` to use."""
    found = {kind: None for box in boxes for kind in mark_balls(hats, box)}
    symbols = "".join(_symbol(mark, colour) for mark, colour in found)
    return f'<svg class="hidden" aria-hidden="true"><defs>{symbols}</defs></svg>'


def _symbol(mark: str, colour: str) -> str:
    return f'<g id="{_bead_id(mark, colour)}">{_bead(mark, COLOURS[colour])}</g>'


def _bead_id(mark: str, colour: str) -> str:
    return f"bead-{escape(mark)}-{list(COLOURS).index(colour)}"


def _bead(mark: str, fill: str) -> str:
    size = fitting(mark, 1.5 * RADIUS, 1.3 * RADIUS, 600)
    return (
        f'<circle r="{RADIUS}" fill="{fill}" stroke="{INK}" stroke-width=".8"/>'
        f'<text y="{0.36 * size:.1f}" font-size="{size:.1f}" font-weight="600" '
        f'text-anchor="middle" fill="{readable_on(fill)}">{escape(mark)}</text>'
    )


def ball(kind: Kind) -> str:
    """One ball, to stand in a line of text."""
    drawn = _bead(kind.mark, kind.fill)
    return f'<svg class="ball" viewBox="-10 -10 20 20" aria-hidden="true">{drawn}</svg>'


def sample(held: Sequence[int], places: int = PLACES) -> list[int]:
    """How many balls of each kind to draw in so many places: all, or in proportion.

    Whatever is there is seen at least once, as long as there are places; else the commonest are.
    """
    if sum(held) <= places:
        return list(held)
    first = sorted((kind for kind, balls in enumerate(held) if balls), key=lambda k: -held[k])
    drawn = [0] * len(held)
    for kind in first[:places]:
        drawn[kind] = 1
    left, others = places - sum(drawn), sum(held) - len(first)
    shares = [left * max(0, balls - 1) / others for balls in held]
    for kind, share in enumerate(shares):
        drawn[kind] += int(share)
    by_rest = sorted(range(len(held)), key=lambda k: int(shares[k]) - shares[k])
    for kind in by_rest[: places - sum(drawn)]:
        drawn[kind] += 1
    return drawn


def _used(found: Sequence[Kind], places: Sequence[tuple[float, float]]) -> str:
    """Balls in their places, as many as there are to show."""
    balls = [
        _bead_id(kind.mark, kind.colour)
        for kind, several in zip(found, sample([kind.held for kind in found]), strict=True)
        for _ in range(several)
    ]
    return "".join(
        f'<use href="#{name}" x="{x:g}" y="{y:g}"/>'
        for name, (x, y) in zip(balls, places, strict=False)
    )


# Small boxes


def small(hats: Hats, row: int, box: int) -> str:
    """A box with its balls: a hat for sticks, a matchbox for any other game and for MENACE."""
    found, state = list_kinds(hats, row, box), hats.boxes.states[box]
    if are_hats(hats):
        return _hat(found, str(state[2]))
    if isinstance(hats.game, TicTacToe):
        return _matchbox(found, _board(hats.game, state, found), 112)
    tray = _matchbox(found, "", 0)
    return f'<span class="lid">{boards.picture(hats.game, state)}</span>{tray}'


HAT_BACK = (
    '<ellipse cx="70" cy="58" rx="66" ry="12" fill="#4A4238"/>'
    f'<ellipse cx="70" cy="57" rx="47" ry="7" fill="{INK}"/>'
)
HAT_FRONT = (
    '<path d="M24 62 33 113a37 6 0 0 0 74 0L116 62a46 7 0 0 1-92 0z" fill="#4A4238"/>'
    '<path d="M25.5 70 27.5 81a43 7 0 0 0 85 0L114.500 70a45 7 0 0 1-89 0z" fill="#D55E00"/>'
    '<path d="M4 58a66 12 0 0 0 132 0l-19-1a47 7 0 0 1-94 0z" fill="#5A5146"/>'
)


def _hat(found: Sequence[Kind], name: str) -> str:
    """A hat turned over, the balls heaped in it, and its number."""
    places = [
        (70 + 18 * (place - (layer - 1) / 2), 54 - 16 * level)
        for level, layer in enumerate(HEAP)
        for place in range(layer)
    ]
    return (
        f'<svg viewBox="0 0 140 124" aria-hidden="true">{_paper(140, 124)}{HAT_BACK}'
        f'{_used(found, places)}{HAT_FRONT}<text x="70" y="106" font-size="20" font-weight="600" '
        f'text-anchor="middle" fill="{PAPER}">{escape(name)}</text></svg>'
    )


def _paper(wide: float, high: float) -> str:
    return f'<rect width="{wide}" height="{high}" rx="6" fill="{PAPER}"/>'


def _matchbox(found: Sequence[Kind], lid: str, high: int) -> str:
    """The drawer of a matchbox, pulled out under its lid."""
    places = [(20 + 20 * (at % TRAY), high + 19 + 20 * (at // TRAY)) for at in range(PLACES)]
    empty = ""
    if not any(kind.held for kind in found):
        empty = (
            f'<text x="70" y="{high + 34}" font-size="16" text-anchor="middle" fill="{QUIET}">'
            "empty</text>"
        )
    return (
        f'<svg viewBox="0 0 140 {high + 58}" aria-hidden="true">{_paper(140, high + 58)}'
        f'<rect x="6" y="{high - 4}" width="128" height="56" rx="4" fill="#F4ECD8" '
        f'stroke="#B98B4E" stroke-width="2"/>{_used(found, places)}{empty}{lid}</svg>'
    )


def _board(game: TicTacToe, state: State, found: Sequence[Kind]) -> str:
    """The lid: the board, with a ball on the square that each kind stands for."""
    cell = min(96 / game.columns, 96 / game.rows)
    wide, high = cell * game.columns, cell * game.rows
    left, top = 70 - wide / 2, 56 - high / 2
    across = [f"M{left:.1f} {top + row * cell:.1f}h{wide:.1f}" for row in range(1, game.rows)]
    down = [f"M{left + c * cell:.1f} {top:.1f}v{high:.1f}" for c in range(1, game.columns)]
    first, second = by_seat(state[0], state[1], state[2])
    drawn = []
    for square, bit in game.board.bits.items():
        x, y = left + (square[0] + 0.5) * cell, top + (square[1] + 0.5) * cell
        reach, size = 0.26 * cell, 0.68 * cell / (2 * RADIUS)
        if first & bit:
            cross = f"M{x - reach:.1f} {y - reach:.1f}l{2 * reach:.1f} {2 * reach:.1f}"
            cross += f"M{x - reach:.1f} {y + reach:.1f}l{2 * reach:.1f} {-2 * reach:.1f}"
            drawn.append(f'<path d="{cross}" stroke="{INK}" stroke-width="{cell / 11:.1f}"/>')
        elif second & bit:
            drawn.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.29 * cell:.1f}" fill="none" '
                f'stroke="{INK}" stroke-width="{cell / 11:.1f}"/>'
            )
        for kind in found:
            if kind.move == game.write_move(square):
                place = f"translate({x:.1f} {y:.1f}) scale({size:.2f})"
                name = _bead_id(kind.mark, kind.colour)
                drawn.append(f'<use href="#{name}" transform="{place}"/>')
    return (
        '<rect x="2" y="2" width="136" height="108" rx="6" fill="#E9DFC9" stroke="#B98B4E" '
        f'stroke-width="2"/><rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" '
        f'height="{high:.1f}" fill="{PAPER}" stroke="{INK}"/>'
        f'<path d="{"".join([*across, *down])}" stroke="{INK}"/>{"".join(drawn)}'
    )


# The curve


def curve(hats: Hats, row: int) -> str:
    """How well a player's hats have played as the games went by; marks are told by `legend`."""
    points = hats.curves[row]
    games, found = games_axis(points), list_curves(points)
    said = "; ".join(f"{c.words} {c.values[0]:.0%} at first, {c.values[-1]:.0%} now" for c in found)
    places = [100 * games.at(point.games) for point in points]
    lines = "".join(
        f'<polyline points="{_points(places, each)}" stroke="{each.colour}" stroke-width="2" '
        'fill="none" vector-effect="non-scaling-stroke"/>'
        for each in found
    )
    marked = "".join(
        f'<svg x="{places[at]:.1f}%" y="{HIGH * (1 - each.values[at]):.0f}">'
        f'<g fill="{each.colour}" stroke="{PAPER}">{SHAPES[number]}</g></svg>'
        for number, each in enumerate(found)
        for at in _apart(places)
    )
    return (
        f'<svg class="curve" role="img"><title>The learning curve</title>'
        f"<desc>{escape(chart_subtitle(hats))}: {escape(said or 'no game')}.</desc>{_axes(games)}"
        f'<svg class="lines" viewBox="0 0 100 100" preserveAspectRatio="none">{lines}</svg>'
        f"{marked}</svg>"
    )


def _points(places: Sequence[float], each: Curve) -> str:
    return " ".join(
        f"{x:.1f},{100 * (1 - value):.1f}" for x, value in zip(places, each.values, strict=True)
    )


def _apart(places: Sequence[float]) -> list[int]:
    """The points far enough from each other for their marks to be told apart; the last always."""
    kept = [*range(len(places))][-1:]
    for at in reversed(range(len(places))):
        if places[kept[-1]] - places[at] >= 100 * NEAR:
            kept.append(at)
    return kept


def _axes(games: LogAxis) -> str:
    parts = []
    for quarter in range(5):
        y = HIGH * (1 - quarter / 4)
        parts.append(f'<line x2="100%" y1="{y:g}" y2="{y:g}" stroke="{LINE}"/>')
        if quarter % 2 == 0:
            parts.append(f'<text x="-8" y="{y + 5:g}" text-anchor="end">{quarter * 25}%</text>')
    for at, number in enumerate(games.ticks):
        x = f"{100 * games.at(number):.1f}%"
        side = BESIDE[min(at, len(BESIDE) - 1)]
        parts.append(f'<line x1="{x}" x2="{x}" y2="{HIGH + 5}" stroke="{LINE}"/>')
        parts.append(f'<text x="{x}" y="{HIGH + 24}" {side}>{_short(number)}</text>')
    return "".join(parts)


def _short(number: float) -> str:
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number // size:.0f}{letter}"
    return str(number)


def legend(hats: Hats, row: int) -> list[dict[str, str]]:
    """What the marks of the curve stand for, and where it is now."""
    return [
        {
            "words": each.words,
            "now": f"{each.values[-1]:.0%}",
            "mark": f'<svg class="ball" viewBox="-8 -8 16 16" aria-hidden="true"><g '
            f'fill="{each.colour}">{shape}</g></svg>',
        }
        for each, shape in zip(list_curves(hats.curves[row]), SHAPES, strict=False)
    ]
