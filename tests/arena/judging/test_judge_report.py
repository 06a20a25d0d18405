"""The page, the notebook and the frames of a judgement say what it found."""

import json
import re
from itertools import pairwise

import pytest
from tests.arena.page import Page

import parlour
from parlour import arena
from parlour.arena.charts import SHARE, Point, Series, draw_lines
from parlour.drawing import Ellipse, Group, Polyline, TextLine


def first(game, state):
    return game.moves(state)[0]


class Evil:
    """A player whose name and report are markup."""

    name = "<script>alert(1)</script>"

    def choose(self, game, state):
        raise ValueError("<img src=x onerror=alert(1)>")

    def report(self):
        return {"<b>cost</b>": "<i>4</i>", "tokens": {"in": 1234567}}


@pytest.fixture(scope="module")
def judged():
    return parlour.judge("tictactoe", first)


def test_the_page_has_the_figures_and_links_to_the_positions(judged):
    page = arena.render_judgement(judged, date="2031-01-02", site="http://example.org/")
    taken = Page(page)
    text = taken.text
    assert f"{100 * judged.right:.1f} %" in text
    assert f"{judged.regret:.3f}" in text
    worst = judged.describe_finding(judged.mistakes[0])
    assert f"http://example.org{worst['address']}" in taken.links
    assert all(link.startswith("http://example.org/lab/tictactoe?") for link in taken.links)
    assert worst["best"][0] in text
    for chart in ("Right choices by kind", "Right choices by plies from the start"):
        assert chart in page
    assert "2031-01-02" in text


def test_a_page_needs_nothing_from_outside(judged):
    page = arena.render_judgement(judged)
    assert not Page(page).links
    assert not re.search(r"(?:src|href|url)\s*[=(]\s*[\"']?(?:https?:)?//", page)


def test_a_comparison_and_a_curve_have_pages():
    one, other = parlour.judge("nim", first), parlour.judge("nim", "random")
    found = one.compare(other)
    text = Page(arena.render_judgement(found)).text
    assert found.verdict in text
    assert "Holm" in text
    curve = parlour.judge("nim", {"early": "random", "late": "perfect"})
    text = Page(arena.render_judgement(curve)).text
    assert curve.verdict in text
    assert "Every checkpoint was judged in the same situations." in text
    with pytest.raises(parlour.BadOption):
        arena.render_judgement("random")


def test_the_first_fault_is_explained():
    found = parlour.judge("nim piles=1,2", lambda game, state: game.moves(state)[99])
    assert "crash; the first: IndexError: " in str(found)
    text = Page(arena.render_judgement(found)).text
    assert "The first: IndexError: " in text
    assert not parlour.judge("nim piles=1,2", first).first_fault


def test_names_and_reports_are_escaped():
    found = parlour.judge("nim piles=1,2", Evil())
    curve = parlour.judge("nim piles=1,2", {"<u>a</u>": Evil(), "b": first})
    pages = [
        arena.render_judgement(found),
        arena.render_judgement(curve),
        found._repr_html_(),
        curve._repr_html_(),
        found.compare(parlour.judge("nim piles=1,2", first))._repr_html_(),
    ]
    for page in pages:
        for markup in ("<script>alert", "<img", "<b>cost", "<u>a", "<i>4"):
            assert markup not in page
    assert "1,234,567" in pages[0]
    assert "&lt;b&gt;cost" in pages[0]


def test_an_estimate_says_so_everywhere():
    found = parlour.judge("othello columns=5 rows=5", "random", sample=3)
    texts = [str(found), arena.render_judgement(found), found._repr_html_()]
    assert all("estimate" in text for text in texts)
    assert all("≈" in text for text in texts)
    assert "estimated" in found.compare(found).verdict
    assert "/analyse/othello/walk?" in found.describe_finding(found.mistakes[0])["address"]


def test_everything_is_plain_data_and_a_frame(judged):
    data = json.loads(json.dumps(judged.to_dict()))
    assert data["right"] == judged.right
    assert len(data["mistakes"]) == len(judged.mistakes)
    regrets = [each["regret"] for each in data["mistakes"]]
    assert regrets == sorted(regrets, reverse=True)
    game = judged.game
    for each in data["mistakes"]:
        state = game.read(each["position"])
        best = parlour.solve(game).best(state)
        assert {game.write_move(move) for move in best} <= set(each["best"])
        [chosen] = each["chosen"]
        assert chosen not in each["best"]
    frame = judged.to_frame()
    assert len(frame) == len(judged.findings)
    critical = frame[frame["critical"]]
    assert critical["right"].mean() == pytest.approx(judged.right)
    assert critical["regret"].mean() == pytest.approx(judged.regret)


def test_it_shows_itself_in_a_notebook(judged):
    html = judged._repr_html_()
    assert judged.summary[2] in html
    assert "<svg" in html
    assert repr(judged).startswith("<first judged in tictactoe")
    assert f"{judged.right:.1%}" in repr(judged)


def test_a_curve_runs_from_edge_to_edge_at_the_height_of_its_values():
    for number in (2, 3, 30):
        points = [Point(str(n), n / (number - 1), None, f"{n} games") for n in range(number)]
        series = [Series("ann", points, about="ann")]
        picture = draw_lines("Learning", series, SHARE, below="games")
        groups = [each for each in picture.shapes if isinstance(each, Group)]
        [curve] = [s for group in groups for s in group.shapes if isinstance(s, Polyline)]
        markers = [s for group in groups for s in group.shapes if isinstance(s, Ellipse)]
        assert [(each.x, each.y) for each in markers] == list(curve.points)
        across, down = zip(*curve.points, strict=True)
        steps = [after - before for before, after in pairwise(across)]
        assert steps == pytest.approx([steps[0]] * (number - 1))
        rises = [before - after for before, after in pairwise(down)]
        assert rises == pytest.approx([(down[0] - down[-1]) / (number - 1)] * (number - 1))
        rows = [shape for shape in picture.shapes if isinstance(shape, Polyline)]
        left, right = (pick(x for row in rows for x, _ in row.points) for pick in (min, max))
        assert (across[0], across[-1]) == pytest.approx((left, right))
        texts = [shape for shape in picture.shapes if isinstance(shape, TextLine)]
        shown = [text.words for text in texts if text.words.isdecimal()]
        assert (shown[0], len(shown) <= 12) == ("0", True)
        assert groups[-1].about == f"{number - 1} games"


def test_a_point_of_a_chart_says_what_it_stands_for(judged):
    *_, last = judged.chart_depths().shapes
    share, of = 100 * judged.by_depth[7].right, judged.by_depth[7].critical
    assert last.about == f"7: {share:.1f} % of {of} situations"
