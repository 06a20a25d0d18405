"""Sentences that ask for a move are read as that move, and no other sentence is."""

from __future__ import annotations

import pytest

from parlour.host import Session, reply
from parlour.host.language.line import correct, normalise
from parlour.host.understand import intent, understand
from parlour.host.understand.grammar import Unclear
from parlour.host.understand.moves import MoveReading, read_move_sentence, read_supposed_move
from tests.host.test_phrases import scene_of

# where | said | the move, or `illegal` for one that is understood and not allowed
MOVES = """
nim 3,4,5:1 | two from the last pile, I think | 2 from 3
nim 3,4,5:1 | from the middle one I'll remove three | 3 from 2
nim 3,4,5:1 | I'd love to relieve the third heap of 4 coins | 4 from 3
nim 3,4,5:1 | take the first pile | 3 from 1
nim 3,4,5:1 | get rid of heap two | 4 from 2
nim 3,4,5:1 | remove everything from the leftmost one | 3 from 1
nim 3,4,5:1 | all but two of the five | 3 from 3
nim 3,4,5:1 | everything except one from pile 2 | 3 from 2
nim 3,4,5:1 | reduce pile 3 to 1 | 4 from 3
nim 3,4,5:1 | reduce pile 3 by 1 | 1 from 3
nim 3,4,5:1 | cut the largest down to two | 3 from 3
nim 3,4,5:1 | turn the five into a two | 3 from 3
nim 3,4,5:1 | take pile 2 from 4 to 1 | 3 from 2
nim 3,4,5:1 | make it 3, 4 and 1 | 4 from 3
nim 3,4,5:1 | leave 1 4 5 | 2 from 1
nim 3,4,5:1 | halve the second pile | 2 from 2
nim 3,4,5:1 | half of the middle heap | 2 from 2
nim 3,4,5:1 | second from the right, take 2 | 2 from 2
nim 3,4,5:1 | a coin from the smallest heap | 1 from 1
nim 3,4,5:1 | one out of the second biggest | 1 from 2
nim 3,4,5:1 | 2 from the 5 pile | 2 from 3
nim 3,4,5:1 | take two off the pile with four | 2 from 2
nim 3,4,5:1 | make the last pile match the first | 2 from 3
nim 3,4,5:1 | the third should be the same as the second | 1 from 3
nim 3,4,5:1 | leave only 2 behind in the third pile | 3 from 3
nim 3,4,5:1 | third pile, so that two remain | 3 from 3
nim 3,4,5:1 | take 2 from pile 3, leaving 3 | 2 from 3
nim 3,4,5:1 | how about 2 from pile 1 | 2 from 1
nim 3,4,5:1 | why not, one from the first | 1 from 1
nim 3,4,5:1 | I removed a couple from heap number 2 | 2 from 2
nim 3,4,5:1 | heap 3: two please | 2 from 3
nim 3,4,5:1 | the left pile disappears, I take it all | 3 from 1
nim 3,4,5:1 | ten from the left pile | illegal
nim 3,4,5:1 | none from the second | illegal
nim 3,4,5:1 | two from pile nine | illegal
nim 3,4,5:1 | -1 from 2 | illegal
nim 3,4,5:1 | 1 from -2 | illegal
nim 3,4,5:1 | 1.5 from 2 | illegal
nim 3,4,5:1 | 2½ from 3 | illegal
nim 3,4,5:1 | 1/2 from 2 | illegal
nim 3,4,5:1 | 1/2 of the second pile | 2 from 2
nim 3,4,5:1 | take minus two from the last pile | illegal
nim 3,4,5:1 | pile 3 minus 2 | 2 from 3
nim 3,4,5:1 | one from each pile | illegal
nim 3,4,5:1 | take both piles | illegal
nim 3,4,5:1 | two from the first and one from the second | illegal
nim 3,4,5:1 | take three coins | illegal
nim 3,4,5:1 | take everything | illegal
nim 3,4,5:1 | I pass | illegal
othello START | delta three, over | d3
othello START | dee three | d3
othello START | D for dog and the 3 | d3
othello START | row five, column f please | f5
othello START | the leftmost of those I'm allowed | c4
othello START | not d3, not c4, not f5, the other one | e6
othello START | e6, it has the bigger number and I like big numbers | e6
tictactoe O---X---- X | squeeze in next to your O on the top line | b1
tictactoe O---X---- X | the middle of the right side | c2
tictactoe O---X---- X | the corner opposite yours, let's have a standoff | c3
tictactoe O---X---- X | row 3 column 3 | c3
nim 3,4,5:1 | two from the bigger one | 2 from 3
nim 3,4,5:1 | number one, take two | 2 from 1
nim 3,4,5:1 | two from 1, no wait, one from 3 | 1 from 3
nim 3,4,5:1 | a couple from the big one | 2 from 3
nim 3,4,5:1 | all but one of the last heap. Let's live dangerously! | 4 from 3
nim 3,4,5:1 | bring the largest down to three | 2 from 3
nim 3,4,5:1 | leave me two in the middle one, like me and Arthur | 2 from 2
nim 3,4,5:1 | make the five a four | 1 from 3
nim 3,4,5:1 | I was tempted to clear pile 3, but no: a single coin from the second. | 1 from 2
nim 3,4,5:1 | I'll take two from the last, is that good? | 2 from 3
nim 3,4,5:1 | My wife says take all from the third, but one from the first | 1 from 1
nim 3,4,5:1 | everything in the middle | 4 from 2
nim 3,4,5:1 | two from the last, no wait, three | 3 from 3
nim 3,4,5:1 | one from pile 2, sorry, pile 3 | 1 from 3
nim 3,4,5:1 | the second heap from the left loses two | 2 from 2
nim 3,4,5:1 | won from the last heap because it looks right | 1 from 3
nim 3,4,5:1 | five, obviously | 5 from 3
nim 3,4,5:1 | 3-4-1 | 4 from 3
nim 1500,7:1 | take 1,000 from pile 1 | 1000 from 1
nim 30,7:1 | two dozen from the first | 24 from 1
nim 6,2:1 | make both piles equal | 4 from 1
nim 6,2:1 | even them up | 4 from 1
nim 6,2:1 | take from the bigger one until 3 remain | 3 from 1
nim 6,2:1 | leave two in each pile | 4 from 1
nim 6,2:1 | the last pile, both | 2 from 2
nim 0,7:1 | take five, please | 5 from 2
nim 0,7:1 | everything that is left | 7 from 2
nim take=3 9,8:1 | as many as possible from the second | 3 from 2
sticks 20:1 | I shall help myself to two | 2
sticks 20:1 | a stick | 1
sticks 20:1 | one please | 1
sticks 20:1 | let me take 3 sticks this time | 3
sticks 20:1 | leave 18 | 2
sticks 20:1 | let there be eighteen | 2
sticks 20:1 | not one, not three: the other one | 2
sticks 20:1 | take one, no wait, three | 3
sticks 20:1 | Two. Yes, I know it is wrong. | 2
sticks 14:1 | leave a dozen, dear | 2
sticks 20:1 | down to seventeen | 3
sticks 20:1 | I'd like 19 left on the table | 1
sticks 20:1 | bring it to 18 | 2
sticks 20:1 | take two leaving eighteen | 2
sticks 20:1 | the maximum, of course | 3
sticks 20:1 | as few as I can | 1
sticks 20:1 | the usual couple | 2
sticks 20:1 | a trio of sticks | 3
sticks 20:1 | I'm taking three so you get seventeen | 3
sticks 20:1 | I take seven | illegal
sticks 20:1 | nothing for me | illegal
sticks 20:1 | -1 | illegal
sticks 20:1 | 2.5 | illegal
sticks 20:1 | two and a half | illegal
sticks 20:1 | two point five sticks | illegal
sticks 20:1 | minus three | illegal
sticks 4:1 | half a stick | illegal
sticks 20:1 | pass | illegal
sticks 20:1 | I'd like to skip my turn | illegal
sticks 20:1 | another 2 | 2
sticks 20:1 | same again, 2 | 2
sticks 20:1 | only one this time | 1
sticks 3:1 | all but one | 2
sticks 3:1 | I take the lot | 3
sticks 3:1 | I'll have the two, leaving you the last one | 2
sticks 2:1 | both | 2
sticks 2:1 | I grab the rest | 2
sticks 1:1 | I am forced to take the last one | 1
chopsticks 2,1:1,3:1 | my left on your right | hit left right
chopsticks 1,2:3,1:1 | make your three a four | hit left left
chopsticks 1,2:3,1:1 | kill your left hand | hit right left
chopsticks 1,2:3,1:1 | hit the three with the one | hit left left
chopsticks 1,2:3,1:1 | the bigger of my hands hits the bigger of yours | hit right left
chopsticks 1,2:3,1:1 | gather the lot in my left, leaving the right empty | split 3 0
chopsticks 2,1:1,3:1 | left hits right | hit left right
chopsticks 2,1:1,3:1 | hit left with right | hit right left
chopsticks 2,1:1,3:1 | use my right to hit your left | hit right left
chopsticks 2,1:1,3:1 | your right gets hit by my left | hit left right
chopsticks 2,1:1,3:1 | add my two to your one | hit left left
chopsticks 2,1:1,3:1 | attack the three with the two | hit left right
chopsticks 2,1:1,3:1 | my smaller hand on your bigger hand | hit right right
chopsticks 2,1:1,3:1 | the hand with two fingers attacks your left hand | hit left left
chopsticks 2,1:1,3:1 | right to left | hit right left
chopsticks 2,1:1,3:1 | with the left one I whack your right one | hit left right
chopsticks 2,1:1,3:1 | l to r | hit left right
chopsticks 2,1:1,3:1 | right, my left hits your left | hit left left
chopsticks 2,1:1,3:1 | finish your right off with my left | hit left right
chopsticks 2,0:1,3:1 | kill your three | hit left right
chopsticks 2,0:0,3:1 | strike! | hit left right
chopsticks 2,0:0,3:1 | hit your only hand | hit left right
chopsticks 2,0:1,3:1 | hit your left with my right | illegal
chopsticks 1,1:1,1:1 | hit | illegal
chopsticks 1,1:1,1:1 | hit middle left | illegal
chopsticks 2,1:1,3:1 | hit with my left | illegal
chopsticks 2,1:1,3:1 | split -1 4 | illegal
chopsticks 2,1:1,3:1 | pass | illegal
chopsticks 3,1:1,3:1 | pass one finger to my right | split 2 2
chopsticks 2,0:1,3:1 | split evenly | split 1 1
chopsticks 2,0:1,3:1 | one on each hand | split 1 1
chopsticks 2,0:1,3:1 | revive my right | split 1 1
chopsticks 4,0:1,3:1 | transfer one finger to my right | split 3 1
chopsticks 4,0:1,3:1 | I'd like 3 on the right and 1 on the left | split 1 3
chopsticks 4,0:1,3:1 | split my four into two and two | split 2 2
chopsticks 4,0:1,3:1 | move two to the other hand | split 2 2
chopsticks 3,1:1,3:1 | shift a finger from left to right | split 2 2
chopsticks 3,1:1,3:1 | make them equal | split 2 2
chopsticks 3,1:1,3:1 | two each | split 2 2
chopsticks 3,1:1,3:1 | move one from my bigger hand to my smaller hand | split 2 2
chopsticks 3,1:1,3:1 | everything onto my left hand | split 4 0
chopsticks 3,1:1,3:1 | swap hands | illegal
chopsticks rules=feathers 2,2:1,3:1 | A hits D | hit left right
chopsticks rules=feathers 2,2:1,3:1 | use box A against box C | hit left left
chopsticks rules=feathers 2,2:1,3:2 | c attacks b | hit left right
chopsticks rules=feathers 2,2:1,3:1 | c hits a | illegal
chopsticks rules=feathers 2,2:1,3:1 | hit box A with box C | illegal
chopsticks rules=feathers 2,2:1,3:1 | hit C with A | hit left left
chopsticks rules=feathers 2,2:1,3:1 | D is hit by B | hit right right
chopsticks rules=feathers 2,2:1,3:2 | a hits d | illegal
chopsticks rules=feathers 2,2:2,2:1 | A to E | illegal
chopsticks 1,1:1,1:1 | hit your dead hand | illegal
chopsticks hit_self=yes 1,2:1,1:1 | my left hits my right | hit left own
chopsticks hit_self=yes 1,2:1,1:1 | hit my left hand with my own right | hit right own
tictactoe --------- X | right in the centre | b2
tictactoe --------- X | right then, the middle square | b2
tictactoe --------- X | north east | c1
tictactoe --------- X | first row, third column | c1
tictactoe --------- X | column 2, row 3 | b3
tictactoe --------- X | middle of the right column | c2
tictactoe --------- X | the left edge | a2
tictactoe --------- X | bottom row, on the left | a3
tictactoe --------- X | second row, third from the left | c2
tictactoe --------- X | top row, centre | b1
tictactoe --------- X | the corner down on the right | c3
tictactoe --------- X | how about b2? | b2
tictactoe --------- X | d4 please | illegal
tictactoe --------- X | z9 | illegal
tictactoe --------- X | b2.5 | illegal
tictactoe --------- X | b-2 | b2
tictactoe --------- X | I will pass | illegal
tictactoe X---O---- X | below the top right corner | c2
tictactoe X---O---- X | to the right of my X | b1
tictactoe X---O---- X | left of the centre | a2
tictactoe X---O---- X | on top of your nought | b1
tictactoe X---O---- X | opposite corner | c3
tictactoe X---O---- X | opposite my cross | c3
tictactoe X---O---- X | I want the middle as well | illegal
tictactoe X---O---X O | between a1 and c1 | b1
tictactoe XX-OO---- X | finish my line | c1
tictactoe XX-OO---- X | I complete three in a row | c1
tictactoe XX-OO---- X | block your row | c2
tictactoe XX-OO---- X | stop you in the middle row | c2
tictactoe X-XOO---- X | between my Xs | b1
tictactoe X-XOO---- X | prevent that line of yours | c2
tictactoe XOXXOOOX- X | the last free square | c3
othello START | row 5, column f | f5
othello START | third row, fourth column | d3
othello START | c4, next to d4 | c4
othello START | left of d4 | c4
othello START | right of e5 | f5
othello START | e6: not bad, is it | e6
othello START | 5f | f5
othello START | I'll put my piece down on d3 | d3
othello START | z9 or rather e6 | e6
othello START | h9 | illegal
othello START | z9 | illegal
othello START | E-6 | e6
othello START | top left corner | illegal
othello START | pass | illegal
othello --------------O------O-----OOXOO---XXX----XOOO------------------ X | north-east | h1
othello rows=4 columns=4 OXXXXXXXXXXXXX-- X | nowhere for me to go | pass
"""

