"""Boxes and their balls as text, as pictures, and as pages to print for a class.

Every kind of ball has a colour, a mark written on it, and its move in words, so that a print
without colours will do. Stick hats are drawn as hats, any other box as a matchbox. Where there are
more balls than can be drawn, the picture keeps their proportion and says how many there are.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from parlour import core, drawing
from parlour.core import Game, ParlourError, capital, count, describe, protocol, say, seat_name
from parlour.drawing import INK, LINE, PAPER, QUIET, WHITE, Drawing, Polygon, Rect, Shape, TextLine
from parlour.learn.hat_set import DRAW, HATS, Hats, has_numbered_hats

MAX_DRAWN = 12  # balls of a kind drawn one by one
MAX_ROW = 30  # the longest row of balls in the terminal
COLOURS = {  # distinct to colour-blind eyes, and sold as beads
    "blue": drawing.BLUE,
    "orange": "#E69F00",
    "green": "#009E73",
    "yellow": "#F0E442",
    "red": drawing.VERMILION,
    "light blue": "#56B4E9",
    "black": INK,
    "pink": "#CC79A7",
    "white": WHITE,
}


@dataclass(frozen=True)
class Kind:
    """A kind of ball in a box, and how many there are."""

    mark: str
    colour: str  # by name
    move: str
    held: int
    probability: float

    @property
    def fill(self) -> str:
        """The colour as a hex code."""
        return COLOURS[self.colour]

    @property
    def words(self) -> str:
        """The kind in words, as `a1: 12, 8%`."""
        return f"{self.move}: {self.held:,}, {format_percent(self.probability)}"


def list_kinds(hats: Hats, row: int, box: int) -> list[Kind]:
    """Return the kinds of ball in a box, with how many it holds of each."""
    held = hats.contents(row, box)
    return [
        Kind(mark, colour, ball.text, balls, balls / max(1, sum(held)))
        for (mark, colour), ball, balls in zip(
            mark_balls(hats, box), hats.boxes.balls[box], held, strict=True
        )
    ]


def mark_balls(hats: Hats, box: int) -> list[tuple[str, str]]:
    """Return the mark and colour name of every kind of ball in a box.

    A square of a board has the same in every box; so has a number of sticks.
    """
    game, names, size = hats.game, list(COLOURS), hats.boxes.board
    found = []
    for number, ball in enumerate(hats.boxes.balls[box]):
        place, mark = number, ball.text
        if size and (touched := protocol.squares(game, ball.moves[0])):
            place = touched[0][0] + touched[0][1] * size[0]
        elif not has_numbered_hats(game):
            mark = to_letters(number)
        found.append((mark, names[place % len(names)]))
    return found


def format_percent(probability: float, digits: int = 0) -> str:
    """Return `8%`; a probability that is neither 0 nor 1 is never rounded to it."""
    least = 10.0 ** -(digits + 2)
    if 0 < probability < least / 2:
        return f"<{least:.{digits}%}"
    if 1 - least / 2 <= probability < 1:
        return f">{1 - least:.{digits}%}"
    return f"{probability:.{digits}%}"


def to_letters(number: int) -> str:
    """Return A, B, C… Z, AA, AB… for 0, 1, 2…"""
    more, last = divmod(number, 26)
    return (to_letters(more - 1) if more else "") + chr(ord("A") + last)


def scale_balls(held: Sequence[int], most: int = MAX_DRAWN) -> list[int]:
    """Return how many balls of each kind to draw: all, or in proportion, but at least one."""
    largest = max(held, default=0)
    if largest <= most:
        return list(held)
    return [max(1, round(balls * most / largest)) if balls else 0 for balls in held]


def name_box(hats: Hats, row: int, box: int) -> str:
    """Return `hat 7`, or `box 21`, numbered among the boxes of its player."""
    if are_hats(hats):
        return say("hat {number}", number=hats.boxes.hat_number(box))
    if has_numbered_hats(hats.game):
        return say("box {number}", number=hats.boxes.hat_number(box))
    return say("box {number}", number=hats.own_boxes(row).index(box) + 1)


def describe_box(hats: Hats, row: int, box: int) -> str:
    """Return the game, who is to move, and what is special about a box."""
    game, state = hats.game, hats.boxes.states[box]
    text: str = describe(game)
    if has_numbered_hats(game):
        sticks = count(game.hat_number(state), "stick")
        text = say("{sticks} left, take up to {take}", sticks=sticks, take=game.take)
    if hats.boxes.apart:
        text = say(
            "{box}, {seat_name} to move, turn {turn}",
            box=text,
            seat_name=seat_name(game, game.turn(state)),
            turn=hats.boxes.turns[box] + 1,
        )
    if not any(hats.contents(row, box)):
        return say("{box}; it is empty, and its player gives up here", box=text)
    return text


def are_hats(hats: Hats) -> bool:
    """Return whether the boxes are drawn as hats; MENACE's are always matchboxes."""
    return has_numbered_hats(hats.game) and hats.rule is HATS


