"""Which games are played, and which count."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from parlour.arena.plan import HOUSE, Entry, Fixture, Plan, game_id, seed_for
from parlour.arena.results import GameResult
from parlour.arena.schedule import (
    decisions,
    max_games,
    new_scores,
    next_fixtures,
    pair_swiss,
    scored_games,
    struck_out,
)
from parlour.core import Clock, registry
from parlour.core.errors import BadText, ParlourError
from parlour.core.record import Record


def plan(players: int, **more) -> Plan:
    return Plan("nim", tuple(Entry(f"bot{n}", HOUSE, "random") for n in range(players)), **more)


def over(fixture: Fixture, points: float) -> GameResult:
    """A game in which the first seat got these points."""
    result = {1.0: (1, -1), 0.5: (0, 0), 0.0: (-1, 1)}[points]
    return GameResult(str(fixture), Record("nim", {}, ("a", "b"), result=result))


def play_out(event: Plan, points, *, chance: random.Random) -> dict[Fixture, GameResult]:
    """Play all that is wanted, some of it at a time and in any order."""
    done: dict[Fixture, GameResult] = {}
    while missing := next_fixtures(event, done):
        for fixture in chance.sample(missing, chance.randint(1, len(missing))):
            result = points(fixture)
            done[fixture] = result if isinstance(result, GameResult) else over(fixture, result)
    return done


def test_in_a_round_robin_any_two_meet_in_both_seatings_equally_often():
    event = plan(5, games=6)
    done = play_out(event, lambda fixture: 0.5, chance=random.Random(1))
    seatings = Counter((fixture.first, fixture.second) for fixture in done)
    assert seatings == {(a, b): 3 for a in range(5) for b in range(5) if a != b}
    assert len(done) == max_games(event) == len(scored_games(event, done))


@pytest.mark.parametrize("players", [4, 5, 11])
def test_a_swiss_finds_the_strongest_and_no_two_meet_twice(players):
    event = plan(players, kind="swiss", games=2)

    def stronger(fixture: Fixture) -> float:
        return float(fixture.first < fixture.second)  # a smaller number is stronger

    done = play_out(event, stronger, chance=random.Random(2))
    meetings = Counter(fixture.pair for fixture in done)
    assert set(meetings.values()) == {2}
    points = Counter(pair_swiss(event, done).byes)
    for fixture, game in done.items():
        points[fixture.first] += game.points[0]
        points[fixture.second] += game.points[1]
    assert points.most_common(1)[0][0] == 0


def test_games_that_end_in_another_order_decide_the_same():
    """Early stopping looks at the games in their order, not at the order in which they ended."""
    event = plan(3, games=200, decide=50.0)
    strength = {(0, 1): 0.85, (0, 2): 0.5, (1, 2): 0.35}

    def points(fixture: Fixture) -> float:
        won = random.Random(str(fixture)).random() < strength[fixture.pair]
        return float(won if fixture.first < fixture.second else not won)

    tables = []
    for order in range(3):
        done = play_out(event, points, chance=random.Random(order))
        tables.append([(fixture, game.points) for fixture, game in scored_games(event, done)])
        assert decisions(event, done)[(0, 1)].winner == 0
    assert all(table == tables[0] for table in tables)
    assert len(tables[0]) < max_games(event)


def with_moves(score: float, moves: str, opening: str = "") -> GameResult:
    """A game of these moves, after an opening."""
    game = over(Fixture(0, 1, 0), score)
    texts = (*opening, *moves)
    return replace(game, record=replace(game.record, moves=texts, opening=len(opening)))


def test_an_opening_that_leads_to_the_same_games_again_counts_once():
    legs = ["ab", "ab", "ab", "cd", "ab", "cd"]  # the moves of the games of one opening
    done = {}
    for leg, moves in enumerate(legs):
        done[Fixture(0, 1, leg)] = with_moves(1.0, moves)
        done[Fixture(1, 0, leg)] = with_moves(leg / 2 % 1, "xy")
    # The first counts, and those after "cd" has shown that the games differ.
    assert new_scores(done, (0, 1)) == [2 - leg / 2 % 1 for leg in (0, 4, 5)]


def test_two_who_repeat_their_games_stop_undecided():
    event = plan(2, games=400, decide=50.0, openings=(("a",), ("b",)))

    def same(fixture: Fixture) -> GameResult:
        opening = "ab"[fixture.leg % 2]
        return with_moves(float(fixture.first == 0), "xyz", opening)

    done = play_out(event, same, chance=random.Random(4))
    [found] = decisions(event, done).values()
    assert found.winner is None
    assert not found.close
    assert found.after == 6  # each opening three times
    assert len(scored_games(event, done)) == 12


def late(fixture: Fixture, slow: int, fault: str = "time") -> GameResult:
    """A game that one of the two lost on time."""
    seat = (fixture.first, fixture.second).index(slow)
    return replace(over(fixture, float(seat)), fault=fault, faulty_seat=seat)


@pytest.mark.parametrize("fault", ["time", "start"])
def test_a_bot_that_hangs_is_struck_out_and_none_of_its_games_count(fault):
    event = plan(6, games=10, strikes=3)

    def hang(fixture: Fixture):
        return late(fixture, 4, fault) if 4 in fixture.pair else 0.5

    tables = []
    for order in range(3):
        done = play_out(event, hang, chance=random.Random(order))
        assert [*struck_out(event, done)] == [4]
        assert len(struck_out(event, done)[4]) == 3
        tables.append(scored_games(event, done))
        assert all(4 not in fixture.pair for fixture, _ in tables[-1])
        assert len(tables[-1]) == 10 * 5 * 4 / 2
    assert all(table == tables[0] for table in tables)


def test_a_bot_that_is_late_less_often_stays():
    event = plan(3, games=10, strikes=5)

    def slow_at_first(fixture: Fixture):
        return late(fixture, 1) if 1 in fixture.pair and fixture.leg == 0 else 1.0

    done = play_out(event, slow_at_first, chance=random.Random(1))
    assert struck_out(event, done) == {}  # four times, in its first games with either
    assert len(scored_games(event, done)) == max_games(event)
    assert [*struck_out(replace(event, strikes=4), done)] == [1]
    assert struck_out(replace(event, strikes=0), done) == {}


def test_in_a_swiss_no_bot_is_struck_out():
    event = plan(6, kind="swiss", games=4)

    def hang(fixture: Fixture):
        return late(fixture, 2) if 2 in fixture.pair else 1.0

    done = play_out(event, hang, chance=random.Random(1))
    assert len(done) == max_games(event) == len(scored_games(event, done))
    assert struck_out(event, done) == {}


def test_a_game_is_the_same_whichever_others_take_part():
    few, many = plan(2), plan(4)
    game = Fixture(0, 1, 0)
    assert game_id(few, game) == game_id(many, game)


def test_every_game_and_every_seat_has_a_seed_of_its_own():
    event = plan(4, games=10)
    names = [game_id(event, fixture) for fixture in next_fixtures(event, {})]
    seeds = {seed_for(name, seat) for name in names for seat in (0, 1)}
    assert len(seeds) == 2 * max_games(event)


def test_all_conditions_of_a_game_are_in_its_name():
    game = Fixture(0, 1, 0)
    names = {
        game_id(each, game)
        for each in (
            plan(2),
            plan(2, seed=1),
            plan(2, clock=Clock(each=1.0)),
            plan(2, options={"piles": [1, 2]}),
            plan(2, openings=(("1 from 1",),)),
            Plan("nim", (Entry("bot0", HOUSE, "minimax"), Entry("bot1", HOUSE, "random"))),
        )
    }
    assert len(names) == 6


def test_a_plan_is_the_same_after_a_journey_as_text():
    event = plan(
        3, kind="swiss", rounds=2, openings=(("1 from 1",), ()), clock=Clock(total=60, added=1.5)
    )
    assert Plan.from_json(event.to_json()) == event


def test_clocks_are_read_and_written():
    for text, clock in (
        ("1/move", Clock(each=1)),
        ("0.5 s / move", Clock(each=0.5)),
        ("60", Clock(total=60)),
        ("60+1", Clock(total=60, added=1)),
    ):
        assert Clock.read(text) == Clock.read(str(clock)) == clock
    assert Clock.read("none") is None
    for text in ("0", "-1", "a while", "1/game", "1e9", "0/move", "60+"):
        with pytest.raises(BadText, match="1/move"):
            Clock.read(text)


def test_a_file_with_other_rules_is_another_game_and_may_not_change_meanwhile(tmp_path):
    file, names = tmp_path / "my_game.py", []
    rules = Path("examples/kayles.py").read_text(encoding="utf-8")
    for text in (rules, rules + "\n# a comment is enough\n"):
        file.write_text(text)
        game = registry.build(registry.from_file("games", file), "kayles", {})
        event = Plan.of(game, plan(2).entries)
        event.make_game()
        names.append(game_id(event, Fixture(0, 1, 0)))
    assert names[0] != names[1]
    file.write_text(rules)
    with pytest.raises(ParlourError, match="has changed"):
        event.make_game()
