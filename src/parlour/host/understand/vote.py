"""What a line means, by two votes: the grammar's, which fills the slots, and the examples'.

An act happens only if both agree, or if the line is nothing but that act. Otherwise he asks back,
or answers without changing anything.

The examples' vote is a linear model over n-grams of letters and words, the state in which the line
was typed, and hints from the grammar. Features are hashed into buckets; the weights are whole
numbers, fitted by `tools/intents` and shipped in one compressed file.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.core import extra, registry
from parlour.host.language import NUMBER, Line, look_up, texts
from parlour.host.session import Session
from parlour.host.understand.grammar import FILLER, WORDS, Meaning, Reading, Scene, read_patterns
from parlour.host.understand.intent import EXPRESSIONS as INTENTS
from parlour.host.understand.intent import (
    SHAPES,
    ends_with_question,
    fill_slots,
    find_signs,
    is_answer,
    read_by_grammar,
    read_exact_move,
)
from parlour.host.understand.wishes import GAME_NAMES, GAME_WORDS, find_counts, find_game

if TYPE_CHECKING:
    import numpy as np

GROUPS = texts.read_words("groups.txt")
ACTS, MOVES, ANSWERS = GROUPS["acts"], GROUPS["moves"], GROUPS["answers"]
ENDINGS, AGAINST = GROUPS["endings"], GROUPS["against"]  # the latter are signs
CONTRAST = SHAPES["contrast"]
SAME = {"ask": "ask-game", "value": "ask-game"}  # intents of the grammar by their other names
NEEDS_GRAMMAR = frozenset({"like", "dislike"})  # what the examples alone do not decide in a talk
SETUPS = ("piles", "coins", "side")
CERTAIN, SURE, LIKELY = 0.9, 0.6, 0.4  # chances that are enough to act, and to answer
HALF = 0.5  # the share of a line that an act that ends everything has to explain
SHOWN = 0.35  # the chance at which something is shown, where nothing else is understood
MAYBE = 0.2  # the chance at which a line is split to see, or a plain wish is granted
MOODS = {"angry": "insults", "sad": "griefs", "praise": "compliments"}  # and what it is said with
MAX_READINGS = 8
SHORT = 5
PASSING = 0.34  # the share of a line that an act has to explain
BARE = 3  # words of a line that may be a command and nothing else
MAX_PARTING = 3  # clauses of a farewell
FILE = Path(__file__).with_name("classifier.bin")
BUCKETS = 1 << 14  # of n-grams
HINT_BUCKETS = 1 << 11
HINT_WEIGHT = 0.35  # of one hint, where the n-grams of a line have length 1 together
LETTER_SIZES, WORD_SIZES = (3, 4, 5), (1, 2, 3)  # of n-grams
LONG = 20  # words from which lines count as equally long
GAMES = frozenset({"nim", "sticks", "chopsticks", "tictactoe", "othello"})  # states of one kind


@dataclass(frozen=True)
class Weights:
    """The model: a row of whole numbers for each bucket, a column for each intent."""

    intents: tuple[str, ...]
    states: dict[str, list[str]]  # the intents that a line can have in each kind of state
    scale: float  # what 1 in the table stands for
    table: np.ndarray


@dataclass(frozen=True)
class Guess:
    """An intent and how likely it is, from 0 to 1."""

    intent: str
    chance: float


@dataclass(frozen=True)
class Heard:
    """A line with what the grammar makes of it."""

    line: Line
    state: str
    scene: Scene
    meaning: Meaning
    readings: tuple[Reading, ...]
    signs: frozenset[str]

    @property
    def intent(self) -> str:
        """The intent by its name among the examples."""
        if self.meaning.intent in ("drastic", "no-game"):
            return str(self.meaning.slots["command"])
        if self.meaning.intent == "ask back":
            return str(self.meaning.slots["intent"])
        return SAME.get(self.meaning.intent, self.meaning.intent)


def understand(
    session: Session, scene: Scene, line: Line, weights: Weights | None = None
) -> Meaning:
    """Return what a line means here."""
    if not line.words:
        return Meaning("unknown")
    if found := read_exact_move(scene, line.text):
        return found
    heard = listen(session, scene, line)
    if found := _read_first_clause(heard):
        return found
    if not re.search("[a-z]", heard.line.plain):
        counts = find_counts(heard.line.words) if heard.state in ("piles", "coins") else []
        return Meaning("number", {"n": counts[0]}) if len(counts) == 1 else heard.meaning
    if _is_plain(heard) and _is_bare(heard):
        return heard.meaning
    if answer := _read_answering_clause(heard):
        return answer
    guesses = rank(heard.state, heard.line, list_hints(heard), weights)
    chance = next((guess.chance for guess in guesses if guess.intent == "two"), 0)
    rest = sum(guess.chance for guess in guesses if guess.intent != "two") or 1.0
    guesses = [
        Guess(guess.intent, guess.chance / rest) for guess in guesses if guess.intent != "two"
    ]
    meaning = decide(heard, guesses)
    if heard.state in ("piles", "coins") and (number := _find_number(heard, guesses)):
        meaning = Meaning("number", {"n": number})
    elif meaning.intent in ANSWERS and heard.state in GROUPS["asked"] and not _is_said(heard):
        meaning = _weigh_answer(session, heard, guesses, meaning)
    if meaning.intent in GROUPS["remarks"] and (act := _read_last_clause(heard)):
        meaning = _ask_back(act)
    if meaning.intent == "what-if" and not meaning.slots:
        meaning = fill_slots("what-if", scene, heard.line) or meaning
    asks = _asks_otherwise(heard) or INTENTS["of the board"].search(heard.line.plain)
    if meaning.intent == "board" and asks:
        meaning = Meaning("ask-game")  # `can I have more fingers?`
    own = SAME.get(meaning.intent, meaning.intent)
    meaning = replace(meaning, chance=sum(each.chance for each in guesses if each.intent == own))
    return Meaning("two", {"otherwise": meaning}) if chance >= MAYBE else meaning


def _weigh_answer(
    session: Session, heard: Heard, guesses: list[Guess], meaning: Meaning
) -> Meaning:
    """Ask back about an answer that the words do not say, except where he may remember."""
    chance = sum(guess.chance for guess in guesses if guess.intent == meaning.intent)
    said = meaning.intent in {reading.intent for reading in heard.readings}
    if heard.state == "consent" and chance >= (SURE if said else CERTAIN):
        return meaning  # a yes that is not plain is not taken for one
    again = session.question.removeprefix("confirm ") in GROUPS["unsaid"]
    likely = chance >= CERTAIN or (FILLER | WORDS["answering"]).intersection(heard.line.words)
    if meaning.intent in GROUPS["unsaid"] and heard.state != "consent" and not again and likely:
        return _ask_back(meaning)
    others = [guess for guess in guesses if guess.intent not in ANSWERS]
    return _answer(others, Meaning("unknown"))


def _read_first_clause(heard: Heard) -> Meaning | None:
    """Read a move in the game's notation with a remark after it: `a2! I blocked you`."""
    (words, _), *rest = heard.line.clauses or [((), "")]
    text, remark = " ".join(words), " ".join(word for some, _ in rest for word in some)
    plain = re.search("[a-z]", text) and re.search("[0-9]", text)
    told = AGAINST & heard.signs - {"past", "liking"}
    if not remark or not plain or told or re.search("[0-9]", remark):
        return None
    found = read_exact_move(heard.scene, text)
    return found if found and found.intent == "move" else None


