"""Bot accounts: created, found by their token, changed and deleted.

An account is a name that no other has, and a secret token of which only the hash is stored. Its
seats belong to `account:ID`, not to the token, so a new token keeps them. How many accounts one
address may create is limited; the address is stored as a keyed hash.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any

from parlour.core import BadText, NameTaken, UnknownName, quote, registry, say
from parlour.faces.web.clients import ACCOUNT_TOKEN, TOO_MANY, RateLimit, account_owner
from parlour.faces.web.errors import NotSignedIn, TooMany, not_there
from parlour.faces.web.live import announce_everywhere
from parlour.faces.web.requests import service
from parlour.faces.web.services import Services
from parlour.faces.web.signing import Signer, hash_token, is_same
from parlour.store import Account

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,23}")
RESERVED = frozenset({"admin", "benedict", "host", "open", "parlour", "server", "you"})
TOKEN_NEEDED = say("this needs the token of a bot account: Authorization: Bearer TOKEN")
MAX_BY_ADDRESS = 20  # accounts; a class of people who write bots may share an address
PRESENT = 15.0  # seconds between two notes that an account is here
HERE = 45.0  # seconds since a stream was last known to be open
MAX_HERE = 100


def is_here(account: Account, now: float | None = None) -> bool:
    """Whether the account's event stream is open, as far as is known."""
    return account.seen > (time.time() if now is None else now) - HERE


class AccountService:
    """The bot accounts in the store."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._store = services.store
        self._origins = Signer(self._store.secret("origins"))
        self.creations = RateLimit(rate=1 / 120, burst=10)

    # Finding them

    def find_id(self, token: str) -> str:
        """Return the id of the account of a token, or nothing."""
        account_id, _, secret = token.removeprefix(ACCOUNT_TOKEN).partition("_")
        account = self._store.accounts.get(account_id) if secret else None
        valid = account is not None and is_same(account.token, hash_token(token))
        return account_id if valid else ""

    def read(self, account_id: str) -> Account:
        """Return the account with this id."""
        account = self._store.accounts.get(account_id)
        if account is None:
            raise NotSignedIn(TOKEN_NEEDED)
        return account

    def find(self, name: str) -> Account:
        """Return the account of this name, in capitals or not."""
        found = self._store.accounts.find(handle=name.casefold(), limit=1)
        if not found:
            raise not_there(name)
        return found[0]

    def list_here(self, limit: int = MAX_HERE) -> list[Account]:
        """List the accounts whose event stream is open, by name."""
        now = time.time()
        found = self._store.accounts.find(changed_since=now - HERE, limit=limit)
        return sorted((each for each in found if is_here(each, now)), key=lambda each: each.handle)

    def list_all(self, limit: int) -> list[Account]:
        """List all accounts, those that were here last first."""
        return self._store.accounts.find(limit=limit)

    # Changing them

    def create(
        self, name: str, description: str, games: Sequence[str], network: str
    ) -> tuple[Account, str]:
        """Create an account, and return it with its token, which is not stored."""
        self._check_name(name)
        origin = self._origins.digest(network)
        if self._store.accounts.count(origin=origin) >= MAX_BY_ADDRESS:
            raise TooMany(
                "there are already {max_by_address} bot accounts from your address; delete one",
                retry_after=3600,
                max_by_address=MAX_BY_ADDRESS,
            )
        self.creations.check(origin, TOO_MANY)
        account_id = self._store.new_id()
        token = _new_token(account_id)
        account = Account(
            id=account_id,
            handle=name.casefold(),
            origin=origin,
            name=name,
            description=one_line(description),
            games=_check_games(games),
            token=hash_token(token),
            created=time.time(),
        )
        try:
            return self._store.accounts.add(account), token
        except UnknownName:  # somebody was quicker
            raise _taken(name) from None

    def _check_name(self, name: str) -> None:
        if not NAME.fullmatch(name):
            raise BadText(
                say(
                    "the name of a bot account has 2 to 24 letters, digits, - or _ and begins "
                    "with a letter"
                )
            )
        reserved = name.casefold() in RESERVED or name.casefold() in registry.claims("bots")
        if reserved or self._store.accounts.find(handle=name.casefold(), limit=1):
            raise _taken(name)

    def change(
        self, account_id: str, *, description: str | None = None, games: Sequence[str] | None = None
    ) -> Account:
        """Change what an account says about itself."""
        changes: dict[str, Any] = {}
        if description is not None:
            changes["description"] = one_line(description)
        if games is not None:
            changes["games"] = _check_games(games)
        return self._change(account_id, lambda account: replace(account, **changes))

    def rotate(self, account_id: str) -> str:
        """Return a new token; the old one is refused from now on."""
        token = _new_token(account_id)
        self._change(account_id, lambda each: replace(each, token=hash_token(token)))
        self.wake(account_id)
        return token

    def delete(self, account_id: str) -> None:
        """Delete an account and what is stored of it; its games in progress are lost."""
        self.read(account_id)
        self._services.delete_person(account_owner(account_id))
        self.wake(account_id)
        self.announce_lobby()

    def _change(self, account_id: str, change: Callable[[Account], Account]) -> Account:
        return self._store.accounts.update(account_id, change) or self.read(account_id)

    # Presence

    def keep_here(self, account: Account) -> bool:
        """Note that the event stream of an account is open; return whether its token is valid."""
        now = self._store.accounts.get(account.id)
        if now is None or now.token != account.token:
            return False
        if now.seen < time.time() - PRESENT:
            self.note_seen(account.id, time.time())
        return True

    def note_seen(self, account_id: str, seen: float) -> None:
        """Note when the event stream of an account was last open; 0 if it was closed."""
        account = self._store.accounts.get(account_id)
        if account is not None and account.seen != seen:
            self._change(account_id, lambda each: replace(each, seen=seen))
            if is_here(account) != bool(seen):
                self.announce_lobby()

    def wake(self, account_id: str) -> None:
        """Wake the event streams of the account with this id, on every server."""
        announce_everywhere(self._services.hub, self._store, f"account:{account_id}")

    def announce_lobby(self) -> None:
        """Show in the lobby who is here now."""
        announce_everywhere(self._services.hub, self._store, "lobby:")


def _new_token(account_id: str) -> str:
    return f"{ACCOUNT_TOKEN}{account_id}_{secrets.token_urlsafe(24).replace('_', '-')}"


def _taken(name: str) -> NameTaken:
    return NameTaken(say("{name} is already taken; choose another name", name=quote(name)))


def one_line(text: str) -> str:
    """Return a text on one line, without invisible characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _check_games(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of games, each once; `UnknownName` for one that is not played here."""
    return tuple(dict.fromkeys(registry.build("games", name).name for name in names))


AccountsDep = Annotated[AccountService, service(AccountService)]
