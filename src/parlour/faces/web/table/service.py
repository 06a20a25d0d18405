"""A table: what follows from its record, and what can be done at it.

A table is stored as its record and who sits where; the referee works out the rest by replaying the
record. The match of the latest version is kept, so that a move replays the record once at most.

Every action reads the table, changes its match and stores it unless somebody else was quicker; only
then is the change published. A restart, a second server and a page that comes back late therefore
need no code of their own.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import Annotated, Any

from parlour import core
from parlour.core import BadText, Game, Match, ParlourError, count, quote, say, title, values
from parlour.faces.web.clients import Recent, Visitor
from parlour.faces.web.errors import Changed, NotSignedIn, NotThere, NotYours, TooMany
from parlour.faces.web.live import Hub, announce_everywhere
from parlour.faces.web.metrics import MOVES
from parlour.faces.web.requests import service
from parlour.store import Result, Seat, Store, Table

MAX_NAME = 40  # characters
MAX_MOVES = 2_000  # a game that does not end by then is a draw here
MAX_MATCHES = 512  # kept in memory
MAX_WITH_BOTS = 30  # unfinished games with bots of one browser
MAX_WITH_BOTS_BY_ADDRESS = 300  # and of programs at one address, which a whole class may share
ACTIVE = 3600.0  # seconds since the last change
HERE = 600.0  # seconds without a sign after which whoever waits for players has gone
MAX_SHOWN = 3  # tables of one creator in the lobby
MAX_LISTED = 5  # tables of one creator that wait for players
MAX_LISTED_BY_ADDRESS = 50  # a whole class may share one
RECENT = 24 * 3600.0  # for which a table is listed in the lobby
DAY = 24 * 3600.0  # seconds

Change = Callable[[Table, Match], Table]  # may play on in the match, or return the table as it is
Listener = Callable[[Table, bool], None]  # the stored table, and whether its game has just ended
Recorder = Callable[[Table | None, Table], None]  # a table before and after a change

NOBODY = Visitor("")
KEPT = ("pace", "clock", "days", "listed", "setup", "rated")  # for the rematch

matches: Recent[str, Match] = Recent(MAX_MATCHES)  # by table


# The game


@lru_cache(maxsize=512)
def _game(name: str, options: str) -> Game:
    game: Game = core.registry.build("games", name, json.loads(options))
    return game


def game_of(stored: Any) -> Game:
    """Return the game of a table, or of anything else with `game` and `options`.

    `NotThere` if it is gone: a plug-in was removed since, or an option has narrower bounds.
    """
    try:
        return _game(stored.game, json.dumps(stored.options, sort_keys=True))
    except ParlourError:
        raise _unknown_game(stored) from None


def _unknown_game(stored: Any) -> NotThere:
    return NotThere(
        say("{game} can no longer be played here by these rules", game=quote(stored.game))
    )


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
    match = matches.get(table.id)
    current = _play_on(match, table) if match is not None and match.game is game else None
    if current is None:
        try:
            current = Match.from_record(game, table.record(), most_moves=MAX_MOVES)
        except ParlourError:  # it was legal when it was stored
            raise _unknown_game(table) from None
    if current is not match:
        matches.keep(table.id, current)
    return current


def _play_on(match: Match, table: Table) -> Match | None:
    """Return a match played on to where its table is, as another server left it; None if it is not.

    A page is then as cheap after the sixtieth move as after the first.
    """
    known = len(match.moves)
    if table.moves[:known] != tuple(match.moves):
        return None
    if len(table.moves) > known and not match.over:
        match = match.copy()
        try:
            for number, text in enumerate(table.moves[known:], start=known):
                move = match.game.read_move(match.state, text)
                match.play(move, table.seconds[number] if table.seconds else None)
        except ParlourError:
            return None
    here = len(match.moves), match.result, match.end, match.reason
    return match if here == (len(table.moves), table.result, table.end, table.reason) else None


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
    if table.clock is None and not table.days:
        return None
    if seat == match.turn and match.end == "time":
        return 0.0
    if table.clock is None:  # a slow clock begins anew with every turn
        left = table.days * DAY
    else:
        total, bonus = table.clock
        spent = [s for by, s in zip(match.movers, table.seconds, strict=True) if by == seat]
        left = total + bonus * len(spent) - sum(spent)
    running = not match.over and match.turn == seat and is_full(table) and bool(table.turned)
    if running and not waits_for_ok(table, match):
        left -= (now or time.time()) - table.turned
    return left


# Agreements between people


def can_agree_draw(table: Table, match: Match) -> bool:
    """Whether two people play here, and a game of theirs can end in a draw."""
    return is_for_two_people(table) and core.protocol.can_be_drawn(match.game)


def can_be_claimed(table: Table, match: Match, visitor: Visitor) -> bool:
    """Whether a visitor waits for the move of another person while no clock runs."""
    if match.over or not is_for_two_people(table) or table.clock is not None or table.slow:
        return False
    mine = seats_of(table, visitor)
    return bool(mine) and match.turn not in mine


# Players


def is_for_two_people(table: Table) -> bool:
    """Whether two people, who are not the same, sit here and nobody else."""
    people = [seat for seat in table.seats if seat.kind == "person"]
    return len(people) == len(table.seats) == 2 and people[0].owner != people[1].owner


def seats_of(table: Table, visitor: Visitor) -> tuple[int, ...]:
    """Return the seats that belong to a visitor."""
    return tuple(at for at, seat in enumerate(table.seats) if visitor.owns(seat.owner))


def is_host(table: Table, visitor: Visitor) -> bool:
    """Whether a visitor has a seat here or made the table."""
    made = bool(visitor.browser) and visitor.owns(table.creator)
    return made or bool(seats_of(table, visitor))


def has_accounts(table: Table) -> bool:
    """Whether a bot account has a seat."""
    return any(seat.account for seat in table.seats)


def is_between_people(table: Table) -> bool:
    """Whether seats belong to different people, or may yet."""
    owners = {seat.owner for seat in table.seats if seat.kind == "person"}
    return len(owners) > 1 or (bool(owners) and not is_full(table))


def is_without_help(table: Table) -> bool:
    """Whether nobody is told what moves are worth: others play too, or the result counts."""
    return table.result is None and (is_between_people(table) or bool(table.counts_for))


def client_of(table: Table) -> str:
    """Return the client whose share of the workers a table uses: the one that created it."""
    return table.creator or table.id


def player_name(table: Table, seat: int, mine: tuple[int, ...] = ()) -> str:
    """Return the name of a seat's player on the page: `Ann`, `Rex bot`, or `You` for one's own."""
    sits = table.seats[seat]
    if sits.kind == "bot" or sits.account:
        return f"{sits.name or sits.bot.partition(' ')[0]} bot"
    return sits.name or ("You" if mine == (seat,) else f"Player {seat + 1}")


def clean_name(name: str) -> str:
    """Return a name on one line, without invisible characters; `BadText` if none is left."""
    tidy = " ".join("".join(c if c.isprintable() else " " for c in name).split())
    if not tidy:
        raise BadText(say("type a name first"))
    if len(tidy) > MAX_NAME:
        raise BadText("that name is too long; use at most {max_name} letters", max_name=MAX_NAME)
    return tidy


def read_name(typed: str, default: str) -> str:
    """Return the name that was typed, or else the default, which is cut if it is too long."""
    if typed.strip():
        return clean_name(typed)
    return default if len(default) <= MAX_NAME else default[:MAX_NAME]


def check_name_is_free(name: str, seats: Sequence[Seat]) -> None:
    """Refuse a name that somebody else at the table has; many may have none."""
    taken = {seat.name.casefold() for seat in seats if seat.kind == "person"}
    if name and name.casefold() in taken:
        raise BadText("somebody here is already called {name}; choose another name", name=name)


# The service


class TableService:
    """The tables in the store, and who is notified when one changes."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        # Called after every stored change, from any thread
        self.listeners: list[Listener] = []
        # Called in the transaction of every change of a table with bot accounts
        self.recorders: list[Recorder] = []
        # Called in the transaction that ends a game whose result counts for something
        self.counters: list[Callable[[Table], object]] = []
        # Seconds until a game may be claimed from a seat; None while its player is here
        self.claimable_in: Callable[[Table, int], float | None] = lambda table, seat: None

    def _check_rated(self, table: Table) -> None:
        """Refuse to rate a game unless both players take part in the ratings."""
        for seat, each in enumerate(table.seats):
            person = self._store.people.get(each.owner) if each.owner else None
            if person is None or not person.rated:
                raise Changed(
                    "{player_name} takes no part in the ratings; everybody joins them for "
                    "themselves, under Your data",
                    player_name=player_name(table, seat),
                )

    def _check_absence(self, table: Table, seat: int) -> None:
        """Refuse a claim while the player in a seat is here, or was until just now."""
        left = self.claimable_in(table, seat)
        if left is None:
            raise Changed("{player_name} is here", player_name=player_name(table, seat))
        if left > 0:
            raise Changed(
                "wait another {seconds}, then claim the game", seconds=count(ceil(left), "second")
            )

    # Events

    def publish(self, table: Table, ended: bool = False) -> None:
        """Send a table that was stored to its open pages and to the listeners."""
        self._hub.announce(f"table:{table.id}", table)
        if table.listed and (not table.moves or table.result is not None):
            announce_everywhere(self._hub, self._store, "lobby:")
        self.wake(table, ended)

    def wake(self, table: Table, ended: bool = False) -> None:
        """Let the bots and clocks of a table go on."""
        for listener in self.listeners:
            listener(table, ended)

    def note_view(self, table: Table) -> None:
        """Note that somebody looks at a table, for which its bots may be waiting."""
        self._hub.note_view(f"table:{table.id}")
        self.wake(table)

    # Tables

    def create(
        self, game: Game, seats: Sequence[Seat], *, name: str = "", creator: str = "", **more: Any
    ) -> Table:
        """Create a table, listed by default, with more of its fields.

        Its bots start as soon as every seat is taken.
        """
        if len(seats) != game.seats:
            raise ParlourError(
                "{name} has {seats} here, not {seats2}",
                name=game.name,
                seats=count(game.seats, "seat"),
                seats2=len(seats),
            )
        table = Table(
            id=name or self._store.new_id(),
            game=game.name,
            options=values(game),
            seats=tuple(seats),
            begun=time.time(),
            creator=creator,
            **{"listed": True} | more,
        )
        if creator and table.bots:
            self._check_room(creator)
        if creator and table.listed and not is_full(table):
            self._check_lobby(creator)
        turned = table.begun if is_full(table) else 0.0
        table = replace(_with_end(table, match_of(table)), turned=turned)
        with self._store.transaction() if has_accounts(table) else contextlib.nullcontext():
            table = self._store.tables.add(table)
            for record in self.recorders if has_accounts(table) else ():
                record(None, table)
        self._hub.note_view(f"table:{table.id}")
        self._store.after_commit(lambda: self.publish(table))
        return table

    def _check_room(self, creator: str) -> None:
        """Refuse another game with bots to a client that has many going on."""
        by_browser = creator.startswith("browser:")
        most = MAX_WITH_BOTS if by_browser else MAX_WITH_BOTS_BY_ADDRESS
        since = time.time() - ACTIVE
        active = self._store.tables.find(
            creator=creator, over=False, bots=True, changed_since=since, limit=most
        )
        if len(active) >= most:
            raise TooMany(
                "you already have {most} games with bots in progress; finish some first", most=most
            )

    def _check_lobby(self, creator: str) -> None:
        """Refuse another table in the lobby to a client, or an address, that has many there."""
        since = time.time() - RECENT
        limits = {"listed": True, "over": False, "played": False}
        most = MAX_LISTED if creator.startswith("browser:") else MAX_LISTED_BY_ADDRESS
        waiting = self._store.tables.find(
            creator=creator, changed_since=since, limit=most, **limits
        )
        if sum(not is_full(table) for table in waiting) >= most:
            raise TooMany(
                "you already have {most} open tables in the lobby; play at one of them first",
                most=most,
                retry_after=HERE,
            )
        known = self._store.addresses.get(creator)
        address = known.address if known else ""
        if address and self._store.addresses.count_listed(address, since) >= MAX_LISTED_BY_ADDRESS:
            raise TooMany(
                say("there are many open tables of your network in the lobby; join one of them"),
                retry_after=HERE,
            )

    def read(self, table_id: str) -> Table:
        """Return the table with this id."""
        table = self._store.tables.get(table_id)
        if table is None:
            raise NotThere(
                "there is no table {table_id}; the lobby lists the open ones",
                table_id=quote(table_id),
            )
        return table

    def list_open(self, limit: int) -> list[Table]:
        """List the tables of known games that can be joined or watched, mixed fairly."""
        now = time.time()
        found = self._store.tables.find_for_lobby(
            since=now - RECENT,
            active=now - ACTIVE,
            here=now - HERE,
            of_creator=MAX_SHOWN,
            limit=limit,
        )
        return [table for table in found if is_known(table)]

    def change(self, table_id: str, change: Change) -> Table:
        """Change a table and its match, and store it."""
        match: Match

        def change_match(table: Table) -> Table:
            nonlocal match
            match = match_of(table).copy()
            return change(table, match)

        stored = self._store.tables.update(
            table_id, change_match, save=lambda before, after: self.save(before, after, match)
        )
        return stored or self.read(table_id)  # which says that it is gone

    def save(self, before: Table, after: Table, match: Match | None = None) -> Table | None:
        """Store a changed table and publish it; None if it has changed in the meantime."""
        if after.over and not after.creator.startswith(("browser:", "account:", "class:")):
            after = replace(after, creator="")  # the address of a program, kept while it matters
        ended = after.over and not before.over
        several = (ended and (after.rated or after.counts_for)) or has_accounts(after)
        with self._store.transaction() if several else contextlib.nullcontext():
            reseated = before.seats != after.seats
            stored = self._store.tables.put(after, announce=f"table:{after.id}", reseated=reseated)
            if stored is None:
                return None
            for record in self.recorders if has_accounts(after) else ():
                record(before, stored)
            if ended and after.rated:
                self._store.results.insert(_rated_result(stored))
            for count_game in self.counters if ended and after.counts_for else ():
                count_game(stored)

        def publish() -> None:
            if match is not None:
                matches.keep(stored.id, match)  # so that its record need not be replayed
                if len(stored.moves) > len(before.moves):
                    MOVES.labels(stored.seats[match.movers[-1]].kind).inc()
            self.publish(stored, ended)
            if before.listed and not stored.listed:
                announce_everywhere(self._hub, self._store, "lobby:")

        self._store.after_commit(publish)
        return stored

    # Actions

    def sit(self, table_id: str, seat: int, name: str, owner: str, account: str = "") -> Table:
        """Take a free seat; `account` is the name of the bot account that takes it."""
        name = clean_name(name) if name else ""

        def take_seat(table: Table, match: Match) -> Table:
            if seat not in range(len(table.seats)):
                raise NotThere("there is no seat {seat} at this table", seat=seat + 1)
            if table.seats[seat].kind != "open":
                raise Changed(say("that seat has been taken"))
            check_name_is_free(name, table.seats)
            seats = list(table.seats)
            seats[seat] = Seat("person", name, owner=owner, account=account)
            after = replace(table, seats=tuple(seats))
            return replace(after, turned=time.time() if is_full(after) else 0.0)

        return self.change(table_id, take_seat)

    def move(self, table_id: str, visitor: Visitor, text: str, at: int | None) -> Table:
        """Play a move for the seat to move, which must be the visitor's."""

        def play(table: Table, match: Match) -> Table:
            mine = _require_seat(table, visitor)
            _check_number(table, at)
            if match.over:
                raise Changed(say("the game is over"))
            if not is_full(table):
                raise Changed(say("a seat is still free; the game starts when somebody takes it"))
            if waits_for_ok(table, match):
                raise Changed(say("press Ok for the last move first"))
            if match.turn not in mine:
                raise NotYours(
                    "it is {player_name}'s turn", player_name=player_name(table, match.turn)
                )
            return play_move(table, match, text)

        return self.change(table_id, play)

    def act(
        self, table_id: str, action: str, visitor: Visitor = NOBODY, at: int | None = None
    ) -> Table:
        """Carry out one of `ACTIONS`; with `at`, only if this many moves have been played."""
        if action not in ACTIONS:
            raise NotThere("there is no action {action}", action=quote(action))

        def do(table: Table, match: Match) -> Table:
            _check_number(table, at)
            if action == "rate":
                self._check_rated(table)
            if action == "claim" and can_be_claimed(table, match, visitor):
                self._check_absence(table, match.turn)
            return ACTIONS[action](table, match, visitor)

        if action != "rematch":
            return self.change(table_id, do)
        with self._store.transaction():  # no page may link to a table that is not stored yet
            table = self.change(table_id, do)
            if table.next and self._store.tables.get(table.next) is None:
                self.create(
                    game_of(table),
                    (*table.seats[1:], *table.seats[:1]),
                    name=table.next,
                    creator=table.creator or visitor.client,
                    counts_for=table.counts_for if table.bots else "",
                    **{name: getattr(table, name) for name in KEPT},
                )
        return table


