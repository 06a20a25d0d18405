"""Chopsticks across a table: two hands a seat, or boxes with feathers, and the moves in words.

The first seat is on top, unless whoever looks sits there: one's own hands are always below.
"""

from __future__ import annotations

from collections.abc import Iterator

from parlour.core.words import count
from parlour.faces.web.boards import hands
from parlour.faces.web.boards.marks import legend
from parlour.faces.web.boards.pieces import drawing, felt, told
from parlour.faces.web.boards.view import View
from parlour.rules.chopsticks import HIT, LEFT, OWN, RIGHT, SPLIT, Chopsticks, Move, State

WIDE, HIGH = 560, 580
MIDDLES = (140, 420)  # of the left and of the right hand
SIDES = ("left", "right")
BOXES = "ABCD"


def board(view: View) -> str:
    """The hands, and a button for every move: hits first, then splits."""
    game, state = view.game, view.state
    hits: list[str] = []
    splits: list[str] = []
    for move in game.moves(state):
        text = game.write_move(move)
        shown, where = _worded(game, state, move), f"move-{text.replace(' ', '-')}"
        (hits if move[0] == HIT else splits).append(view.button(text, shown, where))
    groups = "".join(
        f'<div class="moves" role="group" aria-label="{name}"><p class="caption">{name}</p>'
        f"{''.join(buttons)}</div>"
        for name, buttons in (("Hits", hits), ("Splits", splits))
        if buttons
    )
    svg = _drawn("drawing", game, state, view.viewer, _changed(view))
    return (
        f'<div class="board board-chopsticks">{svg}{view.form(groups, "play")}'
        f"{legend(view.marks)}</div>"
    )


def picture(game: Chopsticks, state: State) -> str:
    """The hands alone."""
    return _drawn("picture picture-chopsticks", game, state, None, set())


def _worded(game: Chopsticks, state: State, move: Move) -> str:
    """`Right hits their left`, `Split: left 1, right 3`; `A hits C`, `Split: A 1, B 3`"""
    kind, one, two = move
    boxes = game.words[0] == "box"
    mine = BOXES[2 * state[0] : 2 * state[0] + 2] if boxes else SIDES
    if kind == SPLIT:
        return f"Split: {mine[0]} {one}, {mine[1]} {two}"
    if two == OWN:
        return f"{mine[one].capitalize()} hits {'' if boxes else 'own '}{mine[1 - one]}"
    if boxes:
        return f"{mine[one]} hits {BOXES[2 - 2 * state[0] + two]}"
    return f"{mine[one].capitalize()} hits their {SIDES[two]}"


def _changed(view: View) -> set[tuple[int, int]]:
    """The hands, each as seat and side, that the last move was about."""
    if view.last_move is None:
        return set()
    kind, one, two = view.last_move
    mover = view.before[0]
    if kind == SPLIT:
        return {(mover, LEFT), (mover, RIGHT)}
    return {(mover, 1 - one)} if two == OWN else {(1 - mover, two)}


def _drawn(
    kind: str, game: Chopsticks, state: State, viewer: int | None, changed: set[tuple[int, int]]
) -> str:
    """Both seats' hands on the felt, the viewer's below."""
    above = 1 if viewer == 0 else 0
    inside = [felt(WIDE, HIGH), f'<path class="lines" d="M24 {HIGH // 2}H{WIDE - 24}"/>']
    for seat in (above, 1 - above):
        name = "You" if seat == viewer else f"Player {seat + 1}"
        for side in (LEFT, RIGHT):
            fingers = state[1 + 2 * seat + side]
            new = (seat, side) in changed
            inside += _hand(game, (seat, side), fingers, name, above=seat == above, new=new)
        y = 40 if seat == above else HIGH - 22
        inside.append(f'<text class="seat" x="{WIDE // 2}" y="{y}">{name}</text>')
    hand, finger = game.words
    title = f"Chopsticks: {finger}s {'in' if hand == 'box' else 'on'} each {hand}"
    return drawing(kind, f"0 0 {WIDE} {HIGH}", title, "".join(inside), "group")


def _hand(
    game: Chopsticks, which: tuple[int, int], fingers: int, name: str, *, above: bool, new: bool
) -> Iterator[str]:
    """A hand or a box with its caption."""
    seat, side = which
    boxes = game.words[0] == "box"
    called = f"box {BOXES[2 * seat + side]}" if boxes else f"{SIDES[side]} hand"
    what = count(fingers, game.words[1]) if fingers else "dead"
    x = MIDDLES[side]
    y = 62 if above else HIGH - 62 - hands.SIZE
    place = f"translate({x - hands.SIZE // 2} {y})"
    if above and not boxes:
        place += f" translate(0 {hands.SIZE}) scale(1 -1)"
    kinds = ("" if fingers else "is-dead ") + ("is-new" if new else "still")
    shape = (
        hands.box(fingers, BOXES[2 * seat + side]) if boxes else hands.hand(fingers, side == LEFT)
    )
    yield f'<g role="img" aria-label="{told(f"{name}, {called}, {what}")}">'
    yield f'<g transform="{place}"><g class="{kinds}">{shape}</g></g>'
    if new:
        yield f'<circle class="last" cx="{x}" cy="{y + hands.SIZE // 2}" r="104"/>'
    if fingers > hands.MOST_FINGERS and not boxes:
        down = 74 if above else 154
        yield f'<text class="total" x="{x}" y="{y + down}">{fingers}</text>'
    caption = f"{SIDES[side]} {fingers or 'dead'}" if not boxes else f"{fingers or 'dead'}"
    yield f'<text class="caption" x="{x}" y="{40 if above else HIGH - 22}">{caption}</text></g>'
