"""The atlas: the truths of the specs are among its rows, and every way out says the same."""

import csv
import io
import itertools
import json
from functools import reduce
from operator import xor
from xml.etree import ElementTree

import pytest

from parlour.core.errors import BadOption, ParlourError, UnknownName
from parlour.core.work import Work
from parlour.drawing.shapes import (
    INK,
    PAPER,
    TextLine,
    svg,
    text_width,
    tint,
)
from parlour.truth.variants import sweep as sweeping
from parlour.truth.variants.results import MARKS, choose_axes, draw_atlas
from parlour.truth.variants.sweep import atlas

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def sweep():
    """All combinations of chopsticks with loops allowed and hands that die at 3 to 10."""
    return atlas("chopsticks")


def row_of(found, **options):
    [row] = [
        row
        for row in found.rows
        if all(row.options[name] == value for name, value in options.items())
    ]
    return row


BENEDICT = {
    "dies_at": 5, "overflow": "dies", "hit_self": False, "split_least": 0,
    "revive": True, "split_same": False,
}  # fmt: skip
FEATHERS = {
    "dies_at": 7, "overflow": "dies", "hit_self": True, "split_least": 2,
    "revive": False, "split_same": True,
}  # fmt: skip
ALLOWED = {"loops": "allowed"}
REVIVE = FEATHERS | {"split_least": 1, "revive": True}


@pytest.mark.parametrize(
    ("options", "outcome", "plies", "positions"),
    [
        (BENEDICT, "second", 26, 191),
        (BENEDICT | {"split_least": 1}, "draw", None, 171),
        (FEATHERS, "draw", None, 755),
        (FEATHERS | {"split_same": False}, "first", 15, 734),
        (REVIVE, "draw", None, 755),
        (REVIVE | {"split_same": False}, "draw", None, 734),
    ],
)
def test_the_truths_of_chopsticks_are_in_the_sweep(sweep, options, outcome, plies, positions):
    row = row_of(sweep, **options)
    assert (row.outcome, row.plies, row.positions) == (outcome, plies, positions)


def test_the_sweep_has_every_combination_that_is_a_game(sweep):
    # For each size d there are d values of split_least, and four rules that are so or so.
    assert len(sweep.rows) == sum(d * 2**4 for d in range(3, 11)) == 832
    distinct = {tuple(row.options.items()) for row in sweep.rows}
    assert len(distinct) == len(sweep.rows)
    assert {row.options["fingers"] for row in sweep.rows} == {1}
    assert {row.options["loops"] for row in sweep.rows} == {"allowed"}


def test_nim_in_the_atlas_obeys_bouton():
    """Independent of the solver: the nim-sum, and its exception when played misère."""
    found = atlas("nim")
    assert len(found.rows) == (7 + 28 + 84 + 210) * 2 * 4
    for row in found.rows:
        limit = row.options["take"]
        piles = [p if limit is None else p % (limit + 1) for p in row.options["piles"]]
        lost = reduce(xor, piles) == 0
        if row.options["misere"] and max(piles) <= 1:
            lost = not lost
        assert row.outcome == ("second" if lost else "first"), row


def test_combinations_that_are_no_game_are_left_out_and_the_same_game_comes_once():
    found = atlas("chopsticks", {"fingers": [1, 2, 3, 4], "dies_at": [2, 3, 4, 3]})
    asked = {(row.options["fingers"], row.options["dies_at"]) for row in found.rows}
    assert asked == {(f, d) for d in (2, 3, 4) for f in range(1, d)}
    assert len(found.rows) == len(asked)
    same = atlas("chopsticks", {"rules": ["feathers", "feathers-revive"]}, ALLOWED | REVIVE)
    assert len(same.rows) == 1
    piles = atlas("nim", {"piles": [(1, 2), (2, 1), (0, 1, 2), (3,)]})
    assert [row.options["piles"] for row in piles.rows] == [(1, 2), (3,)]


