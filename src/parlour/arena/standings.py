"""The standings of a tournament: points, ratings, accuracy, time and faults; as text, CSV and JSON.

They are plain values, and the same for the same games in whatever order they come; only the times
differ from run to run. Names and reasons are the words of strangers, so only printable characters
of them reach a terminal or a spreadsheet.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from parlour import boards
from parlour.arena.plan import KINDS, Fixture, Plan
from parlour.arena.ratings import Meeting, Rating, find_interval, rate
from parlour.arena.results import Accuracy, FaultKind, GameResult
from parlour.arena.schedule import decisions, new_scores
from parlour.boards import ResultTable, clean_line
from parlour.core import answers, capital, count, format_signed


@dataclass(frozen=True)
class Score:
    """The points of some games."""

    points: float = 0.0
    games: answers.Natural = 0

    @property
    def share(self) -> float:
        """Points per game; a half where there were none."""
        return self.points / self.games if self.games else 0.5


@dataclass(frozen=True)
class Failure:
    """A game that a player lost through its own error."""

    number: answers.Natural  # of the game, counted from 1 as in `parlour replay --number`
    fault: FaultKind
    reason: str


@dataclass(frozen=True)
class AccuracySummary:
    """How all moves of one player compare with the exact values."""

    judged: answers.Natural  # moves
    won: answers.Natural  # moves made in a won position
    kept: answers.Natural  # those of them that kept it won
    given: float  # points given away
    games: answers.Natural  # in which something could be judged
    spoilt: answers.Natural  # those of them with a mistake
    first_mistake: float | None  # the median number of the first mistake, in games with one

    @property
    def share_kept(self) -> float | None:
        """The share of won positions that were kept; None where there was none."""
        return self.kept / self.won if self.won else None

    @property
    def given_per_move(self) -> float:
        """Points given away per move."""
        return self.given / self.judged if self.judged else 0.0


@dataclass(frozen=True)
class Times:
    """How long a player thought, in seconds, about how many moves."""

    seconds: float = 0.0
    moves: answers.Natural = 0
    slowest: float = 0.0

    @property
    def seconds_per_move(self) -> float:
        """Seconds per move."""
        return self.seconds / self.moves if self.moves else 0.0


@dataclass(frozen=True)
class Row:
    """Everything about one player."""

    entry: answers.Natural  # its number in the plan, counted from 0
    name: str
    points: float  # including those for byes
    games: answers.Natural
    wins: answers.Natural
    draws: answers.Natural
    losses: answers.Natural
    first: Score  # sitting first
    second: Score  # sitting second
    bye: float  # points for sitting out
    margin: float | None  # the mean in discs, where the game counts any
    elo: float
    low: float
    high: float
    # Null where no move was judged
    accuracy: AccuracySummary | None = field(metadata=answers.renamed("truths"))
    faults: tuple[Failure, ...]
    times: Times
    against: tuple[Score | None, ...] = ()  # by row; null for itself and players it did not meet
    # By row: the likelihood that it is stronger; null for itself, and where there are verdicts
    superior: tuple[float | None, ...] = ()

    @property
    def share(self) -> float:
        """Points per game; a bye counts as that many games won."""
        return Score(self.points, self.games + round(self.bye)).share


@dataclass(frozen=True)
class Verdict:
    """Which of two is stronger, in a tournament that decides that; see `arena.ratings`.

    The interval is that of the test: one is called stronger exactly where it excludes zero.
    """

    one: str
    other: str
    stronger: str | None  # null where it is too close to tell, or not clear
    games: answers.Natural
    close: bool = False  # too close to tell
    low: float | None = None  # the 95 % interval of how many Elo points `one` is stronger
    high: float | None = None  # null for no bound yet

    def __str__(self) -> str:
        after = f"after {count(self.games, 'game')}"
        if self.stronger == self.one:
            return f"{self.one} is stronger than {self.other} by {self._lead}, {after}"
        if self.stronger == self.other:
            return str(self.swapped())
        if self.close:
            after = f"{self.one} and {self.other} are too close to tell {after}"
        else:
            after = f"it is not clear whether {self.one} or {self.other} is stronger {after}"
        if self.low is self.high is None:
            return f"{after}, too few for an interval"
        return f"{after}: {self.one} leads by {self._lead}"

    def swapped(self) -> Verdict:
        """Return the same with the two exchanged."""
        low, high = (None if each is None else -each for each in (self.high, self.low))
        return replace(self, one=self.other, other=self.one, low=low, high=high)

    @property
    def _lead(self) -> str:
        if self.low is None:
            bounds = f"at most {format_bound(self.high or 0)}"
        elif self.high is None:
            bounds = f"at least {format_bound(self.low)}"
        else:
            bounds = f"{format_bound(self.low)} to {format_bound(self.high)}"
        return f"{bounds} Elo points"


@dataclass(frozen=True)
class StruckOut:
    """A player that lost too many games on time: it plays no more, and none of its games counts."""

    entry: answers.Natural  # its number in the plan
    name: str
    losses: answers.Natural  # games lost on time
    reason: str  # of the last
    log: str  # what its author should see of that

    def __str__(self) -> str:
        return (
            f"{self.name} is struck out after losing {count(self.losses, 'game')}, and its games "
            f"do not count; the last: {self.reason}"
        )


@dataclass(frozen=True)
class Standings:
    """The standings of a tournament, the best first."""

    game: str
    kind: Annotated[str, ("enum", KINDS)]
    seed: int
    games: answers.Natural
    repeats: answers.Natural  # games that repeat another: the same seats, the same moves
    errors: answers.Natural  # games that a player lost by a fault of its own
    rows: tuple[Row, ...]
    verdicts: tuple[Verdict, ...] = ()  # where pairs stop as soon as it is clear
    struck: tuple[StruckOut, ...] = ()  # they are in no row

    @property
    def pair_sizes(self) -> set[int]:
        """The numbers of games that two who met have played."""
        return {score.games for row in self.rows for score in row.against if score}

    def __str__(self) -> str:
        players, games = count(len(self.rows), "player"), count(self.games, "game")
        name = Path(self.game).stem if self.game.endswith(".py") else self.game
        parts = [f"{name}, {self.kind}: {players}, {games}"]
        for part in _list_parts(self):
            if isinstance(part, ResultTable):
                parts.append(part.to_text(left=NAMES, cut=1))
            else:
                parts.append("\n".join(part))
        return "\n\n".join(parts)

    def to_frame(self, library: str | None = None) -> Any:
        """Return a row for each player, the best first, as a DataFrame.

        It is of `library`, "pandas" or "polars", or else of the first of them that is installed;
        `ImportError` where there is none.
        """
        return self._figures.to_frame(library)

    def to_csv(self) -> str:
        """Return a row for each player as CSV, with the points against each other."""
        figures = self._figures
        head = [*figures.head, *(f"against {clean_line(row.name)}" for row in self.rows)]
        rows = [
            [*numbers, *(score and score.points for score in row.against)]
            for numbers, row in zip(figures.rows, self.rows, strict=True)
        ]
        return ResultTable(head, rows).to_csv()

    @property
    def _figures(self) -> ResultTable:
        rows = [_numbers(place, row) for place, row in enumerate(self.rows, start=1)]
        return ResultTable(tuple(rows[0]) if rows else (), [tuple(row.values()) for row in rows])

    def _repr_html_(self) -> str:
        parts: list[str] = []
        for part in _list_parts(self):
            if isinstance(part, ResultTable):
                parts.append(part.to_html())
            else:
                parts += map(boards.paragraph, part)
        games = f"{capital(self.kind)}, {count(self.games, 'game')}"
        return boards.cell(f"{capital(self.game)}: {games}", *parts)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data; points against others are in the order of rows."""
        data: dict[str, Any] = answers.to_plain(self)
        return data


