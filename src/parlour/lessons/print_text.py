"""A study as text to read: the moves of each line, and a diagram wherever something is said.

The main line comes first; a variation follows, indented, after the move that it replaces, in the
order in which a book would print it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

from parlour.core import capital, describe, seat_name, title
from parlour.lessons.study import Study, check_study

WIDTH = 88
DEEPEST = 12  # variations within variations that are indented further


def study_to_text(study: Study) -> str:
    """Return a study as text, with diagrams and comments."""
    study = check_study(study)
    head = study.title or capital(title(study.game))
    lines = [head, "=" * min(len(head), WIDTH), "", describe(study.game), ""]
    lines += _show_node(study, 0, "")
    for indent, run in list_runs(study):
        lines += _show_run(study, run, "  " * min(indent, DEEPEST))
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n"


def list_runs(
    study: Study, after: int = 0, children: Callable[[int], Sequence[int]] | None = None
) -> Iterator[tuple[int, list[int]]]:
    """Yield pieces of the lines after a node with how deep each is nested.

    A piece ends where others branch off. After a move that has alternatives come these, and then
    the line goes on. `children` may leave out some of the nodes that follow one.
    """
    list_children = children or study.children
    waiting: list[tuple[int, int]] = [(after, 0)]  # nodes after which a line goes on, and its depth
    while waiting:
        at, depth = waiting.pop()
        if at < 0:  # a variation, from its own first move
            run, at = [-at], -at
        else:
            run = []
        while following := list_children(at):
            run.append(following[0])
            if len(following) > 1:
                waiting.append((following[0], depth))
                waiting += [(-other, depth + 1) for other in reversed(following[1:])]
                break
            at = following[0]
        if run:
            yield depth, run


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
    who = f"{seat_name(study.game, seat)}: " if first else ""
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
        who = seat_name(game, game.turn(study.states[at]))
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
