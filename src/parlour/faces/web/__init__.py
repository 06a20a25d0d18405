"""Pages, a JSON API and live tables for the browser.

Each section of the site is a folder: `routes` answers requests, `view` prepares what a page shows,
`service` does the work.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.app import Settings, create_app, describe_api
    from parlour.faces.web.operations import configure_logs
    from parlour.faces.web.prefix import read_prefix
    from parlour.faces.web.serving import Server, serve

    if sys.platform != "win32":
        from parlour.faces.web.serving import Supervisor
else:
    __getattr__ = export(__name__)
