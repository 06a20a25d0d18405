"""Tournaments of bots on the web: who meets whom, live pages, stops, restarts and failures."""

import asyncio
import contextlib
import re
import threading

import pytest

from parlour.arena.ratings import Meeting, rate
from parlour.faces.web.tournaments import service as tournaments
from parlour.faces.web.tournaments.service import Runner
from parlour.store.models import Pairing, Tournament
from parlour.store.store import open_store
from tests.faces.web.house import PATIENCE, opened, opened_in, wait_until, waiting_workers

DYING = """
import os
def choose(game, state):
    os.kill(os.getpid(), 9)
"""


@pytest.fixture
def guest(house):
    return house.browser()


@contextlib.contextmanager
def playing_by_permission(house):
    """Let no games be begun without a permit; the semaphore has none yet."""
    workers, permits = house.services.workers, threading.Semaphore(0)
    run = workers.run

    async def run_when_allowed(name, *values, **more):
        while name == "tournament-games" and not permits.acquire(blocking=False):
            await asyncio.sleep(0.01)
        return await run(name, *values, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "run", run_when_allowed)
        yield permits


def begin(guest, **more):
    form = {"game": "tictactoe", "bot": ["perfect", "random"], "rounds": 2, **more}
    answer = guest.post("/tournaments", form)
    assert answer.status == 303, answer.said
    return answer.headers["location"].rpartition("/")[2]


def over(house, name):
    return wait_until(lambda: house.store.tournaments.get(name).state == "done", 240)


def test_every_two_meet_in_both_seatings_and_every_game_can_be_looked_at(house, guest):
    name = begin(guest, more="minimax depth=2\nrandom seed=7")
    over(house, name)
    tournament = house.store.tournaments.get(name)
    assert tournament.bots == ("perfect", "random", "minimax depth=2", "random seed=7")
    met = sorted(each.seats for each in house.store.pairings.find(tournament=name))
    assert met == sorted([(a, b) for a in range(4) for b in range(4) if a != b] * 2)
    shown = guest.get(f"/tournaments/{name}").text
    assert "24 of 24" in shown
    links = re.findall(r'href="(/tables/\w+)"', shown)
    assert len(links) == 24
    assert guest.get(links[0]).status == 200


def test_a_cell_leads_to_the_games_of_two(house, guest):
    name = begin(guest, more="minimax depth=2", rounds=3)
    over(house, name)
    shown = guest.get(f"/tournaments/{name}").text
    assert f'href="/tournaments/{name}?pair=0-2#games"' in shown
    of_two = guest.get(f"/tournaments/{name}?pair=0-2").text
    assert "Games between perfect and minimax depth=2" in of_two
    assert len(re.findall(r'href="/tables/\w+"', of_two)) == 6
    for wrong in ("0-0", "0-3", "x", "0-1-2", "-1"):
        assert guest.get(f"/tournaments/{name}?pair={wrong}").status == 404
    with guest.live(f"tournament:{name}", view="0-2") as page:
        assert "Games between perfect and minimax depth=2" in page.recv(60)


def test_the_perfect_bot_loses_no_game(house, guest):
    name = begin(guest, rounds=5)
    over(house, name)
    for each in house.store.pairings.find(tournament=name):
        assert each.points[each.seats.index(0)] >= 0.5
        table = house.read(each.table)
        assert tuple((payoff + 1) / 2 for payoff in table.result) == each.points
        assert [seat.bot for seat in table.seats] == [("perfect", "random")[n] for n in each.seats]


def test_the_two_games_of_a_round_are_rated_as_one_meeting():
    """The first of two always won: that says much about the game, and nothing about the bots."""
    cup = Tournament(id="cup", owner="me", name="Cup", bots=("one", "other"), rounds=40)
    games = tuple(
        Pairing(id=f"cup-{at}", tournament="cup", number=at, seats=seats, points=(1.0, 0.0))
        for at, seats in enumerate([(0, 1), (1, 0)] * 40)
    )
    found = tournaments.StoredTournament(cup, games).standings.rows
    for row, rating in zip(
        sorted(found, key=lambda row: row.entry), rate(2, [Meeting(0, 1, 1)] * 40), strict=True
    ):
        numbers = (rating.elo, rating.low, rating.high)
        assert (row.elo, row.low, row.high) == pytest.approx(numbers, abs=0.01)


def test_a_page_sees_the_table_fill(house, guest):
    played = []
    with playing_by_permission(house) as permits:
        name = begin(guest, rounds=20)
        with guest.live(f"tournament:{name}") as page:
            while 40 not in played:
                played.append(int(re.search(r"(\d+) of 40", page.recv(60))[1]))
                permits.release(1 if len(set(played)) < 3 else 1000)
    assert played == sorted(played)
    assert len(set(played)) >= 3


def test_it_can_be_stopped_and_go_on_by_its_owner_alone(house, guest):
    other = house.browser()
    with waiting_workers(house, "tournament-games"):
        name = begin(guest, rounds=5)
        refused = other.post(f"/tournaments/{name}/stop")
        assert refused.status == 403
        assert guest.post(f"/tournaments/{name}/stop").status == 303
        assert house.store.pairings.find(tournament=name, state="done") == []
    assert house.store.tournaments.get(name).state == "paused"
    assert 'id="go-on"' in guest.get(f"/tournaments/{name}").text
    assert 'id="go-on"' not in other.get(f"/tournaments/{name}").text
    guest.post(f"/tournaments/{name}/go-on")
    over(house, name)
    assert len(house.store.pairings.find(tournament=name, state="done")) == 10


