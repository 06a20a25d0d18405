"""Benedict in conversation: one line in, one reply out, whatever the state of the session."""

from __future__ import annotations

import re
from dataclasses import replace

from parlour.core import (
    Game,
    Match,
    ParlourError,
    all_of,
    how_to_move,
    one_of,
    quote,
    registry,
    rules_text,
)
from parlour.host.language import Line, is_rude, look_up, normalise, plural
from parlour.host.session import CHOICES, Reply, Session
from parlour.host.understand import Meaning, Scene, find_game, understand

FIRST = ("nim", "chopsticks", "othello")
IN_TALK = ("done", "why", "yes", "no", "goodbye")  # the choices in a talk
TO_TALK = ("topic", "say", "like", "dislike", "name")  # intents that the talk answers
ABOUT_ME = re.compile(r"\b(?:my name|who am i|about me|do i (?:like|hate)|you remember)\b", re.I)
AFTER = {  # intents that a game which is over can still answer, or that are refused then
    *("undo", "board", "history", "winning", "harder", "easier", "redo", "swap", "moves", "hint"),
    *("save", "resign", "leave", "what-if", "level", "hats", "turn", "praise", "patience"),
}
STILL_ANSWERED = ("undo", "board", "history", "winning", "harder", "easier")
EITHER = "As you like. A game, or a conversation?"


def reply(session: Session, text: str) -> Reply:
    """Answer a line; the reply holds the new session."""
    session = session.replace(turn=session.turn + 1)
    if session.over:
        return Reply(session, ("Goodbye",))
    line = normalise(text)
    try:
        scene = _find_scene(session)
    except ParlourError as trouble:  # a table that somebody else has written
        session = session.replace(mode="chat", table=None, question="")
        return _say(session, f"I cannot go on with that game: {trouble}.")
    meaning = understand(session, scene, line)
    answer = _answer(session, meaning, line, scene.match)
    if meaning.corrections and meaning.intent != "unknown":
        read = ", ".join(f"{quote(a)} as {b!r}" for a, b in meaning.corrections.items())
        answer = replace(answer, lines=(f"(I read {read}.)", *answer.lines))
    return answer


def _find_scene(session: Session) -> Scene:
    if session.table is not None and session.mode in ("game", "chat"):
        from parlour.host.table import load_match

        match = load_match(session.table)
        if match.over:
            return Scene("after", match.game, match.state, match=match)
        if session.mode == "game":
            return Scene("game", match.game, match.state, match=match)
        return Scene("chat")
    if session.mode == "talk":
        return Scene("talk", topic=session.talk.topic)
    return Scene("chat")


def _answer(session: Session, meaning: Meaning, line: Line, match: Match | None) -> Reply:
    """Let the right part answer; nothing is loaded that is not needed."""
    if meaning.intent == "play":
        return _play(session, meaning, line)
    if meaning.intent == "watch":
        from parlour.host.table import watch

        return watch(session, meaning)
    if meaning.intent == "resume":
        return _resume(session)
    if meaning.intent == "forget":
        return _forget(session)
    if meaning.intent == "ask":
        return _say(session, *_answer_question(session, str(meaning.slots["about"])))
    if meaning.intent == "value":
        return _say_who_wins(session, meaning)
    if meaning.intent == "rules" and (game := _name_other_game(session, meaning)):
        return _explain_rules(session, registry.game(game), general=True)
    if session.mode == "setup":
        return _continue_setup(session, meaning, line)
    if session.mode == "game" and session.table is not None:
        if meaning.intent in ("game", "talk"):
            return _leave_game(session, meaning)
        if meaning.intent != "name":
            from parlour.host.table import answer_at_table

            return answer_at_table(session, meaning, match)
        return _continue_talk(session, meaning, line)
    if session.mode == "talk":
        return _answer_in_talk(session, meaning, line)
    return _answer_in_chat(session, meaning, line, match)


def _say(session: Session, *lines: str) -> Reply:
    """Say something that changes nothing; in a game the game goes on."""
    return Reply(session, lines, choices=("board", "help") if session.mode == "game" else CHOICES)


def _part(session: Session) -> Reply:
    return Reply(session.replace(over=True), ("Goodbye",))


# Chat