# where | what is said that asks for no move
NO_MOVES = """
nim 3,4,5:1 | which pile is the biggest?
nim 3,4,5:1 | how many coins are in pile 3?
nim 3,4,5:1 | why did you take 2 from pile 3?
nim 3,4,5:1 | you took 2 from pile 3
nim 3,4,5:1 | I don't want to take 2 from pile 3
nim 3,4,5:1 | should I take 2 from pile 3?
nim 3,4,5:1 | my sister is three
nim 3,4,5:1 | one level higher please
nim 3,4,5:1 | we could play on the first of May
nim 3,4,5:1 | I have 3 coins in my pocket
nim 3,4,5:1 | the size of each pile
nim 3,4,5:1 | same again with 5 6 7
nim 0,0,5:1 | I have three cats
nim 0,0,5:1 | after all, that is all right
sticks 9:1 | y did u take 3
sticks 3:1 | how many may I take?
sticks 8:1 | Might one peek into the hat for this number?
sticks 20:1 | no, I do want that move after all, redo it
sticks 20:1 | give me five minutes
sticks 20:1 | I am eight
sticks 20:1 | take it back
nim 3,4,5:1 | is 2 from 3 better than 1 from 1?
nim 3,4,5:1 | if you take one from the first, I take one from the second
othello START | what happens after c4
nim 3,4,5:1 | what if I took two from the last?
nim 3,4,5:1 | would it help to take one from the first
nim 3,4,5:1 | suppose I take three from pile 1
nim 3,4,5:1 | I won't take two from the last pile
nim 3,4,5:1 | I took two from the last pile last time
nim 3,4,5:1 | you took three from pile 1!
nim 3,4,5:1 | my brother would take three from the first pile
nim 3,4,5:1 | "take two from the last pile", she said
nim 3,4,5:1 | dad says take one from pile 3 but he's just guessing
nim 3,4,5:1 | my dad used to take two sugars and leave one in the bowl
nim 3,4,5:1 | two from pile 3?
sticks 20:1 | I took three and lost
sticks 20:1 | my hip's gone so I walk with two sticks now
sticks 20:1 | three blind mice
othello START | my school bus is the d3 and it's always late
othello START | what about d3, would that be any good?
tictactoe O---X---- X | I live in flat C3, top floor, no lift
chopsticks 1,2:3,1:1 | left, right, left, right, it's like in the army
chopsticks 1,2:3,1:1 | the nuns hit my right hand out of spite
sticks 20:1 | may I have my two sticks back
sticks 20:1 | that is all there is to it, it seems to me
sticks 20:1 | that was the bigger one
sticks 20:1 | the nice one
sticks 20:1 | another one
sticks 20:1 | let us play again, 30 sticks
sticks 20:1 | I pass you the salt
sticks 1:1 | take it back, please
chopsticks 1,1:1,1:1 | kill everything and exit
chopsticks 1,1:1,1:1 | put back the move I just took back
chopsticks 1,2:1,1:1 | was my last move wrong
chopsticks 1,2:1,1:1 | what does your left hand have?
chopsticks 1,2:1,1:1 | that is right
chopsticks 1,2:1,1:1 | let us swap sides
chopsticks 1,2:1,1:1 | even better, thank you
chopsticks 1,2:1,1:1 | don't hit my left hand
tictactoe X---O---- X | what is in the middle?
tictactoe X---O---- X | I am in the middle of dinner
tictactoe X---O---- X | that was a good one, all right
tictactoe X---O---- X | stop talking
tictactoe XX-OO---- X | I want to win
tictactoe X---O---- X | not the top right
tictactoe X---O---- X | where is my X?
othello START | another go, on a 10x10 board
othello START | who's got the upper hand?
othello START | can I see the board?
othello START | did you play d3?
othello START | I need a 5 minute break
othello START | you played d3 last time
othello START | rather a nice position
"""


