"""What he knows is right, is said well, and is found by many ways to ask; so are the rules."""

import itertools
import re
from functools import cache
from pathlib import Path

import pytest

import parlour
from parlour.core.options import options_of
from parlour.core.registry import find
from parlour.host.language.line import normalise
from parlour.host.language.texts import read_sections
from parlour.host.session import HostTable
from parlour.host.table.knowledge import PROVEN, answer_topic, describe_play, say_who_wins
from parlour.host.table.setup import LIMITS, explain_refusal
from parlour.host.understand.grammar import find_readings, load_questions
from parlour.host.understand.intent import OF_THE_TABLE, name_topic
from parlour.learn.hat_set import list_boxes
from parlour.players import benedict
from parlour.players.minimax import Minimax
from parlour.players.perfect import Perfect, chance_to_err
from parlour.rules.chopsticks import PRESETS, SPLIT, Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.impartial import nim_sum
from tests.conftest import LONG
from tests.variants import VARIANTS, label

QUESTIONS = load_questions()
NAMES = {
    "nim": "nim",
    "sticks": "the game of sticks",
    "chopsticks": "chopsticks",
    "othello": "Othello",
    "tictactoe": "tic-tac-toe",
}
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


def read_questions():
    """The lines of the list by the section in which they stand."""
    found = {}
    for row in Path(__file__).with_name("questions.txt").read_text(encoding="utf-8").splitlines():
        if row.startswith("["):
            rows = found.setdefault(row[1:-1], [])
        elif row and not row.startswith("#"):
            rows.append(row)
    return found


LISTED = read_questions()
OTHERS = LISTED.pop("none")
EXAMPLES = {  # each topic with its questions
    topic.replace("game ", f"{game}-"): [row.replace("_", name) for row in rows]
    for topic, rows in LISTED.items()
    for game, name in (NAMES.items() if topic.startswith("game ") else [("", "")])
}


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


def answer(topic):
    return " ".join(answer_topic(topic))


def numbers(topic):
    return [int(digits) for digits in re.findall(r"[0-9]+", answer(topic))]


@cache
def solved(game):
    return parlour.solve(game)


def outcome(game, position=None):
    state = game.start() if position is None else game.read(position)
    return solved(game).value(state).outcome


# Questions


@pytest.mark.slow
def test_every_example_is_matched_best_by_its_own_topic():
    """Of the questions that are asked of each game, the next is asked of the next one."""
    assert EXAMPLES.keys() == QUESTIONS.keys()
    wrong = []
    for number, (topic, rows) in enumerate(EXAMPLES.items()):
        each = 1 if LONG or topic in LISTED else len(NAMES)
        for row in rows[number % each :: each]:
            found = matched(normalise(row).words)
            own = found.pop(topic, 0)
            if own <= max(found.values(), default=0):
                wrong.append(f"{topic}: {row} ({own}, {found})")
    assert not wrong, "\n".join(wrong)


def test_commands_set_ups_and_small_talk_are_no_questions():
    assert [line for line in OTHERS if matched(normalise(line).words)] == []


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


def test_what_can_be_a_draw_is_as_the_rules_have_it():
    """No where every end of the game is won by somebody, yes where an end is drawn."""
    assert answer("nim-draw").startswith("No")
    assert answer("sticks-draw").startswith("No")
    for game in (Nim(), Sticks()):
        assert solved(game).counts().get("draw", 0) == 0
    for name in ("chopsticks", "othello", "tictactoe"):
        assert answer(f"{name}-draw").startswith("Yes")
    assert TicTacToe().result(TicTacToe().read("XOXXOOOXX O")) == (0, 0)
    assert Othello(columns=4, rows=4).result(
        Othello(columns=4, rows=4).read("X" * 8 + "O" * 8 + " X")
    ) == (0, 0)
    assert solved(Chopsticks()).counts()["draw"] > 0


def test_every_answer_is_one_to_three_sentences_in_good_english():
    for topic in QUESTIONS:
        sentences = answer_topic(topic)
        assert 1 <= len(sentences) <= 3
        assert len(" ".join(sentences).split()) <= 75
        for text in sentences:
            assert text[0].isupper() or text[0].isdigit(), text
            assert text.endswith((".", "!")), text
            assert text == " ".join(text.split()), text
            assert len(text.split()) <= 60, text
            assert not re.search(r"\b(\w+) \1\b", text, re.IGNORECASE), text
            assert not re.search(r"\ba [aeio]|\ban [^aeio8]|[,;:.]{2}| [,;:.]", text), text


def test_an_answer_belongs_to_one_topic():
    given = [answer_topic(topic) for topic in QUESTIONS]
    assert len(set(given)) == len(given)
    with pytest.raises(KeyError):
        answer_topic("whales")


