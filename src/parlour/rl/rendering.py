"""A position of an environment for people: as text, as SVG, or as an image in an array."""

from __future__ import annotations

import io
from typing import Any

from parlour.core import BadOption, Match, one_of

RENDER_MODES = ("ansi", "svg", "rgb_array")
FRAMES_A_SECOND = 1  # of a film made from images


def check_render_mode(mode: str | None) -> str | None:
    """Return a way to render, or None; `BadOption` names one that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption("render_mode", mode, f"it must be {one_of(RENDER_MODES)}, or None")
    return mode


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
    import numpy as np
    from PIL import Image

    drawn = Image.open(io.BytesIO(picture.to_png())).convert("RGBA")
    ground = Image.new("RGBA", drawn.size, "white")  # the corners of the drawing are round
    return np.array(Image.alpha_composite(ground, drawn).convert("RGB"))