def _answer_in_chat(session: Session, meaning: Meaning, line: Line, match: Match | None) -> Reply:
    if ABOUT_ME.search(line.text[:200]) and meaning.intent != "name":
        from parlour.host.talk import answer_about_person

        if lines := answer_about_person(session, line):
            return _say(session, *lines)
    if meaning.intent == "hello":
        return _say(session, "Hello")
    if meaning.intent == "how":
        return _say(session, "Well, thank you; I have nothing to lose but games. And you?")
    if meaning.intent in ("goodbye", "kill") or meaning.slots.get("command") == "kill":
        return _part(session)
    if meaning.intent == "game":
        return _offer_games(session)
    if meaning.intent == "talk":
        return _open_talk(session, str(meaning.slots.get("topic", "")))
    if meaning.intent == "thanks":
        return _say(session, "You are welcome.")
    if meaning.intent in ("yes", "no", "why"):
        return _answer_briefly(session, meaning, match)
    if session.table is not None and meaning.intent in AFTER:
        return _answer_after_game(session, meaning, match)
    if meaning.intent in ("no-game", "drastic"):
        return _say(session, "There is no game on the table. Say game to begin one.")
    if meaning.intent == "rules":
        return _explain_last_rules(session)
    if meaning.intent in TO_TALK:
        return _continue_talk(session, meaning, line)
    if meaning.intent == "help":
        return _say(
            session,
            "Say game, or the name of one: nim, chopsticks, othello, sticks or tic-tac-toe.",
            "Say let's have a conversation, and then a noun, a verb or an adjective.",
            "Ask me about the games: who invented nim? who wins chopsticks? Say goodbye to part.",
        )
    if meaning.intent == "done":
        return _say(session, "A game, or a conversation?")
    return _ask_what_was_meant(session, line.text)


def _answer_briefly(session: Session, meaning: Meaning, match: Match | None) -> Reply:
    """Answer yes, no and why, after a question or a game."""
    from parlour.host.table import answer_at_table, play_again

    question = session.question
    if meaning.intent == "yes" and question == "again" and session.table is not None:
        return play_again(session, {})
    if meaning.intent == "why" and session.table is not None:
        return answer_at_table(session, meaning, match)
    if meaning.intent == "yes" and question.startswith("talk "):
        return _open_talk(session, question.removeprefix("talk "))
    session = session.replace(question="")
    if meaning.intent == "no":
        return _say(session, EITHER)
    if meaning.intent == "why":
        return _say(session, "Why what? Ask me about a game, or let us play one.")
    return _say(session, "Good. A game, or a conversation?")


def _answer_after_game(session: Session, meaning: Meaning, match: Match | None) -> Reply:
    """Answer what can still be asked of a game that is over."""
    from parlour.host.table import answer_at_table

    if meaning.intent in STILL_ANSWERED:
        return answer_at_table(session, meaning, match)
    if meaning.intent == "praise":
        return _say(session, "Thank you.")
    return _say(session, "That game is over. Say again for another, or undo to take a move back.")


def _ask_what_was_meant(session: Session, text: str) -> Reply:
    entry = look_up(text) if len(text) < 60 else None
    if entry is not None and entry.kind == "noun" and not is_rude(text):
        session = session.replace(question=f"talk {entry.word}")
        return _say(
            session,
            "I don't understand",
            f"Shall we talk about {plural(entry.word) if entry.counted else entry.word}?",
        )
    return _say(session, "I don't understand", "Say game, let's have a conversation, or help.")


# Questions about the games


def _answer_question(session: Session, about: str) -> tuple[str, ...]:
    """Answer a question; about his own strength, what is true at this table."""
    from parlour.host.table import (
        answer_topic,
        describe_strength,
        find_opponent,
        load_game,
        never_errs,
    )

    if about in ("level", "beaten") and session.mode == "game" and session.table is not None:
        game, against = load_game(session.table), find_opponent(session.table)
        if not never_errs(against, game):
            plays = describe_strength(against, game)
            return (f"Here you play against {against.replace('=', ' ')}: {plays}.", "You can win.")
    return answer_topic(about)


def _say_who_wins(session: Session, meaning: Meaning) -> Reply:
    """Say who wins one variant, from its start."""
    from parlour.host.table import explain_refusal, say_who_wins

    options = {name: value for name, value in meaning.slots.items() if name != "game"}
    name = str(meaning.slots["game"])
    try:
        game = registry.build(registry.find("games", name), name, options)
    except ParlourError as refusal:
        return _say(session, explain_refusal(name, refusal))
    return _say(session, *say_who_wins(game))


def _name_other_game(session: Session, meaning: Meaning) -> str:
    """Return the game that is named, unless it is the one on the table."""
    name = str(meaning.slots.get("game", ""))
    here = session.table.game if session.mode == "game" and session.table is not None else ""
    return "" if name == here else name


def _explain_rules(session: Session, game: Game, *, general: bool = False) -> Reply:
    """Give the rules of a game, and last how to say a move."""
    return _say(session, *rules_text(game, general=general), how_to_move(game))


