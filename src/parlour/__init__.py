"""Parlour: play, solve, learn, measure and talk about small perfect-information games.

Everything public is a name of this package and is loaded on first use, so that `import parlour`
costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export, public_names

if TYPE_CHECKING:
    from parlour import client, rl
    from parlour.arena import Progress, Standings, tournament
    from parlour.arena.judging import Comparison, Judgement, LearningCurve, judge
    from parlour.boards import Picture, show
    from parlour.core import (
        BadFile,
        BadOption,
        BadText,
        Bot,
        Clock,
        Extras,
        Game,
        IllegalMove,
        Match,
        NameTaken,
        ParlourError,
        Player,
        Record,
        Resigns,
        Solution,
        Timer,
        TooLarge,
        UnknownName,
        Unsolved,
        Value,
        Work,
        bot,
        bots,
        drive,
        game,
        games,
        laws,
        match,
        option,
        schema,
        settle,
    )
    from parlour.learn import Hats, TrainingTally, hats, train
    from parlour.lessons import (
        AnswerVerdict,
        Puzzle,
        Study,
        StudyNode,
        find_puzzles,
        judge_answer,
        read_study,
        write_study,
    )
    from parlour.notebook import widget
    from parlour.players import Tally, explain, playouts, reskin
    from parlour.truth import grundy, is_sum_lost, solve
    from parlour.truth.explain import Explanation
    from parlour.truth.proofs import Refuted, certificate, check
    from parlour.truth.variants import Atlas, atlas, draw_variant
else:
    __getattr__ = export(__name__)

__version__ = "0.1.0"
__all__ = sorted(public_names(__name__))  # noqa: PLE0605  # they are written once, above


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
