"""What a game declares beyond its rules is used everywhere; what it leaves out has a default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour import boards
from parlour.core import extra, options_of, registry
from parlour.host import Session, reply
from parlour.players import reskin
from parlour.rules import Nim

PLAIN = '''
import parlour

class {name}(parlour.Game):
    """Take one, two or three of 9 counters; who takes the last wins."""
    loops, impartial = "never", True
    {extras}
    def start(self): return (0, 9)
    def turn(self, state): return state[0]
    def moves(self, state): return range(1, min(3, state[1]) + 1)
    def play(self, state, move): return (1 - state[0], state[1] - move)
    def result(self, state): return None if state[1] else ((-1, 1), (1, -1))[state[0]]
'''
OWN = """
from parlour.boards import Drawn
from parlour.truth.explain import Explainer, fact

class Counters:
    def draw(view):
        circles = '<circle r="9"/>' * view.state[1]
        return Drawn("counters", "some counters", 640, 40, circles, tuple(view.marks))

class Reasons(Explainer):
    sentences = Explainer.sentences | {"leaves": lambda wording, left: f"{left} counters are left"}

    def move_reasons(self, game, solution, state, move):
        return [fact("leaves", left=state[1] - move)]

def read(game, state, words):
    return next((word for word in words if word.isdecimal()), None)
"""
EXTRAS = """extras = parlour.Extras(
        board=Counters, explainer=Reasons, reader=read, reader_words=("clear", "away"),
        reason=lambda game: ("Whatever is taken is made up to four.",),
        spoken_name="counters", about="Nine counters.", easier_bot="random", place=0,
    )
"""


@pytest.fixture
def games(_own_folder: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Two games in files of their own: one with extras, and the same without."""
    folder = tmp_path / "parlour" / "bots"
    folder.mkdir(parents=True)
    (folder / "bare.py").write_text(PLAIN.format(name="Bare", extras=""))
    (folder / "counting.py").write_text(OWN + PLAIN.format(name="Counting", extras=EXTRAS))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return parlour.game("counting"), parlour.game("bare")


def talk(*lines: str) -> Any:
    said = reply(Session(seed=1), lines[0])
    for line in lines[1:]:
        said = reply(said.session, line)
    return said


def test_what_a_file_declares_is_used_everywhere(games: tuple[Any, Any]) -> None:
    game = games[0]
    start = game.start()
    assert boards.picture(game, start).count("<circle") == 9
    page = boards.board(game, start, playable=True)
    assert page.count("<circle") == page.count("<button") * 3 == 9
    assert parlour.show(game)._repr_svg_().count("<circle") == 9
    assert "6 counters are left" in parlour.explain(game, start, 3).sentences
    table = talk(
        "play counting against perfect, I start", "could I clear three away?"
    ).session.table
    moved = talk("play counting against perfect, I start", "clear 2 away please").session.table
    assert (table.moves, moved.moves[0]) == ((), "2")
    assert talk("who wins counting?").lines[-1] == "Whatever is taken is made up to four."
    assert "counters" in talk("let's play a game").choices
    from parlour.faces.web.forms import order_games
    from parlour.faces.web.lobby import _card

    assert order_games()[0] == "counting"
    card = _card("counting", "en")
    assert (card["about"], card["easier"], "<circle" in card["picture"]) == (
        "Nine counters.",
        True,
        True,
    )


def test_a_game_without_any_has_the_defaults(games: tuple[Any, Any]) -> None:
    game = games[1]
    assert "<circle" not in boards.board(game, game.start(), playable=True)
    assert parlour.explain(game, game.start(), 3).sentences
    assert talk("play bare against perfect, I start", "2").session.table.moves[0] == "2"
    assert parlour.playouts(game, 10).plies > 0
    assert reskin(game, 1).rules_text()
    assert "minimax" in parlour.bots(game)
    assert "benedict" not in parlour.bots(game)


def test_everything_that_our_games_name_is_there() -> None:
    for claim in registry.claims("games").values():
        cls = claim.load()
        declared = cls.extras
        for name in vars(declared):
            extra(cls, name)
        known = options_of(cls).keys()
        for options in (declared.choices, declared.unusual_choices, *declared.puzzle_variants):
            assert options.keys() <= known
        for field in ("quick_options", "menu_options", "solved_options", "his_options"):
            registry.build("games", cls, getattr(declared, field))


def test_what_is_named_and_not_there_is_named_in_the_error() -> None:
    class Wrong(Nim):
        extras = parlour.Extras(board="parlour.boards.nowhere")

    with pytest.raises(parlour.BadFile, match="nowhere', which cannot be loaded"):
        boards.picture(Wrong(), Wrong().start())


def test_a_subclass_inherits_them_unless_it_changes_the_rules() -> None:
    class Named(Nim):
        name = "named"

    class Backwards(Nim):
        def result(self, state: Any) -> Any:
            found = super().result(state)
            return found and tuple(-each for each in found)

    assert extra(Named(), "board") is extra(Nim(), "board")
    assert extra(Backwards(), "board") is extra(Backwards(), "method") is None
    assert parlour.solve(Backwards(piles=(1,))).value((0, 3, 1)).outcome == "loss"