def rows(table):
    return [tuple(part.strip() for part in row.split("|")) for row in table.strip().splitlines()]


def meant(where, said):
    _, scene = scene_of(where)
    found = read_move_sentence(scene.game, scene.state, normalise(said))
    if found is None or found.leftover:
        return ""
    return "illegal" if isinstance(found, Unclear) else found.move


@pytest.mark.parametrize(("where", "said", "move"), rows(MOVES))
def test_a_sentence_means_its_move(where, said, move):
    assert meant(where, said) == move


@pytest.mark.parametrize(("where", "said"), rows(NO_MOVES))
def test_what_asks_for_no_move_is_none(where, said):
    assert meant(where, said) == ""


# where | said | the move that is likely | what the sentence says besides
LEFT_OVER = """
nim 3,4,5:1 | take one from pile 2 the dog | 1 from 2 | dog
nim 3,4,5:1 | undo that, and take one from the first | 1 from 1 | undo
tictactoe O---X---- X | we live in flat c3 | c3 | flat
othello START | f5? | f5 | ?
"""


@pytest.mark.parametrize(("where", "said", "move", "word"), rows(LEFT_OVER))
def test_words_that_no_move_explains_are_left_over(where, said, move, word):
    _, scene = scene_of(where)
    found = read_move_sentence(scene.game, scene.state, normalise(said))
    assert found.move == move
    assert word in found.leftover


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