def _resign(table: Table, match: Match, visitor: Visitor) -> Table:
    """Resign the game."""
    mine = _require_seat(table, visitor)
    if match.over:
        raise Changed(say("the game is over"))
    seat = match.turn if match.turn in mine else mine[0]
    return stop_game(table, match, end="resigned", seat=seat)


def _check_clock(table: Table, match: Match, visitor: Visitor) -> Table:
    """End the game if the player to move has run out of time."""
    ran_out = not match.over and _has_run_out(table, match, time.time())
    return stop_game(table, match, end="time") if ran_out else table


def _acknowledge(table: Table, match: Match, visitor: Visitor) -> Table:
    """Continue after the move of a bot."""
    if any(seat.kind == "person" for seat in table.seats):
        _require_seat(table, visitor)  # at a table of bots, any watcher may
    if not waits_for_ok(table, match):
        return table
    return replace(table, agreed=len(table.moves), turned=time.time())


def _undo(table: Table, match: Match, visitor: Visitor) -> Table:
    """Take back your last move, or ask to, or accept a request to."""
    mine = _require_seat(table, visitor)
    if table.counts_for:
        raise Changed(say("this game counts, so no move can be taken back"))
    if _plays_alone(table, mine):
        return _take_back(table, match, mine)
    if match.over:
        raise Changed(say("the game is over; offer a rematch instead"))
    if (by := _offered_by(table, "undo", mine)) is not None:
        owner = table.seats[by].owner
        theirs = tuple(at for at, seat in enumerate(table.seats) if seat.owner == owner)
        return _take_back(table, match, theirs)
    _last_move(match, mine)  # refused now, if there is nothing to take back
    return replace(table, offer=f"undo {mine[0]}")


