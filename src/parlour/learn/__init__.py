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
        describe_box,
        format_box,
        format_percent,
        list_kinds,
        mark_balls,
        name_box,
    )
    from parlour.learn.boxes import DRAW, check_boxes, list_boxes
    from parlour.learn.curve import (
        Curve,
        chart_subtitle,
        chart_title,
        draw_chart,
        games_axis,
        list_curves,
        plot_text,
    )
    from parlour.learn.hat_set import (
        AGAINST,
        MOST_GAMES,
        STARTS,
        Hats,
        Odds,
        RandomSource,
        Tally,
        check_seed,
        hats,
        random_source,
    )
    from parlour.learn.measure import compute_odds, find_truths
    from parlour.learn.pictures import draw_box
    from parlour.learn.player import HatsPlayer
    from parlour.learn.reading import describe_play, describe_strategy, format_table, prove_strategy
    from parlour.learn.serialize import Label
    from parlour.learn.sheet import make_sheets
    from parlour.learn.summary import (
        box_to_dict,
        describe_dry,
        describe_games,
        describe_last_games,
        describe_learning,
        describe_schooling,
        to_dict,
        to_full_dict,
        wrap_text,
    )
    from parlour.learn.training import check_games, train, train_for
    from parlour.learn.updates import MENACE, RULES
else:
    __getattr__ = export(__name__)
