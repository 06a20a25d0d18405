"""The laws every game obeys, for people who write games.

`check(game)` plays many random games and returns what it found as advice; an empty list means a
lawful game, which every part of Parlour can play, solve, record and teach. Each law is one function
below: it takes the game and a sample of its states, and yields what is wrong.

A small game is checked in every position. Of a larger one there are random games, and for its keys
also all that can happen shortly after the start and before the end, where states meet that have one
key. `Report.sureness` says which it was, and what that is worth.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
import random
import re
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from parlour._lazy import Package
from parlour.core import protocol, registry
from parlour.core.errors import BadOption, BadText, IllegalMove
from parlour.core.options import options_of, values
from parlour.core.protocol import VERBS, Game, State, check_move, key
from parlour.core.sentences import describe_error, quote

GAMES = 30
MAX_PLIES = 2_000
MAX_STATES = 1_000
MAX_MOVES_TRIED = 12
MAX_KEYS = 20_000  # moves followed to compare the states of a key
MAX_LISTED = 10_000  # moves that a game may declare and that are still compared one by one
MAX_OBSERVED = 40  # states whose observations are looked at, fewer if those are large
MAX_NUMBERS = 100_000  # in all of these observations
MAX_ENDING = 300  # states before the end of one random game that are followed in full
GARBAGE = ("", " ", "?", "zz99", "-1", "9" * 60, "a1 b2 c3", "\0", "½", "take all", ":", "Ω" * 500)
NO_MOVES: tuple[Any, ...] = ((), (999, 999, 999), ("no", "move"), None)


@dataclasses.dataclass(frozen=True)
class Finding:
    """One broken law, and what to do about it."""

    law: str
    advice: str

    def __str__(self) -> str:
        return f"{self.law}: {self.advice}"


class Report(list[Finding]):
    """What is wrong with a game, and how much was looked at to say so."""

    def __init__(self, findings: Iterable[Finding], sureness: str = "") -> None:
        super().__init__(findings)
        self.sureness = sureness

    def __str__(self) -> str:
        return "\n".join([*map(str, self), *filter(None, [self.sureness])])


@dataclasses.dataclass
class Sample:
    """Random games as lines of states, how many did not end, and the states to look at."""

    lines: list[list[State]]
    unfinished: int
    states: list[State]
    complete: bool  # whether these are all the states that can arise
    notes: list[str] = dataclasses.field(default_factory=list)  # what could not be checked

    def sureness(self) -> str:
        """Say how sure it is that nothing was missed."""
        return " ".join([self._coverage(), *self.notes])

    def _coverage(self) -> str:
        if self.complete:
            return f"Every position that can arise was looked at, {len(self.states):,} in all."
        held = set(self.states)
        whole = sum(held.issuperset(line) for line in self.lines)
        seen = f"{len(self.states):,} positions of {len(self.lines)} random games were looked at"
        if not whole:
            return f"{seen}, of none of them all."
        share = 1 - 0.05 ** (1 / whole)  # (1 - share) ** whole is the chance to miss it
        return (
            f"{seen}; a fault that shows in one random game of {math.floor(1 / share)} is found "
            "with a certainty of 95 %, a rarer one perhaps not. More games make it surer."
        )


Law = Callable[[Game, Sample], Iterator[str]]
LAWS: dict[str, Law] = {}


def law(function: Law) -> Law:
    """Register a law under its name."""
    LAWS[function.__name__.replace("_", " ")] = function
    return function


def check(game: Any, *, seed: int = 0, games: int = GAMES) -> Report:
    """Return what is wrong with a game, at most one finding per law; nothing for a lawful game.

    The report is a list, and its `sureness` says in a sentence how much was looked at. More random
    `games` find rarer faults; another `seed` plays others.
    """
    if isinstance(game, str | os.PathLike):
        game = registry.game(game)
    if isinstance(game, type):
        return Report([Finding("vocabulary", f"make one first: check({game.__name__}())")])
    missing = [verb for verb in VERBS if not hasattr(game, verb)]
    if missing:
        advice = f"give the game {', '.join(missing)}; see parlour.Game"
        return Report([Finding("vocabulary", advice)])
    try:
        if first := next(_first_look(game), None):
            return Report([first])
        sample = take_sample(game, random.Random(seed), games)
    except Exception as error:  # whatever the game raises is a finding
        advice = f"a random game broke off with {describe_error(error)}"
        return Report([Finding("playing", advice)])
    findings = []
    for name, find in LAWS.items():
        try:
            advice = next(find(game, sample), "")
        except Exception as error:
            advice = f"this law could not be checked: {describe_error(error)}"
        if advice:
            findings.append(Finding(name, advice))
    return Report(findings, sample.sureness())


sys.modules[__name__].__class__ = Package  # so that it can be pickled like everything public


def _first_look(game: Game) -> Iterator[Finding]:
    """Yield faults that would keep the other laws from being checked."""
    first = game.start()
    if not isinstance(first, Hashable):
        kind = type(first).__name__
        yield Finding("plain states", f"make states hashable, best as tuples of ints, not {kind}")
    listed = game.moves(first)
    if not (hasattr(listed, "__len__") and hasattr(listed, "index")):
        kind = type(listed).__name__
        yield Finding("moves", f"moves should be a tuple or another sequence, not {kind}")


def take_sample(game: Game, source: random.Random, games: int = GAMES) -> Sample:
    """Play random games, and list every position of a small game."""
    lines, unfinished, met = [], 0, dict[State, None]()
    for _ in range(games):
        line = [game.start()]
        while (moves := game.moves(line[-1])) and len(line) < MAX_PLIES:
            line.append(game.play(line[-1], moves[source.randrange(len(moves))]))
        unfinished += bool(moves)
        lines.append(line)
        met |= dict.fromkeys([line[-1], *line])  # ended states first: they are the rare ones
    listed = list(_list_from(game, game.start(), MAX_STATES))
    complete = len(listed) < MAX_STATES
    most = MAX_STATES * max(games, GAMES) // GAMES
    return Sample(lines, unfinished, listed if complete else list(met)[:most], complete)


def _list_from(game: Game, state: State, most: int) -> Iterator[State]:
    """Yield what can be reached from a state, nearest first; of a large game about `most`."""
    met, ahead = {state}, [state]
    for here in ahead:  # it grows
        yield here
        for move in _some(game.moves(here), most) if len(ahead) < most else ():
            after = game.play(here, move)
            if after not in met:
                met.add(after)
                ahead.append(after)


def _some(moves: Sequence[Any], most: int = MAX_MOVES_TRIED) -> list[Any]:
    """Return all of a few moves, or a spread of many."""
    step = max(1, len(moves) // most)
    return [moves[place] for place in range(0, len(moves), step)][:most]


def _try(
    call: Callable[[], Any], given: object, *refusals: type[Exception]
) -> tuple[list[Any], str]:
    """Return what a call makes of nonsense, if it takes it, and advice if it refuses it badly."""
    try:
        return [call()], ""
    except refusals as error:
        return [], "" if str(error) else f"say why {quote(given)} is wrong, and what is right"
    except Exception as error:
        return [], f"refuse {quote(given)} with {refusals[0].__name__}, not {type(error).__name__}"


@law
def self_description(game: Game, _: Sample) -> Iterator[str]:
    """A game is a frozen dataclass with a name, seats and described options."""
    if not (isinstance(game.name, str) and game.name.isidentifier() and game.name.islower()):
        yield f"the name should be one lower-case word, not {quote(game.name)}"
    if type(game.seats) is not int or game.seats < 1:
        yield f"seats should be a whole number of at least 1, not {quote(game.seats)}"
    if any(isinstance(value, dataclasses.Field) for value in vars(type(game)).values()):
        yield "write @dataclass(frozen=True) above the class, so that it takes its options"
        return
    if not dataclasses.is_dataclass(game):
        if vars(game) or type(game)() != game or hash(type(game)()) != hash(game):
            yield "make the class a frozen dataclass, so that games with equal options are equal"
        return
    copy = dataclasses.replace(game)
    if copy != game or not isinstance(game, Hashable) or hash(copy) != hash(game):
        yield "use @dataclass(frozen=True), so that games with equal options are equal and hash"
    known = options_of(type(game))
    for field in dataclasses.fields(game):
        if field.init and field.name not in known:
            yield f"declare {field.name} with option(), so that every face can offer it"
    for name, opt in known.items():
        value = getattr(game, name)
        if not opt.about:
            yield f"say what the option {name} is about"
        if opt.read(opt.write(value)) != value:
            yield f"the option {name} cannot be read back from {quote(opt.write(value))}"
        try:
            dataclasses.replace(game, **{name: object()})
        except BadOption:
            continue
        yield f"{name}=object() was accepted; call settle(self) in __post_init__ to check options"
    if type(game)(**values(game)) != game:
        yield "a game made from the recorded options is not equal to the one recorded"


@law
def start(game: Game, _: Sample) -> Iterator[str]:
    """The same start every time."""
    if game.start() != game.start():
        yield "start() gave two different states; leave chance to the players"


@law
def plain_states(game: Game, sample: Sample) -> Iterator[str]:
    """States are values: they hash, and equal ones are interchangeable."""
    for state in sample.states:
        if not isinstance(state, tuple | int | str | frozenset):
            yield f"make states plain values, best tuples of ints, not {type(state).__name__}"


@law
def turn(game: Game, sample: Sample) -> Iterator[str]:
    """The turn is a seat's."""
    for state in sample.states:
        seat = game.turn(state)
        if type(seat) is not int or not 0 <= seat < game.seats:
            yield f"turn should be a seat from 0 to {game.seats - 1}, not {quote(seat)}"


