"""Our games and bots, and those of others, are found and made in one way."""

from pathlib import Path

import pytest

import parlour
from parlour.core import registry
from parlour.core.options import describe

BOT = "def choose(game, state):\n    return game.moves(state)[-1]\n"
CLASS = "class Odd:\n    name = 'odd'\n    def choose(self, game, state): ...\n"
KAYLES = Path("examples/kayles.py").read_text(encoding="utf-8")


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
    drop("anything.py", KAYLES)
    assert "kayles" in parlour.games()
    game = parlour.game("kayles", pins=5)
    assert parlour.match(game, [parlour.bot("random", seed=1)] * 2).result is not None
    with pytest.raises(parlour.BadOption, match="pins cannot be 0"):
        parlour.game("kayles", pins=0)


def test_two_claims_to_one_name_are_refused_naming_both():
    one = drop("one.py", CLASS)
    two = drop("two.py", CLASS)
    with pytest.raises(parlour.NameTaken, match="odd") as refusal:
        parlour.bot("odd")
    assert str(one) in str(refusal.value)
    assert str(two) in str(refusal.value)
    assert registry.problems() == [str(refusal.value)]


def test_a_contested_name_leaves_the_others_usable():
    drop("one.py", CLASS)
    drop("two.py", CLASS)
    drop("last.py", BOT)
    assert "last" in parlour.bots(parlour.game("nim"))
    assert "odd" not in parlour.bots(parlour.game("nim"))
    assert parlour.bot("last").name == "last"


def test_a_built_in_name_stays_with_the_built_in():
    mine = drop("mine.py", KAYLES.replace("kayles", "nim"))
    bot = drop("random.py", BOT)
    assert type(parlour.game("nim")).__module__ == "parlour.rules.nim"
    assert type(parlour.bot("random")).__module__ == "parlour.players.random_move"
    assert parlour.games() == ["chopsticks", "nim", "othello", "sticks", "tictactoe"]
    assert registry.problems() == [
        f"{mine} offers a game named 'nim', which is built in; rename it",
        f"{bot} offers a bot named 'random', which is built in; rename it",
    ]


def test_a_file_named_outright_comes_before_a_file_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(registry.FILES, "")
    drop("mine.py", KAYLES.replace("13", "14"))
    path = tmp_path / "kayles.py"
    path.write_text(KAYLES.replace("13", "15"), encoding="utf-8")
    assert parlour.game("kayles").pins == 14
    registry.add_files([path])
    assert parlour.game("kayles").pins == 15
    assert registry.problems() == []
    assert registry.file_of(registry.find("games", "kayles")) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("pass", "should define a game or a bot"),
        (KAYLES.replace("kayles", "nim"), "is built in"),
        (KAYLES.replace("def start(self)", "def start(self, more)"), "which fails: TypeError"),
        ("def (:", "does not load: SyntaxError"),
    ],
)
def test_a_file_named_outright_that_cannot_serve_is_refused(tmp_path, monkeypatch, text, why):
    monkeypatch.setenv(registry.FILES, "")
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(parlour.ParlourError, match=why):
        registry.add_files([path])
    assert parlour.games() == ["chopsticks", "nim", "othello", "sticks", "tictactoe"]


def test_names_are_found_in_any_case():
    drop("Last.py", BOT)
    assert parlour.game("NIM") == parlour.game("nim")
    assert parlour.bot("last").name == parlour.bot("LAST").name == "Last"


def test_imports_of_a_file_are_not_its_own_games_and_bots():
    imports = "from parlour.rules.nim import Nim\nfrom parlour.players.random_move import Random\n"
    path = drop("mine.py", imports + BOT)
    assert (parlour.games().count("nim"), registry.problems()) == (1, [])
    assert registry.find("bots", path)().name == "mine"
    with pytest.raises(parlour.BadFile, match="should define one game"):
        registry.find("games", path)


def test_two_files_with_the_same_text_are_two_modules(tmp_path):
    """A bot may keep its notes beside itself."""
    for name in ("one.py", "two.py"):
        text = "def choose(game, state):\n    return __file__\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
        bot = registry.find("bots", tmp_path / name)()
        assert bot.choose(None, None) == str(tmp_path / name)


