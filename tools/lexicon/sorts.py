"""What manner of thing a word is, and whether one can count it.

The sort comes from the file in which WordNet's lexicographers kept the word, or from something
above it. Whether one says `a` is read off its use in the definitions, where it is used enough.
"""

from __future__ import annotations

from tools.lexicon.choices import COUNTED, MASS
from tools.lexicon.wordnet import WordNet

SORTS = {  # by the number of the file: nouns up to 28, then verbs
    3: "thing",
    4: "activity",
    5: "animal",
    6: "artifact",
    7: "quality",
    8: "body",
    9: "idea",
    10: "message",
    11: "event",
    12: "feeling",
    13: "food",
    14: "group",
    15: "place",
    16: "abstract",
    17: "nature",
    18: "person",
    19: "nature",
    20: "plant",
    21: "abstract",
    22: "event",
    23: "amount",
    24: "abstract",
    25: "abstract",
    26: "state",
    27: "substance",
    28: "time",
    29: "body",
    30: "change",
    31: "thought",
    32: "speech",
    33: "contest",
    34: "eating",
    35: "touch",
    36: "making",
    37: "feeling",
    38: "motion",
    39: "sense",
    40: "owning",
    41: "dealing",
    42: "being",
    43: "weather",
}
BETTER_SORTS = [  # by something above the word, the first that fits
    ("game", "game"),
    ("sport", "sport"),
    ("beverage", "drink"),
    ("vehicle", "vehicle"),
    ("public_transport", "vehicle"),
    ("clothing", "clothing"),
    ("musical_instrument", "instrument"),
    ("music", "music"),
    ("color", "color"),
    ("disease", "illness"),
    ("geological_formation", "place"),
    ("body_of_water", "place"),
    ("building", "place"),
    ("room", "place"),
    ("way", "place"),
    ("area", "place"),
    ("structure", "place"),
    ("feeling", "feeling"),
    ("emotional_state", "feeling"),
    ("food", "food"),
    ("fruit", "food"),
    ("vegetable", "food"),
]
ROOFS = {  # what a word of this sort is a kind of, when nothing nearer can be said
    "activity": "activity",
    "animal": "animal",
    "body": "body part",
    "feeling": "feeling",
    "food": "food",
    "idea": "idea",
    "myth": "creature",
    "person": "person",
    "place": "place",
    "plant": "plant",
    "substance": "substance",
}
ALWAYS_COUNTED = {"person", "animal", "artifact", "vehicle", "place", "instrument", "clothing"}
MASS_SORTS = {"substance", "drink", "feeling", "quality", "state", "music", "sport", "illness"}
MASS_ENDINGS = ("ness", "ity", "ism", "ing", "ship", "hood", "cy", "ance", "ence", "ics", "age")


def find_sort(net: WordNet, key: str) -> str:
    """What manner of thing it is."""
    if key[0] == "a":
        return "quality"
    sort = SORTS[net.synsets[key].lex]
    if key[0] == "n":
        above = {
            word
            for up in [key, *net.ancestors(key, "@", "@i")]
            for word in net.synsets[up].words[:2]
        }
        if {"imaginary_being", "spiritual_being"} & above:
            return "myth"
        if sort in ("person", "body"):
            return sort
        if sort == "animal":  # tails and wings are filed among the animals too
            return "animal" if "animal" in above or "microorganism" in above else "body"
        return next((better for word, better in BETTER_SORTS if word in above), sort)
    return sort


def is_counted(net: WordNet, word: str, sort: str) -> bool:
    """Whether one says `a` before it; by how it is used, or by what it is."""
    if word in COUNTED or word in MASS:
        return word in COUNTED
    if sort in ALWAYS_COUNTED:
        return True
    seen, several = net.counted[word]
    if seen >= 12 and "_" not in word:
        return several / seen >= (0.12 if sort in MASS_SORTS else 0.06)
    return sort not in MASS_SORTS and not word.endswith(MASS_ENDINGS)
