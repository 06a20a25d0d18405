"""Studies on the site: made in every way, written, read, asked, embedded, printed, and whose."""

from __future__ import annotations

import html
import json
import re

import parlour
from parlour.store import Seat, Table
from tests.faces.web.house import Guest, OpenHouse

LESSON = json.dumps(
    {
        "title": "Two piles",
        "game": "nim",
        "options": {"piles": [3, 4]},
        "nodes": [
            {"comment": "Make them equal.", "asks": "marked"},
            {"parent": 0, "move": "1 from 2", "right": True, "comment": "Now copy the other."},
            {"parent": 1, "move": "2 from 1", "comment": "And now?", "asks": "proven"},
            {"parent": 2, "move": "2 from 2", "comment": "Equal again."},
            {"parent": 0, "move": "3 from 1", "comment": "Then all four go."},
        ],
    }
)


def make(guest: Guest, text: str = LESSON) -> str:
    """Import a study, and return its id."""
    guest.get("/studies")
    sent = guest.post("/studies/import", {"text": text})
    assert sent.status == 303, sent.said
    return sent.headers["location"].removeprefix("/studies/")


def change(house: OpenHouse, guest: Guest, name: str, what: str, **form: object):
    """Send one of the author's forms, as the page would."""
    version = house.store.studies.get(name).version
    return guest.post(f"/studies/{name}/{what}?version={version}", form)


def nodes_of(house: OpenHouse, name: str) -> list[dict]:
    return [dict(node) for node in house.store.studies.get(name).nodes]


def moves_of(house: OpenHouse, name: str) -> list[str]:
    return [node.get("move", "") for node in nodes_of(house, name)]


# Made


def test_a_study_begins_with_any_game_rules_and_position(house):
    guest = house.browser()
    for game in ("nim", "sticks", "chopsticks", "tictactoe", "othello"):
        assert game in guest.get("/studies").text
        assert guest.get(f"/studies/new/{game}").status == 200
        sent = guest.post(f"/studies/new/{game}", {"title": f"My {game}", "position": ""})
        page = guest.get(sent.headers["location"])
        assert (page.status, f"<h1>My {game}</h1>" in page.text) == (200, True)
        assert f"My {game}" in guest.get("/studies").text
    page = guest.get("/studies/new/nim?piles=5,6&misere=yes")
    assert 'name="piles" value="5,6"' in page.text
    sent = guest.post("/studies/new/nim", {"piles": "5,6", "misere": "yes", "position": "2,2:1"})
    stored = house.store.studies.get(sent.headers["location"].removeprefix("/studies/"))
    assert (stored.options["piles"], stored.options["misere"]) == ((5, 6), True)
    assert stored.position.startswith("2,2:1")
    refused = guest.post("/studies/new/nim", {"position": "nonsense"})
    assert (refused.status, "nonsense" in refused.text) == (422, True)
    assert guest.get("/studies/new/chess").status == 404
    assert guest.get("/studies/new/nim?piles=-1").status == 422


def test_a_study_is_made_of_the_game_at_a_table_but_not_while_two_people_play(house):
    guest = house.browser()
    seats = (Seat("person", "Ann", owner=guest.owner), Seat("person", "Bo", owner="x"))
    options = {"sticks": 10, "take": 3}
    moves = ("2", "2", "1", "3", "1", "1")
    for name, result in (("t1", None), ("t2", (1, -1))):
        table = Table(
            id=name, game="sticks", options=options, seats=seats, moves=moves, result=result
        )
        house.store.tables.add(table)
    assert guest.post("/studies/from-table/t1").status == 403
    sent = guest.post("/studies/from-table/t2")
    name = sent.headers["location"].removeprefix("/studies/")
    assert moves_of(house, name)[1:] == list(moves)
    assert house.store.studies.get(name).title == "Ann – Bo"
    assert guest.post("/studies/from-table/nothing").status == 404


def test_a_study_is_made_of_a_review_with_every_mistake_and_the_better_move(house):
    """From 10 sticks the first wins by 1; after 2 the second would win by 3."""
    guest = house.browser()
    line = "/analyse/sticks/walk?sticks=10&moves=2,2"
    page = guest.get(line)
    assert "/analyse/sticks/study?" in html.unescape(page.text)
    sent = guest.post(line.replace("/walk", "/study"))
    assert sent.status == 303, sent.said
    name = sent.headers["location"].removeprefix("/studies/")
    nodes = nodes_of(house, name)
    by_move = {(node.get("parent"), node.get("move")): node for node in nodes}
    assert "mistake" in by_move[0, "2"]["comment"].lower()
    assert by_move[0, "1"]["right"] is True


