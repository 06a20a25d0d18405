"""What a judgement found: the share of right choices, regret, and where it was incurred.

All figures are means over situations, which count once each. Where the situations are a sample, or
the agent draws its moves and was asked for some, a figure has a 95 % confidence interval of as many
trials as were independent: the situations of a sample, or else all answers.

Where all situations were judged and both agents are steady, the difference of two agents is a fact;
the tests of a `Comparison` then say whether it is more than the luck of which situations this game
happens to have.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Annotated, Any, TypedDict
from urllib.parse import quote, urlencode

from parlour import boards, core
from parlour.arena import charts
from parlour.arena.judging import statistics
from parlour.arena.judging.situations import ALL, DISCS, WORTH, Scope, Situation
from parlour.arena.judging.statistics import Chance, Interval, SignificanceTest, mean, total, wilson
from parlour.boards import clean_line
from parlour.core import BadOption, Game, Move, ParlourError, answers, count, describe, protocol
from parlour.drawing import Drawing, svg

ALPHA = 0.05  # adjusted probability below which a difference is called significant
BETTER = "is right more often", "gives less away"
ALIKE = "neither is shown to be right more often", "neither is shown to give less away"


@dataclass(frozen=True)
class Answer:
    """What an agent does in a situation: how likely each move is, and each fault by its kind.

    For an agent that is asked, these are the shares of its answers.
    """

    moves: Mapping[Move, Chance]
    faults: Mapping[str, Chance] = field(default_factory=dict)
    reason: str = ""  # for the first fault


@dataclass(frozen=True)
class Finding:
    """An agent in one situation.

    `wrong` is the chance of a choice that costs something, a fault included; `regret` its expected
    cost in points, where a fault counts as a loss, or in discs, where faults are left out. `kept`
    is the chance of a choice that keeps the outcome, and `late` the plies these lose, expected.
    """

    situation: Situation
    answer: Answer
    wrong: Chance
    regret: Chance
    kept: Chance
    late: Chance

    @property
    def right(self) -> Chance:
        """The chance of a right choice."""
        return 1 - self.wrong

    @property
    def plies_lost(self) -> float:
        """The plies lost by its choices that keep the outcome, on average."""
        return float(self.late / self.kept) if self.kept else 0.0


def weigh(situation: Situation, answer: Answer, unit: str) -> Finding:
    """Judge what an agent does in a situation."""
    chance = [answer.moves.get(move, Fraction(0)) for move in situation.moves]
    faulty = total(answer.faults.values())
    costly = [c for c, r in zip(chance, situation.regrets, strict=True) if r]
    regret = total(c * r for c, r in zip(chance, situation.regrets, strict=True) if c and r)
    if unit == DISCS:
        made = total(chance)
        regret = regret / made if made else Fraction(0)
    else:
        regret += faulty * WORTH[situation.outcome]
    timed = [(c, n) for c, n in zip(chance, situation.later, strict=True) if n is not None]
    return Finding(
        situation,
        answer,
        wrong=total([*costly, faulty]),
        regret=regret,
        kept=total(c for c, _ in timed),
        late=total(c * n for c, n in timed if n),
    )


@dataclass(frozen=True)
class Figures:
    """The figures of some of the situations; None for the mean of an empty list."""

    critical: answers.Natural  # situations in which a choice can be wrong
    right: float | None  # the share of right choices there
    right_interval: Interval | None  # the 95 % confidence interval; null where the figure is exact
    regret: float | None  # mean cost of a choice there, in the unit of the scope
    regret_interval: Interval | None  # the 95 % confidence interval; null where the figure is exact
    worst_regret: float | None  # the largest mean of one situation
    # Situations in which a choice that keeps the outcome can lose plies
    timed: answers.Natural
    plies_lost: float | None  # mean plies lost there by choices that keep the outcome
    worst_plies_lost: float | None


# The types of the plain data


class DepthFigures(Figures):
    """The figures of situations at one depth."""

    depth: int  # plies from the start


class DistanceFigures(Figures):
    """The figures of situations at one distance from the end."""

    plies: int


class KindFigures(Figures):
    """The figures of one kind of position."""

    kind: str


class ScopeData(Scope):
    """Which situations were judged."""

    judged: int
    unasked: int
    seed: int


class AnswersData(TypedDict):
    """How the agent answered."""

    how: Annotated[str, ("enum", ("weights", "choices"))]
    repeat: int
    steady: bool


class FindingData(TypedDict):
    """A situation, and what the agent does there."""

    position: str  # the position in the game's own notation
    turn: answers.Natural  # the seat to move, counted from 0
    outcome: answers.Outcome  # for the seat to move
    plies: int | None  # to the end with best play; of Othello in discs, the empty squares
    depth: int | None  # plies from the start
    kind: str
    exact: bool
    chosen: dict[str, float]  # the share of each move among its answers
    faults: dict[str, float]  # the share of each kind of fault
    reason: str  # of the first fault
    best: list[str]  # the right moves
    right: float
    regret: float
    plies_lost: float
    address: str  # where a web site of Parlour opens the position


class JudgementData(Figures):
    """An agent judged against the truth."""

    game: str  # the name of the game
    options: dict[str, Any]  # the value of every option
    agent: str
    scope: ScopeData
    answers: AnswersData
    faults: dict[str, float]  # how many answers were faults, by kind
    by_depth: list[DepthFigures]
    by_distance: list[DistanceFigures]
    by_kind: list[KindFigures]
    mistakes: list[FindingData]  # the positions it gets wrong, the worst first
    report: dict[str, Any]  # what the agent reports about itself


class ComparisonData(TypedDict):
    """Two agents in the same situations."""

    agents: tuple[str, str]
    situations: int
    right: Interval
    regret: Interval
    only_right: Interval
    right_test: Annotated[dict[str, Any], SignificanceTest]
    regret_test: Annotated[dict[str, Any], SignificanceTest]
    verdict: str


@dataclass(frozen=True)
class Judgement:
    """An agent judged against the truth."""

    game: Game
    agent: str
    scope: Scope
    findings: tuple[Finding, ...]
    how: str  # weights, where the agent said how likely its moves are; else choices
    repeat: int = 1  # choices asked for in each situation
    steady: bool = True  # whether it never answered the same question differently
    unasked: int = 0  # situations left out because it was stopped, or too slow too often
    seed: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)  # what the agent reports about itself

    # The main figures

    @cached_property
    def figures(self) -> Figures:
        """The figures of all situations together."""
        return self._figures(self.findings)

    right = property(attrgetter("figures.right"))
    right_interval = property(attrgetter("figures.right_interval"))
    regret = property(attrgetter("figures.regret"))
    regret_interval = property(attrgetter("figures.regret_interval"))
    worst_regret = property(attrgetter("figures.worst_regret"))
    plies_lost = property(attrgetter("figures.plies_lost"))
    worst_plies_lost = property(attrgetter("figures.worst_plies_lost"))

    @cached_property
    def faults(self) -> dict[str, float]:
        """How many answers were faults, by kind; expected numbers where chances were given."""
        kinds: dict[str, list[Chance]] = {}
        for finding in self.findings:
            for kind, chance in finding.answer.faults.items():
                kinds.setdefault(kind, []).append(chance * self.repeat)
        return {kind: float(total(chances)) for kind, chances in sorted(kinds.items())}

    @property
    def first_fault(self) -> str:
        """Why the first answer that was a fault was one; nothing where there was none."""
        reasons = (finding.answer.reason for finding in self.findings)
        return next((reason for reason in reasons if reason), "")

    @property
    def is_sample(self) -> bool:
        """Whether the figures are about a sample of the situations."""
        return self.scope.kind != ALL or self.unasked > 0

    def describe_scope(self) -> str:
        """Say in a sentence which situations were judged."""
        return self.scope.describe(len(self.findings), stopped=self.unasked > 0)

    def _figures(self, findings: Sequence[Finding]) -> Figures:
        critical = [each for each in findings if each.situation.is_critical]
        timed = [each for each in findings if each.situation.is_timed]
        wrong = [each.wrong for each in critical]
        regrets = [each.regret for each in critical]
        right = float(1 - total(wrong) / len(wrong)) if wrong else None
        regret = mean(regrets)
        kept = total(each.kept for each in timed)
        bounds: tuple[Interval | None, Interval | None] = (None, None)
        if right is not None and regret is not None and (self.is_sample or not self.steady):
            trials = len(critical) * (1 if self.is_sample else self.repeat)
            bounds = wilson(right, trials), wilson(regret, trials)
            if self.scope.unit == DISCS:  # where a single position says nothing of others
                bounds = bounds[0], statistics.bound_mean(regrets) if len(regrets) > 1 else None
        return Figures(
            critical=len(critical),
            right=right,
            right_interval=bounds[0],
            regret=regret,
            regret_interval=bounds[1],
            worst_regret=max(map(float, regrets), default=None),
            timed=len(timed),
            plies_lost=float(total(each.late for each in timed) / kept) if kept else None,
            worst_plies_lost=max((each.plies_lost for each in timed), default=None),
        )

    # Parts

    @cached_property
    def by_depth(self) -> dict[int, Figures]:
        """The figures by plies from the start, where these are known."""
        return self._split(lambda each: each.situation.depth)

    @cached_property
    def by_distance(self) -> dict[int, Figures]:
        """The figures by plies to the end, where these are known; of Othello, by empty squares."""
        return self._split(lambda each: each.situation.plies)

    @cached_property
    def by_kind(self) -> dict[str, Figures]:
        """The figures by kind of position: its outcome, and how many choices are right."""
        found = self._split(lambda each: name_kind(each.situation, self.scope.unit))
        return {kind: found[kind] for kind in list_kinds(self.scope.unit) if kind in found}

    def _band(self, by: str, within: range) -> dict[str, Figures]:
        """Return the figures by `depth` or `plies`, in a few bands of equal width.

        The depths or plies of all agents in a chart are `within` this range.
        """
        width = math.ceil(len(within) / MAX_BANDS)

        def find_start(finding: Finding) -> int | None:
            place: int | None = getattr(finding.situation, by)
            return None if place is None else place - (place - within.start) % width

        return {
            str(low) if width == 1 else f"{low}–{low + width - 1}": figures
            for low, figures in self._split(find_start).items()
        }

    def _split(self, name: Callable[[Finding], Any]) -> dict[Any, Figures]:
        groups: dict[Any, list[Finding]] = {}
        for finding in self.findings:
            if (group := name(finding)) is not None:
                groups.setdefault(group, []).append(finding)
        return {group: self._figures(groups[group]) for group in sorted(groups)}

    @cached_property
    def mistakes(self) -> tuple[Finding, ...]:
        """The situations it gets wrong, the worst first; of equal ones, the nearest first."""
        wrong = [each for each in self.findings if each.wrong and each.situation.is_critical]

        def rank(finding: Finding) -> tuple[float, float, int, str]:
            position = self.game.write(finding.situation.state)
            depth = finding.situation.depth or 0
            return -float(finding.regret), -float(finding.wrong), depth, position

        return tuple(sorted(wrong, key=rank))

    # In words and as data

    @property
    def summary(self) -> tuple[str, ...]:
        """The main figures in short sentences."""
        figures, about = self.figures, "≈ " if self.scope.estimate else ""
        lines = [f"{self.agent} in {describe(self.game)}."]
        lines.append(self.describe_scope())
        if figures.right is None:
            lines.append("No choice can be wrong in outcome here.")
        else:
            lines.append(
                f"Right choices: {about}{format_share(figures.right, figures.right_interval)} of "
                f"{figures.critical:,} situations in which a choice can be wrong."
            )
            lines.append(
                f"Regret: {about}{format_number(figures.regret, figures.regret_interval)} "
                f"{self.scope.unit} a choice, {figures.worst_regret:.3g} at worst."
            )
        if figures.plies_lost is not None:
            lines.append(
                f"Plies lost while the outcome is kept: {figures.plies_lost:.3g} a choice, "
                f"{figures.worst_plies_lost:.3g} at worst, in {count(figures.timed, 'situation')}."
            )
        if self.scope.estimate:
            lines.append(f"All values are estimates by {self.scope.estimate}, exact near the end.")
        if self.faults:
            told = ", ".join(f"{number:g} {kind}" for kind, number in self.faults.items())
            first = f"; the first: {self.first_fault}" if self.first_fault else ""
            lines.append(core.sentence(f"Faults, each counted as a wrong choice: {told}{first}"))
        lines.append(describe_asking(self))
        return tuple(lines)

    def compare(self, other: Judgement) -> Comparison:
        """Compare with another agent that was judged in the same situations."""
        if not isinstance(other, Judgement):
            raise BadOption("other", other, "it must be what parlour.judge returns")
        pairs = list(zip(self.findings, other.findings, strict=False))  # one may have been stopped
        if self.game != other.game or any(
            one.situation.state != other.situation.state for one, other in pairs
        ):
            raise ParlourError(
                f"{self.agent} and {other.agent} were judged in different situations; judge both "
                "in the same game, with the same sample and seed"
            )
        pairs = [pair for pair in pairs if pair[0].situation.is_critical]
        if not pairs:
            raise ParlourError(
                "there is no situation in which a choice can be wrong to compare them in"
            )
        wrong = [(one.wrong, other.wrong) for one, other in pairs]
        regrets = [(one.regret, other.regret) for one, other in pairs]
        right_test, regret_test = statistics.adjust(
            [
                statistics.compare_right(wrong),
                statistics.permute([one - other for one, other in regrets]),
            ]
        )
        shares = [1 - (mean(each) or 0.0) for each in zip(*wrong, strict=True)]
        costs = [mean(each) or 0.0 for each in zip(*regrets, strict=True)]
        return Comparison(
            self,
            other,
            len(pairs),
            right=(shares[0], shares[1]),
            regret=(costs[0], costs[1]),
            only_first=float(total((1 - one) * other for one, other in wrong)),
            only_second=float(total(one * (1 - other) for one, other in wrong)),
            right_test=right_test,
            regret_test=regret_test,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data, the positions it gets wrong included."""
        numbers = {"judged": len(self.findings), "unasked": self.unasked, "seed": self.seed}
        return {
            **answers.game_fields(self.game),
            "agent": self.agent,
            "scope": answers.to_plain(self.scope) | numbers,
            "answers": answers.pick(AnswersData, self),
            **answers.to_plain(self.figures),
            "faults": self.faults,
            "by_depth": _list_groups("depth", self.by_depth),
            "by_distance": _list_groups("plies", self.by_distance),
            "by_kind": _list_groups("kind", self.by_kind),
            "mistakes": [self.describe_finding(each) for each in self.mistakes],
            "report": dict(self.extra),
        }

    def describe_finding(self, finding: Finding) -> FindingData:
        """Return one situation and what the agent does there, as plain data."""
        game, situation = self.game, finding.situation
        best = [
            game.write_move(move)
            for move, regret in zip(situation.moves, situation.regrets, strict=True)
            if not regret
        ]
        chosen = sorted(finding.answer.moves.items(), key=lambda each: -each[1])
        position = game.write(situation.state)
        return answers.pick(
            FindingData,
            situation,
            position=position,
            turn=game.turn(situation.state),
            kind=name_kind(situation, self.scope.unit),
            chosen={game.write_move(move): float(chance) for move, chance in chosen},
            faults={kind: float(chance) for kind, chance in finding.answer.faults.items()},
            reason=finding.answer.reason,
            best=best,
            right=float(finding.right),
            regret=float(finding.regret),
            plies_lost=finding.plies_lost,
            address=web_address(game, position, solved=self.scope.unit != DISCS),
        )

    def to_frame(self, library: str | None = None) -> Any:
        """Return all situations as a DataFrame, a row each.

        It is of `library`, "pandas" or "polars", or else of the first of them that is installed;
        `ImportError` where there is none.
        """
        names = ["position", "turn", "outcome", "plies", "depth", "kind", "exact"]
        names += ["right", "regret", "plies_lost", "address"]
        rows: list[Mapping[str, Any]] = [self.describe_finding(each) for each in self.findings]
        columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in names}
        columns["critical"] = [each.situation.is_critical for each in self.findings]
        columns["choice"] = [next(iter(row["chosen"]), None) for row in rows]
        columns["best"] = [", ".join(row["best"]) for row in rows]
        return boards.ResultTable.of(columns).to_frame(library)

    def chart_kinds(self) -> Drawing:
        """Draw the share of right choices by kind of position."""
        return chart_kinds([self])

    def chart_depths(self) -> Drawing:
        """Draw the share of right choices by plies from the start."""
        return chart_course([self], "depth")

    def __str__(self) -> str:
        return "\n".join(self.summary)

    def __repr__(self) -> str:
        share = "none" if self.right is None else f"{self.right:.1%}"
        return f"<{self.agent} judged in {describe(self.game)}: {share} right>"

    def _repr_html_(self) -> str:
        parts = [boards.paragraph(line) for line in self.summary[1:]]
        if self.by_kind:
            parts.append(svg(self.chart_kinds()))
        if self.mistakes:
            rows = []
            for row in map(self.describe_finding, self.mistakes[:SHOWN]):
                best = ", ".join(row["best"][:3]) + (" …" if len(row["best"]) > 3 else "")
                value, chosen = format_value(row), format_chosen(row)
                rows.append((row["position"], value, chosen, best, f"{row['regret']:.3g}"))
            more = f" {len(self.mistakes):,} in all." if len(self.mistakes) > SHOWN else ""
            parts.append(boards.paragraph(f"Where it goes wrong, the worst first.{more}"))
            parts.append(boards.ResultTable(MISTAKE, rows).to_html())
        if self.extra:
            told = [(name, format_reported(value)) for name, value in self.extra.items()]
            parts.append(boards.ResultTable(("it reports", ""), told).to_html())
        worst = self.mistakes[0].situation.state if self.mistakes else None
        beside = "" if worst is None else boards.Picture(self.game, worst).to_svg()
        title = f"{self.agent} judged in {protocol.full_title(self.game)}"
        return boards.cell(title, *parts, beside=beside)


