"""Questions about the games get right answers, for the variant on the table, and change nothing."""

import itertools
from functools import cache
from pathlib import Path

import pytest

import parlour
from parlour.host import Session, reply
from parlour.host.language.line import normalise
from parlour.host.language.texts import read_sections
from parlour.host.session import HostTable
from parlour.host.table.judging import asks_for_review, review
from parlour.host.table.knowledge import advise, describe_ending
from parlour.host.table.questions import answer_question, is_asked
from parlour.host.table.state import load_match
from parlour.rules.chopsticks import HIT, OWN, SPLIT, Chopsticks
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.impartial import is_lost, nim_sum
from tests.conftest import LONG

ROWS = (Path(__file__).parent / "game_questions.txt").read_text(encoding="utf-8").splitlines()


def questions():
    """Each question with the lines said before it, and what a right answer must have."""
    before = ""
    for row in ROWS:
        if row.startswith("["):
            before = row[1:-1]
        elif row and not row.startswith("#"):
            asked, _, needs = row.partition(" => ")
            yield before, asked, needs.casefold().split("; ")


ASKED = list(questions())


@cache
def after(lines):
    session = Session(seed=1)
    for line in lines.split(" > "):
        session = reply(session, line).session
    return session


def answer(session, asked):
    """What he answers to a line that is known to be a question about the games."""
    line, table = normalise(asked), session.table
    match = load_match(table) if table else None
    if match is not None and asks_for_review(line):
        return "\n".join(review(session, line, match))
    return "\n".join(answer_question(session, line, match) or ())


def at_table(game, *moves, bot="perfect"):
    """A session with a game on the table, the person to begin."""
    table = HostTable(game.name, parlour.core.values(game), ("human", bot), tuple(moves))
    return Session(seed=1, mode="game", table=table)


def is_right(text, needs):
    return bool(text) and all(
        need[1:] not in text if need[0] == "!" else any(part in text for part in need.split("|"))
        for need in needs
    )


@pytest.mark.slow
def test_every_question_gets_the_right_answer_and_changes_no_game():
    wrong = []
    for before, asked, needs in ASKED:
        session, missed = after(before), asked.startswith("~")
        found = reply(session, asked)
        text = answer(session, asked.removeprefix("~ ")) if missed else str(found)
        if not is_right(text.casefold(), needs):
            wrong.append(f"{before} > {asked}: {'; '.join(needs)} | {text}")
        if not missed and found.session.table != session.table:
            wrong.append(f"{before} > {asked}: the table has changed")
    assert not wrong, "\n".join(wrong)


# Questions that are alike

LISTED = list(read_sections("table/asked.txt").items())
GAMES = {"nim": Nim(), "sticks": Sticks(sticks=14), "chopsticks": Chopsticks()}
GAMES |= {"tictactoe": TicTacToe(), "othello": Othello()}


@pytest.mark.slow
def test_every_kind_of_listed_question_gets_an_answer():
    """Each section is asked about one of the games where it is sure to have the answer."""
    unanswered = []
    for number, (section, rows) in enumerate(LISTED):
        games = section.partition(" @ ")[2].split()
        for game in games if LONG else games[number % (len(games) or 1) :][:1]:
            session, every = at_table(GAMES[game]), len(games) if LONG else 4
            unanswered += [f"{section}: {row}" for row in rows[::every] if not answer(session, row)]
    assert not unanswered, "\n".join(unanswered)


def test_listed_questions_are_written_as_lines_are_normalised():
    rows = [row for _, rows in LISTED for row in rows]
    assert [normalise(row).plain for row in rows] == rows


def test_neither_order_nor_words_around_matter():
    same = "what happens to the ball after a win"
    for asked in (
        "After a win, what happens to the ball then, I was wondering?",
        "tell me please what after a win happens to the ball",
    ):
        assert answer(Session(), asked) == answer(Session(), same)


def test_no_yes_or_no_where_the_question_may_be_the_other_way_round():
    session = at_table(Nim())
    assert answer(session, "can I take from two piles?").startswith("No")
    for asked in ("may I take from two piles or only from one?", "can I not take from two piles?"):
        text = answer(session, asked)
        assert "one pile only" in text
        assert not text.startswith(("Yes", "No"))


