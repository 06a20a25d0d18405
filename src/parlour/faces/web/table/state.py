"""What follows from a stored table: the match, whose turn it is, who waits for whom, the clocks.

A table is its record and who sits where; the referee works out the rest by replaying the record.
The match of the latest version is kept, so that a move replays the record once at most.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from parlour.core import BadText, Game, Match, ParlourError, quote, registry, title
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import NotThere
from parlour.store import Seat, Table

MAX_NAME = 40  # characters
MAX_MOVES = 2_000  # a game that does not end by then is a draw here
MAX_MATCHES = 512  # kept in memory

_matches: OrderedDict[str, Match] = OrderedDict()  # by table, the most recently used last
_matches_lock = threading.Lock()


# The game


@lru_cache(maxsize=512)
def _game(name: str, options: str) -> Game:
    return registry.game(name, **json.loads(options))


def game_of(stored: Any) -> Game:
    """Return the game of a table, or of anything else with `game` and `options`.

    `NotThere` if it is gone: a plug-in was removed since, or an option has narrower bounds.
    """
    try:
        return _game(stored.game, json.dumps(stored.options, sort_keys=True))
    except ParlourError:
        raise _unknown_game(stored) from None


def _unknown_game(stored: Any) -> NotThere:
    return NotThere(f"{quote(stored.game)} can no longer be played here by these rules")


def is_known(table: Table) -> bool:
    """Whether the game of a table can still be played here."""
    try:
        game_of(table)
    except NotThere:
        return False
    return True


def title_of(stored: Any) -> str:
    """Return the title of a stored game, or its bare name if it is not known any more."""
    try:
        return title(game_of(stored))
    except NotThere:
        return str(stored.game)


def match_of(table: Table) -> Match:
    """Return the match at a table, which is shared: copy it before playing on."""
    game = game_of(table)
    with _matches_lock:
        match = _matches.get(table.id)
    if match is not None and match.game is game and _agrees(match, table):
        return match
    try:
        match = Match.from_record(game, table.record(), most_moves=MAX_MOVES)
    except ParlourError:  # it was legal when it was stored
        raise _unknown_game(table) from None
    keep_match(table, match)
    return match


def _agrees(match: Match, table: Table) -> bool:
    return (tuple(match.moves), match.result, match.reason) == (
        table.moves,
        table.result,
        table.reason,
    )


def keep_match(table: Table, match: Match) -> None:
    """Keep the match of a table, so that its record need not be replayed."""
    with _matches_lock:
        _matches.pop(table.id, None)
        _matches[table.id] = match
        if len(_matches) > MAX_MATCHES:
            _matches.popitem(last=False)


# Turns and clocks


def is_full(table: Table) -> bool:
    """Whether every seat is taken, so that the game can go on."""
    return all(seat.kind != "open" for seat in table.seats)


def waits_for_ok(table: Table, match: Match) -> bool:
    """Whether a bot has moved and somebody has yet to say Ok."""
    if table.pace != "ok" or not table.moves or table.agreed >= len(table.moves):
        return False
    return table.seats[match.movers[-1]].kind == "bot"


def bot_to_move(table: Table, match: Match) -> int | None:
    """Return the seat of the bot to move, if it is a bot's turn."""
    if match.over or not is_full(table) or waits_for_ok(table, match):
        return None
    return match.turn if table.seats[match.turn].kind == "bot" else None


def seconds_left(table: Table, match: Match, seat: int, now: float | None = None) -> float | None:
    """Return the seconds left on a seat's clock, or None without clocks."""
    if table.clock is None:
        return None
    if seat == match.turn and match.reason.endswith("ran out of time"):
        return 0.0
    total, bonus = table.clock
    spent = [s for by, s in zip(match.movers, table.seconds, strict=True) if by == seat]
    left = total + bonus * len(spent) - sum(spent)
    running = not match.over and match.turn == seat and is_full(table) and bool(table.turned)
    if running and not waits_for_ok(table, match):
        left -= (now or time.time()) - table.turned
    return left


# Players


def seats_of(table: Table, visitor: Visitor) -> tuple[int, ...]:
    """Return the seats that belong to a visitor."""
    return tuple(at for at, seat in enumerate(table.seats) if visitor.owns(seat.owner))


def is_between_people(table: Table) -> bool:
    """Whether seats belong to different people, or may yet."""
    owners = {seat.owner for seat in table.seats if seat.kind == "person"}
    return len(owners) > 1 or (bool(owners) and not is_full(table))


def client_of(table: Table) -> str:
    """Return the client whose share of the workers a table uses: the one that created it."""
    return table.creator or table.id


def player_name(table: Table, seat: int, mine: tuple[int, ...] = ()) -> str:
    """Return the name of a seat's player on the page: `Ann`, `Rex bot`, or `You` for one's own."""
    sits = table.seats[seat]
    if sits.kind == "bot":
        return f"{sits.name or sits.bot.partition(' ')[0]} bot"
    return sits.name or ("You" if seat in mine else f"Player {seat + 1}")


def clean_name(name: str) -> str:
    """Return a name on one line, without invisible characters; `BadText` if none is left."""
    tidy = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not tidy:
        raise BadText("type a name first")
    if len(tidy) > MAX_NAME:
        raise BadText(f"that name is too long; use at most {MAX_NAME} letters")
    return tidy


def check_name_is_free(name: str, seats: Sequence[Seat]) -> None:
    """Refuse a name that somebody else at the table has."""
    if name.casefold() in {seat.name.casefold() for seat in seats if seat.kind == "person"}:
        raise BadText(f"somebody here is already called {name}; choose another name")