def _draw(table: Table, match: Match, visitor: Visitor) -> Table:
    """Offer a draw, or accept the offer of one; it expires with the next move."""
    mine = _require_seat(table, visitor)
    if match.over:
        raise Changed(say("the game is over"))
    if not can_agree_draw(table, match):
        raise Changed(
            say("here nobody can agree to a draw: it takes two people, and a game with draws")
        )
    if _offered_by(table, "draw", mine) is not None:
        match.agree_draw()
        return replace(_with_end(table, match), offer="", asked=())
    if mine[0] in table.asked:
        raise Changed(say("you have offered a draw already; play on, and you may offer one again"))
    return replace(table, offer=f"draw {mine[0]}", asked=(*table.asked, mine[0]))


def _rate(table: Table, match: Match, visitor: Visitor) -> Table:
    """Offer to rate the game, before its first move, or accept that."""
    mine = _require_seat(table, visitor)
    if not is_for_two_people(table) or table.moves or match.over:
        raise Changed(say("a game can be rated between two people, from its first move on"))
    if table.rated:
        return table
    if _offered_by(table, "rate", mine) is not None:
        return replace(table, offer="", rated=True)
    return replace(table, offer=f"rate {mine[0]}")


def _claim(table: Table, match: Match, visitor: Visitor) -> Table:
    """Win a game that the other player has left, after 2 minutes; only where no clock runs."""
    _require_seat(table, visitor)
    if not can_be_claimed(table, match, visitor):
        raise Changed(
            say(
                "a game can be claimed while you wait for the move of another person and no "
                "clock runs"
            )
        )
    return stop_game(table, match, end="away")