MAX_CROSSED = 12  # players whose points against each other fit a terminal
MAX_FAULTS = 10
MAX_VERDICTS = 20
MAX_REASON = 200
NAMES = (1,)  # the column of names

Games = Sequence[tuple[Fixture, GameResult]]
Own = Sequence[tuple[int, int, GameResult]]  # one player's games: number, seat, and what was played


def sort_games(games: Iterable[tuple[Fixture, GameResult]]) -> list[tuple[Fixture, GameResult]]:
    """Sort games in the order in which they are numbered: leg by leg and pair by pair."""
    return sorted(games, key=lambda each: (each[0].leg, each[0].pair, each[0].first))


def compute_standings(
    plan: Plan,
    games: Iterable[tuple[Fixture, GameResult]],
    *,
    byes: Mapping[int, float] | None = None,
    struck: Mapping[int, Sequence[GameResult]] | None = None,
) -> Standings:
    """Compute the standings; `byes` are the points of those who sat out, by number.

    `struck` are the games on time that those lost who were struck out.

    Players are ordered by points, or by points per game where some played more games; then by
    rating, then by name.
    """
    numbered = sort_games(games)
    out = struck or {}
    players = [number for number in range(len(plan.entries)) if number not in out]
    index = {number: at for at, number in enumerate(players)}
    meetings = group_meetings(numbered)
    ratings = rate(
        len(players), (replace(m, one=index[m.one], other=index[m.other]) for m in meetings)
    )
    rows = [
        _compute_row(
            plan.entries[number].name, number, numbered, (byes or {}).get(number, 0.0), rating
        )
        for number, rating in zip(players, ratings, strict=True)
    ]
    rows.sort(key=lambda row: (-row.share, -row.points, -row.elo, row.name))
    met = _score_pairs(numbered)
    places = [row.entry for row in rows]
    verdicts = () if plan.decide is None else _find_verdicts(plan, dict(numbered), met)
    if len(rows) == 2 and verdicts:
        rows = [_bound_by(verdicts[0], row) for row in rows]

    def superiority(one: int, other: int) -> float | None:
        if one == other or plan.decide is not None:
            return None
        return round(ratings.superiority(index[one], index[other]), 4)

    distinct = {(each.first, each.second, game.record.moves) for each, game in numbered}
    return Standings(
        game=plan.game,
        kind=plan.kind,
        seed=plan.seed,
        games=len(numbered),
        repeats=len(numbered) - len(distinct),
        errors=sum(bool(game.fault) for _, game in numbered),
        rows=tuple(
            replace(
                row,
                against=tuple(met.get((row.entry, other)) for other in places),
                superior=tuple(superiority(row.entry, other) for other in places),
            )
            for row in rows
        ),
        verdicts=verdicts,
        struck=tuple(
            StruckOut(number, plan.entries[number].name, len(lost), lost[-1].why, lost[-1].log)
            for number, lost in sorted(out.items())
        ),
    )


