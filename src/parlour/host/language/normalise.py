"""What was typed, as words: one case, no accents, contractions opened, numbers as digits.

A number keeps its sign and its fraction, `-1` or `2.5`, so that nobody takes it for another one.
Typing errors are mended against the words that would be understood, only where one of them is
clearly meant, and the mending is told.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

LONGEST = 400  # characters that are listened to
CONTRACTED = {
    "let's": "let us", "lets": "let us", "can't": "cannot", "cant": "cannot", "won't": "will not",
    "wont": "will not", "shan't": "shall not", "im": "i am", "ive": "i have", "id": "i would",
    "whats": "what is", "whos": "who is", "thats": "that is", "its": "it is", "dont": "do not",
    "doesnt": "does not", "didnt": "did not", "isnt": "is not", "wasnt": "was not", "u": "you",
    "ur": "your", "youre": "you are", "wanna": "want to", "gonna": "going to", "gimme": "give me",
    "lemme": "let me", "pls": "please", "plz": "please", "thx": "thanks", "ill": "i will",
    "wheres": "where is", "hows": "how is", "theres": "there is", "vs": "against",
    "versus": "against", "lvl": "level", "cos": "because", "cuz": "because", "ok": "okay",
    "y'all": "you", "whatcha": "what you", "dunno": "do not know", "aint": "is not",
    "cannot": "cannot", "couldnt": "could not", "wouldnt": "would not", "shouldnt": "should not",
    "havent": "have not", "hasnt": "has not", "arent": "are not", "werent": "were not",
    "youve": "you have", "youll": "you will", "hes": "he is", "shes": "she is", "weve": "we have",
}  # fmt: skip
ENDINGS = {
    "n't": " not", "'s": " is", "'re": " are", "'ll": " will", "'ve": " have", "'d": " would",
    "'m": " am",
}  # fmt: skip
SPELT = {
    "center": "centre", "colour": "color", "favourite": "favorite",
    "midle": "middle", "tick": "tic", "tack": "tac", "tik": "tic",
    "tak": "tac", "naughts": "noughts",
    "grey": "gray", "programme": "program", "swop": "swap", "reversi": "othello",
    "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth",
    "6th": "sixth", "7th": "seventh", "8th": "eighth", "em": "them", "ya": "you", "ye": "you",
    "wat": "what", "teh": "the", "tho": "though", "cud": "could", "wud": "would", "ty": "thanks",
    "gotta": "got", "nite": "night",
}  # fmt: skip
SMALL_WORDS = frozenset(
    """each most more less than least both neither either nor yet though although while until till
    since because unless whether through across between among behind below above under again once
    twice always never often sometimes soon later today tomorrow yesterday where when why how what
    who whom whose which that this these those their theirs its ours myself yourself himself herself
    itself ourselves themselves upon per via toward towards without within along beside besides
    beyond despite during except inside outside near onto past round unlike yes not almost nearly
    enough indeed however therefore thus hence else instead anyway somehow somewhere anywhere
    everywhere nowhere something anything nothing everything someone anyone everyone somebody
    anybody nobody everybody much many few several all another other such same own must ought
    cannot lol haha
    hmm mum dad mom yours hers nope yeah aye ahead apart aside away back forth together whoever
    whatever whichever wherever whenever against""".split()
)  # that no lexicon of things, deeds and qualities holds, and that are right as they stand
NO_NUMBER = frozenset(
    """the this that which does do might may should would could can wise no another other every each
    any perfect last only dear good bad right wrong next first second big little old new same nice
    lovely great easy hard silly clever tricky tough""".split()
)  # before a `one` that counts nothing
POINTS = frozenset("the a an my your this that".split())  # before `bigger one`
COUNTED = frozenset("number counter finger remainder".split())  # in -er, and they compare nothing
SIGNED = frozenset(
    """take takes taking took remove removing grab pick play i with of from and or to have give me
    draw by at split into about say choose""".split()
)  # before a `minus` that is a sign; elsewhere, as in `pile 3 minus 2`, it is a verb
HALF = r"(?<![\w./-])1/2(?![\w/])"
WHOLE = r"[0-9]+(?:st|nd|rd|th)\b|[0-9]+"
FRACTION = r"(?<![0-9.])[0-9]+\.[0-9]+(?!\.?[0-9])"
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")  # a word that is a number
WORD = re.compile(rf"(?:(?<![\w.)-])-)?(?:{FRACTION}|{WHOLE})|[^\W\d_]+(?:'[^\W\d_]+)?")
SMALL = {word: number for number, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen".split()
)}  # fmt: skip
TENS = {word: 10 * number for number, word in enumerate(
    "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
)}  # fmt: skip
NUMBERS = frozenset({*SMALL, *TENS, "hundred"})


def heard(text: str) -> tuple[str, ...]:
    """The words of a line: `Let's take TWO!` is let us take 2."""
    halves = re.sub(r"(?<=[0-9]) ?(?:½|(?<= )1/2(?![0-9/]))", ".5", text[:LONGEST])
    halves = re.sub(rf"(?:½|{HALF})(?= of\b| the\b)", " half ", halves)
    halves = re.sub(rf"½|{HALF}", "0.5", halves).replace("−", "-")
    halves = re.sub(r"(?<![\w.])\.(?=[0-9])", "0.", halves)
    plain = unicodedata.normalize("NFKD", halves).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    plain = plain.replace("’", "'").replace("`", "'")
    plain = re.sub(r"(?<=[0-9a-z])[-–](?=[a-z])|(?<=[a-z])[-–](?=[0-9a-z])", " ", plain)
    opened = [part for word in WORD.findall(plain) for part in _opened(word)]
    return tuple(_signed(_numbered([SPELT.get(word, word) for word in opened])))


def _opened(word: str) -> list[str]:
    if word in CONTRACTED:
        return CONTRACTED[word].split()
    for ending, full in ENDINGS.items():
        if word.endswith(ending):
            return (word.removesuffix(ending) + full).split()
    return [word.replace("'", "")]


def _numbered(words: Sequence[str]) -> list[str]:
    """Number words as digits; `twenty one` is one number, and `the last one` is none."""
    found: list[str] = []
    value: int | None = None  # of the number being spelt
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        number = TENS.get(word, SMALL.get(word))
        compares = before.endswith("er") and before not in COUNTED and words[at - 2] in POINTS
        if word == "one" and (
            before in NO_NUMBER or before.endswith(("est", "most")) or (at > 1 and compares)
        ):
            number = None
        if value is not None and word == "hundred":
            value *= 100
        elif value is not None and number is not None and _follows(value, number):
            value += number
        elif value is not None and value >= 100 and word == "and":
            continue
        elif number is not None:
            found.append("")
            value = number
        else:
            value = None
            found.append(word)
            continue
        found[-1] = str(value)
    return re.sub(r"\bhalf (?:a )?dozen\b", "6", " ".join(found)).split()


def _signed(words: Sequence[str]) -> list[str]:
    """`minus 3` as -3, `2 and a half` and `2 point 5` as 2.5."""
    line = " ".join(words)
    line = re.sub(r"(?<!\S)(-?[0-9]+) and (?:an? |1 )?half(?! of| the|\S)", r"\1.5", line)
    line = re.sub(r"(?<!\S)(-?[0-9]+) point ([0-9]+)(?!\S)", r"\1.\2", line)
    found: list[str] = []
    for word in line.split():
        before = found[-1] if found else ""
        lead = found[-2] if len(found) > 1 else ""
        signs = before == "negative" or (before == "minus" and (not lead or lead in SIGNED))
        if signs and word[0].isdecimal():
            found[-1] = f"-{word}"
        else:
            found.append(word)
    return found


def _follows(value: int, number: int) -> bool:
    """Whether a number word goes on with the number before it: twenty one, one hundred fifty."""
    return (value % 100 == 0 and value > 0) or (value % 10 == 0 and value > 10 and 0 < number < 10)


def mended(
    words: Iterable[str],
    known: Collection[str],
    is_right: Callable[[str], bool] = lambda word: False,
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The words with typing errors mended, and what was mended into what.

    A word that is known, or right as it stands, is left alone.
    """
    changed: dict[str, str] = {}
    found = []
    for word in words:
        fine = word in known or not word.isalpha() or is_right(word)
        near = word if fine else _nearest(word, known)
        if near != word:
            changed[word] = near
        found.append(near)
    return tuple(found), changed


