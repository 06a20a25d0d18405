"""His manners: what he says to a mood, a courtesy, a remark or a question about himself.

They are the same in a talk, in a game, while one is set up and after it, and never change a game:
there he answers in a line or two, and says whose move it is.
"""

from __future__ import annotations

import re

from parlour.host.language import Line, normalise, texts
from parlour.host.session import Session
from parlour.host.talk import facts, listening, turns
from parlour.host.talk.definitions import answer_word_question, asks_for_word
from parlour.host.talk.dialogue import continue_talk
from parlour.host.talk.draft import Answer, Draft, Mark, fill
from parlour.host.talk.listening import HIMSELF, MOODS, QUESTIONS, is_no_grief, is_question, is_sad
from parlour.host.talk.memory import mirror
from parlour.host.talk.subjects import WORDS
from parlour.host.talk.topics import is_statement

MANNERS = texts.read_expressions("talk/expressions/manners.txt")
HEARD = texts.read_expressions("talk/expressions/heard.txt")
GROUPS = texts.read_words("groups.txt")
SURE_OF_MOOD = 0.96  # how sure the examples must be, where no word says what the mood is
MAX_WAITING, MAX_PRAISING = 8, 4  # words of a wait, and of praise that may be for anything
MAX_HELP = 4  # words of a line that asks for help without a word of it
MAX_ASKING = 3  # words of a wish to talk that may be a statement
POLITE = {"sorry": "apology", "back": "welcome-back", "fun": "glad"} | {
    name: name for name in ("thanks", "praise", "patience", "groan", "heard", "company")
}
BUSY = ("game", "setup", "again")
PLAINLY = ("groan", "back", "fun", "company")  # heard whatever else a line may seem to be
A_REMARK = 3  # words of a line that says something, if he does not know what
MAX_REPEATED = 9  # words of a remark in a game that he repeats


def hear_mood(session: Session, intent: str, act: str, chance: float, line: Line) -> str:
    """Return the intent of a line with its mood heard: grief before an answer, talk as talk.

    `act` is what he would ask back about, if he would; `chance` is the examples' for the intent.
    """
    if HIMSELF.search("no jokes", line.plain):
        return "ask-self"  # it stops nothing else
    if session.mode in ("chat", "talk") and _is_only_talk(session, intent, act, chance, line):
        intent = "say"
    if turns.is_mood_grave(Draft.of(session)) and _is_told_in_grief(intent, act, line):
        intent = "say"
    if intent == "how" and answer_word_question(session, line, known=True):
        return "ask-word"
    if intent == "how" and not HEARD["asks how"].search(line.plain):
        intent = "ask-self"  # are you clever?
    if (
        intent == "hello"
        and len(line.words) > MAX_ASKING
        and not HEARD["greets"].search(line.plain)
    ):
        intent = "say"
    if intent == "thanks" and "nothing" in line.words:
        return "angry"
    if intent == "praise" and (line.words[0] == "i" or HIMSELF.search("fair", line.plain)):
        intent = "say"  # I used to be good at this; that is not fair
    if session.mode == "game" and intent == "dislike" and MANNERS.search("hates it", line.plain):
        return "angry"
    if intent == "hint" and MANNERS.search("bad hint", line.plain):
        return "angry"
    if intent == "help" and len(line.words) > MAX_HELP and not MANNERS.search("helps", line.plain):
        intent = "ask-other" if is_question(line) else "say"
    if intent == "noplay" and not MANNERS.search("of play", line.plain):
        intent = "say"
    if intent in GROUPS["may grieve"] and is_sad(line) and not _asks_for_word(session, line):
        return "sad"
    if intent == "sad" and (is_no_grief(line) or chance < SURE_OF_MOOD):
        return "say"
    return "say" if session.mode == "talk" and intent in GROUPS["of the talk"] else intent


def _is_told_in_grief(intent: str, act: str, line: Line) -> bool:
    """Say whether a line of somebody in grief goes on with it, whatever else it may seem to be."""
    turns = any(MOODS.search(name, line.plain) for name in ("turns away", "of play"))
    if turns or is_question(line):
        return False
    if intent in ("praise", "angry"):
        return not WORDS["to him"] & set(line.words)
    if intent == "unknown":
        return len(line.words) >= A_REMARK and bool(WORDS["telling"] & set(line.words))
    return (intent in GROUPS["seeming"] or act in GROUPS["seeming"]) and len(line.words) > A_REMARK


