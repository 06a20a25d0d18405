"""Nim: every pile a stack of counters, five to a row, with a field for how many to take.

A click on a counter takes it and all above it. A pile too large to count is a block with its number
on it. The counters that the last move took are outlines.
"""

from __future__ import annotations

from functools import cache

from parlour.boards import parts
from parlour.boards.parts import Answers, Building, Drawn, View, drawing, escape
from parlour.core import Text, capital, count, join, say
from parlour.rules import Nim, NimState

ROW = 5  # counters in a row
MAX_DRAWN = 60  # counters of one pile; larger piles are blocks
MAX_CLICKED = 30
FEW_PILES = 6  # they stand side by side where there is room
MANY_PILES = 12  # with more piles than this, only small ones are drawn counter by counter
MAX_OF_MANY = 10
MAX_PICTURED = 8  # piles in a small picture
MAX_ROW = 10  # of counters in it
BLOCK_ROWS = 3
# In one drawing: how many piles at most, and the room around them.
MAX_PILES = 60
GAP, EDGE, CAPTION_WIDE, CAPTION_HIGH = 60, 56, 230, 64


def board(view: View) -> str:
    """The piles side by side, each with its own field and button."""
    piles = view.state[2:]
    across, rows = _room(view)
    few = f" piles-{len(piles)}" if len(piles) <= FEW_PILES else ""
    legal = bool(view.game.moves(view.state))
    stacks = "".join(_pile(view, number, across, rows, legal) for number in range(len(piles)))
    return (
        f'<div class="board board-nim"><div class="piles across-{across}{few}">{stacks}</div>'
        f"{parts.legend(view.marks)}</div>"
    )


