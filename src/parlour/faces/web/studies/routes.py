"""The pages of studies: make one, write it, read it, answer its questions, and take it along.

A study is private until its author lists it: only those who have its link find it. The page that
other sites may embed reads only, runs no script and sets no cookie, and is the one page of the site
that may be shown in a frame.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour import boards, lessons
from parlour.core import BadText, Game, ParlourError, how_to_move, registry, say, sentence, title
from parlour.faces.web import forms
from parlour.faces.web import requests as web
from parlour.faces.web.errors import NotYours, require
from parlour.faces.web.forms import describe_variant, list_changes, read_variant
from parlour.faces.web.position import MAX_MOVE_TEXT, name_line, read_move
from parlour.faces.web.services import Services
from parlour.faces.web.studies import view
from parlour.faces.web.studies.service import StudyService, study_of
from parlour.faces.web.table import TablesDep, is_without_help, player_name
from parlour.faces.web.texts import translate
from parlour.faces.web.workers import Answer
from parlour.store import StoredStudy

router = APIRouter(include_in_schema=False)

StudiesDep = Annotated[StudyService, web.service(StudyService)]


def _find_study(name: str, studies: StudiesDep) -> StoredStudy:
    return studies.read(name)


StudyDep = Annotated[StoredStudy, Depends(_find_study)]  # the study of an address

SECONDS = 20.0  # until a worker must have judged an answer
SHOW = "show"  # in place of an answer
SUFFIXES = {"parlour": "json", "sgf": "sgf", "ggf": "ggf", "record": "json"}
NEW = frozenset({"position", "title"})  # in the form of a new study, besides options
EMBEDDED = {  # the policy of the one page that may be shown in a frame: no scripts at all
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
        "base-uri 'none'; frame-ancestors *"
    ),
    "cross-origin-resource-policy": "cross-origin",
    "cross-origin-opener-policy": "unsafe-none",
}


def start_section(services: Services) -> None:
    """Make what keeps studies."""
    studies = services.add(StudyService(services.store, services.workers))
    services.create_study = studies.create


SECTION = web.Section((router,), ("/studies", say("Studies")), start_section)


# The list, and new studies


@router.get("/studies")
def show_studies(request: Request, studies: StudiesDep) -> Response:
    """List one's own studies and the public ones, and ways to begin one."""
    return _list_page(request, studies)


def _list_page(
    request: Request, studies: StudyService, text: str = "", wrong: str = "", status: int = 200
) -> Response:
    visitor = web.visitor_of(request)
    return web.page(
        request,
        "studies.html",
        code=status,
        mine=[_row(each) for each in studies.list_of(visitor.owner)],
        public=[_row(each) for each in studies.list_public() if not visitor.owns(each.owner)],
        games=forms.list_cards(lambda game: f"/studies/new/{game.name}"),
        text=text,
        wrong=wrong,
    )


def _row(stored: StoredStudy) -> dict[str, Any]:
    """Describe a study in a list; one of a game that is gone can still be deleted."""
    try:
        game = title(registry.build("games", stored.game, stored.options))
    except ParlourError:
        game = stored.game
    return vars(stored) | {
        "title": stored.title or translate(game),
        "game": game,
        "moves": len(stored.nodes) - 1,
        "lesson": any(node.get("asks") for node in stored.nodes),
    }


@router.get("/studies/new/{name}")
def set_up(request: Request, name: str) -> Response:
    """Choose the rules, the title and where a new study begins."""
    return _set_up_page(request, name, request.query_params)


def _set_up_page(
    request: Request, name: str, answers: Mapping[str, str], wrong: str = "", status: int = 200
) -> Response:
    found = read_variant(name, {key: text for key, text in answers.items() if key not in NEW})
    game: Game = found.game or registry.build("games", found.cls)
    shown = describe_variant(
        found, lambda other: f"/studies/new/{name}?{urlencode(list_changes(other))}"
    )
    return web.page(
        request,
        "study_new.html",
        code=422 if found.wrong else status,
        picture=boards.picture(game, game.start()),
        study_title=answers.get("title", ""),
        position=answers.get("position", ""),
        wrong=wrong,
        **shown,
    )


@router.post("/studies/new/{name}", dependencies=web.LIMIT_CREATION)
def create(request: Request, name: str, form: web.Form, studies: StudiesDep) -> Response:
    """Make a study without moves, and go to it."""
    web.show_again(request, partial(_set_up_page, request, name, form))
    options = {key: text for key, text in form.items() if key not in NEW}
    game = read_variant(name, options).require_game()
    study = lessons.Study(game, form.get("title", ""), form.get("position", ""))
    stored = studies.create(web.visitor_of(request), study)
    return web.redirect(request, f"/studies/{stored.id}")