def _list(table: Table, match: Match, visitor: Visitor) -> Table:
    """List the table in the lobby, where anybody can join or watch."""
    if not is_host(table, visitor):
        _require_seat(table, visitor)
    return replace(table, listed=True)


def _unlist(table: Table, match: Match, visitor: Visitor) -> Table:
    """Take the table out of the lobby: only those who have its link find it."""
    return replace(_list(table, match, visitor), listed=False)


def _decline(table: Table, match: Match, visitor: Visitor) -> Table:
    """Decline an offer, or withdraw your own."""
    _require_seat(table, visitor)
    return replace(table, offer="", agreeing=())


def _rematch(table: Table, match: Match, visitor: Visitor) -> Table:
    """Begin the next game with the seats rotated, or offer it, or accept an offer."""
    mine = _require_seat(table, visitor)
    if table.next:
        return table
    if not match.over:
        raise Changed(say("this game is not over yet"))
    people = {at for at, seat in enumerate(table.seats) if seat.kind == "person"}
    if any(not table.seats[at].owner for at in people):
        raise Changed(say("another player has left for good; set up a new game"))
    agreeing = {*table.agreeing, *mine}
    if people <= agreeing:
        return replace(table, offer="", agreeing=(), next=Store.new_id())
    first = table.offer if table.offer.startswith("rematch ") else f"rematch {mine[0]}"
    return replace(table, offer=first, agreeing=tuple(sorted(agreeing)))


