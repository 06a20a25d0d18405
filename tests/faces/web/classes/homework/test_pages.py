"""Homework on the web: set by a teacher, done by pupils, and each result the pupil's own affair."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from typing import Any

import jsonschema
import pytest

from parlour.arena.sandbox import launcher
from parlour.core import registry
from parlour.faces.web.classes.homework.rounds import Rounds
from parlour.faces.web.classes.homework.service import HomeworkService
from parlour.learn import number_hats, storage
from parlour.store import Homework
from tests.faces.web.classes.homework.test_gradescope import SCHEMA
from tests.faces.web.classes.test_joining import join, open_class, pupil_named
from tests.faces.web.house import Guest, OpenHouse, wait_until

STICKS, TAKE = 20, 3
NO_SANDBOX = launcher.why_unavailable()


def set_homework(teacher: Guest, class_id: str, kind: str, **fields: Any) -> str:
    form = {"kind": kind, "game": "sticks", **fields}
    sent = teacher.post(f"/classes/{class_id}/set", form)
    assert sent.status == 303, sent.said
    found = re.fullmatch(r"/homework/(\w+)", sent.headers["location"])
    assert found
    return found[1]


def right_take(sticks: int) -> int:
    """How many sticks to take so as to leave one more than a multiple of four; 0 if lost."""
    return (sticks - 1) % (TAKE + 1)


class School:
    """A class with a teacher and two pupils."""

    def __init__(self, house: OpenHouse) -> None:
        self.house = house
        self.teacher = house.browser()
        self.id = open_class(self.teacher)
        self.ida, _ = join(house, self.id, "Ida")
        self.max, _ = join(house, self.id, "Max")

    def pupil(self, name: str) -> Any:
        return pupil_named(self.house, self.id, name)

    def scores(self) -> dict[str, list[str]]:
        """The CSV file, without its first two lines."""
        text = self.teacher.get(f"/classes/{self.id}/results.csv").body.decode("utf-8-sig")
        return {row[0]: row[1:] for row in list(csv.reader(io.StringIO(text)))[2:]}


@pytest.fixture
def school(house):
    return School(house)


def sticks_of(house: OpenHouse, homework_id: str) -> list[int]:
    puzzles = house.store.homework.get(homework_id).settings["puzzles"]
    positions = [house.store.puzzles.get(each).position for each in puzzles]
    game = registry.game("sticks")
    return [int(re.findall(r"\d+", game.write(game.read(each)))[0]) for each in positions]


def test_the_first_answer_to_each_puzzle_counts(school):
    task = set_homework(school.teacher, school.id, "puzzles", number=3, points=30)
    assert "0 done, 0 begun" in school.teacher.get(f"/classes/{school.id}/teach").text
    sticks = sticks_of(school.house, task)
    assert len(set(sticks)) == 3
    wrong = next(take for take in (1, 2, 3) if take != right_take(sticks[1]))
    at = f"/homework/{task}/puzzles"
    assert "Your first answer counts" in school.ida.get(f"{at}/0").text
    page = school.max.get(f"{at}/0?answer={right_take(sticks[0])}").text
    assert 'id="next"' not in page, "an address with an answer is not answered before"
    assert 'id="show"' not in page
    sent = school.ida.post(f"{at}/0/answer", {"move": str(right_take(sticks[0]))})
    assert sent.status == 303
    assert f'id="next" href="{at}/1"' in school.ida.get(sent.headers["location"]).text
    school.ida.post(f"{at}/1/answer", {"move": str(wrong)})
    school.ida.post(f"{at}/1/answer", {"move": str(right_take(sticks[1]))})  # too late
    assert school.scores() == {"Ida": ["10", "10"], "Max": ["0", "0"]}
    school.ida.post(f"{at}/2/answer", {"move": str(right_take(sticks[2]))})
    assert school.scores() == {"Ida": ["20", "20"], "Max": ["0", "0"]}
    page = school.ida.get(f"/homework/{task}").text
    assert "You have 20 of 30 points" in page
    assert 'id="go-on"' not in page
    page = school.teacher.get(f"/homework/{task}").text
    assert "1 of 2" in page, "how many have reached each mark"
    assert f"wrong: {wrong}" in page


def test_named_puzzles_can_be_set(school):
    first = set_homework(school.teacher, school.id, "puzzles", number=2)
    named = school.house.store.homework.get(first).settings["puzzles"]
    text = f"http://house/puzzles/{named[1]}\n{named[0]}"
    second = set_homework(school.teacher, school.id, "puzzles", named=text)
    assert school.house.store.homework.get(second).settings["puzzles"] == (named[1], named[0])


def play_out(school: School, guest: Guest, table: str, win: bool) -> None:
    """Play a game of sticks at a table, well, or give it up."""
    if not win:
        assert guest.post(f"/tables/{table}/resign").status == 303
        return
    while (now := school.house.read(table)).result is None:
        if len(now.moves) % 2:
            wait_until(lambda: len(school.house.read(table).moves) > len(now.moves))
            continue
        left = STICKS - sum(map(int, now.moves))
        sent = guest.post(
            f"/tables/{table}/move", {"move": str(right_take(left)), "at": len(now.moves)}
        )
        assert sent.status == 303, sent.said


def start_game(guest: Guest, task: str, begins: str = "you") -> str:
    sent = guest.post(f"/homework/{task}/play", {"begins": begins})
    assert sent.status == 303, sent.said
    return sent.headers["location"].removeprefix("/tables/")


def test_games_won_against_the_bot_count_and_have_no_help(school):
    task = set_homework(school.teacher, school.id, "beat", bot="random", wins=2)
    school.ida.post("/quick", {"game": "sticks", "level": "easy"})  # a game that does not count
    other = house_class(school)
    assert other.post(f"/homework/{task}/play", {"begins": "you"}).status == 404
    table = start_game(school.ida, task)
    page = school.ida.get(f"/tables/{table}?view=values").text
    assert "Values are hidden while a game counts" in page
    assert 'id="undo"' not in page
    assert "hidden" in school.ida.get(f"/tables/{table}?why=position").text
    assert school.ida.get(f"/analyse?table={table}").status == 403
    assert school.scores()["Ida"] == ["0", "0"]
    play_out(school, school.ida, table, win=True)
    assert school.ida.post(f"/tables/{table}/undo").status == 409
    assert school.scores()["Ida"] == ["5", "5"]
    play_out(school, school.ida, start_game(school.ida, task), win=False)
    assert school.scores()["Ida"] == ["5", "5"]
    play_out(school, school.ida, start_game(school.ida, task), win=True)
    assert school.scores() == {"Ida": ["10", "10"], "Max": ["0", "0"]}
    assert "won 2 of 3" in school.teacher.get(f"/homework/{task}").text


def house_class(school: School) -> Guest:
    """A pupil of another class."""
    return join(school.house, open_class(school.house.browser(), "8c"), "Ida")[0]


def count_right_hats(hats: Any, row: int) -> tuple[int, int]:
    """Count by theory: a hat is right if its commonest ball leaves one more than 4k."""
    critical = {n: box for n, box in number_hats(hats, row).items() if right_take(n)}
    right = 0
    for n, box in critical.items():
        held = list(hats.contents(row, box))
        right += [at + 1 for at, balls in enumerate(held) if balls == max(held)] == [right_take(n)]
    return right, len(critical)


@pytest.mark.slow
def test_hats_count_by_how_many_of_them_are_right(school):
    task = set_homework(school.teacher, school.id, "hats", mark=100, points=100)
    sent = school.ida.post(f"/homework/{task}/hats")
    assert sent.status == 303, sent.said
    training = sent.headers["location"].removeprefix("/school/")
    assert school.ida.post(f"/school/{training}/more", {"games": 300}).status == 303
    wait_until(lambda: school.house.store.trainings.get(training).state == "done")
    assert school.ida.post(f"/homework/{task}/hats/{training}").status == 303
    text = school.house.store.trainings.get(training).hats
    hats = storage.from_json(text, name="hats")
    counts = [count_right_hats(hats, row) for row in (0, 1)]
    right, of = max(counts, key=lambda pair: pair[0] / pair[1])
    assert 0 < right <= of
    assert float(school.scores()["Ida"][0]) == pytest.approx(100 * right / of, abs=0.01)
    assert f"{right} of {of} hats right" in school.ida.get(f"/homework/{task}").text
    stolen = school.max.post(f"/homework/{task}/hats/{training}")
    assert stolen.status == 404, "somebody else's hats cannot be handed in"


def upload(guest: Guest, task: str, source: str) -> Any:
    return guest.upload(f"/homework/{task}/bot", source.encode(), "my_bot.py")


GOOD = f"""
def choose(game, state):
    left = int(game.write(state).split(":")[0])
    return game.read_move(state, str((left - 1) % {TAKE + 1} or 1))