def _read_answering_clause(heard: Heard) -> Meaning | None:
    """Read an answer that is the first sentence of a line, or what it comes to at its end."""
    clauses = [clause for clause in heard.line.clauses if clause[0]]
    if heard.state not in GROUPS["asked"] or heard.state == "consent" or len(clauses) < 2:
        return None
    (first, mark), (last, _) = clauses[0], clauses[-1]
    rest = last[1:] if last[0] in WORDS["conclusions"] else ()
    found = (_name_answer(heard.state, words) for words in (() if mark == "," else first, rest))
    return next(filter(None, found), None)


def _name_answer(state: str, words: Sequence[str]) -> Meaning | None:
    """Return the answer that a few words give to his question; None if they say more."""
    telling = {word for word in words if word not in FILLER}
    if not telling or len(words) > BARE:
        return None
    if state in ("piles", "coins"):
        counts = find_counts(words)
        others = {word for word in telling if not word.isdecimal()} - WORDS["answering"]
        return Meaning("number", {"n": counts[0]}) if len(counts) == 1 and not others else None
    if state in ("side", "offer") and telling in ({"first"}, {"second"}):
        return Meaning(telling.pop())
    return _find_surely("chat", words, ("yes", "no")) if state in ("again", "confirm") else None


def _find_surely(mode: str, words: Sequence[str], intents: Collection[str]) -> Meaning | None:
    """Return which of some intents explains all of some words."""
    found = read_patterns(mode, tuple(words))
    sure = (each.intent for each in found if each.share >= 1 and each.intent in intents)
    return next((Meaning(intent) for intent in sure), None)


