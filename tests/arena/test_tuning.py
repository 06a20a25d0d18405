"""Tuning: its pairings, that it climbs, and that it does not fool itself.

Most games here are made up: the better number wins, or a coin decides. So the best bot is known
beforehand.
"""

from __future__ import annotations

import random
import re
import statistics
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest
from tests.arena.page import Page

from parlour.arena.plan import Plan
from parlour.arena.results import GameResult, Results
from parlour.arena.runner import run
from parlour.arena.schedule import all_fixtures
from parlour.arena.tuning import (
    Task,
    choose_varied,
    describe_best,
    describe_faults,
    first_generation,
    format_summary,
    plan_final_match,
    plan_generation,
    render_report,
    tune,
    verdict,
)
from parlour.core import registry
from parlour.core.errors import ParlourError
from parlour.core.executors import make_executor
from parlour.core.options import describe, option, settle
from parlour.core.record import Record
from parlour.players.benedict import Benedict
from parlour.players.perfect import Perfect
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks

OTHELLO = Othello()
TOP = 700  # the number with which a climber plays best


@dataclass
class Climber:
    """A bot that is the stronger the nearer its number is to a hidden one."""

    name: ClassVar[str] = "climber"
    number: int = option(100, "better near a number it does not know", low=0, high=10_000)

    def __post_init__(self):
        settle(self)

    def plays(self, game):
        return "somehow"

    def choose(self, game, state):
        return game.moves(state)[0]


def over(plan, points):
    """All games of a plan, the first seat's points given by a function of the two texts."""
    return {
        fixture: GameResult(
            str(fixture),
            Record("nim", {}, ("a", "b"), result={1: (1, -1), 0.5: (0, 0), 0: (-1, 1)}[got]),
        )
        for fixture in all_fixtures(plan)
        for got in [points(plan.entries[fixture.first].what, plan.entries[fixture.second].what)]
    }


def nearer(one, other):
    """The one nearer to the top wins."""
    first, second = (abs(read(text) - TOP) for text in (one, other))
    return 0.5 if first == second else float(first < second)


def read(text):
    return int(text.partition("=")[2] or 100)


def benedicts(**more):
    return Task(OTHELLO, Benedict(), choose_varied(Benedict(), [], OTHELLO), **more)


def climbers(**more):
    return Task(Nim(piles=(30, 30, 30)), Climber(), frozenset({"number"}), **more)


def climbed(**more):
    return tune(climbers(**more), lambda plan: over(plan, nearer))


def tossed(task, chance):
    """A tuning of bots that are all equally strong."""
    return tune(task, lambda plan: over(plan, lambda one, other: chance.randint(0, 1)))


# The variants


def test_twenty_benedicts_play_380_games_both_seatings_of_every_pair_once():
    variants = first_generation(benedicts())
    plan = plan_generation(benedicts(), variants, 1)
    seatings = Counter((fixture.first, fixture.second) for fixture in all_fixtures(plan))
    assert seatings == {(a, b): 1 for a in range(20) for b in range(20) if a != b}
    assert sum(seatings.values()) == 380
    assert [each.name for each in variants] == ["benedict", *(f"v{n}" for n in range(1, 20))]
    assert variants[0].bot == Benedict()
    assert len({each.what for each in plan.entries}) == 20
    assert all(
        registry.build("bots", e.what) == v.bot for e, v in zip(plan.entries, variants, strict=True)
    )
    assert first_generation(benedicts()) == variants  # by the seed
    assert first_generation(benedicts(seed=4))[1:] != variants[1:]


def test_the_best_quarter_and_the_first_bot_stay_and_the_rest_are_neighbours_of_the_best():
    task = climbers(variants=12, generations=3, seed=5)
    tuned = tune(task, lambda plan: over(plan, nearer))
    for before, after in zip(tuned.generations, tuned.generations[1:], strict=False):
        quarter = [each.variant for each in before.standings[:3]]
        assert after.variants[0] == tuned.generations[0].variants[0]
        assert {each.name for each in quarter} <= {each.name for each in after.variants}
        old = {each.name for each in before.variants}
        new = [each for each in after.variants if each.name not in old]
        assert len(new) >= 12 - 4
        assert {each.parent for each in new} <= {each.name for each in quarter}
    named = {v.name: v.bot for g in tuned.generations for v in g.variants}
    for generation in tuned.generations:
        assert len({describe(each.bot) for each in generation.variants}) == 12
        assert all(named[each.name] == each.bot for each in generation.variants)


