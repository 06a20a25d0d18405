"""Benedict in conversation: one line in, one reply out, whatever the state of the session.

The path of a line is `reply`: it is normalised and understood, may answer the question that he has
just put, is answered or acted upon, and what he made of it is kept for the next line. Nothing is
loaded that a line does not need: `tables` and `talks` are packages that load lazily.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from parlour import core
from parlour.core import Game, Match, ParlourError, registry
from parlour.host import language, pending_question, puzzle
from parlour.host import table as tables
from parlour.host import talk as talks
from parlour.host.language import Line, texts
from parlour.host.session import CHOICES, IN_TALK, MAX_KEPT, LastLine, Reply, Session
from parlour.host.understand import (
    ACTS,
    ANSWERS,
    ENDINGS,
    GAME_NAMES,
    MOVES,
    Meaning,
    Scene,
    find_game,
    find_signs,
    is_answer,
    leaves_supposed,
    name_state,
    read_wish,
    split_at_question,
    split_line,
    understand,
)

GROUPS = texts.read_words("groups.txt")
WORDS = texts.read_words("understand/words/intents.txt")
LIKELY = 0.6  # the chance of an intent that keeps a question from the dictionary
A_WORD_OR_TWO = 2
AFTER_HELLO = 3  # words after a greeting that are answered
SHORT = 8  # words of a line that may say who plays in a game being set up
WHOLE = {  # lines that mean only one thing in some modes
    "greets": (("chat",), Meaning("hello")),
    "asks why": (("game",), Meaning("why")),
    "finds it hard": (("game",), Meaning("ask back", {"intent": "easier", "slots": {}})),
    "does not know the rules": (("game", "after"), Meaning("rules")),
    "something else": (("game", "after"), Meaning("game")),
    "wants a game": (("chat", "talk"), Meaning("game")),
    "asks which games": (("chat", "talk", "game", "after"), Meaning("ask", {"about": "games"})),
}
LINES = partial(texts.fill_lines, "lines/chat.txt")
EXPRESSIONS = texts.read_expressions("understand/expressions/intents.txt")
HEARD = texts.read_expressions("talk/expressions/heard.txt")
FIRST_NAMES = texts.read_words("language/words/names.txt")["names"]


@dataclass(frozen=True)
class Turn:
    """A line, where it was said, and what it means there."""

    session: Session
    scene: Scene
    line: Line
    meaning: Meaning
    whole: bool = False  # whether it can mean only that

    @property
    def intent(self) -> str:
        """The intent of the line."""
        return self.meaning.intent

    @property
    def act(self) -> str:
        """The act that the line asks for or that he would ask back about, else its intent."""
        return str(self.meaning.slots.get("intent", self.intent))

    @property
    def match(self) -> Match | None:
        """The game that is on, or has just ended."""
        return self.scene.match

    @property
    def mode(self) -> str:
        """The mode of the session."""
        return self.session.mode

    @property
    def asks(self) -> bool:
        """Whether it may ask something; where a game is set up, most lines are answers."""
        return (
            self.mode != "setup"
            or "?" in self.line.text
            or self.intent == "ask-word"
            or tables.surely_asks(self.line)
            or tables.is_asked(self.session, self.line, self.match)
        )

    @property
    def quotes(self) -> bool:
        """Whether it has something in quotation marks."""
        return "quotation" in find_signs(self.line)

    @property
    def may_be_known(self) -> bool:
        """Whether his books may answer it, before his manners do."""
        loose = self.intent in ("say", "unknown")
        asks = self.line.text.rstrip().endswith("?")
        return self.intent in GROUPS["by books"] or (loose and asks)


def reply(session: Session, text: str, *, may_split: bool = True) -> Reply:
    """Answer a line; the reply holds the new session. Half a line is not split again."""
    session = session.replace(turn=session.turn + 1)
    if session.over:
        return _say_goodbye(session)
    line = language.normalise(pending_question.complete(session, text))
    try:
        scene = _find_scene(session)
    except ParlourError as error:  # a table that somebody else has written
        session = session.replace(mode="chat", table=None, question="")
        return _say(session, LINES("broken game", reason=error))
    if taken := _take_consent(session, line):
        return taken
    if taken := puzzle.answer(session, line):
        return _note(taken, line.text, "puzzle", "puzzle")
    session = puzzle.withdraw_offer(session)
    if session.last.text or len(line.words) > 1:  # a first word tells nothing
        session = talks.learn_facts(session, line)
    whole = _read_whole(session, scene, line)
    turn = Turn(session, scene, line, whole or understand(session, scene, line), bool(whole))
    if answer := _answer_parts(turn, may_split=may_split and not whole):
        return answer
    turn = _settle(turn)
    return _remember(turn, _answer(turn))


def _take_consent(session: Session, line: Line) -> Reply | None:
    """Take a line, or its first sentence, for the answer to whether he may remember, if it is."""
    asked = session.talk.asked.startswith("keep")
    if session.mode not in ("chat", "talk") or not (
        asked or EXPRESSIONS["keeps"].search(line.plain)
    ):
        return None
    if taken := talks.answer_consent(session, line):
        return _note(_say(*taken), line.text, "consent", "consent")
    first, _, rest = line.text.partition(". ")
    taken = talks.answer_consent(session, language.normalise(first), more=True) if rest else None
    if taken is None:
        return None
    answer = reply(taken[0].replace(turn=session.turn - 1), rest)
    return replace(answer, lines=(*taken[1], *answer.lines))


def _find_scene(session: Session) -> Scene:
    if session.mode == "talk":
        return Scene("talk", topic=session.talk.topic)
    if session.table is not None and session.mode in ("game", "chat"):
        match = tables.load_match(session.table)
        if match.over or session.mode == "game":
            mode = "after" if match.over else "game"
            return Scene(mode, match.game, match.state, match=match)
    return Scene("chat")


def _read_whole(session: Session, scene: Scene, line: Line) -> Meaning | None:
    """Read a line, or a clause of it, that can mean only one thing here."""
    if scene.mode != "setup" and (wanted := puzzle.read_request(line)):
        return wanted
    clauses = [" ".join(words) for words, _ in line.clauses if words]
    game = scene.game.name if scene.game is not None else ""

    def says(name: str, *texts: str) -> bool:
        return any(map(EXPRESSIONS[name].fullmatch, texts or (line.plain,)))

    open_question = session.question.removeprefix(pending_question.CONFIRM)
    if scene.mode == "game" and open_question in ("", "leave", "goodbye"):
        if says("leaves the game", line.plain, *clauses[-1:]):
            return Meaning("leave")
        if says("you begin") and scene.match is not None and not scene.match.moves:
            return Meaning("swap")
    if scene.mode == "game" and session.last.intent in ("illegal", "unclear") and says("slips"):
        return Meaning("sorry")  # and nothing has been played
    if open_question == "play" and says("takes the offer"):
        return Meaning("yes")
    if game and says("asks for the result", line.plain, *clauses[:1]):
        return Meaning("winning")
    if session.question == "offer" and says("does not know any"):
        return Meaning("dunno")
    if scene.mode == "after" and says("with other numbers"):
        return Meaning("play", {"game": game, "anew": True})
    found = (
        meaning for name, (modes, meaning) in WHOLE.items() if scene.mode in modes and says(name)
    )
    return next(found, None) or _read_named(session, scene, line)


def _read_named(session: Session, scene: Scene, line: Line) -> Meaning | None:
    """Read the choice of a game, or the wish to learn it, by its name or as the one just named."""
    named = find_game(line.words) if session.mode in ("chat", "talk") else ""
    goes = EXPRESSIONS["asks how it goes"].search(line.plain)
    if EXPRESSIONS["names a game by its pieces"].fullmatch(line.plain) and not named:
        game = pending_question.find_described(Meaning("game"), line)
        return Meaning("ask back", {"intent": "play", "slots": {"game": game}}) if game else None
    if named and "you" in line.words and EXPRESSIONS["boasts"].search(line.plain):
        return Meaning("ask back", {"intent": "play", "slots": {"game": named}})
    if named and (goes or EXPRESSIONS["wants to learn"].search(line.plain)):
        return Meaning("rules", {"game": named, "offers": True})
    chooses = named and EXPRESSIONS["chooses a game"].fullmatch(line.plain)
    if chooses and not read_wish(line.words).options:
        return Meaning("play", {"game": named})
    asks = goes or EXPRESSIONS["asks for the rules"].search(line.plain)
    if named or scene.mode != "chat" or not asks:
        return None
    last = find_game(language.normalise(session.last.text).words)
    return Meaning("rules", {"game": last, "offers": True}) if last else None


def _answer_parts(turn: Turn, *, may_split: bool) -> Reply | None:
    """Answer a line in two parts: a greeting and what follows it, two acts, or a question apart."""
    if turn.intent == "hello":
        return _answer_after_hello(turn)
    if not may_split:
        return None
    if answer := _answer_after_move(turn):
        return answer
    return (_answer_both(turn) if turn.intent == "two" else None) or _answer_apart(turn)


def _answer_after_move(turn: Turn) -> Reply | None:
    """Play the move that a line begins with, or refuse it, and then answer the question after it.

    Each must be unmistakable by itself; a move that the question weighs is judged and not played.
    """
    if turn.scene.mode != "game" or turn.intent in GROUPS["heeded"] | {"unknown"}:
        return None
    for first, second, ended in split_at_question(turn.line.text):
        if turn.quotes or talks.is_sad(turn.line):
            return None
        move = _understand(turn, first)
        if move.intent not in ("move", "illegal") or _names_moves(turn, first):
            continue
        asked = _understand(turn, second).intent
        if asked in MOVES:
            continue
        supposed = leaves_supposed(first, second, ended)
        if supposed and move.intent == "move":
            turn = replace(turn, meaning=Meaning("what-if", {"move": move.slots["is"]}))
            return _remember(turn, _answer(turn))
        if (
            supposed
            or asked in ACTS | GROUPS["not understood"]
            or not (ended or asked in GROUPS["asking at once"])
        ):
            continue
        return _answer_in_turn(turn, first.text, second.text)
    return None


def _answer_in_turn(turn: Turn, first: str, second: str) -> Reply | None:
    """Answer two parts of a line, one after the other; None if the first ends the conversation."""
    done = reply(turn.session.replace(turn=turn.session.turn - 1), first, may_split=False)
    if done.over:
        return None
    answer = reply(done.session, second, may_split=False)
    lines = (*done.lines, *answer.lines)
    return replace(answer, lines=lines, board=answer.board or done.board)


def _names_moves(turn: Turn, line: Line) -> bool:
    """Say whether a line names two moves, so that neither is meant."""
    halves = (
        (language.normalise(one), language.normalise(two)) for one, two in split_line(line.text)
    )
    named = ("move", "illegal")
    return any(all(_understand(turn, each).intent in named for each in pair) for pair in halves)


def _answer_apart(turn: Turn) -> Reply | None:
    """Answer the one question among some sentences by itself, and do what the others ask for."""
    asked, rest = language.part_question(turn.line.text)
    if not rest or turn.intent in GROUPS["heeded"]:
        return None
    question = language.normalise(asked)
    short = len(question.words) <= A_WORD_OR_TWO and talks.asks_for_word(turn.line)  # `Meaning?`
    if short or WORDS["pointing back"] & set(question.words):
        return None
    again = question.words[1:2] == ("about",)  # `what about a kayak?`
    if not again and _understand(turn, question).intent not in GROUPS["asking"]:
        return None
    other = language.normalise(rest)
    meaning = _understand(turn, other)
    before = meaning.intent
    if before == "move" and (leaves_supposed(other, question) or _names_moves(turn, other)):
        return None
    if meaning.slots.get("intent") in ENDINGS:  # what he asks back comes last
        answer = reply(turn.session, asked, may_split=False)
        after = reply(answer.session, rest, may_split=False)
        return replace(after, lines=(*answer.lines, *after.lines))
    if before not in ACTS | ANSWERS:  # it may ask about the rest of the line
        here = turn.session, turn.line, turn.match
        whole = tables.answer_computed(*here) or tables.is_asked(*here, surely=True)
        apart = turn.act in ACTS or not whole
        return reply(turn.session, asked, may_split=False) if apart else None
    return _answer_in_turn(turn, rest, asked)


def _understand(turn: Turn, line: Line) -> Meaning:
    """Return what part of a line means by itself."""
    return understand(turn.session, turn.scene, line)


def _answer_after_hello(turn: Turn) -> Reply | None:
    """Greet, and answer the rest of the line; None if there is nothing else."""
    found = HEARD["greeting"].match(turn.line.text)
    rest = turn.line.text[found.end() :] if found else ""
    brief = len(rest.split()) < (A_WORD_OR_TWO if HEARD["sentence"].match(rest) else AFTER_HELLO)
    if brief or turn.mode == "game":
        return None
    answer = reply(turn.session.replace(turn=turn.session.turn - 1), rest)
    intent = answer.session.last.intent
    lost = intent in ("hello", "how") or (intent == "unknown" and answer.session.mode == "chat")
    return None if lost else replace(answer, lines=(*LINES("hello"), *answer.lines))


def _answer_both(turn: Turn) -> Reply | None:
    """Do both acts of a line, in order; None unless each half is an act by itself."""
    for first, second in split_line(turn.line.text):
        once = reply(turn.session, first, may_split=False)
        if once.over or once.session.last.intent not in ACTS:
            continue
        twice = reply(once.session, second, may_split=False)
        if twice.session.last.intent in ACTS:
            return replace(twice, lines=(*once.lines, *twice.lines))
    return None


def _settle(turn: Turn) -> Turn:
    """Return the turn with what is meant after all: by a yes to his question, or by its mood."""
    meaning = turn.meaning.slots["otherwise"] if turn.intent == "two" else turn.meaning
    session, meaning = pending_question.take_confirmation(turn.session, meaning)
    turn = replace(turn, session=session, meaning=meaning)
    if turn.whole:
        return turn
    if turn.act == "name" and turn.intent == "ask back":
        meaning = _read_name(turn)
    heard = talks.hear_mood(session, meaning.intent, turn.act, meaning.chance, turn.line)
    if heard != meaning.intent:
        meaning = Meaning(heard)
    if turn.match and heard not in ACTS and (move := tables.find_supposed(turn.line, turn.match)):
        meaning = Meaning("what-if", {"move": move})
    return replace(turn, meaning=meaning)


def _read_name(turn: Turn) -> Meaning:
    """Return what a line means that may tell a name: it does in a clause of its own, if it can."""
    if turn.quotes:
        return turn.meaning
    if EXPRESSIONS["of another name"].search(turn.line.plain):
        return Meaning("say")
    clauses = (" ".join(words) for words, _ in turn.line.clauses)
    told = filter(None, map(EXPRESSIONS["tells a name"].fullmatch, clauses))
    words = [found["name"] for found in told]
    names = (word for word in words if word in FIRST_NAMES or not language.look_up(word))
    return next((Meaning("name", {"is": name.capitalize()}) for name in names), turn.meaning)


def _answer(turn: Turn) -> Reply:
    """Answer by the first part that has an answer: first from knowledge, then by acting."""
    if turn.whole:
        return _act(turn) or MODES[turn.mode](turn)
    return (
        _answer_about_guest(turn)
        or _answer_asked(turn)
        or _answer_directly(turn)
        or _answer_mood(turn)
        or (_look_up(turn, known=True) if turn.asks else None)
        or (_answer_about_games(turn) if turn.asks else None)
        or (_look_up(turn, known=False) if turn.intent not in ACTS else None)
        or (_answer_manners(turn) if turn.may_be_known else None)
        or _admit_ignorance(turn)
        or _correct(turn)
        or _act(turn)
        or MODES[turn.mode](turn)
    )


def _remember(turn: Turn, answer: Reply) -> Reply:
    """Keep what the next line may refer to: an open question, the last game, what he understood."""
    lost = answer.lines[:1] == LINES("lost")[:1]
    intent = "say" if turn.intent == "unknown" and not lost else turn.intent
    answer = pending_question.close(turn.session, turn.intent, answer)
    if turn.intent in GROUPS["turns away"] and turn.session.talk.used:
        answer = replace(answer, session=talks.turn_away(answer.session))
    if answer.session.mode in ("setup", "game") and answer.session.puzzle is not None:
        answer = replace(answer, session=answer.session.replace(puzzle=None))
    if turn.session.table is not None and answer.session.table is None:
        answer = replace(answer, session=answer.session.replace(played=turn.session.table))
    if turn.meaning.corrections and not lost:
        corrections = turn.meaning.corrections.items()
        words = ", ".join(f"{core.quote(a)} as {b!r}" for a, b in corrections)
        answer = replace(answer, lines=(*LINES("read as", words=words), *answer.lines))
    return _note(answer, turn.line.text, name_state(turn.session, turn.scene), intent)


def _note(answer: Reply, text: str, state: str, intent: str) -> Reply:
    """Keep what he made of a line until the next, which may correct it."""
    last = LastLine(text[: language.MAX_LENGTH], state, intent)
    return replace(answer, session=answer.session.replace(last=last))


def _say(session: Session, lines: tuple[str, ...]) -> Reply:
    """Say something that changes nothing; in a game the game goes on."""
    if session.mode == "talk":
        return Reply(session, lines, choices=IN_TALK)
    return Reply(session, lines, choices=("board", "help") if session.mode == "game" else CHOICES)


def _offer(session: Session, section: str) -> Reply:
    """Say something that offers a game, or the same without one to somebody who wants none."""
    offers = not session.talk.used or talks.may_offer(session)
    return _say(session, LINES(section if offers else f"{section} without games"))


def _say_goodbye(session: Session) -> Reply:
    return Reply(session.replace(over=True), LINES("goodbye"))


# Questions


def _answer_about_guest(turn: Turn) -> Reply | None:
    """Answer a question about a game of others, named or on the table."""
    here = turn.match.game.name if turn.match else ""
    if (find_game(turn.line.words) or here) in ("", *GAME_NAMES):
        return None
    lines = tables.answer_about_guest(turn.line, turn.match)
    return _say(turn.session, lines) if lines else None


def _answer_asked(turn: Turn) -> Reply | None:
    """Answer what others have asked about the games in much the same words, whatever it looks like.

    A line that begins as a question does not act; another may ask for what it names.
    """
    session, line, match = turn.session, turn.line, turn.match
    resigns = turn.act == "resign" and tables.may_ask(line, at_table=True)
    acts = turn.act in ACTS and not (resigns or tables.surely_asks(line))
    if EXPRESSIONS["of his name or theirs"].search(line.plain):
        return None
    quiet = not acts and turn.intent not in GROUPS["not asked"] | ANSWERS
    if quiet and (lines := tables.answer_computed(session, line, match)):
        return _say(session, lines)
    elsewhere = turn.mode == "talk" and not (
        find_game(line.words) or tables.may_ask(line, at_table=False)
    )
    reviews = match is not None and tables.asks_for_review(line)
    supposed = turn.intent == "what-if" and "move" in turn.meaning.slots
    if acts or elsewhere or reviews or supposed or turn.intent in GROUPS["not asked"] | ANSWERS:
        return None
    known = turn.intent in GROUPS["known here"]
    if known and turn.meaning.chance == 1:  # it is nothing else
        return None
    if turn.act not in ACTS and not tables.is_asked(session, line, match, surely=known):
        return None
    lines = tables.answer_question(session, line, match, maybe=False)
    return _say(session, lines) if lines else None


def _answer_directly(turn: Turn) -> Reply | None:
    """Answer what can only be about the person, about him, or about what he said last."""
    if turn.intent in ACTS:
        return None
    answer = talks.answer_directly(turn.session, turn.intent, turn.line)
    return _say(*answer) if answer else None


def _look_up(turn: Turn, *, known: bool) -> Reply | None:
    """Answer from the dictionary, perhaps only about a word that it has.

    His own question before it needs no answer any more.
    """
    session, line = turn.session, turn.line
    at_table = turn.mode == "game" or turn.intent not in ("help", "hats")
    shown = at_table and turn.intent in GROUPS["of the games"] and turn.meaning.chance >= LIKELY
    if shown and not talks.asks_for_word(line):
        return None
    lines = talks.answer_word_question(session, line, known, turn.intent == "ask-word")
    return _say(session.replace(talk=replace(session.talk, asked="")), lines) if lines else None


def _answer_about_games(turn: Turn) -> Reply | None:
    """Answer a question about the games or the person's moves; it changes nothing."""
    session, line, match = turn.session, turn.line, turn.match
    may_review = turn.intent not in GROUPS["wants"] | ACTS or tables.surely_asks(line)
    reviews = match is not None and may_review and tables.asks_for_review(line)
    if turn.intent == "review" or reviews:
        return _say(session, tables.review(session, line, match))
    here = match is not None or turn.mode == "setup" or bool(find_game(line.words))
    may_ask = turn.mode == "setup" or (
        turn.intent in GROUPS["may ask of a game"] and (here or turn.mode == "chat")
    )
    asks = (
        turn.intent in ("ask", "ask-game")
        and turn.meaning.slots.get("about") not in GROUPS["about him"]
    )
    if not (asks or (may_ask and tables.may_ask(line, at_table=here))):
        return None
    maybe = turn.intent not in ("moves", "rules")
    lines = tables.answer_question(session, line, match, maybe=maybe)
    return _say(session, lines) if lines else None


