"""Benedict's chat, which is at hand on every page; each browser has a talk of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from parlour.core import NameTaken, ParlourError
from parlour.faces.web.chat import table as table_talk
from parlour.faces.web.errors import Changed, NotYours
from parlour.faces.web.house import House
from parlour.faces.web.identity import Visitor
from parlour.faces.web.requests import Form, house_of, visitor_of, wants_json
from parlour.host import Session, greeting
from parlour.host.table import COMMANDS
from parlour.store import Talk

router = APIRouter()

LONGEST = 500  # characters of a line
MOST_KEPT = 100  # lines of a talk
LIMIT = 15.0  # seconds for an answer
MOST_TRIES = 10
MOST_OFFERED = 6  # answers to press
FEW_MOVES = 3
AT_THE_TABLE = ("hint", "why", "who is winning", "undo", "rules", "leave")
OF_THE_TERMINAL = ("goodbye", "kill", "save")

Lines = tuple[tuple[str, str], ...]


@router.post("/chat")
async def chat(request: Request, form: Form) -> Response:
    """Say a line to Benedict."""
    house, visitor = house_of(request), visitor_of(request)
    if not visitor.browser:
        raise NotYours("your browser keeps no cookies; allow them for this page")
    line = " ".join(form.get("text", "")[:LONGEST].split())
    before = await house.run(_talk, house, visitor.browser)
    after = await _answered(house, visitor, before, line, form.get("back", "")) if line else before
    if wants_json(request):
        asked = max((at for at, (who, _) in enumerate(after.lines) if who == "you"), default=0)
        fresh = after.lines[asked:] if line else ()
        return JSONResponse({"lines": fresh, "choices": after.choices})
    return RedirectResponse(_back(form.get("back", "/")), 303)


def _back(path: str) -> str:
    """A page of ours to go back to, whatever was sent."""
    inside = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return f"{path[:LONGEST] if inside else '/'}#say-text"  # his drawer opens for what is in it


def _talk(house: House, browser: str) -> Talk:
    found = house.store.talks.get(browser)
    if found is not None:
        return found
    opening = greeting(Session(seed=int(browser[:8], 16)))
    return Talk(
        id=browser,
        session=opening.session.to_json(),
        lines=tuple(("benedict", line) for line in opening.lines),
        choices=offered(opening.choices),
    )


async def _answered(house: House, visitor: Visitor, talk: Talk, line: str, path: str) -> Talk:
    """The talk with a line and his answer to it, stored."""
    try:
        told = await _told(house, visitor, Session.from_json(talk.session), line, path)
    except ParlourError as trouble:
        told = {"session": talk.session, "lines": [str(trouble)], "board": "", "choices": []}
    said = [*told["lines"], *([told["board"]] if told["board"] else [])]
    fresh = (("you", line), *(("benedict", each) for each in said))
    session = told["session"]
    if told.get("over"):  # he says goodbye, and is there again when somebody speaks to him
        session = replace(Session.from_json(session), over=False, mode="chat").to_json()
    return await house.run(_kept, house, talk, session, fresh, offered(told["choices"]))


def offered(choices: Sequence[str]) -> tuple[str, ...]:
    """The few of his choices that are buttons here: those to press as they are, and moves if few.

    A page has its own ways to leave and to keep things; at a terminal they are words to him.
    """
    words = [each for each in choices if not each.endswith("…") and each not in OF_THE_TERMINAL]
    if set(COMMANDS) <= set(choices):  # in a game with him
        moves = [each for each in words if each not in (*COMMANDS, "help")]
        words = [*(moves if len(moves) <= FEW_MOVES else []), *AT_THE_TABLE]
    return tuple(words[:MOST_OFFERED])


def _kept(house: House, talk: Talk, session: str, fresh: Lines, choices: tuple[str, ...]) -> Talk:
    """The talk with fresh lines, stored; what was said in another window meanwhile stays."""
    for _ in range(MOST_TRIES):
        lines = (*talk.lines, *fresh)[-MOST_KEPT:]
        after = replace(talk, session=session, lines=lines, choices=choices)
        shelf = house.store.talks
        with contextlib.suppress(NameTaken):  # both have begun this talk
            if (shelf.put if talk.changed else shelf.add)(after) is not None:
                return after
        talk = _talk(house, talk.id)
    raise Changed("too much is said to Benedict at once; try again")


async def _told(
    house: House, visitor: Visitor, session: Session, line: str, path: str
) -> dict[str, Any]:
    """What he answers: about the table whose page it is, or else in his own talk."""
    table = await house.run(table_talk.table_of, house, visitor, path)
    seen = table_talk.beside(session, table, visitor) if table else None
    if table is not None and seen is not None:
        told = await _asked(house, seen, line, visitor)
        after = Session.from_json(told["session"])
        apart = table_talk.apart(session, after).to_json()
        if table_talk.is_same(seen, after):
            return {**told, "session": apart, "board": "", "choices": ["why?", "hint", "rules"]}
        done = await house.run(table_talk.made, house, table, visitor, seen, after)
        if done is not None:
            return {"session": apart, "lines": done, "board": "", "choices": ["why?"]}
    return await _asked(house, session, line, visitor)


async def _asked(house: House, session: Session, line: str, visitor: Visitor) -> dict[str, Any]:
    payload = {"session": session.to_json(), "text": line}
    answer: dict[str, Any] = await house.thinkers.ask(
        "reply", payload, seconds=LIMIT, whose=visitor.owner
    )
    return answer