def test_history_is_as_established_and_lore_is_marked():
    facts = [(topic, fact) for topic, row in HISTORY.items() for fact in row]
    assert [each for each in facts if each[1] not in answer(each[0])] == []


def test_the_games_and_bots_he_names_are_those_that_are_here():
    assert numbers("games") == [len(parlour.games())]
    for name in parlour.games():
        assert name in answer("games").casefold().replace("tic-tac-toe", "tictactoe")
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
    assert "2 from the pile of 3 is the only move" in answer("nim-value")
    assert "011, 100 and 101" in answer("nimsum")
    assert "010" in answer("nimsum")
    assert [f"{n:03b}" for n in (3, 4, 5, 3 ^ 4 ^ 5)] == ["011", "100", "101", "010"]
    assert all(outcome(Nim(piles=(n, n))) == "loss" for n in range(1, 8))


def test_misere_numbers():
    assert numbers("marienbad")[:4] == [1, 3, 5, 7]
    assert nim_sum((1, 3, 5, 7)) == 0
    assert outcome(Nim(piles=(1, 3, 5, 7), misere=True)) == "loss"
    for ones in range(1, 7):
        assert outcome(Nim(piles=(1,) * ones, misere=True)) == ("loss" if ones % 2 else "win")
    assert "odd number" in answer("misere")


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


@pytest.mark.slow
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
    assert "computed here from the start" in answer("othello-value")
    assert "every position" not in answer("othello-value")  # the table cannot solve them all
    assert numbers("corners") == [max(benedict.TABLE), -min(benedict.TABLE)]
    assert benedict.TABLE[0] == 50
    assert benedict.TABLE[9] == -10
    assert parlour.bot("benedict").plies == 3 == numbers("othello-win")[0]


def test_the_other_numbers():
    assert numbers("level")[:3] == [10, 10, 1]
    assert chance_to_err(10, None) == 0
    assert chance_to_err(1, None) > 0.9
    assert Perfect(level=10).level == 10
    assert numbers("minimax")[-1] == Minimax().depth
    for ending in CLASS_ENDINGS:
        assert ",".join(map(str, ending)) in answer("endings")
    assert numbers("seats")[0] == Nim(seats=10).seats
    with pytest.raises(parlour.BadOption):
        Nim(seats=11)


# Variants


def test_who_wins_is_answered_for_every_variant():
    for game in VARIANTS[:: 1 if LONG else 3]:
        sentences = say_who_wins(game, seconds=0.5)
        assert 1 <= len(sentences) <= 3, label(game)
        assert all(text.endswith(".") and "  " not in text for text in sentences), label(game)
        text = " ".join(sentences).replace("don't", "")
        for example in re.findall(r"'([^']*[0-9A-Z][^']*)'", text):
            game.read_move(game.start(), example)


WINNERS = [
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
    (Nim(seats=3), ("I don't know", "for 3 players", "what the others want")),
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
]


@pytest.mark.slow
def test_who_wins_is_answered_with_the_reason():
    wrong = [
        f"{game}: {part} | {text}"
        for game, parts in WINNERS
        for text in [" ".join(say_who_wins(game))]
        for part in parts
        if part not in text
    ]
    assert not wrong, "\n".join(wrong)


def test_a_search_that_takes_too_long_is_given_up():
    hard = Chopsticks(dies_at=12, loops="barred")
    assert "found no proof" in " ".join(say_who_wins(hard, seconds=0.2))


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
    table = HostTable("othello", {}, ("human", "random"))
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


def test_an_impossible_option_is_refused_in_plain_words():
    for name, options, wanted in REFUSED:
        with pytest.raises(parlour.BadOption) as error:
            parlour.game(name, **options)
        assert explain_refusal(name, error.value) == wanted


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_a_refusal_and_it_holds_with_typed_text_too(name):
    for option, known in options_of(find("games", name)).items():
        assert f"{name} {option}" in read_sections(LIMITS)
        with pytest.raises(parlour.BadOption) as error:
            known.read("a whale")
        text = explain_refusal(name, error.value)
        assert text.endswith(".")
        assert not re.search(r"[_{}(]|whale|it must be|cannot be", text), text


def test_any_other_error_keeps_its_own_sentence():
    with pytest.raises(parlour.UnknownName) as error:
        parlour.game("nim", pils=3)
    assert explain_refusal("nim", error.value) == "Nim has no option 'pils'; did you mean 'piles'?"
    stranger = parlour.BadOption("depth", 9, "it must be 1 to 5")
    assert explain_refusal("guest", stranger) == "Depth cannot be 9; it must be 1 to 5."


def test_boxes_are_not_spoken_of_as_hands():
    for kind in ("feathers", "feathers-revive"):
        text = " ".join(say_who_wins(Chopsticks(rules=kind)))
        assert "hit left" not in text
        assert "split 2" not in text
