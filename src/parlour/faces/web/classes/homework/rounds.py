"""A tournament of the pupils of a class, in rounds that the teacher starts.

Each round pairs those who have the same number of points and have not met, as the arena pairs a
Swiss tournament; whoever is left over has a bye, worth a win. A game counts when it is over, by the
transaction that ends it. When the next round starts, a game that goes on counts half for both.

The tournament knows pupils by their ids and asks for their names when it is shown. Its tables
belong to the class and are deleted with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from parlour.arena import pair_swiss_round
from parlour.core import Game, ParlourError, registry, say, title, values
from parlour.faces.web.classes.service import ClassService
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import MEANWHILE, Changed, TooMany, require
from parlour.faces.web.services import Services
from parlour.faces.web.table import TableService, match_of, read_name
from parlour.store import Classroom, Pairing, Pupil, Seat, Store, Table, Tournament

ROUNDS = "rounds"  # the state of such a tournament while it goes on, and its topic
OVER = "over"
MAX_ROUNDS = 30
MAX_TOURNAMENTS = 20  # of one class


@dataclass(frozen=True)
class Standing:
    """The place of one pupil, the same for equals."""

    place: int
    entrant: int
    pupil: Pupil | None  # None for one who is no longer in the class
    points: float
    played: int


@dataclass(frozen=True)
class StoredRounds:
    """A tournament of a class with all its games."""

    tournament: Tournament
    pairings: tuple[Pairing, ...]
    pupils: Mapping[str, Pupil]

    @property
    def version(self) -> int:
        """A number that grows with every change."""
        return self.tournament.version + sum(each.version + 1 for each in self.pairings)

    @property
    def class_id(self) -> str:
        """The class that plays."""
        return self.tournament.owner.partition(":")[2]

    def pupil(self, entrant: int) -> Pupil | None:
        """Return who an entrant is, while they are in the class."""
        return self.pupils.get(self.tournament.bots[entrant])

    def of_round(self, number: int) -> list[Pairing]:
        """List the games of a round."""
        return [each for each in self.pairings if each.game == number]

    @cached_property
    def standings(self) -> list[Standing]:
        """The table, the first at the top."""
        points = [0.0] * len(self.tournament.bots)
        met: list[list[int]] = [[] for _ in points]
        played = [0] * len(points)
        for each in self.pairings:
            for seat, won in zip(each.seats, each.points, strict=False):
                points[seat] += won
                if len(each.seats) == 2:
                    played[seat] += 1
                    met[seat].append(each.seats[0] if seat == each.seats[1] else each.seats[1])
        # Between those with the same points, the points of their opponents decide.
        ranks = [(-won, -sum(points[each] for each in met[at])) for at, won in enumerate(points)]
        order = sorted(ranks)
        rows = [
            Standing(order.index(rank) + 1, at, self.pupil(at), points[at], played[at])
            for at, rank in enumerate(ranks)
        ]
        return sorted(rows, key=lambda row: (row.place, row.entrant))


class Rounds:
    """The tournaments of all classes between their pupils."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._classes = services.get(ClassService)
        self._tables = services.get(TableService)
        self._tables.counters.append(self.count_game)

    def load(self, tournament_id: str) -> StoredRounds | None:
        """Return a tournament of a class with its games."""
        tournament = self._store.tournaments.get(tournament_id)
        if tournament is None or tournament.state not in (ROUNDS, OVER):
            return None
        pairings = self._store.pairings.find(tournament=tournament_id)
        pupils = self._classes.list_pupils(tournament.owner.partition(":")[2])
        return StoredRounds(
            tournament,
            tuple(sorted(pairings, key=lambda each: each.number)),
            {pupil.id: pupil for pupil in pupils},
        )

    def read(self, tournament_id: str) -> StoredRounds:
        """Return the same, or refuse."""
        return require(self.load(tournament_id))

    def read_for(self, visitor: Visitor, tournament_id: str) -> StoredRounds:
        """Return a tournament of a class that the visitor is in, or refuse."""
        found = self.read(tournament_id)
        return require(found if self._classes.role_of(found.class_id, visitor) else None)

    def start(self, classroom: Classroom, game: Game, here: Iterable[str]) -> StoredRounds:
        """Start a tournament of the pupils who are here, and its first round."""
        entrants = [each.id for each in self._classes.list_pupils(classroom.id) if each.id in here]
        if game.seats != 2:
            raise ParlourError(say("a tournament needs a game for two"))
        owner = f"class:{classroom.id}"
        if len(self._store.tournaments.find(owner=owner)) >= MAX_TOURNAMENTS:
            raise TooMany(
                "this class has had {most}, the maximum; open a new class", most=MAX_TOURNAMENTS
            )
        tournament = Tournament(
            id=self._store.new_id(),
            owner=owner,
            name=read_name("", title(game)),
            games=({"game": game.name, "options": values(game)},),
            bots=tuple(entrants),
            rounds=0,
            state=ROUNDS,
        )
        with self._store.transaction():
            self._store.tournaments.add(tournament)
            self._pair(StoredRounds(tournament, (), {}), entrants)
        return self.read(tournament.id)

    def start_next(self, found: StoredRounds, here: Iterable[str]) -> None:
        """End the round, and start the next with all who are still playing or are here."""
        tournament = found.tournament
        if tournament.state != ROUNDS or tournament.rounds >= MAX_ROUNDS:
            raise Changed(say("this tournament is over; start another one"))
        pupils = self._classes.list_pupils(found.class_id)
        gone = self._find_gone(found)
        playing = [
            each.id
            for each in pupils
            if each.id in here or (each.id in tournament.bots and each.id not in gone)
        ]
        with self._store.transaction():
            self._pair(self._end_round(found), playing)

    def finish(self, found: StoredRounds) -> None:
        """End the tournament."""
        with self._store.transaction():
            ended = self._end_round(found)
            self._store.tournaments.put(replace(ended.tournament, state=OVER))
            self._show(found)

    def _find_gone(self, found: StoredRounds) -> set[str]:
        """Return who left their last game, or let the other wait in one that has not ended."""
        gone = set()
        for pairing in found.of_round(found.tournament.rounds):
            table = self._store.tables.get(pairing.table) if pairing.table else None
            if table is None:
                continue
            match = match_of(table)
            if table.result is None:
                gone.add(found.tournament.bots[pairing.seats[match.turn]])
            elif table.end in ("left", "away"):
                gone.add(found.tournament.bots[pairing.seats[table.result.index(-1)]])
        return gone

    def _end_round(self, found: StoredRounds) -> StoredRounds:
        """Count half for both in every game that has not ended."""
        for pairing in found.pairings:
            if pairing.state == "on":
                half = (0.5,) * len(pairing.seats)
                self._store.pairings.put(replace(pairing, state="done", points=half))
        return self.read(found.tournament.id)

    def _pair(self, found: StoredRounds, playing: list[str]) -> None:
        """Pair those who play, and begin their games."""
        if len(playing) < 2:
            raise ParlourError(
                say("at least two pupils must be here, with the page of the class open")
            )
        tournament = found.tournament
        entrants = [*tournament.bots, *(each for each in playing if each not in tournament.bots)]
        numbers = [entrants.index(each) for each in playing]
        points = {row.entrant: row.points for row in found.standings}
        met = {frozenset(each.seats) for each in found.pairings if len(each.seats) == 2}
        byes = [each.seats[0] for each in found.pairings if len(each.seats) == 1]
        place = {number: at for at, number in enumerate(numbers)}
        pairs, bye = pair_swiss_round(
            [points.get(number, 0.0) for number in numbers],
            {frozenset(place[each] for each in pair) for pair in met if pair <= place.keys()},
            [place[each] for each in byes if each in place],
        )
        begun = [each.seats[0] for each in found.pairings if len(each.seats) == 2]
        seatings = [
            tuple(sorted((numbers[each] for each in pair), key=begun.count)) for pair in pairs
        ]
        if bye is not None:
            seatings.append((numbers[bye],))
        current = tournament.rounds + 1
        for number, seats in enumerate(seatings, start=len(found.pairings)):
            game: dict[str, Any] = {"state": "done", "points": (1.0,)}  # a bye
            if len(seats) == 2:
                pupils = [entrants[each] for each in seats]
                game = {"state": "on", "table": self._begin(tournament, pupils, number)}
            self._store.pairings.add(
                Pairing(
                    id=_pairing_id(tournament.id, number),
                    tournament=tournament.id,
                    number=number,
                    game=current,
                    seats=seats,
                    **game,
                )
            )
        after = replace(tournament, bots=tuple(entrants), rounds=current)
        if self._store.tournaments.put(after) is None:
            raise Changed(MEANWHILE)
        self._show(found)

    def _begin(self, tournament: Tournament, pupils: list[str], number: int) -> str:
        """Begin the game of two, and return its table."""
        found = [self._store.pupils.get(each) for each in pupils]
        if None in found:
            raise Changed(MEANWHILE)
        game = tournament.games[0]
        table = self._tables.create(
            registry.build("games", game["game"], game["options"]),
            [Seat("person", each.name, owner=each.owner) for each in found if each],
            listed=False,
            creator=tournament.owner,
            counts_for=f"{ROUNDS} {tournament.id} {number}",
        )
        return table.id

    def count_game(self, table: Table) -> None:
        """Count a game that is over; within the transaction that ends it."""
        kind, _, rest = table.counts_for.partition(" ")
        tournament_id, _, number = rest.partition(" ")
        if kind != ROUNDS or table.result is None or not number.isdigit():
            return
        pairing = self._store.pairings.get(_pairing_id(tournament_id, int(number)))
        if pairing is None or pairing.state != "on":
            return
        points = tuple((1 + each) / 2 for each in table.result)
        self._store.pairings.put(replace(pairing, state="done", points=points))
        found = self.load(tournament_id)
        if found is not None:
            self._show(found)

    def _show(self, found: StoredRounds) -> None:
        """Show what has changed to all who follow the tournament, and to the class."""
        self._classes.announce(f"{ROUNDS}:{found.tournament.id}")
        self._classes.publish(found.class_id)


def find_rounds(store: Store, class_id: str) -> Tournament | None:
    """Return the tournament of pupils that a class plays, the latest if there are several."""
    found = store.tournaments.find(owner=f"class:{class_id}", state=ROUNDS, limit=1)
    return found[0] if found else None


def find_game(tournament: Tournament, pairings: Iterable[Pairing], pupil_id: str) -> str:
    """Return the table of the game that a pupil has to play now, if there is one."""
    for pairing in pairings:
        if pairing.state == "on" and pupil_id in [tournament.bots[each] for each in pairing.seats]:
            return pairing.table
    return ""


def _pairing_id(tournament_id: str, number: int) -> str:
    return f"{tournament_id}-{number:04}"
