"""Chopsticks across a table: two hands per seat, or boxes with feathers, and the moves in words.

The first seat is at the top, unless the viewer sits there: one's own hands are always below.

A move is also made by pressing hands: one's own, then the one it hits; one's own two split. Own
hands are radio buttons, and style alone shows what the chosen one can reach, so that it works
without scripts.

Hands and boxes are drawn in a square of 200. A hand is seen from the back: a palm and five thick
round strokes, first in the colour of the edge, then a little thinner in the colour of the hand, so
that they melt into one. A folded finger is only its knuckle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from parlour import rules
from parlour.boards import parts
from parlour.boards.parts import Answers, Building, Drawn, View, escape, in_language
from parlour.core import capital, join, say, seat_name, title
from parlour.rules import OWN, RIGHT, SIDES, SPLIT, Chopsticks, ChopsticksMove, ChopsticksState

SIZE = 200
# Index, middle, ring and little finger of a right hand: where each begins, where it
# ends held out, where it ends folded, and how thick it is.
FINGERS = (
    ((75, 108), (66, 32), (74, 100), "wide"),
    ((95, 102), (93, 17), (95, 94), "wide"),
    ((115, 104), (120, 27), (115, 96), "wide"),
    ((133, 113), (146, 50), (133, 106), "narrow"),
)
THUMB_OUT = "M84 152Q56 138 47 122L33 92"
THUMB_IN = "M82 150Q66 138 70 122"
PALM = "M76 112Q104 94 132 116Q136 146 126 168L124 196H84L80 170Q68 144 76 112Z"
CREASES = ((85, 98), (105, 95), (124, 101))  # between neighbouring knuckles
MAX_FINGERS = 5
MAX_FEATHERS = 12
MAX_NAME = 14  # letters of a name between the captions of the hands
HANDS = (say("left"), say("right"))


@cache
def hand(fingers: int, left: bool) -> str:
    """A hand that holds out some fingers, a fist for none; the board writes numbers above five."""
    held = min(fingers, MAX_FINGERS)
    strokes = [f'<path d="{PALM}" stroke-width="{{palm}}"/>']
    for number, ((x, y), tip, knuckle, wide) in enumerate(FINGERS):
        to_x, to_y = tip if number < held else knuckle
        strokes.append(f'<path d="M{x} {y}L{to_x} {to_y}" stroke-width="{{{wide}}}"/>')
    thumb = THUMB_OUT if held == MAX_FINGERS else THUMB_IN
    strokes.append(f'<path d="{thumb}" stroke-width="{{wide}}"/>')
    outline = "".join(strokes)
    edge = outline.format(palm=13, wide=26, narrow=23)
    skin = outline.format(palm=8, wide=21, narrow=18)
    creases = "".join(
        f'<path d="M{x} {y}v12"/>'
        for number, (x, y) in enumerate(CREASES, start=1)
        if number >= held or held == 0
    )
    if held < MAX_FINGERS:
        creases += '<path d="M80 120Q78 136 88 148"/>'  # of the thumb
    mirror = f' transform="translate({SIZE} 0) scale(-1 1)"' if left else ""
    return (
        f'<g{mirror}><g class="hand-edge">{edge}</g><g class="hand-skin">{skin}</g>'
        f'<g class="hand-crease">{creases}</g></g>'
    )


@cache
def box(feathers: int, letter: str) -> str:
    """An open box with feathers in it, or a closed empty one."""
    plume = "".join(_feather(number, feathers) for number in range(min(feathers, MAX_FEATHERS)))
    lid = '<path class="box" d="M28 118H172L164 106H36Z"/>' if not feathers else ""
    return (
        f'<path class="box-inside" d="M28 118H172L160 108H40Z"/>{plume}{lid}'
        '<rect class="box" x="26" y="118" width="148" height="76" rx="5"/>'
        f'<text class="letter" x="100" y="170">{letter}</text>'
    )


def _feather(number: int, feathers: int) -> str:
    """A feather standing in the box, leaning outwards the further it is from the middle."""
    some = min(feathers, MAX_FEATHERS)
    place = 0 if some == 1 else number / (some - 1) * 2 - 1  # from -1 to 1
    spread = min(1, 0.35 + some / 10)
    x, lean = 100 + 56 * place * spread, 20 * place * spread
    high = 14 + 12 * abs(place)
    return (
        f'<g class="feather" transform="translate({x:.0f} 0) rotate({lean:.0f} 0 130)">'
        f'<path class="vane" d="M0 {high:.0f}Q-13 {high + 34:.0f} -6 104Q0 110 6 104'
        f'Q13 {high + 34:.0f} 0 {high:.0f}Z"/><path class="quill" d="M0 {high + 10:.0f}V140"/></g>'
    )


WIDE, HIGH = 560, 580
MIDDLES = (140, 420)  # of the left and of the right hand
CAPTIONS = (108, 452)  # of their captions, which leave room for a name between them


def board(view: View) -> str:
    """The hands, and a button for every move: hits first, then splits."""
    groups = _group_moves(view, say("Hits"), rules.HIT) + _group_moves(view, say("Splits"), SPLIT)
    pressed = view.form(_draw_presses(view), "hands is-placed") if view.playable else ""
    return (
        f'<div class="board board-chopsticks"><div class="hands-field">{draw(view).svg()}'
        f"{pressed}</div>{_list_moves(view, groups)}{parts.legend(view.marks)}</div>"
    )


def _group_moves(view: View, name: str, kind: int) -> str:
    buttons = ""
    for move in view.game.moves(view.state):
        if move[0] == kind:
            text, label = view.game.write_move(move), _label(view.game, view.state, move)
            buttons += view.button(text, label, f"move-{text.replace(' ', '-')}")
    return buttons and (
        f'<div class="moves" role="group" aria-label="{escape(name)}">'
        f'<p class="caption">{escape(name)}</p>{buttons}</div>'
    )


def _list_moves(view: View, groups: str) -> str:
    """The moves as buttons with words, folded up unless they carry values.

    Their number changes from turn to turn, and folded up nothing below them moves.
    """
    if not groups or not (view.offers_moves or view.marks):  # what is below stays where it is
        return '<div class="listed-moves"></div>'
    is_open = ' open=""' if view.marks else ""
    return (
        f'<details class="listed-moves"{is_open}>'
        f"<summary>{escape(say('Moves as buttons'))}</summary>"
        f"{view.form(groups, 'play')}</details>"
    )


def _draw_presses(view: View) -> str:
    """The hands as controls: each of the mover's, with what it can reach."""
    game, state = view.game, view.state
    mover = state[0]
    reached: dict[int, dict[tuple[int, int], list[ChopsticksMove]]] = {rules.LEFT: {}, RIGHT: {}}
    for move in game.moves(state):
        kind, one, two = move
        if kind == SPLIT:
            for side in (rules.LEFT, RIGHT):
                reached[side].setdefault((mover, 1 - side), []).append(move)
        else:
            reached[one].setdefault(_find_target(mover, one, two), []).append(move)
    # The first button of a form is what Return presses in a radio button: here one without effect.
    return '<button formmethod="dialog" hidden=""></button>' + "".join(
        _draw_hand_controls(view, side, targets) for side, targets in reached.items() if targets
    )


