"""GGF, the text in which Othello servers and programs write games down.

A game is a list of properties between `(;` and `;)`: `BO[8 … *]` is the board it began on and who
was to move, `B[d3/1.5/0.8]` and `W[PA]` are moves, with what the player thought of them and the
seconds it took, which are left alone. A file, or a line, may hold several games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from parlour.core import BadText, quote
from parlour.rules.board import Square
from parlour.rules.formats.transcript import Transcript, with_passes
from parlour.rules.othello import PASS, Othello, OthelloState

Properties: TypeAlias = list[tuple[str, str]]  # names and values, as they were written

SIZE = 8
PROPERTY = re.compile(r"\s*([A-Za-z]+)\s*\[([^\]]*)\]")
END = re.compile(r"\s*;?\s*\)")
ANTI = re.compile("s?[0-9]+[^a]*a")  # the type of a game that is won by having fewer discs
SEATS = {"B": 0, "W": 1}
CELLS = str.maketrans("*", "X")  # black is * in GGF, where our own positions have X


def read_ggf(text: str) -> Iterator[Transcript]:
    """The games in a text, one after another; `BadText` says what is wrong with one."""
    return map(transcript, split_ggf(text))


def split_ggf(text: str) -> list[Properties]:
    """The properties of each game in a text; `transcript` makes a game of them."""
    at = text.find("(;")
    if at < 0:
        raise BadText(f"{quote(text)} is no game in GGF, which begins with (; and ends with ;)")
    games = []
    while at >= 0:
        fields, at = _properties(text, at + 2)
        games.append(fields)
        at = text.find("(;", at)
    return games


def _properties(text: str, at: int) -> tuple[Properties, int]:
    """The properties of the game that begins here, and where it ends."""
    fields: Properties = []
    while found := PROPERTY.match(text, at):
        fields.append((found[1].upper(), found[2]))
        at = found.end()
    end = END.match(text, at)
    if end is None:
        rest = text[at : at + 30].strip()
        where = f"stands {quote(rest)}" if rest else "the text ends"
        raise BadText(f"in GGF a game goes on with NAME[value] or ends with ;), but here {where}")
    return fields, end.end()


def transcript(fields: Properties) -> Transcript:
    """The game that such properties describe."""
    said = dict(fields)
    kind = said.get("GM", "Othello").strip()
    if kind.casefold() not in ("othello", "reversi"):
        raise BadText(f"this GGF is a game of {quote(kind)}, not of Othello")
    rules = said.get("TY", "").strip().casefold()
    if ANTI.match(rules):
        raise BadText(f"this GGF is of the type {quote(rules)}, anti-Othello, which is not known")
    game = Othello(columns=SIZE, rows=SIZE)
    start = _board(game, said["BO"]) if "BO" in said else game.start()
    written = [(SEATS[name], value) for name, value in fields if name in SEATS]
    moves = with_passes(
        game,
        start,
        (_move(game, value) for _, value in written),
        (seat for seat, _ in written),
    )
    players = (said.get("PB", "").strip(), said.get("PW", "").strip())
    return Transcript(game, start, moves, players, _lead(game, said.get("RE", "")))


def _board(game: Othello, text: str) -> OthelloState:
    """`8`, then the squares and who is to move, spaced in any way."""
    size, *cells = text.split() or [""]
    if size != str(SIZE):
        raise BadText(
            f"this GGF is on a board of the type {quote(size)}; only the type {SIZE} is read, "
            f"with {SIZE} columns and {SIZE} rows"
        )
    try:
        return game.read("".join(cells).translate(CELLS))
    except BadText:
        raise BadText(
            f"{quote('BO[' + text + ']')} is no board; after the {SIZE} come {SIZE * SIZE} squares "
            "as *, O and -, then * or O to move"
        ) from None


def _move(game: Othello, text: str) -> Square:
    """The move before the first slash."""
    move = "".join(text.partition("/")[0].split())
    return PASS if move.casefold() in ("pa", "pass", "ps") else game.board.read_square(move)


def _lead(game: Othello, text: str) -> float | None:
    """`+12.00`, `-64.00:t`; some programs write what no game can end with."""
    found = re.match(r"\s*[+-]?[0-9]{1,3}(\.[0-9]{0,9})?", text)
    if found is None or abs(float(found[0])) > len(game.board.bits):
        return None
    return float(found[0])
