"""The situations in which an agent is judged, and what each of its moves costs there.

A situation is a key of the game that can arise from its start; of the states that share the key,
the one reached first stands for it. Its moves are valued for the mover in points, as a game is
scored: 1 for a win, a half for a draw, 0 for a loss. The regret of a move is the points of the best
move less its own; where it keeps the outcome, it may still lose plies: a later win, a sooner loss.

An agent is asked only where a choice can be wrong: where two moves differ in points, or two that
keep the outcome differ in plies. Where there are too many situations to ask about all, a random
sample stands for them, and `Scope` says of what it is a sample. Othello beyond solving is valued in
discs by the engine, and then every figure is an estimate.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, Any

from parlour import core
from parlour.core import Game, Move, ParlourError, Solution, State, TooLarge, Unsolved, Value, Work
from parlour.engine import EndSolution, can_search, empties
from parlour.players import Engine, estimate_moves, is_beyond_solving, is_estimated
from parlour.rules import Othello
from parlour.truth import draw_states, solve_at, solve_once

MAX_ALL = 50_000  # situations that are listed through the rules within seconds
SAMPLE = 2_000  # drawn where there are more
ESTIMATED_SAMPLE = 200  # drawn where the engine has to value them: about a minute
MAX_MOVES = 10_000  # valued in one situation
MAX_TRIES = 200  # situations drawn for each that is wanted, since few may have a choice
MAX_PLIES = 2_000  # of a random game
MIN_LEFT_OUT = 20  # positions that may be left out, or a tenth of the sample: each takes seconds
ENGINE_PLIES = 10  # looked ahead for an estimate: repeatable, and a tenth of a second
LEVEL = 3  # of the engine, which plays the games from which positions of Othello are taken

ALL, DRAWN, RANDOM_GAMES, SELF_PLAY = "all", "drawn", "random games", "self-play"
POINTS, DISCS = "points", "discs"
WORTH = {"loss": Fraction(0), "draw": Fraction(1, 2), "win": Fraction(1)}
REGRETS = {(best, own): WORTH[best] - WORTH[own] for best in WORTH for own in WORTH}


@dataclass(frozen=True)
class Situation:
    """A situation with what each of its moves costs.

    `right` and `choices` count the situations that the best moves, and all moves, lead to: moves
    that lead to one situation are one choice.
    """

    state: State
    moves: tuple[Move, ...]
    regrets: tuple[Fraction | float, ...]  # of each move, in points or discs
    later: tuple[int | None, ...]  # plies that each move loses; None for a draw or a worse outcome
    outcome: str  # for the mover, with the best move
    plies: int | None  # to the end, when the winner hurries and the loser delays
    depth: int | None  # plies from the start: the fewest, or in the game it was drawn from
    right: int
    choices: int
    exact: bool = True

    @property
    def is_critical(self) -> bool:
        """Whether a choice can be wrong in outcome, or in discs."""
        return any(self.regrets)

    @property
    def is_timed(self) -> bool:
        """Whether a choice that keeps the outcome can lose plies."""
        return any(self.later)


@dataclass(frozen=True)
class Scope:
    """What was judged: the kind of sample, if it is one, and in what regret is measured."""

    kind: Annotated[str, ("enum", (ALL, DRAWN, RANDOM_GAMES, SELF_PLAY))]
    unit: Annotated[str, ("enum", (POINTS, DISCS))] = POINTS
    situations: int | None = None  # that can arise and are not over, where they were counted
    estimate: str = ""  # who estimated the values, and how far ahead; nothing where all are proven
    left_out: int = 0  # drawn, but not proven within the limit of the search

    def describe(self, number: int, *, stopped: bool = False) -> str:
        """Say in a sentence where these situations come from."""
        asked = f"{number:,} situation{'' if number == 1 else 's'}"
        among = "" if self.situations is None else f", of {self.situations:,}"
        if self.kind == ALL and not stopped:
            return f"All {asked}{among}, in which moves differ."
        if self.kind in (ALL, DRAWN):  # all were to be asked in random order
            return (
                f"A random sample of {asked}{among}, among those in which moves differ, all "
                "equally likely."
            )
        games = "random games"
        if self.kind != RANDOM_GAMES:
            games = f"games of engine level={LEVEL} with itself"
        without = ""
        if self.left_out:
            more = core.count(self.left_out, "more position")
            without = f" {more} could not be proven within the limit of the search: left out."
        return (
            f"A random sample of {asked} in which moves differ, from {games}: one from each game, "
            f"all its positions equally likely.{without}"
        )


def find_situations(
    game: Any, *, sample: int | None = None, seed: int = 0, work: Work
) -> tuple[list[Situation], Scope]:
    """Return the situations to judge an agent in, in random order, and what they are.

    They depend on the game, the sample and the seed alone, so that agents can be compared. Without
    a `sample` they are all situations, unless there are more than 50,000. Raise `TooLarge` or
    `Unsolved` where nothing is known about the game.
    """
    generator = random.Random(f"situations {seed}")
    if is_beyond_solving(game):
        return _sample_othello(game, sample or ESTIMATED_SAMPLE, generator, work)
    solution = solve_once(game, work)
    going_on: int | None = None
    with suppress(Unsolved):  # as of a closed form, or a proof that grows on demand
        counts = solution.counts()
        going_on = sum(counts.values()) - counts["end"]
    if going_on is not None and going_on <= MAX_ALL:
        found = _list_all(game, solution, going_on, work)
        generator.shuffle(found)
        kind = ALL if sample is None or sample >= len(found) else DRAWN
        return found[:sample], Scope(kind, situations=going_on)
    drawn = None if going_on is None else draw_states(solution, generator)
    if drawn is None:
        found, left_out = _sample_games(game, solution, sample or SAMPLE, generator, work)
        return found, Scope(RANDOM_GAMES, situations=going_on, left_out=left_out)
    found = _collect(map(partial(_value_state, game, solution), drawn), sample or SAMPLE, work)
    return found, Scope(DRAWN, situations=going_on)


def _collect(found: Iterator[Situation | None], number: int, work: Work) -> list[Situation]:
    """Return the first situations in which a choice can be wrong, up to this number."""
    kept: list[Situation] = []
    work.done, work.total = 0, number
    for tried, situation in enumerate(found, start=1):
        if situation is not None and (situation.is_critical or situation.is_timed):
            kept.append(situation)
            work.done = len(kept)
        if len(kept) >= number or tried >= MAX_TRIES * number:
            break
        _check_stopped(work, len(kept))
    return kept


def _check_stopped(work: Work, found: int) -> None:
    if work.stopped:
        raise Unsolved(
            f"stopped after {core.count(found, 'situation')}, before the agent was asked"
        )


# Exact values


def _list_all(game: Any, solution: Solution, going_on: int, work: Work) -> list[Situation]:
    """List every situation, nearest first, with the fewest plies that lead to it."""
    seen: dict[Hashable, Value] = {}  # the value of each situation for its mover
    ahead: deque[tuple[State, int]] = deque()
    depth = -1

    def look_up(state: State, name: Hashable) -> Value:
        """Return the value of a situation, which is looked at later if it is new."""
        if name not in seen:
            seen[name] = solution.value(state)
            ahead.append((state, depth + 1))
        return seen[name]

    start = game.start()
    look_up(start, core.key(game, start))
    found: list[Situation] = []
    work.done, work.total = 0, going_on
    while ahead:
        state, depth = ahead.popleft()
        if game.moves(state):
            _check_stopped(work, work.done)
            situation = _weigh(game, state, look_up, depth)
            if situation.is_critical or situation.is_timed:
                found.append(situation)
            work.done += 1
    return found


def _value_state(
    game: Any, solution: Solution, state: State, depth: int | None = None
) -> Situation | None:
    """Return a situation by itself; None where the game is over or there is no choice."""
    if len(game.moves(state)) < 2:
        return None
    return _weigh(game, state, lambda after, name: solution.value(after), depth)


def _weigh(
    game: Game,
    state: State,
    look_up: Callable[[State, Hashable], Value],
    depth: int | None,
) -> Situation:
    """Return the situation; `look_up` gives the value of a position, whose key it takes too."""
    moves = game.moves(state)
    if len(moves) > MAX_MOVES:
        raise TooLarge(
            f"a position of this {game.name} has {len(moves):,} moves, and at most {MAX_MOVES:,} "
            "are valued; choose a smaller variant"
        )
    seat, values, leads = game.turn(state), [], []
    for move in moves:
        after = game.play(state, move)
        name, same = core.key(game, after), game.turn(after) == seat
        values.append(look_up(after, name).before(same_mover=same))
        leads.append((name, same))
    plies = look_up(state, core.key(game, state)).plies
    best = max(values, key=lambda value: value.rank)
    regrets, later = [], []
    for value in values:
        regrets.append(REGRETS[best.outcome, value.outcome])
        kept = value.outcome == best.outcome and None not in (value.plies, best.plies)
        later.append(abs((value.plies or 0) - (best.plies or 0)) if kept else None)
    right = {lead for lead, regret in zip(leads, regrets, strict=True) if not regret}
    return Situation(
        state,
        tuple(moves),
        tuple(regrets),
        tuple(later),
        best.outcome,
        plies,
        depth,
        len(right),
        len(set(leads)),
    )


def _sample_games(
    game: Any, solution: Solution, sample: int, generator: random.Random, work: Work
) -> tuple[list[Situation], int]:
    """Draw one position from each of many random games, which makes the draws independent.

    Where only a search can tell, some positions may take more than its limit; they are left out,
    and counted.
    """
    left_out = 0

    def draw() -> Iterator[Situation | None]:
        nonlocal left_out
        while left_out <= max(MIN_LEFT_OUT, sample // 10):
            states = _play(game, generator, work)
            depth = generator.randrange(len(states)) if states else 0
            try:
                yield _value_state(game, solution, states[depth], depth) if states else None
            except Unsolved:
                if work.stopped or not searches:
                    raise
                left_out += 1
                yield None

    searches = isinstance(getattr(solution, "work", None), Work)
    if searches:
        solution.work = work  # type: ignore[attr-defined]  # a proof search that can be stopped
    return _collect(draw(), sample, work), left_out


def _play(
    game: Any, generator: random.Random, work: Work, player: core.Player | None = None
) -> list[State]:
    """Return where there was a move to make in a game of a player with itself, or a random one."""
    state: State = game.start()
    states: list[State] = []
    while game.moves(state) and len(states) < MAX_PLIES and not work.stopped:
        states.append(state)
        move = player.choose(game, state) if player else generator.choice(game.moves(state))
        state = game.play(state, move)
    return states


# Othello beyond solving


def _sample_othello(
    game: Othello, sample: int, generator: random.Random, work: Work
) -> tuple[list[Situation], Scope]:
    """Draw one position from each of many games, and value its moves in discs."""
    plays = can_search(game)

    def draw() -> Iterator[Situation | None]:
        while True:
            engine = Engine(level=LEVEL, seed=generator.randrange(2**31)) if plays else None
            states = _play(game, generator, work, engine)
            depth = generator.randrange(len(states)) if states else 0
            yield _value_discs(game, states[depth], depth, work) if states else None

    found = _collect(draw(), sample, work)
    by, ahead = ("the bot engine", ENGINE_PLIES) if plays else ("the bot despacito", "up to 6")
    if game.misere:
        by, ahead = "a plain search", f"up to {ENGINE_PLIES}"
    estimate = f"{by}, {ahead} plies ahead"
    return found, Scope(SELF_PLAY if plays else RANDOM_GAMES, DISCS, estimate=estimate)


def _value_discs(game: Othello, state: State, depth: int, work: Work) -> Situation | None:
    """Return a position valued in discs: exactly with few squares empty, else by the engine."""
    moves = game.moves(state)
    if len(moves) < 2 or work.stopped:
        return None
    if is_estimated(game, state):
        guess = estimate_moves(game, state, work=work, plies=ENGINE_PLIES, seconds=None)
        scores: Mapping[Move, float] = guess.scores
        exact = guess.exact
    else:
        solution = solve_at(game, state, work=work)
        if not isinstance(solution, EndSolution):
            raise ParlourError(f"{game.write(state)!r} has no exact margin")
        scores = {move: solution.margin_after(state, move) for move in moves}
        exact = True
    top = max(scores.values())
    leads = {move: core.key(game, game.play(state, move)) for move in moves}
    return Situation(
        state,
        tuple(moves),
        tuple(top - scores[move] for move in moves),
        (None,) * len(moves),
        core.OUTCOMES[1 + (top > 0) - (top < 0)],
        empties(game, state),
        depth,
        len({leads[move] for move in moves if scores[move] == top}),
        len(set(leads.values())),
        exact,
    )