def test_what_is_said_of_other_things_is_not_taken_for_a_question_about_games():
    for line in ("how do you save a wet phone", "who was first up Everest", "do orcas kill?"):
        assert not is_asked(Session(), normalise(line), None)


# Numbers that are computed


@pytest.mark.parametrize("piles", [(3, 4, 5), (1, 1, 1), (1, 1), (2, 1), (1, 2, 3), (1, 1, 2)])
def test_misere_is_compared_with_normal_play_by_the_solver(piles):
    text = answer(at_table(Nim(piles=piles)), "would the right move change in misère?")
    games = [Nim(piles=piles, misere=misere) for misere in (False, True)]
    wins = [
        {
            game.write_move(move)
            for move in game.moves(game.start())
            if is_lost(game.play(game.start(), move)[2:], misere=game.misere)
        }
        for game in games
    ]
    if wins[0] and wins[0] == wins[1]:
        assert "same" in text
    assert all(move in text for move in wins[1])
    assert ("no move would win" in text) == (not wins[1])


def test_the_right_take_is_that_of_the_solver():
    for sticks in range(5, 30):
        text = answer(Session(), f"sticks: how many should I take from {sticks}?")
        over = (sticks - 1) % 4
        assert ("loses" in text) == (over == 0)
        assert over == 0 or f"right move is {over}" in text


def test_winning_moves_are_counted():
    for piles in itertools.combinations_with_replacement(range(1, 5), 3):
        game = Nim(piles=piles)
        moves = game.moves(game.start())
        wins = [m for m in moves if nim_sum(game.play(game.start(), m)[2:]) == 0]
        text = answer(at_table(game), "how many winning moves do I have?")
        assert text.startswith(f"{len(wins)} winning move" if wins else "None")


def test_the_numbers_of_tic_tac_toe():
    game = TicTacToe()

    @cache
    def ends(state):
        result = game.result(state)
        if result is not None:
            return (result[0] > 0, result[1] > 0, max(result) <= 0)
        parts = [ends(game.play(state, move)) for move in game.moves(state)]
        return tuple(sum(some) for some in zip(*parts, strict=True))

    text = answer(at_table(game), "how many games does x win?")
    assert all(f"{number:,}" in text for number in ends(game.start()))


def test_the_shortest_games():
    game, state = Othello(), Othello().start()
    for text in "e6 f4 e3 f6 g5 d6 e7 f5 c5".split():
        state = game.play(state, game.read_move(state, text))
    assert game.result(state) == (1, -1)
    assert "9 moves" in answer(at_table(game), "what is the shortest possible game?")
    hands, states, plies = Chopsticks(), {Chopsticks().start()}, 0
    while all(hands.result(each) is None for each in states):
        states = {hands.play(each, move) for each in states for move in hands.moves(each)}
        plies += 1
    assert f"{plies} moves" in answer(at_table(hands), "what is the shortest possible game?")


# Rules, each asked of every variant and compared with the moves that the game allows


def hands(**options):
    return Chopsticks(dies_at=5, **options)


def allows(game, position, fits):
    return any(fits(move) for move in game.moves(game.read(position)))


CHOPSTICKS = {
    "can a dead hand be revived?": lambda game: allows(game, "3,0:1,1", lambda m: m[0] == SPLIT),
    "may I hit my own hand?": lambda game: allows(
        game, "1,1:1,1", lambda m: m[0] == HIT and m[2] == OWN
    ),
    "can I split so that they are just swapped?": lambda game: allows(
        game, "3,1:1,1", lambda m: m == (SPLIT, 1, 3)
    ),
    "can I split to nothing?": lambda game: allows(game, "2,1:1,1", lambda m: m[:2] == (SPLIT, 0)),
}


