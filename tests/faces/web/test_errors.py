"""What does not fit a schema is refused in one sentence that names the place."""

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
    moves: list[str] = []


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Move: field required."),
        ({"move": 3}, "Move: input should be a valid string."),
        ({"move": "a" * 6}, "Move: string should have at most 5 characters."),
        ({"move": "a1", "colour": "red"}, "Colour: extra inputs are not permitted."),
        ({"move": "a1", "at": -1}, "At: input should be greater than or equal to 0."),
        ({"move": "a1", "pace": "slow"}, "Pace: input should be 'ok' or 'self'."),
        ({"move": "a1", "moves": ["b2", 7]}, "Moves.1: input should be a valid string."),
    ],
)
def test_each_fault_is_one_sentence_that_names_its_place(sent, said):
    with pytest.raises(ValidationError) as trouble:
        Asked(**sent)
    fault = dict(trouble.value.errors()[0])
    fault["loc"] = ("body", *fault["loc"])
    assert document(422, describe(fault))["detail"] == said


def test_a_body_that_is_no_json_is_said_to_be_none():
    fault = {"type": "json_invalid", "loc": ("body", 17), "msg": "JSON decode error", "ctx": {}}
    assert describe(fault) == "the body is not valid JSON"


def test_a_fault_of_the_whole_body_says_so():
    assert describe({"type": "odd", "loc": ("body",), "msg": "Odd"}) == "the body: odd"
