"""What he knows is right, is said well, and is found by many ways to ask; so are the rules."""

from __future__ import annotations

import itertools
import re
import time
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import pytest

import parlour
from parlour.core.options import options_of
from parlour.core.registry import find
from parlour.host.language.line import normalise
from parlour.host.language.texts import read_sections
from parlour.host.session import Table
from parlour.host.table.knowledge import PROVEN, answer_topic, describe_play, say_who_wins
from parlour.host.table.setup import LIMITS, explain_refusal
from parlour.host.understand.grammar import find_readings, load_questions
from parlour.host.understand.intent import OF_THE_TABLE, name_topic
from parlour.learn.hat_set import list_boxes
from parlour.players import othello as othello_bots
from parlour.players.minimax import Minimax
from parlour.players.perfect import Perfect, chance_to_err
from parlour.rules.chopsticks import PRESETS, SPLIT, Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.impartial import nim_sum
from tests.variants import VARIANTS, label

# Questions as people ask them, by topic; `_` is the name of a game.
QUESTIONS = load_questions()
OF_EACH_GAME = """
history: who invented _? / Who was it that first came up with _? / who was the inventor of _?
    when did people invent _? / When was _ invented? / where does _ come from / how old is _?
    What is the origin of _? / tell me the history of _ / the history of _, please
    why is _ called that / In what year did _ appear? / _: who made it?
    do you know _ and its history / how did _ start / Where did _ begin / how was _ discovered
    where was _ originally from / why did they call it that: why is it called _
    who is the genius behind _ / since when do people play _? / when did _ first appear
    is _ Chinese? / how long has _ been around?
    was _ invented in China? / how ancient is _?
value: who wins _? / who wins at _, the first or the second player? / Who should win at _?
    in _, who wins? / is _ solved? / has anyone solved _ yet / has _ been solved / was _ ever solved
    is _ a draw? / is _ always a draw if nobody errs / does the first player win at _?
    in _, can the second player always win? / does the first player have an advantage in _
    in _ is it better to go first / is it best to go second in _? / should I go first at _?
    With perfect play, who wins _? / what happens with best play in _ / what is the value of _?
    how many positions are there in _? / What's the outcome of _ / which player wins _?
    is there an advantage to going first, an advantage in _
    is it smarter to go first or second at _? / is going first smarter at _
win: how does one win _? / how to win at _ / How do I win at _? / how can I beat you at _
    why do you win at _ / why do you always win at _? / at _, why do you win so often
    why do you never lose at _ / why can I never win at _? / why do I always lose at _
    is there a trick to _ / how come you always win at _ / how come nobody ever beats you at _?
    the trick to _ / what is the strategy for _? / what's the trick to winning _? / _ strategy?
    give me some tips for _ / what's the best opening in _ / what is the best way to win at _?
    can I beat you at _? / can anyone defeat you at _ / is it possible to win at _
    do you ever lose at _? / have you ever lost at _ / how do I get better at _?
    how do you play _ so well / are you unbeatable at _? / can you be beaten at _
    what should I do to win at _? / how are you winning every game of _ / what is your _ secret?
    why do I lose every time at _?
draw: can _ be a draw? / can _ end in a tie? / can it be a draw at _? / could _ ever be drawn
    can it end in a tie in _ / can we draw at _? / does _ ever end in a draw / could you tie at _
    does it ever end in a draw at _? / are there draws in _? / is there a tie in _
    is a draw possible in _? / is it possible to draw at _ / is _ sometimes a draw?
    what happens with a draw at _ / how can there be a draw at _?
about: what is _? / what kind of game is _ / tell me about _ / explain _ to me / describe _, please
    I have never heard of _ / what do you know about _? / I've never played _
"""
OF_THE_REST = """
misere: what is misère? / what's misère nim? / what does misère mean / explain misere please
    how does misère work? / what's the difference between normal and misère play
    what is the difference between misère and normal / how do I win misère nim?
    how to win at misere / a strategy for misère / what is the trick to misère nim
    tell me about misère / how to beat misère nim / misère, what's that?
nimsum: what is a nim-sum? / what's a nimsum / what does the nim-sum mean? / how do nim sums work
    how do you calculate the nim-sum? / explain the nim-sum / how is the nim sum computed
    why the nim-sum? / why binary? / how is binary used in nim / what is xor?
    why does the xor decide / what is nim addition?
    how do I work out a nim sum?
marienbad: what is marienbad? / the marienbad game / what is the game from Marienbad
    who wins marienbad? / which film has nim in it / the movie with the matchsticks
    what was that game in the film Last Year at Marienbad? / which game is in the film Marienbad
    what do they play in Last Year at Marienbad? / what is the game of Last Year at Marienbad
sprague: what is the Sprague-Grundy theorem? / what are nimbers / what is a grundy number
    who was Grundy? / explain grundy numbers / tell me about Sprague
nim-machines: what was the first computer to play nim? / was there a machine that played nim
    what was Nimrod? / the nimatron machine / what was the first computer game
    tell me about the Nimatron
chopsticks-end: can chopsticks end? / does chopsticks ever finish or can it go on forever
    can chopsticks go on for ever? / how long does a game of chopsticks last
    is chopsticks infinite? / how many moves can chopsticks take / does chopsticks ever end?
    chopsticks could loop forever, right / what if chopsticks never ends
    is there a limit to a game of chopsticks / is it possible for chopsticks to never end?
who: who are you? / who is Benedict / what's your name? / tell me about yourself
    introduce yourself / are you a human? / are you a computer? / are you a person or a computer
    what are you exactly? / who am I talking to / what exactly are you? / what kind of thing are you
    are you an AI / what is your job? / what do you do here / what should I call you?
made: who made you? / who wrote you / where do you come from? / where are you from
    who is your creator? / how old are you? / when were you made / how were you made?
    who gave you your name / why are you called Benedict? / who was your programmer
    what's your story? / who programmed you / where were you born? / who is behind you
bots: what bots are there? / which opponents do you have / Which opponents have you got?
    list the bots / who can I play against? / who else is here / how many opponents are there?
    tell me about the bots / which other players do you know / is there a stronger opponent?
    against whom can I play / who are the other players? / is there anybody else?
    what computer players are there?
games: what games do you know? / which games can we play / how many games do you have?
    list your games / what can we play? / what else can we play / do you know any other games?
    tell me about your games / name all the games you know
menace: what is MENACE? / who built MENACE / tell me about the matchbox machine
    how many matchboxes were there? / who was Donald Michie? / how did MENACE learn
    what are the matchboxes for? / a machine that learned noughts and crosses
    the matchboxes that learned to play
    what did Michie build?
hats: what are the hats? / how do the hats work? / what is the hats player / explain the hats
    why hats? / how does the hats player learn? / can the hats learn / what's the point of the hats
    what do the hats mean
learn: do you learn from your games? / are you learning? / how did you learn to play
    do you get better over time? / do you remember your mistakes
perfect: what is perfect play? / what do you mean by perfect play? / perfect play means what
    explain perfect play / what does it mean to play perfectly? / what is the perfect bot?
    what does the perfect player do / playing perfectly: what does perfectly mean
    what does perfect mean here?
ply: what is a ply? / what are plies? / what does ply mean / does ply mean move / define ply
    how many moves is a ply / how many plies are in a turn?
    what's the difference between a ply and a move / how long is a ply
    is a ply the same as a move? / the meaning of ply
draw-repeat: what happens the third time? / what if the same position comes up again?
    what happens if we repeat moves / what if the position repeats / is there a repetition rule?
    why is it a draw when the position is repeated / is there a rule about repeating positions?
feathers: what are the feather rules? / what is the feathers variant / what do feathers mean here
    how does the feathers game work? / how is feathers different
    what's the difference with feathers / who wins feathers? / the rules of feathers
    the feather version / explain feathers / what is feathers-revive?
    why are there feathers in boxes / how do you play feathers / what is it with the feathers
pass: can I pass? / when do I pass / what happens if I have no moves? / why was my turn skipped
    why did you pass / what happens when I cannot move? / there are no legal moves
    is passing allowed? / do I have to pass / am I allowed to pass? / do I lose if I cannot move
    what if I can't move?
corners: why are corners good? / are the corners important / should I take the corner?
    what is an X-square? / are x squares bad? / the squares next to a corner
    what is the point of the corners / how much is a corner worth / why is the x-square bad?
solved: what is a solved game? / what does solved mean? / what does it mean that a game is solved
    which games are solved? / the difference between weakly and strongly solved
    what is weakly solved / does strongly solved mean more / are all games solved?
    are games of this sort all solved / what does a solved game mean
level: how many levels are there? / which levels do you have / what do the levels mean?
    how good are you? / how do the levels work / are you a strong player?
    how well do you play?
cheat: do you cheat? / are you cheating? / I think you cheated / is this rigged? / is this game fair
    how do I know you are not cheating? / are you honest? / you are a cheater / this looks rigged
    is nim rigged in your favour?
    do you play fair?
wthor: what is WTHOR? / the wthor archive / tell me about wthor / is there an othello database
    where do the Othello games come from / an archive of Othello games
minimax: what is minimax? / how does minimax work? / explain minimax / what does minimax mean
    tell me about minimax / what does the minimax bot do
begins: who goes first? / who begins? / why do you go first / why do I have to go first?
    do I go first / who has the first move / how is it decided who begins? / whose turn is first
    who gets to be first
beaten: which of your games can i actually win
    can you be beaten? / has anyone ever beaten you? / can you lose? / have you ever lost
    do you ever lose? / can I beat you / are you unbeatable? / is it possible to beat you?
    how can I beat you / will I ever win / why do you always win? / is there a way to beat you?
    is there any way to win against you / could I ever beat you? / do you lose sometimes
    what would it take to beat you?
information: what is perfect information? / what does perfect information mean / is there any luck?
    is luck involved / is it luck or skill? / is nim a game of chance / what role does luck play
    is anything hidden? / is there luck in nim? / nim has no luck, has it
proof: how do you know that you win? / can you prove it? / what is retrograde analysis
    how did you solve it? / how were the games solved / how can you prove that / where is the proof?
    what is the proof / prove it! / how can you be so sure?
    how do you know? / how do you know that?
think: how do you decide? / how do you choose your moves? / how far ahead do you look
    how many moves ahead do you see? / how does your brain work? / how do you work?
    how do you look ahead / what is your algorithm? / what do you think about before you move
    how do you come up with your moves? / how deep do you search / what goes on in your head?
    do you look ahead? / how do you think?
favorite: what's your favourite game? / which game do you like best?
    what is your favorite game to play / which game is the hardest? / do you like nim?
    which do you prefer, nim or othello
endings: what are class endings? / what does an ending mean / do extra endings mean anything
    how do the endings work? / explain the endings / what are endings? / why extra endings
seats: can three people play? / can more than two people play / can more than 2 players join in
    how many people can play nim? / how many players / is nim only for two
    can four people play nim together / can four friends play together? / can five of us play nim?
split: what is a split? / how does splitting work? / what does split mean / why can't I split?
    when can I split / what splits are allowed? / is splitting allowed / what does it mean to split?
    can I split with one finger
    how do I split?
hit: what is a hit? / how does hitting work? / what does hit mean / can I hit my own hand
    what happens when I hit
    how can I hit?
dead: when does a hand die? / what is a dead hand? / why did my hand die
    can a dead hand come back? / what happens at five fingers? / how do I revive a hand
    why five fingers / how does a hand die?
othello-name: what is the difference between Othello and Reversi? / is Othello the same as Reversi?
    are they the same game, othello and reversi / is Othello another name for it
    another name for othello / how is Reversi different from Othello
    are Othello and Reversi the same game?
othello-score: who gets the empty squares? / what happens if othello is a draw
    how is Othello scored? / how are the discs counted?
    what happens if both have equal discs
"""
NAMES = {
    "nim": "nim",
    "sticks": "the game of sticks",
    "chopsticks": "chopsticks",
    "othello": "Othello",
    "tictactoe": "tic-tac-toe",
}
COMMANDS = """let's play nim / play othello please / new game with piles 3 5 7 misère / you go first
watch perfect against minimax / open the hats / take two from the last pile / undo / hint
i love dogs / hit your right hand with my left / split 2 1 / nim for three players
how about tic-tac-toe / what do you think of whales / what are you doing / tell me about bees
I made a cake / is it raining / how are you / chopsticks where hands die at 6 / 20 sticks please
why is the sky blue / my hand hurts / I'd like to play misère nim / let me play the perfect bot
who is winning? / what should I do? / why? / what is your favorite color
how old is the universe / that is a fair point / a game of chopsticks"""
HISTORY = {  # what is established, and what must be marked as uncertain
    "nim-history": ("1901", "Charles Bouton", "nobody has shown it", "perhaps"),
    "sticks-history": ("1612", "Bachet", "Nobody knows"),
    "othello-history": ("1971", "1973", "Goro Hasegawa", "Waterman", "Mollett", "1880s", "claimed"),
    "chopsticks-history": ("school playgrounds", "often said", "no proof"),
    "tictactoe-history": ("Nobody knows", "1952", "Sandy Douglas"),
    "menace": ("Donald Michie", "1961"),
    "marienbad": ("1961",),
    "sprague": ("Roland Sprague", "Patrick Grundy", "1935", "1939"),
    "nim-machines": ("1940", "Nimatron", "1951", "Nimrod"),
    "othello-value": ("Takizawa", "2023", "not checked", "Feinstein", "1993", "20 to 16"),
}


