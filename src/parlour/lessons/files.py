"""Studies in files: our own JSON for every game, for Othello SGF and GGF, and text to read.

SGF holds the whole tree; GGF and a record of ours hold one line of moves. What a file holds is seen
from its content. Files come from anywhere, so their size is limited, nothing in them is run, and
whatever is wrong is said in one sentence.
"""

from __future__ import annotations

import json
import re
import textwrap
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, cast

from parlour import core
from parlour.core import BadOption, BadText, Match, ParlourError, Record, answers, quote, say, title
from parlour.lessons.sgf import read_sgf, write_sgf
from parlour.lessons.study import (
    ASKS,
    MAX_COMMENT,
    MAX_NODES,
    MAX_TITLE,
    Study,
    StudyNode,
    check_study,
    follow_moves,
    list_runs,
)
from parlour.rules import Othello
from parlour.rules.formats import Transcript, read_games, write_ggf

FORMAT: Final = "parlour study 1"
MAX_FILE = 1_000_000  # bytes
KINDS = ("parlour", "sgf", "ggf", "record")
GENERIC = re.compile(r"\(;[^\[]*(?:\[[^\]]*\][^\[]*){0,40}?GM\s*\[\s*(?:othello|reversi)", re.I)
WIDTH = 88  # of a text
DEEPEST = 12  # variations within variations that are indented further


# Reading


