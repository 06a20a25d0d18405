"""The results of rated games between two people, from which ratings are computed."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from parlour.store.database import Database

RESULTS = sa.table(
    "results",
    *(sa.column(name, sa.Text) for name in ("id", "game", "one", "other")),
    *(sa.column(name, sa.Double) for name in ("points", "ended")),
)


class Result(NamedTuple):
    """A rated game that is over: the points of `one` against `other`, 1, ½ or 0."""

    id: str  # of the table
    game: str
    one: str
    other: str
    points: float
    ended: float  # seconds since the epoch


class Results:
    """All results."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, result: Result) -> None:
        """Store a result, once."""
        statement = sa.text(
            "INSERT INTO results (id, game, one, other, points, ended)"
            " VALUES (:id, :game, :one, :other, :points, :ended) ON CONFLICT DO NOTHING"
        )
        with self._database.writing() as connection:
            connection.execute(statement, result._asdict())

    def find(self, *, game: str = "", owner: str = "", limit: int | None = None) -> list[Result]:
        """List the results in a game or of a person, the latest first."""
        row = RESULTS.c
        query = sa.select(row.id, row.game, row.one, row.other, row.points, row.ended)
        if game:
            query = query.where(row.game == game)
        if owner:
            query = query.where(sa.or_(row.one == owner, row.other == owner))
        query = query.order_by(row.ended.desc(), row.id).limit(limit)
        with self._database.reading() as connection:
            return [Result(*found) for found in connection.execute(query).all()]

    def remove_of(self, owner: str) -> None:
        """Delete all results of a person."""
        row = RESULTS.c
        with self._database.writing() as connection:
            connection.execute(
                sa.delete(RESULTS).where(sa.or_(row.one == owner, row.other == owner))
            )
