"""The vocabulary every package speaks: games, options, players, the referee and its record.

Only the standard library is used here, so that `import parlour` and `parlour --help` stay quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.core import laws, registry
    from parlour.core.display import repr_html
    from parlour.core.errors import (
        BadFile,
        BadOption,
        BadText,
        IllegalMove,
        NameTaken,
        ParlourError,
        UnknownName,
    )
    from parlour.core.executors import (
        ENGINES,
        Executor,
        count_cores,
        make_executor,
        pin_to_one_core,
    )
    from parlour.core.files import (
        check_writable,
        data_folder,
        explain_errors,
        hold_lock,
        write_whole,
    )
    from parlour.core.fork_server import ForkServer
    from parlour.core.frames import make_frame
    from parlour.core.options import (
        NO,
        UNSET,
        YES,
        Option,
        as_flags,
        check_argument,
        check_type,
        describe,
        make,
        option,
        options_of,
        plain,
        read_assignments,
        reduce_to_options,
        schema,
        settle,
        split_command,
        unwrap,
        values,
        without_caches,
    )
    from parlour.core.protocol import (
        Bot,
        Game,
        Grid,
        Move,
        Player,
        Resigns,
        Result,
        Square,
        State,
        all_moves,
        can_be_drawn,
        can_repeat,
        check_move,
        describe_move,
        ended_by,
        full_title,
        grid,
        how_to_move,
        is_zero_sum,
        key,
        max_plies,
        rules_box,
        rules_text,
        seat_name,
        seats_out,
        side_name,
        sides,
        squares,
        title,
        to_move,
        to_state,
        to_tuple,
    )
    from parlour.core.record import Record, Texts, load
    from parlour.core.referee import (
        MAX_MOVES,
        BadChoice,
        Clock,
        Match,
        OutOfTime,
        Timer,
        drive,
        match,
        teach,
    )
    from parlour.core.registry import bot, bots, game, games
    from parlour.core.sentences import (
        ENGLISH,
        Language,
        Text,
        all_of,
        capital,
        count,
        join,
        one_of,
        pack,
        say,
        say_number,
        sentence,
        span,
        suggest,
        unpack,
    )
    from parlour.core.text import (
        MAX_ERROR,
        READABLE,
        conjugate,
        describe_error,
        format_signed,
        quote,
        whole,
        write_large,
    )
    from parlour.core.value import OUTCOMES, Solution, TooLarge, Unsolved, Value, refuse_seats
    from parlour.core.work import DONE, TOTAL, Work, is_compiling, run_within, to_work
else:
    __getattr__ = export(__name__)
