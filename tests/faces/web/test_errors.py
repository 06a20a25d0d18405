"""What does not fit a schema is refused in one sentence; test_routes.py has those of one field."""

from parlour.faces.web.errors import describe_validation_error as describe


def test_a_body_that_is_no_json_is_said_to_be_none():
    fault = {"type": "json_invalid", "loc": ("body", 17), "msg": "JSON decode error", "ctx": {}}
    assert describe(fault) == "the body is not valid JSON"


def test_a_fault_is_named_with_its_place_or_the_whole_body():
    wrong = {"type": "odd", "loc": ("body", "moves", 1), "msg": "Odd"}
    assert describe(wrong) == "moves.1: odd"
    assert describe({**wrong, "loc": ("body",)}) == "the body: odd"
