"""A store for each test: an SQLite file, and in a long run PostgreSQL as well.

`BOTH` has a test, or a file of tests, run on both every time.
"""

from pathlib import Path

import pytest
import sqlalchemy as sa

from parlour.store.store import open_store
from tests.postgres import postgres_url  # noqa: F401  # a fixture

BOTH = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def url(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/parlour.sqlite"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def store(url):
    opened = open_store(url)
    yield opened
    opened.close()


def look_into(url):
    """Connect to a database as another program does."""
    return sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))


def found_in_files(url, *words):
    """The words, in any case, that stand in an SQLite file or its log."""
    path = Path(url.removeprefix("sqlite:///"))
    content = b"".join(each.read_bytes() for each in path.parent.glob(f"{path.name}*")).lower()
    return {word for word in words if word.lower().encode() in content}