def _admit_ignorance(turn: Turn) -> Reply | None:
    """Say what he does not know, or repeat the facts about the person that a line tells."""
    noted = talks.note_facts(turn.session) if turn.intent == "unknown" else None
    if noted:
        return _say(*noted)
    lines = talks.admit_ignorance(turn.session, turn.line) if turn.intent == "ask-word" else None
    if turn.mode == "game" and turn.intent == "ask-game":
        lines = LINES("not known of it")
    return _say(turn.session, lines) if lines else None


def _answer_topic(turn: Turn) -> Reply:
    """Answer a question by its topic alone; what a game is, only where little else is asked."""
    topic = str(turn.meaning.slots["about"])
    vague = topic.endswith("-about") and len(turn.line.words) > SHORT - 2
    lines = LINES("not known of it") if vague else tables.answer_topic(topic)
    return _say(turn.session, lines)


def _say_who_wins(turn: Turn) -> Reply:
    options = dict(turn.meaning.slots)
    name = str(options.pop("game"))
    try:
        game = registry.build("games", name, options)
    except ParlourError as error:
        return _say(turn.session, (tables.explain_refusal(name, error),))
    return _say(turn.session, tables.say_who_wins(game))


def _explain_other_rules(turn: Turn) -> Reply | None:
    """Give the rules of a game that is named and not on the table; None for any other."""
    table, name = turn.session.table, str(turn.meaning.slots.get("game", ""))
    here = table.game if turn.mode == "game" and table is not None else ""
    if name in ("", here):
        return None
    answer = _explain_rules(turn, registry.build("games", name), general=True)
    if not turn.meaning.slots.get("offers"):
        return answer
    asked = pending_question.ask_back(turn.session.replace(mode="chat"), "play", {"game": name})
    return replace(asked, lines=(*answer.lines, *asked.lines))


