"""The school's tasks for the workers: new hats, some games more, and what is in them.

Hats come and go as the text the store keeps, so that any worker can go on with any hats. What a
page shows of them is computed here as well, because a worker has read them anyway.
"""

from __future__ import annotations

from typing import Any

from parlour.core import BadText, Record, TooLarge, Work
from parlour.drawing import svg
from parlour.faces.web.school.view import describe
from parlour.faces.web.table import teach_hats
from parlour.faces.web.workers import Payload, field, game_of, texts
from parlour.learn import Hats, check_games, draw_chart, list_boxes, storage, train_for
from parlour.learn import hats as make_hats

MOST_BOXES = 5_000  # their hats are read and written several times a second


def begin(payload: Payload, work: Work) -> dict[str, Any]:
    """Make new hats for a game, measured before their first lesson."""
    game = game_of(payload)
    if len(list_boxes(game, work, MOST_BOXES).states) > MOST_BOXES:
        raise TooLarge(f"this variant of {game.name} has too many positions; choose a smaller one")
    held = make_hats(game, work=work, **field(payload, "settings", dict))
    check_games(held, field(payload, "until", int))
    train_for(held, 0, 0, work=work)
    return _answer(held, payload, work)


def train_on(payload: Payload, work: Work) -> dict[str, Any]:
    """Train hats for some seconds or games."""
    held = _read_hats(payload, work)
    train_for(held, field(payload, "until", int), field(payload, "seconds", float), work=work)
    return _answer(held, payload, work)


def learn(payload: Payload, work: Work) -> dict[str, Any]:
    """Teach hats a game that they have played at some seats."""
    held = _read_hats(payload, work)
    record = Record.from_json(field(payload, "record", str))
    teach_hats(held, held.game, record, field(payload, "seats", list))
    return _answer(held, payload, work)


def describe_hats(payload: Payload, work: Work) -> dict[str, Any]:
    """Return what a page shows of hats."""
    return describe(_read_hats(payload, work), texts(payload, "views"), work)


def draw_curve(payload: Payload, work: Work) -> str:
    """Draw the learning curve of a player as a picture to keep."""
    held, row = _read_hats(payload, work), field(payload, "row", int)
    if row not in range(len(held.balls)):
        raise BadText("this class has only one player")
    return svg(draw_chart(held, row))


def _read_hats(payload: Payload, work: Work) -> Hats:
    return storage.from_json(field(payload, "hats", str), name="this class", work=work)


def _answer(held: Hats, payload: Payload, work: Work) -> dict[str, Any]:
    return {
        "hats": storage.to_json(held),
        "games": held.games,
        "details": describe(held, texts(payload, "views"), work),
    }


TASKS = {
    "school-begin": begin,
    "school-train": train_on,
    "school-learn": learn,
    "school-describe": describe_hats,
    "school-curve": draw_curve,
}