@router.post("/studies/import", dependencies=web.LIMIT_CREATION)
async def import_file(request: Request, form: web.UploadForm, studies: StudiesDep) -> Response:
    """Make a study of a file or a pasted text; its proofs are worked out here."""
    text = form.get("text", "")
    web.show_again(request, partial(_list_page, request, studies, text))
    data = form.file or text.encode()
    if not data.strip():
        raise BadText(say("choose a file or paste a text: a study, a record, SGF, GGF or moves"))
    study = await asyncio.to_thread(lessons.read_study, data)
    return await _keep(request, studies, study)


async def _keep(request: Request, studies: StudyService, study: lessons.Study) -> Response:
    visitor = web.visitor_of(request)
    study = await studies.prove_again(study, visitor.owner)
    stored = await asyncio.to_thread(studies.create, visitor, study)
    return web.redirect(request, f"/studies/{stored.id}")


@router.post("/studies/from-table/{table_id}", dependencies=web.LIMIT_CREATION)
async def make_from_table(
    request: Request, table_id: str, tables: TablesDep, studies: StudiesDep
) -> Response:
    """Make a study of the game at a table, unless it is still played without help."""
    table = await asyncio.to_thread(tables.read, table_id)
    if is_without_help(table):
        raise NotYours(say("this game is still being played; make a study of it when it is over"))
    names = [player_name(table, seat) for seat in range(len(table.seats))]
    study = await asyncio.to_thread(lessons.from_record, table.record())
    called = " – ".join(names)[: lessons.MAX_TITLE]
    return await _keep(request, studies, lessons.Study(study.game, called, "", study.nodes))


@router.post("/studies/{name}/copy", dependencies=web.LIMIT_CREATION)
def copy(request: Request, stored: StudyDep, studies: StudiesDep) -> Response:
    """Make a copy of a study that one can read, to write on."""
    made = studies.create(web.visitor_of(request), study_of(stored))
    return web.redirect(request, f"/studies/{made.id}")


# Reading


@router.get("/studies/{name}")
async def show_study(request: Request, stored: StudyDep) -> Response:
    """Show a study at a move: to its author for writing, to everybody else for reading."""
    at = _at(stored, request.query_params.get("at", ""))
    if web.visitor_of(request).owns(stored.owner) and not request.query_params.get("read"):
        return await asyncio.to_thread(_edit_page, request, stored, at)
    return await _read_page(request, stored, at, "study.html", f"/studies/{stored.id}")


def _at(stored: StoredStudy, text: str) -> int:
    """Read the number of a node; the first one where there is none."""
    return min(web.read_number(text) or 0, len(stored.nodes) - 1)


async def _read_page(
    request: Request, stored: StoredStudy, at: int, template: str, address: str
) -> Response:
    query = request.query_params
    study = await asyncio.to_thread(study_of, stored)
    answer = query.get("answer", "")[:MAX_MOVE_TEXT]
    asked = bool(study.nodes[at].asks and study.game.moves(study.states[at]))
    judged, refused = Answer(), {}
    if asked and answer:
        judged = await _judge(request, study, at, "" if answer == SHOW else answer)
        if judged.error is not None:
            refused = {"code": 422, "notice": sentence(judged.error.text)}
            judged = Answer()
    answer = answer if asked and judged.found is not None else ""
    kept = {"read": "1"} if query.get("read") else {}

    def link(to: int, **more: str) -> str:
        return f"{address}?{urlencode({'at': str(to), **more, **kept})}"

    def render() -> Response:
        values = _show_reading(study, stored, at, answer, judged.found or {}, address)
        own = web.visitor_of(request).owns(stored.owner)
        values |= {"stored": stored, "own": own, "link": link, "address": address, "kept": kept}
        return web.page(request, template, **values | refused)

    return await asyncio.to_thread(render)


