"""The laws every game obeys, for people who write games.

`check(game)` plays many random games and returns what it found as advice; an empty list means a
lawful game, which every part of Parlour can play, solve, record and teach. Each law is one function
below: it takes the game and a sample of its states, and yields what is wrong.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import Any

from parlour.core import protocol
from parlour.core.errors import BadOption, BadText, IllegalMove
from parlour.core.options import options_of, values
from parlour.core.protocol import VERBS, Game, State, key
from parlour.core.text import describe_error, quote

PLAYOUTS = 30
MAX_PLIES = 2_000
MAX_STATES = 1_000
MAX_MOVES_TRIED = 12
MAX_KEYS = 20_000
GARBAGE = ("", " ", "?", "zz99", "-1", "9" * 60, "a1 b2 c3", "\0", "½", "take all", ":", "Ω" * 500)
NO_MOVES: tuple[Any, ...] = ((), (999, 999, 999), ("no", "move"), None)


@dataclasses.dataclass(frozen=True)
class Finding:
    """One broken law, and what to do about it."""

    law: str
    advice: str

    def __str__(self) -> str:
        return f"{self.law}: {self.advice}"


@dataclasses.dataclass
class Sample:
    """Random games as lines of states, how many did not end, and some of their states."""

    lines: list[list[State]]
    unfinished: int
    states: list[State] = dataclasses.field(default_factory=list)


Law = Callable[[Game, Sample], Iterator[str]]
LAWS: dict[str, Law] = {}


def law(function: Law) -> Law:
    """Register a law under its name."""
    LAWS[function.__name__.replace("_", " ")] = function
    return function


def check(game: Any, *, seed: int = 0) -> list[Finding]:
    """Return what is wrong with a game, at most one finding per law; nothing for a lawful game."""
    if isinstance(game, type):
        return [Finding("vocabulary", f"make one first: check({game.__name__}())")]
    missing = [verb for verb in VERBS if not hasattr(game, verb)]
    if missing:
        return [Finding("vocabulary", f"give the game {', '.join(missing)}; see parlour.Game")]
    try:
        if first := next(_first_look(game), None):
            return [first]
        sample = _sample(game, random.Random(seed))
    except Exception as error:  # whatever the game raises is a finding
        return [Finding("playing", f"a random game broke off with {describe_error(error)}")]
    findings = []
    for name, find in LAWS.items():
        try:
            advice = next(find(game, sample), None)
        except Exception as error:
            advice = f"this law could not be checked: {describe_error(error)}"
        if advice:
            findings.append(Finding(name, advice))
    return findings


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


def _sample(game: Game, source: random.Random) -> Sample:
    sample, met = Sample([], 0), dict[State, None]()
    for _ in range(PLAYOUTS):
        line = [game.start()]
        while (moves := game.moves(line[-1])) and len(line) < MAX_PLIES:
            line.append(game.play(line[-1], moves[source.randrange(len(moves))]))
        sample.unfinished += bool(moves)
        sample.lines.append(line)
        met |= dict.fromkeys([line[-1], *line])  # ended states first: they are the rare ones
    sample.states = list(met)[:MAX_STATES]
    return sample


def _some(moves: Sequence[Any]) -> list[Any]:
    """Return all of a few moves, or a spread of many."""
    step = max(1, len(moves) // MAX_MOVES_TRIED)
    return [moves[place] for place in range(0, len(moves), step)][:MAX_MOVES_TRIED]


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
    if not dataclasses.is_dataclass(game):
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
    """A move that is not listed is refused, with a reason."""
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
            accepted, advice = _try(partial(game.play, state, move), move, IllegalMove)
            if accepted or advice:
                yield advice or f"{quote(move)} is not among the moves, but play accepted it"


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
        for typed in (text.upper(), f"  {text} "):
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
    seen: dict[Hashable, tuple[object, frozenset[Hashable]]] = {}
    looked_up = 0
    for state in sample.states:
        looked_up += len(game.moves(state))
        if looked_up > MAX_KEYS:
            return
        found = key(game, state)
        payoffs = game.result(state)
        mover = None if payoffs is None else payoffs[game.turn(state)]
        following = frozenset(key(game, game.play(state, move)) for move in game.moves(state))
        if seen.setdefault(found, (mover, following)) != (mover, following):
            yield f"states with the key {quote(found)} do not all lead to the same keys and results"


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