def format_box(hats: Hats, row: int, box: int) -> str:
    """Return a box in plain text: the position, and a line for every kind of ball."""
    found, name = list_kinds(hats, row, box), capital(name_box(hats, row, box))
    board = hats.game.draw(hats.boxes.states[box])
    lines = [f"{name}: {describe_box(hats, row, box)}", "", board, ""]
    balls = scale_balls([kind.held for kind in found], MAX_ROW)
    moves = max(len(kind.move) for kind in found)
    numbers = max(len(f"{kind.held:,}") for kind in found)
    for kind, several in zip(found, balls, strict=True):
        lines.append(
            f"{kind.move:>{moves}}  {'●' * several:<{max(balls)}}  {kind.held:>{numbers},}  "
            f"{format_percent(kind.probability):>4}"
        )
    return "\n".join(lines)


HEAP = 45  # balls that fit in the picture of a hat
SLEEVE, WOOD, TRAY = "#E9DFC9", "#B98B4E", "#F4ECD8"


def draw_box(hats: Hats, row: int, box: int) -> Drawing:
    """Draw a player's box with its balls."""
    found, title = list_kinds(hats, row, box), capital(name_box(hats, row, box))
    if not has_numbered_hats(hats.game):
        position = hats.game.write(hats.boxes.states[box])
        title = say("{box} for {position}", box=title, position=position)
    about = say(
        "{box}. {balls}",
        box=describe_box(hats, row, box),
        balls=core.join("; ", [kind.words for kind in found]),
    )
    draw = _draw_hat if are_hats(hats) else _draw_matchbox
    wide, high, shapes = draw(hats, row, box, found)
    return Drawing(wide, high, title, about, tuple(shapes))


def draw_bead(x: float, y: float, radius: float, mark: str, fill: str) -> list[Shape]:
    """Draw a ball with its mark."""
    size = drawing.fit_size(mark, 1.45 * radius, 1.15 * radius, 600)
    return [
        drawing.circle(x, y, radius, fill, INK, min(1, radius / 10)),
        TextLine(x, y + 0.36 * size, mark, size, "middle", 600, drawing.readable_on(fill)),
    ]


# A hat

FELT, RIM = "#4A4238", "#5A5146"


def _draw_hat(
    hats: Hats, row: int, box: int, found: Sequence[Kind]
) -> tuple[float, float, list[Shape]]:
    """Draw an upturned hat full of balls, with its name and the probabilities below."""
    heap = _arrange_heap(found)
    columns = math.ceil(len(found) / 12)
    rows = math.ceil(len(found) / columns)
    numbers = max(drawing.text_width(f"×{kind.held:,}", 14, 600) for kind in found)
    step = numbers + 108
    wide = max(460, columns * step + 24)
    middle, brim = wide / 2, 62.0 + 19 * max(0, len(heap) - 1)
    shapes: list[Shape] = [
        *draw_hat_back(middle, brim, 1),
        *_draw_heap(heap, middle, brim),
        *draw_hat_front(middle, brim, 1),
        TextLine(middle, brim + 84, name_box(hats, row, box), 24, "middle", 600, PAPER),
        TextLine(middle, brim + 172, describe_box(hats, row, box), 13, "middle", colour=QUIET),
    ]
    left = 64.0 if columns == 1 else (wide - columns * step) / 2 + 12
    for place, kind in enumerate(found):
        x, y = left + place // rows * step, brim + 206 + place % rows * 28
        shapes += draw_bead(x + 11, y, 11, kind.mark, kind.fill)
        x += 34 + numbers
        shapes.append(TextLine(x, y + 5, f"×{kind.held:,}", 14, "end", 600))
        shapes.append(TextLine(x + 48, y + 5, format_percent(kind.probability), 14, "end"))
        if columns == 1:
            shapes += _draw_bar(x + 62, y, wide - 64 - (x + 62), kind)
    return wide, brim + 214 + rows * 28, shapes