def test_a_bot_that_does_not_play_a_game_is_not_listed_for_it():
    drop(
        "picky.py",
        "class Picky:\n    name = 'picky'\n    def choose(self, game, state): ...\n"
        "    def plays(self, game):\n        return 'well' if game.name == 'nim' else ''\n",
    )
    assert "picky" in parlour.bots(parlour.game("nim"))
    assert "picky" not in parlour.bots(parlour.game("othello"))


def test_a_broken_file_is_left_out_and_named():
    drop("broken.py", "def (:")
    drop("nameless.py", "class Bot:\n    def choose(self, game, state): ...\n")
    drop("leaving.py", "raise SystemExit")
    drop("good.py", BOT)
    assert "good" in parlour.bots(parlour.game("nim"))
    assert len(registry.problems()) == 3
    assert any("broken.py does not load: SyntaxError" in trouble for trouble in registry.problems())
    assert any("nameless.py needs a class attribute" in t for t in registry.problems())


def test_a_bot_need_not_say_how_well_it_plays():
    drop("odd.py", CLASS)
    assert "odd" in parlour.bots(parlour.game("nim"))
    assert parlour.bot("odd").plays(parlour.game("nim"))


@pytest.mark.parametrize(
    "method",
    [
        "    def __init__(self): 1 / 0\n",
        "    def plays(self, game): 1 / 0\n",
        "    def __init__(self, depth): ...\n",
    ],
)
def test_a_bot_that_fails_when_asked_is_left_out(method):
    drop("odd.py", CLASS + method)
    bots = parlour.bots(parlour.game("nim"))
    assert "random" in bots
    assert "odd" not in bots


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        ("bots", CLASS + "    def __init__(self, depth): ...\n", "missing a required argument"),
        ("games", KAYLES.replace("def write_move", "def written"), "lacks write_move"),
        ("games", KAYLES.replace("pins: int", "pins: dict"), "Kayles.pins is declared as dict"),
        ("games", KAYLES.replace("option(13, ", "option(about="), "give pins a default"),
        ("games", KAYLES.replace('ClassVar[str] = "kayles"', "ClassVar[int] = 3"), "needs a class"),
    ],
)
def test_a_file_that_cannot_serve_is_refused_with_the_reason(kind, text, why):
    path = drop("odd.py", text)
    with pytest.raises(parlour.BadFile, match=why):
        registry.find(kind, path)
    with pytest.raises(parlour.BadFile, match=why):
        registry.find(kind, str(path), files=True)
    [trouble] = registry.problems()
    assert why in trouble
    assert "random" in parlour.bots(parlour.game("nim"))
    with pytest.raises(parlour.UnknownName, match=why):  # its name is refused with the same reason
        parlour.game("odd")


def test_a_bot_whose_constructor_fails_is_refused_by_name():
    drop("odd.py", CLASS + "    def __init__(self): 1 / 0\n")
    with pytest.raises(parlour.BadFile, match="odd cannot be made: ZeroDivisionError"):
        registry.build("bots", "odd")


def test_a_name_never_opens_a_file(tmp_path):
    """Names come out of records and web pages, and to open a file is to run it."""
    path = tmp_path / "mine.py"
    path.write_text(BOT + f"open({str(tmp_path / 'ran')!r}, 'w').close()\n", encoding="utf-8")
    for ask in (registry.build, registry.find):
        for kind in registry.KINDS:
            with pytest.raises(parlour.UnknownName, match="there is no"):
                ask(kind, str(path))
    assert not (tmp_path / "ran").exists()


