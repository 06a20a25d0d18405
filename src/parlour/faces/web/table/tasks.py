"""What workers do for tables: choose and teach a bot's moves, value and explain positions."""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from parlour.core import (
    BadText,
    Bot,
    Game,
    IllegalMove,
    Match,
    Move,
    ParlourError,
    Record,
    Resigns,
    Solution,
    State,
    TooLarge,
    Unsolved,
    Work,
    capital,
    describe,
    options_of,
    plain,
    quote,
    registry,
    schema,
    seat_name,
    span,
)
from parlour.faces.web.workers import (
    MAX_SECONDS,
    Payload,
    TaskFunction,
    bot_of,
    field,
    game_of,
    match_of,
    seconds_of,
    state_of,
    texts,
)
from parlour.learn import Hats, HatsPlayer, storage
from parlour.players import Assessment, recover_estimate
from parlour.players import assess as assess_moves
from parlour.players import explain as explain_position
from parlour.truth import is_solved_soon, solve_at, solve_once
from parlour.truth.explain import describe_value

T = TypeVar("T")

MAX_READY = 8  # bots kept ready for their next move
MAX_SEED = 2**31


# Bots


def list_bots(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """List the bots that play a game, each with how well it plays and its options."""
    game = game_of(payload)
    listed = []
    for name, claim in registry.claims("bots").items():
        try:
            kind = claim.load()
            strength = str(kind().plays(game))
        except Exception:  # noqa: S112  # a bot that fails here does not play
            continue
        if strength:
            about = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
            listed.append(
                {"name": name, "about": about, "plays": strength, "options": schema(kind)}
            )
    return listed


def choose(payload: Payload, work: Work) -> dict[str, str]:
    """Return the move of a bot, or that it resigns and why."""
    game = game_of(payload)
    match = match_of(game, payload)
    if match.over:
        raise ParlourError("the game is over")
    seat = field(payload, "seat", int, match.turn)
    if seat != match.turn:
        raise ParlourError(f"it is the turn of {seat_name(game, match.turn)}, not of seat {seat}")
    left = payload.get("left")
    if left is not None and (type(left) not in (int, float) or not left >= 0):
        raise BadText(f"'left' cannot be {quote(left)}; it must be a number of seconds")
    text, hats = field(payload, "bot", str), field(payload, "hats", str, "")
    bot = _seed_move(bot_of(text), len(match.moves))
    key = (describe(bot), hats, _stamp(bot), game)
    bot = _ready.pop(key, bot)
    prepare(bot, game, work, hats)
    if left is not None and hasattr(bot, "clock"):
        bot.clock(left)
    try:
        play_move(match, bot, work)
    except Resigns as why:
        return {"resigns": f"resigned: {why}" if str(why) else "resigned"}
    _keep_ready(key, bot)
    return {"move": match.moves[-1]}


def play_move(match: Match, bot: Bot, work: Work) -> None:
    """Let a bot make its move; `Resigns` when it gives up."""
    move = _stoppable(bot, work, lambda: bot.choose(match.game, match.state))
    try:
        match.play(move)
    except IllegalMove as refusal:
        raise IllegalMove(f"it chose {quote(move)}: {refusal}") from refusal


def _stoppable(bot: Bot, work: Work, call: Callable[[], T]) -> T:
    """Call a bot; once the work is stopped, so is the bot."""
    stop = getattr(bot, "stop", None)
    if stop is None:
        return call()
    return work.run(call, watch=lambda work: stop() if work.stopped else None)


def prepare(bot: Bot, game: Game, work: Work, hats: str = "") -> None:
    """Let a bot get ready, with the hats it plays with, if any."""
    if hats and isinstance(bot, HatsPlayer):
        if game not in bot._hats:
            bot._hats[game] = storage.from_json(hats, game, name="this class", work=work)
    elif hats:
        raise ParlourError(f"{quote(describe(bot))} does not play with hats")
    elif hasattr(bot, "prepare"):
        bot.prepare(game, work)
    if work.stopped:
        raise ParlourError("stopped before the bot was ready")


def _seed_move(bot: Bot, number: int) -> Bot:
    """Seed a bot for one move, so that every worker would choose the same."""
    seed = _seed_of(bot)
    return bot if seed is None else with_seed(bot, f"{seed} {number}")


def _seed_of(bot: Bot) -> int | None:
    """Return a bot's seed, if it has one; a bot that prepares keeps the same for every move."""
    takes_one = "seed" in options_of(type(bot)) and not hasattr(bot, "prepare")
    return getattr(bot, "seed", None) if takes_one else None


def with_seed(bot: Bot, source: str) -> Bot:
    """Return the bot with a seed derived from a text."""
    options = {name: getattr(bot, name) for name in options_of(type(bot))}
    options["seed"] = random.Random(source).randrange(MAX_SEED)
    seeded: Bot = registry.build(type(bot), bot.name, options)
    return seeded


# Bots kept ready for their next move. Ours remember nothing but what they know of a game; what
# somebody else's bot remembers may be of another table.

_ready: OrderedDict[Hashable, Bot] = OrderedDict()


def _keep_ready(key: Hashable, bot: Bot) -> None:
    if type(bot).__module__.startswith("parlour.") and _seed_of(bot) is None:
        _ready[key] = bot
        while len(_ready) > MAX_READY:
            _ready.popitem(last=False)


def _stamp(bot: Bot) -> str:
    """Return what changes when stored hats have learned something, perhaps elsewhere."""
    return storage.fingerprint(bot.kept) if isinstance(bot, HatsPlayer) and bot.kept else ""


# Learning


def teach(payload: Payload, work: Work) -> dict[str, list[str]]:
    """Let bots learn from a finished game, and return those that did.

    A bot sits where the record names it; one at several seats learns once.
    """
    record = Record.from_json(field(payload, "record", str))
    game = game_of({"game": record.game, "options": record.options})
    bots = texts(payload, "bots")
    if not Match.from_record(game, record).over:
        raise ParlourError("nothing can be learned from a game that is not over")
    taught = []
    for text in dict.fromkeys(bots):
        seats = [seat for seat, player in enumerate(record.players) if player == text]
        if len(seats) != bots.count(text):
            raise ParlourError(f"the record does not say where {quote(text)} sat")
        if _teach_bot(bot_of(text), game, record, seats):
            taught.append(text)
    return {"taught": taught}


def _teach_bot(bot: Bot, game: Game, record: Record, seats: Sequence[int]) -> bool:
    if isinstance(bot, HatsPlayer):
        if not (bot.kept and bot.learning):
            return False  # hats without a name are not stored
        storage.update_hats(bot.kept, game, lambda hats: teach_hats(hats, game, record, seats))
        return True
    learn = getattr(bot, "learn", None)
    if learn is not None:
        learn(record)
    return learn is not None


def teach_hats(hats: Hats, game: Game, record: Record, seats: Sequence[int]) -> None:
    """Return the balls behind the moves of a record to their hats.

    Where several kinds of ball stand for one move, as at the end of sticks, the lowest counts.
    """
    balls: dict[int, list[tuple[State, int]]] = {seat: [] for seat in seats}
    gave_up = None
    for state, move in record.replay(game):
        seat = game.turn(state)
        if seat not in seats or (move is None and game.result(state) is not None):
            continue
        if move is not None:
            balls[seat].append((state, hats.boxes.kind(state, move)))
        elif not any(hats.contents(hats.row(seat), hats.boxes.find(state))):
            gave_up = seat
    hats.learn(balls, record.result or (), gave_up)


# What moves are worth


def solve(payload: Payload, work: Work) -> dict[str, Any]:
    """Solve a position: its exact value, its best moves, and the method."""
    game = game_of(payload)
    state = state_of(game, payload)
    solution = _solution(game, state, work)
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
        "sentence": capital(f"{describe_value(game, state, value)}."),
    }