def _draw_hand_controls(
    view: View, side: int, targets: dict[tuple[int, int], list[ChopsticksMove]]
) -> str:
    """A hand to choose, and a button on everything that it can do then."""
    mover, name = view.state[0], SIDES[side]
    hand = capital(view.game.name_hand(mover, side))
    choose, put_back = say("{hand}: choose", hand=hand), say("{hand}: put back", hand=hand)
    found = [
        f'<input type="radio" name="piece" value="{name}" id="hand-{name}" '
        f'{_place(view, (mover, side))} aria-label="{escape(choose)}"/>',
        f'<button type="reset" class="target put-back" id="put-back-{name}" '
        f'{_place(view, (mover, side))} aria-label="{escape(put_back)}">'
        "</button>",
    ]
    for target, moves in targets.items():
        if len(moves) == 1:
            found.append(_press(view, moves[0], _place(view, target), f"{name}-"))
            continue
        buttons = "".join(_press(view, move, "", f"{name}-", words=True) for move in moves)
        both = say("both {hands}: choose a split", hands=view.game.plurals[0])
        label = escape(capital(both))
        found.append(
            f'<details class="target both" {_place(view, target)}><summary id="both-{name}" '
            f'aria-label="{label}"></summary><div class="choices-of-both" role="group" '
            f'aria-label="{label}">{buttons}</div></details>'
        )
    return f'<div class="source" id="hand-{mover}-{side}">{"".join(found)}</div>'


def _press(view: View, move: ChopsticksMove, place: str, name: str, *, words: bool = False) -> str:
    """A button that makes a move, on a hand or with words on it."""
    text, label = view.game.write_move(move), _label(view.game, view.state, move)
    attributes = f'id="press-{name}{escape(text.replace(" ", "-"))}" {place}'
    kind, inside = ("move", escape(label)) if words else ("target", "")
    return view.press(text, label, attributes, kind, inside)


def _place(view: View, which: tuple[int, int]) -> str:
    """Where a hand lies on the table."""
    seat, side = which
    row = 1 if seat == _seat_above(view.viewer) else 2
    return f'data-column="{side + 1}" data-row="{row}"'


def _seat_above(viewer: int | None) -> int:
    return 1 if viewer == 0 else 0


