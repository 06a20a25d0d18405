"""A talk with Benedict: he follows, remembers, is taught, and does not repeat himself."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.host.language import english
from parlour.host.language.line import normalise
from parlour.host.session import MAX_KEPT, Memories, Session, Statement, TaughtWord
from parlour.host.talk.dialogue import answer_consent, continue_talk, forget, open_talk
from parlour.host.talk.draft import load_templates
from parlour.host.talk.facts import answer_about_person
from parlour.host.talk.memory import find_statements, mirror
from parlour.host.talk.subjects import Subject, find_subject
from parlour.host.talk.topics import find_topic, find_unknown
from tests.conftest import LONG
from tests.host.talking import read_rows
from tests.host.talking import talk as hear

TEMPLATES = [line for lines in load_templates().values() for line in lines]
CONSENT = "May I remember what you tell me, for the next time you come?"
STATEMENTS = (
    """
it is very big|i am afraid of them|my mother likes it|i saw one yesterday|they never stop
we had one at home|it makes me happy|i don't know|because it is fun|i think so too
mine sleeps on the sofa all day|they are expensive|i used to do that|nobody told me|it hurts
there is one in the garden|coffee does not help|horses are really fast|i have 3 of them|haha
she died last year|what do they eat?|have you ever seen one?|are you a robot?|good|whatever
""".strip()
    .replace("\n", "|")
    .split("|")
)


def topic_of(session, text):
    """The word of the topic that a line brings."""
    entry = find_topic(session, normalise(text))
    return entry.word if entry else ""


def say(session: Session, text: str, meaning: str = "", **slots: str) -> tuple[Session, str]:
    """One line of a talk, understood as it plainly is."""
    session = session.replace(turn=session.turn + 1)
    if not meaning:
        meaning = text if text in ("yes", "no", "why") else "say"
        if meaning == "say" and (topic := topic_of(session, text)):
            meaning, slots = "topic", {"is": topic}
        elif meaning == "say" and find_unknown(session, normalise(text)):
            meaning = "unknown"
    answer = answer_consent(session, normalise(text))
    session, lines = answer or continue_talk(session, meaning, slots, normalise(text))
    assert lines
    assert all(lines)
    return session, "\n".join(lines)


def talk(*lines: str, seed: int = 0, memory: Memories | None = None) -> tuple[Session, list[str]]:
    """A whole talk, and what he said in it."""
    session, first = open_talk(Session(seed=seed, memory=memory or Memories()))
    said = ["\n".join(first)]
    for line in lines:
        session, reply = say(session, line)
        said.append(reply)
    return session, said


def on(topic: str, **more: object) -> Session:
    session, _ = open_talk(Session(), topic)
    return session.replace(**more)


@pytest.fixture(scope="module")
def words() -> list[str]:
    known = [line.partition("\t")[0] for line in english.unpack().decode().split("\n")]
    known = known if LONG else known[::20]
    return [word for word in known if (entry := english.look_up(word)) and entry.common > 3]


def test_a_talk_opens_with_the_question_that_was_promised():
    session, lines = open_talk(Session())
    assert lines == ("Okay, what do you want to talk about?",)
    assert session.mode == "talk"


@pytest.mark.parametrize(
    ("topic", "said"), [("whales", "hale"), ("running", "unning"), ("happier", "app")]
)
def test_a_talk_can_open_on_a_topic_in_any_inflection(topic, said):
    session, lines = open_talk(Session(), topic)
    assert session.talk.topic in ("whale", "run", "happy")
    assert said in lines[0]


def test_a_line_brings_a_topic_or_stays_with_the_present_one():
    wrong = [
        f"{' | '.join(row)}: {topic_of(on(row[0]), row[1])}"
        for row in read_rows("topics.txt")
        if topic_of(on(row[0]), row[1]) != row[2]
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_no_line_comes_back_within_ten_turns(words):
    for seed in range(200 if LONG else 10):
        source = random.Random(seed)
        session, _ = open_talk(Session(seed=seed))
        said: list[str] = []
        for _ in range(25):
            share = source.random()
            text = source.choice(STATEMENTS if share < 0.4 else ["yes", "no", "why", ""])
            text = source.choice(words) if share > 0.65 else text
            session, reply = say(session, text)
            for line in reply.split("\n"):
                earlier = [old for lines in said[-10:] for old in lines.split("\n")]
                assert line not in earlier, (seed, text)
            said.append(reply)


def test_not_even_to_the_same_line_over_and_over():
    for line in ("yes", "no", "why", "", "dogs", "it is big", "lol", "do you?"):
        _, said = talk("whales", *[line] * (40 if LONG else 15))
        for place, reply in enumerate(said):
            assert reply not in said[max(0, place - 10) : place], line


def test_sentences_are_whole(words):
    for seed, word in enumerate(random.Random(1).sample(words, 400 if LONG else 60)):
        _, said = talk(word, "yes", "it is nice", seed=seed)
        for line in (line for reply in said for line in reply.split("\n")):
            assert line[0].isupper() or line[0].isdigit(), line
            assert line[-1] in ".?'", line
            assert not re.search(r"[{}|~]|  | [,.;:?]|\.\.|\ba a\b|\bthe the\b|#", line), line


def test_mass_nouns_and_plurals_agree():
    for seed in range(6):
        said = " ".join(talk("music", "it is nice", "no", "yes", "so what", seed=seed)[1])
        assert not re.search(r"\bmusics?\s+(?:are|do|have)\b|\bmusics\b|\ba music\b", said)
        said = " ".join(talk("scissors", "it is nice", "no", "yes", seed=seed)[1])
        assert not re.search(r"\ba scissors\b|\bscissorses\b|\bscissors is\b", said)


# What was said, and what he makes of it.
TURNED = [
    ("whale", "I'm afraid of them, to be honest", "you are afraid of whales"),
    ("whale", "I am afraid of whales", "you are afraid of whales"),
    ("dog", "mine sleeps on the sofa all day long", "your dog sleeps on the sofa all day long"),
    ("dog", "my brother was bitten by one", "your brother was bitten by one"),
    ("music", "i was never any good at it", "you were never any good at music"),
    ("music", "I've played it since I was six", "you have played music since you were six"),
    ("sea", "I miss it", "you miss the sea"),
    ("dog", "i have a dog called biscuit", "you have a dog called Biscuit"),
    ("exam", "we have one on monday", "you have one on Monday"),
    ("whale", "you are wrong about them", ""),
    ("swim", "it is good for your back", ""),
    ("dog", "what do they eat?", ""),
    ("dog", "big brown dogs", ""),
    ("dog", "feed them twice a day", ""),
    ("dog", "ага, конечно", ""),
]


def test_words_are_turned_round_only_where_it_stays_grammatical():
    for topic, text, again in TURNED:
        assert mirror(text, find_subject(Memories(), topic)) == again


def test_what_was_said_of_a_topic_comes_back_when_the_talk_does():
    for seed in range(3):
        _, said = talk(
            "whales", "I am afraid of whales", "yes", "bread", "it is good", "it is cheap too",
            "i bake it on sundays", "rain", "whales", seed=seed,
        )  # fmt: skip
        assert "you are afraid of whales" in said[-1]


def test_it_comes_back_in_the_next_talk_too():
    memory = Memories(statements=(Statement("whale", "I am afraid of whales"),), agreed=True)
    _, said = talk("whales", memory=memory)
    assert "you are afraid of whales" in said[-1]


def test_what_cannot_be_turned_is_quoted():
    memory = Memories(
        statements=(Statement("swim", "good for your back, my doctor says"),), agreed=True
    )
    replies = [talk("swimming", memory=memory, seed=seed)[1][-1] for seed in range(5)]
    assert all("'Good for your back, my doctor says.'" in reply for reply in replies)


def test_likes_and_dislikes_are_kept_and_recalled():
    session, _ = say(on("whale"), "I adore whales", "like", what="whale")
    assert session.memory.likes == ("whale",)
    session, _ = say(session, "can't bear spiders", "dislike", what="spider")
    assert session.memory.dislikes == ("spider",)
    session, _ = say(session, "no, I hate whales", "dislike", what="whale")
    assert (session.memory.likes, session.memory.dislikes) == ((), ("spider", "whale"))
    _, said = talk("whales", memory=Memories(likes=("whale",), agreed=True))
    assert "you like whales" in said[-1].lower()


def test_a_name_is_kept_and_used():
    session, reply = say(on("happy"), "by the way I'm Tom", "name", **{"is": "Tom"})
    assert session.memory.name == "Tom"
    assert "Tom" in reply
    said = []
    for line in STATEMENTS * 2:
        session, reply = say(session, line)
        said.append(reply)
    assert any("Tom" in reply for reply in said)


@pytest.mark.parametrize(
    ("text", "name"), [("Tom", "Tom"), ("i'm rose", "Rose"), ("zoltan", "Zoltan"), ("dogs", "")]
)
def test_he_takes_a_name_for_a_name_only_when_he_asked_for_it(text, name):
    base = on("rain")
    asked = base.replace(talk=replace(base.talk, asked="who.0|rain|"))
    assert bool(topic_of(asked, text)) is (name == "")
    assert say(asked, text)[0].memory.name == name
    assert say(base, "dogs")[0].memory.name == ""


def test_he_asks_for_a_name_once():
    said = [talk("rain", *STATEMENTS, *STATEMENTS, seed=seed)[1] for seed in range(2)]
    asked = [len(re.findall(r"what may I call you|your name\?", " ".join(s))) for s in said]
    assert max(asked) == 1


@pytest.mark.parametrize("name", ["", " ", "x" * 500, "12", "\x00", "fuck"])
def test_an_odd_name_does_no_harm(name):
    session, _ = say(on("happy"), "call me that", "name", **{"is": name})
    assert len(session.memory.name) <= 30
    assert session.memory.name.isalpha() or session.memory.name == ""


def test_a_name_given_in_a_game_leaves_the_game_alone():
    session, lines = continue_talk(
        Session(mode="game"), "name", {"is": "Tom"}, normalise("I am Tom")
    )
    assert (session.mode, session.memory.name) == ("game", "Tom")
    assert "?" not in "".join(lines)


def test_statements_are_found_by_a_word_in_them():
    memory = Memories(
        statements=(Statement("dog", "mine sleeps on the sofa"), Statement("rain", "it is wet"))
    )
    assert find_statements(memory, "sofas") == (memory.statements[0],)
    assert find_statements(memory, "snow") == ()
    assert find_statements(memory, "nothing at all known") == ()


@pytest.mark.parametrize(("answer", "agreed"), [("yes", True), ("no", False), ("dogs", None)])
def test_he_asks_once_whether_he_may_remember(answer, agreed):
    for seed in range(2):
        session, said = talk(
            "whales", "I am afraid of whales", answer, *STATEMENTS[:12], "cats", seed=seed
        )
        assert CONSENT in said[2]
        assert "\n".join(said).count(CONSENT) == 1
        assert session.memory.agreed is agreed


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_he_asks_as_soon_as_a_taste_is_known(answer):
    base = on("whale")
    for asked in ("like.0", "like-doing.0", "like-adjective.0"):
        session = base.replace(talk=replace(base.talk, asked=f"{asked}|whale|"))
        assert say(session, answer)[1].endswith(CONSENT)


def test_he_does_not_ask_while_nothing_personal_was_said():
    _, said = talk("whales", "they are big", "they sing", "dogs", "they bark", "why")
    assert CONSENT not in "\n".join(said)


def test_a_noun_is_taught_and_used():
    session, said = talk("frindle", "it's a noun", "a kind of pen")
    assert "frindle" in said[1].lower()
    assert session.memory.words == (TaughtWord("frindle", "noun", "pen"),)
    assert "a frindle is a kind of pen" in said[3].lower()
    assert topic_of(session, "what about frindles?") == "frindle"
    assert topic_of(session, "Frindles") == "frindle"
    later, said = talk("pens", "frindles", memory=session.memory)
    assert "frindles" in said[2].lower()
    assert later.talk.topic == "frindle"


def test_a_bare_word_he_does_not_know_is_asked_about_however_it_was_understood():
    for meaning in ("say", "unknown"):
        _, reply = say(on("whale"), "frindles", meaning)
        assert "frindles" in reply.lower()
        assert "noun, a verb or an adjective" in reply
    for noise in ("meh", "lol", "Hmm...", "asdf", "zzzz"):
        assert "a noun, a verb" not in say(on("whale"), noise, "say")[1]


def test_a_yes_that_says_more_is_remembered():
    session, _ = say(on("whale"), "yes, I am quite afraid of them", "yes")
    assert session.memory.statements == (Statement("whale", "I am quite afraid of them"),)
    for text in ("of course I do", "no i don't think so", "not at all"):
        assert say(on("whale"), text, "no")[0].memory.statements == ()


def test_a_verb_and_an_adjective_are_taught():
    session, _ = talk("blorf", "a verb", "to run", "snorgly", "adjective", "like soft")
    assert session.memory.words == (
        TaughtWord("blorf", "verb", "run"),
        TaughtWord("snorgly", "adjective", "soft"),
    )
    assert topic_of(session, "blorfing") == "blorf"
    assert topic_of(session, "blorfed") == "blorf"
    assert topic_of(session, "snorglier") == "snorgly"


def test_a_word_can_be_taught_in_one_sentence():
    session, _ = talk("glonk", "it is a kind of bird")
    assert session.memory.words == (TaughtWord("glonk", "noun", "bird"),)


def test_he_mentions_a_taught_word_where_it_belongs():
    memory = Memories(words=(TaughtWord("frindle", "noun", "pen"),), agreed=True)
    said = [talk("pens", "they write", "so", "no", seed=s, memory=memory)[1] for s in range(8)]
    assert any("a frindle is a kind of pen" in " ".join(lines).lower() for lines in said)


@pytest.mark.parametrize("answer", ["no", "i don't know", "let's talk about dogs", "ehh", "???"])
def test_a_lesson_can_be_declined(answer):
    session, said = talk("frindle", answer, "whatever you say", "dogs")
    assert session.talk.topic == "dog"
    assert session.memory.words == ()
    assert said[-1]


def test_an_insult_is_neither_taught_nor_kept():
    session, said = talk("whales", "you fucking bastard", "fuck", "they are big")
    assert "fuck" not in " ".join(said).lower()
    assert all("fuck" not in each.words for each in session.memory.statements)
    assert session.memory.words == ()


def test_yes_and_no_answer_his_question():
    base = on("whale")
    like = base.replace(talk=replace(base.talk, asked="like.0|whale|"))
    assert say(like, "yes")[0].memory.likes == ("whale",)
    assert say(like, "no")[0].memory.dislikes == ("whale",)
    going = base.replace(talk=replace(base.talk, asked="shall.0|whale|dolphin"))
    assert say(going, "yes")[0].talk.topic == "dolphin"
    assert say(going, "no")[0].talk.topic == "whale"
    game = base.replace(talk=replace(base.talk, asked="game-quiet.0|whale|"))
    assert "nim" in say(game, "yes")[1]
    kept = base.replace(talk=replace(base.talk, asked="animal.0|whale|"))
    session, reply = say(kept, "yes")
    assert "more about them than my dictionary" in reply
    assert session.memory.statements == (Statement("whale", "I have kept a whale"),)
    assert "the felt would not survive it" in say(kept, "no")[1]


def test_why_is_answered_by_the_reason_for_his_last_line():
    base = on("whale")
    for line in (line for line in TEMPLATES if line.why and "{" not in line.why):
        asked = base.replace(talk=replace(base.talk, asked=f"{line.id}|whale|dog", recent=()))
        assert line.why in say(asked, "why")[1]


def test_a_question_stands_while_its_reason_is_given():
    base = on("whale")
    asked = base.replace(talk=replace(base.talk, asked="shall.0|whale|dolphin"))
    session, _ = say(asked, "why")
    assert say(session, "yes")[0].talk.topic == "dolphin"


def test_he_turns_to_games_where_the_topic_does():
    for word, game in (("sticks", "sticks"), ("coins", "nim"), ("fingers", "chopsticks")):
        assert game in open_talk(Session(), word)[1][0].lower()
    for word in ("rain", "grandmother", "bread"):
        for seed in range(3):
            said = open_talk(Session(seed=seed), word)[1][0]
            assert not re.search(r"\b(?:nim|othello|Shall we play)\b", said)


def test_a_long_quiet_talk_is_offered_a_game_once():
    _, said = talk("rain", *["yes", "no", "hm", "no"] * 8)
    offers = [line for line in said if re.search(r"shall we play|Would a game|board is free", line)]
    assert len(offers) == 1


def test_forget_me_forgets_everything_personal():
    session, _ = talk("frindle", "noun", "a pen", "my frindle is blue", "yes", "whales")
    session, _ = say(session, "I'm Tom", "name", **{"is": "Tom"})
    session, _ = say(session, "I love whales", "like", what="whale")
    session, lines = forget(session)
    assert lines
    assert session.memory == Memories()
    assert "Tom" not in session.to_json()
    assert "frindle" not in session.to_json()
    say(session, "why")


def test_the_same_session_says_the_same_and_can_be_stored():
    one, first = talk("whales", *STATEMENTS, "dogs", "frindle", "noun", "pen", seed=7)
    two, second = talk("whales", *STATEMENTS, "dogs", "frindle", "noun", "pen", seed=7)
    assert (one, first) == (two, second)
    again = Session.from_json(one.to_json())
    assert again == one
    assert say(again, "why")[1] == say(one, "why")[1]
    assert first != talk("whales", *STATEMENTS, "dogs", "frindle", "noun", "pen", seed=8)[1]


def test_a_session_does_not_grow_without_end():
    """At most 200 of anything are kept."""
    session, _ = talk("whales", *STATEMENTS * (25 if LONG else 8))
    assert len(session.memory.statements) <= MAX_KEPT
    assert len(session.to_json()) < 200_000


@given(st.lists(st.one_of(st.text(max_size=60), st.sampled_from(STATEMENTS)), max_size=8))
def test_anything_can_be_said(lines):
    session, _ = talk(*lines)
    assert session.mode == "talk"
    assert Session.from_json(session.to_json()) == session


def test_statements_keep_their_stored_name():
    session = Session(memory=Memories(statements=(Statement("dog", "they bark"),)))
    stored = json.loads(session.to_json())["memory"]
    assert stored["told"] == [{"topic": "dog", "words": "they bark"}]
    assert "statements" not in stored
    assert Session.from_json(session.to_json()) == session


def test_a_wordless_line_is_not_understood_and_an_empty_one_is_a_silence():
    assert say(on("whale"), "🐋🐋")[1].startswith("I don't understand\n")
    assert not say(on("whale"), "")[1].startswith("I don't understand")


def test_an_irregular_topic_is_spoken_of_in_its_own_forms():
    assert Subject(english.look_up("mouse")).phrase == "mice"
    assert Subject(english.look_up("music")).phrase == "music"
    assert Subject(english.look_up("swimming")).phrase == "swimming"
    assert Subject(english.look_up("sea")).phrase == "the sea"
    assert Subject(english.look_up("Monday")).phrase == "Monday"


# What a critical reader found.
KNOWN = Memories(name="Ada", likes=("cheese",), dislikes=("rain",), agreed=True)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("what is my name?", "You are Ada."),
        ("who am I?", "You are Ada. You like cheese, and not rain."),
        ("What do I like?", "You like cheese, and not rain."),
        ("what do you know about me?", "You are Ada. You like cheese, and not rain."),
        ("so what do you remember?", "You are Ada. You like cheese, and not rain."),
        ("do I like rain?", "You told me that you do not like rain."),
    ],
)
def test_he_answers_from_the_memory_in_a_talk_and_outside(text, answer):
    assert answer_about_person(Session(memory=KNOWN), normalise(text)) == (answer,)
    assert say(on("whale", memory=KNOWN), text)[1] == answer
    assert not answer_about_person(Session(), normalise(text))[0].startswith(
        ("You are", "You like")
    )


@pytest.mark.parametrize("text", ["what is a name?", "what do you know about bees?", "I like it"])
def test_other_questions_are_not_about_the_person(text):
    assert answer_about_person(Session(memory=KNOWN), normalise(text)) is None


def test_the_question_of_leave_is_closed_when_something_else_is_said():
    for seed in range(4):
        session, said = talk("dogs", "I have a dog called Rex", seed=seed)
        assert CONSENT in said[-1]
        session, _ = say(session, "my name is Tom", "name", **{"is": "Tom"})
        assert say(session, "yes")[0].memory.agreed is None


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("what is your favourite colour?", ["their-colour"]),
        ("what is your favourite food?", ["their-favourite"]),
        ("do you dream?", ["their-being"]),
        ("do you ever get tired", ["their-being"]),
        ("are you happy?", ["their-are"]),
        ("how are you?", ["their-how"]),
        ("you are stupid", ["insult"]),
        ("forget it", ["dropped"]),
        ("three", ["shape-count"]),
        ("I am sad", ["grave"]),
        ("my cat died", ["grave"]),
    ],
)
def test_what_is_said_first_to_questions_about_him_insults_and_grief(text, sections):
    for seed in range(2):
        session = on("joke", seed=seed)
        reply = say(session, text)[1]
        firsts = [line.text.split("{")[0] for name in sections for line in load_templates()[name]]
        assert any(reply.startswith(first) for first in firsts if first) or "Three" in reply
        assert CONSENT not in reply


def test_tell_me_more_tells_more_of_the_topic():
    for seed in range(3):
        session, _ = talk("whales", "they are big", seed=seed)
        session, reply = say(session, "tell me more")
        assert session.talk.topic == "whale"
        assert not re.search(r"your name|may I call you", reply)


@pytest.mark.parametrize("text", ["мир", "12345", "\x1b[2J", "ghjkl qwrt", "zzzz", "asdf"])
def test_nonsense_is_no_news(text):
    lines = say(on("river"), text, "say")[1].split("\n")
    assert lines[0] == "I don't understand"
    assert len(lines) == 2


def test_a_misspelt_topic_is_asked_about_or_taken():
    session, reply = say(on("rain"), "elefants")
    assert reply in ("Do you mean elephants?", "Would that be elephants?")
    assert say(session, "yes")[0].talk.topic == "elephant"
    assert say(session, "I liek them")[0].memory.likes == ("elephant",)
    assert "noun, a verb or an adjective" in say(session, "no")[1]
    assert say(on("rain"), "beutiful")[0].talk.topic == "beautiful"
    assert say(on("rain"), "runing")[0].talk.topic == "run"


@pytest.mark.parametrize(
    ("topic", "wrong"),
    [
        ("goose", "a bird and"), ("justice", "injustices"), ("ice cream", "ice creams"),
        ("winning", "winnings"), ("rivers", "price|of your own|mend a river"),
        ("bananas", "makes the best"), ("summer", "summers"),
    ],
)  # fmt: skip
def test_no_line_is_used_for_a_topic_it_does_not_fit(topic, wrong):
    for seed in range(40 if LONG else 5):
        said = " ".join(talk(topic, "go on", "more", "tell me more", "no", seed=seed)[1])
        assert not re.search(wrong, said.lower())


def test_small_numbers_are_words_and_an_animal_is_no_it():
    for seed in range(6):
        assert not re.search(r"\b2\b", say(on("music", seed=seed), "in a band with 2 friends")[1])
        assert "speak of it" not in say(on("dog", seed=seed), "he is called Bruno")[1]


def test_they_means_the_topic_mentioned_last():
    for seed in range(3):
        session, _ = talk("gardens", "I grow tomatoes in mine", "yes", seed=seed)
        session, reply = say(session, "they taste of something")
        assert "gardens taste" not in reply.lower()
        assert session.memory.statements[-1].words == "tomatoes taste of something"
    session, _ = talk("dogs", "they chase cats", "they bark all night")
    assert session.memory.statements[-1] == Statement("dog", "they bark all night")


def test_nothing_is_promised_before_leave_is_given():
    assert [line for line in TEMPLATES if "I shall remember" in f"{line}"] == []
    for seed in range(4):
        for lines in (["my name is Bob"], ["lets talk", "i hate bosses"]):
            said = hear(*lines, seed=seed).lines
            assert said[-1] == CONSENT
            assert not re.search(r"I shall (?:remember|bear|keep)", " ".join(said))


def test_statements_of_a_topic_come_before_those_of_others():
    memory = Memories(
        statements=(
            Statement("whale", "whales sing songs"),
            Statement("dog", "my dog fears whales"),
        )
    )
    answer = answer_about_person(Session(memory=memory), normalise("what did I say about whales?"))
    assert answer == ("You told me whales sing songs.",)
    answer = answer_about_person(Session(memory=memory), normalise("what did I say about cats?"))
    assert answer == ("You have told me nothing about cats yet.",)


def test_asked_what_he_knows_he_repeats_what_was_said():
    memory = Memories(
        name="Zoe",
        statements=(Statement("love", "my wife is ill"), Statement("sea", "it was cold")),
    )
    question = normalise("what do you know about me?")
    (answer,) = answer_about_person(Session(memory=memory), question)
    assert answer.startswith("You are Zoe.")
    assert "your wife is ill" in answer
    assert "the sea was cold" in answer


@pytest.mark.parametrize("text", ["I am sick of rain", "she works in a hospital", "I am not ill"])
def test_not_everything_with_a_hard_word_is_grave(text):
    assert not say(on("rain"), text)[1].startswith(
        tuple(line.text for line in load_templates()["grave"])
    )
