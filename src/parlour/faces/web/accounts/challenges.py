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
from dataclasses import dataclass, replace
from typing import Annotated, Any

from parlour.core import BadText, Game, quote, registry, say, title, values
from parlour.faces.web.accounts.service import AccountService
from parlour.faces.web.clients import Visitor, account_id_of, account_owner
from parlour.faces.web.errors import Changed, NotSignedIn, NotThere, NotYours, TooMany
from parlour.faces.web.live import Hub
from parlour.faces.web.requests import service
from parlour.faces.web.table import TableService, clean_name
from parlour.store import Challenge, Conflict, Seat, Store

DEFAULT_SECONDS = 600
MAX_SENT = 20  # open challenges of one challenger
MAX_RECEIVED = 50  # and to one account
MAX_OPEN = 100  # listed
MAX_REASON = 200  # characters
SWEEP = 5.0  # seconds between two looks for expired challenges


@dataclass(frozen=True)
class Terms:
    """The game of a challenge, who sits where, and the clock."""

    game: Game
    seat: int | None = None  # of the challenger; None to draw lots
    clock: tuple[float, float] | None = None
    days: int = 0
    seconds: int = DEFAULT_SECONDS  # until the challenge expires


@dataclass(frozen=True)
class Party:
    """One of the two players of a challenge."""

    owner: str
    name: str
    account: str = ""  # the name of a bot account


class ChallengeService:
    """The challenges in the store."""

    def __init__(
        self, store: Store, hub: Hub, tables: TableService, accounts: AccountService
    ) -> None:
        self._store = store
        self._hub = hub
        self._tables = tables
        self._accounts = accounts

    # Finding them

    def read(self, challenge_id: str) -> Challenge:
        """Return the challenge with this id."""
        challenge = self._store.challenges.get(challenge_id)
        if challenge is None:
            raise NotThere(
                say(
                    "there is no challenge {challenge_id}, or no longer",
                    challenge_id=quote(challenge_id),
                )
            )
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

    def party(self, visitor: Visitor, name: str = "") -> Party:
        """Return a visitor as a player: their bot account, or the name they typed."""
        if visitor.account:
            account = self._accounts.read(visitor.account)
            return Party(visitor.owner, account.name, account.name)
        if not visitor.browser:
            raise NotSignedIn(
                say("this needs the token of a bot account: Authorization: Bearer TOKEN")
            )
        return Party(visitor.owner, clean_name(name) if name.strip() else "")

    # Changing them

    def create(self, visitor: Visitor, opponent: str, terms: Terms, name: str = "") -> Challenge:
        """Challenge a bot account by its name, or anybody."""
        challenger = self.party(visitor, name)
        game = terms.game
        if game.seats != 2:
            raise BadText(
                say(
                    "{title} has {seats} seats here; a challenge is for two",
                    title=title(game),
                    seats=game.seats,
                )
            )
        if terms.clock is not None and terms.days:
            raise BadText("choose seconds or days for the clock, not both")
        other = Party("", "")
        if opponent:
            account = self._accounts.find(opponent)
            other = Party(account_owner(account.id), account.name, account.name)
            if other.owner == challenger.owner:
                raise BadText(say("you cannot challenge yourself; name another account"))
            if account.games and game.name not in account.games:
                raise BadText(
                    say("{name} does not play {title}", name=account.name, title=title(game))
                )
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
            seat=terms.seat,
            clock=terms.clock,
            days=terms.days,
            expires=time.time() + terms.seconds,
        )
        with self._store.transaction():
            challenge = self._store.challenges.add(challenge)
            self._record(challenge)
        self._publish(challenge)
        return challenge

    def _check_room(self, challenger: str, opponent: str) -> None:
        """Refuse more challenges than somebody can look at."""
        find = self._store.challenges.find
        if len(find(challenger=challenger, state="open", limit=MAX_SENT)) >= MAX_SENT:
            raise TooMany(
                say("you already have {max_sent} open challenges; cancel some", max_sent=MAX_SENT)
            )
        if opponent and (
            len(find(opponent=opponent, state="open", limit=MAX_RECEIVED)) >= MAX_RECEIVED
        ):
            raise TooMany(
                say("this account already has many challenges to answer; try again later")
            )

    def accept(self, challenge_id: str, visitor: Visitor, name: str = "") -> Challenge:
        """Accept a challenge: the table is created, with both seated."""
        party = self.party(visitor, name)

        def take(challenge: Challenge) -> Challenge:
            own = challenge.challenger == party.owner
            refusal = say("you cannot accept your own challenge; somebody else must")
            _check(challenge, not own, refusal)
            if challenge.opponent and challenge.opponent != party.owner:
                raise NotYours(say("this challenge is for somebody else"))
            return replace(
                challenge,
                opponent=party.owner,
                opponent_name=party.name,
                opponent_account=party.account,
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
        party = self.party(visitor)
        why = " ".join("".join(c if c.isprintable() else " " for c in reason).split())[:MAX_REASON]

        refusal = say("this challenge is not for you; only its opponent can decline it")

        def refuse(challenge: Challenge) -> Challenge:
            _check(challenge, challenge.opponent == party.owner, refusal)
            return replace(challenge, state="declined", reason=why)

        return self._change(challenge_id, refuse)

    def cancel(self, challenge_id: str, visitor: Visitor) -> Challenge:
        """Take back one's own challenge."""
        party = self.party(visitor)

        refusal = say("this challenge is not yours; only its challenger can cancel it")

        def take_back(challenge: Challenge) -> Challenge:
            _check(challenge, challenge.challenger == party.owner, refusal)
            return replace(challenge, state="cancelled")

        return self._change(challenge_id, take_back)

    def expire(self) -> None:
        """End the challenges whose time is over."""
        now = time.time()

        def end(challenge: Challenge) -> Challenge:
            if challenge.state != "open":
                raise Changed(say("it was answered in time"))
            return replace(challenge, state="expired")

        for challenge in self._store.challenges.find(state="open"):
            if challenge.expires <= now:
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


def _check(challenge: Challenge, may: bool, refusal: str) -> None:
    """Refuse somebody who may not answer a challenge, and whoever answers one that is over."""
    if not may:
        raise NotYours(refusal)
    if challenge.state == "accepted":
        raise Changed(say("this challenge was accepted"))
    if challenge.state == "declined":
        raise Changed(say("this challenge was declined"))
    if challenge.state == "cancelled":
        raise Changed(say("this challenge was cancelled"))
    if challenge.state == "expired" or challenge.expires <= time.time():
        raise Changed(say("this challenge has expired"))


ChallengesDep = Annotated[ChallengeService, service(ChallengeService)]
