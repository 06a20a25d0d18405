"""What an older version of Parlour has stored opens in this one, and goes on.

The folder `fixtures` holds, for each such version, a data folder, the database of the web, a league
and single files, as that version wrote them. Everything is copied before it is used, and is reached
as users reach it: by the command, on the web, and by the public names of `parlour`.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.__main__ import main
from tests.faces.web.house import Guest, OpenHouse, lift_limits, opened_in, wait_until
from tests.terminal import Terminal, open_terminal  # noqa: F401  # a fixture

STORED = Path(__file__).parent / "fixtures" / "version_0_1"
VISITORS = json.loads((STORED / "visitors.json").read_text("utf-8"))
TABLES, CLASSES, TOURNAMENTS = (VISITORS[each] for each in ("tables", "classes", "tournaments"))
STOPPED = 120.0  # seconds ago: when the old server was stopped, as the tests pretend


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of everything, in use as the user's own data folder."""
    copy = tmp_path / "stored"
    shutil.copytree(STORED, copy)
    monkeypatch.setenv("XDG_DATA_HOME", str(copy / "data"))
    monkeypatch.chdir(tmp_path)
    return copy


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints when it succeeds."""
    code = main(arguments)
    printed = capsys.readouterr()
    assert code == 0, printed.err
    return printed.out


def inodes(folder: Path) -> dict[str, tuple[int, int]]:
    """The files of a folder; one that was written anew differs."""
    found = {path.name: path.stat() for path in folder.iterdir() if not path.name.startswith(".")}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in found.items()}


# The database of the web


def restore(path: Path) -> None:
    """Make the database file again, with all its times moved close to now.

    Otherwise clocks would have run out, and the server would discard what is left for long.
    """
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript((STORED / "parlour.sql").read_text("utf-8"))
        kinds = ("tables", "setups", "talks", "trainings", "tournaments", "pairings")
        newest = max(
            database.execute(f"SELECT max(changed) FROM {kind}").fetchone()[0]  # noqa: S608
            for kind in kinds
        )
        later = time.time() - STOPPED - newest
        for kind in kinds:
            database.execute(f"UPDATE {kind} SET changed = changed + ?", [later])  # noqa: S608
        for name in ("begun", "turned"):
            database.execute(
                f"UPDATE tables SET body = json_set(body, '$.{name}', "  # noqa: S608
                f"json_extract(body, '$.{name}') + ?) WHERE json_extract(body, '$.{name}') > 0",
                [later],
            )


class Web:
    """The web site on the old data folder, and the people who come back to it."""

    def __init__(self, house: OpenHouse, home: Path) -> None:
        self.house, self.home = house, home
        cookies = VISITORS["cookies"]
        self.ann, self.bob = (Guest(house.port, cookie=cookies[name]) for name in ("Ann", "Bob"))
        self.before = {table["id"]: self.table(table["id"]) for table in answers()}

    def table(self, name: str) -> Any:
        """A table as the API gives it, found by what the tests call it or by its id."""
        return self.house.nobody().call(f"/tables/{TABLES.get(name, name)}").json

    def player(self, name: str) -> Guest:
        """Whoever plays at a table."""
        if name in VISITORS["tokens"]:
            return Guest(self.house.port, token=VISITORS["tokens"][name])
        return self.bob if name == "tictactoe" else self.ann

    def play(self, name: str, move: str) -> None:
        """Make a move at a table, and wait for the bots' answers to it."""
        table, player = self.table(name), self.player(name)
        path = f"/tables/{table['id']}/move"
        form = {"move": move, "at": len(table["moves"])}
        answer = player.call(f"{path}s", form) if player.token else player.send(path, form)
        assert answer.status == 200, answer.said

        def answered() -> Any:
            now = self.table(name)
            is_back = now["turn"] == table["turn"] and len(now["moves"]) > len(table["moves"]) + 1
            return now if is_back or now["result"] else None

        after = wait_until(answered)
        assert not after["reason"]
        assert after["moves"][: len(table["moves"]) + 1] == [*table["moves"], move]


