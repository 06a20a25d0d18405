"""Thoughts of the school: hats before the first lesson, some games more, and what is in them.

Hats come and go as text, the one the store keeps, so that any worker can go on with any hats. What
a page shows of them is told here as well, because a worker has read them anyway.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from parlour.core import BadText, ParlourError, Record, TooLarge, Work
from parlour.drawing import svg
from parlour.faces.web.school import pictures as hats_drawn
from parlour.faces.web.workers import Payload, field, game_of, lesson, texts
from parlour.learn import (
    DRAW,
    MENACE,
    Hats,
    Odds,
    chart_title,
    check_games,
    compute_odds,
    describe_box,
    describe_dry,
    describe_games,
    describe_learning,
    describe_strategy,
    draw_box,
    draw_chart,
    find_truths,
    format_percent,
    list_boxes,
    list_kinds,
    name_box,
    prove_strategy,
    storage,
    train_for,
)
from parlour.learn import (
    hats as fresh,
)
from parlour.rules import Sticks

MOST = 5_000  # situations: their hats are read and written several times a second
SHOWN = 15  # boxes on a page; of sticks all hats that fit on two
SHOWN_HATS = 24
NEVER = 1e-12  # what sums leave of nothing
PLACES = ("first", "second")
WHOSE = {"hats": "the rule of hats", "menace": "MENACE’s rule"}
BEADS = re.compile(r"\b(?:hat|ball)s?\b", re.IGNORECASE)
TEXT_NODE = re.compile(r">[^<]+<")


# Learning


def begin(payload: Payload, work: Work) -> dict[str, Any]:
    """New hats for a game, measured before their first lesson; refused where there are too many."""
    game = game_of(payload)
    listed = list_boxes(game, work, MOST)
    if len(listed.states) > MOST:
        raise TooLarge(f"{game.name} has too many situations so; choose a smaller variant")
    how = field(payload, "settings", dict)
    held = fresh(game, work=work, **how)
    check_games(held, field(payload, "until", int))
    train_for(held, 0, 0, work=work)
    return _answered(held, payload, work)


def train_on(payload: Payload, work: Work) -> dict[str, Any]:
    """The hats some games later."""
    held = _held(payload, work)
    train_for(held, field(payload, "until", int), field(payload, "seconds", float), work=work)
    return _answered(held, payload, work)


def learn(payload: Payload, work: Work) -> dict[str, Any]:
    """The hats after a game that they have played at some seats."""
    held = _held(payload, work)
    record = Record.from_json(field(payload, "record", str))
    lesson(held, held.game, record, field(payload, "seats", list))
    return _answered(held, payload, work)


def _held(payload: Payload, work: Work) -> Hats:
    return storage.from_json(field(payload, "hats", str), name="this class", work=work)


def _answered(held: Hats, payload: Payload, work: Work) -> dict[str, Any]:
    return {
        "hats": storage.to_json(held),
        "games": held.games,
        "told": _told(held, texts(payload, "views"), work),
    }


# Telling


def told(payload: Payload, work: Work) -> dict[str, Any]:
    """What a page shows of hats."""
    return _told(_held(payload, work), texts(payload, "views"), work)


def drawn_curve(payload: Payload, work: Work) -> str:
    """The learning curve of a player as a picture to keep."""
    held, row = _held(payload, work), field(payload, "row", int)
    if row not in range(len(held.balls)):
        raise BadText("there is only one set of hats here")
    return svg(draw_chart(held, row))


def _told(held: Hats, views: list[str], work: Work) -> dict[str, Any]:
    found = {
        "games": held.games,
        "schooling": f"{describe_games(held)}, by {WHOSE[held.rule.name]}",
        "tally": asdict(held.tally),
        "dry": describe_dry(held),
        "draws": DRAW in held.boxes.leads or held.tally.draws > 0,
        "start": held.game.write(held.game.start()),
        "seats": sorted({seat for row in range(len(held.balls)) for seat in held.seats(row)}),
        "players": [_player(held, row, work) for row in range(len(held.balls))],
        "boxes": {view: _viewed(held, view) for view in views},
    }
    return _in_beads(found) if held.rule is MENACE else found


def _in_beads(told: Any) -> Any:
    """What is told, in the words of MENACE, who draws beads from boxes; of a picture, its text."""
    if isinstance(told, dict):
        return {key: _in_beads(each) for key, each in told.items()}
    if isinstance(told, list):
        return [_in_beads(each) for each in told]
    if not isinstance(told, str):
        return told
    if "<svg" in told:
        return TEXT_NODE.sub(lambda found: BEADS.sub(_bead, found[0]), told)
    return BEADS.sub(_bead, told)


def _bead(found: re.Match[str]) -> str:
    word = {"ball": "bead", "balls": "beads", "hat": "box", "hats": "boxes"}[found[0].lower()]
    return word.capitalize() if found[0][0].isupper() else word


def _player(held: Hats, row: int, work: Work) -> dict[str, Any]:
    """What one player's hats look like, how well they play, and what they seem to say."""
    owned = held.owned(row)
    sticks = isinstance(held.game, Sticks)
    shown = sorted(owned, key=lambda box: int(held.boxes.states[box][2])) if sticks else owned
    shown = shown[: SHOWN_HATS if sticks else SHOWN]
    said, is_right = describe_strategy(held, row) if sticks else ([], False)
    return {
        "title": chart_title(held, row),
        "learned": describe_learning(held, row),
        "curve": hats_drawn.curve(held, row),
        "legend": hats_drawn.legend(held, row),
        "fares": {
            "drawn": [_fared(each) for each in compute_odds(held, row, work=work)],
            "likeliest": [
                _fared(each) for each in compute_odds(held, row, likeliest=True, work=work)
            ],
        },
        "says": said,
        "why": prove_strategy(held.game) if is_right and isinstance(held.game, Sticks) else [],
        "all": len(owned),
        "beads": hats_drawn.beads(held, shown),
        "cards": [_card(held, row, box) for box in shown],
    }


