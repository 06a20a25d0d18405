"""What a page shows of a class: how well its hats play, their balls, and pictures of both.

Small pictures stand side by side, so a dozen balls stand for all that a box holds, in proportion;
each ball is drawn once, in `draw_beads`, and reused. The curve is as wide as its place, and its
letters keep their size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from parlour.core import Game, ParlourError, State, Work, grid, sides, squares
from parlour.drawing import INK, LINE, PAPER, QUIET, LogAxis, fit_size, readable_on, svg
from parlour.faces.web import boards
from parlour.faces.web.boards import escape
from parlour.learn import (
    COLOURS,
    DRAW,
    MENACE,
    Curve,
    Hats,
    Kind,
    Odds,
    are_hats,
    chart_subtitle,
    chart_title,
    compute_odds,
    describe_box,
    describe_dry,
    describe_games,
    describe_learning,
    describe_strategy,
    draw_box,
    find_truths,
    format_percent,
    games_axis,
    list_curves,
    list_kinds,
    mark_balls,
    name_box,
    prove_strategy,
)
from parlour.rules import Sticks

MOST_BOXES = 15  # on a page; of sticks, all hats that fit on two
MOST_HATS = 24
NEVER = 1e-12  # a chance below this is a rounding error
PLACES = ("first", "second")
RULES = {"hats": "the rule of hats", "menace": "MENACE’s rule"}
HATS_AND_BALLS = re.compile(r"\b(?:hat|ball)s?\b", re.IGNORECASE)
TEXT_NODE = re.compile(r">[^<]+<")

MOST_BALLS = 12  # in a small picture
RADIUS = 9
HEAP = (5, 4, 3)  # balls in each layer of a hat, from below
TRAY = 6  # beads in a row of a matchbox
CROSSES = ("X", "O")  # sides that are drawn as a cross and a nought
HIGH = 200  # of the curve, in pixels
NEAR = 0.045  # of its width: marks closer to each other than this are left out
BESIDE = (  # where numbers stand along the axis: the first two are close together
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


# A class


def describe(held: Hats, views: list[str], work: Work) -> dict[str, Any]:
    """Return what a page shows of hats, and of the boxes that views open."""
    found = {
        "games": held.games,
        "schooling": f"{describe_games(held)}, by {RULES[held.rule.name]}",
        "tally": asdict(held.tally),
        "dry": describe_dry(held),
        "draws": DRAW in held.boxes.leads or held.tally.draws > 0,
        "start": held.game.write(held.game.start()),
        "seats": sorted({seat for row in range(len(held.balls)) for seat in held.seats(row)}),
        "players": [_player(held, row, work) for row in range(len(held.balls))],
        "boxes": {view: _open_box(held, view) for view in views},
    }
    return _say_beads(found) if held.rule is MENACE else found


def _say_beads(content: Any) -> Any:
    """Say boxes and beads, as MENACE has them, for hats and balls; in pictures, in their text."""
    if isinstance(content, dict):
        return {key: _say_beads(each) for key, each in content.items()}
    if isinstance(content, list):
        return [_say_beads(each) for each in content]
    if not isinstance(content, str):
        return content
    if "<svg" in content:
        return TEXT_NODE.sub(lambda found: HATS_AND_BALLS.sub(_translate, found[0]), content)
    return HATS_AND_BALLS.sub(_translate, content)


def _translate(found: re.Match[str]) -> str:
    word = {"ball": "bead", "balls": "beads", "hat": "box", "hats": "boxes"}[found[0].lower()]
    return word.capitalize() if found[0][0].isupper() else word


def _player(held: Hats, row: int, work: Work) -> dict[str, Any]:
    """Describe one player's hats: how well they play, their strategy, and the first of them."""
    owned = held.own_boxes(row)
    boxes = owned[:MOST_BOXES]
    strategy: list[str] = []
    proof: list[str] = []
    if isinstance(held.game, Sticks):
        boxes = sorted(owned, key=lambda box: int(held.boxes.states[box][2]))[:MOST_HATS]
        strategy, is_right = describe_strategy(held, row)
        proof = prove_strategy(held.game) if is_right else []
    return {
        "title": chart_title(held, row),
        "learned": describe_learning(held, row),
        "curve": draw_curve(held, row),
        "legend": list_legend(held, row),
        "fares": {
            "drawn": [_odds(each) for each in compute_odds(held, row, work=work)],
            "likeliest": [
                _odds(each) for each in compute_odds(held, row, likeliest=True, work=work)
            ],
        },
        "says": strategy,
        "why": proof,
        "all": len(owned),
        "beads": draw_beads(held, boxes),
        "cards": [_card(held, row, box) for box in boxes],
    }