def read_study(data: str | bytes, *, rules: Any = None) -> Study:
    """Read a study from a file of ours, SGF, GGF, or any other file of one game.

    `rules` is a game of one's own, or its file, for studies of a game that is not installed.
    `BadText` says what is wrong.
    """
    data = data.encode("utf-8", "replace") if isinstance(data, str) else data
    if not isinstance(data, bytes):
        raise BadOption("data", data, say("it must be the text or the bytes of a file"))
    if len(data) > MAX_FILE:
        raise BadText("this is too large; at most {most:,} kB fit", most=MAX_FILE // 1000)
    text = data.decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith("{"):
        return _read_json(text, rules)
    if text.lstrip().startswith("(") and not GENERIC.match(text.lstrip()):
        return read_sgf(text)
    return _read_line(data)


def _read_json(text: str, rules: Any) -> Study:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise BadText(
            say("this begins like a study in JSON, but it cannot be read to its end")
        ) from None
    if "nodes" not in found and "moves" in found:
        return from_record(Record.from_json(text), rules)
    return study_from_dict(found, rules)


def study_from_dict(found: Any, rules: Any = None) -> Study:
    """Return the study that was written as plain data."""
    _check_fields(found, StudyData)
    if (form := found.get("format", FORMAT)) != FORMAT:
        raise BadText(
            "this is in the format {form}; a study is in {format}",
            form=quote(form),
            format=quote(FORMAT),
        )
    for name in ("game", "nodes"):
        if name not in found:
            raise BadText("this study has no {name}", name=name)
    if not isinstance(found["game"], str) or not isinstance(found.get("options", {}), dict):
        raise BadText(say("a study names its game, and its options by their names"))
    if not isinstance(found["nodes"], list) or not found["nodes"]:
        raise BadText(say("a study has a list of nodes, at least one, which is its first position"))
    game = core.registry.build("games", found["game"], found.get("options", {}), rules)
    nodes = tuple(_read_node(at, node) for at, node in enumerate(found["nodes"]))
    return Study(game, found.get("title", ""), found.get("position", ""), nodes)


def _read_node(at: int, found: Any) -> StudyNode:
    _check_fields(found, NodeData)
    return StudyNode(**{"parent": at - 1, **found})


def _check_fields(found: Any, kind: type) -> None:
    """Refuse data that is no object with the fields of a kind."""
    known = list(kind.__annotations__)
    if not isinstance(found, dict):
        raise BadText("a study is made of JSON objects, and here is {found}", found=quote(found))
    for name in found.keys() - known:
        raise BadText(
            "a study has no field {name} here; there can be {known}", name=quote(name), known=known
        )


def from_record(record: Record, rules: Any = None) -> Study:
    """Return the study of a recorded game."""
    game = core.registry.build("games", record.game, record.options, rules)
    match = Match.from_record(game, record)
    return follow_moves(game, match.moves, " – ".join(record.players)[:80])


def _read_line(data: bytes) -> Study:
    """Read the one game of a file for Othello."""
    try:
        games = read_games(data)
    except BadText:
        if b"(;" in data:
            raise
        raise BadText(
            say(
                "this is no study; it can be one that Parlour wrote, a record of a game, or for "
                "Othello SGF, GGF or a list of moves"
            )
        ) from None
    if len(games) != 1:
        raise BadText(
            "this file holds {games}; a study is made of one", games=core.count(len(games), "game")
        )
    found = games[0]
    game = found.game
    names = " – ".join(name for name in found.players if name)
    moves = [game.write_move(move) for move in found.moves]
    return follow_moves(game, moves, names[:80], game.write(found.start))


# Writing


def list_kinds(study: Study) -> list[str]:
    """Return the formats that can hold a study."""
    found = ["parlour"]
    for kind in KINDS[1:]:
        try:
            write_study(study, kind)
        except ParlourError:
            continue
        found.append(kind)
    return found


def write_study(study: Study, kind: str = "parlour") -> str:
    """Return a study as the text of a file: ours, `sgf`, `ggf`, or a `record` of its main line."""
    study = check_study(study)
    if kind == "parlour":
        return json.dumps(study_to_dict(study), indent=1) + "\n"
    if kind == "sgf":
        return write_sgf(study)
    if kind == "ggf":
        return _write_ggf(study)
    if kind == "record":
        return _to_record(study).to_json() + "\n"
    raise BadOption("kind", kind, say("it must be {one_of}", one_of=core.one_of(KINDS)))


class NodeData(TypedDict):
    """A position of a study, and the move that leads to it."""

    # The number of the node that this one follows, counted from 0; the first one has none
    parent: NotRequired[answers.Natural]
    move: NotRequired[str]  # the move that leads here, in the game's own notation
    comment: NotRequired[Annotated[str, ("maxLength", MAX_COMMENT)]]  # what the author says
    # What the exact values say, a sentence each; some have a drawing on further lines
    proof: NotRequired[list[str]]
    # The reader is asked for the next move: right are those marked, or all that keep the value
    asks: NotRequired[Annotated[str, ("enum", ASKS[1:])]]
    right: NotRequired[bool]  # marked by the author as a right answer


class StudyData(answers.GameFields):
    """A study, as `parlour study --json` prints it and the site writes it: a tree of moves."""

    format: Literal["parlour study 1"]
    title: Annotated[str, ("maxLength", MAX_TITLE)]
    # Where the study begins, in the game's own notation; empty for the start of the game
    position: str
    # The first position, then every move before those that follow it, the main line first
    nodes: Annotated[list[NodeData], ("minItems", 1), ("maxItems", MAX_NODES)]


def study_to_dict(study: Study) -> StudyData:
    """Return a study as plain data."""
    return {
        "format": FORMAT,
        "title": study.title,
        **answers.game_fields(study.game),
        "position": study.position,
        "nodes": [_write_node(node) for node in study.nodes],
    }


def _write_node(node: StudyNode) -> NodeData:
    """Return a node without the fields that are as usual."""
    leads = {} if node.parent < 0 else {"parent": node.parent, "move": node.move}
    said = {"comment": node.comment, "proof": [*node.proof], "asks": node.asks, "right": node.right}
    return cast("NodeData", leads | {name: value for name, value in said.items() if value})


def _write_ggf(study: Study) -> str:
    """Return the main line as GGF; it has no place for comments."""
    game = study.game
    if not isinstance(game, Othello):
        raise BadText("this format is for Othello; this is a study of {name}", name=game.name)
    moves = tuple(study.moves[at] for at in study.main_line[1:])
    return write_ggf(Transcript(game, study.states[0], moves)) + "\n"


def _to_record(study: Study) -> Record:
    """Return the main line as a record."""
    if study.position:
        raise BadText(say("a record begins at the start of the game, and this study does not"))
    game = study.game
    match = Match(game, tuple(say("player {seat}", seat=seat + 1) for seat in range(game.seats)))
    for at in study.main_line[1:]:
        if match.over:
            raise BadText(say("a record ends where the referee ends the game; this study goes on"))
        match.play(study.moves[at])
    return match.record


# As text to read: the moves of each line, and a diagram wherever something is said. The main line
# comes first; a variation follows, indented, after the move that it replaces, as in a book.


def study_to_text(study: Study) -> str:
    """Return a study as text, with diagrams and comments."""
    study = check_study(study)
    head = study.title or core.capital(title(study.game))
    lines = [head, "=" * min(len(head), WIDTH), "", core.describe(study.game), ""]
    lines += _show_node(study, 0, "")
    for indent, run in list_runs(study):
        lines += _show_run(study, run, "  " * min(indent, DEEPEST))
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n"


def _show_run(study: Study, run: list[int], indent: str) -> list[str]:
    """Return the moves of a piece of a line, broken where a diagram is due."""
    lines: list[str] = []
    words: list[str] = []
    for at in run:
        words.append(_name(study, at, first=not words))
        if not study.nodes[at].is_plain or (at == run[-1] and not study.children(at)):
            lines += [*_wrap(" ".join(words), indent), "", *_show_node(study, at, indent)]
            words = []
    return [*lines, *_wrap(" ".join(words), indent), ""] if words else lines


def _name(study: Study, at: int, *, first: bool) -> str:
    """Return a move with its number, who moves where a line begins, and whether it is right."""
    node = study.nodes[at]
    number = len(study.path(at)) - 1
    seat = study.game.turn(study.states[node.parent])
    who = f"{core.seat_name(study.game, seat)}: " if first else ""
    other = "or " if first and at != study.children(node.parent)[0] else ""
    return f"{other}{number}. {who}{study.name_move(at)}{'!' if node.right else ''}"


def _show_node(study: Study, at: int, indent: str) -> list[str]:
    """Return the diagram at a node, and what is said there."""
    node, game = study.nodes[at], study.game
    lines = textwrap.indent(game.draw(study.states[at]), f"{indent}    ").split("\n")
    lines.append("")
    for paragraph in node.comment.split("\n") if node.comment else ():
        lines += _wrap(paragraph, indent) or [""]
    for each in node.proof:
        first, *drawn = each.split("\n")
        lines += [*_wrap(f"Proof: {first}", indent), *(f"{indent}    {line}" for line in drawn)]
    if node.asks and game.moves(study.states[at]):
        who = core.seat_name(game, game.turn(study.states[at]))
        any_of = "any move that keeps the value" if node.asks == "proven" else "a move marked !"
        lines += _wrap(f"Question: what should {who} play? Right is {any_of}.", indent)
    return [*lines, ""] if lines[-1] else lines


def _wrap(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
