"""How the app is served: one process or several, and how it stops.

A server that is told to stop takes no new connections, lets the searches that visitors wait for
finish, closes live pages so that they come back by themselves, and leaves the database whole.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.serving.server import Server, serve

    if sys.platform != "win32":
        from parlour.faces.web.serving.supervisor import Supervisor
else:
    __getattr__ = export(__name__)
