"""Bots over HTTP: the protocol, and that no answer of theirs crashes the program that asks."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.core import ParlourError, Resigns, referee, registry
from parlour.faces.cli import main
from parlour.players.http_bot import Http
from tests.endpoints import Answer, Asked, endpoint

EXAMPLE = Path(__file__).parents[2] / "examples" / "http_bot.py"
NIM = parlour.game("nim", piles=(1, 2))


def send(value: Any) -> Answer:
    return Answer(json.dumps(value).encode())


def first(asked: Asked) -> Answer:
    return send({"move": asked.body["moves"][0]})


def test_it_is_asked_as_the_protocol_says() -> None:
    with endpoint(first) as (url, asked):
        record = parlour.match(NIM, [f"http url={url}", "perfect"])
        player = Http(url, seconds=30)
        player.clock(12.5)
        player.choose(NIM, NIM.start())
    assert record.moves[0] == "1 from 1"
    assert asked[0].body == {
        "type": "choose",
        "protocol": 1,
        "game": "nim",
        "options": {"piles": [1, 2], "misere": False, "endings": [], "seats": 2, "take": None},
        "seat": 0,
        "seats": 2,
        "position": "1,2:1",
        "moves": ["1 from 1", "1 from 2", "2 from 2"],
        "count": 3,
        "played": [],
        "seconds": None,
    }
    later = [each.body["played"] for each in asked[:-1]]
    assert later == [list(record.moves[: 2 * number]) for number in range(len(later))]
    assert asked[-1].body["seconds"] == 12.5


def test_of_a_huge_pile_some_moves_are_listed() -> None:
    game = parlour.game("nim", piles=(10**6,))
    with endpoint(lambda asked: send({"move": "1000000 from 1"})) as (url, asked):
        assert Http(url).choose(game, game.start()) == (0, 10**6)
    assert (len(asked[0].body["moves"]), asked[0].body["count"]) == (1000, 10**6)


def test_it_may_resign_and_say_why() -> None:
    for answer in ({"resign": True, "why": "bored\x1b"}, {"type": "resign", "why": "bored"}):
        with endpoint(lambda asked, answer=answer: send(answer)) as (url, _):
            with pytest.raises(Resigns, match=r"^bored$"):
                Http(url).choose(NIM, NIM.start())
            assert parlour.match(NIM, [Http(url), "random"]).result == (-1, 1)


FAULTS: dict[str, tuple[Callable[[Asked], Answer], type[Exception], str, str]] = {
    "garbage": (lambda asked: Answer(b"\xff\x00 not json"), ParlourError, "not JSON", "crash"),
    "no move": (lambda asked: send(["a"]), ParlourError, '{"move": "…"} was expected', "crash"),
    "a number": (lambda asked: send({"move": 3}), ParlourError, "was expected", "crash"),
    "its own error": (
        lambda asked: send({"type": "error", "why": "no model"}),
        ParlourError,
        "cannot go on: no model",
        "crash",
    ),
    "illegal": (lambda asked: send({"move": "9 from 9"}), referee.BadChoice, "9 from 9", "illegal"),
    "unreadable": (lambda asked: send({"move": "\x1b[2J"}), referee.BadChoice, "chose", "illegal"),
    "an error": (lambda asked: Answer(b"oops", status=500), ParlourError, "error 500", "crash"),
    "elsewhere": (
        lambda asked: Answer(status=302, headers={"Location": "http://127.0.0.1:1/"}),
        ParlourError,
        "error 302",
        "crash",
    ),
    "too much": (lambda asked: Answer(b" " * 10**6), ParlourError, "more than 65,536", "crash"),
    "deep": (lambda asked: Answer(b"[" * 60_000), ParlourError, "not JSON", "crash"),
    "silence": (lambda asked: Answer(hangs=True), referee.OutOfTime, "longer than 0.2 s", "time"),
    "drops": (lambda asked: Answer(drips=True), referee.OutOfTime, "longer than 0.2 s", "time"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_every_failure_is_counted_as_its_fault(name: str) -> None:
    answer, kind, why, fault = FAULTS[name]
    with endpoint(answer) as (url, _):
        bot = f"http url={url} seconds=0.2" if kind is referee.OutOfTime else f"http url={url}"
        with pytest.raises(kind, match=re.escape(why)) as caught:
            registry.bot(bot).choose(NIM, NIM.start())
        assert "\n" not in str(caught.value)
        assert url not in str(caught.value)  # visitors of a web site may read it
        table = parlour.tournament(NIM, ["random", bot], games=2)
        judged = parlour.judge(NIM, bot)
    [row] = [each for each in table.to_dict()["rows"] if each["name"] != "random"]
    assert (row["points"], row["games"]) == (0, 2)
    assert fault in str(row["faults"])
    assert judged.to_dict()["faults"][fault] == judged.to_dict()["critical"]


def test_a_server_that_is_not_there_is_reported_in_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bot = "http://127.0.0.1:9"
    assert main(["play", "nim", "--seat", bot, "--seat", "random"]) == 2
    assert "cannot be reached" in capsys.readouterr().err
    for wrong in ("http url=nowhere", "http url=ftp://a.b/", "http url=file:///etc/passwd"):
        with pytest.raises(ParlourError, match="needs an address like"):
            registry.bot(wrong)
    with pytest.raises(ParlourError, match="it needs an address"):
        parlour.tournament("nim", ["http", "random"])


def test_a_name_from_elsewhere_never_reaches_a_server() -> None:
    with pytest.raises(ParlourError, match="asks a server; name it at the command line"):
        registry.build("bots", "http url=http://127.0.0.1:9")
    with pytest.raises(ParlourError):
        registry.build("bots", "http://127.0.0.1:9")
    assert "http" not in registry.bots(NIM)


def test_it_is_a_value() -> None:
    bot = Http("http://127.0.0.1:9", seconds=3)
    assert pickle.loads(pickle.dumps(bot)) == bot  # noqa: S301 - our own


@pytest.fixture
def example() -> Iterator[str]:
    """The address of the server among the examples."""
    code = (
        "import importlib.util, sys; from http.server import HTTPServer\n"
        "spec = importlib.util.spec_from_file_location('bot', sys.argv[1])\n"
        "module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)\n"
        "server = HTTPServer(('127.0.0.1', 0), module.Bot)\n"
        "print(server.server_port, flush=True); server.serve_forever()"
    )
    command = [sys.executable, "-c", code, str(EXAMPLE)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, encoding="utf-8", **pipes) as process:  # type: ignore[call-overload]
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


@pytest.mark.server
def test_the_example_plays_any_game(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    for game in ("nim", "sticks", "tictactoe", "chopsticks", "othello"):
        assert parlour.match(game, [example, "random"]).result is not None
    for command in (
        ["play", "nim", "--seat", "random", "--seat", example],
        ["tournament", "nim", "--bots", "random", example],
        ["check-bot", example, "nim"],
        ["judge", "nim", "--agent", example],
    ):
        assert main(command) == 0, command
    said = capsys.readouterr().out
    assert f"{example} is fine" in said