@pytest.mark.parametrize("asked", CHOPSTICKS)
def test_rules_of_hands_are_those_of_the_variant(asked):
    flags = itertools.product((False, True), repeat=3)
    for (own, revive, same), least in itertools.product(flags, (0, 1)):
        game = hands(hit_self=own, revive=revive, split_same=same, split_least=least)
        text = answer(at_table(game), asked)
        assert text.startswith("Yes" if CHOPSTICKS[asked](game) else "No"), (game, text)


@pytest.mark.parametrize(("misere", "take"), [(False, None), (True, 3)])
def test_rules_of_piles_are_those_of_the_variant(misere, take):
    session = at_table(Nim(misere=misere, take=take))
    assert ("loses" if misere else "wins") in answer(session, "what about the last coin?")
    assert answer(session, "can I take a whole pile?").startswith("Only" if take else "Yes")
    assert answer(session, "may I take from two piles?").startswith("No")
    assert "last stick loses" in answer(at_table(Sticks()), "who takes the last one wins?")


def test_the_nim_sum_of_a_position_is_shown_in_binary():
    for piles in itertools.product(range(1, 5), repeat=3):
        text = answer(at_table(Nim(piles=piles)), "what is the nim-sum here?")
        assert f"Nim-sum {nim_sum(piles)}." in text
        wide = max(piles).bit_length()
        assert all(f"{pile:0{wide}b}" in text for pile in piles)


def test_how_many_moves_there_are_is_counted():
    for game in (Nim(), Sticks(), Chopsticks(), TicTacToe(), Othello()):
        number = len(game.moves(game.start()))
        assert f"You have {number} moves" in answer(at_table(game), "how many moves do I have?")


def test_whether_he_can_be_beaten_is_known_where_the_game_is_solved():
    for piles in itertools.product(range(1, 4), repeat=3):
        text = answer(at_table(Nim(piles=piles)), "can I beat you?")
        assert text.startswith("No" if is_lost(piles, misere=False) else "Yes")


# Reviews


def test_a_first_move_at_nim_is_right_if_and_only_if_it_leaves_nim_sum_0():
    game = Nim()
    for move in game.moves(game.start()):
        text = answer(at_table(game, game.write_move(move)), "was my move good?")
        left = game.play(game.start(), move)[2:]
        assert ("Right" in text) == (nim_sum(left) == 0), text
        assert ("2 from 1" in text) or nim_sum(left) == 0


def test_the_move_that_cost_most_is_named():
    """1 from 1 kept the win at 1, 2 and 2; then 2 from 2 gave it away."""
    session = at_table(Nim(piles=(1, 2, 2)), "1 from 1", "1 from 3", "2 from 2")
    text = answer(session, "where did I go wrong?")
    assert "number 2" in text
    assert "2 from 2" in text
    assert "1 from 2" in text
    lost = at_table(Nim(piles=(2, 2)), "1 from 1", "1 from 2", "1 from 1")
    assert "lost for you from your first move on" in answer(lost, "what was my mistake?")
    fine = at_table(Nim(piles=(1, 2, 2)), "1 from 1")
    assert "no mistake" in answer(fine, "what was my mistake?")


def test_what_is_not_solved_is_not_judged():
    three = Nim(seats=3)
    table = HostTable(
        "nim", parlour.core.values(three), ("human", "random", "random"), ("1 from 1",)
    )
    text = answer(Session(mode="game", table=table), "what was my mistake?")
    assert "cannot judge" in text


def test_a_review_of_othello_is_said_to_be_an_estimate():
    session = at_table(Othello(), "d3", bot="benedict")
    assert "≈" in answer(session, "was my move good?")
    assert "estimate" in answer(session, "where did I go wrong?")


def test_after_a_corner_the_centre_alone_holds_the_draw():
    """As he says it: 1 reply of 8 after a corner, 4 after the centre, 4 after a side."""
    game, solution = TicTacToe(), parlour.solve(TicTacToe())
    for square, number in (("a1", 1), ("b2", 4), ("b1", 4)):
        after = game.play(game.start(), game.read_move(game.start(), square))
        held = [m for m in game.moves(after) if solution.after(after, m).outcome == "draw"]
        assert len(held) == number
    text = answer(at_table(game), "is the corner better than the side?")
    assert "1 of the 8" in text
    assert "centre 4" in text
    assert "side 4" in text


