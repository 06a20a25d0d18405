"""Every answer for programs has the format that it names, and seats are counted from 0 in it."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import parlour
from parlour.faces.cli import main
from parlour.faces.cli.dispatch import COMMANDS
from parlour.faces.cli.schema import find_answers
from tests.arena.conftest import unconfined

__all__ = ["unconfined"]

ROOT = Path(__file__).parents[3]
SMALL = ["othello", "--columns", "4", "--rows", "4"]
FEW = ["--workers", "1", "--trust"]
ANSWERS = [  # at least one command of each format
    ["solve", "nim", "1,2:2"],
    ["solve", "nim", "--piles", "100000000", "100000000", "7"],
    ["solve", "chopsticks", "--rules", "feathers"],
    ["solve", *SMALL, "--each"],
    ["solve", "othello"],
    ["solve", *SMALL, "positions.obf"],
    ["explain", "nim", "--move", "1 from 1"],
    ["explain", "tictactoe", "X-O------ X"],
    ["perft", *SMALL, "--depth", "2"],
    ["explore", "nim"],
    ["explore", "tictactoe", "--moves", "b2"],
    ["puzzles", "nim", "--number", "3"],
    ["puzzles", *SMALL, "--number", "2"],
    ["study", "tree.sgf", "--prove"],
    ["analyse", *SMALL, "--level", "2", "c4"],
    ["games"],
    ["bots"],
    ["bots", "nim"],
    ["atlas", "nim", "--piles", "1-2", "--seats", "2", "3"],
    ["train", "sticks", "--games", "0", "--name", "new"],
    ["train", "sticks", "--games", "50", "--seed", "1", "--against", "perfect"],
    ["hats"],
    ["hats", "sticks", "--box", "7", "--export", "them.json"],
    ["hats", "copy", "--import", "them.json"],
    ["hats", "copy", "--delete"],
    ["hats", "nim", "--piles", "1,2"],
    ["judge", "nim", "--agent", "random", "minimax depth=1"],
    ["judge", "sticks", "--agent", "them.json"],
    ["judge", "sticks", "--checkpoint", "random", "perfect", "--sample", "5"],
    ["tournament", "nim", "--bots", "random", "perfect", "--decide", *FEW],
    ["check-bot", "bad_bot.py", "nim", "--trust"],
    ["check-bot", "my_bot.py", "sticks", "--trust"],
    ["league", "league", "--workers", "1", "--trust"],
    ["verify", "proof.json"],
    ["verify", "draw.json"],
    ["tune", *SMALL, "--bot", "minimax depth=1", "--vary", "depth", "--variants", "4", *FEW],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with what the commands need, in which they run one after another."""
    folder = tmp_path_factory.mktemp("answers")
    shutil.copytree(ROOT / "examples" / "league", folder / "league")
    plan = folder / "league" / "league.toml"
    plan.write_text(plan.read_text().replace("games = 20", "games = 2"))
    shutil.copy(ROOT / "examples" / "my_bot.py", folder)
    (folder / "bad_bot.py").write_text("def choose(game, state):\n    return 1 / 0\n")
    nim = parlour.game("nim", piles=(1, 2))
    proof = parlour.certificate(parlour.solve(nim), nim.start())
    (folder / "proof.json").write_text(json.dumps(proof))
    draw = parlour.certificate(parlour.solve("othello"))
    (folder / "draw.json").write_text(json.dumps(draw))
    (folder / "tree.sgf").write_text("(;GM[2]SZ[4];B[b1]C[Why?](;W[a1])(;W[c1]TE[1]))")
    (folder / "positions.obf").write_text("-----OX--XO----- X; b1:-2;\n")
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys, unconfined):
    """Run a command there; what it prints."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))

    def call(*arguments: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        main(list(arguments))
        return capsys.readouterr().out

    return call


def strict(schema):
    """The schema, refusing every field that it does not describe."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: strict(each) for name, each in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        found.setdefault("additionalProperties", False)
    return found


@pytest.mark.slow
def test_an_answer_has_the_format_it_names_and_nothing_else(run):
    wrong = []
    for command in ANSWERS:
        answer = json.loads(run(*command, "--json"))
        assert answer["format"].startswith(f"parlour {command[0]} ")
        schema = json.loads(run("schema", command[0]))
        errors = Draft202012Validator(strict(schema)).iter_errors(answer)
        wrong += [f"{' '.join(command)}: {error.json_path}: {error.message}" for error in errors]
    assert not wrong, "\n".join(wrong)


def test_every_command_with_json_is_tried_and_has_a_schema(run, capsys):
    able = set()
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main(["help", command])
        if "  --json" in capsys.readouterr().out:
            able.add(command)
    assert able == {command[0] for command in ANSWERS} == find_answers().keys() - {"record"}
    listed = {line.split()[0] for line in run("schema").splitlines()}
    assert listed == able | {"record", "api"}


def test_schemas_are_schemas_of_the_version_they_state(run):
    for name in find_answers():
        schema = json.loads(run("schema", name))
        Draft202012Validator.check_schema(schema)
        *_, found, version = schema["$id"].split(":")
        assert found == name
        several = [
            schema["$defs"][each["$ref"].rsplit("/")[-1]] for each in schema.get("anyOf", ())
        ]
        stated = [each["properties"].get("format") for each in several or [schema]]
        wanted = [{"const": f"parlour {name} {version}"}] * len(stated)
        assert name == "record" or stated == wanted


def test_an_unknown_schema_is_refused(capsys):
    assert main(["schema", "solv"]) == 2
    assert "there is no schema 'solv'; did you mean 'solve'?" in capsys.readouterr().err


@pytest.mark.parametrize("position", ["1,2:1", "1,2:2"])
def test_seats_are_counted_from_0_for_programs_and_from_1_for_people(run, position):
    seat = parlour.game("nim").turn(parlour.game("nim").read(position))
    assert seat == int(position[-1]) - 1
    assert json.loads(run("solve", "nim", position, "--json"))["turn"] == seat
    assert f"player {seat + 1} is to move" in run("solve", "nim", position)


def test_records_have_their_schema(run, folder):
    check = Draft202012Validator(json.loads(run("schema", "record"))).validate
    run("play", "nim", "--seat", "random", "--seat", "random", "--record", "games.jsonl")
    lines = (folder / "games.jsonl").read_text().splitlines()
    for line in lines:
        check(json.loads(line))


def test_the_stored_table_is_the_one_that_is_printed(run, folder):
    bots = ["--bots", "random", "perfect", "--workers", "1", "--folder", "stored"]
    printed = json.loads(run("tournament", "nim", *bots, "--json"))
    assert json.loads((folder / "stored" / "table.json").read_text()) == printed


@pytest.mark.slow
def test_the_web_api_is_described_as_its_server_does(run, tmp_path):
    from parlour.faces.web import create_app
    from parlour.faces.web.api import VERSION
    from parlour.store import open_store

    schema = json.loads(run("schema", "api"))
    assert schema["info"]["version"] == VERSION
    app = create_app(open_store(f"sqlite:///{tmp_path}/x.db"))
    assert schema == json.loads(json.dumps(app.openapi()))
