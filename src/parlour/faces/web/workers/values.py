"""Thoughts about worth: what every move of a position is worth, or of many positions of a line."""

from __future__ import annotations

import time
from typing import Any

from parlour.core import BadText, Game, Move, State, Work, quote, span
from parlour.faces.web.workers.payload import (
    LONGEST,
    Payload,
    field,
    game_of,
    seconds_of,
    state_of,
    texts,
)
from parlour.players import assess


def assessed(payload: Payload, work: Work) -> dict[str, Any]:
    """The moves of a position and their worth, within so many seconds where it is estimated."""
    game = game_of(payload)
    seconds = seconds_of(payload, "seconds", 2.0)
    return assess(game, state_of(game, payload), work=work, seconds=seconds).to_dict()


def reviewed(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """The worth of all moves in those positions of a line that are asked for, one after another.

    They are numbered from 0, where the line begins. After about `within` seconds in all no further
    one is begun, so that whoever asks can say how far it is, and ask for the rest.
    """
    game = game_of(payload)
    line = _line(game, payload)
    seconds = seconds_of(payload, "seconds", 0.5)
    ends = time.monotonic() + seconds_of(payload, "within", LONGEST)
    found: list[dict[str, Any]] = []
    for number in _numbers(payload, len(line)):
        if found and time.monotonic() > ends:
            break
        state, move = line[number]
        told = assess(game, state, played=move, work=work, seconds=seconds)
        if work.stopped:
            break
        found.append(told.to_dict())
    return found


def _line(game: Game, payload: Payload) -> list[tuple[State, Move | None]]:
    """Every position with the move made in it, the last one with None."""
    begins = field(payload, "position", str, "")
    state = game.read(begins) if begins else game.start()
    line: list[tuple[State, Move | None]] = []
    for text in texts(payload, "moves"):
        move = game.read_move(state, text)
        line.append((state, move))
        state = game.play(state, move)
    return [*line, (state, None)]


def _numbers(payload: Payload, many: int) -> list[int]:
    """Which positions are asked for."""
    asked: list[Any] = field(payload, "which", list)
    for number in asked:
        if type(number) is not int or number not in range(many):
            raise BadText(f"there is no position {quote(number)}; there is {span(0, many - 1)}")
    return asked


THOUGHTS = {"assess": assessed, "review": reviewed}
