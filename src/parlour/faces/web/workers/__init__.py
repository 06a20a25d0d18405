"""The worker processes that think for the server, and the tasks they can be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.workers.cache import PASSING, Answer, Answers
    from parlour.faces.web.workers.payload import TOO_SLOW, Payload, field, game_of, state_of, texts
    from parlour.faces.web.workers.play import lesson
    from parlour.faces.web.workers.pool import Thinkers, ThoughtFailed, TookTooLong, TooMany
    from parlour.faces.web.workers.server import Thought
    from parlour.faces.web.workers.valuations import Valuer
else:
    __getattr__ = export(__name__)