def answers() -> list[Any]:
    """All tables, as the API of the old version gave them."""
    found: list[Any] = json.loads((STORED / "tables.json").read_text("utf-8"))
    return found


def answer(name: str) -> Any:
    """One of them."""
    return next(table for table in answers() if table["id"] == TABLES[name])


@pytest.fixture(scope="module")
def old_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """One house for all tests, each of which uses tables of its own."""
    home = tmp_path_factory.mktemp("web")
    shutil.copytree(STORED / "data", home, dirs_exist_ok=True)
    restore(home / "parlour.sqlite")
    with opened_in(home) as house:
        yield Web(house, home)


@pytest.fixture
def web(old_house: Web, monkeypatch: pytest.MonkeyPatch) -> Web:
    """That house, which may be asked for news as often as a test likes."""
    monkeypatch.setenv("XDG_DATA_HOME", str(old_house.home))
    lift_limits(monkeypatch)
    return old_house


def without_clocks(table: Any) -> Any:
    """A table without what depends on when it is looked at."""
    seats = [{**seat, "seconds_left": seat["seconds_left"] is not None} for seat in table["seats"]]
    return {**table, "seats": seats}


def test_every_table_opens_as_it_was(web):
    """New fields may have come; no old one has gone or changed."""
    for table in answers():
        then, now = without_clocks(table), without_clocks(web.before[table["id"]])
        for old, new in zip(then.pop("seats"), now.pop("seats"), strict=True):
            assert old.items() <= new.items()
        assert {name: now[name] for name in then} == then


def test_clocks_go_on_from_where_they_were(web):
    mine, bots = (seat["seconds_left"] for seat in web.before[TABLES["othello"]]["seats"])
    then = answer("othello")
    assert bots == then["seats"][1]["seconds_left"]
    assert then["seats"][0]["seconds_left"] - 3 * STOPPED < mine
    assert mine <= then["seats"][0]["seconds_left"] - STOPPED + 30


def test_games_go_on_with_a_move_and_the_bots_answer(web):
    for name in ("nim", "nim of three", "sticks", "chopsticks", "tictactoe", "othello"):
        web.play(name, web.table(name)["legal"][0])


def test_an_undo_that_was_offered_can_be_agreed_to(web):
    assert web.bob.post(f"/tables/{TABLES['undo offered']}/undo").status == 303
    after = web.table("undo offered")
    assert (after["moves"], after["offer"], after["turn"]) == ([], "", 0)


def test_a_free_seat_can_be_taken(web):
    """By its link: its creator is gone, so the lobby does not list it any more."""
    sat = web.bob.post(f"/tables/{TABLES['seat free']}/sit", {"seat": 1, "name": "Bob"})
    assert sat.status == 303
    moved = web.ann.send(f"/tables/{TABLES['seat free']}/move", {"move": "1 from 1", "at": 0})
    assert moved.status == 200
    assert web.table("seat free")["moves"] == ["1 from 1"]


def test_a_bot_that_waits_for_an_ok_goes_on_after_it(web):
    path = f"/tables/{TABLES['waiting for ok']}"
    refused = web.ann.send(f"{path}/move", {"move": "1 from 3", "at": 2})
    assert refused.status == 409
    assert web.ann.post(f"{path}/ok", {"at": 2}).status == 303
    assert web.ann.send(f"{path}/move", {"move": "1 from 3", "at": 2}).status == 200


def test_finished_games_can_be_saved_and_replayed(web):
    for name in ("won", "resigned", "out of time"):
        table = answer(name)
        record = parlour.Record.from_json(web.ann.get(f"/tables/{table['id']}/record").text)
        match = parlour.Match.from_record(parlour.game(record.game, **record.options), record)
        assert list(match.moves) == table["moves"]
        assert list(match.result) == table["result"]
        assert match.reason == table["reason"]


def test_a_rematch_that_was_offered_is_played(web):
    """It waits for both."""
    for player in (web.ann, web.bob):
        answer = player.post(f"/tables/{TABLES['won']}/rematch")
    following = answer.headers["location"].removeprefix("/tables/")
    seats = [seat["name"] for seat in web.table(following)["seats"]]
    assert seats == ["Bob", "Ann"]


