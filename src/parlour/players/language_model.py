"""A language model as a player: an OpenAI-compatible server is shown the game and names a move.

The model reads the rules, the position in words and the legal moves; it may think aloud, and ends
with a line that names its move. Its answer is read leniently but never guessed at: one that names
no legal move is asked again a stated number of times, with the reason, and then it was illegal.
Every request is counted, since a model costs money and its mistakes are of several kinds.
"""

from __future__ import annotations

import os
import re
import threading
import time
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from parlour import core
from parlour.core import BadText, Game, IllegalMove, Move, ParlourError, State, option, referee
from parlour.players import endpoint
from parlour.players.endpoint import ChatReply, EndpointRefused, EndpointStopped, EndpointTimeout
from parlour.players.skins import reskin

MAX_LISTED = 300  # legal moves in a question
MAX_QUOTED = 4_000  # characters of an answer that are sent back with the reason against it
MAX_SHORT = 80  # characters of an answer that may be a move and nothing else
MAX_WAITS = 4  # for a server that is busy
MAX_WAIT = 60.0  # seconds
BUSY = frozenset((408, 409, 425, 429, *range(500, 600)))  # errors that may pass
ALLOWED_IN_URL = frozenset(("api-version",))  # a key there would be kept in records
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")

SYSTEM_PROMPT = (
    "You play a game against an opponent, and you want to win. Read the rules and the position, "
    "and think as long as you need. End your answer with one line that names your move exactly as "
    "it is listed among the legal moves:\n"
    "MOVE: the move"
)


def write_question(game: Game, state: State) -> str:
    """Return the rules, the position and the legal moves in words, as a model is shown them."""
    moves = game.moves(state)
    rules = "\n".join(f"- {rule}" for rule in core.protocol.rules_text(game))
    step = max(1, -(-len(moves) // MAX_LISTED))  # of very many, some from everywhere
    shown = [
        core.protocol.describe_move(game, state, moves[place])
        for place in range(0, len(moves), step)
    ]
    legal = f"The legal moves are: {', '.join(shown)}."
    if len(shown) < len(moves):
        legal = f"There are {len(moves):,} legal moves; some of them are: {', '.join(shown)}."
    return (
        f"The game is called {core.title(game)}. Its rules:\n{rules}\n\n"
        f"You are {core.seat_name(game, game.turn(state))}, and it is your turn. The position:\n"
        f"{game.draw(state)}\n\n{legal}\n{core.how_to_move(game)}\n\nWhat do you play?"
    )


# Reading an answer

THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
MOVE_LINE = re.compile(
    r"^[ \t>*_#`-]*(?:(?:my|the|final|best|chosen) ){0,3}(?:move|answer)(?: is)?[ \t*_`]*[:=](.+)$",
    re.IGNORECASE | re.MULTILINE,
)
MOVE_FIELD = re.compile(r"""["']move["']\s*:\s*["']([^"'\n]+)["']""", re.IGNORECASE)
BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}\n]+)\}")
WRAPPING = " \t\r\n*_`'\"“”‘’<>[]{}()"


def read_answer(game: Game, state: State, text: str) -> Move:
    """Return the legal move that an answer names; `IllegalMove` or `BadText` with the reason.

    The last line that begins with MOVE counts, or else the last field `"move"` of some JSON or the
    last box of some formula; an answer that is nothing but a move needs none of these.
    """
    said = THOUGHTS.sub("", text).strip()
    found = [pattern.findall(said) for pattern in (MOVE_LINE, MOVE_FIELD, BOXED)]
    named = next((each[-1] for each in found if each), None)
    if named is None:
        if not said or "\n" in said or len(said) > MAX_SHORT:
            raise BadText("there was no line 'MOVE: …' in the answer")
        named = said
    wanted = [named.strip(), named.strip(WRAPPING), named.strip(WRAPPING + ".!;,")]
    moves = game.moves(state)
    if len(moves) <= MAX_LISTED:
        folded = [_fold(each) for each in wanted]
        for write in (game.write_move, lambda move: core.protocol.describe_move(game, state, move)):
            known = [move for move in moves if _fold(write(move)) in folded]
            if len(known) == 1:
                return known[0]
    try:
        return game.read_move(state, wanted[-1])
    except ParlourError:
        raise
    except Exception:  # an error in a third-party game, on a text it does not expect
        raise BadText(f"{core.quote(wanted[-1])} is not a move") from None


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


