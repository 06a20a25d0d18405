"""Sentences that ask for a move are read as that move, and no other sentence is."""

import itertools

import pytest

from parlour.host import reply
from parlour.host.language.line import correct, normalise
from parlour.host.understand import intent, understand
from parlour.host.understand.grammar import Unclear
from parlour.host.understand.moves import MoveReading, read_move_sentence, read_supposed_move
from tests.conftest import LONG
from tests.host.talking import read_rows, talk
from tests.host.test_phrases import scene_of


def read_sentence(where, typed):
    """The move that a sentence means as a whole, `illegal`, or `none`."""
    _, scene = scene_of(where)
    found = read_move_sentence(scene.game, scene.state, normalise(typed))
    if found is None or found.leftover:
        return "none"
    return "illegal" if isinstance(found, Unclear) else found.move


def is_right(where, typed, wanted):
    if reason := wanted.partition("because ")[2]:
        meaning = understand(*scene_of(where), normalise(typed))
        said = meaning.slots.get("reason", "")
        return meaning.intent in ("illegal", "unclear") and reason in said and said[-1] != "."
    move, besides, word = wanted.partition(" besides ")
    if besides:
        _, scene = scene_of(where)
        found = read_move_sentence(scene.game, scene.state, normalise(typed))
        return found.move == move and word in found.leftover
    return read_sentence(where, typed) == wanted


def test_every_sentence_means_its_move_and_no_other():
    rows = read_rows("moves.txt")
    wrong = [f"{' | '.join(row)}: {read_sentence(*row[:2])}" for row in rows if not is_right(*row)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("what if I took two from the last?", "2 from 3"),
        ("suppose I cleared the first pile, what would you do then?", "3 from 1"),
        ("would it be silly to take one from the middle", "1 from 2"),
    ],
)
def test_a_supposed_move_is_found_and_not_played(said, move):
    _, scene = scene_of("nim 3,4,5:1")
    line = normalise(said)
    assert read_supposed_move(scene.game, scene.state, line).move == move
    assert read_move_sentence(scene.game, scene.state, line) is None


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("the same again, please", "2"),
        ("same as last time", "2"),
        ("one less than last time", "1"),
        ("one more than before", "3"),
    ],
)
def test_a_move_may_be_said_by_the_one_before(said, move):
    _, scene = scene_of("sticks 14:1")
    assert read_move_sentence(scene.game, scene.state, normalise(said), last="2").move == move
    assert not isinstance(read_move_sentence(scene.game, scene.state, normalise(said)), MoveReading)


@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        ("Two, please. Now!", ["2", "please", "now"]),
        ("e6 (really)", ["e 6", "really"]),
        ("3,4,5", ["3 4 5"]),
        ("1,000 coins, 2.5", ["1000 coins", "2.5"]),
        ("100,200 and 300", ["100 200 and 300"]),
        ("two dozen", ["24"]),
    ],
)
def test_a_line_knows_its_clauses(said, clauses):
    line = normalise(said)
    assert [" ".join(words) for words, _ in line.clauses if words] == clauses
    assert line.words == tuple(word for words, _ in line.clauses for word in words)


HEARD = """
-1 from 2 | -1 from 2, 1.5 from −2 | 1.5 from -2, two and a half | 2.5, minus three | -3, 3½ | 3.5
negative 4 then | -4 then, the pile minus 2 | the pile minus 2, 2-0 | 2 0, 3-4-5 | 3 4 5
3.4.5 | 3 4 5, A-C | a c, E-6 | e 6, 2024-05-06 | 2024 05 06, one-at-a-time | 1 at a time
twenty-one sticks - 2 now | 21 sticks 2 now, two and half of the pile | 2 and half of the pile
the bigger one | the bigger one, a nice one | a nice one, the number one | the number 1
over one | over 1
"""


def test_a_number_is_heard_with_its_sign_and_fraction():
    wrong = []
    for row in HEARD.strip().replace("\n", ", ").split(", "):
        typed, words = row.split(" | ")
        heard = normalise(typed).words
        if " ".join(heard) != words or normalise(words).words != heard:  # heard again, the same
            wrong.append(f"{row}: {heard}")
    assert not wrong, "\n".join(wrong)