def _find_verdicts(
    plan: Plan, games: Mapping[Fixture, GameResult], met: Mapping[tuple[int, int], Score]
) -> tuple[Verdict, ...]:
    """Return a verdict for every two who met."""
    decided = decisions(plan, games)
    names = [entry.name for entry in plan.entries]
    found = []
    for pair in sorted(each for each in met if each[0] < each[1]):
        decision = decided.get(pair)
        winner = None if decision is None else decision.winner
        low, high = find_interval(new_scores(games, pair), plan.decide or 0.0)
        found.append(
            Verdict(
                names[pair[0]],
                names[pair[1]],
                None if winner is None else names[pair[winner]],
                met[pair].games,
                close=decision is not None and decision.close,
                low=low,
                high=high,
            )
        )
    return tuple(found)


def _bound_by(verdict: Verdict, row: Row) -> Row:
    """Return a row of two players with the interval of the test, of which either has a half."""
    if row.name == verdict.other:
        verdict = verdict.swapped()
    low, high = verdict.low, verdict.high
    return replace(
        row,
        low=min(row.low, 0.0) if low is None else round(low / 2, 4),
        high=max(row.high, 0.0) if high is None else round(high / 2, 4),
    )


def group_meetings(games: Games) -> list[Meeting]:
    """Group the games of two with one opening, which are not independent trials.

    Two who play the same game from an opening every time have shown something once.
    """
    by_opening: defaultdict[
        tuple[tuple[int, int], tuple[str, ...]], dict[int, list[tuple[bool, GameResult]]]
    ] = defaultdict(dict)
    for fixture, game in games:
        opening = game.record.moves[: game.record.opening]
        legs = by_opening[fixture.pair, opening]
        legs.setdefault(fixture.leg, []).append((fixture.first > fixture.second, game))
    found = []
    for (pair, _), legs in by_opening.items():
        played = [tuple(sorted((own, g.record.moves) for own, g in leg)) for leg in legs.values()]
        same = len(set(played)) == 1 and any(moves for _, moves in played[0])
        for leg in list(legs.values())[: 1 if same else None]:
            found.append(Meeting(*pair, sum(game.points[own] for own, game in leg), len(leg)))
    return found


