"""Pages, a JSON API and live tables for the browser."""
