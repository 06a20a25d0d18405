"""Tournaments as they are run here: a round robin of bots, game by game, each kept as it ends.

A game is claimed before it is played, by storing that it is on; whoever finds a claim older than a
game can last takes it over. So a server that was killed, or one of several, loses no game and
counts none twice.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from parlour.arena.pairings import round_robin
from parlour.arena.ratings import Rating, ratings
from parlour.core import registry
from parlour.core.errors import ParlourError
from parlour.core.record import Record
from parlour.core.words import count
from parlour.faces.web.errands import AGAIN, Errands
from parlour.store.things import Pairing, Seat, Table, Tournament

if TYPE_CHECKING:
    from parlour.faces.web.house import House

MOST_BOTS = 12
MOST_GAMES = 2_000
LIMIT = 60.0  # seconds for one game
STALE = LIMIT + 15  # after so many a claim has been given up
SIDE_BY_SIDE = 2  # games of one tournament at the same time


@dataclass(frozen=True)
class Standing:
    """A tournament and all its games, as a page shows them."""

    tournament: Tournament
    pairings: tuple[Pairing, ...]

    @property
    def version(self) -> int:
        """A number that grows with every change."""
        return self.tournament.version + sum(each.version for each in self.pairings)


def standing(house: House, name: str) -> Standing | None:
    """The tournament of this name as it stands."""
    tournament = house.store.tournaments.get(name)
    if tournament is None:
        return None
    pairings = sorted(house.store.pairings.find(tournament=name), key=lambda each: each.number)
    return Standing(tournament, tuple(pairings))


def create(
    house: House, owner: str, name: str, game: str, options: Mapping[str, Any], bots: Sequence[str],
    rounds: int,
) -> Tournament:  # fmt: skip
    """A new tournament, which begins at once."""
    registry.game(game, **options)
    games = rounds * len(bots) * (len(bots) - 1)
    if len(bots) < 2:
        raise ParlourError("a tournament needs two bots at least; choose some more")
    if len(bots) > MOST_BOTS:
        raise ParlourError(f"at most {count(MOST_BOTS, 'bot')} take part here; leave some out")
    if not 0 < games <= MOST_GAMES:
        raise ParlourError(
            f"{count(len(bots), 'bot')} in {count(rounds, 'round')} play {games:,} games, and "
            f"{MOST_GAMES:,} are the most here; choose fewer rounds"
        )
    tournament = Tournament(
        id=house.store.new_id(),
        owner=owner,
        name=name,
        games=({"game": game, "options": dict(options)},),
        bots=tuple(bots),
        rounds=rounds,
    )
    house.store.tournaments.add(tournament)
    house.store.pairings.add_all(
        Pairing(id=f"{tournament.id}-{number}", tournament=tournament.id, number=number, seats=pair)
        for number, pair in enumerate(round_robin(len(bots), rounds))
    )
    house.runner.wake(tournament.id)
    return tournament


def set_state(house: House, tournament: Tournament, state: str) -> None:
    """Stop a tournament, or let it go on."""
    topic = f"tournament:{tournament.id}"
    stored = house.store.tournaments.put(replace(tournament, state=state), announce=topic)
    if stored is not None:
        house.hub.announce(topic)
        house.runner.wake(tournament.id)


# How it stands


def points(pairing: Pairing) -> tuple[float, ...] | None:
    """The points of a game, seat by seat; None while it is not over, or when it failed."""
    if pairing.state != "done":
        return None
    result = Record.from_json(pairing.record).result or (0, 0)
    return tuple((payoff + 1) / 2 for payoff in result)


def cross_table(found: Standing) -> list[list[tuple[float, int]]]:
    """What each bot scored against each other: points and games."""
    many = len(found.tournament.bots)
    cells = [[(0.0, 0)] * many for _ in range(many)]
    for pairing in found.pairings:
        if got := points(pairing):
            for (one, other), won in zip((pairing.seats, pairing.seats[::-1]), got, strict=True):
                scored, games = cells[one][other]
                cells[one][other] = (scored + won, games + 1)
    return cells


def rated(found: Standing) -> list[Rating]:
    """How strong each bot has shown itself to be."""
    results = []
    for pairing in found.pairings:
        if got := points(pairing):
            results.append((pairing.seats[0], pairing.seats[1], got[0]))
    return ratings(len(found.tournament.bots), results)


# Playing it


class Runner:
    """The tournaments this server plays."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._errands = Errands(self._run)

    def wake(self, name: str) -> None:
        """See whether a tournament has games to play; from any thread."""
        self._errands.wake(name)

    def wake_all(self) -> None:
        """Go on with every tournament that is on.

        Where only one server can be, whatever was claimed was its own and has been lost.
        """
        for tournament in self.house.store.tournaments.find(state="on"):
            if self.house.store.dialect == "sqlite":
                for pairing in self.house.store.pairings.find(tournament=tournament.id, state="on"):
                    self.house.store.pairings.put(replace(pairing, state="waiting"))
            self.wake(tournament.id)

    async def _run(self, name: str) -> None:
        await asyncio.gather(*(self._play_on(name) for _ in range(SIDE_BY_SIDE)))
        found = await self.house.run(standing, self.house, name)
        if found and found.tournament.state == "on" and not _open(found):
            await self.house.run(set_state, self.house, found.tournament, "done")

    async def _play_on(self, name: str) -> None:
        """One game after another, until there is none left to claim."""
        while True:
            found = await self.house.run(standing, self.house, name)
            if found is None or found.tournament.state != "on" or not (left := _open(found)):
                return
            pairing = next((each for each in left if _free(each)), None)
            if pairing is None:  # others are playing the rest
                await asyncio.sleep(AGAIN)
                continue
            claim = replace(pairing, state="on")
            claimed = await self.house.run(self.house.store.pairings.put, claim)
            if claimed is not None:
                await self._play(found.tournament, claimed)

    async def _play(self, tournament: Tournament, pairing: Pairing) -> None:
        game = tournament.games[pairing.game]
        bots = [tournament.bots[each] for each in pairing.seats]
        payload = {**game, "bots": bots, "seed": pairing.number}
        try:
            line = await self.house.thinkers.ask(
                "tournament-game", payload, seconds=LIMIT, whose=f"tournament {tournament.id}"
            )
        except ParlourError as trouble:
            done = replace(pairing, state="failed", record=str(trouble))
        else:
            table = await self.house.run(self._kept, tournament, bots, line)
            done = replace(pairing, state="done", record=line, table=table.id)
        topic = f"tournament:{tournament.id}"
        stored = await self.house.run(lambda: self.house.store.pairings.put(done, announce=topic))
        if stored is not None:
            self.house.hub.announce(topic)

    def _kept(self, tournament: Tournament, bots: Sequence[str], line: str) -> Table:
        """A game that was played, as a table one can look at."""
        record = Record.from_json(line)
        return self.house.store.tables.add(
            Table(
                id=self.house.store.new_id(),
                game=record.game,
                options=record.options,
                seats=tuple(Seat("bot", bot, bot) for bot in bots),
                moves=record.moves,
                result=record.result,
                reason=record.reason,
                begun=time.time(),
            )
        )


def _open(found: Standing) -> list[Pairing]:
    return [each for each in found.pairings if each.state in ("waiting", "on")]


def _free(pairing: Pairing) -> bool:
    given_up = pairing.state == "on" and pairing.changed < time.time() - STALE
    return pairing.state == "waiting" or given_up
