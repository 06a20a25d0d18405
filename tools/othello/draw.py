"""Make the certificate that Othello is a draw: python -m tools.othello.draw BOUNDS

BOUNDS is a table of positions with 50 empty squares and the bounds that H. Takizawa proved for them
("Othello is Solved", 2023): position, lower, upper. Of these the certificate takes the ones without
which the start would not be shown to be a draw, and every position on the way to them.
"""

from __future__ import annotations

import csv
import json
import lzma
import sys
from pathlib import Path

from parlour.core import values
from parlour.rules.othello import Othello
from parlour.truth.opening import FILE, SOURCE

GAME = Othello()
START = GAME.key(GAME.start())
LOW, HIGH = -64, 64

Position = tuple[int, int]
Claim = tuple[Position, bool]  # the mover has at least a draw, or else at most a draw


class Proof:
    """What follows from bounds on the positions with a number of empty squares."""

    def __init__(self, bounds: dict[Position, tuple[int, int]]) -> None:
        self.given = {(p, True) for p in bounds if bounds[p][0] >= 0}
        self.given |= {(p, False) for p in bounds if bounds[p][1] <= 0}
        self.discs = max((own | other).bit_count() for own, other in bounds)
        self._children: dict[Position, list[Position]] = {}
        self._holds: dict[Claim, bool] = {}

    def holds(self, claim: Claim) -> bool:
        """Return whether a claim follows: one move to keep a draw, or every move answered."""
        if claim not in self._holds:
            position, at_least = claim
            if (position[0] | position[1]).bit_count() >= self.discs:
                found = claim in self.given
            else:
                some = any if at_least else all
                after = self.children(position)
                found = bool(after) and some(self.holds((p, not at_least)) for p in after)
            self._holds[claim] = found
        return self._holds[claim]

    def children(self, position: Position) -> list[Position]:
        """Return the positions one move later, up to symmetry."""
        if position not in self._children:
            state = (*position, 0)
            found = {GAME.key(GAME.play(state, move)): 0 for move in GAME.moves(state)}
            self._children[position] = list(found)
        return self._children[position]

    def support(self, claims: list[Claim]) -> set[Claim]:
        """Return all claims that could be used to show these, themselves included."""
        found: set[Claim] = set()
        while claims:
            claim = claims.pop()
            if claim not in found:
                found.add(claim)
                if claim not in self.given:
                    after = [(p, not claim[1]) for p in self.children(claim[0])]
                    claims += [each for each in after if self.holds(each)]
        return found


def find_needed(proof: Proof, goals: list[Claim]) -> set[Claim]:
    """Return the given claims without any single one of which a goal does not follow."""
    support = proof.support(list(goals))
    parents: dict[Claim, list[Claim]] = {claim: [] for claim in support}
    ways: dict[Claim, int] = {}  # children of which one is enough
    for claim in support - proof.given:
        after = [(p, not claim[1]) for p in proof.children(claim[0])]
        after = [each for each in after if each in support]
        ways[claim] = len(after) if claim[1] else 1
        for each in after:
            parents[each].append(claim)

    def is_needed(first: Claim) -> bool:
        lost, left = {first}, dict(ways)
        todo = [first]
        while todo:
            for parent in parents[todo.pop()]:
                left[parent] -= 1
                if left[parent] <= 0 and parent not in lost:
                    lost.add(parent)
                    todo.append(parent)
        return not lost.isdisjoint(goals)

    return {claim for claim in support & proof.given if is_needed(claim)}


def write_row(position: Position, claims: set[Claim]) -> list[object]:
    """Return a position and its bounds as the certificate holds them."""
    least = 0 if (position, True) in claims else LOW
    most = 0 if (position, False) in claims else HIGH
    return [GAME.write((*position, 0)), least, most]


def main(table: str) -> None:
    """Find what is needed, and write the file."""
    with Path(table).open() as rows:
        bounds = {
            GAME.key(GAME.read(row["position"])): (int(row["lower"]), int(row["upper"]))
            for row in csv.DictReader(rows)
        }
    goals = [(START, True), (START, False)]
    proof = Proof(bounds)
    needed = find_needed(proof, goals)
    proof = Proof({p: tuple(write_row(p, needed)[1:]) for p, _ in needed})  # type: ignore[misc]
    if not all(map(proof.holds, goals)):
        sys.exit("the bounds that are needed do not suffice")
    support = proof.support(list(goals))
    positions = sorted({p for p, _ in support if p != START}, key=lambda p: (-_discs(p), p))
    given = [write_row(p, support) for p in positions if _discs(p) == proof.discs]
    derived = [write_row(p, support) for p in positions if _discs(p) < proof.discs]
    certificate = {
        "certificate": "parlour 1",
        "game": GAME.name,
        "options": values(GAME),
        "position": GAME.write(GAME.start()),
        "outcome": "draw",
        "source": SOURCE,
        "given": given,
        "derived": derived,
    }
    data = json.dumps(certificate, indent=0).encode()
    FILE.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
    size = FILE.stat().st_size
    print(f"{FILE}: {len(given)} of {len(bounds)} bounds, {len(derived)} derived, {size} bytes")


def _discs(position: Position) -> int:
    return (position[0] | position[1]).bit_count()


if __name__ == "__main__":
    if len(sys.argv) != 2 or "--help" in sys.argv:
        sys.exit(__doc__)
    main(sys.argv[1])
