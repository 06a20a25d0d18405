"""Benedict gives puzzles when asked, judges answers by the exact values, and hears no more."""

import pytest

import parlour
from parlour.host import Session, reply
from parlour.host.language.line import normalise
from parlour.host.puzzle import read_request
from parlour.lessons import make_puzzle
from tests.host.talking import read_rows


def read_puzzle(typed):
    """The game and the level of the puzzle that a line asks for, or no."""
    found = read_request(normalise(typed))
    return "no" if found is None else f"{found.slots['game'] or '-'} {found.slots['level']}"


def test_a_puzzle_is_given_only_where_one_is_asked_for():
    wrong = [
        f"{typed} | {wanted}: {read_puzzle(typed)}"
        for typed, wanted in read_rows("puzzle_requests.txt")
        if read_puzzle(typed) != wanted
    ]
    assert not wrong, "\n".join(wrong)


def talk(*lines, seed=0):
    """Say lines one after the other; return the last reply. Sessions are stored in between."""
    session = Session(seed=seed)
    for line in lines:
        answer = reply(session, line)
        session = Session.from_json(answer.session.to_json())
    return answer


def puzzle_of(answer):
    asked = answer.session.puzzle
    return make_puzzle(parlour.game(asked.game, **asked.options), asked.position)


@pytest.mark.parametrize("game", ["nim", "sticks", "chopsticks", "tic-tac-toe", "othello"])
def test_every_right_answer_is_praised_and_every_wrong_one_refuted(game):
    given = talk(f"give me a {game} puzzle")
    puzzle = puzzle_of(given)
    assert given.board == puzzle.game.draw(puzzle.state)
    assert puzzle.goal in str(given)
    for move in puzzle.right[:3]:
        answer = reply(given.session, puzzle.game.write_move(move))
        assert answer.lines[0].startswith("Right")
        assert answer.session.puzzle.solved
        assert "another" in answer.lines[-1]
    wrong = puzzle.wrong[0]
    answer = reply(given.session, puzzle.game.write_move(wrong))
    assert answer.lines[0].startswith("Wrong")
    assert not answer.session.puzzle.solved
    assert answer.board != given.board
    assert not any(f"Better: {puzzle.game.write_move(m)}" in str(answer) for m in puzzle.right)


def test_the_variant_that_was_named_is_the_one_that_is_given():
    asked = talk("give me a puzzle of misère nim with 1, 3, 5 and 7").session.puzzle
    assert asked.options["piles"] in ([1, 3, 5, 7], (1, 3, 5, 7))
    assert asked.options["misere"] is True
    again = talk("give me a puzzle of misère nim with 1, 3, 5 and 7", "another").session.puzzle
    assert again.options == asked.options


def test_small_talk_leaves_the_puzzle_as_it_is_and_no_word_of_it_is_an_answer():
    given = talk("give me a tic-tac-toe puzzle")
    session = given.session
    for line in ("I like my dog", "what is a square?", "my brother has 3 cats", "hello", "thanks"):
        session = reply(session, line).session
        assert session.puzzle == given.session.puzzle, line


def test_giving_up_shows_the_answer_and_another_is_offered_once():
    shown = talk("give me a nim puzzle", "I give up")
    assert shown.lines[0].startswith("The answer")
    assert reply(shown.session, "yes please").session.puzzle.solved is False
    assert reply(shown.session, "no thanks").session.puzzle is None
    later = reply(reply(shown.session, "what is a cat?").session, "yes")
    assert later.session.puzzle is None


def test_an_illegal_answer_is_explained_and_counts_for_nothing():
    given = talk("give me a tic-tac-toe puzzle")
    taken = next(
        square
        for square in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
        if square not in [puzzle_of(given).game.write_move(m) for m in puzzle_of(given).right]
        and square not in [puzzle_of(given).game.write_move(m) for m in puzzle_of(given).wrong]
    )
    answer = reply(given.session, taken)
    assert "is taken" in str(answer)
    assert answer.session.puzzle == given.session.puzzle


def test_a_game_on_the_table_is_put_aside_gives_its_variant_and_can_be_resumed():
    given = talk("let's play nim with 4, 6 and 7, you begin", "give me a puzzle")
    assert given.lines[0].startswith("I put it aside")
    assert list(given.session.puzzle.options["piles"]) == [4, 6, 7]
    back = reply(reply(given.session, "stop").session, "resume")
    assert back.session.mode == "game"
    assert back.session.table.game == "nim"


def test_a_game_that_begins_puts_the_puzzle_away():
    assert talk("give me a puzzle", "let's play tic-tac-toe").session.puzzle is None


def test_a_variant_that_cannot_be_solved_is_refused_in_a_sentence():
    answer = talk("give me a puzzle of tic tac toe on a 9x9 board")
    assert answer.session.puzzle is None
    assert "takes me too long" in str(answer)