def _read_last_clause(heard: Heard) -> Meaning | None:
    """Read an act that a line comes to at its end: `there is little point: I resign`."""
    clauses = [words for words, _ in heard.line.clauses if words]
    if len(clauses) < 2 or len(clauses[-1]) >= SHORT or heard.scene.mode != "game":
        return None
    last = Line(" ".join(clauses[-1]), clauses[-1])
    if {"third person", "quotation"} & heard.signs or AGAINST & find_signs(last):
        return None
    return _find_surely(heard.scene.mode, last.words, ENDINGS)


def listen(session: Session, scene: Scene, line: Line) -> Heard:
    """Return a line with what the grammar makes of it."""
    meaning, words = read_by_grammar(session, scene, line)
    line = replace(line, words=words)
    readings = read_patterns(scene.mode, words)
    state, signs = name_state(session, scene), find_signs(line)
    return Heard(line, state, scene, meaning, tuple(readings[:MAX_READINGS]), signs)


def name_state(session: Session, scene: Scene) -> str:
    """Name the state for the examples: what he has just asked, or the game that is on."""
    if session.mode == "setup":
        wished = session.wished.get("game")
        asks_for = extra(registry.find("games", wished), "asks_for") if wished else ""
        return (
            "side" if asks_for == "begins" else "coins" if session.wished.get("count") else "piles"
        )
    if session.mode == "talk":
        return "consent" if session.talk.asked.startswith("keep") else "talk"
    if session.question.startswith("confirm "):
        return "confirm"
    if scene.mode == "game" and scene.game is not None:
        return scene.game.name if scene.game.name in GAMES else "game"
    return session.question if session.question in ("again", "offer") else "chat"


# Hints


def list_hints(heard: Heard) -> Iterator[str]:
    """Say what the grammar sees in a line, for the examples to weigh."""
    kind, line = name_kind(heard.state), heard.line
    yield from (f"grammar {heard.intent}", f"grammar {heard.intent} {kind}")
    for place, reading in enumerate(heard.readings[:3]):
        intent, share = reading.intent.partition(" ")[0], int(4 * reading.share)
        yield from (f"{place} {intent}", f"{place} {intent} {share}")
    if heard.intent in ("move", "illegal"):
        yield f"{heard.intent} {min(len(line.words) // 3, 5)}"
    if find_game(line.words):
        yield f"game and {min(3, len(_list_telling(line)))} more"
    for sign in heard.signs:
        yield from (sign, f"{sign} {kind}")
    whom = "you" if {"you", "your", "u"} & set(line.words) else "i" if "i" in line.words else ""
    for mood in MOODS.values():
        if found := len(WORDS[mood].intersection(line.words)):
            yield from (mood, f"{mood} {whom}", f"{mood} {min(found, 2)} {len(line.words) // 4}")


def _list_telling(line: Line) -> list[str]:
    """List the words that are neither filler nor the name of a game."""
    idle = FILLER | GAME_WORDS
    return [word for word in line.words if word not in idle]


# The decision