def test_influences_count_the_pairs_of_rows_that_one_option_turns(sweep):
    rules = list(BENEDICT)
    seen = dict.fromkeys(rules, (0, 0))
    rows = [row for row in sweep.rows if row.options["dies_at"] <= 4]
    small = atlas("chopsticks", {name: sorted({r.options[name] for r in rows}) for name in rules})
    for one, two in itertools.combinations(small.rows, 2):
        differ = [name for name in rules if one.options[name] != two.options[name]]
        if len(differ) == 1:
            pairs, turned = seen[differ[0]]
            seen[differ[0]] = (pairs + 1, turned + (one.outcome != two.outcome))
    assert {turn.option: (turn.pairs, turn.turned) for turn in small.influences()} == seen
    assert {turn.option: turn.pairs for turn in sweep.influences()}["revive"] == 832 // 2


def test_the_single_changes_that_turn_the_base(sweep):
    assert sweep.base is row_of(sweep, **BENEDICT)
    changed = {(name, row.options[name]): row.outcome for name, row in sweep.changes()}
    assert changed[("split_least", 1)] == "draw"
    for row in sweep.rows:
        differ = [name for name in BENEDICT if row.options[name] != BENEDICT[name]]
        if len(differ) == 1:
            key = (differ[0], row.options[differ[0]])
            assert (key in changed) == (row.outcome != "second")
    assert "split_least 1 (draw)" in sweep.describe_changes()
    other = atlas("chopsticks", {"split_least": [0, 1]}, base={"split_least": 1})
    assert other.changes()[0][1].options["split_least"] == 0
    assert (
        "chopsticks split_least=1 (draw): split_least 0 (second wins)" in other.describe_changes()
    )


def test_three_values_in_a_row_are_a_span_and_two_are_named():
    """Of 13 sticks the first player loses where one may take 1, 2 or 3 at most, and wins with 4."""
    three = atlas("sticks", {"sticks": [13], "take": [1, 2, 3, 4]}, base={"sticks": 13, "take": 4})
    assert "take 1 to 3 (second wins)" in three.describe_changes()
    two = atlas("sticks", {"sticks": [13], "take": [1, 2, 4]}, base={"sticks": 13, "take": 4})
    assert "take 1 or 2 (second wins)" in two.describe_changes()


def test_a_result_that_no_change_turns_is_described_so():
    found = atlas("nim", {"piles": [(1,), (2,), (3,)]})
    assert "No single change" in found.describe_changes()
    assert found.influences()[0].turned == 0


def test_the_table_the_csv_and_the_json_say_the_same(sweep):
    listed = json.loads(json.dumps(sweep.to_dict()))["rows"]
    read = list(csv.DictReader(io.StringIO(sweep.to_csv())))
    lines = sweep.table().splitlines()
    assert len(listed) == len(read) == len(lines) - 1 == 832
    for row, plain, line, text in zip(sweep.rows, listed, read, lines[1:], strict=True):
        assert plain["outcome"] == line["outcome"] == row.outcome
        assert MARKS[row.outcome][0] in text
        assert plain["plies"] == row.plies
        assert line["plies"] == ("" if row.plies is None else str(row.plies))
        assert int(line["positions"]) == plain["positions"] == row.positions
        assert int(line["dies_at"]) == plain["options"]["dies_at"] == row.options["dies_at"]


def test_the_picture_has_a_cell_for_every_variant(sweep):
    assert choose_axes(sweep) == (
        ["dies_at", "split_least"],
        ["overflow", "hit_self", "revive", "split_same"],
    )
    root = ElementTree.fromstring(svg(draw_atlas(sweep)))  # noqa: S314  # we have just written it
    cells = {
        title.text: cell for cell in root.iter(f"{SVG}g") for title in cell.iter(f"{SVG}title")
    }
    assert len(cells) == 832
    [benedict] = [
        cell
        for title, cell in cells.items()
        if title.startswith("dies_at 5, overflow dies, hit_self no, split_least 0, revive yes, ")
        and "split_same no: second wins in 26, 191 situations" in title
    ]
    assert [text.text for text in benedict.iter(f"{SVG}text")] == ["26"]
    shown = [float(rect.get("x")) for rect in root.iter(f"{SVG}rect") if rect.get("x")]
    assert max(shown) < float(root.get("width"))


def test_a_tint_lies_between_the_paper_and_the_colour():
    assert tint(PAPER, INK, 1) == INK
    assert tint(PAPER, INK, 0) == PAPER
    assert tint("#FFFFFF", "#000000", 0.6) == "#666666"  # 0.4 of 255


