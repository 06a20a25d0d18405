"""The explorer on the site: games counted beside the truth, without names, by links and forms."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from parlour.faces.web.explorer.routes import ExplorerService
from parlour.lessons import Archive, build_archive
from parlour.store import Seat, Table
from tests.faces.web.house import Guest, opened_in
from tests.rules.test_formats import squares, wthor

VARIANT = {"columns": 3, "rows": 3, "line": 3, "misere": True}
ANN = Seat("person", "Zebedee Quince", owner="browser:ann")
BOT = Seat("bot", "Perfect", bot="perfect")
WHERE = "/explorer/tictactoe?misere=yes"
# Misère: the first player holds the draw in the middle alone, so that any other opening loses.
GAMES = {
    "explored-1": (("a1", "c2", "b1", "c3", "a2", "c1"), (1, -1)),
    "explored-2": (("c3", "b2", "a3", "a2", "b3"), (-1, 1)),
    "explored-3": (("b2", "a1", "c1", "a3", "a2", "c3", "b3", "b1", "c2"), (-1, 1)),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory):
    """A site on which nothing but these games was played."""
    with opened_in(tmp_path_factory.mktemp("explored")) as house:
        for name, (moves, result) in GAMES.items():
            house.store.tables.add(
                Table(
                    id=name,
                    game="tictactoe",
                    options=VARIANT,
                    seats=(ANN, BOT),
                    moves=moves,
                    result=result,
                )
            )
        yield house


def see(guest: Guest, path: str) -> str:
    page = guest.get(path)
    assert page.status == 200, page.said
    return html.unescape(page.text)


def rows(page: str) -> dict[str, str]:
    """The text of each move's row, by the move."""
    listed = re.search(r'<ul class="explored".*?</ul>', page, re.DOTALL)[0]
    found = re.findall(r"<li.*?</li>", listed, re.DOTALL)
    plain = [" ".join(re.sub("<[^>]+>", " ", each).split()) for each in found]
    return {each.split()[0]: each for each in plain}


def test_games_of_people_are_counted_beside_the_truth_and_the_trap_is_named(played):
    page = see(played.browser(), WHERE)
    assert "3 games on this site reached this position." in page
    found = rows(page)
    assert "loss" in found["a1"]
    assert "This site: 2 (67 %)" in found["a1"]
    assert "won 50 %, drawn 0 %, lost 50 %" in found["a1"]
    assert "2 people chose it" in found["a1"]
    assert "draw" in found["b2"]
    assert "1 person chose it" in found["b2"]
    assert "b1" in found  # which nobody played
    assert "The trap here: a1 turns a draw into a loss. 2 of 3 people chose it." in page


def test_no_player_is_named(played):
    for path in (WHERE, f"{WHERE}&move=a1", "/explorer"):
        assert "Quince" not in see(played.browser(), path)


def test_a_move_is_pressed_or_typed_and_leads_on(played):
    guest = played.browser()
    sent = guest.post(f"/explorer/tictactoe/move?{WHERE.partition('?')[2]}", {"move": "A1"})
    assert sent.status == 303
    assert parse_qs(urlsplit(sent.headers["location"]).query)["move"] == ["a1"]
    page = see(guest, sent.headers["location"].partition("#")[0])
    assert "2 games on this site reached this position." in page
    assert 'id="back"' in page
    link = re.search(r'href="(/explorer/tictactoe\?[^"]*move=a1&move=c2)#explore"', page)
    assert "1 game on this site reached this position." in see(guest, link[1])
    refused = guest.post(f"/explorer/tictactoe/move?{WHERE.partition('?')[2]}", {"move": "z9"})
    assert refused.status == 422
    assert "not a square here" in refused.said


def test_a_finished_game_leads_to_where_it_left_the_others(played):
    page = played.browser().get("/explorer?table=explored-1")
    assert page.status == 303
    query = parse_qs(urlsplit(page.headers["location"]).query)
    assert query == {"misere": ["yes"], "move": ["a1"]}
    played.store.tables.add(
        Table(id="explored-on", game="tictactoe", options=VARIANT, seats=(ANN, BOT), moves=("a1",))
    )
    refused = played.browser().get("/explorer?table=explored-on")
    assert "when they are over" in refused.said
    page = played.browser().get(f"{WHERE}&position=nonsense")
    assert page.status == 422
    assert "is not a position" in html.unescape(page.text)


def link(page: str, name: str) -> str:
    """Where a link of a page leads."""
    tag = re.search(rf'<a [^>]*id="{name}"[^>]*>', page)[0]
    return re.search(r'href="([^"]*)"', tag)[1]


def test_a_finished_table_and_each_position_of_its_review_lead_to_the_explorer(played):
    guest = played.browser()
    table = see(guest, "/tables/explored-1")
    assert link(table, "explore-game") == "/explorer?table=explored-1"
    review = guest.get("/analyse?table=explored-1").headers["location"]
    for at, games in (("1", "2 games"), ("2", "1 game")):
        there = link(see(guest, re.sub("at=6", f"at={at}", review)), "explore")
        assert f"{games} on this site reached this position." in see(guest, there)


def test_the_archive_is_shown_with_its_games_where_the_owner_has_given_one(
    house, tmp_path, monkeypatch
):
    source = tmp_path / "WTH_2001.wtb"
    source.write_bytes(wthor((squares("f5", "d6", "c3"), 40), (squares("e6", "f4", "c3"), 20)))
    archive = Archive(build_archive([source], folder=tmp_path))
    monkeypatch.setattr(house.services.get(ExplorerService), "archive", archive)
    guest = house.browser()
    assert "an archive of 2 games" in see(guest, "/explorer")
    page = html.unescape(guest.get("/explorer/othello?move=d3").text)
    assert "2 games in the archive reached this position." in page
    assert "Archive: 2 (100 %)" in page
    assert "won 50 %, drawn 0 %, lost 50 %" in page
    assert "Perpendicular" in page
    assert "black wins by 16" in page
    assert "/analyse/othello/walk?moves=f5d6c3" in page
