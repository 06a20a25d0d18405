"""Benedict in conversation: one line in, one reply out, whatever the state of the session.

Nothing is loaded that a line does not need: `tables` and `talks` are packages that load lazily.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from parlour import core
from parlour.core import Game, Match, ParlourError, registry
from parlour.host import language, pending_question
from parlour.host import table as tables
from parlour.host import talk as talks
from parlour.host.language import Line, fill_lines
from parlour.host.session import CHOICES, MAX_KEPT, LastLine, Reply, Session
from parlour.host.understand import (
    ACTS,
    ANSWERS,
    Meaning,
    Scene,
    find_game,
    is_answer,
    name_state,
    read_wish,
    split_line,
    understand,
)

IN_TALK = ("done", "why", "yes", "no", "goodbye")  # the choices in a talk
TO_TALK = ("topic", "say", "fact", "like", "dislike", "name")  # intents that the talk answers
ASKS = {"ask", "ask-game"}  # intents of questions about the games
MAY_ASK = {  # and those that may be questions
    *("unknown", "say", "moves", "rules", "ask-other", "ask-word", "ask-self"),
}
NOT_ASKED = {"sad", "correct", "name"}  # intents that are seen to elsewhere
KNOWN_HERE = {  # intents that something else answers well
    *("ask back", "why", "hint", "winning", "fact", "dunno", "help", "turn", "history"),
}
WANTS = {"move", "hint", "illegal", "what-if"}  # intents that are never a review
ABOUT_HIM = {"who", "made", "cheat", "learn", "favorite"}  # topics that are not about a game
MANNERS = {  # intents that are answered by his manners, or may be
    *("hello", "how", "thanks", "praise", "angry", "sad", "patience", "sorry", "noplay", "dunno"),
    *("ask-self", "ask-other", "say", "fact", "unknown", "no-game"),
}
REFUSALS = {"no", "not", "never", "rather", "none", "neither"}  # in what is no wish for a game
DESPAIR = {"myself", "suicide", "suicidal", "life", "live", "living", "die", "dead", "end"}
NO_ANSWER = {  # intents of lines that say nothing of the game being set up, whatever they hold
    *("say", "fact", "like", "dislike", "sad", "angry", "patience", "sorry", "praise", "thanks"),
    *("ask-word", "ask-self", "ask-me", "ask-other", "name", "noplay"),
}
SURE_OF_MOOD = 0.96  # how sure the examples must be, where no word says what the mood is
FEW = 4  # words of praise that may be for anything
AFTER_HELLO = 3  # words after a greeting that are answered
SHORT = 8  # words of a line that may say who plays in a game being set up
REFUSED_AFTER = {  # intents that no longer make sense when a game is over
    *("redo", "swap", "moves", "hint", "save", "resign", "leave", "what-if", "level", "hats"),
    *("turn", "patience"),
}
OF_THE_GAMES = {  # intents of questions that are not for the dictionary, whatever their words
    *("ask", "value", "rules", "what-if", "move", "why", "moves", "hint", "turn", "winning"),
    *("history", "board", "hats", "help", "again", "level", "dunno"),
}
JUDGES = {"hint", "winning", "review", "why"}  # intents that judge the position on the table
STILL_ANSWERED = {"undo", "board", "history", "winning", "harder", "easier"}
LINES = partial(fill_lines, "lines/chat.txt")
EXPRESSIONS = language.read_expressions("understand/expressions/intents.txt")
HEARD = language.read_expressions("talk/expressions/heard.txt")


def reply(session: Session, text: str) -> Reply:
    """Answer a line; the reply holds the new session."""
    return _reply(session, text, may_split=True)


def _reply(session: Session, text: str, *, may_split: bool) -> Reply:
    """Answer a line, or half of one, and note what he made of it."""
    session = session.replace(turn=session.turn + 1)
    if session.over:
        return _say_goodbye(session)
    line = language.normalise(text)
    if language.is_noise(line.text):
        line = Line(line.text, ())
    try:
        scene = _find_scene(session)
    except ParlourError as error:  # a table that somebody else has written
        session = session.replace(mode="chat", table=None, question="")
        return _say(session, *LINES("broken game", reason=error))
    if session.mode in ("chat", "talk") and (taken := talks.answer_consent(session, line)):
        return _note(Reply(*taken, choices=IN_TALK), text, "consent", "consent")
    before, session = session, talks.learn_facts(session, line)
    meaning = understand(session, scene, line)
    if meaning.intent == "hello" and (greeted := _answer_after_hello(before, line)):
        return greeted
    if meaning.intent == "two":
        if may_split and (both := _answer_both(session, text)):
            return both
        meaning = meaning.slots["otherwise"]
    session, meaning = pending_question.take_confirmation(session, meaning)
    if session.mode in ("chat", "talk") and _is_only_talk(session, meaning, line):
        meaning = Meaning("say")
    sad = meaning.intent in NO_ANSWER | ANSWERS | {"dunno", "ask back"} and talks.is_sad(line)
    if sad and not DESPAIR & set(line.words):  # `if it is not too much trouble, what is a quay?`
        sad = talks.answer_word_question(session, line, known=True) is None
    if sad and not talks.asks_for_word(line):
        meaning = Meaning("sad")
    elif meaning.intent == "sad" and (talks.is_no_grief(line) or meaning.chance < SURE_OF_MOOD):
        meaning = Meaning("say")
    elif session.mode == "talk" and meaning.intent in ("ask-other", "ask-self", "fact"):
        meaning = Meaning("say")  # the talk knows what was spoken of
    asked = _answer_asked(session, meaning, line, scene.match)
    direct = (session, asked) if asked else None
    if not asked and meaning.intent not in ACTS:
        direct = talks.answer_directly(session, meaning.intent, line)
    if direct and meaning.intent == "unknown":
        meaning = Meaning("say")
    answer = _say(direct[0], *direct[1]) if direct else _answer(session, meaning, line, scene.match)
    answer = pending_question.close(session, meaning.intent, answer)
    if session.table is not None and answer.session.table is None:
        answer = replace(answer, session=answer.session.replace(played=session.table))
    answer = _note(answer, text, name_state(session, scene), meaning.intent)
    if meaning.corrections and meaning.intent != "unknown":
        words = ", ".join(f"{core.quote(a)} as {b!r}" for a, b in meaning.corrections.items())
        answer = replace(answer, lines=(*LINES("read as", words=words), *answer.lines))
    return answer


def _is_only_talk(session: Session, meaning: Meaning, line: Line) -> bool:
    """Say whether a line is a statement, though a wish, a wait or a reproach was heard in it."""
    asked = meaning.slots.get("intent") if meaning.intent == "ask back" else meaning.intent
    if asked in ("game", "play"):
        return bool(HEARD["tells"].search(line.plain))
    if asked == "angry":
        return meaning.chance < SURE_OF_MOOD
    if asked == "thanks":
        return bool(HEARD["tells of thanks"].search(line.plain))
    if asked in ("patience", "praise"):
        long = len(line.words) > (SHORT if asked == "patience" else FEW)
        return long and not HEARD["praises"].search(line.plain)
    idle = asked in ("talk", "topic") or (asked == "resume" and session.saved is None)
    long = meaning.intent == "ask back" and len(line.words) > FEW - 1
    return idle and long and talks.is_statement(session, line)


def _answer_after_hello(session: Session, line: Line) -> Reply | None:
    """Greet, and answer what is said after a greeting; None if that is nothing."""
    found = HEARD["greeting"].match(line.text)
    rest = line.text[found.end() :] if found else ""
    if len(rest.split()) < AFTER_HELLO or session.mode == "game":
        return None
    answer = _reply(session.replace(turn=session.turn - 1), rest, may_split=True)
    intent = answer.session.last.intent
    lost = intent in ("hello", "how") or (intent == "unknown" and answer.session.mode == "chat")
    return None if lost else replace(answer, lines=(*LINES("hello"), *answer.lines))


def _note(answer: Reply, text: str, state: str, intent: str) -> Reply:
    """Keep what he made of a line until the next, which may correct it."""
    last = LastLine(text[: language.MAX_LENGTH], state, intent)
    return replace(answer, session=answer.session.replace(last=last))


def _answer_both(session: Session, text: str) -> Reply | None:
    """Do both acts of a line, in order; None unless each half is an act by itself."""
    for first, second in split_line(text):
        once = _reply(session, first, may_split=False)
        if once.over or once.session.last.intent not in ACTS:
            continue
        twice = _reply(once.session, second, may_split=False)
        if twice.session.last.intent in ACTS:
            return replace(twice, lines=(*once.lines, *twice.lines))
    return None


def _find_scene(session: Session) -> Scene:
    if session.mode == "talk":
        return Scene("talk", topic=session.talk.topic)
    if session.table is not None and session.mode in ("game", "chat"):
        match = tables.load_match(session.table)
        if match.over or session.mode == "game":
            mode = "after" if match.over else "game"
            return Scene(mode, match.game, match.state, match=match)
    return Scene("chat")


def _answer(session: Session, meaning: Meaning, line: Line, match: Match | None) -> Reply:
    first = session.mode != "setup" or (REFUSALS | DESPAIR) & set(line.words)
    asks = meaning.intent in ("say", "unknown") and line.text.rstrip().endswith("?")
    may_know = asks or meaning.intent in ("ask-other", "ask-self", "ask-word")  # from his books
    if first and not may_know and (answer := _answer_manners(session, meaning, line)):
        return answer
    if match and meaning.intent not in ACTS and (move := tables.find_supposed(line, match)):
        meaning = Meaning("what-if", {"move": move})
    asks = session.mode != "setup" or "?" in line.text or meaning.intent == "ask-word"
    asks = asks or tables.surely_asks(line) or tables.is_asked(session, line, match)
    if asks and (answer := _answer_word_question(session, meaning, line, known=True)):
        return answer
    if asks and (lines := _answer_about_games(session, meaning, line, match)):
        return _say(session, *lines)
    if meaning.intent not in ACTS and (answer := _answer_word_question(session, meaning, line)):
        return answer
    if may_know and (answer := _answer_manners(session, meaning, line)):
        return answer
    if meaning.intent == "ask-word" and (lines := talks.admit_ignorance(session, line)):
        return _say(session, *lines)
    if meaning.intent == "unknown" and (noted := talks.note_facts(session)):
        return Reply(*noted, choices=IN_TALK if noted[0].mode == "talk" else ("board", "help"))
    moves = meaning.intent in ("move", "illegal", "unclear", "ask back")
    again = moves and session.last.intent == "move" and EXPRESSIONS["surely corrects"]
    if meaning.intent == "correct" or (again and again.match(line.text)):
        return _correct(session, line, match)
    if meaning.intent in ANYWHERE and not _continues_setup(session, meaning, line):
        return ANYWHERE[meaning.intent](session, meaning, line)
    if meaning.intent == "again" and session.table is not None:
        return tables.play_again(session, meaning.slots)
    if meaning.intent == "rules" and (game := _name_other_game(session, meaning)):
        return _explain_rules(session, registry.game(game), general=True)
    if session.mode == "setup":
        return _answer_in_setup(session, meaning, line)
    if session.mode == "talk":
        return _answer_in_talk(session, meaning, line)
    if session.mode != "game" or session.table is None:
        return _answer_in_chat(session, meaning, line, match)
    if meaning.intent in ("game", "talk"):
        return _leave_game(session, meaning)
    if meaning.intent == "name":
        return _continue_talk(session, meaning, line)
    if meaning.intent in JUDGES and tables.is_elsewhere(line):
        return _say(session, *LINES("another position"))
    answer = tables.answer_at_table(session, meaning, match)
    if match is None or meaning.intent != "what-if" or "move" not in meaning.slots:
        return answer
    shown = tables.show_supposed(session, line, match, str(meaning.slots["move"]))
    return replace(answer, lines=(*shown, *answer.lines))


def _say(session: Session, *lines: str) -> Reply:
    """Say something that changes nothing; in a game the game goes on."""
    return Reply(session, lines, choices=("board", "help") if session.mode == "game" else CHOICES)


def _answer_manners(session: Session, meaning: Meaning, line: Line) -> Reply | None:
    """Answer a mood, a courtesy or a remark, wherever it is said; None if the line is neither."""
    refuses = meaning.intent in ("game", "play", "no") and REFUSALS & set(line.words)
    if meaning.intent not in MANNERS and not refuses and not DESPAIR & set(line.words):
        return None
    answer = talks.answer_manners(session, meaning.intent, line)
    if answer is None:
        return None
    session, lines = answer
    if session.mode == "talk":
        return Reply(session, lines, choices=IN_TALK)
    if session.mode == "setup" and talks.may_offer(session):
        return _say(session, *lines, tables.repeat_question(session))
    return _say(session, *lines)


def _offer(session: Session, section: str) -> Reply:
    """Say something that offers a game, or the same without one to somebody who wants none."""
    offers = not session.talk.used or talks.may_offer(session)
    return _say(session, *LINES(section if offers else f"{section} without games"))


def _say_goodbye(session: Session) -> Reply:
    return Reply(session.replace(over=True), LINES("goodbye"))


# Chat


def _answer_in_chat(session: Session, meaning: Meaning, line: Line, match: Match | None) -> Reply:
    intent = meaning.intent
    if intent in ("goodbye", "kill") or meaning.slots.get("command") == "kill":
        return _say_goodbye(session)
    same = intent == "same" or HEARD["same game"].fullmatch(line.plain)
    if same and (session.table or session.played):
        return pending_question.play_same(session)
    if session.question == "offer" and (
        answer := pending_question.answer_offer(session, meaning, line)
    ):
        return answer
    if intent == "game":
        return _offer_games(session)
    if intent == "talk":
        rest = "" if meaning.slots.get("topic") else line.text.partition(". ")[2]
        if len(rest.split()) >= AFTER_HELLO:
            session = session.replace(mode="talk", turn=session.turn - 1)
            return _reply(session, rest, may_split=False)
        return _open_talk(session, meaning)
    if intent == "unknown" and talks.is_statement(session, line):
        intent, meaning = "say", Meaning("say")
    if intent in TO_TALK:
        stays = intent == "name" or session.question == "again"
        talk = session if stays else session.replace(mode="talk", question="")
        return _continue_talk(talk, meaning, line)
    if session.table is not None and intent in STILL_ANSWERED | {"why"}:
        return tables.answer_at_table(session, meaning, match)
    if session.table is not None and intent in REFUSED_AFTER:
        return _say(session, *LINES("game is over"))
    if intent == "rules" and session.table is not None:
        return _explain_rules(session, tables.load_game(session.table))
    if intent == "rules":
        return _say(session, *LINES("rules of which"))
    if intent == "yes" and session.question == "again" and session.table is not None:
        return tables.play_again(session, {})
    if intent == "yes" and session.question.startswith("talk "):
        return _open_talk(session, Meaning("talk", {"topic": session.question[5:]}))
    if intent in ("yes", "no", "why"):
        session = session.replace(question="")
    if f"{intent} without games" in language.read_sections("lines/chat.txt"):
        return _offer(session, intent)
    if intent in language.read_sections("lines/chat.txt"):
        return _say(session, *LINES(intent))
    return _ask_what_was_meant(session, line.text)


def _ask_what_was_meant(session: Session, text: str) -> Reply:
    entry = language.look_up(text) if len(text) < 60 else None
    if entry is not None and entry.kind == "noun" and not language.is_rude(text):
        session = session.replace(question=f"talk {entry.word}")
        topic = language.plural(entry.word) if entry.counted else entry.word
        return _say(session, *LINES("talk about it", topic=topic))
    return _offer(session, "lost")


# Questions about the games


def _answer_asked(
    session: Session, meaning: Meaning, line: Line, match: Match | None
) -> tuple[str, ...] | None:
    """Answer what others have asked about the games in much the same words, whatever it looks like.

    A line that begins as a question does not act; another may ask for what it names.
    """
    intent = meaning.slots.get("intent", meaning.intent)
    surely = tables.surely_asks(line) or (
        intent == "resign" and tables.may_ask(line, at_table=True)
    )
    acts = intent in ACTS and not surely
    elsewhere = session.mode == "talk" and not find_game(line.words)
    reviews = match is not None and tables.asks_for_review(line)
    supposed = meaning.intent == "what-if" and "move" in meaning.slots
    if acts or elsewhere or reviews or supposed or meaning.intent in NOT_ASKED | ANSWERS:
        return None
    known = meaning.intent in KNOWN_HERE
    if intent in ACTS or tables.is_asked(session, line, match, surely=known):
        return tables.answer_question(session, line, match, maybe=False)
    return None


def _answer_about_games(
    session: Session, meaning: Meaning, line: Line, match: Match | None
) -> tuple[str, ...] | None:
    """Answer a question about the games or the person's moves; it changes nothing."""
    may_review = meaning.intent not in WANTS | ACTS or tables.surely_asks(line)
    reviews = match is not None and may_review and tables.asks_for_review(line)
    if meaning.intent == "review" or reviews:
        return tables.review(session, line, match)
    at_table = match is not None or session.mode == "setup" or bool(find_game(line.words))
    asks = meaning.intent in ASKS and meaning.slots.get("about") not in ABOUT_HIM
    may_ask = session.mode == "setup" or (
        meaning.intent in MAY_ASK and (at_table or session.mode == "chat")
    )
    if asks or (may_ask and tables.may_ask(line, at_table=at_table)):
        surely, maybe = meaning.intent == "ask-game", meaning.intent not in ("moves", "rules")
        return tables.answer_question(session, line, match, surely=surely, maybe=maybe)
    return None