def _score_pairs(games: Games) -> dict[tuple[int, int], Score]:
    """Return the score of each against each."""
    met: dict[tuple[int, int], Score] = {}
    for fixture, game in games:
        seats = fixture.first, fixture.second
        for pair, points in zip((seats, seats[::-1]), game.points, strict=True):
            before = met.get(pair, Score())
            met[pair] = Score(before.points + points, before.games + 1)
    return met


def _compute_row(name: str, entry: int, games: Games, bye: float, rating: Rating) -> Row:
    """Compute what follows from a player's own games."""
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
        accuracy=_sum_accuracy(own),
        faults=tuple(
            Failure(number, game.fault, game.why)
            for number, seat, game in own
            if game.fault and game.faulty_seat == seat
        ),
        times=_sum_times(own),
    )


def _sum_accuracy(own: Own) -> AccuracySummary | None:
    played = [game.accuracy[seat] for _, seat, game in own if game.accuracy]
    judged = [each for each in played if each.judged]
    if not judged:
        return None
    total = sum(judged, Accuracy())
    mistakes = [each.mistake for each in judged if each.mistake is not None]
    return AccuracySummary(
        total.judged,
        total.won,
        total.kept,
        total.given,
        games=len(judged),
        spoilt=len(mistakes),
        first_mistake=statistics.median(mistakes) if mistakes else None,
    )


def _sum_times(own: Own) -> Times:
    seconds, moves, slowest = 0.0, 0, 0.0
    for _, seat, game in own:
        plies, timed = game.plies_of(seat), game.record.seconds
        moves += len(plies)
        seconds += game.thought[seat] if game.thought else 0.0
        slowest = max([slowest, *(timed[ply] for ply in plies if ply < len(timed))])
    return Times(seconds, moves, slowest)


# As text


def format_points(points: float) -> str:
    """Return `0`, `½` or `11½`."""
    whole, rest = divmod(points, 1)
    return f"{whole:.0f}" * (whole > 0 or rest == 0) + "½" * (rest == 0.5)


def format_margin(discs: float) -> str:
    """Return a margin with its sign, a negative one as wide as a positive."""
    return f"{discs:+.1f}".replace("-", "−")


def format_bound(elo: float) -> str:
    """Return a bound in Elo points; one near zero is not rounded to zero, which it excludes."""
    return format_signed(elo, 0 if abs(elo) >= 1 else -math.floor(math.log10(abs(elo) or 1)))


def format_likelihood(share: float) -> str:
    """Return `83 %`; nothing is certain."""
    return f"{min(max(round(100 * share), 1), 99)} %"


def format_seconds(seconds: float) -> str:
    """Return `2.5 s`, `19 ms` or `35 µs`."""
    if seconds >= 100:
        return f"{seconds:,.0f} s"
    size, unit = (1, "s") if seconds >= 1 else (1e-3, "ms") if seconds >= 1e-3 else (1e-6, "µs")
    return f"{seconds / size:.{2 if seconds < 100 * size else 3}g} {unit}"


def _list_parts(table: Standings) -> list[Sequence[str] | ResultTable]:
    """Return what there is to say: tables, and lines that belong together."""
    ranking, notes = _rank(table)
    parts: list[Sequence[str] | ResultTable] = [ranking, notes]
    for remarks in (table.struck, table.verdicts[:MAX_VERDICTS]):
        parts.append([f"{capital(clean_line(str(each)))}." for each in remarks])
    if 1 < len(table.rows) <= MAX_CROSSED:
        parts += _cross(table)
    if table.errors:
        parts.append(_format_faults(table))
    if table.repeats:
        parts.append([describe_repeats(table)])
    return [part for part in parts if part]


