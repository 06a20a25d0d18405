"""`parlour puzzles GAME`: positions in which few moves are right, to be solved at the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from parlour import core, lessons
from parlour.core import Game, Move, ParlourError, State, Work, answers, describe, files
from parlour.faces.cli.command import Parser, parse_game, print_json
from parlour.faces.progress import describe_size, wait
from parlour.faces.terminal import console
from parlour.lessons import LEVELS, Puzzle, find_puzzles
from parlour.rules import Othello
from parlour.rules.formats import read_games

NUMBER = 10
HELP = """Type your move, or one of:
  moves    list the legal moves
  board    show the position again
  show     show the answer and go on
  skip     go on to the next puzzle
  quit     stop here"""


class PuzzleData(answers.PositionFields):
    """A puzzle with its answer."""

    id: str  # a name that the puzzle has everywhere, also turned and mirrored
    goal: str  # what is asked for
    right: list[str]  # every move that keeps the value
    wrong: list[str]  # all other moves
    outcome: answers.Outcome  # for the mover, with a right move
    plies: int | None  # to the end with best play; empty squares where discs count
    discs: int | None  # the mover's lead at the end with a right move, where discs count
    level: Annotated[int, ("minimum", 1), ("maximum", len(LEVELS))]  # how hard it is


class Answer(answers.GameFields):
    """What `parlour puzzles --json` prints: positions in which few moves are right."""

    format: Literal["parlour puzzles 1"]
    puzzles: list[PuzzleData]


def run(parser: Parser, arguments: list[str]) -> int:
    """Find puzzles, and ask them one after the other or print them for programs."""
    about = "how many puzzles to find"
    parser.add_number("--number", about, default=NUMBER, low=1, high=10_000)
    words = ", ".join(f"{number} {word}" for number, word in enumerate(LEVELS, 1))
    parser.add_number("--level", f"how hard they are: {words}", low=1, high=len(LEVELS))
    parser.add_number("--seed", "a number that finds the same puzzles again", default=0)
    about = "Othello: find them in these games (WTHOR archives, GGF, records) in place of our own"
    parser.add_flag("--games", "FILE", about, nargs="+", type=Path)
    parser.add_json()
    given, game = parse_game(parser, arguments)
    games = None if given.games is None else _read_files(given.games, game)

    def find(work: Work) -> list[Puzzle]:
        return find_puzzles(
            game, given.number, level=given.level, seed=given.seed, games=games, work=work
        )

    doing = f"finding puzzles of {describe(game)}"
    found = wait(find, doing=doing, things="puzzles", size=describe_size(game))
    if given.json:
        puzzles = [_to_dict(puzzle) for puzzle in found]
        game_fields = answers.game_fields(game)
        print_json(Answer(format="parlour puzzles 1", **game_fields, puzzles=puzzles))
        return 0
    if not found:
        kind = "such puzzle" if given.level else "puzzle"
        raise ParlourError(f"{describe(game)} has no {kind}; try another level or variant")
    return _solve_puzzles(found)


def _read_files(paths: Iterable[Path], game: Game) -> list[list[State]]:
    """Return the positions of every game in these files that is played by the same rules."""
    if not isinstance(game, Othello):
        raise ParlourError("--games is for Othello; puzzles of other games are found without any")
    found: list[list[State]] = []
    for path in paths:
        with files.explain_errors("read", path):
            data = path.read_bytes()
        held = read_games(data, game)
        transcripts = (held[number] for number in range(len(held)))
        found += [[s for s, _ in each.positions()] for each in transcripts if each.game == game]
    if not found:
        raise ParlourError(f"these files hold no game of {describe(game)}")
    return found


def _to_dict(puzzle: Puzzle) -> PuzzleData:
    game = puzzle.game
    return answers.pick(
        PuzzleData,
        puzzle,
        **answers.position_fields(game, puzzle.state),
        right=[game.write_move(move) for move in puzzle.right],
        wrong=[game.write_move(move) for move in puzzle.wrong],
    )


# The conversation


def _solve_puzzles(puzzles: Sequence[Puzzle]) -> int:
    """Ask puzzles one after the other, until the person stops, and say how it went."""
    asked = first_try = 0
    try:
        for number, puzzle in enumerate(puzzles, start=1):
            console.say(f"Puzzle {number} of {len(puzzles)}, {LEVELS[puzzle.level - 1]}")
            console.say(f"\n{puzzle.game.draw(puzzle.state)}\n")
            mover = core.seat_name(puzzle.game, puzzle.game.turn(puzzle.state))
            console.say(f"{core.capital(mover)} to move. {puzzle.goal}")
            solved = _ask(puzzle)
            asked += solved is not None
            first_try += solved is True
            console.say()
    except (EOFError, KeyboardInterrupt, console.Leave):
        console.say()
    tried = core.count(asked, "puzzle")
    console.say(f"You solved {first_try} of {tried} at the first try." if asked else "Goodbye.")
    return 0


def _ask(puzzle: Puzzle) -> bool | None:
    """Ask until the answer is right; return whether the first was, or None if it was skipped."""
    game, state = puzzle.game, puzzle.state
    moves = [core.protocol.describe_move(game, state, move) for move in game.moves(state)]
    shown = {"moves": lambda: core.one_of(moves), "board": lambda: game.draw(state)}
    tried = False
    while True:
        typed = console.ask_beside("Your move: ", HELP, shown)
        if typed.casefold() == "skip":
            return False if tried else None
        if typed.casefold() == "show":
            _tell(puzzle, _judge(puzzle, puzzle.right[0]))
            return False
        try:
            move = puzzle.read_answer(typed)
        except ParlourError as error:
            console.say(core.sentence(str(error)))
            continue
        verdict = _judge(puzzle, move)
        _tell(puzzle, verdict)
        if verdict.is_right:
            return not tried
        tried = True


def _judge(puzzle: Puzzle, move: Move) -> lessons.AnswerVerdict:
    return wait(
        lambda work: lessons.judge_answer(puzzle, move, work=work), doing="checking the answer"
    )


def _tell(puzzle: Puzzle, verdict: lessons.AnswerVerdict) -> None:
    """Say why an answer is right or wrong, and show where a wrong one leads."""
    for line in verdict.sentences:
        console.say(line)
    if not verdict.is_right:
        state: State = puzzle.state
        for move in verdict.line[:2]:
            state = puzzle.game.play(state, move)
        console.say(f"\n{puzzle.game.draw(state)}")
        console.say("Try again, or type 'show'.")
    else:
        others = [move for move in puzzle.right if move != verdict.line[0]]
        if others:
            names = core.one_of([puzzle.game.write_move(move) for move in others])
            console.say(f"Just as good: {names}.")