def test_a_menu_is_as_it_was_left_and_can_be_played(web):
    page = web.ann.get("/new/nim").text
    assert "Ann" in page
    assert "Sid" in page
    table = web.ann.post("/new/nim/play").headers["location"].removeprefix("/tables/")
    found = web.table(table)
    assert (found["options"]["misere"], found["options"]["take"]) == (True, 4)
    assert [seat["bot"] for seat in found["seats"]] == ["", "standard"]
    assert found["seats"][1]["seconds_left"] == 600
    other = web.bob.post("/new/othello/play").headers["location"].removeprefix("/tables/")
    assert web.table(other)["options"]["columns"] == 6
    assert [seat["name"] for seat in web.table(other)["seats"]] == ["Rex", ""]


def test_benedict_goes_on_with_the_talk_and_the_game_on_the_web(web):
    assert "I have a dog called Rex" in web.ann.get("/").text

    def say(text: str) -> str:
        answer = web.ann.send("/chat", {"text": text, "back": "/"})
        assert answer.status == 200, answer.said
        return "\n".join(line for who, line in answer.json["lines"] if who == "benedict")

    assert "1  O - X" in say("c1")  # after b2 and a1, which were played before
    say("leave")
    assert "Tom" in say("what is my name?")


def games_of(guest: Guest, name: str) -> int:
    """How many games a class of the school has played."""
    hats = guest.get(f"/school/{CLASSES[name]}/hats").json
    return int(hats["games"])


def test_a_class_that_was_learning_goes_on_by_itself(web):
    stored = 15_000_000
    wait_until(lambda: games_of(web.ann, "on") > stored)
    assert web.ann.post(f"/school/{CLASSES['on']}/pause").status == 303


def test_a_paused_class_waits_and_goes_on_when_asked(web):
    assert games_of(web.bob, "paused") == 300
    assert web.bob.post(f"/school/{CLASSES['paused']}/go-on").status == 303
    wait_until(lambda: games_of(web.bob, "paused") > 300)
    web.bob.post(f"/school/{CLASSES['paused']}/pause")


def test_a_class_finishes_its_game_and_learns_from_it(web):
    assert games_of(web.ann, "done") == 1000
    assert "Owls" in web.ann.get(f"/school/{CLASSES['done']}").text
    while web.table("class")["result"] is None:
        web.play("class", "1")
    wait_until(lambda: games_of(web.ann, "done") == 1001)


@pytest.mark.parametrize(("name", "total"), [("done", 6), ("stopped", 12), ("on", 12)])
def test_a_tournament_keeps_its_games_and_plays_the_rest(web, name, total):
    path = f"/tournaments/{TOURNAMENTS[name]}"
    if name == "stopped":
        page = web.bob.get(path).text
        assert f"10 of {total}" in page
        assert web.bob.post(f"{path}/go-on").status == 303
    page = wait_until(lambda: f"{total} of {total}" in (text := web.bob.get(path).text) and text)
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.executescript((STORED / "parlour.sql").read_text("utf-8"))
        done = database.execute(
            "SELECT json_extract(body, '$.table') FROM pairings "
            "WHERE tournament = ? AND state = 'done'",
            [TOURNAMENTS[name]],
        ).fetchall()
    links = re.findall(r'href="/tables/(\w+)"', page)
    assert len(set(links)) == total
    assert {table for (table,) in done} <= set(links)


# Hats


def test_kept_hats_are_listed(stored, capsys):
    found = {each["name"]: each for each in json.loads(run(capsys, "hats", "--json"))["hats"]}
    listed = {name: (each["game"], each["games"], each["rule"]) for name, each in found.items()}
    assert listed == {
        "menace": ("tictactoe", 30, "menace"),
        "shared": ("nim", 50, "hats"),
        "sticks": ("sticks", 20, "hats"),
    }
    assert found["shared"]["options"]["piles"] == [1, 2]


