"""What was meant: a line, where it was said, becomes an intent with its slots.

Commands, questions, set-ups and moves are all tried by the same grammar; the strongest reading
wins. Only when nothing is understood are typing errors mended, and then what was mended is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from parlour.core import BadText, IllegalMove, ParlourError
from parlour.host.language import NUMBERS, SMALL_WORDS, heard, mended
from parlour.host.session import Session
from parlour.host.understand.commands import ANYTIME, IN_GAME, IN_TALK
from parlour.host.understand.grammar import DECISIVE, FILLER, Reading, readings, vocabulary
from parlour.host.understand.meaning import UNKNOWN, Meaning, Scene
from parlour.host.understand.moves import GOES_ON, Unclear, move_text
from parlour.host.understand.personal import in_talk, personal, talking
from parlour.host.understand.questions import OF_THE_TABLE, QUESTIONS
from parlour.host.understand.questions import here as meant_here
from parlour.host.understand.wishes import NAMES, Wish, bots_named, game_named, wish

SURE, ENOUGH = 0.7, 0.45  # the share of a line that a reading must explain, first and at last


def understand(session: Session, scene: Scene, text: str) -> Meaning:
    """What a line means here."""
    words = heard(text)
    if not words:
        return UNKNOWN
    if found := _exact_move(scene, text):
        return found
    names = {heard(name)[0] for name in NAMES_SAID.findall(text[:LONGEST]) if heard(name)}
    better, changed = mended(
        words, _vocabulary(scene.mode), lambda word: word in names or _is_word(word)
    )
    better = heard(" ".join(better)) if changed else better  # a mended word may be a number
    found = _understood(session, scene, better, text)
    if found and not (changed and found.intent in UNMENDED):
        return replace(found, mended=changed)
    return _understood(session, scene, words, text) or UNKNOWN


LONGEST = 400  # characters that are looked at
NAMES_SAID = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+")  # a capital inside a sentence
UNMENDED = ("say", "topic", "name", "like", "dislike")  # they hold the person's own words


def _is_word(word: str) -> bool:
    from parlour.host.language import look

    return word in FILLER or word in SMALL_WORDS or look(word) is not None


@cache
def _asked() -> dict[str, tuple[str, ...]]:
    return {f"ask {topic}": patterns for topic, patterns in QUESTIONS.items()}


@cache
def _patterns(mode: str) -> dict[str, tuple[str, ...]]:
    """What can be said in a mode."""
    own = {"game": IN_GAME, "talk": IN_TALK}.get(mode, {"done": IN_TALK["done"]})
    if mode == "after":
        own = IN_GAME | own
    return {**ANYTIME, **_asked(), **own}


MOVE_WORDS = frozenset(
    """take pile heap from last first second third middle biggest smallest all whole leave hit split
    left right hand hands evenly top bottom centre corner pass block piles sticks stick coins coin
    misere against start first second board rules row line opening level feathers watch perfect
    random minimax engine despacito hats menace begin both""".split()
)


@cache
def _vocabulary(mode: str) -> frozenset[str]:
    names = {word for some in NAMES.values() for name in some for word in name.split()}
    words = vocabulary(_patterns(mode)) | names | MOVE_WORDS | NUMBERS
    return frozenset(word for word in words if len(word) > 2)


ASKING = {"what", "who", "whose", "why", "how", "tell", "explain"}
ASKING_FIRST = {
    *(
        "is",
        "are",
        "does",
        "do",
        "did",
        "has",
        "was",
        "were",
        "describe",
        "define",
        "when",
        "where",
    ),
    "which",
}
NO_QUESTION = re.compile(
    r"^(?:how|what) about\b|^(?:do|does|would|will) you (?:want|like|fancy|care)\b"
    r"|^(?:who |anyone |anybody )?(?:fancy|fancies|up for|care for|wants)\b|\b(?:round|game) of\b"
)


def _is_question(words: Sequence[str], text: str) -> bool:
    """Whether a line asks to know something, rather than for something to be done."""
    line = " ".join(words)
    return not NO_QUESTION.search(line) and (
        bool(ASKING & set(words[:3]))
        or words[0] in ASKING_FIRST
        or (text.rstrip().endswith("?") and "we" not in words)
    )


ABOUT = {"about", "of"}
POLITE = ("thanks", "hello", "yes", "no", "help")  # and a move may be beside it

# One line, as it stands


def _understood(session: Session, scene: Scene, words: Sequence[str], text: str) -> Meaning | None:
    found = readings(words, _patterns(scene.mode))
    if scene.mode == "game" and not session.question:
        found = [reading for reading in found if reading.intent not in ("yes", "no")]
    enough = DECISIVE if scene.mode == "talk" else SURE
    sure = [reading for reading in found if reading.share >= enough]
    best = sure[0] if sure else None
    opens = words[0] in ("can", "could", "give", "any")
    if best and best.intent.startswith("ask") and not (opens or _is_question(words, text)):
        best = next((reading for reading in sure if not reading.intent.startswith("ask")), None)
    if best and best.intent == "game" and scene.mode == "game" and _is_question(words, text):
        best = None  # it asks about games, and does not want another one
    if best and best.intent == "help" and (hint := _reading(found, "hint")) and len(words) > 1:
        best = hint
    goes_on = GOES_ON.search(" ".join(words))
    if goes_on and (meaning := _spoken_move(scene, words, text)):
        return meaning
    for reader in (_what_if, _level, personal, _watching, _who_wins):
        if meaning := reader(scene, words, text):
            return meaning
    if best and best.intent in POLITE and (meaning := _spoken_move(scene, words, text)):
        return meaning
    if best and not _names_game(scene, words, best):
        return _command(scene, best, words)
    if _is_question(words, text):
        if scene.game is not None:  # "how do I win?" is about the game on the table
            here = readings((*words, scene.game.name), _asked())
            found += [r for r in here if r.share >= SURE and r.intent.endswith(OF_THE_TABLE)]
        question = next((r for r in found if r.intent.startswith(("ask", "rules"))), None)
        if question and question.share >= ENOUGH and question.matched >= 1.5:
            return _command(scene, question, words)
        if (about := _about_game(found, words)) and scene.mode != "game":
            return about
    elif (
        (teach := _reading(found, "rules"))
        and teach.share >= DECISIVE
        and game_named(words)
        and not wish(words).options
    ):
        return _command(scene, teach, words)
    if meaning := _playing(scene, words, found):
        return meaning
    if best:
        return _command(scene, best, words)
    if scene.mode == "game":
        if meaning := _spoken_move(scene, words, text):
            return meaning
        weak = readings(words, _patterns(scene.mode))
        weak = [reading for reading in weak if reading.intent != "game"]
    elif scene.mode == "talk":
        return in_talk(session, text)
    else:
        weak = found
    if weak and weak[0].share >= ENOUGH:
        return _command(scene, weak[0], words)
    if scene.mode == "chat" and (idle := readings(words, IN_GAME)) and idle[0].share >= 0.9:
        return Meaning("no-game", {"command": idle[0].intent})
    return None


def _about_game(found: Sequence[Reading], words: Sequence[str]) -> Meaning | None:
    """A question that names a game is about it, however little else of it is understood."""
    named = game_named(words)
    asks = ASKING & set(words[:3]) or words[0] in ASKING_FIRST
    if not named or not asks or f"{named}-about" not in QUESTIONS:
        return None
    best = next((r.intent for r in found if r.intent.startswith(f"ask {named}-")), "")
    return Meaning("ask", {"about": best.removeprefix("ask ") or f"{named}-about"})


def _reading(found: Sequence[Reading], intent: str) -> Reading | None:
    return next((reading for reading in found if reading.intent == intent), None)


DRASTIC = {  # what cannot be taken back by a word, and the words that ask for it
    "resign": {"resign", "surrender", "concede", "forfeit", "give", "quit"},
    "kill": {"kill", "close", "end", "terminate"},
    "leave": {"leave", "quit", "exit", "stop"},
    "save": {"save"},
    "swap": {"swap", "switch"},
}
MAY_I = re.compile(r"^(?:so |and |but )?(?:can|could|should|shall|may|must|would|will) i\b")


def _only_asked(intent: str, words: Sequence[str]) -> bool:
    """Whether a drastic thing is asked about, or refused, rather than wanted."""
    said = DRASTIC.get(intent, set())
    at = next((at for at, word in enumerate(words) if word in said), None)
    if at is None:
        return False
    line = " ".join(words)
    asks = words[0] in ASKING | ASKING_FIRST or (MAY_I.search(line) and intent != "swap")
    return bool(asks or IF.search(line) or {"not", "never"} & set(words[:at]))


def _command(scene: Scene, reading: Reading, words: Sequence[str]) -> Meaning:
    intent, _, about = reading.intent.partition(" ")
    if _only_asked(intent, words):
        return Meaning("drastic", {"command": intent})
    if intent == "ask":
        table = scene.game.name if scene.game is not None else ""
        return Meaning("ask", {"about": meant_here(about, table)})
    if intent == "rules":
        named = game_named(words)
        return Meaning("rules", {"game": named} if named else {})
    if intent == "again" and scene.game is not None:
        return _wished(wish(words, scene.game.name))
    if intent == "talk" or (intent == "done" and (ABOUT & set(words)) and "tell" in words):
        meaning = talking(words)
        if scene.mode == "talk" and meaning.slots:
            return Meaning("topic", {"is": meaning.slots["topic"]})
        return meaning
    return Meaning(intent)


# Games


def _names_game(scene: Scene, words: Sequence[str], best: Reading) -> bool:
    """Whether a game is named that a general reading would leave out."""
    return best.intent in ("game", "yes", "hello", "moves", "again", "talk") and bool(
        game_named(words)
    )


TABLE_WORDS = {"new", "start", "again", "rematch", "play", "game", "another", "over"}


def _playing(scene: Scene, words: Sequence[str], found: Sequence[Reading]) -> Meaning | None:
    named = game_named(words)
    if scene.game is None or scene.mode == "after":
        again = _reading(found, "again")
        if not named and again and again.share >= ENOUGH and scene.game is not None:
            return _wished(wish(words, scene.game.name))
        return _wished(wish(words)) if named else None
    if named and named != scene.game.name and not (named == "sticks" and "take" in words):
        return _wished(wish(words))
    again = next((r for r in found if r.intent == "again"), None)
    asked = wish(words, scene.game.name)
    anew = _more_than_a_move(words) or ("another" in words and asked.options)
    if again and (again.share >= ENOUGH or anew or asked.begins):
        return _wished(asked)
    if named and (TABLE_WORDS & set(words) or len(words) == 1):
        return _wished(wish(words))
    if asked.against and {"play", "against"} & set(words):
        return _wished(asked)
    return None


def _more_than_a_move(words: Sequence[str]) -> bool:
    return bool({"over", "new", "rematch", "restart"} & set(words))


def _wished(asked: Wish) -> Meaning:
    slots: dict[str, Any] = {"game": asked.game, **asked.options}
    if asked.begins:
        slots["begins"] = asked.begins
    if asked.against:
        slots["against"] = asked.against
    if asked.level is not None:
        slots["level"] = asked.level
    return Meaning("play", slots)


def _level(scene: Scene, words: Sequence[str], text: str) -> Meaning | None:
    """`set the level to 3`, in a game; a new game at a level names the game."""
    line = " ".join(word for word in words if word not in FILLER)
    found = re.fullmatch(r"(?:\w+ )?(?:level|strength|difficulty) (\d{1,6})(?: \w+)?", line)
    if not found or scene.mode != "game" or game_named(words):
        return None
    return Meaning("level", {"n": int(found[1])})


WATCH = {
    "watch",
    "see",
    "look",
    "show",
    "let",
    "against",
    "between",
    "spectate",
    "observe",
    "battle",
    "duel",
}


def _watching(scene: Scene, words: Sequence[str], text: str) -> Meaning | None:
    bots = bots_named(words)
    together = " ".join(words[-3:]).endswith("each other") or "play each other" in " ".join(words)
    looks = {"watch", "watching", "see", "show", "look", "spectate", "observe"} & set(words)
    plays = {"i", "me", "my"} & set(words) and not looks
    if len(bots) < 2 or plays or not (WATCH & set(words) or together):
        return None
    game = game_named(words) or (scene.game.name if scene.game is not None else "")
    return Meaning("watch", {"game": game, "first": bots[0], "second": bots[1]})


def _who_wins(scene: Scene, words: Sequence[str], text: str) -> Meaning | None:
    """`who wins nim with 3, 4 and 5, misère?`: a question about one variant."""
    asks = {"who", "does"} & set(words) and {"win", "wins", "won", "lose", "loses"} & set(words)
    asked = wish(words)
    if not asks or not asked.game or not asked.options:
        return None
    return Meaning("value", {"game": asked.game, **asked.options})


# Moves


def _exact_move(scene: Scene, text: str) -> Meaning | None:
    if scene.game is None:
        return None
    try:
        move = scene.game.read_move(scene.state, text)
    except IllegalMove as refusal:
        return Meaning("illegal", {"reason": str(refusal)})
    except ParlourError:
        return None
    return Meaning("move", {"is": scene.game.write_move(move)})


def _spoken_move(scene: Scene, words: Sequence[str], text: str) -> Meaning | None:
    if scene.game is None:
        return None
    said = move_text(scene.game, scene.state, words, text)
    if not said:
        return None
    if isinstance(said, Unclear):
        return Meaning("illegal", {"reason": said.reason})
    try:
        move = scene.game.read_move(scene.state, said)
    except (IllegalMove, BadText) as refusal:
        return Meaning("illegal", {"reason": str(refusal)})
    return Meaning("move", {"is": scene.game.write_move(move)})


IF = re.compile(
    r"^(?:.*\b)?(?:what if|what happens (?:if|when)|what would happen|(?<!i )suppose|imagine"
    r"|assuming|and if|if i|let us say(?= i\b| we\b)|say i|what about if|how about if)\b"
)
WOULD = re.compile(
    r"^(?:so |and |but |okay )?(?:would|is|was|will|could|should)\b.*"
    r"\b(?:lose|win|bad|good|better|mistake|right|wrong|wise|work|help|blunder|safe|best|idea"
    r"|okay|clever|stupid)\b"
)
AFTER = re.compile(
    r"\b(?:what happens|would that|what then|is that|would it be|what would|do i|will i|am i"
    r"|does that|is it|can i|do you)\b.*$"
)


def _what_if(scene: Scene, words: Sequence[str], text: str) -> Meaning | None:
    if scene.game is None:
        return None
    line = " ".join(words)
    if found := IF.search(line):
        rest = AFTER.sub("", line[found.end() :]).split()
    elif WOULD.search(line):
        rest = list(words)
    else:
        return None
    meaning = _spoken_move(scene, rest, " ".join(rest))
    if meaning is None:
        return None
    if meaning.intent == "illegal":
        return meaning
    return Meaning("what-if", {"move": meaning.slots["is"]})
