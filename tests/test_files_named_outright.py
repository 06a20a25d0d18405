"""Games in files that are named on the command line are offered by Benedict and on the web."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.core import registry
from parlour.faces.cli import main
from tests.conftest import LONG
from tests.faces.web.house import OpenHouse, opened_in, wait_until

EXAMPLES = Path(__file__).parent.parent / "examples"
FILES = [EXAMPLES / "hexapawn.py", EXAMPLES / "short" / "wythoff.py"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenHouse]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(registry.FILES, "")
        registry.add_files(FILES)
        with opened_in(tmp_path_factory.mktemp("named"), processes=LONG) as found:
            yield found


def test_benedict_knows_it_for_this_visit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(registry.FILES, "")
    typed = "what games do you know?\nhexapawn 4 by 4, I start\na4-a3\nwhat should I do?\nkill\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["chat", str(FILES[0]), "--seed", "1"]) == 0
    said = capsys.readouterr().out
    assert "hexapawn: 6 in all" in said
    assert "Hexapawn, columns 4, rows 4." in said
    assert re.search("> what should I do\\?\nPlay [a-d]", said)


def test_a_file_that_cannot_serve_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(registry.FILES, "")
    (tmp_path / "empty.py").write_text("", encoding="utf-8")
    for command in ("chat", "web"):
        for name, why in (("empty.py", "should define a game or a bot"), ("none.py", "No such")):
            assert main([command, str(tmp_path / name)]) == 2
            assert why in capsys.readouterr().err
    assert main([str(FILES[0])]) == 2
    assert "did you mean 'parlour play" in capsys.readouterr().err


def test_it_is_on_the_start_page_and_played_at_once(house: OpenHouse) -> None:
    guest = house.browser()
    start = guest.get("/").text
    assert 'id="quick-hexapawn"' in start
    assert 'href="/new/wythoff"' in start
    made = guest.post("/quick", {"game": "hexapawn"})
    assert made.status == 303, made.said
    table = made.headers["location"].rpartition("/")[2]
    assert guest.post(f"/tables/{table}/move", {"move": "b3-b2", "at": 0}).status == 303
    wait_until(lambda: len(house.read(table).moves) == 2)
    page = house.browser().get(f"/tables/{table}")  # the address works for every visitor
    assert page.status == 200
    assert "Hexapawn" in page.text
