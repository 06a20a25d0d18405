"""The endgame, solved exactly: positions of FFO, hard ones, and some of the archive, one thread.

`python bench/othello_end.py FOLDER` measures the sets that take minutes; `--set hard-25 --number
20` others, and as many of them. Where the variable EDAX names the program of an Edax, it solves
the same positions in the same run: a few ours, the same few Edax's, and so on in turns, so that a
processor that changes its speed does so for both. All seconds are processor seconds. Either table
takes at most 1 GB, and is there and empty before the clock starts.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field

from othello.edax import Edax, find_edax
from othello.engine import make_engine
from othello.machine import processor
from othello.positions import SETS, Problem, add_folder, read_set, why_missing

from parlour.engine import OthelloEngine, empties

MEGABYTES = 1000  # for the transposition table, rounded down to a power of two of entries
LONG = ("ffo-50-59", "ffo-60-79", "hard-25")  # measured when they are named
TURN = {"ffo-1-19": 19, "ffo-20-39": 5, "hard-20": 12, "hard-25": 2}  # positions; elsewhere one


@dataclass
class Solved:
    """What one side found out about some positions."""

    seconds: float = 0.0
    nodes: int = 0
    scores: list[int] = field(default_factory=list)

    def __add__(self, other: Solved) -> Solved:
        seconds, nodes = self.seconds + other.seconds, self.nodes + other.nodes
        return Solved(seconds, nodes, self.scores + other.scores)

    def columns(self) -> str:
        """Return seconds, millions of nodes, and their rate."""
        return f"{self.seconds:8.2f} {self.nodes / 1e6:9.1f} {self.nodes / self.seconds / 1e6:6.1f}"


def solve_ours(engine: OthelloEngine, problems: list[Problem]) -> Solved:
    """Return what our engine finds."""
    began = time.process_time()
    found = [engine.solve(problem.state) for problem in problems]
    seconds = time.process_time() - began
    return Solved(seconds, sum(each.nodes for each in found), [round(each.score) for each in found])


def solve_theirs(edax: Edax, problems: list[Problem]) -> Solved:
    """Return what Edax finds."""
    found, seconds = edax.solve([problem.text for problem in problems])
    return Solved(seconds, sum(each.nodes for each in found), [each.score for each in found])


def row(name: str, left: str, ours: Solved, theirs: Solved | None) -> str:
    """Return one line of the table."""
    peer = f"{theirs.columns()} {theirs.seconds / ours.seconds:6.2f}" if theirs else ""
    return f"{name:>10} {left:>7} {ours.columns()} {peer}"


def wrong_scores(problems: list[Problem], ours: Solved, theirs: Solved | None) -> list[str]:
    """Return a note about each score that is not right, or on which the two differ."""
    notes = []
    for place, problem in enumerate(problems):
        mine, peer = ours.scores[place], theirs.scores[place] if theirs else None
        right = problem.score if problem.score is not None else peer
        if right is not None and not (mine == right and peer in (None, right)):
            notes.append(f"{problem.name}: {mine:+d}, Edax {peer}, and it is {problem.score}")
    return notes


def solve_set(
    engine: OthelloEngine, edax: Edax | None, name: str, problems: list[Problem]
) -> list[str]:
    """Solve a set in turns and print the times; return what is wrong."""
    ours, theirs, notes = Solved(), Solved() if edax else None, []
    size = TURN.get(name, 1)
    for first in range(0, len(problems), size):
        some = problems[first : first + size]
        if first // size % 2 and edax:
            peer = solve_theirs(edax, some)
            mine = solve_ours(engine, some)
        else:
            mine = solve_ours(engine, some)
            peer = solve_theirs(edax, some) if edax else None
        names = dict.fromkeys((some[0].name, some[-1].name))
        counts = dict.fromkeys(str(empties(engine.game, each.state)) for each in some)
        print(row("-".join(names), "-".join(counts) if len(counts) < 3 else "", mine, peer))
        notes += (wrong := wrong_scores(some, mine, peer))
        print("".join(f"{'':10} WRONG: {note}\n" for note in wrong), end="", flush=True)
        ours, theirs = ours + mine, theirs + peer if theirs and peer else None
    print(row("in all", "", ours, theirs), flush=True)
    return notes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_folder(parser)
    parser.add_argument("--set", nargs="+", choices=SETS, help="the only ones to be solved")
    parser.add_argument("--number", type=int, help="of positions of a set, from the first on")
    given = parser.parse_args()
    engine, edax, notes = make_engine(MEGABYTES), find_edax(), []
    print(processor())
    for name in given.set or [each for each in SETS if each not in LONG]:
        if why := why_missing(given.folder, name):
            print(f"{name} is not measured: {why}.")
            continue
        head = f"{'CPU s':>8} {'M nodes':>9} {'M/s':>6}"
        peer = f"{'Edax s':>8} {'M nodes':>9} {'M/s':>6} {'ratio':>6}" if edax else ""
        print(f"{name:>10} {'empties':>7} {head} {peer}")
        notes += solve_set(engine, edax, name, read_set(given.folder, name)[: given.number])
    if notes:
        sys.exit("Not every score is right.")


if __name__ == "__main__":
    main()