def _answer_question(session: Session, meaning: Meaning, line: Line) -> Reply:
    """Answer a question by its topic alone; what a game is, only where little else is asked."""
    topic = str(meaning.slots["about"])
    vague = topic.endswith("-about") and len(line.words) > SHORT - 2
    return _say(session, *(LINES("not known of it") if vague else tables.answer_topic(topic)))


def _answer_word_question(
    session: Session, meaning: Meaning, line: Line, *, known: bool = False
) -> Reply | None:
    """Answer from the dictionary; his own question before it needs no answer any more."""
    at_table = session.mode == "game" or meaning.intent not in ("help", "hats")
    of_the_games = at_table and meaning.intent in OF_THE_GAMES and not talks.asks_for_word(line)
    if of_the_games:
        return None
    sure = meaning.intent == "ask-word"
    lines = talks.answer_word_question(session, line, known, sure)
    if lines is None:
        return None
    session = session.replace(talk=replace(session.talk, asked=""))
    return (
        Reply(session, lines, choices=IN_TALK) if session.mode == "talk" else _say(session, *lines)
    )


def _say_who_wins(session: Session, meaning: Meaning, line: Line) -> Reply:
    options = dict(meaning.slots)
    name = str(options.pop("game"))
    try:
        game = registry.build(registry.find("games", name), name, options)
    except ParlourError as error:
        return _say(session, tables.explain_refusal(name, error))
    return _say(session, *tables.say_who_wins(game))