@law
def moves(game: Game, sample: Sample) -> Iterator[str]:
    """Moves are a sequence without repetition, always in the same order."""
    for state in sample.states:
        listed = game.moves(state)
        if listed != game.moves(state):
            yield "moves came in another order when asked again; keep it fixed"
        some = _some(listed)
        for move in some:
            hash(move)
            if move not in listed or listed[listed.index(move)] != move:
                yield f"the move {quote(move)} is listed, but `in` or index do not find it"
        if len(listed) < MAX_STATES and len(set(listed)) != len(listed):
            yield "a move is listed twice; list each once"
        if any(other in listed for other in NO_MOVES):
            yield "`in` finds a move that was never listed"


@law
def result(game: Game, sample: Sample) -> Iterator[str]:
    """A payoff for every seat, exactly when there is no move."""
    for state in sample.states:
        payoffs = game.result(state)
        if payoffs is None:
            if not game.moves(state):
                yield "there is no move and no result; say who won, or that it is a draw"
            continue
        if game.moves(state):
            yield "there are moves, but also a result; list no moves once the game is over"
        if (
            not isinstance(payoffs, tuple)
            or len(payoffs) != game.seats
            or any(type(payoff) is not int or abs(payoff) > 1 for payoff in payoffs)
        ):
            yield f"a result is a tuple of +1, 0 or -1 for each seat, not {quote(payoffs)}"