def explain(payload: Payload, work: Work) -> dict[str, Any]:
    """Explain the value of a position; with a move, why that is right or wrong.

    Where the value is an estimate, `known` is the assessment to explain.
    """
    game = game_of(payload)
    state = state_of(game, payload)
    text = field(payload, "move", str, "")
    move = game.read_move(state, text) if text else None
    solution = None
    if game.moves(state):
        try:
            solution = _solution(game, state, work)
        except (TooLarge, Unsolved):  # the explanation says so itself
            if work.stopped:
                raise
    known: dict[str, Any] = field(payload, "known", dict, {})
    estimate = recover_estimate(game, state, Assessment.from_dict(known)) if known else None
    why = explain_position(game, state, move, solution=solution, estimate=estimate, work=work)
    facts = [{"kind": fact.kind, "data": plain(fact.data)} for fact in why.facts]
    return {"lines": list(why.sentences), "facts": facts}


def _solution(game: Game, state: State, work: Work) -> Solution:
    """Return a solution that covers the position, from the cache if the game is quickly solved."""
    known = solve_once(game, work) if is_solved_soon(game) else None
    return solve_at(game, state, known, work=work)


def assess(payload: Payload, work: Work) -> dict[str, Any]:
    """Say what each move of a position is worth, estimating it within some seconds if need be."""
    game = game_of(payload)
    seconds = seconds_of(payload, "seconds", 2.0)
    return assess_moves(game, state_of(game, payload), work=work, seconds=seconds).to_dict()


def review(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """Assess the positions of a line with the numbers in `which`, counted from 0.

    After about `within` seconds no further position is begun, so that the caller can show progress
    and ask for the rest.
    """
    game = game_of(payload)
    line = _line(game, payload)
    seconds = seconds_of(payload, "seconds", 0.5)
    ends = time.monotonic() + seconds_of(payload, "within", MAX_SECONDS)
    found: list[dict[str, Any]] = []
    for number in _numbers(payload, len(line)):
        if found and time.monotonic() > ends:
            break
        state, move = line[number]
        assessment = assess_moves(game, state, played=move, work=work, seconds=seconds)
        if work.stopped:
            break
        found.append(assessment.to_dict())
    return found


def _line(game: Game, payload: Payload) -> list[tuple[State, Move | None]]:
    """Return every position with the move played in it, the last one with None."""
    start = field(payload, "position", str, "")
    state = game.read(start) if start else game.start()
    line: list[tuple[State, Move | None]] = []
    for text in texts(payload, "moves"):
        move = game.read_move(state, text)
        line.append((state, move))
        state = game.play(state, move)
    return [*line, (state, None)]


def _numbers(payload: Payload, length: int) -> list[int]:
    """Return the numbers of the positions to assess."""
    numbers: list[Any] = field(payload, "which", list)
    for number in numbers:
        if type(number) is not int or number not in range(length):
            raise BadText(f"there is no position {quote(number)}; there is {span(0, length - 1)}")
    return numbers


TASKS: dict[str, TaskFunction] = {
    "assess": assess,
    "choose": choose,
    "explain": explain,
    "plays": list_bots,
    "review": review,
    "solve": solve,
    "teach": teach,
}