def _name_other_game(session: Session, meaning: Meaning) -> str:
    """Return the game that is named, unless it is the one on the table."""
    name = str(meaning.slots.get("game", ""))
    here = session.table.game if session.mode == "game" and session.table is not None else ""
    return "" if name == here else name


def _explain_rules(session: Session, game: Game, *, general: bool = False) -> Reply:
    """Give the rules of a game, and last how to say a move."""
    lines, box = tables.explain_rules(game, general=general)
    return replace(_say(session, *lines), board=box)


# Games


def _offer_games(session: Session) -> Reply:
    first = language.FIRST_GAMES.values()
    return Reply(
        session.replace(mode="chat", table=None, question="offer", wished={}),
        LINES("games", first=core.one_of(first)),
        choices=(*first, *language.list_other_games()),
    )


def _play(session: Session, meaning: Meaning, line: Line) -> Reply:
    """Set up a new game; one that is not named is the last one again."""
    same = session.table is not None and meaning.slots.get("game") == session.table.game
    if same and (session.mode == "game" or not find_game(line.words)):
        return tables.play_again(session, meaning.slots)
    return tables.start_setup(session, meaning.slots)


def _watch(session: Session, meaning: Meaning, line: Line) -> Reply:
    return tables.watch(session, meaning, line)