def test_a_letter_left_out_of_a_short_word_is_put_back_where_one_word_fits():
    known = {"hint", "hit", "hat", "board", "bored", "born", "word", "pile", "pale", "hints"}
    assert correct(["hits"], known)[0] != ("hints",), "a consonant is not so easily left out"
    assert correct(["hnt"], known)[0] == ("hint",)
    assert correct(["bord"], known)[0] == ("board",)
    assert correct(["ple"], {"pile", "pale"})[0] == ("ple",), "either may be meant"
    assert correct(["2.5", "-10"], {"2.6", "-11"})[0] == ("2.5", "-10")


@pytest.mark.parametrize("word", ["board", "chopsticks", "resign", "whale", "ééclair"])
def test_a_slip_in_a_long_word_is_read_as_the_only_word_near_it(word):
    slips = {word[:at] + letter + word[at + 1 :] for at in range(len(word)) for letter in "aqzß"}
    slips |= {word[:at] + letter + word[at:] for at in range(len(word) + 1) for letter in "aqzß"}
    slips |= {word[:at] + word[at + 1 :] for at in range(len(word))}
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    for slip in slips.union(swapped):
        assert correct([slip], {word, "somewhere"})[0] == (word,), slip


def test_going_on_as_before_is_not_playing_again():
    for said in ("another 2", "same again, 2", "only one this time", "another two please"):
        assert intent.MOVES["goes on"].search(" ".join(normalise(said).words)), said
    for said in ("another", "another one", "same again", "another 2 games", "again with 30 sticks"):
        assert not intent.MOVES["goes on"].search(" ".join(normalise(said).words)), said


# A move and a question after it: both, in order, unless the question weighs the move.
BEGINNINGS = {
    "nim 3 5 7, I begin": ("1 from 3", "1 from pile 3 again", "take one from the last pile"),
    "sticks with 20": ("2", "I take two"),
    "chopsticks": ("hit left right", "I hit your right hand with my left"),
    "tic-tac-toe": ("b2", "the middle one please"),
    "othello, I begin": ("d3", "I'll go d3"),
}
QUESTIONS = (
    ("Why do you always win?", "."),
    ("who is winning?", "."),
    ("who's winning", "."),
    ("whose turn is it?", "It is your move."),
    ("what is my name?", "You have not told me"),
    ("was that a good move?", "You played "),
)


@pytest.mark.slow
@pytest.mark.parametrize("game", BEGINNINGS)
def test_a_move_before_a_question_is_played_and_then_the_question_is_answered(game):
    session = talk(game).session
    exact, *others = BEGINNINGS[game]
    alone = reply(session, exact)
    moves = itertools.cycle((exact, *others))
    for (asked, wanted), move in zip(QUESTIONS, moves, strict=False):
        both = reply(session, f"{move}. {asked}")
        assert both.session.table == alone.session.table
        assert both.lines[: len(alone.lines)] == alone.lines
        assert both.board == alone.board
        answer = " ".join(both.lines[len(alone.lines) :])
        assert wanted in answer
        assert "understand" not in answer


SPOKEN_OF = """
{}. is that good?|{}, what will you do|after {}, what will you do|and after {}|so {} and then what
{}, would that win?|what about {}. who is winning?|if i play {}. who is winning?
he said {}. who is winning?|"{}". who says that?|{}? who is winning?|not {}. who is winning?
my friend plays {}. who is winning?|before {}, who was winning
"""


def test_a_move_that_is_only_spoken_of_before_a_question_is_not_played():
    sentences = SPOKEN_OF.strip().replace("\n", "|").split("|")
    games = list(BEGINNINGS)
    wrong = []
    for number, sentence in enumerate(sentences):
        for game in (games[(number + step) % 5] for step in range(5 if LONG else 2)):
            session, line = talk(game).session, sentence.format(BEGINNINGS[game][0])
            if reply(session, line).session.table != session.table:
                wrong.append(f"{game} > {line}")
    assert not wrong, "\n".join(wrong)
