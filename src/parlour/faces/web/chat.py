"""Benedict's chat, which is on every page: a conversation with each browser.

At a table he is given its game as if he sat there. He answers questions about it; a move or an undo
that somebody tells him is made at the table itself, by the same actions as a click. Everything else
belongs to his own conversation. Until a person agrees to be remembered, what was said is known to
this server alone, and only a game goes to the store.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from parlour.core import ParlourError, plain, sentence
from parlour.faces.web import requests as web
from parlour.faces.web.clients import Recent, Visitor
from parlour.faces.web.prefix import see_other
from parlour.faces.web.services import Services
from parlour.faces.web.table import TableService, is_full, is_without_help, seats_of
from parlour.faces.web.workers import Priority, WorkerPool
from parlour.host import HostTable, Memories, Session, greeting
from parlour.host.table import COMMANDS
from parlour.store import Store, Table, Talk

MAX_LENGTH = 500  # characters of a line
MAX_LINES = 100  # stored of a conversation
LIMIT = 15.0  # seconds for an answer
MAX_UNSTORED = 500  # conversations that are known to this server alone
MAX_CHOICES = 6  # offered as buttons
MAX_MOVES = 3  # offered as buttons
TABLE_CHOICES = ("hint", "why", "who is winning", "undo", "rules", "leave")
TERMINAL_ONLY = ("goodbye", "kill", "save")
OF_GAMES = ("again", "offer")  # his questions that hold nothing a person said
TALK = "talk"  # the kind of message that processes of one server send each other
TABLE_PATH = re.compile(r"/tables/(\w+)")

Lines = tuple[tuple[str, str], ...]


class ChatService:
    """The conversations in the store."""

    def __init__(self, store: Store, tables: TableService, workers: WorkerPool) -> None:
        self._store = store
        self._tables = tables
        self._workers = workers
        self._unstored: Recent[str, Talk] = Recent(MAX_UNSTORED)
        self._lock = threading.Lock()
        if store.peers is not None:
            store.peers.on(TALK, self._receive)

    def find(self, browser: str) -> Talk | None:
        """Return a browser's conversation as far as it is known here, or None."""
        with self._lock:  # a conversation is stored, and known here, at once
            stored = self._store.talks.get(browser) if browser else None
            return self._whole(stored) if stored else None

    def _whole(self, stored: Talk) -> Talk:
        """Return a stored conversation with what only this server knows of it; under the lock."""
        whole = self._unstored.get(stored.id)
        return whole if whole and whole.version == stored.version else stored

    def read(self, browser: str) -> Talk:
        """Return a browser's conversation; a new one begins with his greeting."""
        found = self.find(browser)
        if found is not None:
            return found
        opening = greeting(Session(seed=int(browser[:8], 16)))
        return Talk(
            id=browser,
            session=opening.session.to_json(),
            lines=tuple(("benedict", line) for line in opening.lines),
            choices=pick_choices(opening.choices),
        )

    def forget(self, owner: str) -> None:
        """Forget what only this server knows of a conversation."""
        with self._lock:
            self._unstored.pop(owner.removeprefix("browser:"), None)

    async def answer(self, visitor: Visitor, talk: Talk, line: str, path: str) -> Talk:
        """Answer a line sent from the page at `path`, and store the conversation."""
        try:
            reply = await self._reply(visitor, Session.from_json(talk.session), line, path)
        except ParlourError as error:
            reply = {"session": talk.session, "lines": [str(error)], "board": "", "choices": []}
        answers = [*reply["lines"], *([reply["board"]] if reply["board"] else [])]
        fresh = (("you", line), *(("benedict", each) for each in answers))
        session = reply["session"]
        if reply.get("over"):  # after goodbye he is there again for the next line
            session = replace(Session.from_json(session), over=False, mode="chat").to_json()
        choices = pick_choices(reply["choices"])
        return await asyncio.to_thread(self._save, talk, session, fresh, choices)

    def _save(self, talk: Talk, session: str, fresh: Lines, choices: tuple[str, ...]) -> Talk:
        """Store a conversation with new lines, after those sent from another window meanwhile."""

        def answer(known: Talk) -> Talk:
            with self._lock:
                lines = (*self._whole(known).lines, *fresh)[-MAX_LINES:]
            return replace(known, session=session, lines=lines, choices=choices)

        def save(before: Talk, after: Talk) -> Talk | None:
            with self._lock:
                talks, bare = self._store.talks, _leave_out_personal(after)
                put = talks.put(bare) if before.changed else talks.add(bare)
                if put is None:
                    return None
                after = replace(after, version=put.version, changed=put.changed)
                self._unstored.keep(after.id, after)
                if self._store.peers is not None:
                    self._store.peers.send(TALK, json.dumps(vars(after)))
                return after

        new = None if talk.changed else talk
        stored = self._store.talks.update(talk.id, answer, default=new, save=save)
        return stored or answer(talk)  # it was deleted while he thought, and stays so

    def _receive(self, text: str) -> None:
        """Keep what another process of this server was told, which may answer the next line."""
        talk = Talk(**json.loads(text))
        with self._lock:
            self._unstored.keep(talk.id, talk)

    async def _reply(
        self, visitor: Visitor, session: Session, line: str, path: str
    ) -> dict[str, Any]:
        """Return his reply about the table on the page, or else in his own conversation."""
        table = await asyncio.to_thread(self._table_at, path, visitor)
        at_table = _sit_down(session, table, visitor) if table else None
        if table is not None and at_table is not None:
            reply = await self._ask(at_table, line, visitor)
            after = Session.from_json(reply["session"])
            own = replace(after, mode=session.mode, table=session.table, question=session.question)
            own_session = own.to_json()  # he remembers what was said, not the table
            if (at_table.table, at_table.mode) == (after.table, after.mode):  # he only talked
                choices = ["why?", "hint", "rules"]
                return {**reply, "session": own_session, "board": "", "choices": choices}
            done = await asyncio.to_thread(self._act, table, visitor, at_table, after)
            if done is not None:
                return {"session": own_session, "lines": done, "board": "", "choices": ["why?"]}
        return await self._ask(session, line, visitor)

    async def _ask(self, session: Session, line: str, visitor: Visitor) -> dict[str, Any]:
        payload = {"session": session.to_json(), "text": line}
        reply: dict[str, Any] = await self._workers.run(
            "reply", payload, LIMIT, client=visitor.owner, priority=Priority.MOVE
        )
        return reply

    def _table_at(self, path: str, visitor: Visitor) -> Table | None:
        """Return the table of a page, if he may talk about it with this visitor."""
        found = TABLE_PATH.match(path)
        table = self._store.tables.get(found[1]) if found else None
        if table is None or not is_full(table) or len(table.seats) != 2 or is_without_help(table):
            return None
        return table if seats_of(table, visitor) else None

    def _act(
        self, table: Table, visitor: Visitor, before: Session, after: Session
    ) -> list[str] | None:
        """Do at the table what was done in his session; None if that was something else."""
        then, now = before.table, after.table
        if then is None or now is None or (now.game, now.options) != (then.game, then.options):
            return None
        number = len(then.moves)
        try:
            if len(now.moves) > number and now.moves[:number] == then.moves:
                self._tables.move(table.id, visitor, now.moves[number], number)
                return [f"Done: {now.moves[number]}."]
            if len(now.moves) < number and then.moves[: len(now.moves)] == now.moves and now.undone:
                self._tables.act(table.id, "undo", visitor)
                return ["Taken back."]
        except ParlourError as error:
            return [sentence(str(error))]
        return None


