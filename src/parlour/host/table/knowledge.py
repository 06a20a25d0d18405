"""What Benedict knows about the games: answers to questions, and who wins a variant and why.

His answers are in `lines/answers.txt`, by the topics of `understand/patterns/questions.txt`; every
number in them is checked by the tests. Who wins is computed within the time somebody waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from parlour.core import (
    Game,
    Solution,
    TooLarge,
    Unsolved,
    Work,
    all_of,
    count,
    describe_move,
    full_title,
    key,
    registry,
    sentence,
)
from parlour.host.language import read_sections
from parlour.rules import Chopsticks, Nim, Othello, Sticks
from parlour.truth import is_solved_soon, nim_sum, reduce_piles, solve_at

PATIENCE = 5.0  # seconds for a variant that may take any time
QUICK_SQUARES = 16  # of a board that is solved while somebody waits
MOST_WEIGHED = 200  # first moves that are examined one by one

PROVEN: dict[Any, str] = {  # by a search that takes longer than anybody waits
    Chopsticks(rules="feathers"): "first",
    Chopsticks(rules="feathers-revive"): "first",
    Chopsticks(rules="feathers-revive", split_same=False): "second",
}
PUBLISHED = {
    (6, 6): "Joel Feinstein computed in 1993 that the second player wins it 20 to 16",
    (8, 8): "Hiroki Takizawa published a computation in 2023 by which it is a draw",
}


def answer_topic(topic: str) -> tuple[str, ...]:
    """Answer a question on this topic in one to three sentences."""
    lines = read_sections("table/lines/answers.txt")[topic]
    names = list(registry.claims("bots"))
    return tuple(line.format(number=len(names), bots=all_of(names)) for line in lines)


def say_who_wins(game: Game, seconds: float = PATIENCE) -> tuple[str, ...]:
    """Say who wins this variant from its start, and why or how; or that nobody here knows."""
    name = full_title(game).replace("Benedict's", "my")
    result = game.result(game.start())
    if result is not None:
        winner = result.index(1) + 1
        return (sentence(f"{name} is over before the first move: player {winner} has won"),)
    if game.seats != 2:
        return (
            f"I don't know who wins {name}.",
            "With more than 2 players the best move depends on what the others want.",
        )
    if game in PROVEN:
        return (f"The {PROVEN[game]} player wins {name}.", "A long search has proven it.")
    if isinstance(game, Othello) and len(game.board.bits) > QUICK_SQUARES:
        unsolved = f"I don't know: {name} is not solved here."
        known = PUBLISHED.get((game.columns, game.rows))
        return (unsolved, f"{known}; I have not checked it.") if known else (unsolved,)
    try:
        solution = _solve(game, seconds)
    except TooLarge:
        return (f"I don't know: {name} is too large to be solved here.",)
    except Unsolved:
        return (f"I don't know: {name} is not solved yet, and I found no proof in the time I had.",)
    return (
        _name_winner(game, solution, name),
        *_describe_beginning(game, solution),
        *CLOSED_FORMS.get(type(game), lambda game: ())(game),
    )


def _solve(game: Game, seconds: float) -> Solution:
    """Solve a game; where that may take long, only if it is done within some seconds."""
    work = Work()
    ends = time.monotonic() + seconds
    quick = is_solved_soon(game)

    def watch(work: Work) -> None:
        if time.monotonic() > ends and not quick:
            work.stop()

    solution = work.run(lambda: solve_at(game, game.start(), work=work), watch=watch)
    if work.stopped:  # not every solver says so itself
        raise Unsolved("stopped before every situation was settled")
    return solution


def _name_winner(game: Game, solution: Solution, name: str) -> str:
    value = solution.value(game.start())
    if value.outcome == "draw":
        return sentence(f"{name} is a draw, if neither side errs")
    who = "first" if value.outcome == "win" else "second"
    if value.plies is None:
        return f"The {who} player wins {name}, whatever the other does."
    plies = "in 1 ply" if value.plies == 1 else f"in {value.plies} plies at most"
    return f"The {who} player wins {name}, {plies}."


def _describe_beginning(game: Game, solution: Solution) -> tuple[str, ...]:
    """Say which first moves keep the value of the start; moves to one position count once."""
    start = game.start()
    outcome = solution.value(start).outcome
    moves = game.moves(start)
    if outcome == "loss":
        return ("Every first move loses.",)
    if len(moves) > MOST_WEIGHED or solution.method == "proof search":
        return (f"One way to begin is '{describe_move(game, start, solution.best(start)[0])}'.",)
    right = {
        key(game, game.play(start, move)): move
        for move in reversed(moves)
        if solution.after(start, move).outcome == outcome
    }
    others = {key(game, game.play(start, move)) for move in moves} - right.keys()
    *_, first = right.values()
    if not others:
        return (f"Every first move {'wins' if outcome == 'win' else 'keeps the draw'}.",)
    if len(right) == 1:
        return (f"The only right way to begin is '{describe_move(game, start, first)}'.",)
    begin = describe_move(game, start, first)
    return (f"One right way to begin is '{begin}', but not every move will do.",)


def _explain_sticks(game: Sticks) -> tuple[str, ...]:
    return (f"It is lost on one more than a multiple of {game.take + 1}, and won elsewhere.",)


def _explain_nim(game: Nim) -> tuple[str, ...]:
    if game.endings:
        return ()
    by = "" if game.take is None else f", each pile counted modulo {game.take + 1}"
    counts = reduce_piles(game.piles, game.take)
    if game.misere and max(counts) <= 1:
        return (f"{count(sum(counts), 'pile')} of 1: in misère play an odd number is lost{by}.",)
    total = f"The nim-sum is {nim_sum(game.piles, game.take)}{by}"
    if not game.misere:
        return (f"{total}, and only 0 is lost.",)
    return (
        f"{total}, and misère only 0 is lost while some pile is above 1; when every pile is at "
        "most 1 it is reversed, and an odd number of ones is lost.",
    )


CLOSED_FORMS: dict[type, Callable[[Any], tuple[str, ...]]] = {
    Nim: _explain_nim,
    Sticks: _explain_sticks,
}