def span(text):
    """Where a text begins and ends, from left to right."""
    wide = text_width(text.words, text.size, text.weight)
    left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * wide
    return left, left + wide


@pytest.mark.parametrize(
    ("name", "choices", "down", "across"),
    [
        ("nim", {"seats": [2, 3]}, ["seats"], []),  # one refused, and long reasons
        ("sticks", {"sticks": [12]}, [], []),
        ("sticks", {"sticks": range(10, 16), "take": range(1, 4)}, ["sticks"], ["take"]),
        ("tictactoe", {"columns": [3, 4], "misere": [False, True]}, ["columns"], ["misere"]),
    ],
)
def test_a_picture_of_any_shape_holds_all_its_texts(name, choices, down, across):
    found = atlas(name, choices)
    assert choose_axes(found) == (down, across)
    drawing = draw_atlas(found)
    root = ElementTree.fromstring(svg(drawing))  # noqa: S314
    assert len(list(root.iter(f"{SVG}g"))) == len(found.rows)
    texts = [shape for shape in drawing.plain() if isinstance(shape, TextLine)]
    assert drawing.title in [text.words for text in texts]
    for text in texts:
        left, right = span(text)
        assert left >= 20
        assert right <= drawing.width - 20
        assert text.y < drawing.height - 10


def test_a_variant_that_takes_too_long_is_undecided(slow_if):
    slow_if(lambda game: game.columns == 4)
    found = atlas("tictactoe", {"columns": [3, 4]}, {"rows": 4, "line": 4}, limit_seconds=0.05)
    late = row_of(found, columns=4)
    assert (late.outcome, late.plies, late.positions) == ("undecided", None, None)
    assert "undecided 1" in found.headline()
    assert row_of(found, columns=3).outcome == "draw"
    assert "undecided" in svg(draw_atlas(found))


def test_a_variant_that_is_too_large_is_refused_with_the_reason():
    found = atlas("nim", {"seats": [2, 3]})
    assert row_of(found, seats=3).outcome == "refused"
    assert "3 seats" in row_of(found, seats=3).reason
    large = atlas("tictactoe", {"columns": [3, 5]}, {"rows": 5})
    assert row_of(large, columns=5).outcome == "refused"
    assert any(line.startswith("Refused: ") for line in large.summary())


def test_stopping_keeps_the_rows_done(monkeypatch):
    work, solve = Work(), sweeping.solve

    def solve_or_stop(game, **how):
        if work.done == 5:
            work.stop()
        return solve(game, **how)

    monkeypatch.setattr(sweeping, "solve", solve_or_stop)
    found = atlas("chopsticks", {"dies_at": range(3, 21), "fingers": range(1, 20)}, work=work)
    assert 5 == len(found.rows) < found.variants == work.total
    assert not found.complete
    assert f"of {found.variants} asked for" in found.headline()
    assert json.dumps(found.to_dict()["complete"]) == "false"


@pytest.mark.parametrize(
    ("arguments", "error", "why"),
    [
        (("chopsticks", {"finger": [1]}), UnknownName, "no option 'finger'; did you mean"),
        (("chopsticks", {"dies_at": [3, 99]}), BadOption, "dies_at cannot be 99"),
        (("chopsticks", {"dies_at": [2]}, {"fingers": 5}), BadOption, "fingers cannot be 5"),
        (("chopsticks", {"dies_at": []}), ParlourError, "that would be 0 combinations"),
        (("othello",), ParlourError, "say which options of othello to vary"),
        (("chess",), UnknownName, "there is no game 'chess'"),
    ],
)
def test_an_impossible_atlas_is_refused(arguments, error, why):
    with pytest.raises(error, match=why):
        atlas(*arguments)


def test_a_base_that_is_not_there_is_refused():
    with pytest.raises(ParlourError, match="not among the variants"):
        atlas("chopsticks", {"dies_at": [3, 4]}, base={"dies_at": 7})
    with pytest.raises(ParlourError, match="combinations"):
        atlas("nim", {"piles": [(n,) for n in range(1, 1001)], "take": range(1, 1001)})
