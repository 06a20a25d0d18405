"""All that is stored of one person: found, deleted, and moved to another owner.

A person is the owner of seats: `browser:ID` for a browser, `token:HASH` for a program. What is
theirs alone is deleted with them. A game with other people stays, without their name and owner.
Classes and pupils are deleted in the same way, as `class:ID` and `pupil:ID`; the tables and
tournaments that `class:ID` owns go with the class, whoever plays there.

A deletion leaves one row behind: the SHA-256 of the owner, which is made from 128 random bits and
can be found from the hash by nobody, and the time. A backup that was made before still holds what
was deleted since. So whoever restores one takes `Deletions.list` from the database in use, and
hands it to `Deletions.apply` of the restored one.

A code carries a person to another device: it works once, and for a few minutes. It is stored as a
keyed hash, so that nobody who reads the database can use one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import sqlalchemy as sa

from parlour.store.classes import Classes, store_body
from parlour.store.rows import Rows
from parlour.store.tables import SEATS

BROWSER = "browser:"
CLASS = "class:"
OWNED = (  # what is deleted with its owner
    *("setups", "trainings", "tournaments", "feeds", "cards", "classes", "pupils", "studies"),
)
PASSING = ("presence", "waiting", "codes", "events", "addresses")  # kept while somebody is here
KEYS = {**dict.fromkeys(OWNED, "owner"), "people": "id", "talks": "id"}  # talks: of the browser
TABLES = sa.table("tables", *(sa.column(name) for name in ("id", "creator", "changed", "body")))
OWNERS = (  # every place in which an owner is stored, besides the bodies of tables
    *(f"SELECT owner FROM {name}" for name in (*OWNED, *PASSING, "seats")),  # noqa: S608 - our names
    "SELECT creator FROM tables",
    "SELECT id FROM people",
    "SELECT 'browser:' || id FROM talks",
    "SELECT one FROM results",
    "SELECT other FROM results",
    "SELECT 'account:' || id FROM accounts",
    "SELECT challenger FROM challenges",
    "SELECT opponent FROM challenges",
    "SELECT 'class:' || id FROM classes",
    "SELECT 'pupil:' || id FROM pupils",
)


class Deletion(NamedTuple):
    """Somebody whose data were deleted: the hash of the owner, and when."""

    hash: str
    deleted: float  # seconds since the epoch
    erased: bool = False  # whether the file was rewritten since, without any byte of theirs


def hash_owner(owner: str) -> str:
    """Return the hash that stands for an owner whose data were deleted."""
    return hashlib.sha256(owner.encode()).hexdigest()


class Deletions(Rows[Deletion], kind=Deletion, table="deletions", key="hash", order="deleted hash"):
    """Who has deleted their data, and how that is done."""

    def delete(self, owner: str) -> list[str]:
        """Delete all that is stored of an owner, and return the tables that stay, as others' games.

        Everything goes in one transaction. `erase` then removes the bytes from the file.
        """
        if not owner:
            return []
        with self._alone_with(owner):
            changed = self._delete_person(owner)
            self.put(Deletion(hash_owner(owner), time.time()))
        return changed

    @contextlib.contextmanager
    def postponed(self, owner: str, since: float) -> Iterator[bool]:
        """Yield whether an owner is still there, without a deletion since a time.

        What is stored meanwhile is one transaction, and a deletion waits for its end: so a request
        that was under way leaves nothing behind of somebody who is gone.
        """
        with self._alone_with(owner):
            found = self.get(hash_owner(owner))
            yield found is None or found.deleted < since

    @contextlib.contextmanager
    def _alone_with(self, *owners: str) -> Iterator[None]:
        """Like `transaction`; others that ask for one of these owners wait until it ends."""
        with self._database.transaction(), contextlib.ExitStack() as held:
            for owner in sorted(owners):  # always in this order, so that no two wait for each other
                held.enter_context(self._database.serialised(f"owner {owner}"))
            yield

    def apply(self, deletions: Iterable[Deletion]) -> int:
        """Delete what a restored backup holds of these people, and return how many it knew.

        Only what is older than the deletion counts as deleted, so that it can be repeated.
        """
        by_hash: dict[str, float] = {}
        for each in deletions:
            by_hash[each.hash] = max(each.deleted, by_hash.get(each.hash, 0.0))
        with self._database.transaction():
            owners = {owner for query in OWNERS for (owner,) in self._database.rows(query)}
            known = {owner: found for owner in owners if (found := hash_owner(owner)) in by_hash}
            for owner in sorted(known):
                self._delete_person(owner, before=by_hash[known[owner]])
            for hashed, deleted in by_hash.items():
                self.put(Deletion(hashed, deleted))
        return len(known)

    def erase(self, at_most: int | None = None) -> bool:
        """Remove the bytes of what was deleted from an SQLite file; whether that was possible.

        The whole file is written anew; one of more bytes than `at_most` is left for another time.
        """
        if at_most is not None and self._database.size() > at_most:
            return False
        if not self._find(sa.not_(self._row.erased), limit=1):
            return True
        begun = time.time()
        if not self._database.erase():
            return False
        self._update(self._row.deleted <= begun, erased=True)
        return True

    def adopt(self, owner: str, new: str) -> None:
        """Give all that one owner has to another: the same person, on another device."""
        if owner and owner != new:
            with self._alone_with(owner, new):
                self._adopt(owner, new)

    def _tables_of(self, owner: str) -> Iterator[tuple[Any, dict[str, Any]]]:
        """Yield each table somebody sits at or has created, locked, and its body."""
        sits_at = sa.select(SEATS.c.table_id).where(SEATS.c.owner == owner)
        query = sa.select(TABLES).where(sa.or_(TABLES.c.creator == owner, TABLES.c.id.in_(sits_at)))
        for row in self._database.rows(query.order_by(TABLES.c.id).with_for_update()):
            yield row, json.loads(row.body)

    def _delete_person(self, owner: str, before: float = math.inf) -> list[str]:
        """Delete what is stored of an owner, or what was last changed before a time."""
        run = partial(self._database.run, owner=owner)
        kept = []
        pupils = "SELECT id FROM pupils WHERE owner = :owner OR 'pupil:' || id = :owner"
        for (pupil_id,) in self._database.rows(pupils, owner=owner):
            Classes(self._database).rename_in_games(pupil_id)
        for row, body in self._tables_of(owner):
            if row.changed > before:
                continue
            alone = not any(seat.get("owner", "") not in ("", owner) for seat in body["seats"])
            if alone or owner.startswith(CLASS):
                run("DELETE FROM tables WHERE id = :id", id=row.id)
                continue
            body["rated"] = False
            self._hand_over(row, body, owner, "")
            run("DELETE FROM seats WHERE owner = :owner AND table_id = :id", id=row.id)
            run("DELETE FROM results WHERE id = :id", id=row.id)
            kept.append(row.id)
        for name, column in KEYS.items():
            whose = _browser(owner) if name == "talks" else owner
            delete = f"DELETE FROM {name} WHERE {column} = :whose AND changed <= :before"  # noqa: S608
            run(delete, whose=whose, before=before)
        run("DELETE FROM challenges WHERE :owner IN (challenger, opponent)")
        run("DELETE FROM accounts WHERE 'account:' || id = :owner")
        run("DELETE FROM pupils WHERE 'pupil:' || id = :owner")
        run("DELETE FROM classes WHERE 'class:' || id = :owner")
        for name in PASSING:
            run(f"DELETE FROM {name} WHERE owner = :owner")  # noqa: S608 - our names
        return kept

    def _adopt(self, owner: str, new: str) -> None:
        run = partial(self._database.run, owner=owner, new=new)
        for row, body in self._tables_of(owner):
            self._hand_over(row, body, owner, new)
        run(
            "INSERT INTO seats (table_id, owner)"
            " SELECT table_id, :new FROM seats WHERE owner = :owner ON CONFLICT DO NOTHING"
        )
        run("DELETE FROM seats WHERE owner = :owner")
        for name in ("trainings", "tournaments", "studies"):
            run(f"UPDATE {name} SET owner = :new, version = version + 1 WHERE owner = :owner")  # noqa: S608
        run("UPDATE feeds SET owner = :new WHERE owner = :owner")
        run("UPDATE challenges SET challenger = :new WHERE challenger = :owner")
        run("UPDATE challenges SET opponent = :new WHERE opponent = :owner")
        run("DELETE FROM results WHERE one IN (:owner, :new) AND other IN (:owner, :new)")
        run("UPDATE results SET one = :new WHERE one = :owner")
        run("UPDATE results SET other = :new WHERE other = :owner")
        self._merge_cards(owner, new)
        self._adopt_classes(owner, new)
        # A set-up, a conversation and the settings of the person are kept where there is one.
        run("DELETE FROM setups WHERE owner = :owner")
        run("DELETE FROM talks WHERE id = :browser", browser=_browser(owner))
        run(
            "UPDATE people SET id = :new WHERE id = :owner"
            " AND NOT EXISTS (SELECT 1 FROM people WHERE id = :new)"
        )
        run("DELETE FROM people WHERE id = :owner")
        for name in PASSING:
            run(f"DELETE FROM {name} WHERE owner = :owner")  # noqa: S608 - our names

    def _hand_over(self, row: Any, body: dict[str, Any], owner: str, new: str) -> None:
        """Store a table with another owner in place of one, or with nobody."""
        for seat in body["seats"]:
            if seat.get("owner") == owner:
                seat.update({"owner": new} if new else {"name": "", "owner": "", "account": ""})
        setup, _, browser = body.get("setup", "").partition(" ")
        if browser == _browser(owner) != "":
            body["setup"] = f"{setup} {_browser(new)}" if new else ""
        creator = new if row.creator == owner else row.creator
        store_body(self._database, "tables", row.id, body, creator=creator)

    def _merge_cards(self, owner: str, new: str) -> None:
        """Give all answers to puzzles to another owner; those to one puzzle become one history."""
        run, query = self._database.run, "SELECT id, puzzle, body FROM cards WHERE owner = :owner"
        kept = {row.puzzle: row for row in self._database.rows(query, owner=new)}
        for row in self._database.rows(query, owner=owner):
            if row.puzzle not in kept:
                move = "UPDATE cards SET owner = :new, version = version + 1 WHERE id = :id"
                run(move, new=new, id=row.id)
                continue
            one, other = json.loads(kept[row.puzzle].body), json.loads(row.body)
            answers = {(float(at), bool(right)) for at, right in one["answers"] + other["answers"]}
            one["answers"] = sorted(answers)
            if not one["missed"]:
                one["missed"], one["table"] = other["missed"], other["table"]
            store_body(self._database, "cards", kept[row.puzzle].id, one)
            run("DELETE FROM cards WHERE id = :id", id=row.id)

    def _adopt_classes(self, owner: str, new: str) -> None:
        """Give classes to another owner; a pupil who is in one twice returns by the key."""
        query = "SELECT id, owner, body FROM classes WHERE body LIKE '%' || :owner || '%'"
        for row in self._database.rows(query, owner=owner):
            body = json.loads(row.body)
            body["teachers"] = [new if each == owner else each for each in body["teachers"]]
            kept = new if row.owner == owner else row.owner
            store_body(self._database, "classes", row.id, body, owner=kept)
        for statement in (
            "UPDATE pupils SET owner = :new, version = version + 1 WHERE owner = :owner"
            " AND class_id NOT IN (SELECT class_id FROM pupils WHERE owner = :new)",
            "UPDATE pupils SET owner = '', version = version + 1 WHERE owner = :owner",
        ):
            self._database.run(statement, owner=owner, new=new)


def _browser(owner: str) -> str:
    return owner.removeprefix(BROWSER) if owner.startswith(BROWSER) else ""


class Code(NamedTuple):
    """A code, as its keyed hash."""

    hash: str
    owner: str
    expires: float  # seconds since the epoch


class Codes(Rows[Code], kind=Code, table="codes", key="hash", age="expires"):
    """All codes that have not been used."""

    def add(self, hashed: str, owner: str, expires: float) -> None:
        """Store a code for an owner, in place of an earlier one."""
        with self._database.transaction():
            self._delete(self._row.owner == owner)
            self.insert(Code(hashed, owner, expires))

    def find(self, hashed: str, now: float) -> str:
        """Return whose code this is; nothing if it is wrong, used or too old."""
        found = self.get(hashed)
        return found.owner if found and found.expires > now else ""

    def use(self, hashed: str, now: float) -> str:
        """Return whose code this is, and delete it; of two who use it at once one succeeds."""
        owner = self.find(hashed, now)
        return owner if owner and self._delete(self._row.hash == hashed) else ""
