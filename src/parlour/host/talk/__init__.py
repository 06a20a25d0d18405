"""Small talk: topics, memory, questions, and what Benedict can be taught."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.talk import conversation as conversation
    from parlour.host.talk.conversation import brings as brings
    from parlour.host.talk.names import NAMES as NAMES
else:
    __getattr__ = export(
        __name__,
        {
            "conversation": "brings conversation",
            "names": "NAMES",
        },
    )
