"""The Game of Sticks: the sticks in a row, five to a group, and a button for every take.

The sticks that the last move took are outlines at the end.
"""

from __future__ import annotations

from functools import cache

from parlour.boards import parts
from parlour.boards.parts import Answers, Building, Drawn, View, escape
from parlour.core import count, say, say_number
from parlour.rules import MAX_STICKS, NimState, Sticks

GROUP, ROW = 5, 20  # sticks in a group and in a row
PITCH, GAP = 17, 16  # from stick to stick, and between groups
WIDE = ROW * PITCH + (ROW // GROUP - 1) * GAP + 24
HIGH, LOW = 96, 64  # from row to row, with few rows and with many
FEW_ROWS = 2
MAX_BUTTONS = 10  # more takes than this are typed
TILTS = (0, 2, -1, 1, -2, 1, -1)  # no two sticks lie quite alike


def board(view: View) -> str:
    """The sticks and the buttons."""
    state = view.state
    takes = [amount for _, amount in view.game.moves(state)]
    values = ""
    if not (view.offers_moves or view.marks):
        inside = ""
    elif len(takes) > MAX_BUTTONS:
        inside = view.amount(len(takes), say("Take this many sticks"))
        known = ((amount, view.marks.get(str(amount))) for amount in takes)
        values = parts.list_values((amount, mark) for amount, mark in known if mark)
    else:
        inside = "".join(
            view.button(str(amount), say("Take {amount}", amount=amount), f"take-{amount}")
            for amount in takes
        )
    sticks = escape(say_number(state[2], "stick", "sticks"))
    return (
        f'<div class="board board-sticks">{draw(view).svg()}<p class="caption"><b>{state[2]}</b> '
        f"{sticks}</p>{view.form(inside, 'take')}{values}"
        f"{parts.legend(view.marks)}</div>"
    )


def draw(view: View) -> Drawn:
    """The sticks, with room for those at the start."""
    sticks = view.state[2]
    was = sticks + (view.last_move[1] if view.last_move else 0)
    if view.before:
        was = view.before[2]
    return _draw(sticks, max(view.game.sticks, was, sticks), was, tuple(view.marks))


def picture(game: Sticks, state: NimState) -> str:
    """The sticks alone."""
    return _draw(state[2], state[2], state[2]).picture()


def _draw(sticks: int, room: int, was: int, listed: tuple[str, ...] = ()) -> Drawn:
    """Draw the sticks on felt with room for more, and the outlines of those that were there."""
    rows = max(1, -(-room // ROW))
    high = HIGH if rows <= FEW_ROWS else LOW
    tall = rows * high + 24
    drawn = [parts.felt(WIDE, tall)]
    drawn += [_stick(place, high, "stick") for place in range(sticks)]
    for place in range(sticks, was):
        drawn += [_stick(place, high, "ghost"), _stick(place, high, "stick is-gone")]
    title = say("{sticks} on the table", sticks=count(sticks, "stick"))
    return Drawn("sticks", title, WIDE, tall, "".join(drawn), listed, scale=1.1)


def build(game: Sticks, state: NimState, answers: Answers) -> Building:
    """A field for the number of sticks."""
    field = parts.Input("sticks", say("Sticks on the table"), str(state[2]), MAX_STICKS)
    return parts.build_fields(game, state, answers, field)


def compose(game: Sticks, answers: Answers) -> str:
    """The position that the answers spell."""
    return f"{parts.answer(answers, 'sticks')}:{parts.answer(answers, 'turn', 1)}"


@cache
def _stick(place: int, high: int, kind: str) -> str:
    row, column = divmod(place, ROW)
    x = 12 + column * PITCH + column // GROUP * GAP + PITCH / 2
    y = 12 + row * high + 10
    return (
        f'<rect class="{kind}" x="{x - 4:g}" y="{y}" width="8" height="{high - 20}" rx="4" '
        f'transform="rotate({TILTS[place % len(TILTS)]} {x:g} {y + high / 2 - 10:g})"/>'
    )
