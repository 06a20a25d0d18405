"""The browsers and servers that tests of the web face ask for by name."""

from tests.faces.web.browser import _start_server, browser, chromiums, server, shared_server
from tests.faces.web.house import house, served_house
from tests.postgres import postgres_url

__all__ = [
    "_start_server",
    "browser",
    "chromiums",
    "house",
    "postgres_url",
    "served_house",
    "server",
    "shared_server",
]
