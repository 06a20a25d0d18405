"""Benedict in conversation: one line in, one reply out, wherever the session stands."""

from __future__ import annotations

import re
from dataclasses import replace

from parlour.core import Game, ParlourError, how_to_move, quote, registry, rules_text
from parlour.host.language import heard
from parlour.host.session import Reply, Session
from parlour.host.understand import Meaning, Scene, understand
from parlour.host.welcome import CHOICES

FIRST = ("nim", "chopsticks", "othello")
TALKED = ("topic", "say", "like", "dislike", "name")


def reply(session: Session, text: str) -> Reply:
    """What he answers to a line; the reply holds the session as it is then."""
    session = session.but(turn=session.turn + 1)
    if session.over:
        return Reply(session, ("Goodbye",))
    try:
        scene = _scene(session)
    except ParlourError as trouble:  # a table that somebody else has written
        session = session.but(mode="chat", table=None, question="")
        return _say(session, f"I cannot go on with that game: {trouble}.")
    meaning = understand(session, scene, text)
    answer = _answer(session, meaning, text)
    if meaning.mended and meaning.intent != "unknown":
        told = ", ".join(f"{quote(wrong)} as {right!r}" for wrong, right in meaning.mended.items())
        answer = replace(answer, lines=(f"(I read {told}.)", *answer.lines))
    return answer


def _scene(session: Session) -> Scene:
    if session.table is not None and session.mode in ("game", "chat"):
        from parlour.host.table import state as tables

        match = tables.match_of(session.table)
        if match.over:
            return Scene("after", match.game, match.state)
        return Scene("game", match.game, match.state) if session.mode == "game" else Scene("chat")
    if session.mode == "talk":
        return Scene("talk", topic=session.talk.topic)
    return Scene("chat")


def _answer(session: Session, meaning: Meaning, text: str) -> Reply:
    """Whoever knows the answer; nothing is loaded for what was not asked."""
    if meaning.intent == "play":
        return _play(session, meaning, text)
    if meaning.intent == "watch":
        from parlour.host.table import set_up as setting_up

        return setting_up.watched(session, meaning)
    if meaning.intent == "resume":
        return _resume(session)
    if meaning.intent == "forget":
        return _forget(session)
    if meaning.intent == "ask":
        return _say(session, *_known(session, str(meaning.slots["about"])))
    if meaning.intent == "value":
        return _value(session, meaning)
    if meaning.intent == "rules" and (told := _other_rules(session, meaning)):
        return told
    if session.mode == "setup":
        return _setting_up(session, meaning, text)
    if session.mode == "game" and session.table is not None:
        return _at_table(session, meaning, text)
    if session.mode == "talk":
        return _in_talk(session, meaning, text)
    return _chat(session, meaning, text)


def _say(session: Session, *lines: str) -> Reply:
    """A line that changes nothing; in a game the game goes on."""
    return Reply(session, lines, choices=("board", "help") if session.mode == "game" else CHOICES)


def _known(session: Session, about: str) -> tuple[str, ...]:
    """What he knows of something; of his own strength, what is true at this table."""
    from parlour.host.table import knowledge

    if about in ("level", "beaten") and session.mode == "game" and session.table is not None:
        from parlour.host.table import state as tables

        game, against = tables.game_of(session.table), tables.opponent(session.table)
        if not tables.is_exact(against, game):
            plays = tables.plays_well(against, game)
            return (f"Here you play against {against.replace('=', ' ')}: {plays}.", "You can win.")
    return knowledge.answer(about)


def _other_rules(session: Session, meaning: Meaning) -> Reply | None:
    """The rules of a game that is named, unless it is the one on the table."""
    name = str(meaning.slots.get("game", ""))
    here = session.table.game if session.mode == "game" and session.table is not None else ""
    if name in ("", here):
        return None
    return _explain(session, registry.game(name), general=True)


def _explain(session: Session, game: Game, *, general: bool = False) -> Reply:
    """Give the rules of a game, and last how to say a move."""
    return _say(session, *rules_text(game, general=general), how_to_move(game))


def _at_table(session: Session, meaning: Meaning, text: str) -> Reply:
    from parlour.host.table import playing

    if meaning.intent in ("game", "talk"):
        return _aside(session, meaning)
    if meaning.intent == "name":
        return _talked(session, meaning, text)
    return playing.at_table(session, meaning)


