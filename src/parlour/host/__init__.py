"""Benedict, the host. Text in, replies out; no input or output of its own.

`greeting(session)` opens a conversation and `reply(session, text)` answers one line; both return a
`Reply` that holds the words, the board, the choices and the new session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.conversation import reply
    from parlour.host.session import (
        MAX_LENGTH,
        HostTable,
        Memories,
        Reply,
        Session,
        greeting,
        to_json,
    )
else:
    __getattr__ = export(__name__)
