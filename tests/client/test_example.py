"""The example bot plays all day: here for some seconds, with a restart of the server in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from tests.faces.web.house import OpenHouse, wait_until

EXAMPLE = Path(__file__).parents[2] / "examples" / "web_bot.py"


@pytest.mark.server
@pytest.mark.long
def test_it_accepts_plays_and_goes_on_after_a_restart(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    database = f"sqlite:///{tmp_path}/parlour.sqlite"
    house = OpenHouse(database, served=True)
    port, url = house.port, house.url
    command = [sys.executable, EXAMPLE, url, "All-day", "--player", "random", "--challenge", "nim"]
    bot = subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with parlour.client.connect(url) as guest:
            wait_until(lambda: "All-day" in {each.name for each in guest.accounts(here=True)})
            guest.create_account("Guest-one")
            token = guest.token
            offered = wait_until(lambda: guest.challenges(mine=False))
            guest.accept(offered[0])
            first = guest.challenge("All-day", "tictactoe", seat=1)
            table = wait_until(lambda: [t for t in guest.tables() if t.game == "tictactoe"])[0]
            assert first.state == "open"
            wait_until(lambda: guest.table(table).turn == 1)
        house.close()
        house = OpenHouse(database, port, served=True)
        with parlour.client.connect(url, token) as guest:
            for waiting in guest.tables():
                seat = [each.account for each in waiting.seats].index("Guest-one")
                over = guest.play_game(lambda game, state: game.moves(state)[0], waiting, seat)
                assert over.over
                assert "resigned" not in over.reason
        bot.send_signal(signal.SIGINT)
        _, said = bot.communicate(timeout=60)
        assert bot.returncode == 0, said
        assert "Traceback" not in said
        kept = tmp_path / "All-day.token"
        assert kept.stat().st_mode & 0o077 == 0
    finally:
        bot.kill()
        bot.wait()
        house.close()