def _asks_for_word(session: Session, line: Line) -> bool:
    """Say whether a line that sounds sad asks the dictionary: `no trouble: what is a quay?`"""
    despairs = WORDS["despair"] & set(line.words)
    known = not despairs and answer_word_question(session, line, known=True) is not None
    return known or asks_for_word(line)


def _is_only_talk(session: Session, intent: str, act: str, chance: float, line: Line) -> bool:
    """Say whether a line is a statement, though a wish, a wait or a reproach was heard in it."""
    if act in ("game", "play"):
        challenges = listening.THEMES.search("challenge", line.plain)
        return bool(HEARD["tells"].search(line.plain)) and not challenges
    if act == "angry":
        return chance < SURE_OF_MOOD
    if act == "thanks":
        return bool(HEARD["tells of thanks"].search(line.plain))
    if act in ("patience", "praise"):
        long = len(line.words) > (MAX_WAITING if act == "patience" else MAX_PRAISING)
        return long and not HEARD["praises"].search(line.plain)
    idle = act in ("talk", "topic") or (act == "resume" and session.saved is None)
    long = intent == "ask back" and len(line.words) > MAX_ASKING
    return idle and long and is_statement(session, line)


def goes_first(line: Line) -> bool:
    """Say whether a line that refuses or despairs is heard before it is taken for an answer."""
    return bool((WORDS["refusals"] | WORDS["despair"]) & set(line.words))


def answer_manners(session: Session, intent: str, line: Line) -> Answer | None:
    """Answer a line that is about manners or moods, in any state; None if it is not."""
    refuses = intent in GROUPS["refusable"] and WORDS["refusals"] & set(line.words)
    busy = session.mode in BUSY and intent in GROUPS["short remarks"]
    plainly = any(MANNERS[name].match(line.plain) for name in PLAINLY)
    heard = busy or refuses or plainly or WORDS["despair"] & set(line.words)
    if intent not in GROUPS["answered"] and not heard:
        return None
    place = "again" if session.mode == "chat" and session.question == "again" else session.mode
    if place == "talk" and listening.has_rude_word(line.words):
        return None
    intent = find_manner(intent, line)
    if intent == "groan" and place != "game":
        return None
    talks = place in ("talk", "chat")
    if talks and intent in ("ask-other", "ask-self") and not is_question(line):
        return continue_talk(session.replace(mode="talk", question=""), "say", {}, line)
    if intent == "sad" and place in ("talk", "chat", "again"):
        return continue_talk(session.replace(mode="talk", question=""), "sad", {}, line)
    draft = Draft.of(session)
    if intent == "hello":
        return session, (fill("hello"),)
    if intent == "care":
        draft.note(Mark.GRAVE)
        draft.say("care", "sorry")
    elif intent in ("sad", "angry", "noplay", "how", "dunno", "ask-self", "ask-other"):
        _answer_mood(draft, intent, place, line)
    elif intent in POLITE:
        draft.say(f"{POLITE[intent]}-{place}", POLITE[intent])
        rest = listening.drop_lead(line)
        tells = rest is not line and len(rest.words) >= listening.LONG_LINE
        if intent in ("sorry", "thanks") and talks and tells:
            session, lines = continue_talk(draft.session.replace(mode="talk"), "say", {}, rest)
            return session, (" ".join((*draft.sentences, *lines[:1])), *lines[1:])
    elif place in BUSY and (
        intent in (("say",) if place == "again" else GROUPS["short remarks"])
        or (intent == "unknown" and len(line.words) >= A_REMARK and is_statement(session, line))
    ):
        _answer_remark(draft, line)
    if not draft.sentences:
        return None
    if (
        place == "game"
        and intent in GROUPS["followed"]
        and not draft.asks
        and not turns.is_mood_grave(draft)
    ):
        draft.add(fill("your-move"))
    return draft.finish()


