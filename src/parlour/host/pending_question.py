"""Benedict's own question: what the next line may answer, and what follows from the answer.

A question lives for one line. What he asks back before an act is kept in the session until then:
the intent with its slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from parlour.core import one_of
from parlour.host import table as tables
from parlour.host import talk as talks
from parlour.host.language import Line, is_rude, look_up, plural, texts
from parlour.host.session import CHOICES, IN_TALK, Reply, Session
from parlour.host.understand import Meaning, read_wish

LINES = partial(texts.fill_lines, "lines/pending_question.txt")
CONFIRM = "confirm "  # before the intent that a yes would confirm
PARTING = "confirm goodbye"
TALK = "talk "  # before the topic that a yes would begin
PLACES = {"first": 1, "second": 2}
YES_OR_NO = ("yes", "no")
SHORT = 4  # words of a line that is meant to choose a game
DESCRIBED = 8  # and of one that describes it
EASIEST = "tictactoe"
TERMS = "table/terms.txt"
MAX_DIGITS = 9  # of a number that may be a place
MAX_TOPIC = 60  # characters of a line that may be a topic
HEARD = texts.read_expressions("talk/expressions/heard.txt")
GROUPS = texts.read_words("groups.txt")
FAIR_PILES = (3, 4, 5)


def complete(session: Session, text: str) -> str:
    """Return a line of numbers as a whole: `and 7, 5, 1?` asks the last question of them.

    After the question whether to play a game, they say with how many.
    """
    if session.question == f"{CONFIRM}play" and HEARD["only numbers"].fullmatch(text[:MAX_TOPIC]):
        return f"{session.pending.get('game', '')} {text}"
    found = HEARD["numbers instead"].fullmatch(text[:MAX_TOPIC])
    asked, before = session.last.intent in GROUPS["repeatable"], session.last.text
    return HEARD["numbers"].sub(found["row"], before, count=1) if found and asked else text


def ask_back(session: Session, intent: str, slots: Mapping[str, Any]) -> Reply:
    """Ask whether an act, or an answer, is meant; nothing changes before a yes."""
    if intent in PLACES and session.question == "offer":
        intent, slots = "play", {"game": [*_list_offered()][PLACES[intent] - 1]}
    game = str(slots.get("game", ""))
    gaps = {
        "move": slots.get("is", ""),
        "game": _list_offered().get(game, game),
        "topic": slots.get("is") or slots.get("topic") or "something else",
        "name": slots.get("is", ""),
        "level": slots.get("n", ""),
    }
    pending = {"question": session.question, "pending": session.pending, **slots}
    session = session.replace(question=f"{CONFIRM}{intent}", pending=pending)
    return Reply(session, LINES(intent, **gaps), choices=YES_OR_NO)


def take_confirmation(session: Session, meaning: Meaning) -> tuple[Session, Meaning]:
    """Return what a line makes of his question before an act; any other line means itself."""
    while session.question.startswith(CONFIRM) and (
        meaning.intent == "yes" or session.question == f"{CONFIRM}{meaning.intent}" == PARTING
    ):
        slots = dict(session.pending) | ({"surely": True} if session.question == PARTING else {})
        meaning = Meaning(session.question.removeprefix(CONFIRM), slots)
        session = _reopen(session, slots)
    if not session.question.startswith(CONFIRM):
        return session, meaning
    if meaning.intent in ("no", "any", "neither"):  # it is left to him, and nothing changes
        return session, Meaning("declined")
    if meaning.intent == "dunno":
        slots, act = dict(session.pending), session.question.removeprefix(CONFIRM)
        session = _reopen(session, slots)
        meaning = Meaning("ask back", {"intent": act, "slots": slots})
    return session, meaning


def _reopen(session: Session, slots: dict[str, Any]) -> Session:
    """Return the session with the question that was open before, taken from among the slots."""
    return session.replace(question=slots.pop("question", ""), pending=slots.pop("pending", {}))


def ask_what_was_meant(what: str = "") -> tuple[str, ...]:
    """Ask for what he got wrong, after it is undone."""
    return LINES("corrected move" if what == "move" else "corrected")


def decline(session: Session) -> Reply:
    """Leave everything as it is."""
    return Reply(session, LINES("declined"))


def play_same(session: Session) -> Reply:
    """Play the last game again, as it was set up; say so if there was none."""
    last = session.table or session.played
    if last is None:
        return Reply(session, LINES("no last time"))
    return tables.play_again(session.replace(table=last), {})


def offer_games(session: Session) -> Reply:
    """Ask which game it should be, of his own and of others."""
    first, others = (names.values() for names in texts.name_games())
    return Reply(
        session.replace(mode="chat", table=None, question="offer", wished={}),
        LINES("games", first=one_of(first)),
        choices=(*first, *others),
    )


def _list_offered() -> dict[str, str]:
    """Return the games in the order in which he offers them, and what he calls each."""
    first, others = texts.name_games()
    return first | others


def ask_for_topic(session: Session, line: Line) -> Reply | None:
    """Ask whether to talk about a thing that is named and nothing else; None for any other line."""
    entry = look_up(line.text) if len(line.text) < MAX_TOPIC else None
    if entry is None or entry.kind != "noun" or is_rude(line.text):
        return None
    topic = plural(entry.word) if entry.counted else entry.word
    session = session.replace(question=f"{TALK}{entry.word}")
    return Reply(session, LINES("talk about it", topic=topic), choices=CHOICES)


def answer(session: Session, meaning: Meaning, line: Line) -> Reply | None:
    """Answer a line outside games that answers his question; None for any other."""
    same = meaning.intent == "same" or HEARD["same game"].fullmatch(line.plain)
    if same and (session.table or session.played):
        return play_same(session)
    if session.question == "offer":
        return answer_offer(session, meaning, line)
    if meaning.intent == "yes" and session.question == "again" and session.table is not None:
        return tables.play_again(session, read_wish(line.words, session.table.game).slots)
    if meaning.intent == "yes" and session.question.startswith(TALK):
        topic = session.question.removeprefix(TALK)
        return Reply(*talks.open_talk(session.replace(question=""), topic), choices=IN_TALK)
    return None


def answer_offer(session: Session, meaning: Meaning, line: Line) -> Reply | None:
    """Answer a line that chooses a game by its place, leaves that to him, or asks what is meant."""
    intent = meaning.intent
    numbers = [int(word) for word in line.words if word.isdecimal() and len(word) < MAX_DIGITS]
    place = PLACES.get(intent, 0)
    if numbers and intent in ("number", *PLACES):
        place = numbers[0]
    games = list(_list_offered())
    if intent == "any":
        place = session.make_random().randint(1, len(games))
    if 0 < place <= len(games):
        return tables.start_setup(session, {"game": games[place - 1]})
    if intent == "same":
        return play_same(session)
    if named := find_described(meaning, line):
        return ask_back(session, "play", {"game": named})
    lost = intent in ("say", "unknown", "number", *PLACES) and len(line.words) <= SHORT
    if lost or intent in ("dunno", "neither"):
        explained = session.replace(pending={"explained": True})  # the question stays open once
        return Reply(explained, LINES("neither offer" if intent == "neither" else "explain offer"))
    return None


def find_described(meaning: Meaning, line: Line) -> str:
    """Return the game that a short line chooses by what is played with, or as the easy one."""
    if meaning.slots.get("command") == "easier":
        return EASIEST
    fits = meaning.intent in ("play", "say", "unknown", "game") and len(line.words) <= DESCRIBED
    terms, said = texts.read_words(TERMS), set(line.words) if fits else set()
    found = [name for name in _list_offered() if said & terms.get(f"of {name}", frozenset())]
    return found[0] if len(found) == 1 else ""


def answer_setup(session: Session, meaning: Meaning) -> Reply | None:
    """Answer a line that leaves a set-up to him, or asks what is meant; None for any other."""
    wish, intent = dict(session.wished), meaning.intent
    if "game" not in wish or "asked" in wish:
        return None
    piles = tables.find_question(wish["game"]) == "piles"
    if intent == "neither":
        return Reply(session.replace(mode="chat", wished={}), LINES("given up"))
    if intent in ("dunno", "help", "hint"):
        what = "coins" if wish.get("count") else "piles" if piles else "side"
        return Reply(session, LINES(f"explain {what}"))
    if intent == "same":
        last = session.played
        same = last is not None and last.game == wish["game"]
        return play_same(session if same else session.replace(played=None))
    if piles and intent == "any":
        return tables.start_setup(session, {**wish, "piles": _choose_piles(wish)})
    if not piles and intent in ("first", "second", "any"):
        begins = "you" if intent == "second" else "me"
        return tables.start_setup(session, {**wish, "begins": begins})
    return None


def _choose_piles(wish: Mapping[str, Any]) -> tuple[int, ...]:
    """Return piles for somebody who leaves them to him, those they have named among them."""
    count, sizes = wish.get("count") or len(FAIR_PILES), list(wish.get("sizes", ()))
    sizes += [None] * (count - len(sizes))
    return tuple(
        FAIR_PILES[at % len(FAIR_PILES)] if size is None else size for at, size in enumerate(sizes)
    )


def close(before: Session, intent: str, answer: Reply) -> Reply:
    """Drop the question that was open before this line, unless the line left it open."""
    after = answer.session
    waits = intent in GROUPS["stays open"] and not before.question.startswith(CONFIRM)
    asked = (after.question, after.pending) != (before.question, before.pending)
    if asked or waits:
        return answer
    return replace(answer, session=after.replace(question="", pending={}))