def test_one_browser_has_only_so_many_on_at_once(house, guest):
    with waiting_workers(house, "tournament-games"):
        names = [begin(guest, rounds=500) for _ in range(2)]
        form = {"game": "sticks", "bot": ["perfect", "random"], "rounds": 1}
        refused = guest.post("/tournaments", form)
        assert (refused.status, refused.said[:28]) == (429, "2 of your tournaments are al")
        guest.post(f"/tournaments/{names[0]}/stop")
        third = begin(guest, rounds=500)
        assert guest.post(f"/tournaments/{names[0]}/go-on").status == 429
        guest.post(f"/tournaments/{third}/stop")
        assert guest.post(f"/tournaments/{names[0]}/go-on").status == 303
        begin(house.browser(), rounds=1)
        for name in names:
            guest.post(f"/tournaments/{name}/stop")


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"bot": ["perfect"]}, "at least two bots"),
        ({"bot": ["perfect", "nobody"]}, "choose a bot from the list"),
        ({"rounds": 100_000}, "2,000 is the maximum"),
        ({"columns": "99"}, "from 1 to 20"),
        ({"more": "minimax depth=x"}, "Depth cannot be"),
        ({"bot": ["perfect", "/etc/passwd.py"]}, "choose a bot from the list"),
        ({"more": "hats kept=mine"}, "Saved hats cannot play here"),
        ({"more": "hats learning=yes"}, "Bots do not learn here"),
        ({"more": "hats games=500000000"}, "at most 1,000,000 here"),
    ],
)
def test_what_cannot_be_is_refused_and_what_was_typed_stays(guest, form, says):
    form = {"game": "tictactoe", "bot": ["perfect", "random"], "rounds": 2, "name": "Cup", **form}
    refused = guest.post("/tournaments", form)
    assert refused.status == 422
    assert says in refused.said
    assert 'value="Cup"' in refused.text


@pytest.mark.slow
def test_a_new_server_goes_on_with_what_an_old_one_left(tmp_path):
    database = f"sqlite:///{tmp_path}/parlour.sqlite"
    with opened(database) as house, playing_by_permission(house) as permits:
        name = begin(house.browser(), rounds=20)
        permits.release()
        wait_until(lambda: house.store.pairings.find(tournament=name, state="done"))
    store = open_store(database)
    assert store.pairings.find(tournament=name, state="waiting")
    store.close()
    with opened(database) as house:
        over(house, name)
        played = house.store.pairings.find(tournament=name, state="done")
        tables = {each.id for each in house.store.tables.find()}
        assert len(played) == 40
        assert {each.table for each in played} == tables
        assert len(tables) == 40


def test_two_servers_play_each_game_once(postgres_url):
    with opened(postgres_url) as one, opened(postgres_url) as two:
        guest = two.browser()
        name = begin(guest, rounds=10)
        one.services.get(Runner).wake(name)
        with guest.live(f"tournament:{name}") as page:
            while "20 of 20" not in page.recv(60):
                pass
        over(one, name)
        played = one.store.pairings.find(tournament=name, state="done")
        tables = {each.id for each in one.store.tables.find()}
        assert {each.table for each in played} == tables
        assert len(tables) == 20


def test_a_claim_that_was_given_up_is_taken_over_and_a_fresh_one_is_left(house, guest, monkeypatch):
    store = house.store
    looked, find = threading.Semaphore(0), store.pairings.find

    def find_and_note(*values, **more):
        looked.release()
        return find(*values, **more)

    monkeypatch.setattr(store.pairings, "find", find_and_note)
    game = {"game": "sticks", "options": {}}
    cup = Tournament(id="cup", owner="me", name="Cup", games=(game,), bots=("random", "perfect"))
    store.tournaments.add(cup)
    store.pairings.add(Pairing(id="cup-0", tournament="cup", number=0, seats=(0, 1), state="on"))
    house.services.get(Runner).wake("cup")
    for _ in range(4):  # the runner has looked for games to play, and again
        assert looked.acquire(timeout=PATIENCE)
    assert store.pairings.get("cup-0").state == "on"
    monkeypatch.setattr(tournaments, "STALE", 0.0)
    over(house, "cup")
    assert store.pairings.get("cup-0").state == "done"


# Bots and games that fail


@pytest.mark.server
def test_a_bot_that_ends_the_process_spoils_no_game_but_its_own(tmp_path):
    (tmp_path / "parlour" / "bots").mkdir(parents=True)
    (tmp_path / "parlour" / "bots" / "dying.py").write_text(DYING)
    with opened_in(tmp_path, processes=True) as house:
        guest = house.browser()
        name = begin(guest, game="nim", bot=["dying", "random", "perfect"], rounds=3)
        over(house, name)
        for each in house.store.pairings.find(tournament=name):
            assert each.state == ("failed" if 0 in each.seats else "done")
        assert "The worker process died." in guest.get(f"/tournaments/{name}").text


def test_a_tournament_of_a_game_that_is_gone_is_still_shown(house, guest):
    game = {"game": "removed", "options": {"size": 3}}
    cup = Tournament(
        id="old", owner="me", name="Old cup", games=(game,), bots=("random", "perfect"), state="on"
    )
    house.store.tournaments.add(cup)
    house.store.pairings.add(Pairing(id="old-0", tournament="old", number=0, seats=(0, 1)))
    house.services.get(Runner).wake("old")
    over(house, "old")
    shown = guest.get("/tournaments/old")
    assert (shown.status, "There is no game" in shown.text) == (200, True)
    assert guest.get("/tournaments").status == 200
