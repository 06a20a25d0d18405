"""From a line, and where it was said, to an intent with its slots.

Commands, questions, set-ups and moves are all tried by the same grammar; the strongest reading
wins. Typing errors are corrected only when nothing is understood, and he then says what he read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, takewhile

from parlour.core import IllegalMove, ParlourError
from parlour.host import language
from parlour.host.language import MAX_LENGTH, NUMBER, Line, look_up, normalise, texts
from parlour.host.session import Session
from parlour.host.understand import grammar, wishes
from parlour.host.understand.grammar import FILLER, WORDS, Illegal, Meaning, Reading, Scene, Unclear
from parlour.host.understand.moves import read_move_sentence, read_supposed_move
from parlour.host.understand.wishes import GAME_NAMES, Wish, find_bots, find_game, read_wish

SURE, ENOUGH = 0.7, 0.45  # the share of a line that a reading must explain, at first and in the end
SHORT = 4  # words of a question after a move
SURELY_NO_GAME = 0.9  # the same, for a command that needs a game when none is on
GROUPS = texts.read_words("groups.txt")
OF_THE_TABLE = ("win", "history", "value", "draw")  # what may be asked without naming the game
ASKING, ASKING_FIRST = WORDS["asking"], WORDS["asking first"]
DRASTIC = {  # what cannot be undone by a word, and the words that ask for it
    intent: WORDS[f"drastic {intent}"] for intent in ("resign", "kill", "leave", "save", "swap")
}
FIRST_NAMES = texts.read_words("language/words/names.txt")["names"]
EXPRESSIONS = texts.read_expressions("understand/expressions/intents.txt")
PERSONAL = texts.read_expressions("understand/expressions/personal.txt")
MOVES = texts.read_expressions("understand/expressions/moves.txt")
SHAPES = texts.read_expressions("understand/expressions/shape.txt")
OF_TEXT = ("quotation", "joint")  # signs in the text as it was typed
NO_SIGNS = (*OF_TEXT, "opens", "requests", "weighs", "of the move before", "of its result")
MAX_JOINTS = 6  # places at which a line is split to see


def read_by_grammar(session: Session, scene: Scene, line: Line) -> tuple[Meaning, tuple[str, ...]]:
    """Return what a line means by the grammar, and its words with typing errors corrected."""
    names = {name.lower() for name in EXPRESSIONS["capitals"].findall(line.text[:MAX_LENGTH])}
    fine = names | FILLER | language.SMALL_WORDS
    words, changes = language.correct(
        line.words, _list_known_words(scene.mode), lambda word: word in fine or bool(look_up(word))
    )
    found = _interpret(session, scene, replace(line, words=words))
    if found and not (changes and found.intent in GROUPS["own words"]):
        return replace(found, corrections=changes), words
    found = _interpret(session, scene, line) if changes else None
    return found or Meaning("unknown"), line.words


@cache
def _list_known_words(mode: str) -> frozenset[str]:
    """Return the words that a slip of the keys is corrected to."""
    words = grammar.load_vocabulary(mode) | wishes.GAME_WORDS | WORDS["moves"] | language.NUMBERS
    return frozenset(word for word in words if len(word) > 2)


def is_question(line: Line) -> bool:
    """Say whether a line asks to know something, rather than for something to be done."""
    return not EXPRESSIONS["no question"].search(line.plain) and (
        bool(ASKING & set(line.words[:3]))
        or line.words[0] in ASKING_FIRST
        or (line.text.rstrip().endswith("?") and "we" not in line.words)
    )


def asks_in_passing(line: Line) -> bool:
    """Say whether a clause of a line asks something, or doubts it: `so I take 3? why`."""
    clauses = [clause for clause in line.clauses if clause[0]]
    doubts = any("?" in mark and "we" not in words for words, mark in clauses[:-1])
    asks = any(EXPRESSIONS["asks"].match(" ".join(words)) for words, _ in clauses)
    return (doubts or asks) and not EXPRESSIONS["no question"].search(line.plain)


def ends_with_question(line: Line) -> bool:
    """Say whether a line of several clauses ends with a short one that asks: `2 from 1? why`."""
    clauses = [words for words, _ in line.clauses if words]
    short = len(clauses) > 1 and len(clauses[-1]) <= SHORT
    return short and bool(EXPRESSIONS["asks"].match(" ".join(clauses[-1])))


# The shape of a line: what speaks for an act or against it, where it splits, what answers


def find_signs(line: Line) -> frozenset[str]:
    """Return what a line has that speaks for an act or against it."""
    plain = line.plain.partition(" because ")[0]  # a reason explains itself
    signs = {name for name, sign in SHAPES.items() if name not in NO_SIGNS and sign.search(plain)}
    if SHAPES["quotation"].search(line.text):
        signs.add("quotation")
    if is_question(line):
        signs.add("question")
    elif asks_in_passing(line):
        signs.add("doubt")
    return frozenset(signs)


def split_line(text: str) -> Iterator[tuple[str, str]]:
    """List how a line falls into two: at the end of a sentence, at `then`, `and`, or a comma."""
    for joint in islice(SHAPES["joint"].finditer(text[:MAX_LENGTH]), MAX_JOINTS):
        first, second = text[: joint.start()].strip(), text[joint.end() :].strip()
        if first and second:
            yield first, second


def split_at_question(text: str) -> Iterator[tuple[Line, Line, bool]]:
    """List how a line falls into a statement and a question, and whether a sentence ends there.

    Where sentences end comes first.
    """
    text = text[:MAX_LENGTH]
    joints = list(islice(SHAPES["joint"].finditer(text), MAX_JOINTS))
    for joint in sorted(joints, key=lambda joint: not _ends_sentence(joint[0])):
        if "?" in text[: joint.end()]:
            continue
        first, second = normalise(text[: joint.start()]), normalise(text[joint.end() :])
        if first.words and SHAPES["opens"].match(second.plain):
            after = "then" in joint[0] and SHAPES["requests"].match(second.plain)
            yield first, second, bool(after) or _ends_sentence(joint[0])


def _ends_sentence(joint: str) -> bool:
    return bool(set(".;!") & set(joint))


def leaves_supposed(move: Line, question: Line, ended: bool = True) -> bool:
    """Say whether a move before a question is only weighed: `d3. Is that good?`, `d3, do I win?`"""
    names = ("of the move before",) if ended else ("of the move before", "of its result")
    depends = any(SHAPES[name].search(question.plain) for name in names)
    return depends or bool(SHAPES["weighs"].search(move.plain))


def is_answer(line: Line) -> bool:
    """Say whether a clause of a line answers a question and does nothing else.

    A reason after it is let pass: `5, because we are five`.
    """
    return any(_answers(clause) for clause, _ in line.clauses)


def _answers(words: Sequence[str]) -> bool:
    said = [*words[:1], *takewhile(lambda word: word not in WORDS["reasons"], words[1:])]
    numbers = [word for word in said if NUMBER.fullmatch(word)]
    telling = {word for word in said if word not in FILLER} - set(numbers)
    return bool(numbers or telling) and telling <= WORDS["answering"]


# What it means


def _interpret(session: Session, scene: Scene, line: Line) -> Meaning | None:
    """Return what a line means as it stands, by the first reading that is good enough."""
    words, asks = line.words, is_question(line)
    found = list(grammar.read_patterns(scene.mode, words))
    if scene.mode == "game" and not session.question:
        found = [reading for reading in found if reading.intent not in ("yes", "no")]
    best = _find_best(scene, line, found, asks)
    if MOVES["goes on"].search(line.plain) and (meaning := _read_move(scene, line)):
        return meaning
    for read in (_read_what_if, _read_level, _read_personal, _read_watching, _read_who_wins):
        if meaning := read(scene, line):
            return meaning
    polite = best is not None and best.intent in GROUPS["polite"]
    if polite and (meaning := _read_move(scene, line)) and meaning.intent != "unclear":
        return meaning
    if best and not (best.intent in GROUPS["before a game"] and find_game(words)):
        return _read_command(scene, best, line)
    if asks and (meaning := _read_question(scene, line, found)):
        return meaning
    teach = None if asks else _find(found, "rules")
    surely = teach and teach.share >= grammar.DECISIVE and find_game(words)
    if teach and surely and not read_wish(words).options:
        return _read_command(scene, teach, line)
    if meaning := _read_new_game(scene, words, found):
        return meaning
    if best:
        return _read_command(scene, best, line)
    if scene.mode == "game" and (meaning := _read_move(scene, line)):
        return meaning
    return _read_rest(session, scene, line, found)


def _find_best(scene: Scene, line: Line, found: Sequence[Reading], asks: bool) -> Reading | None:
    """Return the strongest reading that explains enough, unless the line is of another kind."""
    enough = grammar.DECISIVE if scene.mode == "talk" else SURE
    sure = [reading for reading in found if reading.share >= enough]
    best = sure[0] if sure else None
    opens = line.words[0] in ("can", "could", "give", "any")
    if best and best.intent.startswith("ask") and not (opens or asks):
        best = next((reading for reading in sure if not reading.intent.startswith("ask")), None)
    if best and best.intent == "game" and scene.mode == "game" and asks:
        return None  # it asks about games, and does not want another one
    if best and best.intent == "help" and (hint := _find(found, "hint")) and len(line.words) > 1:
        return hint
    return best


def _read_question(scene: Scene, line: Line, found: list[Reading]) -> Meaning | None:
    """Read a question about the games; without a name it is about the one on the table."""
    if scene.game is not None:
        here = grammar.find_readings(
            (*line.words, scene.game.name), grammar.load_question_intents()
        )
        found += [r for r in here if r.share >= SURE and r.intent.endswith(OF_THE_TABLE)]
    question = next((r for r in found if r.intent.startswith(("ask", "rules"))), None)
    if question and question.share >= ENOUGH and question.matched >= 1.5:
        return _read_command(scene, question, line)
    return None if scene.mode == "game" else _read_about_game(found, line.words)


def _read_about_game(found: Sequence[Reading], words: Sequence[str]) -> Meaning | None:
    """Read a question that names a game as one about it, however little else is understood."""
    game = find_game(words)
    asks = ASKING & set(words[:3]) or words[0] in ASKING_FIRST
    if not game or not asks:
        return None
    if game not in GAME_NAMES:  # of others' games only the rules are known
        return Meaning("rules", {"game": game})
    best = next((r.intent for r in found if r.intent.startswith(f"ask {game}-")), "")
    return Meaning("ask", {"about": best.removeprefix("ask ") or f"{game}-about"})


def _read_rest(
    session: Session, scene: Scene, line: Line, found: Sequence[Reading]
) -> Meaning | None:
    if scene.mode == "talk":
        return _read_talk(session, line)
    if scene.mode == "game":
        weak = grammar.read_patterns(scene.mode, line.words)
        found = [reading for reading in weak if reading.intent != "game"]
    if found and found[0].share >= ENOUGH:
        return _read_command(scene, found[0], line)
    if scene.mode == "chat":
        idle = grammar.find_readings(line.words, grammar.load_patterns("game-only"))
        if idle and idle[0].share >= SURELY_NO_GAME:
            return Meaning("no-game", {"command": idle[0].intent})
    return None


def _find(found: Sequence[Reading], intent: str) -> Reading | None:
    return next((reading for reading in found if reading.intent == intent), None)


def _is_not_wanted(intent: str, line: Line) -> bool:
    """Say whether a drastic thing is asked about, or refused, rather than wanted."""
    words = line.words
    signs = DRASTIC.get(intent, frozenset())
    at = next((at for at, word in enumerate(words) if word in signs), None)
    if at is None:
        return False
    may = EXPRESSIONS["may i"].search(line.plain) and intent != "swap"
    asks = words[0] in ASKING | ASKING_FIRST or may or EXPRESSIONS["if"].search(line.plain)
    return bool(asks or {"not", "never"} & set(words[:at]))


def _read_command(scene: Scene, reading: Reading, line: Line) -> Meaning:
    """Return the intent of a reading with the slots that the line fills."""
    words = line.words
    intent, _, about = reading.intent.partition(" ")
    if _is_not_wanted(intent, line):
        return Meaning("drastic", {"command": intent})
    if intent == "ask":
        table = scene.game.name if scene.game is not None else ""
        return Meaning("ask", {"about": name_topic(about, table)})
    if intent == "done" and {"about", "of"} & set(words) and "tell" in words:
        intent = "talk"
    return fill_slots(intent, scene, line) or Meaning(intent)


def fill_slots(intent: str, scene: Scene, line: Line) -> Meaning | None:
    """Return an intent with what the line says for its slots; None if it lacks something."""
    words, game = line.words, scene.game.name if scene.game is not None else ""
    if intent == "play":
        return _to_play(read_wish(words)) if find_game(words) else None
    if intent == "again":
        return _to_play(read_wish(words, game)) if game else None
    if intent == "watch":
        bots = (*find_bots(words), "", "")
        if not bots[0] and not WORDS["bots"] & set(words):
            return None
        return Meaning(
            "watch", {"game": find_game(words) or game, "first": bots[0], "second": bots[1]}
        )
    if intent == "level":
        levels = [int(word) for word in words if word.isdecimal() and len(word) < 3]
        return Meaning("level", {"n": levels[0]}) if len(levels) == 1 else None
    if intent in ("talk", "topic"):
        topic = _read_topic(line).slots.get("topic", "")
        if scene.mode == "talk":
            return Meaning("topic", {"is": topic}) if topic else Meaning("talk")
        return Meaning("talk", {"topic": topic} if topic else {})
    if intent == "name":
        meaning = _read_personal(scene, line)
        return meaning if meaning and meaning.intent == "name" else _find_name(line)
    if intent == "rules" and (named := find_game(words)):
        return Meaning("rules", {"game": named})
    if intent == "what-if":
        found = _read_move(scene, line, supposed=True)
        known = found is not None and found.intent == "move"
        return Meaning("what-if", {"move": found.slots["is"]}) if found and known else None
    return Meaning(intent)


def name_topic(topic: str, game: str) -> str:
    """Return the topic as it is meant at a table: `why do you win` is about the game there."""
    own = f"{game}-win"
    return own if topic == "beaten" and own in grammar.load_questions() else topic


# Games


def _read_new_game(scene: Scene, words: Sequence[str], found: Sequence[Reading]) -> Meaning | None:
    """Read the wish for a game, or for the one on the table once more."""
    name, again = find_game(words), _find(found, "again")
    if scene.game is None or scene.mode == "after":
        if not name and again and again.share >= ENOUGH and scene.game is not None:
            return _to_play(read_wish(words, scene.game.name))
        return _to_play(read_wish(words)) if name else None
    means_objects = name in WORDS["named after objects"] and "take" in words
    if name and name != scene.game.name and not means_objects:
        return _to_play(read_wish(words))
    wish = read_wish(words, scene.game.name)
    anew = {"over", "new", "rematch", "restart"} & set(words)
    if again and not anew and (meaning := _read_repeated(scene, words)):
        return meaning
    if again and (
        again.share >= ENOUGH or anew or ("another" in words and wish.options) or wish.begins
    ):
        return _to_play(wish)
    if name and (WORDS["new game"] & set(words) or len(words) == 1):
        return _to_play(read_wish(words))
    if wish.against and {"play", "against"} & set(words):
        return _to_play(wish)
    return None


def _read_repeated(scene: Scene, words: Sequence[str]) -> Meaning | None:
    """Read a move like one before: `I take 3 again`."""
    rest = tuple(word for word in words if word not in ("again", "once", "more"))
    if rest == tuple(words) or ("i" not in words and WORDS["new game"] & set(rest)):
        return None
    found = _read_move(scene, Line(" ".join(rest), rest))
    enough = ("move", "illegal") if "i" in words else ("move",)
    return found if found and found.intent in enough else None


def _to_play(wish: Wish) -> Meaning:
    return Meaning("play", {"game": wish.game, **wish.options, **wish.slots})


def _read_level(scene: Scene, line: Line) -> Meaning | None:
    """Read `set the level to 3`, in a game; a new game at a level names the game."""
    telling = " ".join(word for word in line.words if word not in FILLER)
    found = EXPRESSIONS["level"].fullmatch(telling)
    if not found or scene.mode != "game" or find_game(line.words):
        return None
    return Meaning("level", {"n": int(found[1])})


def _read_watching(scene: Scene, line: Line) -> Meaning | None:
    words = set(line.words)
    bots = find_bots(line.words)
    together = "play each other" in line.plain or line.plain.endswith("each other")
    plays = {"i", "me", "my"} & words and not WORDS["look"] & words
    only_hats = "hats" in bots and not {"against", "play", "playing", "and", "match"} & words
    if len(bots) < 2 or plays or only_hats or not (WORDS["watch"] & words or together):
        return None
    game = find_game(line.words) or (scene.game.name if scene.game is not None else "")
    return Meaning("watch", {"game": game, "first": bots[0], "second": bots[1]})


def _read_who_wins(scene: Scene, line: Line) -> Meaning | None:
    """Read `who wins nim with 3, 4 and 5, misère?`: a question about one variant."""
    words = set(line.words)
    if not {"who", "does"} & words or not {"win", "wins", "won", "lose", "loses"} & words:
        return None
    wish = read_wish(line.words)
    if not wish.game or (wish.game in GAME_NAMES and not wish.options):
        return None
    return Meaning("value", {"game": wish.game, **wish.options})


# Moves


def read_exact_move(scene: Scene, text: str) -> Meaning | None:
    """Read a move in the game's own notation."""
    if scene.game is None:
        return None
    try:
        move = scene.game.read_move(scene.state, text)
    except ParlourError as error:
        illegal = isinstance(error, IllegalMove)
        return Meaning("illegal", {"reason": str(error)}) if illegal else None
    return Meaning("move", {"is": scene.game.write_move(move)})


