"""Studies on the site: made in every way, written, read, asked, embedded, printed, and whose."""

from __future__ import annotations

import html
import json
import re

import pytest

import parlour
from parlour.store import Seat, Table
from tests.faces.web.house import Guest, OpenHouse

pytestmark = pytest.mark.server

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


def owner_of(guest: Guest) -> str:
    return f"browser:{guest.cookie.partition('.')[0]}"


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


@pytest.mark.parametrize("game", ["nim", "sticks", "chopsticks", "tictactoe", "othello"])
def test_a_study_of_any_game_begins_with_a_title_or_without(house, game):
    guest = house.browser()
    assert game in guest.get("/studies").text
    assert guest.get(f"/studies/new/{game}").status == 200
    sent = guest.post(f"/studies/new/{game}", {"title": "Mine", "position": ""})
    page = guest.get(sent.headers["location"])
    assert (page.status, "<h1>Mine</h1>" in page.text) == (200, True)
    assert "Mine" in guest.get("/studies").text


def test_it_begins_with_any_rules_and_any_position(house):
    guest = house.browser()
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


def test_it_is_made_of_the_game_at_a_table_but_not_while_two_people_play(house):
    guest = house.browser()
    guest.get("/")
    mine, other = Seat("person", "Ann", owner=owner_of(guest)), Seat("person", "Bo", owner="x")
    options = {"sticks": 10, "take": 3}
    moves = ("2", "2", "1", "3", "1", "1")
    done = Table(id="t1", game="sticks", options=options, seats=(mine, other), moves=moves)
    house.store.tables.add(done)
    assert guest.post("/studies/from-table/t1").status == 403  # the record has no result yet
    over = Table(
        id="t2", game="sticks", options=options, seats=(mine, other), moves=moves, result=(1, -1)
    )
    house.store.tables.add(over)
    sent = guest.post("/studies/from-table/t2")
    name = sent.headers["location"].removeprefix("/studies/")
    assert moves_of(house, name)[1:] == list(moves)
    assert house.store.studies.get(name).title == "Ann – Bo"
    assert guest.post("/studies/from-table/nothing").status == 404


def test_it_is_made_of_a_review_with_every_mistake_and_what_was_better(house):
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
    assert "In this SGF a1 cannot be played" in html.unescape(refused.text)
    assert "(;GM[2];B[a1])" in html.unescape(refused.text)
    assert guest.post("/studies/import", {"text": " "}).status == 422
    body = (
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.sgf"\r\n\r\n'
        "(;GM[2]SZ[4];B[b1])\r\n--x--\r\n"
    )
    kind = {"Content-Type": "multipart/form-data; boundary=x", "Origin": guest.origin}
    sent = guest.ask("POST", "/studies/import", body.encode(), {**kind, "Accept": "text/html"})
    assert sent.status == 303


def test_what_a_file_calls_a_proof_is_worked_out_again(house):
    guest = house.browser()
    name = make(guest, "(;GM[2]SZ[4];B[b1]C[Proof: Black wins by 60.])")
    (_, node) = nodes_of(house, name)
    assert "60" not in str(node["proof"])
    assert "−10" in str(node["proof"])  # white wins 4x4 by 10
    name = make(guest, "(;GM[2];B[f5]C[Proof: Black wins by 60.])")
    assert "proof" not in nodes_of(house, name)[1]  # nobody can prove that


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


def test_a_change_to_what_another_window_has_changed_is_refused(house):
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


def test_only_the_author_writes_and_whoever_has_the_link_reads(house):
    guest, other = house.browser(), house.browser()
    name = make(guest)
    assert "Two piles" not in other.get("/studies").text
    page = other.get(f"/studies/{name}")
    assert (page.status, "/words" in page.text) == (200, False)
    for what in ("move", "words", "promote", "delete-branch", "prove", "settings", "delete"):
        assert change(house, other, name, what, at=1, move="1 from 1").status == 403, what
    assert len(nodes_of(house, name)) == 5
    change(house, guest, name, "settings", at=0, title="Equal piles", public="yes")
    assert "Equal piles" in other.get("/studies").text
    change(house, guest, name, "settings", at=0, title="Equal piles")
    assert "Equal piles" not in other.get("/studies").text
    copied = other.post(f"/studies/{name}/copy")
    assert copied.status == 303
    assert "Equal piles" in other.get("/studies").text
    assert guest.post(f"/studies/{name}/delete").status == 303
    assert other.get(f"/studies/{name}").status == 404
    assert other.get("/studies/nothing/print").status == 404