def decide(heard: Heard, guesses: list[Guess]) -> Meaning:
    """Weigh the two votes."""
    meaning, chances = heard.meaning, _join_moves(guesses)
    best = max(chances, key=lambda intent: chances[intent])
    own = chances.get(heard.intent, 0)
    if _is_plain(heard) and (own >= MAYBE or _is_bare(heard)):
        return meaning
    if heard.state in ("confirm", "consent") and best == "no" and chances[best] >= CERTAIN:
        return Meaning("no")  # `play on`, `leave it`
    if _ends_with_farewell(heard):
        return Meaning("goodbye", {"surely": True} if len(heard.line.words) > 1 else {})
    if best == "noplay" and not _refuses_play(heard):
        if heard.scene.mode == "game":
            return Meaning("unknown")
        return fill_slots("play", heard.scene, heard.line) or Meaning("game")
    if {best, heard.intent} <= GROUPS["questions"] and chances[best] >= CERTAIN:
        other = fill_slots(best, heard.scene, heard.line)
        return other if other and best != heard.intent else meaning
    if _knows_better(heard, best):
        return meaning
    if best == "talk" and heard.intent == "play" and own >= MAYBE and "wish" in heard.signs:
        return _ask_back(meaning)  # `can we play sticks while we talk?`
    if best == heard.intent or (heard.intent in ("move", "play") and own >= MAYBE):
        return _agree(heard, guesses, own) if heard.intent in ACTS else meaning
    if best == "move" and not AGAINST & heard.signs:
        return Meaning("unclear")
    if best == "move":
        return _answer([guess for guess in guesses if guess.intent not in MOVES], meaning)
    if best in ACTS:
        return _ask_for(best, heard, guesses)
    if heard.intent not in ACTS and chances[best] < _find_fair_chance(heard, best):
        return meaning
    if best in NEEDS_GRAMMAR and heard.scene.mode == "talk":
        return Meaning("say")
    if best in MOODS and chances[best] < CERTAIN and not _fits_mood(best, heard):
        return Meaning("say")
    found = {reading.intent for reading in heard.readings}
    if heard.state in GROUPS["asked"] and best in ANSWERS and chances[best] >= LIKELY:
        return Meaning(best)
    if best in ("yes", "no") and best not in found and chances[best] < CERTAIN:
        return Meaning("say" if heard.scene.mode in ("talk", "chat") else "unknown")
    return _answer(guesses, meaning)


def _knows_better(heard: Heard, best: str) -> bool:
    """Say whether the grammar sees more in a line than the examples can."""
    intent, game = heard.meaning.intent, heard.meaning.slots.get("game", "")
    if intent == "play" and game not in ("", *GAME_NAMES):
        return "question" not in heard.signs  # the examples do not know others' games
    if intent in ("drastic", "no-game"):
        return best in {heard.intent, *ACTS}
    if intent == "play":
        not_this_but_that = {"negation", "contrast"} <= heard.signs
        rest = CONTRAST.split(heard.line.plain)[1:]
        names = any(find_game(part.split()) for part in rest)
        return not_this_but_that and names and best in ("play", "noplay")
    if heard.intent in MOVES - {"move"}:
        return best in ("move", "what-if")  # and why it cannot be played
    no_game = heard.scene.game is None and best in GROUPS["of the table"]
    return heard.intent in GROUPS["questions"] and (no_game or best in GROUPS["questions"])


def _agree(heard: Heard, guesses: list[Guess], own: float) -> Meaning:
    """Return the act that both see, or ask back where it is not said clearly enough."""
    act = heard.meaning
    if act.intent == "ask back":
        act = Meaning(str(act.slots["intent"]), act.slots["slots"])
    if heard.intent == "resign" and _minds_losing(heard):
        return _answer(guesses, heard.meaning)  # `and now I lose to a machine`
    against = AGAINST if heard.meaning.intent == "ask back" else {"question", "quotation"}
    asks = heard.intent in ("move", "name") and against & heard.signs
    doubted = "doubt" in heard.signs and (own < CERTAIN or ends_with_question(heard.line))
    if heard.intent == "move" and doubted:
        return Meaning("what-if", {"move": act.slots["is"]})  # `so I take 3? why`
    wonders = "doubt" in heard.signs or _asks_otherwise(heard)
    if heard.intent == "play" and wonders and _says_more(heard):
        return _answer(guesses, heard.meaning)  # `can I make the board of Othello smaller`
    boasts = heard.intent == "play" and INTENTS["boasts"].search(heard.line.plain)
    unsaid = asks or boasts or _loses(heard.intent, heard) or _is_in_passing(heard)
    if own >= _find_bar(heard) and not unsaid:
        return act
    return _ask_back(act) if own >= LIKELY else _answer(guesses, heard.meaning)