def _answer_in_setup(session: Session, meaning: Meaning, line: Line) -> Reply:
    intent, wished = meaning.intent, session.wished
    refuses = intent == "no" and len(line.words) <= 2 and not line.words[-1].isdecimal()
    if refuses or intent in ("leave", "done") or line.words in (("leave",), ("cancel",)):
        return _offer(session.replace(mode="chat", wished={}), "no")
    if intent in ("goodbye", "kill"):
        return _say_goodbye(session)
    says = _names_options(line, str(wished.get("game", "")))
    number = str(meaning.slots.get("n", ""))
    if number and not says and (not is_answer(line) or line.words.count(number) > 1):
        line, says = replace(line, words=(number,)), True  # without its reasons
    if (says or is_answer(line)) and (answer := tables.continue_setup(session, line)):
        return answer
    if answer := pending_question.answer_setup(session, meaning):
        return answer
    if answer := _answer_manners(session, meaning, line):
        return answer
    if lines := _answer_about_games(session, meaning, line, None):
        return _say(session, *lines)
    if intent == "talk":
        return _open_talk(session.replace(mode="chat", wished={}), meaning)
    if intent == "rules":
        return _explain_rules(session, registry.game(wished["game"]), general=True)
    if "asked" in wished:
        return _say(session, *LINES("setup lost asked", question=tables.repeat_question(session)))
    asks_for = tables.find_custom(str(wished["game"])).asks_for if "game" in wished else ""
    which = "coins" if wished.get("count") else asks_for or "begins"
    return _say(session, *LINES(f"setup lost {which}"))


