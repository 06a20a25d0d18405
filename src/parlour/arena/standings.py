"""What a table of a tournament says: the points, the strength, the truth, the time and the faults.

All of it is plain values, so that it can be compared and written as JSON. How long somebody thought
differs from run to run, and stands apart.

The table of a tournament, reckoned from its games and told in lines, as CSV and as JSON.

It is the same for the same games, in whatever order they come. Names and reasons are strangers'
words, so nothing in them can reach the terminal or a spreadsheet but as letters.
"""

from __future__ import annotations

import csv
import io
import json
import re
import statistics
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from parlour.arena.plan import Fixture, Plan
from parlour.arena.ratings import Meeting, Rating, rate
from parlour.arena.results import GameResult
from parlour.arena.schedule import decisions
from parlour.core import Texts, capital, count


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
class AccuracySummary:
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
    truths: AccuracySummary | None  # None where nothing is known
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
class Standings:
    """What a tournament came to, the best first."""

    game: str
    kind: str
    seed: int
    games: int
    repeats: int  # games that are another one over again: the same seats, the same moves
    errors: int  # games that somebody lost against itself
    rows: tuple[Row, ...]
    verdicts: tuple[Verdict, ...] = ()  # where two stop as soon as it is clear

    def without_times(self) -> Standings:
        """The same with nothing about time in it, which is never twice the same."""
        return replace(self, rows=tuple(replace(row, times=Times()) for row in self.rows))


MOST_CROSSED = 12  # players whose points against each other fit a terminal
MOST_FAULTS = 10  # told one by one
MOST_VERDICTS = 20
WIDE = 80  # columns of a terminal
LONGEST_REASON = 200
SEAT = re.compile(r"player \d+(?: \([^)]*\))? ")  # how a reason begins; one's own is known
SHORTEST = 12  # letters of a name that are always shown

Games = Sequence[tuple[Fixture, GameResult]]
Own = Sequence[tuple[int, int, GameResult]]  # one player's games: number, seat, and what was played


def sort_games(games: Iterable[tuple[Fixture, GameResult]]) -> list[tuple[Fixture, GameResult]]:
    """The games in the order in which they are numbered: leg by leg and pair by pair."""
    return sorted(games, key=lambda each: (each[0].leg, each[0].pair, each[0].first))


def compute_standings(
    plan: Plan,
    games: Iterable[tuple[Fixture, GameResult]],
    *,
    byes: Mapping[int, float] | None = None,
) -> Standings:
    """What these games come to; `byes` are the points of those who sat out, by number.

    The best have the most points, or where some played more than others the most a game; then the
    rating decides, then the name.
    """
    numbered = sort_games(games)
    found = rate(len(plan.entries), group_meetings(numbered))
    rows = [
        _row(plan.entries[entry].name, entry, numbered, (byes or {}).get(entry, 0.0), rating)
        for entry, rating in enumerate(found)
    ]
    rows.sort(key=lambda row: (-row.share, -row.points, -row.elo, row.name))
    met = _met(numbered)
    places = [row.entry for row in rows]
    names = [entry.name for entry in plan.entries]
    clear = decisions(plan, dict(numbered))
    alike = {(each.first, each.second, game.record.moves) for each, game in numbered}
    return Standings(
        game=plan.game,
        kind=plan.kind,
        seed=plan.seed,
        games=len(numbered),
        repeats=len(numbered) - len(alike),
        errors=sum(bool(game.fault) for _, game in numbered),
        rows=tuple(
            replace(
                row,
                against=tuple(met.get((row.entry, other)) for other in places),
                superior=tuple(
                    None if other == row.entry else round(found.superiority(row.entry, other), 4)
                    for other in places
                ),
            )
            for row in rows
        ),
        verdicts=tuple(
            Verdict(
                names[pair[0]],
                names[pair[1]],
                names[pair[clear[pair].winner]] if pair in clear else None,
                met[pair].games,
            )
            for pair in sorted(each for each in met if each[0] < each[1])
            if plan.decide is not None
        ),
    )