def test_a_file_can_be_named_outright(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(BOT, encoding="utf-8")
    nim, state = parlour.game("nim"), (0, 3, 1, 2)
    assert registry.bot(str(path)).choose(nim, state) == (1, 2)
    path.write_text(BOT.replace("[-1]", "[0]"), encoding="utf-8")
    assert registry.bot(str(path)).choose(nim, state) == (0, 1)
    with pytest.raises(parlour.BadFile, match="should define one game"):
        registry.find("games", str(path), files=True)
    with pytest.raises(parlour.BadFile, match="cannot read"):
        registry.find("games", str(tmp_path / "nowhere.py"), files=True)
    path.write_text(CLASS + BOT, encoding="utf-8")
    with pytest.raises(parlour.BadFile, match="should define only one bot, not 2"):
        registry.bot(str(path))


def test_a_game_and_a_bot_are_given_as_everywhere_else():
    kayles = parlour.game("examples/kayles.py", pins=5)
    assert kayles == parlour.game("examples/kayles.py pins=5")
    assert kayles == parlour.game(type(kayles), pins=5) == parlour.game(kayles)
    assert parlour.game(kayles, pins=6).pins == 6
    assert parlour.game("nim misere=yes", piles=(4, 5)) == parlour.game(
        parlour.game("nim", misere=True), piles=(4, 5)
    )
    mine = parlour.bot("examples/my_bot.py")
    assert mine.name == parlour.bot(Path("examples/my_bot.py")).name == "my_bot"
    assert parlour.bot(mine) is mine
    assert parlour.bot("random", seed=3) == parlour.bot("random seed=3")
    assert parlour.bot(parlour.bot("random"), seed=3) == parlour.bot("random seed=3")
    with pytest.raises(parlour.BadOption, match="bot cannot be 3"):
        parlour.bot(3)
    with pytest.raises(parlour.UnknownName, match="has no option 'seed'"):
        parlour.bot(lambda game, state: None, seed=3)


def test_unknown_names_are_refused_with_a_suggestion():
    with pytest.raises(parlour.UnknownName, match="no game 'nimm'; did you mean 'nim'"):
        parlour.game("nimm")
    with pytest.raises(parlour.UnknownName, match=r"no bot 'zzz'; choose .*random"):
        parlour.bot("zzz")


@pytest.mark.parametrize(
    ("text", "error", "why"),
    [
        ("random seed", parlour.BadText, "like seed=3"),
        ("random seed=x", parlour.BadOption, "seed cannot be 'x'"),
        ("random sead=3", parlour.UnknownName, "did you mean 'seed'"),
        ("", parlour.UnknownName, "no bot ''"),
        ("random seed='3", parlour.BadText, "unclosed quotation mark"),
    ],
)
def test_a_bot_with_wrong_options_is_refused(text, error, why):
    with pytest.raises(error, match=why):
        registry.build("bots", text)


def test_a_described_bot_can_be_read_back():
    drop(
        "chatty.py",
        "import parlour\nfrom dataclasses import dataclass\n@dataclass\nclass Chatty:\n"
        "    name = 'chatty'\n    motto: str = parlour.option('', 'what it says')\n"
        "    def choose(self, game, state): ...\n",
    )
    for motto in ("", "Well met", 'it\'s "so"', "back\\slash", "a=b", " "):
        bot = parlour.bot("chatty", motto=motto)
        assert registry.build("bots", describe(bot)) == bot


def test_a_bot_with_options_is_read():
    assert registry.build("bots", "random seed=3").seed == 3
    assert registry.build("bots", "random").seed is None


def test_models_and_addresses_are_spelled_out():
    for words, whole in {
        ("net.onnx", "seed=3"): ["onnx", "model=net.onnx", "seed=3"],
        ("model.zip", "sample=yes"): ["sandbox", "bot=model.zip sample=yes"],
        ("HTTP://a.b:1/c.zip",): ["http", "url=HTTP://a.b:1/c.zip"],
        ("random", "seed=3"): ["random", "seed=3"],
        ("my_bot.py",): ["my_bot.py"],
    }.items():
        assert registry._spell_out(list(words)) == whole


def test_a_name_from_elsewhere_opens_no_model(tmp_path):
    (tmp_path / "net.onnx").write_bytes(b"not opened")
    for name in (str(tmp_path / "net.onnx"), "onnx model=x", "sandbox", "stable-baselines3"):
        with pytest.raises(parlour.ParlourError):
            registry.build("bots", name)