def answer_directly(session: Session, intent: str, line: Line) -> Answer | None:
    """Answer what can only be about the person, about him, or about what he said last."""
    follows = session.mode in ("chat", "talk") and (
        session.last.text or len(line.words) > MAX_ASKING
    )
    if follows and (answer := _answer_last(session, intent, line)):
        return answer
    if lines := facts.answer_about_person(session, line):
        return session, lines
    if session.mode == "chat" and MANNERS.search("hello", line.plain):
        return session, (fill("hello"),)
    draft = Draft.of(session)
    asked = QUESTIONS["lead"].sub("", line.plain)
    his = GROUPS["surely his"] | (
        GROUPS["his in a talk"] if session.mode in ("chat", "talk") else set()
    )
    heard = (HIMSELF.search(name, text) for name in his for text in {asked, line.plain})
    if len(line.words) > 1 and any(heard):
        listening.answer_about_himself(draft, line)
    elif (
        session.mode in ("chat", "talk")
        and session.last.intent not in {"", *GROUPS["nothing said"]}
        and intent in ("unknown", "say", "ask-other", "ask-self", "ask-word", "dunno")
    ):
        listening.answer_elliptic(draft, line)
    elif intent == "ask-me" and is_question(line) and {"my", "mine"} & set(line.words):
        return session, (fill("not-kept"),)
    if not draft.sentences and QUESTIONS["of the told"].match(line.plain):
        said = facts.find_said(session, line)
        return (session, (said,)) if said else None
    return draft.finish() if draft.sentences else None


def _answer_last(session: Session, intent: str, line: Line) -> Answer | None:
    """Answer a line that only makes sense after the last one; None for any other line."""
    draft = Draft.of(session)
    asks = is_question(line)
    grave = draft.list_recent(Mark.GRAVE, 3) + draft.list_recent(Mark.LOW, 3)
    if grave and MOODS.search("no harm", line.plain):
        draft.unmark(Mark.GRAVE, Mark.LOW)
        draft.say("relieved")
        listening.ask_on(draft, line)
    elif (
        QUESTIONS["riddle"].search(line.plain)
        and intent in GROUPS["riddled"]
        and not answer_word_question(session, line, known=True)
    ):
        draft.say("riddle-end" if re.search(r"\?\s*\w+", line.text) else "riddle")
        draft.session = draft.session.replace(mode="talk", question="")
    elif QUESTIONS["where were we"].search(line.plain):
        quote = listening.quote_last(draft, line)
        draft.say("where-were-we" if quote else "missed-bare", more={"quote": quote})
    elif QUESTIONS["pleased"].search(line.plain) and not draft.asked_last and not asks:
        draft.say("pleased")
    elif draft.list_recent(Mark.SPOKE, 2) and QUESTIONS["echo"].match(line.plain):
        quote = listening.quote_last(draft, line)
        draft.say("echo" if quote else "echo-bare", "echo-bare", more={"quote": quote})
    elif draft.list_recent(Mark.CORRECTED, 1):
        fact = facts.join_facts(facts.list_told(session)[-1:])
        draft.say("corrected-fact" if fact else "corrected-bare", more={"fact": fact})
    elif session.last.intent in GROUPS["corrected"] and (
        found := QUESTIONS["corrects"].match(line.plain)
    ):
        draft.say("corrected", more={"given": listening.turn_words(found["x"])})
    elif intent == "correct" and not listening.answer_complaint(draft, line):
        again = mirror(listening.drop_lead(line).text)
        again = "" if "not" in normalise(again).words else again  # what was not meant
        draft.say(
            "corrected" if again else "corrected-bare", "corrected-bare", more={"given": again}
        )
    return draft.finish() if draft.sentences else None


def part(session: Session, line: Line) -> tuple[str, ...]:
    """Return what he adds to a farewell that says more than goodbye."""
    night, thanks = HEARD["night"].search(line.plain), HEARD["thanks"].search(line.plain)
    if not (night or thanks):
        return ()
    draft = Draft.of(session)
    draft.say("part-thanks" if thanks else "part-night")
    if thanks and night:
        draft.say("part-night")
    return (" ".join(draft.sentences),)