@law
def pure_play(game: Game, sample: Sample) -> Iterator[str]:
    """The same move in the same state leads to the same state, and changes nothing else."""
    for state in sample.states:
        before = repr(state)
        for move in _some(game.moves(state)):
            if game.play(state, move) != game.play(state, move):
                yield "the same move led to two different states; leave chance to the players"
            if repr(state) != before:
                yield "play changed the state it was given; return a new one"


@law
def illegal_moves(game: Game, sample: Sample) -> Iterator[str]:
    """A move that is not listed is refused with a reason, by `play` or at least by the referee."""
    everything = {
        move
        for line in sample.lines[:3]
        for state in line[:50]
        for move in _some(game.moves(state))
    }
    for state in sample.states:
        listed = game.moves(state)
        for move in [*NO_MOVES, *list(everything)[:MAX_MOVES_TRIED]]:
            if move in listed:
                continue
            advice = _try(partial(check_move, game, state, move), move, IllegalMove)[1]
            if advice:
                yield advice


@law
def move_texts(game: Game, sample: Sample) -> Iterator[str]:
    """A move and its text are exact inverses, and reading forgives case and spaces."""
    for state in sample.states:
        for move in _some(game.moves(state)):
            text = game.write_move(move)
            for typed in (text, text.upper(), f"  {text} "):
                try:
                    back = game.read_move(state, typed)
                except (BadText, IllegalMove) as error:
                    yield f"read_move should take {quote(typed)}, the text of a move: {error}"
                    return
                if back != move:
                    yield f"{quote(typed)}, written for {quote(move)}, reads as {quote(back)}"