def _odds(odds: Odds) -> dict[str, Any]:
    return {
        "opponent": odds.opponent,
        "place": PLACES[odds.seat],
        "win": _percent(odds.win),
        "draw": _percent(odds.draw),
        "loss": _percent(odds.loss),
    }


def _percent(chance: float) -> str:
    """Format a chance that is a sum of many, without its rounding error."""
    return format_percent(float(round(chance)) if abs(chance - round(chance)) < NEVER else chance)


def _position(held: Hats, box: int) -> str:
    """Return what is typed to open a box."""
    state = held.boxes.states[box]
    return str(state[2]) if isinstance(held.game, Sticks) else held.game.write(state)


def _card(held: Hats, row: int, box: int) -> dict[str, Any]:
    """Describe one of many boxes."""
    found, likely = list_kinds(held, row, box), held.likeliest(row, box)
    return {
        "name": name_box(held, row, box),
        "position": _position(held, box),
        "picture": draw_small(held, row, box),
        "balls": "; ".join(kind.words for kind in found),
        "likely": found[likely[0]].move if len(likely) == 1 else "",
        "chance": format_percent(found[likely[0]].chance) if likely else "",
        "verdict": _verdict(held, box, likely),
    }


def _verdict(held: Hats, box: int, likely: list[int]) -> str:
    """Judge the likeliest ball by the exact values."""
    known = find_truths(held.boxes)[box]
    if not likely:
        return "empty"
    if not known.right:
        return "lost" if known.outcome == "loss" else "any"
    if {*likely} <= {*known.right}:
        return "right"
    return "unsure" if {*likely} & {*known.right} else "wrong"


def _open_box(held: Hats, view: str) -> dict[str, Any]:
    """Describe the box that a view opens, or say why it cannot."""
    player, _, position = view.partition(":")
    try:
        state = held.game.read(position)
        row = int(player) - 1 if player else held.row(held.game.turn(state))
        return _describe_box(held, row, held.find_box(row, state))
    except ParlourError as refusal:
        return {"refused": str(refusal)}


def _describe_box(held: Hats, row: int, box: int) -> dict[str, Any]:
    known, state = find_truths(held.boxes)[box], held.boxes.states[box]
    return {
        "row": row,
        "name": name_box(held, row, box),
        "about": describe_box(held, row, box),
        "position": _position(held, box),
        "board": held.game.draw(state),
        "picture": svg(draw_box(held, row, box)),
        "outcome": known.outcome,
        "balls": [
            {
                "ball": draw_ball(kind),
                "mark": kind.mark,
                "move": kind.move,
                "held": kind.held,
                "chance": format_percent(kind.chance),
                "right": not known.right or number in known.right,
                "to": _next_box(held, row, box, number),
            }
            for number, kind in enumerate(list_kinds(held, row, box))
        ],
    }


def _next_box(held: Hats, row: int, box: int, kind: int) -> dict[str, Any] | None:
    """Find the box a ball leads to, the same player's if there is one."""
    leads = held.boxes.leads[held.boxes.first[box] + kind]
    following = leads >> 1
    if leads < 0 or not held.boxes.boxed[following]:
        return None
    mover = held.row(held.game.turn(held.boxes.states[following]))
    for owner in (row, mover):
        if following in held.own_boxes(owner):
            return {"row": owner, "position": _position(held, following)}
    return None


# Balls


def draw_beads(hats: Hats, boxes: Iterable[int]) -> str:
    """Draw every kind of ball in some boxes once, for `draw_small` to use."""
    found = {kind: None for box in boxes for kind in mark_balls(hats, box)}
    symbols = "".join(
        f'<g id="{_bead_id(mark, colour)}">{_draw_bead(mark, COLOURS[colour])}</g>'
        for mark, colour in found
    )
    return f'<svg class="hidden" aria-hidden="true"><defs>{symbols}</defs></svg>'


