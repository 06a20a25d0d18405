"""What the environments share: the game that is meant, and a match with the usual referee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour import core
from parlour.core import Game, Match, ParlourError, registry

ILLEGAL_REWARD = -1.0  # as a loss


def make_game(game: Any, options: Mapping[str, Any]) -> Any:
    """Return the game that an argument stands for, with these options."""
    made = core.to_game(game)
    if not options:
        return made
    usual, chosen = core.values(type(made)()), core.values(made)
    changed = {name: value for name, value in chosen.items() if value != usual[name]}
    return registry.build(type(made), made.name, {**changed, **options})


def check_playable(game: Game) -> None:
    """Refuse a game in which there is nothing to play."""
    if game.result(game.start()) is not None:
        raise ParlourError(f"{core.full_title(game)} is over before it begins")


def is_cut_short(match: Match) -> bool:
    """Return whether only the cap on moves ended a match, so that it was truncated."""
    return (
        match.over
        and len(match.moves) >= match.most_moves
        and match.game.result(match.state) is None
    )