def _explain_rules(turn: Turn, game: Game, *, general: bool = False) -> Reply:
    """Give the rules of a game, and last how to say a move."""
    lines, box = tables.explain_rules(game, general=general)
    return replace(_say(turn.session, lines), board=box)


# Manners and facts


def _answer_mood(turn: Turn) -> Reply | None:
    """Answer a mood or a courtesy, unless his books or a set-up come first."""
    waits = turn.mode == "setup" and not talks.goes_first(turn.line)
    return None if waits or turn.may_be_known else _answer_manners(turn)


def _answer_manners(turn: Turn) -> Reply | None:
    """Answer a mood, a courtesy or a remark, wherever it is said; None if the line is neither."""
    answer = talks.answer_manners(turn.session, turn.intent, turn.line)
    if answer is None:
        return None
    session, lines = answer
    if session.mode == "setup" and talks.may_offer(session):
        lines = (*lines, tables.repeat_question(session))
    return _say(session, lines)


# Acts


def _correct(turn: Turn) -> Reply | None:
    """Undo what he made of the line before, and take the rest of this one in its place."""
    session, line, wrong = turn.session, turn.line, turn.session.last
    moves = turn.act in ("move", "illegal", "unclear") and wrong.intent == "move"
    if turn.intent != "correct" and not (moves and EXPRESSIONS["surely corrects"].match(line.text)):
        return None
    if wrong.text:
        kept = (*session.memory.misheard, wrong)[-MAX_KEPT:]
        session = session.replace(memory=replace(session.memory, misheard=kept))
    rest = EXPRESSIONS["correction"].sub("", line.text).strip(" ,.;:!-")
    if turn.mode == "setup" and (answer := tables.correct_setup(session, line)):
        return answer
    if turn.mode == "game" and wrong.intent in ("play", "again") and find_game(line.words):
        return reply(session.replace(mode="chat", table=None), rest, may_split=False)
    surely = turn.meaning.chance >= LIKELY or EXPRESSIONS["surely corrects"].match(line.text)
    if turn.mode != "game" or wrong.intent != "move" or not surely:
        return _say(session, pending_question.ask_what_was_meant())
    before = tables.answer_at_table(session, Meaning("undo"), turn.match)
    scene = _find_scene(before.session)
    if rest and understand(before.session, scene, language.normalise(rest)).intent == "move":
        again = reply(before.session, rest)
        return replace(again, lines=(*before.lines[:1], *again.lines))
    return replace(before, lines=(*before.lines[:1], *pending_question.ask_what_was_meant("move")))