def find_manner(intent: str, line: Line) -> str:
    """Return the intent, or what a line that was not understood says of manners and moods."""
    plain = line.plain
    if MOODS.search("care", plain):
        return "care"
    if intent in ("thanks", "praise") and "not" in line.words and QUESTIONS["insult"].search(plain):
        return "angry"
    if found := next((name for name in PLAINLY if MANNERS[name].match(plain)), ""):
        return found
    if intent == "praise" and QUESTIONS["heard"].fullmatch(plain):
        return "heard"
    if intent not in GROUPS["loose"]:
        return intent
    if MANNERS.search("noplay", plain):
        return "noplay"
    if intent not in ("unknown", "say", "no-game"):
        return intent
    if listening.is_sad(line) and not is_question(line):
        return "sad"
    unfair = HIMSELF.search("fair", plain) and not is_question(line)
    if unfair or QUESTIONS["insult"].search(plain) or listening.has_rude_word(line.words):
        return "angry"
    hits = (name for name in MANNERS if name != "of play" and MANNERS.search(name, plain))
    found = next(hits, "")
    if found and not (found == "praise" and is_question(line)):
        return found
    if is_question(line) and listening.work_out(line):
        return "ask-other"
    asked = QUESTIONS["lead"].sub("", plain)
    own = is_question(line) and any(HIMSELF.search(name, asked) for name in HIMSELF)
    return "ask-self" if own and WORDS["to him"] & set(line.words) else intent


def may_offer(session: Session) -> bool:
    """Say whether the person may be offered a game now."""
    return turns.may_offer_game(Draft.of(session))


def _answer_mood(draft: Draft, intent: str, place: str, line: Line) -> None:
    if intent == "sad":
        draft.note(Mark.GRAVE)
        draft.say("grave")
        draft.say("sad-game" if place == "game" else "sorry-ask")
    elif intent == "angry":
        _answer_anger(draft, place, line)
    elif intent == "noplay":
        draft.unmark(Mark.NO_GAME)
        draft.note(Mark.NO_GAME)
        draft.say(f"noplay-{place}", "noplay")
        if place in ("setup", "again"):
            draft.session = draft.session.replace(mode="chat", wished={}, question="")
    elif intent == "how":
        draft.say("how-game" if place == "game" else "their-how")
    elif intent == "dunno" and place in ("chat", "again", "game"):
        draft.say("dunno-game" if place == "game" else "dunno")
    elif intent == "ask-self":
        guesses = listening.THEMES.search("guess", line.plain)
        if guesses and listening.answer_theme(draft, line):
            return
        if not listening.answer_about_himself(draft, line):
            draft.say("their-unsure")
    elif intent == "ask-other" and not (
        listening.answer_sum(draft, line) or listening.answer_about_himself(draft, line)
    ):
        listening.decline_question(draft, line)
        if place == "talk" and draft.topic and not draft.asks and not turns.tell_fact(draft):
            turns.ask_question(draft)


def _answer_anger(draft: Draft, place: str, line: Line) -> None:
    """Answer a complaint plainly, and say what would help."""
    table = draft.session.table
    if place in ("chat", "talk") and listening.answer_complaint(draft, line):
        return
    if place != "talk" and listening.HIMSELF.search("fair", line.plain):
        draft.say("their-fair")
    elif place == "game":
        draft.say("angry-game" if table is not None and table.moves else "angry-begun")
    elif (
        place == "chat"
        and not WORDS["to him"] & set(line.words)
        and listening.has_rude_word(line.words)
    ):
        draft.say("vent")
    else:
        draft.say("angry-setup" if place == "setup" else "insult")


def _answer_remark(draft: Draft, line: Line) -> None:
    """Answer a remark at the table: by what it tells or is about, or by the person's own words."""
    again, busy = mirror(line.text), draft.session.mode == "setup"  # and asks something itself
    gone = draft.list_marked(Mark.GONE)
    of_them = gone and ({*gone, "he", "she", "him", "her"} & set(line.words))
    if of_them and again and len(again.split()) <= MAX_REPEATED:
        draft.say("reflect-grave", "hushed", more={"turned": again})
    elif of_them or turns.is_mood_grave(draft):
        draft.say("hushed")
    elif listening.SHAPES["leaving"].search(line.plain) and not busy:
        draft.say("leaving-game")
    elif MOODS.search("laugh", line.plain):
        draft.say("laugh")
    elif listening.answer_facts(draft, line, only=busy) or (
        not busy and listening.answer_theme(draft, line)
    ):
        return
    elif again and len(again.split()) <= MAX_REPEATED:
        draft.say("reflect", "remark-game", more={"turned": again})
    else:
        draft.say("remark-game")