def _list_groups(name: str, groups: Mapping[Any, Figures]) -> list[dict[str, Any]]:
    return [{name: group} | answers.to_plain(figures) for group, figures in groups.items()]


@dataclass(frozen=True)
class Comparison:
    """Two agents in the same situations."""

    first: Judgement
    second: Judgement
    situations: int  # that both answered and in which a choice can be wrong
    right: tuple[float, float]  # shares of right choices there
    regret: tuple[float, float]
    only_first: float  # situations that only the first gets right; expected, where it draws
    only_second: float
    right_test: SignificanceTest
    regret_test: SignificanceTest

    @property
    def verdict(self) -> str:
        """The result in one sentence."""
        agents = self.first.agent, self.second.agent
        shares = " against ".join(format_share(each, None) for each in self.right)
        costs = " against ".join(f"{each:.3f}" for each in self.regret)
        figures = (
            f"{shares}, {_format_p(self.right_test)}",
            f"{costs} {self.first.scope.unit}, {_format_p(self.regret_test)}",
        )
        ahead = (
            _find_better(self.right, self.right_test),
            _find_better((-self.regret[0], -self.regret[1]), self.regret_test),
        )
        where = f"in {count(self.situations, 'situation')}"
        where += ", as they are estimated" if self.first.scope.estimate else ""
        if ahead == (None, None):
            return (
                f"Neither is shown to be better {where}: right choices {figures[0]}; regret "
                f"{figures[1]}."
            )
        parts = []
        for winner, better, like, told in zip(ahead, BETTER, ALIKE, figures, strict=True):
            said = like if winner is None else f"{agents[winner]} {better}"
            parts.append(f"{said} ({told})")
        return f"{core.capital(where)}, {parts[0]}, and {parts[1]}."

    def to_dict(self) -> ComparisonData:
        """Return the comparison as plain data."""
        return answers.pick(
            ComparisonData,
            self,
            agents=(self.first.agent, self.second.agent),
            only_right=(self.only_first, self.only_second),
            right_test=asdict(self.right_test),
            regret_test=asdict(self.regret_test),
        )

    def __str__(self) -> str:
        return self.verdict

    def __repr__(self) -> str:
        return f"<{self.first.agent} compared with {self.second.agent}: {self.verdict}>"

    def _repr_html_(self) -> str:
        agents = self.first, self.second
        parts = [boards.paragraph(self.verdict), tabulate_figures(agents).to_html()]
        parts.append(svg(chart_kinds(agents)))
        title = (
            f"{self.first.agent} and {self.second.agent} in {protocol.full_title(self.first.game)}"
        )
        return boards.cell(title, *parts)


