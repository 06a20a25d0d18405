"""How commands print their findings: JSON, coloured marks, and Othello scores.

Exact values are filled marks, estimates are outlined and carry `≈`; colours appear only at
terminals that want them.
"""

from __future__ import annotations

import json
import os
import sys

from parlour.core import Game, State, describe, registry

COLOUR_OF = {"win": "first", "loss": "second", "draw": "draw"}  # the side whose colour it takes
OUTLINED = {"win": "△", "loss": "▽", "draw": "○"}


def print_json(answer: object) -> None:
    """Print an answer for programs."""
    print(json.dumps(answer, ensure_ascii=False, indent=2, default=str))


def print_problems() -> None:
    """Say on standard error which of the user's own games and bots were left out, and why."""
    for problem in registry.troubles():
        print(f"parlour: left out: {problem}", file=sys.stderr)


def heading(game: Game, state: State) -> str:
    """Return the lines above an answer: the variant, the position and its drawing."""
    return f"{describe(game)}: {game.write(state)}\n\n{game.draw(state)}\n"


def mark(outcome: str, *, exact: bool = True) -> str:
    """Return the mark of an outcome, coloured where the terminal shows colours."""
    from parlour.truth.variants import MARKS

    shape, colour, _ = MARKS[COLOUR_OF[outcome]]
    if not exact:
        shape = OUTLINED[outcome]
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return shape
    red, green, blue = bytes.fromhex(colour[1:])
    return f"\033[38;2;{red};{green};{blue}m{shape}\033[0m"


def format_score(score: float, *, exact: bool = True) -> str:
    """`+38`, `-2`, `0`; an estimate as `≈ +1`"""
    return ("" if exact else "≈ ") + (f"{score:+g}" if score else "0")


def format_discs(discs: float) -> str:
    """`1 disc`, `2 discs`"""
    return f"{discs:g} {'disc' if discs == 1 else 'discs'}"


def format_depth(exact: bool, depth: int, certainty: int) -> str:
    """`exact`, or `14 plies, 73 %`"""
    from parlour.truth.explain import count_plies

    return "exact" if exact else f"{count_plies(depth)}, {certainty} %"
