"""Tournaments as they are run here: a round robin of bots, a few games at a time, each kept.

A game is claimed before it is played, by storing that it is on; whoever finds a claim older than a
game can last takes it over. So a server that was killed, or one of several, loses no game and
counts none twice. Quick games are claimed, played and stored several at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from parlour.arena import Meeting, Ratings, rate, round_robin
from parlour.core import Match, ParlourError, Record, count, registry
from parlour.faces.web.background import AGAIN, Errands
from parlour.faces.web.errors import TooMany as TooManyAtOnce
from parlour.faces.web.workers import TOO_SLOW, TookTooLong, TooMany
from parlour.store import Pairing, Seat, Table, Tournament

if TYPE_CHECKING:
    from parlour.faces.web.house import House

MOST_BOTS = 12
MOST_GAMES = 2_000
MOST_ON = 2  # tournaments of one owner at the same time
LIMIT = 60.0  # seconds for one game
STALE = LIMIT + 15  # after so many a claim has been given up
SIDE_BY_SIDE = 2  # games of one tournament at the same time
WITHIN = 0.3  # seconds in which quick games are played one after another
MOST_CLAIMED = 64

Over = tuple[Pairing, str | ParlourError]  # a game and its record, or why there is none


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
    _check_room(house, owner)
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
        Pairing(
            id=f"{tournament.id}-{number:04}",
            tournament=tournament.id,
            number=number,
            seats=(first, second),
        )
        for number, (first, second, _) in enumerate(round_robin(len(bots), rounds))
    )
    house.runner.wake(tournament.id)
    return tournament


def _check_room(house: House, owner: str) -> None:
    if len(house.store.tournaments.find(owner=owner, state="on", limit=MOST_ON)) >= MOST_ON:
        raise TooManyAtOnce(
            f"{MOST_ON} of your tournaments are being played already; stop one, or wait"
        )


def set_state(house: House, tournament: Tournament, state: str) -> None:
    """Stop a tournament, or let it go on."""
    if state == "on" and tournament.state != "on":
        _check_room(house, tournament.owner)
    topic = f"tournament:{tournament.id}"
    stored = house.store.tournaments.put(replace(tournament, state=state), announce=topic)
    if stored is not None:
        house.hub.announce(topic)
        house.runner.wake(tournament.id)


# How it stands


def cross_table(found: Standing) -> list[list[tuple[float, int]]]:
    """What each bot scored against each other: points and games."""
    many = len(found.tournament.bots)
    cells = [[(0.0, 0)] * many for _ in range(many)]
    for pairing in found.pairings:
        if pairing.points:
            seats, back = pairing.seats, pairing.seats[::-1]
            for (one, other), won in zip((seats, back), pairing.points, strict=True):
                scored, games = cells[one][other]
                cells[one][other] = (scored + won, games + 1)
    return cells


def rated(found: Standing) -> Ratings:
    """How strong each bot has shown itself to be; games 0 and 1, 2 and 3, … are one meeting."""
    met: dict[tuple[int, int, int], list[float]] = {}
    for each in found.pairings:
        if each.points:
            one, other = sorted(each.seats)
            points = met.setdefault((each.number // 2, one, other), [])
            points.append(each.points[each.seats.index(one)])
    return rate(
        len(found.tournament.bots),
        [Meeting(one, other, sum(got), len(got)) for (_, one, other), got in met.items()],
    )


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
                for pairing in self._those(tournament.id, "on"):
                    self.house.store.pairings.put(replace(pairing, state="waiting"))
            self.wake(tournament.id)

    async def _run(self, name: str) -> None:
        await asyncio.gather(*(self._play_on(name) for _ in range(SIDE_BY_SIDE)))
        await self.house.run(self._end, name)

    def _end(self, name: str) -> None:
        """A tournament without a game left is over."""
        tournament = self.house.store.tournaments.get(name)
        left = self._those(name, "waiting", 1) or self._those(name, "on", 1)
        if tournament is not None and tournament.state == "on" and not left:
            set_state(self.house, tournament, "done")

    def _those(self, name: str, state: str, most: int | None = None) -> list[Pairing]:
        return self.house.store.pairings.find(tournament=name, state=state, limit=most)

    async def _play_on(self, name: str) -> None:
        """A few games after another, until there is none left to claim."""
        many = 1
        while True:
            tournament = await self.house.run(self.house.store.tournaments.get, name)
            if tournament is None or tournament.state != "on":
                return
            claimed = await self.house.clerk.do(partial(self._claimed, name, many))
            if claimed:
                played = await self._play(tournament, claimed)
                many = 2 * played if played == len(claimed) else played
                many = min(MOST_CLAIMED, max(1, many))
            elif await self.house.run(self._those, name, "on", 1):  # others are playing the rest
                await asyncio.sleep(AGAIN)
            else:
                return

    def _claimed(self, name: str, many: int) -> list[Pairing]:
        """So many games that nobody plays, which are now ours."""
        free = self._those(name, "waiting", many)
        if not free:
            given_up = time.time() - STALE
            free = [each for each in self._those(name, "on") if each.changed < given_up][:many]
        put = self.house.store.pairings.put
        claims = [put(replace(each, state="on")) for each in free]
        return [each for each in claims if each is not None]

    async def _play(self, tournament: Tournament, claimed: Sequence[Pairing]) -> int:
        """How many of the games that are ours were played; the others are anybody's again."""
        heard = (0, 0)

        def note(done: int, turn: int) -> None:
            nonlocal heard
            heard = done, turn

        games = [_told(tournament, each) for each in claimed]
        over: list[Over] = []
        try:
            lines = await self.house.thinkers.ask(
                "tournament-games",
                {"games": games, "within": WITHIN},
                seconds=LIMIT,
                whose=tournament.owner,
                patient=True,
                progress=note,
            )
            over = [(each, line) for each, line in zip(claimed, lines, strict=False)]
        except TooMany:
            await asyncio.sleep(AGAIN)
        except ParlourError as trouble:
            done, turn = heard
            if isinstance(trouble, TookTooLong) and turn:
                over = [(claimed[done], _lost(games[done], turn - 1))]
            elif len(claimed) == 1:  # in company nobody knows whose fault it was
                over = [(claimed[0], trouble)]
        await self.house.clerk.do(partial(self._store, tournament, claimed, over))
        self.house.hub.announce(f"tournament:{tournament.id}")
        return len(over)

    def _store(self, tournament: Tournament, claimed: Sequence[Pairing], over: list[Over]) -> None:
        """Keep what was played, and hand back what was not; where a claim was lost, neither."""
        store = self.house.store
        for pairing, how in over:
            table = None if isinstance(how, ParlourError) else self._table(tournament, how)
            if table is None:
                after = replace(pairing, state="failed", note=str(how))
            else:
                points = tuple((payoff + 1) / 2 for payoff in table.result or ())
                after = replace(pairing, state="done", points=points, table=table.id)
                store.tables.add(table)
            stored = store.pairings.put(after, announce=f"tournament:{tournament.id}")
            if stored is None and table is not None:
                store.tables.remove(table.id)
        ended = [pairing for pairing, _ in over]
        for pairing in claimed:
            if pairing not in ended:
                store.pairings.put(replace(pairing, state="waiting"))

    def _table(self, tournament: Tournament, line: str) -> Table:
        """A game that was played, as a table one can look at."""
        record = Record.from_json(line)
        return Table(
            id=self.house.store.new_id(),
            game=record.game,
            options=record.options,
            seats=tuple(Seat("bot", bot, bot) for bot in record.players),
            moves=record.moves,
            result=record.result,
            reason=record.reason,
            begun=time.time(),
            creator=tournament.owner,
        )


def _told(tournament: Tournament, pairing: Pairing) -> dict[str, Any]:
    """A game as those who play it are told."""
    bots = [tournament.bots[bot] for bot in pairing.seats]
    return {**tournament.games[pairing.game], "bots": bots, "seed": pairing.number}


def _lost(told: Mapping[str, Any], seat: int) -> str:
    """The record of a game in which a bot never answered; its moves are lost with whom we asked."""
    match = Match(registry.game(told["game"], **told["options"]), told["bots"])
    match.stop(seat, TOO_SLOW)
    return match.record.to_json()
