"""What a table says: the game, whose turn it is, what waits for whom, what the clocks show.

A table is its record and who sits where; everything else is worked out from these by the referee.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from parlour.core import BadText, Game, Match, ParlourError, quote, registry, title
from parlour.faces.web.errors import NotThere
from parlour.faces.web.identity import Visitor
from parlour.store import Seat, Table

LONGEST_NAME = 40
MOST_LISTED = 100  # moves that are told
MOST_MOVES = 2_000  # a game that does not end by then is a draw here


@lru_cache(maxsize=512)
def _game(name: str, options: str) -> Game:
    return registry.game(name, **json.loads(options))


def game_of(table: Any) -> Game:
    """The game that is played, of anything that has `game` and `options`.

    It may be gone: a plug-in was removed since, or an option has narrower bounds.
    """
    try:
        return _game(table.game, json.dumps(table.options, sort_keys=True))
    except ParlourError:
        raise _unknown(table) from None


def _unknown(table: Any) -> NotThere:
    return NotThere(f"this house no longer knows {quote(table.game)} as it is played here")


def titled(thing: Any) -> str:
    """What the game is called; its bare name where nobody here knows it any more."""
    try:
        return title(game_of(thing))
    except NotThere:
        return str(thing.game)


def match_of(table: Table) -> Match:
    """The referee's view: the record played over."""
    try:
        return Match.from_record(game_of(table), table.record(), most_moves=MOST_MOVES)
    except ParlourError:  # what was stored was right then
        raise _unknown(table) from None


def is_known(table: Table) -> bool:
    """Whether the game of a table is still played here."""
    try:
        game_of(table)
    except NotThere:
        return False
    return True


def whose(table: Table) -> str:
    """The client for whom bots and values of a table are thought about: whoever made it."""
    return table.creator or table.id


def seats_of(table: Table, visitor: Visitor) -> tuple[int, ...]:
    """The seats that belong to a visitor."""
    return tuple(at for at, seat in enumerate(table.seats) if visitor.owns(seat.owner))


def is_full(table: Table) -> bool:
    """Whether everybody is there, so that play can go on."""
    return all(seat.kind != "open" for seat in table.seats)


def waits_for_ok(table: Table, match: Match) -> bool:
    """Whether a bot has moved and somebody has yet to say Ok."""
    if table.pace != "ok" or not table.moves or table.agreed >= len(table.moves):
        return False
    return table.seats[match.movers[-1]].kind == "bot"


def bot_to_move(table: Table, match: Match) -> int | None:
    """The seat of the bot that has to move now, if it is a bot's turn."""
    if match.over or not is_full(table) or waits_for_ok(table, match):
        return None
    return match.turn if table.seats[match.turn].kind == "bot" else None


def is_between_people(table: Table) -> bool:
    """Whether seats belong to different people, or may yet."""
    owners = {seat.owner for seat in table.seats if seat.kind == "person"}
    return len(owners) > 1 or (bool(owners) and not is_full(table))


def seconds_left(table: Table, match: Match, seat: int, now: float | None = None) -> float | None:
    """What is left on a seat's clock; None where there are no clocks."""
    if table.clock is None:
        return None
    if seat == match.turn and match.reason.endswith("ran out of time"):
        return 0.0
    most, bonus = table.clock
    spent = [s for by, s in zip(match.movers, table.seconds, strict=True) if by == seat]
    left = most + bonus * len(spent) - sum(spent)
    running = not match.over and match.turn == seat and is_full(table) and bool(table.turned)
    if running and not waits_for_ok(table, match):
        left -= (now or time.time()) - table.turned
    return left


def person_name(name: str) -> str:
    """A name as it is kept: on one line, without what cannot be seen; it is needed."""
    tidy = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not tidy:
        raise BadText("a name is needed; type one")
    if len(tidy) > LONGEST_NAME:
        raise BadText(f"that name is too long; {LONGEST_NAME} letters are the most")
    return tidy


def check_name(name: str, seats: Sequence[Seat]) -> None:
    """Refuse a name that somebody else at the table has."""
    if name.casefold() in {seat.name.casefold() for seat in seats if seat.kind == "person"}:
        raise BadText(f"somebody here is called {name} already; choose another name")


def called(table: Table, seat: int, mine: tuple[int, ...] = ()) -> str:
    """What a seat's player is called on the page: `Ann`, `Rex bot`; `You` for those it is told."""
    sits = table.seats[seat]
    if sits.kind == "bot":
        return f"{sits.name or sits.bot.partition(' ')[0]} bot"
    return sits.name or ("You" if seat in mine else f"Player {seat + 1}")


def plainly(table: Table) -> dict[str, Any]:
    """A table as everybody may see it, as plain data: who owns a seat is nobody's business."""
    match = match_of(table)
    game, moves = match.game, match.game.moves(match.state)
    shown = min(len(moves), MOST_LISTED) if not match.over else 0
    return {
        "id": table.id,
        "version": table.version,
        "game": table.game,
        "options": table.options,
        "seats": [
            {
                "kind": seat.kind,
                "name": seat.name,
                "bot": seat.bot,
                "seconds_left": seconds_left(table, match, at),
            }
            for at, seat in enumerate(table.seats)
        ],
        "moves": table.moves,
        "position": game.write(match.state),
        "legal": [game.write_move(moves[at]) for at in range(shown)],
        "turn": None if match.over else match.turn,
        "result": match.result,
        "reason": match.reason,
        "offer": table.offer,
        "next": table.next,
    }
