"""A session with a server: everything a bot asks for, and the loop that plays its games.

What the server answers is a frozen value; fields that a newer server adds are left out.

The loop follows the account's events. Every event only says where to look: the table is read anew
before a move is chosen, and a move says how many moves it has seen. So an event that comes twice, a
lost connection or a restart of either side does no harm.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from parlour.client.connection import Connection, Refused, Unreachable
from parlour.core import Game, IllegalMove, ParlourError, Resigns, State, registry

T = TypeVar("T")

LOG = logging.getLogger("parlour.client")


# What the server answers


def read(kind: type[T], data: Mapping[str, Any]) -> T:
    """Return a value of a kind from JSON, without the fields it does not have."""
    names = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in data.items() if name in names})


@dataclass(frozen=True)
class RemoteAccount:
    """A bot account as everybody may see it."""

    name: str
    description: str = ""
    games: list[str] = field(default_factory=list)  # all if empty
    here: bool = False  # whether its event stream is open
    created: float = 0.0  # seconds since 1970


@dataclass(frozen=True)
class RemoteSeat:
    """A seat at a table."""

    kind: str  # "person", "bot" or "open"
    name: str = ""
    bot: str = ""  # the bot of the house
    account: str = ""  # the bot account
    seconds_left: float | None = None


@dataclass(frozen=True)
class RemoteTable:
    """A game in play or over; seats count from 0."""

    id: str
    game: str
    version: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    seats: list[RemoteSeat] = field(default_factory=list)
    clock: list[float] | None = None
    days: int | None = None
    moves: list[str] = field(default_factory=list)
    position: str = ""
    legal: list[str] = field(default_factory=list)
    turn: int | None = None
    result: list[int] | None = None
    reason: str = ""
    offer: str = ""
    next: str = ""

    def __post_init__(self) -> None:
        seats = [
            each if isinstance(each, RemoteSeat) else read(RemoteSeat, each) for each in self.seats
        ]
        object.__setattr__(self, "seats", seats)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.result is not None

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return all(seat.kind != "open" for seat in self.seats)

    def load(self) -> tuple[Game, State]:
        """Return the game and the state of the position; the game must be installed here."""
        game: Game = registry.build("games", self.game, self.options)
        state = game.start()
        for text in self.moves:
            state = game.play(state, game.read_move(state, text))
        return game, state


@dataclass(frozen=True)
class RemoteChallenge:
    """An invitation to a game for two."""

    id: str
    state: str  # "open", "accepted", "declined", "cancelled" or "expired"
    game: str
    options: dict[str, Any] = field(default_factory=dict)
    challenger: Mapping[str, str] = field(default_factory=dict)  # name and account
    opponent: Mapping[str, str] | None = None  # the same; None while anybody may accept
    seat: int | None = None  # of the challenger
    clock: list[float] | None = None
    days: int | None = None
    expires: float = 0.0  # seconds since 1970
    reason: str = ""
    table: str = ""

    def is_for(self, account: str) -> bool:
        """Whether it waits for the answer of this account."""
        return self.state == "open" and (self.opponent or {}).get("account") == account


@dataclass(frozen=True)
class Event:
    """Something that happened to the account: `type` says what, `data` has everything."""

    id: int
    type: str  # "hello", "challenge", "game_start", "turn", "offer" or "game_end"
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def table(self) -> str:
        """The table that it is about, or nothing."""
        return str(self.data.get("table", ""))

    @property
    def challenges(self) -> list[RemoteChallenge]:
        """The challenges that it tells of."""
        found = [self.data["challenge"]] if "challenge" in self.data else []
        return [read(RemoteChallenge, each) for each in self.data.get("challenges", found)]

    @property
    def turns(self) -> list[str]:
        """The tables that wait for a move."""
        if self.type == "turn":
            return [self.table]
        return [str(each["table"]) for each in self.data.get("turns", ())]


# A session


def connect(
    url: str = "http://127.0.0.1:8000",
    token: str = "",
    *,
    timeout: float = 30.0,
    patience: float = 300.0,
) -> Client:
    """Return a session with the web site at `url`, as the bot account whose token is given.

    An answer is waited for `timeout` seconds; a server that is away or busy is asked again for
    `patience` seconds.
    """
    return Client(Connection(url, token, timeout, patience))


class Client:
    """A session with a server; made by `connect`, and closed by `with` or `close()`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        link = self._connection
        return connect, (link.url, link.token)

    def close(self) -> None:
        """Close all connections."""
        self._connection.close()

    @property
    def token(self) -> str:
        """The token that is sent; keep that of a new account."""
        return self._connection.token

    # The account

    def create_account(
        self, name: str, description: str = "", games: Sequence[str] = ()
    ) -> RemoteAccount:
        """Create a bot account, and be it from now on; its token is in `token`."""
        body = {"name": name, "description": description, "games": list(games)}
        made = self._connection.ask("POST", "/accounts", body)
        self._connection.token = made["token"]
        return read(RemoteAccount, made["account"])

    def account(self) -> RemoteAccount:
        """Return the account whose token is sent."""
        return read(RemoteAccount, self._connection.ask("GET", "/account"))

    def accounts(self, *, here: bool = False) -> list[RemoteAccount]:
        """List bot accounts; with `here`, only those whose event stream is open."""
        found = self._connection.ask("GET", "/accounts", here=here, limit=100)
        return [read(RemoteAccount, each) for each in found]

    def change_account(
        self, *, description: str | None = None, games: Sequence[str] | None = None
    ) -> RemoteAccount:
        """Change what the account says about itself."""
        body = {"description": description, "games": games}
        return read(RemoteAccount, self._connection.ask("PATCH", "/account", body, again=True))

    def rotate_token(self) -> str:
        """Replace the token, and return the new one; the old one is refused from now on."""
        token = str(self._connection.ask("POST", "/account/token")["token"])
        self._connection.token = token
        return token

    def delete_account(self) -> None:
        """Delete the account and all that is stored of it."""
        self._connection.ask("DELETE", "/account")
        self._connection.token = ""

    def feed(self) -> dict[str, str]:
        """Return the secret addresses of the account's feed: `json_feed` and `atom`."""
        found: dict[str, str] = self._connection.ask("GET", "/account/feed")
        return found

    # Challenges

    def challenge(
        self,
        opponent: str = "",
        game: str = "nim",
        *,
        seat: int | None = None,
        clock: tuple[float, float] | None = None,
        days: int | None = None,
        seconds: int = 600,
        **options: Any,
    ) -> RemoteChallenge:
        """Challenge an account by its name, or anybody, to a game with these options.

        `seat` is the challenger's, 0 to begin; `clock` has seconds for the game and for each move,
        `days` how many a move may take. It expires after `seconds`.
        """
        body: dict[str, Any] = {"opponent": opponent, "game": game, "options": options}
        body |= {"seat": seat, "clock": clock, "days": days, "seconds": seconds}
        return read(RemoteChallenge, self._connection.ask("POST", "/challenges", body))

    def challenges(self, *, mine: bool = True) -> list[RemoteChallenge]:
        """List open challenges: to and from the account, or those that anybody may accept."""
        whose = "mine" if mine else "open"
        found = self._connection.ask("GET", "/challenges", whose=whose, limit=100)
        return [read(RemoteChallenge, each) for each in found]

    def accept(self, challenge: RemoteChallenge | str) -> RemoteChallenge:
        """Accept a challenge; the game is at its `table`."""
        return self._answer(challenge, "accept", {})

    def decline(self, challenge: RemoteChallenge | str, reason: str = "") -> RemoteChallenge:
        """Decline a challenge to the account."""
        return self._answer(challenge, "decline", {"reason": reason})

    def cancel(self, challenge: RemoteChallenge | str) -> RemoteChallenge:
        """Take back a challenge of the account."""
        return self._answer(challenge, "cancel", None)

    def _answer(self, challenge: RemoteChallenge | str, how: str, body: Any) -> RemoteChallenge:
        path = f"/challenges/{_id(challenge)}/{how}"
        return read(RemoteChallenge, self._connection.ask("POST", path, body))

    # Tables

    def table(self, table: RemoteTable | str) -> RemoteTable:
        """Return a table as it is now."""
        return read(RemoteTable, self._connection.ask("GET", f"/tables/{_id(table)}"))

    def tables(self) -> list[RemoteTable]:
        """List the account's games in progress."""
        return [read(RemoteTable, each) for each in self._connection.ask("GET", "/account/games")]

    def create_table(
        self,
        game: str,
        bots: Sequence[str | None] = (),
        *,
        clock: tuple[float, float] | None = None,
        days: int | None = None,
        listed: bool = False,
        **options: Any,
    ) -> RemoteTable:
        """Create a table with a bot of the house, or None for a free seat, in each seat."""
        seats: list[dict[str, str]] = []
        for bot in bots:
            name, _, rest = (bot or "").partition(" ")
            seats.append({"kind": "bot", "bot": name, "options": rest} if bot else {"kind": "open"})
        body: dict[str, Any] = {"game": game, "options": options, "seats": seats}
        body |= {"clock": clock, "days": days, "listed": listed}
        return read(RemoteTable, self._connection.ask("POST", "/tables", body))

    def sit(self, table: RemoteTable | str, seat: int = 0, name: str = "") -> RemoteTable:
        """Take a free seat: as the account, or by a name, with a token for this seat alone."""
        path = f"/tables/{_id(table)}/seats/{seat}"
        taken = self._connection.ask("POST", path, {"name": name})
        self._connection.token = taken["token"] or self._connection.token
        return read(RemoteTable, taken["table"])

    def move(self, table: RemoteTable, move: str) -> RemoteTable:
        """Play a move in the position that `table` holds; sent twice, it is played once."""
        path, at = f"/tables/{table.id}/moves", len(table.moves)
        try:
            found = self._connection.ask("POST", path, {"move": move, "at": at}, again=True)
        except Refused as error:
            now = self.table(table) if error.status == 409 else table
            if now.moves[at : at + 1] != [move]:  # the first answer was not lost on its way
                raise
            return now
        return read(RemoteTable, found)

    def resign(self, table: RemoteTable | str) -> RemoteTable:
        """Give a game up."""
        return read(RemoteTable, self._connection.ask("POST", f"/tables/{_id(table)}/resign"))

    # Playing

    def follow(self, stop: threading.Event | None = None) -> Iterator[Event]:
        """Yield everything that happens to the account, until `stop` is set.

        A lost connection is made anew, and what happened meanwhile is caught up with. A token that
        is not valid any more is `Refused`.
        """
        for found in self._connection.follow("/account/events", stop or threading.Event()):
            data = json.loads(found["data"])
            yield Event(int(data["id"]), str(data["type"]), data)

    def play(
        self,
        player: Any,
        *,
        accept: Callable[[RemoteChallenge], bool] = lambda _: True,
        threads: int = 4,
        stop: threading.Event | None = None,
    ) -> None:
        """Play all games of the account, several at once, until `stop` is set.

        `player` is a bot's name with its options, its class, a player, or a function of a game and
        a state. A player that is given whole is asked one question at a time. `accept` says which
        challenges are accepted; the others are declined.
        """
        games = Games(self, player)
        with ThreadPoolExecutor(threads, thread_name_prefix="parlour-client") as pool:
            for event in self.follow(stop):
                if event.type == "hello":
                    games.account = str(event.data["account"]["name"])
                for challenge in event.challenges:
                    if challenge.is_for(games.account):
                        pool.submit(games.consider, challenge, accept)
                for table in event.turns:
                    games.wake(table, pool)
                if event.type == "game_end":
                    games.forget(event.table)

    def play_game(self, player: Any, table: RemoteTable | str, seat: int = 0) -> RemoteTable:
        """Play one seat at one table to the end of the game, and return the table."""
        chooser = registry.bot(player, "player")
        found = self._connection.follow(f"/tables/{_id(table)}/events", threading.Event())
        while True:
            now = read(RemoteTable, json.loads(next(found)["data"]))
            if now.full and now.turn == seat:
                now = self.move_by(chooser, now, seat)
            if now.over:
                return now

    def move_by(self, player: Any, table: RemoteTable, seat: int) -> RemoteTable:
        """Let a player choose a move in the position of a table, and play it."""
        game, state = table.load()
        if (left := table.seats[seat].seconds_left) is not None and hasattr(player, "clock"):
            player.clock(left)
        if hasattr(player, "follow"):
            player.follow(game, table.moves)
        try:
            move = player.choose(game, state)
        except Resigns:
            return self.resign(table)
        if move not in game.moves(state):
            raise IllegalMove(f"the player chose {move!r}, which is not a legal move")
        try:
            return self.move(table, game.write_move(move))
        except Refused as error:
            if error.status != 409:  # the game was over, or a move was taken back: look again
                raise
            return self.table(table)