def _read_move(scene: Scene, line: Line, *, supposed: bool = False) -> Meaning | None:
    """Read a move in a sentence; one that leaves words unexplained is asked for again."""
    if scene.game is None:
        return None
    played = scene.match.moves if scene.match is not None else []
    last = played[-scene.game.seats] if len(played) >= scene.game.seats else ""
    if supposed:
        found = read_supposed_move(scene.game, scene.state, line)
    else:
        found = read_move_sentence(scene.game, scene.state, line, last)
    if found is None:
        return None
    if isinstance(found, Unclear):
        intent = "illegal" if isinstance(found, Illegal) else "unclear"
        return None if found.leftover else Meaning(intent, {"reason": found.reason})
    if found.leftover and not supposed:
        return Meaning("ask back", {"intent": "move", "slots": {"is": found.move}})
    return Meaning("move", {"is": found.move})


def _read_what_if(scene: Scene, line: Line) -> Meaning | None:
    """Read a move that is only supposed: `what if I take two from pile 1?`"""
    if scene.game is None:
        return None
    if found := EXPRESSIONS["if"].search(line.plain):
        rest = EXPRESSIONS["after"].sub("", line.plain[found.end() :]).split()
    elif EXPRESSIONS["would"].search(line.plain):
        rest = list(line.words)
    else:
        return None
    meaning = _read_move(scene, Line(" ".join(rest), tuple(rest)), supposed=True)
    if meaning is None or meaning.intent != "move":
        return meaning
    return Meaning("what-if", {"move": meaning.slots["is"]})


