"""One door for our games and bots and for everybody's."""

from __future__ import annotations

import pytest

import parlour
from parlour.core import registry

BOT = "def choose(game, state):\n    return game.moves(state)[-1]\n"


def drop(name, text):
    folder = registry.folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_the_built_in_games_come_by_entry_points():
    assert parlour.games() == ["chopsticks", "nim", "othello", "sticks", "tictactoe"]


def test_a_function_in_a_dropped_file_is_a_bot():
    drop("last.py", BOT)
    assert "last" in parlour.bots(parlour.game("nim"))
    game = parlour.game("nim")
    record = parlour.match(game, [parlour.bot("last"), parlour.bot("last")])
    assert record.players == ("last", "last")
    assert record.moves[0] == "5 from 3"


def test_a_dropped_class_is_a_game_and_can_be_played():
    with open("examples/kayles.py", encoding="utf-8") as file:  # noqa: PTH123  # as a user would
        drop("anything.py", file.read())
    assert "kayles" in parlour.games()
    game = parlour.game("kayles", pins=5)
    assert parlour.match(game, [parlour.bot("random", seed=1)] * 2).result is not None
    with pytest.raises(parlour.BadOption, match="pins cannot be 0"):
        parlour.game("kayles", pins=0)


def test_two_claims_to_one_name_are_refused_naming_both():
    path = drop("random.py", BOT)
    with pytest.raises(parlour.NameTaken, match="random") as refusal:
        parlour.bot("random")
    assert str(path) in str(refusal.value)
    assert "parlour.players" in str(refusal.value)


def test_a_broken_file_is_left_out_and_named():
    drop("broken.py", "def (:")
    drop("nameless.py", "class Bot:\n    def choose(self, game, state): ...\n")
    drop("leaving.py", "raise SystemExit")
    drop("good.py", BOT)
    assert "good" in parlour.bots(parlour.game("nim"))
    assert len(registry.troubles()) == 3
    assert any("broken.py does not load: SyntaxError" in trouble for trouble in registry.troubles())
    assert any("nameless.py needs a class attribute" in t for t in registry.troubles())


def test_a_file_can_be_named_outright(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(BOT, encoding="utf-8")
    assert registry.read_bot(str(path)).choose(parlour.game("nim"), (0, 3, 1, 2)) == (1, 2)
    path.write_text(BOT.replace("[-1]", "[0]"), encoding="utf-8")
    assert registry.read_bot(str(path)).choose(parlour.game("nim"), (0, 3, 1, 2)) == (0, 1)
    with pytest.raises(parlour.BadFile, match="should define one game"):
        parlour.game(str(path))
    with pytest.raises(parlour.BadFile, match="cannot read"):
        parlour.game(str(tmp_path / "nowhere.py"))


def test_unknown_names_are_refused_with_a_suggestion():
    with pytest.raises(parlour.UnknownName, match="no game 'nimm'; did you mean 'nim'"):
        parlour.game("nimm")
    with pytest.raises(parlour.UnknownName, match="no bot 'zzz'; there is random"):
        parlour.bot("zzz")


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("random seed", parlour.BadText, "like seed=3"),
        ("random seed=x", parlour.BadOption, "seed cannot be 'x'"),
        ("random sead=3", parlour.UnknownName, "did you mean 'seed'"),
        ("", parlour.UnknownName, "no bot ''"),
    ],
)
def test_a_bot_with_wrong_options_is_refused(text, error, why):
    with pytest.raises(error, match=why):
        registry.read_bot(text)


def test_a_bot_with_options_is_read():
    assert registry.read_bot("random seed=3").seed == 3
    assert registry.read_bot("random").seed is None
