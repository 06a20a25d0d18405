"""Reviews: mistakes are those that theory and brute force find, any paste is answered with a page,
every link leads somewhere, and no position is worked out twice.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest

from parlour.core.errors import ParlourError
from parlour.core.options import values
from parlour.core.record import Record
from parlour.faces.web.review import service as analysing
from parlour.faces.web.review.address import MAX_MOVES
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from tests.faces.web.house import Answer, Guest, OpenHouse, plain, wait_until
from tests.faces.web.review.test_address import random_match, read_address

HOSTILE = (
    "<script>alert(1)</script>",
    "a" * 200_000,
    '{"game": "nim", "options": ' + "[" * 900 + "]" * 900 + ', "players": ["a", "b"]}',
    '{"game": "../../etc/passwd", "options": {}, "players": []}',
    '{"game": "nim", "options": {}, "players": ["a", "b"], "moves": ["9 from 9"]}',
    "null",
    "\x00\x1b[31m\u202e",
    "",
)


def walk(game: str, **query: Any) -> str:
    return f"/analyse/{game}/walk?{urlencode(query, doseq=True)}"


def settled(house: OpenHouse, path: str, guest: Guest | None = None, **headers: str) -> Answer:
    """A page once nothing on it is being worked out any more."""

    def look() -> Answer | None:
        page = (guest or house.nobody()).get(path, **headers)
        assert page.status == 200, page.said
        return None if "data-again" in page.text else page

    found: Answer = wait_until(look)
    return found


def verdicts(page: Answer) -> list[str]:
    """The verdict on each move in the list of moves."""
    (moves,) = re.findall(r'<ol class="walk".*?</ol>', page.text, re.DOTALL)
    return [plain(each) for each in re.findall(r'<span class="verdict.*?</span>', moves, re.DOTALL)]


def mistakes(page: Answer) -> list[str]:
    return [plain(each) for each in re.findall(r"<li>.*?</li>", _list(page, "mistakes"), re.DOTALL)]


def _list(page: Answer, name: str) -> str:
    found = re.search(rf'<[ou]l class="[^"]*{name}".*?</[ou]l>', page.text, re.DOTALL)
    return found[0] if found else ""


def hrefs(page: Answer) -> list[str]:
    return [html.unescape(each) for each in re.findall(r'href="([^"]+)"', page.text)]


# Known blunders


def test_the_edge_against_a_corner_is_the_mistake_that_loses(house):
    """A corner is answered only in the centre; after an edge X wins by force."""
    moves = "a1,b1,a2,a3,b2,c3,c2"
    page = settled(house, walk("tictactoe", moves=moves, by=["Ann", "Ben"], at=2))
    assert verdicts(page) == ["best", "mistake, draw → loss", *["best"] * 5]
    assert mistakes(page) == ["Ben: 2. b1 Best was b2. draw → loss"]
    text = plain(page.text)
    for sentence in (
        "2. Ben: b1 mistake, draw → loss",
        "One mistake, by Ben at move 2.",
        "Ann to move. win in 5",
        "Ann 4 0 0 0",
        "Ben 2 0 1 0",
        "Ben lost the game at move 2: b1.",
        "Until then Ben could still have had a draw, with b2.",
        "From there Ben held out as long as possible.",
    ):
        assert sentence in text
    assert any(href.endswith("at=2#here") for href in hrefs(page))


def test_a_game_lost_from_the_start_says_so(house):
    """With 4k + 1 sticks the first player loses; from 7 the right take is 2, to leave 5."""
    by = ["Ann", "Ben"]
    page = settled(house, walk("sticks", position="9:1", moves="3,1,1,3,1", by=by))
    text = plain(page.text)
    lost_at_once = "Ann was losing from this position on: with best play Ben wins whatever Ann does"
    assert lost_at_once in text
    assert "From there Ann held out as long as possible." in text
    page = settled(house, walk("sticks", position="9:1", moves="1,1,3,3,1", by=by))
    text = plain(page.text)
    assert "Ann lost the game at move 3: 3." in text
    assert lost_at_once not in text


def test_a_move_that_only_loses_sooner_is_neither_good_nor_a_mistake(house):
    """X has two threats; whether O blocks one or plays elsewhere, the game is lost."""
    early = settled(house, walk("tictactoe", moves="a1,b1,b2,a3,c3", by=["Ann", "Ben"]))
    assert verdicts(early)[1] == "mistake, draw → loss"
    assert verdicts(early)[3] == "loses sooner, by 2 moves"
    text = plain(early.text)
    assert "From there every move lost, but Ben could have held out 2 moves longer." in text
    assert re.search("Ann 3 0 0 0 0 Ben 0 0 1 0 1", text)


def test_the_end_is_shown_and_why_the_record_ends(house):
    page = settled(house, walk("tictactoe", moves="a1,b1,a2,b2,a3", by=["Ann", "Ben"]))
    assert "Ann wins." in plain(page.text)
    ended = "player 2 (O) resigned"
    page = settled(house, walk("tictactoe", moves="a1,b2,c3", by=["Ann", "Ben"], ended=ended))
    assert "The game was not lost: with best play it was still a draw." in plain(page.text)
    page = settled(house, walk("tictactoe", moves="a1", ended="player 2 (O) <i>resigned"))
    assert "The game ended here: player 2 (O) <i>resigned." in plain(page.text)
    assert "<i>" not in page.text


@pytest.fixture
def unjudged(monkeypatch):
    """Pages that show no verdicts and wait for none."""
    monkeypatch.setattr(analysing, "CLOSED_AFTER", 0.0)
    monkeypatch.setattr(analysing, "WAIT_FOR_POSITION", 0.0)


@pytest.mark.usefixtures("unjudged")
def test_the_opening_is_named_as_far_as_it_is_shown(house):
    for at, name in {0: "no name yet", 2: "Perpendicular", 5: "Tiger", 8: "Stephenson"}.items():
        page = house.browser().get(walk("othello", moves="f5,d6,c3,d3,c4,f4,f6,g6", at=at))
        assert f"Opening: {name}" in plain(page.text)
    links = [href for href in hrefs(page) if "/download/" in href]
    assert len(links) == 4
    assert all(house.nobody().get(link).status == 200 for link in links)
    six = house.nobody().get("/analyse/othello/walk?columns=6&rows=6")
    assert ["record" in href for href in hrefs(six) if "/download/" in href] == [True]


def test_the_moves_of_a_given_opening_are_not_judged(house):
    """The same game, begun for the players with the losing edge: after it no move was wrong."""
    moves = ("a1", "b1", "a2", "a3", "b2", "c3", "c2")
    record = Record("tictactoe", {}, ("Ann", "Ben"), moves, opening=2)
    answer = house.browser().post("/analyse", {"record": record.to_json()})
    page = settled(house, answer.headers["location"])
    assert verdicts(page) == ["best"] * 5
    assert mistakes(page) == []
    text = plain(page.text)
    assert "No mistakes." in text
    assert "The first 2 moves are a given opening" in text
    assert "1. a1 opening 2. b1 opening 3. Ann: a2 best" in text
    assert re.search("Ann 3 0 0 0 Ben 2 0 0 0", text)
    assert all("opened=2" in href for href in hrefs(page) if "/walk" in href)
    copied = json.loads(html.unescape(re.findall(r'"(\{&#34;game.*?\})"', page.text)[0]))
    assert copied["opening"] == 2
    text = plain(settled(house, walk("tictactoe", moves="a1", opened=1)).text)
    assert "The first move is a given opening" in text
    assert "No mistake" not in text
    assert "cannot be judged" not in text


def test_the_last_squares_of_an_othello_are_judged_as_brute_force_does(house):
    game = Othello()
    match = random_match(game, 11)
    cut = len(match.moves) - 7
    states = [state for state, _ in match.record.replay(game)][cut:]

    @cache
    def margin(state: Any) -> int:
        """By how many discs the seat to move wins, if both play on for discs."""
        moves = game.moves(state)
        if not moves:
            score = game.score(state)
            return score if state[2] == 0 else -score
        return max(-margin(game.play(state, move)) for move in moves)

    moves = ",".join(match.moves[cut:])
    page = settled(house, walk("othello", position=game.write(states[0]), moves=moves))
    shown = verdicts(page)
    assert len(shown) == 7
    for verdict, (before, after) in zip(shown, pairwise(states), strict=True):
        lost = margin(before) + margin(after)
        outcomes = [(each > 0) - (each < 0) for each in (margin(before), -margin(after))]
        if len(game.moves(before)) == 1:
            assert verdict == "only move"
        elif lost == 0:
            assert verdict == "best"
        else:
            assert verdict.startswith(
                "mistake" if outcomes[0] != outcomes[1] or lost > 4 else "good"
            )
            assert verdict.endswith(f"{lost} disc{'' if lost == 1 else 's'}")
    given = [0, 0]
    for before, after in pairwise(states):
        given[before[2]] += margin(before) + margin(after)
    assert re.search(
        f"Black( [0-9]+){{4}} {given[0]} White( [0-9]+){{4}} {given[1]} ", plain(page.text)
    )
    assert "≈" not in plain(page.text).partition("Moves from here")[0]


def test_each_move_on_the_board_carries_its_worth(house):
    page = settled(house, walk("tictactoe", moves="a1", at=1))
    assert 'aria-label="b2, empty: play here, draw"' in page.text
    assert re.search('aria-label="b1, empty: play here, loss in [0-9]+"', page.text)


def test_a_reason_is_given_for_the_move_made_for_any_other_and_for_the_position(house):
    for why, reason in (
        ("last", "Better: 2 from 1"),
        ("1 from 2", "Why 1 from 2?"),
        ("position", "nim-sum"),
        ("<b>9 from 9", "not a move"),
    ):
        page = settled(house, walk("nim", moves="1 from 1", at=1, why=why))
        assert reason in plain(page.text)
        assert "<b>9" not in page.text


def test_a_game_without_exact_values_says_so(house):
    page = settled(house, walk("nim", seats="3", moves="1 from 1"))
    assert "Nim with 3 seats has no exact values" in plain(page.text)
    assert verdicts(page) == ["not known"]
    assert "These moves cannot be judged." in plain(page.text)


def test_an_estimate_is_called_one(house):
    page = settled(house, walk("othello", moves="f5"))
    sentence = r"Estimated by engine, \d+ moves ahead, \d\d % sure\. Values with ≈ are estimates"
    assert re.search(sentence, plain(page.text))
    assert all(each.startswith("≈ ") for each in verdicts(page))


# Pasting


def test_a_pasted_record_is_reviewed(house):
    record = random_match(Nim(), 3).record
    for text in (record.to_json(), json.dumps(json.loads(record.to_json()), indent=2)):
        answer = house.browser().post("/analyse", {"record": text})
        assert answer.status == 303
        page = settled(house, answer.headers["location"])
        assert "Ann against Ben" in plain(page.text)
        assert len(verdicts(page)) == len(record.moves)


def test_of_several_records_one_is_chosen(house):
    lines = [random_match(game, 3, 30).record.to_json() for game in (Nim(), Sticks())]
    answer = house.browser().post("/analyse", {"record": "\r\n".join([*lines, ""])})
    assert answer.status == 200
    assert "unfinished" not in plain(answer.text)
    links = [href for href in hrefs(answer) if "/walk" in href]
    assert len(links) == 2
    assert all(house.nobody().get(link).status == 200 for link in links)


def test_a_hostile_paste_comes_back_as_it_was_with_one_sentence(house):
    guest = house.browser()
    for text in HOSTILE:
        for path, form in (
            ("/analyse", {"record": text}),
            ("/analyse/othello", {"do": "position", "position": text}),
            ("/analyse/tictactoe", {"do": "moves", "moves": text or "?"}),
            ("/analyse/nim", {"do": "built", "piles": text, "turn": text}),
            ("/analyse/chopsticks", {"do": "built", "a": text, "b": text, "turn": "1"}),
        ):
            page = guest.post(path, form)
            assert page.status in (404, 413, 422), (path, text[:50], page.status)
            wrong = re.search(r'class="wrong"[^>]*>(.*?)</p>', page.text, re.DOTALL)
            assert wrong, (path, text[:50])
            assert 10 < len(html.unescape(wrong[1])) < 400
            assert "Error" not in wrong[1]
            assert "<script>alert" not in page.text
            if text.isprintable() and len(text) < 600:
                assert text[:30] in html.unescape(page.text)


def test_a_paste_that_cannot_be_read_says_what_would_be_right(house):
    guest = house.browser()
    answer = guest.post("/analyse", {"record": "a" * 600_000})
    assert answer.status == 413
    assert "at most 512 kB" in answer.text.casefold().replace("kb", "kB")
    page = guest.post("/analyse/othello", {"do": "position", "position": "X-O------ X"})
    assert page.status == 422
    assert "write the 64 squares row by row as X, O and -" in plain(page.text)
    assert 'value="X-O------ X"' in page.text
    assert guest.post("/analyse/othello", {"do": "position", "position": ""}).status == 422
    assert guest.get(walk("nim", position="1" * 9000)).status == 413
    page = guest.post("/analyse/tictactoe", {"do": "position", "position": "XX------- O"})
    assert "X begins, and they take turns" in plain(page.text)
    game = Nim(piles=(900,))
    record = Record("nim", values(game), ("Ann", "Ben"), ("1 from 1",) * 800)
    page = guest.post("/analyse", {"record": record.to_json()})
    assert page.status == 413
    assert "A link can hold at most" in plain(page.text)


def test_a_wrong_address_is_answered_with_a_sentence(house):
    for path in (
        "evil.py",
        "evil.py/walk",
        "nim/walk?columns=3",
        "nim/walk?piles=x",
        "nim/walk?moves=9+from+9",
        "othello/walk?position=%3Cscript%3E",
        "tictactoe?cells=XYZ",
        "tictactoe?square=z99",
        "nim?piles=0",
    ):
        page = house.nobody().get(f"/analyse/{path}")
        assert page.status in (404, 422), path
        assert "<script>" not in page.text
        assert page.said or 'class="wrong"' in page.text
    assert house.nobody().get("/analyse?table=nowhere").status == 404
    for at in ("-1", "999999999", "x", "", "²", "1.5"):  # any place in a line is some place
        assert house.nobody().get(walk("tictactoe", moves="a1,b2", at=at)).status == 200


# Building


def test_pressing_a_square_goes_round_from_empty_to_both_sides(house):
    guest, cells = house.browser(), "-" * 9
    for expected in ("X", "O", "-"):
        page = guest.get(f"/analyse/tictactoe?cells={cells}&turn=O&square=b2#built")
        (cells,) = set(re.findall('name="cells" value="(.*?)"', page.text))
        assert cells == f"----{expected}----"
        assert 'name="turn" value="O"' in page.text


def test_a_position_that_was_put_together_is_reviewed(house):
    for path, form, position in (
        ("nim", {"piles": "1, 2 4", "turn": "2"}, "1,2,4:2"),
        ("sticks", {"sticks": "7", "turn": "1"}, "7:1"),
        ("chopsticks", {"a": 1, "b": 0, "c": 4, "d": 2, "turn": 2}, "1,0:4,2:2"),
        ("tictactoe", {"cells": "X---O---X", "turn": "O"}, "X---O---X O"),
        ("othello?columns=4&rows=4", {"cells": "X" * 15 + "O", "turn": "X"}, "X" * 15 + "O X"),
    ):
        answer = house.browser().post(f"/analyse/{path}", {**form, "do": "built"})
        assert answer.status == 303
        assert read_address(answer.headers["location"]).position == position
        assert settled(house, answer.headers["location"]).status == 200


def test_a_line_is_built_by_clicking_and_a_move_off_it_begins_another(house):
    guest, where = house.browser(), "/analyse/tictactoe/walk"
    for at, move in enumerate(("b2", "a1", "c3")):
        answer = guest.post(where, {"at": at, "move": move})
        assert answer.status == 303
        where = answer.headers["location"].partition("#")[0]
    assert where == "/analyse/tictactoe/walk?moves=b2,a1,c3&at=3"
    along = guest.send(where, {"at": 1, "move": "a1"})
    assert along.json == {"go": "/analyse/tictactoe/walk?moves=b2,a1,c3&at=2#here"}
    off = guest.send(where, {"at": 1, "move": "b1"})
    assert off.json == {"go": "/analyse/tictactoe/walk?moves=b2,b1&at=2#here"}
    taken = guest.post(where, {"at": 2, "move": "b2"})
    assert taken.status == 422
    assert "The square b2 is taken" in taken.said
    assert guest.send(where, {"at": 2, "move": "b2"}).json["status"] == 422
    nim = guest.post("/analyse/nim/walk", {"at": 0, "pile": 2, "amount": 3})
    assert nim.headers["location"].startswith("/analyse/nim/walk?moves=3+from+2&at=1")


# A table's game


def test_a_game_between_two_people_is_reviewed_only_when_it_is_over(house):
    table = house.table("tictactoe")
    ann, ben = house.player(table, 0, "Ann"), house.player(table, 1, "Ben")
    assert ann.call(f"/tables/{table}/moves", {"move": "a1"}).status == 200
    page = house.browser().get(f"/analyse?table={table}")
    assert page.status == 403
    assert page.said == "Two people are still playing this game; you can review it when it is over."
    assert ben.call(f"/tables/{table}/resign", {}).status == 200
    answer = house.browser().get(f"/analyse?table={table}")
    assert answer.status == 303
    text = plain(settled(house, answer.headers["location"]).text)
    assert "Ann against Ben" in text
    assert "Ben resigned." in text


def test_people_are_named_as_at_the_table_and_only_the_reader_is_called_you(house):
    """The edge against a corner loses; here a player without a name made that move."""
    table = house.table("tictactoe")
    ann, nameless = house.sitting(table, 0, "Ann"), house.browser()
    assert nameless.post(f"/tables/{table}/sit", {"seat": 1, "name": ""}).status == 303
    moves = ("a1", "b1", "a2", "a3", "b2", "c3", "c2")
    for at, move in enumerate(moves):
        guest = nameless if at % 2 else ann
        assert guest.post(f"/tables/{table}/move", {"move": move, "at": at}).status == 303
    own = nameless.get(f"/analyse?table={table}").headers["location"]
    text = plain(settled(house, own, guest=nameless).text)
    for sentence in (
        "Ann against You",
        "You lost the game at move 2: b1.",
        "One mistake, by you at move 2.",
        "Ann 4 0 0 0 You 2 0 1 0",
    ):
        assert sentence in text
    assert "Player 2" not in text
    page = settled(house, own.replace("at=7", "at=1"), guest=nameless)
    assert "Your move." in plain(page.text)
    (shared,) = re.findall(r'<[^>]*id="share"[^>]*>', page.text)
    assert "moves=" in shared
    assert "you=" not in shared
    german = plain(settled(house, own, guest=nameless, **{"Accept-Language": "de"}).text)
    assert "Du hast das Spiel bei Zug 2 verloren: b1." in german
    theirs = ann.get(f"/analyse?table={table}").headers["location"]
    for reader, link in ((ann, theirs), (house.browser(), own), (house.nobody(), own)):
        text = plain(settled(house, link, guest=reader).text)
        assert "Player 2 lost the game at move 2: b1." in text
        assert "Ann against Player 2" in text
        assert "You" not in re.sub("Your|You can", "", text)


# In the background


@pytest.fixture
def asked(house, monkeypatch):
    """Every position that workers are asked about, one at a time."""
    run = house.services.workers.run
    positions: list[tuple[Any, ...]] = []

    async def noting(name: str, payload: Any, *rest: Any, **more: Any) -> Any:
        if name == "review":
            payload = {**payload, "which": payload["which"][:1]}
            positions.append(tuple(payload["moves"][: payload["which"][0]]))
            if len(positions) == 6:
                analysing.CLOSED_AFTER = 0.0  # the last reader leaves
        return await run(name, payload, *rest, **more)

    monkeypatch.setattr(house.services.workers, "run", noting)
    monkeypatch.setattr(analysing, "CLOSED_AFTER", 3600.0)
    return positions


def test_no_position_is_asked_twice_whichever_line_leads_there(house, asked):
    game = {"columns": 4, "rows": 3, "misere": "yes"}  # which no other test of the house asks for
    settled(house, walk("tictactoe", **game, moves="a1,b1,c1"))
    assert sorted(map(len, asked)) == [0, 1, 2, 3]
    settled(house, walk("tictactoe", **game, moves="a1,b1,c1", at=1))
    settled(house, walk("tictactoe", **game, moves="a1,b1,c2,a2", by=["Ann", "Ben"]))
    settled(house, walk("tictactoe", **game, position="X----------- O"))
    assert len(asked) == len(set(asked)) == 6


def test_a_long_review_shows_how_far_it_is_and_stops_when_its_last_reader_leaves(
    house, asked, monkeypatch
):
    for wait in ("WAIT_FOR_POSITION", "WAIT_FOR_OTHERS"):
        monkeypatch.setattr(analysing, wait, 0.0)
    moves = ["1"] * 20
    path = walk("sticks", sticks="77", moves=",".join(moves), at=5)

    def progress() -> tuple[int, int] | None:
        page = house.nobody().get(path).text
        assert '<noscript><meta http-equiv="refresh"' in page
        found = re.search(r"<span>([0-9]+) of ([0-9]+)</span>", page)
        return found and (int(found[1]), int(found[2]))

    wait_until(lambda: progress() == (6, 21))
    assert asked[0] == tuple(moves[:5])  # the position that is shown comes first
    assert progress() == (6, 21)
    assert len(asked) == 6
    monkeypatch.setattr(analysing, "CLOSED_AFTER", 3600.0)
    settled(house, path)
    assert len(asked) == len(set(asked)) == 21


def test_an_error_of_a_worker_is_shown_and_keeps_no_page_waiting(house, monkeypatch):
    async def failing(*rest: Any, **more: Any) -> Any:
        raise ParlourError("this could not be judged")

    monkeypatch.setattr(house.services.workers, "run", failing)
    page = settled(house, walk("sticks", sticks="44", moves="1,2"))
    assert "This could not be judged." in plain(page.text)
    assert verdicts(page) == ["not known", "not known"]


@pytest.mark.usefixtures("unjudged")
def test_the_page_of_the_longest_line_is_not_too_long(house):
    moves = ",".join(["1 from 1"] * MAX_MOVES)
    page = house.nobody().get(walk("nim", piles="900", moves=moves, at=200))
    assert page.status == 200
    assert len(page.text) < 500_000
    assert re.search("[0-9]+ earlier", plain(page.text))