ACTIONS: dict[str, Callable[[Table, Match, Visitor], Table]] = {
    "resign": _resign,
    "undo": _undo,
    "draw": _draw,
    "claim": _claim,
    "rate": _rate,
    "decline": _decline,
    "rematch": _rematch,
    "ok": _acknowledge,
    "flag": _check_clock,
    "list": _list,
    "unlist": _unlist,
}


# The table after an action


def play_move(table: Table, match: Match, text: str) -> Table:
    """Return the table after a move of the seat to move, or after its time has run out."""
    now = time.time()
    if _has_run_out(table, match, now):
        return stop_game(table, match, end="time")
    match.play(match.game.read_move(match.state, text))
    return replace(
        _with_end(table, match),
        moves=tuple(match.moves),
        seconds=(*table.seconds, round(max(0.0, now - table.turned), 3)),
        turned=now,
        offer="",
        asked=(),
    )


def _has_run_out(table: Table, match: Match, now: float) -> bool:
    """Whether the clock of the seat to move has run out."""
    left = seconds_left(table, match, match.turn, now)
    return left is not None and left < 0


def stop_game(
    table: Table, match: Match, reason: str = "", *, end: str = "fault", seat: int | None = None
) -> Table:
    """Return the table after a seat, by default the one to move, has lost for a reason."""
    match.stop(match.turn if seat is None else seat, reason, end=end)
    return replace(_with_end(table, match), offer="")


