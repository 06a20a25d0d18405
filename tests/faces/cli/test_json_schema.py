"""A schema says of a type what its annotations, its comments and its docstring say."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict

from parlour.core import answers
from parlour.faces.cli.schema import make_schema


@dataclass
class Throw:
    """One throw."""

    pips: Annotated[int, ("maximum", 6)]  # of both dice
    by: str | None = field(default=None, metadata=answers.renamed("thrower"))


class Base(TypedDict):
    """Anything."""

    name: str  # of the whole


class Answer(Base):
    """Several throws."""

    # What was thrown,
    # the last one first
    throws: list[Annotated[dict[str, Any], Throw]]
    luck: NotRequired[float]


def test_a_schema_has_what_the_type_says():
    schema = make_schema(Answer, "throws", "3")
    assert (schema["$id"], schema["title"]) == ("urn:parlour:throws:3", "Several throws.")
    assert schema["required"] == ["name", "throws"]
    assert schema["properties"] == {
        "name": {"type": "string", "description": "of the whole"},
        "throws": {
            "type": "array",
            "items": {"$ref": "#/$defs/Throw"},
            "description": "What was thrown, the last one first",
        },
        "luck": {"type": "number"},
    }
    assert schema["$defs"]["Throw"]["description"] == "One throw."
    assert schema["$defs"]["Throw"]["properties"] == {
        "pips": {"type": "integer", "maximum": 6, "description": "of both dice"},
        "thrower": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    }


def test_plain_data_have_the_names_of_the_schema():
    assert answers.to_plain([Throw(5, "Ann")]) == [{"pips": 5, "thrower": "Ann"}]