def blocks(text):
    for block in text.strip().replace("\n    ", " / ").splitlines():
        topic, _, said = block.partition(": ")
        yield topic, said.split(" / ")


EXAMPLES = [
    (f"{game}-{kind}", said.replace("_", name))
    for kind, some in blocks(OF_EACH_GAME)
    for said in some
    for game, name in NAMES.items()
] + [(topic, said) for topic, some in blocks(OF_THE_REST) for said in some]


def matches(pattern, words):
    """Whether the words of a pattern stand in a line, in their order."""
    rest = iter(words)
    return all(any(word in part.split("|") for word in rest) for part in pattern.split())


def matched(words):
    """How many words of a line each topic has, as far as it has any."""
    found = {
        topic: max((len(p.split()) for p in patterns if matches(p, words)), default=0)
        for topic, patterns in QUESTIONS.items()
    }
    return {topic: many for topic, many in found.items() if many}


def said(topic):
    return " ".join(answer_topic(topic))


def numbers(topic):
    return [int(digits) for digits in re.findall(r"[0-9]+", said(topic))]


@cache
def solved(game):
    return parlour.solve(game)


def outcome(game, position=None):
    state = game.start() if position is None else game.read(position)
    return solved(game).value(state).outcome


# Questions


def test_there_are_many_topics_and_many_examples():
    assert len(QUESTIONS) >= 50
    assert {topic for topic, _ in EXAMPLES} == set(QUESTIONS)
    assert len(EXAMPLES) == len(set(EXAMPLES)) >= 700


