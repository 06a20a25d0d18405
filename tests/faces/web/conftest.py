"""The browsers and servers that tests of the web face ask for by name."""

from tests.faces.web.browser import browser, chromiums, server, shared_server, start_server
from tests.faces.web.house import house

__all__ = ["browser", "chromiums", "house", "server", "shared_server", "start_server"]
