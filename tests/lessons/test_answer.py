"""An answer is judged by the exact values, and a wrong one is refuted to the end of the game."""

import pytest

from parlour.core import Work, say
from parlour.lessons import find_puzzles, judge_answer, make_puzzle
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth import impartial
from parlour.truth.explain import NimExplainer

GAMES = [Nim(), Sticks(), Chopsticks(), TicTacToe(), Othello()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_answer_gets_the_verdict_of_its_puzzle(game):
    for puzzle in find_puzzles(game, 6, seed=5):
        for move in game.moves(puzzle.state):
            verdict = judge_answer(puzzle, move)
            assert verdict.is_right == (move in puzzle.right)
            word = "Right" if verdict.is_right else "Wrong"
            assert verdict.sentences[0].startswith(word)
            assert verdict.line[0] == move
            if not verdict.is_right:
                best = [game.write_move(each) for each in puzzle.right]
                assert any(each in line for each in best for line in verdict.answer)


def test_an_answered_puzzle_is_solved_once(monkeypatch):
    solved = []
    solve = impartial.build_table
    monkeypatch.setattr(impartial, "build_table", lambda *given: solved.append(1) or solve(*given))
    game = Nim(piles=(3, 4, 5))
    puzzle = make_puzzle(game, game.start())
    for move in game.moves(puzzle.state):
        judge_answer(puzzle, move)
    assert len(solved) == 1


def test_an_ending_is_searched_under_the_control_of_whoever_asks():
    puzzle = find_puzzles(Othello(), 1)[0]
    puzzle.solution.work.stop()  # of what found the puzzle
    assert judge_answer(puzzle, puzzle.right[0], work=Work()).is_right


def test_a_refutation_ends_in_the_loss():
    game = Sticks(sticks=10)
    for puzzle in find_puzzles(game, 20):
        for move in puzzle.wrong:
            state = puzzle.state
            for each in judge_answer(puzzle, move).line:
                assert each in game.moves(state)
                state = game.play(state, each)
            seat = game.turn(puzzle.state)
            assert game.result(state)[seat] == -1


def test_an_answer_stays_hidden_however_the_sentences_are_worded(monkeypatch):
    puzzles = find_puzzles(Nim(), 4, seed=5)

    def count_sentences():
        judged = [judge_answer(each, each.wrong[0]) for each in puzzles]
        return [(len(each.sentences), len(each.answer), each.tells_line) for each in judged]

    before = count_sentences()
    assert all(answer and tells_line for _, answer, tells_line in before)
    reworded = dict.fromkeys(NimExplainer.sentences, lambda wording, **data: say("xyzzy"))
    monkeypatch.setattr(NimExplainer, "sentences", reworded)
    assert count_sentences() == before