def _find_better(figures: tuple[float, float], test: SignificanceTest) -> int | None:
    """Return which of two has the larger figure, if that is significant."""
    if test.adjusted >= ALPHA or figures[0] == figures[1]:
        return None
    return int(figures[1] > figures[0])


def _format_p(test: SignificanceTest) -> str:
    return "p < 0.001" if test.adjusted < 0.001 else f"p = {test.adjusted:.3f}"


@dataclass(frozen=True)
class LearningCurve:
    """Several stages of one training, judged in the same situations, in their order."""

    judgements: Mapping[str, Judgement]  # by the label of the stage

    def __getitem__(self, label: str) -> Judgement:
        return self.judgements[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self.judgements)

    def __len__(self) -> int:
        return len(self.judgements)

    def to_dict(self) -> dict[str, Any]:
        """Return the judgement of each stage as plain data."""
        return {
            "checkpoints": [
                {"label": label, **each.to_dict()} for label, each in self.judgements.items()
            ]
        }

    def to_frame(self, library: str | None = None) -> Any:
        """Return the figures of the stages as a DataFrame, a row each."""
        names = "right", "regret", "worst_regret", "plies_lost", "worst_plies_lost", "critical"
        rows = [
            (label, *(getattr(each.figures, name) for name in names), sum(each.faults.values()))
            for label, each in self.judgements.items()
        ]
        return boards.ResultTable(("label", *names, "faults"), rows).to_frame(library)

    @property
    def verdict(self) -> str:
        """How far it came, in one sentence."""
        first, *_, last = [*self.judgements.values()] * 2
        shares = [format_share(each.right or 0.0, each.right_interval) for each in (first, last)]
        costs = [format_number(each.regret, each.regret_interval) for each in (first, last)]
        return (
            f"From {first.agent} to {last.agent}, right choices went from {shares[0]} to "
            f"{shares[1]}, and regret from {costs[0]} to {costs[1]} {last.scope.unit}."
        )

    def chart(self) -> Drawing:
        """Draw the share of right choices from checkpoint to checkpoint."""
        return self._draw("Right choices", "right", charts.SHARE)

    def chart_regret(self) -> Drawing:
        """Draw the mean regret from checkpoint to checkpoint."""
        unit = next(iter(self.judgements.values())).scope.unit
        return self._draw(f"Regret, in {unit} a choice", "regret", charts.AMOUNT)

    def _draw(self, title: str, figure: str, unit: charts.Unit) -> Drawing:
        found = {label: each.figures for label, each in self.judgements.items()}
        series = charts.Series("", _list_points(found, figure))
        return charts.draw_lines(title, [series], unit, below="checkpoint")

    def __repr__(self) -> str:
        return f"<learning curve of {count(len(self), 'checkpoint')}>"

    def _repr_html_(self) -> str:
        found = list(self.judgements.values())
        table = tabulate_figures(found).to_html()
        title = f"Learning curve in {protocol.full_title(found[0].game)}"
        return boards.cell(title, svg(self.chart()), table)