def test_a_number_of_sticks_is_won_or_lost_as_the_solver_has_it():
    for take, sticks in itertools.product((2, 3, 4), range(10, 24)):
        game = Sticks(sticks=sticks, take=take)
        value = parlour.solve(game).value(game.start())
        text = answer(at_table(game), f"is {sticks} good?")
        assert ("loses" in text) == (value.outcome == "loss"), text


# Openings


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("f5 d6 c3 d3 c4", "This is the Tiger"),  # as books write it, from f5
        ("f5 d6", "This is the perpendicular"),
        ("f5 f6", "This is the diagonal"),
        ("f5 f4", "This is the parallel"),
        ("f5 f6 e6 f4 e3", "This is the Cow"),
        ("e6 f4 c3 c4 d3", "This is the Tiger"),  # mirrored
        ("f5 d6 c4 d3 c3", "This is the Tiger"),  # in another order
        ("f5 d6 c3 d3 c4 g5 g6", "It began as the Tiger"),
        ("f5 d6 c3", "It began as the perpendicular"),
        ("f5", "no name yet"),
    ],
)
def test_openings_have_their_names(moves, name):
    text = answer(at_table(Othello(), *moves.split()), "what opening is this?")
    assert name in text


def test_an_opening_asked_for_by_name_is_answered_with_its_moves():
    text = answer(at_table(Othello()), "what is the leader's tiger opening?")
    assert "Leader's Tiger begins f5 d6 c3 d3 c4 f4 e6" in text
    assert "perpendicular openings" in text
    assert "begins f5 f6 e6 f4 g5" in answer(at_table(Othello()), "what is the heath opening?")


def test_without_a_board_no_opening_is_named():
    assert "no Othello board" in answer(Session(seed=1), "what opening is this in othello?")


# Bots


def test_every_bot_is_described():
    for name in parlour.core.registry.claims("bots"):
        if name != "benedict":
            assert answer(Session(), f"what is the {name} bot?"), name


# What is said when a game ends, and with a hint


def test_the_score_of_othello_says_where_the_empty_squares_go():
    game = Othello(columns=4, rows=4)
    table = HostTable("othello", parlour.core.values(game), ("human", "random"))
    match = parlour.core.Match(game, ["human", "random"])
    match.state, match.result, match.reason = game.read("XXXXXXXXXXXXXX-- X"), (1, -1), ""
    assert describe_ending(table, match) == (
        "You win, 14 discs to 0; the 2 empty squares go to the winner, which makes it 16 to 0."
    )
    match.state = game.read("XXXXXXXXXXXXXXXO X")
    assert describe_ending(table, match) == "You win, 15 discs to 1."


@pytest.mark.parametrize("game", [Nim(), Sticks(), Chopsticks(), TicTacToe(), Othello()], ids=str)
def test_a_hint_has_a_reason(game):
    table = HostTable(game.name, parlour.core.values(game), ("human", "perfect"))
    lines = advise(table, game, game.start(), seed=1)
    assert lines[0].startswith(("Play ", "I would play "))
    assert len(lines) > 1


# What is only named


@cache
def wins_heap(number, most, misere):
    """Whether the player to move wins a heap, by trying every take."""
    if number == 0:
        return misere
    takes = range(1, min(most, number) + 1)
    return any(not wins_heap(number - take, most, misere) for take in takes)


@pytest.mark.parametrize(("most", "misere"), [(2, False), (3, True), (4, True)])
def test_a_heap_that_is_named_is_judged_as_by_trying_every_take(most, misere):
    last = "loses" if misere else "wins"
    for number, taken in itertools.product(range(5, 14), (None, *range(1, most + 1))):
        takes = f" and I take {taken}" if taken else ""
        asked = (
            f"sticks: there are {number} left{takes}, at most {most} at a time, the last one {last}"
        )
        text = answer(Session(), f"{asked}: was that right?" if taken else f"{asked}: good for me?")
        wins = wins_heap(number, most, misere)
        if taken is None:
            assert ("player to move wins" in text) == wins, (number, text)
        else:
            right = not wins_heap(number - taken, most, misere)
            assert ("is right" in text) == right, (number, taken, text)
            assert ("mistake" in text) == (wins and not right), (number, taken, text)


