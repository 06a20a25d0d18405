"""Minds that a test can see through: one that plays out to the end, one that never has enough."""

import threading
import time

from parlour.engine import Analysis
from parlour.rules.othello import PASS, Othello

GAME = Othello()


def outcome(state):
    """The final lead of who is to move when both play their best, by trying everything."""
    moves = GAME.moves(state)
    if moves:
        return max(-outcome(GAME.play(state, move)) for move in moves)
    own, other, _ = state
    lead = own.bit_count() - other.bit_count()
    empties = 64 - (own | other).bit_count()
    return lead + (lead > 0) * empties - (lead < 0) * empties


def thought(move, score, depth, **more):
    found = {"exact": False, "certainty": 100, "nodes": 10, "seconds": 0.5, "line": (move,)}
    return Analysis(move=move, score=score, depth=depth, **(found | more))


class Plain:
    """Plays every position out to its end."""

    def __init__(self, game):
        self.asked = []

    def analyse_moves(self, state, *, on_progress=None, **limits):
        self.asked.append(limits)
        own, other, _ = state
        empties = 64 - (own | other).bit_count()
        found = {
            move: thought(move, float(-outcome(GAME.play(state, move))), empties, exact=True)
            for move in GAME.moves(state)
        }
        if on_progress is not None:
            on_progress(found)
        return found

    def analyse(self, state, *, on_progress=None, **limits):
        assert PASS not in GAME.moves(state)
        best = max(self.analyse_moves(state, **limits).values(), key=lambda found: found.score)
        if on_progress is not None:
            on_progress(best)
        return best


class Hasty(Plain):
    """Takes the first move there is, after a moment."""

    def analyse(self, state, *, work, **limits):
        self.asked.append(limits)
        time.sleep(0.01)
        assert not work.stopped, "a moment is little enough"
        return thought(GAME.moves(state)[0], 0.0, 1)


class Tireless:
    """Looks one ply further every millisecond, for ever."""

    seconds = 0.0  # by its own clock, on which a ply takes a millisecond

    def __init__(self, game):
        self.ended = threading.Event()

    def _until_stopped(self, work, on_progress):
        self.ended.clear()
        depth = 0
        while not work.stopped:
            depth += 1
            self.seconds += 0.001
            if on_progress is not None:
                on_progress(depth)
            time.sleep(0.001)
        self.ended.set()
        return depth

    def analyse(self, state, *, work, on_progress=None, **limits):
        move = GAME.moves(state)[-1]

        def report(depth):
            if on_progress is not None:
                on_progress(thought(move, 1.25, depth))

        return thought(move, 1.25, self._until_stopped(work, report))

    def analyse_moves(self, state, *, work, on_progress, **limits):
        moves = GAME.moves(state)

        def report(depth):
            on_progress({move: thought(move, -0.25, depth) for move in moves})

        self._until_stopped(work, report)