def _ask_for(best: str, heard: Heard, guesses: list[Guess]) -> Meaning:
    """Return an act that the examples see, if some word asks for it; else ask back, or answer."""
    chance = next(guess.chance for guess in guesses if guess.intent == best)
    if best == "resign" and _minds_losing(heard):
        return _answer(guesses, heard.meaning)
    filled = fill_slots(best, heard.scene, heard.line)
    if filled is None or chance < LIKELY:
        nameless = best == "play" and chance >= SURE
        return Meaning("game") if nameless else _answer(guesses, heard.meaning)
    named = best in GROUPS["named acts"] or best in {reading.intent for reading in heard.readings}
    told = heard.scene.mode == "talk" or {"third person", "quotation", "past"} & heard.signs
    if not named and told and chance < CERTAIN:
        return _answer(guesses, heard.meaning)
    sure = chance >= (CERTAIN if AGAINST & heard.signs else SURE)
    shares = (reading.share for reading in heard.readings if reading.intent == best)
    thin = best in GROUPS["ends"] and max(shares, default=0) < HALF  # `six more hours to go`
    if thin and best == "goodbye" and not INTENTS["leaves"].search(heard.line.plain):
        return _answer(guesses, heard.meaning)
    unsaid = _loses(best, heard) or _is_in_passing(heard) or thin
    offers = best == "game" and heard.state in ("again", "offer")  # which only lists them
    return filled if (named or offers) and sure and not unsaid else _ask_back(filled)


def _asks_otherwise(heard: Heard) -> bool:
    """Say whether a line asks for a game otherwise than it is, without saying how."""
    return bool(INTENTS["asks for other sizes"].search(heard.line.plain))


def _minds_losing(heard: Heard) -> bool:
    """Say whether a line complains of losing, and gives nothing up."""
    plain = heard.line.plain
    return bool(INTENTS["minds losing"].search(plain) and not INTENTS["gives up"].search(plain))


def _loses(intent: str, heard: Heard) -> bool:
    """Say whether an act would lose something here."""
    return intent in GROUPS["drastic"] and heard.scene.mode == "game"


def _find_number(heard: Heard, guesses: list[Guess]) -> int:
    """Return the number that answers his question in a set-up; 0 if the line is no such answer."""
    numbers = set(find_counts(heard.line.words))
    best = guesses[0]
    certain = best.intent == "number" and best.chance >= CERTAIN
    against = {"question", "doubt", "negation", *(() if certain else ("condition",))}
    if len(numbers) != 1 or against & heard.signs:
        return 0
    says = heard.meaning.intent == "unknown" and is_answer(heard.line) and best.chance < CERTAIN
    others = set(heard.line.words) - FILLER - WORDS["answering"] - {str(each) for each in numbers}
    enough = CERTAIN if AGAINST & heard.signs or len(others) >= BARE else SURE
    return numbers.pop() if says or (best.intent == "number" and best.chance >= enough) else 0


def _is_said(heard: Heard) -> bool:
    """Say whether a line answers his question by its words, and is not about something else."""
    if "condition" in heard.signs:
        return False
    return is_answer(heard.line) or (len(heard.line.words) <= BARE and _is_plain(heard))


def _refuses_play(heard: Heard) -> bool:
    """Say whether a line says no to playing, rather than `no no, I want to play`."""
    words = [*itertools.dropwhile(lambda word: word in ("no", "so", "nah"), heard.line.words)]
    words = [word for word in words if word != "never" or "before" not in words]  # a beginner
    plays = {"play", "playing", "game"} & set(words) or find_game(words)
    return not plays or (bool(WORDS["refusals"] & set(words)) and words[-2:] != ["or", "not"])


def _ends_with_farewell(heard: Heard) -> bool:
    """Say whether a line begins or ends with a farewell that is not told of others."""
    clauses = [" ".join(words) for words, _ in heard.line.clauses if words]
    if "quotation" in heard.signs or "?" in heard.line.text:
        return False
    for size in range(1, min(len(clauses), MAX_PARTING) + 1):
        before = clauses[-size - 1] if len(clauses) > size else ""
        if INTENTS["parts"].fullmatch(" ".join(clauses[-size:])):
            return not INTENTS["reports"].search(before)
    if INTENTS["leaves"].search(heard.line.plain):
        return bool(INTENTS["parts at the end"].search(heard.line.plain))
    begins = clauses and INTENTS["parts"].fullmatch(clauses[0])
    return bool(begins) and not {"third person", "past"} & heard.signs