def _fared(fortune: Odds) -> dict[str, Any]:
    return {
        "opponent": fortune.opponent,
        "place": PLACES[fortune.seat],
        "win": _percent(fortune.win),
        "draw": _percent(fortune.draw),
        "loss": _percent(fortune.loss),
    }


def _percent(chance: float) -> str:
    """A chance that was summed up from many: what the sums leave of nothing is nothing."""
    return format_percent(float(round(chance)) if abs(chance - round(chance)) < NEVER else chance)


def _position(held: Hats, box: int) -> str:
    """How a box is asked for."""
    state = held.boxes.states[box]
    return str(state[2]) if isinstance(held.game, Sticks) else held.game.write(state)


def _card(held: Hats, row: int, box: int) -> dict[str, Any]:
    """One of many boxes."""
    found, likely = list_kinds(held, row, box), held.likeliest(row, box)
    return {
        "name": name_box(held, row, box),
        "position": _position(held, box),
        "picture": hats_drawn.small(held, row, box),
        "told": "; ".join(kind.words for kind in found),
        "likely": found[likely[0]].move if len(likely) == 1 else "",
        "chance": format_percent(found[likely[0]].chance) if likely else "",
        "verdict": _verdict(held, box, likely),
    }


def _verdict(held: Hats, box: int, likely: list[int]) -> str:
    """What the truth says of the likeliest ball."""
    known = find_truths(held.boxes)[box]
    if not likely:
        return "empty"
    if not known.right:
        return "lost" if known.outcome == "loss" else "any"
    if {*likely} <= {*known.right}:
        return "right"
    return "unsure" if {*likely} & {*known.right} else "wrong"


def _viewed(held: Hats, view: str) -> dict[str, Any]:
    """The box that a view opens, or why it cannot."""
    player, _, position = view.partition(":")
    try:
        state = held.game.read(position)
        row = int(player) - 1 if player else held.row(held.game.turn(state))
        return _opened(held, row, held.own(row, state))
    except ParlourError as refusal:
        return {"refused": str(refusal)}


def _opened(held: Hats, row: int, box: int) -> dict[str, Any]:
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
                "ball": hats_drawn.ball(kind),
                "mark": kind.mark,
                "move": kind.move,
                "held": kind.held,
                "chance": format_percent(kind.chance),
                "right": not known.right or number in known.right,
                "to": _leads(held, row, box, number),
            }
            for number, kind in enumerate(list_kinds(held, row, box))
        ],
    }


def _leads(held: Hats, row: int, box: int, kind: int) -> dict[str, Any] | None:
    """The box a ball leads to, of the same player if there is one."""
    leads = held.boxes.leads[held.boxes.first[box] + kind]
    following = leads >> 1
    if leads < 0 or not held.boxes.boxed[following]:
        return None
    mover = held.row(held.game.turn(held.boxes.states[following]))
    for owner in (row, mover):
        if following in held.owned(owner):
            return {"row": owner, "position": _position(held, following)}
    return None


THOUGHTS = {
    "school-begin": begin,
    "school-train": train_on,
    "school-learn": learn,
    "school-told": told,
    "school-curve": drawn_curve,
}