@pytest.mark.parametrize("topic", QUESTIONS)
@pytest.mark.slow
def test_every_example_is_matched_best_by_its_own_topic(topic):
    for said in (said for about, said in EXAMPLES if about == topic):
        found = matched(normalise(said).words)
        own = found.pop(topic, 0)
        assert own > max(found.values(), default=0), (said, own, found)


@pytest.mark.parametrize("topic", QUESTIONS)
def test_every_pattern_serves_an_example(topic):
    lines = [normalise(said).words for about, said in EXAMPLES if about == topic]
    if topic.startswith("tictactoe"):  # it has two names, one of them of two words
        lines += [normalise(" ".join(line).replace("tic tac toe", name)).words for line in lines
                  for name in ("tictactoe", "noughts and crosses")]  # fmt: skip
    for pattern in QUESTIONS[topic]:
        assert any(matches(pattern, line) for line in lines), pattern


def test_every_pattern_is_in_words_as_they_are_heard():
    for patterns in QUESTIONS.values():
        for pattern in patterns:
            assert 2 <= len(pattern.split()) <= 8, pattern
            for word in re.split(r"[ |]", pattern):
                assert normalise(word).words == (word,), (pattern, word)


@pytest.mark.parametrize("line", re.split(r" / |\n", COMMANDS))
def test_commands_set_ups_and_small_talk_are_no_questions(line):
    assert matched(normalise(line).words) == {}


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("can nim be a draw?", "nim-draw"),
        ("can chopsticks end in a tie?", "chopsticks-draw"),
        ("how do you know?", "proof"),
        ("how do you think?", "think"),
        ("how ancient is noughts and crosses?", "tictactoe-history"),
        ("is it smarter to go first or second at sticks?", "sticks-value"),
        ("what was that game in the film Last Year at Marienbad?", "marienbad"),
        ("can four people play nim together", "seats"),
    ],
)
def test_these_questions_are_not_answered_beside_the_point(line, topic):
    """By the grammar that listens to him, where the words explain enough of the line."""
    best = find_readings(normalise(line).words, QUESTIONS)[0]
    assert (best.intent, best.share >= 0.7) == (topic, True)


