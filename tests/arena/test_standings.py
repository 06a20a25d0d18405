"""A table says what its games say: counted by hand, and by what must add up."""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import asdict, replace
from itertools import permutations

import pytest

from parlour.arena.plan import HOUSE, Entry, Fixture, Plan
from parlour.arena.ratings import Meeting, rate
from parlour.arena.results import Accuracy, GameResult
from parlour.arena.schedule import scored_games
from parlour.arena.standings import (
    compute_standings,
    format_bound,
    format_points,
    format_seconds,
    sort_games,
)
from parlour.core.record import Record

WON, DRAWN, LOST = (1, -1), (0, 0), (-1, 1)


def plan(*names: str, game: str = "sticks", **more) -> Plan:
    return Plan(game, tuple(Entry(name, HOUSE, "random") for name in names), **more)


def game(first: int, second: int, result=WON, leg: int = 0, moves=(), **more):
    fixture = Fixture(first, second, leg)
    record = Record("sticks", {}, ("x", "y"), tuple(moves), result=result)
    return fixture, GameResult(f"{first} {second} {leg}", record, **more)


# Ann beats Bob twice, draws with Cy and beats him; Bob loses and draws with Cy.
THREE = [
    game(0, 1, WON),
    game(1, 0, LOST),
    game(0, 2, DRAWN),
    game(2, 0, LOST),
    game(1, 2, LOST),
    game(2, 1, DRAWN),
]


def made_up(players: int, legs: int):
    """Random results, the lower numbers a little luckier."""
    chance = random.Random(1)
    games = []
    for leg in range(legs):
        for first, second in permutations(range(players), 2):
            luck = chance.random() + (second - first) / players / 2
            result = WON if luck > 0.55 else LOST if luck < 0.45 else DRAWN
            moves = [str(chance.randrange(1000)) for _ in range(5)]
            games.append(game(first, second, result, leg, moves))
    return plan(*(f"p{n}" for n in range(players))), games


def test_points_are_counted_as_one_would_by_hand():
    found = compute_standings(plan("Ann", "Bob", "Cy"), THREE)
    counts = {row.name: (row.points, row.wins, row.draws, row.losses) for row in found.rows}
    assert counts == {"Ann": (3.5, 3, 1, 0), "Cy": (2.0, 1, 2, 1), "Bob": (0.5, 0, 1, 3)}
    assert [row.name for row in found.rows] == ["Ann", "Cy", "Bob"]
    assert all(row.accuracy is None for row in found.rows)  # nothing is known
    ann, cy, bob = found.rows
    assert [asdict(cell) if cell else None for cell in ann.against] == [
        None,
        {"points": 1.5, "games": 2},
        {"points": 2.0, "games": 2},
    ]
    assert (cy.first.points, cy.second.points) == (0.5, 1.5)
    assert (bob.first.points, bob.second.points) == (0.0, 0.5)


def test_the_order_in_which_games_ended_does_not_matter():
    event, games = made_up(5, 2)
    mixed = random.Random(3).sample(games, len(games))
    assert compute_standings(event, mixed) == compute_standings(event, games)
    assert sort_games(mixed) == sort_games(games)
    fixtures = [fixture for fixture, _ in sort_games(mixed)]
    assert [fixture.leg for fixture in fixtures] == [0] * 20 + [1] * 20  # leg by leg
    assert [(f.first, f.second) for f in fixtures][:4] == [(0, 1), (1, 0), (0, 2), (2, 0)]


def test_both_games_of_an_opening_are_one_trial_to_the_ratings():
    found = {row.name: row for row in compute_standings(plan("Ann", "Bob", "Cy"), THREE).rows}
    by_hand = rate(3, [Meeting(0, 1, 2.0), Meeting(0, 2, 1.5), Meeting(1, 2, 0.5)])
    for name, rating in zip(("Ann", "Bob", "Cy"), by_hand, strict=True):
        assert found[name].elo == pytest.approx(rating.elo, abs=0.01)
        assert found[name].low == pytest.approx(rating.low, abs=0.01)
        assert found[name].high == pytest.approx(rating.high, abs=0.01)
    assert found["Ann"].superior[2] == pytest.approx(by_hand.superiority(0, 1), abs=1e-3)


