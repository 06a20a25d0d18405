"""The language of a page, and sentences of the packages below in it."""

from __future__ import annotations

import gettext
import json
import re
import subprocess
import sys

import pytest

from parlour import boards
from parlour.core import (
    IllegalMove,
    count,
    registry,
    say,
    say_number,
    seat_name,
    sentence,
    span,
)
from parlour.faces.web import texts
from parlour.faces.web.texts import name_player, negotiate, passage, translate, use_language
from tests.tools.texts import extract_texts

# The language


def test_the_browser_chooses_among_our_languages_by_their_weights():
    for accepted, language in (
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("ES-mx", "es"),
        ("fr-FR,fr;q=0.9,es;q=0.5,en;q=0.3", "es"),
        ("en;q=0.5, de;q=0.8", "de"),
        ("de;q=0, es;q=0.1", "es"),  # q=0 refuses
        ("fr, *;q=0.5", "en"),
        ("de;q=0.5,*", "en"),
        ("pt,zh", "en"),
        ("de;q=x", "de"),  # a malformed weight is not read
        (";;;,q=1," * 30, "en"),
    ):
        assert negotiate(accepted) == language, accepted


def test_a_page_is_in_the_language_of_the_browser_and_says_so(house):
    for language, lobby in {"en": "Open tables", "de": "Offene Tische", "es": "Mesas"}.items():
        page = house.nobody().get("/", **{"Accept-Language": f"{language};q=0.9"})
        assert f'<html lang="{language}">' in page.text
        assert lobby in page.text
        assert page.headers["content-language"] == language
        assert "accept-language" in page.headers["vary"].lower()


def test_a_press_at_the_foot_of_a_page_keeps_a_language(house):
    guest = house.browser()
    pressed = guest.post("/language", {"language": "es", "back": "/lab"})
    assert (pressed.status, pressed.headers["location"]) == (303, "/lab")
    [cookie] = re.findall(r"language=(\w+)", pressed.headers["set-cookie"])
    page = guest.get("/lab", Cookie=f"language={cookie}", **{"Accept-Language": "de"})
    assert '<html lang="es">' in page.text
    away = guest.post("/language", {"language": "xx", "back": "//elsewhere.example/"})
    assert away.headers["location"] == "/"
    assert "language=en" in away.headers["set-cookie"]


def test_a_refusal_is_in_the_language_of_the_reader(house):
    german = {"Accept-Language": "de"}
    assert "Diese Seite gibt es nicht" in house.nobody().get("/no-such-page", **german).text
    answer = house.browser().send("/new/nim/play", **german)
    assert answer.said == "Es gibt noch keine Spieler; füge eine Person oder einen Bot hinzu."
    assert house.nobody().call("/tables/none").said.startswith("There is no table")


def test_a_live_page_is_sent_what_it_shows_in_its_own_language(house):
    table = house.table("tictactoe")
    ann = house.sitting(table, 0)
    house.sitting(table, 1)
    shown = {}
    for language in ("en", "de", "es"):
        with ann.open(
            f"/live?topic=table:{table}&have=none&language={language}", Origin=ann.origin
        ) as page:
            shown[language] = page.recv(timeout=60)
    assert "Your move" in shown["en"]
    assert "Du bist am Zug" in shown["de"]
    assert "Te toca" in shown["es"]


# The catalogue


def test_a_translation_has_the_placeholders_of_its_text_and_is_compiled():
    assert list(extract_texts().find_faults()) == []


def test_texts_are_found_where_they_are_made():
    source = """
say("pile {pile} has only {coins}; take {moves:or}", pile=1)
say_number(left, "one is left", "{number} are left")
count(coins, "coin")
say("{first}: {second}")
say(template)
"""
    assert list(extract_texts().read_module(source)) == [
        "pile {pile} has only {coins}; take {moves:or}",
        "or",
        ("one is left", "{number} are left"),
        ("{number} coin", "{number} coins"),
    ]


@pytest.mark.slow
def test_a_text_that_is_not_translated_is_listed(monkeypatch):
    tool, added = extract_texts(), "never translated {this}"
    monkeypatch.setattr(tool, "ask_registry", lambda: {added})
    assert [each for each in tool.find_missing() if added in each] == [
        f"{language}: not in the catalogue: {added}" for language in ("de", "es")
    ]


# Texts from the packages below


