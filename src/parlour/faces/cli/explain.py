"""`parlour explain GAME [POSITION] [--move MOVE]`: why a position is won, lost or drawn."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from parlour import core
from parlour.core import Game, Move, State, TooLarge, Unsolved, Work, answers
from parlour.faces.cli.command import Parser, heading, parse_position, print_json, read_position
from parlour.faces.progress import describe_size, wait
from parlour.players import explain
from parlour.truth import solve_at
from parlour.truth.explain import Explanation


class CheckedFact(TypedDict):
    """A statement that was checked."""

    kind: str
    data: dict[str, Any]


class Answer(answers.GameFields):
    """What `parlour explain --json` prints: why a position or a move is good or bad."""

    format: Literal["parlour explain 1"]
    position: str  # the position in the game's own notation
    move: str | None  # the move that is explained, if one was named
    facts: list[CheckedFact]
    sentences: list[str]


def run(parser: Parser, arguments: list[str]) -> int:
    """Print the reasons for a position's value, or why a move is right or wrong."""
    parser.add_flag("--move", "MOVE", "explain why this move is right or wrong")
    given, game = parse_position(parser, arguments)
    state = read_position(game, given.position)
    move = None if given.move is None else game.read_move(state, given.move)
    explanation = wait(
        lambda work: _explain(game, state, move, work),
        doing=f"explaining {core.describe(game)}",
        things="situations",
        size=describe_size(game),
    )
    if given.json:
        facts = [
            CheckedFact(kind=fact.kind, data=core.plain(fact.data)) for fact in explanation.facts
        ]
        answer = Answer(
            format="parlour explain 1",
            **answers.game_fields(game),
            position=game.write(state),
            move=None if move is None else game.write_move(move),
            facts=facts,
            sentences=list(explanation.sentences),
        )
        print_json(answer)
        return 0
    print(heading(game, state))
    print(explanation)
    return 0


def _explain(game: Game, state: State, move: Move | None, work: Work) -> Explanation:
    """Solve the position first, which shows its progress and can be stopped; then explain it."""
    solution = None
    if game.moves(state):
        try:
            solution = solve_at(game, state, work=work)
        except (TooLarge, Unsolved):  # the explanation says so itself
            if work.stopped:
                raise
    return explain(game, state, move, solution=solution, work=work)