def test_a_question_hides_what_follows_until_it_is_answered(house):
    guest, reader = house.browser(), house.browser()
    name = make(guest)
    page = html.unescape(reader.get(f"/studies/{name}").text)
    assert "What should Player 1 play?" in page
    assert "Now copy the other." not in page
    assert "1 from 2" not in re.sub(r"<section class=.tabletop.*?</section>", "", page, flags=re.S)
    wrong = reader.post(f"/studies/{name}/answer", {"at": 0, "move": "3 from 1"})
    page = html.unescape(reader.get(wrong.headers["location"]).text)
    assert "Then all four go." in page
    assert 'id="again"' in page
    assert 'id="go-on"' not in page
    refuted = reader.post(f"/studies/{name}/answer", {"at": 0, "move": "1 from 1"})
    page = html.unescape(reader.get(refuted.headers["location"]).text)
    assert "Wrong: 1 from 1" in page
    assert "The board shows the reply: 2 from 2." in page  # 2 and 2 are equal
    right = reader.post(f"/studies/{name}/answer", {"at": 0, "move": "1 from 2"})
    page = html.unescape(reader.get(right.headers["location"]).text)
    assert "Now copy the other." in page
    onward = re.search(r'id="go-on" href="([^"#]*)', page)[1]
    assert onward == f"/studies/{name}?at=1"
    page = html.unescape(reader.get(onward).text)
    assert "Equal again." not in page
    assert reader.post(f"/studies/{name}/answer", {"at": 0, "move": "9 from 1"}).status == 422


def test_by_the_proof_every_move_that_keeps_the_value_is_accepted(house):
    """In 2, 3 with 1 to move the nim-sum is 1: only taking 1 from the 3 wins."""
    reader = house.browser()
    name = make(house.browser())
    for move, right in (("2 from 2", True), ("1 from 2", False), ("1 from 1", False)):
        sent = reader.post(f"/studies/{name}/answer", {"at": 2, "move": move})
        page = reader.get(sent.headers["location"]).text
        assert ('id="go-on"' in page) is right, move
    shown = html.unescape(reader.get(f"/studies/{name}?at=2&answer=show").text)
    assert re.search(r"The answer:\s*<b>2 from 2</b>", shown)


def test_the_author_can_read_it_as_others_do(house):
    guest = house.browser()
    name = make(guest)
    page = guest.get(f"/studies/{name}?read=1").text
    assert "What should" in page
    assert "/words" not in page
    sent = guest.post(f"/studies/{name}/answer", {"at": 0, "move": "1 from 2"})
    assert "read=1" in sent.headers["location"]


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
    name = make(guest)
    page = html.unescape(guest.get(f"/studies/{name}/print").text)
    told = ("Make them equal.", '<h2 class="answers">', "Now copy the other.", "And now?")
    places = [page.index(text) for text in told]
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


def test_studies_are_told_and_deleted_with_the_person(house):
    guest = house.browser()
    name = make(guest)
    told = json.loads(guest.get("/you/data.json").body)
    assert [each["title"] for each in told["studies"]] == ["Two piles"]
    guest.post("/you/delete", {"sure": "yes"})
    assert house.store.studies.get(name) is None


def test_nobody_has_more_studies_than_the_limit(house, monkeypatch):
    monkeypatch.setattr("parlour.faces.web.studies.service.MAX_STUDIES", 1)
    guest = house.browser()
    make(guest)
    refused = guest.post("/studies/import", {"text": LESSON})
    assert (refused.status, "delete one" in refused.text) == (422, True)
