"""Grundy values: every impartial game in normal play is worth a single Nim pile.

A game is impartial when both sides always have the same moves, whoever is to move, and whoever
cannot move loses; it says so by `impartial = True`, for that cannot be seen from outside. Side by
side, such games add up by the exclusive or of their values (Sprague and Grundy), so that a Nim and
a limited heap together can be answered. Misère play has no such theory: it is answered only for
sums that are themselves Nim, by the misère rule.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import singledispatch
from typing import Any

from parlour.core import Game, State, TooLarge, Unsolved, key, refuse_seats
from parlour.rules import Nim, Sticks
from parlour.truth.nim import counted, is_lost, nim_sum

MOST_MOVES = 500_000


def grundy(game: Game, state: State | None = None) -> int:
    """The size of the Nim pile that a position is worth; 0 is lost for whoever is to move.

    `Unsolved` for games that are not impartial or not won by the last mover.
    """
    refuse_seats(game)
    if not getattr(game, "impartial", False):
        raise Unsolved(
            f"{game.name} does not say that it is impartial; a game in which both sides always "
            "have the same moves, and the last mover wins, says so by impartial = True"
        )
    return _grundy(game, game.start() if state is None else state)


def is_sum_lost(games: Sequence[tuple[Game, State]]) -> bool:
    """Whether the mover loses when these games lie side by side and a move is made in any one.

    Normal play by Grundy values. Misère only where all are Nims of the same kind, without endings:
    then the sum is itself a Nim, and the misère rule holds.
    """
    if any(getattr(game, "misere", False) or isinstance(game, Sticks) for game, _ in games):
        return _is_misere_lost(games)
    total = 0
    for game, state in games:
        total ^= grundy(game, state)
    return total == 0


def _is_misere_lost(games: Sequence[tuple[Game, State]]) -> bool:
    piles: tuple[int, ...] = ()
    for game, state in games:
        nim = game.nim if isinstance(game, Sticks) else game
        if not isinstance(nim, Nim) or not nim.misere or nim.endings or nim.seats != 2:
            raise Unsolved(
                "in misère play only Nims without extra endings can be added up, all of them "
                "misère; there is no theory for other sums"
            )
        # A pile with a limit plays like its remainder, in misère too, so limits may differ.
        piles += tuple(counted(state[2:], nim.take))
    return is_lost(piles, misere=True)


@singledispatch
def _grundy(game: Any, state: State) -> int:
    """Any impartial game: the least number that no move leads to, from the ends up."""
    values: dict[Hashable, int] = {}
    following: dict[Hashable, list[Hashable]] = {}
    stack, listed = [state], 0
    while stack:
        here = stack[-1]
        name = key(game, here)
        if name in values:
            stack.pop()
            continue
        if name in following:
            options = {values[other] for other in following[name]}
            values[name] = next(n for n in range(len(options) + 1) if n not in options)
            stack.pop()
            continue
        listed += len(game.moves(here))
        if listed > MOST_MOVES:
            raise TooLarge(f"more than {MOST_MOVES:,} moves; that is too many to value this way")
        result = game.result(here)
        if result is not None and result[game.turn(here)] >= 0:
            raise Unsolved(
                f"{game.name} is not always won by the last mover here; only such games have "
                "Grundy values"
            )
        after = [game.play(here, move) for move in game.moves(here)]
        if any(game.turn(other) == game.turn(here) for other in after):
            raise Unsolved(f"in {game.name} a seat may move twice; it has no Grundy values")
        following[name] = [key(game, other) for other in after]
        if any(other in following and other not in values for other in following[name]):
            raise Unsolved(f"{game.name} can come back to a position; it has no Grundy values")
        stack += after
    return values[key(game, state)]


@_grundy.register
def _(game: Nim, state: State) -> int:
    """A pile is worth its size; with a limit its remainder: see `nim_sum`."""
    if game.misere:
        raise Unsolved("misère games have no Grundy values; ask solve() who wins")
    if game.endings:
        return _grundy.dispatch(object)(game, state)
    return nim_sum(state[2:], game.take)
