"""Players that learn: hats full of balls, their training, and how well they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.learn import pictures, storage, summary
    from parlour.learn.hat_set import (
        AGAINST,
        DRAW,
        MAX_GAMES,
        MENACE,
        RULES,
        STARTS,
        Hats,
        TrainingTally,
        check_boxes,
        check_seed,
        has_numbered_hats,
        hats,
        list_boxes,
        number_hats,
    )
    from parlour.learn.player import HatsPlayer
    from parlour.learn.training import (
        BallDrawn,
        NextGame,
        check_games,
        compute_odds,
        find_truths,
        foresee_game,
        measure,
        train,
        train_for,
    )
else:
    __getattr__ = export(__name__)
