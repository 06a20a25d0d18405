"""The engine's view of one Othello position, and of the moves of a game.

`OthelloEngine` searches by iterative deepening: one ply, then two, and so on; where the end of the
game is near it goes there, first selectively and then exactly. The result is an `Analysis`, which
says whether it is proven and, if not, how deep and how certain it is. A search without a time limit
starts with an empty transposition table, so on one thread it always finds the same.

`LossAnalyser` says how many discs each move of a game gave away. Near the end both the move and the
best one are proven. Before that both are estimates of equal depth, and where the move then seems
better than the best, it lost nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from parlour.core import ParlourError, Work, say
from parlour.engine.misere import new_searcher
from parlour.engine.searcher import CONFIRMING, EXACT, SearchResult
from parlour.rules import PASS, Othello, OthelloState, Square

NEAR_END = 10  # from this many plies before the end a search goes there instead of one ply deeper
MAX_LINE = 12  # moves of a principal variation


@dataclass(frozen=True)
class Analysis:
    """The result of searching one position, from the point of view of the seat to move."""

    move: Square  # the best
    score: float  # the final lead in discs, the empty squares going to the winner
    exact: bool  # proven
    depth: int  # in plies; all the empty squares if the search went to the end
    certainty: int  # in percent; 100 without ProbCut
    line: tuple[Square, ...]  # the principal variation, beginning with the move
    nodes: int
    seconds: float
    book: bool = False


class OthelloEngine:
    """Analyses positions of one board of at most 64 squares, and remembers.

    In misère play a score is by how many discs the mover has fewer. With one thread a search
    without a time limit always finds the same. With several, what is not proven depends on which of
    them was faster.
    """

    def __init__(self, game: Othello, *, megabytes: int = 64, threads: int = 1) -> None:
        self.game = game
        self._searcher = new_searcher(game, megabytes, threads)

    def analyse(
        self,
        state: OthelloState,
        *,
        plies: int | None = None,
        seconds: float | None = None,
        solves: int | None = None,
        confirms: bool = False,
        work: Work | None = None,
        on_progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Find the best move, as deep as `plies`, `seconds` and `work` allow.

        With at most `solves` empty squares it searches to the end whatever `plies` says. On the 8x8
        board it `confirms` what it finds at that many plies: it searches as deep again, trusts
        ProbCut less and follows lines in which a side has few moves further. Every deeper analysis
        is reported to `on_progress`. Stopped at once, it still has a legal move.
        """
        steps = self._steps(state, plies, solves, NEAR_END, confirms)
        return self._analyse(state, steps, seconds, work, on_progress)

    def analyse_moves(
        self,
        state: OthelloState,
        *,
        plies: int | None = None,
        seconds: float | None = None,
        solves: int | None = None,
        work: Work | None = None,
        on_progress: Callable[[dict[Square, Analysis]], None] | None = None,
    ) -> dict[Square, Analysis]:
        """Return what every move is worth to the seat to move, all searched equally deep.

        `plies` counts the move itself.
        """
        moves, near_end = self._moves(state), self._searcher.moves_near_end
        analyses = {move: _unsearched(move) for move in moves}

        def deepen(own: Work) -> None:
            for depth, selectivity in self._steps(state, plies, solves, near_end):
                deeper = {}
                for move in sorted(moves, key=lambda move: -analyses[move].score):
                    deeper[move] = self._analyse_move(state, analyses[move], depth, selectivity)
                    if own.stopped:
                        return
                analyses.update(deeper)
                if on_progress is not None:
                    on_progress(dict(analyses))

        self._run(deepen, seconds, work)
        return analyses

    def solve(
        self,
        state: OthelloState,
        *,
        work: Work | None = None,
        on_progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """Return the proven value and a best move, however long it takes."""
        work = work or Work()
        steps = self._steps(state, None, None, self._searcher.solve_near_end)
        analysis = self._analyse(state, steps, None, work, on_progress)
        if not analysis.exact:
            work.raise_if_stopped()
        return analysis

    def _analyse(
        self,
        state: OthelloState,
        steps: Iterator[tuple[int, int]],
        seconds: float | None,
        work: Work | None,
        on_progress: Callable[[Analysis], None] | None,
    ) -> Analysis:
        """Return the deepest analysis of these steps."""
        began = time.monotonic()
        searcher = self._searcher
        last = _unsearched(self._moves(state)[0])

        def deepen(own: Work) -> None:
            nonlocal last
            result: SearchResult | None = None
            reached = (0, searcher.selectivities[0])
            for step in steps:
                guess, first = (result.value, result.square) if result else (None, None)
                result = searcher.search(*state[:2], *step, guess, first)
                if result.complete:
                    reached = step
                elif result.square in (None, first):
                    return
                # Stopped, it may have found and fully searched a better move than the first.
                last = self._analysis(state, result, *reached, began)
                if on_progress is not None:
                    on_progress(last)
                if not result.complete:
                    return

        self._run(deepen, seconds, work)
        return last

    def _run(
        self, deepen: Callable[[Work], None], seconds: float | None, work: Work | None
    ) -> None:
        """Run it until it is done, the time is up or the work is stopped."""

        def run(own: Work) -> None:
            with self._searcher.working(own):
                deepen(own)

        work = work or Work()
        if seconds is None:
            self._searcher.forget()
            run(work)
        else:
            work.run_within(seconds, run)

    def _moves(self, state: OthelloState) -> list[Square]:
        moves = list(self.game.moves(state))
        if not moves:
            raise ParlourError(say("the game is over, so there is no move to think about"))
        return moves

    def _steps(
        self,
        state: OthelloState,
        plies: int | None,
        solves: int | None,
        near_end: int,
        confirms: bool = False,
    ) -> Iterator[tuple[int, int]]:
        """Yield the depths and selectivities to search at, one after another."""
        searcher = self._searcher
        empties = searcher.empties(state[0], state[1])
        selectivities = searcher.selectivities
        if plies is not None and plies < empties and (solves is None or empties > solves):
            yield from ((depth, selectivities[0]) for depth in range(1, plies + 1))
            if confirms and CONFIRMING in selectivities:
                yield plies, CONFIRMING
            return
        before = max(empties - near_end, min(empties - NEAR_END, 2))  # at least a guess to begin
        yield from ((depth, selectivities[0]) for depth in range(1, before + 1))
        for selectivity in selectivities if empties >= searcher.selective_empties else (EXACT,):
            yield empties, selectivity

    def _analyse_move(
        self, state: OthelloState, before: Analysis, depth: int, selectivity: int
    ) -> Analysis:
        """Return the analysis of one move, given a shallower one."""
        began = time.monotonic() - before.seconds
        after = self.game.play(state, before.move)
        guess = -round(before.score) if before.depth > 1 else None
        rest = depth - (before.move != PASS)
        result = self._searcher.search(*after[:2], rest, selectivity, guess)
        reply = self._analysis(after, result, rest, selectivity, began)
        line = (before.move, *(reply.line if result.square is not None else ()))
        return replace(reply, move=before.move, score=0.0 - reply.score, depth=depth, line=line)

    def _analysis(
        self, state: OthelloState, result: SearchResult, depth: int, selectivity: int, began: float
    ) -> Analysis:
        """Return the analysis that a search result amounts to."""
        searcher = self._searcher
        to_end = depth >= searcher.empties(state[0], state[1])
        exact = to_end and selectivity == EXACT and result.complete
        line = tuple(self._line(state, result.square))
        if exact and searcher.threads > 1:
            line = line[:1]  # the rest depends on which thread came first
        return Analysis(
            move=line[0] if line else PASS,
            score=float(result.value),
            exact=exact,
            depth=depth,
            certainty=100 if exact else searcher.certainty[selectivity],
            line=line,
            nodes=searcher.nodes,
            seconds=time.monotonic() - began,
        )

    def _line(self, state: OthelloState, square: int | None) -> Iterator[Square]:
        """Yield the principal variation, as far as the transposition table holds it."""
        for _ in range(MAX_LINE):
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
            square = self._searcher.hash_move(state[0], state[1])


def _unsearched(move: Square) -> Analysis:
    """Return what is known of a move before anything is searched."""
    return Analysis(move, 0.0, False, 0, 0, (move,), 0, 0.0)


@dataclass(frozen=True)
class MoveLoss:
    """One move of a game: its score, what it lost, and which move was best."""

    seat: int
    move: Square
    score: float  # the lead after it, for its own seat; the empty squares go to the winner
    loss: float  # by how much the best move would have scored more
    best: Square  # the move itself if none was better
    forced: bool  # there was no other
    exact: bool  # proven
    depth: int  # in plies
    certainty: int  # in percent


class LossAnalyser:
    """Measures the moves of a game with an engine.

    It searches to `plies`, but solves positions with at most `exact` empty squares; or it goes as
    deep as it can in `seconds` for each move.
    """

    def __init__(
        self,
        engine: OthelloEngine,
        *,
        plies: int | None = None,
        exact: int | None = None,
        seconds: float | None = None,
    ) -> None:
        self.engine = engine
        self.game = engine.game
        self.plies = plies
        self.exact = exact
        self.seconds = None if seconds is None else seconds / 2  # for the best, and for the played
        self._proven: dict[OthelloState, Analysis] = {}

    def analyse(self, state: OthelloState, work: Work) -> Analysis:
        """Return the analysis of a position that is not over."""
        return self._search(state, self.plies, self.exact, self.seconds, work)

    def measure(self, state: OthelloState, move: Square, work: Work) -> MoveLoss:
        """Return what a move lost; raise `Unsolved` when the work is stopped before."""
        best = self.analyse(state, work)
        forced = len(self.game.moves(state)) == 1
        top, score, exact, depth = best.score, best.score, best.exact, best.depth
        if move != best.move:
            score, exact, plies = self._score(self.game.play(state, move), best, work)
            if plies + 1 < depth:  # there was less time for the move that was played
                depth = plies + 1
                top = self._score_best(self.game.play(state, best.move), plies, top, work)
        better = top > score
        return MoveLoss(
            seat=state[2],
            move=move,
            score=score,
            loss=top - score if better else 0.0,
            best=best.move if better else move,
            forced=forced,
            exact=exact,
            depth=depth,
            certainty=best.certainty,
        )

    def _score(self, after: OthelloState, best: Analysis, work: Work) -> tuple[float, bool, int]:
        """Return a played move's score, whether its loss is proven, and the depth of the search.

        It is searched as the best move was: to the end, or one ply less than the position before.
        """
        if not self.game.moves(after):
            lead = self.game.score(after)
            return float(lead if after[2] else -lead), best.exact, best.depth
        plies = None if best.exact else max(1, best.depth - 1)
        reply = self._search(after, plies, None, self.seconds, work)
        depth = best.depth if reply.exact else reply.depth
        return 0.0 - reply.score, best.exact and reply.exact, depth

    def _score_best(self, after: OthelloState, plies: int, score: float, work: Work) -> float:
        """Return the score of the best move at this depth."""
        if not self.game.moves(after):
            return score
        reply = self.engine.analyse(after, plies=max(1, plies), work=work)
        work.raise_if_stopped()
        return 0.0 - reply.score

    def _search(
        self,
        state: OthelloState,
        plies: int | None,
        solves: int | None,
        seconds: float | None,
        work: Work,
    ) -> Analysis:
        """Analyse a position, unless it is already proven."""
        analysis = self._proven.get(state)
        if analysis is None:
            analysis = self.engine.analyse(
                state, plies=plies, solves=solves, seconds=seconds, work=work
            )
        work.raise_if_stopped()
        if analysis.exact:
            self._proven[state] = analysis
        return analysis
