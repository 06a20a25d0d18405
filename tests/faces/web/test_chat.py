"""Benedict on the page: he answers, remembers each browser apart, and nothing said does harm."""

import html
import re

import pytest

from tests.faces.web.house import house  # noqa: F401


@pytest.fixture
def guest(house):  # noqa: F811
    return house.browser()


def said(text):
    return [
        html.unescape(line) for line in re.findall(r'<p class="said \w+">(.*?)</p>', text, re.S)
    ]


def test_he_answers_on_every_page_with_scripts_off(guest):
    answer = guest.post("/chat", {"text": "hello", "back": "/new/nim"})
    assert (answer.status, answer.headers["location"]) == (303, "/new/nim#say-text")
    for page in ("/", "/new/nim", "/tournaments", "/docs"):
        lines = said(guest.get(page).text)
        assert lines[-1].endswith("Hello"), page


def test_he_answers_a_script_with_the_new_lines_alone(guest):
    told = guest.send("/chat", {"text": "who wins nim with 3 4 5?"}).json
    assert told["lines"][0] == ["you", "who wins nim with 3 4 5?"]
    assert "The first player wins" in told["lines"][1][1]


def test_a_game_can_be_played_in_the_chat(guest):
    guest.send("/chat", {"text": "tic-tac-toe, I start"})
    told = guest.send("/chat", {"text": "b2"}).json
    assert "X" in told["lines"][-1][1]
    assert "\n" in told["lines"][-1][1]


def test_every_browser_has_a_talk_of_its_own(house, guest):  # noqa: F811
    guest.send("/chat", {"text": "my name is Ann"})
    assert "Ann" in " ".join(said(guest.get("/").text))
    assert "Ann" not in " ".join(said(house.browser().get("/").text))


@pytest.mark.parametrize(
    "line", ["<script>alert(1)</script>", "{{ 7*7 }}", "\x00\x1b[31m", "\u202e"]
)
def test_what_is_said_is_only_text(guest, line):
    assert guest.post("/chat", {"text": line, "back": "/"}).status == 303
    shown = guest.get("/").text
    assert "<script>alert" not in shown
    assert "49" not in " ".join(said(shown))


@pytest.mark.parametrize(
    "back", ["//evil.example/", "https://evil.example/", "/\\evil", "javascript:x"]
)
def test_nobody_is_led_elsewhere(guest, back):
    location = guest.post("/chat", {"text": "hello", "back": back}).headers["location"]
    assert location == "/#say-text"


def test_after_goodbye_he_is_there_again(guest):
    guest.send("/chat", {"text": "goodbye"})
    told = guest.send("/chat", {"text": "hello"}).json
    assert told["lines"][-1] == ["benedict", "Hello"]