@law
def bad_moves(game: Game, sample: Sample) -> Iterator[str]:
    """Text that is not a move is refused with `BadText` or `IllegalMove`."""
    for state in sample.states[:50]:
        for text in GARBAGE:
            moves, advice = _try(partial(game.read_move, state, text), text, BadText, IllegalMove)
            if advice:
                yield advice
            if moves and moves[0] not in game.moves(state):
                yield f"read_move made {quote(moves[0])} of {quote(text)}, which is not legal"


@law
def position_texts(game: Game, sample: Sample) -> Iterator[str]:
    """A position and its one line are exact inverses, and reading forgives case and spaces."""
    for state in sample.states:
        text = game.write(state)
        if "\n" in text or not text.strip():
            yield "write a position on one line, and not an empty one"
        try:
            back = game.read(text)
        except BadText as error:
            yield f"read should take {quote(text)}, the text of a position: {error}"
            return
        if back != state:
            yield f"{quote(text)} reads as {quote(back)}, but was written for {quote(state)}"
        forgiving = getattr(type(game), "read", None) is not Game.read  # that one keeps words exact
        for typed in (text.upper() if forgiving else text, f"  {text} "):
            if _try(partial(game.read, typed), typed, BadText)[0] != [state]:
                yield f"read should take {quote(typed)} as well; ignore case and outer spaces"


@law
def bad_positions(game: Game, _: Sample) -> Iterator[str]:
    """Text that is not a position is refused with `BadText`."""
    for text in GARBAGE:
        states, advice = _try(partial(game.read, text), text, BadText)
        if advice:
            yield advice
        for state in states:
            if (game.result(state) is None) != bool(game.moves(state)):
                yield f"read made a position of {quote(text)} with both moves and a result, or none"


@law
def keys(game: Game, sample: Sample) -> Iterator[str]:
    """States of one key are alike: the same outcome for the mover, and the same keys next."""
    seen: dict[Hashable, tuple[object, frozenset[object]]] = {}
    names: dict[State, Hashable] = {}

    def name(state: State) -> Hashable:
        if state not in names:
            names[state] = key(game, state)
        return names[state]

    for state, moves in _follow(game, sample):
        payoffs, seat = game.result(state), game.turn(state)
        mover = None if payoffs is None else payoffs[seat]
        reached = [game.play(state, move) for move in moves]
        following = frozenset((name(after), game.turn(after) == seat) for after in reached)
        if seen.setdefault(name(state), (mover, following)) != (mover, following):
            yield (
                f"states with the key {quote(name(state))} do not all lead to the same keys and "
                "results; a key has to tell apart whatever decides the moves, also who is to move"
            )


def _follow(game: Game, sample: Sample) -> Iterator[tuple[State, Sequence[Any]]]:
    """Yield states of which many have one key, with their moves.

    They are those of the sample, and all that come soon after the start and shortly before the ends
    of its games; a share of the moves is followed from each, since any of them may have many.
    """
    if sample.complete:
        yield from ((state, game.moves(state)) for state in sample.states)
        return
    endings = [line[-back] for back in (5, 9) for line in sample.lines if len(line) > back]
    near_ends = (_list_from(game, state, MAX_ENDING) for state in endings)
    near_start = _list_from(game, game.start(), MAX_KEYS)
    met = set[State]()
    for states in (itertools.chain.from_iterable(near_ends), sample.states, near_start):
        left = MAX_KEYS // 3
        for state in states:
            if state not in met:
                met.add(state)
                moves = game.moves(state)
                left -= len(moves)
                if left < 0:
                    break
                yield state, moves


