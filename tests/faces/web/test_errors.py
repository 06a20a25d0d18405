"""Refusals in our own words: what does not fit a schema is told by its place, in one sentence."""

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from parlour.faces.web.errors import describe_validation_error as describe
from parlour.faces.web.errors import document


class Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")

    move: Annotated[str, StringConstraints(min_length=1, max_length=5)]
    at: Annotated[int, Field(ge=0, le=9)] = 0
    pace: Literal["ok", "self"] = "ok"
    moves: Annotated[list[str], Field(max_length=2)] = []
    listed: bool = True
    options: dict[str, int] = {}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Move is missing."),
        ({"move": 3}, "Move must be a text."),
        ({"move": None}, "Move must be a text."),
        ({"move": "a" * 6}, "Move has more than 5 characters."),
        ({"move": ""}, "Move has fewer than 1 characters."),
        ({"move": "a1", "colour": "red"}, "Colour is unknown."),
        ({"move": "a1", "at": "first"}, "At must be a whole number."),
        ({"move": "a1", "at": 1.5}, "At must be a whole number."),
        ({"move": "a1", "at": -1}, "At must be 0 or more."),
        ({"move": "a1", "at": 10}, "At must be 9 or less."),
        ({"move": "a1", "pace": "slow"}, "Pace must be 'ok' or 'self'."),
        ({"move": "a1", "moves": "b2"}, "Moves must be a list."),
        ({"move": "a1", "moves": ["b2", 7]}, "Moves.1 must be a text."),
        ({"move": "a1", "moves": ["b2"] * 3}, "Moves has more than 2 items."),
        ({"move": "a1", "listed": "perhaps"}, "Listed must be true or false."),
        ({"move": "a1", "options": []}, "Options must be an object."),
    ],
)
def test_each_common_fault_is_one_sentence_of_ours(sent, said):
    with pytest.raises(ValidationError) as trouble:
        Asked(**sent)
    fault = dict(trouble.value.errors()[0])
    fault["loc"] = ("body", *fault["loc"])
    assert document(422, describe(fault))["detail"] == said


def test_a_body_that_is_no_json_is_said_to_be_none():
    fault = {"type": "json_invalid", "loc": ("body", 17), "msg": "JSON decode error", "ctx": {}}
    assert describe(fault) == "the body is not valid JSON"


def test_a_fault_nobody_has_thought_of_keeps_its_own_words():
    assert describe({"type": "odd", "loc": ("body", "x"), "msg": "Odd"}) == "x: Odd"
    assert describe({"type": "odd_type", "loc": ("body",), "msg": "Odd"}) == "the body: Odd"
