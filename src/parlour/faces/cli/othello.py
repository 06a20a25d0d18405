"""What the commands about Othello share: flags, files, and how findings are written.

What is proven is told as it is; an estimate carries `≈`, and how far ahead somebody looked.
"""

from __future__ import annotations

import argparse
import errno
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.core import BadFile, ParlourError
from parlour.faces.cli.flags import Parser, read_number
from parlour.rules import COMPILED_SQUARES, Othello
from parlour.truth.explain import count_plies

if TYPE_CHECKING:
    from parlour.engine import OthelloEngine

FILE = re.compile(r"^(?![-XOxo.*]+$)\S*\.[A-Za-z]\w*$")  # what can only be the name of a file
MEGABYTES = 64
MOST_MEGABYTES = 1 << 16
MOST_THREADS = 256


def add_engine(parser: Parser) -> None:
    """The flags of the engine."""
    parser.add_argument(
        "--threads", metavar="N", default="1", help="how many processors may work (usually 1)"
    )
    parser.add_argument(
        "--hash",
        metavar="MB",
        default=str(MEGABYTES),
        help=f"memory for what was found already, in megabytes (usually {MEGABYTES})",
    )


def engine(given: argparse.Namespace, game: Othello) -> partial[OthelloEngine]:
    """What makes a mind as it was asked for; a board that is too large is refused at once."""
    if len(game.board.bits) > COMPILED_SQUARES:
        raise ParlourError(
            f"the engine plays on at most {COMPILED_SQUARES} squares, and {game.columns}x"
            f"{game.rows} has {len(game.board.bits)}"
        )
    settings = {
        "megabytes": between("--hash", given.hash, 1, MOST_MEGABYTES),
        "threads": between("--threads", given.threads, 1, MOST_THREADS),
    }
    return partial(_mind, game, settings)


def _mind(game: Othello, settings: dict[str, Any]) -> OthelloEngine:
    from parlour.engine import OthelloEngine  # it loads compiled code

    return OthelloEngine(game, **settings)


def between(flag: str, text: str, low: int, high: int) -> int:
    """The whole number given to a flag, which must be one of these."""
    number = read_number(flag, text)
    if not low <= number <= high:
        raise ParlourError(f"{flag} must be {low} to {high}, not {number}")
    return number


def bytes_given(text: str) -> bytes | None:
    """What is in the file of this name, or comes in for `-`; None if it is neither."""
    if text == "-":
        return sys.stdin.buffer.read()
    path = Path(text)
    try:
        if path.is_file():
            return path.read_bytes()
        folder = path.is_dir()
    except OSError as trouble:
        if trouble.errno == errno.ENAMETOOLONG:  # a long list of moves is no name
            return None
        raise BadFile(f"cannot read {text}: {trouble.strerror}") from None
    if folder or FILE.search(text):
        reason = "it is a folder" if folder else "there is no such file"
        raise BadFile(f"cannot read {text}: {reason}")
    return None


def signed(score: float, *, exact: bool = True) -> str:
    """`+38`, `-2`, `0`; an estimate as `≈ +1`"""
    return ("" if exact else "≈ ") + (f"{score:+g}" if score else "0")


def founded(exact: bool, depth: int, certainty: int) -> str:
    """`exact`, or `14 plies, 73 %`"""
    return "exact" if exact else f"{count_plies(depth)}, {certainty} %"
