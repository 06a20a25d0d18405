"""What the environments share: which games can be played, how an episode ends and how it is shown.

A position is rendered for people as text, as SVG, or as an image in an array.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour import core
from parlour.core import Game, Match, ParlourError
from parlour.rl.encoding import Encoding

ILLEGAL_REWARD = -1.0  # as a loss
RENDER_MODES = ("ansi", "svg", "rgb_array")
METADATA = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # of an environment
TRIES = 100  # games that others may finish before the learner's first move


def check_playable(game: Game) -> None:
    """Refuse a game in which there is nothing to play."""
    if game.result(game.start()) is not None:
        raise ParlourError(f"{core.protocol.full_title(game)} is over before it begins")


def observation_space(encoding: Encoding) -> Any:
    """Return Gymnasium's space in which all observations lie."""
    from gymnasium import spaces

    return spaces.Box(encoding.low, encoding.high, encoding.shape, np.float32)


def mask_of(encoding: Encoding, match: Match, seat: int) -> NDArray[np.int8]:
    """Return which actions are legal for a seat: none unless it is to move."""
    if match.over or match.turn != seat:
        return np.zeros(encoding.size, np.int8)
    return encoding.mask(match.state)


def never_moves(seat: int) -> ParlourError:
    """Return the error of a seat that the others leave no move."""
    return ParlourError(f"seat {seat} never came to move: the others ended {TRIES} games before")


def is_cut_short(match: Match) -> bool:
    """Return whether only the cap on moves ended a match, so that it was truncated."""
    return (
        match.over
        and len(match.moves) >= match.most_moves
        and match.game.result(match.state) is None
    )


def check_render_mode(mode: Any) -> Any:
    """Return a way to render, or None; `BadOption` names one that there is not."""
    return core.check_argument("render_mode", mode, str, choices=RENDER_MODES, optional=True)


def render_match(match: Match, mode: str | None) -> Any:
    """Return the position of a match in this mode, its last move marked; None without a mode."""
    if mode is None:
        return None
    game, state = match.game, match.state
    if mode == "ansi":
        return game.draw(state)
    from parlour import boards

    made = {"last": match.moves[-1], "before": match.states[-2]} if match.moves else {}
    picture = boards.Picture(game, state, **made)
    if mode == "svg":
        return picture.to_svg()
    from PIL import Image

    drawn = Image.open(io.BytesIO(picture.to_png())).convert("RGBA")
    ground = Image.new("RGBA", drawn.size, "white")  # the corners of the drawing are round
    return np.array(Image.alpha_composite(ground, drawn).convert("RGB"))
