"""The tasks of the workers by name; each is a function of a payload and its `Work`.

Those that several sections ask for are here: values and reasons, replies, games of tournaments. A
section with more of its own has a module `tasks` with a table `TASKS`.
"""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from parlour import core, host
from parlour.arena import Objects, Plan, play_games
from parlour.core import Bot, Game, Move, State, TooLarge, Unsolved, Work, registry
from parlour.faces.web.classes.homework import sandboxed_player
from parlour.faces.web.table import give_hats
from parlour.faces.web.workers import Payload, TaskFunction, game_of, state_of
from parlour.kernels import list_kernels
from parlour.players import Assessment, recover_estimate
from parlour.players import assess as assess_moves
from parlour.players import explain as explain_position
from parlour.truth import solve_position
from parlour.truth.explain import describe_value

PACKAGES = ("kernels", "rules", "engine", "truth", "players", "learn", "host")


def load() -> None:
    """Import everything a task may need, so that every worker has it when it is forked.

    No file of the user's folder runs here: it could do anything.
    """
    for name in PACKAGES:
        package = importlib.import_module(f"parlour.{name}")
        for module in pkgutil.walk_packages(package.__path__, f"parlour.{name}."):
            importlib.import_module(module.name)
    registry.load_installed()
    importlib.import_module("parlour.kernels.othello.evaluation").weights()
    for kernel in list_kernels():
        if kernel.is_kept:  # the others are compiled by the first worker that needs them
            kernel.prepare()


# What moves are worth


def solve(payload: Payload, work: Work) -> dict[str, Any]:
    """Solve a position: its exact value, its best moves, and the method."""
    game = game_of(payload)
    state = state_of(game, payload)
    solution = solve_position(game, state, work)
    value = solution.value(state)
    try:
        counts = solution.counts()
    except Unsolved:
        counts = None
    return {
        "outcome": value.outcome,
        "plies": value.plies,
        "method": solution.method,
        "counts": counts,
        "best": [game.write_move(move) for move in solution.best(state)],
        "sentence": core.sentence(describe_value(game, state, value)),
    }


def explain(payload: Payload, work: Work) -> dict[str, Any]:
    """Explain the value of a position; with a move, why that is right or wrong.

    Where the value is an estimate, `known` is the assessment to explain.
    """
    game = game_of(payload)
    state = state_of(game, payload)
    text, known = payload.get("move"), payload.get("known")
    move = game.read_move(state, text) if text else None
    solution = None
    if game.moves(state):
        try:
            solution = solve_position(game, state, work)
        except (TooLarge, Unsolved):  # the explanation says so itself
            if work.stopped:
                raise
    estimate = recover_estimate(game, state, Assessment.from_dict(known)) if known else None
    why = explain_position(game, state, move, solution=solution, estimate=estimate, work=work)
    facts = [{"kind": fact.kind, "data": core.plain(fact.data)} for fact in why.facts]
    return {"lines": list(why.sentences), "facts": facts}


def assess(payload: Payload, work: Work) -> dict[str, Any]:
    """Say what each move of a position is worth, estimating it within some seconds if need be."""
    game = game_of(payload)
    state = state_of(game, payload)
    return assess_moves(game, state, work=work, seconds=payload["seconds"]).to_dict()


def review(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """Assess the positions of a line with the numbers in `which`, counted from 0.

    After about `within` seconds no further position is begun, so that the caller can show progress
    and ask for the rest.
    """
    game = game_of(payload)
    line = _line(game, payload)
    ends = time.monotonic() + payload["within"]
    found: list[dict[str, Any]] = []
    for number in payload["which"]:
        if found and time.monotonic() > ends:
            break
        state, move = line[number]
        assessment = assess_moves(game, state, played=move, work=work, seconds=payload["seconds"])
        if work.stopped:
            break
        found.append(assessment.to_dict())
    return found


def _line(game: Game, payload: Payload) -> list[tuple[State, Move | None]]:
    """Return every position with the move played in it, the last one with None."""
    state = game.read(payload["position"]) if payload.get("position") else game.start()
    line: list[tuple[State, Move | None]] = []
    for text in payload["moves"]:
        move = game.read_move(state, text)
        line.append((state, move))
        state = game.play(state, move)
    return [*line, (state, None)]


# Benedict


def reply(payload: Payload, work: Work) -> dict[str, Any]:
    """Return Benedict's reply to a line, and the session after it."""
    answer = host.reply(host.Session.from_json(payload["session"]), payload["text"])
    return {
        "session": answer.session.to_json(),
        "lines": list(answer.lines),
        "board": answer.board,
        "choices": list(answer.choices),
        "over": answer.over,
    }


# Tournaments


def tournament_games(payload: Payload, work: Work) -> list[str]:
    """Play games of an arena plan, as many as begin within the time, and at least one.

    A bot that fails loses; so does one that is thinking when the work is stopped. Progress is how
    many games are over and, counted from 1, who is to move in the next: if nothing more is ever
    heard, that bot did not answer.
    """
    line = payload["plan"]
    plan = Plan.from_json(line)
    registry.find("games", plan.game)  # by its name: no file is opened
    with ExitStack() as closing:
        return play_games(
            line,
            payload["fixtures"],
            payload.get("within", 0.0),
            strong=True,
            work=work,
            objects=Objects(players=_make_own(plan, payload.get("own", {}), work, closing)),
        )


def _make_own(
    plan: Plan, own: Mapping[str, Payload], work: Work, closing: ExitStack
) -> dict[str, Bot]:
    """Return the site's own players who take part, by their names: hats, and bots of pupils."""
    players: dict[str, Bot] = {}
    for name, known in own.items():
        if "source" in known:
            players[name] = closing.enter_context(sandboxed_player(known["source"]))
            continue
        players[name] = registry.build("bots", known["bot"])
        give_hats(players[name], known["hats"], plan.make_game(), work)
    return players


TASKS: dict[str, TaskFunction] = {
    "assess": assess,
    "explain": explain,
    "reply": reply,
    "review": review,
    "solve": solve,
    "tournament-games": tournament_games,
}
for _package in pkgutil.walk_packages([str(Path(__file__).parent)], "parlour.faces.web."):
    if _package.ispkg and find_spec(f"{_package.name}.tasks"):
        TASKS |= importlib.import_module(f"{_package.name}.tasks").TASKS
