"""Benedict's chat, which is at hand on every page; each browser has a talk of its own."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from parlour.core.errors import NameTaken, ParlourError
from parlour.faces.web.house import House
from parlour.faces.web.problems import NotYours
from parlour.faces.web.requests import Form, house_of, visitor_of, wants_json
from parlour.host.greeting import greeting
from parlour.host.session import Session
from parlour.store.things import Talk

router = APIRouter()

LONGEST = 500  # characters of a line
MOST_KEPT = 100  # lines of a talk
LIMIT = 15.0  # seconds for an answer


@router.post("/chat")
async def chat(request: Request, form: Form) -> Response:
    """Say a line to Benedict."""
    house, visitor = house_of(request), visitor_of(request)
    if not visitor.browser:
        raise NotYours("your browser keeps no cookies; allow them for this page")
    line = " ".join(form.get("text", "")[:LONGEST].split())
    before = await house.run(_talk, house, visitor.browser)
    after = await _answered(house, before, line) if line else before
    if wants_json(request):
        asked = max(at for at, (who, _) in enumerate(after.lines) if who == "you") if line else 0
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
        choices=opening.choices,
    )


async def _answered(house: House, talk: Talk, line: str) -> Talk:
    """The talk with a line and his answer to it, stored."""
    try:
        told = await house.thinkers.ask(
            "reply", {"session": talk.session, "text": line}, seconds=LIMIT, whose=talk.id
        )
    except ParlourError as trouble:
        told = {"session": talk.session, "lines": [str(trouble)], "board": "", "choices": []}
    said = [*told["lines"], *([told["board"]] if told["board"] else [])]
    lines = (*talk.lines, ("you", line), *(("benedict", each) for each in said))
    session = told["session"]
    if told.get("over"):  # he says goodbye, and is there again when somebody speaks to him
        session = replace(Session.from_json(session), over=False, mode="chat").to_json()
    after = replace(talk, session=session, lines=lines[-MOST_KEPT:], choices=tuple(told["choices"]))
    with contextlib.suppress(NameTaken):  # said in two windows at once: the other counts
        shelf = house.store.talks
        await house.run(shelf.put if talk.changed else shelf.add, after)
    return after