@law
def impartial(game: Any, sample: Sample) -> Iterator[str]:
    """Where the game says that both seats have the same moves, they do, with the same effect."""
    if not getattr(game, "impartial", False) or game.seats != 2:
        return
    place = _find_turn(game, sample)
    if place is None:
        sample.notes.append(
            "Whether it is impartial could not be checked, as no part of a state is just the turn."
        )
        return

    def swap(state: Any) -> Any:
        return (*state[:place], 1 - state[place], *state[place + 1 :])

    for state in sample.states:
        other = swap(state)
        for move in _some(game.moves(state)):
            if move not in game.moves(other):
                yield f"only one seat can play {quote(move)}; leave out `impartial`"
                return
            mine, theirs = game.play(state, move), game.play(other, move)
            ended, alike = game.result(mine), game.result(theirs)
            if ended is None and alike is None:
                same = key(game, swap(mine)) == key(game, theirs)
            else:
                same = ended is not None and ended[::-1] == alike
            if not same:
                yield f"{quote(move)} does not do the same for both seats; leave out `impartial`"
        if game.moves(state) and _count_changes(game, state, other) > 1:
            yield "the position looks different to the other seat; leave out `impartial`"


def _find_turn(game: Game, sample: Sample) -> int | None:
    """Return the place in a state that is the turn and nothing else."""
    first = sample.states[0]
    for place in range(len(first) if isinstance(first, tuple) else 0):
        turns = {
            (state[place], game.turn(state)) if place < len(state) else ()
            for state in sample.states
        }
        if turns == {(0, 0), (1, 1)}:
            return place
    return None


def _count_changes(game: Game, state: State, other: State) -> int:
    """Return how many words of a position differ from another's."""
    before, after = (re.findall(r"\w+", game.write(each)) for each in (state, other))
    return sum(map(str.__ne__, before, after)) + abs(len(before) - len(after))


@law
def declared_moves(game: Any, sample: Sample) -> Iterator[str]:
    """What a game says about all its moves, its length and its results is so."""
    everything = protocol.all_moves(game)
    if everything is not None:
        small = len(everything) <= MAX_LISTED  # a larger one is lazy
        known = set(everything) if small else everything
        if everything != protocol.all_moves(game) or len(known) != len(everything):
            yield "all_moves() should list each move once, always in the same order"
        for state in sample.states:
            if missing := [move for move in _some(game.moves(state)) if move not in known]:
                yield f"all_moves() lacks {quote(missing[0])}, which is legal in {quote(state)}"
    bound = protocol.max_plies(game)
    longest = max(_count_plies(game, line) for line in sample.lines)
    if bound is not None and longest > bound:
        yield f"max_plies() is {bound}, but a random game took {longest} moves"
    if protocol.is_zero_sum(game):
        for state in sample.states:
            payoffs = game.result(state)
            if payoffs is not None and sum(payoffs):
                yield f"{payoffs} does not add up to zero; set zero_sum = False"


def _count_plies(game: Game, line: Sequence[State]) -> int:
    """Return how long a game lasted, or would have if repetition had been drawn."""
    if protocol.can_repeat(game):
        met: dict[Hashable, int] = {}
        for plies, state in enumerate(line):
            situation = game.turn(state), key(game, state)
            met[situation] = met.get(situation, 0) + 1
            if met[situation] == 3:
                return plies
    return len(line) - 1


@law
def observations(game: Any, sample: Sample) -> Iterator[str]:
    """What a seat sees, where the game says so, is numbers from 0 to 1, always of one shape."""
    if not hasattr(game, "observe"):
        return
    shape = _shape(game.observe(game.start(), 0))
    if not shape:
        yield "observe() should give numbers in tuples, nested like planes of rows, none ragged"
        return
    fitting = MAX_NUMBERS // max(1, math.prod(shape) * game.seats)
    for state in _some(sample.states, max(2, min(fitting, MAX_OBSERVED))):
        for seat in range(game.seats):
            seen = game.observe(state, seat)
            if (found := _shape(seen)) != shape:
                yield f"observe() has the shape {found} in {quote(state)} and {shape} at the start"
            elif not all(0 <= number <= 1 for number in _numbers(seen)):
                yield f"observe() should give numbers from 0 to 1, and does not in {quote(state)}"


def _shape(seen: Any) -> tuple[int, ...] | None:
    """Return the shape of nested tuples; None where they are ragged, or hold no numbers."""
    if isinstance(seen, bool | int | float):
        return ()
    inner = {_shape(each) for each in seen} if isinstance(seen, list | tuple) else {None}
    (shape,) = inner if len(inner) == 1 else (None,)
    return None if shape is None else (len(seen), *shape)