def _aside(session: Session, meaning: Meaning) -> Reply:
    """Something else is wanted while a game is on: it is put aside."""
    from parlour.host.table import playing

    session, told = playing.put_aside(session)
    answer = _offer(session) if meaning.intent == "game" else _talk(session, meaning)
    return replace(answer, lines=(*told, *answer.lines))


# Chat


AFTER = {
    *("undo", "board", "history", "winning", "harder", "easier", "redo", "swap", "moves", "hint"),
    *("save", "resign", "leave", "what-if", "level", "hats", "turn", "praise", "patience"),
}
ABOUT_ME = re.compile(r"\b(?:my name|who am i|about me|do i (?:like|hate)|you remember)\b", re.I)


def _chat(session: Session, meaning: Meaning, text: str) -> Reply:
    if ABOUT_ME.search(text[:200]) and meaning.intent != "name":
        from parlour.host.talk import conversation as talk

        if told := talk.about_person(session, text):
            return _say(session, *told)
    if meaning.intent == "hello":
        return _say(session, "Hello")
    if meaning.intent == "how":
        return _say(session, "Well, thank you; I have nothing to lose but games. And you?")
    if meaning.intent in ("goodbye", "kill") or meaning.slots.get("command") == "kill":
        return Reply(session.but(over=True), ("Goodbye",))
    if meaning.intent == "game":
        return _offer(session)
    if meaning.intent == "talk":
        return _talk(session, meaning)
    if meaning.intent == "thanks":
        return _say(session, "You are welcome.")
    if meaning.intent in ("yes", "no", "why"):
        return _to_question(session, meaning)
    if session.table is not None and meaning.intent in AFTER:
        return _after(session, meaning)
    if meaning.intent in ("no-game", "drastic"):
        return _say(session, "There is no game on the table. Say game to begin one.")
    if meaning.intent == "rules" and session.table is not None:
        from parlour.host.table import state as tables

        return _explain(session, tables.game_of(session.table))
    if meaning.intent == "rules":
        return _say(
            session, "Of which game? There are nim, chopsticks, othello, sticks and tic-tac-toe."
        )
    if meaning.intent in TALKED:
        return _talked(session, meaning, text)
    if meaning.intent == "help":
        return _help(session)
    if meaning.intent == "done":
        return _say(session, "A game, or a conversation?")
    return _not_understood(session, text)


def _after(session: Session, meaning: Meaning) -> Reply:
    """What can still be asked of a game that is over."""
    from parlour.host.table import playing

    if meaning.intent in ("undo", "board", "history", "winning", "harder", "easier"):
        return playing.at_table(session, meaning)
    if meaning.intent == "praise":
        return _say(session, "Thank you.")
    return _say(session, "That game is over. Say again for another, or undo to take back.")


def _help(session: Session) -> Reply:
    return _say(
        session,
        "Say game, or the name of one: nim, chopsticks, othello, sticks or tic-tac-toe.",
        "Say let's have a conversation, and then a noun, a verb or an adjective.",
        "Ask me about the games: who invented nim? who wins chopsticks? Say goodbye to part.",
    )


def _offer(session: Session) -> Reply:
    return Reply(
        session.but(mode="chat", table=None, question="", wished={}),
        ("Which one: nim, chopsticks or othello? There are sticks and tic-tac-toe too.",),
        choices=(*FIRST, "sticks", "tic-tac-toe"),
    )


def _to_question(session: Session, meaning: Meaning) -> Reply:
    """Yes, no and why, after something was asked or a game was played."""
    from parlour.host.table import playing
    from parlour.host.table import set_up as setting_up

    question = session.question
    if meaning.intent == "yes" and question == "again" and session.table is not None:
        return setting_up.again(session, {})
    if meaning.intent == "why" and session.table is not None:
        return playing.at_table(session, meaning)
    if meaning.intent == "yes" and question.startswith("talk "):
        return _talk(session, Meaning("talk", {"topic": question.removeprefix("talk ")}))
    session = session.but(question="")
    if meaning.intent == "no":
        return _say(session, "As you like. A game, or a conversation?")
    if meaning.intent == "why":
        return _say(session, "Why what? Ask me about a game, or let us play one.")
    return _say(session, "Good. A game, or a conversation?")


def _not_understood(session: Session, text: str) -> Reply:
    from parlour.host.language import is_unsaid, look, plural

    entry = look(text) if len(text) < 60 else None
    if entry is not None and entry.kind == "noun" and not is_unsaid(text):
        session = session.but(question=f"talk {entry.word}")
        return _say(
            session,
            "I don't understand",
            f"Shall we talk about {plural(entry.word) if entry.counted else entry.word}?",
        )
    return _say(session, "I don't understand", "Say game, let's have a conversation, or help.")