def _with_end(table: Table, match: Match) -> Table:
    return replace(table, result=match.result, reason=match.reason, end=match.end)


def _rated_result(table: Table) -> Result:
    """Return the result of a rated game, for the ratings."""
    one, other = (seat.owner for seat in table.seats)
    points = (1 + (table.result or (0,))[0]) / 2
    return Result(table.id, table.game, one, other, points, time.time())


def leave_game(table: Table, match: Match, owner: str) -> Table:
    """Return the table after somebody has left it for good, which ends a game that goes on."""
    seats = [at for at, seat in enumerate(table.seats) if seat.owner == owner]
    if match.over or not seats or not is_full(table):
        return table
    seat = match.turn if match.turn in seats else seats[0]
    return stop_game(table, match, end="left", seat=seat)


def _offered_by(table: Table, kind: str, mine: tuple[int, ...]) -> int | None:
    """Return the seat of somebody else that has offered this, if one has."""
    offered, _, by = table.offer.partition(" ")
    return int(by) if offered == kind and int(by) not in mine else None


def _take_back(table: Table, match: Match, seats: tuple[int, ...]) -> Table:
    number = _last_move(match, seats)
    return replace(
        table,
        moves=table.moves[:number],
        seconds=table.seconds[:number],
        agreed=min(table.agreed, number),
        result=None,
        reason="",
        end="",
        offer="",
        next="",
        turned=time.time(),
    )


def _last_move(match: Match, seats: tuple[int, ...]) -> int:
    """Return how many moves came before the last move of these seats."""
    own = [number for number, seat in enumerate(match.movers) if seat in seats]
    if not own:
        raise Changed(say("you have no move to take back"))
    return own[-1]


def _plays_alone(table: Table, mine: tuple[int, ...]) -> bool:
    """Whether all other seats are bots, so that nobody has to agree."""
    return all(at in mine for at, seat in enumerate(table.seats) if seat.kind == "person")


def _require_seat(table: Table, visitor: Visitor) -> tuple[int, ...]:
    """Return the visitor's seats, at least one."""
    mine = seats_of(table, visitor)
    if not mine and not visitor.browser and not visitor.account:
        raise NotSignedIn(
            say("send the token of a seat at this table: Authorization: Bearer TOKEN")
        )
    if not mine:
        raise NotYours(say("you have no seat at this table; take a free one, or just watch"))
    return mine


def _check_number(table: Table, at: int | None) -> None:
    """Refuse what was meant for an earlier position, or sent twice."""
    if at is not None and at != len(table.moves):
        raise Changed(say("the position has changed; look again"))


TablesDep = Annotated[TableService, service(TableService)]