def list_judgements(found: Judgement | Comparison | LearningCurve) -> list[Judgement]:
    """Return the judgements that something is made of."""
    if isinstance(found, Judgement):
        return [found]
    if isinstance(found, Comparison):
        return [found.first, found.second]
    if isinstance(found, LearningCurve):
        return list(found.judgements.values())
    raise BadOption("found", found, "it must be what parlour.judge or compare() returns")


# Tables and charts

MAX_BANDS = 16  # points of a chart along the game
SHOWN = 10  # positions in a notebook
FIGURES = ("agent", "right", "regret", "worst", "plies lost", "worst", "faults")
PLIES = range(4, 6)  # the places of those in plies
MISTAKE = ("position", "value", "chosen", "right", "regret")


def list_figures(found: Judgement) -> tuple[str, ...]:
    """Return the main figures of a judgement as a row under `FIGURES`."""
    figures, about = found.figures, "≈ " if found.scope.estimate else ""
    right = "–" if figures.right is None else format_share(figures.right, figures.right_interval)
    return (
        found.agent,
        about + right,
        about + format_number(figures.regret, figures.regret_interval),
        "–" if figures.worst_regret is None else f"{figures.worst_regret:.3g}",
        "–" if figures.plies_lost is None else f"{figures.plies_lost:.2f}",
        "–" if figures.worst_plies_lost is None else f"{figures.worst_plies_lost:.3g}",
        f"{sum(found.faults.values()):g}",
    )