"""
NOSY = """
def choose(game, state):
    return open("/etc/hostname").read()
"""


def wait_for_judge(school: School, task: str, name: str) -> Any:
    def look() -> Any:
        work = school.house.store.pupil_work.get(f"{task}-{school.pupil(name).id}")
        return work if work and not work.done.get("waiting") else None

    return wait_until(look)


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.skipif(bool(NO_SANDBOX), reason="there is no sandbox")
def test_bots_are_judged_in_the_sandbox_and_play_each_other(school):
    fields = {"opponent-1": "random", "mark": 50, "points": 10}
    task = set_homework(school.teacher, school.id, "bot", **fields)
    assert upload(school.ida, task, GOOD).status == 303
    assert upload(school.max, task, NOSY).status == 303
    wait_for_judge(school, task, "Ida")
    wait_for_judge(school, task, "Max")
    assert school.scores() == {"Ida": ["10", "10"], "Max": ["0", "0"]}
    assert "FileNotFoundError" in school.max.get(f"/homework/{task}").text
    assert school.teacher.post(f"/homework/{task}/tournament").status == 422
    assert upload(school.max, task, "def choose(g, s):\n    return g.moves(s)[0]\n").status == 303
    wait_for_judge(school, task, "Max")
    sent = school.teacher.post(f"/homework/{task}/tournament")
    assert sent.status == 303, sent.said
    address = sent.headers["location"]
    name = address.removeprefix("/tournaments/")
    wait_until(lambda: school.house.store.tournaments.get(name).state == "done")
    games = school.house.store.pairings.find(tournament=name)
    assert [each.state for each in games] == ["done", "done"]
    assert "Ida" in school.max.get(address).text
    assert house_class(school).get(address).status == 404
    assert school.house.nobody().get(address).status == 404
    assert name not in school.teacher.get("/tournaments").text, "it is listed nowhere"
    school.teacher.post(f"/classes/{school.id}/delete", {"sure": "yes"})
    assert school.house.store.tournaments.get(name) is None
    assert all(school.house.store.tables.get(each.table) is None for each in games)


def test_a_file_that_cannot_be_a_bot_is_refused(school):
    settings = {"opponents": ["random"], "games": 2, "mark": 50}
    homework = Homework(
        id="", class_id=school.id, kind="bot", name="bot", game="sticks", settings=settings
    )
    task = school.house.services.get(HomeworkService).add(homework).id
    assert upload(school.ida, task, "x" * 70_000).status == 413
    assert upload(school.ida, task, " ").status == 422
    assert school.teacher.post(f"/homework/{task}/bot").status == 403, "teachers hand in nothing"


def test_the_best_bot_of_a_pupil_and_the_latest_ones_are_kept(school, monkeypatch):
    async def play(homework, source, pupil_id):
        return {"flaw": "", "scores": {"random": (float(source), 10)}}

    async def find_no_fault():
        return ""

    service = school.house.services.get(HomeworkService)
    monkeypatch.setattr(service, "_play", play)
    monkeypatch.setattr(service, "why_no_sandbox", find_no_fault)
    fields = {"opponent-1": "random", "mark": 50, "points": 10}
    task = set_homework(school.teacher, school.id, "bot", **fields)
    for points in (9, *range(8)):
        assert upload(school.ida, task, str(points)).status == 303
        work = wait_for_judge(school, task, "Ida")
    kept = [each["scores"]["random"][0] for each in work.done["bots"]]
    assert kept == [9, 2, 3, 4, 5, 6, 7]


# Whose results they are


@pytest.mark.slow
def test_a_pupil_reads_their_own_results_alone(school):
    task = set_homework(school.teacher, school.id, "puzzles", number=1, points=7)
    right = right_take(sticks_of(school.house, task)[0])
    school.ida.post(f"/homework/{task}/puzzles/0/answer", {"move": str(right)})
    at = f"/classes/{school.id}"
    mine = json.loads(school.ida.get(f"{at}/results.json").body)
    jsonschema.validate(mine, SCHEMA)
    assert mine["score"] == 7
    ida, max_ = school.pupil("Ida").id, school.pupil("Max").id
    own = json.loads(school.max.get(f"{at}/results.json?pupil={ida}").body)
    assert own["score"] == 0, "whoever is asked for, it is their own"
    for guest, names in ((school.max, ["Max"]), (school.teacher, ["Ida", "Max"])):
        page = guest.get(f"{at}/results").text
        assert [name for name in ("Ida", "Max") if name in page] == names
    for path in ("results.csv", "results.zip"):
        assert school.max.get(f"{at}/{path}").status == 403
    assert "Ida" not in school.max.get(f"/homework/{task}").text
    found = json.loads(school.teacher.get(f"{at}/results.json?pupil={ida}").body)
    assert found == mine
    with zipfile.ZipFile(io.BytesIO(school.teacher.get(f"{at}/results.zip").body)) as archive:
        assert sorted(archive.namelist()) == ["Ida/results.json", "Max/results.json"]
        assert json.loads(archive.read("Ida/results.json")) == mine
    stranger = house_class(school)
    for guest in (stranger, school.house.nobody(), school.house.browser()):
        for path in ("results", "results.csv", "results.zip", f"results.json?pupil={max_}", "set"):
            assert guest.get(f"{at}/{path}").status == 403
        assert guest.get(f"/homework/{task}").status == 404
        assert guest.get(f"/homework/{task}/puzzles/0").status == 404
        for path in ("due", "delete", "puzzles/0/answer"):
            assert (
                guest.post(f"/homework/{task}/{path}", {"sure": "yes", "move": "1"}).status == 404
            )
    for path in ("due", "delete", "tournament"):
        assert school.max.post(f"/homework/{task}/{path}", {"sure": "yes"}).status == 403
    sent = school.max.post(f"{at}/set", {"kind": "hats", "game": "sticks", "mark": 1})
    assert sent.status == 403


def test_work_is_deleted_with_the_pupil_the_homework_and_the_class(school):
    tasks = [set_homework(school.teacher, school.id, "puzzles", number=1) for _ in range(2)]
    for guest in (school.ida, school.max):
        for task in tasks:
            guest.post(f"/homework/{task}/puzzles/0/answer", {"move": "1"})
    store, find = school.house.store, school.house.store.pupil_work.find
    first, second = tasks
    assert school.teacher.post(f"/homework/{first}/delete").status == 422, "it needs a tick"
    assert len(find(homework=first)) == 2
    assert school.teacher.post(f"/homework/{first}/delete", {"sure": "yes"}).status == 303
    assert find(homework=first) == []
    ida = school.pupil("Ida").id
    assert {each.pupil for each in find(homework=second)} == {ida, school.pupil("Max").id}
    school.teacher.post(f"/classes/{school.id}/pupils/{ida}/remove")
    assert [each.pupil for each in find(homework=second)] == [school.pupil("Max").id]
    school.teacher.post(f"/classes/{school.id}/delete", {"sure": "yes"})
    assert find(homework=second) == []
    assert store.homework.get(second) is None


def test_the_date_when_it_is_due_is_shown_and_can_be_moved(school):
    task = set_homework(school.teacher, school.id, "puzzles", number=1, due="2999-12-31")
    assert "2999-12-31" in school.ida.get(f"/classes/{school.id}").text
    assert school.teacher.post(f"/homework/{task}/due", {"due": "2999-01-31"}).status == 303
    assert "It counts until 2999-01-31" in school.ida.get(f"/homework/{task}").text
    sent = school.teacher.post(f"/homework/{task}/due", {"due": "1999-01-31"})
    assert (sent.status, "has passed" in sent.said) == (422, True)


def test_homework_that_cannot_be_set_is_refused_in_a_sentence(school):
    for fields, reason in (
        ({"kind": "puzzles", "number": 21}, "1 to 20"),
        ({"kind": "puzzles", "number": 20, "option-sticks": 10}, "only"),
        ({"kind": "puzzles", "named": "any"}, "addresses"),
        ({"kind": "beat", "bot": "file.py"}, "choose one from the list"),
        ({"kind": "beat", "bot": "random", "wins": 99}, "1 to 10"),
        ({"kind": "hats", "mark": 101}, "1 to 100"),
        ({"kind": "hats", "mark": 50, "points": 0}, "points"),
        ({"kind": "beat", "bot": "random", "due": "soon"}, "2026-12-24"),
        ({"kind": "essay"}, "does not exist"),
    ):
        sent = school.teacher.post(f"/classes/{school.id}/set", {"game": "sticks", **fields})
        assert sent.status in (404, 422), fields
        assert reason in sent.text, fields
    assert school.house.store.homework.find(class_id=school.id) == []


# The class's tournament


def be_here(school: School, *guests: Guest) -> None:
    """Open the page of the class, and wait until the teacher sees that."""
    for guest in guests:
        assert guest.get(f"/classes/{school.id}").status == 200

    def here() -> bool:
        found = school.teacher.get(f"/classes/{school.id}/tournament").text
        return f"{len(guests)} pupils are here" in found

    wait_until(here)


@pytest.mark.slow
def test_a_round_pairs_those_who_are_here_and_counts_their_games(school):
    eva, _ = join(school.house, school.id, "Eva")
    be_here(school, school.ida, school.max, eva)
    sent = school.teacher.post(f"/classes/{school.id}/tournament", {"game": "sticks"})
    assert sent.status == 303, sent.said
    address = sent.headers["location"]
    name = address.removeprefix("/rounds/")
    guests = {"Ida": school.ida, "Max": school.max, "Eva": eva}
    ids = {school.pupil(each).id: each for each in guests}
    rests = []
    met = []
    for number in (1, 2, 3):
        found = school.house.services.get(Rounds).load(name)
        assert found.tournament.rounds == number
        one, bye = found.of_round(number)
        pair = [ids[found.tournament.bots[seat]] for seat in one.seats]
        met.append(frozenset(pair))
        rests.append(ids[found.tournament.bots[bye.seats[0]]])
        seats = school.house.read(one.table).seats
        assert [seat.name for seat in seats] == pair
        page = guests[pair[0]].get(f"/classes/{school.id}").text
        assert f"/tables/{one.table}" in page, "the pupil is sent to the game"
        assert guests[pair[0]].post(f"/tables/{one.table}/resign").status == 303
        shown = guests[rests[-1]].get(address).text
        assert "has a bye" in shown
        if number < 3:
            assert school.ida.post(f"{address}/next").status == 403
            assert school.teacher.post(f"{address}/next").status == 303
    assert len(set(met)) == 3, "nobody meets twice while there is another"
    assert sorted(rests) == ["Eva", "Ida", "Max"], "and each rests once"
    standings = school.house.services.get(Rounds).load(name).standings
    points = {ids[row.pupil.id]: row.points for row in standings}
    assert sum(points.values()) == 6
    assert school.teacher.post(f"{address}/end").status == 303
    assert school.teacher.post(f"{address}/next").status == 409
    assert house_class(school).get(address).status == 404
    tables = [
        each.table for each in school.house.services.get(Rounds).load(name).pairings if each.table
    ]
    school.teacher.post(f"/classes/{school.id}/delete", {"sure": "yes"})
    assert school.house.store.tournaments.get(name) is None
    assert all(school.house.store.tables.get(each) is None for each in tables)


def test_a_game_that_is_not_over_counts_half_and_later_not_at_all(school):
    be_here(school, school.ida, school.max)
    sent = school.teacher.post(f"/classes/{school.id}/tournament", {"game": "sticks"})
    name = sent.headers["location"].removeprefix("/rounds/")
    rounds = school.house.services.get(Rounds)
    [game] = rounds.load(name).of_round(1)
    school.teacher.post(f"/rounds/{name}/end")
    assert [(row.place, row.points) for row in rounds.load(name).standings] == [(1, 0.5)] * 2
    school.ida.post(f"/tables/{game.table}/resign")
    assert [row.points for row in rounds.load(name).standings] == [0.5, 0.5]


def test_a_tournament_needs_two_pupils(school):
    sent = school.teacher.post(f"/classes/{school.id}/tournament", {"game": "sticks"})
    assert sent.status == 422
    assert "at least two pupils" in sent.said.lower()


def test_a_name_goes_from_the_games_of_the_class_when_its_pupil_does(school):
    be_here(school, school.ida, school.max)
    sent = school.teacher.post(f"/classes/{school.id}/tournament", {"game": "sticks"})
    name = sent.headers["location"].removeprefix("/rounds/")
    [game] = school.house.services.get(Rounds).load(name).of_round(1)
    at, ida = f"/classes/{school.id}/pupils", school.pupil("Ida").id
    assert school.teacher.post(f"{at}/{ida}/rename", {"name": "Idalia"}).status == 303
    seats = {seat.name for seat in school.house.read(game.table).seats}
    assert seats == {"Idalia", "Max"}
    assert "Idalia" in school.max.get(f"/rounds/{name}").text
    school.teacher.post(f"{at}/{ida}/remove")
    assert {seat.name for seat in school.house.read(game.table).seats} == {"", "Max"}
    for text in (
        school.max.get(f"/rounds/{name}").text,
        school.max.get(f"/tables/{game.table}").text,
    ):
        assert "Idalia" not in text
    assert len(school.house.services.get(Rounds).load(name).standings) == 2


def test_open_pages_of_a_homework_show_each_answer(school):
    task = set_homework(school.teacher, school.id, "puzzles", number=1, points=7)
    right = right_take(sticks_of(school.house, task)[0])
    ida = school.pupil("Ida").id
    with (
        school.teacher.live(f"results:{task}") as results,
        school.ida.live(f"work:{task}-{ida}") as own,
        school.max.live(f"work:{task}-{ida}") as others,
    ):
        for page in (results, own):
            assert "Puzzle 1" in page.recv(timeout=20)
        school.ida.post(f"/homework/{task}/puzzles/0/answer", {"move": str(right)})
        for page, text in ((results, f"right: {right}"), (own, "7 of 7")):
            while text not in page.recv(timeout=20):
                pass
        assert "Puzzle" not in others.recv(timeout=20), "another pupil's page shows nothing"
    export = json.loads(school.teacher.get(f"/classes/{school.id}/export.json").body)
    [homework] = export["homework"]
    assert (homework["kind"], homework["points"]) == ("puzzles", 7)
    [work] = homework["work"]
    assert (work["pupil"], work["score"]) == ("Ida", 7)
    assert [each["right"] for each in work["answers"].values()] == [True]