@pytest.mark.parametrize("game", NAMES)
def test_at_a_table_a_question_is_about_the_game_that_is_on_it(game):
    assert name_topic("beaten", game) == f"{game}-win"
    assert name_topic("ply", game) == "ply"
    for line, kind in (
        ("why do you always win?", "win"),
        ("how do I win?", "win"),
        ("who invented it?", "history"),
        ("can it be a draw?", "draw"),
        ("is it smarter to go first?", "value"),
    ):
        found = find_readings((*normalise(line).words, game), QUESTIONS)
        own = next(r.intent for r in found if r.intent.endswith(OF_THE_TABLE))
        assert own == f"{game}-{kind}", line


def test_a_game_he_has_never_heard_of_has_no_topics_of_its_own():
    assert name_topic("beaten", "guest") == "beaten"


# Answers


def test_no_answer_opens_with_a_number_that_nobody_asked_for():
    assert [topic for topic in QUESTIONS if said(topic)[0].isdigit()] == []


def test_nim_is_told_with_coins():
    for topic in QUESTIONS:
        assert "object" not in said(topic), topic
    assert "last coin" in said("nim-win")


def test_what_can_be_a_draw_is_as_the_rules_have_it():
    """No where every end of the game is won by somebody, yes where an end is drawn."""
    assert said("nim-draw").startswith("No")
    assert said("sticks-draw").startswith("No")
    for game in (Nim(), Sticks()):
        assert solved(game).counts().get("draw", 0) == 0
    for name in ("chopsticks", "othello", "tictactoe"):
        assert said(f"{name}-draw").startswith("Yes")
    assert TicTacToe().result(TicTacToe().read("XOXXOOOXX O")) == (0, 0)
    assert Othello(columns=4, rows=4).result(
        Othello(columns=4, rows=4).read("X" * 8 + "O" * 8 + " X")
    ) == (0, 0)
    assert solved(Chopsticks()).counts()["draw"] > 0


