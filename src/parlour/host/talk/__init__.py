"""Small talk: topics, memory, questions, and what Benedict can be taught."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.talk import conversation
    from parlour.host.talk.conversation import brings
    from parlour.host.talk.names import NAMES
else:
    __getattr__ = export(__name__)
