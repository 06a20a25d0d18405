"""The worker processes that run tasks for the server, and a cache of their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.workers.cache import RETRY_AFTER, TEMPORARY, Answer, AnswerCache
    from parlour.faces.web.workers.payload import (
        MAX_SECONDS,
        TOO_SLOW,
        Payload,
        bot_of,
        field,
        game_of,
        match_of,
        objects,
        seconds_of,
        state_of,
        texts,
    )
    from parlour.faces.web.workers.pool import QueueFull, TaskFailed, TaskTimeout, WorkerPool
    from parlour.faces.web.workers.server import TaskFunction
else:
    __getattr__ = export(__name__)