# The player


@dataclass
class Figures:
    """What a model was asked, and what it cost and did wrong.

    `uncounted` counts the answers that did not say how many tokens they took.
    """

    choices: int = 0
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    seconds: float = 0.0
    illegal: int = 0
    garbage: int = 0
    timeouts: int = 0
    refused: int = 0

    def add(self, other: Mapping[str, float]) -> None:
        """Add the figures of other requests, such as an earlier run's."""
        for each in fields(self):
            value = other.get(each.name, 0)
            if isinstance(value, int | float) and not isinstance(value, bool):
                setattr(self, each.name, getattr(self, each.name) + value)


@dataclass
class LanguageModel:
    """A language model behind an OpenAI-compatible server."""

    name: ClassVar[str] = "language-model"
    needs_trust: ClassVar[str] = "asks a server"  # so web pages and Benedict do not offer it

    url: str = option("", "the address of the server, like http://localhost:8080/v1")
    model: str = option("default", "the name of the model there")
    temperature: float | None = option(None, "how freely it picks its words", low=0, high=2)
    max_tokens: int | None = option(None, "the most tokens of an answer", low=1, high=10**7)
    seconds: float = option(60.0, "the seconds an answer may take", low=0.1, high=3600)
    retries: int = option(
        2, "how often it is asked again after an answer without a legal move", low=0, high=20
    )
    key: str = option("", "the environment variable that holds the key, such as OPENAI_API_KEY")
    price_in: float = option(0.0, "the price of a million tokens that it reads", low=0, high=10**6)
    price_out: float = option(
        0.0, "the price of a million tokens that it writes", low=0, high=10**6
    )
    reskin: int | None = option(
        None, "the seed of an invented name and other words for the game", low=0, high=2**53
    )

    figures: Figures = field(default_factory=Figures, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        core.settle(self)
        self._stop = threading.Event()
        if self.key and not VARIABLE.fullmatch(self.key):  # perhaps the key itself: not quoted
            raise ParlourError(
                "key must be the name of an environment variable that holds the key, such as "
                "OPENAI_API_KEY"
            )
        if self.url:
            parts = urllib.parse.urlsplit(endpoint.chat_url(self.url))
            if "@" in parts.netloc or {*urllib.parse.parse_qs(parts.query)} - ALLOWED_IN_URL:
                raise ParlourError(
                    "the address of a language model must not hold a password or a key; put it in "
                    "an environment variable, and name that by key"
                )

    def __reduce__(self) -> tuple[Any, ...]:
        return core.reduce_to_options(self)

    def plays(self, game: Game) -> str:
        """Return nothing without an address: a server that was not named is not offered."""
        return "as the model does" if self.url else ""

    def why_not(self, game: Game) -> str:
        return "" if self.url else "it needs an address, like url=http://localhost:8080/v1"

    def stop(self) -> None:
        """Wait no longer for the answer; from any thread."""
        self._stop.set()

    def choose(self, game: Game, state: State) -> Move:
        """Return the move that the model names; a forced one is not asked for.

        Raise `IllegalMove` when all its answers name none, `OutOfTime` when the last did not come,
        and `EndpointRefused` when the server cannot be asked.
        """
        if not self.url:
            raise ParlourError(f"{self.name} {self.why_not(game)}")
        self._stop.clear()
        self.figures.choices += 1
        shown: Game = game if self.reskin is None else reskin(game, self.reskin)
        if len(game.moves(state)) == 1:
            return game.moves(state)[0]
        messages = [
            {"role": "system", "content": SYSTEM_PROMPT},
            {"role": "user", "content": write_question(shown, state)},
        ]
        failure: ParlourError = IllegalMove("it named no move")
        for _ in range(1 + self.retries):
            try:
                reply = self._request(messages)
            except EndpointTimeout as error:
                self.figures.timeouts += 1
                failure = referee.OutOfTime(str(error))
                continue
            except endpoint.BadReply as error:
                self.figures.garbage += 1
                failure = IllegalMove(str(error))
                continue
            try:
                return read_answer(shown, state, reply.text)
            except ParlourError as error:
                if isinstance(error, IllegalMove):
                    self.figures.illegal += 1
                else:
                    self.figures.garbage += 1
                failure = IllegalMove(f"answered {core.quote(reply.text[-200:])}: {error}")
                messages = [*messages[:2], *_ask_again(reply.text, error)]
        raise failure

    def _request(self, messages: Sequence[Mapping[str, str]]) -> ChatReply:
        """Return the model's answer; a server that is busy is given some time."""
        key = self._read_key()
        settings = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        for attempt in range(MAX_WAITS + 1):
            began = time.perf_counter()
            self.figures.requests += 1
            try:
                reply = endpoint.request_chat(
                    self.url,
                    self.model,
                    messages,
                    seconds=self.seconds,
                    key=key,
                    stop=self._stop,
                    **{name: value for name, value in settings.items() if value is not None},
                )
            except EndpointStopped:
                raise referee.OutOfTime("was not waited for") from None
            except EndpointRefused as error:
                self.figures.refused += 1
                if error.status not in BUSY or attempt == MAX_WAITS:
                    raise EndpointRefused(f"{self.url} {error}", error.status) from None
                if self._stop.wait(min(MAX_WAIT, error.wait or 2.0**attempt)):
                    raise referee.OutOfTime("was not waited for") from None
            else:
                self.figures.tokens_in += reply.tokens_in or 0
                self.figures.tokens_out += reply.tokens_out or 0
                self.figures.uncounted += None in (reply.tokens_in, reply.tokens_out)
                return reply
            finally:
                self.figures.seconds += time.perf_counter() - began
        raise AssertionError  # the last attempt has returned or raised

    def _read_key(self) -> str:
        if not self.key:
            return ""
        value = os.environ.get(self.key, "").strip()
        if not value:
            raise EndpointRefused(f"the environment variable {self.key} should hold the key")
        return value

    @property
    def cost(self) -> float:
        """What all answers cost so far, at the prices given."""
        told = self.figures
        return (told.tokens_in * self.price_in + told.tokens_out * self.price_out) / 1_000_000

    @property
    def identity(self) -> str:
        """What its answers depend on, under which they are kept: not the prices, nor the key."""
        names = ("url", "model", "temperature", "max_tokens", "retries", "reskin")
        return core.describe(LanguageModel(**{name: getattr(self, name) for name in names}))

    def report(self) -> dict[str, Any]:
        """Return what it was asked, what that cost, and what it did wrong, for the judge."""
        told = self.figures
        found: dict[str, Any] = {
            "requests": {
                "choices": told.choices,
                "requests": told.requests,
                "illegal answers": told.illegal,
                "unreadable answers": told.garbage,
                "time-outs": told.timeouts,
                "refused by the server": told.refused,
                "seconds": round(told.seconds, 3),
            },
            "tokens": {"read": told.tokens_in, "written": told.tokens_out},
        }
        if told.uncounted:
            found["tokens"]["answers without a count"] = told.uncounted
        if self.price_in or self.price_out:
            found["cost"] = round(self.cost, 6)
        return found


def _ask_again(answer: str, error: ParlourError) -> list[dict[str, str]]:
    """Return what is added to the conversation after an answer that named no legal move."""
    reason = (
        f"{core.capital(str(error))}. Answer again, and end with a line 'MOVE: …' that names "
        "one of the legal moves."
    )
    said = answer[-MAX_QUOTED:] or "(nothing)"
    return [{"role": "assistant", "content": said}, {"role": "user", "content": reason}]