def test_the_same_again_is_played_in_a_game():
    session = Session(seed=1)
    for text in ("sticks with 20", "take two", "the same again"):
        session = reply(session, text).session
    assert session.table.moves[::2] == ("2", "2")


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


def test_there_are_many_sentences_for_every_game():
    games = {"nim", "sticks", "chopsticks", "tictactoe", "othello"}
    for table, least in ((MOVES, 60), (NO_MOVES, 30)):
        assert len(rows(table)) >= least
        assert {where.split()[0] for where, *_ in rows(table)} == games


# where | what is said that cannot be played | what the reason has to tell
REASONS = """
nim 3,4,5:1 | -1 from 2 | -1
nim 3,4,5:1 | 1 from 2.5 | 2.5
nim 3,4,5:1 | one from each pile | from one pile only
nim 3,0,5:1 | take three coins | from which pile as well: 1 or 3
nim 3,4,5:1 | pass | cannot pass
nim 3,4,5:1 | take from the second pile | how many from pile 2
nim 3,4,5:1 | take some | how many
nim 3,4,5:1 | put a coin back on the middle pile | only taken
nim 3,4,5:1 | 1,000 from pile 3 | 1 to 5
sticks 20:1 | minus three | -3
sticks 20:1 | half a stick | halved
sticks 20:1 | one or two | one of the two
sticks 20:1 | a few, please | how many: 1, 2 or 3
sticks 20:1 | half a dozen | take 1, 2 or 3
sticks 20:1 | four please | take 1, 2 or 3
tictactoe --------- X | z9 | not a square here
tictactoe --------- X | pass | cannot pass
tictactoe --------- X | one of the corners | which square
tictactoe --------- X | a1 or c3 | one of the two
chopsticks 2,1:1,3:1 | hit | hit left left, hit left right, hit right left or hit right right
chopsticks 2,0:1,3:1 | hit | hit left left or hit left right
chopsticks 4,0:1,3:1 | split | split 1 3, split 2 2 or split 3 1
chopsticks rules=feathers 2,2:1,3:1 | c hits a | C is not yours
chopsticks rules=feathers 2,0:1,3:2 | hit | C-A
"""