def _show_reading(
    study: lessons.Study,
    stored: StoredStudy,
    at: int,
    answer: str,
    found: Mapping[str, Any],
    address: str,
) -> view.Values:
    """Return the values of a page for readers, with what became of an answer."""
    node, game, first = study.nodes[at], study.game, study.states[at]
    right = bool(found.get("is_right"))
    line, action = [], ""
    if "move" in found:
        line = [found["move"], *([found["reply"]] if found["reply"] else [])]
    elif node.asks and not answer and not address.endswith("/embed"):  # where nothing is sent
        action = f"{address}/answer"
    revealed = right or answer == SHOW
    children = view.children_seen(study, [*study.path(at)[:-1], *([at] if revealed else [])])
    values = view.show_place(study, at, children, line, action)
    name, reply = [*name_line(game, first, line), "", ""][:2]
    child = found.get("child")
    return values | {
        "asked": bool(node.asks) and bool(game.moves(first)),
        "answer": answer,
        "is_right": right,
        "answer_name": name,
        "reply": reply,
        "answer_comment": found.get("comment", ""),
        "answer_proof": found.get("proof", ()),
        "answers": [boards.name_move(each, game, first) for each in found.get("right", ())],
        "leads_to": study.children(at)[child - 1] if child else None,
        "legal": view.list_legal(study, at),
        "kinds": lessons.list_kinds(study),
    }


async def _judge(request: Request, study: lessons.Study, at: int, move: str) -> Answer:
    """Ask a worker what an answer is worth; it needs only the question and the moves after it."""
    position = study.game.write(study.states[at])
    part = lessons.Study(study.game, position=position).change(0, asks=study.nodes[at].asks)
    for child in study.children(at):
        node = study.nodes[child]
        part, place = part.add(0, node.move)
        part = part.change(place, right=node.right, comment=node.comment)
    payload = {"study": lessons.study_to_dict(part), "move": move}
    return await web.ask(request, "studies-judge", payload, SECONDS, SECONDS)


@router.post("/studies/{name}/answer")
def answer(request: Request, stored: StudyDep, form: web.Form) -> Response:
    """Read an answer from the board, and show what becomes of it."""
    at, address = _at(stored, form.get("at", "")), f"/studies/{stored.id}"
    web.show_refusal_on(request, partial(_read_page, request, stored, at, "study.html", address))
    study = study_of(stored)
    move = read_move(study.game, study.states[at], form)
    told = {"at": str(at), "answer": study.game.write_move(move)}
    if web.visitor_of(request).owns(stored.owner):
        told["read"] = "1"
    return web.redirect(request, f"{address}?{urlencode(told)}")


@router.get("/studies/{name}/embed")
async def embed(request: Request, stored: StudyDep) -> Response:
    """Show a study to readers within a page of another site."""
    at, address = _at(stored, request.query_params.get("at", "")), f"/studies/{stored.id}/embed"
    response = await _read_page(request, stored, at, "study_embed.html", address)
    response.headers.update(EMBEDDED)
    return response


@router.get("/studies/{name}/print")
def show_to_print(request: Request, stored: StudyDep) -> Response:
    """Show a whole study on one page, with diagrams; the answers of a lesson come last."""
    values = view.show_sheets(study_of(stored))
    return web.page(request, "study_print.html", stored=stored, **values)


@router.get("/studies/{name}/download/{kind}")
def download_study(stored: StudyDep, kind: str) -> Response:
    """Return a study as a file."""
    suffix = require(SUFFIXES.get(kind))
    written = lessons.write_study(study_of(stored), kind)
    return web.download(written, "text/plain", f"study-{stored.id}.{suffix}")


# Writing


def _edit_page(request: Request, stored: StoredStudy, at: int) -> Response:
    study = study_of(stored)
    at = min(at, len(study.nodes) - 1)
    children = [study.children(each) for each in range(len(study.nodes))]
    change = f"/studies/{stored.id}"
    query = urlencode({"version": stored.version})
    values = view.show_place(study, at, children, action=f"{change}/move?{query}")
    parent = study.nodes[at].parent
    embedded = f"{str(request.base_url).rstrip('/')}{change}/embed"
    label = escape(values["title"])
    return web.page(
        request,
        "study_edit.html",
        stored=stored,
        change=change,
        query=query,
        link=lambda to, **more: f"{change}?{urlencode({'at': str(to), **more})}",
        after_question=bool(at and study.nodes[parent].asks == "marked"),
        can_ask=bool(study.game.moves(study.states[at])),
        is_main=at in study.main_line,
        remarks=lessons.check_questions(study),
        kinds=lessons.list_kinds(study),
        how=how_to_move(study.game),
        max_title=lessons.MAX_TITLE,
        embed_code=f'<iframe src="{embedded}" width="100%" height="800" title="{label}"></iframe>',
        **values,
    )


