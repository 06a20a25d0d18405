"""How the engine thinks about one Othello position: deeper and deeper, and in the end exactly.

A `Mind` looks one ply ahead, then two, and so on; where the end of the game comes near it goes
there, first trusting likely cuts and then none. What comes of it is a `Thought`, which says whether
it is proven and, if not, how deep it looked and how sure it is. A search that is not bound by time
starts from nothing, so it finds the same whenever it is asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from parlour.core import ParlourError, Unsolved, Work, within
from parlour.engine.searcher import CERTAINTY, SURE, Found, UsualSeeker, seeker_for
from parlour.rules import PASS, Othello, OthelloState, Square

NEAR_END = 10  # from so far before the end a search goes there instead of one ply deeper
SOLVED_NEAR_END = 22  # the same where nothing but the proof is wanted
EACH_NEAR_END = 6  # and where every move is searched, which takes longer
LONGEST_LINE = 12


@dataclass(frozen=True)
class Thought:
    """What a search found of one position, as the seat to move sees it."""

    move: Square  # the best
    score: float  # the lead in discs in the end, the empty squares being the winner's
    exact: bool  # proven
    depth: int  # plies looked ahead; all the empty squares if it went to the end
    certainty: int  # in percent; 100 when no likely cut was trusted
    line: tuple[Square, ...]  # how it is expected to go on, the move first
    nodes: int
    seconds: float
    book: bool = False


class Mind:
    """Thinks about positions of one board of at most 64 squares, and remembers.

    Several threads work together only where the result is proven, for there it cannot depend on
    which of them was faster.
    """

    def __init__(self, game: Othello, *, megabytes: int = 64, threads: int = 1) -> None:
        self.game = game
        self._seeker = seeker_for(game, megabytes, threads)
        self._threads = threads if isinstance(self._seeker, UsualSeeker) else 1

    def think(
        self,
        state: OthelloState,
        *,
        plies: int | None = None,
        seconds: float | None = None,
        solves: int | None = None,
        work: Work | None = None,
        told: Callable[[Thought], None] | None = None,
    ) -> Thought:
        """The best move, as far ahead as `plies`, `seconds` and `work` allow.

        With at most `solves` squares empty it goes to the end whatever `plies` says. Every
        better-founded thought on the way is `told`. Stopped at once, it still has a legal move.
        """
        return self._think(state, self._steps(state, plies, solves, NEAR_END), seconds, work, told)

    def _think(
        self,
        state: OthelloState,
        steps: Iterator[tuple[int, int]],
        seconds: float | None,
        work: Work | None,
        told: Callable[[Thought], None] | None,
    ) -> Thought:
        """The last thought of these steps."""
        thoughts = [self._guess(state, move) for move in self._moves(state)[:1]]

        def deepen(own: Work) -> None:
            for thought in self._deepen(state, steps, own):
                thoughts.append(thought)
                if told is not None:
                    told(thought)

        self._run(deepen, seconds, work)
        return thoughts[-1]

    def each(
        self,
        state: OthelloState,
        *,
        plies: int | None = None,
        seconds: float | None = None,
        solves: int | None = None,
        work: Work | None = None,
        told: Callable[[dict[Square, Thought]], None] | None = None,
    ) -> dict[Square, Thought]:
        """What every move is worth to whoever makes it, all looked at equally deep.

        `plies` counts the move itself.
        """
        moves = self._moves(state)
        thoughts = {move: self._guess(state, move) for move in moves}

        def deepen(own: Work) -> None:
            self._seeker.begin(own)
            for depth, level in self._steps(state, plies, solves, EACH_NEAR_END):
                better = {}
                for move in sorted(moves, key=lambda move: -thoughts[move].score):
                    better[move] = self._after(state, thoughts[move], depth, level)
                    if own.stopped:
                        return
                thoughts.update(better)
                if told is not None:
                    told(dict(thoughts))

        self._run(deepen, seconds, work)
        return thoughts

    def solve(
        self,
        state: OthelloState,
        *,
        work: Work | None = None,
        told: Callable[[Thought], None] | None = None,
    ) -> Thought:
        """The proven value and a best move, however long it takes."""
        steps = self._steps(state, None, None, SOLVED_NEAR_END)
        thought = self._think(state, steps, None, work, told)
        if not thought.exact:
            raise Unsolved("stopped before the position was solved")
        return thought

    def _run(
        self, deepen: Callable[[Work], None], seconds: float | None, work: Work | None
    ) -> None:
        """Do it with this work and no longer than so many seconds."""
        work = work or Work()
        if seconds is None:
            self._seeker.forget()
            deepen(work)
        else:
            within(seconds, work, deepen)

    def _moves(self, state: OthelloState) -> list[Square]:
        moves = list(self.game.moves(state))
        if not moves:
            raise ParlourError("the game is over, so there is no move to think about")
        return moves

    def _guess(self, state: OthelloState, move: Square) -> Thought:
        """What is known before anything is searched."""
        return Thought(move, 0.0, False, 0, 0, (move,), 0, 0.0)

    def _steps(
        self, state: OthelloState, plies: int | None, solves: int | None, near: int
    ) -> Iterator[tuple[int, int]]:
        """The depths and levels to search at, one after another."""
        seeker = self._seeker
        empties = seeker.empties(state[0], state[1])
        if plies is not None and plies < empties and (solves is None or empties > solves):
            yield from ((depth, seeker.levels[0]) for depth in range(1, plies + 1))
            return
        before = max(empties - near, min(empties - NEAR_END, 2))  # a guess to begin with
        yield from ((depth, seeker.levels[0]) for depth in range(1, before + 1))
        for level in seeker.levels if empties >= seeker.likely_from else (SURE,):
            yield empties, level

    def _deepen(
        self, state: OthelloState, steps: Iterator[tuple[int, int]], work: Work
    ) -> Iterator[Thought]:
        """Ever better-founded thoughts, until the work is stopped."""
        began = time.monotonic()
        seeker = self._seeker
        seeker.begin(work)
        own, other, _ = state
        found: Found | None = None
        reached = (0, seeker.levels[0])
        for depth, level in steps:
            guess, first = (found.value, found.square) if found else (None, None)
            found = seeker.search(own, other, depth, level, guess, first)
            if not found.complete:
                if found.square not in (None, first):  # better than the first, and looked at whole
                    yield self._thought(state, found, *reached, began)
                return
            reached = (depth, level)
            yield self._thought(state, found, depth, level, began)

    def _after(self, state: OthelloState, before: Thought, depth: int, level: int) -> Thought:
        """The value of one move, given what was thought of it before."""
        began = time.monotonic() - before.seconds
        after = self.game.play(state, before.move)
        guess = -round(before.score) if before.depth > 1 else None
        rest = depth - (before.move != PASS)
        found = self._seeker.search(*after[:2], rest, level, guess)
        thought = self._thought(after, found, rest, level, began)
        line = (before.move, *(thought.line if found.square is not None else ()))
        return replace(thought, move=before.move, score=0.0 - thought.score, depth=depth, line=line)

    def _thought(
        self, state: OthelloState, found: Found, depth: int, level: int, began: float
    ) -> Thought:
        """A thought of what was found so many plies ahead."""
        seeker = self._seeker
        to_end = depth >= seeker.empties(state[0], state[1])
        exact = to_end and level == SURE and found.complete
        line = tuple(self._line(state, found.square))
        if exact and self._threads > 1:
            line = line[:1]  # how it goes on was found by whichever thread came first
        return Thought(
            move=line[0] if line else PASS,
            score=float(found.value),
            exact=exact,
            depth=depth,
            certainty=CERTAINTY[level],
            line=line,
            nodes=seeker.nodes,
            seconds=time.monotonic() - began,
        )

    def _line(self, state: OthelloState, square: int | None) -> Iterator[Square]:
        """How it is expected to go on, as far as that is remembered."""
        for _ in range(LONGEST_LINE):
            moves = self.game.moves(state)
            if not moves:
                return
            move = PASS
            if moves[0] != PASS:
                if square is None:
                    return
                move = (square % self.game.columns, square // self.game.columns)
            yield move
            state = self.game.play(state, move)
            square = self._seeker.expected(state[0], state[1])
