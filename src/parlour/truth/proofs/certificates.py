"""Certificates: a solved position with everything needed to check it, as plain JSON.

Without history, a certificate lists situations with their value: a won one with its winning move, a
lost or drawn one without, because all its moves must be listed too. With barred loops it lists
claims, each resting on earlier ones. The checker verifies either from the rules alone. Near the
start of Othello a certificate derives bounds of positions from others that are given.
"""

from __future__ import annotations

from typing import Any

from parlour import core
from parlour.core import BadOption, Game, Solution, State, TooLarge, Work, sentences, values
from parlour.rules import Nim, TakeAwayGame
from parlour.truth.geography import BarredSolution
from parlour.truth.impartial import NimClosed, count_positions, fits_table, solve_nim
from parlour.truth.opening import is_drawn, load_certificate

MAX_MOVES = 500_000  # tried while the situations are listed


def certificate(solution: Solution, state: State | None = None) -> dict[str, Any]:
    """Return the proof of a position's value, for a checker that trusts nobody.

    The position may be given as text; without one it is the start.
    """
    if not isinstance(solution, Solution):
        raise BadOption("solution", solution, "it must be a solution, as parlour.solve returns it")
    game = solution.game
    state = core.protocol.to_state(game, state)
    value = solution.value(state)
    head = {
        "certificate": "parlour 1",
        "game": game.name,
        "options": values(game),
        "position": game.write(state),
        "outcome": value.outcome,
    }
    if is_drawn(game, state):
        return {**load_certificate(), **head}
    if isinstance(solution, BarredSolution):
        return {**head, **_claims(solution, state)}
    if isinstance(solution, NimClosed) and value.plies is None:
        solution = _build_table(solution.game, state)
        value = solution.value(state)
    return {**head, "at_most": value.plies, "entries": _entries(game, solution, state)}


def _build_table(game: TakeAwayGame, state: State) -> Solution:
    """Return a table from this position on, which has the distances that the closed form lacks."""
    smaller = Nim(piles=tuple(state[2:]), misere=game.misere, take=game.take)
    if not fits_table(smaller):
        below = sentences.write_large(count_positions(smaller.piles))
        raise TooLarge(
            f"a certificate lists positions one by one, and {game.write(state)} has {below} below; "
            "the closed form itself is the proof there"
        )
    return solve_nim(smaller, Work())


def _entries(game: Game, solution: Solution, state: State) -> list[list[Any]]:
    """Return situations with outcome, plies and the winning move; one for each key."""
    entries: dict[Any, list[Any]] = {}
    todo, tried = [state], 0
    while todo:
        here = todo.pop()
        name = core.key(game, here)
        if name in entries or game.result(here) is not None:
            continue
        moves = game.moves(here)
        tried += len(moves)
        if tried > MAX_MOVES:
            raise TooLarge(
                f"a certificate of this position would answer more than {MAX_MOVES:,} moves; ask "
                "for one nearer to the end"
            )
        value = solution.value(here)
        entry: list[Any] = [game.write(here), value.outcome, value.plies]
        if value.outcome == "win":
            best = solution.best(here)[0]
            entry.append(game.write_move(best))
            moves = (best,)
        entries[name] = entry
        todo += [game.play(here, move) for move in moves]
    return list(entries.values())


def _claims(solution: BarredSolution, state: State) -> dict[str, Any]:
    """Return the claims a state rests on, each after those it rests on itself."""
    root = solution.claim(state)
    wanted, todo = {root}, [root]
    while todo:
        for _, number in solution.claims.all[todo.pop()].answers:
            if number >= 0 and number not in wanted:
                wanted.add(number)
                todo.append(number)
    order = {number: place for place, number in enumerate(sorted(wanted))}
    order[-1] = -1
    texts = solution.texts()
    met = {solution.claims.all[number].situation for number in wanted}
    for number in wanted:
        met |= {after for after, _ in solution.claims.all[number].answers}
    situations = sorted(met)
    names = {situation: place for place, situation in enumerate(situations)}
    claims = []
    for number in sorted(wanted):
        claim = solution.claims.all[number]
        answers = [[names[after], order[other]] for after, other in claim.answers]
        claims.append([names[claim.situation], int(claim.won), answers])
    return {"situations": [texts[s] for s in situations], "claims": claims}