@pytest.mark.parametrize(
    ("name", "game", "lessons"),
    [
        ("sticks", "sticks --sticks 10", "--seed 1"),
        (
            "menace",
            "tictactoe --columns 3 --rows 2",
            "--rule menace --against random --starts first --seed 2",
        ),
        ("shared", "nim --piles 1 2 --misere", "--shared --seed 3"),
    ],
)
def test_kept_hats_learn_on_as_if_they_had_never_stopped(stored, capsys, name, game, lessons):
    kept = json.loads(run(capsys, "hats", name, "--json"))["games"]
    train = ("train", *game.split())
    run(capsys, *train, "--name", name, "--continue", "--games", "100")
    run(capsys, *train, "--name", "new", *lessons.split(), "--games", str(kept + 100))
    folder = stored / "data" / "parlour" / "hats"
    learned, new = (json.loads((folder / f"{each}.json").read_bytes()) for each in (name, "new"))
    for hats in (learned, new):
        del hats["curves"], hats["sha256"]  # they are measured where a training ends, too
    assert learned == new


def test_kept_hats_play(stored, capsys):
    seats = ("--seat", "hats kept=sticks", "--seat", "random seed=1", "--record", "played.jsonl")
    run(capsys, "play", "sticks", "--sticks", "10", *seats)
    assert parlour.Record.from_json(Path("played.jsonl").read_text("utf-8")).result
    bot = parlour.bot("hats", kept="menace", likeliest=True)
    game = parlour.game("tictactoe", columns=3, rows=2)
    assert parlour.match(game, [bot, parlour.bot("random", seed=1)]).result


def test_exported_hats_are_imported(stored, capsys):
    exported = stored / "shared.hats.json"
    (stored / "data" / "parlour" / "hats" / "shared.json").rename(exported)
    run(capsys, "hats", "again", "--import", str(exported))
    assert json.loads(run(capsys, "hats", "again", "--json"))["games"] == 50


# Tournaments, tunings and leagues


def kept_games(folder: Path) -> list[bytes]:
    """The lines of the only folder in this one."""
    (only,) = folder.iterdir()
    return (only / "played.jsonl").read_bytes().splitlines()


def test_a_tournament_that_was_interrupted_is_found_again_and_goes_on(stored, capsys):
    folder = stored / "data" / "parlour" / "tournaments"
    before = kept_games(folder)
    game = ("othello", "--columns", "6", "--rows", "6")
    bots = ("--bots", "random", "minimax depth=1", "minimax depth=3", "--games", "16")
    how = ("--openings", "2", "--time", "30+1", "--seed", "5", "--workers", "1")
    table = json.loads(run(capsys, "tournament", *game, *bots, *how, "--json"))
    after = kept_games(folder)
    assert (len(before), len(after), table["games"]) == (30, 48, 48)
    assert after[: len(before)] == before


@pytest.mark.slow
def test_a_tuning_that_was_interrupted_is_found_again_and_goes_on(stored, capsys):
    folder = stored / "data" / "parlour" / "tuning"
    before = kept_games(folder)
    game = ("othello", "--columns", "4", "--rows", "6")
    bot = ("--bot", "minimax depth=2", "--variants", "3", "--generations", "2", "--games", "2")
    how = ("--openings", "2", "--seed", "5", "--workers", "1")
    tuned = json.loads(run(capsys, "tune", *game, *bot, *how, "--json"))
    after = kept_games(folder)
    assert (len(before), len(after)) == (6, 112)
    assert after[: len(before)] == before
    assert tuned


@pytest.mark.slow
def test_a_league_plays_only_what_is_new(stored, capsys):
    folder = stored / "league"
    results = folder / "results"
    played, history = results / "played.jsonl", results / "history.jsonl"
    games, runs = played.read_bytes(), history.read_bytes()
    checked = inodes(results)["checked.json"]
    again = json.loads(run(capsys, "league", str(folder), "--workers", "1", "--trust", "--json"))
    assert (again["played"], again["new"], again["changed"], again["gone"]) == (0, [], [], [])
    assert list(again["left_out"]) == ["emil.py"]
    assert (played.read_bytes(), history.read_bytes()) == (games, runs)
    assert inodes(results)["checked.json"] == checked  # no bot was asked for a first move again

    shutil.copy(folder / "bots" / "cleo.py", folder / "bots" / "dora.py")
    more = json.loads(run(capsys, "league", str(folder), "--workers", "1", "--trust", "--json"))
    assert (more["played"], more["new"], more["changed"]) == (6 * 4, ["dora"], [])
    assert played.read_bytes().startswith(games)
    assert history.read_bytes().startswith(runs)


