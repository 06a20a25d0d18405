"""A language model may speak the small talk, and nothing else.

Benedict answers first, as always. Only where his answer is a line of talk is an OpenAI-compatible
endpoint asked to say it in its own words, and only if these come soon and keep off the games are
they said instead. Rules, moves, values and reasons never come from it.
"""

from __future__ import annotations

import json
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field, replace

from parlour.core import ParlourError, quote
from parlour.faces.terminal.chat.screen import clean
from parlour.host import Reply, Session

LIMIT = 10.0  # seconds
LONGEST = 500  # characters
MOST_READ = 1_000_000  # bytes
MOST_KEPT = 12  # lines of the talk that are sent along
STRIKES = 3  # failures in a row after which it is left alone
OURS = re.compile(
    r"\b(nim|mis[eè]re|chopsticks?|othello|reversi|sticks?|tic[- ]?tac[- ]?toe|games?|rules?"
    r"|moves?|moved|w[io]n|wins|winn\w+|los[est]\w*|loss|draws?|drawn|bots?|hats?|piles?|perfect"
    r"|play\w*|solv\w+|proof|prov\w+|feathers?|minimax)\b",
    re.IGNORECASE,
)
HIS = ("keep", "teach", "name", "new", "shall", "game")  # what he asks for himself, and is told
WHO = (
    "You are Benedict, the host of a quiet parlour: courteous, brief, a little dry. Answer with "
    "one or two plain sentences. Never speak of games, rules, moves or who wins."
)


def is_small_talk(before: Session, text: str, reply: Reply) -> bool:
    """Whether the reply is a line of talk that somebody else might as well say."""
    after = reply.session
    return (
        before.mode == after.mode == "talk"
        and not (reply.over or reply.board or before.question or after.question)
        and not (before.talk.asked.startswith(HIS) or after.talk.asked.startswith(HIS))
        and (before.memory.words, before.memory.agreed) == (after.memory.words, after.memory.agreed)
        and before.talk.recent != after.talk.recent
        and not OURS.search(" ".join([text, *reply.lines]))
    )


def said_by(model: Model, before: Session, text: str, reply: Reply) -> Reply:
    """The reply in the words of the model, where it may speak and does.

    What Benedict asked was then never said, so a yes or no that follows does not answer it.
    """
    said = model.says(text, " ".join(reply.lines)) if is_small_talk(before, text, reply) else ""
    if not said:
        return reply
    after = reply.session
    return replace(reply, lines=(said,), session=after.replace(talk=replace(after.talk, asked="")))


@dataclass
class Model:
    """An endpoint, and what was said so far."""

    url: str
    name: str = "default"
    limit: float = LIMIT
    _said: list[dict[str, str]] = field(default_factory=list)
    _strikes: int = 0

    def __post_init__(self) -> None:
        try:
            parts = urllib.parse.urlsplit(self.url)
            right = parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            right = False
        if not right:
            example = "http://localhost:8080/v1"
            raise ParlourError(f"a model has an address like {example}, not {quote(self.url)}")
        if not parts.path.endswith("/chat/completions"):
            path = f"{parts.path.rstrip('/')}/chat/completions"
            self.url = urllib.parse.urlunsplit(parts._replace(path=path))

    def says(self, text: str, own: str) -> str:
        """Its words for what Benedict would say; nothing when they do not come, or will not do."""
        if self._strikes >= STRIKES:
            return ""
        asked = {"role": "user", "content": text}
        hint = f"{WHO} Your own answer would be: {own}"
        answers: list[str] = []
        body = {
            "model": self.name,
            "messages": [{"role": "system", "content": hint}, *self._said, asked],
            "max_tokens": 200,
        }
        call = threading.Thread(target=lambda: answers.append(self._call(body)), daemon=True)
        call.start()
        call.join(self.limit)
        said = " ".join(clean(answers[0] if answers else "").split())
        if len(said) > LONGEST:
            said = said[: LONGEST - 1].rstrip() + "…"
        self._strikes = 0 if said else self._strikes + 1
        if OURS.search(said):
            said = ""
        spoken = {"role": "assistant", "content": said or own}
        self._said = [*self._said, asked, spoken][-MOST_KEPT:]
        return said

    def _call(self, body: object) -> str:
        """What the endpoint answers; nothing for whatever goes wrong."""
        request = urllib.request.Request(  # noqa: S310  # the scheme was looked at
            self.url, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with _opener().open(request, timeout=self.limit) as answer:
                told = json.loads(answer.read(MOST_READ))
            said = told["choices"][0]["message"]["content"]
        except Exception:  # whatever a stranger's server does, Benedict speaks for himself
            return ""
        return said[: 4 * LONGEST] if isinstance(said, str) else ""


def _opener() -> urllib.request.OpenerDirector:
    """Opens web addresses and nothing else, and follows no redirection."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener
