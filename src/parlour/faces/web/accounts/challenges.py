"""Challenges: one account or person invites another, or anybody, to a game for two.

A challenge is open until it is accepted, declined, cancelled or has expired. Accepting it creates
the table in the same transaction, with both seated, so there is never an accepted challenge without
its game. Every change is an event of the accounts concerned.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from parlour.core import BadText, Game, registry, say, title, values
from parlour.faces.web.accounts.service import TOKEN_NEEDED, AccountService, one_line
from parlour.faces.web.clients import Visitor, account_id_of, account_owner
from parlour.faces.web.errors import Changed, NotSignedIn, NotThere, NotYours, TooMany, not_there
from parlour.faces.web.requests import service
from parlour.faces.web.services import Services
from parlour.faces.web.table import TableService, clean_name
from parlour.store import Account, Challenge, Conflict, Seat

DEFAULT_SECONDS = 600
MAX_SENT = 20  # open challenges of one challenger
MAX_RECEIVED = 50  # and to one account
MAX_OPEN = 100  # listed
SWEEP = 5.0  # seconds between two looks for expired challenges


class ChallengeService:
    """The challenges in the store."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._hub = services.hub
        self._tables = services.get(TableService)
        self._accounts = services.get(AccountService)

    # Finding them

    def read(self, challenge_id: str) -> Challenge:
        """Return the challenge with this id."""
        challenge = self._store.challenges.get(challenge_id)
        if challenge is None:
            raise not_there(challenge_id)
        return challenge

    def list_open(self, limit: int = MAX_OPEN) -> list[Challenge]:
        """List the challenges that anybody may accept, the newest first."""
        found = self._store.challenges.find(opponent="", state="open", limit=limit)
        return [each for each in found if each.expires > time.time()]

    def list_of(self, owner: str, limit: int = MAX_OPEN) -> list[Challenge]:
        """List the open challenges to and from an owner, the newest first."""
        sent = self._store.challenges.find(challenger=owner, state="open", limit=limit)
        received = self._store.challenges.find(opponent=owner, state="open", limit=limit)
        found = {each.id: each for each in (*sent, *received) if each.expires > time.time()}
        return sorted(found.values(), key=lambda each: each.changed, reverse=True)[:limit]

    def player(self, visitor: Visitor, name: str = "") -> Seat:
        """Return the seat of a visitor: their bot account's, or by the name they typed."""
        if visitor.account:
            return _seat_of(self._accounts.read(visitor.account))
        if not visitor.browser:
            raise NotSignedIn(TOKEN_NEEDED)
        return Seat("person", clean_name(name) if name.strip() else "", owner=visitor.owner)

    # Changing them

    def create(
        self,
        visitor: Visitor,
        opponent: str,
        game: Game,
        *,
        seat: int | None = None,
        clock: tuple[float, float] | None = None,
        days: int = 0,
        seconds: int = DEFAULT_SECONDS,
        name: str = "",
    ) -> Challenge:
        """Challenge a bot account by its name, or anybody.

        `seat` is the challenger's, by lot if there is none; it expires after some seconds.
        """
        challenger = self.player(visitor, name)
        if game.seats != 2:
            raise BadText(
                "{title} has {seats} seats here; a challenge is for two",
                title=title(game),
                seats=game.seats,
            )
        if clock is not None and days:
            raise BadText("choose seconds or days for the clock, not both")
        other = Seat("open")
        if opponent:
            account = self._accounts.find(opponent)
            other = _seat_of(account)
            if other.owner == challenger.owner:
                raise BadText(say("you cannot challenge yourself"))
            if account.games and game.name not in account.games:
                raise BadText("{name} does not play {title}", name=account.name, title=title(game))
        self._check_room(challenger.owner, other.owner)
        challenge = Challenge(
            id=self._store.new_id(),
            challenger=challenger.owner,
            opponent=other.owner,
            challenger_name=challenger.name,
            challenger_account=challenger.account,
            opponent_name=other.name,
            opponent_account=other.account,
            game=game.name,
            options=values(game),
            seat=seat,
            clock=clock,
            days=days,
            expires=time.time() + seconds,
        )
        with self._store.transaction():
            challenge = self._store.challenges.add(challenge)
            self._record(challenge)
        self._publish(challenge)
        return challenge

    def _check_room(self, challenger: str, opponent: str) -> None:
        """Refuse more challenges than somebody can look at."""
        count = self._store.challenges.count
        if count(challenger=challenger, state="open") >= MAX_SENT:
            raise TooMany(
                "you already have {max_sent} open challenges; cancel some", max_sent=MAX_SENT
            )
        if opponent and count(opponent=opponent, state="open") >= MAX_RECEIVED:
            raise TooMany(
                say("this account already has many challenges to answer; try again later")
            )

    def accept(self, challenge_id: str, visitor: Visitor, name: str = "") -> Challenge:
        """Accept a challenge: the table is created, with both seated."""
        player = self.player(visitor, name)

        def take(challenge: Challenge) -> Challenge:
            if challenge.challenger == player.owner:
                raise NotYours(say("you cannot challenge yourself"))
            _check_open(challenge, time.time())
            if challenge.opponent not in ("", player.owner):
                raise NotYours(say("this challenge belongs to somebody else"))
            return replace(
                challenge,
                opponent=player.owner,
                opponent_name=player.name,
                opponent_account=player.account,
                state="accepted",
                table=self._store.new_id(),
            )

        return self._change(challenge_id, take, self._create_table)

    def _create_table(self, challenge: Challenge) -> None:
        game = registry.build("games", challenge.game, challenge.options)
        own, other = challenge.challenger_account, challenge.opponent_account
        seats = [
            Seat("person", challenge.challenger_name, owner=challenge.challenger, account=own),
            Seat("person", challenge.opponent_name, owner=challenge.opponent, account=other),
        ]
        seat = secrets.randbelow(2) if challenge.seat is None else challenge.seat
        self._tables.create(
            game,
            seats if seat == 0 else seats[::-1],
            clock=challenge.clock,
            days=challenge.days,
            listed=False,
            name=challenge.table,
            creator=challenge.challenger,
        )

    def decline(self, challenge_id: str, visitor: Visitor, reason: str = "") -> Challenge:
        """Decline a challenge to oneself, with or without a reason."""
        player = self.player(visitor)

        def refuse(challenge: Challenge) -> Challenge:
            if challenge.opponent != player.owner:
                raise NotYours(say("this challenge belongs to somebody else"))
            _check_open(challenge, time.time())
            return replace(challenge, state="declined", reason=one_line(reason))

        return self._change(challenge_id, refuse)

    def cancel(self, challenge_id: str, visitor: Visitor) -> Challenge:
        """Take back one's own challenge."""
        player = self.player(visitor)

        def take_back(challenge: Challenge) -> Challenge:
            if challenge.challenger != player.owner:
                raise NotYours(say("this challenge belongs to somebody else"))
            _check_open(challenge, time.time())
            return replace(challenge, state="cancelled")

        return self._change(challenge_id, take_back)

    def expire(self) -> None:
        """End the challenges whose time is over."""

        def end(challenge: Challenge) -> Challenge:
            _check_open(challenge, 0.0)
            return replace(challenge, state="expired")

        for challenge in self._store.challenges.find(state="open"):
            if challenge.expires <= time.time():
                with contextlib.suppress(NotThere, Changed, Conflict):
                    self._change(challenge.id, end)

    def _change(
        self,
        challenge_id: str,
        change: Callable[[Challenge], Challenge],
        then: Callable[[Challenge], None] = lambda _: None,
    ) -> Challenge:
        """Change a challenge, and do what follows from it in the same transaction."""
        challenges, topic = self._store.challenges, f"challenge:{challenge_id}"
        with self._store.transaction():
            stored = challenges.update(challenge_id, change, announce=topic)
            stored = stored or self.read(challenge_id)  # which says that it is gone
            self._record(stored)
            then(stored)
        self._publish(stored)
        return stored

    # Events

    def _record(self, challenge: Challenge) -> None:
        """Store the event of a challenge that is new or was answered."""
        event: dict[str, Any] = {"type": "challenge", "challenge": challenge.id}
        owners = {challenge.challenger, challenge.opponent}
        events = {owner: [event] for owner in owners if account_id_of(owner)}
        if events:
            self._store.events.append(events)

    def _publish(self, challenge: Challenge) -> None:
        self._hub.announce(f"challenge:{challenge.id}", challenge)
        for owner in (challenge.challenger, challenge.opponent):
            if account := account_id_of(owner):
                self._accounts.wake(account)
        if not challenge.opponent or challenge.state != "open":
            self._accounts.announce_lobby()


def _seat_of(account: Account) -> Seat:
    owner = account_owner(account.id)
    return Seat("person", account.name, owner=owner, account=account.name)


def _check_open(challenge: Challenge, now: float) -> None:
    """Refuse an answer to a challenge that has one already, or has expired."""
    if challenge.state != "open" or challenge.expires <= now:
        raise Changed(say("this challenge is not open any more"))


ChallengesDep = Annotated[ChallengeService, service(ChallengeService)]