@pytest.mark.parametrize("topic", QUESTIONS)
def test_every_answer_is_one_to_three_sentences_in_good_english(topic):
    sentences = answer_topic(topic)
    assert 1 <= len(sentences) <= 3
    for text in sentences:
        assert text[0].isupper() or text[0].isdigit(), text
        assert text.endswith((".", "!")), text
        assert text == " ".join(text.split()), text
        assert len(text.split()) <= 60, text
        assert not re.search(r"\b(\w+) \1\b", text, re.IGNORECASE), text
        assert not re.search(r"\ba [aeio]|\ban [^aeio8]|[,;:.]{2}| [,;:.]", text), text
    assert len(" ".join(sentences).split()) <= 75


def test_an_answer_belongs_to_one_topic():
    given = [answer_topic(topic) for topic in QUESTIONS]
    assert len(set(given)) == len(given)
    with pytest.raises(KeyError):
        answer_topic("whales")


@pytest.mark.parametrize(("topic", "facts"), HISTORY.items(), ids=list(HISTORY))
def test_history_is_as_established_and_lore_is_marked(topic, facts):
    assert [fact for fact in facts if fact not in said(topic)] == []


def test_the_games_and_bots_he_names_are_those_that_are_here():
    assert numbers("games") == [len(parlour.games())]
    for name in parlour.games():
        assert name in said("games").casefold().replace("tic-tac-toe", "tictactoe")
    everyone = {bot for game in parlour.games() for bot in parlour.bots(parlour.game(game))}
    listed = (
        answer_topic("bots")[0].partition(": ")[2].rstrip(".").replace(" and ", ", ").split(", ")
    )
    assert numbers("bots")[0] == len(set(listed)) >= len(everyone)
    assert everyone <= set(listed)


# Numbers, each against the package itself


def test_nim_numbers():
    game = Nim()
    assert nim_sum((3, 4, 5)) == 2 == numbers("nim-value")[3] == numbers("nimsum")[3]
    winning = [
        m for m in game.moves(game.start()) if solved(game).after(game.start(), m).outcome == "win"
    ]
    assert winning == [(0, 2)]  # 2 from the pile of 3
    assert "2 from the pile of 3 is the only move" in said("nim-value")
    assert "011, 100 and 101" in said("nimsum")
    assert "010" in said("nimsum")
    assert [f"{n:03b}" for n in (3, 4, 5, 3 ^ 4 ^ 5)] == ["011", "100", "101", "010"]
    assert all(outcome(Nim(piles=(n, n))) == "loss" for n in range(1, 8))


def test_misere_numbers():
    assert numbers("marienbad")[:4] == [1, 3, 5, 7]
    assert nim_sum((1, 3, 5, 7)) == 0
    assert outcome(Nim(piles=(1, 3, 5, 7), misere=True)) == "loss"
    for ones in range(1, 7):
        assert outcome(Nim(piles=(1,) * ones, misere=True)) == ("loss" if ones % 2 else "win")
    assert "odd number" in said("misere")


def test_sticks_numbers():
    assert numbers("sticks-value")[:2] == [20, 3]
    assert solved(Sticks()).best(Sticks().start()) == ((0, 3),)
    for sticks in range(10, 40):
        assert outcome(Sticks(sticks=sticks)) == ("loss" if sticks % 4 == 1 else "win")
    assert numbers("sticks-win")[:4] == [1, 5, 9, 13]


