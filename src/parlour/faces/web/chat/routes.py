"""Benedict's chat, which is on every page."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from parlour.faces.web import requests as web
from parlour.faces.web.chat.service import ChatService
from parlour.faces.web.prefix import see_other
from parlour.faces.web.services import Services
from parlour.faces.web.table import TableService

router = APIRouter(include_in_schema=False)

MAX_LENGTH = 500  # characters of a line

ChatDep = Annotated[ChatService, web.service(ChatService)]


def start_section(services: Services) -> None:
    """Make the chat."""
    tables = services.get(TableService)
    chat = services.add(ChatService(services.store, tables, services.workers))
    services.find_talk = chat.find
    services.forgetters.append(chat.forget)


SECTION = web.Section((router,), start=start_section)


@router.post("/chat", dependencies=web.NOT_BARRED)
async def send_line(
    request: Request, form: web.Form, visitor: web.VisitorDep, chat: ChatDep
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