def test_a_file_is_read_and_a_bad_one_comes_back_with_the_reason(house):
    guest = house.browser()
    name = make(guest, "(;GM[2]SZ[4];B[b1]C[Hello](;W[a1])(;W[c1]))")
    assert moves_of(house, name) == ["", "b1", "a1", "c1"]
    refused = guest.post("/studies/import", {"text": "(;GM[2];B[a1])"})
    assert refused.status == 422
    assert "The first move a1 cannot be played" in html.unescape(refused.text)
    assert "(;GM[2];B[a1])" in html.unescape(refused.text)
    assert guest.post("/studies/import", {"text": " "}).status == 422
    sent = guest.upload("/studies/import", b"(;GM[2]SZ[4];B[b1])", "a.sgf")
    assert sent.status == 303
    name = make(guest, "(;GM[2]SZ[4];B[b1]C[Proof: Black wins by 60.])")
    proof = str(nodes_of(house, name)[1]["proof"])  # worked out again
    assert "60" not in proof
    assert "−10" in proof  # white wins 4x4 by 10
    name = make(guest, "(;GM[2];B[f5]C[Proof: Black wins by 60.])")
    assert "proof" not in nodes_of(house, name)[1]  # on 8x8 there is none


# Written


def test_moves_are_added_on_the_board_and_typed_commented_promoted_and_deleted(house):
    guest = house.browser()
    guest.get("/")
    sent = guest.post("/studies/new/tictactoe", {})
    name = sent.headers["location"].removeprefix("/studies/")
    board = guest.get(f"/studies/{name}").text
    action = html.unescape(re.search(rf'action="(/studies/{name}/move[^"]*)"', board)[1])
    sent = guest.post(action, {"at": "0", "move": "a1"})
    assert sent.headers["location"] == f"/studies/{name}?at=1#here"
    change(house, guest, name, "move", at=1, move="B2")
    change(house, guest, name, "move", at=0, move="b2")
    assert moves_of(house, name) == ["", "a1", "b2", "b2"]
    change(house, guest, name, "words", at=3, comment="Better?\n<b>", asks="", right="yes")
    sent = change(house, guest, name, "promote", at=3)
    assert sent.headers["location"].endswith("?at=1#here")
    assert moves_of(house, name) == ["", "b2", "a1", "b2"]
    assert nodes_of(house, name)[1]["comment"] == "Better?\n<b>"
    page = guest.get(f"/studies/{name}?at=1").text
    assert "&lt;b&gt;" in page
    assert "<b>\n" not in page
    change(house, guest, name, "delete-branch", at=2)
    assert moves_of(house, name) == ["", "b2"]
    refused = change(house, guest, name, "move", at=1, move="b2")
    assert (refused.status, "is taken" in refused.said) == (422, True)


def test_a_change_to_a_version_that_another_window_has_changed_is_refused(house):
    guest = house.browser()
    name = make(guest)
    first = guest.post(f"/studies/{name}/delete-branch?version=0", {"at": 4})
    second = guest.post(f"/studies/{name}/delete-branch?version=0", {"at": 1})
    third = guest.post(f"/studies/{name}/delete-branch", {"at": 1})
    assert (first.status, second.status, third.status) == (303, 409, 409)
    assert "another window" in second.said
    assert len(nodes_of(house, name)) == 4


def test_the_proof_comments_on_a_move_and_on_all_where_it_can(house):
    guest = house.browser()
    name = make(guest)
    assert change(house, guest, name, "prove", at=1).status == 303
    assert nodes_of(house, name)[1]["proof"][0].startswith("Right: 1 from 2")
    change(house, guest, name, "prove", at=1, all="yes")
    assert all(node["proof"] for node in nodes_of(house, name))
    page = html.unescape(guest.get(f"/studies/{name}?at=4").text)
    assert "Wrong: 3 from 1" in page
    change(house, guest, name, "unprove", at=4)
    assert "proof" not in nodes_of(house, name)[4]
    early = make(guest, "f5d6")
    refused = change(house, guest, early, "prove", at=1)
    assert refused.status >= 400
    assert "squares are empty" in refused.said


# Read


def test_only_the_author_writes_and_readers_need_the_link(house):
    guest, other = house.browser(), house.browser()
    name = make(guest)
    title = "Equal piles"
    change(house, guest, name, "settings", at=0, title=title)
    assert title not in other.get("/studies").text
    page = other.get(f"/studies/{name}")
    assert (page.status, title in page.text, "/words" in page.text) == (200, True, False)
    for form in ("move", "words", "promote", "delete-branch", "prove", "settings", "delete"):
        assert change(house, other, name, form, at=1, move="1 from 1").status == 403, form
    assert len(nodes_of(house, name)) == 5
    change(house, guest, name, "settings", at=0, title=title, public="yes")
    assert title in other.get("/studies").text
    change(house, guest, name, "settings", at=0, title=title)
    assert other.post(f"/studies/{name}/copy").status == 303
    assert title in other.get("/studies").text
    held = json.loads(guest.get("/you/data.json").body)
    assert [each["title"] for each in held["studies"]] == [title]
    second = make(guest)
    assert guest.post(f"/studies/{name}/delete").status == 303
    assert other.get(f"/studies/{name}").status == 404
    assert other.get("/studies/nothing/print").status == 404
    guest.post("/you/delete", {"sure": "yes"})
    assert house.store.studies.get(second) is None


