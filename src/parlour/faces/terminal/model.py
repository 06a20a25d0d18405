"""A language model may do the small talk, and nothing else.

Benedict replies first, as always. Only if his reply is small talk is an OpenAI-compatible endpoint
asked to rephrase it, and its words are used only if they come soon and do not mention the games.
Rules, moves, values and reasons never come from it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from parlour.faces.terminal.console import clean
from parlour.host import Reply, Session
from parlour.players import EndpointError, chat_url, request_chat

TIMEOUT = 10.0  # seconds
MAX_REPLY = 500  # characters
MAX_CONTEXT = 12  # earlier messages that are sent along
MAX_FAILURES = 3  # in a row, after which the model is not asked again
FORBIDDEN = re.compile(  # words of the games
    r"\b(nim|mis[eè]re|chopsticks?|othello|reversi|sticks?|tic[- ]?tac[- ]?toe|games?|rules?"
    r"|moves?|moved|w[io]n|wins|winn\w+|los[est]\w*|loss|draws?|drawn|bots?|hats?|piles?|perfect"
    r"|play\w*|solv\w+|proof|prov\w+|feathers?|minimax)\b",
    re.IGNORECASE,
)
HIS_QUESTIONS = ("keep", "teach", "name", "new", "shall", "game")  # whose answers matter to him
SYSTEM_PROMPT = (
    "You are Benedict, the host of a quiet parlour: courteous, brief, a little dry. Answer with "
    "one or two plain sentences. Never speak of games, rules, moves or who wins."
)


def is_small_talk(before: Session, text: str, reply: Reply) -> bool:
    """Return whether the reply is small talk that a model may rephrase."""
    after = reply.session
    return (
        before.mode == after.mode == "talk"
        and not (reply.over or reply.board or before.question or after.question)
        and not (
            before.talk.asked.startswith(HIS_QUESTIONS)
            or after.talk.asked.startswith(HIS_QUESTIONS)
        )
        and (before.memory.words, before.memory.agreed) == (after.memory.words, after.memory.agreed)
        and before.talk.recent != after.talk.recent
        and not FORBIDDEN.search(" ".join([text, *reply.lines]))
    )


def rephrase(model: Model, before: Session, text: str, reply: Reply) -> Reply:
    """Return the reply in the words of the model, if it may speak and does.

    A question of Benedict's is then never shown, so a yes or no that follows does not answer it.
    """
    if not is_small_talk(before, text, reply):
        return reply
    words = model.rephrase(text, " ".join(reply.lines))
    if not words:
        return reply
    after = reply.session
    return replace(reply, lines=(words,), session=after.replace(talk=replace(after.talk, asked="")))


@dataclass
class Model:
    """An endpoint, and the messages so far."""

    url: str
    name: str = "default"
    timeout: float = TIMEOUT
    _messages: list[dict[str, str]] = field(default_factory=list)
    _failures: int = 0

    def __post_init__(self) -> None:
        self.url = chat_url(self.url, "--model")

    def rephrase(self, text: str, reply: str) -> str:
        """Return the model's words for a reply; nothing if they are late or unsuitable."""
        if self._failures >= MAX_FAILURES:
            return ""
        question = {"role": "user", "content": text}
        hint = f"{SYSTEM_PROMPT} Your own answer would be: {reply}"
        messages = [{"role": "system", "content": hint}, *self._messages, question]
        words = " ".join(clean(self._request(messages)).split())
        if len(words) > MAX_REPLY:
            words = words[: MAX_REPLY - 1].rstrip() + "…"
        self._failures = 0 if words else self._failures + 1
        if FORBIDDEN.search(words):
            words = ""
        answer = {"role": "assistant", "content": words or reply}
        self._messages = [*self._messages, question, answer][-MAX_CONTEXT:]
        return words

    def _request(self, messages: list[dict[str, str]]) -> str:
        """Return the answer of the endpoint; nothing if anything goes wrong."""
        try:
            reply = request_chat(
                self.url, self.name, messages, seconds=self.timeout, max_tokens=200
            )
        except EndpointError:  # Benedict can reply himself
            return ""
        return reply.text[: 4 * MAX_REPLY]
