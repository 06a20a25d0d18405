"""Puzzles on the site: every right answer, refutations, what comes back, and whose it is."""

from __future__ import annotations

import html
import json
import re
import time
from dataclasses import replace
from urllib.parse import parse_qs, quote, urlsplit

import pytest

import parlour
from parlour.core import key
from parlour.faces.web.app import Settings
from parlour.faces.web.puzzles.service import PuzzleService
from parlour.lessons import build_archive, make_puzzle
from parlour.rules.formats import Transcript
from parlour.store import Seat, Table
from tests.faces.web.house import Guest, OpenHouse, opened
from tests.rules.test_formats import chance_games, wthor

DAY = 24 * 3600.0


def take_puzzle(house: OpenHouse, guest: Guest, game: str = "sticks"):
    """The puzzle that somebody is sent to, and what is true of it."""
    sent = guest.get(f"/puzzles/next?game={game}")
    assert sent.status == 303, sent.said
    stored = house.store.puzzles.get(sent.headers["location"].removeprefix("/puzzles/"))
    played = parlour.game(stored.game, **stored.options)
    return stored, make_puzzle(played, played.read(stored.position))


def cards_of(house: OpenHouse, guest: Guest):
    return house.store.cards.find(owner=guest.owner)


def give_answer(guest: Guest, puzzle, move) -> str:
    text = puzzle.game.write_move(move)
    sent = guest.post(f"/puzzles/{puzzle.id}/answer", {"move": text})
    assert sent.status == 303, sent.said
    assert parse_qs(urlsplit(sent.headers["location"]).query)["answer"] == [text]
    page = guest.get(sent.headers["location"])
    assert page.status == 200
    return html.unescape(page.text)


@pytest.mark.parametrize("game", ["nim", "sticks", "chopsticks", "tictactoe", "othello"])
def test_every_answer_is_judged_by_the_exact_values(house, game):
    guest = house.browser()
    stored, puzzle = take_puzzle(house, guest, game)
    assert puzzle.id == stored.id
    page = guest.get(f"/puzzles/{stored.id}").text
    assert 'id="goal"' in page
    assert "New to you." in page
    assert ("Next puzzle" in page, 'id="explore"' in page) == (False, False)
    for move in puzzle.right[:2]:
        answered = give_answer(guest, puzzle, move)
        assert ("Next puzzle" in answered, 'id="explore"' in answered) == (True, True)
    wrong = give_answer(guest, puzzle, puzzle.wrong[0])
    assert "Try again" in wrong
    assert "Wrong" in wrong
    if game == "tictactoe":
        assert int(re.search(r"rating is (\d+)", guest.get("/puzzles").text)[1]) > 1200


