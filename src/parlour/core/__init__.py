"""The vocabulary every package speaks: games, options, players, the referee and its record.

Only the standard library is used here, so that `import parlour` and `parlour --help` stay quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.core import answers, executors, files, laws, protocol, referee, registry, sentences
    from parlour.core.display import make_frame
    from parlour.core.errors import (
        BadFile,
        BadOption,
        BadText,
        IllegalMove,
        NameTaken,
        ParlourError,
        UnknownName,
        text_of,
    )
    from parlour.core.extras import Extras, extra
    from parlour.core.fork_server import ForkServer
    from parlour.core.options import (
        Option,
        as_flags,
        check_argument,
        check_type,
        describe,
        option,
        options_of,
        plain,
        reduce_to_options,
        schema,
        settle,
        values,
    )
    from parlour.core.protocol import (
        Bot,
        Game,
        Move,
        Player,
        Resigns,
        State,
        how_to_move,
        key,
        seat_name,
        sides,
        title,
    )
    from parlour.core.record import ENDS, Record, load
    from parlour.core.referee import Clock, Match, Timer, drive, match
    from parlour.core.registry import bot, bots, game, games
    from parlour.core.sentences import (
        Text,
        all_of,
        capital,
        conjugate,
        count,
        describe_error,
        format_signed,
        join,
        one_of,
        quote,
        say,
        say_number,
        sentence,
        span,
        suggest,
        whole,
    )
    from parlour.core.value import OUTCOMES, Solution, TooLarge, Unsolved, Value, refuse_seats
    from parlour.core.work import Work, is_compiling, to_work
else:
    __getattr__ = export(__name__)
