"""Puzzles at the terminal: a position, an answer, and why it was right or wrong."""

from __future__ import annotations

from collections.abc import Sequence

from parlour import core
from parlour.core import Move, ParlourError, State, count, one_of, protocol, seat_name, sentence
from parlour.faces.progress import wait
from parlour.faces.terminal.console import Leave, ask_beside, say
from parlour.lessons import LEVELS, AnswerVerdict, Puzzle, judge_answer

HELP = """Type your move, or one of:
  moves    list the legal moves
  board    show the position again
  show     show the answer and go on
  skip     go on to the next puzzle
  quit     stop here"""


def solve_puzzles(puzzles: Sequence[Puzzle]) -> int:
    """Ask puzzles one after the other, until the person stops, and say how it went."""
    asked = first_try = 0
    try:
        for number, puzzle in enumerate(puzzles, start=1):
            say(f"Puzzle {number} of {len(puzzles)}, {LEVELS[puzzle.level - 1]}")
            say()
            say(puzzle.game.draw(puzzle.state))
            say()
            say(f"{core.capital(_mover(puzzle))} to move. {puzzle.goal}")
            solved = _ask(puzzle)
            asked += solved is not None
            first_try += solved is True
            say()
    except (EOFError, KeyboardInterrupt, Leave):
        say()
    tried = count(asked, "puzzle")
    say(f"You solved {first_try} of {tried} at the first try." if asked else "Goodbye.")
    return 0


def _mover(puzzle: Puzzle) -> str:
    return seat_name(puzzle.game, puzzle.game.turn(puzzle.state))


def _ask(puzzle: Puzzle) -> bool | None:
    """Ask until the answer is right; return whether the first was, or None if it was skipped."""
    game, state = puzzle.game, puzzle.state
    moves = [protocol.describe_move(game, state, move) for move in game.moves(state)]
    shown = {"moves": lambda: one_of(moves), "board": lambda: game.draw(state)}
    tried = False
    while True:
        typed = ask_beside("Your move: ", HELP, shown)
        if typed.casefold() == "skip":
            return False if tried else None
        if typed.casefold() == "show":
            _tell(puzzle, _judge(puzzle, puzzle.right[0]))
            return False
        try:
            move = puzzle.read_answer(typed)
        except ParlourError as error:
            say(sentence(str(error)))
            continue
        verdict = _judge(puzzle, move)
        _tell(puzzle, verdict)
        if verdict.is_right:
            return not tried
        tried = True


def _judge(puzzle: Puzzle, move: Move) -> AnswerVerdict:
    return wait(lambda work: judge_answer(puzzle, move, work=work), doing="checking the answer")


def _tell(puzzle: Puzzle, verdict: AnswerVerdict) -> None:
    """Say why an answer is right or wrong, and show where a wrong one leads."""
    for line in verdict.sentences:
        say(line)
    if not verdict.is_right:
        state: State = puzzle.state
        for move in verdict.line[:2]:
            state = puzzle.game.play(state, move)
        say()
        say(puzzle.game.draw(state))
        say("Try again, or type 'show'.")
    else:
        others = [move for move in puzzle.right if move != verdict.line[0]]
        if others:
            names = one_of([puzzle.game.write_move(move) for move in others])
            say(f"Just as good: {names}.")
