"""`parlour verify FILE`: check a proof written by `parlour solve --certificate`."""

from __future__ import annotations

import json
from pathlib import Path

from parlour.core import BadFile
from parlour.faces.cli.flags import Parser
from parlour.truth.proofs import check


def run(parser: Parser, arguments: list[str]) -> int:
    """Check the certificate in a file, and print what it proves."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a certificate written by solve")
    given = parser.parse(arguments)
    try:
        proof = json.loads(given.file.read_text(encoding="utf-8"))
    except OSError as trouble:
        raise BadFile(f"cannot read {given.file}: {trouble.strerror}") from None
    except (ValueError, RecursionError):
        raise BadFile(f"{given.file} is not a certificate: it is not JSON") from None
    print(f"Proven: {check(proof)}.")
    return 0