def _act(turn: Turn) -> Reply | None:
    """Do what can be done anywhere; None for what depends on the mode."""
    return ANYWHERE[turn.intent](turn) if turn.intent in ANYWHERE else None


def _play(turn: Turn) -> Reply:
    """Set up a new game; one that is not named is the last one again."""
    session, slots = turn.session, dict(turn.meaning.slots)
    if slots.pop("anew", False):
        return tables.start_setup(session, slots)
    same = session.table is not None and slots.get("game") == session.table.game
    if same and (turn.mode == "game" or not find_game(turn.line.words)):
        return tables.play_again(session, slots)
    return tables.start_setup(session, slots)


def _ask_back(turn: Turn) -> Reply | None:
    """Ask back, unless the line says how the game being set up should be."""
    if turn.mode == "setup" and _names_options(turn):
        return None
    return pending_question.ask_back(turn.session, turn.act, turn.meaning.slots["slots"])


def _part(turn: Turn) -> Reply | None:
    """Say goodbye; in a game only when it was asked whether that is meant, and it is put aside."""
    if turn.mode == "game" and "surely" not in turn.meaning.slots:
        whole = turn.intent == "goodbye" and len(turn.line.words) > 1
        return pending_question.ask_back(turn.session, "goodbye", {}) if whole else None
    session, aside = tables.put_aside(turn.session)
    more = talks.part(turn.session, turn.line) if len(turn.line.words) > 1 else ()
    answer = _say_goodbye(session)
    return replace(answer, lines=(*aside, *answer.lines, *more))


