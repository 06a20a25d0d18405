"""Whatever a player has is reviewed, by paste or upload, and can be had back in the same format."""

from __future__ import annotations

import html
import re

from parlour.core.record import Record
from parlour.faces.web.review.address import MAX_FILE, pack
from parlour.rules.formats import Transcript, read_games, write_ggf
from tests.faces.web.house import plain
from tests.faces.web.review.test_pages import hrefs
from tests.rules.test_formats import GAME, SHORTEST, chance_games, squares, wthor


def moves_of(href: str) -> str:
    found = re.search(r"moves=([^&]*)", html.unescape(href))
    return found[1] if found else ""


def test_every_format_leads_to_the_same_game(house):
    game = Transcript(GAME, GAME.start(), squares(*SHORTEST), ("Ann", "Bob"))
    record = Record("othello", {}, ("Ann", "Bob"), tuple(SHORTEST))
    guest = house.browser()
    for has_names, data in (
        (False, "".join(SHORTEST).encode()),
        (True, write_ggf(game).encode()),
        (True, record.to_json().encode()),
        (False, wthor((squares(*SHORTEST), 64))),
    ):
        answers = [guest.upload("/analyse", data)]
        if b"\0" not in data:
            answers.append(guest.post("/analyse", {"record": data.decode()}))
        for answer in answers:
            assert answer.status == 303, answer.said
            assert moves_of(answer.headers["location"]) == ",".join(SHORTEST)
            assert ("by=Ann&by=Bob" in answer.headers["location"]) == has_names
    position = GAME.write(GAME.play(GAME.start(), squares("f5")[0]))
    answer = guest.post("/analyse", {"record": f"{position}; d6:+1"})
    assert answer.status == 303
    assert position.split()[0] in answer.headers["location"]
    answer = guest.post("/analyse", {"record": "b2 a1 c3"})  # of another game
    assert answer.status == 422
    assert "choose that game below" in plain(answer.text)
    assert "b2 a1 c3" in answer.text


def test_a_file_of_many_games_is_paged_and_carried_along(house):
    firsts = ["f5", "d3", "c4", "e6"]
    number = 130
    data = wthor(*[(squares(firsts[place % 4]), 32) for place in range(number)])
    guest = house.browser()
    answer = guest.upload("/analyse", data)
    assert "1 to 50 of 130 games." in plain(answer.text)
    seen = [moves_of(href) for href in hrefs(answer) if "/walk" in href]
    held = re.search('name="held" value="(.*?)"', answer.text)
    assert held
    for page in (1, 2):
        answer = guest.post("/analyse", {"held": html.unescape(held[1]), "page": str(page)})
        assert answer.status == 200
        assert answer.headers["cache-control"] == "private"  # Back leads here again
        seen += [moves_of(href) for href in hrefs(answer) if "/walk" in href]
    assert seen == [firsts[place % 4] for place in range(number)]
    assert "101 to 130 of 130 games." in plain(answer.text)
    jumped = guest.post("/analyse", {"held": html.unescape(held[1]), "page": "", "go": "1"})
    assert "51 to 100 of 130 games." in plain(jumped.text)
    assert guest.post("/analyse", {"held": "x", "page": "1"}).status == 422


def test_one_bad_game_of_a_file_is_listed_among_the_others(house):
    answer = house.browser().upload("/analyse", wthor((squares("f5", "f5"), 0), (squares("f5"), 0)))
    assert "move 2, f5, cannot be played" in plain(answer.text)
    assert [moves_of(href) for href in hrefs(answer) if "/walk" in href] == ["f5"]


def test_a_file_that_is_too_large_is_refused_with_a_sentence(house):
    guest = house.browser()
    answer = guest.upload("/analyse", b"a" * (MAX_FILE + 1))
    assert answer.status == 413
    assert "at most 2,048 kB" in plain(answer.text)
    assert guest.upload("/analyse", b"a" * (4 << 20)).status == 413
    bomb = pack(b"\0" * (50 << 20))
    assert len(bomb) < 100_000
    assert guest.post("/analyse", {"held": bomb}).status == 422


def test_a_game_is_given_back_in_every_format(house):
    guest = house.nobody()
    for moves, score in chance_games(1, passes=1):
        line = ",".join(GAME.write_move(move) for move in moves)
        path = f"/analyse/othello/download/{{}}?by=Ann&by=Bob&moves={line}&at=10"
        for kind in ("record", "ggf", "moves"):
            answer = guest.get(path.format(kind))
            assert answer.status == 200
            assert "attachment" in answer.headers["content-disposition"]
            (found,) = read_games(answer.body)
            assert found.moves == moves
            if kind == "ggf":
                assert (found.players, found.lead) == (("Ann", "Bob"), score)
        states = [GAME.start()]
        for move in moves[:10]:
            states.append(GAME.play(states[-1], move))
        (place,) = read_games(guest.get(path.format("obf")).body)
        assert place.start == states[10]
    assert guest.get("/analyse/nim/download/ggf?moves=1+from+1").status == 404
    assert guest.get("/analyse/nim/download/record?moves=1+from+1").status == 200
