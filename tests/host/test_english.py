"""Grammar for templates: forms that any speaker would use, regular and irregular."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core.sentences import all_of, one_of, sentence
from parlour.host.language import english
from parlour.host.language.english import (
    a,
    comparative,
    ing,
    past,
    plural,
    superlative,
    third,
)

ANY = st.text(max_size=20)


ARTICLES = """
    an hour/a unicorn/an owl/a one-legged man/a house/an honest man/a European/a university
    an umbrella/an uninvited guest/an unidentified object/a user/an usher/a ukulele/an utter bore
    an MP/an X-ray/a UFO/an heir/a hen/an apple/a year/an 8/an 11-year-old/an 18-hole course/a 1
    an 80/an onerous task/a once-great king/a U-turn/an NBA game/a lion/a ewe/an egg/a Eurasian
    an F/a useful idea/an urban myth/a uniform/an island"""


def test_the_article_follows_the_sound():
    phrases = [each.strip() for each in ARTICLES.replace("\n", "/").strip("/").split("/")]
    assert [a(phrase.split(" ", 1)[1]) for phrase in phrases] == phrases


PLURALS = """
dog dogs, cat cats, box boxes, church churches, dish dishes, bus buses, quiz quizzes, city cities,
boy boys, day days, baby babies, potato potatoes, hero heroes, piano pianos, photo photos,
child children, grandchild grandchildren, man men, policeman policemen, woman women, human humans,
foot feet, tooth teeth, goose geese, mongoose mongooses, mouse mice, ox oxen, person people,
sheep sheep, fish fish, goldfish goldfish, aircraft aircraft, series series, knife knives,
wolf wolves, bookshelf bookshelves, roof roofs, belief beliefs, leaf leaves, crisis crises,
stomach stomachs, monarch monarchs, Monday Mondays, cactus cacti, phenomenon phenomena, fly flies,
waltz waltzes, kiss kisses, mother-in-law mothers-in-law, German Germans, scarf scarves
"""


def test_plurals():
    pairs = [pair.split() for pair in PLURALS.split(",")]
    assert [(one, plural(one)) for one, _ in pairs] == [(one, many) for one, many in pairs]
    assert plural("ice cream") == "ice creams"
    assert plural("cup of tea") == "cups of tea"
    assert plural("head of state") == "heads of state"
    assert plural("snow man") == "snow men"


VERBS = """
go goes went going, run runs ran running, stop stops stopped stopping, play plays played playing,
try tries tried trying, carry carries carried carrying, make makes made making,
agree agrees agreed agreeing, die dies died dying, lie lies lay lying, see sees saw seeing,
be is was being, have has had having, do does did doing, prefer prefers preferred preferring,
visit visits visited visiting, open opens opened opening, travel travels travelled travelling,
panic panics panicked panicking, fix fixes fixed fixing, show shows showed showing,
teach teaches taught teaching, think thinks thought thinking, rewrite rewrites rewrote rewriting,
overtake overtakes overtook overtaking, understand understands understood understanding,
undo undoes undid undoing, wait waits waited waiting, rain rains rained raining,
quit quits quit quitting, dye dyes dyed dyeing, admit admits admitted admitting,
kidnap kidnaps kidnapped kidnapping, begin begins began beginning, eat eats ate eating,
swim swims swam swimming, win wins won winning, lose loses lost losing, love loves loved loving,
relay relays relayed relaying, wash washes washed washing, focus focuses focused focusing
"""


def test_verbs():
    rows = [tuple(row.split()) for row in VERBS.split(",")]
    assert [(verb, third(verb), past(verb), ing(verb)) for verb, *_ in rows] == rows


def test_of_a_verb_with_a_particle_the_verb_changes():
    assert (third("give up"), past("give up"), ing("give up")) == (
        "gives up",
        "gave up",
        "giving up",
    )


DEGREES = """
big bigger biggest, happy happier happiest, good better best, bad worse worst, old older oldest,
nice nicer nicest, simple simpler simplest, narrow narrower narrowest, clever cleverer cleverest,
quiet quieter quietest, blue bluer bluest, free freer freest, dry drier driest, shy shyer shyest,
hot hotter hottest, red redder reddest, easy easier easiest, wise wiser wisest, tall taller tallest,
unhappy unhappier unhappiest, sweet sweeter sweetest, far farther farthest
"""


def test_adjectives_that_take_an_ending():
    rows = [tuple(row.split()) for row in DEGREES.split(",")]
    assert [(each, comparative(each), superlative(each)) for each, *_ in rows] == rows


MORE = "beautiful important loyal tired interesting wooden afraid real modern careful far-fetched"


def test_adjectives_that_take_more_and_most():
    for adjective in MORE.split():
        assert comparative(adjective) == f"more {adjective}"
        assert superlative(adjective) == f"most {adjective}"


def test_lists_end_in_a_word():
    assert all_of([]) == ""
    assert all_of(["red"]) == "red"
    assert all_of(["red", "blue"]) == "red and blue"
    assert one_of(["red", "green", "blue"]) == "red, green or blue"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a whale is a mammal", "A whale is a mammal."),
        ("really?", "Really?"),
        ("I see…", "I see…"),
        (' he said "no." ', 'He said "no."'),
        ("écoute", "Écoute."),
        ("7 moves at most", "7 moves at most."),
        ("", ""),
    ],
)
def test_sentences_begin_with_a_capital_and_end(text, said):
    assert sentence(text) == said


def test_an_inflected_form_leads_back_to_its_word():
    """An inflection that is made leads back to the word it was made of."""
    for noun in ("whale", "mouse", "city", "knife", "child", "wolf", "crisis", "potato", "quiz"):
        assert noun in {found.word for found in english.find_entries(plural(noun))}
    for verb in ("run", "swim", "try", "stop", "teach", "make", "prefer", "die", "travel"):
        for form in (third(verb), past(verb), ing(verb)):
            assert verb in {found.word for found in english.find_entries(form)}, form
    for adjective in ("big", "happy", "good", "nice", "dry", "clever"):
        for form in (comparative(adjective), superlative(adjective)):
            assert adjective in {found.word for found in english.find_entries(form)}, form


@given(ANY)
def test_no_text_troubles_the_grammar(text):
    for form in (a, plural, third, past, ing, comparative, superlative, sentence):
        assert isinstance(form(text), str)
