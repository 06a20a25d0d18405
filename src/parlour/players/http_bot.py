"""The bot "http": a player that runs as a server of its own, asked by one request a move.

The question is a JSON object with the fields that docs/protocol.md lists for programs, so the same
bot may speak over pipes and over HTTP. The answer is `{"move": "2 from 1"}`, or `{"resign": true}`.
Whatever a server does wrong costs it the game: it is late, it answers garbage, it cannot be
reached, or its move is illegal. What is said about that leaves out the address, as visitors of a
web site may read it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from parlour.core import (
    Game,
    Move,
    ParlourError,
    Resigns,
    State,
    option,
    quote,
    reduce_to_options,
    referee,
    settle,
    values,
)
from parlour.players.endpoint import EndpointError, EndpointTimeout, check_url, post_json

PROTOCOL = 1
MAX_LISTED = 1_000  # moves in one question, as in docs/protocol.md
MAX_ANSWER = 1 << 16  # bytes
MAX_REASON = 200  # characters


@dataclass
class Http:
    """A bot that runs as a server, here or elsewhere, and is asked by HTTP."""

    name: ClassVar[str] = "http"
    needs_trust: ClassVar[str] = "asks a server"  # so web pages and Benedict do not offer it

    url: str = option("", "the address of the bot, like http://localhost:9000")
    seconds: float = option(60.0, "the seconds an answer may take", low=0.1, high=1_000_000)

    def __post_init__(self) -> None:
        settle(self)
        if self.url:
            check_url(self.url, "the http bot", "http://localhost:9000")
        self._history: Sequence[str] = ()
        self._left: float | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_to_options(self)

    def plays(self, game: Game) -> str:
        """Say that it plays; nothing without an address. The server is not asked."""
        return "" if self.why_not(game) else "as the server does"

    def why_not(self, game: Game) -> str:
        """Return why it cannot play, or nothing."""
        return "" if self.url else "it needs an address, like url=http://localhost:9000"

    def follow(self, game: Game, moves: Sequence[str]) -> None:
        """Take the moves from the start of the game to the position that comes next."""
        self._history = moves

    def clock(self, seconds_left: float) -> None:
        """Take the time left, before a choice."""
        self._left = seconds_left

    def choose(self, game: Game, state: State) -> Move:
        """Return the move the server answers with."""
        if why := self.why_not(game):
            raise ParlourError(f"the http bot cannot play: {why}")
        history, self._history = self._history, ()
        left, self._left = self._left, None
        moves = game.moves(state)
        question = {
            "type": "choose",
            "protocol": PROTOCOL,
            "game": game.name,
            "options": values(game),
            "seat": game.turn(state),
            "seats": game.seats,
            "position": game.write(state),
            "moves": [game.write_move(move) for move in islice(moves, MAX_LISTED)],
            "count": len(moves),
            "played": list(history),
            "seconds": left,
        }
        return self._read(game, state, self._ask(question, left))

    def _ask(self, question: dict[str, Any], left: float | None) -> Any:
        seconds = self.seconds if left is None else max(0.01, min(self.seconds, left))
        began = time.monotonic()
        try:
            return post_json(self.url, question, seconds=seconds, max_bytes=MAX_ANSWER)
        except EndpointTimeout:
            taken = time.monotonic() - began
            raise referee.OutOfTime(
                f"took longer than {min(seconds, taken):.3g} s for a move"
            ) from None
        except EndpointError as error:
            raise ParlourError(f"its server {error}") from None

    def _read(self, game: Game, state: State, answer: Any) -> Move:
        """Return the legal move in an answer."""
        found = answer if isinstance(answer, dict) else {}
        why = _clean(found.get("why", ""))
        if found.get("resign") is True or found.get("type") == "resign":
            raise Resigns(why)
        if found.get("type") == "error":
            raise ParlourError(f"its server cannot go on: {why}")
        text = found.get("move")
        if not isinstance(text, str):
            shown = quote(_clean(answer))
            raise ParlourError(f'its server answered {shown}, where {{"move": "…"}} was expected')
        try:
            return game.read_move(state, text)
        except ParlourError as refusal:
            raise referee.BadChoice("its server", text, refusal) from None


def _clean(value: Any) -> str:
    text = str(value)[: 4 * MAX_REASON]
    return "".join(each if each.isprintable() else " " for each in text).strip()[:MAX_REASON]