# Benedict


@pytest.fixture
def talk(stored, monkeypatch, capsys):
    """What Benedict answers to lines from a pipe."""

    def answers_to(*lines: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run(capsys, "--seed", "1")

    return answers_to


def test_benedict_remembers_the_person(stored, talk):
    answers = talk("what do you remember?", "what is my name?", "goodbye")
    for word in ("Tom", "Rex", "chess", "rain", "flumph"):
        assert word in answers
    memory = json.loads((stored / "data" / "parlour" / "benedict.json").read_bytes())["memory"]
    assert memory == json.loads((STORED / "data/parlour/benedict.json").read_bytes())["memory"]


def test_benedict_goes_on_with_the_game_that_was_put_aside(stored, talk):
    answers = talk("resume", "redo", "undo", "take one from pile 2", "save", "goodbye")
    assert "pile 1  0\npile 2  4  ||||\npile 3  5  |||||\n" in answers
    saved = json.loads((stored / "data" / "parlour" / "benedict.json").read_bytes())["saved"]
    assert saved["moves"][:3] == ["2 from 1", "1 from 1", "1 from 2"]
    assert len(saved["moves"]) == 4
    assert (saved["game"], saved["options"]["misere"]) == ("nim", True)


@pytest.mark.long
def test_the_lines_typed_to_benedict_come_back_by_the_arrow_key(
    stored,
    open_terminal: Callable[..., Terminal],  # noqa: F811
):
    terminal = open_terminal()
    terminal.expect("> ")
    terminal.type("\x1b[A\r")  # the last line was goodbye
    assert terminal.exit_code() == 0
    assert "goodbye" in terminal.shown


# Solutions, proofs, records and bots


def test_saved_solutions_are_read(stored):
    files = stored / "files"
    before = inodes(files)
    for name, options, value in (
        ("tictactoe", {}, "draw"),
        ("nim", {"piles": (2, 3, 4), "misere": True}, "win in 6"),
        ("sticks", {"sticks": 12}, "win in 6"),
        ("chopsticks", {"fingers": 1, "dies_at": 4}, "win in 17"),
    ):
        game = parlour.game(name, **options)
        solution = parlour.solve(game, file=files / f"{name}.solution")
        assert str(solution.value(game.start())) == value
        assert solution.counts() == parlour.solve(game).counts()
    assert inodes(files) == before


def test_a_proof_kept_in_the_data_folder_is_used_again(stored, capsys):
    folder = stored / "data" / "parlour" / "solutions"
    before = inodes(folder)
    found = json.loads(run(capsys, "solve", "chopsticks", "--rules", "feathers", "--json"))
    assert found["value"]["outcome"] == "win"
    assert inodes(folder) == before


def test_certificates_verify(stored, capsys):
    for name in ("nim", "tictactoe", "chopsticks"):
        assert run(capsys, "verify", str(stored / "files" / f"{name}.proof.json"))


def test_recorded_games_replay(stored, capsys):
    path = stored / "files" / "games.jsonl"
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) == 5
    for number, line in enumerate(lines, start=1):
        record = parlour.Record.from_json(line)
        assert record.to_json() == line
        match = parlour.Match.from_record(parlour.game(record.game, **record.options), record)
        assert (tuple(match.moves), match.result) == (record.moves, record.result)
        shown = run(capsys, "replay", str(path), "--number", str(number))
        boxes = {"hit left own": "C-D"}  # feather moves are shown by their boxes
        assert boxes.get(record.moves[-1], record.moves[-1]) in shown


def test_a_bot_in_the_data_folder_plays(stored, capsys):
    assert "lefty" in run(capsys, "bots", "nim")
    record = parlour.match(
        parlour.game("tictactoe"), [parlour.bot("lefty", place=1), parlour.bot("lefty")]
    )
    assert record.moves[:2] == ("b1", "a1")
