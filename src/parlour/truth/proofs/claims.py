"""From a finished proof search to claims that can be checked one by one.

A claim says of one situation: whoever is to move wins (or loses), in every history in which all of
`barred` was visited and none of `needed` was. Its winner's move, or all of its loser's, lead to
earlier claims, from which both sets follow. So one claim covers many histories, and a checker that
knows only the rules can verify each by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from parlour.core import Unsolved, Work

BARRED = -1  # in place of a claim: this move leads to a situation that was visited


@dataclass(frozen=True)
class Claim:
    """Who wins in a situation, and why: the move that wins, or the answer to every move."""

    situation: int
    won: bool
    answers: tuple[tuple[int, int], ...]  # (situation after the move, number of the claim there)
    needed: int = field(compare=False)  # as bits: what the winner must find open
    barred: int = field(compare=False)  # as bits: what must have been visited


@dataclass
class Decided:
    """A situation decided without coming back: lost, or won by moving to another decided one."""

    lost: bool
    by: int = -1
    claim: int = -1


class History:
    """What was visited, what is still open, and what is decided, after some moves."""

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
        """The history after a move to an open situation."""
        new = History.__new__(History)
        new.graph, new.here = self.graph, here
        new.visited = self.visited | 1 << here
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
        """Decide the situations without a way out, and all that follows from them."""
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
    """All situations, by number: those after each and those before it."""

    after: list[list[int]]
    before: list[list[int]]


class Claims:
    """The claims gathered so far, and those that follow from a proof."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.all: list[Claim] = []
        self._numbers: dict[Claim, int] = {}
        self._about: dict[int, list[int]] = {}

    def find(self, situation: int, visited: int) -> int | None:
        """A claim that holds with the token there after such a history."""
        for number in self._about.get(situation, ()):
            claim = self.all[number]
            if not claim.barred & ~visited and not claim.needed & visited:
                return number
        return None

    def add(self, situation: int, *, won: bool, answers: list[tuple[int, int]]) -> int:
        """Enter a claim, or find the same one."""
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
        """The claim that a proven node stands for, after this history."""
        if work.stopped:
            raise Unsolved("stopped after the search, before its proof was written down")
        here = history.here
        if here in history.decided:
            return self._decided(here, history)
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
                    settled = following.decided.get(after)
                    if after in children or (settled and settled.lost):
                        number = self.derive(proof, children.get(after, -1), following, work)
                        return self.add(here, won=True, answers=[(after, number)])
            raise AssertionError("a won node without a winning move")
        answers = []
        for after in self.graph.after[here]:
            if history.visited >> after & 1:
                number = BARRED
            elif after in history.decided:
                number = self._decided(after, history)
            else:
                number = self.derive(proof, children.get(after, -1), history.enter(after), work)
            answers.append((after, number))
        return self.add(here, won=False, answers=answers)

    def _decided(self, situation: int, history: History) -> int:
        """The claim for a situation that is decided without coming back."""
        decided = history.decided[situation]
        if decided.claim < 0:
            if decided.lost:
                answers = [
                    (
                        after,
                        BARRED if history.visited >> after & 1 else self._decided(after, history),
                    )
                    for after in self.graph.after[situation]
                ]
            else:
                answers = [(decided.by, self._decided(decided.by, history))]
            decided.claim = self.add(situation, won=not decided.lost, answers=answers)
        return decided.claim


class Proof:
    """The nodes of a finished search, as the kernel left them."""

    def __init__(
        self, proof: Any, disproof: Any, first: Any, counts: Any, nodes: Any, tokens: Any
    ) -> None:
        self._proof, self._disproof = proof, disproof
        self._first, self._counts = first, counts
        self._nodes, self._tokens = nodes, tokens

    def is_won(self, node: int) -> bool:
        """Whether the mover at this node was proven to win."""
        return node >= 0 and self._proof[node] == 0

    def is_lost(self, node: int) -> bool:
        """Whether the mover at this node was proven to lose."""
        return node >= 0 and self._disproof[node] == 0

    def children(self, node: int) -> dict[int, int]:
        """The nodes after the moves that were searched, by the situation moved to."""
        if node < 0:
            return {}
        first = int(self._first[node])
        span = slice(first, first + int(self._counts[node]))
        return dict(zip(self._tokens[span].tolist(), self._nodes[span].tolist(), strict=True))
