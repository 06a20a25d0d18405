"""A position as a picture that needs nothing else: its colours, its words, its letters."""

import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
import resvg_py
from PIL import Image

from parlour import boards
from parlour.boards import Mark
from parlour.core import registry
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe
from tests.boards.reading import SVG, classed, parsed, some
from tests.boards.test_drawing import NASTY
from tests.variants import VARIANTS

SHEET = (Path(boards.__file__).parent / "static" / "tokens.css").read_text()
DAY, NIGHT = (dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in SHEET.split("@media", 1))
KAYLES, HEXAPAWN = (
    registry.find("games", Path(f"examples/{name}.py"))() for name in ("kayles", "hexapawn")
)
ALL = [*VARIANTS, KAYLES, HEXAPAWN]


def colour(name: str) -> tuple[int, ...]:
    """A colour of the house, as a picture holds it."""
    return tuple(bytes.fromhex(DAY[name][1:]))


def to_svg(game, state=None, **more):
    return replace(boards.show(game, state), **more).to_svg()


def to_png(game, state=None, *, width=480, **more):
    return replace(boards.show(game, state), **more).to_png(width)


def pixels(game, state=None, **more):
    """The picture, and a function from a place in the drawing to its colour there."""
    image = Image.open(io.BytesIO(to_png(game, state, width=1200, **more))).convert("RGB")
    svg = parsed(to_svg(game, state, **more))
    inner = next(svg.iter(f"{SVG}g")).find(f"{SVG}svg")
    scale = 1200 / float(svg.get("width"))
    zoom = float(inner.get("width")) / float(inner.get("viewBox").split()[2])
    edge = float(inner.get("x"))

    def at(x, y):
        return image.getpixel(tuple(round(scale * (edge + zoom * each)) for each in (x, y)))

    return image, at


@pytest.mark.parametrize("more", [False, True])
def test_a_picture_is_well_formed_says_what_it_shows_and_loads_nothing(more):
    for game in ALL:
        for before, last, state in some(game, most=3):
            marks = {game.write_move(move): Mark("win", plies=3) for move in game.moves(state)[:40]}
            given = {"last": last or None, "before": before, "marks": marks} if more else {}
            svg = to_svg(game, state, **given)
            root = parsed(svg)
            assert root.tag == f"{SVG}svg"
            assert root.find(f"{SVG}title").text
            said = re.sub(r"\s+", " ", game.draw(state)).strip()
            assert re.sub(r"\s+", " ", root.find(f"{SVG}desc").text).strip() == said
            assert not re.search(r"url\(|@import|href|<script|var\(--", svg)
            assert svg.count("http") == svg.count("http://www.w3.org/2000/svg")


def test_no_style_of_a_picture_reaches_its_surroundings():
    for game in ALL:
        style = parsed(to_svg(game)).find(f"{SVG}style").text
        day, _, night = style.partition("@media (prefers-color-scheme:dark){")
        heads = re.findall(r"(?:^|[}])([^{}]+)\{", day + night.removesuffix("}"))
        assert len(heads) > 3
        assert all(head.startswith(".parlour-board") for head in heads)


def test_by_night_the_colours_are_those_of_the_page_by_night():
    style = parsed(to_svg(Othello())).find(f"{SVG}style").text
    day, night = style.split("@media (prefers-color-scheme:dark)")
    for part, colours in ((day, DAY), (night, NIGHT)):
        for name, selector in (
            ("felt", ".felt"),
            ("disc-black", ".disc.black"),
            ("paper", ".plate"),
        ):
            assert f"{selector}{{fill:{colours[name]}" in part


def test_othello_in_a_png_has_the_discs_and_colours_of_the_page():
    game = Othello()
    state = game.play(game.start(), game.moves(game.start())[0])
    _, at = pixels(game, state)
    cells = game.write(state).split()[0]
    wanted = {"X": "disc-black", "O": "disc-white", "-": "felt", "*": "felt"}
    for number, cell in enumerate(cells):
        row, column = divmod(number, 8)
        corner = 14 + 3 * 8
        assert at(corner + 100 * column + 50, corner + 100 * row + 50) == colour(wanted[cell])


@pytest.fixture
def render(monkeypatch):
    """Render with other arguments than the boards give; the arguments given are kept."""
    own, asked = resvg_py.svg_to_bytes, []

    def install(**changed):
        monkeypatch.setattr(
            resvg_py,
            "svg_to_bytes",
            lambda **given: asked.append(given) or own(**{**given, **changed}),
        )
        return asked

    return install


def test_letters_are_drawn_on_a_computer_without_fonts(render):
    for game in (Othello(), Nim(piles=(10**9, 5)), HEXAPAWN):
        render(skip_system_fonts=True)
        with_letters = to_png(game)
        render(skip_system_fonts=True, font_files=[])
        assert to_png(game) != with_letters


def test_a_letter_that_the_font_lacks_is_left_to_the_fonts_of_the_computer(render):
    asked = render()

    class Pawns(type(HEXAPAWN)):
        marks = ("♙", "♟")

        def grid(self, state):
            return (("♙",),)

    to_png(Othello(), marks={"d3": Mark("win", score=3.0, exact=False)})
    to_png(Pawns())
    assert [given["skip_system_fonts"] for given in asked] == [True, False]
    assert "~+3" in asked[0]["svg_string"]
    assert "♙" in asked[1]["svg_string"]


def test_the_last_move_is_seen_with_the_state_before_it_or_without():
    for game in (*VARIANTS, HEXAPAWN):
        for before, last, state in some(game, most=4):
            if before is None:
                continue
            move = game.read_move(before, last)
            with_before = parsed(to_svg(game, state, last=last, before=before))
            alone = parsed(to_svg(game, state, last=move))
            for name in ("last", "ghost", "taken"):
                found = [len(classed(root, name)) for root in (with_before, alone)]
                assert found[0] == found[1]


def test_takes_leave_as_many_outlines_as_were_taken():
    game = Nim(piles=(3, 4, 5))
    state = game.play(game.start(), (1, 3))
    assert len(classed(parsed(to_svg(game, state, last=(1, 3))), "ghost")) == 3
    assert not classed(parsed(to_svg(game, state)), "ghost")


def test_every_value_is_on_the_drawing_or_listed_below_it_or_counted():
    for game in (*VARIANTS, KAYLES, HEXAPAWN):
        state = game.start()
        moves = game.moves(state)[:100]
        marks = {game.write_move(move): Mark("draw") for move in moves}
        root = parsed(to_svg(game, state, marks=marks))
        listed = [text.text for g in classed(root, "worth-list") for text in g.iter(f"{SVG}text")]
        more = sum(int(text.split()[1]) for text in listed if re.match(r"and \d+ more", text))
        shown = len([text for text in listed if not text.startswith("and ")])
        if not isinstance(game, Nim) or len(state) - 2 <= 60:  # more piles are not drawn
            assert len(classed(root, "badge")) + shown + more == len(marks)


def test_words_of_a_stranger_stay_words():
    class Nasty(type(KAYLES)):
        def draw(self, state):
            return NASTY

        def title(self, full=False):
            return NASTY

    svg = to_svg(Nasty(), marks={"1": Mark("win")})
    root = parsed(svg)
    assert NASTY.casefold() in root.find(f"{SVG}title").text.casefold()
    assert not [each for each in root.iter() if each.tag.endswith("script")]


def test_states_are_taken_as_text_and_the_start_by_default():
    game = TicTacToe()
    assert to_svg(game) == to_svg(game, game.start()) == to_svg(game, game.write(game.start()))