def _nearest(word: str, known: Collection[str]) -> str:
    """The one known word within one slip, or two in a long word; itself when there is none."""
    if len(word) < 3 or len(word) > 24:
        return word
    most = 1 if len(word) < 6 else 2
    near = [
        (distance(word, other), *_unlike(word, other), other)
        for other in known
        if abs(len(other) - len(word)) <= most and len(other) > 2
    ]
    near = sorted(each for each in near if each[0] <= most)
    if not near:
        return word
    if len(word) < 5 and (whole := _one_more(word, [other for *_, other in near])):
        return whole
    alike = [other for *how, other in near if how == list(near[0][:-1])]
    shortest = min(alike, key=len)
    return shortest if all(other.startswith(shortest) for other in alike) else word


def _one_more(word: str, near: Sequence[str]) -> str:
    """The only one of some words that a short word is with one vowel left out inside: `hnt`.

    Of several it is the one that lost it beside another, where it is not heard: `bord`.
    """
    lost = [
        (other, other[at - 1 : at + 2])
        for other in near
        for at in range(1, len(other) - 1)
        if other[at] in "aeiou" and other[:at] + other[at + 1 :] == word
    ]
    found = {other for other, _ in lost}
    if len(found) > 1:
        found = {other for other, around in lost if re.search("[aeiou]{2}", around)}
    return found.pop() if len(found) == 1 else ""


def _unlike(word: str, other: str) -> tuple[bool, bool, int]:
    """How unlike two words one slip apart look: the same letters, a longer word, the same start."""
    start = next(
        (at for at, pair in enumerate(zip(word, other, strict=False)) if len(set(pair)) > 1),
        min(len(word), len(other)),
    )
    return set(word) != set(other), not other.startswith(word), -start


@lru_cache(maxsize=65536)
def distance(one: str, other: str) -> int:
    """How many slips lie between two words: a letter wrong, missing, too many, or two swapped."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        line = [i]
        for j, against in enumerate(other, start=1):
            cost = min(row[j] + 1, line[j - 1] + 1, row[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, before[j - 2] + 1)
            line.append(cost)
        before, row = row, line
    return row[-1]