def test_chopsticks_numbers():
    game = Chopsticks()
    value, counts = solved(game).value(game.start()), solved(game).counts()
    assert (value.outcome, value.plies) == ("loss", 26)
    for kind in ("value", "win", "end"):
        assert numbers(f"chopsticks-{kind}")[0] == value.plies
    every = [counts[kind] for kind in ("win", "loss", "draw", "end")]
    assert numbers("chopsticks-value")[1:6] == [sum(every), *every]
    assert sum(counts.values()) in numbers("proof")
    assert sum(counts.values()) in numbers("think")


def test_in_most_lines_of_chopsticks_you_come_to_hold_a_single_finger():
    game, host = Chopsticks(), parlour.bot("benedict")

    @cache
    def lines(state, single):
        if game.result(state) is not None:
            assert game.result(state) == (-1, 1)
            return (single, 1)
        if game.turn(state) == 1:
            return lines(game.play(state, host.choose(game, state)), single)
        single = single or sorted(state[1:3]) == [0, 1]
        found = [lines(game.play(state, move), single) for move in game.moves(state)]
        return tuple(map(sum, zip(*found, strict=True)))

    single, every = lines(game.start(), False)
    assert single > 0.9 * every


def test_what_he_says_of_splits_and_dead_hands_holds():
    game = Chopsticks()

    def splits(left, right):
        return [m[1:] for m in game.moves(game.read(f"{left},{right}:1,1")) if m[0] == SPLIT]

    assert splits(1, 0) == splits(4, 3) == splits(4, 4) == []
    assert (1, 2) not in splits(2, 1)
    assert (2, 1) in splits(3, 0)
    assert numbers("dead")[0] == game.dies_at
    assert not game.hit_self
    feathers = PRESETS["feathers"]
    assert numbers("feathers")[0] == feathers["dies_at"]
    assert (feathers["hit_self"], feathers["loops"]) == (True, "barred")


def test_tictactoe_numbers():
    game = TicTacToe()
    assert outcome(game) == "draw"
    states, ahead = {game.start()}, [game.start()]
    for state in ahead:
        after = {game.play(state, move) for move in game.moves(state)} - states
        states |= after
        ahead += after
    assert numbers("tictactoe-value") == [len(states), len({game.key(s) for s in states})]
    assert sum(solved(game).counts().values()) == 765
    corner = game.play(game.start(), (0, 0))
    saving = [m for m in game.moves(corner) if solved(game).after(corner, m).outcome == "draw"]
    assert saving == [(1, 1)]
    assert numbers("menace")[0] == len(list_boxes(game).of(0)) == 304


def test_othello_numbers():
    game = Othello(columns=4, rows=4)

    @cache
    def most(state, with_empties):
        """The most the mover can get, in discs."""
        own, other, turn = state
        if game.result(state) is not None:
            score = game.score(state) * (1 if turn == 0 else -1)
            return score if with_empties else own.bit_count() - other.bit_count()
        return max(-most(game.play(state, move), with_empties) for move in game.moves(state))

    assert outcome(game) == "loss"
    assert most(game.start(), False) == 3 - 11
    assert most(game.start(), True) == -10
    assert numbers("othello-value")[:4] == [4, 4, 11, 3]
    assert "computed here from the start" in said("othello-value")
    assert "every position" not in said("othello-value")  # the table cannot solve them all
    assert numbers("corners") == [max(othello_bots.TABLE), -min(othello_bots.TABLE)]
    assert othello_bots.TABLE[0] == 50
    assert othello_bots.TABLE[9] == -10
    assert parlour.bot("benedict").plies == 3 == numbers("othello-win")[0]


def test_the_other_numbers():
    assert numbers("level")[:3] == [10, 10, 1]
    assert chance_to_err(10, None) == 0
    assert chance_to_err(1, None) > 0.9
    assert Perfect(level=10).level == 10
    assert numbers("minimax")[-1] == Minimax().depth
    for ending in CLASS_ENDINGS:
        assert ",".join(map(str, ending)) in said("endings")
    assert numbers("seats")[0] == Nim(seats=10).seats
    with pytest.raises(parlour.BadOption):
        Nim(seats=11)


def test_the_third_occurrence_is_a_draw():
    game = Chopsticks()

    class Shuffler:
        def choose(self, game, state):
            return next(m for m in reversed(game.moves(state)) if m[0] == SPLIT)

    record = parlour.match(game, [Shuffler(), Shuffler()])
    assert record.result == (0, 0)
    assert "third time" in said("draw-repeat")


# Variants


