"""A small grammar: patterns of words with gaps, and how well each explains what was said.

A pattern is a row of words, `a|b` for either; any other words may stand between. It explains a line
as far as the words that mean something are its own. The pattern that explains most wins, so that no
sentence has to be foreseen as a whole. A `!` before a pattern makes it decisive in a short line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

FILLER = frozenset(
    """a an the please to of is are be do does did am was were been will would could should can may
    might shall just now then so well oh ah um hmm er okay right really very quite rather some any
    there here for at on in with and or but this these those have has had got get let we us our
    want wish need fancy like i me my mine you your yours it them they he him his she her one ones
    thing things too also still already ever always even only by as if than from into over
    out up off about around bit lot kind sort way sir dear mate friend benedict hey well actually
    maybe perhaps possibly simply kindly alright sorry think guess suppose mean know say said
    tell going go come make made try give take see look show""".split()
)
SHORT = 12  # words up to which one decisive word is enough
DECISIVE = 0.6  # the share it then counts for at least
SMALL_WEIGHT = 0.3  # of a filler that a pattern asks for


@dataclass(frozen=True)
class Reading:
    """One way to understand a line: the intent, how many words speak for it, and what share."""

    intent: str
    matched: float
    share: float

    @property
    def strength(self) -> float:
        """Many words explained, and few left over."""
        return self.matched * self.share


@cache
def _slots(pattern: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(part.split("|")) for part in pattern.removeprefix("!").split())


def _weight(word: str) -> float:
    return SMALL_WEIGHT if word in FILLER else 1.0


def _places(pattern: str, words: Sequence[str], said: frozenset[str]) -> tuple[int, ...]:
    """Where the words of a pattern stand in a line, in order and as telling as possible."""
    slots = _slots(pattern)
    if not all(slot & said for slot in slots):
        return ()
    nothing: tuple[int, ...] = ()
    best = [(0.0, nothing)] + [(-1.0, nothing)] * len(slots)
    for at, word in enumerate(words):
        for number in range(len(slots), 0, -1):
            weight, places = best[number - 1]
            if word in slots[number - 1] and weight >= 0:
                found = (weight + _weight(word), (*places, at))
                best[number] = max(best[number], found, key=lambda each: each[0])
    return best[-1][1]


def readings(words: Sequence[str], known: Mapping[str, Iterable[str]]) -> list[Reading]:
    """All intents that explain something of a line, the best first.

    What further patterns of the same intent explain counts half.
    """
    meaning = max(SMALL_WEIGHT, sum(_weight(word) for word in words if word not in FILLER))
    said = frozenset(words)
    found = []
    for intent, some in known.items():
        fitting = {pattern: each for pattern in some if (each := _places(pattern, words, said))}
        places = list(fitting.values())
        if places:
            best = max(places, key=lambda each: sum(_weight(words[at]) for at in each))
            more = {at for each in places for at in each} - set(best)
            matched = sum(_weight(words[at]) for at in best)
            matched += sum(_weight(words[at]) for at in more) / 2
            if matched < 1 <= meaning:
                continue  # small words alone, beside others that mean something
            share = min(1.0, matched / meaning)
            if len(words) <= SHORT and any(pattern[0] == "!" for pattern in fitting):
                share = max(share, DECISIVE)
            found.append(Reading(intent, matched, share))
    return sorted(found, key=lambda reading: -reading.strength)


def patterns(text: str) -> dict[str, tuple[str, ...]]:
    """Patterns by intent, from lines like `undo: !undo / take back`; a line may go on indented."""
    found: dict[str, tuple[str, ...]] = {}
    for block in re.sub(r"\n {5,}", " ", text).strip().splitlines():
        intent, _, some = block.strip().partition(": ")
        found[intent] = tuple(pattern.strip() for pattern in some.split(" / "))
    return found


def vocabulary(*known: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """All words that patterns ask for."""
    return frozenset(
        word
        for each in known
        for some in each.values()
        for pattern in some
        for slot in _slots(pattern)
        for word in slot
    )