def _offer_games(turn: Turn) -> Reply:
    """Ask which game it should be, unless the line before named it; one that is on is put aside."""
    points = turn.mode != "game" and {"that", "it", "this"} & set(turn.line.words)
    if points and (name := find_game(language.normalise(turn.session.last.text).words)):
        return tables.start_setup(turn.session, {"game": name})
    if turn.mode != "game" and (game := pending_question.find_described(turn.meaning, turn.line)):
        return pending_question.ask_back(turn.session, "play", {"game": game})
    session, lines = tables.put_aside(turn.session)
    answer = pending_question.offer_games(session)
    return replace(answer, lines=(*lines, *answer.lines))


def _begin_talk(turn: Turn) -> Reply:
    """Begin a talk, and answer what else the line says; a game that is on is put aside."""
    topic, rest = str(turn.meaning.slots.get("topic", "")), turn.line.text.partition(". ")[2]
    if turn.mode == "talk" and topic:
        return _continue_talk(replace(turn, meaning=Meaning("topic", {"is": topic})))
    if turn.mode == "chat" and not topic and len(rest.split()) >= AFTER_HELLO:
        session = turn.session.replace(mode="talk", turn=turn.session.turn - 1)
        return reply(session, rest, may_split=False)
    session, lines = tables.put_aside(turn.session)
    session, more = talks.open_talk(session.replace(question="", wished={}), topic)
    return _say(session, (*lines, *more))


