"""Players that learn: hats full of balls, their training, and how well they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.learn import serialize, storage
    from parlour.learn.balls import (
        COLOURS,
        Kind,
        are_hats,
        called,
        drawn,
        kinds,
        marks,
        percent,
        subtitle,
    )
    from parlour.learn.boxes import DRAW, list_boxes, refuse
    from parlour.learn.curve import Curve, chart, curves, games_axis, plotted, story, title
    from parlour.learn.hat_set import (
        AGAINST,
        MOST_GAMES,
        STARTS,
        Fortune,
        Hats,
        Lots,
        Tally,
        check_seed,
        hats,
        lots,
    )
    from parlour.learn.measure import fortunes, truths
    from parlour.learn.pictures import picture
    from parlour.learn.player import HatsPlayer
    from parlour.learn.reading import proof, strategy, table, verdict
    from parlour.learn.serialize import Label
    from parlour.learn.sheet import make_sheets
    from parlour.learn.summary import (
        all_told,
        box_told,
        dry,
        ended,
        filled,
        learned,
        schooling,
        told,
        trained,
    )
    from parlour.learn.training import check_games, train, train_a_while
    from parlour.learn.updates import MENACE, RULES
else:
    __getattr__ = export(__name__)
