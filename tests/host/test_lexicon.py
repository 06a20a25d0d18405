"""The lexicon: truths about English that any speaker would sign, and no insults."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.host.language import english
from parlour.host.language.english import RELATIONS, WordSense, find_entries, look_up
from tests.conftest import LONG

EVERYDAY = {
    "noun": """
        dogs cat whales music football happiness rain computers tea war friends school mother chess
        homework children mice knives feet geese women people houses cities babies potatoes boxes
        money water bread cheese apples car bicycle trains king queens winter summer Monday France
        love fear hope dream sun moon stars sea mountains flower trees birds spiders unicorns
        guitars songs stories books films colours teachers doctors nim chopsticks
    """,
    "verb": """
        run ran running runs eat ate eaten eating went goes swim swam stopped stopping tried tries
        taught thought wrote written sang dancing loves making lying died cooked travelled preferred
        sleeping slept bought lost won forgotten laughing argued
    """,
    "adjective": """
        happy happier happiest big bigger biggest old beautiful blue better best worse worst hot
        colder nicer simplest angriest funny boring clever rich hungry dry drier
    """,
}


def entry(text: str, kind: str = "noun") -> WordSense:
    return next(found for found in find_entries(text) if found.kind == kind)


INSULTS = """
whore bastard moron cretin slut bitch nigger faggot cripple wanker kike retard cunt shit fuck
"""


SHARE = 20  # one word in so many is looked at, in a long run each


@pytest.fixture(scope="module")
def everything() -> list[WordSense]:
    words = [line.partition("\t")[0] for line in english.unpack().decode().split("\n")]
    words = words if LONG else words[::SHARE]
    return [found for word in words for found in find_entries(word) if found.word == word]


def test_everyday_words_are_known_in_any_inflection():
    unknown = [
        word
        for kind, words in EVERYDAY.items()
        for word in words.split()
        if kind not in {found.kind for found in find_entries(word)}
    ]
    assert unknown == []


READINGS = """
whales, whale, noun|Running, run, verb|HAPPIER, happy, adjective|mice, mouse, noun|a run, run, noun
children, child, noun|better, good, adjective|worst, bad, adjective|went, go, verb
knives, knife, noun|leaves, leaf, noun|stopped, stop, verb|lying, lie, verb|words, word, noun
building, building, noun|bored, bored, adjective|roses, rose, noun|dog's, dog, noun
  Ice-Creams! , ice cream, noun|the dogs, dog, noun|to dream, dream, verb|monday, Monday, noun
