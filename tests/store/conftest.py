"""A store for each test, once as an SQLite file and once on PostgreSQL."""

from __future__ import annotations

import pytest

from parlour.store.store import open_store
from tests.postgres import postgres_url  # noqa: F401  # a fixture


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/parlour.sqlite"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def store(url):
    held = open_store(url)
    yield held
    held.close()