def draw(view: View) -> Drawn:
    """All piles on one felt: a few one under another, more of them side by side."""
    piles = view.state[2 : 2 + MAX_PILES]
    across, rows = _room(view)
    line = _across(len(piles), across, rows)
    wide, high = max(100 * across, CAPTION_WIDE), 100 * rows + CAPTION_HIGH
    left, below = (wide - 100 * across) // 2, (wide // 2, high - 16)
    if line == 1:
        wide, high, left = 100 * across + CAPTION_WIDE, 100 * rows, CAPTION_WIDE
        below = (CAPTION_WIDE // 2 - 20, 100 * rows - 36)
    inside, listed = "", []
    for number, size in enumerate(piles):
        x = EDGE + (wide + GAP) * (number % line)
        y = EDGE + (high + GAP) * (number // line)
        stack, without = _stack(view, number, rows)
        listed += without
        caption = capital(_name(number))
        if size <= _limit(view.state[2:]):  # a block has it on it
            caption = join(": ", (caption, size))
        inside += (
            f'<g transform="translate({x} {y})"><g transform="translate({left} 0)">{stack}</g>'
            f'<text class="caption" x="{below[0]}" y="{below[1]}">{escape(caption)}</text></g>'
        )
    lines = -(-len(piles) // line)
    wide, high = (wide + GAP) * line, (high + GAP) * lines
    wide, high = wide - GAP + 2 * EDGE, high - GAP + 2 * EDGE
    left_out = len(view.state) - 2 - len(piles)
    if left_out:
        more = escape(parts.count_more(left_out))
        inside += f'<text class="caption" x="{wide // 2}" y="{high}">{more}</text>'
        high += EDGE
    inside = parts.felt(wide, high) + inside
    title = _title(piles)
    return Drawn("nim", title, wide, high, inside, tuple(listed), scale=0.42, largest=560)


def _across(piles: int, across: int, rows: int) -> int:
    """How many piles lie side by side, so that the felt is about as wide as it is high."""
    wide, high = max(100 * across, CAPTION_WIDE) + GAP, 100 * rows + CAPTION_HIGH + GAP
    if piles * (high - CAPTION_HIGH) <= 1.5 * (wide + CAPTION_WIDE):
        return 1
    return min(range(1, piles + 1), key=lambda n: abs(wide * n / (high * -(-piles // n)) - 1.2))


def picture(game: Nim, state: NimState) -> str:
    """All piles in one small drawing, each in a row of its own."""
    piles = state[2:]
    some = piles[:MAX_PICTURED]
    across = max(ROW, *(size for size in (0, *some) if size <= MAX_ROW))
    inside = "".join(_row(size, number, across) for number, size in enumerate(some))
    if len(piles) > len(some):
        inside += f'<text class="more" x="{50 * across + 20}" y="{100 * len(some) + 40}">…</text>'
    wide, high = 100 * across + 40, 100 * (len(some) + (len(piles) > len(some))) + 40
    return Drawn("nim", _title(piles), wide, high, parts.felt(wide, high) + inside).picture()


def _title(piles: NimState) -> str:
    more = ["…"] if len(piles) > MAX_PICTURED else []
    return say("Nim: piles of {sizes}", sizes=[*piles[:MAX_PICTURED], *more])


def _name(number: int) -> Text:
    return say("pile {number}", number=number + 1)


def announce_move(text: str) -> str:
    """Say what somebody does with a move: `takes 2 from pile 1`."""
    amount, _, pile = text.partition(" from ")
    return say("takes {amount} from pile {pile}", amount=amount, pile=pile)


def build(game: Nim, state: NimState, answers: Answers) -> Building:
    """A field for the piles."""
    piles = ", ".join(map(str, state[2:]))
    about = say("The number of coins in each pile, for example 3, 4, 5.")
    field = parts.Input("piles", say("Piles"), piles, about=about)
    return parts.build_fields(game, state, answers, field)


def compose(game: Nim, answers: Answers) -> str:
    """The position that the answers spell."""
    return f"{parts.answer(answers, 'piles')}:{parts.answer(answers, 'turn', 1)}"


def _row(size: int, number: int, across: int) -> str:
    """A pile as a row of counters, or as a bar with its size."""
    y = 100 * number + 70
    if size <= MAX_ROW:
        return "".join(
            f'<circle class="counter" cx="{100 * place + 70}" cy="{y}" r="38"/>'
            for place in range(size)
        )
    return (
        f'<rect class="block" x="32" y="{y - 38}" width="{100 * across - 24}" height="76" rx="20"/>'
        f'<text class="number is-long" x="{50 * across + 20}" y="{y + 19}">{size:,}</text>'
    )


def _limit(piles: NimState) -> int:
    """The largest pile that is drawn counter by counter."""
    return MAX_OF_MANY if len(piles) > MANY_PILES else MAX_DRAWN


def _room(view: View) -> tuple[int, int]:
    """The counters across and the rows that all piles have room for, now and a move ago."""
    piles = view.state[2:]
    before = view.before[2:] if view.before else ()
    if view.move is not None:
        before = (piles[view.move[0]] + view.move[1],)
    sizes, limit = (*piles, *view.game.piles, *before), _limit(piles)
    drawn = max((size for size in sizes if size <= limit), default=0)
    if any(size > limit for size in sizes):
        return ROW, max(BLOCK_ROWS, -(-drawn // ROW))
    return min(ROW, max(1, drawn)), max(1, -(-drawn // ROW))


def _pile(view: View, number: int, across: int, rows: int, legal: bool) -> str:
    """One pile: the stack, its caption, and the controls."""
    size = view.state[2 + number]
    title = join(", ", (_name(number), count(size, "coin")))
    limit = _limit(view.state[2:])
    most = _most(view, number) if legal else 0
    clicked = most if size <= min(MAX_CLICKED, limit) else 0
    values = _values(view, number, most)
    inside, _ = _stack(view, number, rows)
    svg = drawing("drawing", f"0 0 {100 * across} {100 * rows}", title, inside)
    objects = ""
    if clicked and view.playable:
        objects = view.form(_objects(view, number, clicked), "objects")
    figure = f" <b>{size}</b>" if size <= limit else ""  # a block has it on it
    take = '<div class="take"></div>'
    if most and view.offers_moves:
        hidden = f'<input type="hidden" name="pile" value="{number + 1}"/>'
        label = say("Take from pile {number}", number=number + 1)
        field = view.amount(most, label, number + 1)
        take = view.form(hidden + field, "take")
    return (
        f'<div class="pile" role="group" aria-label="{escape(title)}">'
        f'<div class="stack">{svg}{objects}</div>'
        f'<p class="caption">{escape(capital(_name(number)))}{figure}</p>{take}'
        f"{'' if clicked else parts.list_values(values.items())}</div>"
    )


def _stack(view: View, number: int, rows: int) -> tuple[str, list[str]]:
    """A pile with the values of takes on their counters, and the takes whose values are not."""
    size, limit = view.state[2 + number], _limit(view.state[2:])
    values = _values(view, number, _most(view, number))
    inside = _counters(size, rows, limit) + _ghosts(view, number, rows, limit)
    if size > min(MAX_CLICKED, limit):
        return inside, [f"{amount} from {number + 1}" for amount in values]
    for amount, mark in values.items():
        inside += parts.badge(mark, *_corner(size - amount, rows))
    return inside, []


def _most(view: View, number: int) -> int:
    size = view.state[2 + number]
    return int(min(size, view.game.take or size))


def _values(view: View, number: int, most: int) -> dict[int, parts.Mark]:
    """The known values of takes from a pile, by amount."""
    found = {}
    for text, mark in view.marks.items():
        amount, _, pile = text.partition(" from ")
        if pile == str(number + 1) and amount.isdecimal() and 1 <= int(amount) <= most:
            found[int(amount)] = mark
    return dict(sorted(found.items()))


def _objects(view: View, number: int, most: int) -> str:
    """A button on every counter, from the bottom up: it takes that one and all above it."""
    pile = number + 1
    buttons = ['<span class="kept"></span>' * (view.state[2 + number] - most)]
    for amount in range(most, 0, -1):
        label = say("take {amount} from pile {number}", amount=amount, number=pile)
        attributes = f'tabindex="-1" id="take-{pile}-{amount}"'
        buttons.append(view.press(f"{amount} from {pile}", label, attributes))
    return "".join(buttons)


def _corner(place: int, rows: int) -> tuple[int, int]:
    """The corner of a counter's square; places count from 0, from the bottom up."""
    row, column = divmod(place, ROW)
    return 100 * column, 100 * (rows - 1 - row)


@cache
def _circle(place: int, rows: int, kind: str) -> str:
    x, y = _corner(place, rows)
    return f'<circle class="{kind}" cx="{x + 50}" cy="{y + 50}" r="38"/>'


def _counters(size: int, rows: int, limit: int) -> str:
    """The counters of a pile, or a block."""
    if size <= limit:
        return "".join(_circle(place, rows, "counter") for place in range(size))
    wide, high = 100 * ROW - 40, 100 * BLOCK_ROWS - 40
    top = 100 * (rows - BLOCK_ROWS) + 20
    figure = f"{size:,}"
    return (
        f'<rect class="block" x="20" y="{top}" width="{wide}" height="{high}" rx="24"/>'
        f'<text class="number{" is-long" if len(figure) > 9 else ""}" '
        f'x="{50 * ROW}" y="{top + high / 2 + 24:g}">{figure}</text>'
    )


def _ghosts(view: View, number: int, rows: int, limit: int) -> str:
    """What the last move took from this pile, as outlines."""
    if view.last_move is None or view.last_move[0] != number:
        return ""
    size = view.state[2 + number]
    was = view.before[2 + number] if view.before else size + view.last_move[1]
    if was - view.last_move[1] != size or view.state[2:] == view.game.piles:
        return ""  # a fresh round has begun
    if was > limit:
        if size <= limit:
            return ""
        y = 100 * (rows - BLOCK_ROWS) + 20 + 220
        return f'<text class="taken is-gone" x="{50 * ROW}" y="{y}">−{was - size:,}</text>'
    kinds = ("ghost", "counter is-gone")
    return "".join(_circle(place, rows, kind) for place in range(size, was) for kind in kinds)
