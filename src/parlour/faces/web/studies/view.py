"""What the pages of a study show: the tree as far as it may be seen, and the position looked at.

A question hides what follows it from a reader who has not passed it. The address says where the
reader is, so what was passed is what lies on the way there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from parlour import boards
from parlour.core import capital, seat_name, title
from parlour.faces.web.position import draw_line
from parlour.faces.web.prefix import url
from parlour.faces.web.texts import translate
from parlour.lessons import Study, list_runs

MAX_DEPTH = 6  # variations within variations that are indented further
MAX_LEGAL = 40  # moves that are offered as links where there is no board to press

Values = dict[str, Any]  # of a template


def name_turn(study: Study, at: int) -> str:
    """Return whose turn it is at a node, as the board names them."""
    game, state = study.game, study.states[at]
    return capital(seat_name(game, game.turn(state)))


def children_seen(study: Study, passed: Iterable[int]) -> list[Sequence[int]]:
    """Return the nodes that follow each node, none after a question that was not passed."""
    done = set(passed)
    return [
        study.children(at) if not node.asks or at in done else ()
        for at, node in enumerate(study.nodes)
    ]


def describe_tree(study: Study, children: Sequence[Sequence[int]], after: int = 0) -> list[Values]:
    """Return the lines after a node as pieces, each with its moves."""
    return [
        {
            "depth": min(depth, MAX_DEPTH),
            "is_variation": run[0] != study.children(study.nodes[run[0]].parent)[0],
            "moves": [describe_node(study, at) for at in run],
        }
        for depth, run in list_runs(study, after, children.__getitem__)
    ]


def describe_node(study: Study, at: int) -> Values:
    """Return the move that leads to a node, as lists show it."""
    node = study.nodes[at]
    return {
        "at": at,
        "number": len(study.path(at)) - 1,
        "name": study.name_move(at) if at else "",
        "mover": name_turn(study, node.parent) if at else "",
        "right": node.right,
        "has_words": bool(node.comment or node.proof),
        "asks": node.asks,
    }


def show_place(
    study: Study,
    at: int,
    children: Sequence[Sequence[int]],
    line: Sequence[str] = (),
    action: str = "",
) -> Values:
    """Return the values of a page that shows the study at a node, or a line that goes on there."""
    node, game, state = study.nodes[at], study.game, study.states[at]
    result = game.result(state)
    before = study.states[node.parent if at else 0]
    return {
        "study": study,
        "title": study.title or translate(title(game)),
        "game_title": title(game),
        "at": at,
        "node": node,
        "place": describe_node(study, at),
        "turn": "" if result is not None else name_turn(study, at),
        "proof": node.proof,
        "tree": describe_tree(study, children),
        "following": [describe_node(study, child) for child in children[at]],
        "board": draw_line(
            game,
            before,
            [node.move, *line] if at else line,
            playable=bool(action),
            at=at,
            action=url(action),
        ),
    }


def list_legal(study: Study, at: int) -> list[tuple[str, str]]:
    """Return the moves at a node with their names, if they are few."""
    game, state = study.game, study.states[at]
    moves = game.moves(state)
    if len(moves) > MAX_LEGAL:
        return []
    texts = [game.write_move(move) for move in moves]
    return [(text, boards.name_move(text, game, state)) for text in texts]


def show_sheets(study: Study) -> Values:
    """Return the values of the page to print: what a reader sees first, then the answers."""
    children = children_seen(study, ())
    questions = [at for at, node in enumerate(study.nodes) if node.asks]
    numbers = {at: number for number, at in enumerate(questions, start=1)}
    parts = [{"question": 0, "pieces": _sheet(study, children, 0, numbers, first=True)}]
    for at, number in numbers.items():
        if study.children(at):
            open_here = [*children]
            open_here[at] = study.children(at)
            pieces = _sheet(study, open_here, at, numbers, first=False)
            parts.append({"question": number, "pieces": pieces})
    return {
        "study": study,
        "title": study.title or translate(title(study.game)),
        "game_title": title(study.game),
        "parts_of": parts,
    }


def _sheet(
    study: Study,
    children: Sequence[Sequence[int]],
    after: int,
    numbers: Mapping[int, int],
    *,
    first: bool,
) -> list[Values]:
    """Return pieces of lines, each ending with a diagram where something is said or it ends."""
    found = [_diagram(study, after, numbers, [], 0)] if first else []
    for piece in describe_tree(study, children, after):
        moves: list[Values] = []
        for move in piece["moves"]:
            moves.append(move)
            node = study.nodes[move["at"]]
            if not node.is_plain or not children[move["at"]]:
                found.append(_diagram(study, move["at"], numbers, moves, piece["depth"]))
                moves = []
        if moves:
            found.append({"moves": moves, "depth": piece["depth"], "picture": ""})
    return found


def _diagram(
    study: Study, at: int, numbers: Mapping[int, int], moves: list[Values], depth: int
) -> Values:
    node, game, state = study.nodes[at], study.game, study.states[at]
    return {
        "moves": moves,
        "depth": depth,
        "picture": boards.picture(game, state),
        "comment": node.comment,
        "proof": node.proof,
        "question": numbers.get(at, 0),
        "turn": name_turn(study, at) if game.moves(state) else "",
    }