@pytest.mark.parametrize("game", VARIANTS, ids=label)
@pytest.mark.slow
def test_who_wins_is_told_of_every_variant_in_good_time(game):
    began = time.process_time()
    sentences = say_who_wins(game, seconds=0.5)
    assert time.process_time() - began < 30  # compiled code may have to be made first
    assert 1 <= len(sentences) <= 3
    assert all(text.endswith(".") and "  " not in text for text in sentences)
    for example in re.findall(r"'([^']*[0-9A-Z][^']*)'", " ".join(sentences).replace("don't", "")):
        game.read_move(game.start(), example)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (Nim(), ("first player wins", "11 plies", "only right way to begin is '2 from 1'", "is 2")),
        (Nim(misere=True), ("first player wins misère nim with 3, 4 and 5", "10 plies")),
        (
            Nim(piles=(1, 3, 5, 7), misere=True),
            (
                "second player",
                "15 plies",
                "Every first move loses",
                "0 is lost while some pile is",
                "at most 1 it is reversed",
                "an odd number of ones is lost",
            ),
        ),
        (
            Nim(piles=(1, 1, 1), misere=True),
            ("second player", "3 piles of 1", "odd number is lost"),
        ),
        (Nim(piles=(10**9, 10**9)), ("second player wins", "nim-sum is 0")),
        (Nim(piles=(10**9, 7), endings=((1, 2),)), ("I don't know", "too large")),
        (Nim(seats=3), ("I don't know", "for three", "what the others want")),
        (Nim(piles=(2, 2, 2), endings=CLASS_ENDINGS, misere=True), ("over before", "player 2")),
        (Sticks(), ("first player wins", "begin is '3'", "multiple of 4")),
        (Sticks(sticks=21), ("second player wins", "multiple of 4")),
        (Chopsticks(), ("second player wins chopsticks by my rules", "26 plies")),
        (Chopsticks(split_least=1), ("is a draw",)),
        (Chopsticks(rules="feathers"), ("first player wins chopsticks by the feather rules",)),
        (TicTacToe(), ("is a draw", "Every first move keeps the draw")),
        (TicTacToe(misere=True), ("Misère tic-tac-toe", "a draw", "begin is 'b2'")),
        (TicTacToe(columns=4, rows=4), ("first player wins", "5 plies")),
        (Nim(piles=(4, 5, 6)), ("first player wins", "'1 from 1'", "not every move will do")),
        (Othello(columns=4, rows=4), ("second player wins Othello on 4x4",)),
        (Othello(columns=6, rows=6), ("I don't know", "20 to 16", "not checked")),
        (Othello(), ("a draw", "Takizawa proved", "checked here", "I have not checked")),
        (Othello(columns=5, rows=4), ("I don't know", "not solved here")),
    ],
    ids=str,
)
def test_who_wins(game, told):
    text = " ".join(say_who_wins(game))
    assert [part for part in told if part not in text] == [], text


def test_what_takes_too_long_is_given_up():
    began = time.monotonic()
    hard = Chopsticks(dies_at=12, loops="barred")
    assert "found no proof" in " ".join(say_who_wins(hard, seconds=0.2))
    assert time.monotonic() - began < 30


def test_the_proven_results_can_be_proven():
    """One of them here, within seconds; all of them among the tests of the truth."""
    game = Chopsticks(rules="feathers")
    assert PROVEN[game] == {"win": "first", "loss": "second"}[outcome(game)]


def test_the_reason_given_for_misere_nim_holds_to_the_last_coin():
    """Play by the sentence from all small piles: it never contradicts the rules of the game."""

    @cache
    def lost(piles):
        moves = {
            tuple(sorted(piles[:at] + (left,) * (left > 0) + piles[at + 1 :]))
            for at, pile in enumerate(piles)
            for left in range(pile)
        }
        return bool(piles) and not any(lost(after) for after in moves)

    for piles in itertools.combinations_with_replacement(range(1, 6), 3):
        some_above = max(piles) > 1
        assert lost(piles) == (nim_sum(piles) == 0 if some_above else len(piles) % 2 == 1)
        text = " ".join(say_who_wins(Nim(piles=piles, misere=True)))
        assert ("it is reversed" in text) == some_above
        assert ("second player wins" in text) == lost(piles)
    assert "reversed" not in " ".join(say_who_wins(Nim(piles=(1, 3, 5, 7))))


def test_a_bot_that_has_no_move_passes():
    table = Table("othello", {}, ("human", "random"))
    assert describe_play(table, 0, Othello(), "pass") == "You have no move and pass."
    assert describe_play(table, 1, Othello(), "pass") == "Random has no move and passes."