def test_the_same_points_are_ordered_by_rating_and_then_by_name():
    even = [game(0, 1, WON), game(1, 0, WON)]
    assert [row.name for row in compute_standings(plan("Zed", "Ann"), even).rows] == ["Ann", "Zed"]
    # Both have one point of two, but Bob's opponent is the stronger: he beat Ann who beat Cy twice.
    games = [game(0, 1, LOST), game(1, 0, LOST), game(0, 2, WON), game(2, 0, LOST)]
    games += [game(3, 2, WON), game(2, 3, WON)]
    rows = compute_standings(plan("Ann", "Bob", "Cy", "Abe"), games).rows
    assert [row.name for row in rows if row.points == 1][:2] == ["Bob", "Abe"]


def test_a_player_of_fewer_games_is_ranked_by_points_a_game():
    """Two who stop early, because it is clear who is stronger, are not set back for it."""
    games = [game(0, 1, WON), game(1, 0, LOST)]
    games += [game(2, 1, WON, leg) for leg in range(5)] + [game(1, 2, WON, leg) for leg in range(5)]
    rows = compute_standings(plan("brief", "busy", "long"), games).rows
    assert rows[0].name == "brief"
    assert rows[0].points < rows[1].points


def decided(scores, **more):
    """The standings of two who were to be decided, from what Ann scored in each leg."""
    games = []
    for leg, score in enumerate(scores):
        first = {0: LOST, 1: DRAWN, 2: WON}[min(2, 2 * score)]
        second = {0: WON, 1: DRAWN, 2: LOST}[max(0, 2 * score - 2)]
        games += [game(0, 1, first, leg, f"{leg}x"), game(1, 0, second, leg, f"{leg}y")]
    event = plan("Ann", "Bob", decide=50.0, **more)
    return compute_standings(event, scored_games(event, dict(games)))


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([2] * 30, "Ann is stronger than Bob by at least +"),
        ([0] * 30, "Bob is stronger than Ann by at least +"),
        ([0, 2, 1, 2, 2] * 16, "Ann is stronger than Bob by +"),
        ([1] * 40, "Ann and Bob are too close to tell after"),
        (
            [0, 2] * 40,
            "It is not clear whether Ann or Bob is stronger after 160 games: Ann leads",
        ),
        ([1.5], "It is not clear whether Ann or Bob is stronger after 2 games, too few for an"),
    ],
)
def test_a_verdict_stands_beside_the_interval_of_the_same_test(scores, words):
    found = decided(scores, games=2 * len(scores))
    [verdict] = found.verdicts
    text = str(found)
    assert words in text
    assert "±" not in text
    for row in found.rows:
        assert (row.low > 0 or row.high < 0) == (verdict.stronger is not None)
        assert (row.low > 0) == (verdict.stronger == row.name)
        own = verdict if row.name == "Ann" else verdict.swapped()
        if own.low is not None:
            assert row.low == pytest.approx(own.low / 2, abs=1e-3)
        assert row.low < row.high
        assert set(row.superior) == {None}


def test_a_player_that_is_struck_out_is_named_apart_and_changes_nothing_for_the_others():
    event = plan("Ann", "Bob", "Cy", "Hal")
    why = "took longer than 1 s for a move"
    at_fault = {"fault": "time", "faulty_seat": 1, "why": why}
    lost = [replace(each, **at_fault) for _, each in (game(0, 3, WON),) * 3]
    found = compute_standings(event, THREE, struck={3: lost})
    assert found.rows == compute_standings(plan("Ann", "Bob", "Cy"), THREE).rows
    assert (found.struck[0].entry, found.struck[0].name, found.struck[0].losses) == (3, "Hal", 3)
    sentence = "Hal is struck out after losing 3 games, and its games do not count; the last: took"
    assert sentence in str(found)


def test_a_bye_counts_as_points():
    rows = compute_standings(plan("Ann", "Bob", "Cy"), [game(0, 1), game(1, 0)], byes={2: 2.0}).rows
    cy = next(row for row in rows if row.name == "Cy")
    assert rows[0] is cy
    assert (cy.points, cy.games, cy.bye) == (2.0, 0, 2.0)


