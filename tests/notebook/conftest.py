"""Browsers for the tests of the board in a cell."""

from tests.faces.web.browser import browser, chromiums

__all__ = ["browser", "chromiums"]