def _give_puzzle(turn: Turn) -> Reply:
    """Give a puzzle; a game that is on is put aside."""
    session, lines = tables.put_aside(turn.session)
    answer = puzzle.give(session, turn.meaning, turn.scene.game)
    return replace(answer, lines=(*lines, *answer.lines))


def _take_name(turn: Turn) -> Reply:
    """Take a name, and go on with the set-up of a game."""
    answer = _continue_talk(turn)
    if turn.mode != "setup":
        return answer
    return replace(answer, lines=(*answer.lines, tables.repeat_question(turn.session)))


# While a game is set up


def _answer_in_setup(turn: Turn) -> Reply:
    session, line, wished = turn.session, turn.line, turn.session.wished
    refuses = turn.intent == "no" and len(line.words) <= 2 and not line.words[-1].isdecimal()
    if refuses or turn.intent in ("leave", "done") or line.words in (("leave",), ("cancel",)):
        return _offer(session.replace(mode="chat", wished={}), "no")
    says = _names_options(turn)
    number = str(turn.meaning.slots.get("n", ""))
    if number and not says and (not is_answer(line) or line.words.count(number) > 1):
        line, says = replace(line, words=(number,)), True  # without its reasons
    if (says or is_answer(line)) and (answer := tables.continue_setup(session, line)):
        return answer
    if answer := pending_question.answer_setup(session, turn.meaning) or _answer_manners(turn):
        return answer
    if answer := _answer_about_games(turn):
        return answer
    if turn.intent == "rules":
        return _explain_rules(turn, registry.build("games", wished["game"]), general=True)
    if "asked" in wished:
        return _say(session, LINES("setup lost asked", question=tables.repeat_question(session)))
    asks_for = tables.find_question(wished["game"]) if "game" in wished else ""
    which = "coins" if wished.get("count") else asks_for or "begins"
    return _say(session, LINES(f"setup lost {which}"))