def tabulate_figures(agents: Sequence[Judgement]) -> boards.ResultTable:
    """Return the main figures of several agents as a table, without plies in a game of discs."""
    rows: list[tuple[str, ...]] = [FIGURES, *map(list_figures, agents)]
    if agents[0].scope.unit == DISCS:
        rows = [row[: PLIES.start] + row[PLIES.stop :] for row in rows]
    return boards.ResultTable(rows[0], rows[1:])


def format_value(row: Mapping[str, Any]) -> str:
    """`win in 5`, of a position as `describe_finding` returns it; of Othello only the outcome"""
    plies = row["plies"] if row["kind"].startswith(("won", "drawn", "lost")) else None
    outcome = row["outcome"] if row["exact"] else f"≈ {row['outcome']}"
    return outcome if plies is None else f"{outcome} in {plies}"


def format_chosen(row: Mapping[str, Any], most: int = 3) -> str:
    """`c3`, or where it draws its moves `c3 (62 %), a1 (20 %), …`, with its faults"""
    told = [*row["chosen"].items(), *row["faults"].items()]
    if len(told) == 1:
        return str(told[0][0])
    shown = [f"{move} ({100 * chance:.0f} %)" for move, chance in told[:most]]
    return ", ".join([*shown, "…"] if len(told) > most else shown)