def test_two_moves_are_compared_as_the_nim_sum_has_it():
    game = Nim()
    moves = {game.write_move(move): move for move in game.moves(game.start())}
    wins = {text: not nim_sum(game.play(game.start(), m)[2:]) for text, m in moves.items()}
    for one, other in itertools.permutations(wins, 2):
        text = answer(at_table(game), f"is {one} better than {other}?")
        for each in (one, other):
            assert f"{each} {'wins' if wins[each] else 'loses'} in" in text, text
        if wins[one] != wins[other]:
            assert text.endswith(f"So {one if wins[one] else other} is better."), text


def test_replies_at_tic_tac_toe_are_judged_by_the_solver():
    squares = {"a corner": "a1 c1 a3 c3", "the centre": "b2", "a side": "b1 a2 c2 b3"}
    game, solution = TicTacToe(), parlour.solve(TicTacToe())
    for first, second in itertools.product(squares, repeat=2):
        opening = squares[first].split()[0]
        after = game.play(game.start(), game.read_move(game.start(), opening))
        moves = [game.read_move(after, s) for s in squares[second].split() if s != opening]
        held = {solution.after(after, move).outcome == "draw" for move in moves}
        text = answer(Session(), f"tic tac toe: if X opens in {first} and O answers on {second}?")
        if len(held) == 1:
            assert ("holds the draw." in text.split("After a first")[0]) == held.pop(), text
        elif held:
            assert text.startswith("After a first move"), text


def test_a_hit_between_numbers_kills_from_five_on():
    for one, other in itertools.product(range(1, 5), repeat=2):
        text = answer(Session(), f"in chopsticks, if I hit your {one} with my {other}, what then?")
        assert ("kills" in text) == (one + other >= 5)
        assert f"make {one + other}" in text


def test_hands_that_are_named_are_won_or_lost_as_the_solver_has_it():
    game, solution = Chopsticks(), parlour.solve(Chopsticks())
    for own, other in itertools.product(((1, 2), (2, 3), (0, 1)), ((1, 1), (0, 4), (2, 2))):
        value = solution.value(game.read("{},{}:{},{}".format(*own, *other)))
        asked = "chopsticks: I have {} and {}, you have {} and {}, who wins?".format(*own, *other)
        verb = {"win": "wins", "loss": "loses", "draw": "holds the draw"}[value.outcome]
        assert f"is to move {verb}" in answer(Session(), asked)


def test_discs_turned_are_counted_on_the_board():
    game = Othello()
    state = game.play(game.start(), game.read_move(game.start(), "d3"))
    for move in game.moves(state):
        text = answer(
            at_table(game, "d3"), f"how many discs would I flip at {game.write_move(move)}?"
        )
        turned = game.flips(state[0], state[1], 1 << (move[0] + 8 * move[1])).bit_count()
        assert f"turn {turned} disc" in text


def test_what_is_not_allowed_is_refused_with_the_reason():
    assert answer(at_table(Nim()), "can I take 6 from the first pile?").startswith("No: pile 1 has")
    assert answer(at_table(Othello()), "why can't I play a1?").startswith("No: the square a1")
    assert "no pile 4" in answer(at_table(Nim()), "can I take coins from pile 4?")


def test_piles_that_are_named_are_not_judged_by_those_on_the_table():
    session = at_table(Nim(), bot="benedict")
    for piles in itertools.combinations_with_replacement(range(1, 4), 3):
        asked = "suppose the piles were {}, {} and {}, who would win then?".format(*piles)
        which = "first" if nim_sum(piles) else "second"
        assert f"The {which} player wins" in " ".join(reply(session, asked).lines)


def test_a_mex_is_the_smallest_number_that_is_missing():
    assert "is 2:" in answer(Session(), "what is the mex of 0, 1 and 3?")
    assert "is 0:" in answer(Session(), "what is the mex of 1 and 2?")