def test_a_repeat_has_the_same_seats_and_the_same_moves():
    games = [game(0, 1, leg=leg, moves="123") for leg in range(3)]
    games += [game(1, 0, leg=0, moves="123"), game(0, 1, leg=4, moves="124")]
    found = compute_standings(plan("Ann", "Bob"), games)
    assert found.repeats == 2
    assert "2 of 5 games repeat another" in str(found)


def test_a_margin_is_seen_from_either_side():
    games = [game(0, 1, margin=10.0), game(1, 0, margin=-4.0), game(0, 1, leg=1, margin=None)]
    one, other = compute_standings(plan("Ann", "Bob"), games).rows
    assert (one.name, one.margin, other.margin) == ("Ann", 7.0, -7.0)


def test_marks_are_summed_over_games():
    good, bad = Accuracy(4, 0.0, 2, 2, None), Accuracy(5, 1.5, 3, 1, 4)
    games = [
        game(0, 1, accuracy=(good, bad)),
        game(1, 0, LOST, accuracy=(Accuracy(3, 0.5, 1, 1, 7), Accuracy())),
        game(0, 1, leg=1),
    ]
    ann, bob = (row.accuracy for row in compute_standings(plan("Ann", "Bob"), games).rows)
    assert (ann.judged, ann.games, ann.spoilt, ann.first_mistake) == (4, 1, 0, None)
    assert (ann.share_kept, ann.given_per_move) == (1.0, 0.0)
    assert (bob.judged, bob.won, bob.kept, bob.given) == (8, 4, 2, 2.0)
    assert (bob.share_kept, bob.given_per_move) == (0.5, 0.25)
    assert bob.spoilt == bob.games
    assert bob.first_mistake == 5.5


def test_times_are_of_the_moves_the_players_made_themselves():
    record = Record("sticks", {}, ("x", "y"), tuple("11111"), (0.0, 0.0, 0.5, 0.25, 0.75), WON)
    played = GameResult("", replace(record, opening=2), thought=(1.25, 0.25))
    one, other = compute_standings(plan("Ann", "Bob"), [(Fixture(0, 1, 0), played)]).rows
    assert (one.times.moves, one.times.slowest, one.times.seconds_per_move) == (2, 0.75, 0.625)
    assert (other.times.moves, other.times.slowest, other.times.seconds_per_move) == (1, 0.25, 0.25)


def test_where_seats_do_not_alternate_the_times_are_counted_by_who_moved():
    record = Record("dots", {}, ("x", "y"), tuple("abcde"), (0.0, 0.5, 0.75, 0.25, 1.0), WON)
    record = replace(record, opening=1)
    played = GameResult("", record, movers=(0, 0, 0, 1, 0), thought=(2.25, 0.25))
    assert GameResult.from_json(played.to_json()) == played
    one, other = compute_standings(plan("Ann", "Bob"), [(Fixture(0, 1, 0), played)]).rows
    assert (one.times.moves, one.times.slowest, one.times.seconds_per_move) == (3, 1.0, 0.75)
    assert (other.times.moves, other.times.slowest) == (1, 0.25)


def faulty(number: int, why: str = "crashed: boom"):
    fixture, played = THREE[number]
    record = replace(played.record, reason=f"player 1 {why}", result=LOST)
    return fixture, replace(played, record=record, fault="crash", faulty_seat=0, why=why)


def test_a_fault_stands_with_its_player_and_the_number_of_the_game():
    games = [*THREE]
    games[2] = faulty(2)  # Ann's, sitting first against Cy
    found = compute_standings(plan("Ann", "Bob", "Cy"), games)
    faults = {row.name: row.faults for row in found.rows}
    assert found.errors == 1
    assert not faults["Bob"]
    assert not faults["Cy"]
    [fault] = faults["Ann"]
    assert fault.reason == "crashed: boom"  # whose is known
    assert sort_games(games)[fault.number - 1] == games[2]
    assert f"game {fault.number}, Ann: crashed: boom" in str(found)


# As text, CSV and JSON


