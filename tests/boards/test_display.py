"""What a notebook shows: every public thing as HTML of its own, small and safe."""

from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from IPython.core.formatters import DisplayFormatter

import parlour
from parlour.arena.standings import Standings
from parlour.boards import ResultTable, cell
from parlour.core import Game, Solution, Unsolved, Value
from tests.boards.reading import classed, parsed
from tests.boards.test_drawing import NASTY
from tests.variants import VARIANTS

LARGEST = 120_000  # characters: a notebook that holds hundreds of them still opens


@dataclass(frozen=True)
class Halving(Game):
    """Take at most half of the heap."""

    heap: int = parlour.option(9, "the coins")

    def start(self):
        return (0, self.heap)

    def turn(self, state):
        return state[0]

    def moves(self, state):
        return tuple((n,) for n in range(1, state[1] // 2 + 1))

    def play(self, state, move):
        return (1 - state[0], state[1] - move[0])

    def result(self, state):
        return None if state[1] > 1 else (1 - 2 * state[0], 2 * state[0] - 1)


def trained():
    hats = parlour.hats("sticks", seed=1)
    parlour.train(hats, 20)
    return hats


THINGS = {
    "variants": lambda: VARIANTS,
    "a stranger's game": lambda: [Halving(), parlour.show(Path("examples/kayles.py"))],
    "solutions": lambda: (
        [
            parlour.solve(game)
            for game in (
                "nim",
                "sticks",
                "tictactoe",
                "chopsticks dies_at=3 loops=barred",
                Halving(),
            )
        ]
        + [parlour.solve("nim piles=1000000,5")]
    ),
    "records": lambda: [
        parlour.match(game, ["random seed=1", "random seed=2"])
        for game in ("nim", "othello columns=4 rows=4", "tictactoe", Halving())
    ],
    "standings": lambda: [parlour.tournament("nim", ["random seed=1", "perfect", "benedict"])],
    "atlases": lambda: [
        parlour.atlas("nim", {"misere": [False, True]}, {"piles": (1, 2)}),
        parlour.atlas("nim", {"piles": [(a, b) for a in range(25) for b in range(25)]}),
    ],
    "hats": lambda: [trained(), parlour.hats("tictactoe", "menace"), trained().tally],
    "words": lambda: [parlour.explain("nim"), parlour.playouts("nim", 10)],
    "pictures": lambda: [parlour.show("othello"), parlour.show("nim", "1,2:1")],
}


@pytest.mark.parametrize("name", THINGS)
def test_a_notebook_shows_it_as_html_and_a_terminal_as_before(name):
    for thing in THINGS[name]():
        data, _ = DisplayFormatter().format(thing)
        html = data["text/html"]
        root = ElementTree.fromstring(html)  # noqa: S314  # our own
        assert "".join(root.itertext()).strip()
        assert len(html) < LARGEST
        assert not [each for each in root.iter() if each.tag.rpartition("}")[2] == "script"]
        for each in root.iter():
            assert not {"src", "href"} & each.attrib.keys()
            assert not [attribute for attribute in each.attrib if attribute.startswith("on")]
        assert "url(" not in html
        assert "@import" not in html
        assert "&lt;svg" not in html
        assert "_repr_html_" not in repr(thing)


def test_a_position_is_its_drawing_in_a_terminal_and_both_pictures_in_a_notebook():
    game = parlour.game("othello")
    shown = parlour.show(game)
    assert repr(shown) == game.draw(game.start())
    data, _ = DisplayFormatter().format(shown)
    assert {"text/plain", "text/html", "image/svg+xml"} <= data.keys()
    assert parlour.show("tictactoe", "XO------- X").state == parlour.game("tictactoe").read(
        "XO------- X"
    )


def test_values_of_another_game_and_impossible_widths_are_refused():
    for wrong in (parlour.solve("tictactoe columns=4"), parlour.solve("sticks"), 5):
        with pytest.raises(parlour.BadOption, match="it must be a solution of tictactoe"):
            parlour.show("tictactoe", values=wrong)
    for width in (0, -5, 10**9, "a"):
        with pytest.raises(parlour.BadOption, match="width cannot be"):
            parlour.show("tictactoe").to_png(width=width)


def test_values_on_a_position_are_those_of_the_solution():
    solution = parlour.solve("tictactoe")
    game = solution.game
    state = game.read("XO--X---- O")
    root = parsed(parlour.show(game, state, values=solution).to_svg())
    said = sorted("".join(each.itertext()) for each in classed(root, "badge"))
    outcomes = [solution.after(state, move) for move in game.moves(state)]
    assert said == sorted(
        value.outcome if value.plies is None else f"{value.outcome} {value.plies}"
        for value in outcomes
    )


def test_a_solution_says_its_value_and_its_counts():
    html = parlour.solve("tictactoe")._repr_html_()
    assert "draw for player 1 (X)" in html
    for number in ("390", "89", "148", "138", "765"):  # of the spec, by symmetry
        assert f">{number}<" in html


def test_a_solution_of_a_million_positions_is_not_listed():
    class Huge(Solution):
        method = "miracle"

        def value(self, state):
            return Value("win", 3)

        def counts(self):
            return {"win": 600_000, "loss": 400_000, "draw": 0, "end": 0}

        def __iter__(self):
            raise AssertionError("nobody reads a million rows")

    html = Huge(parlour.game("nim"))._repr_html_()
    assert "1,000,000" in html
    assert len(html) < 10_000


def test_what_a_solution_cannot_say_is_said_in_words():
    class Silent(Solution):
        def value(self, state):
            raise Unsolved("nobody knows")

        def counts(self):
            raise Unsolved("they are <many>")

    html = Silent(parlour.game("nim"))._repr_html_()
    assert "Nobody knows." in html
    assert "They are &lt;many&gt;." in html


def test_a_value_that_takes_a_search_is_not_searched_for_only_to_be_shown():
    class Slow(Solution):
        def is_proven(self, state):
            return False

        def value(self, state):
            raise AssertionError("searched")

        def counts(self):
            return {"win": 1, "loss": 0, "draw": 0, "end": 0}

    assert "takes another search" in Slow(parlour.game("nim"))._repr_html_()


def test_a_record_shows_its_moves_and_its_winner_even_without_the_game():
    record = parlour.Record("nim", {}, ("Ann", "Bob"), ("3 from 1", "4 from 2", "5 from 3"))
    record = replace(record, result=(1, -1))
    for each in (record, replace(record, game="unheard")):
        html = each._repr_html_()
        assert "Won by Ann" in html
        assert html.index("3 from 1") < html.index("4 from 2") < html.index("5 from 3")
    assert "parlour-board" in record._repr_html_()
    assert "parlour-board" not in replace(record, game="unheard")._repr_html_()


def test_a_record_never_opens_a_file_to_be_shown(tmp_path):
    path = tmp_path / "game.py"
    path.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    parlour.Record(str(path), {}, ("a", "b"))._repr_html_()
    assert not (tmp_path / "ran").exists()


def test_words_of_strangers_stay_words():
    record = parlour.Record("nim", {}, (NASTY, NASTY), ("3 from 1",), reason=NASTY, result=(1, -1))
    standings = parlour.tournament("nim", ["random seed=1", "perfect"])
    rows = tuple(replace(row, name=NASTY) for row in standings.rows)
    for thing in (
        record,
        replace(record, game=NASTY, moves=(NASTY,)),
        replace(standings, rows=rows),
    ):
        root = ElementTree.fromstring(thing._repr_html_())  # noqa: S314
        assert not [each for each in root.iter() if each.tag == "script"]
        assert not [each for each in root.iter() if "onclick" in each.attrib]


def test_long_tables_are_cut_and_say_so():
    html = cell("Many", ResultTable(("number",), [(n,) for n in range(1000)]).to_html())
    root = ElementTree.fromstring(html)  # noqa: S314
    assert len(list(root.iter("tr"))) == 51
    assert "and 950 more" in "".join(root.itertext())
    many = parlour.tournament("nim", ["random seed=1", "perfect"])
    many = Standings(**{**vars(many), "rows": many.rows[:1] * 300})
    assert many._repr_html_().count("<tr>") < 100


# Frames


def test_a_record_is_a_row_for_each_move():
    game = parlour.game("othello", columns=4, rows=4)
    record = parlour.match(game, ["random seed=1", "random seed=2"])
    frame = record.to_frame("pandas")
    states = [state for state, _ in record.replay(game)]
    assert list(frame["move"]) == list(record.moves)
    assert list(frame["seat"]) == [game.turn(state) for state in states[:-1]]
    assert list(frame["player"]) == [record.players[seat] for seat in frame["seat"]]
    assert list(frame["ply"]) == list(range(1, len(record.moves) + 1))
    assert len(replace(record, game="unheard").to_frame("pandas")) == len(record.moves)


def test_hats_are_a_row_for_each_kind_of_ball_and_the_shares_of_a_box_are_one():
    hats = trained()
    frame = hats.to_frame("pandas")
    for (player, position), box in frame.groupby(["player", "position"]):
        held = hats.contents(player - 1, hats.boxes.find(hats.game.read(position)))
        assert list(box["balls"]) == held
        assert box["share"].sum() == pytest.approx(1 if any(held) else 0)
    assert set(frame["player"]) == {1, 2}


def test_learning_curves_have_a_row_for_each_point():
    hats = trained()
    frame = hats.curves_to_frame("pandas")
    assert len(frame) == sum(map(len, hats.curves))
    last = frame[frame["player"] == 2].iloc[-1]
    point = hats.curves[1][-1]
    assert (last["games"], last["right"], last["of"]) == (point.games, point.right, point.of)
    scores = [odds.win + odds.draw / 2 for odds in point.odds if odds.opponent == "random"]
    assert last["random"] == pytest.approx(sum(scores) / len(scores))
