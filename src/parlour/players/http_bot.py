"""The bot "http": a player that runs as a server of its own, asked by one request a move.

The question is a JSON object with the fields that docs/protocol.md lists for programs, so the same
bot may speak over pipes and over HTTP. The answer is `{"move": "2 from 1"}`, or `{"resign": true}`.
Whatever a server does wrong costs it the game: it is late, it answers garbage, it cannot be
reached, or its move is illegal. What is said about that leaves out the address, as visitors of a
web site may read it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from parlour import core
from parlour.core import Game, Move, ParlourError, Resigns, State, option, referee, settle, values
from parlour.players.endpoint import EndpointError, EndpointTimeout, check_url, post_json, shorten
from parlour.players.process import External, ask_for_move

PROTOCOL = 1
MAX_ANSWER = 1 << 16  # bytes


@dataclass
class Http(External):
    """A bot that runs as a server, here or elsewhere, and is asked by HTTP."""

    name: ClassVar[str] = "http"
    needs_trust: ClassVar[str] = "asks a server"  # so web pages and Benedict do not offer it

    url: str = option("", "the address of the bot, like http://localhost:9000")
    seconds: float = option(60.0, "the seconds an answer may take", low=0.1, high=1_000_000)

    def __post_init__(self) -> None:
        settle(self)
        if self.url:
            check_url(self.url, "the http bot", "http://localhost:9000")

    def plays(self, game: Game) -> str:
        """Say that it plays; nothing without an address. The server is not asked."""
        return "" if self.why_not(game) else "as the server does"

    def why_not(self, game: Game) -> str:
        return "" if self.url else "it needs an address, like url=http://localhost:9000"

    def choose(self, game: Game, state: State) -> Move:
        """Return the move the server answers with."""
        if why := self.why_not(game):
            raise ParlourError(f"the http bot cannot play: {why}")
        moves, left = self._take_given()
        question = {
            "protocol": PROTOCOL,
            "game": game.name,
            "options": values(game),
            "seat": game.turn(state),
            "seats": game.seats,
            **ask_for_move(game, state, moves, left),
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
        why = shorten(str(found.get("why", "")))
        if found.get("resign") is True or found.get("type") == "resign":
            raise Resigns(why)
        if found.get("type") == "error":
            raise ParlourError(f"its server cannot go on: {why}")
        text = found.get("move")
        if not isinstance(text, str):
            shown = core.quote(shorten(str(answer)))
            raise ParlourError(f'its server answered {shown}, where {{"move": "…"}} was expected')
        try:
            return game.read_move(state, text)
        except ParlourError as refusal:
            raise referee.BadChoice("its server", text, refusal) from None
