"""What the proof says in a study, and what becomes of a reader's answer.

A node can ask the reader for the next move. Right is then every move that the author marked, or by
the author's choice every move that keeps the value by the proof; moves that lead to the same
situation are one answer, so nobody is told wrong for taking the other corner. A wrong answer gets
the author's comment on it, or else the proof's refutation.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import Any

from parlour import core
from parlour.core import BadText, Move, ParlourError, Solution, State, TooLarge, Unsolved, Work, say
from parlour.engine import EndSolution
from parlour.lessons.puzzle import GIVEAWAYS, best_reply
from parlour.lessons.study import Study, check_study
from parlour.players import explain
from parlour.truth import solve_position

MAX_LISTED = 1_000  # moves among which all right ones are looked for


# What the proof says


def prove_node(study: Study, at: int, *, work: Work | None = None) -> tuple[str, ...]:
    """Return what the exact values say of the move that leads to a node, or of the first position.

    `Unsolved` or `TooLarge` says why nothing is proven there.
    """
    study, work = check_study(study), core.to_work(work)
    game, node = study.game, study.nodes[at]
    move = study.moves[at]
    state = study.states[node.parent if at else 0]
    if not game.moves(state):
        return ()
    why = explain(game, state, move, solution=solve_position(game, state, work), work=work)
    return why.sentences


def prove_study(study: Study, *, work: Work | None = None) -> Study:
    """Return the study with what the proof says at every node; nothing where it fails."""
    study, work = check_study(study), core.to_work(work)
    nodes = []
    for at, node in enumerate(study.nodes):
        proof: tuple[str, ...] = ()
        if not work.stopped:
            with contextlib.suppress(TooLarge, Unsolved):
                proof = prove_node(study, at, work=work)
        nodes.append(replace(node, proof=proof))
    return replace(study, nodes=tuple(nodes))


# Questions


@dataclass(frozen=True)
class StudyVerdict:
    """What became of an answer to the question at a node."""

    is_right: bool
    move: str  # the answer, as the game writes it
    child: int | None  # the node that it leads to, or the same situation by symmetry
    comment: str = ""  # the author's, on this move
    proof: tuple[str, ...] = ()  # why, as far as it is proven; it does not tell the answer
    reply: str = ""  # the move that refutes a wrong answer


def judge_study_move(study: Study, at: int, move: str, *, work: Work | None = None) -> StudyVerdict:
    """Judge a move as the answer to the question at a node."""
    study, work = check_study(study), core.to_work(work)
    game, state = study.game, study.states[at]
    asks = study.nodes[at].asks
    if not asks:
        raise BadText(say("nothing is asked at this position of the study"))
    played = game.read_move(state, move)
    child = _find_child(study, at, played)
    solution, unproven = None, None
    try:
        solution = solve_position(game, state, work)
    except ParlourError as error:
        unproven = error
    if asks == "marked":
        is_right = child is not None and study.nodes[child].right
    elif solution is None:
        raise unproven or Unsolved(say("this position is not proven"))
    else:
        is_right = keeps_value(solution, state, played)
    comment = "" if child is None else study.nodes[child].comment
    proof: tuple[str, ...] = ()
    reply = ""
    if solution is not None and not (asks == "marked" and comment):
        proof, reply = _tell(game, state, played, solution, is_right, work)
    return StudyVerdict(is_right, game.write_move(played), child, comment, proof, reply)


def _find_child(study: Study, at: int, move: Move) -> int | None:
    """Return the node of a move, or else of one that leads to the same situation."""
    game, state = study.game, study.states[at]
    children = study.children(at)
    for child in children:
        if study.moves[child] == move:
            return child
    after = game.play(state, move)
    same = (game.turn(after), core.key(game, after))
    for child in children:
        if same == (game.turn(study.states[child]), core.key(game, study.states[child])):
            return child
    return None


def keeps_value(solution: Solution, state: State, move: Move) -> bool:
    """Return whether a move keeps the value: the outcome or, where discs count, every disc."""
    if isinstance(solution, EndSolution):
        return solution.margin_after(state, move) == solution.margin(state)
    return solution.after(state, move).outcome == solution.value(state).outcome


def _tell(
    game: Any, state: State, move: Move, solution: Solution, is_right: bool, work: Work
) -> tuple[tuple[str, ...], str]:
    """Return why an answer is right or wrong by the values, and the move that refutes it.

    The author may mark a move that the values refute, or leave out one that they allow; then
    nothing is said, for the reader would be told two things at once.
    """
    if is_right != keeps_value(solution, state, move):
        return (), ""
    why = explain(game, state, move, solution=solution, work=work)
    proof = why.without(GIVEAWAYS)
    after = game.play(state, move)
    if is_right or not game.moves(after):
        return proof, ""
    return proof, game.write_move(best_reply(solution, after))


def accepted_moves(study: Study, at: int, *, work: Work | None = None) -> list[str]:
    """Return the right answers to the question at a node; of very many moves, the best ones."""
    study, work = check_study(study), core.to_work(work)
    game, state = study.game, study.states[at]
    if study.nodes[at].asks == "marked":
        return [study.nodes[child].move for child in study.children(at) if study.nodes[child].right]
    solution = solve_position(game, state, work)
    moves = game.moves(state)
    some = moves if len(moves) <= MAX_LISTED else solution.best(state)
    return [game.write_move(move) for move in some if keeps_value(solution, state, move)]


def check_questions(study: Study) -> list[str]:
    """Return what is wrong with the questions of a study, a sentence each."""
    found: list[str] = []
    for at, node in enumerate(study.nodes):
        where = say("at the first position")
        if at:
            where = say("after {move}", move=study.name_move(at))
        if node.asks and not study.game.moves(study.states[at]):
            found.append(
                say("The reader is asked for a move {where}, where the game is over.", where=where)
            )
        elif node.asks == "marked" and not any(
            study.nodes[child].right for child in study.children(at)
        ):
            found.append(
                say(
                    "The reader is asked for a move {where}, but no answer is marked as right.",
                    where=where,
                )
            )
        elif node.right and at and not study.nodes[node.parent].asks:
            found.append(
                say(
                    "{move} is marked as a right answer, but nothing is asked before it.",
                    move=core.quote(node.move),
                )
            )
    return found