def _draw_bar(x: float, y: float, longest: float, kind: Kind) -> list[Shape]:
    bar: list[Shape] = [Rect(x, y - 5, longest, 10, TRAY, LINE, 0.75, radius=3)]
    if kind.held:
        long = max(3, kind.probability * longest)
        bar.append(Rect(x, y - 5, long, 10, kind.fill, INK, 0.75, radius=3))
    return bar


def draw_hat_back(x: float, y: float, scale: float) -> list[Shape]:
    """Draw what lies behind the balls of a hat: the brim, and the dark inside."""
    return [
        drawing.Ellipse(x, y, 150 * scale, 26 * scale, FELT, INK, scale),
        drawing.Ellipse(x, y - 2 * scale, 104 * scale, 15 * scale, INK),
    ]


def draw_hat_front(x: float, y: float, scale: float) -> list[Shape]:
    """Draw what lies in front of the balls: the near brim, the crown and its band."""

    def arc(wide: float, deep: float, low: float) -> list[tuple[float, float]]:
        """Return the near half of an ellipse, from left to right."""
        turns = [math.pi * step / 24 for step in range(25)]
        return [
            (x - wide * scale * math.cos(turn), y + (low + deep * math.sin(turn)) * scale)
            for turn in turns
        ]

    inside, rim = arc(104, 15, -2), arc(150, 26, 0)
    crown = [*arc(103, 15, 10), *reversed(arc(84, 13, 122))]
    band = [*arc(100.5, 15, 25), *reversed(arc(96.5, 14.5, 49))]
    return [
        Polygon(tuple(crown), FELT, INK, scale),
        Polygon(tuple(band), drawing.VERMILION),
        Polygon((*inside, *reversed(rim)), RIM, INK, scale),
    ]