FRANCE, France, noun
"""


def test_the_likeliest_reading_comes_first():
    for row in READINGS.strip("\n").replace("\n", "|").split("|"):
        text, word, kind = row.split(", ")
        found = look_up(text)
        assert found is not None, text
        assert (found.word, found.kind) == (word, kind), text


def test_a_word_of_several_kinds_has_an_entry_for_each():
    assert {found.kind for found in find_entries("love")} == {"noun", "verb"}
    assert {found.kind for found in find_entries("dry")} == {"adjective", "verb"}


IS_A = """
whale mammal, dog animal, cat animal, spider animal, shark fish, rose plant, oak tree, football
sport, chess game, nim game, tea beverage, coffee beverage, computer machine, guitar musical
instrument, rain weather, happiness feeling, fear emotion, mother parent, teacher person, king
ruler, France country, Monday weekday, table furniture, hammer tool, car vehicle, ship vehicle,
gold metal, apple fruit, poem writing, murder crime, water liquid, music art, heart organ
"""


def test_things_are_of_their_kind():
    for pair in IS_A.split(","):
        word, *above = pair.split()
        assert " ".join(above) in _above(word), word


def _above(word: str, steps: int = 3) -> set[str]:
    """What a word is a kind of, and what that is a kind of."""
    found = set(entry(word).is_a)
    if steps:
        for up in list(found):
            found |= _above(up, steps - 1)
    return found


def test_the_sense_is_the_everyday_one():
    for pair in ("dog chap", "whale person", "chess grass", "tea meal", "cat person"):
        word, never = pair.split()
        assert never not in _above(word), word


def test_narrower_kinds_are_listed_below_a_word():
    assert "poodle" in entry("dog").kinds
    assert {"tennis", "chess", "football"} <= set(entry("game").kinds)
    assert {"daisy", "orchid"} <= set(entry("flower").kinds)


def test_parts_and_wholes():
    assert "vehicle" in entry("wheel").part_of
    assert "wheel" in entry("bicycle").parts
    assert {"wing", "feather", "beak"} <= set(entry("bird").parts)
    assert "forest" in entry("tree").part_of
    assert "leg" in entry("table").parts


OPPOSITES = {
    "adjective": "hot cold|old young|old new|happy sad|big small|beautiful ugly",
    "verb": "win lose|love hate",
    "noun": "war peace|king queen|friend enemy",
}


def test_opposites_are_opposite_both_ways():
    for kind, pairs in OPPOSITES.items():
        for one, two in map(str.split, pairs.split("|")):
            assert two in entry(one, kind).opposites, one
            assert one in entry(two, kind).opposites, two


def test_words_near_it():
    assert "physician" in entry("doctor").same
    assert {"red", "green"} <= set(entry("blue", "adjective").beside)
    assert "lion" in entry("tiger").beside
    assert "runner" in entry("run", "verb").kin
    assert "happiness" in entry("happy", "adjective").kin


SORTS = {
    "animal": "dog whale spider shark",
    "person": "friend mother teacher king",
    "food": "bread cheese apple pizza",
    "drink": "tea coffee wine milk",
    "plant": "tree rose grass",
    "place": "city mountain sea kitchen France",
    "feeling": "happiness fear love anger",
    "game": "chess football nim",
    "vehicle": "car ship train",
    "body": "heart hand nose wing",
    "substance": "sand oxygen steel",
    "myth": "unicorn dragon vampire",
    "time": "winter Monday hour",
}


def test_the_sort_of_a_thing():
    wrong = {
        word: entry(word).sort
        for sort, words in SORTS.items()
        for word in words.split()
        if entry(word).sort != sort
    }
    assert wrong == {}


def test_things_that_can_be_counted():
    many = "dog whale computer friend school song hat unicorn city game idea chair war wedding"
    much = "water music homework happiness rain furniture money chess oxygen swimming France"
    assert [word for word in many.split() if not entry(word).counted] == []
    assert [word for word in much.split() if entry(word).counted] == []


def test_verbs_that_have_an_object_and_verbs_that_have_none():
    assert entry("eat", "verb").transitive
    assert entry("love", "verb").transitive
    assert not entry("sleep", "verb").transitive
    assert not entry("swim", "verb").transitive


def test_names_are_spelt_as_names():
    assert entry("monday").name
    assert not entry("dog").name
    assert "Europe" in entry("france").part_of


def test_every_word_that_is_related_to_another_can_be_talked_about_and_is_no_insult(everything):
    related = {word for found in everything for word in found.related}
    assert len(related) > 1000
    assert {word for word in related if look_up(word) is None} == set()
    parts = {part for words in related for part in words.split()}
    assert parts.isdisjoint(INSULTS.split())


def test_no_word_is_related_to_itself(everything):
    circles = [
        (found.word, relation)
        for found in everything
        for relation in RELATIONS
        if found.word in getattr(found, relation)
    ]
    assert circles == []


def test_there_are_tens_of_thousands_of_words(everything):
    many = dict.fromkeys(EVERYDAY, 0)
    for found in everything:
        many[found.kind] += 1 if LONG else SHARE
    assert many["noun"] > 20_000
    assert many["verb"] > 4_000
    assert many["adjective"] > 5_000


def test_no_insult_is_a_topic():
    insults = INSULTS.split()
    assert [word for word in insults if look_up(word) or look_up(word + "s")] == []
    assert all(english.is_rude(word.upper()) for word in insults)


def test_harmless_words_are_not_rude():
    assert not any(english.is_rude(word) for word in ("dog", "cup of tea", "", "zzgl"))


def test_a_harmless_word_keeps_its_harmless_sense():
    assert entry("pansy").sort == "plant"
    assert entry("cracker").sort == "food"
    assert entry("spade").sort == "artifact"


GARBAGE = ["", " ", "\x00", "\n\n", "whale\twhale", "x" * 100_000, "dog " * 50_000, "\ud800"]
GARBAGE += "asdfgh 42 the a … - 's s ing ß кит 鯨 dog|cat =nmouse !".split()


def test_garbage_is_no_topic():
    for text in GARBAGE:
        assert look_up(text) is None, text[:20]
        assert not english.is_rude(text), text[:20]


@given(st.text(max_size=80))
def test_any_text_is_looked_up_without_complaint(text):
    found = look_up(text)
    assert found is None or found.word
    assert english.is_rude(text) in (True, False)


def test_the_file_is_small_and_carries_its_licence():
    assert english.FILE.stat().st_size < 1_500_000
    licence = english.FILE.with_name("LEXICON-LICENSE.txt").read_text()
    assert "Princeton" in licence
    assert "AS IS" in licence
