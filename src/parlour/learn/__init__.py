"""Players that learn: hats full of balls, their training, and how well they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.learn import storage
    from parlour.learn.hat_set import (
        AGAINST,
        DRAW,
        MAX_GAMES,
        MENACE,
        RULES,
        STARTS,
        Hats,
        Odds,
        TrainingTally,
        check_boxes,
        check_seed,
        has_numbered_hats,
        hats,
        list_boxes,
        number_hats,
    )
    from parlour.learn.pictures import (
        COLOURS,
        Kind,
        are_hats,
        describe_box,
        draw_bead,
        draw_box,
        draw_hat_back,
        draw_hat_front,
        draw_lid,
        format_box,
        format_percent,
        list_kinds,
        make_sheets,
        mark_balls,
        name_box,
    )
    from parlour.learn.player import HatsPlayer
    from parlour.learn.storage import Label
    from parlour.learn.summary import (
        BoxData,
        HatsData,
        TrainedData,
        box_to_dict,
        chart_title,
        describe_curve,
        describe_games,
        describe_last_games,
        describe_learning,
        describe_play,
        describe_running_out,
        describe_strategy,
        describe_training,
        draw_chart,
        format_hats,
        format_table,
        games_axis,
        list_curves,
        plot_text,
        prove_strategy,
        show_hats,
        show_tally,
        thin_out,
        to_dict,
        to_full_dict,
        wrap_text,
    )
    from parlour.learn.training import (
        BallChange,
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
