"""The vocabulary every package speaks: games, options, players, the referee and its record.

Only the standard library is used here, so that `import parlour` and `parlour --help` stay quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.core import laws as laws, registry as registry
    from parlour.core.errors import (
        BadFile as BadFile,
        BadOption as BadOption,
        BadText as BadText,
        IllegalMove as IllegalMove,
        NameTaken as NameTaken,
        ParlourError as ParlourError,
        UnknownName as UnknownName,
    )
    from parlour.core.files import (
        alone as alone,
        check_writable as check_writable,
        data_folder as data_folder,
        write_whole as write_whole,
    )
    from parlour.core.options import (
        NO as NO,
        UNSET as UNSET,
        YES as YES,
        Option as Option,
        as_flags as as_flags,
        declared as declared,
        describe as describe,
        make as make,
        option as option,
        plain as plain,
        schema as schema,
        settle as settle,
        values as values,
    )
    from parlour.core.protocol import (
        Bot as Bot,
        Game as Game,
        Move as Move,
        Player as Player,
        Resigns as Resigns,
        Result as Result,
        State as State,
        key as key,
        seat_name as seat_name,
    )
    from parlour.core.record import Record as Record, Texts as Texts, load as load
    from parlour.core.referee import (
        MOST_MOVES as MOST_MOVES,
        Match as Match,
        drive as drive,
        match as match,
        teach as teach,
    )
    from parlour.core.registry import (
        bot as bot,
        bots as bots,
        game as game,
        games as games,
        read_bot as read_bot,
    )
    from parlour.core.text import (
        LONGEST_TROUBLE as LONGEST_TROUBLE,
        capital as capital,
        count as count,
        named as named,
        nearest as nearest,
        one_of as one_of,
        quote as quote,
        roughly as roughly,
        sentence as sentence,
        span as span,
        whole as whole,
    )
    from parlour.core.value import (
        OUTCOMES as OUTCOMES,
        Solution as Solution,
        TooLarge as TooLarge,
        Unsolved as Unsolved,
        Value as Value,
        refuse_seats as refuse_seats,
    )
    from parlour.core.work import DONE as DONE, TOTAL as TOTAL, Work as Work, within as within
else:
    __getattr__ = export(
        __name__,
        {
            "errors": "BadFile BadOption BadText IllegalMove NameTaken ParlourError UnknownName",
            "files": "alone check_writable data_folder write_whole",
            "laws": "",
            "options": (
                "NO Option UNSET YES as_flags declared describe make option plain schema settle "
                "values"
            ),
            "protocol": "Bot Game Move Player Resigns Result State key seat_name",
            "record": "Record Texts load",
            "referee": "MOST_MOVES Match drive match teach",
            "registry": "bot bots game games read_bot registry",
            "text": (
                "LONGEST_TROUBLE capital count named nearest one_of quote roughly sentence span "
                "whole"
            ),
            "value": "OUTCOMES Solution TooLarge Unsolved Value refuse_seats",
            "work": "DONE TOTAL Work within",
        },
    )
