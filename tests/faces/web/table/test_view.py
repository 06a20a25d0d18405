"""What pages say, in words of the game: no name of an option, no position read out as prose."""

from __future__ import annotations

import re

import pytest

from parlour.core import how_to_move, protocol, seat_name
from parlour.faces.web.table.service import match_of
from parlour.faces.web.table.view import _series
from parlour.faces.web.texts import translate
from parlour.players.move_values import Assessment, Evaluation, explain
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe
from tests.faces.web.house import Guest, plain, wait_until

NAMES = re.compile(r"\b[a-z]+_[a-z]+\b|\w=\w|\de\+\d|GiB")  # of options, and of no use to people

MOVE_WITH_VALUE = r"<li><span>(\w+)</span>(.*?)</li>"


@pytest.fixture
def guest(house):
    return house.browser()


def main_text(markup: str) -> str:
    """The text of the main part of a page, without pictures."""
    main = re.search("<main.*</main>", markup, re.DOTALL)
    return plain(
        re.sub(r"<(script|svg).*?</\1>", " ", main[0] if main else markup, flags=re.DOTALL)
    )


def settled(guest: Guest, path: str) -> str:
    def look() -> str:
        page = guest.get(path).text
        return "" if "data-again" in page or "Working it out" in page else page

    return str(wait_until(look))