# What a variant is called, and what cannot be one

REFUSED = [
    ("nim", {"piles": (10**9 + 1,)}, "A pile holds at most 1,000,000,000 coins."),
    ("nim", {"piles": (10**5000,)}, "A pile holds at most 1,000,000,000 coins."),
    ("nim", {"piles": (1,) * 65}, "There can be 1 to 64 piles."),
    ("nim", {"piles": ()}, "There can be 1 to 64 piles."),
    ("nim", {"piles": (0, 0)}, "There must be a coin somewhere."),
    ("nim", {"piles": (3, -1)}, "No pile holds less than 0 coins."),
    ("nim", {"piles": 3.5}, "Give the piles by how many coins each holds, like 3, 4 and 5."),
    ("nim", {"seats": 11}, "Nim is for 2 to 10 players."),
    ("nim", {"endings": ((10**10,),)}, "A pile holds at most 1,000,000,000 coins."),
    ("sticks", {"sticks": 5}, "The Game of Sticks is played with 10 to 100 sticks."),
    ("sticks", {"take": 101}, "The limit for one move can be 1 to 100 sticks."),
    ("chopsticks", {"fingers": 5}, "A hand that dies at 5 begins with 1 to 4."),
    ("chopsticks", {"fingers": 20}, "A hand begins with 1 to 19 fingers."),
    (
        "chopsticks",
        {"split_least": 7, "dies_at": 6},
        "Where hands die at 6, the fewest that a split leaves can be 0 to 5.",
    ),
    ("chopsticks", {"dies_at": 21}, "A hand can die at 2 to 20 fingers."),
    ("tictactoe", {"columns": 21}, "A board has 1 to 20 columns."),
    ("tictactoe", {"line": 4}, "No line on a 3x3 board is longer than 3."),
    ("tictactoe", {"line": 0}, "A line has 1 to 20 squares."),
    ("othello", {"rows": 3}, "An Othello board has 4 to 16 rows."),
]


@pytest.mark.parametrize(("name", "options", "told"), REFUSED, ids=[told for *_, told in REFUSED])
def test_what_cannot_be_set_up_is_refused_in_peoples_words(name, options, told):
    with pytest.raises(parlour.BadOption) as trouble:
        parlour.game(name, **options)
    assert explain_refusal(name, trouble.value) == told


@pytest.mark.parametrize("name", ["chopsticks", "nim", "othello", "sticks", "tictactoe"])
def test_every_option_has_a_refusal_and_it_holds_with_typed_text_too(name):
    for option, known in options_of(find("games", name)).items():
        assert f"{name} {option}" in read_sections(LIMITS)
        with pytest.raises(parlour.BadOption) as trouble:
            known.read("a whale")
        text = explain_refusal(name, trouble.value)
        assert text.endswith(".")
        assert not re.search(r"[_{}(]|whale|it must be|cannot be", text), text


def test_any_other_trouble_keeps_its_own_sentence():
    with pytest.raises(parlour.UnknownName) as trouble:
        parlour.game("nim", pils=3)
    assert (
        explain_refusal("nim", trouble.value) == "Nim has no option 'pils'; did you mean 'piles'?"
    )
    stranger = parlour.BadOption("depth", 9, "it must be 1 to 5")
    assert explain_refusal("guest", stranger) == "Depth cannot be 9; it must be 1 to 5."


@dataclass(frozen=True)
class Guest:
    """A game of somebody else's: say a number; the second number ends it, and the larger wins."""

    name: ClassVar[str] = "guest"
    seats: ClassVar[int] = 2

    def start(self):
        return ()

    def turn(self, state):
        return len(state) % 2

    def moves(self, state):
        return () if len(state) == 2 else (1, 2)

    def play(self, state, move):
        return (*state, move)

    def result(self, state):
        if len(state) < 2:
            return None
        sign = (state[0] > state[1]) - (state[0] < state[1])
        return (sign, -sign)

    def write_move(self, move):
        return str(move)

    def read_move(self, state, text):
        return int(text)


def test_who_wins_a_third_partys_game_is_worked_out():
    assert say_who_wins(Guest()) == (
        "Guest is a draw, if neither side errs.",
        "The only right way to begin is '2'.",
    )


@pytest.mark.parametrize("kind", ["feathers", "feathers-revive"])
def test_boxes_are_not_spoken_of_as_hands(kind):
    text = " ".join(say_who_wins(Chopsticks(rules=kind)))
    assert "hit left" not in text
    assert "split 2" not in text