def group_meetings(games: Games) -> list[Meeting]:
    """The games of two with one opening, told together: they are no independent trials.

    Two who play the same from an opening every time have shown it once, however often they did.
    """
    begun: defaultdict[tuple[tuple[int, int], Texts], dict[int, list[tuple[bool, GameResult]]]] = (
        defaultdict(dict)
    )
    for fixture, game in games:
        opening = game.record.moves[: game.record.opening]
        legs = begun[fixture.pair, opening]
        legs.setdefault(fixture.leg, []).append((fixture.first > fixture.second, game))
    found = []
    for (pair, _), legs in begun.items():
        told = [tuple(sorted((own, g.record.moves) for own, g in leg)) for leg in legs.values()]
        same = len(set(told)) == 1 and any(moves for _, moves in told[0])
        for leg in list(legs.values())[: 1 if same else None]:
            found.append(Meeting(*pair, sum(game.points[own] for own, game in leg), len(leg)))
    return found


def _met(games: Games) -> dict[tuple[int, int], Score]:
    """What each got from each other."""
    met: dict[tuple[int, int], Score] = {}
    for fixture, game in games:
        for seats, points in zip(
            ((fixture.first, fixture.second), (fixture.second, fixture.first)),
            game.points,
            strict=True,
        ):
            before = met.get(seats, Score())
            met[seats] = Score(before.points + points, before.games + 1)
    return met


def _row(name: str, entry: int, games: Games, bye: float, rating: Rating) -> Row:
    """All that a player's own games tell of it."""
    own = [
        (number, int(fixture.second == entry), game)
        for number, (fixture, game) in enumerate(games, start=1)
        if entry in fixture.pair
    ]
    points = [game.points[seat] for _, seat, game in own]
    seats = [[got for got, (_, at, _) in zip(points, own, strict=True) if at == s] for s in (0, 1)]
    margins = [
        game.margin if seat == 0 else -game.margin
        for _, seat, game in own
        if game.margin is not None
    ]
    return Row(
        entry=entry,
        name=name,
        points=sum(points) + bye,
        games=len(own),
        wins=points.count(1),
        draws=points.count(0.5),
        losses=points.count(0),
        first=Score(sum(seats[0]), len(seats[0])),
        second=Score(sum(seats[1]), len(seats[1])),
        bye=bye,
        margin=statistics.fmean(margins) if margins else None,
        elo=round(rating.elo, 2),
        low=round(rating.low, 2),
        high=round(rating.high, 2),
        truths=_truths(own),
        faults=tuple(
            Failure(number, game.fault, SEAT.sub("", game.record.reason))
            for number, seat, game in own
            if game.fault and game.at == seat
        ),
        times=_times(own),
        against=(),
        superior=(),
    )


def _truths(own: Own) -> AccuracySummary | None:
    marks = [game.marks[seat] for _, seat, game in own if game.marks]
    judged = [each for each in marks if each.judged]
    if not judged:
        return None
    mistakes = [each.mistake for each in judged if each.mistake is not None]
    return AccuracySummary(
        judged=sum(each.judged for each in judged),
        won=sum(each.won for each in judged),
        kept=sum(each.kept for each in judged),
        given=sum(each.given for each in judged),
        games=len(judged),
        spoilt=len(mistakes),
        first_mistake=statistics.median(mistakes) if mistakes else None,
    )


def _times(own: Own) -> Times:
    """Seats are taken to move in turn, as they do in every game of the house."""
    seconds, moves, slowest = 0.0, 0, 0.0
    for _, seat, game in own:
        made = len(game.record.moves)
        moves += (made + 1 - seat) // 2 - (game.record.opening + 1 - seat) // 2
        seconds += game.thought[seat] if game.thought else 0.0
        slowest = max([slowest, *game.record.seconds[seat::2]])
    return Times(seconds, moves, slowest)


