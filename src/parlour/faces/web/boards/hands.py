"""Hands with fingers, and boxes with feathers, each in a square of 200 with its feet at the bottom.

A hand is seen from the back. It is a palm and five thick round strokes: first all of them in the
colour of the edge, then a little thinner in the colour of the hand, so that they melt into one.
A folded finger is only its knuckle.
"""

from __future__ import annotations

from functools import cache

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
MOST_FINGERS = 5
MOST_FEATHERS = 12


@cache
def hand(fingers: int, left: bool) -> str:
    """A hand that holds out so many fingers; none are a fist, and more than five are told so."""
    held = min(fingers, MOST_FINGERS)
    strokes = [f'<path d="{PALM}" stroke-width="{{palm}}"/>']
    for number, ((x, y), tip, knuckle, wide) in enumerate(FINGERS):
        to_x, to_y = tip if number < held else knuckle
        strokes.append(f'<path d="M{x} {y}L{to_x} {to_y}" stroke-width="{{{wide}}}"/>')
    thumb = THUMB_OUT if held == MOST_FINGERS else THUMB_IN
    strokes.append(f'<path d="{thumb}" stroke-width="{{wide}}"/>')
    drawn = "".join(strokes)
    edge = drawn.format(palm=13, wide=26, narrow=23)
    skin = drawn.format(palm=8, wide=21, narrow=18)
    creases = "".join(
        f'<path d="M{x} {y}v12"/>'
        for number, (x, y) in enumerate(CREASES, start=1)
        if number >= held or held == 0
    )
    mirror = f' transform="translate({SIZE} 0) scale(-1 1)"' if left else ""
    return (
        f'<g{mirror}><g class="hand-edge">{edge}</g><g class="hand-skin">{skin}</g>'
        f'<g class="hand-crease">{creases}{_thumb_crease(held)}</g></g>'
    )


def _thumb_crease(held: int) -> str:
    return "" if held == MOST_FINGERS else '<path d="M80 120Q78 136 88 148"/>'


@cache
def box(feathers: int, letter: str) -> str:
    """An open box with so many feathers in it, or a closed one without."""
    drawn = "".join(_feather(number, feathers) for number in range(min(feathers, MOST_FEATHERS)))
    lid = '<path class="box" d="M28 118H172L164 106H36Z"/>' if not feathers else ""
    return (
        f'<path class="box-inside" d="M28 118H172L160 108H40Z"/>{drawn}{lid}'
        '<rect class="box" x="26" y="118" width="148" height="76" rx="5"/>'
        f'<text class="letter" x="100" y="170">{letter}</text>'
    )


def _feather(number: int, feathers: int) -> str:
    """A feather standing in the box, leaning outwards the further it is from the middle."""
    shown = min(feathers, MOST_FEATHERS)
    place = 0 if shown == 1 else number / (shown - 1) * 2 - 1  # from -1 to 1
    spread = min(1, 0.35 + shown / 10)
    x, lean = 100 + 56 * place * spread, 20 * place * spread
    high = 14 + 12 * abs(place)
    return (
        f'<g class="feather" transform="translate({x:.0f} 0) rotate({lean:.0f} 0 130)">'
        f'<path class="vane" d="M0 {high:.0f}Q-13 {high + 34:.0f} -6 104Q0 110 6 104'
        f'Q13 {high + 34:.0f} 0 {high:.0f}Z"/><path class="quill" d="M0 {high + 10:.0f}V140"/></g>'
    )
