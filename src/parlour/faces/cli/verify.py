"""`parlour verify FILE`: check a proof written by `parlour solve --certificate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal, NotRequired, TypedDict

from parlour.core import BadFile, UnknownName, answers, files, quote, registry, values
from parlour.faces.cli.command import Parser, print_json
from parlour.truth.proofs import check


class UncheckedBounds(TypedDict):
    """What the proof rests on that was not checked."""

    positions: answers.Natural  # how many have bounds that were not checked
    source: str  # where these bounds are taken from


class Answer(answers.GameFields, answers.PositionFields):
    """What `parlour verify --json` prints: the value that a certificate proves."""

    format: Literal["parlour verify 1"]
    value: answers.ValueFields
    proven: str  # what is proven, and by how many situations or claims, in a sentence
    given: NotRequired[UncheckedBounds]


def run(parser: Parser, arguments: list[str]) -> int:
    """Check the certificate in a file, and print what it proves."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a certificate written by solve")
    about = "the rules to check it by: a `.py` file, or the name of an installed game"
    parser.add_argument("--game", metavar="GAME", help=about)
    parser.add_json()
    asked = parser.parse(arguments)
    path = asked.file
    with files.explain_errors("read", path):
        data = path.read_bytes()
    try:
        proof = json.loads(data)
    except (ValueError, RecursionError):
        raise BadFile(f"{path} is not a certificate: it is not JSON") from None
    game = registry.find("games", asked.game, files=True) if asked.game else None
    name = proof.get("game") if isinstance(proof, dict) else None
    if game is None and isinstance(name, str) and name not in registry.games():
        why = f"{path} is about {quote(name)}, which is not installed; name its file with --game"
        raise UnknownName(why)
    proven = check(proof, game)
    if asked.json:
        rules = registry.build("games", str(name), proof["options"], game)
        position = rules.read(proof["position"])
        answer = Answer(
            format="parlour verify 1",
            game=rules.name,
            options=values(rules),
            position=rules.write(position),
            turn=rules.turn(position),
            value={"outcome": proof["outcome"], "plies": proof.get("at_most")},
            proven=proven,
        )
        if "given" in proof:
            answer["given"] = {"positions": len(proof["given"]), "source": proof["source"]}
        print_json(answer)
    else:
        print(f"Proven: {proven}.")
    return 0
