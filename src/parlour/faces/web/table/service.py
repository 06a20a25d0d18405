"""What can be done at a table: sit down, move, take back, resign, offer, agree.

Every verb reads the table, plays it over with the referee, changes it, and stores it if nobody else
was quicker; only then is it announced. A restart, a second server and a page that comes back late
therefore need no code of their own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from parlour.core import Game, Match, ParlourError, count, quote, values
from parlour.faces.web.errors import Changed, NotThere, NotYours, TooMany
from parlour.faces.web.identity import Visitor
from parlour.faces.web.table.state import (
    called,
    check_name,
    game_of,
    is_full,
    is_known,
    match_of,
    person_name,
    seats_of,
    seconds_left,
    waits_for_ok,
)
from parlour.store import Seat, Table

if TYPE_CHECKING:
    from parlour.faces.web.house import House

MOST_TRIES = 20
MOST_WITH_BOTS = 30  # games with bots that one browser has going on
MOST_OF_ADDRESS = 300  # and programs from one address: a whole class may share one
GOING_ON = 3600.0  # seconds since the last change
RECENT = 24 * 3600.0  # and for which a table is shown in the lobby


def create(
    house: House,
    game: Game,
    seats: Sequence[Seat],
    *,
    pace: str = "self",
    clock: tuple[float, float] | None = None,
    listed: bool = True,
    setup: str = "",
    name: str = "",
    creator: str = "",
) -> Table:
    """A new table; its bots start as soon as everybody is there."""
    if len(seats) != game.seats:
        raise ParlourError(f"{game.name} has {count(game.seats, 'seat')} here, not {len(seats)}")
    now = time.time()
    if creator and any(seat.kind == "bot" for seat in seats):
        _check_room(house, creator, now)
    table = Table(
        id=name or house.store.new_id(),
        game=game.name,
        options=values(game),
        seats=tuple(seats),
        pace=pace,
        clock=clock,
        listed=listed,
        setup=setup,
        begun=now,
        turned=now if all(seat.kind != "open" for seat in seats) else 0.0,
        creator=creator,
    )
    match = match_of(table)
    table = replace(table, result=match.result, reason=match.reason)
    house.store.tables.add(table)
    house.hub.look(f"table:{table.id}")
    house.store.then(lambda: house.changed(table))
    return table


def _check_room(house: House, creator: str, now: float) -> None:
    """Refuse another game with bots to somebody who has many going on."""
    most = MOST_WITH_BOTS if creator.startswith("browser:") else MOST_OF_ADDRESS
    going_on = house.store.tables.find(
        creator=creator, over=False, bots=True, changed_since=now - GOING_ON, limit=most
    )
    if len(going_on) >= most:
        raise TooMany(f"you have {most} games with bots going on; finish some of them first")


def read(house: House, table_id: str) -> Table:
    """The table of this name."""
    table = house.store.tables.get(table_id)
    if table is None:
        raise NotThere(f"there is no table {quote(table_id)}; the lobby lists those that are open")
    return table


def in_lobby(house: House, limit: int) -> list[Table]:
    """The tables somebody could join or watch, the newest first; of games that are known here."""
    since = time.time() - RECENT
    found = house.store.tables.find(listed=True, over=False, changed_since=since, limit=limit)
    return [table for table in found if is_known(table)]


Change = Callable[[Table, Match], Table | None]


def change(house: House, table_id: str, how: Change) -> Table:
    """The table after a change, stored; one that is overtaken looks again. None changes nothing."""
    for _ in range(MOST_TRIES):
        table = read(house, table_id)
        changed = how(table, match_of(table))
        if changed is None:
            return table
        stored = store(house, table, changed)
        if stored is not None:
            return stored
    raise Changed("too much is going on at this table; try again")


def store(house: House, before: Table, after: Table) -> Table | None:
    """The table as it is stored now, if it was still as before; None if somebody was quicker."""
    stored = house.store.tables.put(after, announce=f"table:{after.id}")
    if stored is not None:
        house.store.then(lambda: house.changed(stored))
        if before.result is None and stored.result is not None:
            house.store.then(lambda: house.driver.teach(stored))
    return stored


def sit(house: House, table_id: str, seat: int, name: str, owner: str) -> Table:
    """Take a free seat."""
    name = person_name(name)

    def how(table: Table, match: Match) -> Table:
        if seat not in range(len(table.seats)):
            raise NotThere(f"there is no seat {seat + 1} at this table")
        if table.seats[seat].kind != "open":
            raise Changed("that seat is taken by now")
        check_name(name, table.seats)
        seats = list(table.seats)
        seats[seat] = Seat("person", name, owner=owner)
        full = all(each.kind != "open" for each in seats)
        return replace(table, seats=tuple(seats), turned=time.time() if full else 0.0)

    if not owner:
        raise NotYours("your browser keeps no cookies; allow them for this page, then sit down")
    return change(house, table_id, how)


def move(house: House, table_id: str, visitor: Visitor, text: str, at: int | None) -> Table:
    """Play a move for the seat to move, which must be the visitor's."""

    def how(table: Table, match: Match) -> Table:
        mine = seats_of(table, visitor)
        if not mine:
            raise NotYours("you have no seat at this table; take a free one, or watch")
        check_at(table, at)
        if match.over:
            raise Changed("the game is over")
        if not is_full(table):
            raise Changed("a seat is still free; the game begins when somebody has taken it")
        if waits_for_ok(table, match):
            raise Changed("first say Ok to the move before")
        if match.turn not in mine:
            raise NotYours(f"it is {called(table, match.turn)}'s turn")
        return played(table, match, text)

    return change(house, table_id, how)