def format_reported(value: Any) -> Any:
    """`in 18230, out 512`, of a mapping that an agent reports; anything else as it is"""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {figure}" for name, figure in value.items())
    return value


def chart_kinds(judgements: Sequence[Judgement]) -> Drawing:
    """Draw the shares of right choices of one or two agents by kind of position."""
    series = _list_series(judgements, [each.by_kind for each in judgements])
    title = "Right choices by kind of position"
    return charts.draw_rows(title, series, charts.SHARE)


def chart_course(judgements: Sequence[Judgement], by: str) -> Drawing:
    """Draw the shares of right choices by `depth`, or by `plies` to the end."""
    below = "plies from the start"
    if by == "plies":
        discs = judgements[0].scope.unit == DISCS
        below = "empty squares" if discs else "plies to the end, with best play"
    places = [
        getattr(finding.situation, by)
        for each in judgements
        for finding in each.findings
        if finding.situation.is_critical and getattr(finding.situation, by) is not None
    ]
    within = range(min(places, default=0), max(places, default=0) + 1)
    series = _list_series(judgements, [each._band(by, within) for each in judgements])
    return charts.draw_lines(f"Right choices by {below}", series, charts.SHARE, below=below)


def _list_series(
    judgements: Sequence[Judgement], groups: Sequence[Mapping[str, Figures]]
) -> list[charts.Series]:
    """Return the shares of right choices of each agent in some groups of situations."""
    names = [each.agent if len(judgements) > 1 else "" for each in judgements]
    return [
        charts.Series(each.agent, _list_points(found, agent=name), look)
        for look, (each, found, name) in enumerate(zip(judgements, groups, names, strict=True))
    ]


