"""Parlour: play, solve, learn, measure and talk about small perfect-information games.

Everything public is a name of this package and is loaded on first use, so that `import parlour`
costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

_PUBLIC = {
    "arena": "tournament",
    "core": (
        "BadFile BadOption BadText Bot Game IllegalMove Match NameTaken ParlourError Player "
        "Record Solution TooLarge UnknownName Unsolved Value Work bot bots drive game games laws "
        "match option schema settle"
    ),
    "learn": "Hats hats train",
    "players": "Tally explain playouts",
    "truth": "grundy is_sum_lost solve",
    "truth.explain": "Explanation",
    "truth.proofs": "certificate",
}

if TYPE_CHECKING:
    from parlour.arena import tournament as tournament
    from parlour.core import (
        BadFile as BadFile,
        BadOption as BadOption,
        BadText as BadText,
        Bot as Bot,
        Game as Game,
        IllegalMove as IllegalMove,
        Match as Match,
        NameTaken as NameTaken,
        ParlourError as ParlourError,
        Player as Player,
        Record as Record,
        Solution as Solution,
        TooLarge as TooLarge,
        UnknownName as UnknownName,
        Unsolved as Unsolved,
        Value as Value,
        Work as Work,
        bot as bot,
        bots as bots,
        drive as drive,
        game as game,
        games as games,
        laws as laws,
        match as match,
        option as option,
        schema as schema,
        settle as settle,
    )
    from parlour.learn import Hats as Hats, hats as hats, train as train
    from parlour.players import Tally as Tally, explain as explain, playouts as playouts
    from parlour.truth import grundy as grundy, is_sum_lost as is_sum_lost, solve as solve
    from parlour.truth.explain import Explanation as Explanation
    from parlour.truth.proofs import certificate as certificate
else:
    __getattr__ = export(__name__, _PUBLIC)

__version__ = "0.1.0"
__all__ = sorted(" ".join(_PUBLIC.values()).split())  # noqa: PLE0605  # written once, above


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