def _names_options(turn: Turn) -> bool:
    """Say whether a line says of the game being set up how it should be, apart from numbers."""
    wish = read_wish(turn.line.words, str(turn.session.wished.get("game", "")))
    short = len(turn.line.words) <= SHORT
    return bool(set(wish.options) - {"piles", "sticks"} or (wish.slots and short))


# In a talk


def _answer_in_talk(turn: Turn) -> Reply:
    if turn.intent in ("done", "leave"):
        return _offer(turn.session.replace(mode="chat"), "talk done")
    if turn.intent == "help":
        return _say(turn.session, LINES("talk help"))
    if turn.intent == "unknown":
        turn = replace(turn, meaning=Meaning("say"))
    return _continue_talk(turn)


def _continue_talk(turn: Turn) -> Reply:
    return _say(*talks.continue_talk(turn.session, turn.intent, turn.meaning.slots, turn.line))


# In chat


def _answer_in_chat(turn: Turn) -> Reply:
    session, intent, line = turn.session, turn.intent, turn.line
    if turn.meaning.slots.get("command") == "kill":
        return _say_goodbye(session)
    if answer := pending_question.answer(session, turn.meaning, line):
        return answer
    if intent in GROUPS["to talk"] or (intent == "unknown" and talks.is_statement(session, line)):
        stays = session.question == "again"
        talk = session if stays else session.replace(mode="talk", question="")
        return _answer_in_talk(replace(turn, session=talk))
    if session.table is not None and intent in GROUPS["still answered"]:
        return tables.answer_at_table(session, turn.meaning, turn.match)
    if session.table is not None and intent in GROUPS["refused after"]:
        return _say(session, LINES("game is over"))
    if intent == "rules" and session.table is not None:
        return _explain_rules(turn, tables.load_game(session.table))
    if intent in ("yes", "no", "why"):
        session = session.replace(question="")
    sections = texts.read_sections("lines/chat.txt")
    if f"{intent} without games" in sections:
        return _offer(session, intent)
    if intent == "hats" and session.table is None:
        return _say(session, tables.answer_topic("hats"))
    if session.table is None and intent in GROUPS["still answered"] | GROUPS["refused after"]:
        intent = "no-game"
    if intent in sections:
        return _say(session, LINES(intent))
    return pending_question.ask_for_topic(session, line) or _offer(session, "lost")


ANYWHERE: dict[str, Callable[[Turn], Reply | None]] = {
    "game": _offer_games,
    "play": _play,
    "again": lambda turn: (
        tables.play_again(turn.session, turn.meaning.slots) if turn.session.table else None
    ),
    "watch": lambda turn: tables.watch(turn.session, turn.meaning, turn.line),
    "resume": lambda turn: tables.resume(turn.session),
    "talk": _begin_talk,
    "puzzle": _give_puzzle,
    "name": _take_name,
    "forget": lambda turn: _say(*talks.forget(turn.session)),
    "goodbye": _part,
    "kill": _part,
    "ask": _answer_topic,
    "value": _say_who_wins,
    "rules": _explain_other_rules,
    "ask back": _ask_back,
    "declined": lambda turn: pending_question.decline(turn.session),
}
MODES: dict[str, Callable[[Turn], Reply]] = {
    "chat": _answer_in_chat,
    "talk": _answer_in_talk,
    "setup": _answer_in_setup,
    "game": lambda turn: tables.answer_at_table(turn.session, turn.meaning, turn.match, turn.line),
}
