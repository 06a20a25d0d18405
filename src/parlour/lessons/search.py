"""Finding puzzles: positions of a solved game, or endings of Othello, where few moves are right.

Positions are drawn at random among all that can arise, each situation once. Of Othello on boards
too large to solve they are drawn from quick games of the engine with itself, or from games that are
given, and the last squares are proven.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from parlour import core
from parlour.core import BadOption, Game, Move, Solution, State, Unsolved, Work, say, to_work
from parlour.engine import EndSolution, Searcher, can_search, empties
from parlour.lessons.puzzle import LEVELS, Puzzle
from parlour.players import is_beyond_solving, is_estimated
from parlour.rules import Othello
from parlour.truth import draw_states, solve_at, solve_once

MAX_NUMBER = 10_000
MAX_TRIES = 400  # positions looked at for each puzzle that is wanted
MAX_TRIED_FOR_HARD = 30  # likewise, after which very easy puzzles will do
MAX_EASY = 0.25  # of the puzzles may be very easy, as long as there are others
MIN_CHOICES = 3  # with two, every guess is half right
MOST_EMPTY, LEAST_EMPTY = 12, 5  # squares of an ending
FROM_ONE_GAME = 3  # endings taken from a game, so that they are not all alike
RANDOM_PLIES = 10  # at the beginning of a quick game
DEPTH, MEGABYTES = 3, 8  # of the searches in a quick game
MAX_PLIES = 2_000  # of a random game


def find_puzzles(
    game: Any,
    number: int = 10,
    *,
    level: int | None = None,
    seed: int = 0,
    games: Iterable[Iterable[State]] | None = None,
    work: Work | None = None,
) -> list[Puzzle]:
    """Find puzzles of a game, up to this number, no two alike even by symmetry.

    With a `level`, from 1 to 5, they are all as hard as that, else few are very easy. Endings of
    Othello are taken from `games`, each given as its positions; without them, quick games are
    played. There may be fewer than asked for. `TooLarge` or `Unsolved` say why a game has none.
    """
    game = core.registry.game(game)
    number = core.check_argument("number", number, int, low=1, high=MAX_NUMBER)
    if level is not None:
        level = core.check_argument("level", level, int, low=1, high=len(LEVELS))
    if games is not None and not isinstance(game, Othello):
        raise BadOption("games", games, say("puzzles are taken from games of Othello alone"))
    work = to_work(work)
    generator = random.Random(f"puzzles {seed}")
    found: list[Puzzle] = []
    spare: list[Puzzle] = []  # very easy ones, for which there may be better
    easy = 0
    seen: set[Hashable] = set()
    work.done, work.total = 0, number
    for tried, (state, solution) in enumerate(_draw(game, generator, games, work)):
        if tried >= MAX_TRIED_FOR_HARD * number and len(found) + len(spare) >= number:
            break
        if len(found) >= number or tried >= MAX_TRIES * number or work.stopped:
            break
        name = core.key(game, state)
        if name in seen:
            continue
        seen.add(name)
        puzzle = _judge(game, state, solution)
        if puzzle is None or level not in (None, puzzle.level):
            continue
        if level is None and puzzle.level == 1 and easy >= MAX_EASY * number:
            spare.append(puzzle)
            continue
        found.append(puzzle)
        easy += puzzle.level == 1
        work.done = len(found)
    return (found + spare)[:number]


def make_puzzle(
    game: Any, state: State | str, *, solution: Solution | None = None, work: Work | None = None
) -> Puzzle | None:
    """Return the puzzle that a position is, or None if any move, or nearly any, will do.

    A `solution` at hand saves solving the game again.
    """
    game = core.registry.game(game)
    state = core.protocol.to_state(game, state)
    if not game.moves(state):
        return None
    solution = solve_at(game, state, solution, work=to_work(work))
    return _judge(game, state, solution, strict=False)


# Positions


def _draw(
    game: Any, generator: random.Random, games: Iterable[Iterable[State]] | None, work: Work
) -> Iterator[tuple[State, Solution]]:
    """Yield positions in random order with a solution that covers them."""
    if is_beyond_solving(game):
        yield from _draw_endings(game, generator, games, work)
        return
    solution = solve_once(game, work)
    drawn = draw_states(solution, generator)
    if drawn is None:
        drawn = _draw_all(solution, generator)
    for state in drawn:
        yield state, solution


def _draw_all(solution: Solution, generator: random.Random) -> Iterator[State]:
    """Yield all positions in random order; where they cannot be listed, those of random games."""
    try:
        states = [state for state, _ in solution]
    except Unsolved:  # a closed form, or a proof that grows on demand
        yield from _play_randomly(solution.game, generator)
        return
    generator.shuffle(states)
    yield from states


def _play_randomly(game: Game, generator: random.Random) -> Iterator[State]:
    """Yield one position from each of many random games."""
    while True:
        state: State = game.start()
        states: list[State] = []
        while (moves := game.moves(state)) and len(states) < MAX_PLIES:
            states.append(state)
            state = game.play(state, moves[generator.randrange(len(moves))])
        yield generator.choice(states)


def _draw_endings(
    game: Othello, generator: random.Random, games: Iterable[Iterable[State]] | None, work: Work
) -> Iterator[tuple[State, Solution]]:
    for line in _play_quickly(game, generator, work) if games is None else games:
        ends = [
            state
            for state in line
            if LEAST_EMPTY <= empties(game, state) <= MOST_EMPTY and not is_estimated(game, state)
        ]
        generator.shuffle(ends)
        for state in ends[:FROM_ONE_GAME]:
            yield state, solve_at(game, state, work=work)
            if work.stopped:
                return


def _play_quickly(game: Othello, generator: random.Random, work: Work) -> Iterator[list[State]]:
    """Play games that begin at random and go on sensibly, down to the last squares."""
    searcher = Searcher(game, MEGABYTES) if can_search(game) else None
    while not work.stopped:
        state: State = game.start()
        line: list[State] = []
        while moves := game.moves(state):
            line.append(state)
            if empties(game, state) <= LEAST_EMPTY:
                break
            move = moves[generator.randrange(len(moves))]
            if searcher is not None and len(line) > RANDOM_PLIES:
                square = searcher.search(state[0], state[1], DEPTH).square
                if square is not None:  # else it is a pass
                    move = (square % game.columns, square // game.columns)
            state = game.play(state, move)
        yield line


# Which of them are puzzles


def _judge(game: Any, state: State, solution: Solution, *, strict: bool = True) -> Puzzle | None:
    """Return the puzzle in a position, or None.

    Not `strict`, any position is one in which some move is wrong; else few may be right.
    """
    moves = game.moves(state)
    if len(moves) < 2:
        return None
    if isinstance(solution, EndSolution):
        discs = [solution.margin_after(state, move) for move in moves]
        most = max(discs)
        right = [each == most for each in discs]
        outcome = "win" if most > 0 else "loss" if most < 0 else "draw"
        plies: int | None = empties(game, state)
        traps, lead = [plies] * len(moves), int(most)
    else:
        value = solution.value(state)
        if value.outcome == "loss":
            return None
        after = [solution.after(state, move) for move in moves]
        right = [each.outcome == value.outcome for each in after]
        outcome, plies, lead = value.outcome, value.plies, None
        traps = [each.plies if each.outcome == "loss" else None for each in after]
    if not _is_puzzle(game, state, moves, right, strict):
        return None
    return Puzzle(
        game,
        state,
        tuple(move for move, keeps in zip(moves, right, strict=True) if keeps),
        tuple(move for move, keeps in zip(moves, right, strict=True) if not keeps),
        outcome,
        plies,
        tuple(trap for trap, keeps in zip(traps, right, strict=True) if not keeps),
        solution,
        lead,
    )


def _is_puzzle(
    game: Game, state: State, moves: Sequence[Move], right: Sequence[bool], strict: bool
) -> bool:
    """Whether some move is wrong and, if strict, few are right; moves that come to one are one."""
    if all(right) or not any(right):
        return False
    leads = [core.key(game, game.play(state, move)) for move in moves]
    good = {lead for lead, keeps in zip(leads, right, strict=True) if keeps}
    choices = len(set(leads))
    few = len(good) == 1 or 3 * len(good) <= choices
    return few and choices >= MIN_CHOICES if strict else True
