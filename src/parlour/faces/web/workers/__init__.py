"""The worker processes that think for the server, and the tasks they can be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.workers.cache import (
        PASSING as PASSING,
        Answer as Answer,
        Answers as Answers,
    )
    from parlour.faces.web.workers.payload import (
        TOO_SLOW as TOO_SLOW,
        Payload as Payload,
        field as field,
        game_of as game_of,
        state_of as state_of,
        texts as texts,
    )
    from parlour.faces.web.workers.play import lesson as lesson
    from parlour.faces.web.workers.pool import (
        Thinkers as Thinkers,
        ThoughtFailed as ThoughtFailed,
        TookTooLong as TookTooLong,
        TooMany as TooMany,
    )
    from parlour.faces.web.workers.server import Thought as Thought
    from parlour.faces.web.workers.valuations import Valuer as Valuer
else:
    __getattr__ = export(
        __name__,
        {
            "cache": "Answer Answers PASSING",
            "payload": "Payload TOO_SLOW field game_of state_of texts",
            "play": "lesson",
            "pool": "Thinkers ThoughtFailed TooMany TookTooLong",
            "server": "Thought",
            "valuations": "Valuer",
        },
    )
