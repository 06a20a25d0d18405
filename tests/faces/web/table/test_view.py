"""What pages say, in words of the game: no name of an option, no position read out as prose."""

from __future__ import annotations

import html
import re

import pytest

from parlour.core import how_to_move, rules_text
from parlour.core.options import options_of
from parlour.faces.web import forms
from parlour.faces.web.table.service import match_of
from parlour.faces.web.table.view import _series, use_board_names
from parlour.players.move_values import explain
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe
from tests.faces.web.house import Guest, OpenHouse, wait_until

NAMES = re.compile(r"\b[a-z]+_[a-z]+\b|\w=\w|\de\+\d|GiB")  # of options, and of no use to people


@pytest.fixture
def guest(house: OpenHouse) -> Guest:
    return house.browser()


def plain(markup: str) -> str:
    main = re.search("<main.*</main>", markup, re.DOTALL)
    text = re.sub(r"<(script|svg).*?</\1>", " ", main[0] if main else markup, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def settled(guest: Guest, path: str) -> str:
    def look() -> str:
        page = guest.get(path).text
        return "" if "data-again" in page or "Working it out" in page else page

    return str(wait_until(look, 60))


# Why an estimate is what it is


def values_of(guest: Guest, table: str) -> dict[str, str]:
    """Every move on the board with its estimate, as the page shows them."""
    page = settled(guest, f"/tables/{table}?view=values")
    listed = re.findall(r"<li><span>(\w+)</span>(.*?)</li>", page)
    return {move: re.sub(r"<[^>]+>|Why\?", "", worth).strip() for move, worth in listed}


def test_the_reasons_of_an_estimate_tell_the_number_that_is_shown(house: OpenHouse) -> None:
    table = house.table("othello", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    guest = house.sitting(table, 0)
    shown = values_of(guest, table)
    assert set(shown) == {"d3", "c4", "f5", "e6"}
    for move, worth in shown.items():
        page = plain(guest.get(f"/tables/{table}?view=values&why={move}").text)
        number = worth.removeprefix("≈ ").split()[-1]
        assert worth.startswith("≈ even "), "four like moves at the start"
        assert re.search(f"About even: ≈ {re.escape(number)} discs? for black after {move}", page)
        founded = r"Estimated by engine, \d+ moves ahead, \d\d % sure, not proven: 60 squares"
        assert re.search(founded, page), page
        assert re.search(rf"The line it expects: {move}, \w\d, ", page), page
        assert "It flips 1 disc." in page
        assert "It leaves white 3 moves." in page
        assert not re.search("[XO-]{16}", page)


def test_othellos_seats_are_called_as_the_board_shows_them(guest: Guest) -> None:
    game = Othello()
    told = explain(game, game.start()).sentences
    assert use_board_names(game, told)[0] == told[0].replace("player 1 (X)", "black")
    for line in use_board_names(
        game,
        [
            *told,
            *rules_text(game),
            how_to_move(game),
            *explain(game, game.start(), (3, 2)).sentences,
        ],
    ):
        assert not re.search(r"player|\b[XO]\b", line, re.IGNORECASE), line
    assert use_board_names(TicTacToe(), ["player 1 (X) wins."]) == ["player 1 (X) wins."]
    page = plain(settled(guest, "/lab/othello"))
    assert "Black to move: ≈ even" in page
    assert not re.search(r"[Pp]layer \d|\(X\)", page)


def test_the_rules_on_a_page_do_not_say_how_to_say_a_move(house: OpenHouse) -> None:
    guest = house.browser()
    for game in ("nim", "othello"):
        page = plain(guest.get(f"/tables/{house.table(game)}").text)
        assert "Say " not in page
    assert (
        "whoever takes the last coin wins"
        in plain(guest.get(f"/tables/{house.table('nim')}").text).lower()
    )


def test_the_feather_rules_are_in_their_box_and_its_moves_named_by_boxes(house: OpenHouse) -> None:
    table = house.table("chopsticks", options={"rules": "feathers"})
    ann, _ = house.player(table, 0), house.player(table, 1)
    assert ann.call(f"/tables/{table}/moves", {"move": "A-C"}).status == 200
    page = house.browser().get(f"/tables/{table}").text
    box = re.search('<div class="prose boxed">(.*?)</div>', page, re.DOTALL)
    assert box is not None
    words = re.sub(r"[|*+]|-{2,}", " ", Chopsticks(rules="feathers").rules_box()).split()
    assert plain(box[1]).split() == words
    moves = re.search('<ol role="list">(.*?)</ol>', page, re.DOTALL)
    assert moves is not None
    assert plain(moves[1]).endswith(": A-C")
    lab = house.browser().get("/lab/chopsticks?rules=feathers&move=A-C").text
    assert "After A-C" in lab
    assert "hit left" not in plain(lab)
    walk = house.browser().get("/analyse/chopsticks/walk?rules=feathers&moves=A-C,C-A").text
    assert "hit left" not in plain(walk)


def test_the_ending_that_stopped_a_game_is_named(house: OpenHouse) -> None:
    table = house.table("nim", options={"piles": [2, 2], "endings": [[1, 2]]})
    ann, _ = house.player(table, 0), house.player(table, 1)
    told = ann.call(f"/tables/{table}/moves", {"move": "1 from 1"}).json
    assert (told["ended_by"], told["reason"]) == ("the extra ending 1,2", "")
    assert "The extra ending 1,2 was reached." in plain(
        house.browser().get(f"/tables/{table}").text
    )
    walk = "/analyse/nim/walk?piles=2,2&endings=(1,2)&moves=1 from 1&at=1".replace(" ", "+")
    assert "The extra ending 1,2 was reached." in plain(house.browser().get(walk).text)


def test_who_is_out_is_named(house: OpenHouse) -> None:
    options = {"piles": [1], "misere": True, "seats": 3}
    table = house.table("nim", [{"kind": "open"}] * 3, options=options)
    players = [house.player(table, seat) for seat in range(3)]
    told = players[0].call(f"/tables/{table}/moves", {"move": "1 from 1"}).json
    assert told["out"] == [0]
    seats = re.findall(
        '<li class="player">(.*?)</li>', house.browser().get(f"/tables/{table}").text, re.DOTALL
    )
    assert ["out" in plain(seat).split() for seat in seats] == [True, False, False]


# The menu


def test_presets_are_called_by_what_they_bring_and_are_told_in_the_settings(guest: Guest) -> None:
    othello = plain(guest.get("/new/othello/settings").text)
    for called in ("Standard, 8×8", "Benedict’s, 8×8", "Despacito’s, 9×7"):
        assert called in othello
    chopsticks = plain(guest.get("/new/chopsticks/settings").text)
    assert "Feathers dies at 7, hitting yourself yes, a split leaves at least 2," in chopsticks
    assert "Feathers with revival dies at 7" in chopsticks
    nim = plain(guest.get("/new/nim/settings").text)
    assert "Add Defaults adds the class endings: 2, 2, 2; 1, 2, 3; 1, 1, 2, 2." in nim


def test_a_preset_brings_exactly_what_is_said_of_it() -> None:
    for game in (Othello(), Chopsticks()):
        known = options_of(type(game))
        [field] = [each for each in forms.fields(game) if each.is_preset]
        presets = known[field.name].presets or {}
        assert [preset for preset, _, _ in field.brings] == list(presets)
        for preset, called, brings in field.brings:
            for name, value in presets[preset].items():
                told = f"{forms.label(name).lower()} {known[name].write(value)}"
                same = all(other[name] == value for other in presets.values())
                on_board = name in ("columns", "rows")
                assert (told in brings.split(", ")) == (not same and not on_board), preset
            if "columns" in presets[preset]:
                assert called.endswith(f", {presets[preset]['columns']}×{presets[preset]['rows']}")
    [endings] = [each for each in forms.fields(Nim()) if each.bundles]
    [(name, called, items)] = endings.bundles
    assert (name, called) == ("class-endings", "class endings")
    assert items.split("; ") == [", ".join(map(str, each)) for each in CLASS_ENDINGS]


def test_of_a_pile_that_cannot_be_that_pile_alone_is_spoken_of(guest: Guest) -> None:
    form = {"do": "add", "option": "piles", "text": "9" * 18}
    refused = guest.post("/new/nim/settings", form)
    assert refused.status == 422
    assert refused.said.startswith(f"This pile cannot be {'9' * 18}; it must be a whole number")
    form = {"do": "add", "option": "endings", "text": f"1, {'9' * 18}"}
    assert "This ending cannot be" in guest.post("/new/nim/settings", form).said


def test_an_option_no_bot_has_is_refused_as_not_possible(guest: Guest) -> None:
    form = {"do": "bot", "name": "Max", "bot": "minimax", "options": "colour=red"}
    refused = guest.post("/new/nim/seats", form)
    assert refused.status == 422
    assert refused.said.startswith("Minimax has no option 'colour'")


def test_bots_that_play_alike_are_told_apart_by_how_they_do_it(guest: Guest) -> None:
    menu = plain(guest.get("/new/nim").text)
    assert "standard perfectly. The closed form: moves to nim-sum 0" in menu
    assert "brute-force perfectly. Examines every position" in menu


def test_a_pile_is_of_coins_everywhere(house: OpenHouse) -> None:
    guest = house.browser()
    table = house.table("nim")
    for path in (f"/tables/{table}", "/new/nim", "/new/nim/settings", "/lab/nim", "/analyse/nim"):
        page = guest.get(path).text
        assert not re.search(r"\bobjects?\b", plain(page)), path
        assert "object" not in " ".join(re.findall('aria-label="([^"]*)"', page)), path
    assert 'aria-label="pile 1, 3 coins"' in guest.get(f"/tables/{table}").text


# The lab


def test_the_atlas_calls_options_as_the_form_does(guest: Guest) -> None:
    page = plain(settled(guest, "/lab/chopsticks/atlas"))
    assert not NAMES.search(page), NAMES.search(page)
    assert "(fingers 1, loops allowed)" in page
    assert re.search(r"Changing one rule alone changes the result: .*\bdies at \d+% of", page)
    assert (
        "Single changes that alter the result of Chopsticks (second wins in 26): dies at " in page
    )
    assert "A split leaves at least" in page
    picture = guest.get("/lab/chopsticks/atlas.svg").text
    assert "hitting yourself" in picture
    assert not NAMES.search(" ".join(re.findall(">([^<]+)<", picture)))
    table = guest.get("/lab/chopsticks/atlas.csv").text  # for programs all is as it was
    assert table.startswith("rules,fingers,dies_at,overflow,hit_self,")


def test_neighbours_too_large_to_list_are_said_to_be_so(guest: Guest) -> None:
    page = plain(settled(guest, "/lab/tictactoe?columns=5&rows=5&line=4"))
    assert "Columns 4, 6, 7, 8: too many positions to solve." in page
    assert not NAMES.search(page), NAMES.search(page)


# The school


@pytest.mark.parametrize("game", ["tictactoe", "sticks"])
def test_menace_has_boxes_and_beads(house: OpenHouse, guest: Guest, game: str) -> None:
    form = {"game": game, "rule": "menace", "games": 30, "against": "random", "seed": 5}
    made = guest.post("/school", form)
    assert made.status == 303
    path = made.headers["location"]
    page = wait_until(lambda: (p := guest.get(path).text) and ">30 of 30<" in p and p)
    said = plain(page)
    assert not re.search(r"\b(ball|hat)s?\b", said, re.IGNORECASE), said
    assert "likeliest bead" in said
    assert "by MENACE’s rule" in said
    assert "rule menace" not in said
    assert "Download the boxes" in said
    opened = guest.get(f"{path}?player=1&position={'7' if game == 'sticks' else '---------%20X'}")
    assert not re.search(r"\b(ball|hat)s?\b", plain(opened.text), re.IGNORECASE)
    assert 'id="open"' in opened.text


def test_training_more_and_playing_against_them_are_two_things(guest: Guest) -> None:
    made = guest.post("/school", {"game": "sticks", "games": 10})
    page = guest.get(made.headers["location"]).text
    assert "Play them" not in page
    assert ">Train more</button>" in page
    assert ">Play against them</h2>" in page


# The curve of a game


def test_the_curve_ends_where_the_game_ended(house: OpenHouse) -> None:
    table = house.table("othello", options={"columns": 4, "rows": 4})
    ann, bob = house.player(table, 0), house.player(table, 1)
    for mover, move in zip([ann, bob] * 3, ("b1", "c1", "d1"), strict=False):
        assert mover.call(f"/tables/{table}/moves", {"move": move}).status == 200
    value = {"outcome": "loss", "plies": 5, "score": -10, "exact": True}
    going_on = match_of(house.read(table))
    points = _series(going_on, [{"value": value}] * 4)
    assert [point.worth and point.worth.score for point in points] == [-10, 10, -10, 10]
    assert ann.call(f"/tables/{table}/resign", {}).status == 200
    resigned = _series(match_of(house.read(table)), [{"value": value}] * 4)
    assert resigned[-1].text == "won by the second player"
    assert resigned[:-1] == points[:-1]


def test_the_hands_belong_to_those_who_sit_there(guest: Guest) -> None:
    address = guest.post("/quick", {"game": "chopsticks"}).headers["location"]
    page = guest.get(address).text
    labels = re.findall(r'aria-label="([^"]*), left hand, ', page)
    assert labels == ["Benedict bot", "You"]
    assert re.findall(r'<text class="seat"[^>]*>([^<]*)<', page) == ["Benedict bot", "You"]
    german = guest.get(address, **{"Accept-Language": "de"}).text
    assert re.findall(r'<text class="seat"[^>]*>([^<]*)<', german) == ["Benedict (Bot)", "Du"]
    assert re.findall(r'aria-label="([^"]*), linke Hand, ', german) == ["Benedict (Bot)", "Du"]


def test_a_name_is_not_taken_for_a_word(house: OpenHouse) -> None:
    table = house.table("chopsticks")
    house.sitting(table, 0, "left")
    house.sitting(table, 1, "Ann and Bob, dead")
    german = house.browser().get(f"/tables/{table}", **{"Accept-Language": "de"}).text
    assert re.findall(r'aria-label="([^"]*), linke Hand, ', german) == ["left", "Ann and Bob, dead"]
