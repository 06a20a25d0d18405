"""Players that learn: hats full of balls, their training, and how well they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.learn import serialize as serialize, storage as storage
    from parlour.learn.balls import (
        COLOURS as COLOURS,
        Kind as Kind,
        are_hats as are_hats,
        called as called,
        drawn as drawn,
        kinds as kinds,
        marks as marks,
        percent as percent,
        subtitle as subtitle,
    )
    from parlour.learn.boxes import DRAW as DRAW, list_boxes as list_boxes, refuse as refuse
    from parlour.learn.curve import (
        Curve as Curve,
        Games as Games,
        chart as chart,
        curves as curves,
        plotted as plotted,
        story as story,
        title as title,
    )
    from parlour.learn.hat_set import (
        AGAINST as AGAINST,
        MOST_GAMES as MOST_GAMES,
        STARTS as STARTS,
        Fortune as Fortune,
        Hats as Hats,
        Lots as Lots,
        Tally as Tally,
        check_seed as check_seed,
        hats as hats,
        lots as lots,
    )
    from parlour.learn.measure import fortunes as fortunes, truths as truths
    from parlour.learn.pictures import picture as picture
    from parlour.learn.player import HatsPlayer as HatsPlayer
    from parlour.learn.reading import (
        proof as proof,
        strategy as strategy,
        table as table,
        verdict as verdict,
    )
    from parlour.learn.serialize import Label as Label
    from parlour.learn.sheet import make_sheets as make_sheets
    from parlour.learn.summary import (
        all_told as all_told,
        box_told as box_told,
        dry as dry,
        ended as ended,
        filled as filled,
        learned as learned,
        schooling as schooling,
        told as told,
        trained as trained,
    )
    from parlour.learn.training import (
        check_games as check_games,
        train as train,
        train_a_while as train_a_while,
    )
    from parlour.learn.updates import MENACE as MENACE, RULES as RULES
else:
    __getattr__ = export(
        __name__,
        {
            "balls": "COLOURS Kind are_hats called drawn kinds marks percent subtitle",
            "boxes": "DRAW list_boxes refuse",
            "curve": "Curve Games chart curves plotted story title",
            "hat_set": "AGAINST Fortune Hats Lots MOST_GAMES STARTS Tally check_seed hats lots",
            "measure": "fortunes truths",
            "pictures": "picture",
            "player": "HatsPlayer",
            "reading": "proof strategy table verdict",
            "serialize": "Label serialize",
            "sheet": "make_sheets",
            "storage": "",
            "summary": "all_told box_told dry ended filled learned schooling told trained",
            "training": "check_games train train_a_while",
            "updates": "MENACE RULES",
        },
    )
