"""Which games are played, by whom, from which openings, and which count."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import astuple, replace
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.arena.plan import (
    HOUSE,
    Entry,
    Fixture,
    Plan,
    game_id,
    number_duplicates,
    random_openings,
    read_entry,
    read_openings,
    seed_for,
)
from parlour.arena.results import GameResult
from parlour.arena.schedule import (
    all_fixtures,
    decisions,
    max_games,
    new_scores,
    next_fixtures,
    pair_swiss,
    pair_swiss_round,
    round_count,
    scored_games,
    struck_out,
)
from parlour.core import Clock, registry
from parlour.core.errors import BadText, ParlourError
from parlour.core.protocol import key
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
        game = registry.build("games", file)
        event = Plan.of(game, plan(2).entries)
        event.make_game()
        names.append(game_id(event, Fixture(0, 1, 0)))
    assert names[0] != names[1]
    file.write_text(rules)
    with pytest.raises(ParlourError, match="has changed"):
        event.make_game()


# Round robins and gauntlets

FEW = st.integers(0, 9)
LEGS = st.integers(1, 9)


def fixtures(players, legs, kind="round-robin"):
    return [astuple(each) for each in all_fixtures(plan(players, games=2 * legs, kind=kind))]


@given(FEW, LEGS, st.sampled_from(["round-robin", "gauntlet"]))
def test_all_who_should_meet_do_so_once_a_leg_in_both_seatings_one_after_the_other(
    players, legs, kind
):
    games = fixtures(players, legs, kind)
    assert Counter(games) == Counter(
        (one, other, leg)
        for leg in range(legs)
        for one, other in permutations(range(players), 2)
        if kind == "round-robin" or 0 in (one, other)
    )
    order = [leg for _, _, leg in games]
    assert order == sorted(order)
    for (first, second, leg), back in zip(games[::2], games[1::2], strict=True):
        assert back == (second, first, leg)


# Swiss


def pair(one, other):
    return frozenset((one, other))


def fewest_again(players, met):
    """How many of the pairs must have met before, by trying all ways to pair these players."""
    if not players:
        return 0
    one, *others = players
    return min(
        (pair(one, other) in met) + fewest_again([each for each in others if each != other], met)
        for other in others
    )


def check(points, met, byes):
    """A round must pair everybody once; how many of its pairs have met before, and the bye."""
    pairs, bye = pair_swiss_round(points, met, byes)
    seated = [each for two in pairs for each in two] + ([] if bye is None else [bye])
    assert sorted(seated) == list(range(len(points)))
    assert (bye is None) == (len(points) % 2 == 0)
    return sum(pair(*two) in met for two in pairs), bye


@st.composite
def standings(draw):
    players = draw(st.integers(0, 8))
    points = draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    every = [pair(*two) for two in combinations(range(players), 2)]
    met = draw(st.sets(st.sampled_from(every))) if every else set()
    byes = draw(st.lists(st.integers(0, players - 1), max_size=players)) if players else []
    return points, met, byes


@given(standings())
def test_as_few_meet_again_as_can_be_and_the_bye_goes_to_the_lowest_who_can_be_spared(standing):
    points, met, byes = standing
    again, bye = check(points, met, byes)
    everybody = range(len(points))
    if bye is None:
        assert again == fewest_again(list(everybody), met)
        return
    had = Counter(byes)
    free = [each for each in everybody if had[each] == min(had[one] for one in everybody)]
    needed = {each: fewest_again([one for one in everybody if one != each], met) for each in free}
    assert again == needed[bye] == min(needed.values())
    spared = [each for each in free if needed[each] == again]
    assert points[bye] == min(points[each] for each in spared)


@given(standings())
def test_the_same_standing_gives_the_same_round(standing):
    points, met, byes = standing
    shuffled = sorted(met, key=lambda two: -min(two, default=0))
    assert pair_swiss_round(points, met, byes) == pair_swiss_round(points, shuffled, byes[::-1])


def test_the_leader_meets_the_nearest_below_whom_they_have_not_met():
    pairs, bye = pair_swiss_round([0, 6, 4, 2, 3, 5], {pair(1, 5), pair(1, 2)}, [])
    assert pairs == [(1, 4), (5, 2), (3, 0)]
    assert bye is None


def test_players_who_must_meet_again_are_low_in_the_table():
    met = {pair(0, 2), pair(0, 3), pair(2, 3)}  # one of these three pairs it will be
    assert pair_swiss_round([3, 2, 1, 0], met, [])[0] == [(0, 1), (2, 3)]


def test_the_leader_leaves_the_nearest_to_those_who_can_meet_nobody_else():
    met = {pair(3, 2), pair(3, 0)}  # the last has met all but the second
    assert pair_swiss_round([3, 2, 1, 0], met, [])[0] == [(0, 2), (1, 3)]


def tournament(players, rounds, chance):
    """A whole tournament of random results: the repeated meetings of each round, and the byes."""
    points, met, byes, again = [0.0] * players, set(), [], []
    for _ in range(rounds):
        pairs, bye = pair_swiss_round(points, met, byes)
        again.append(sum(pair(*two) in met for two in pairs))
        for one, other in pairs:
            met.add(pair(one, other))
            got = chance.choice((0, 0.5, 1, 1.5, 2))
            points[one] += got
            points[other] += 2 - got
        if bye is not None:
            byes.append(bye)
            points[bye] += 2
    return again, byes


@pytest.mark.parametrize(("players", "rounds"), [(39, 10), (20, 10), (7, 3)])
def test_while_there_are_twice_as_many_others_as_rounds_no_two_meet_again(players, rounds):
    # Dirac's theorem: where everybody may still meet half of all, all can be paired.
    again, byes = tournament(players, rounds, random.Random(players))
    assert again == [0] * rounds
    assert len(set(byes)) == len(byes)


@given(st.integers(1, 1_000))
def test_the_rounds_leave_at_most_one_who_won_them_all(players):
    rounds = round_count(plan(players, kind="swiss"))
    assert rounds == math.ceil(math.log2(players))
    left = players
    for _ in range(rounds):
        left = (left + 1) // 2  # of two winners one goes on winning
    assert left == 1


# Openings and players

OTHELLO = registry.game("othello")


def test_no_two_openings_lead_to_one_position():
    found = random_openings(OTHELLO, 4, 30, 1)
    ends = set()
    for opening in found:
        state = OTHELLO.start()
        for text in opening:
            state = OTHELLO.play(state, OTHELLO.read_move(state, text))
        ends.add(key(OTHELLO, state))
    assert len(found) == len(ends) == 30


def test_there_are_no_more_openings_than_positions():
    # The four first moves of Othello are one by symmetry; of 20 sticks one may take 1, 2 or 3.
    assert len(random_openings(OTHELLO, 1, 30, 1)) == 1
    assert len(random_openings(registry.game("sticks"), 1, 30, 1)) == 3


def test_the_same_seed_draws_the_same_openings_and_another_others():
    assert (
        random_openings(OTHELLO, 6, 5, 3)
        == random_openings(OTHELLO, 6, 5, 3)
        != random_openings(OTHELLO, 6, 5, 4)
    )


def test_an_opening_leaves_something_to_play():
    with pytest.raises(ParlourError, match="shorter"):
        random_openings(registry.game("nim", piles=(1, 1)), 2, 3, 0)


def test_openings_are_read_from_a_file(tmp_path):
    file = tmp_path / "openings.txt"
    standard = registry.game("othello")
    state, texts = standard.start(), []
    for _ in range(2):
        move = standard.moves(state)[0]
        texts.append(standard.write_move(move))
        state = standard.play(state, move)
    file.write_text(f"# one of them\n\n{', '.join(texts).upper()}\n")
    assert read_openings(standard, file) == (tuple(texts),)
    file.write_text("d3, z9\n")
    with pytest.raises(ParlourError, match=r"line 1 of openings\.txt"):
        read_openings(standard, file)
    file.write_text("\n")
    with pytest.raises(ParlourError, match="no openings"):
        read_openings(standard, file)


def test_two_of_one_name_are_numbered():
    entries = [read_entry(bot, OTHELLO) for bot in ("random", "random", "minimax depth=2")]
    names = [each.name for each in number_duplicates(entries)]
    assert names == ["random", "random (2)", "minimax depth=2"]


def test_a_file_is_another_player_once_it_changes(tmp_path):
    file = tmp_path / "ann.py"
    file.write_text("def choose(game, state):\n    return game.moves(state)[0]\n")
    before = read_entry(str(file), OTHELLO)
    assert (before.kind, before.name, before.sandboxed) == ("python", "ann", True)
    file.write_text("def choose(game, state):\n    return game.moves(state)[-1]\n")
    assert read_entry(str(file), OTHELLO).digest != before.digest


def test_a_file_is_not_run_to_see_who_it_is(tmp_path):
    file = tmp_path / "bomb.py"
    file.write_text("raise SystemExit('opened')\n")
    assert read_entry(str(file), OTHELLO).name == "bomb"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nobody", "there is no bot"),
        ("standard", "does not play"),
        ("no_such.py", "cannot read"),
        ("./no_such_program", "not found"),
        ("gtp:", "name the program"),
        ("'open", "quotation mark"),
    ],
)
def test_players_who_cannot_play_are_refused_with_the_reason(text, reason):
    with pytest.raises(ParlourError, match=reason):
        read_entry(text, OTHELLO)
