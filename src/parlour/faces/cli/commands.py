"""The commands solve, explain and bots, for people and as JSON.

What they say is worked out elsewhere; here it is asked for and written down. Nothing that solves is
loaded before a game was named and its options were understood.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.core import (
    BadFile,
    Game,
    Move,
    State,
    Work,
    declared,
    describe,
    make,
    plain,
    registry,
    schema,
    values,
)
from parlour.faces.cli import solve_othello
from parlour.faces.cli.flags import (
    Parser,
    add_options,
    asked,
    asked_game,
    name_of,
    named_game,
    position,
    read_options,
    show_json,
)
from parlour.faces.cli.marks import mark
from parlour.faces.cli.progress import size_of, wait

if TYPE_CHECKING:
    from parlour.core import Solution, Value
    from parlour.truth.explain import Explanation

MOST_MOVES = 1000  # moves that are all valued, one by one
MOST_SHOWN = 12  # moves of one value on a line


def _heading(game: Game, state: State) -> str:
    return f"{describe(game)}: {game.write(state)}\n\n{game.draw(state)}\n"


# solve


def solve(parser: Parser, arguments: list[str]) -> int:
    """`parlour solve GAME [options] [POSITION] [--certificate FILE]`"""
    parser.add_argument(
        "--certificate", metavar="FILE", type=Path, help="write a proof that can be checked"
    )
    by_engine = arguments[:1] == ["othello"]
    if by_engine:
        solve_othello.add_flags(parser)
    given, game = asked_game(parser, arguments)
    if by_engine and solve_othello.can_solve(game, given):
        return solve_othello.solve(game, given)
    state = position(game, given.position)
    told = wait(
        lambda work: _solved(game, state, work, given.certificate),
        doing=f"solving {describe(game)}",
        size=size_of(game),
    )
    if given.json:
        show_json(_solution_json(game, state, told))
        return 0
    print(_heading(game, state))
    print(_verdict(game, state, told.value))
    for value, moves in _by_value(told).items():
        print(f"  {mark(value.outcome)} {value!s:12} {_moves_listed(game, moves)}")
    print()
    print(_counted(told))
    print(f"Solved by {told.method}.")
    return 0


@dataclasses.dataclass(frozen=True)
class Told:
    """What solving says of one position."""

    value: Value
    best: tuple[Move, ...]
    moves: dict[Move, Value]  # all of them where each can be valued, else the best ones
    counts: dict[str, int] | None
    uncounted: str
    method: str


def _solved(game: Game, state: State, work: Work, proof: Path | None) -> Told:
    from parlour.core import Unsolved
    from parlour.truth import solve_at
    from parlour.truth.proofs import certificate

    solution = solve_at(game, state, work=work)
    value, best = solution.value(state), solution.best(state)
    if proof is not None:
        try:
            proof.write_text(json.dumps(certificate(solution, state)) + "\n", encoding="utf-8")
        except OSError as trouble:
            raise BadFile(f"cannot write {proof}: {trouble.strerror}") from None
    try:
        counts, uncounted = solution.counts(), ""
    except Unsolved as reason:
        counts, uncounted = None, str(reason)
    moves = _valued(solution, state, value, best)
    return Told(value, best, moves, counts, uncounted, solution.method)


def _valued(
    solution: Solution, state: State, value: Value, best: tuple[Move, ...]
) -> dict[Move, Value]:
    """Each move with its worth, best first; only the best where a value has no distance."""
    moves = solution.game.moves(state)
    tabulated = value.plies is not None or value.outcome == "draw"
    if not tabulated or len(moves) > MOST_MOVES:
        return {move: solution.after(state, move) if tabulated else value for move in best}
    worth = {move: solution.after(state, move) for move in moves}
    return dict(sorted(worth.items(), key=lambda item: item[1].rank, reverse=True))


def _verdict(game: Game, state: State, value: Value) -> str:
    from parlour.core import capital
    from parlour.truth.explain import describe_value

    says = describe_value(game, state, value)
    if not game.moves(state):
        return f"{mark(value.outcome)} {capital(says)}."
    return f"{mark(value.outcome)} {str(value).capitalize()}: {says}."


def _by_value(told: Told) -> dict[Value, list[Move]]:
    groups: dict[Value, list[Move]] = {}
    for move, value in told.moves.items():
        groups.setdefault(value, []).append(move)
    return groups


def _moves_listed(game: Game, moves: list[Move]) -> str:
    shown = ", ".join(map(game.write_move, moves[:MOST_SHOWN]))
    return shown + (f", … ({len(moves)} in all)" if len(moves) > MOST_SHOWN else "")


def _counted(told: Told) -> str:
    if told.counts is None:
        return f"Not counted: {told.uncounted}."
    won, lost, drawn, ended = (told.counts[kind] for kind in ("win", "loss", "draw", "end"))
    return (
        f"{sum(told.counts.values()):,} situations: {won:,} won, {lost:,} lost and {drawn:,} drawn "
        f"for whoever is to move, {ended:,} ended."
    )


def _solution_json(game: Game, state: State, told: Told) -> dict[str, Any]:
    return {
        "game": game.name,
        "options": values(game),
        "position": game.write(state),
        "turn": game.turn(state) + 1,
        "value": dataclasses.asdict(told.value),
        "best": [game.write_move(move) for move in told.best],
        "moves": [
            {"move": game.write_move(move), **dataclasses.asdict(value)}
            for move, value in told.moves.items()
        ],
        "counts": told.counts,
        "method": told.method,
    }


# verify


def verify(parser: Parser, arguments: list[str]) -> int:
    """`parlour verify FILE`"""
    parser.add_argument("file", metavar="FILE", type=Path, help="a certificate, as solve writes it")
    given = parser.parse(arguments)
    from parlour.truth.proofs import check

    try:
        proof = json.loads(given.file.read_text(encoding="utf-8"))
    except OSError as trouble:
        raise BadFile(f"cannot read {given.file}: {trouble.strerror}") from None
    except (ValueError, RecursionError):
        raise BadFile(f"{given.file} is no certificate: it is not JSON") from None
    print(f"Proven: {check(proof)}.")
    return 0


# explain


def explain(parser: Parser, arguments: list[str]) -> int:
    """`parlour explain GAME [options] [POSITION] [--move MOVE]`"""
    parser.add_argument("--move", metavar="MOVE", help="why this move is right or wrong")
    given, game, state = asked(parser, arguments)
    move = None if given.move is None else game.read_move(state, given.move)
    told = wait(
        lambda work: _explained(game, state, move, work),
        doing=f"explaining {describe(game)}",
        size=size_of(game),
    )
    if given.json:
        show_json(
            {
                "game": game.name,
                "options": values(game),
                "position": game.write(state),
                "move": None if move is None else game.write_move(move),
                "facts": [{"kind": fact.kind, "data": plain(fact.data)} for fact in told.facts],
                "sentences": list(told.sentences),
            }
        )
        return 0
    print(_heading(game, state))
    print(told)
    return 0


def _explained(game: Game, state: State, move: Move | None, work: Work) -> Explanation:
    """The reasons, after solving that shows its progress and can be stopped."""
    from parlour.core import TooLarge, Unsolved
    from parlour.players import explain as reasons
    from parlour.truth import solve_at

    solution = None
    if game.moves(state):
        try:
            solution = solve_at(game, state, work=work)
        except (TooLarge, Unsolved):  # the reasons say so themselves
            if work.stopped:
                raise
    return reasons(game, state, move, solution=solution, work=work)


# bots


def bots(parser: Parser, arguments: list[str]) -> int:
    """`parlour bots [GAME [options]]`"""
    game: Game | None = None
    parser.add_argument("--json", action="store_true", help="with all options, as JSON schema")
    if arguments and not arguments[0].startswith("-"):
        cls, rest = named_game(parser, arguments)
        known = declared(cls)
        add_options(parser, known)
        given = parser.parse(rest)
        game = make(cls, name_of(cls), read_options(known, vars(given)))
    else:
        parser.usage = f"{parser.prog} [--help] [--json] [GAME …]"
        given = parser.parse(arguments)
    listed = []
    for name, claim in registry.claims("bots").items():
        kind = claim.load()
        plays = None if game is None else str(kind().plays(game))
        if plays != "":
            about = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
            listed.append((name, about, plays, kind))
    if given.json:
        show_json([_bot_json(*bot) for bot in listed])
    else:
        for name, about, plays, kind in listed:
            print(f"{name}: {plays if plays is not None else about}")
            for option, opt in declared(kind).items():
                usual = textwrap.shorten(
                    opt.write(opt.default).replace(",", ", "), 24, placeholder=" …"
                )
                allowed = opt.allowed.removeprefix("it must be ")
                print(f"    {option}: {opt.about}: {allowed} (usually {usual})")
        print("\n`parlour play GAME --seat human --seat 'BOT option=value'` plays against one.")
    for trouble in registry.troubles():
        print(f"parlour: left out: {trouble}", file=sys.stderr)
    return 0


def _bot_json(name: str, about: str, plays: str | None, kind: type) -> dict[str, Any]:
    told = {"name": name, "about": about, "options": schema(kind)}
    return told if plays is None else {**told, "plays": plays}
