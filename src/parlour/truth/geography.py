"""Generalized geography: chopsticks where no situation may come back, solved by proof search.

The value of a state depends on everything visited before, so there is no table. A finished search
leaves claims: a claim says that in one situation the mover wins (or loses) after every history that
visited all of `barred` and none of `needed`. Its winner's move, or all of its loser's, lead to
earlier claims, from which both sets follow. So one claim covers many histories, the claims answer
for all a winner needs to play on, and a checker that knows only the rules can verify each of them.
Any other position is searched when it is asked for.
"""

from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass, field
from typing import Any

from parlour import kernels
from parlour.core import BadFile, Move, Solution, State, Unsolved, Value, Work, say
from parlour.rules import Chopsticks, ChopsticksState
from parlour.truth.graph import Method, Parts

MAX_NODES = 12_000_000
MAX_BYTES = 500_000_000  # for the boards along one line of search


class BarredSolution(Solution):
    """Who wins after any history: from the claims proven so far, or by a search."""

    method = say("proof search")
    game: Chopsticks

    def __init__(self, game: Chopsticks, work: Work) -> None:
        super().__init__(game)
        self.work = work
        self._numbers, self.graph = self._list_situations()
        self.claims = Claims(self.graph)

    def _list_situations(self) -> tuple[dict[tuple[int, ...], int], Graph]:
        """Return every situation that can arise, numbered as it is discovered, and their graph."""
        free = dataclasses.replace(self.game, loops="allowed")
        states: list[ChopsticksState] = [free.start()]
        numbers = {self._situation(states[0]): 0}
        after: list[list[int]] = []
        for state in states:  # it grows
            self.work.raise_if_stopped()
            following = set()
            for move in free.moves(state):
                reached = free.play(state, move)
                number = numbers.setdefault(self._situation(reached), len(states))
                if number == len(states):
                    states.append(reached)
                following.add(number)
            after.append(sorted(following))
        before: list[list[int]] = [[] for _ in after]
        for situation, reachable in enumerate(after):
            for other in reachable:
                before[other].append(situation)
        return numbers, Graph(after, before)

    @staticmethod
    def _situation(state: ChopsticksState) -> tuple[int, ...]:
        turn, a, b, c, d = state[:5]
        return (turn, *sorted((a, b)), *sorted((c, d)))

    def place(self, state: ChopsticksState) -> tuple[int, int]:
        """Return the situation of a state and, as bits, everything visited so far."""
        seen = 0
        for number in state[5:]:
            name = self._situation(self.game.read(self.game.write_situation(number)))
            if name in self._numbers:
                seen |= 1 << self._numbers[name]
        here = self._numbers.get(self._situation(state))
        if here is None:
            raise Unsolved(
                "{write} cannot arise from the start of this game, so it was not solved with it",
                write=repr(self.game.write(state)),
            )
        return here, seen | 1 << here

    def texts(self) -> list[str]:
        """Return each situation as the text of a position without a history."""
        free = dataclasses.replace(self.game, loops="allowed")
        return [free.write(name) for name in self._numbers]

    def value(self, state: ChopsticksState) -> Value:
        result = self.game.result(state)
        if result is not None:
            return Value("win" if result[state[0]] > 0 else "loss", 0)
        return Value("win" if self.claims.all[self.claim(state)].won else "loss")

    def claim(self, state: ChopsticksState) -> int:
        """Return the number of a claim that covers a state, proving one if there is none yet."""
        here, visited = self.place(state)
        known = self.claims.find(here, visited)
        return self._prove(here, visited) if known is None else known

    def is_proven(self, state: ChopsticksState) -> bool:
        """Return whether the value is at hand without another search."""
        if not self.game.moves(state):
            return True
        return self.claims.find(*self.place(state)) is not None

    def _prove(self, here: int, visited: int) -> int:
        import numpy as np

        size = len(self.graph.after)
        barred = np.array([visited >> s & 1 for s in range(size)], np.uint8)
        deepest = min(size + 1, MAX_BYTES // (3 * size))
        answer, *proof = kernels.geography.prove(
            *_edges(self.graph.after),
            *_edges(self.graph.before),
            barred,
            here,
            MAX_NODES,
            deepest,
            np.frombuffer(self.work.cells, np.int64),
        )
        if not answer:
            self.work.raise_if_stopped()
            raise Unsolved(
                "the proof search was given up after {done:,} positions without a result; "
                "with loops allowed this variant is solved at once",
                done=self.work.done,
            )
        history = History(self.graph, visited, here)
        return self.claims.derive(Proof(*proof), 0, history, self.work)

    def best(self, state: ChopsticksState) -> tuple[Move, ...]:
        """Return the proven winning moves to one situation; in a lost state, all moves."""
        if self.value(state).outcome == "loss":
            return tuple(self.game.moves(state))
        [(after, _)] = self.claims.all[self.claim(state)].answers
        return tuple(
            move
            for move in self.game.moves(state)
            if self._numbers[self._situation(self.game.play(state, move))] == after
        )

    def parts(self) -> Parts:
        import numpy as np

        numbers: list[int] = []
        for claim in self.claims.all:
            numbers += [claim.situation, claim.won, len(claim.answers)]
            numbers += [number for answer in claim.answers for number in answer]
        names = "\n".join(self.texts()).encode()
        return {"claims": np.array(numbers, np.int32), "names": np.frombuffer(names, np.uint8)}

    def counts(self) -> dict[str, int]:
        raise Unsolved(
            "with barred loops every history is a position of its own, too many to count; "
            "the proof rests on {all:,} claims",
            all=len(self.claims.all),
        )


def _edges(lists: list[list[int]]) -> tuple[Any, Any]:
    """Return lists of neighbours as one array, and where each list begins."""
    import numpy as np

    first = np.cumsum([0, *map(len, lists)]).astype(np.int64)
    return first, np.array([item for some in lists for item in some], np.int32)


class GeographyMethod(Method):
    """Chopsticks with barred loops: only a search can tell, so its proof is kept on disk."""

    keeps = True

    def list_kernels(self) -> list[Any]:
        return [kernels.geography.prove]

    def check(self, game: Chopsticks) -> None:
        """Only a search can tell."""

    def is_quick(self, game: Chopsticks) -> bool:
        """Return whether the variant is one of those proven in milliseconds, history or not."""
        largest = 5 if game.revive else 7
        return game.dies_at <= 4 or (game.overflow == "dies" and game.dies_at <= largest)

    def solve(self, game: Chopsticks, work: Work) -> Solution:
        solution = BarredSolution(game, work)
        solution.claim(game.start())
        return solution

    def solve_outcomes(self, game: Chopsticks) -> Solution:
        return BarredSolution(game, Work())

    def restore(self, game: Chopsticks, parts: Parts) -> Solution:
        solution = BarredSolution(game, Work())
        if parts["names"].tobytes().decode() != "\n".join(solution.texts()):
            raise BadFile("the situations of this proof are numbered in another order")
        numbers = parts["claims"].tolist()
        at = 0
        while at < len(numbers):
            situation, won, size = numbers[at : at + 3]
            flat = numbers[at + 3 : at + 3 + 2 * size]
            answers = list(zip(flat[::2], flat[1::2], strict=True))
            solution.claims.add(situation, won=bool(won), answers=answers)
            at += 3 + 2 * size
        return solution

    def solve_at(self, game: Any, state: State, solution: Any, work: Work) -> Any:
        solution.work = work  # positions off the proof are searched under the caller's control
        return solution


BARRED = -1  # in place of a claim: this move leads to a situation that was visited


@dataclass(frozen=True)
class Claim:
    """Who wins in a situation, and why: by the winning move, or the answer to every move."""

    situation: int
    won: bool
    answers: tuple[tuple[int, int], ...]  # (situation after the move, number of the claim there)
    needed: int = field(compare=False)  # situations that must be open, as bits
    barred: int = field(compare=False)  # situations that must have been visited, as bits


@dataclass
class Decided:
    """A situation decided without repetition: lost, or won by moving to another decided one."""

    lost: bool
    by: int = -1
    claim: int = -1


class History:
    """The situations visited, still open, and decided, after some moves."""

    def __init__(self, graph: Graph, visited: int, here: int) -> None:
        self.graph = graph
        self.visited = visited | 1 << here
        self.here = here
        self.open = [not self.visited >> s & 1 for s in range(len(graph.after))]
        self.degree = [sum(self.open[t] for t in after) for after in graph.after]
        self.decided: dict[int, Decided] = {}
        ends = [s for s in range(len(graph.after)) if self.degree[s] == 0]
        self._spread([s for s in ends if self.open[s] or s == here])

    def enter(self, here: int) -> History:
        """Return the history after a move to an open situation."""
        new = copy.copy(self)
        new.here, new.visited = here, self.visited | 1 << here
        new.open, new.degree = self.open[:], self.degree[:]
        new.decided = self.decided.copy()
        new.open[here] = False
        stuck = []
        for origin in self.graph.before[here]:
            if new.open[origin]:
                new.degree[origin] -= 1
                if new.degree[origin] == 0:
                    stuck.append(origin)
        new._spread(stuck)
        return new

    def _spread(self, stuck: list[int]) -> None:
        """Decide the situations without a way out, and everything that follows from them."""
        for situation in stuck:
            self.open[situation] = False
            self.decided[situation] = Decided(lost=True)
        queue = list(stuck)
        for situation in queue:
            lost = self.decided[situation].lost
            for origin in self.graph.before[situation]:
                if origin in self.decided or not (self.open[origin] or origin == self.here):
                    continue
                if lost:
                    self.decided[origin] = Decided(lost=False, by=situation)
                else:
                    self.degree[origin] -= 1
                    if self.degree[origin]:
                        continue
                    self.decided[origin] = Decided(lost=True)
                self.open[origin] = False
                queue.append(origin)


@dataclass(frozen=True)
class Graph:
    """The successors and predecessors of every situation, by number."""

    after: list[list[int]]
    before: list[list[int]]


class Claims:
    """The claims collected so far."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.all: list[Claim] = []
        self._numbers: dict[Claim, int] = {}
        self._about: dict[int, list[int]] = {}

    def find(self, situation: int, visited: int) -> int | None:
        """Return the number of a claim that holds in a situation after such a history."""
        for number in self._about.get(situation, ()):
            claim = self.all[number]
            if not claim.barred & ~visited and not claim.needed & visited:
                return number
        return None

    def add(self, situation: int, *, won: bool, answers: list[tuple[int, int]]) -> int:
        """Add a claim and return its number, or that of the same claim added before."""
        needed = barred = 0
        for after, number in answers:
            if number == BARRED:
                barred |= 1 << after
            else:
                needed |= self.all[number].needed
                barred |= self.all[number].barred & ~(1 << after)
                if won:
                    needed |= 1 << after
        claim = Claim(situation, won, tuple(answers), needed, barred)
        if claim not in self._numbers:
            self._numbers[claim] = len(self.all)
            self._about.setdefault(situation, []).append(len(self.all))
            self.all.append(claim)
        return self._numbers[claim]

    def derive(self, proof: Proof, node: int, history: History, work: Work) -> int:
        """Add the claim that a proven node stands for after this history."""
        work.raise_if_stopped()
        here = history.here
        if here in history.decided:
            return self._derive_decided(here, history)
        known = self.find(here, history.visited)
        if known is not None:
            return known
        children = proof.children(node)
        if proof.is_won(node):
            for after in self.graph.after[here]:
                if history.open[after] and (
                    after not in children or proof.is_lost(children[after])
                ):
                    following = history.enter(after)
                    decided = following.decided.get(after)
                    if after in children or (decided and decided.lost):
                        number = self.derive(proof, children.get(after, -1), following, work)
                        return self.add(here, won=True, answers=[(after, number)])
            raise AssertionError("a won node without a winning move")
        answers = []
        for after in self.graph.after[here]:
            if history.visited >> after & 1:
                number = BARRED
            elif after in history.decided:
                number = self._derive_decided(after, history)
            else:
                number = self.derive(proof, children.get(after, -1), history.enter(after), work)
            answers.append((after, number))
        return self.add(here, won=False, answers=answers)

    def _derive_decided(self, situation: int, history: History) -> int:
        """Add the claim for a situation that is decided without repetition."""
        decided = history.decided[situation]
        if decided.claim < 0:
            if decided.lost:
                answers = [
                    (after, BARRED)
                    if history.visited >> after & 1
                    else (after, self._derive_decided(after, history))
                    for after in self.graph.after[situation]
                ]
            else:
                answers = [(decided.by, self._derive_decided(decided.by, history))]
            decided.claim = self.add(situation, won=not decided.lost, answers=answers)
        return decided.claim


@dataclass(frozen=True)
class Proof:
    """The nodes of a finished search, as the kernel leaves them."""

    proof: Any
    disproof: Any
    first: Any
    counts: Any
    nodes: Any
    tokens: Any

    def is_won(self, node: int) -> bool:
        """Return whether the mover at this node is proven to win."""
        return node >= 0 and self.proof[node] == 0

    def is_lost(self, node: int) -> bool:
        """Return whether the mover at this node is proven to lose."""
        return node >= 0 and self.disproof[node] == 0

    def children(self, node: int) -> dict[int, int]:
        """Return the nodes after the searched moves, by the situation moved to."""
        if node < 0:
            return {}
        first = int(self.first[node])
        span = slice(first, first + int(self.counts[node]))
        return dict(zip(self.tokens[span].tolist(), self.nodes[span].tolist(), strict=True))