# In words


def format_points(points: float) -> str:
    """`0`, `½`, `11½`"""
    whole, rest = divmod(points, 1)
    return f"{whole:.0f}" * (whole > 0 or rest == 0) + "½" * (rest == 0.5)


def format_signed(number: float) -> str:
    """`+12`, `0`, or below that with a sign as wide as the plus"""
    whole = round(number)
    return "0" if not whole else f"{whole:+d}".replace("-", "−")


def format_seconds(seconds: float) -> str:
    """`2.5 s`, `19 ms`, `35 µs`"""
    if seconds >= 100:
        return f"{seconds:,.0f} s"
    size, unit = next(
        (size, unit)
        for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs"))
        if seconds >= size or size == 1e-6
    )
    return f"{seconds / size:.{2 if seconds < 100 * size else 3}g} {unit}"


def clean_line(words: str) -> str:
    """A stranger's words on one line, with whatever is no letter, sign or space left out."""
    return "".join(c for c in " ".join(words.split()) if c.isprintable())


def format_standings(table: Standings) -> str:
    """The table for a terminal, in plain letters."""
    lines = [
        f"{table.game}, {table.kind}: {count(len(table.rows), 'player')}, "
        f"{count(table.games, 'game')}",
        "",
        *_standings(table),
    ]
    if table.verdicts:
        lines += [
            "",
            *(f"{capital(clean_line(str(each)))}." for each in table.verdicts[:MOST_VERDICTS]),
        ]
    if 1 < len(table.rows) <= MOST_CROSSED:
        lines += ["", *_crossed(table)]
    faults: dict[str, list[int]] = {}
    for row in table.rows:
        for fault in row.faults:
            said = f"{clean_line(row.name)}: {clean_line(fault.reason)[:LONGEST_REASON]}"
            faults.setdefault(said, []).append(fault.number)
    if faults:
        lines += ["", f"Lost by a fault of their own ({table.errors} of {table.games} games):"]
        for said, numbers in list(faults.items())[:MOST_FAULTS]:
            more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
            lines.append(f"  game {numbers[0]}{more}, {said}")
        if len(faults) > MOST_FAULTS:
            lines.append(f"  and {len(faults) - MOST_FAULTS} more")
    if table.repeats:
        lines += ["", describe_repeats(table)]
    return "\n".join(line.rstrip() for line in lines)


def describe_repeats(table: Standings) -> str:
    """A remark on games that told nothing new."""
    return (
        f"{table.repeats} of {count(table.games, 'game')} repeat another move for move and tell "
        "nothing new; more openings would make them differ."
    )


def _standings(table: Standings) -> list[str]:
    judged = any(row.truths for row in table.rows)
    timed = any(row.times.moves for row in table.rows)
    measured = any(row.margin is not None for row in table.rows)
    lines = [["", "Player", "Points", "W/D/L", "Elo", ""]]
    lines[0] += (
        ["Margin"] * measured
        + ["Kept", "Given"] * judged
        + ["Move in"] * timed
        + ["Faults"] * bool(table.errors)
    )
    for place, row in enumerate(table.rows, start=1):
        line = [str(place), clean_line(row.name), format_points(row.points)]
        line += [f"{row.wins}/{row.draws}/{row.losses}"]
        line += [format_signed(row.elo), f"±{(row.high - row.low) / 2:.0f}"]
        if measured:
            line.append("-" if row.margin is None else f"{row.margin:+.1f}".replace("-", "−"))
        if judged:
            kept = row.truths and row.truths.share_kept
            line.append("-" if kept is None else f"{kept:.0%}")
            line.append("-" if row.truths is None else f"{row.truths.given_a_move:.3f}")
        if timed:
            line.append(format_seconds(row.times.a_move) if row.times.moves else "-")
        if table.errors:
            line.append(str(len(row.faults)))
        lines.append(line)
    told = [*_aligned(lines, names=1), ""]
    told.append("Elo with the interval that holds the true strength 95 times of 100.")
    if judged:
        told.append("Kept: won positions that stayed won. Given: points given away by a move.")
    return told