def _list_points(
    groups: Mapping[str, Figures], figure: str = "right", agent: str = ""
) -> list[charts.Point]:
    """Return the points of a figure, `right` or `regret`; the agent is named if there are more."""
    whose = f"{clean_line(agent)}, " if agent else ""
    write = format_share if figure == "right" else format_number
    points = []
    for name, found in groups.items():
        value, interval = getattr(found, figure), getattr(found, f"{figure}_interval")
        if value is not None:
            of = count(found.critical, "situation")
            about = f"{whose}{name}: {write(value, None)} of {of}"
            beside = "" if agent else f"{value:.0%} of {found.critical:,}"
            points.append(charts.Point(str(name), value, interval, about, beside))
    return points


# Kinds of position

ONLY, FEW, MANY = "one right choice", "up to half right", "more than half right"


def list_kinds(unit: str) -> list[str]:
    """Return the names of all kinds of position, in order."""
    first = ("solved ending", "estimated") if unit == DISCS else ("won", "drawn")
    kinds = [f"{each}, {right}" for each in first for right in (ONLY, FEW, MANY)]
    return [*kinds, *(f"{each}, all right" for each in first), "lost"]


def name_kind(situation: Situation, unit: str) -> str:
    """Return the kind of a position: its value, and how many of its choices are right."""
    if unit == DISCS:
        first = "solved ending" if situation.exact else "estimated"
    elif situation.outcome == "loss":
        return "lost"
    else:
        first = {"win": "won", "draw": "drawn"}[situation.outcome]
    if situation.right == situation.choices:
        return f"{first}, all right"
    if situation.right == 1:
        return f"{first}, {ONLY}"
    return f"{first}, {FEW if 2 * situation.right <= situation.choices else MANY}"