def _leave_out_personal(talk: Talk) -> Talk:
    """Return a conversation as it may be stored: without what was said, unless that is agreed."""
    session = Session.from_json(talk.session)
    if session.memory.agreed is True:
        return talk
    empty = Session()
    memory = Memories(agreed=session.memory.agreed)
    bare = replace(session, memory=memory, talk=empty.talk, last=empty.last)
    if session.question not in OF_GAMES:  # what he asks back may hold a name, or a topic
        bare = replace(bare, question="", pending={})
    return replace(talk, session=bare.to_json(), lines=())


def _sit_down(session: Session, table: Table, visitor: Visitor) -> Session | None:
    """Return his session as if he sat at this table; None while he is busy with a game of his."""
    if session.mode in ("game", "setup", "talk"):
        return None
    mine = seats_of(table, visitor)
    bots = [
        seat.bot if seat.bot and not seat.bot.startswith("school") else "perfect"
        for seat in table.seats
    ]
    players = ["human" if at in mine else bot for at, bot in enumerate(bots)]
    if set(players) == {"human"}:
        players[-1] = "perfect"
    copy = HostTable(
        game=table.game,
        options=plain(dict(table.options)),
        players=tuple(players),
        moves=table.moves,
        result=table.result,
        reason=table.reason,
        end=table.end,
    )
    return replace(session, mode="chat" if table.result else "game", table=copy, question="")


def pick_choices(choices: Sequence[str]) -> tuple[str, ...]:
    """Return the choices to show as buttons: complete ones, and moves if they are few.

    Leaving and saving have their own places on a page; at a terminal they are words to him.
    """
    words = [each for each in choices if not each.endswith("…") and each not in TERMINAL_ONLY]
    if set(COMMANDS) <= set(choices):  # in a game with him
        moves = [each for each in words if each not in (*COMMANDS, "help")]
        words = [*(moves if len(moves) <= MAX_MOVES else []), *TABLE_CHOICES]
    return tuple(words[:MAX_CHOICES])


# The section

router = APIRouter(include_in_schema=False)


def start_section(services: Services) -> None:
    """Make the chat."""
    tables = services.get(TableService)
    chat = services.add(ChatService(services.store, tables, services.workers))
    services.find_talk = chat.find
    services.forgetters.append(chat.forget)


SECTION = web.Section((router,), start=start_section)


@router.post("/chat", dependencies=web.NOT_BARRED)
async def send_line(
    request: Request,
    form: web.Form,
    visitor: web.VisitorDep,
    chat: Annotated[ChatService, web.service(ChatService)],
) -> Response:
    """Send Benedict a line."""
    browser = visitor.require_browser()
    line = " ".join(form.get("text", "")[:MAX_LENGTH].split())
    talk = await asyncio.to_thread(chat.read, browser)
    if line:
        talk = await chat.answer(visitor, talk, line, form.get("back", ""))
    if web.wants_json(request):
        last = max((at for at, (who, _) in enumerate(talk.lines) if who == "you"), default=0)
        fresh = talk.lines[last:] if line else ()
        return JSONResponse({"lines": fresh, "choices": talk.choices})
    back = web.own_page(form.get("back", "/"))
    return see_other(f"{back}#say-text")  # which opens his drawer
