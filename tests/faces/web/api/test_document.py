"""The programs in docs/api.md run as they are printed, against a real server."""

import re
import threading
from pathlib import Path

import pytest

import parlour
from parlour.faces.web.accounts import events
from tests.faces.web.house import lift_limits, wait_until

PAGE = (Path(__file__).parents[4] / "docs" / "api.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"```py\n# (\w+)\.py\n(.*?)```", PAGE, re.DOTALL))
ADDRESS = "http://127.0.0.1:8000"


@pytest.fixture
def house(served_house):
    """A house at a real port, for clients of other makers."""
    return served_house


@pytest.fixture(autouse=True)
def in_haste(monkeypatch):
    lift_limits(monkeypatch)
    monkeypatch.setattr(events, "POLL", 0.2)


def run(house, name, **names):
    assert ADDRESS in PROGRAMS[name] or "client" in names
    source = PROGRAMS[name].replace(ADDRESS, house.url)
    exec(compile(source, f"{name}.py", "exec"), names)  # noqa: S102  # it is ours


def test_the_first_bot_plays_any_challenger(house, monkeypatch, capsys):
    stop = threading.Event()
    play = parlour.client.Client.play
    monkeypatch.setattr(
        parlour.client.Client, "play", lambda self, player: play(self, player, stop=stop)
    )
    thread = threading.Thread(target=run, args=(house, "all_day"))
    thread.start()
    try:
        with parlour.client.connect(house.url) as client:
            client.create_account("Reads-the-page")
            wait_until(lambda: "MyFirstBot" in {each.name for each in client.accounts(here=True)})
            client.challenge("MyFirstBot", "nim", seat=0)
            table = wait_until(client.tables)[0]
            over = client.play_game(lambda game, state: game.moves(state)[0], table)
            assert over.over
    finally:
        stop.set()
        thread.join()
    assert "keep this: parlour_" in capsys.readouterr().out


def test_one_game_is_played_without_an_account(house, capsys):
    run(house, "one_game", parlour=parlour, choose=lambda game, state: game.moves(state)[0])
    assert capsys.readouterr().out.strip() in ("[-1, 1]", "[0, 0]")  # nobody beats perfect play


def test_a_picky_bot_says_what_it_accepts(house):
    asked = {}

    class Client:
        def play(self, player, accept):
            asked.update(player=player, accept=accept)

    run(house, "picky", client=Client())
    fast = parlour.client.RemoteChallenge(id="x", state="open", game="othello")
    slow = parlour.client.RemoteChallenge(id="x", state="open", game="othello", days=3)
    assert (asked["accept"](fast), asked["accept"](slow)) == (True, False)
    assert set(PROGRAMS) == {"all_day", "picky", "one_game"}