def test_standings_go_by_wins_then_points():
    task = climbers(variants=3)
    names = {each.text: each.name for each in first_generation(task)}
    results = {"v1 climber": 0.5, "climber v1": 0.5, "v2 climber": 1, "climber v2": 0}
    results |= {"v1 v2": 1, "v2 v1": 0.5}

    def points(one, other):
        return results[f"{names[one]} {names[other]}"]

    tuned = tune(task, lambda plan: over(plan, points))
    found = [(e.variant.name, e.wins, e.draws, e.losses) for e in tuned.generations[0].standings]
    # The first two have two points and a half; more of them by wins come first.
    assert found == [("v2", 2, 1, 1), ("v1", 1, 3, 0), ("climber", 0, 2, 2)]


def test_options_with_few_values_give_few_variants_and_a_refusal_says_how_many():
    game = Nim()
    task = Task(game, Perfect(level=1), frozenset({"level"}), variants=4)
    with pytest.raises(ParlourError, match="hardly more than") as refusal:
        first_generation(replace(task, variants=20))
    found = int(re.search(r"try (\d+) variants", str(refusal.value))[1])
    assert 4 <= found <= 10
    assert len(first_generation(replace(task, variants=found))) == found
    assert len({v.bot.level for v in first_generation(task)}) == 4


def test_numbers_that_do_not_go_together_are_drawn_again():
    @dataclass
    class Picky(Climber):
        name: ClassVar[str] = "picky"
        limit: int = option(101, "above the number")

        def __post_init__(self):
            settle(self)
            if self.number >= self.limit:
                raise ParlourError("the number must be below the limit")

    task = Task(Nim(), Picky(), frozenset({"number", "limit"}), variants=10)
    assert all(each.bot.number < each.bot.limit for each in first_generation(task))


def test_a_bot_in_a_file_can_be_tuned(tmp_path):
    file = tmp_path / "taker.py"
    book = Path("docs/protocol.md").read_text(encoding="utf-8")
    file.write_text(re.findall(r"```py\n(.*?)```", book, re.DOTALL)[1])
    task = Task(Sticks(), registry.bot(str(file)), frozenset({"many"}), variants=3)
    entries = plan_generation(task, first_generation(task), 1).entries
    assert {each.what for each in entries} == {str(file), f"{file} many=2", f"{file} many=3"}
    assert all(each.sandboxed for each in entries)


# Results


def test_tuning_climbs_to_a_top_that_it_does_not_know():
    tuned = climbed(variants=12, generations=12, seed=1)
    ways = [abs(each.standings[0].variant.bot.number - TOP) for each in tuned.generations]
    assert ways == sorted(ways, reverse=True)  # the best stay, so it never goes back
    assert ways[-1] < 30  # from 600 away, in steps of a fifth
    assert tuned.confirmed.wins == tuned.confirmed.games
    for generation in tuned.generations:
        for each in generation.standings:
            assert (each.lead is None) == (each.variant.name == "climber")
            if each.lead is not None:
                assert each.lead.low < each.lead.elo < each.lead.high
                assert (each.lead.likelihood > 0.5) == (each.lead.elo > 0) or each.lead.elo == 0
    assert "stronger with 99 % likelihood" in verdict(tuned)


def test_luck_is_not_taken_for_strength():
    # All are equally strong. The best of ten looks strong; the fresh games see that it is not.
    chance, runs = random.Random(6), 24
    seen, fresh = [], []
    for seed in range(runs):
        tuned = tossed(climbers(variants=10, seed=seed), chance)
        if tuned.confirmed is not None:
            seen.append(tuned.best.lead.elo)
            fresh.append(tuned.confirmed.lead)
    assert len(fresh) > 0.75 * runs
    assert statistics.fmean(seen) > 100
    # A hundred coin tosses have a standard error of about 35 Elo.
    assert abs(statistics.fmean(each.elo for each in fresh)) < 4 * 35 / len(fresh) ** 0.5
    held = sum(each.low <= 0 <= each.high for each in fresh)
    assert held >= 0.88 * len(fresh) - 1
    surely = sum(each.likelihood > 0.95 for each in fresh)
    assert surely <= 0.12 * len(fresh) + 1