def played(table: Table, match: Match, text: str) -> Table:
    """The table after a move of the seat to move, or after its clock has run out."""
    now = time.time()
    left = seconds_left(table, match, match.turn, now)
    if left is not None and left < 0:
        return stopped(table, match, "ran out of time")
    parsed = match.game.read_move(match.state, text)
    match.play(parsed)
    return replace(
        table,
        moves=tuple(match.moves),
        seconds=(*table.seconds, round(max(0.0, now - table.turned), 3)),
        result=match.result,
        reason=match.reason,
        turned=now,
        offer="",
    )


def stopped(table: Table, match: Match, reason: str, seat: int | None = None) -> Table:
    """The table after a seat, else the one to move, has ended the game against itself."""
    match.stop(match.turn if seat is None else seat, reason)
    return replace(table, result=match.result, reason=match.reason, offer="")


def resign(house: House, table_id: str, visitor: Visitor) -> Table:
    """Give the game up, for the visitor's seat: the one to move if it is theirs."""

    def how(table: Table, match: Match) -> Table:
        mine = _mine(table, visitor)
        if match.over:
            raise Changed("the game is over")
        seat = match.turn if match.turn in mine else mine[0]
        return stopped(table, match, "resigned", seat)

    return change(house, table_id, how)


def flag(house: House, table_id: str) -> Table:
    """Look at the clock: whoever has used it up has lost."""

    def how(table: Table, match: Match) -> Table | None:
        left = seconds_left(table, match, match.turn) if not match.over else None
        return stopped(table, match, "ran out of time") if left is not None and left < 0 else None

    return change(house, table_id, how)


def ok(house: House, table_id: str, visitor: Visitor, at: int | None) -> Table:
    """Take note of a bot's move, so that the game goes on."""

    def how(table: Table, match: Match) -> Table | None:
        if any(seat.kind == "person" for seat in table.seats):
            _mine(table, visitor)  # a table of bots goes on for whoever watches
        check_at(table, at)
        if not waits_for_ok(table, match):
            return None
        return replace(table, agreed=len(table.moves), turned=time.time())

    return change(house, table_id, how)


def undo(house: House, table_id: str, visitor: Visitor) -> Table:
    """Take back to the visitor's last move: at once among bots, by agreement among people."""

    def how(table: Table, match: Match) -> Table:
        mine = _mine(table, visitor)
        others = [at for at, seat in enumerate(table.seats) if seat.kind == "person"]
        alone = all(at in mine for at in others)
        kind, _, by = table.offer.partition(" ")
        if alone:
            return _taken_back(table, match, mine)
        if match.over:
            raise Changed("the game is over; offer a rematch instead")
        if kind == "undo" and int(by) not in mine:
            asked = seats_of_owner(table, table.seats[int(by)].owner)
            return _taken_back(table, match, asked)
        _back_to(match, mine)  # refused now, if there is nothing to take back
        return replace(table, offer=f"undo {mine[0]}")

    return change(house, table_id, how)


def decline(house: House, table_id: str, visitor: Visitor) -> Table:
    """Say no to what is offered, or take one's own offer back."""

    def how(table: Table, match: Match) -> Table | None:
        _mine(table, visitor)
        return replace(table, offer="") if table.offer else None

    return change(house, table_id, how)


def rematch(house: House, table_id: str, visitor: Visitor) -> Table:
    """The next game, the next seat beginning: at once among bots, by agreement among people."""

    def how(table: Table, match: Match) -> Table | None:
        mine = _mine(table, visitor)
        if table.next:
            return None
        if not match.over:
            raise Changed("this game is not over yet")
        kind, _, by = table.offer.partition(" ")
        people = [at for at, seat in enumerate(table.seats) if seat.kind == "person"]
        agreed = kind == "rematch" and int(by) not in mine
        if agreed or all(at in mine for at in people):
            return replace(table, offer="", next=house.store.new_id())
        return replace(table, offer=f"rematch {mine[0]}")

    with house.store.in_one_go():  # nobody is led to a table that is not there yet
        table = change(house, table_id, how)
        if table.next and house.store.tables.get(table.next) is None:
            create(
                house,
                game_of(table),
                (*table.seats[1:], *table.seats[:1]),
                pace=table.pace,
                clock=table.clock,
                listed=table.listed,
                setup=table.setup,
                name=table.next,
                creator=table.creator,
            )
    return table


def simple(wish: str) -> Callable[[House, str, Visitor], Table]:
    """The verb of this name that needs nothing but who asks."""
    known = {"resign": resign, "undo": undo, "decline": decline}
    if wish not in known:
        raise NotThere(f"nobody can {quote(wish)} at a table")
    return known[wish]


def check_at(table: Table, at: int | None) -> None:
    """Refuse what was meant for an earlier position, or sent twice."""
    if at is not None and at != len(table.moves):
        raise Changed("the position has changed since; look again")


def _mine(table: Table, visitor: Visitor) -> tuple[int, ...]:
    mine = seats_of(table, visitor)
    if not mine:
        raise NotYours("you have no seat at this table; take a free one, or watch")
    return mine


def seats_of_owner(table: Table, owner: str) -> tuple[int, ...]:
    """All seats of one owner."""
    return tuple(at for at, seat in enumerate(table.seats) if seat.owner == owner)


def _taken_back(table: Table, match: Match, mine: tuple[int, ...]) -> Table:
    to = _back_to(match, mine)
    return replace(
        table,
        moves=table.moves[:to],
        seconds=table.seconds[:to],
        agreed=min(table.agreed, to),
        result=None,
        reason="",
        offer="",
        next="",
        turned=time.time(),
    )


def _back_to(match: Match, mine: tuple[int, ...]) -> int:
    """How many moves are left when the last move of these seats is taken back."""
    own = [number for number, seat in enumerate(match.movers) if seat in mine]
    if not own:
        raise Changed("there is no move of yours to take back")
    return own[-1]
