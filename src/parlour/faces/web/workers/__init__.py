"""The worker processes that run tasks for the server, and a cache of their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.workers.fair_queue import Priority
    from parlour.faces.web.workers.pool import (
        MAX_WORKERS,
        RETRY_AFTER,
        TEMPORARY,
        Answer,
        AnswerCache,
        QueueFull,
        TaskFailed,
        TaskTimeout,
        WorkerPool,
    )
    from parlour.faces.web.workers.process import Payload, TaskFunction, game_of, match_of, state_of
else:
    __getattr__ = export(__name__)