class Games:
    """The games in progress, each with at most one thread that thinks about it."""

    def __init__(self, client: Client, player: Any) -> None:
        self.account = ""  # its name, as the server greets it
        self._client = client
        self._shared = None if isinstance(player, str | type) else registry.bot(player)
        self._given = player
        self._players: dict[str, Any] = {}
        self._due: dict[str, bool] = {}  # tables being looked at, and whether to look again
        self._lock = threading.Lock()
        self._thinking = threading.Lock() if self._shared is not None else None

    def consider(
        self, challenge: RemoteChallenge, accept: Callable[[RemoteChallenge], bool]
    ) -> None:
        """Accept a challenge or decline it; one that is over by now is left alone."""
        try:
            why = self._explain_refusal(challenge)
            if not why and accept(challenge):
                self._client.accept(challenge)
            else:
                self._client.decline(challenge, why)
        except ParlourError as error:
            LOG.info("the challenge %s: %s", challenge.id, error)
        except Exception:
            LOG.exception("the challenge %s was not answered", challenge.id)

    def _explain_refusal(self, challenge: RemoteChallenge) -> str:
        """Return why the player cannot play a game, or nothing if it can."""
        try:
            game = registry.build("games", challenge.game, challenge.options)
        except ParlourError as error:
            return str(error)
        player = self._shared or registry.bot(self._given, "player")
        plays = getattr(player, "plays", None)
        return "" if plays is None or plays(game) else "this bot cannot play these rules"

    def wake(self, table: str, pool: ThreadPoolExecutor) -> None:
        """Look at a table soon, once more if a thread is looking at it."""
        with self._lock:
            running = table in self._due
            self._due[table] = True
        if not running:
            pool.submit(self._run, table)

    def forget(self, table: str) -> None:
        """Let the player of a game that is over go."""
        with self._lock:
            player = self._players.pop(table, None)
        if player is not None and hasattr(player, "close"):
            with contextlib.suppress(ParlourError):
                player.close()

    def _run(self, table: str) -> None:
        while True:
            with self._lock:
                if not self._due[table]:
                    del self._due[table]
                    return
                self._due[table] = False
            try:
                self._move(table)
            except (Unreachable, Refused) as error:  # the events tell of it again
                LOG.warning("table %s: %s", table, error)
            except Exception:  # a fault of the player; nobody shall wait for it
                LOG.exception("the player failed at table %s, and resigns", table)
                with contextlib.suppress(ParlourError):
                    self._client.resign(table)

    def _move(self, name: str) -> None:
        """Make the account's move at a table, if it is its turn."""
        table = self._client.table(name)
        if table.over or not table.full or table.turn is None:
            return
        if table.seats[table.turn].account == self.account:
            with self._thinking or contextlib.nullcontext():
                self._client.move_by(self._player(name), table, table.turn)

    def _player(self, table: str) -> Any:
        """Return the player of a game: the one that was given, or one of its own."""
        if self._shared is not None:
            return self._shared
        with self._lock:
            if table not in self._players:
                self._players[table] = registry.bot(self._given, "player")
            return self._players[table]


def _id(thing: RemoteTable | RemoteChallenge | str) -> str:
    return thing if isinstance(thing, str) else thing.id
