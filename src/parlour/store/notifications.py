"""News between server processes that share one PostgreSQL database, by LISTEN and NOTIFY.

A topic is told by the very statement that makes the change, so that others hear of it when it is
committed, and never of what was not. On SQLite there is one process, and nobody else to tell.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Engine

CHANNEL = "parlour"
EVERYTHING = "*"  # heard after a time of deafness: any topic may have changed
GLANCE = 0.5  # seconds between two looks at whether to stop
SILENCE = 30  # seconds after which the network is asked whether the server is still there
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds between two attempts to reach a server


def telling() -> sa.ColumnElement[Any]:
    """Tells the topic, in whatever statement this stands."""
    return sa.func.pg_notify(CHANNEL, sa.bindparam("topic", type_=sa.Text))


def listen(engine: Engine, callback: Callable[[str], object], stop: threading.Event) -> None:
    """Call back with every topic that is told anywhere, until stopped.

    Whenever the server was away the listener comes back by itself, and then says `EVERYTHING`,
    since nobody knows what was told meanwhile.
    """
    import psycopg

    positional, named = engine.dialect.create_connect_args(engine.url)
    pause, deaf = SHORTEST_PAUSE, False
    while not stop.is_set():
        try:
            with psycopg.connect(
                *positional, **named, keepalives_idle=SILENCE, autocommit=True
            ) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                if deaf:
                    callback(EVERYTHING)
                pause = SHORTEST_PAUSE
                while not stop.is_set():
                    for news in connection.notifies(timeout=GLANCE):
                        callback(news.payload)
        except psycopg.OperationalError:
            deaf = True
            stop.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