def _explain_last_rules(session: Session) -> Reply:
    if session.table is None:
        return _say(
            session, "Of which game? There are nim, chopsticks, othello, sticks and tic-tac-toe."
        )
    from parlour.host.table import load_game

    return _explain_rules(session, load_game(session.table))


# Games


def _offer_games(session: Session) -> Reply:
    own = (*FIRST, "sticks", "tictactoe")
    others = (name.replace("_", " ") for name in registry.games() if name not in own)
    more = ("sticks", "tic-tac-toe", *others)
    return Reply(
        session.replace(mode="chat", table=None, question="", wished={}),
        (f"Which one: {one_of(FIRST)}? There are {all_of(more)} too.",),
        choices=(*FIRST, *more),
    )


def _play(session: Session, meaning: Meaning, line: Line) -> Reply:
    """Set up a new game; one that is not named is the last one again."""
    from parlour.host.table import play_again, start_setup

    slots, table = dict(meaning.slots), session.table
    same = table is not None and slots.get("game") == table.game
    if same and (session.mode == "game" or not find_game(line.words)):
        return play_again(session, slots)
    return start_setup(session, slots)


def _continue_setup(session: Session, meaning: Meaning, line: Line) -> Reply:
    from parlour.host.table import continue_setup

    refuses = meaning.intent == "no" and len(line.words) <= 2
    leaves = meaning.intent in ("leave", "done") or line.words in (("leave",), ("cancel",))
    if refuses or leaves:
        return _say(session.replace(mode="chat", wished={}), EITHER)
    if meaning.intent in ("goodbye", "kill"):
        return _part(session)
    if answer := continue_setup(session, line):
        return answer
    if meaning.intent == "talk":
        session = session.replace(mode="chat", wished={})
        return _open_talk(session, str(meaning.slots.get("topic", "")))
    if meaning.intent == "rules":
        return _explain_rules(session, registry.game(session.wished["game"]), general=True)
    if meaning.intent == "help":
        return _say(session, "Answer with a number, or all piles at once: 3 4 5. Or say leave.")
    if session.wished.get("game") == "nim":
        what = "How many coins?" if session.wished.get("count") else "How many piles, or which?"
        return _say(session, "I don't understand", f"{what} A number, like 5, or 3 4 5; or leave.")
    return _say(session, "I don't understand", "Say first or second; or leave.")


def _leave_game(session: Session, meaning: Meaning) -> Reply:
    """Put the game aside for another one, or for a talk."""
    from parlour.host.table import put_aside

    session, lines = put_aside(session)
    if meaning.intent == "game":
        answer = _offer_games(session)
    else:
        answer = _open_talk(session, str(meaning.slots.get("topic", "")))
    return replace(answer, lines=(*lines, *answer.lines))


def _resume(session: Session) -> Reply:
    from parlour.host.table import begin_game, load_game, name_variant

    if session.saved is None:
        return _say(session, "No game has been put aside.")
    on = session.table if session.mode == "game" else None
    lines = [f"{name_variant(load_game(session.saved))}, where we left it."]
    lines += ["The present game is put aside instead."] if on is not None else []
    return begin_game(session.replace(saved=on), session.saved, lines)


# Talk


def _open_talk(session: Session, topic: str) -> Reply:
    from parlour.host.talk import open_talk

    session, lines = open_talk(session.replace(question=""), topic)
    return Reply(session, lines, choices=IN_TALK)


def _answer_in_talk(session: Session, meaning: Meaning, line: Line) -> Reply:
    if meaning.intent == "goodbye":
        return _part(session)
    if meaning.intent in ("done", "leave"):
        session = session.replace(mode="chat")
        return _say(session, "It was a pleasure. A game, or another conversation?")
    if meaning.intent == "game":
        return _offer_games(session)
    if meaning.intent == "talk":
        topic = str(meaning.slots.get("topic", ""))
        if not topic:
            return _open_talk(session, "")
        return _continue_talk(session, Meaning("topic", {"is": topic}), line)
    if meaning.intent == "help":
        return _say(
            session, "Name a topic, tell me about it, or ask why. Say done to leave the talk."
        )
    if meaning.intent == "hello":
        return _say(session, "Hello")
    if meaning.intent == "thanks":
        return _say(session, "You are welcome.")
    if meaning.intent in ("how", "unknown"):
        meaning = Meaning("say")
    return _continue_talk(session, meaning, line)


def _continue_talk(session: Session, meaning: Meaning, line: Line) -> Reply:
    from parlour.host.talk import continue_talk

    session, lines = continue_talk(session, meaning.intent, dict(meaning.slots), line)
    return Reply(session, lines, choices=IN_TALK)


def _forget(session: Session) -> Reply:
    from parlour.host.talk import forget

    session, lines = forget(session)
    return _say(session, *lines)
