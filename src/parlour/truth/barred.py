"""Chopsticks with barred loops: who wins, proven by search, and answered later from the proof.

The value of a state depends on all that was visited, so there is no table. The claims a proof
leaves behind answer for every history they cover, which is all a winner needs to play on; anything
else is searched when it is asked.
"""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import Any

from parlour.core import BadFile, Move, Solution, Unsolved, Value, Work
from parlour.rules import Chopsticks, ChopsticksState
from parlour.truth.proofs import Claims, Graph, History, Proof

MOST_NODES = 12_000_000
MOST_BYTES = 500_000_000  # for the boards along one line of search


class BarredSolution(Solution):
    """Who wins after any history, as far as it is proven."""

    method = "proof search"

    def __init__(self, game: Chopsticks, work: Work) -> None:
        super().__init__(game)
        self.rules = game
        self.work = work
        self.claims = Claims(self.graph)

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        """Every situation that can arise, numbered as it is found."""
        free = dataclasses.replace(self.rules, loops="allowed")
        start = free.start()
        numbers = {self._situation(start): 0}
        states: list[ChopsticksState] = [start]
        after: list[list[int]] = []
        for state in states:
            if self.work.stopped:
                raise Unsolved(f"stopped after {len(after):,} situations, before all were listed")
            following = []
            for move in free.moves(state):
                reached = free.play(state, move)
                name = self._situation(reached)
                if name not in numbers:
                    numbers[name] = len(states)
                    states.append(reached)
                following.append(numbers[name])
            after.append(sorted(set(following)))
        self._after = after
        return numbers

    @cached_property
    def graph(self) -> Graph:
        """Which situation leads to which."""
        before: list[list[int]] = [[] for _ in self._numbers]
        for situation, following in enumerate(self._after):
            for other in following:
                before[other].append(situation)
        return Graph(self._after, before)

    @staticmethod
    def _situation(state: ChopsticksState) -> tuple[int, ...]:
        turn, a, b, c, d = state[:5]
        return (turn, *sorted((a, b)), *sorted((c, d)))

    def place(self, state: ChopsticksState) -> tuple[int, int]:
        """The situation of a state and, as bits, all that was visited."""
        seen = 0
        for number in state[5:]:
            name = self._situation(self.rules.read(self.rules._written(number)))
            if name in self._numbers:
                seen |= 1 << self._numbers[name]
        here = self._numbers.get(self._situation(state))
        if here is None:
            raise Unsolved(f"{self.rules.write(state)!r} cannot arise from the start of this game")
        return here, seen | 1 << here

    def texts(self) -> list[str]:
        """Each situation as a position without a history."""
        free = dataclasses.replace(self.rules, loops="allowed")
        return [free.write(name) for name in self._numbers]

    def value(self, state: ChopsticksState) -> Value:
        result = self.rules.result(state)
        if result is not None:
            return Value("win" if result[state[0]] > 0 else "loss", 0)
        return Value("win" if self.claims.all[self.claim(state)].won else "loss")

    def claim(self, state: ChopsticksState) -> int:
        """The claim that answers for a state; proven now, if none is there yet."""
        here, visited = self.place(state)
        known = self.claims.find(here, visited)
        return self._prove(here, visited) if known is None else known

    def _prove(self, here: int, visited: int) -> int:
        import numpy as np

        from parlour.kernels import geography

        size = len(self.graph.after)
        barred = np.array([visited >> s & 1 for s in range(size)], np.uint8)
        deepest = min(size + 1, MOST_BYTES // (3 * size))
        answer, *proof = geography.prove(
            *_edges(self.graph.after),
            *_edges(self.graph.before),
            barred,
            here,
            MOST_NODES,
            deepest,
            np.frombuffer(self.work.cells, np.int64),
        )
        if not answer:
            how = "stopped" if self.work.stopped else "given up"
            raise Unsolved(
                f"the proof search was {how} after {self.work.done:,} positions without a result; "
                "with loops allowed this variant is solved at once"
            )
        history = History(self.graph, visited, here)
        return self.claims.derive(Proof(*proof), 0, history, self.work)

    def best(self, state: ChopsticksState) -> tuple[Move, ...]:
        """The proven winning moves to one situation; in a lost state all moves."""
        if self.value(state).outcome == "loss":
            return tuple(self.rules.moves(state))
        [(after, _)] = self.claims.all[self.claim(state)].answers
        return tuple(
            move
            for move in self.rules.moves(state)
            if self._numbers[self._situation(self.rules.play(state, move))] == after
        )

    def parts(self) -> dict[str, Any]:
        import numpy as np

        numbers: list[int] = []
        for claim in self.claims.all:
            numbers += [claim.situation, claim.won, len(claim.answers)]
            numbers += [number for answer in claim.answers for number in answer]
        names = "\n".join(self.texts()).encode()
        return {"claims": np.array(numbers, np.int32), "names": np.frombuffer(names, np.uint8)}

    def counts(self) -> dict[str, int]:
        raise Unsolved(
            "with barred loops every history is a position of its own, too many to count; the "
            f"proof rests on {len(self.claims.all):,} claims"
        )


def _edges(lists: list[list[int]]) -> tuple[Any, Any]:
    """Lists of neighbours as one array, and where each begins."""
    import numpy as np

    first = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return first, np.array([item for some in lists for item in some], np.int32)


def solve_barred(game: Chopsticks, work: Work) -> BarredSolution:
    """Prove who wins from the start."""
    solution = BarredSolution(game, work)
    solution.claim(game.start())
    return solution


def restore(game: Chopsticks, parts: dict[str, Any]) -> BarredSolution:
    """A solution from its saved claims."""
    solution = BarredSolution(game, Work())
    if parts["names"].tobytes().decode() != "\n".join(solution.texts()):
        raise BadFile("the situations of this proof are numbered in another way")
    numbers = parts["claims"].tolist()
    at = 0
    while at < len(numbers):
        situation, won, many = numbers[at : at + 3]
        flat = numbers[at + 3 : at + 3 + 2 * many]
        answers = list(zip(flat[::2], flat[1::2], strict=True))
        solution.claims.add(situation, won=bool(won), answers=answers)
        at += 3 + 2 * many
    return solution