def _crossed(table: Standings) -> list[str]:
    """The points of each against each; of how many games, if not always of the same number."""
    played = {cell.games for row in table.rows for cell in row.against if cell}
    places = [str(place) for place in range(1, len(table.rows) + 1)]
    lines = [["", "", *places]]
    for place, row in zip(places, table.rows, strict=True):
        cells = [
            "-"
            if cell is None
            else format_points(cell.points) + f"/{cell.games}" * (len(played) > 1)
            for cell in row.against
        ]
        lines.append([place, clean_line(row.name), *cells])
    each = f", of {count(min(played), 'game')} each" if len(played) == 1 else ""
    return [f"Points of each against each{each}:", "", *_aligned(lines, names=1)]


def _aligned(lines: Sequence[Sequence[str]], names: int) -> list[str]:
    """Columns to the right, but the names to the left, cut where they would not fit."""
    wide = [max(map(_columns, column)) for column in zip(*lines, strict=True)]
    rest = sum(wide) - wide[names] + 2 * (len(wide) - 1)
    wide[names] = min(wide[names], max(SHORTEST, WIDE - rest))
    return [
        "  ".join(
            _cut(cell, size) if place == names else " " * (size - _columns(cell)) + cell
            for place, (cell, size) in enumerate(zip(line, wide, strict=True))
        )
        for line in lines
    ]


def _columns(words: str) -> int:
    """How many columns a text takes up: two for a wide letter, none for one set over another."""
    return sum(
        0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in words
    )


def _cut(words: str, columns: int) -> str:
    """A text in so many columns; both its ends are kept, for names differ at either."""
    head, tail = words, ""
    while _columns(head) + _columns(tail) > columns - bool(tail):
        if not tail:
            head, tail = words[: -columns // 3], words[-columns // 3 :]
        head = head[:-1]
    cut = f"{head}…{tail}" if tail else words
    return cut + " " * (columns - _columns(cut))


# For programs


def to_csv(table: Standings) -> str:
    """A row a player, with the points against each other one."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [_cell(row.name) for row in table.rows]
    writer.writerow([*_figures(1, table.rows[0]), *(f"against {name}" for name in names)])
    for place, row in enumerate(table.rows, start=1):
        cells = ["" if cell is None else f"{cell.points:g}" for cell in row.against]
        writer.writerow([*_figures(place, row).values(), *cells])
    return out.getvalue()


def _cell(words: str) -> str:
    """A stranger's words as a spreadsheet shows them: a formula begins with a sign of its own."""
    words = clean_line(words)
    return f"'{words}" if words.startswith(("=", "+", "-", "@")) else words


def _figures(place: int, row: Row) -> dict[str, object]:
    truths, times = row.truths, row.times
    return {
        "rank": place,
        "name": _cell(row.name),
        "points": f"{row.points:g}",
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "first points": f"{row.first.points:g}",
        "first games": row.first.games,
        "second points": f"{row.second.points:g}",
        "second games": row.second.games,
        "margin": "" if row.margin is None else round(row.margin, 3),
        "elo": row.elo,
        "low": row.low,
        "high": row.high,
        "judged moves": truths.judged if truths else "",
        "won positions": truths.won if truths else "",
        "kept": truths.kept if truths else "",
        "points given away": f"{truths.given:g}" if truths else "",
        "games with a mistake": truths.spoilt if truths else "",
        "first mistake": f"{truths.first_mistake:g}" if truths and truths.spoilt else "",
        "seconds a move": round(times.a_move, 6),
        "slowest move": times.slowest,
        "faults": len(row.faults),
    }


def to_json(table: Standings) -> str:
    """Everything, on one line of ASCII; what each got from the others is in the order of rows."""
    return json.dumps(asdict(table))
