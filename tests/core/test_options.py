"""Options: declared once; checked, read from text, filled from presets, described as schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

import parlour
from parlour.core.options import describe, make, options_of, schema, values
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello

PRESETS = {"small": {"size": 3}, "large": {"size": 9}}


@dataclass(frozen=True)
class Kinds:
    """One option of every kind."""

    name: ClassVar[str] = "kinds"

    style: str = parlour.option("small", "which preset", presets=PRESETS)
    size: int = parlour.option(about="filled by the preset", low=1, high=10)
    loud: bool = parlour.option(False, "yes or no")
    ratio: float = parlour.option(0.5, "a number", low=0, high=1)
    limit: int | None = parlour.option(None, "may be left open", low=1)
    table: tuple[int, ...] = parlour.option((1, 2), "several", low=-5, longest=3)
    weights: tuple[float, ...] = parlour.option((1.5,), "several numbers")
    groups: tuple[tuple[int, ...], ...] = parlour.option((), "several lists", low=0)
    flags: tuple[bool, ...] = parlour.option((), "several times yes or no")
    label: str = parlour.option("", "any text")
    steps: tuple[tuple[float, ...], ...] = parlour.option((), "several lists of numbers")

    def __post_init__(self):
        parlour.settle(self)


def test_a_preset_fills_options_without_a_default():
    assert Kinds().size == 3
    assert Kinds(style="large").size == 9
    assert Kinds(style="large", size=5).size == 5


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"size": True}, "size cannot be True; it must be a whole number from 1 to 10"),
        ({"size": "3"}, "size cannot be '3'; it must be a whole number from 1 to 10"),
        ({"size": 3.0}, "size cannot be 3.0"),
        ({"size": 11}, "size cannot be 11"),
        ({"style": "huge"}, "style cannot be 'huge'; it must be small or large"),
        ({"loud": 1}, "loud cannot be 1; it must be yes or no"),
        ({"ratio": 2}, "ratio cannot be 2; it must be a number from 0 to 1"),
        ({"ratio": float("nan")}, "ratio cannot be nan"),
        ({"limit": 0}, "limit cannot be 0; it must be a whole number of at least 1, or none"),
        ({"table": (1, 2, 3, 4)}, "table cannot be .*, at most 3 of them"),
        ({"table": 5}, "table cannot be 5; it must be whole numbers of at least -5"),
        ({"table": (1, "2")}, "table cannot be"),
        ({"groups": ((1,), 2)}, "groups cannot be .*; it must be lists of whole numbers"),
        ({"weights": (float("inf"),)}, "weights cannot be"),
        ({"size": 10**5000}, "size cannot be a number that long"),
    ],
)
def test_a_wrong_value_is_refused_with_the_allowed_ones(options, why):
    with pytest.raises(parlour.BadOption, match=f"^{why}"):
        Kinds(**options)


def test_lists_become_tuples_and_whole_numbers_become_floats_where_asked():
    made = Kinds(table=[3, 4], groups=[[1], [2, 3]], weights=[1, 2], ratio=1)
    assert (made.table, made.groups, made.weights) == ((3, 4), ((1,), (2, 3)), (1.0, 2.0))
    assert type(made.ratio) is float


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("style", " LARGE ", "large"),
        ("size", "7", 7),
        ("size", "+7", 7),
        ("loud", "Yes", True),
        ("loud", "off", False),
        ("ratio", "0.25", 0.25),
        ("limit", "none", None),
        ("limit", "12", 12),
        ("table", "1, 2 and -3", (1, 2, -3)),
        ("table", "(4,5)", (4, 5)),
        ("table", "none", ()),
        ("groups", "2 2 2; 1, 2 and 13", ((2, 2, 2), (1, 2, 13))),
        ("groups", "[[2,2],[1]]", ((2, 2), (1,))),
        ("groups", "(2,2), (1, 1)", ((2, 2), (1, 1))),
        ("groups", "((2,2),)", ((2, 2),)),
        ("groups", "[ (1) ]", ((1,),)),
        ("weights", "1.5 2", (1.5, 2.0)),
        ("flags", "yes,no YES", (True, False, True)),
        ("label", "Ann's Ωld Boat ", "Ann's Ωld Boat "),
        ("label", "", ""),
        ("steps", "0.5,1;2", ((0.5, 1.0), (2.0,))),
    ],
)
def test_text_is_read(option, text, value):
    opt = options_of(Kinds)[option]
    assert opt.read(text) == value
    assert opt.read(opt.write(value)) == value


@pytest.mark.parametrize(
    ("option", "text"),
    [
        *(("size", text) for text in ("", "three", "3.5", "0", "11", "9" * 5000, "٣", "--3")),
        *(("loud", text) for text in ("", "maybe", "2")),
        *(("table", text) for text in ("1 x", "1 2 3 4", "-6", "1.5")),
        *(("groups", text) for text in ("x", "1;;2", "1; none")),
        *(("groups", text) for text in ("2,2;(1,1)", "(1,1) 2", "x(1)y", "[(1,1)", "(1))", "()")),
        *(("ratio", text) for text in ("nan", "inf", "1e999", "x", "2")),
    ],
)
def test_text_that_means_nothing_is_refused(option, text):
    with pytest.raises(parlour.BadOption, match=f"^{option} cannot be"):
        options_of(Kinds)[option].read(text)


def test_an_unknown_option_is_refused_with_a_suggestion():
    with pytest.raises(parlour.UnknownName, match="no option 'pile'; did you mean 'piles'"):
        parlour.game("nim", pile=(1,))
    with pytest.raises(parlour.UnknownName, match="it has none"):
        make(object, "thing", {"x": 1})


def test_a_kind_that_cannot_be_typed_is_refused_at_once():
    @dataclass(frozen=True)
    class Odd:
        when: dict = parlour.option(None, "what")

    with pytest.raises(TypeError, match=r"Odd\.when is declared as"):
        options_of(Odd)


def test_an_option_that_nothing_fills_is_refused_at_once():
    @dataclass(frozen=True)
    class Empty:
        pins: int = parlour.option(about="how many")

        def __post_init__(self):
            parlour.settle(self)

    with pytest.raises(TypeError, match="give pins a default, or a preset that fills it"):
        Empty()


def test_annotations_may_be_types_or_text():
    namespace: dict = {}
    source = (
        "import parlour\nfrom dataclasses import dataclass\n"
        "@dataclass(frozen=True)\nclass Plain:\n"
        "    a: int = parlour.option(1, 'x')\n"
        "    b: tuple[int, ...] = parlour.option((), 'x')\n"
        "    c: int | None = parlour.option(None, 'x')\n"
    )
    exec(source, namespace)  # noqa: S102  # a file without `from __future__ import annotations`
    kinds = [(opt.kind, opt.depth, opt.optional) for opt in options_of(namespace["Plain"]).values()]
    assert kinds == [(int, 0, False), (int, 1, False), (int, 0, True)]


def test_recorded_options_make_the_same_game():
    for game in (Nim(endings=CLASS_ENDINGS), Chopsticks(rules="feathers"), Othello()):
        assert type(game)(**values(game)) == game


def test_describe_names_only_options_that_are_not_the_default():
    assert describe(Nim()) == "nim"
    assert describe(Nim(piles=(3, 5), misere=True)) == "nim piles=3,5 misere=yes"
    assert describe(Chopsticks(rules="feathers")) == "chopsticks rules=feathers"
    assert describe(Chopsticks(rules="feathers", fingers=2)).endswith("rules=feathers fingers=2")
    assert describe(Othello(opening="despacito")) == "othello opening=despacito"
    assert describe(object()) == "object"
    assert describe(Kinds(label="two words")) == "kinds label='two words'"


def test_a_player_that_needs_more_to_be_made_can_be_described():
    class Scripted:
        name = "scripted"

        def __init__(self, moves):
            self.moves = moves

    assert describe(Scripted([1])) == "scripted"


def test_the_schema_has_all_that_a_form_needs():
    described = schema(Nim)
    assert described["additionalProperties"] is False
    piles = described["properties"]["piles"]
    assert piles["type"] == "array"
    assert piles["maxItems"] == 64
    assert piles["items"] == {"type": "integer", "minimum": 0, "maximum": 10**9}
    assert piles["default"] == [3, 4, 5]
    take = described["properties"]["take"]
    assert {"type": "null"} in take["anyOf"]
    assert described["properties"]["endings"]["x-bundles"] == {
        "class-endings": [[2, 2, 2], [1, 2, 3], [1, 1, 2, 2]]
    }
    rules = schema(Chopsticks)["properties"]["rules"]
    assert rules["enum"] == ["benedict", "feathers", "feathers-revive"]
    assert rules["x-presets"]["feathers"]["dies_at"] == 7
    assert "default" not in schema(Chopsticks)["properties"]["dies_at"]
    assert all(part["description"] for part in described["properties"].values())
