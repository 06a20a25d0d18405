"""The lab: who wins a variant is what the theory says, and its neighbours differ in one rule; any
text typed into it is answered with a sentence, and no page waits for slow work.
"""

from __future__ import annotations

import csv
import html
import io
import re
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

import parlour
from parlour.core import registry
from parlour.core.options import options_of
from parlour.faces.web import requests
from parlour.faces.web.forms import read_variant
from parlour.faces.web.lab import routes as page_lab
from parlour.faces.web.lab.view import address
from parlour.faces.web.position import read_walk
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from tests.faces.web.house import (
    Answer,
    opened_in,
    plain,
    waiting_workers,
)

CLASS = ";".join(",".join(map(str, ending)) for ending in CLASS_ENDINGS)


@pytest.fixture(scope="module")
def guest(house):
    return house.browser()


def lab(game: str, **options: str) -> str:
    return f"/lab/{game}?{urlencode(options)}"


def section(page: Answer, name: str) -> str:
    """One section of a page as text."""
    found = re.search(rf'<section[^>]* id="{name}".*?</section>', page.text, re.DOTALL)
    assert found, f"there is no {name} on the page"
    return found[0]


# Who wins


def test_who_wins_is_what_the_theory_says(guest):
    wrong = []
    for game, options, expected in (
        ("nim", {"misere": "yes"}, "The first player wins in 10 moves"),
        ("nim", {"misere": "yes", "piles": "1,3,5,7"}, "The second player wins in 15 moves"),
        ("nim", {"misere": "yes", "piles": "5 5 5 5"}, "The second player wins in 19 moves"),
        ("nim", {"piles": "1000000000,1000000000"}, "The second player wins"),
        ("nim", {"misere": "yes", "piles": "1,2,4", "endings": CLASS}, "The second player wins"),
        ("sticks", {"sticks": "21"}, "The second player wins"),
        ("sticks", {"sticks": "20"}, "The first player wins"),
        ("chopsticks", {}, "The second player wins in 26 moves"),
        ("chopsticks", {"split_least": "1"}, "A draw with best play"),
        ("chopsticks", {"rules": "feathers", "loops": "allowed"}, "A draw with best play"),
    ):
        answer = plain(section(guest.get(lab(game, **options)), "answer"))
        if not answer.startswith(expected):
            wrong.append(f"{game} {options}: {answer[:60]}, not {expected}")
    assert not wrong, "\n".join(wrong)


def test_the_answer_says_how_it_is_known_with_counts_and_the_best_moves(guest):
    answer = plain(section(guest.get(lab("chopsticks")), "answer"))
    assert "191: 120 won, 47 lost and 10 drawn for the player to move, 14 final" in answer
    assert "Solved by" in answer
    page = guest.get(lab("nim", piles="3,4,5"))
    assert "Best first moves 2 from 1" in plain(page.text)
    assert "nim-sum  2  010" in page.text
    assert "Only one move wins: 2 from 1." in plain(page.text)


# Refusals


def test_what_cannot_be_solved_is_refused_with_a_variant_that_can(guest):
    for game, options, reason, instead in (
        ("othello", {"columns": "6"}, "44 squares are empty", "/lab/othello?columns=4&rows=4"),
        ("nim", {"seats": "3"}, "solve it with 2 seats", "/lab/nim"),
    ):
        answer = section(guest.get(lab(game, **options)), "answer")
        assert "I don’t know who wins" in answer
        assert reason in plain(answer)
        assert html.unescape(re.findall('href="([^"]+)"', answer)[0]) == instead


def test_othello_is_a_draw_and_the_page_says_whose_proof_that_is(guest):
    said = plain(section(guest.get(lab("othello")), "answer"))
    assert "A draw with best play" in said
    assert "from bounds that H. Takizawa proved" in said
    assert "that it does is derived and checked here, the bounds are not" in said


def test_the_opening_of_the_moves_tried_is_named(guest):
    heath = guest.get("/lab/othello?move=f5&move=f6&move=e6&move=f4&move=g5")
    assert "Opening: Heath / Tobidashi" in plain(heath.text)
    assert 'id="opening"' not in guest.get(lab("nim", move="1 from 1")).text


# The form


def wrong_beside(page: Answer, field: str) -> str:
    """What a refused form says beside one of its fields."""
    assert page.status == 422
    found = re.search(f'id="f-{field}-wrong">(.*?)</p>', page.text)
    assert found
    return plain(found[1])