def _numbers(seen: Any) -> Iterator[float]:
    if isinstance(seen, list | tuple):
        for each in seen:
            yield from _numbers(each)
    else:
        yield seen


@law
def loops(game: Game, sample: Sample) -> Iterator[str]:
    """A game that rules out loops never returns to a position."""
    if protocol.can_repeat(game):
        return
    if sample.unfinished:
        yield f"a random game went on after {MAX_PLIES} moves, though loops are ruled out"
    for line in sample.lines:
        met = [(game.turn(state), key(game, state)) for state in line]
        if len(set(met)) != len(met):
            yield "a position came up again, though `loops` rules that out; set it to 'allowed'"


@law
def size(game: Any, sample: Sample) -> Iterator[str]:
    """The size is an upper bound on the number of keys."""
    if hasattr(game, "size") and game.size() < len({key(game, s) for s in sample.states}):
        yield f"size() is {game.size()}, but random play met more keys than that"


@law
def tier(game: Any, sample: Sample) -> Iterator[str]:
    """The tier never falls as play goes on, and states of one key share it."""
    if not hasattr(game, "tier"):
        return
    tiers: dict[Hashable, int] = {}
    for state in sample.states:
        here = game.tier(state)
        if not isinstance(here, int):
            yield f"tier({state!r}) is {here!r}, not a whole number"
            return
        if tiers.setdefault(key(game, state), here) != here:
            other = tiers[key(game, state)]
            yield f"states with the key of {state!r} have the tiers {here} and {other}"
        for move in _some(game.moves(state)):
            after = game.tier(game.play(state, move))
            if after < here:
                yield f"{move!r} in {state!r} leads from tier {here} back to {after}"


@law
def score(game: Any, sample: Sample) -> Iterator[str]:
    """The score of an ended game agrees with its result."""
    for state in sample.states if hasattr(game, "score") else ():
        payoffs = game.result(state)
        margin = game.score(state)
        if payoffs is not None and ((margin > 0) - (margin < 0)) != payoffs[0]:
            yield f"the score {margin} of an ended game does not fit its result {payoffs}"


@law
def drawing(game: Game, sample: Sample) -> Iterator[str]:
    """The board can be drawn as text, without trailing spaces or control characters."""
    for state in sample.states:
        lines = game.draw(state).split("\n")
        if not any(line.strip() for line in lines):
            yield "draw gave nothing to see"
        if any(line != line.rstrip() or not line.isprintable() for line in lines):
            yield "draw should give plain lines without trailing spaces or control characters"


@law
def words(game: Any, sample: Sample) -> Iterator[str]:
    """A game that describes itself does so in plain sentences and legal examples."""
    for name in (protocol.title(game), protocol.full_title(game)):
        if not name.strip() or name.rstrip().endswith(".") or "\n" in name:
            yield f"title should give a short name without a full stop, not {quote(name)}"
    if not all(text.strip(".") for text in protocol.rules_text(game)):
        yield "rules_text should give sentences, and no empty ones"
    if not protocol.how_to_move(game).strip():
        yield "how_to_move should say how to type a move"
    for names in (getattr(game, "marks", ()), protocol.sides(game)):
        if names and (len(names) != game.seats or len(set(names)) != len(names)):
            yield f"marks and sides should name each of the {game.seats} seats, not {quote(names)}"
    for state in sample.states if hasattr(game, "describe_move") else ():
        for move in _some(game.moves(state)):
            text = protocol.describe_move(game, state, move)
            if game.read_move(state, text) != move:
                yield f"read_move should read {quote(text)}, the description of {quote(move)}"


@law
def squares_of_a_board(game: Any, sample: Sample) -> Iterator[str]:
    """A grid is a rectangle that keeps its size, and moves touch squares on it."""
    for state in sample.states if hasattr(game, "grid") else ():
        found = protocol.grid(game, state) or ()
        sizes = {len(row) for row in found}
        if len(sizes) != 1:
            yield "grid should give rows of equal length"
            return
        for move in _some(game.moves(state)):
            for column, row in protocol.squares(game, move):
                if not (0 <= row < len(found) and 0 <= column < len(found[0])):
                    yield f"squares gives {(column, row)} for {quote(move)}, which is off the grid"
