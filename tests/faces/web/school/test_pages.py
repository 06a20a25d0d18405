"""The school: classes learn what training in one go teaches, whatever happens to their server."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

import parlour
from parlour.core import ParlourError
from parlour.faces.web.school import routes as page_school
from parlour.faces.web.school import service as schooling
from parlour.faces.web.school.routes import MAX_GAMES
from parlour.faces.web.school.service import School
from parlour.faces.web.school.tasks import MAX_BALLS, sample
from parlour.learn import storage
from tests.faces.web.house import opened_in, wait_until


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr(schooling, "PACE", 0.0)
    monkeypatch.setattr(schooling, "SLOW_PACE", 0.0)


def in_one_go(game, games, options=(), **how):
    """What `parlour train` would keep."""
    held = parlour.hats(parlour.game(game, **dict(options)), **how)
    parlour.train(held, games)
    return json.loads(storage.to_json(held))


def begun(guest, **form):
    """The name of a class that has begun."""
    answer = guest.post("/school", {"game": "sticks", "games": 10, "seed": 1, **form})
    assert answer.status == 303, answer.said
    return answer.headers["location"].removeprefix("/school/")


def stored(house, name):
    found = house.store.trainings.get(name)
    assert found is not None
    return found


def balls_of(training):
    return json.loads(training.hats)["players"]


def finished(house, name):
    """The hats of a class, once it is done."""
    wait_until(lambda: stored(house, name).state != "on", 60)
    assert stored(house, name).state == "done"
    return json.loads(stored(house, name).hats)


def by_number(hats, row):
    """The balls of each hat by the number of sticks."""
    return {int(at.partition(":")[0]): balls for at, balls in hats["players"][row].items()}


# Learning


@pytest.mark.parametrize(
    ("game", "games", "options", "how"),
    [
        ("sticks", 2_234, {"sticks": 11, "take": 2}, {"against": "itself", "starts": "first"}),
        ("tictactoe", 600, {}, {"rule": "menace", "against": "random"}),
        ("nim", 700, {"misere": True}, {"against": "perfect"}),
    ],
)
def test_a_class_learns_what_training_in_one_go_teaches(
    house, monkeypatch, game, games, options, how
):
    """However small the steps in which it is stored, and between two points of the curve."""
    monkeypatch.setattr(schooling, "LESSON", 0.0)
    monkeypatch.setattr("parlour.learn.training.GAMES_PER_SLICE", 100)
    fields = {f"option-{name}": value for name, value in options.items()}
    name = begun(house.browser(), game=game, games=games, seed=5, **fields, **how)
    assert finished(house, name) == in_one_go(game, games, options, seed=5, **how)
    assert stored(house, name).settings["games"] == games
    assert stored(house, name).version > 5


def test_a_class_can_be_paused_and_go_on_and_play_more_games(house, monkeypatch):
    monkeypatch.setattr(schooling, "LESSON", 0.05)
    guest = house.browser()
    name = begun(guest, games=MAX_GAMES, seed=9)
    wait_until(lambda: stored(house, name).settings["games"] > 0)
    assert guest.post(f"/school/{name}/pause").status == 303
    paused = stored(house, name)
    assert (paused.state, paused.settings["games"] > 0) == ("paused", True)
    assert 'id="go-on"' in guest.get(f"/school/{name}").text
    other = begun(guest, games=1_000, seed=9)
    finished(house, other)
    assert stored(house, name) == paused, "the lesson that was going on then is not stored"
    assert guest.send(f"/school/{name}/go-on").json in ({"ok": True}, {"go": f"/school/{name}"})
    wait_until(lambda: stored(house, name).settings["games"] > paused.settings["games"])
    guest.post(f"/school/{name}/pause")
    assert guest.post(f"/school/{other}/go-on").status == 409
    assert guest.post(f"/school/{other}/more", {"games": 1_000}).status == 303
    assert finished(house, other) == in_one_go("sticks", 2_000, seed=9)


def test_a_class_goes_on_from_what_is_stored_and_only_if_no_other_server_trains_it(
    house, tmp_path, monkeypatch
):
    name = begun(house.browser(), game="tictactoe", games=MAX_GAMES, seed=2)
    wait_until(lambda: stored(house, name).settings["games"] > 0)
    house.services.get(School).change(name, schooling.pause)
    killed = stored(house, name)
    games = killed.settings["games"] + 100
    settings = {**killed.settings, "teacher": "another server"}
    killed = replace(killed, state="on", settings=settings, target=games)
    with opened_in(tmp_path) as other:
        monkeypatch.setattr(schooling, "TAKEOVER_AFTER", 3600.0)
        other.store.trainings.add(replace(killed, id="elsewhere"))
        other.services.get(School).resume()
        finished(other, begun(other.browser()))
        assert stored(other, "elsewhere").settings == settings
        monkeypatch.setattr(schooling, "TAKEOVER_AFTER", 0.0)  # an hour passes
        other.store.trainings.add(replace(killed, id="here"))
        other.services.get(School).resume()
        assert finished(other, "here") == in_one_go("tictactoe", games, seed=2)


def test_a_class_is_given_up_after_some_failures_with_the_reason(house, monkeypatch):
    async def failing(*_, **__):
        raise ParlourError("the balls are lost")

    guest = house.browser()
    name = begun(guest, games=MAX_GAMES)
    monkeypatch.setattr(schooling, "MAX_FAILURES", 1)
    monkeypatch.setattr(house.services.workers, "run", failing)
    wait_until(lambda: stored(house, name).state == "failed")
    monkeypatch.undo()
    assert "the balls are lost" in guest.get(f"/school/{name}").text


# Refusals


def test_what_cannot_be_learned_is_refused_in_one_sentence(house):
    guest, wrong = house.browser(), []
    for form, status, reason in (
        ({"game": "tictactoe", "option-columns": "4"}, 422, "choose a smaller variant"),
        ({"game": "nim", "option-piles": "9 9 9 9 9 9 9 9"}, 422, "choose a smaller variant"),
        ({"game": "othello"}, 404, "ats cannot learn"),
        ({"game": "/etc/passwd.py"}, 404, "ats cannot learn"),
        ({"option-sticks": "many"}, 422, "ticks cannot be"),
        ({"option-sticks": "0"}, 422, "ticks cannot be"),
        ({"rule": "luck"}, 422, "ule cannot be"),
        ({"against": "benedict"}, 422, "gainst cannot be"),
        ({"games": str(MAX_GAMES + 1)}, 422, "from 0 to 100,000,000"),
        ({"games": "-1"}, 422, "whole number"),
        ({"seed": "x"}, 422, "whole number"),
        ({"name": "n" * 41}, 422, "too long"),
    ):
        refused = guest.post("/school", {"game": "sticks", "games": 10, **form})
        is_right = refused.status == status and reason in refused.said
        if not is_right or re.search(r"\.\s|\n", refused.said):
            wrong.append(f"{form}: {refused.status} {refused.said}")
    assert not wrong, "\n".join(wrong)
    page = guest.post("/school", {"game": "sticks", "option-sticks": "33", "games": "x"})
    assert 'name="option-sticks" value="33"' in page.text, "the form keeps what was typed"


def test_a_browser_trains_two_classes_at_a_time_and_keeps_a_few(house, monkeypatch):
    monkeypatch.setattr(schooling, "LESSON", 0.05)
    guest = house.browser()
    names = [begun(guest, games=MAX_GAMES) for _ in range(2)]
    third = guest.post("/school", {"game": "sticks", "games": 10})
    assert (third.status, "pause one" in third.said) == (409, True)
    begun(house.browser())  # others may
    for name in names:
        guest.post(f"/school/{name}/pause")
    monkeypatch.setattr(page_school, "MAX_KEPT", 3)
    begun(guest)
    fourth = guest.post("/school", {"game": "sticks", "games": 10})
    assert (fourth.status, "delete one" in fourth.said) == (409, True)
    assert guest.post(f"/school/{names[0]}/forget").headers["location"] == "/school"
    assert guest.get(f"/school/{names[0]}").status == 404
    begun(guest)


def test_only_its_owner_changes_a_class_but_others_may_look_and_play(house):
    name = begun(house.browser())
    before = finished(house, name)
    other = house.browser()
    for wish in ("pause", "go-on", "more", "forget"):
        assert other.post(f"/school/{name}/{wish}", {"games": 5}).status == 403, wish
    assert other.post(f"/school/{name}/burn").status == 404
    page = other.get(f"/school/{name}").text
    assert 'id="forget"' not in page
    assert 'id="play"' in page
    assert f"/school/{name}" in other.get("/school").text
    assert json.loads(stored(house, name).hats) == before


# Looking


def test_a_page_shows_the_curve_the_games_and_every_hat_with_its_balls(house):
    guest = house.browser()
    name = begun(guest, games=3_000, seed=3, name="<b>Rex</b>")
    hats = finished(house, name)
    page = guest.get(f"/school/{name}").text
    assert '<svg class="curve" role="img">' in page
    assert "3,000 of 3,000" in page
    for sticks in range(1, 21):
        assert f"hat {sticks}<" in page
    wins, others = hats["tally"]["wins"]
    assert f"Player 1 won</dt><dd>{wins:,}<" in page
    assert f"Player 2 won</dt><dd>{others:,}<" in page
    for text in (page, guest.get("/school").text):
        assert "&lt;b&gt;Rex" in text
        assert "<b>Rex" not in text
    for player in (1, 2):
        page = guest.get(f"/school/{name}?player={player}&position=7").text
        table = page.partition('<table class="balls">')[2].partition("</table>")[0]
        held = [int(n.replace(",", "")) for n in re.findall(r'"number">([0-9,]+)</td>', table)]
        assert held == list(by_number(hats, player - 1)[7].values())
        assert re.findall(r"position=([0-9]+)#open", table) == ["6", "5", "4"]
        assert table.count("right") == 1  # take 2 and leave 5
    for wrong in ("position=nonsense", f"position={'x' * 200}", "player=3"):
        refused = guest.get(f"/school/{name}?{wrong}")
        assert refused.status == 422
        assert refused.said
    assert storage.from_json(guest.get(f"/school/{name}/hats").text).games == 3_000
    picture = guest.get(f"/school/{name}/curve?player=2")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "Player 2" in picture.text
    assert guest.get(f"/school/{name}/curve?player=9").status == 422


def test_an_open_page_changes_while_the_class_learns_and_keeps_its_hat_open(house, monkeypatch):
    monkeypatch.setattr(schooling, "LESSON", 0.05)
    guest = house.browser()
    name = begun(guest, games=MAX_GAMES, seed=8)
    with guest.live(f"training:{name}", view="1:7") as page:
        first = later = json.loads(page.recv(20))
        while later["version"] < first["version"] + 3 or "Hat 7 of player 1" not in later["html"]:
            later = json.loads(page.recv(20))
        assert later["html"] != first["html"]
    guest.post(f"/school/{name}/pause")


def test_a_picture_shows_all_balls_or_as_many_as_fit_in_proportion():
    assert sample([1, 2, 3]) == [1, 2, 3]
    assert sample([0, 0]) == [0, 0]
    assert sample([1, 1, 98]) == [1, 1, 10]
    assert sample([500, 0, 500]) == [6, 0, 6]
    for held in ([3] * 30, [1, 10**9], [5, 4, 3, 2, 1], [7] * 12):
        drawn = sample(held)
        assert sum(drawn) == min(MAX_BALLS, sum(held))
        assert all(a <= b for a, b in zip(drawn, held, strict=True))


# Playing


def table_of(guest, name, **form):
    answer = guest.post(f"/school/{name}/play", {"begins": "you", "how": "draw", **form})
    assert answer.status == 303, answer.said
    return answer.headers["location"].removeprefix("/tables/")


def play_on(house, guest, table):
    """One stick at a time, to the end."""
    while house.read(table).result is None:
        found = house.read(table)
        if len(found.moves) % 2 == [seat.kind for seat in found.seats].index("person"):
            guest.post(f"/tables/{table}/move", {"move": "1", "at": len(found.moves)})
    return house.read(table)


def test_a_class_plays_and_learns_from_each_game_once(house):
    guest = house.browser()
    name = begun(guest, games=0, **{"option-sticks": 10})
    before = finished(house, name)
    table = table_of(guest, name, learning="yes")
    over = play_on(house, guest, table)
    wait_until(lambda: stored(house, name).settings["games"] == 1)
    after = json.loads(stored(house, name).hats)
    assert after["games"] == 1
    assert after["players"][1] == before["players"][1]
    left, wanted = 10, by_number(before, 0)
    for number, move in enumerate(map(int, over.moves)):
        if number % 2:  # theirs: one more if they won; where they lost, one is the last and stays
            wanted[left][str(move)] += over.result[1] == 1
        left -= move
    assert wanted == by_number(after, 0)

    guest.post(f"/tables/{table}/undo")
    play_on(house, guest, table)
    other = table_of(guest, name)
    play_on(house, guest, other)
    third = table_of(guest, name, learning="yes", begins="hats", how="likeliest")
    play_on(house, guest, third)
    wait_until(lambda: stored(house, name).settings["games"] == 2)
    assert stored(house, name).settings["taught"] == (table, third)


def test_a_class_learns_nothing_from_a_strangers_game(house):
    name = begun(house.browser(), games=0, **{"option-sticks": 10})
    stranger = house.browser()
    table = table_of(stranger, name, learning="yes")
    assert "learning" not in house.read(table).seats[1].bot
    assert play_on(house, stranger, table).result is not None


def test_a_table_leads_to_the_hat_that_was_drawn_from(house):
    guest = house.browser()
    name = begun(guest, games=100)
    table = table_of(guest, name, begins="hats")
    wait_until(lambda: house.read(table).moves)
    page = guest.get(f"/tables/{table}").text
    link = re.search(r'href="(/school/[^"#]+)#open"', page)
    assert link
    assert "Hat 20" in guest.get(link[1]).text
    guest.post(f"/school/{name}/pause")
    guest.post(f"/school/{name}/forget")
    found = house.read(table)
    guest.post(f"/tables/{table}/move", {"move": "1", "at": len(found.moves)})
    wait_until(lambda: house.read(table).result is not None)
    assert "no class" in house.read(table).reason


# Ball by ball, on paper, and in tournaments


def test_games_drawn_ball_by_ball_are_those_of_training(house):
    guest = house.browser()
    name = begun(guest, games=0, seed=3)
    for drawn in (1, 2):
        assert guest.post(f"/school/{name}/draw").status == 303
        page = guest.get(f"/school/{name}").text
        assert page.count("opens hat") == drawn + 1  # in the list, and once as the last
    assert "Player 1 opens hat 20" in page
    presses = 2
    while "What changes:" not in page:
        guest.post(f"/school/{name}/draw")
        page = guest.get(f"/school/{name}").text
        presses += 1
    assert presses > 6  # a game of 20 sticks takes at least seven turns
    assert stored(house, name).settings["games"] == 0
    assert "Put them back" in page
    guest.post(f"/school/{name}/draw")
    assert balls_of(stored(house, name)) == in_one_go("sticks", 1, seed=3)["players"]
    guest.post(f"/school/{name}/game")
    assert balls_of(stored(house, name)) == in_one_go("sticks", 2, seed=3)["players"]
    sheets = guest.get(f"/school/{name}/sheets?player=2")
    assert (sheets.status, sheets.headers["content-type"]) == (200, "application/pdf")
    assert sheets.body.startswith(b"%PDF-")
    assert sheets.body.rstrip().endswith(b"%%EOF")
    for action in ("draw", "game", "slow", "fast"):
        assert house.browser().post(f"/school/{name}/{action}").status == 403, "only the owner"
    assert stored(house, name).settings["games"] == 2


def test_a_class_watched_slowly_learns_the_same(house):
    guest = house.browser()
    name = begun(guest, games=0, seed=3, game="tictactoe", rule="menace", against="random")
    guest.post(f"/school/{name}/slow")
    finished(house, name)
    assert stored(house, name).settings["games"] == 10
    expected = in_one_go("tictactoe", 10, rule="menace", against="random", seed=3)["players"]
    assert balls_of(stored(house, name)) == expected


def test_all_boxes_are_listed_page_by_page(house):
    """Of MENACE, who begins, there are 304: Michie counted 287, leaving out forced last moves."""
    guest = house.browser()
    name = begun(
        guest, games=0, seed=3, game="tictactoe", rule="menace", against="random", starts="first"
    )
    seen: list[str] = []
    page, number = guest.get(f"/school/{name}/boxes").text, 1
    while True:
        seen += re.findall(r'position=([^#"]+)#open', page)
        number += 1
        if 'id="next"' not in page:
            break
        page = guest.get(f"/school/{name}/boxes?page={number}").text
    assert len(seen) == len(set(seen)) == 304
    assert guest.get(f"/school/{name}/boxes?player=7").status == 422
    page = guest.get(f"/school/{name}?position=X--------+O")
    assert (page.status, "Nothing here" in page.text) == (200, True)


def test_a_box_is_found_by_pressing_moves(house):
    guest = house.browser()
    name = begun(guest, games=0, seed=3, game="tictactoe", rule="menace", against="itself")
    position = ""
    for move in ("a1", "b2", "c2"):
        asked = f"/school/{name}/press?player=1&position={position}"
        found = guest.post(asked.replace(" ", "+"), {"move": move})
        assert found.status == 303, found.said
        position = parse_qs(urlsplit(found.headers["location"]).query)["position"][0]
    assert position == "X---OX--- O"
    assert "Box" in guest.get(found.headers["location"].partition("#")[0]).text
    taken = guest.post(
        f"/school/{name}/press?position={position.replace(' ', '+')}", {"move": "a1"}
    )
    assert taken.status == 422


def test_a_class_takes_part_in_a_tournament(house):
    guest = house.browser()
    name = begun(guest, name="Blue hats", games=200)
    finished(house, name)
    page = guest.get(f"/tournaments?enter=school+{name}")
    assert re.search(rf'value="school {name}" checked', page.text)
    form = {"game": "sticks", "bot": ["random"], "own": f"school {name}", "rounds": 1}
    made = guest.post("/tournaments", form)
    assert made.status == 303, made.said
    cup = made.headers["location"].removeprefix("/tournaments/")
    wait_until(lambda: house.store.tournaments.get(cup).state == "done", 60)
    page = guest.get(f"/tournaments/{cup}").text
    assert "Blue hats" in page
    assert f"school {name}" not in page
    pairings = house.store.pairings.find(tournament=cup)
    assert [each.state for each in pairings] == ["done", "done"]
    for each in pairings:
        seats = [seat.name for seat in house.store.tables.get(each.table).seats]
        assert set(seats) == {"random", "Blue hats"}


def test_a_class_that_learned_other_rules_is_refused(house):
    guest = house.browser()
    name = begun(guest, games=0, seed=3, **{"option-sticks": 10})
    refused = guest.post(
        "/tournaments", {"game": "sticks", "bot": "random", "own": f"school {name}"}
    )
    assert refused.status == 422
    assert "other rules" in refused.said
    gone = guest.post("/tournaments", {"game": "sticks", "bot": "random", "own": "school nobody"})
    assert gone.status == 404