@pytest.mark.parametrize(("where", "said", "told"), rows(REASONS))
def test_a_move_that_cannot_be_made_is_refused_with_its_reason(where, said, told):
    meaning = understand(*scene_of(where), normalise(said))
    assert meaning.intent in ("illegal", "unclear")
    assert told in meaning.slots["reason"]
    assert not meaning.slots["reason"].endswith(".")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("-1 from 2", "-1 from 2"),
        ("1.5 from −2", "1.5 from -2"),
        ("two and a half", "2.5"),
        ("minus three", "-3"),
        ("negative 4, then", "-4 then"),
        ("3½", "3.5"),
        ("the pile minus 2", "the pile minus 2"),
        ("2-0", "2 0"),
        ("3-4-5", "3 4 5"),
        ("3.4.5", "3 4 5"),
        ("A-C", "a c"),
        ("E-6", "e 6"),
        ("2024-05-06", "2024 05 06"),
        ("one-at-a-time", "1 at a time"),
        ("twenty-one sticks - 2 now", "21 sticks 2 now"),
        ("two and half of the pile", "2 and half of the pile"),
        ("the bigger one", "the bigger one"),
        ("a nice one", "a nice one"),
        ("the number one", "the number 1"),
        ("over one", "over 1"),
    ],
)
def test_a_number_is_heard_with_its_sign_and_fraction(said, words):
    assert " ".join(normalise(said).words) == words
    assert normalise(words).words == normalise(said).words, "what was heard is heard the same again"


