"""Sentences keep what they were made of, through everything that carries them."""

import copy
import json
import pickle

import pytest

from parlour.core import (
    Text,
    all_of,
    capital,
    count,
    join,
    one_of,
    say,
    say_number,
    sentence,
    sentences,
    span,
    suggest,
)

COINS = "pile {pile} has only {coins}; take {span}"
FEW = say(COINS, pile=2, coins=count(3, "coin"), span=span(1, 3))
GERMAN = {
    COINS: "von {span} Münzen: Stapel {pile} hat {coins}",
    "{number} coin": "{number} Münze",
    "{number} coins": "{number} Münzen",
    "or": "oder",
}


class German(sentences.Language):
    group = "."

    def find(self, template, plural, number):
        found = super().find(template, plural, number)
        return GERMAN.get(found, found)


def test_it_is_plain_english():
    assert FEW == "pile 2 has only 3 coins; take 1, 2 or 3"
    assert say(
        "{name} wins by {score:+}, {share:.0%} of {all:,}", name="Ann", score=3, share=0.5, all=1234
    ) == ("Ann wins by +3, 50% of 1,234")


def test_the_values_can_be_read():
    assert FEW.values["pile"] == 2
    assert FEW.values["coins"].values["number"] == 3


def test_a_language_translates_the_template_the_values_and_the_lists_in_it():
    assert German().say(FEW) == "von 1, 2 oder 3 Münzen: Stapel 2 hat 3 Münzen"
    assert German().say(count(1, "coin")) == "1 Münze"
    assert German().say(sentence(count(2, "coin"))) == "2 Münzen."
    assert German().say(say("{all:,}", all=12345)) == "12.345"
    assert German().say("a name") == "a name"


@pytest.mark.parametrize(
    "carry",
    [
        copy.copy,
        copy.deepcopy,
        lambda text: pickle.loads(pickle.dumps(text)),  # noqa: S301
        lambda text: sentences.unpack(json.loads(json.dumps(sentences.pack(text)))),
        lambda text: sentences.unpack(json.loads(json.dumps(sentences.pack({"a": [text]}))))["a"][
            0
        ],
    ],
)
@pytest.mark.parametrize(
    "text", [FEW, sentence(FEW), FEW + " (hint)", "so: " + FEW, join("; ", [FEW])]
)
def test_nothing_of_it_is_lost_on_the_way(text, carry):
    carried = carry(text)
    assert type(carried) is Text
    assert carried == text
    assert German().say(carried) == German().say(text) != text


def test_in_json_it_is_an_english_string_unless_it_is_packed():
    assert json.loads(json.dumps({"reason": FEW})) == {"reason": str(FEW)}


def test_a_sentence_begins_with_a_capital_and_ends_once():
    assert sentence(say("you win")) == "You win."
    assert sentence(say("who won?")) == "Who won?"
    assert sentence(sentence(say("you win"))) == "You win."
    assert capital(sentence(say("you win"))) == "You win."
    assert capital(say("you {what}", what="win")) == "You win"
    assert sentence("plain") == "Plain."


def test_lists_and_numbers():
    assert one_of([1]) == "1"
    assert all_of(["a", "b", "c"]) == "a, b and c"
    assert join(", ", []) == ""
    assert span(1, 9) == "1 to 9"
    assert say_number(2, "one is left", "{number} are left") == "2 are left"
    assert suggest("pile", ["piles", "take"]) == "; did you mean 'piles'?"
    assert suggest("xyzzy", ["piles"]) == ""


def test_braces_in_a_value_are_no_placeholders():
    assert German().say(say("it reads {text}", text="{number} {0} {")) == "it reads {number} {0} {"