COINS = "pile {pile} has only {coins}; take {span}"
TOO_MANY = IllegalMove(say(COINS, pile=2, coins=count(3, "coin"), span=span(1, 3)))
GERMAN = {
    COINS: "Haufen {pile} hat nur {coins}; nimm {span}",
    ("{number} coin", 0): "{number} Münze",
    ("{number} coin", 1): "{number} Münzen",
    ("{number:,} ply", 0): "{number:,} Zug",
    ("{number:,} ply", 1): "{number:,} Züge",
    "{name} wins.": "{name} gewinnt.",
    "and": "und",
    "or": "oder",
    "Save": "Speichern",
}


class Few(gettext.GNUTranslations):
    """A catalogue of few texts, so that these tests know no wording of the house."""

    def __init__(self) -> None:
        super().__init__()
        self._catalog = GERMAN
        self.plural = lambda number: int(number != 1)
        self.add_fallback(texts.Untranslated())


@pytest.fixture
def german(monkeypatch):
    """German, as far as these tests know it."""
    few, find = Few(), texts._translations
    monkeypatch.setattr(texts, "_translations", lambda name: few if name == "de" else find(name))
    with use_language("de"):
        yield


def test_an_error_is_said_in_the_language_of_its_reader_with_its_values(german):
    assert translate(TOO_MANY.text) == "Haufen 2 hat nur 3 Münzen; nimm 1, 2 oder 3"
    with use_language("en"):
        assert translate(TOO_MANY.text) == "pile 2 has only 3 coins; take 1, 2 or 3"


def test_plurals_numbers_and_lists_follow_the_language(german):
    for number, shown in ((1, "1 Münze"), (2, "2 Münzen")):
        assert translate(count(number, "coin")) == shown
    assert translate(say("{one:and}", one=("a", count(1, "coin")))) == "a und 1 Münze"
    assert translate(say("{all:,}", all=12345)) == "12.345"
    assert translate(sentence(count(1, "coin"))) == "1 Münze."
    assert translate("Save") == "Speichern"  # a plain one, as a whole
    assert translate("b2") == "b2"


def test_a_text_without_a_translation_stays_english_and_is_marked_so(german):
    coins = count(2, "coin")
    assert passage("Der & <b>") == '<span lang="en">Der &amp; &lt;b&gt;</span>'
    assert translate("Colourless green ideas sleep") == "Colourless green ideas sleep"
    assert passage(coins + " " + say("never seen, {name}", name="<b>")) == (
        '2 Münzen <span lang="en">never seen, &lt;b&gt;</span>'
    )
    ended = sentence(say("{coins}, {that}", coins=coins, that=say("never seen.")))
    assert passage(ended) == '2 Münzen, <span lang="en">never seen.</span>'
    with use_language("en"):
        assert passage("Der & <b>") == "Der &amp; &lt;b&gt;"


def test_the_page_says_moves_where_experts_say_plies(german):
    far = say_number(7, "{number:,} ply", "{number:,} plies")
    assert translate(far) == "7 Züge"
    with use_language("en"):
        assert translate(say("so far: {plies}", plies=far)) == "so far: 7 moves"


def test_a_name_is_never_translated_and_may_be_cut_short(german):
    wins = say("{name} wins.", name=name_player("Black"))
    assert translate(wins) == "Black gewinnt."
    assert passage(wins) == '<span class="name">Black</span> gewinnt.'
    long = say("{name} wins.", name=name_player('<b>"Bartholomew'))
    assert passage(long) == (
        '<span class="name" title="&lt;b&gt;&#34;Bartholomew">&lt;b&gt;&#34;Bartholomew</span>'
        " gewinnt."
    )
    assert passage("\ue001\ue002A & B\ue000") == '<span lang="en">A &amp; B</span>'
    assert name_player(seat_name(registry.game("nim"), 0)) == "player 1"


def test_only_the_name_of_a_seat_is_what_the_board_calls_it(german):
    othello = registry.game("othello")
    assert translate(seat_name(othello, 0)) == "black"
    assert translate(say("{side} to move", side=othello.sides[0])) == "black to move"


def test_a_board_is_drawn_in_the_language_of_its_reader(german):
    game = registry.game("nim", piles=(1, 3))
    assert "3 Münzen" in boards.board(game, game.start())


# Facts


@pytest.mark.slow
def test_nothing_is_found_out_by_looking_into_a_sentence():
    """What is hidden, clocks, names, marks and translations do not depend on English words."""

    def tell(*arguments: str) -> list[str]:
        command = [sys.executable, "-m", "tests.faces.web.scrambled", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    (english, told), (scrambled, told_again) = tell(), tell("scrambled")
    assert english == "a text in English" != scrambled
    assert json.loads(told) == json.loads(told_again)