def draw(view: View) -> Drawn:
    """Both seats' hands on the felt, the viewer's below, and rings around what has changed."""
    game, above, changed = view.game, _seat_above(view.viewer), _find_changes(view)
    inside = [parts.felt(WIDE, HIGH), f'<path class="lines" d="M24 {HIGH // 2}H{WIDE - 24}"/>']
    for seat in (above, 1 - above):
        name: str = capital(seat_name(game, seat))
        if view.names:
            name = view.names[seat]
        elif seat == view.viewer:
            name = say("You")
        for side in (rules.LEFT, RIGHT):
            fingers = view.state[1 + 2 * seat + side]
            new = (seat, side) in changed
            inside += _hand(game, (seat, side), fingers, name, above=seat == above, new=new)
        y = 40 if seat == above else HIGH - 22
        shown = escape(_shorten(in_language(name)))
        inside.append(f'<text class="seat" x="{WIDE // 2}" y="{y}">{shown}</text>')
    about, drawing = title(game), "".join(inside)
    listed = tuple(view.marks)
    return Drawn("chopsticks", about, WIDE, HIGH, drawing, listed, scale=0.62, role="group")


def build(game: Chopsticks, state: ChopsticksState, answers: Answers) -> Building:
    """A field for each hand or box."""
    fingers, hand = capital(game.plurals[1]), game.words[0]
    explained = say("{fingers}; 0 for a dead {hand}.", fingers=fingers, hand=hand)
    fields = []
    for place, letter in enumerate(rules.BOXES):
        seat, side = divmod(place, 2)
        label = join(", ", (capital(seat_name(game, seat)), game.name_hand(seat, side)))
        about = "" if place else explained
        fields.append(parts.Input(letter, label, str(state[1 + place]), game.dies_at - 1, about))
    return parts.build_fields(game, state, answers, *fields)


def compose(game: Chopsticks, answers: Answers) -> str:
    """The position that the answers spell."""
    a, b, c, d = (parts.answer(answers, letter) for letter in rules.BOXES)
    return f"{a},{b}:{c},{d}:{parts.answer(answers, 'turn', 1)}"


def _label(game: Chopsticks, state: ChopsticksState, move: ChopsticksMove) -> str:
    """`Right hits their left`, `Split: left 1, right 3`; `A hits C`, `Split: A 1, B 3`"""
    kind, one, two = move
    letters = rules.BOXES.upper()
    boxes = letters[2 * state[0] : 2 * state[0] + 2]
    mine: Sequence[str] = boxes if game.has_boxes else HANDS
    if kind == SPLIT:
        left, right = mine
        return say("Split: {left} {one}, {right} {two}", left=left, one=one, right=right, two=two)
    hand = capital(mine[one])
    if game.has_boxes:
        other = mine[1 - one] if two == OWN else letters[2 - 2 * state[0] + two]
        return say("{hand} hits {other}", hand=hand, other=other)
    if two == OWN:
        return say("{hand} hits own {other}", hand=hand, other=mine[1 - one])
    return say("{hand} hits their {other}", hand=hand, other=HANDS[two])


def _find_changes(view: View) -> set[tuple[int, int]]:
    """The hands, each as seat and side, that the last move changed."""
    if view.last_move is None:
        return set()
    kind, one, two = view.last_move
    mover = view.before[0] if view.before else 1 - view.state[0]
    if kind == SPLIT:
        return {(mover, rules.LEFT), (mover, RIGHT)}
    return {_find_target(mover, one, two)}


def _find_target(mover: int, one: int, two: int) -> tuple[int, int]:
    """The hand, as seat and side, that a hit with the hand `one` is on."""
    return (mover, 1 - one) if two == OWN else (1 - mover, two)


def _shorten(name: str) -> str:
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1].rstrip()}…"


def _hand(
    game: Chopsticks, which: tuple[int, int], fingers: int, name: str, *, above: bool, new: bool
) -> Iterator[str]:
    """A hand or a box with its caption."""
    seat, side = which
    boxes = game.has_boxes
    letter = rules.BOXES[2 * seat + side].upper()
    what = game.count_fingers(fingers) if fingers else say("dead")
    label = join(", ", (name, game.name_hand(seat, side), what))
    x = MIDDLES[side]
    y = 62 if above else HIGH - 62 - SIZE
    place = f"translate({x - SIZE // 2} {y})"
    if above and not boxes:
        place += f" translate(0 {SIZE}) scale(1 -1)"
    kinds = ("" if fingers else "is-dead ") + ("is-new" if new else "still")
    shape = box(fingers, letter) if boxes else hand(fingers, side == rules.LEFT)
    yield f'<g role="img" aria-label="{escape(label)}">'
    yield f'<g transform="{place}"><g class="{kinds}">{shape}</g></g>'
    if new:
        yield f'<circle class="last" cx="{x}" cy="{y + SIZE // 2}" r="104"/>'
    if fingers > MAX_FINGERS and not boxes:
        down = 74 if above else 154
        yield f'<text class="total" x="{x}" y="{y + down}">{fingers}</text>'
    shown = fingers or say("dead")
    caption = shown if boxes else join(" ", (HANDS[side], shown))
    place = f'x="{CAPTIONS[side]}" y="{40 if above else HIGH - 22}"'
    yield f'<text class="caption" {place}>{escape(caption)}</text></g>'
