"""The language of a page, and sentences of the packages below in it."""

from __future__ import annotations

import re

import pytest

from parlour.faces.web import texts
from parlour.faces.web.sentences import Patterns
from parlour.faces.web.texts import negotiate, passage, translate, use_language
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


@pytest.mark.slow
def test_every_text_is_translated_and_compiled_and_one_that_is_not_is_noticed(monkeypatch):
    """With the placeholders of the English one, in both languages."""
    tool, added = extract_texts(), "never translated {this}"
    monkeypatch.setattr(tool, "ALSO", (*tool.ALSO, added))
    wrong = tool.find_wrong()
    assert [each for each in wrong if added not in each] == []
    assert len(wrong) == 2


@pytest.mark.parametrize(
    ("english", "german", "spanish"),
    [
        (
            "pile 2 has only 3 coins; take 1, 2 or 3",
            "Haufen 2 hat nur 3 Münzen; nimm 1, 2 oder 3",
            "el montón 2 solo tiene 3 monedas; toma 1, 2 o 3",
        ),
        ("Only one move wins: b2.", "Nur ein Zug gewinnt: b2.", "Solo una jugada gana: b2."),
        ("win in 7 plies", "Sieg in 7 Zügen", "victoria en 7 jugadas"),
        ("win in 1 ply", "Sieg in 1 Zug", "victoria en 1 jugada"),
        ("Misère tic-tac-toe", "Misère-Tic-Tac-Toe", "Tres en raya misère"),
        ("hit left right", "links schlägt rechts", "izquierda golpea derecha"),
        (
            "most per move 34% of 210 pairs",
            "Höchstzahl je Zug (34% von 210 Paaren)",
            "máximo por jugada (34% de 210 pares)",
        ),
        ("b2", "b2", "b2"),
    ],
)
def test_sentences_of_the_packages_below_are_translated_with_their_values(english, german, spanish):
    with use_language("de"):
        assert translate(english) == german
    with use_language("es"):
        assert translate(english) == spanish


def test_a_text_without_a_translation_stays_english_and_is_marked_so():
    with use_language("de"):
        assert passage("Der & <b>") == '<span lang="en">Der &amp; &lt;b&gt;</span>'
        assert translate("Colourless green ideas sleep") == "Colourless green ideas sleep"
    assert passage("Der & <b>") == "Der &amp; &lt;b&gt;"


def test_the_page_says_moves_where_experts_say_plies():
    assert translate("Win in 7 plies, 1 ply sooner") == "Win in 7 moves, 1 move sooner"


def test_markup_is_translated_and_stays_markup():
    drawing = '<svg aria-label="pile 1, 3 coins"><text>black &amp; white</text></svg>'
    with use_language("de"):
        assert (
            texts.translate_markup(drawing)
            == '<svg aria-label="Haufen 1, 3 Münzen"><text>black &amp; white</text></svg>'
        )


def test_a_name_is_never_translated():
    with use_language("de"):
        assert (
            texts.name_in_sentence(("Black", "wins.")) == '<span class="name">Black</span> gewinnt.'
        )
        assert texts.name_in_sentence(("You", "win.")) == "Du gewinnst."
        assert "<b>" not in texts.name_in_sentence(("<b>x</b>", "wins."))


def test_the_pattern_with_most_words_in_common_is_taken():
    patterns = Patterns(
        {"{a} wins": "{a} gewinnt", "{a} of {b} wins": "{a} von {b} siegt", "red": "Rot"}, "."
    )
    assert patterns.translate_parts("red wins") == [("Rot gewinnt", True)]
    assert patterns.translate_parts("3 of 1,234 wins") == [("3 von 1.234 siegt", True)]
    assert patterns.translate_parts("it rains today") == [("it rains today", False)]
