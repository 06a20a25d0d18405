"""The page of a tournament: whole, alone, honest about strangers' words, and readable by all."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations

import pytest
from tests.arena.page import Page

import parlour
from parlour.arena.accuracy import measure_accuracy
from parlour.arena.plan import HOUSE, PYTHON, Entry, Fixture, Plan
from parlour.arena.report import render_report
from parlour.arena.results import GameResult
from parlour.arena.standings import compute_standings, sort_games
from parlour.core import Clock
from parlour.core.record import Record

HOSTILE = "</td></table><script>alert(1)</script>\"'&<img src=x onerror=alert(1)>\x1b[31m\u202e"


def event(players: int, game: str = "nim", names=None, legs: int = 1, **more):
    """Games really played, by players of rising level."""
    rules = parlour.game(game)
    names = names or [f"level {n}" for n in range(1, players + 1)]
    plan = Plan(game, tuple(Entry(n, HOUSE, "perfect") for n in names), games=2 * legs, **more)
    games = []
    for leg in range(legs):
        for pair in permutations(range(players), 2):
            seats = [
                parlour.bot("perfect", level=1 + who * 9 // (players - 1), seed=100 * leg + who)
                for who in pair
            ]
            record = parlour.match(rules, seats)
            record = replace(record, players=tuple(names[who] for who in pair))
            games.append(
                (
                    Fixture(*pair, leg),
                    GameResult(f"{pair}{leg}", record, accuracy=measure_accuracy(rules, record)),
                )
            )
    return plan, games


def made_up(players: int):
    """Games that the first seat won."""
    record = Record("nim", {}, ("a", "b"), ("4 from 2",), result=(1, -1))
    plan = Plan("nim", tuple(Entry(f"level {n}", HOUSE, "") for n in range(1, players + 1)))
    pairs = permutations(range(players), 2)
    return plan, [(Fixture(*pair, 0), GameResult(str(pair), record)) for pair in pairs]


def failing(games, number: int, reason: str, log: str):
    """The same games, of which one was lost by a fault of the first seat."""
    fixture, played = games[number]
    record = replace(played.record, result=(-1, 1), reason=reason)
    failed = replace(played, record=record, fault="crash", faulty_seat=0, log=log)
    return [*games[:number], (fixture, failed), *games[number + 1 :]]


def page(plan, games, **more) -> str:
    return render_report(
        plan, compute_standings(plan, games), games, **{"title": "A tournament", **more}
    )


@pytest.fixture(scope="module")
def made():
    text = page(*event(3), date="2026-11-15")
    return text, Page(text)


def test_the_page_is_whole_and_needs_nothing_from_outside(made):
    text, taken = made
    assert text.startswith("<!DOCTYPE html>")
    assert len(taken.all("h1")) == len(taken.all("main")) == 1
    own = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"https?:|//[a-z]|@import|url\(", own)
    for tag in ("script", "link", "img", "iframe", "object", "use", "a"):
        assert not taken.all(tag)
    assert not any({"src", "href", "style"} & set(attrs) for _, attrs in taken.tags)
    for n in (1, 2, 3):  # everybody is in every table
        assert len(re.findall(rf"level {n}\b", taken.text)) >= 4


def test_tables_and_pictures_can_be_heard(made):
    _, taken = made
    assert all(attrs.get("scope") in ("row", "col") for attrs in taken.all("th"))
    assert len(taken.words["caption"]) == len(taken.all("table"))
    assert all(attrs.get("role") == "img" for attrs in taken.all("svg"))
    assert len(taken.all("desc")) == len(taken.all("svg")) >= 2


def test_a_matrix_of_likelihoods_is_for_up_to_twelve_players():
    for players in (12, 13):
        text = page(*made_up(players))
        assert ("Who is likely stronger" in Page(text).text) == (players <= 12)


def test_the_conditions_are_stated_in_words():
    plan, games = event(3, clock=Clock(total=60, added=1), seed=77, decide=50.0, legs=2)
    plan = replace(plan, openings=(("1 from 1",), ("1 from 2",)), options={"misere": True})
    text = Page(page(plan, games, title="Class 7b", date="2026-11-15")).text
    for words in (
        "Class 7b",
        "2026-11-15",
        "piles 3,4,5: the coins in each pile",
        "misere yes",
        "every player meets every other, 4 games per pair, half from each seat",
        "stronger by 50 Elo points",
        "2 openings of 1 move",
        "60 s for the game, and 1 s more with each move",
        "77; the same seed",
    ):
        assert words in text, words


def test_markup_in_names_and_logs_is_nothing_but_text():
    plan, games = event(3, names=[HOSTILE, "Bob", "<!--"])
    games = failing(games, 2, f"player 1 said {HOSTILE}", f"line 1\n{HOSTILE}\n</pre></details>")
    history = [(HOSTILE, {HOSTILE: (1.0, 0.0, 2.0), "Bob": (0.0, -1.0, 1.0)})]
    text = page(plan, games, title=HOSTILE, date=HOSTILE, history=history)
    taken = Page(text)
    assert not taken.all("script")
    assert not taken.all("img")
    assert "<!--" not in text
    assert all(c.isprintable() or c in "\n\t" for c in text)
    assert "alert(1)" in taken.text


def test_a_fault_is_shown_with_the_log_for_its_author():
    plan, games = event(3)
    games = failing(games, 3, "player 1 crashed: ZeroDivisionError", "Traceback\n  1 / 0\n")
    failed = games[3]
    number = 1 + sort_games(games).index(failed)
    taken = Page(page(plan, games))
    assert f", crash, game {number}: player 1 crashed: ZeroDivisionError" in taken.text
    assert "Traceback\n  1 / 0" in taken.words["pre"][0]
    assert "1 game of 6 ended because" in taken.text
    assert "Nobody lost a game by a fault of its own" in page(*event(3))


def test_the_same_fault_is_shown_once_with_all_its_games():
    plan, games = event(4)
    for place, (fixture, _) in enumerate(games):
        if fixture.first == 2:
            games = failing(games, place, "player 1 crashed: boom", "boom\n")
    taken = Page(page(plan, games))
    assert len(taken.words["pre"]) == 1
    numbers = [n for n, (f, _) in enumerate(sort_games(games), start=1) if f.first == 2]
    assert f"games {', '.join(map(str, numbers))}:" in taken.text


def test_every_game_is_listed_with_its_number_result_and_moves():
    plan, games = event(3)
    text = Page(page(plan, games)).text
    assert "parlour replay games.jsonl --number N" in text
    for _, game in games:
        assert ", ".join(game.record.moves) in text
    assert "All 6 games" in text


def test_of_many_games_the_first_500_and_all_faults_are_listed():
    record = Record("nim", {}, ("a", "b"), ("4 from 2",), result=(1, -1))
    games = [(Fixture(0, 1, leg), GameResult(str(leg), record)) for leg in range(700)]
    games = failing(games, 650, "player 1 crashed", "")
    taken = Page(page(Plan("nim", (Entry("a", HOUSE, ""), Entry("b", HOUSE, ""))), games))
    listed = [words for words in taken.words["summary"] if "of 700 games" in words]
    assert listed == ["501 of 700 games: the first 500 and those lost by a fault"]
    assert len([n for n in taken.words["th"] if n == "651"]) == 1
    assert "651" in taken.words["th"]
    assert "650" not in taken.words["th"]


def test_a_league_shows_what_changed_since_the_last_run():
    plan, games = event(3)
    rows = {row.name: row for row in compute_standings(plan, games).rows}
    before = {
        "level 1": (rows["level 1"].elo - 40, -9.0, 9.0),
        "level 3": (rows["level 3"].elo + 25, -9.0, 9.0),
    }
    text = page(
        plan, games, date="2026-11-15", history=[("2026-11-01", {}), ("2026-11-08", before)]
    )
    words = Page(text).text
    assert "▲ +40" in words
    assert "▼ −25" in words
    assert len(re.findall(r"\bnew\b", words)) == 1
    assert "From run to run" in words
    assert "2026-11-08" in text
    assert "From run to run" not in page(plan, games)


def test_marks_are_shown_where_there_are_any():
    plan, games = event(3)
    assert "Won positions" in page(plan, games)
    silent = [(fixture, replace(game, accuracy=())) for fixture, game in games]
    assert "no move was judged" in page(plan, silent)


def played_othello():
    rules = parlour.game("othello")
    plan = Plan("othello", (Entry("a", HOUSE, "random"), Entry("b", PYTHON, "b.py", "1")))
    games = []
    for pair in ((0, 1), (1, 0)):
        record = parlour.match(rules, [parlour.bot("random", seed=n) for n in pair])
        played = GameResult(str(pair), record, margin=1.0, accuracy=measure_accuracy(rules, record))
        games.append((Fixture(*pair, 0), played))
    return plan, games


def test_the_moves_that_are_judged_and_the_limits_of_bots_are_stated():
    text = page(*played_othello())
    assert "at most 16 empty squares" in text
    assert "1024 MiB of memory" in text
    assert "MiB" not in page(*event(3))


def test_moves_of_the_opening_are_set_apart():
    two = Plan("nim", (Entry("a", HOUSE, "random"), Entry("b", HOUSE, "random")))
    moves = ("1 from 1", "2 from 2", "3 from 3")
    for opening, words in (
        (0, ">1 from 1, 2 from 2, 3 from 3<"),
        (2, ">opening: 1 from 1, 2 from 2; then 3 from 3<"),
        (3, ">opening: 1 from 1, 2 from 2, 3 from 3<"),
    ):
        record = Record("nim", {}, ("a", "b"), moves, opening=opening)
        games = [(Fixture(0, 1, 0), GameResult("one", record))]
        assert words in page(two, games)


def test_a_player_that_is_struck_out_is_named_with_its_log():
    plan, games = event(3)
    at_fault = {"fault": "time", "faulty_seat": 0, "why": "took longer than 1 s"}
    late = replace(games[0][1], **at_fault, log="thinking <b>hard</b>")
    whole = replace(plan, entries=(*plan.entries, Entry(HOSTILE, PYTHON, "x.py")))
    table = compute_standings(whole, games, struck={3: [late] * 3})
    text = render_report(whole, table, games, title="A tournament")
    taken = Page(text)
    assert "struck out after losing 3 games; the last: took longer than 1 s" in taken.text
    assert "thinking <b>hard</b>" in taken.text
    assert not taken.all("script")
    assert "whoever loses 3 games on time" in taken.text


def test_where_it_is_decided_who_is_stronger_no_other_interval_is_shown():
    plan, games = event(3, decide=50.0)
    text = Page(page(plan, games)).text
    for words in ("95 % interval Won", "How strong, and how certain", "Who is likely stronger"):
        assert words not in text
    assert "too few for an interval" in text