def _continues_setup(session: Session, meaning: Meaning, line: Line) -> bool:
    """Say whether a line that he would ask back about says how the game should be."""
    game = str(session.wished.get("game", ""))
    return meaning.intent == "ask back" and session.mode == "setup" and _names_options(line, game)


def _names_options(line: Line, game: str) -> bool:
    """Say whether a line says of a game how it should be, apart from numbers."""
    wish = read_wish(line.words, game)
    return bool(
        set(wish.options) - {"piles", "sticks"} or (wish.slots and len(line.words) <= SHORT)
    )


def _correct(session: Session, line: Line, match: Match | None) -> Reply:
    """Undo what he made of the line before, and take the rest of this one in its place."""
    wrong = session.last
    if wrong.text:
        kept = (*session.memory.misheard, wrong)[-MAX_KEPT:]
        session = session.replace(memory=replace(session.memory, misheard=kept))
    rest = EXPRESSIONS["correction"].sub("", line.text).strip(" ,.;:!-")
    if session.mode == "setup" and (answer := tables.correct_setup(session, line)):
        return answer
    if session.mode == "game" and wrong.intent in ("play", "again") and find_game(line.words):
        return _reply(session.replace(mode="chat", table=None), rest, may_split=False)
    if session.mode != "game" or wrong.intent != "move":
        return _say(session, *pending_question.ask_what_was_meant())
    before = tables.answer_at_table(session, Meaning("undo"), match)
    scene = _find_scene(before.session)
    if rest and understand(before.session, scene, language.normalise(rest)).intent == "move":
        again = reply(before.session, rest)
        return replace(again, lines=(*before.lines[:1], *again.lines))
    return replace(before, lines=(*before.lines[:1], *pending_question.ask_what_was_meant("move")))