def _is_in_passing(heard: Heard) -> bool:
    """Say whether most of a line is left over when the words of the act are taken away."""
    telling = [word for word in heard.line.words if word not in FILLER]
    matched = [r.matched for r in heard.readings if r.intent == heard.meaning.intent]
    return bool(matched) and len(telling) > SHORT - 2 and max(matched) < PASSING * len(telling)


def _fits_mood(mood: str, heard: Heard) -> bool:
    """Say whether a line has words of a mood, and is not about others."""
    said = bool(WORDS[MOODS[mood]].intersection(heard.line.words))
    return said and (mood == "sad" or "third person" not in heard.signs)


def _find_fair_chance(heard: Heard, best: str) -> float:
    """Return the chance above which the examples answer, where the grammar sees something else."""
    if heard.intent == "say" and best != "unknown":  # of a talk, where anything else is talk
        return LIKELY
    if heard.intent != "unknown":
        return SURE
    return SHOWN if best in GROUPS["shows"] else MAYBE


def _find_bar(heard: Heard) -> float:
    """Return the chance that is enough for the act that the grammar sees."""
    if heard.meaning.intent == "ask back":
        return CERTAIN
    against = AGAINST & heard.signs
    detailed = heard.intent == "play" and len(heard.meaning.slots) > 1
    if detailed and not {"question", "wondering"} <= heard.signs:
        return LIKELY if against else MAYBE  # options are said of a game that is wanted
    if heard.intent == "play" and _says_more(heard):
        return CERTAIN
    return CERTAIN if against else LIKELY


def _says_more(heard: Heard) -> bool:
    """Say whether a line has words that the wish for a game does not explain."""
    return bool(set(_list_telling(heard.line)) - WORDS["wishing"])


def _join_moves(guesses: list[Guess]) -> dict[str, float]:
    """Return the chance of each intent, moves of all sorts together: the rules tell them apart."""
    chances: dict[str, float] = {}
    for guess in guesses:
        intent = "move" if guess.intent in MOVES else guess.intent
        chances[intent] = chances.get(intent, 0) + guess.chance
    return chances


def _is_bare(heard: Heard) -> bool:
    """Say whether a line is a word of command and little else, or a game with its options."""
    words = heard.line.words
    if heard.intent in ("play", "watch"):
        return len(words) <= BARE or _is_detailed(heard)
    if heard.intent == "topic":
        telling = [word for word in words if word not in FILLER] or words
        entry = look_up(telling[0]) if len(telling) == 1 else None
        return entry is not None and entry.kind != "adjective"  # `cool` is no topic
    if heard.intent in ("illegal", "unclear"):
        return len(words) <= SHORT and not heard.readings  # it changes nothing
    if heard.state in ("confirm", "consent") and heard.intent in ("resume", "done", "leave"):
        return False  # they may refuse
    telling = [word for word in words if word not in FILLER]
    return heard.intent != "move" and (len(words) <= BARE or len(telling) < BARE)


def _is_detailed(heard: Heard) -> bool:
    """Say whether a line wishes for a game and says how it should be."""
    signs = heard.signs
    slots = heard.meaning.slots
    if slots.get("first") and slots.get("second"):
        return not AGAINST & signs
    begins = bool(find_game(heard.line.words[:3]))
    if heard.state in SETUPS and begins and "question" not in signs:
        return True  # another game, or this one otherwise
    if "against" in slots and len(heard.line.words) <= SHORT:
        return not AGAINST & signs
    told = {"question", "third person", "quotation"} & signs
    return len(slots) > 1 and (begins or "wish" in signs) and not told


def _is_plain(heard: Heard) -> bool:
    """Say whether a line is, by the grammar, nothing but what it asks for."""
    intent, words = heard.meaning.intent, heard.line.words
    if intent in ("play", "watch") and _is_detailed(heard):
        return True
    if intent in ACTS | {"illegal", "unclear"} and AGAINST & heard.signs:
        return False
    if (
        _loses(intent, heard)
        and len(words) > 1
        and not WORDS.get(f"drastic {intent}", {intent}) & set(words)
    ):
        return False  # an image is no plain word
    if intent in MOVES:
        return True
    if intent == "praise" and "question" in heard.signs:
        return False  # `was that a good move?`
    if intent == "topic":
        return len(words) <= 2
    if intent in ("play", "watch"):
        return not _list_telling(heard.line)
    if intent == "no-game":
        return len(words) <= BARE
    return any(r.share >= 1 and r.intent.partition(" ")[0] == intent for r in heard.readings)