def test_a_letter_left_out_of_a_short_word_is_put_back_where_one_word_fits():
    known = {"hint", "hit", "hat", "board", "bored", "born", "word", "pile", "pale", "hints"}
    assert correct(["hits"], known)[0] != ("hints",), "a consonant is not so easily left out"
    assert correct(["hnt"], known)[0] == ("hint",)
    assert correct(["bord"], known)[0] == ("board",)
    assert correct(["ple"], {"pile", "pale"})[0] == ("ple",), "either may be meant"
    assert correct(["2.5", "-10"], {"2.6", "-11"})[0] == ("2.5", "-10")


@pytest.mark.parametrize("word", ["board", "chopsticks", "resign", "whale", "ééclair"])
def test_whatever_slip_is_made_in_a_long_word_it_is_read_as_the_only_word_that_is_near(word):
    slips = {word[:at] + letter + word[at + 1 :] for at in range(len(word)) for letter in "aqzß"}
    slips |= {word[:at] + letter + word[at:] for at in range(len(word) + 1) for letter in "aqzß"}
    slips |= {word[:at] + word[at + 1 :] for at in range(len(word))}
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    for slip in slips.union(swapped):
        assert correct([slip], {word, "somewhere"})[0] == (word,), slip


@pytest.mark.parametrize("where", ["nim 3,4,5:1", "sticks 20:1", "othello START"])
@pytest.mark.parametrize(("typed", "intent"), [("hnt", "hint"), ("bord", "board")])
def test_hint_and_board_are_understood_with_a_letter_missing(where, typed, intent):
    assert understand(*scene_of(where), normalise(typed)).intent == intent