def _leave_game(session: Session, meaning: Meaning) -> Reply:
    session, lines = tables.put_aside(session)
    answer = _offer_games(session) if meaning.intent == "game" else _open_talk(session, meaning)
    return replace(answer, lines=(*lines, *answer.lines))


def _resume(session: Session, meaning: Meaning, line: Line) -> Reply:
    if session.saved is None:
        return _say(session, *LINES("nothing to resume"))
    now = session.table if session.mode == "game" else None
    name = tables.name_variant(tables.load_game(session.saved))
    lines = [*LINES("resumed", game=name), *(LINES("resumed instead") if now else ())]
    return tables.begin_game(session.replace(saved=now), session.saved, lines)


# Talk


def _open_talk(session: Session, meaning: Meaning) -> Reply:
    topic = str(meaning.slots.get("topic", ""))
    return Reply(*talks.open_talk(session.replace(question=""), topic), choices=IN_TALK)


def _answer_in_talk(session: Session, meaning: Meaning, line: Line) -> Reply:
    if meaning.intent == "goodbye":
        return _say_goodbye(session)
    if meaning.intent in ("done", "leave"):
        return _offer(session.replace(mode="chat"), "talk done")
    if meaning.intent == "game":
        return _offer_games(session)
    if meaning.intent == "talk" and not meaning.slots.get("topic"):
        return _open_talk(session, meaning)
    if meaning.intent == "help":
        return _say(session, *LINES("talk help"))
    if meaning.intent == "talk":
        meaning = Meaning("topic", {"is": str(meaning.slots["topic"])})
    if meaning.intent == "unknown":
        meaning = Meaning("say")
    return _continue_talk(session, meaning, line)


def _continue_talk(session: Session, meaning: Meaning, line: Line) -> Reply:
    answer = talks.continue_talk(session, meaning.intent, meaning.slots, line)
    return Reply(*answer, choices=IN_TALK)


def _forget(session: Session, meaning: Meaning, line: Line) -> Reply:
    session, lines = talks.forget(session)
    return _say(session, *lines)


ANYWHERE: dict[str, Callable[[Session, Meaning, Line], Reply]] = {
    "play": _play,
    "watch": _watch,
    "resume": _resume,
    "forget": _forget,
    "ask": _answer_question,
    "value": _say_who_wins,
    "ask back": lambda session, meaning, line: pending_question.ask_back(session, meaning),
    "declined": lambda session, meaning, line: pending_question.decline(session),
}