def test_a_question_hides_the_answer_until_it_is_answered(house):
    guest, reader = house.browser(), house.browser()
    name = make(guest)

    def answered(move):
        sent = reader.post(f"/studies/{name}/answer", {"at": 0, "move": move})
        return html.unescape(reader.get(sent.headers["location"]).text)

    page = html.unescape(reader.get(f"/studies/{name}").text)
    assert "What should Player 1 play?" in page
    assert "Now copy the other." not in page
    assert "1 from 2" not in re.sub(r"<section class=.tabletop.*?</section>", "", page, flags=re.S)
    page = answered("3 from 1")
    assert "Then all four go." in page
    assert 'id="again"' in page
    assert 'id="go-on"' not in page
    page = answered("1 from 1")
    assert "Wrong: 1 from 1" in page
    assert "The board shows the reply: 2 from 2." in page  # 2 and 2 are equal
    page = answered("1 from 2")
    assert "Now copy the other." in page
    onward = re.search(r'id="go-on" href="([^"#]*)', page)[1]
    assert onward == f"/studies/{name}?at=1"
    assert "Equal again." not in html.unescape(reader.get(onward).text)
    assert reader.post(f"/studies/{name}/answer", {"at": 0, "move": "9 from 1"}).status == 422
    page = guest.get(f"/studies/{name}?read=1").text  # the author reads it as others do
    assert "What should" in page
    assert "/words" not in page
    sent = guest.post(f"/studies/{name}/answer", {"at": 0, "move": "1 from 2"})
    assert "read=1" in sent.headers["location"]


def test_by_the_proof_every_move_that_keeps_the_value_is_accepted(house):
    reader = house.browser()
    name = make(house.browser())
    for move, right in (("2 from 2", True), ("1 from 2", False)):
        sent = reader.post(f"/studies/{name}/answer", {"at": 2, "move": move})
        page = reader.get(sent.headers["location"]).text
        assert ('id="go-on"' in page) is right, move
    shown = html.unescape(reader.get(f"/studies/{name}?at=2&answer=show").text)
    assert re.search(r"The answer:\s*<b>2 from 2</b>", shown)


# Taken along


def test_the_embedded_page_alone_may_be_framed_and_runs_nothing(house):
    guest = house.browser()
    name = make(guest)
    stranger = house.browser()
    page = stranger.get(f"/studies/{name}/embed")
    policy = page.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "<script" not in page.text
    assert 'method="post"' not in page.text
    assert "set-cookie" not in page.headers
    assert page.headers["cross-origin-resource-policy"] == "cross-origin"
    for path in (f"/studies/{name}", f"/studies/{name}/print", "/studies", "/"):
        assert "frame-ancestors 'none'" in stranger.get(path).headers["content-security-policy"]
    links = re.findall(r'href="(/studies/[^"]*)"', html.unescape(page.text))
    inside = [link for link in links if f"/{name}/embed?" in link]
    assert [link for link in links if link not in inside] == [f"/studies/{name}?at=0"]
    answered = stranger.get(f"/studies/{name}/embed?at=0&answer=1+from+2")
    assert "Now copy the other." in answered.text
    assert stranger.get(f"/studies/{name}/embed?at=0&answer=junk").status == 422
    edit = html.unescape(guest.get(f"/studies/{name}").text)
    assert f'<iframe src="{guest.origin}/studies/{name}/embed"' in edit


def test_on_paper_the_answers_come_after_all_questions(house):
    guest = house.browser()
    page = html.unescape(guest.get(f"/studies/{make(guest)}/print").text)
    parts = ("Make them equal.", '<h2 class="answers">', "Now copy the other.", "And now?")
    places = [page.index(text) for text in parts]
    assert places == sorted(places)
    assert page.count("<svg") >= 5
    assert "Question 2" in page


def test_every_download_is_read_again(house):
    guest = house.browser()
    name = make(guest, "(;GM[2];B[f5]C[Hello](;W[d6])(;W[f6]))")
    whole = parlour.read_study(guest.get(f"/studies/{name}/download/parlour").text)
    assert parlour.read_study(guest.get(f"/studies/{name}/download/sgf").text) == whole
    for kind in ("ggf", "record"):
        answer = guest.get(f"/studies/{name}/download/{kind}")
        assert "attachment" in answer.headers["content-disposition"]
        assert [node.move for node in parlour.read_study(answer.text).nodes] == ["", "f5", "d6"]
    assert guest.get(f"/studies/{name}/download/pdf").status == 404
    nim = make(guest)
    assert guest.get(f"/studies/{nim}/download/sgf").status == 422


def test_a_person_may_keep_only_so_many_studies(house, monkeypatch):
    monkeypatch.setattr("parlour.faces.web.studies.service.MAX_STUDIES", 1)
    guest = house.browser()
    make(guest)
    refused = guest.post("/studies/import", {"text": LESSON})
    assert (refused.status, "delete one" in refused.text) == (409, True)