def test_every_line_of_a_usual_table_fits_a_terminal():
    for players in (2, 8, 12):
        event, games = made_up(players, 2)
        for line in str(compute_standings(event, games)).splitlines():
            assert len(line) <= 80, line


def test_each_against_each_is_shown_for_up_to_twelve():
    for players in (3, 12, 13):
        text = str(compute_standings(*made_up(players, 1)))
        assert ("against each" in text) == (players <= 12)


def test_no_control_character_of_a_name_reaches_the_terminal():
    event = plan("\x1b[31mred\x07", "line\nbreak\u202e", "x" * 500)
    games = [*THREE]
    games[0] = faulty(0, "said \x1b]0;title\x07\r\nand more")
    text = str(compute_standings(event, games))
    assert all(c.isprintable() or c == "\n" for c in text)
    assert "red" in text
    assert max(map(len, text.splitlines())) < 320


def test_names_in_wide_letters_are_aligned_by_the_columns_they_take():
    lines = str(compute_standings(plan("小明", "Bob", "Cy"), THREE)).splitlines()
    rows = [line for line in lines if line[:1].isdecimal()][:3]
    # Two wide letters take as many columns as four narrow ones, and so the line is two shorter.
    head = next(line for line in lines if "Points" in line)
    end = head.index("Points") + len("Points")
    assert {row[: end - 2 * ("小" in row)].split()[-1] for row in rows} == {"3½", "2", "½"}


def test_long_names_that_differ_at_the_end_still_differ():
    long = "a-bot-with-a-very-long-name-that-goes-on-and-on-and-on-and-on-and-on"
    found = compute_standings(plan(f"{long}-1", f"{long}-2", f"{long}-3"), THREE)
    lines = str(found).splitlines()
    rows = [line for line in lines if line[:1].isdecimal()][:3]
    assert all("…" in row and len(row) <= 80 for row in rows)
    assert {row.split("…")[1].split()[0][-2:] for row in rows} == {"-1", "-2", "-3"}


def test_the_csv_reads_back():
    found = compute_standings(plan("Ann", "Bob, the builder", "Cy"), THREE)
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [row["name"] for row in rows] == ["Ann", "Cy", "Bob, the builder"]
    assert [float(row["points"]) for row in rows] == [3.5, 2.0, 0.5]
    assert [row["against Ann"] for row in rows] == ["", "0.5", "0"]


def test_no_name_is_a_formula_to_a_spreadsheet():
    for name in ("=1+1", "+1", "-1", "@sum", "\t=1", "\n=1"):
        text = compute_standings(plan(name, "Bob", "Cy"), THREE).to_csv()
        rows = list(csv.reader(io.StringIO(text)))
        assert not any(row[1].lstrip().startswith(("=", "+", "-", "@")) for row in rows)


def test_the_json_holds_the_whole_table():
    found = compute_standings(plan("Ann", "Bob", "Cy"), [*THREE[:5], faulty(5)])
    whole = asdict(found)
    for row in whole["rows"]:
        row["truths"] = row.pop("accuracy")  # the key that programs know
    assert json.loads(json.dumps(found.to_dict())) == json.loads(json.dumps(whole))


def test_numbers_are_written_as_people_do():
    assert [format_points(n) for n in (0, 0.5, 1, 11.5, 20)] == ["0", "½", "1", "11½", "20"]
    seconds = [format_seconds(s) for s in (2.5, 0.019, 0.000035, 0, 120)]
    assert seconds == ["2.5 s", "19 ms", "35 µs", "0 µs", "120 s"]
    bounds = [format_bound(each) for each in (0.04, -0.6, 1.4, -12.5)]  # none is written as zero
    assert bounds == ["+0.04", "−0.6", "+1", "−12"]


def test_a_game_that_is_played_again_and_again_is_no_more_evidence():
    def over(legs: int):
        games = [
            game(first, second, WON if first == 0 else LOST, leg, "12")
            for leg in range(legs)
            for first, second in ((0, 1), (1, 0))
        ]
        return compute_standings(plan("Ann", "Bob"), games)

    once, often = over(1), over(100)
    assert [row.low for row in often.rows] == [row.low for row in once.rows]
    assert often.rows[0].points == 200
    assert often.repeats == 198
