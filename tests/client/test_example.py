"""The example bot plays all day: here for some seconds."""

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
def test_it_offers_a_game_accepts_another_and_plays_both(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    house = OpenHouse(f"sqlite:///{tmp_path}/parlour.sqlite", served=True)
    flags = ["All-day", "--player", "random", "--challenge", "nim"]
    bot = subprocess.Popen(
        [sys.executable, EXAMPLE, house.url, *flags],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        with parlour.client.connect(house.url) as guest:
            wait_until(lambda: "All-day" in {each.name for each in guest.accounts(here=True)})
            guest.create_account("Guest-one")
            offered = wait_until(lambda: guest.challenges(mine=False))
            guest.accept(offered[0])
            guest.challenge("All-day", "tictactoe", seat=1)
            wait_until(lambda: "tictactoe" in {each.game for each in guest.tables()})
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
