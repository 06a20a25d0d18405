"""At a web table one plays against what the owner trained; visitors name no file and no address."""

from __future__ import annotations

import json

import numpy as np
import pytest

import parlour
from parlour.core import registry
from parlour.rl import Encoding
from tests.endpoints import Answer, Asked, endpoint
from tests.faces.web.house import opened_in, wait_until
from tests.rl.networks import constant_network

NIM = parlour.game("nim", piles=(1, 2))
PY = "def choose(game, state): return game.moves(state)[-1]\n"


def answer(asked: Asked) -> Answer:
    return Answer(json.dumps({"move": asked.body["moves"][-1]}).encode())


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A house whose owner offers a network, a Python file and a server."""
    folder = tmp_path_factory.mktemp("models")
    net = constant_network(
        folder / "my net.onnx", ["batch", *Encoding(NIM).shape], np.float32([0, 1, 2])
    )
    (folder / "my_agent.py").write_text(PY, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, endpoint(answer) as (url, _):
        patch.setenv(registry.FILES, "")
        patch.setenv(registry.ADDRESSES, "")
        registry.add_files([net, folder / "my_agent.py", f"{url}#far-away"])
        with opened_in(tmp_path_factory.mktemp("house")) as found:
            yield found


@pytest.mark.parametrize("bot", ["my-net", "my_agent", "far-away"])
def test_visitors_find_the_owners_models_among_the_opponents_and_play_them(house, bot):
    options = {"piles": [1, 2]}
    listed = house.nobody().call("/bots", {"game": "nim", "options": options}).json
    (offered,) = (each for each in listed if each["name"] == bot)
    assert not offered["options"]["properties"]  # its owner chose them
    assert "http" not in offered["about"]
    table = house.table("nim", [{"kind": "open"}, {"kind": "bot", "bot": bot}], options=options)
    guest = house.player(table, 0)
    assert guest.call(f"/tables/{table}/moves", {"move": "1 from 1"}).status == 200
    wait_until(lambda: len(house.read(table).moves) == 2)
    assert house.read(table).moves[1] == "2 from 2"


def test_a_model_is_offered_only_for_games_that_fit_it(house):
    names = {each["name"] for each in house.nobody().call("/bots", {"game": "tictactoe"}).json}
    assert "my-net" not in names
    assert "my_agent" in names
    assert not names & {"onnx", "http", "sandbox", "stable-baselines3", "gtp"}


def test_visitors_name_no_file_and_no_address(house):
    wrong = []
    for bot, options in (
        ("onnx", "model=/etc/passwd"),
        ("http", "url=http://127.0.0.1:9"),
        ("stable-baselines3", "model=/srv/model.zip trust=yes"),
        ("/srv/model.zip", ""),
        ("http://127.0.0.1:9", ""),
        ("my-net", "model=/etc/passwd"),
        ("far-away", "url=http://127.0.0.1:9"),
    ):
        seats = [{"kind": "open"}, {"kind": "bot", "bot": bot, "options": options}]
        table = {"game": "nim", "options": {"piles": [1, 2]}, "seats": seats}
        by_api = house.nobody().call("/tables", table)
        form = {"do": "bot", "bot": bot, "name": "Rex", "options": options}
        by_form = house.browser().post("/new/nim/seats", form)
        if (by_api.status, by_form.status) != (422, 422):
            wrong.append(f"{bot} {options}: {by_api.status}, {by_form.status}")
    assert not wrong, "\n".join(wrong)
