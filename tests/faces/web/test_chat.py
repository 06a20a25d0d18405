"""Benedict on the page: he answers, remembers each browser apart, and moves at its table."""

import html
import io
import re
from pathlib import Path

import pytest

from parlour.faces.cli import main
from parlour.faces.web.chat import ChatService
from tests.faces.web.house import wait_until


@pytest.fixture
def guest(house):
    return house.browser()


def lines_of(text):
    return [
        html.unescape(line) for line in re.findall(r'<p class="said \w+">(.*?)</p>', text, re.S)
    ]


def test_he_answers_on_every_page_with_scripts_off(guest):
    answer = guest.post("/chat", {"text": "hello", "back": "/new/nim"})
    assert (answer.status, answer.headers["location"]) == (303, "/new/nim#say-text")
    for page in ("/", "/new/nim", "/tournaments", "/docs"):
        lines = lines_of(guest.get(page).text)
        assert lines[-1].endswith("Hello"), page


def test_few_answers_are_offered_and_each_can_be_pressed_as_it_is(guest):
    many = guest.send("/chat", {"text": "nim 3 4 5"}).json["choices"]
    assert many == ["hint", "why", "who is winning", "undo", "rules", "leave"]
    few = guest.send("/chat", {"text": "leave"}).json["choices"]
    assert "goodbye" not in few
    few = guest.send("/chat", {"text": "nim with piles of 1 and 2, I start"}).json["choices"]
    assert few == ["1 from 1", "1 from 2", "2 from 2", "hint", "why", "who is winning"]
    asked = ["hello", "help", "game", "tic-tac-toe", "first", "help", "b2", "resign", "no", "nim"]
    for line in asked:
        choices = guest.send("/chat", {"text": line}).json["choices"]
        assert 0 < len(choices) <= 6, line
        assert not {"kill", "save", "goodbye"} & set(choices)
        assert not any(choice.endswith("…") for choice in choices)


def test_he_says_the_same_as_at_the_terminal(guest, monkeypatch, capsys):
    book = (Path(__file__).parents[3] / "docs" / "benedict.md").read_text(encoding="utf-8")
    typed = [line for line in re.findall(r"^> (.+)$", book, re.MULTILINE) if line != "goodbye"]
    typed += ["asdf qwer", "9 from 9", "日本語 🎩", "'; DROP TABLE talks; --", "la " * 50]
    typed = [" ".join(line.split()) for line in (*typed, "forget me", "goodbye")]
    assert len(typed) > 60
    web = ""
    for line in typed:
        reply = guest.send("/chat", {"text": line}).json["lines"]
        web += "".join(f"> {text}\n" if who == "you" else f"{text}\n" for who, text in reply)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    main(["--seed", str(int(guest.cookie[:8], 16))])
    _, _, terminal = capsys.readouterr().out.partition("\n")  # after the greeting
    assert web == terminal


def test_every_browser_has_a_talk_of_its_own(house, guest):
    guest.send("/chat", {"text": "my name is Ann"})
    assert "Ann" in " ".join(lines_of(guest.get("/").text))
    assert "Ann" not in " ".join(lines_of(house.browser().get("/").text))


def test_a_line_leads_to_no_other_site(guest):
    for back in ("//evil.example/", "https://evil.example/", "/\\evil", "javascript:x"):
        location = guest.post("/chat", {"text": "hello", "back": back}).headers["location"]
        assert location == "/#say-text", back


def test_after_goodbye_he_is_there_again(guest):
    guest.send("/chat", {"text": "goodbye"})
    reply = guest.send("/chat", {"text": "hello"}).json
    assert reply["lines"][-1] == ["benedict", "Hello"]


def sit_down(guest):
    """The table of a game of Nim against an easier Benedict, who lets the guest begin."""
    return guest.post("/quick", {"game": "nim", "level": "easy"}).headers["location"]


def test_beside_a_table_he_speaks_of_the_game_on_it(guest):
    table = sit_down(guest)
    reply = guest.send("/chat", {"text": "who is winning?", "back": table}).json
    assert "You can win this" in reply["lines"][1][1]  # misère 3, 4, 5 is won by whoever begins
    reply = guest.send("/chat", {"text": "hint", "back": f"{table}?view=values"}).json
    assert "2 from 1" in reply["lines"][1][1]  # the only right move


def test_a_move_said_to_him_is_made_at_the_table_itself(house, guest):
    table = sit_down(guest)
    name = table.rpartition("/")[2]
    reply = guest.send("/chat", {"text": "take two from the first pile", "back": table}).json
    assert reply["lines"][1][1] == "Done: 2 from 1."
    wait_until(lambda: len(house.read(name).moves) == 2)
    assert house.read(name).moves[0] == "2 from 1"
    reply = guest.send("/chat", {"text": "undo", "back": table}).json
    assert reply["lines"][1][1] == "Taken back."
    assert house.read(name).moves == ()


def test_talking_moves_and_reveals_nothing_at_the_table_of_others(house, guest):
    table = sit_down(guest)
    other = house.browser()
    other.send("/chat", {"text": "take two from the first pile", "back": table})
    assert house.read(table.rpartition("/")[2]).moves == ()
    shared = house.table("tictactoe")
    ann, bob = house.sitting(shared, 0), house.sitting(shared, 1, "Bob")
    reply = ann.send("/chat", {"text": "hint", "back": f"/tables/{shared}"}).json
    assert "no game on the table" in reply["lines"][1][1]
    assert bob.post(f"/tables/{shared}/move", {"move": "b2", "at": 0}).status == 403


def test_a_game_in_his_own_talk_is_not_mixed_up_with_the_one_on_the_page(house, guest):
    table = sit_down(guest)
    guest.send("/chat", {"text": "tic-tac-toe, I start", "back": "/"})
    reply = guest.send("/chat", {"text": "b2", "back": table}).json
    assert "X" in reply["lines"][-1][1]
    assert house.read(table.rpartition("/")[2]).moves == ()


def test_what_is_said_in_two_windows_at_once_is_all_kept(house, guest):
    browser = guest.cookie.partition(".")[0]
    chat = house.services.get(ChatService)
    first = chat.read(browser)
    for begun in (first, chat.find(browser)):
        talk = begun or chat.read(browser)
        for window in ("one", "two", "three"):  # all have read the talk before any has answered
            fresh = (("you", f"{window} {talk.version}"), ("benedict", "Hm."))
            kept = chat._save(talk, talk.session, fresh, ())
            assert kept.lines[-2:] == fresh
    lines = [text for who, text in chat.find(browser).lines if who == "you"]
    assert lines[:3] == ["one 0", "two 0", "three 0"]
    assert len(lines) == 6
