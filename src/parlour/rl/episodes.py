"""What the environments share: which games can be played, and how an episode ends."""

from __future__ import annotations

from parlour import core
from parlour.core import Game, Match, ParlourError

ILLEGAL_REWARD = -1.0  # as a loss


def check_playable(game: Game) -> None:
    """Refuse a game in which there is nothing to play."""
    if game.result(game.start()) is not None:
        raise ParlourError(f"{core.protocol.full_title(game)} is over before it begins")


def is_cut_short(match: Match) -> bool:
    """Return whether only the cap on moves ended a match, so that it was truncated."""
    return (
        match.over
        and len(match.moves) >= match.most_moves
        and match.game.result(match.state) is None
    )