def _arrange_heap(found: Sequence[Kind]) -> list[list[Kind]]:
    """Arrange balls as they lie in a hat: rows, each one ball shorter than the one below."""
    most = max(1, min(MAX_DRAWN, HEAP // len(found)))
    drawn = scale_balls([kind.held for kind in found], most)
    pile = [kind for kind, balls in zip(found, drawn, strict=True) for _ in range(balls)]
    if len(pile) > HEAP:
        pile = sorted(pile, key=lambda kind: -kind.held)[:HEAP]
    # Shuffled by a step coprime to their number, so that every ball appears.
    step = next((step for step in (7, 11, 13) if len(pile) % step), 1)
    pile = [pile[place * step % len(pile)] for place in range(len(pile))]
    long = 7 if len(pile) <= 25 else 9
    heap = []
    while pile:
        heap.append(pile[:long])
        pile, long = pile[long:], max(1, long - 1)
    return heap


def _draw_heap(heap: Sequence[Sequence[Kind]], x: float, y: float) -> list[Shape]:
    shapes: list[Shape] = []
    for level, layer in enumerate(heap):
        for place, kind in enumerate(layer):
            aside = (place - (len(layer) - 1) / 2) * 22
            sunk = 0 if level else 4 - aside**2 / 2000  # the inside of the hat is round
            shapes += draw_bead(x + aside, y - 6 + sunk - level * 19, 11, kind.mark, kind.fill)
    return shapes


# A matchbox

LID = 208  # the side of the sleeve
STEP = 24  # from bead to bead


def _draw_matchbox(
    hats: Hats, row: int, box: int, found: Sequence[Kind]
) -> tuple[float, float, list[Shape]]:
    """Draw the sleeve with the position on it, and the open drawer with rows of beads."""
    worded = [kind.move for kind in found if kind.mark != kind.move]
    moves = max((drawing.text_width(move, 13) for move in worded), default=-10.0) + 10
    numbers = max(drawing.text_width(f"×{kind.held:,}", 14, 600) for kind in found)
    most = scale_balls([kind.held for kind in found])
    top, left = 84.0, 24.0
    high = max(LID, len(found) * STEP + 16)
    tray = left + LID
    long = MAX_DRAWN * STEP + 24
    right = tray + long + 14
    wide = right + 22 + moves + numbers + 56 + 24
    subtitle = describe_box(hats, row, box)
    shapes: list[Shape] = [
        TextLine(left, 40, capital(name_box(hats, row, box)), 20, weight=600),
        TextLine(left, 62, subtitle, drawing.fit_size(subtitle, wide - 48, 13), colour=QUIET),
        Rect(tray - 20, top + 5, long + 20, high - 10, TRAY, WOOD, 2, radius=4),
        Rect(left, top, LID, high, SLEEVE, WOOD, 2, radius=6),
        *(Rect(x, top + 8, 7, high - 16, "#7B5B3A") for x in (left + 1, tray - 8)),
        *draw_lid(hats, box, left + LID / 2, top + high / 2, 176, 54),
    ]
    first = top + high / 2 - (len(found) - 1) * STEP / 2
    for number, (kind, balls) in enumerate(zip(found, most, strict=True)):
        y = first + number * STEP
        for place in range(balls):
            shapes += draw_bead(tray + 23 + place * STEP, y, 10.5, kind.mark, kind.fill)
        x = right
        shapes += draw_bead(x + 8, y, 8, kind.mark, kind.fill)
        x += 24
        if kind.mark != kind.move:
            shapes.append(TextLine(x, y + 5, kind.move, 13))
        x += moves + numbers
        shapes.append(TextLine(x, y + 5, f"×{kind.held:,}", 14, "end", 600))
        shapes.append(TextLine(x + 50, y + 5, format_percent(kind.probability), 14, "end"))
    if not any(most):
        shapes.append(
            TextLine(tray + long / 2, top + high / 2 + 5, "empty", 16, "middle", colour=QUIET)
        )
    return wide, top + high + 28, shapes


def draw_lid(hats: Hats, box: int, x: float, y: float, room: float, largest: float) -> list[Shape]:
    """Draw the position around a point: as a board with beads, or else in words."""
    game, state = hats.game, hats.boxes.states[box]
    if size := hats.boxes.board:
        cell = min(room / max(size), largest)
        left, top = x - cell * size[0] / 2, y - cell * size[1] / 2
        return draw_board(hats, box, left, top, cell)
    words, mover = game.write(state), f"{seat_name(game, game.turn(state))} to move"
    return [
        Rect(x - 86, y - 40, 172, 80, PAPER, LINE, radius=4),
        TextLine(x, y + 2, words, drawing.fit_size(words, 156, 22, 600), "middle", 600),
        TextLine(x, y + 24, mover, 12, "middle", colour=QUIET),
    ]


def draw_board(
    hats: Hats, box: int, left: float, top: float, cell: float, paper: str = PAPER
) -> list[Shape]:
    """Draw the board of a box, with a bead on each square that a kind of ball stands for."""
    game = hats.game
    rows = protocol.grid(game, hats.boxes.states[box]) or ()
    wide, high, thick = cell * len(rows[0]), cell * len(rows), max(0.5, cell / 40)
    shapes: list[Shape] = [Rect(left, top, wide, high, paper, INK, thick)]
    for column in range(1, len(rows[0])):
        x = left + column * cell
        shapes.append(drawing.line(x, top, x, top + high, INK, thick))
    for row in range(1, len(rows)):
        y = top + row * cell
        shapes.append(drawing.line(left, y, left + wide, y, INK, thick))
    beads = {
        square: bead
        for bead, ball in zip(mark_balls(hats, box), hats.boxes.balls[box], strict=True)
        for square in protocol.squares(game, ball.moves[0])
    }
    for row, marks in enumerate(rows):
        for column, piece in enumerate(marks):
            x, y = left + (column + 0.5) * cell, top + (row + 0.5) * cell
            if piece:
                shapes += _draw_mark(piece, x, y, cell)
            elif (column, row) in beads:
                mark, colour = beads[column, row]
                shapes += draw_bead(x, y, 0.34 * cell, mark, COLOURS[colour])
    return shapes


def _draw_mark(mark: str, x: float, y: float, cell: float) -> list[Shape]:
    """Draw a cross, a nought, or any other piece by its letters."""
    reach, thick = 0.28 * cell, cell / 12
    if mark == "X":
        return [
            drawing.line(x - reach, y - reach, x + reach, y + reach, INK, thick),
            drawing.line(x - reach, y + reach, x + reach, y - reach, INK, thick),
        ]
    if mark == "O":
        return [drawing.circle(x, y, 0.3 * cell, "", INK, thick)]
    return [
        TextLine(x, y + 0.2 * cell, mark, drawing.fit_size(mark, 0.8 * cell, 0.6 * cell), "middle")
    ]


A4 = (595, 842)  # points
MAX_LABELS = 3000  # a hundred pages, more than a class will glue
ACROSS, DOWN = 4, 7  # labels on a page
WIDE, HIGH = 139.0, 102.0  # a label: 49 by 36 mm, the lid of a small matchbox
LEFT, TOP = (A4[0] - ACROSS * WIDE) / 2, 58.0
BALL = 40.0  # a ball to cut out


def make_sheets(hats: Hats, row: int) -> list[Drawing]:
    """Return a player's pages to print: instructions, and a label for every box."""
    owned = hats.own_boxes(row)
    sticks = has_numbered_hats(hats.game)
    if len(owned) > MAX_LABELS:
        raise ParlourError(
            f"{describe(hats.game)} needs {len(owned):,} boxes, too many to print; "
            f"choose a variant with at most {MAX_LABELS:,}"
        )
    if sticks:
        owned = owned[::-1]  # from the smallest hat on
    opening, end = _draw_instructions(hats, row, owned)
    skipped = math.ceil((end - TOP) / HIGH) * ACROSS
    pages: defaultdict[int, list[Shape]] = defaultdict(list, {0: opening})
    for place, box in enumerate(owned, start=skipped):
        down, across = divmod(place, ACROSS)
        page, down = divmod(down, DOWN)
        x, y = LEFT + across * WIDE, TOP + down * HIGH
        frame = Rect(x, y, WIDE, HIGH, WHITE, QUIET, 0.5)
        pages[page] += [frame, *_draw_label(hats, row, box, x, y)]
    if sticks:
        pages[len(pages)] = _draw_balls(hats)
    name = f"{_sheet_title(hats, row)}, pages to print"
    sheets = []
    for number, shapes in enumerate(pages.values(), 1):
        about = " ".join(shape.words for shape in shapes if isinstance(shape, TextLine))
        if number > 1:
            shapes.append(TextLine(LEFT, 42, name, 9, colour=QUIET))
        of = f"{number} of {len(pages)}"
        shapes.append(TextLine(A4[0] - LEFT, A4[1] - 34, f"page {of}", 9, "end", colour=QUIET))
        sheets.append(Drawing(*A4, f"{name}: {of}", about, tuple(shapes), WHITE))
    return sheets


def _sheet_title(hats: Hats, row: int) -> str:
    what = "Hats" if has_numbered_hats(hats.game) else "Matchboxes"
    seats = hats.seats(row)
    as_whom = f" as {seat_name(hats.game, seats[0])}" if len(seats) == 1 else ""
    return f"{what} that learn {describe(hats.game)}{as_whom}"


# Instructions


def count_beads(hats: Hats, boxes: Sequence[int]) -> Counter[tuple[str, str]]:
    """Return how many beads of each kind are needed at first, by mark and colour."""
    found: Counter[tuple[str, str]] = Counter()
    for box in boxes:
        for mark in mark_balls(hats, box):
            found[mark] += _first_balls(hats, box)
    return found


def _first_balls(hats: Hats, box: int) -> int:
    return hats.rule.balls(hats.boxes.turns[box])


def _draw_instructions(hats: Hats, row: int, owned: Sequence[int]) -> tuple[list[Shape], float]:
    """Draw the instructions on the first page, and return where they end."""
    beads = count_beads(hats, owned)
    title = _sheet_title(hats, row)
    shapes: list[Shape] = [
        TextLine(LEFT, 52, title, drawing.fit_size(title, 540, 18, 600), weight=600)
    ]
    y = 76.0
    for head, words in _describe_use(hats, row, len(owned), beads).items():
        shapes.append(TextLine(LEFT, y, head, 10.5, weight=600))
        for part in drawing.wrap(words, A4[0] - 2 * LEFT - 66, 10.5):
            shapes.append(TextLine(LEFT + 62, y, part, 10.5))
            y += 14
        y += 3
        if head == "You need":
            more, y = _draw_shopping_list(beads, y)
            shapes += more
    return shapes, y


def _draw_shopping_list(beads: Counter[tuple[str, str]], y: float) -> tuple[list[Shape], float]:
    """Draw the beads to get, in columns."""
    names = [(mark, colour, f"{colour} ×{many:,}") for (mark, colour), many in beads.items()]
    names.sort(key=lambda name: _sort_key(name[0]))
    step = max((drawing.text_width(words, 9.5) for _, _, words in names), default=0) + 34
    columns = max(1, int((A4[0] - 2 * LEFT - 62) / step))
    shapes: list[Shape] = []
    for place, (mark, colour, words) in enumerate(names):
        x, middle = LEFT + 62 + place % columns * step, y + 4 + place // columns * 19
        shapes += draw_bead(x + 8, middle, 8, mark, COLOURS[colour])
        shapes.append(TextLine(x + 20, middle + 3.5, words, 9.5))
    return shapes, y + 19 * math.ceil(len(names) / columns) + 8


def _sort_key(mark: str) -> tuple[int, str]:
    """Order squares row by row, numbers and letters by length."""
    square = mark[0].isalpha() and mark[1:].isdigit()
    return (int(mark[1:]), mark[0]) if square else (len(mark), mark)


def _describe_use(
    hats: Hats, row: int, boxes: int, beads: Counter[tuple[str, str]]
) -> dict[str, str]:
    """Return what is needed, how to play with it, and how it learns."""
    numbered = has_numbered_hats(hats.game)
    kind = "hats" if numbered else "board" if hats.boxes.board else "words"
    matchboxes = "1 small matchbox" if boxes == 1 else f"{boxes:,} small matchboxes"
    prints = math.ceil(max(beads.values()) / _balls_on_page(len(beads))) if numbered else 0
    values = {
        "boxes": count(boxes, "hat") if numbered else matchboxes,
        "balls": f"{sum(beads.values()):,}",
        "times": {1: "once", 2: "twice"}.get(prints, f"{prints} times"),
        "sides": " and ".join(_side(hats.game, seat) for seat in hats.seats(row)),
    }
    texts = _read_instructions()
    return {
        "You need": texts[f"{kind}: you need"].format(**values),
        "To play": texts[f"{kind}: to play"].format(**values),
        "To learn": _describe_lesson(hats),
    }


@cache
def _read_instructions() -> dict[str, str]:
    """Return the texts of instructions.txt by name, each on one line."""
    text = Path(__file__).with_name("instructions.txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^\[(.+)\]$", text, flags=re.MULTILINE)
    return {
        name: " ".join(body.split()) for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def _side(game: Game, seat: int) -> str:
    """Return `X`, or `player 1` where nothing else tells the seats apart."""
    return (core.sides(game) or (seat_name(game, 0), seat_name(game, 1)))[seat]


def _describe_lesson(hats: Hats) -> str:
    """Return what to do with the beads after a game, by the rule."""
    thing, box = ("ball", "hat") if has_numbered_hats(hats.game) else ("bead", "box")
    lesson = _read_instructions()[f"{hats.rule.name}: to learn"].format(thing=thing, box=box)
    steps = re.split(r"(?<=\.) ", lesson)
    has_draws = DRAW in hats.boxes.leads
    return " ".join(step for step in steps if has_draws or not step.startswith("Drawn"))


# Labels


def _draw_label(hats: Hats, row: int, box: int, x: float, y: float) -> list[Shape]:
    """Draw a label: a hat, a board, or else the position in words and what each bead stands for."""
    if has_numbered_hats(hats.game):
        return _draw_hat_label(hats, box, x, y)
    if board := hats.boxes.board:
        return _draw_board_label(hats, row, box, x, y, 78 / max(board))
    words = hats.game.write(hats.boxes.states[box])
    shapes: list[Shape] = [
        TextLine(x + 7, y + 14, capital(name_box(hats, row, box)), 9, weight=600),
        TextLine(
            x + WIDE - 7, y + 14, f"{_first_balls(hats, box)} of each", 8, "end", colour=QUIET
        ),
        TextLine(
            x + WIDE / 2, y + 31, words, drawing.fit_size(words, WIDE - 14, 14, 600), "middle", 600
        ),
    ]
    named = list(zip(mark_balls(hats, box), hats.boxes.balls[box], strict=True))
    for size in (7.0, 6.0, 5.0, 4.5):  # the largest at which all moves have room
        step = max(drawing.text_width(ball.text, size) for _, ball in named) + 2.9 * size
        columns, rows = max(1, int((WIDE - 8) / step)), int(61 / (1.6 * size))
        if columns * rows >= len(named):
            rows = math.ceil(len(named) / columns)
            break
    for place, ((mark, colour), ball) in enumerate(named):
        left, middle = x + 7 + place // rows * step, y + 44 + place % rows * 1.6 * size
        if place == columns * rows - 1 and place < len(named) - 1:
            words = f"and {len(named) - place} more"
            return [*shapes, TextLine(left, middle + 0.36 * size, words, size, colour=QUIET)]
        shapes += draw_bead(left + 0.7 * size, middle, 0.7 * size, mark, COLOURS[colour])
        shapes.append(TextLine(left + 1.8 * size, middle + 0.36 * size, ball.text, size))
    return shapes


def _draw_board_label(
    hats: Hats, row: int, box: int, x: float, y: float, cell: float
) -> list[Shape]:
    """Draw the board with its beads, and beside it the number of the box."""
    game, state = hats.game, hats.boxes.states[box]
    high = cell * len(protocol.grid(game, state) or ())
    side = x + 9 + 78 + (WIDE - 87) / 2
    number = name_box(hats, row, box).removeprefix("box ")
    return [
        *draw_board(hats, box, x + 9, y + (HIGH - high) / 2, cell, WHITE),
        TextLine(side, y + 24, "box", 8, "middle", colour=QUIET),
        TextLine(side, y + 42, number, drawing.fit_size(number, 44, 17, 600), "middle", 600),
        TextLine(side, y + 60, f"turn {hats.boxes.turns[box] + 1}", 8, "middle"),
        TextLine(side, y + 72, f"{_side(game, game.turn(state))} moves", 8, "middle"),
        TextLine(side, y + 84, f"{_first_balls(hats, box)} of each", 8, "middle"),
    ]


def _draw_hat_label(hats: Hats, box: int, x: float, y: float) -> list[Shape]:
    """Draw a small hat with its number, and the balls to put in."""
    middle, scale = x + WIDE / 2, 0.36
    name = str(hats.boxes.hat_number(box))
    found = mark_balls(hats, box)
    shapes: list[Shape] = [
        *draw_hat_back(middle, y + 20, scale),
        *draw_hat_front(middle, y + 20, scale),
        TextLine(middle, y + 59, name, 19, "middle", 600, WHITE),
    ]
    many = _first_balls(hats, box)
    if len(found) > 6:
        words = f"{many} each of {core.span(1, len(found))}"
        return [*shapes, TextLine(middle, y + 88, words, 9, "middle")]
    words = f"{many} of each"
    left = middle - (len(found) * 16 + 6 + drawing.text_width(words, 8)) / 2
    for place, (mark, colour) in enumerate(found):
        shapes += draw_bead(left + 7 + place * 16, y + 85, 7, mark, COLOURS[colour])
    return [*shapes, TextLine(left + len(found) * 16 + 6, y + 88, words, 8)]


# Balls to cut out


def _balls_on_page(kinds: int) -> int:
    """Return how many balls of each number fit on the page of balls."""
    across, down = int((A4[0] - 2 * LEFT) / BALL), int((A4[1] - TOP - 60) / BALL)
    return across * down // kinds


def _draw_balls(hats: Hats) -> list[Shape]:
    """Draw numbered balls to cut out."""
    across = int((A4[0] - 2 * LEFT) / BALL)
    left = (A4[0] - (across - 1) * BALL) / 2
    found = mark_balls(hats, 0)
    shapes: list[Shape] = []
    for place in range(len(found) * _balls_on_page(len(found))):
        mark, colour = found[place // _balls_on_page(len(found))]
        down, aside = divmod(place, across)
        x, y = left + aside * BALL, TOP + BALL / 2 + down * BALL
        shapes += draw_bead(x, y, BALL / 2 - 2, mark, COLOURS[colour])
    return shapes