def test_a_wrong_value_is_refused_beside_its_field_and_all_values_are_kept(guest):
    page = guest.get(lab("chopsticks", dies_at="banana", fingers="3", overflow="wraps"))
    sentence = "It cannot be 'banana'; it must be a whole number from 2 to 20."
    assert wrong_beside(page, "dies_at") == sentence
    field = re.search('<input id="f-dies_at"[^>]*>', page.text)
    assert field
    assert 'value="banana"' in field[0]
    assert 'aria-describedby="f-dies_at-wrong ' in field[0]
    kept = re.search('<input id="f-fingers"[^>]*>', page.text)
    assert kept
    assert 'value="3"' in kept[0]
    assert re.search('value="wraps" checked', page.text)
    page = guest.get(lab("chopsticks", dies_at="4", fingers="9"))
    assert "must be below dies_at, which is 4" in wrong_beside(page, "fingers")
    page = guest.get(lab("nim", position="three <b>piles</b>"))
    assert "is not a position; write the piles and who moves" in wrong_beside(page, "position")
    assert 'value="three &lt;b&gt;piles&lt;/b&gt;"' in page.text


def test_presets_fill_the_form_and_class_endings_are_added(guest):
    page = guest.get(lab("chopsticks"))
    assert 'href="/lab/chopsticks?rules=feathers-revive"' in page.text
    page = guest.get("/lab/chopsticks?rules=feathers-revive&loops=allowed")
    assert re.search('<input id="f-dies_at"[^>]* value="7"', page.text)
    [add] = re.findall('href="([^"]+)">Add the class endings', guest.get(lab("nim")).text)
    shown = guest.get(html.unescape(add)).text
    assert re.search(f'<input id="f-endings"[^>]* value="{CLASS}"', shown)


def test_a_variant_and_its_link_are_the_same_thing():
    for game in (
        Nim(),
        Nim(piles=(1, 2), misere=True, endings=CLASS_ENDINGS, take=2),
        Nim(piles=(7,), seats=5),
        Chopsticks(rules="feathers", dies_at=6, loops="allowed"),
        Chopsticks(rules="feathers-revive"),
        registry.game("othello", columns=6, rows=5, opening="benedict"),
    ):
        link = urlsplit(address(game))
        assert link.path == f"/lab/{game.name}"
        assert read_variant(game.name, dict(parse_qsl(link.query))).game == game


# One rule changed


def neighbours_on(page: Answer) -> list[tuple[Any, str, bool]]:
    """The games linked to, with the text about each."""
    found = []
    for row in re.findall("<tr>(<td>.*?)</tr>", section(page, "near")):
        link = urlsplit(html.unescape(re.search('href="([^"]+)"', row)[1]))  # type: ignore[index]
        game = read_variant(link.path.removeprefix("/lab/"), dict(parse_qsl(link.query))).game
        found.append((game, plain(row.partition("</td>")[2]), "changes the result" in row))
    return found


@pytest.mark.parametrize("game", [Chopsticks(), Nim(misere=True, piles=(1, 3, 5))])
def test_every_neighbour_differs_in_one_rule_and_has_its_true_outcome(guest, game):
    found = neighbours_on(guest.get(address(game)))
    assert len(found) >= 8
    own = parlour.solve(game).value(game.start()).outcome
    for other, text, changes in found:
        names = options_of(type(game))
        assert sum(getattr(other, name) != getattr(game, name) for name in names) == 1
        if getattr(other, "loops", "") == "barred":
            continue  # a proof may take a while
        value = parlour.solve(other).value(other.start())
        words = {"win": "first wins", "loss": "second wins", "draw": "draw"}[value.outcome]
        plies = "" if value.plies is None else f" in {value.plies}"
        assert text == words + plies + (" changes the result" if changes else "")
        assert changes == (value.outcome != own)


# Positions


def test_every_move_is_worth_what_the_solution_says_and_leads_where_it_should(guest):
    game = Chopsticks()
    solution = parlour.solve(game)
    page = guest.get(lab("chopsticks", position="1,2:0,3:2"))
    state = game.read("1,2:0,3:2")
    rows = re.findall("<li>(.*?)</li>", section(page, "explore"), re.DOTALL)
    rows = [row for row in rows if "Why?" in row]
    assert len(rows) == len(game.moves(state))
    for row in rows:
        link = html.unescape(re.search('href="([^"]+)"', row)[1])  # type: ignore[index]
        text = plain(row)
        [move] = [each for each in game.moves(state) if text.startswith(game.write_move(each))]
        assert f"{solution.after(state, move)} Why?" in text
        query = parse_qsl(urlsplit(link).query)
        moves = [value for name, value in query if name == "move"]
        there = read_walk("lab", game, dict(query)["position"], moves)
        assert there.state == game.play(state, move)