@pytest.mark.slow
def test_endings_of_othello_come_from_the_archive_that_the_site_was_given(tmp_path):
    games = list(chance_games(20, passes=0))
    source = tmp_path / "WTH_2001.wtb"
    source.write_bytes(wthor(*((moves, (64 + lead) // 2) for moves, lead in games)))
    archive = str(build_archive([source], folder=tmp_path))
    othello = parlour.game("othello")
    known = {
        key(othello, state)
        for moves, _ in games
        for state, _ in Transcript(othello, othello.start(), moves).positions()
    }
    with opened(f"sqlite:///{tmp_path}/site.sqlite", Settings(archive=archive)) as site:
        stored, _ = take_puzzle(site, site.browser(), "othello")
        found = site.store.puzzles.find(game="othello")
    assert stored in found
    assert all(key(othello, othello.read(each.position)) in known for each in found)


def test_only_the_first_answer_counts_and_what_was_missed_comes_back(house):
    guest = house.browser()
    _, puzzle = take_puzzle(house, guest)
    give_answer(guest, puzzle, puzzle.wrong[0])
    give_answer(guest, puzzle, puzzle.right[0])
    [card] = cards_of(house, guest)
    assert [right for _, right in card.answers] == [False]
    assert house.store.puzzles.get(puzzle.id).results[-1][1] is False
    other, _ = take_puzzle(house, guest)
    assert other.id != puzzle.id
    last = time.time() - 3 * DAY
    house.store.cards.put(replace(card, answers=((last, False),)))
    again, _ = take_puzzle(house, guest)
    assert again.id == puzzle.id
    assert "You missed it 3 days ago." in guest.get(f"/puzzles/{puzzle.id}").text


def test_the_answer_can_be_shown_and_counts_as_missed(house):
    guest = house.browser()
    _, puzzle = take_puzzle(house, guest, "tictactoe")
    shown = guest.post(f"/puzzles/{puzzle.id}/show")
    page = guest.get(shown.headers["location"]).text
    assert puzzle.game.write_move(puzzle.right[0]) in page
    [card] = cards_of(house, guest)
    assert [right for _, right in card.answers] == [False]


def test_bad_answers_and_addresses_are_refused_in_a_sentence(house):
    guest = house.browser()
    _, puzzle = take_puzzle(house, guest)
    refused = guest.post(f"/puzzles/{puzzle.id}/answer", {"move": "17"})
    assert refused.status == 422
    assert refused.said
    assert not cards_of(house, guest)
    assert guest.get("/puzzles/nothing").status == 404
    assert guest.get("/puzzles/next?game=chess").status == 404
    assert guest.get(f"/puzzles/{puzzle.id}?answer={quote('no move')}").status == 422


def lay_sticks(house: OpenHouse, guest: Guest, moves: str = "221311") -> str:
    """A finished game of 10 sticks that a visitor played against themselves."""
    guest.get("/")
    seats = 2 * (Seat("person", "Ann", owner=guest.owner),)
    played = Table(
        id=house.store.new_id(),
        game="sticks",
        options={"sticks": 10, "take": 3},
        seats=seats,
        moves=tuple(moves),
        result=(1, -1),
    )
    assert parlour.core.Match.from_record(parlour.game("sticks", sticks=10), played.record()).over
    return house.store.tables.add(played).id


def test_own_mistakes_become_puzzles_and_others_cannot_take_them(house):
    """From 10 sticks the first player wins by 1; after 2 the second wins by 3, and misses it."""
    guest, other = house.browser(), house.browser()
    table = lay_sticks(house, guest)
    review = guest.get(f"/analyse?table={table}").headers["location"]
    page = guest.get(review).text
    form = r'<form class="post" method="post" action="([^"]+)"[^>]*><button [^>]*mistakes"'
    [action] = re.findall(form, page)
    assert action == f"/puzzles/from-game/{table}"
    assert "Practise my mistakes" in page
    [shared] = re.findall(r'data-copy="([^"]+)" data-link', page)
    assert table not in shared
    for address, reader in ((review, other), (html.unescape(shared), guest)):
        page = reader.get(address)
        assert (page.status, "Practise my mistakes" in page.text) == (200, False)
    assert other.post(action).status == 403
    kept = guest.post(action)
    assert kept.status == 303, kept.said
    cards = cards_of(house, guest)
    positions = {house.store.puzzles.get(card.puzzle).position for card in cards}
    assert positions == {"10:1", "8:2"}
    assert {card.table for card in cards} == {table}
    page = guest.get(kept.headers["location"])
    assert "2 puzzles were made from your game." in page.text
    assert "You missed it in your own game, today." in page.text
    assert guest.post(action).status == 303
    assert len(cards_of(house, guest)) == 2


def test_a_mistake_in_a_game_brings_a_puzzle_back_but_only_answers_are_rated(house):
    guest = house.browser()
    kept = guest.post(f"/puzzles/from-game/{lay_sticks(house, guest)}").headers["location"]
    cards = cards_of(house, guest)
    tried = {card.puzzle: house.store.puzzles.get(card.puzzle).results for card in cards}
    service, now = house.services.get(PuzzleService), time.time()
    unrated = service.sum_up("browser:unknown", now).rating
    assert service.sum_up(cards[0].owner, now).rating == unrated
    assert service.sum_up(cards[0].owner, now + DAY).due == {"sticks": 2}
    assert "Your puzzle rating" not in guest.get("/puzzles").text
    stored = house.store.puzzles.get(urlsplit(kept).path.removeprefix("/puzzles/"))
    played = parlour.game(stored.game, **stored.options)
    puzzle = make_puzzle(played, played.read(stored.position))
    give_answer(guest, puzzle, puzzle.right[0])
    assert service.sum_up(cards[0].owner, now).rating.elo > unrated.elo
    for name, before in tried.items():
        added = house.store.puzzles.get(name).results[len(before) :]
        assert [right for _, right in added] == [True] * (name == stored.id)


def test_a_mistake_in_a_game_keeps_its_day_and_goes_to_the_other_device(house):
    one, other = house.browser(), house.browser()
    kept = one.post(f"/puzzles/from-game/{lay_sticks(house, one)}")
    other.get("/")
    [first, _] = cards = cards_of(house, one)
    last = time.time() - 3 * DAY
    house.store.cards.put(replace(first, missed=last))
    assert kept.status == 303
    house.store.cards.add(
        replace(first, id=house.store.new_id(), owner=other.owner, missed=0.0, table="")
    )
    house.store.deletions.adopt(first.owner, other.owner)
    [merged] = [card for card in cards_of(house, other) if card.puzzle == first.puzzle]
    assert (merged.missed, merged.table) == (last, first.table)
    page = other.get(f"/puzzles/{first.puzzle}").text
    assert "You missed it in your own game, 3 days ago." in page
    assert len(cards_of(house, other)) == len(cards)


def test_a_game_without_mistakes_says_so_when_they_are_to_be_practised(house):
    """The first player keeps 4k + 1 sticks for the second, whose every move loses."""
    guest = house.browser()
    kept = guest.post(f"/puzzles/from-game/{lay_sticks(house, guest, '131311')}")
    page = guest.get(kept.headers["location"]).text
    assert "No move of yours gave anything away, so there is nothing to repeat." in page


def test_answers_are_in_a_persons_data_and_deleted_with_it(house):
    guest = house.browser()
    stored, puzzle = take_puzzle(house, guest)
    asked = time.time()
    give_answer(guest, puzzle, puzzle.right[0])
    data = json.loads(guest.get("/you/data.json").body)
    assert [each["puzzle"] for each in data["puzzles"]] == [puzzle.id]
    assert cards_of(house, guest)
    guest.post("/you/delete", {"sure": "yes"})
    assert not cards_of(house, guest)
    house.services.get(PuzzleService).record(guest.owner, stored, is_right=True, now=asked)
    assert not cards_of(house, guest), "an answer that was on its way is not stored"