# Names, tastes and topics


def _read_personal(scene: Scene, line: Line) -> Meaning | None:
    """Read a name, or a taste where there is a talk; `forget it` does not ask to be forgotten."""
    if scene.mode != "game" and PERSONAL["forget it"].match(line.plain):
        return Meaning("say" if scene.mode == "talk" else "no")
    if found := PERSONAL["named"].search(line.text[:MAX_LENGTH]):
        return Meaning("name", {"is": found[1][:1].upper() + found[1][1:]})
    found = PERSONAL["i am"].search(line.text[:MAX_LENGTH])
    if found and _may_be_name(found[1]):
        return Meaning("name", {"is": found[1].capitalize()})
    found = PERSONAL["greets as"].search(line.text[:MAX_LENGTH])
    if found and (_may_be_name(found[1]) or not look_up(found[1])):
        return Meaning("name", {"is": found[1].capitalize()})
    return None if scene.mode == "game" or find_game(line.words) else _read_taste(scene, line)


def _find_name(line: Line) -> Meaning | None:
    """Find what may be a name in a line that is known to tell one."""
    for found in PERSONAL["said to be"].finditer(line.text[:MAX_LENGTH]):
        name = next(filter(None, found.groups()))
        if _may_be_name(name) or not look_up(name):
            return Meaning("name", {"is": name[:1].upper() + name[1:]})
    return None