def _read_place(
    request: Request, name: str, studies: StudiesDep, form: web.Form
) -> tuple[int, int]:
    """Return the node and the version that a form is about; a refusal is shown on that page."""
    at = web.read_number(form.get("at", "")) or 0

    def show() -> Response:
        return _edit_page(request, studies.own(name, web.visitor_of(request)), at)

    web.show_refusal_on(request, show)
    version = web.read_number(request.query_params.get("version", ""))
    return at, -1 if version is None else version


Place = Annotated[tuple[int, int], Depends(_read_place)]


class Editor:
    """Carries out a change at the node of a form, and goes to the node that it names."""

    def __init__(
        self, request: Request, name: str, place: Place, form: web.Form, studies: StudiesDep
    ) -> None:
        self.request, self.name, self.form, self.studies = request, name, form, studies
        self.at, self.version = place

    def edit(self, change: Callable[[lessons.Study, int], tuple[lessons.Study, int]]) -> Response:
        """Store a study as a change makes it."""
        visitor = web.visitor_of(self.request)

        def carry_out(study: lessons.Study) -> tuple[lessons.Study, int]:
            return change(study, min(self.at, len(study.nodes) - 1))

        to = self.studies.change(self.name, visitor, self.version, carry_out)
        return web.redirect(self.request, f"/studies/{self.name}?at={to}#here")


EditorDep = Annotated[Editor, Depends()]


@router.post("/studies/{name}/move")
def add_move(editor: EditorDep) -> Response:
    """Add a move after a node, pressed on the board or typed."""
    text = boards.move_text(editor.form)[:MAX_MOVE_TEXT]
    return editor.edit(lambda study, at: study.add(at, text))


@router.post("/studies/{name}/words")
def write_words(editor: EditorDep) -> Response:
    """Store the comment at a node, what is asked there, and whether the move is right."""
    form = editor.form
    asks = form["asks"] if form.get("asks") in lessons.ASKS else ""
    words = {"comment": form.get("comment", ""), "asks": asks, "right": form.get("right") == "yes"}
    return editor.edit(lambda study, at: (study.change(at, **words), at))


@router.post("/studies/{name}/promote")
def promote(editor: EditorDep) -> Response:
    """Make the line to a node the main line."""
    return editor.edit(lambda study, at: study.promote(at))


@router.post("/studies/{name}/delete-branch")
def delete_branch(editor: EditorDep) -> Response:
    """Delete a move and all that follows it."""
    return editor.edit(lambda study, at: (study.remove(at), study.nodes[at].parent))


@router.post("/studies/{name}/unprove")
def remove_proof(editor: EditorDep) -> Response:
    """Take the proof's sentences off a node."""
    return editor.edit(lambda study, at: (study.change(at, proof=()), at))


@router.post("/studies/{name}/prove")
async def prove(
    request: Request, name: str, place: Place, form: web.Form, studies: StudiesDep
) -> Response:
    """Ask the proof about a move, or about all that have nothing from it yet."""
    visitor = web.visitor_of(request)
    stored = await asyncio.to_thread(studies.own, name, visitor)
    at = min(place[0], len(stored.nodes) - 1)
    study = await asyncio.to_thread(study_of, stored)
    which = [at]
    if form.get("all"):
        which = [number for number, node in enumerate(study.nodes) if not node.proof]
    proved = await studies.prove(study, which, visitor.owner)
    if proved == study and which:
        raise ParlourError(say("nothing is proven here: the game is too large, or it is over"))
    await asyncio.to_thread(studies.change, name, visitor, stored.version, lambda _: (proved, at))
    return web.redirect(request, f"/studies/{name}?at={at}#here")


@router.post("/studies/{name}/settings")
def change_settings(
    request: Request, name: str, place: Place, form: web.Form, studies: StudiesDep
) -> Response:
    """Store the title, and whether the study is listed for everybody."""
    at, version = place

    def rename(study: lessons.Study) -> tuple[lessons.Study, int]:
        return lessons.Study(study.game, form.get("title", ""), study.position, study.nodes), at

    public = form.get("public") == "yes"
    studies.change(name, web.visitor_of(request), version, rename, public=public)
    return web.redirect(request, f"/studies/{name}?at={at}")


@router.post("/studies/{name}/delete")
def delete(request: Request, name: str, studies: StudiesDep) -> Response:
    """Delete a study."""
    studies.delete(name, web.visitor_of(request))
    return web.redirect(request, "/studies")