def test_the_reasons_of_an_estimate_have_the_number_that_is_shown(house):
    table = house.table("othello", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    guest = house.sitting(table, 0)
    shown = settled(guest, f"/tables/{table}?view=values")
    values = {move: main_text(worth) for move, worth in re.findall(MOVE_WITH_VALUE, shown)}
    assert set(values) == {"d3", "c4", "f5", "e6"}
    assert all(worth.startswith("≈ even ") for worth in values.values()), "they are alike"
    page = main_text(guest.get(f"/tables/{table}?view=values&why=d3").text)
    number = re.escape(values["d3"].removesuffix("Why?").split()[-1])
    assert re.search(f"About even: ≈ {number} discs? for black after d3", page)
    assert re.search(r"engine, \d+ moves ahead, \d\d % sure, not proven: 60 squares", page), page
    assert re.search(r"The line it expects: d3, \w\d, ", page), page
    assert "It flips 1 disc." in page
    assert "It leaves white 3 moves." in page
    assert not re.search("[XO-]{16}", page)


def test_othellos_seats_are_called_as_the_board_shows_them(guest):
    game = Othello()
    reasons = explain(game, game.start()).sentences
    assert translate(reasons[0]) == reasons[0].replace("player 1 (X)", "black")
    moved = explain(game, game.start(), (3, 2)).sentences
    sentences = [*reasons, *protocol.rules_text(game), how_to_move(game), *moved]
    for line in map(translate, sentences):
        assert not re.search(r"player|\b[XO]\b", line, re.IGNORECASE), line
    assert translate(seat_name(TicTacToe(), 0)) == "player 1 (X)"
    page = main_text(settled(guest, "/lab/othello"))
    assert "Black to move: ≈ even" in page
    assert not re.search(r"[Pp]layer \d|\(X\)", page)


def test_a_page_of_nim_has_its_rules_and_calls_a_pile_one_of_coins(house):
    guest = house.browser()
    table = f"/tables/{house.table('nim')}"
    page = guest.get(table).text
    assert 'aria-label="pile 1, 3 coins"' in page
    assert "whoever takes the last coin wins" in main_text(page).lower()
    for path in (table, f"/tables/{house.table('othello')}"):
        assert "Say " not in main_text(guest.get(path).text), (
            "how to speak a move is for the terminal"
        )
    for path in (table, "/new/nim", "/new/nim/settings", "/lab/nim", "/analyse/nim"):
        page = guest.get(path).text
        assert not re.search(r"\bobjects?\b", main_text(page)), path
        assert "object" not in " ".join(re.findall('aria-label="([^"]*)"', page)), path


def test_the_feather_rules_are_in_their_box_and_its_moves_named_by_boxes(house):
    table = house.table("chopsticks", options={"rules": "feathers"})
    ann, _ = house.player(table, 0), house.player(table, 1)
    assert ann.call(f"/tables/{table}/moves", {"move": "A-C"}).status == 200
    page = house.browser().get(f"/tables/{table}").text
    box = re.search('<div class="prose boxed">(.*?)</div>', page, re.DOTALL)
    assert box is not None
    words = re.sub(r"[|*+]|-{2,}", " ", Chopsticks(rules="feathers").rules_box()).split()
    assert main_text(box[1]).split() == words
    moves = re.search('<ol role="list">(.*?)</ol>', page, re.DOTALL)
    assert moves is not None
    assert main_text(moves[1]).endswith(": A-C")
    walk = house.browser().get("/analyse/chopsticks/walk?rules=feathers&moves=A-C,C-A").text
    assert "hit left" not in main_text(walk)


def test_the_ending_that_stopped_a_game_is_named(house):
    table = house.table("nim", options={"piles": [2, 2], "endings": [[1, 2]]})
    ann, _ = house.player(table, 0), house.player(table, 1)
    over = ann.call(f"/tables/{table}/moves", {"move": "1 from 1"}).json
    assert (over["ended_by"], over["reason"]) == ("the extra ending 1,2", "")
    walk = "/analyse/nim/walk?piles=2,2&endings=(1,2)&moves=1+from+1&at=1"
    for path in (f"/tables/{table}", walk):
        page = main_text(house.browser().get(path).text)
        assert "The extra ending 1,2 was reached." in page


def test_a_player_who_is_out_is_marked(house):
    options = {"piles": [1], "misere": True, "seats": 3}
    table = house.table("nim", [{"kind": "open"}] * 3, options=options)
    players = [house.player(table, seat) for seat in range(3)]
    over = players[0].call(f"/tables/{table}/moves", {"move": "1 from 1"}).json
    assert over["out"] == [0]
    page = house.browser().get(f"/tables/{table}").text
    seats = re.findall('<li class="player">(.*?)</li>', page, re.DOTALL)
    assert ["out" in main_text(seat).split() for seat in seats] == [True, False, False]


def test_a_refusal_names_the_wrong_pile_ending_or_option(guest):
    large = "9" * 18
    for option, text, reason in (
        ("piles", large, f"This pile cannot be {large}"),
        ("endings", f"1, {large}", "This ending cannot"),
    ):
        form = {"do": "add", "option": option, "text": text}
        assert guest.post("/new/nim/settings", form).said.startswith(reason)
    form = {"do": "bot", "name": "Max", "bot": "minimax", "options": "colour=red"}
    refused = guest.post("/new/nim/seats", form)
    assert refused.said.startswith("Minimax has no option 'colour'")


def test_the_atlas_calls_options_as_the_form_does(guest):
    page = main_text(settled(guest, "/lab/chopsticks/atlas"))
    assert not NAMES.search(page), NAMES.search(page)
    assert "(fingers 1, loops allowed)" in page
    assert re.search(r"Changing one rule alone changes the result: .*\bdies at \d+% of", page)
    assert "the result of Chopsticks (second wins in 26): dies at " in page
    picture = guest.get("/lab/chopsticks/atlas.svg").text
    assert "hitting yourself" in picture
    assert not NAMES.search(" ".join(re.findall(">([^<]+)<", picture)))
    table = guest.get("/lab/chopsticks/atlas.csv").text  # for programs all is as it was
    assert table.startswith("rules,fingers,dies_at,overflow,hit_self,")


def test_neighbours_too_large_to_solve_are_listed(guest):
    page = main_text(settled(guest, "/lab/tictactoe?columns=5&rows=5&line=4"))
    assert "Columns 4, 6, 7, 8: too many positions to solve." in page
    assert not NAMES.search(page), NAMES.search(page)


def test_menace_has_boxes_and_beads(guest):
    form = {"game": "tictactoe", "rule": "menace", "games": 30, "against": "random", "seed": 5}
    made = guest.post("/school", form)
    assert made.status == 303
    path = made.headers["location"]
    page = main_text(
        wait_until(lambda: (text := guest.get(path).text) and ">30 of 30<" in text and text)
    )
    assert not re.search(r"\b(ball|hat)s?\b", page, re.IGNORECASE), page
    assert "likeliest bead" in page
    opened = guest.get(f"{path}?player=1&position=---------%20X")
    assert not re.search(r"\b(ball|hat)s?\b", main_text(opened.text), re.IGNORECASE)
    assert 'id="open"' in opened.text


def test_the_curve_ends_where_the_game_ended(house):
    table = house.table("othello", options={"columns": 4, "rows": 4})
    ann, bob = house.player(table, 0), house.player(table, 1)
    for mover, move in zip([ann, bob] * 3, ("b1", "c1", "d1"), strict=False):
        assert mover.call(f"/tables/{table}/moves", {"move": move}).status == 200
    found = [Assessment(value=Evaluation("loss", 5, -10))] * 4
    going_on = match_of(house.read(table))
    points = _series(going_on, found)
    assert [point.worth and point.worth.score for point in points] == [-10, 10, -10, 10]
    assert ann.call(f"/tables/{table}/resign", {}).status == 200
    resigned = _series(match_of(house.read(table)), found)
    assert resigned[-1].text == "second player wins"
    assert resigned[:-1] == points[:-1]


def test_the_hands_belong_to_those_who_sit_there(house, guest):
    address = guest.post("/quick", {"game": "chopsticks"}).headers["location"]
    page = guest.get(address).text
    assert re.findall(r'aria-label="([^"]*), left hand, ', page) == ["Benedict bot", "You"]
    assert re.findall(r'<text class="seat"[^>]*>([^<]*)<', page) == ["Benedict bot", "You"]
    german = guest.get(address, **{"Accept-Language": "de"}).text
    assert re.findall(r'<text class="seat"[^>]*>([^<]*)<', german) == ["Benedict (Bot)", "Du"]
    assert re.findall(r'aria-label="([^"]*), linke Hand, ', german) == ["Benedict (Bot)", "Du"]
    table = house.table("chopsticks")
    for seat, name in enumerate(("left", "Ann and Bob, dead")):  # names that are words, too
        house.sitting(table, seat, name)
    german = guest.get(f"/tables/{table}", **{"Accept-Language": "de"}).text
    assert re.findall(r'aria-label="([^"]*), linke Hand, ', german) == ["left", "Ann and Bob, dead"]