def _ask_back(meaning: Meaning) -> Meaning:
    return Meaning("ask back", {"intent": meaning.intent, "slots": dict(meaning.slots)})


def _answer(guesses: list[Guess], meaning: Meaning) -> Meaning:
    """Return the likeliest intent that changes nothing, with the grammar's slots if it has them.

    An answer to his question may change something, so it has to be likely.
    """
    best = next(
        guess
        for guess in guesses
        if guess.intent not in ACTS and (guess.intent not in ANSWERS or guess.chance >= SURE)
    )
    intent = SAME.get(meaning.intent, meaning.intent)
    harmless = intent not in ACTS and intent != "ask back"
    enough = MAYBE if intent == "unknown" else LIKELY
    if intent == best.intent or (harmless and best.chance < enough):
        return meaning
    return Meaning(best.intent)


# What the examples say


def name_kind(state: str) -> str:
    """Return the kind of a state: a game of any name is one."""
    return "game" if state in GAMES else state


def rank(
    state: str, line: Line, hints: Iterable[str], weights: Weights | None = None
) -> list[Guess]:
    """Return the intents that a line may have in a state, likeliest first."""
    import numpy as np  # not needed to greet

    weights = weights or _load_weights()
    buckets, values = find_buckets(state, line, hints)
    scores = weights.scale * (np.array(values, np.float32) @ weights.table[buckets])
    possible = [weights.intents.index(name) for name in weights.states[name_kind(state)]]
    chances = np.exp(scores[possible] - scores[possible].max())
    chances /= chances.sum()
    order = np.argsort(-chances)
    return [Guess(weights.intents[possible[at]], float(chances[at])) for at in order]


@cache
def _load_weights() -> Weights:
    """Return the weights that are shipped."""
    import numpy as np

    head, _, body = zlib.decompress(FILE.read_bytes()).partition(b"\n")
    made = json.loads(head)
    intents = tuple(made["intents"])
    table = np.frombuffer(body, np.int8).reshape(len(intents), -1).T
    return Weights(intents, made["states"], made["scale"], np.ascontiguousarray(table, np.float32))


def find_buckets(
    state: str, line: Line, hints: Iterable[str]
) -> tuple[Sequence[int], Sequence[float]]:
    """Return the buckets of all features of a line, and how much each counts."""
    counts = Counter(zlib.crc32(name.encode()) % BUCKETS for name in _list_features(state, line))
    length = math.sqrt(sum(counts.values()))
    marks = {BUCKETS + zlib.crc32(name.encode()) % HINT_BUCKETS for name in hints}
    values = [math.sqrt(count) / length for count in counts.values()]
    return [*counts, *sorted(marks)], [*values, *[HINT_WEIGHT] * len(marks)]


def _list_features(state: str, line: Line) -> Iterator[str]:
    """Name every n-gram of a line, and what it is in this state."""
    kind = name_kind(state)
    words = ["#" if NUMBER.fullmatch(word) else word for word in line.words]
    text = f" {' '.join(words)} "
    for size in LETTER_SIZES:
        yield from (f"c{text[at : at + size]}" for at in range(len(text) - size + 1))
    row = ["<", *words, ">"]
    for size in WORD_SIZES:
        yield from (f"w{' '.join(row[at : at + size])}" for at in range(len(row) - size + 1))
    yield from (f"g{before} {after}" for before, after in zip(row, row[2:], strict=False))
    yield from (f"s{kind}", f"s={state}") * 3
    yield from (f"x{kind}{word}" for word in {*words, *(f"<{word}" for word in words[:1])})
    yield from (f"n{min(len(words), LONG)}", f"n<{len(words) // 4}", f"n{kind}{len(words) // 2}")
    if line.text.rstrip().endswith("?"):
        yield from ("?", f"?{kind}") * 2
    yield from (mark for mark in '"“!' if mark in line.text)
