"""Grammar for templates: articles, plurals, tenses, degrees, lists and whole sentences.

Each function takes a word and gives the form that a sentence needs. Regular forms follow the rules
of spelling; irregular ones come from the small tables here, or from the lexicon, which knows the
inflections of its own words (`prefer`, `preferred`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from parlour.host.language import lexicon

VOWELS = "aeiou"
# How a word sounds at its beginning, where its first letter misleads.
OPEN = re.compile(r"hour|honest|heir|honou?r|[aefhilmnorsx](?![a-z])|8|1[18](?!\d)")
SHUT = re.compile(
    r"one(?![a-z])|ones|once|uni[cflqostv]|us[aeu]|ut[eio]|ubi|u[fk]|ur[aeiou]|eu|ewe|u(?![a-z])"
)
INITIALS = re.compile(r"[AEFHILMNORSX](?:[A-Z]{1,2}|[B-DF-HJ-NP-TV-Z]+)s?(?![A-Za-z])")


def _pairs(text: str) -> dict[str, str]:
    """What stands first and second in each pair of a list."""
    return dict(pair.split() for pair in text.split(","))


PLURALS = _pairs(
    """
person people, ox oxen, louse lice, die dice, penny pence, quiz quizzes, potato potatoes,
tomato tomatoes, hero heroes, echo echoes, veto vetoes, torpedo torpedoes, mosquito mosquitoes,
volcano volcanoes, cargo cargoes, domino dominoes, buffalo buffaloes, axis axes, cactus cacti,
fungus fungi, nucleus nuclei, stimulus stimuli, radius radii, alumnus alumni, criterion criteria,
phenomenon phenomena, bacterium bacteria, medium media, larva larvae, alga algae, vertex vertices,
matrix matrices, human humans, german Germans, roman Romans, talisman talismans, shaman shamans,
ottoman ottomans, norman Normans, mongoose mongooses, passer-by passers-by, stomach stomachs,
monarch monarchs, patriarch patriarchs, epoch epochs, loch lochs, thief thieves, elf elves,
scarf scarves, hoof hooves, gas gases, bus buses, iris irises, mother-in-law mothers-in-law,
father-in-law fathers-in-law, brother-in-law brothers-in-law, sister-in-law sisters-in-law
"""
)
PLURAL_ENDINGS = _pairs(
    """
child children, woman women, man men, foot feet, tooth teeth, goose geese, mouse mice,
knife knives, wife wives, life lives, leaf leaves, loaf loaves, half halves, calf calves,
shelf shelves, wolf wolves, self selves, sis ses, craft craft, fish fish, quy quies
"""
)
SAME_IN_PLURAL = """
sheep deer salmon trout cod moose bison swine shrimp squid series species means offspring scissors
trousers glasses clothes news chess people cattle police jeans shorts pyjamas pajamas tongs
binoculars headquarters crossroads chopsticks mathematics physics politics athletics gymnastics
economics ethics
"""
UNCHANGED = frozenset(SAME_IN_PLURAL.split())
# Verbs whose past is their own: present and past.
PAST = _pairs(
    """
