"""Benedict beside a table: asked there, he speaks of the game that is on it.

He is handed the table as if he sat at it. What he is asked about it he answers; a move or an undo
that is said to him is made at the table itself, by the same verbs as a click. Whatever else is said
belongs to his own talk.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from parlour.core import ParlourError, plain, sentence
from parlour.faces.web.identity import Visitor
from parlour.faces.web.table import is_between_people, is_full, seats_of
from parlour.faces.web.table import service as verbs
from parlour.host import Session
from parlour.host import Table as Seen
from parlour.store import Table

if TYPE_CHECKING:
    from parlour.faces.web.house import House

PAGE = re.compile(r"/tables/(\w+)")


def table_of(house: House, visitor: Visitor, path: str) -> Table | None:
    """The table whose page somebody speaks from, if he may say something about it."""
    found = PAGE.match(path)
    table = house.store.tables.get(found[1]) if found else None
    if table is None or not is_full(table) or len(table.seats) != 2:
        return None
    if is_between_people(table) and table.result is None:
        return None
    return table if seats_of(table, visitor) else None


def beside(session: Session, table: Table, visitor: Visitor) -> Session | None:
    """His session as if he sat at this table; None while he is busy with something of his own."""
    if session.mode in ("game", "setup", "talk"):
        return None
    mine = seats_of(table, visitor)
    players = ["human" if at in mine else _bot(table, at) for at in range(len(table.seats))]
    if "human" not in players or players == ["human"] * len(players):
        players[-1] = "perfect"
    seen = Seen(
        game=table.game,
        options=plain(dict(table.options)),
        players=tuple(players),
        moves=table.moves,
        result=table.result,
        reason=table.reason,
    )
    return replace(session, mode="chat" if table.result else "game", table=seen, question="")


def _bot(table: Table, seat: int) -> str:
    bot = table.seats[seat].bot
    return "perfect" if not bot or bot.startswith("school") else bot


def made(
    house: House, table: Table, visitor: Visitor, before: Session, after: Session
) -> list[str] | None:
    """What was done at the table itself by what was said; None if it was something else."""
    then, now = before.table, after.table
    if then is None or now is None or (now.game, now.options) != (then.game, then.options):
        return None
    many = len(then.moves)
    try:
        if len(now.moves) > many and now.moves[:many] == then.moves:
            verbs.move(house, table.id, visitor, now.moves[many], many)
            return [f"Done: {now.moves[many]}."]
        if len(now.moves) < many and then.moves[: len(now.moves)] == now.moves and now.undone:
            verbs.undo(house, table.id, visitor)
            return ["Taken back."]
    except ParlourError as refusal:
        return [sentence(str(refusal))]
    return None


def is_same(before: Session, after: Session) -> bool:
    """Whether the game on the table was only spoken of."""
    return (before.table, before.mode) == (after.table, after.mode)


def apart(session: Session, told: Session) -> Session:
    """His own session after he has spoken of a table: what he heard stays, the table does not."""
    kept: dict[str, Any] = {name: getattr(session, name) for name in ("mode", "table", "question")}
    return replace(told, **kept)