def test_fresh_games_begin_where_no_game_began_and_in_both_seatings():
    task = benedicts(variants=3, plies=6)
    variants = first_generation(task)
    before = plan_generation(task, variants, 1)
    match = plan_final_match(task, variants[0], variants[1])
    assert len(set(match.openings)) == 50
    assert not set(match.openings) & set(before.openings)
    assert match.seed != before.seed
    games = Counter((fixture.first, fixture.second) for fixture in all_fixtures(match))
    assert games == {(0, 1): 50, (1, 0): 50}


def test_a_short_game_has_short_fresh_openings_and_no_game_twice():
    task = Task(Nim(piles=(1, 2)), Perfect(level=5), frozenset({"level"}), variants=2)
    base, other = first_generation(task)
    match = plan_final_match(task, base, other)
    assert len(set(match.openings)) == len(match.openings)
    assert match.games == 100  # it is random, so the same opening can go otherwise
    quiet = Task(Nim(piles=(1, 2)), Climber(), frozenset({"number"}), variants=2)
    assert plan_final_match(quiet, *first_generation(quiet)).games == 2 * len(match.openings)


def test_where_none_is_better_the_first_bot_stays_the_best():
    tuned = tune(climbers(variants=5), lambda plan: over(plan, lambda one, other: 0.5))
    assert tuned.match is None
    assert tuned.best.variant.bot == Climber()
    assert "None of them did better than climber" in verdict(tuned)
    assert "the bot you began with is the best" in render_report(tuned, date="today")


# Reports


SMALL = benedicts(variants=4, generations=2, seed=8)


@pytest.fixture(scope="module")
def tuned():
    return tune(SMALL, lambda plan: run(plan, Results(), make_executor("local", 1)))


def test_the_verdict_says_luck_when_the_fresh_games_say_so():
    def play(plan):  # the first bot wins the match of two
        match = len(plan.entries) == 2
        return over(plan, (lambda one, other: float(read(one) == 100)) if match else nearer)

    tuned = tune(climbers(variants=6, seed=1), play)
    assert tuned.confirmed.wins == 0
    assert re.search(
        r"it did no better \(−\d+ Elo, −\d+ to −\d+\): its lead was luck", verdict(tuned)
    )


def test_the_short_table_names_ten_and_the_bot_one_began_with():
    tuned = climbed(variants=30, seed=3)
    lines = format_summary(tuned).splitlines()
    rows = [line for line in lines if re.match(r" *\d+\. ", line)]
    assert len(rows) in (10, 11)
    assert any("climber" in row for row in rows)
    assert all(len(line) <= 80 for line in lines[:-1])


@dataclass
class Pair(Climber):
    """A bot with a list of two numbers and a number."""

    name: ClassVar[str] = "pair"
    weights: tuple[float, ...] = option((1.0, 2.0), "two of them")


def ended(task):
    """A tuning of which all games were drawn but those that the first bot lost."""
    base = describe(task.bot)
    points = {True: 0.0, False: 1.0}
    return tune(
        task,
        lambda plan: over(plan, lambda a, b: points[a == base] if base in (a, b) else 0.5),
    )


def cells(page):
    """The rows of the last table of a page, as texts."""
    table = re.findall(r"<table.*?</table>", page, re.DOTALL)[-1]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    plain = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in plain]