def web_address(game: Game, position: str, *, solved: bool = True) -> str:
    """Return where on the web site a position is opened, from the first slash on.

    The lab shows what every move is worth; what is not solved there is analysed.
    """
    path = f"/lab/{quote(game.name)}" if solved else f"/analyse/{quote(game.name)}/walk"
    changes = dict(part.split("=", 1) for part in shlex.split(describe(game))[1:])
    asked = changes | {"position": position}
    return f"{path}?{urlencode(asked, safe=',:', quote_via=quote)}"


# In words


def describe_asking(found: Judgement) -> str:
    """Say how the agent was asked, and what an interval is about."""
    if found.how == "weights":
        asked = "The agent says how likely each move is, so these are exact expectations"
    else:
        times = "once" if found.repeat == 1 else f"{found.repeat} times"
        asked = f"The agent was asked {times} in each situation"
        asked += "" if found.steady else " and draws its moves"
    if found.figures.right_interval is not None:
        asked += "; brackets hold 95 % confidence intervals"
    left = f" {count(found.unasked, 'situation')} were not reached." if found.unasked else ""
    return f"{asked}.{left}"


def format_share(share: float, interval: Interval | None) -> str:
    """`22.9 %`, with its interval in brackets where it has one"""
    text = f"{100 * share:.1f} %"
    return (
        text if interval is None else f"{text} [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]"
    )


def format_number(number: float | None, interval: Interval | None) -> str:
    """`0.387`, with its interval in brackets where it has one"""
    text = "–" if number is None else f"{number:.3f}"
    return text if interval is None else f"{text} [{interval[0]:.3f}, {interval[1]:.3f}]"