def test_a_move_on_the_board_leads_on_and_back(guest):
    page = guest.get(lab("nim", piles="3,4,5"))
    action = html.unescape(re.search('action="([^"]*/move[^"]*)"', page.text)[1])  # type: ignore[index]
    there = guest.post(action, {"at": "0", "pile": "1", "amount": "2"})
    assert there.status == 303
    on = there.headers["location"]
    assert on == "/lab/nim?move=2%20from%201#explore"
    assert guest.send(action, {"at": "0", "move": "2 from 1"}).json == {"go": on}
    page = guest.get(on.partition("#")[0])
    assert "After 2 from 1" in page.text
    assert "Player 2 is to move, and player 1 wins within 10 moves" in plain(page.text)
    [back] = re.findall('id="back" href="([^"]+)"', page.text)
    assert html.unescape(back) == "/lab/nim#explore"
    action = html.unescape(re.search('action="([^"]*/move[^"]*)"', page.text)[1])  # type: ignore[index]
    further = guest.send(action, {"at": "1", "move": "1 from 2"}).json["go"]
    assert further == "/lab/nim?move=2%20from%201&move=1%20from%202#explore"
    refused = guest.post("/lab/nim/move?piles=3,2", {"pile": "2", "amount": "9"})
    assert refused.status == 422
    assert refused.said == "Pile 2 has only 2 coins; take 1 or 2."
    assert guest.send("/lab/nim/move?piles=3,2", {"move": "9 from 2"}).said == refused.said
    page = guest.get(lab("nim", why="1 from 1"))
    assert "Wrong: 1 from 1" in plain(page.text), "beside the move"


def test_a_long_walk_begins_anew_where_it_is():
    game = Nim(piles=(400,))
    walk = read_walk("lab", game, "", ["1 from 1"] * 150)
    assert walk.on("1 from 1") == "/lab/nim?piles=400&position=249:2"


def test_a_variant_can_be_played(house):
    guest = house.browser()
    gone = guest.post("/lab/nim/play?piles=2,7&take=3&seats=4")
    assert (gone.status, gone.headers["location"]) == (303, "/new/nim")
    menu = plain(guest.get("/new/nim/settings").text)
    assert "2 and 7 coins" in menu


# Anything at all


def test_unknown_names_are_refused_with_a_suggestion(guest):
    assert guest.get("/lab/nimm").status == 404
    page = guest.get("/lab/nim?pile=3")
    assert page.status == 404
    assert "did you mean 'piles'" in page.said
    assert guest.get("/lab/nim/atlas.exe").status == 404


# Waiting


def test_a_page_that_waits_for_a_worker_says_so_and_asks_again(house, guest, monkeypatch):
    monkeypatch.setattr(requests, "PATIENCE", 0.0)
    monkeypatch.setattr(page_lab, "GLANCE", 0.0)
    with waiting_workers(house):
        page = guest.get(lab("nim", piles="2,4,9"))
    assert page.status == 200
    assert "Working it out…" in page.text
    assert '<noscript><meta http-equiv="refresh"' in page.text
    page = guest.get(lab("nim", piles="2,4,9"))
    assert "Working it out…" not in page.text
    assert "http-equiv" not in page.text


# The atlas


@pytest.mark.slow
def test_the_atlas_holds_known_outcomes_and_is_made_once(tmp_path, monkeypatch):
    with opened_in(tmp_path) as house:
        guest = house.browser()
        page = guest.get("/lab/chopsticks/atlas")
        assert "first wins" in page.text
        assert 'src="/lab/chopsticks/atlas.svg"' in page.text
        table = list(csv.DictReader(io.StringIO(guest.get("/lab/chopsticks/atlas.csv").text)))
        monkeypatch.setattr(house.services.workers, "run", None)  # nothing is made again
        data = house.browser().get("/lab/chopsticks/atlas.json").json
        picture = guest.get("/lab/chopsticks/atlas.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert len(table) == len(data["rows"])
    for options, row in (
        ({"dies_at": "5", "split_least": "0"}, ("second", "26", "191")),
        ({"dies_at": "5", "split_least": "1"}, ("draw", "", "171")),
    ):
        wanted = {"overflow": "dies", "hit_self": "no", "revive": "yes", "split_same": "no"}
        wanted |= options
        [found] = [each for each in table if wanted.items() <= each.items()]
        assert (found["outcome"], found["plies"], found["positions"]) == row


def test_the_rows_of_an_atlas_lead_to_their_variants(guest):
    page = guest.get("/lab/sticks/atlas")
    rows = re.findall("<tr[^>]*><td>.*?</tr>", page.text)
    assert len(rows) == 100
    for row in rows[:20]:
        link = urlsplit(html.unescape(re.search('href="([^"]+)"', row)[1]))  # type: ignore[index]
        game = read_variant("sticks", dict(parse_qsl(link.query))).game
        assert game is not None
        sticks, take = (int(value) for value in re.findall(r">(\d+)<", row)[:2])
        assert (game.sticks, game.take) == (sticks, take)  # type: ignore[attr-defined]
        who = "second" if sticks % (take + 1) == 1 else "first"
        assert f"{who} wins" in row
    last = guest.get("/lab/sticks/atlas?page=2")
    assert len(re.findall("<tr[^>]*><td>.*?</tr>", last.text)) == 5


def test_a_game_without_a_usual_sweep_leads_back_to_the_lab(guest):
    assert "/lab/othello/atlas" not in guest.get("/lab/othello?columns=6").text
    page = guest.get("/lab/othello/atlas?columns=6")
    assert page.status == 200
    assert "No atlas of" in plain(page.text)
    assert 'href="/lab/othello?columns=6"' in page.text
    assert guest.get("/lab/othello/atlas.csv").status == 303