def test_going_on_as_before_is_told_from_playing_again():
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


def begin(game):
    return reply(Session(seed=1), game).session


@pytest.mark.parametrize("game", BEGINNINGS)
@pytest.mark.parametrize(("asked", "told"), QUESTIONS)
def test_a_move_before_a_question_is_played_and_then_the_question_is_answered(game, asked, told):
    session = begin(game)
    exact, *others = BEGINNINGS[game]
    alone = reply(session, exact)
    for move in (exact, *others):
        both = reply(session, f"{move}. {asked}")
        assert both.session.table == alone.session.table
        assert both.lines[: len(alone.lines)] == alone.lines
        assert both.board == alone.board
        answer = " ".join(both.lines[len(alone.lines) :])
        assert told in answer
        assert "understand" not in answer


@pytest.mark.parametrize(
    "said",
    [
        "{}. is that good?", "{}, what will you do", "after {}, what will you do", "and after {}",
        "so {} and then what", "{}, would that win?", "what about {}. who is winning?",
        "if i play {}. who is winning?", "he said {}. who is winning?", '"{}". who says that?',
        "{}? who is winning?", "not {}. who is winning?", "my friend plays {}. who is winning?",
        "before {}, who was winning",
    ],
)  # fmt: skip
@pytest.mark.parametrize("game", BEGINNINGS)
def test_a_move_that_is_only_spoken_of_before_a_question_is_not_played(game, said):
    session = begin(game)
    assert reply(session, said.format(BEGINNINGS[game][0])).session.table == session.table


def test_an_illegal_move_before_a_question_is_refused_and_the_question_answered():
    found = reply(begin("nim 3 5 7, I begin"), "take five from pile 1. whose turn is it?")
    assert found.lines == ("Pile 1 has only 3 coins; take 1, 2 or 3.", "It is your move.")


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("nim 3 5 7, I begin", "there are 3 in pile 1"),
        ("nim 3 5 7, I begin", "pile 1 has 3. how many has pile 2?"),
        ("nim 3 5 7, I begin", "can we have bigger piles"),
        ("sticks with 20", "there are two of us. who is winning?"),
        ("othello, I begin", "d3. c4. what is the difference?"),
        ("othello, I begin", "may i make the othello board smaller"),
    ],
)
def test_what_is_said_or_asked_of_the_table_plays_nothing(game, said):
    session = begin(game)
    assert reply(session, said).session.table == session.table


@pytest.mark.parametrize(
    "said",
    [
        "can i make the othello board smaller", "may i make the othello board smaller",
        "can i have othello on a bigger board", "could othello be smaller",
    ],
)  # fmt: skip
def test_whoever_asks_for_another_size_without_saying_which_is_told_the_sizes(said):
    found = reply(Session(seed=1), said)
    assert (found.session.mode, found.session.table) == ("chat", None)
    assert "16x16" in " ".join(found.lines)