def _format_faults(table: Standings) -> list[str]:
    """List each fault once, with the first game in which it happened."""
    found: dict[str, list[int]] = {}
    for row in table.rows:
        for fault in row.faults:
            what = f"{clean_line(row.name)}: {clean_line(fault.reason)[:MAX_REASON]}"
            found.setdefault(what, []).append(fault.number)
    lines = [f"Games lost by a fault ({table.errors} of {table.games}):"]
    for what, numbers in list(found.items())[:MAX_FAULTS]:
        more = f" and {len(numbers) - 1} more" if len(numbers) > 1 else ""
        lines.append(f"  game {numbers[0]}{more}, {what}")
    if len(found) > MAX_FAULTS:
        lines.append(f"  and {len(found) - MAX_FAULTS} more")
    return lines


def describe_repeats(table: Standings) -> str:
    """Remark on games that repeat others."""
    return (
        f"{table.repeats} of {count(table.games, 'game')} repeat another move for move and say "
        "nothing new; more openings would make them differ."
    )


def _rank(table: Standings) -> tuple[ResultTable, list[str]]:
    """Return the ranking, and notes on its columns."""
    rows = table.rows
    judged, times = [row.accuracy for row in rows], [row.times for row in rows]
    columns = [
        ["", *(str(place) for place in range(1, len(rows) + 1))],
        ["Player", *(clean_line(row.name) for row in rows)],
        ["Points", *(format_points(row.points) for row in rows)],
        ["W/D/L", *(f"{row.wins}/{row.draws}/{row.losses}" for row in rows)],
        ["Elo", *(format_signed(row.elo) for row in rows)],
    ]
    notes = []
    if not table.verdicts:  # which come with intervals of their own
        columns.append(["", *(f"±{(row.high - row.low) / 2:.0f}" for row in rows)])
        notes.append("Elo with its 95 % confidence interval.")
    if any(row.margin is not None for row in rows):
        margins = ("-" if row.margin is None else format_margin(row.margin) for row in rows)
        columns.append(["Margin", *margins])
    if any(judged):
        shares = [found and found.share_kept for found in judged]
        given = (f"{found.given_per_move:.3f}" if found else "-" for found in judged)
        columns.append(["Kept", *("-" if share is None else f"{share:.0%}" for share in shares)])
        columns.append(["Given", *given])
        notes.append("Kept: won positions that stayed won. Given: points given away per move.")
    if any(each.moves for each in times):
        shown = (format_seconds(each.seconds_per_move) if each.moves else "-" for each in times)
        columns.append(["Move in", *shown])
    if table.errors:
        columns.append(["Faults", *(str(len(row.faults)) for row in rows)])
    head, *lines = zip(*columns, strict=True)
    return ResultTable(head, lines), notes


def _cross(table: Standings) -> tuple[list[str], ResultTable]:
    """Return the points of each against each, with the games where their number varies."""
    sizes = table.pair_sizes

    def write(score: Score | None) -> str:
        games = f"/{score.games}" if score and len(sizes) > 1 else ""
        return f"{format_points(score.points)}{games}" if score else "-"

    head = ["", "", *(str(place) for place in range(1, len(table.rows) + 1))]
    lines = []
    for place, row in enumerate(table.rows, start=1):
        lines.append([str(place), clean_line(row.name), *map(write, row.against)])
    each = f", of {count(min(sizes), 'game')} each" if len(sizes) == 1 else ""
    return [f"Points of each against each{each}:"], ResultTable(head, lines)


# For programs


def _numbers(place: int, row: Row) -> dict[str, Any]:
    """Return the figures of a player, by the headings of a table."""
    found, times = row.accuracy, row.times
    return {
        "rank": place,
        "name": row.name,
        "points": row.points,
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "first points": row.first.points,
        "first games": row.first.games,
        "second points": row.second.points,
        "second games": row.second.games,
        "margin": None if row.margin is None else round(row.margin, 3),
        "elo": row.elo,
        "low": row.low,
        "high": row.high,
        "judged moves": found and found.judged,
        "won positions": found and found.won,
        "kept": found and found.kept,
        "points given away": found and found.given,
        "games with a mistake": found and found.spoilt,
        "first mistake": found.first_mistake if found and found.spoilt else None,
        "seconds a move": round(times.seconds_per_move, 6),
        "slowest move": times.slowest,
        "faults": len(row.faults),
    }
