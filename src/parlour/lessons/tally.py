"""All that is known of a position: what was chosen there, how it ended, what moves are worth.

A position is known by its situation, so that those which are alike by symmetry count together. A
move is known by the situation it leads to: two moves that come to the same are one choice, and each
of them shows the number of both. A survey lists the moves with what each is worth: what was played
most comes first; among moves that nobody made, the best.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from parlour.core import OUTCOMES, Game, Move, State, describe, key
from parlour.players import Assessment, MoveValue
from parlour.rules import find_opening

BYTES = 8  # of a situation's number


@dataclass(frozen=True)
class OutcomeTally:
    """How many games there are and how they ended, as the mover of the position sees it."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    people: int = 0  # in how many of them a person chose the move

    @property
    def games(self) -> int:
        """How many games there are."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The mover's share of the points, a draw being half of one; 0 without a game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    def __add__(self, other: OutcomeTally) -> OutcomeTally:
        return OutcomeTally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            self.people + other.people,
        )


NOTHING = OutcomeTally()


class Choice(NamedTuple):
    """One move of a finished game, as it is stored to be counted."""

    number: int  # of the move in its game, from 0
    situation: int  # in which it was made
    following: int  # to which it led
    payoff: int  # of its mover at the end: 1, 0 or -1
    by_person: bool


def situation(game: Game, state: State) -> int:
    """Return the number by which a position is found, the same for all that are alike.

    It has 64 bits and a sign, as databases store them; among a thousand million positions two
    share a number with a chance of 3 %.
    """
    name = f"{describe(game)} {key(game, state)!r}"
    digest = hashlib.blake2b(name.encode(), digest_size=BYTES).digest()
    return int.from_bytes(digest, "big", signed=True)


def list_choices(
    game: Game, moves: Iterable[str], result: Sequence[int], people: Iterable[int]
) -> list[Choice]:
    """List the moves of a finished game; `people` are the seats at which a person sat."""
    persons = frozenset(people)
    state = game.start()
    here = situation(game, state)
    choices = []
    for number, text in enumerate(moves):
        seat = game.turn(state)
        state = game.play(state, game.read_move(state, text))
        following = situation(game, state)
        choices.append(Choice(number, here, following, result[seat], seat in persons))
        here = following
    return choices


def tally_choices(
    game: Game, state: State, rows: Iterable[tuple[int, int, bool, int]]
) -> dict[Move, OutcomeTally]:
    """Count what was chosen in a position.

    Each row has the situation a choice led to, the mover's payoff, whether a person chose it, and
    how often that was. Moves that nobody made are left out.
    """
    tallies: dict[int, OutcomeTally] = {}
    for following, payoff, by_person, number in rows:
        won, drawn, lost = (number if payoff == each else 0 for each in (1, 0, -1))
        tally = OutcomeTally(won, drawn, lost, people=number if by_person else 0)
        tallies[following] = tallies.get(following, NOTHING) + tally
    leads = {move: situation(game, game.play(state, move)) for move in game.moves(state)}
    return {move: tallies[lead] for move, lead in leads.items() if lead in tallies}


def add_up(game: Game, state: State, tallies: Mapping[Move, OutcomeTally]) -> OutcomeTally:
    """Return how all games went on, each counted once: moves that come to the same share theirs."""
    seen: dict[Any, OutcomeTally] = {}
    for move, tally in tallies.items():
        seen.setdefault(key(game, game.play(state, move)), tally)
    return sum(seen.values(), NOTHING)


@dataclass(frozen=True)
class Trap:
    """A move that gives away the value, and that people choose nevertheless."""

    move: str
    people: int  # who chose it
    out_of: int  # people who moved here
    kept: str  # the outcome of the position: "win" or "draw"
    left: str  # the outcome after the move


def find_trap(
    game: Game, state: State, tallies: Mapping[Move, OutcomeTally], assessed: Assessment
) -> Trap | None:
    """Return the wrong move that people choose most, where the values are proven."""
    value = assessed.value
    if value is None or not value.exact or value.outcome == "loss":
        return None
    worst: Trap | None = None
    total = add_up(game, state, tallies).people
    for each in assessed.moves:
        chosen = tallies.get(game.read_move(state, each.move), NOTHING).people
        gives_away = OUTCOMES.index(each.outcome) < OUTCOMES.index(value.outcome)
        if each.exact and gives_away and chosen > (worst.people if worst else 0):
            worst = Trap(each.move, chosen, total, value.outcome, each.outcome)
    return worst


# All of it together


@dataclass(frozen=True)
class MoveRow:
    """A move, those that come to the same, what it is worth, and the games in which it was made."""

    move: str
    also: tuple[str, ...]
    value: MoveValue | None
    archive: OutcomeTally
    house: OutcomeTally
    opening: str  # that it leads to, if that has another name than the position


@dataclass(frozen=True)
class Survey:
    """A position, and its moves in order."""

    rows: tuple[MoveRow, ...]
    archive: OutcomeTally
    house: OutcomeTally
    trap: Trap | None
    opening: str

    @property
    def games(self) -> int:
        """How many games went on from here."""
        return self.archive.games + self.house.games


def survey_position(
    game: Game,
    states: Iterable[State],
    *,
    archive: Mapping[Move, OutcomeTally],
    house: Mapping[Move, OutcomeTally],
    assessed: Assessment,
) -> Survey:
    """Return what is known of the last of these states, which led there one after the other."""
    led = list(states)
    state = led[-1]
    values = {each.move: each for each in assessed.moves}
    opening = _name(game, led)
    groups: dict[Any, list[Move]] = {}
    for move in game.moves(state):
        groups.setdefault(key(game, game.play(state, move)), []).append(move)
    rows = []
    for moves in groups.values():
        names = [game.write_move(move) for move in moves]
        after = _name(game, [*led, game.play(state, moves[0])])
        rows.append(
            MoveRow(
                names[0],
                tuple(names[1:]),
                next((values[name] for name in names if name in values), None),
                archive.get(moves[0], NOTHING),
                house.get(moves[0], NOTHING),
                after if after != opening else "",
            )
        )
    return Survey(
        tuple(sorted(rows, key=_order)),
        add_up(game, state, archive),
        add_up(game, state, house),
        find_trap(game, state, house, assessed),
        opening,
    )


def _name(game: Game, states: list[State]) -> str:
    found = find_opening(game, states)
    return str(found) if found else ""


def _order(row: MoveRow) -> tuple[Any, ...]:
    worst = (float("-inf"), 0.0)
    first, second = row.value.rank if row.value else worst
    return (-row.archive.games, -row.house.games, -first, -second)