arise arose, awake awoke, be was, bear bore, beat beat, become became, begin began, bend bent,
bet bet, bid bid, bind bound, bite bit, bleed bled, blow blew, break broke, breed bred,
bring brought, broadcast broadcast, build built, burst burst, buy bought, cast cast, catch caught,
choose chose, cling clung, come came, cost cost, creep crept, cut cut, deal dealt, dig dug, do did,
draw drew, drink drank, drive drove, eat ate, fall fell, feed fed, feel felt, fight fought,
find found, flee fled, fling flung, fly flew, forbid forbade, forecast forecast, forget forgot,
forgive forgave, freeze froze, get got, give gave, go went, grind ground, grow grew, hang hung,
have had, hear heard, hide hid, hit hit, hold held, hurt hurt, keep kept, kneel knelt, know knew,
lay laid, lead led, leap leapt, leave left, lend lent, let let, lie lay, light lit, lose lost,
make made, mean meant, meet met, overcome overcame, pay paid, prove proved, put put, quit quit,
read read, ride rode, ring rang, rise rose, run ran, say said, see saw, seek sought, sell sold,
send sent, set set, shake shook, shed shed, shine shone, shoot shot, show showed, shrink shrank,
shut shut, sing sang, sink sank, sit sat, sleep slept, slide slid, sow sowed, speak spoke,
spend spent, spin spun, spit spat, split split, spread spread, spring sprang, stand stood,
steal stole, stick stuck, sting stung, stink stank, stride strode, strike struck, strive strove,
swear swore, sweep swept, swell swelled, swim swam, swing swung, take took, teach taught,
tear tore, tell told, think thought, throw threw, thrust thrust, tread trod, understand understood,
undergo underwent, undertake undertook, upset upset, wake woke, wear wore, weave wove, weep wept,
win won, wind wound, withdraw withdrew, withstand withstood, wring wrung, write wrote
"""
)
THIRD = {"be": "is", "have": "has"} | {
    verb: verb + "es" for verb in ("go", "do", "undergo", "undo", "redo", "outdo", "echo", "veto")
}
DEGREES = {
    "good": ("better", "best"),
    "well": ("better", "best"),
    "bad": ("worse", "worst"),
    "ill": ("worse", "worst"),
    "shy": ("shyer", "shyest"),
    "cruel": ("crueller", "cruellest"),
    "far": ("farther", "farthest"),
    "little": ("less", "least"),
    "much": ("more", "most"),
    "many": ("more", "most"),
    "fun": ("more fun", "most fun"),
}
PREFIXES = ("re", "over", "under", "mis", "out", "un", "fore", "with", "up")
NEVER_ENDED = frozenset(
    {"right", "wrong", "real", "ill", "dead", "fake", "like", "just"}
)  # more real, not realer
ENDED_ALL_THE_SAME = ("y", "le", "ow")  # happier, simpler and narrower, though of two syllables
ENDED_TOO = frozenset({"clever", "stupid", "quiet", "polite", "common", "handsome"})


def a(word: str) -> str:
    """The word with its article, by how it sounds: `an hour`, `a unicorn`."""
    spoken = word.lower()
    if OPEN.match(spoken) or INITIALS.match(word):
        return f"an {word}"
    if SHUT.match(spoken) or spoken[:1] not in VOWELS or not word:
        return f"a {word}"
    return f"an {word}"


def plural(noun: str) -> str:
    """More than one of it; of a compound the last word, or the one before `of`: `cups of tea`."""
    if joint := re.search(r"(?<=\S) (?:of|in|at) ", noun):
        return plural(noun[: joint.start()]) + noun[joint.start() :]
    front, gap, last = noun.rpartition(" ")
    known = last.lower()
    if known in UNCHANGED:
        return noun
    if known in PLURALS:
        return front + gap + PLURALS[known]
    for ending, instead in PLURAL_ENDINGS.items():
        if known.endswith(ending):
            return noun[: -len(ending)] + instead
    return front + gap + _with_s(last)


def third(verb: str) -> str:
    """What he does: `goes`; of `give up` it is the first word that changes."""
    return _first_changed(verb, lambda word: THIRD.get(word) or _with_s(word))


def past(verb: str) -> str:
    """What he did: `went`."""
    return _first_changed(verb, _past)


def ing(verb: str) -> str:
    """What he is doing: `running`."""
    return _first_changed(verb, _ing)


def comparative(adjective: str) -> str:
    """More so: `bigger`, `happier`, `more beautiful`."""
    return _degree(adjective, 0, "er", "more")


def superlative(adjective: str) -> str:
    """Most so: `biggest`, `happiest`, `most beautiful`."""
    return _degree(adjective, 1, "est", "most")


def listed(words: Iterable[str], last: str = "and") -> str:
    """`red, green and blue`"""
    *most, final = list(words) or [""]
    return f"{', '.join(most)} {last} {final}" if most else final


def _first_changed(verb: str, change: Callable[[str], str]) -> str:
    first, gap, rest = verb.partition(" ")
    return change(first) + gap + rest if first else verb


def _with_s(word: str) -> str:
    """`boxes`, `cities`, `boys`: nouns and verbs take their s alike."""
    if re.search(r"[^aeiou]y$", word) and word.islower():
        return word[:-1] + "ies"
    if re.search(r"(?:s|x|z|ch|sh)$", word):
        return word + ("zes" if re.search(r"[^aeiou][aeiou]z$", word) else "es")
    return word + "s"


def _past(verb: str) -> str:
    if verb in PAST:
        return PAST[verb]
    for prefix in PREFIXES:
        if verb.startswith(prefix):
            stem = verb.removeprefix(prefix)
            if stem in PAST and verb != "relay":
                return prefix + PAST[stem]
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return _doubled(verb, "ed", "verb") + "ed"


def _ing(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if re.search(r"[^eoy]e$", verb) and verb not in ("be", "singe"):
        return verb[:-1] + "ing"
    return _doubled(verb, "ing", "verb") + "ing"


def _degree(adjective: str, which: int, ending: str, word: str) -> str:
    if adjective in DEGREES:
        return DEGREES[adjective][which]
    many = _syllables(adjective)
    ends = (
        many == 1
        or adjective in ENDED_TOO
        or (many == 2 and adjective.endswith(ENDED_ALL_THE_SAME))
    )
    spelt = [form for form in _forms(adjective, "adjective") if form.endswith(ending)]
    if (
        adjective in NEVER_ENDED
        or (adjective.endswith(("ed", "ing")) and not spelt)
        or "-" in adjective
    ):
        return f"{word} {adjective}"
    if spelt and (ends or adjective.endswith("y")):
        return spelt[0]
    if not ends:
        return f"{word} {adjective}"
    if adjective.endswith("e"):
        return adjective + ending[1:]
    if re.search(r"[^aeiou]y$", adjective):
        return adjective[:-1] + "i" + ending
    return _doubled(adjective, ending, "adjective") + ending


def _doubled(word: str, ending: str, kind: str) -> str:
    """The word with its last letter twice, where the ending would change its sound without."""
    if word.endswith("c") and _syllables(word) > 1:
        return word + "k"
    twice = word + word[-1:]
    if not re.search(r"(?:[^aeiou]|qu)[aeiou][^aeiouwxy]$", word):
        return word
    if _syllables(word) == 1 or (word[-1] != "s" and twice + ending in _forms(word, kind)):
        return twice
    return word


def _forms(word: str, kind: str) -> list[str]:
    """The irregular inflections that the lexicon knows of a word spelt just so."""
    return [
        form
        for entry in lexicon.entries(word)
        if entry.word == word and entry.kind == kind
        for form in entry.forms
    ]


def _syllables(word: str) -> int:
    """About how many: the groups of vowels, without the silent e at the end."""
    spoken = re.sub(r"(?<=[aeiou])y(?=[aeiou])|(?<=q)u|(?<=[^aeiou])e$(?<!le)", "-", word.lower())
    return max(1, len(re.findall(r"[aeiouy]+", spoken)))