def _bead_id(mark: str, colour: str) -> str:
    return f"bead-{escape(mark)}-{list(COLOURS).index(colour)}"


def _draw_bead(mark: str, fill: str) -> str:
    size = fit_size(mark, 1.5 * RADIUS, 1.3 * RADIUS, 600)
    return (
        f'<circle r="{RADIUS}" fill="{fill}" stroke="{INK}" stroke-width=".8"/>'
        f'<text y="{0.36 * size:.1f}" font-size="{size:.1f}" font-weight="600" '
        f'text-anchor="middle" fill="{readable_on(fill)}">{escape(mark)}</text>'
    )


def draw_ball(kind: Kind) -> str:
    """Draw one ball for a line of text."""
    bead = _draw_bead(kind.mark, kind.fill)
    return f'<svg class="ball" viewBox="-10 -10 20 20" aria-hidden="true">{bead}</svg>'


def sample(held: Sequence[int], places: int = MOST_BALLS) -> list[int]:
    """Choose how many balls of each kind to draw in some places: all, or in proportion.

    Each kind is seen at least once if there are places for all, else the commonest kinds are.
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


def _place_balls(found: Sequence[Kind], places: Sequence[tuple[float, float]]) -> str:
    """Put a sample of the balls in their places."""
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


def draw_small(hats: Hats, row: int, box: int) -> str:
    """Draw a box with its balls: a hat for sticks, a matchbox for other games and for MENACE."""
    found, state = list_kinds(hats, row, box), hats.boxes.states[box]
    if are_hats(hats):
        return _draw_hat(found, str(state[2]))
    if tuple(sides(hats.game)) == CROSSES and grid(hats.game, state):
        return _draw_matchbox(found, _draw_lid(hats.game, state, found), 112)
    tray = _draw_matchbox(found, "", 0)
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


def _draw_hat(found: Sequence[Kind], name: str) -> str:
    """Draw a hat turned over, the balls heaped in it, and its number."""
    places = [
        (70 + 18 * (place - (layer - 1) / 2), 54 - 16 * level)
        for level, layer in enumerate(HEAP)
        for place in range(layer)
    ]
    return (
        f'<svg viewBox="0 0 140 124" aria-hidden="true">{_paper(140, 124)}{HAT_BACK}'
        f'{_place_balls(found, places)}{HAT_FRONT}<text x="70" y="106" font-size="20" '
        f'font-weight="600" text-anchor="middle" fill="{PAPER}">{escape(name)}</text></svg>'
    )


def _paper(wide: float, high: float) -> str:
    return f'<rect width="{wide}" height="{high}" rx="6" fill="{PAPER}"/>'


def _draw_matchbox(found: Sequence[Kind], lid: str, high: int) -> str:
    """Draw the drawer of a matchbox, pulled out under its lid."""
    places = [(20 + 20 * (at % TRAY), high + 19 + 20 * (at // TRAY)) for at in range(MOST_BALLS)]
    empty = ""
    if not any(kind.held for kind in found):
        empty = (
            f'<text x="70" y="{high + 34}" font-size="16" text-anchor="middle" fill="{QUIET}">'
            "empty</text>"
        )
    return (
        f'<svg viewBox="0 0 140 {high + 58}" aria-hidden="true">{_paper(140, high + 58)}'
        f'<rect x="6" y="{high - 4}" width="128" height="56" rx="4" fill="#F4ECD8" '
        f'stroke="#B98B4E" stroke-width="2"/>{_place_balls(found, places)}{empty}{lid}</svg>'
    )


def _draw_lid(game: Game, state: State, found: Sequence[Kind]) -> str:
    """Draw the board on the lid, with a ball on the square that each kind stands for."""
    rows = grid(game, state) or ()
    cell = 96 / max(len(rows), len(rows[0]))
    wide, high = cell * len(rows[0]), cell * len(rows)
    left, top = 70 - wide / 2, 56 - high / 2
    lines = [f"M{left:.1f} {top + row * cell:.1f}h{wide:.1f}" for row in range(1, len(rows))]
    lines += [f"M{left + c * cell:.1f} {top:.1f}v{high:.1f}" for c in range(1, len(rows[0]))]
    parts = [
        _draw_mark(mark, left + (column + 0.5) * cell, top + (row + 0.5) * cell, cell)
        for row, marks in enumerate(rows)
        for column, mark in enumerate(marks)
    ]
    for kind in found:
        column, row = squares(game, game.read_move(state, kind.move))[0]
        x, y = left + (column + 0.5) * cell, top + (row + 0.5) * cell
        place = f"translate({x:.1f} {y:.1f}) scale({0.68 * cell / (2 * RADIUS):.2f})"
        parts.append(f'<use href="#{_bead_id(kind.mark, kind.colour)}" transform="{place}"/>')
    return (
        '<rect x="2" y="2" width="136" height="108" rx="6" fill="#E9DFC9" stroke="#B98B4E" '
        f'stroke-width="2"/><rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" '
        f'height="{high:.1f}" fill="{PAPER}" stroke="{INK}"/>'
        f'<path d="{"".join(lines)}" stroke="{INK}"/>{"".join(parts)}'
    )


def _draw_mark(mark: str, x: float, y: float, cell: float) -> str:
    """Draw a cross or a nought around a point."""
    reach, stroke = 0.26 * cell, f'stroke="{INK}" stroke-width="{cell / 11:.1f}"'
    if mark == CROSSES[0]:
        cross = f"M{x - reach:.1f} {y - reach:.1f}l{2 * reach:.1f} {2 * reach:.1f}"
        cross += f"M{x - reach:.1f} {y + reach:.1f}l{2 * reach:.1f} {-2 * reach:.1f}"
        return f'<path d="{cross}" {stroke}/>'
    if mark == CROSSES[1]:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.29 * cell:.1f}" fill="none" {stroke}/>'
    return ""


# The curve


def draw_curve(hats: Hats, row: int) -> str:
    """Draw how well a player's hats played as they learned; `list_legend` explains the marks."""
    points = hats.curves[row]
    games, found = games_axis(points), list_curves(points)
    words = "; ".join(
        f"{c.words} {c.values[0]:.0%} at first, {c.values[-1]:.0%} now" for c in found
    )
    places = [100 * games.at(point.games) for point in points]
    lines = "".join(
        f'<polyline points="{_points(places, each)}" stroke="{each.colour}" stroke-width="2" '
        'fill="none" vector-effect="non-scaling-stroke"/>'
        for each in found
    )
    marks = "".join(
        f'<svg x="{places[at]:.1f}%" y="{HIGH * (1 - each.values[at]):.0f}">'
        f'<g fill="{each.colour}" stroke="{PAPER}">{SHAPES[number]}</g></svg>'
        for number, each in enumerate(found)
        for at in _apart(places)
    )
    return (
        f'<svg class="curve" role="img"><title>The learning curve</title>'
        f"<desc>{escape(chart_subtitle(hats))}: {escape(words or 'no game')}.</desc>{_axes(games)}"
        f'<svg class="lines" viewBox="0 0 100 100" preserveAspectRatio="none">{lines}</svg>'
        f"{marks}</svg>"
    )


def _points(places: Sequence[float], each: Curve) -> str:
    return " ".join(
        f"{x:.1f},{100 * (1 - value):.1f}" for x, value in zip(places, each.values, strict=True)
    )


def _apart(places: Sequence[float]) -> list[int]:
    """Choose the last point and those far enough apart to have a mark each."""
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


def list_legend(hats: Hats, row: int) -> list[dict[str, str]]:
    """List what the marks of the curve stand for, and where it is now."""
    return [
        {
            "words": each.words,
            "now": f"{each.values[-1]:.0%}",
            "mark": f'<svg class="ball" viewBox="-8 -8 16 16" aria-hidden="true"><g '
            f'fill="{each.colour}">{shape}</g></svg>',
        }
        for each, shape in zip(list_curves(hats.curves[row]), SHAPES, strict=False)
    ]