# Games


def _play(session: Session, meaning: Meaning, text: str) -> Reply:
    """A new game; one that is not named is the last one again."""
    from parlour.host.table import set_up as setting_up
    from parlour.host.understand import game_named

    slots, table = dict(meaning.slots), session.table
    same = table is not None and slots.get("game") == table.game
    if same and (session.mode == "game" or not game_named(heard(text))):
        return setting_up.again(session, slots)
    return setting_up.wished(session, slots)


def _value(session: Session, meaning: Meaning) -> Reply:
    """Who wins one variant, from its start."""
    from parlour.host.table import refusals, who_wins

    options = {name: value for name, value in meaning.slots.items() if name != "game"}
    name = str(meaning.slots["game"])
    try:
        game = registry.made(registry.find("games", name), name, options)
    except ParlourError as refusal:
        return _say(session, refusals.refusal(name, refusal))
    return _say(session, *who_wins.variant(game))


def _setting_up(session: Session, meaning: Meaning, text: str) -> Reply:
    from parlour.host.table import set_up as setting_up

    refused = meaning.intent == "no" and len(heard(text)) <= 2
    if refused or meaning.intent in ("leave", "done") or heard(text) in (("leave",), ("cancel",)):
        return _say(session.but(mode="chat", wished={}), "As you like. A game, or a conversation?")
    if meaning.intent in ("goodbye", "kill"):
        return Reply(session.but(over=True), ("Goodbye",))
    if found := setting_up.answered(session, heard(text), text):
        return found
    if meaning.intent == "talk":
        return _talk(session.but(mode="chat", wished={}), meaning)
    if meaning.intent == "rules":
        return _explain(session, registry.game(session.wished["game"]), general=True)
    if meaning.intent == "help":
        return _say(session, "Answer with a number, or all piles at once: 3 4 5. Or say leave.")
    if session.wished.get("game") == "nim":
        what = "How many coins?" if session.wished.get("count") else "How many piles, or which?"
        return _say(session, "I don't understand", f"{what} A number, like 5, or 3 4 5; or leave.")
    return _say(session, "I don't understand", "Say first or second; or leave.")


def _resume(session: Session) -> Reply:
    from parlour.host.table import playing, words
    from parlour.host.table import state as tables

    if session.saved is None:
        return _say(session, "There is no game put aside.")
    on = session.table if session.mode == "game" else None
    lines = [f"{words.title_of(tables.game_of(session.saved))}, where we left it."]
    lines += ["The present game is put aside instead."] if on is not None else []
    return playing.begun(session.but(saved=on), session.saved, lines)


# Talk


def _talk(session: Session, meaning: Meaning) -> Reply:
    from parlour.host.talk import conversation as talk

    session, lines = talk.opened(session.but(question=""), str(meaning.slots.get("topic", "")))
    return Reply(session, lines, choices=("done", "why", "yes", "no", "goodbye"))


def _in_talk(session: Session, meaning: Meaning, text: str) -> Reply:

    if meaning.intent == "goodbye":
        return Reply(session.but(over=True), ("Goodbye",))
    if meaning.intent in ("done", "leave"):
        session = session.but(mode="chat")
        return _say(session, "It was a pleasure. A game, or another conversation?")
    if meaning.intent == "game":
        return _offer(session)
    if meaning.intent == "talk":
        topic = str(meaning.slots.get("topic", ""))
        return (
            _talk(session, meaning)
            if not topic
            else _talked(session, Meaning("topic", {"is": topic}), text)
        )
    if meaning.intent == "help":
        return _say(session, "Name a topic, tell me of it, or ask why. Say done to leave the talk.")
    if meaning.intent == "hello":
        return _say(session, "Hello")
    if meaning.intent == "thanks":
        return _say(session, "You are welcome.")
    if meaning.intent in ("how", "unknown"):
        meaning = Meaning("say")
    return _talked(session, meaning, text)


def _talked(session: Session, meaning: Meaning, text: str) -> Reply:
    from parlour.host.talk import conversation as talk

    session, lines = talk.spoken(session, meaning.intent, dict(meaning.slots), text)
    return Reply(session, lines, choices=("done", "why", "yes", "no", "goodbye"))


def _forget(session: Session) -> Reply:
    from parlour.host.talk import conversation as talk

    session, lines = talk.forgotten(session)
    return _say(session, *lines)
