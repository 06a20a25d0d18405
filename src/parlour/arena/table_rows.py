"""What a table of a tournament says: the points, the strength, the truth, the time and the faults.

All of it is plain values, so that it can be compared and written as JSON. How long somebody thought
differs from run to run, and stands apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Score:
    """The points of so many games."""

    points: float = 0.0
    games: int = 0

    @property
    def share(self) -> float:
        """Points a game; a half where there was none."""
        return self.points / self.games if self.games else 0.5


@dataclass(frozen=True)
class Failure:
    """A game that somebody lost against itself."""

    number: int  # of the game, from 1
    fault: str  # a word, as in `Played`
    reason: str


@dataclass(frozen=True)
class Truths:
    """All moves of one player beside the truth."""

    judged: int  # moves
    won: int  # moves made in a won position
    kept: int  # those of them that kept it won
    given: float  # points given away
    games: int  # in which something could be judged
    spoilt: int  # those of them with a mistake
    first_mistake: float | None  # the median of the first mistake's number, of the games with one

    @property
    def share_kept(self) -> float | None:
        """Of the won positions; None where there was none."""
        return self.kept / self.won if self.won else None

    @property
    def given_a_move(self) -> float:
        """The points given away by a move."""
        return self.given / self.judged if self.judged else 0.0

    @property
    def share_spoilt(self) -> float:
        """Of the games."""
        return self.spoilt / self.games if self.games else 0.0


@dataclass(frozen=True)
class Times:
    """How long somebody thought, in seconds, about so many moves."""

    seconds: float = 0.0
    moves: int = 0
    slowest: float = 0.0

    @property
    def a_move(self) -> float:
        """Seconds a move."""
        return self.seconds / self.moves if self.moves else 0.0


@dataclass(frozen=True)
class Row:
    """All about one who took part."""

    entry: int  # its number in the plan
    name: str
    points: float  # with those for byes
    games: int
    wins: int
    draws: int
    losses: int
    first: Score  # sitting first
    second: Score
    bye: float  # points for sitting out
    margin: float | None  # the mean in discs, where the game counts any
    elo: float
    low: float
    high: float
    truths: Truths | None  # None where nothing is known
    faults: tuple[Failure, ...]
    times: Times
    against: tuple[Score | None, ...]  # row by row; None for itself and whom it did not meet
    superior: tuple[float | None, ...]  # how likely it is the stronger; None for itself

    @property
    def share(self) -> float:
        """Points a game, a bye being as many games as it gave points."""
        return Score(self.points, self.games + round(self.bye)).share


@dataclass(frozen=True)
class Verdict:
    """Whether it is clear which of two is stronger, where that alone was asked."""

    one: str
    other: str
    stronger: str | None  # None where it is not clear yet
    games: int  # after which it was

    def __str__(self) -> str:
        after = f"after {self.games:,} games"
        if self.stronger is None:
            return f"it is not clear whether {self.one} or {self.other} is stronger {after}"
        weaker = self.other if self.stronger == self.one else self.one
        return f"{self.stronger} is stronger than {weaker}: clear {after}"


@dataclass(frozen=True)
class Table:
    """What a tournament came to, the best first."""

    game: str
    kind: str
    seed: int
    games: int
    repeats: int  # games that are another one over again: the same seats, the same moves
    errors: int  # games that somebody lost against itself
    rows: tuple[Row, ...]
    verdicts: tuple[Verdict, ...] = ()  # where two stop as soon as it is clear

    def without_times(self) -> Table:
        """The same with nothing about time in it, which is never twice the same."""
        return replace(self, rows=tuple(replace(row, times=Times()) for row in self.rows))