def _may_be_name(word: str) -> bool:
    """Say whether a word is a common first name, or has a capital and could be a noun."""
    if word.lower() in FIRST_NAMES:
        return True
    entry = look_up(word) if word.istitle() else None
    if entry and "inhabitant" in entry.is_a:
        return False  # a German is not called so
    return word.istitle() and (entry is None or entry.kind == "noun")


def _read_taste(scene: Scene, line: Line) -> Meaning | None:
    """Read `I love whales` or `I can't stand the rain`; `I'd like to` is a wish, not a taste."""
    for intent, expression in (("dislike", "loathed"), ("like", "loved")):
        if found := PERSONAL[expression].search(line.plain):
            return _name_taste(intent, scene, next(filter(None, found.groups())).split())
    for at, word in enumerate(line.words):
        before, after = line.words[:at], line.words[at + 1 :]
        wishes = {"would", "should"} & set(before) or (after[:1] == ("to",) and word == "like")
        if not after or wishes or "i" not in before:
            continue
        if word in WORDS["hates"]:
            return _name_taste("dislike", scene, after)
        if word in WORDS["likes"]:
            return _name_taste("dislike" if "not" in before else "like", scene, after)
    return None


def _name_taste(intent: str, scene: Scene, rest: Sequence[str]) -> Meaning | None:
    if scene.topic and WORDS["pronouns"] & set(rest[:2]):
        return Meaning(intent, {"what": scene.topic})
    telling = [word for word in rest if word not in FILLER]
    what = _find_known(telling[:2], telling[:1], telling[1:2]) or next(iter(telling), "")
    return Meaning(intent, {"what": what}) if what else None


def _find_known(*phrases: Sequence[str]) -> str:
    """Return the first of some phrases that is a word he knows, in its base form."""
    for words in phrases:
        if words and (entry := look_up(" ".join(words))) is not None:
            return entry.word
    return ""


def _read_topic(line: Line) -> Meaning:
    """Read the wish to talk, perhaps about something."""
    found = PERSONAL["about"].search(line.plain) or PERSONAL["of"].search(line.plain)
    rest = found[1].split() if found else []
    telling = [w for w in rest if w not in FILLER | WORDS["no topic"] and not w.isdecimal()]
    topic = _find_known(telling[:2], telling[:1]) or next(iter(telling), "")
    return Meaning("talk", {"topic": topic} if topic else {})


def _read_talk(session: Session, line: Line) -> Meaning:
    """Read a line of a talk that is not a command: it names a topic, or says something."""
    from parlour.host.talk import find_topic

    topic = find_topic(session, line)
    return Meaning("topic", {"is": topic.word}) if topic else Meaning("say")
