"""What can be done at a table: sit down, move, take back, resign, offer, agree.

Every action reads the table, replays its record, changes it, and stores it unless somebody else was
quicker; only then is the change published. A restart, a second server and a page that comes back
late therefore need no code of their own.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from parlour.core import Game, Match, ParlourError, count, quote, values
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import Changed, NotThere, NotYours, TooMany
from parlour.faces.web.live import Hub
from parlour.faces.web.table.state import (
    check_name_is_free,
    clean_name,
    game_of,
    is_full,
    is_known,
    keep_match,
    match_of,
    player_name,
    seats_of,
    seconds_left,
    waits_for_ok,
)
from parlour.store import Seat, Store, Table, Unavailable

MAX_ATTEMPTS = 20
MAX_WITH_BOTS = 30  # unfinished games with bots of one browser
MAX_WITH_BOTS_BY_ADDRESS = 300  # and of programs at one address, which a whole class may share
ACTIVE = 3600.0  # seconds since the last change
RECENT = 24 * 3600.0  # for which a table is listed in the lobby

Change = Callable[[Table, Match], Table | None]  # may play on in the match; None changes nothing
Listener = Callable[[Table, bool], None]  # the stored table, and whether its game has just ended


class TableService:
    """The tables in the store, and who is notified when one changes."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        self._listeners: list[Listener] = []

    # Events

    def subscribe(self, listener: Listener) -> None:
        """Call a listener after every stored change, from any thread."""
        self._listeners.append(listener)

    def publish(self, table: Table, ended: bool = False) -> None:
        """Send a table that was stored to its open pages and to the listeners."""
        self._hub.announce(f"table:{table.id}", table)
        if table.listed and (not table.moves or table.result is not None):
            self._hub.announce("lobby:")
            with contextlib.suppress(Unavailable):  # the change itself is stored
                self._store.notify("lobby:")
        self.wake(table, ended)

    def wake(self, table: Table, ended: bool = False) -> None:
        """Let the bots and clocks of a table go on."""
        for listener in self._listeners:
            listener(table, ended)

    def note_view(self, table: Table) -> None:
        """Note that somebody looks at a table, for which its bots may be waiting."""
        self._hub.note_view(f"table:{table.id}")
        self.wake(table)

    # Tables

    def create(
        self,
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
        """Create a table; its bots start as soon as every seat is taken."""
        if len(seats) != game.seats:
            raise ParlourError(
                f"{game.name} has {count(game.seats, 'seat')} here, not {len(seats)}"
            )
        now = time.time()
        if creator and any(seat.kind == "bot" for seat in seats):
            self._check_room(creator, now)
        table = Table(
            id=name or self._store.new_id(),
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
        self._store.tables.add(table)
        self._hub.note_view(f"table:{table.id}")
        self._store.after_commit(lambda: self.publish(table))
        return table

    def _check_room(self, creator: str, now: float) -> None:
        """Refuse another game with bots to a client that has many going on."""
        by_browser = creator.startswith("browser:")
        most = MAX_WITH_BOTS if by_browser else MAX_WITH_BOTS_BY_ADDRESS
        active = self._store.tables.find(
            creator=creator, over=False, bots=True, changed_since=now - ACTIVE, limit=most
        )
        if len(active) >= most:
            raise TooMany(f"you already have {most} games with bots in progress; finish some first")

    def read(self, table_id: str) -> Table:
        """Return the table with this id."""
        table = self._store.tables.get(table_id)
        if table is None:
            raise NotThere(f"there is no table {quote(table_id)}; the lobby lists the open ones")
        return table

    def list_open(self, limit: int) -> list[Table]:
        """List the tables of known games that can be joined or watched, the newest first."""
        since = time.time() - RECENT
        found = self._store.tables.find(listed=True, over=False, changed_since=since, limit=limit)
        return [table for table in found if is_known(table)]

    def change(self, table_id: str, change: Change) -> Table:
        """Change a table and store it, starting over when somebody else was quicker."""
        for _ in range(MAX_ATTEMPTS):
            table = self.read(table_id)
            match = match_of(table).copy()
            changed = change(table, match)
            if changed is None:
                return table
            stored = self.save(table, changed, match)
            if stored is not None:
                return stored
        raise Changed("this table keeps changing; try again")

    def save(self, before: Table, after: Table, match: Match | None = None) -> Table | None:
        """Store a changed table and publish it; None if it has changed in the meantime."""
        stored = self._store.tables.put(after, announce=f"table:{after.id}")
        if stored is None:
            return None

        def publish() -> None:
            if match is not None:
                keep_match(stored, match)
            self.publish(stored, ended=before.result is None and stored.result is not None)

        self._store.after_commit(publish)
        return stored

    # Actions

    def sit(self, table_id: str, seat: int, name: str, owner: str) -> Table:
        """Take a free seat."""
        name = clean_name(name)

        def take_seat(table: Table, match: Match) -> Table:
            if seat not in range(len(table.seats)):
                raise NotThere(f"there is no seat {seat + 1} at this table")
            if table.seats[seat].kind != "open":
                raise Changed("that seat has been taken")
            check_name_is_free(name, table.seats)
            seats = list(table.seats)
            seats[seat] = Seat("person", name, owner=owner)
            full = all(each.kind != "open" for each in seats)
            return replace(table, seats=tuple(seats), turned=time.time() if full else 0.0)

        if not owner:
            raise NotYours("your browser does not accept cookies; allow them to sit down")
        return self.change(table_id, take_seat)

    def move(self, table_id: str, visitor: Visitor, text: str, at: int | None) -> Table:
        """Play a move for the seat to move, which must be the visitor's."""

        def play(table: Table, match: Match) -> Table:
            mine = _require_seat(table, visitor)
            _check_number(table, at)
            if match.over:
                raise Changed("the game is over")
            if not is_full(table):
                raise Changed("a seat is still free; the game starts when somebody takes it")
            if waits_for_ok(table, match):
                raise Changed("press Ok for the last move first")
            if match.turn not in mine:
                raise NotYours(f"it is {player_name(table, match.turn)}'s turn")
            return play_move(table, match, text)

        return self.change(table_id, play)

    def resign(self, table_id: str, visitor: Visitor) -> Table:
        """Resign for the visitor's seat, the one to move if it is theirs."""

        def resign(table: Table, match: Match) -> Table:
            mine = _require_seat(table, visitor)
            if match.over:
                raise Changed("the game is over")
            seat = match.turn if match.turn in mine else mine[0]
            return stop_game(table, match, "resigned", seat)

        return self.change(table_id, resign)

    def check_clock(self, table_id: str) -> Table:
        """End the game if the player to move has run out of time."""

        def check(table: Table, match: Match) -> Table | None:
            left = seconds_left(table, match, match.turn) if not match.over else None
            ran_out = left is not None and left < 0
            return stop_game(table, match, "ran out of time") if ran_out else None

        return self.change(table_id, check)

    def ok(self, table_id: str, visitor: Visitor, at: int | None = None) -> Table:
        """Acknowledge a bot's move, so that the game goes on."""

        def acknowledge(table: Table, match: Match) -> Table | None:
            if any(seat.kind == "person" for seat in table.seats):
                _require_seat(table, visitor)  # at a table of bots, any watcher may
            _check_number(table, at)
            if not waits_for_ok(table, match):
                return None
            return replace(table, agreed=len(table.moves), turned=time.time())

        return self.change(table_id, acknowledge)

    def undo(self, table_id: str, visitor: Visitor) -> Table:
        """Take back the visitor's last move: at once against bots, else by agreement."""

        def undo(table: Table, match: Match) -> Table:
            mine = _require_seat(table, visitor)
            people = [at for at, seat in enumerate(table.seats) if seat.kind == "person"]
            if all(at in mine for at in people):
                return _take_back(table, match, mine)
            if match.over:
                raise Changed("the game is over; offer a rematch instead")
            kind, _, by = table.offer.partition(" ")
            if kind == "undo" and int(by) not in mine:
                owner = table.seats[int(by)].owner
                theirs = tuple(at for at, seat in enumerate(table.seats) if seat.owner == owner)
                return _take_back(table, match, theirs)
            _last_move(match, mine)  # refused now, if there is nothing to take back
            return replace(table, offer=f"undo {mine[0]}")

        return self.change(table_id, undo)

    def decline(self, table_id: str, visitor: Visitor) -> Table:
        """Decline what is offered, or withdraw one's own offer."""

        def decline(table: Table, match: Match) -> Table | None:
            _require_seat(table, visitor)
            return replace(table, offer="") if table.offer else None

        return self.change(table_id, decline)

    def rematch(self, table_id: str, visitor: Visitor) -> Table:
        """Begin the next game, seats rotated: at once against bots, else by agreement."""

        def agree(table: Table, match: Match) -> Table | None:
            mine = _require_seat(table, visitor)
            if table.next:
                return None
            if not match.over:
                raise Changed("this game is not over yet")
            kind, _, by = table.offer.partition(" ")
            people = [at for at, seat in enumerate(table.seats) if seat.kind == "person"]
            agreed = kind == "rematch" and int(by) not in mine
            if agreed or all(at in mine for at in people):
                return replace(table, offer="", next=self._store.new_id())
            return replace(table, offer=f"rematch {mine[0]}")

        with self._store.transaction():  # no page may link to a table that is not stored yet
            table = self.change(table_id, agree)
            if table.next and self._store.tables.get(table.next) is None:
                self.create(
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


# The table after an action


def play_move(table: Table, match: Match, text: str) -> Table:
    """Return the table after a move of the seat to move, or after its time has run out."""
    now = time.time()
    left = seconds_left(table, match, match.turn, now)
    if left is not None and left < 0:
        return stop_game(table, match, "ran out of time")
    match.play(match.game.read_move(match.state, text))
    return replace(
        table,
        moves=tuple(match.moves),
        seconds=(*table.seconds, round(max(0.0, now - table.turned), 3)),
        result=match.result,
        reason=match.reason,
        turned=now,
        offer="",
    )


def stop_game(table: Table, match: Match, reason: str, seat: int | None = None) -> Table:
    """Return the table after a seat, by default the one to move, has lost for a reason."""
    match.stop(match.turn if seat is None else seat, reason)
    return replace(table, result=match.result, reason=match.reason, offer="")


def _take_back(table: Table, match: Match, seats: tuple[int, ...]) -> Table:
    number = _last_move(match, seats)
    return replace(
        table,
        moves=table.moves[:number],
        seconds=table.seconds[:number],
        agreed=min(table.agreed, number),
        result=None,
        reason="",
        offer="",
        next="",
        turned=time.time(),
    )


def _last_move(match: Match, seats: tuple[int, ...]) -> int:
    """Return how many moves came before the last move of these seats."""
    own = [number for number, seat in enumerate(match.movers) if seat in seats]
    if not own:
        raise Changed("you have no move to take back")
    return own[-1]


def _require_seat(table: Table, visitor: Visitor) -> tuple[int, ...]:
    """Return the visitor's seats, at least one."""
    mine = seats_of(table, visitor)
    if not mine:
        raise NotYours("you have no seat at this table; take a free one, or just watch")
    return mine


def _check_number(table: Table, at: int | None) -> None:
    """Refuse what was meant for an earlier position, or sent twice."""
    if at is not None and at != len(table.moves):
        raise Changed("the position has changed; look again")
