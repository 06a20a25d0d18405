"""Two games in files of their own get everything that ours have, with no other change.

Hexapawn has neither loops nor draws; Three Men's Morris has both. Each file lies in the user's
folder, as any user's would, and is reached by its name from every part of the house.
"""

from __future__ import annotations

import html
import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.core import Match
from parlour.core.protocol import grid, squares, title
from parlour.faces.cli import main
from parlour.host import Reply, Session, reply
from tests.faces.web.house import Answer, Guest, OpenHouse, opened_in, wait_until
from tests.oracle import oracle

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = ("hexapawn", "three_mens_morris")
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("hexapawn", {}),
    ("hexapawn", {"columns": 2, "rows": 5}),
    ("three_mens_morris", {}),
    ("three_mens_morris", {"slides": "anywhere"}),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's data folder with both games in it."""
    found = tmp_path_factory.mktemp("third-party")
    bots = found / "parlour" / "bots"
    bots.mkdir(parents=True)
    for name in NAMES:
        shutil.copy(EXAMPLES / f"{name}.py", bots)
    return found


@pytest.fixture(autouse=True)
def _games_in_folder(_own_folder: None, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[OpenHouse]:
    with opened_in(folder) as found:
        yield found


# Rules and truth


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_it_is_lawful_and_solved_exactly(name: str, options: dict[str, Any]) -> None:
    game = parlour.game(name, **options)
    assert parlour.laws.check(game) == []
    solution = parlour.solve(game)
    for state, (outcome, plies) in oracle(game).values.items():
        value = solution.value(state)
        assert (value.outcome, value.plies) == (outcome, plies), game.write(state)


def test_their_known_values_hold() -> None:
    """Gardner's hexapawn is won by the second player; the centre wins Three Men's Morris."""
    hexapawn = parlour.game("hexapawn")
    assert parlour.solve(hexapawn).value(hexapawn.start()).outcome == "loss"
    assert parlour.solve(hexapawn).counts()["draw"] == 0
    morris = parlour.game("three_mens_morris")
    solution = parlour.solve(morris)
    assert tuple(solution.best(morris.start())) == ((4,),)
    assert solution.counts()["draw"] > 0
    barred = parlour.game("three_mens_morris", centre=False)
    assert parlour.solve(barred).value(barred.start()).outcome == "draw"


def test_play_may_go_round_in_circles_and_is_then_a_draw() -> None:
    game = parlour.game("three_mens_morris", slides="anywhere")
    record = parlour.match(game, [parlour.bot("perfect", seed=1), parlour.bot("perfect", seed=2)])
    assert record.result == (0, 0)
    assert record.reason == "the same position for the third time"


@pytest.mark.parametrize("name", NAMES)
def test_its_squares_are_those_its_moves_touch(name: str) -> None:
    """What a move changes on the board are the squares it names, and no others."""
    game: Any = parlour.game(name)
    for state, moves in oracle(game).after.items():
        before: Any = grid(game, state)
        for move, following in moves:
            after: Any = grid(game, following)
            changed = {
                (column, row)
                for row, (old, new) in enumerate(zip(before, after, strict=True))
                for column in range(len(old))
                if old[column] != new[column]
            }
            assert changed == set(squares(game, move))


# The command line


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command with what is typed at it; its output."""

    def call(*arguments: str, typed: str = "") -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main(list(arguments))
        out, err = capsys.readouterr()
        assert code == 0, err
        return out

    return call


FIRST = {"hexapawn": "b3-b2", "three_mens_morris": "b2"}
VALUE = {"hexapawn": "Loss in 6", "three_mens_morris": "Win in 9"}
LEAVES = {"hexapawn": "10", "three_mens_morris": "72"}  # after two plies
VARIED = {
    "hexapawn": ("--columns", "2-4"),
    "three_mens_morris": ("--slides", "all", "--centre", "all"),
}


@pytest.mark.parametrize(("name", "where"), [("hexapawn", "name"), ("three_mens_morris", "file")])
def test_every_command_takes_it(run: Any, name: str, where: str) -> None:
    named = name if where == "name" else str(EXAMPLES / f"{name}.py")
    start = parlour.game(name).write(parlour.game(name).start())
    assert VALUE[name] in run("solve", named)
    assert FIRST[name] in run("explain", named, start)
    assert f" {LEAVES[name]} " in run("perft", named, "--depth", "2")
    assert json.loads(run("atlas", named, *VARIED[name], "--json"))["rows"]
    played = run("play", named, "--seat", "human", "--seat", "perfect", typed=f"{FIRST[name]}\n")
    assert "Player 2" in played
    assert "plays" in played


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_hats_learn_it(run: Any, name: str) -> None:
    run("train", name, "--games", "200", "--seed", "1", "--name", f"some_{name}")
    assert "200 games" in run("hats")
    assert "hats" in parlour.bots(parlour.game(name))
    hats = parlour.hats(parlour.game(name), seed=1)
    parlour.train(hats, 50)
    assert hats.games == 50


@pytest.mark.parametrize("name", NAMES)
def test_bots_meet_in_it(run: Any, name: str, tmp_path: Path) -> None:
    who = ("--bots", "perfect", "random seed=1", "--games", "4", "--seed", "1")
    said = run("tournament", name, *who, "--folder", str(tmp_path / "t"), "--workers", "1")
    assert "perfect" in said
    assert len((tmp_path / "t" / "games.jsonl").read_text().splitlines()) == 4


# Benedict


def talk(*lines: str, session: Session | None = None) -> Reply:
    last = Reply(session or Session(seed=1), ())
    for line in lines:
        last = reply(last.session, line)
    return last


SAID = {
    "hexapawn": ("hexapawn", "Hexapawn"),
    "three_mens_morris": ("three mens morris", "Three Men's Morris", "three_mens_morris"),
}


def test_benedict_sets_it_up_by_name() -> None:
    for name, spellings in SAID.items():
        for said in spellings:
            table = talk(f"Let's play {said}, I start").session.table
            assert table is not None, said
            assert (table.game, table.players[0]) == (name, "human")


@pytest.mark.parametrize("name", NAMES)
def test_benedict_plays_it_and_talks_about_it(name: str) -> None:
    game = parlour.game(name)
    begun = talk(f"play {title(game)} against perfect, I start")
    assert begun.lines[0] == f"{title(game)}."
    assert begun.board == game.draw(game.start())
    hint = " ".join(talk("hint", session=begun.session).lines)
    assert f"Play {FIRST[name]}." in hint
    winning = " ".join(talk("who is winning?", session=begun.session).lines)
    assert winning.startswith({"hexapawn": "I can win", "three_mens_morris": "You can win"}[name])
    what_if = " ".join(talk(f"what if {FIRST[name]}?", session=begun.session).lines)
    assert FIRST[name] in what_if
    moved = talk(f"{FIRST[name]}", session=begun.session)
    assert moved.session.table is not None
    assert len(moved.session.table.moves) == 2
    assert moved.session.table.moves[0] == FIRST[name]
    answer = moved.session.table.moves[1]
    assert answer in " ".join(talk("why?", session=moved.session).lines)
    spoken = talk(f"I play {FIRST[name]}, please", session=begun.session)
    assert spoken.session.table == moved.session.table
    back = talk("undo", session=moved.session)
    assert back.session.table is not None
    assert back.session.table.moves == ()
    first = game.write_move(game.moves(game.start())[0])
    rules = talk("rules", session=begun.session).lines
    assert rules[-1] == f"Type a move as it is written, like '{first}'."


@pytest.mark.slow
def test_benedict_hears_its_options_and_says_who_wins() -> None:
    table = talk("play hexapawn with 4 columns, you start").session.table
    assert table is not None
    assert (table.options["columns"], table.options["rows"]) == (4, 3)
    assert talk("play 4x5 hexapawn").session.table.options == {"columns": 4, "rows": 5}
    assert talk("who wins hexapawn?").lines == (
        "The second player wins hexapawn, in 6 plies at most.",
        "Every first move loses.",
    )
    assert talk("who wins hexapawn with 4 columns?").lines[0].startswith("The first player wins")
    slides = talk("who wins three mens morris, sliding anywhere?").lines[0]
    assert slides == "Three Men's Morris, sliding anywhere is a draw, if neither side errs."
    assert talk("what is hexapawn?").lines[0].startswith("Each side has 3 pawns")


# The web


def plain(markup: str) -> str:
    """The words of a page's main part."""
    main_part = re.search("<main.*</main>", markup, re.DOTALL)
    text = re.sub(r"<(script|svg).*?</\1>", " ", main_part[0] if main_part else markup, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def look(guest: Guest, path: str) -> Answer:
    """A page, once everything on it is worked out."""

    def finished() -> Answer | None:
        page = guest.get(path)
        assert page.status == 200, page.said
        return None if "data-again" in page.text or "Working it out" in page.text else page

    found: Answer = wait_until(finished)
    return found


def clickable(page: Answer) -> set[str]:
    """The moves that a click on a square of the board makes."""
    (board,) = re.findall(r'<div class="squares.*?</form>', page.text, re.DOTALL)
    return set(map(html.unescape, re.findall(r'name="move" value="([^"]+)"', board)))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_move_is_a_click_on_the_board(house: OpenHouse, name: str) -> None:
    game = parlour.game(name)
    table = house.table(name, [{"kind": "open"}, {"kind": "bot", "bot": "perfect"}])
    guest = house.sitting(table, 0)
    match = Match(game, ["Ann", "perfect"])
    while not match.over and len(match.moves) < 12:
        page = guest.get(f"/tables/{table}")
        assert 'class="board board-squares"' in page.text
        assert clickable(page) == set(map(game.write_move, game.moves(match.state)))
        move = sorted(clickable(page))[0]
        form = {"move": move, "at": len(match.moves)}
        assert guest.post(f"/tables/{table}/move", form).status == 303
        match.play(game.read_move(match.state, move))
        if not match.over:
            moves = wait_until(lambda held=match: house.read(table).moves[len(held.moves) :])
            match.play(game.read_move(match.state, moves[0]))
    assert len(match.moves) >= 4
    if match.over:
        assert not clickable(guest.get(f"/tables/{table}"))


def test_a_piece_is_picked_up_and_shows_where_it_can_go(house: OpenHouse) -> None:
    """Without a script: the piece is a radio button, and its targets follow it."""
    table = house.table("hexapawn", [{"kind": "open"}, {"kind": "open"}])
    ann = house.sitting(table, 0)
    house.sitting(table, 1)
    page = ann.get(f"/tables/{table}").text
    (piece,) = re.findall(r'<div class="source"><input[^>]*id="sq-b3".*?</div>', page)
    assert 'aria-label="b3, white: pick up"' in piece
    assert re.findall('name="move" value="([^"]+)"', piece) == ["b3-b2"]
    assert "Hexapawn: white to move" in page


@pytest.mark.parametrize("name", NAMES)
def test_it_is_offered_shown_and_set_up(house: OpenHouse, name: str) -> None:
    guest = house.browser()
    called = title(parlour.game(name))
    assert called in plain(guest.get("/").text)
    assert plain(guest.get(f"/new/{name}").text).startswith(called)
    assert "perfect" in plain(look(guest, f"/new/{name}").text)
    assert guest.get(f"/new/{name}/settings").status == 200
    assert called in plain(guest.get("/school").text)
    assert called in plain(guest.get("/tournaments").text)


@pytest.mark.parametrize("name", NAMES)
def test_the_table_shows_values_and_reasons(house: OpenHouse, name: str) -> None:
    table = house.table(name, [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    guest = house.sitting(table, 0)
    said = plain(look(guest, f"/tables/{table}?view=values").text)
    assert f"{FIRST[name]} {VALUE[name].lower()}" in said
    why = plain(look(guest, f"/tables/{table}?view=values&why={FIRST[name]}").text)
    assert FIRST[name] in why


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_lab_says_who_wins(house: OpenHouse, name: str) -> None:
    who = {"hexapawn": "second player wins in 6", "three_mens_morris": "first player wins in 9"}
    guest = house.browser()
    page = look(guest, f"/lab/{name}")
    assert f"The {who[name]} moves" in plain(page.text)
    assert clickable(page)
    moved = guest.post(f"/lab/{name}/move", {"move": FIRST[name]})
    assert moved.status == 303
    assert look(guest, moved.headers["location"]).status == 200


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_it_is_reviewed(house: OpenHouse, name: str) -> None:
    game = parlour.game(name)
    record = parlour.match(game, [parlour.bot("perfect", seed=1), parlour.bot("random", seed=1)])
    guest = house.browser()
    sent = guest.post("/analyse", {"record": record.to_json()})
    assert sent.status == 303, sent.said
    said = plain(look(guest, sent.headers["location"]).text)
    assert f"1. perfect seed=1: {record.moves[0]} best" in said


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_class_learns_it_and_bots_meet_on_the_web(house: OpenHouse, name: str) -> None:
    guest = house.browser()
    begun = guest.post("/school", {"game": name, "games": 20, "seed": 1})
    assert begun.status == 303, begun.said
    training = begun.headers["location"].removeprefix("/school/")
    wait_until(lambda: house.store.trainings.get(training).state != "on")
    assert house.store.trainings.get(training).state == "done"
    assert guest.get(begun.headers["location"]).status == 200
    meet = guest.post("/tournaments", {"game": name, "bot": ["perfect", "random"], "rounds": 1})
    assert meet.status == 303, meet.said
    meeting = meet.headers["location"].rpartition("/")[2]
    wait_until(lambda: house.store.tournaments.get(meeting).state == "done")
    assert "perfect" in plain(guest.get(meet.headers["location"]).text)