def test_the_numbers_of_a_variant_stand_beside_its_name_if_they_are_few():
    for vary in ({"number"}, {"number", "weights"}):
        tuned = ended(Task(Nim(), Pair(), frozenset(vary), variants=4))
        names = [name for name in ("number", "weights") if name in vary]
        lines = format_summary(tuned).splitlines()
        assert lines[2].split()[: len(names)] == names
        head, *rows = cells(render_report(tuned, date=""))
        assert head[1 : 1 + len(names)] == names
        for line, row, each in zip(lines[3:7], rows, tuned.generations[-1].standings, strict=True):
            bot = each.variant.bot
            numbers = [str(bot.number), ",".join(map(str, bot.weights))][: len(names)]
            assert line.split()[1 : 2 + len(names)] == [each.variant.name, *numbers]
            assert row[1 : 1 + len(names)] == numbers
        best = tuned.best.variant.bot
        assert f"(number={best.number}" in verdict(tuned)
    task = Task(Nim(), Pair(weights=(1.0, 2.0, 3.0, 4.0)), frozenset({"number", "weights"}))
    tuned = ended(replace(task, variants=3))  # four numbers are too many for a row
    assert format_summary(tuned).splitlines()[2].split()[0] == "won"
    assert "=" not in verdict(tuned)
    assert "weights" not in cells(render_report(tuned, date=""))[0]


def test_a_number_that_varies_alone_is_drawn_against_its_strength():
    tuned = climbed(variants=8, seed=3)
    picture = pictures(render_report(tuned, date=""))[2]
    drawn = titles(picture)
    found = [int(re.search(r"number=(\d+)", each)[1]) for each in drawn]
    assert sorted(found) == sorted(e.variant.bot.number for e in tuned.generations[-1].standings)
    # All are below the top, where the nearer one wins: the larger the number, the stronger.
    assert max(found) < TOP
    dots = [*picture.iter("{http://www.w3.org/2000/svg}ellipse")][:7]  # the eighth is the first bot
    across, down = ([float(each.get(name)) for each in dots] for name in ("cx", "cy"))
    assert across == sorted(set(across))
    assert down == sorted(down, reverse=True)
    assert down[-1] < down[0]
    several = ended(Task(Nim(), Pair(), frozenset({"number", "weights"}), variants=3))
    assert len(pictures(render_report(several, date=""))) == 2


def test_games_that_ended_by_a_fault_are_counted():
    def play(plan: Plan):
        games = over(plan, nearer)
        record = Record("nim", {}, ("a", "b"), result=(-1, 1), reason="v1 crashed: <oh>")
        return {f: GameResult(g.id, record, fault="crash", faulty_seat=0) for f, g in games.items()}

    tuned = tune(climbers(variants=2), play)
    assert describe_faults(tuned).startswith("2 games ended by a fault, the first: v1 crashed")
    assert "<oh>" not in render_report(tuned, date="")
    assert "&lt;oh&gt;" in render_report(tuned, date="")


@pytest.mark.slow
def test_the_report_is_one_whole_page_that_needs_nothing_from_outside(tuned):
    page = render_report(tuned, date="2031-05-06")
    assert Page(page).links == []
    assert "url(" not in page
    assert "@import" not in page
    assert "<script" not in page
    assert verdict(tuned) in Page(page).text
    assert describe_best(tuned)["play"] in Page(page).text


def pictures(page):
    return [ET.fromstring(each) for each in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]  # noqa: S314 - our own


def titles(picture):
    return [each.text for each in picture.iter("{http://www.w3.org/2000/svg}title")][1:]


def test_the_report_draws_the_wins_the_progress_and_the_boards(tuned):
    assert tuned.match is not None
    wins, progress, table, mobility = pictures(render_report(tuned, date=""))
    last = tuned.generations[-1].standings
    assert titles(wins) == [
        f"{each.variant.name}: {each.wins} won, {each.draws} drawn, {each.losses} lost"
        for each in last
    ]
    assert len(titles(progress)) == 3  # two generations and the fresh games
    labels = [each.text for each in progress.iter("{http://www.w3.org/2000/svg}text")]
    assert {"1", "2", "fresh games"} <= {*labels}
    for picture, name in ((table, "table"), (mobility, "mobility_table")):
        old, new = (getattr(bot, name) for bot in (tuned.task.bot, tuned.best.variant.bot))
        squares = titles(picture)
        assert squares[0] == f"a1: {new[0]}, before {old[0]}"
        assert squares[10] == f"c2: {new[10]}, before {old[10]}"
        assert len(squares) == 64
